/* Changes on their way to entries: sorted, each once, what is new told from what was seen. */
#include "batch/feed/feed.h"
#include "batch/io/io.h"
#include "crypto/crypto.h"

#include <stdlib.h>
#include <string.h>

enum { SORT_MEMORY = 16 << 20 };

struct feed_changes {
    struct feed_run *run;
    struct feed_state *state;
    struct feed_record *record;
    struct sorter *sorter;
    struct adit_time newest;
    bool any;
};

/* --- records of the sort -----------------------------------------------------------------------
 *
 * Kind, loc, NUL, title, then this; by kind, URL and time. */

struct tail {
    struct adit_time at, end;
    uint64_t hash;
    size_t title; /* its length */
    bool is_new;
};

static struct tail record_tail(struct adit_str r)
{
    struct tail t;
    memcpy(&t, r.p + r.len - sizeof t, sizeof t);
    return t;
}
static struct adit_str record_title(struct adit_str r)
{
    size_t end = r.len - sizeof(struct tail);
    return adit_str_sub(r, end - record_tail(r).title, end);
}
static struct adit_str record_loc(struct adit_str r)
{
    return adit_str_sub(r, 1, r.len - sizeof(struct tail) - record_tail(r).title - 1);
}

static int record_cmp(struct adit_str a, struct adit_str b)
{
    if (a.p[0] != b.p[0]) return a.p[0] < b.p[0] ? -1 : 1;
    int order = adit_str_cmp(record_loc(a), record_loc(b));
    if (order) return order;
    order = adit_time_cmp(record_tail(a).at, record_tail(b).at);
    return order ? order : adit_str_cmp(a, b);
}

/* A change is identified by all three. */
static void hash_change(struct adit_sha256 *h, enum adit_rs_change change, struct adit_time at,
                        struct adit_str loc)
{
    char text[64];
    struct adit_buf b = {.p = text, .cap = sizeof text, .max = sizeof text};
    adit_buf_lit(&b, adit_rs_change_names[change]);
    adit_buf_byte(&b, ' ');
    adit_time_write(&b, at);
    adit_buf_byte(&b, ' ');
    adit_sha256_update(h, b.p, b.len);
    adit_sha256_update(h, loc.p, loc.len);
    adit_sha256_update(h, "\n", 1);
}

