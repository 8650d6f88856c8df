/* The list of active formatting elements (13.2.4.3): Noah's Ark clause, markers, reconstruction; and
 * the adoption agency algorithm (13.2.6.4.7), which sets right <b><p></b></p>. */
#include "html/dom_impl.h"
#include "html/parse_impl.h"

static bool is_marker(const struct formatting *f) { return f->node == 0; }

void adit_formatting_marker(struct adit_html *p)
{
    if (p->n_active == PARSE_ACTIVE_MAX) {
        p->dom.cut = true;
        return;
    }
    p->active[p->n_active++] = (struct formatting){0};
}

void adit_formatting_clear(struct adit_html *p)
{
    while (p->n_active && !is_marker(&p->active[--p->n_active])) {}
}

uint32_t adit_formatting_count(const struct adit_html *p)
{
    uint32_t n = 0;
    while (n < p->n_active && !is_marker(&p->active[p->n_active - 1 - n])) n++;
    return n;
}

uint32_t adit_formatting_find(const struct adit_html *p, uint16_t tag)
{
    for (uint32_t i = p->n_active; i > 0 && !is_marker(&p->active[i - 1]); i--)
        if (p->active[i - 1].tag == tag) return i;
    return 0;
}

/* Entry (number + 1) of a node; 0: none. */
static uint32_t entry_of(struct adit_html *p, uint32_t node)
{
    uint32_t i = p->n_active;
    while (i > 0 && p->active[i - 1].node != node) i--;
    p->work += p->n_active - i;
    return i;
}

static void remove_entry(struct adit_html *p, uint32_t i)
{
    p->n_active--;
    memmove(&p->active[i], &p->active[i + 1], (p->n_active - i) * sizeof p->active[0]);
}

static void insert_entry(struct adit_html *p, uint32_t i, struct formatting f)
{
    memmove(&p->active[i + 1], &p->active[i], (p->n_active - i) * sizeof p->active[0]);
    p->active[i] = f;
    p->n_active++;
}

void adit_formatting_forget(struct adit_html *p, uint32_t node)
{
    uint32_t i = entry_of(p, node);
    if (i) remove_entry(p, i - 1);
}

static uint64_t hash_of(struct adit_html *p, struct formatting *f)
{
    if (!f->hash) f->hash = adit_tag_hash(p, f->at, f->len);
    return f->hash;
}

/* Whether the element is open: mostly where it was opened. */
static bool is_entry_open(struct adit_html *p, const struct formatting *f)
{
    bool there = f->place < p->n_open && p->open[f->place].node == f->node;
    return there || adit_open_index(p, f->node);
}

/* The earliest of three entries since the last marker that say the same as a new one, + 1; else 0. */
static uint32_t find_third(struct adit_html *p, struct formatting *made)
{
    enum { KIND = 3 };
    uint32_t first = p->n_active, kind = 0, same = 0;
    while (first > 0 && !is_marker(&p->active[first - 1]))
        kind += p->active[--first].tag == made->tag;
    if (kind < KIND) return 0;
    for (uint32_t i = p->n_active; i > first; i--) {
        struct formatting *f = &p->active[i - 1];
        if (f->tag != made->tag || hash_of(p, f) != hash_of(p, made)) continue;
        if (++same == KIND) return i;
    }
    return 0;
}

/* Noah's Ark: three of a kind since the last marker are enough, the earliest goes. */
void adit_formatting_push(struct adit_html *p, uint32_t node, uint16_t tag)
{
    struct formatting made = {.node = node,
                              .at = p->tag.at,
                              .len = p->tag.len,
                              .tag = tag,
                              .place = (uint16_t)(p->n_open - 1),
                              .hash = p->tag.bare ? ADIT_TAG_HASH_BARE : 0};
    p->n_formats++;
    uint32_t third = find_third(p, &made);
    if (third) remove_entry(p, third - 1);
    if (p->n_active == PARSE_ACTIVE_MAX)
        p->dom.cut = true;
    else
        p->active[p->n_active++] = made;
}

/* Copies of those elements that were closed from outside. Where none may be made any more, none is
 * looked for: a closed parser, or a budget of copies that is used up and told so. */
