/* Facts about elements: signatures, and the distance to the nearest ancestor of each kind, passed
 * down from parent to child in document order. */
#include "page/features.h"

#include <string.h>

static void set_zero(uint8_t *distance, uint32_t mask)
{
    for (; mask; mask &= mask - 1) distance[__builtin_ctz(mask)] = 0;
}

static void inherit(const struct adit_el_facts *restrict up, struct adit_el_facts *restrict x)
{
    for (size_t k = 0; k < ADIT_KINDS_OF_DISTANCE; k++) {
        uint8_t d = (uint8_t)(up->distance[k] + 1);
        x->distance[k] = d > ADIT_FAR ? ADIT_FAR : d;
    }
    x->article = up->article, x->main = up->main;
}

/* What holds the page's title is no comment, even if it says that it has been commented on. */
static uint32_t categories_of(const struct adit_facts *f, const struct adit_el *el)
{
    bool titled = f->title >= el->leaf0 && f->title < el->leaf1;
    return titled ? el->categories & ~(UINT32_C(1) << ADIT_CAT_comment) : el->categories;
}

enum adit_code adit_facts_elements(struct adit_facts *f, struct adit_arena *arena)
{
    const struct adit_tape *t = f->tape;
    f->els = adit_arena_alloc(arena, t->n_els * sizeof *f->els);
    if (!f->els) return ADIT_ENOMEM;
    for (uint32_t i = 0; i < t->n_els; i++) {
        const struct adit_el *el = &t->els[i];
        struct adit_el_facts *x = &f->els[i];
        x->to_top = x->to_chain = ADIT_UNKNOWN; /* structure.c finds out; siblings, too */
        x->signature = (uint32_t)adit_mix(el->class_hash, el->tag);
        if (i == 0) {
            /* What body says concerns the page, not a part of it. */
            memset(x->distance, ADIT_FAR, sizeof x->distance);
            x->article = x->main = ADIT_NONE;
            x->path = 0;
            continue;
        }
        inherit(&f->els[el->parent], x);
        x->path = (uint32_t)adit_mix(f->els[el->parent].path, el->tag);
        set_zero(x->distance, el->kinds);
        set_zero(x->distance + ADIT_N_ANCESTORS, categories_of(f, el));
        if (el->kinds >> ADIT_ANC_article & 1) x->article = i;
        if (el->kinds >> ADIT_ANC_main & 1) x->main = i;
    }
    f->body_categories = t->els[0].categories;
    return ADIT_OK;
}
