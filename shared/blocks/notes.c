/* Notes: marks in kept text that lead to a text elsewhere on the page ("1" to a list of footnotes,
 * "[2]" to a bibliography, "*" to an aside), found before blocks are built.
 *
 * A mark is a short link into the page, or a raised number without a link. What it leads to is a note
 * if the page says so in one of several ways: a link back, a telling id or class, the same mark at its
 * beginning, its number in an ordered list. Marks become items that say "[1]"; leaves of a note are
 * kept and numbered in the order of the marks, so that writers can gather them. */
#include "blocks/notes_impl.h"

/* STEPS_MAX: items or siblings that are looked at for one mark, so that all marks together take linear
 * time. */
enum { CLIMB_MAX = 6, LEAVES_MAX = 24, STEPS_MAX = 1000 };

/* --- what they lead to ------------------------------------------------------------------------ */

static bool says(struct adit_str s)
{
    static const struct adit_str words[] = {
        ADIT_STR_INIT("fn"),   ADIT_STR_INIT("ftn"), ADIT_STR_INIT("foot"), ADIT_STR_INIT("note"),
        ADIT_STR_INIT("cite"), ADIT_STR_INIT("bib"), ADIT_STR_INIT("ref")};
    for (size_t i = 0; i < ADIT_COUNT(words); i++)
        if (adit_str_ifind(s, words[i], 0) < s.len) return true;
    return false;
}

bool adit_notes_named(const struct adit_builder *b, uint32_t el)
{
    for (int up = 0; up < 3 && el != ADIT_NONE; up++, el = b->t->els[el].parent)
        if (says(adit_el_attr(b, &b->t->els[el], ADIT_ATTR_ID)) ||
            says(adit_el_attr(b, &b->t->els[el], ADIT_ATTR_CLASS)))
            return true;
    return false;
}

/* Whether `fragment` is a name of the mark, or of an element around it. */
static bool leads_back(const struct adit_builder *b, struct adit_str fragment,
                       const struct adit_note_ref *ref)
{
    uint32_t node = b->t->items[ref->link == ADIT_NONE ? ref->item : ref->link].node;
    for (int up = 0; up < 4 && node; up++, node = b->dom->nodes[node].parent)
        if (adit_str_eq(adit_dom_attr(b->dom, node, ADIT_ATTR_ID), fragment) ||
            adit_str_eq(adit_dom_attr(b->dom, node, ADIT_ATTR_NAME), fragment))
            return true;
    uint32_t before = b->dom->nodes[b->t->items[ref->item].node].prev;
    return before && adit_str_eq(adit_dom_attr(b->dom, before, ADIT_ATTR_ID), fragment);
}

bool adit_notes_begins(struct adit_str text, struct adit_str mark)
{
    bool brackets;
    size_t at = 0;
    while (at < text.len && !adit_is_space(text.p[at]) && at < ADIT_MARK_MAX) at++;
    return adit_str_eq(adit_notes_bare(adit_str_sub(text, 0, at), &brackets), mark);
}

bool adit_notes_numbered(const struct adit_builder *b, uint32_t el, struct adit_str mark)
{
    const struct adit_dom *d = b->dom;
    uint64_t want, first = 1;
    if (b->t->els[el].tag != ADIT_TAG_LI || !adit_str_u64(mark, &want)) return false;
    uint32_t li = adit_el_node(b->t, &b->t->els[el]), list = d->nodes[li].parent;
    if (!adit_dom_is(d, list, ADIT_TAG_OL)) return false;
    if (!adit_str_u64(adit_dom_attr(d, list, ADIT_ATTR_START), &first)) first = 1;
    uint32_t n = d->nodes[li].prev;
    for (int k = 0; n && first <= want && k < STEPS_MAX; k++, n = d->nodes[n].prev)
        first += adit_dom_is(d, n, ADIT_TAG_LI);
    return !n && first == want;
}

/* Whether the note leads back to the mark, or just back. */
static bool has_back_link(struct adit_builder *b, const struct adit_note *note,
                          const struct adit_note_ref *ref)
{
    const struct adit_tape *t = b->t;
    uint32_t from = note->item, to = t->leaves[note->leaf1 - 1].item1;
    if (from > t->leaves[note->leaf0].item0) from = t->leaves[note->leaf0].item0;
    for (uint32_t i = from; i < to + 2 && i < t->n_items && i - from < STEPS_MAX; i++) {
        if (t->items[i].kind != ADIT_ITEM_OPEN || t->items[i].tag != ADIT_TAG_A) continue;
        struct adit_str fragment = adit_notes_fragment(b, t->items[i].node);
        if (fragment.len && leads_back(b, fragment, ref)) return true;
    }
    return false;
}

