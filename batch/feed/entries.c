/* From what is new to entries: one that sums up the run, or one a page. */
#include "batch/feed/feed.h"
#include "crypto/crypto.h"

enum { HTML_MAX = 8 << 20 };

struct making {
    struct feed_run *f;
    struct feed_state *state;
    struct feed_record *record;
    struct adit_buf id, title, updated, html;
};

/* Fills in what is for people; the diff lives in the arena. */
static struct adit_rs_shown for_people(const struct feed_shown *c, struct adit_arena *arena,
                                       struct adit_diff *diff, char day[64])
{
    struct adit_buf text = {.p = day, .cap = 64, .max = 64};
    struct adit_rs_shown s = {.change = c->change, .loc = c->loc, .title = c->title};
    adit_time_write(&text, c->at);
    s.day = adit_str_sub(adit_buf_str(&text), 0, 10);
    if (c->before.len && c->text.len &&
        adit_diff_words(c->before, c->text, arena, diff) == ADIT_OK && diff->removed + diff->added)
        s.diff = diff;
    s.excerpt = adit_excerpt(c->description);
    return s;
}

static void put_id(struct making *m, struct adit_str url, struct adit_str hash)
{
    adit_buf_clear(&m->id);
    adit_buf_add(&m->id, url);
    adit_buf_byte(&m->id, adit_str_chr(url, '#', 0) < url.len ? '-' : '#');
    adit_buf_lit(&m->id, "changes-");
    adit_buf_add(&m->id, hash);
}

static bool add(struct making *m, struct adit_str link, struct adit_time at, struct adit_str html)
{
    adit_buf_clear(&m->updated);
    adit_time_write(&m->updated, at);
    struct adit_atom_entry entry = {
        .id = adit_buf_str(&m->id),
        .title = adit_buf_str(&m->title),
        .updated = adit_buf_str(&m->updated),
        .link = link,
        .html = html,
    };
    return !m->id.err && !m->title.err && feed_record_add(m->state, m->record, &entry);
}

/* --- one a run -------------------------------------------------------------------------------- */

/* Those of the list, and as many more as are counted; by_page: only the latter. */
static bool sum_up(struct making *m, const struct feed_news_list *news, bool rest)
{
    struct adit_rs_summary s;
    bool ok = true;
    adit_rs_summary_init(&s, cli_mem, HTML_MAX);
    for (unsigned kind = 0; kind < ADIT_RS_CHANGES; kind++) {
        uint64_t named = 0;
        for (size_t i = 0; i < news->n; i++) {
            const struct feed_shown *c = &news->v[i];
            char day[64];
            struct adit_diff diff;
            if (c->change != kind || c->left_out) continue;
            named++;
            if (rest) continue;
            struct adit_arena_mark mark = adit_arena_mark(&m->f->arena);
            struct adit_rs_shown shown = for_people(c, &m->f->arena, &diff, day);
            adit_rs_summary_add(&s, &shown);
            adit_arena_release(&m->f->arena, mark);
        }
        for (; named < news->counts[kind]; named++)
            adit_rs_summary_count(&s, (enum adit_rs_change)kind);
    }
    adit_rs_summary_end(&s);
    adit_buf_clear(&m->title);
    adit_rs_summary_title(&s, &m->title);
    put_id(m, m->record->id, adit_str_of(news->hash, sizeof news->hash));
    ok = !s.html.err && add(m, m->record->id, news->newest, adit_buf_str(&s.html));
    adit_rs_summary_free(&s);
    return ok;
}

/* --- one a page ------------------------------------------------------------------------------- */

static bool add_page(struct making *m, const struct feed_shown *c)
{
    char day[64], hash[32];
    struct adit_diff diff;
    struct adit_buf text = {.p = hash, .cap = sizeof hash, .max = sizeof hash};
    struct adit_arena_mark mark = adit_arena_mark(&m->f->arena);
    struct adit_rs_shown shown = for_people(c, &m->f->arena, &diff, day);
    for (unsigned i = 0; i < 8; i++) {
        uint8_t byte = (uint8_t)(c->hash >> (56 - 8 * i));
        adit_buf_hex(&text, &byte, 1);
    }
    put_id(m, c->loc, adit_buf_str(&text));
    adit_buf_clear(&m->title), adit_buf_clear(&m->html);
    adit_rs_shown_title(&shown, &m->title);
    adit_rs_shown_html(&shown, &m->html);
    bool web = adit_str_istarts(c->loc, ADIT_STR("http"));
    bool ok = !m->html.err && add(m, web && c->change != ADIT_RS_DELETED ? c->loc : m->record->id,
                                  c->at, adit_buf_str(&m->html));
    adit_arena_release(&m->f->arena, mark);
    return ok;
}

/* Those that a run does not name stand in an entry that counts them. */
static bool page_by_page(struct making *m, const struct feed_news_list *news)
{
    uint64_t all = 0, named = 0;
    for (size_t i = 0; i < ADIT_RS_CHANGES; i++) all += news->counts[i];
    for (size_t i = 0; i < news->n; i++) named += !news->v[i].left_out;
    bool ok = named == all || sum_up(m, news, true);
    for (size_t i = 0; ok && i < news->n; i++) ok = news->v[i].left_out || add_page(m, &news->v[i]);
    return ok;
}

bool feed_entries_add(struct feed_run *f, struct feed_state *s, struct feed_record *r,
                      const struct feed_news_list *news)
{
    struct making m = {.f = f, .state = s, .record = r};
    adit_buf_init(&m.id, cli_mem, ADIT_LIMIT_url_bytes + 128);
    adit_buf_init(&m.title, cli_mem, ADIT_LIMIT_url_bytes + 4096);
    adit_buf_init(&m.updated, cli_mem, 64);
    adit_buf_init(&m.html, cli_mem, HTML_MAX);
    bool ok = f->by_page ? page_by_page(&m, news) : sum_up(&m, news, false);
    adit_buf_free(&m.id), adit_buf_free(&m.title);
    adit_buf_free(&m.updated), adit_buf_free(&m.html);
    return ok;
}
