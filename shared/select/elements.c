/* Facts about elements: signatures, and the distance to the nearest ancestor of each kind, passed
 * down from parent to child in document order. */
#include "select/features_impl.h"

#include <string.h>

static void set_zero(uint8_t *distance, uint32_t mask)
{
    for (; mask; mask &= mask - 1) distance[__builtin_ctz(mask)] = 0;
}

static void inherit(const uint8_t *restrict up, uint8_t *restrict distance)
{
    for (size_t k = 0; k < ADIT_KINDS_OF_DISTANCE; k++) {
        uint8_t d = (uint8_t)(up[k] + 1);
        distance[k] = d > ADIT_FAR ? ADIT_FAR : d;
    }
}

/* Rows, some at a time from the arena. */
struct rows {
    struct adit_arena *arena;
    struct adit_row *free;
    size_t n_free;
};

static struct adit_row *add_row(struct rows *r)
{
    enum { ROWS = 256 };
    if (!r->n_free) {
        r->free = adit_arena_alloc(r->arena, ROWS * sizeof *r->free);
        if (!r->free) return NULL;
        r->n_free = ROWS;
    }
    r->n_free--;
    r->free->below = NULL, r->free->points = ADIT_UNSCORED;
    return r->free++;
}

/* An element that contains the title is never in the category "comment", whatever its class says. */
static uint32_t categories_of(const struct adit_facts *f, const struct adit_el *el)
{
    bool titled = f->title >= el->leaf0 && f->title < el->leaf1;
    return titled ? el->categories & ~(UINT32_C(1) << ADIT_CAT_comment) : el->categories;
}

/* The distances of element i: a row of its own if it is something itself, else the one that all
 * such elements share whose parents share theirs. */
static bool set_distance(struct adit_facts *f, uint32_t i, struct rows *rows)
{
    const struct adit_el *el = &f->tape->els[i];
    struct adit_row *up = adit_row_of(&f->els[el->parent]), *row = up->below;
    uint32_t categories = categories_of(f, el);
    bool own = el->kinds || categories;
    if (own || !row) {
        if (!(row = add_row(rows))) return false;
        inherit(up->distance, row->distance);
        set_zero(row->distance, el->kinds);
        set_zero(row->distance + ADIT_N_ANCESTORS, categories);
        row->seen = up->seen | el->kinds | categories << ADIT_N_ANCESTORS;
        if (!own) up->below = row;
    }
    f->els[i].distance = row->distance;
    return true;
}

/* What body says concerns the page, not a part of it. */
static bool set_body(struct adit_facts *f, struct rows *rows)
{
    struct adit_el_stats *x = &f->els[0];
    struct adit_row *row = add_row(rows);
    if (!row) return false;
    x->distance = memset(row->distance, ADIT_FAR, sizeof row->distance);
    row->seen = 0;
    x->article = x->main = ADIT_NONE;
    x->path = 0;
    x->article_rank = 0;
    f->body_categories = f->tape->els[0].categories;
    return true;
}

enum adit_code adit_facts_elements(struct adit_facts *f, struct adit_arena *arena)
{
    const struct adit_tape *t = f->tape;
    struct rows rows = {.arena = arena};
    uint8_t articles = 0;
    f->els = adit_arena_alloc(arena, t->n_els * sizeof *f->els);
    f->places = adit_arena_alloc(arena, t->n_els * sizeof *f->places);
    if (!f->els || !f->places || !set_body(f, &rows)) return ADIT_ENOMEM;
    f->first_main = (uint32_t)t->n_els;
    for (uint32_t i = 0; i < t->n_els; i++) {
        const struct adit_el *el = &t->els[i];
        f->n_articles += el->tag == ADIT_TAG_ARTICLE;
        struct adit_el_stats *x = &f->els[i];
        f->places[i] = (struct adit_place){el->parent, el->leaf0, el->leaf1};
        x->to_top = x->to_chain = ADIT_UNKNOWN; /* structure.c finds out */
        x->signature = (uint32_t)adit_mix(el->class_hash, el->tag);
        if (i == 0) continue;
        const struct adit_el_stats *up = &f->els[el->parent];
        if (!set_distance(f, i, &rows)) return ADIT_ENOMEM;
        x->path = (uint32_t)adit_mix(up->path, el->tag);
        x->article = el->kinds >> ADIT_ANC_article & 1 ? i : up->article;
        x->article_rank = up->article_rank;
        if (x->article == i && up->article == ADIT_NONE && articles < UINT8_MAX)
            x->article_rank = ++articles;
        x->main = el->kinds >> ADIT_ANC_main & 1 ? i : up->main;
        if (x->main == i && i < f->first_main) f->first_main = i;
    }
    return ADIT_OK;
}