/* Whether the mark's address has more than a fragment, and is not the page's. Some pages are served at
 * other addresses than their links name. */
static bool leads_away(struct adit_builder *b, const struct adit_note_ref *ref)
{
    if (ref->link == ADIT_NONE) return false;
    struct adit_str href = adit_dom_attr(b->dom, b->t->items[ref->link].node, ADIT_ATTR_HREF);
    if (adit_str_chr(adit_str_trim(href), '#', 0) == 0) return false;
    struct adit_arena_mark mark = adit_arena_mark(b->arena);
    bool same = adit_block_same_page(b, adit_block_url(b, href));
    adit_arena_release(b->arena, mark);
    return !same;
}

/* Whether the page gives the note the role of one. */
static bool has_role(const struct adit_builder *b, const struct adit_note *note)
{
    static const struct adit_str roles[] = {ADIT_STR_INIT("doc-footnote"),
                                            ADIT_STR_INIT("doc-endnote"),
                                            ADIT_STR_INIT("doc-biblioentry")};
    struct adit_str role = adit_dom_attr(b->dom, b->t->items[note->item].node, ADIT_ATTR_ROLE);
    for (size_t i = 0; i < ADIT_COUNT(roles); i++)
        if (adit_str_ieq(role, roles[i])) return true;
    return false;
}

/* Whether what the mark leads to is a note. */
static bool is_note(struct adit_builder *b, const struct adit_note *note,
                    const struct adit_note_ref *ref)
{
    if (ref->leaf >= note->leaf0 && ref->leaf < note->leaf1) return false;
    if (ref->stated || has_role(b, note) || has_back_link(b, note, ref)) return true;
    if (adit_is_alpha(ref->mark.p[0]) || leads_away(b, ref)) return false;
    if (says(ref->fragment) || adit_notes_named(b, note->el)) return true;
    return (ref->raised || ref->brackets) &&
           (adit_notes_begins(b->t->leaves[note->leaf0].text, ref->mark) ||
            adit_notes_numbered(b, note->el, ref->mark));
}

/* --- where notes stand ------------------------------------------------------------------------ */

/* whole: the element that holds the note is known, so that listings are in it or behind it. */
static bool ends_note(const struct adit_tape *t, uint32_t leaf, bool whole)
{
    const struct adit_leaf *l = &t->leaves[leaf];
    const struct adit_el *el = &t->els[l->el];
    if (adit_heading_level(el->tag) || el->heading || el->tag == ADIT_TAG_FIGCAPTION) return true;
    const struct adit_item *first = &t->items[l->item0];
    return !whole && first->kind == ADIT_ITEM_TEXT && first->tag & ADIT_IN_PRE;
}

/* Elements that hold all of a note whose name they have. */
static bool holds_note(uint16_t tag)
{
    return tag == ADIT_TAG_LI || tag == ADIT_TAG_DD || tag == ADIT_TAG_DIV || tag == ADIT_TAG_ASIDE;
}

/* Which leaves the note at items[note->item] has, up to `next`, where another one begins; false: it
 * stands in the middle of a text, or in a heading, or is too long. */
static bool place(struct adit_builder *b, struct adit_note *note, uint32_t next)
{
    const struct adit_tape *t = b->t;
    uint32_t el = note->el, leaf = t->items[note->item].leaf;
    if (leaf >= t->n_leaves || leaf >= t->els[el].leaf1) return false;
    if (t->leaves[leaf].item0 < note->item && !adit_notes_begin_leaf(t, leaf, note->item))
        return false;
    for (int up = 0; up < CLIMB_MAX; up++) {
        uint32_t over = t->els[el].parent;
        if (over == ADIT_NONE || t->els[over].parent == ADIT_NONE) break;
        uint16_t tag = t->els[over].tag;
        if (t->els[over].leaf0 != leaf || t->els[over].leaf1 > next || tag == ADIT_TAG_ARTICLE ||
            tag == ADIT_TAG_MAIN || tag == ADIT_TAG_SECTION || tag == ADIT_TAG_TR)
            break;
        el = over;
    }
    uint32_t end = t->els[el].leaf1;
    if (t->els[el].tag == ADIT_TAG_DT)
        for (uint32_t i = el + 1; i < t->n_els && i < el + STEPS_MAX / 10 &&
                                  t->els[i].item0 < t->els[t->els[el].parent].item1;
             i++)
            if (t->els[i].parent == t->els[el].parent && t->els[i].tag == ADIT_TAG_DD) {
                end = t->els[i].leaf1;
                break;
            }
    bool apart = adit_notes_only_mark(t->leaves[leaf].text);
    if (apart && end == leaf + 1) end++; /* the text stands below it */
    if (end > next) end = next;
    bool whole = t->els[note->el].leaf0 == leaf && holds_note(t->els[note->el].tag);
    note->el = el, note->leaf0 = leaf;
    for (note->leaf1 = leaf + apart; note->leaf1 < end && !ends_note(t, note->leaf1, whole);)
        note->leaf1++;
    return note->leaf1 > leaf + apart && note->leaf1 - leaf <= LEAVES_MAX;
}

