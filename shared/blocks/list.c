/* Lists: nested ones are flattened, item by item, so that no text is lost. */
#include "blocks/blocks_impl.h"

/* A list under way. Code and tables inside items become blocks of their own, between parts of the
 * list. */
struct list {
    struct adit_builder *b;
    bool ordered;
    struct adit_str *parts, *items; /* of the item under way; finished items */
    size_t n_parts, n_items;
};

static void end_item(struct list *l)
{
    struct adit_str text = adit_block_join(l->b, l->parts, l->n_parts, ADIT_STR("\n"));
    l->n_parts = 0;
    if (text.len) l->items[l->n_items++] = text;
}

static void end_list(struct list *l)
{
    end_item(l);
    if (!l->n_items) return;
    struct adit_block *block = adit_block_add(l->b, ADIT_LIST);
    block->ordered = l->ordered;
    block->items = (struct adit_strs){l->items, l->n_items};
    l->items += l->n_items, l->n_items = 0; /* the rest of the array serves the next part */
}

enum { SECTION_LETTERS = 250 }; /* of an entry with a heading: more is a section of its own */

/* Lists are also used to lay out pages: long entries with headings are sections, not items. */
static bool is_layout(const struct adit_builder *b, const struct adit_el *el)
{
    const struct adit_tape *t = b->t;
    uint32_t items = 0, headings = 0;
    for (uint32_t i = (uint32_t)(el - t->els) + 1; i < t->n_els && t->els[i].item0 < el->item1;
         i++) {
        const struct adit_el *e = &t->els[i];
        items += e->tag == ADIT_TAG_LI;
        if (adit_heading_level(e->tag)) headings += adit_block_any_kept(b, e->leaf0, e->leaf1);
    }
    uint32_t letters = b->kept[el->leaf1] - b->kept[el->leaf0];
    return !items || (headings && letters / items > SECTION_LETTERS);
}

static bool is_apart(const struct adit_item *item)
{
    return item->kind == ADIT_ITEM_OPEN && item->el != ADIT_NONE &&
           (item->tag == ADIT_TAG_PRE || item->tag == ADIT_TAG_TABLE ||
            item->tag == ADIT_TAG_BLOCKQUOTE);
}

static bool list_init(struct list *l, struct adit_builder *b, const struct adit_el *el)
{
    size_t n = el->leaf1 - el->leaf0;
    *l = (struct list){.b = b, .ordered = el->tag == ADIT_TAG_OL};
    l->parts = adit_block_alloc(b, n, sizeof *l->parts);
    l->items = adit_block_alloc(b, n, sizeof *l->items);
    return l->parts && l->items;
}

bool adit_build_list(struct adit_builder *b, const struct adit_el *el)
{
    if (!adit_block_any_kept(b, el->leaf0, el->leaf1) || is_layout(b, el)) return false;
    const struct adit_tape *t = b->t;
    struct list l;
    if (!list_init(&l, b, el)) return true;
    uint32_t leaf = el->leaf0;
    for (uint32_t i = el->item0 + 1; i < el->item1; i++) {
        const struct adit_item *item = &t->items[i];
        if (is_apart(item)) {
            const struct adit_el *inner = &t->els[item->el];
            if (!adit_block_any_kept(b, inner->leaf0, inner->leaf1)) continue;
            end_list(&l);
            if (!adit_build_element(b, inner)) continue;
            i = inner->item1, leaf = inner->leaf1;
        } else if (item->tag == ADIT_TAG_LI && item->kind <= ADIT_ITEM_CLOSE) {
            end_item(&l);
        } else if (item->kind == ADIT_ITEM_TEXT && item->leaf != ADIT_NONE && item->leaf >= leaf) {
            leaf = item->leaf + 1;
            if (t->leaves[item->leaf].keep) l.parts[l.n_parts++] = t->leaves[item->leaf].text;
        }
    }
    end_list(&l);
    adit_build_objects(b, el->item0, el->item1);
    return true;
}

/* --- terms and their descriptions ------------------------------------------------------------- */

/* A <dl> is a list of "term: description" if its descriptions are short; long ones are text. */
static bool is_glossary(const struct adit_builder *b, const struct adit_el *el)
{
    const struct adit_tape *t = b->t;
    for (uint32_t i = el->item0 + 1; i < el->item1; i++) {
        const struct adit_item *item = &t->items[i];
        if (item->kind != ADIT_ITEM_OPEN || item->el == ADIT_NONE) continue;
        const struct adit_el *e = &t->els[item->el];
        if (e->tag == ADIT_TAG_DD && e->leaf1 - e->leaf0 > 1) return false;
        if (e->tag == ADIT_TAG_DL || is_apart(item)) return false;
    }
    return true;
}

static void end_term(struct list *l)
{
    if (l->n_parts == 0) return;
    struct adit_str term = adit_block_line(l->b, l->parts[0]);
    bool colon = term.len && term.p[term.len - 1] == ':';
    struct adit_str both[2] = {term,
                               adit_block_join(l->b, l->parts + 1, l->n_parts - 1, ADIT_STR("; "))};
    l->parts[0] = adit_block_join(l->b, both, 2, colon ? ADIT_STR(" ") : ADIT_STR(": "));
    l->n_parts = 1;
    end_item(l);
}

bool adit_build_terms(struct adit_builder *b, const struct adit_el *el)
{
    if (!adit_block_any_kept(b, el->leaf0, el->leaf1) || !is_glossary(b, el)) return false;
    const struct adit_tape *t = b->t;
    struct list l;
    if (!list_init(&l, b, el)) return true;
    uint32_t leaf = el->leaf0;
    for (uint32_t i = el->item0 + 1; i < el->item1; i++) {
        const struct adit_item *item = &t->items[i];
        if (item->kind == ADIT_ITEM_OPEN && item->tag == ADIT_TAG_DT) {
            end_term(&l);
        } else if (item->kind == ADIT_ITEM_TEXT && item->leaf != ADIT_NONE && item->leaf >= leaf) {
            leaf = item->leaf + 1;
            if (t->leaves[item->leaf].keep) l.parts[l.n_parts++] = t->leaves[item->leaf].text;
        }
    }
    end_term(&l);
    end_list(&l);
    adit_build_objects(b, el->item0, el->item1);
    return true;
}