void adit_formatting_reopen(struct adit_html *p)
{
    uint32_t i = p->n_active;
    if (p->closed || (p->copies >= p->copies_max && p->dom.cut)) return;
    while (i > 0 && !is_marker(&p->active[i - 1]) && !is_entry_open(p, &p->active[i - 1])) i--;
    if (i < p->n_active && !adit_limit_admits_copies(p)) return;
    for (; i < p->n_active; i++) {
        uint32_t copy = adit_tree_copy(p, p->active[i].node);
        adit_tree_place(p, p->n_open - 1, copy);
        open_push(p, copy, p->active[i].tag, ADIT_NS_HTML);
        p->active[i].node = copy;
        p->active[i].place = (uint16_t)(p->n_open - 1);
    }
}

/* --- the adoption agency ---------------------------------------------------------------------- */

/* What the steps of one round share; all are indexes, of open elements but for the last two. */
struct adoption {
    uint32_t formatting; /* the formatting element */
    uint32_t block;      /* the furthest block */
    uint32_t entry;      /* the formatting element's entry in the list */
    uint32_t bookmark;   /* where its copy will stand in the list */
};

/* The topmost special element above the formatting element; 0: none. */
static uint32_t find_block(struct adit_html *p, uint32_t formatting)
{
    for (uint32_t i = formatting + 1; i < p->n_open; i++, p->work++)
        if (adit_open_is_special(&p->open[i])) return i;
    return 0;
}

static bool is_in_scope(struct adit_html *p, uint32_t index)
{
    for (uint32_t i = p->n_open; i-- > index + 1; p->work++)
        if (adit_open_ends_scope(&p->open[i], IS_SCOPE)) return false;
    return true;
}

/* Step 14: copies of what stands between the block and the formatting element, each one the parent
 * of the one before. Returns the outermost. */
static uint32_t copy_between(struct adit_html *p, struct adoption *a)
{
    uint32_t block = p->open[a->block].node, last = block;
    uint32_t i = a->block;
    for (unsigned inner = 1; --i > a->formatting; inner++) {
        uint32_t entry = entry_of(p, p->open[i].node);
        if (entry && inner > 3) {
            remove_entry(p, entry - 1);
            if (entry - 1 < a->bookmark) a->bookmark--;
            if (entry - 1 < a->entry) a->entry--;
            entry = 0;
        }
        if (!entry) {
            adit_open_remove(p, i);
            a->block--;
            continue;
        }
        uint32_t copy = adit_tree_copy(p, p->open[i].node);
        p->active[entry - 1].node = p->open[i].node = copy;
        if (last == block) a->bookmark = entry;
        adit_dom_detach(&p->dom, last);
        adit_tree_append(p, copy, last);
        last = copy;
    }
    return last;
}

/* Steps 15 to 19. */
static void move_block(struct adit_html *p, struct adoption *a, uint32_t last)
{
    uint32_t block = p->open[a->block].node;
    adit_dom_detach(&p->dom, last);
    adit_tree_place(p, a->formatting - 1, last);
    struct formatting f = p->active[a->entry];
    f.node = adit_tree_copy(p, f.node);
    adit_tree_move_children(p, block, f.node);
    adit_tree_append(p, block, f.node);
    remove_entry(p, a->entry);
    insert_entry(p, a->entry < a->bookmark ? a->bookmark - 1 : a->bookmark, f);
    adit_open_remove(p, a->formatting);
    uint32_t below = a->block; /* the block itself is one further down now */
    open_push(p, f.node, f.tag, ADIT_NS_HTML);
    struct open_element made = *current(p);
    memmove(&p->open[below + 1], &p->open[below], (p->n_open - 1 - below) * sizeof made);
    p->open[below] = made;
}

bool adit_adopt(struct adit_html *p, uint16_t tag)
{
    if (current_is(p, tag)) {
        /* Mostly the last of both lists: nothing stands above it that could be adopted. */
        bool last = p->n_active && p->active[p->n_active - 1].node == current(p)->node;
        if (last) p->n_active--;
        if (last || !entry_of(p, current(p)->node)) {
            open_pop(p);
            return true;
        }
    }
    for (int outer = 0; outer < 8; outer++) {
        struct adoption a = {.entry = adit_formatting_find(p, tag)};
        if (!a.entry || !adit_limit_admits_copies(p)) return false;
        a.entry--, a.bookmark = a.entry;
        a.formatting = adit_open_index(p, p->active[a.entry].node);
        if (!a.formatting) {
            remove_entry(p, a.entry);
            return true;
        }
        if (!is_in_scope(p, a.formatting)) return true;
        a.block = find_block(p, a.formatting);
        if (!a.block) {
            adit_open_pop_to(p, a.formatting);
            remove_entry(p, a.entry);
            return true;
        }
        move_block(p, &a, copy_between(p, &a));
    }
    return true;
}
