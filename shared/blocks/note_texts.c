/* Notes that were found become numbers of leaves, and their marks items that say "[1]". */
#include "blocks/notes_impl.h"

#include <string.h>

/* The mark's first text says "[1]", its others nothing. */
static void make_mark(struct adit_notes *n, const struct adit_note_ref *ref, uint16_t number)
{
    struct adit_tape *t = n->b->t;
    struct adit_str parts[3] = {ADIT_STR("["), ref->mark, ADIT_STR("]")};
    bool made = false;
    for (uint32_t i = ref->item; i < ref->end; i++) {
        struct adit_item *it = &t->items[i];
        if (it->kind != ADIT_ITEM_TEXT || it->leaf == ADIT_NONE) continue;
        if (made || adit_space_blank(adit_dom_data(t->dom, it->node))) {
            it->leaf = ADIT_NONE;
            continue;
        }
        made = true;
        it->kind = ADIT_ITEM_MADE;
        it->tag = (uint16_t)t->n_made;
        t->made[t->n_made++] = (struct adit_made){
            .text = adit_block_join(n->b, parts, 3, ADIT_STR("")), .note = number};
    }
}

/* Links from a note to its mark say nothing to who reads the note. */
static void hide_back_links(struct adit_notes *n, const struct adit_note *note)
{
    struct adit_tape *t = n->b->t;
    uint32_t to = t->leaves[note->leaf1 - 1].item1;
    for (uint32_t i = note->item; i < to; i++) {
        const struct adit_item *it = &t->items[i];
        char text[ADIT_MARK_MAX];
        bool brackets;
        if (it->kind != ADIT_ITEM_OPEN || it->tag != ADIT_TAG_A) continue;
        struct adit_str href = adit_dom_attr(t->dom, it->node, ADIT_ATTR_HREF);
        uint32_t end = adit_notes_end(t, i);
        if (adit_str_chr(href, '#', 0) == href.len || end == ADIT_NONE) continue;
        struct adit_str s = adit_notes_text(t, i, end, text);
        if (!s.len || (!adit_notes_is_mark(adit_notes_bare(s, &brackets)) && adit_block_wordy(s)))
            continue;
        for (; i < end; i++)
            if (t->items[i].kind == ADIT_ITEM_TEXT) t->items[i].leaf = ADIT_NONE;
    }
}

static void take_note(struct adit_notes *n, struct adit_note *note, struct adit_str mark)
{
    struct adit_tape *t = n->b->t;
    n->b->note_marks[n->n_numbers] = mark;
    note->number = (uint16_t)++n->n_numbers;
    for (uint32_t i = note->leaf0; i < note->leaf1; i++) {
        if (n->b->note_of[i] || !adit_block_wordy(t->leaves[i].text)) continue;
        if (i == note->leaf0 && note->leaf1 > i + 1 && adit_notes_only_mark(t->leaves[i].text)) {
            t->leaves[i].keep = false;
            continue;
        }
        n->b->note_of[i] = note->number;
        t->leaves[i].keep = true;
    }
    hide_back_links(n, note);
}

/* The plain string of a leaf with marks. */
static void write_again(struct adit_builder *b, uint32_t leaf)
{
    struct adit_leaf *l = &b->t->leaves[leaf];
    struct adit_rich_range range = {.item0 = l->item0,
                                    .item1 = l->item1,
                                    .leaf0 = leaf,
                                    .leaf1 = leaf + 1,
                                    .plain = true,
                                    .between = "\n"};
    struct adit_rich rich;
    bool was = b->rich;
    b->rich = true;
    bool built = adit_rich_build(b, &range, &rich);
    b->rich = was;
    if (!built) return;
    size_t cap = 4 * rich.text.len + 16;
    struct adit_buf out = {.p = adit_block_alloc(b, cap, 1), .cap = cap, .max = cap};
    if (!out.p) return;
    adit_rich_plain(&rich, &out);
    if (out.err == ADIT_OK && out.len) l->text = adit_buf_str(&out);
}

/* The digits of a number, for a note without a mark. */
static struct adit_str number_mark(struct adit_builder *b, size_t number)
{
    char *p = adit_block_alloc(b, 8, 1);
    struct adit_buf out = {.p = p, .cap = p ? 8 : 0, .max = p ? 8 : 0};
    if (p) adit_buf_u64(&out, number);
    return adit_buf_str(&out);
}

