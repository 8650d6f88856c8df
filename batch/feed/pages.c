/* Titles and texts of the pages that changed: from a collection, or from the pages themselves, else
 * the title that the list has; and which of the changes are none for people. */
#include "batch/feed/feed.h"
#include "batch/collection/collection.h"
#include "batch/crawl/crawl.h"
#include "format/format.h"

#include <stdlib.h>

enum { PAGE_MEMORY = 1 << 30, TEXT_BUF = 64 << 20 };

struct looking {
    struct feed_run *f;
    struct feed_shown **v; /* those that are looked at */
    size_t n;
    struct adit_buf text;
};

/* Behind the title, with which the text of a page begins. */
static struct adit_str behind_title(struct adit_str text, struct adit_str title)
{
    return adit_str_starts(text, title) ? adit_str_sub(text, title.len, text.len) : text;
}

static void take_page(struct looking *l, struct feed_shown *c, const struct adit_page *page)
{
    struct adit_arena *arena = &l->f->arena;
    adit_buf_clear(&l->text);
    if (adit_formats[ADIT_FORMAT_TEXT].write(page, cli_mem, &l->text) != ADIT_OK || l->text.err)
        return;
    struct adit_str text = adit_buf_str(&l->text);
    struct adit_str excerpt =
        page->description.len ? page->description : behind_title(text, page->title);
    if (page->title.len)
        c->title = adit_arena_dup(arena, adit_utf8_cut(page->title, FEED_TITLE_MAX), NULL);
    c->text = adit_arena_dup(arena, adit_utf8_cut(text, FEED_TEXT_MAX), NULL);
    c->description = adit_arena_dup(arena, adit_excerpt(excerpt), NULL);
}

/* --- from a collection ------------------------------------------------------------------------ */

static void take_line(struct looking *l, const struct adit_scp_page *line)
{
    for (size_t i = 0; i < l->n; i++) {
        struct adit_page page;
        struct adit_arena arena;
        if (!adit_str_eq(l->v[i]->loc, line->url)) continue;
        adit_arena_init(&arena, cli_mem, PAGE_MEMORY);
        if (adit_scp_page_read(line, &arena, &page) == ADIT_OK) take_page(l, l->v[i], &page);
        adit_arena_free(&arena);
    }
}

static void read_collection(struct looking *l)
{
    struct collection *in = collection_open(l->f->collection, NULL);
    struct adit_scp_page line;
    while (in && collection_next(in, &line)) take_line(l, &line);
    collection_close(in);
}

/* --- from the pages themselves ---------------------------------------------------------------- */

static void read_pages(struct looking *l)
{
    struct adit_converter *converter = adit_converter_new(cli_mem);
    struct feed_page *v = calloc(l->n, sizeof *v);
    size_t n = 0;
    struct feed_shown **of = calloc(l->n, sizeof(struct feed_shown *));
    for (size_t i = 0; v && of && i < l->n; i++) {
        if (l->v[i]->text.len) continue;
        v[n].url = feed_resolve(l->f, l->v[i]->loc, (struct adit_str){0});
        adit_buf_init(&v[n].body, cli_mem, ADIT_LIMIT_page_bytes);
        of[n++] = l->v[i];
    }
    if (n) feed_pages_get(l->f, v, n);
    for (size_t i = 0; i < n; i++) {
        struct adit_page_source source = {.url = v[i].url, .content_type = v[i].type};
        const struct adit_page *page;
        struct adit_str body = adit_buf_str(&v[i].body);
        if (converter && body.len && crawl_is_html(v[i].type, body) &&
            adit_convert(converter, body, &source, &page, NULL) == ADIT_OK)
            take_page(l, of[i], page);
        adit_buf_free(&v[i].body);
    }
    adit_converter_free(converter);
    free(v), free(of);
}

/* --- what is no change for people ------------------------------------------------------------- */

static bool is_minor(struct feed_run *f, const struct feed_shown *c)
{
    struct adit_diff diff;
    if (c->change != ADIT_RS_UPDATED || !c->before.len || !f->min_change) return false;
    struct adit_arena_mark mark = adit_arena_mark(&f->arena);
    bool told = adit_diff_words(c->before, c->text, &f->arena, &diff) == ADIT_OK;
    bool minor = told && diff.removed + diff.added < f->min_change;
    adit_arena_release(&f->arena, mark);
    return minor;
}

static bool judge(struct looking *l, struct feed_state *s, struct feed_record *r,
                  struct feed_shown *c)
{
    const struct feed_text *old = feed_record_text(r, c->loc);
    if (old) c->before = old->text;
    if (old && !c->title.len) c->title = old->title;
    if (c->change == ADIT_RS_DELETED)
        return !old || feed_record_keep(s, r, &(struct feed_text){.url = c->loc});
    if (!c->text.len) return true;
    if (adit_page_hollow(c->title, behind_title(c->text, c->title), adit_word_count(c->before),
                         cli_mem)) {
        c->left_out = true; /* the text that is kept is that of the page that was there */
        l->f->hollow++;
        return true;
    }
    c->left_out = is_minor(l->f, c);
    l->f->minor += c->left_out;
    if (c->left_out) return true; /* small changes add up to one that is told */
    return feed_record_keep(s, r, &(struct feed_text){c->loc, c->title, c->text});
}

bool feed_pages_look(struct feed_run *f, struct feed_state *s, struct feed_record *r,
                     struct feed_news_list *news)
{
    struct looking l = {.f = f, .v = calloc(news->n + 1, sizeof(struct feed_shown *))};
    size_t of_kind[ADIT_RS_CHANGES] = {0};
    bool ok = l.v != NULL;
    adit_buf_init(&l.text, cli_mem, TEXT_BUF);
    for (size_t i = 0; ok && i < news->n; i++) {
        struct feed_shown *c = &news->v[i];
        if (c->change != ADIT_RS_DELETED && of_kind[c->change]++ < f->pages_max) l.v[l.n++] = c;
    }
    if (l.n && f->collection) read_collection(&l);
    if (l.n) read_pages(&l);
    for (size_t i = 0; ok && i < news->n; i++) {
        ok = judge(&l, s, r, &news->v[i]);
        news->counts[news->v[i].change] -= news->v[i].left_out;
    }
    adit_buf_free(&l.text);
    free(l.v);
    return ok;
}