static uint64_t change_hash(enum adit_rs_change change, struct adit_time at, struct adit_str loc)
{
    struct adit_sha256 h;
    uint8_t out[ADIT_SHA256_LEN];
    uint64_t v = 0;
    adit_sha256_init(&h);
    hash_change(&h, change, at, loc);
    adit_sha256_final(&h, out);
    for (size_t i = 0; i < 8; i++) v = v << 8 | out[i];
    return v;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool was_seen(const struct feed_record *r, uint64_t hash, struct adit_time at)
{
    if (!r->has_mark) return false;
    if (r->seen_all && !adit_time_before(r->mark, at)) return true;
    return r->n_seen && bsearch(&hash, r->seen, r->n_seen, sizeof hash, by_value) != NULL;
}

struct feed_changes *feed_changes_open(struct feed_run *f, struct feed_state *s,
                                       struct feed_record *r)
{
    struct feed_changes *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->run = f, c->state = s, c->record = r;
    c->sorter = sorter_new(f->temp, SORT_MEMORY, record_cmp);
    if (c->sorter) return c;
    free(c);
    return NULL;
}

void feed_changes_free(struct feed_changes *c)
{
    if (c) sorter_free(c->sorter);
    free(c);
}

bool feed_changes_add(struct feed_changes *c, const struct feed_change *change)
{
    struct adit_time at = change->at;
    struct adit_str title = adit_utf8_cut(change->title, FEED_TITLE_MAX);
    struct tail t;
    memset(&t, 0, sizeof t);
    t.at = at, t.end = change->end, t.title = title.len;
    t.hash = change_hash(change->change, at, change->loc);
    t.is_new = !was_seen(c->record, t.hash, at);
    if (!c->any || adit_time_before(c->newest, at)) c->newest = at;
    c->any = true;
    char kind = (char)('0' + change->change);
    const struct adit_str parts[] = {
        {&kind, 1}, change->loc, {"", 1}, title, {(const char *)&t, sizeof t}};
    return sorter_add(c->sorter, parts, ADIT_COUNT(parts));
}

/* --- what is new ------------------------------------------------------------------------------ */

struct gathering {
    struct feed_run *f;
    struct feed_news_list *news;
    struct adit_sha256 hash;
    bool any;
    /* The change before, held back: of several of one page the last one is shown. */
    struct adit_buf loc, title;
    enum adit_rs_change change;
    struct adit_time at;
    uint64_t id;
};

static void show(struct gathering *g)
{
    struct feed_news_list *news = g->news;
    if (!g->loc.len) return;
    if (news->counts[g->change]++ < ADIT_RS_SHOWN)
        news->v[news->n++] = (struct feed_shown){
            .change = g->change,
            .loc = adit_arena_dup(&g->f->arena, adit_buf_str(&g->loc), NULL),
            .title = adit_arena_dup(&g->f->arena, adit_buf_str(&g->title), NULL),
            .at = g->at,
            .hash = g->id,
        };
    adit_buf_clear(&g->loc);
}

static void take_new(struct gathering *g, struct adit_str r, const struct tail *t)
{
    enum adit_rs_change change = (enum adit_rs_change)(r.p[0] - '0');
    struct adit_str loc = record_loc(r);
    if (g->change != change || !adit_str_eq(adit_buf_str(&g->loc), loc)) {
        show(g);
        adit_buf_add(&g->loc, loc);
    }
    adit_buf_clear(&g->title);
    adit_buf_add(&g->title, record_title(r));
    g->change = change, g->at = t->at, g->id = t->hash;
    hash_change(&g->hash, change, t->at, loc);
    if (!g->any || adit_time_before(g->news->newest, t->at)) g->news->newest = t->at;
    g->any = true;
}

/* Changes whose time is not over are remembered one by one. */
struct memory {
    uint64_t *v;
    size_t n;
    bool full;
};

static void remember(struct memory *m, struct adit_time mark, const struct tail *t)
{
    if (adit_time_before(t->end, mark)) return;
    if (m->n == FEED_SEEN_MAX)
        m->full = true;
    else
        m->v[m->n++] = t->hash;
}

static bool keep_memory(struct memory *m, struct feed_state *s, struct feed_record *r)
{
    r->seen = adit_arena_zalloc(&s->arena, m->n, sizeof *r->seen);
    r->n_seen = r->seen ? m->n : 0;
    r->seen_all = m->full;
    if (r->n_seen) memcpy(r->seen, m->v, m->n * sizeof *m->v);
    if (r->n_seen) qsort(r->seen, r->n_seen, sizeof *r->seen, by_value);
    return r->seen != NULL;
}

/* All changes in order: what is new is gathered, what may come again is remembered. */
static bool gather(struct feed_changes *c, struct gathering *g, struct adit_time mark)
{
    struct adit_str r;
    struct tail last = {0};
    struct memory m = {.v = calloc(FEED_SEEN_MAX, sizeof *m.v)};
    bool ok = m.v && sorter_start(c->sorter);
    while (ok && sorter_next(c->sorter, &r)) {
        struct tail t = record_tail(r);
        if (t.hash == last.hash && adit_time_cmp(t.at, last.at) == 0) continue; /* in two lists */
        last = t;
        if (t.is_new) take_new(g, r, &t);
        remember(&m, mark, &t);
    }
    show(g);
    ok = ok && !sorter_failed(c->sorter) && keep_memory(&m, c->state, c->record);
    free(m.v);
    return ok;
}

bool feed_changes_finish(struct feed_changes *c, struct feed_news_list *news)
{
    struct gathering g = {.f = c->run, .news = news, .change = ADIT_RS_CHANGES};
    struct adit_time mark = c->record->mark;
    uint8_t hash[ADIT_SHA256_LEN];
    struct adit_buf text = {.p = news->hash, .cap = sizeof news->hash, .max = sizeof news->hash};
    if (!c->any) return true;
    if (!c->record->has_mark || adit_time_before(mark, c->newest)) mark = c->newest;
    news->v =
        adit_arena_zalloc(&c->run->arena, (size_t)ADIT_RS_CHANGES * ADIT_RS_SHOWN, sizeof *news->v);
    adit_buf_init(&g.loc, cli_mem, ADIT_LIMIT_url_bytes);
    adit_buf_init(&g.title, cli_mem, FEED_TITLE_MAX);
    adit_sha256_init(&g.hash);
    bool ok = news->v && gather(c, &g, mark);
    adit_sha256_final(&g.hash, hash);
    adit_buf_hex(&text, hash, sizeof hash);
    c->record->mark = mark, c->record->has_mark = true;
    adit_buf_free(&g.loc), adit_buf_free(&g.title);
    return ok;
}