/* A note within a text leaves the text. */
static void take_aside(struct adit_notes *n, struct adit_note_ref *ref, uint16_t *number)
{
    struct adit_builder *b = n->b;
    struct adit_rich_range range = {.item0 = ref->aside0 + 1,
                                    .item1 = ref->aside1,
                                    .leaf0 = ref->leaf,
                                    .leaf1 = ref->leaf + 1,
                                    .between = "\n"};
    bool was = b->rich, whole = ref->item == ref->aside0;
    if (!*number) {
        range.note = *number = (uint16_t)++n->n_numbers;
        if (!ref->mark.len) ref->mark = number_mark(b, *number);
        b->note_marks[*number - 1] = ref->mark;
        b->rich = true;
        adit_rich_build(b, &range, &b->asides[*number - 1]);
        b->rich = was;
    }
    for (uint32_t i = ref->aside0; i < ref->aside1 && !whole; i++)
        if (b->t->items[i].kind == ADIT_ITEM_TEXT) b->t->items[i].leaf = ADIT_NONE;
}

static bool is_used(const struct adit_notes *n, const struct adit_note_ref *ref)
{
    return ref->target != ADIT_NONE ||
           (ref->aside0 && ref->leaf != ADIT_NONE && n->b->t->leaves[ref->leaf].keep);
}

static bool make_room(struct adit_notes *n, size_t used)
{
    struct adit_builder *b = n->b;
    struct adit_tape *t = b->t;
    struct adit_made *made = adit_block_alloc(b, t->n_made + used, sizeof *made);
    b->note_of = adit_block_alloc(b, t->n_leaves, sizeof *b->note_of);
    b->note_marks = adit_block_alloc(b, used, sizeof *b->note_marks);
    b->asides = adit_block_alloc(b, used, sizeof *b->asides);
    if (!made || !b->note_of || !b->note_marks || !b->asides) return false;
    if (t->n_made) memcpy(made, t->made, t->n_made * sizeof *made);
    t->made = made;
    return true;
}

void adit_notes_take(struct adit_notes *n)
{
    struct adit_builder *b = n->b;
    size_t used = 0;
    for (size_t i = 0; i < n->n_refs; i++) used += is_used(n, &n->refs[i]);
    if (!used || !make_room(n, used)) return;
    for (size_t i = 0; i < n->n_refs; i++) {
        struct adit_note_ref *ref = &n->refs[i];
        uint16_t number = 0;
        if (!is_used(n, ref)) continue;
        if (ref->target != ADIT_NONE) {
            struct adit_note *note = &n->notes[ref->target];
            if (!note->number) take_note(n, note, ref->mark);
            number = note->number;
        }
        if (ref->aside0) take_aside(n, ref, &number);
        make_mark(n, ref, number);
    }
    b->n_notes = n->n_numbers;
    uint32_t last = ADIT_NONE;
    for (size_t i = 0; i < n->n_refs; i++) {
        const struct adit_note_ref *ref = &n->refs[i];
        if (!is_used(n, ref) || ref->leaf == last || b->note_of[ref->leaf]) continue;
        write_again(b, last = ref->leaf);
    }
}

void adit_build_asides(struct adit_builder *b)
{
    for (size_t i = 0; i < b->n_notes && b->code == ADIT_OK; i++) {
        const struct adit_rich *rich = &b->asides[i];
        if (!rich->text.len) continue;
        size_t cap = 4 * rich->text.len + 16;
        struct adit_buf out = {.p = adit_block_alloc(b, cap, 1), .cap = cap, .max = cap};
        if (!out.p) return;
        adit_rich_plain(rich, &out);
        struct adit_str parts[4] = {ADIT_STR("["), b->note_marks[i], ADIT_STR("] "),
                                    adit_buf_str(&out)};
        struct adit_block *block = adit_block_add(b, ADIT_TEXT);
        block->text = adit_block_join(b, parts, 4, ADIT_STR(""));
        block->rich = rich;
        block->note = (uint16_t)(i + 1);
    }
}
