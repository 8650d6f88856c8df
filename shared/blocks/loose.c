/* Marks of notes without a link that leads to them: "said.<sup>1</sup>" and, further down, a paragraph
 * that begins with the same mark, or the first item of an ordered list of notes. */
#include "blocks/notes_impl.h"

enum { LOOSE_MAX = 500 }; /* marks, and texts that begin with one; further ones are not looked at */

/* A text that may be a note. */
struct loose {
    uint32_t leaf0, leaf1, el, note; /* note: its row, once a mark was found */
    struct adit_str mark;
};

struct loose_notes {
    struct adit_notes *all;
    struct loose v[LOOSE_MAX];
    size_t n;
};

static bool is_wanted(const struct adit_notes *n, const struct adit_note_ref *ref)
{
    return ref->target == ADIT_NONE && !ref->first && n->b->t->leaves[ref->leaf].keep &&
           ref->mark.len && adit_is_digit(ref->mark.p[0]) && (ref->raised || ref->brackets);
}

static bool is_marked(const struct adit_notes *n, struct adit_str mark)
{
    for (size_t i = 0; i < n->n_refs && i < LOOSE_MAX; i++)
        if (is_wanted(n, &n->refs[i]) && adit_str_eq(n->refs[i].mark, mark)) return true;
    return false;
}

static void add_loose(struct loose_notes *l, struct loose x)
{
    if (l->n < LOOSE_MAX && x.leaf1 > x.leaf0 && is_marked(l->all, x.mark)) {
        x.note = ADIT_NONE;
        l->v[l->n++] = x;
    }
}

/* Texts that begin with a raised mark, or with a mark that is a link. */
static void find_paragraphs(struct loose_notes *l)
{
    const struct adit_tape *t = l->all->b->t;
    for (size_t i = 0; i < l->all->n_refs; i++) {
        const struct adit_note_ref *ref = &l->all->refs[i];
        const struct adit_leaf *leaf = &t->leaves[ref->leaf];
        if (!ref->first || ref->target != ADIT_NONE || !(ref->raised || ref->brackets)) continue;
        if (adit_heading_level(t->els[leaf->el].tag) || leaf->text.len < ref->mark.len + 8)
            continue;
        add_loose(l, (struct loose){ref->leaf, ref->leaf + 1, leaf->el, 0, ref->mark});
    }
}

static bool in_aside(const struct adit_tape *t, uint32_t el)
{
    for (int up = 0; up < 3 && el != ADIT_NONE; up++, el = t->els[el].parent)
        if (t->els[el].tag == ADIT_TAG_ASIDE) return true;
    return false;
}

/* Items of ordered lists that the page calls notes, or sets aside. */
static void find_items(struct loose_notes *l)
{
    struct adit_builder *b = l->all->b;
    const struct adit_tape *t = b->t;
    for (uint32_t e = 0, looked = 0; e < t->n_els && looked < LOOSE_MAX; e++) {
        const struct adit_el *el = &t->els[e];
        if (el->tag != ADIT_TAG_LI || el->leaf1 <= el->leaf0) continue;
        uint32_t list = b->dom->nodes[adit_el_node(t, el)].parent;
        if (!adit_dom_is(b->dom, list, ADIT_TAG_OL)) continue;
        if (!adit_notes_named(b, e) && !in_aside(t, e)) continue;
        looked++;
        for (size_t i = 0; i < l->all->n_refs && i < LOOSE_MAX; i++) {
            const struct adit_note_ref *ref = &l->all->refs[i];
            if (!is_wanted(l->all, ref) || !adit_notes_numbered(b, e, ref->mark)) continue;
            add_loose(l, (struct loose){el->leaf0, el->leaf1, e, 0, ref->mark});
            break;
        }
    }
}

/* The first note with the mark behind the leaf; without one, the first of all. */
static struct loose *note_for(struct loose_notes *l, const struct adit_note_ref *ref)
{
    struct loose *before = NULL;
    for (size_t i = 0; i < l->n; i++) {
        struct loose *x = &l->v[i];
        if (!adit_str_eq(x->mark, ref->mark)) continue;
        if (ref->leaf >= x->leaf0 && ref->leaf < x->leaf1) continue;
        if (x->leaf0 > ref->leaf) return x;
        if (!before) before = x;
    }
    return before;
}

void adit_notes_loose(struct adit_notes *n)
{
    struct loose_notes l = {.all = n};
    size_t wanted = 0;
    for (size_t i = 0; i < n->n_refs && i < LOOSE_MAX; i++) wanted += is_wanted(n, &n->refs[i]);
    if (!wanted) return;
    find_paragraphs(&l);
    if (!l.n) find_items(&l);
    for (size_t i = 0; l.n && i < n->n_refs && i < LOOSE_MAX; i++) {
        struct adit_note_ref *ref = &n->refs[i];
        struct loose *x = is_wanted(n, ref) ? note_for(&l, ref) : NULL;
        if (!x) continue;
        if (x->note == ADIT_NONE) {
            x->note = (uint32_t)n->n_notes;
            n->notes[n->n_notes++] = (struct adit_note){.item = n->b->t->leaves[x->leaf0].item0,
                                                        .el = x->el,
                                                        .leaf0 = x->leaf0,
                                                        .leaf1 = x->leaf1};
        }
        ref->target = x->note;
    }
}
