/* Marks of notes without a link that leads to them: "said.<sup>1</sup>" and, further down, a paragraph
 * that begins with the same mark, or the first item of an ordered list of notes. */
#include "blocks/notes_impl.h"

/* LOOSE_MAX: marks, and texts that begin with one; further ones are not looked at. LEAVES_MAX: of one
 * note. */
enum { LOOSE_MAX = 500, LEAVES_MAX = 24 };

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

/* Whether an <hr> stands right before the element, or before one that begins with it. */
static bool is_below_rule(const struct adit_builder *b, uint32_t el)
{
    enum { UP_MAX = 3 };
    const struct adit_dom *d = b->dom;
    uint32_t node = adit_el_node(b->t, &b->t->els[el]);
    for (int up = 0; up < UP_MAX && node && node != d->body; up++, node = d->nodes[node].parent) {
        uint32_t before = d->nodes[node].prev;
        while (before && !adit_dom_is_element(d, before) && adit_dom_is_blank(d, before))
            before = d->nodes[before].prev;
        if (before) return adit_dom_is(d, before, ADIT_TAG_HR);
    }
    return false;
}

/* The row of the list around the item at row e. */
static uint32_t list_el(const struct adit_tape *t, uint32_t e)
{
    uint32_t up = t->els[e].parent;
    return up == ADIT_NONE ? e : up;
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
        if (!adit_notes_named(b, e) && !in_aside(t, e) && !is_below_rule(b, list_el(t, e)))
            continue;
        looked++;
        for (size_t i = 0; i < l->all->n_refs && i < LOOSE_MAX; i++) {
            const struct adit_note_ref *ref = &l->all->refs[i];
            if (!is_wanted(l->all, ref) || !adit_notes_numbered(b, e, ref->mark)) continue;
            add_loose(l, (struct loose){el->leaf0, el->leaf1, e, 0, ref->mark});
            break;
        }
    }
}

/* --- below a rule ----------------------------------------------------------------------------- */

/* Whether a paragraph begins with the mark, and the mark is told from its text: "1. ", "[1] ", "1 " in
 * bold type. */
static bool is_paragraph_of(const struct adit_tape *t, uint32_t leaf, struct adit_str mark)
{
    const struct adit_leaf *l = &t->leaves[leaf];
    struct adit_str s = l->text;
    if (adit_heading_level(t->els[l->el].tag) || !adit_notes_begins(s, mark)) return false;
    size_t at = s.p[0] == '[' || s.p[0] == '(';
    at += mark.len;
    if (at + 8 > s.len) return false;
    if (adit_str_chr(ADIT_STR(".:)]"), s.p[at], 0) < 4) return true;
    for (uint32_t i = l->item0; i < l->item1; i++)
        if (t->items[i].kind == ADIT_ITEM_TEXT && t->items[i].leaf == leaf)
            return t->items[i].tag & ADIT_IN_EMPH;
    return false;
}

/* The mark after `mark` in the text: the first wanted one, or the first that is another. */
static const struct adit_note_ref *next_wanted(const struct adit_notes *n, size_t *i,
                                               struct adit_str mark)
{
    for (; *i < n->n_refs && *i < LOOSE_MAX; ++*i)
        if (is_wanted(n, &n->refs[*i]) && !adit_str_eq(n->refs[*i].mark, mark)) return &n->refs[*i];
    return NULL;
}

/* Notes are what stands below the page's last rule, if it begins with the first mark, and the others
 * follow in their order. Each goes on up to the next; the last one, whose end nothing tells, only if
 * another did. */
static void find_below_rule(struct loose_notes *l, uint32_t leaf)
{
    const struct adit_tape *t = l->all->b->t;
    size_t i = 0, first = l->n;
    const struct adit_note_ref *ref = next_wanted(l->all, &i, (struct adit_str){0});
    uint32_t over = t->els[t->leaves[leaf].el].parent, last = leaf;
    bool goes_on = false;
    for (; leaf < t->n_leaves && over != ADIT_NONE && leaf < t->els[over].leaf1; leaf++) {
        if (adit_heading_level(t->els[t->leaves[leaf].el].tag)) break;
        if (ref && ref->leaf < leaf && is_paragraph_of(t, leaf, ref->mark)) {
            add_loose(l, (struct loose){leaf, leaf + 1, t->leaves[leaf].el, 0, ref->mark});
            last = leaf;
            ref = next_wanted(l->all, &i, ref->mark);
            continue;
        }
        if (l->n == first || leaf - last > LEAVES_MAX || !t->leaves[leaf].keep) break;
        goes_on |= ref != NULL;
        if (goes_on) l->v[l->n - 1].leaf1 = leaf + 1;
    }
    if (ref) l->n = first; /* not all of them: a list of something else */
}

/* Below which <hr> notes stand: the last one that a text with the first mark follows. */
static void find_rules(struct loose_notes *l)
{
    const struct adit_tape *t = l->all->b->t;
    size_t i = 0;
    const struct adit_note_ref *ref = next_wanted(l->all, &i, (struct adit_str){0});
    for (uint32_t k = (uint32_t)t->n_leaves; ref && k-- > ref->leaf + 1;)
        if (is_paragraph_of(t, k, ref->mark) && is_below_rule(l->all->b, t->leaves[k].el)) {
            find_below_rule(l, k);
            return;
        }
}

/* --- all of them ------------------------------------------------------------------------------ */

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
    if (!l.n) find_rules(&l);
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