/* Where each mark that names a place leads to. */
static bool find_targets(struct adit_notes *n)
{
    struct adit_builder *b = n->b;
    const struct adit_tape *t = b->t;
    size_t cap = 64;
    while (cap < 2 * n->n_refs) cap *= 2;
    uint32_t *slots = adit_block_alloc(b, cap, sizeof *slots), el = 0;
    uint64_t lens = 0; /* of the fragments, modulo 64: few other names have them */
    if (!slots) return false;
    for (uint32_t i = 0; i < n->n_refs; i++) {
        if (!n->refs[i].fragment.len) continue;
        lens |= UINT64_C(1) << n->refs[i].fragment.len % 64;
        size_t k = (size_t)adit_str_hash(n->refs[i].fragment) & (cap - 1);
        while (slots[k] && !adit_str_eq(n->refs[slots[k] - 1].fragment, n->refs[i].fragment))
            k = (k + 1) & (cap - 1);
        n->refs[i].same = slots[k] ? slots[k] - 1 : i;
        if (!slots[k]) slots[k] = i + 1;
    }
    static const enum adit_attr names[] = {ADIT_ATTR_ID, ADIT_ATTR_NAME};
    for (uint32_t i = 0; i < t->n_items; i++) {
        const struct adit_item *it = &t->items[i];
        if (it->kind == ADIT_ITEM_CLOSE && it->el != ADIT_NONE) el = t->els[it->el].parent;
        if (it->kind != ADIT_ITEM_OPEN) continue;
        if (it->el != ADIT_NONE) el = it->el;
        for (size_t a = 0; a < ADIT_COUNT(names); a++) {
            struct adit_str name = adit_dom_attr(b->dom, it->node, names[a]);
            if (!name.len || !(lens >> name.len % 64 & 1)) continue;
            size_t k = (size_t)adit_str_hash(name) & (cap - 1);
            while (slots[k] && !adit_str_eq(n->refs[slots[k] - 1].fragment, name))
                k = (k + 1) & (cap - 1);
            if (!slots[k] || n->refs[slots[k] - 1].target != ADIT_NONE) continue;
            n->refs[slots[k] - 1].target = (uint32_t)n->n_notes;
            n->notes[n->n_notes++] = (struct adit_note){.item = i, .el = el};
        }
    }
    return true;
}

static void judge_links(struct adit_notes *n)
{
    const struct adit_tape *t = n->b->t;
    for (size_t i = 0; i < n->n_notes; i++) {
        uint32_t next =
            i + 1 < n->n_notes ? t->items[n->notes[i + 1].item].leaf : (uint32_t)t->n_leaves;
        n->notes[i].placed = place(n->b, &n->notes[i], next);
    }
    for (size_t i = 0; i < n->n_refs; i++) {
        struct adit_note_ref *ref = &n->refs[i];
        if (!ref->fragment.len) continue;
        ref->target = n->refs[ref->same].target;
        if (ref->target == ADIT_NONE) continue;
        const struct adit_note *note = &n->notes[ref->target];
        /* Of a mark and its note, which lead to one another, the note begins its text. */
        bool behind = note->item < ref->item && ref->first;
        if (!note->placed || behind || !t->leaves[ref->leaf].keep || !is_note(n->b, note, ref))
            ref->target = ADIT_NONE;
    }
}

void adit_blocks_notes(struct adit_builder *b)
{
    struct adit_notes n = {.b = b};
    adit_notes_refs(&n);
    if (!n.n_refs || b->code != ADIT_OK) return;
    n.notes = adit_block_alloc(b, 2 * n.n_refs, sizeof *n.notes);
    if (!n.notes || !find_targets(&n)) return;
    judge_links(&n);
    adit_notes_loose(&n);
    if (b->code == ADIT_OK) adit_notes_take(&n);
}

bool adit_notes_in(const struct adit_builder *b, uint32_t leaf0, uint32_t leaf1)
{
    for (; b->note_of && leaf0 < leaf1; leaf0++)
        if (b->note_of[leaf0]) return true;
    return false;
}
