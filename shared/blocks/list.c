/* Lists. Plain strings stand item below item, a nested list's behind the item that holds it; rows
 * beside them say how deep each stands and what its number is. */
#include "blocks/blocks_impl.h"

enum { DEPTH_MAX = 16 };

/* A list under way. Code and tables inside items become blocks of their own, between parts of the
 * list. */
struct list {
    struct adit_builder *b;
    bool ordered;
    struct adit_str *parts, *items; /* of the item under way; finished items */
    struct adit_list_item *rows;    /* beside items */
    size_t n_parts, n_items;
    uint32_t first, last; /* leaves of the item under way */
    struct level {
        uint32_t next, number; /* of its next item; of the item under way */
        int step;              /* from an item to the next */
        bool ordered, begun;   /* begun: its item under way has a text already */
    } levels[DEPTH_MAX];
    size_t depth;
    int deeper; /* lists beyond DEPTH_MAX */
};

static void add_leaf(struct list *l, uint32_t leaf)
{
    if (!l->n_parts) l->first = leaf;
    l->last = leaf;
    l->parts[l->n_parts++] = l->b->t->leaves[leaf].text;
}

static void put_row(struct list *l, struct adit_str text, const struct adit_rich *rich)
{
    struct level *level = &l->levels[l->depth];
    l->n_parts = 0;
    if (!text.len) return;
    l->rows[l->n_items] = (struct adit_list_item){
        .rich = rich,
        .note = adit_note_of(l->b, l->first),
        .number = level->number,
        .depth = (uint8_t)l->depth,
        .ordered = level->ordered,
        .more = level->begun,
    };
    level->begun = true;
    l->items[l->n_items++] = text;
}

static void end_item(struct list *l)
{
    struct adit_str text = adit_block_join(l->b, l->parts, l->n_parts, ADIT_STR("\n"));
    put_row(l, text, text.len ? adit_block_rich(l->b, l->first, l->last + 1, false) : NULL);
}

static void end_list(struct list *l)
{
    end_item(l);
    if (!l->n_items) return;
    struct adit_block *block = adit_block_add(l->b, ADIT_LIST);
    block->ordered = l->ordered;
    block->items = (struct adit_strs){l->items, l->n_items};
    block->list = l->rows;
    l->items += l->n_items, l->rows += l->n_items;
    l->n_items = 0; /* the rest of the arrays serves the next part */
    /* What goes on behind a block is an item of its own: nothing would hold it. */
    for (size_t i = 0; i < DEPTH_MAX; i++) l->levels[i].begun = false;
}

/* --- numbers ---------------------------------------------------------------------------------- */

enum { NUMBER_MAX = 999999999 }; /* CommonMark: at most nine digits */

static uint32_t number_of(const struct adit_builder *b, uint32_t node, enum adit_attr attr,
                          uint32_t otherwise)
{
    uint64_t n;
    struct adit_str value = adit_str_trim(adit_dom_attr(b->dom, node, attr));
    return adit_str_u64(value, &n) && n <= NUMBER_MAX ? (uint32_t)n : otherwise;
}

/* Items of the list itself. */
static uint32_t count_items(const struct adit_builder *b, uint32_t node)
{
    uint32_t count = 0;
    for (uint32_t n = adit_dom_first(b->dom, node); n; n = b->dom->nodes[n].next)
        count += adit_dom_is(b->dom, n, ADIT_TAG_LI);
    return count;
}

static void begin_level(struct list *l, uint32_t node, uint16_t tag)
{
    struct level *level = &l->levels[l->depth];
    bool down = adit_dom_has(l->b->dom, node, ADIT_ATTR_REVERSED);
    *level = (struct level){.ordered = tag == ADIT_TAG_OL, .step = down ? -1 : 1};
    if (!level->ordered) return;
    level->next = number_of(l->b, node, ADIT_ATTR_START, down ? count_items(l->b, node) : 1);
    level->number = level->next;
}

static void begin_item(struct list *l, uint32_t node)
{
    struct level *level = &l->levels[l->depth];
    level->begun = false;
    if (!level->ordered) return;
    level->number = number_of(l->b, node, ADIT_ATTR_VALUE, level->next);
    level->next = level->number + (uint32_t)level->step;
    if (level->next > NUMBER_MAX) level->next = level->number;
}

static bool is_list(uint16_t tag)
{
    return tag == ADIT_TAG_UL || tag == ADIT_TAG_OL || tag == ADIT_TAG_MENU || tag == ADIT_TAG_DIR;
}

/* A list, or an item of one, begins or ends. */
static void cross_border(struct list *l, const struct adit_item *item)
{
    end_item(l);
    bool open = item->kind == ADIT_ITEM_OPEN;
    if (item->tag == ADIT_TAG_LI) {
        if (open) begin_item(l, item->node);
    } else if (open ? l->depth + 1 == DEPTH_MAX : l->deeper > 0) {
        l->deeper += open ? 1 : -1; /* too deep to be told apart */
    } else if (open) {
        l->depth++;
        begin_level(l, item->node, item->tag);
    } else if (l->depth) {
        l->depth--;
    }
}

/* --- ul, ol ----------------------------------------------------------------------------------- */

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
    l->rows = adit_block_alloc(b, n, sizeof *l->rows);
    begin_level(l, adit_el_node(b->t, el), el->tag);
    return l->parts && l->items && l->rows;
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
        } else if (item->kind <= ADIT_ITEM_CLOSE &&
                   (item->tag == ADIT_TAG_LI || is_list(item->tag))) {
            cross_border(&l, item);
        } else if (adit_item_leaf(item) != ADIT_NONE && item->leaf >= leaf) {
            leaf = item->leaf + 1;
            if (t->leaves[item->leaf].keep) add_leaf(&l, item->leaf);
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
    struct adit_rich_range range = {
        .leaf0 = l->first, .leaf1 = l->last + 1, .first = colon ? " " : ": ", .between = "; "};
    put_row(l, adit_block_join(l->b, both, 2, adit_str_z(range.first)),
            adit_block_rich_range(l->b, &range));
    l->levels[0].begun = false;
}

bool adit_build_terms(struct adit_builder *b, const struct adit_el *el)
{
    if (!adit_block_any_kept(b, el->leaf0, el->leaf1) || !is_glossary(b, el) ||
        adit_notes_in(b, el->leaf0, el->leaf1))
        return false;
    const struct adit_tape *t = b->t;
    struct list l;
    if (!list_init(&l, b, el)) return true;
    uint32_t leaf = el->leaf0;
    for (uint32_t i = el->item0 + 1; i < el->item1; i++) {
        const struct adit_item *item = &t->items[i];
        if (item->kind == ADIT_ITEM_OPEN && item->tag == ADIT_TAG_DT) {
            end_term(&l);
        } else if (adit_item_leaf(item) != ADIT_NONE && item->leaf >= leaf) {
            leaf = item->leaf + 1;
            if (t->leaves[item->leaf].keep) add_leaf(&l, item->leaf);
        }
    }
    end_term(&l);
    end_list(&l);
    adit_build_objects(b, el->item0, el->item1);
    return true;
}
