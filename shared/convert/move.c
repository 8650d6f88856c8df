/* A page moved into an arena of its own, so that the tree and the tape it was made from can go; or
 * only what lies in the caller's bytes, so that these can. */
#include "convert/convert.h"

#include <string.h>

struct move {
    struct adit_arena *to;
    bool ok;
    const struct adit_str *within; /* NULL: everything moves; else strings within these bytes */
};

static bool is_within(struct adit_str s, struct adit_str all)
{
    uintptr_t at = (uintptr_t)s.p, from = (uintptr_t)all.p;
    return at >= from && at - from < all.len;
}

static void move_str(struct move *m, struct adit_str *s)
{
    if (s->len && (!m->within || is_within(*s, *m->within))) *s = adit_arena_dup(m->to, *s, &m->ok);
}

/* A copy of n rows, whose strings are still to be moved; NULL if there are none. */
static void *move_rows(struct move *m, void *rows, size_t n, size_t size)
{
    if (m->within) return rows;
    void *made = n ? adit_arena_alloc(m->to, n * size) : NULL;
    if (n && !made) m->ok = false;
    return made ? memcpy(made, rows, n * size) : NULL;
}

static void move_media(struct move *m, struct adit_media **media)
{
    struct adit_media *x = *media = move_rows(m, *media, 1, sizeof **media);
    if (!x) return;
    struct adit_str *strings[] = {&x->name,       &x->duration,      &x->icon,   &x->summary,
                                  &x->transcript, &x->attributed_to, &x->part_of};
    for (size_t i = 0; i < ADIT_COUNT(strings); i++) move_str(m, strings[i]);
    x->sources = move_rows(m, x->sources, x->n_sources, sizeof *x->sources);
    x->captions = move_rows(m, x->captions, x->n_captions, sizeof *x->captions);
    x->chapters = move_rows(m, x->chapters, x->n_chapters, sizeof *x->chapters);
    for (size_t i = 0; i < x->n_sources && m->ok; i++) {
        move_str(m, &x->sources[i].href), move_str(m, &x->sources[i].media_type);
        move_str(m, &x->sources[i].rel);
    }
    for (size_t i = 0; i < x->n_captions && m->ok; i++) {
        move_str(m, &x->captions[i].language), move_str(m, &x->captions[i].url);
        move_str(m, &x->captions[i].label);
    }
    for (size_t i = 0; i < x->n_chapters && m->ok; i++) move_str(m, &x->chapters[i].title);
}

/* A text with its spans. The page's own rows are written, though readers have them const. */
static void move_text(struct move *m, struct adit_rich *r)
{
    move_str(m, &r->text);
    struct adit_span *spans = move_rows(m, (void *)(uintptr_t)r->spans, r->n_spans, sizeof *spans);
    for (size_t k = 0; spans && k < r->n_spans && m->ok; k++)
        move_str(m, &spans[k].url), move_str(m, &spans[k].title);
    r->spans = spans;
}

static const struct adit_rich *move_rich(struct move *m, const struct adit_rich *rich, size_t n)
{
    struct adit_rich *rows = move_rows(m, (void *)(uintptr_t)rich, rich ? n : 0, sizeof *rows);
    for (size_t i = 0; rows && i < n && m->ok; i++) move_text(m, &rows[i]);
    return rows;
}

static void move_list(struct move *m, struct adit_block *b)
{
    struct adit_list_item *rows =
        move_rows(m, (void *)(uintptr_t)b->list, b->items.n, sizeof *rows);
    for (size_t i = 0; rows && i < b->items.n && m->ok; i++) {
        if (rows[i].rich) rows[i].rich = move_rich(m, rows[i].rich, 1);
        struct adit_item_part *parts =
            move_rows(m, (void *)(uintptr_t)rows[i].parts, rows[i].n_parts, sizeof *parts);
        for (size_t k = 0; parts && k < rows[i].n_parts && m->ok; k++) move_text(m, &parts[k].rich);
        rows[i].parts = parts;
    }
    b->list = rows;
}

static void move_block(struct move *m, struct adit_block *b)
{
    if (b->rich) b->rich = move_rich(m, b->rich, b->type == ADIT_TABLE ? b->items.n : 1);
    if (b->list) move_list(m, b);
    if (b->caption) b->caption = move_rich(m, b->caption, 1);
    if (b->voice) b->voice = move_rich(m, b->voice, 1);
    struct adit_str *strings[] = {&b->text, &b->url, &b->detail, &b->alt};
    for (size_t i = 0; i < ADIT_COUNT(strings); i++) move_str(m, strings[i]);
    b->items.v = move_rows(m, b->items.v, b->items.n, sizeof *b->items.v);
    for (size_t i = 0; i < b->items.n && m->ok; i++) move_str(m, &b->items.v[i]);
    if (b->media) move_media(m, &b->media);
}

static enum adit_code move_page(struct adit_page *page, struct move m)
{
    struct adit_str *strings[] = {&page->url,      &page->title,        &page->description,
                                  &page->author,   &page->published,    &page->modified,
                                  &page->language, &page->canonical,    &page->site_name,
                                  &page->schema,   &page->html_language};
    for (size_t i = 0; i < ADIT_COUNT(strings); i++) move_str(&m, strings[i]);
    page->boxes = move_rows(&m, page->boxes, page->n_boxes, sizeof *page->boxes);
    for (size_t i = 0; i < page->n_boxes && m.ok; i++) move_str(&m, &page->boxes[i].title);
    page->blocks = move_rows(&m, page->blocks, page->n_blocks, sizeof *page->blocks);
    for (size_t i = 0; i < page->n_blocks && m.ok; i++) move_block(&m, &page->blocks[i]);
    return m.ok ? ADIT_OK : ADIT_ENOMEM;
}

enum adit_code adit_page_move(struct adit_page *page, struct adit_arena *to)
{
    return move_page(page, (struct move){.to = to, .ok = true});
}

enum adit_code adit_page_own(struct adit_page *page, struct adit_arena *arena, struct adit_str body)
{
    return move_page(page, (struct move){.to = arena, .ok = true, .within = &body});
}
