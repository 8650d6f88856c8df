/* Lists, and terms with their descriptions. Plain strings stand item below item, a nested list's behind the item that holds it; rows
 * beside them say how deep each stands and what its number is. */
#include "blocks/blocks_impl.h"

#include <string.h>

enum { DEPTH_MAX = 16 };

/* A list under way. Code and tables inside items become blocks of their own, between parts of the
 * list. */
struct list {
    struct adit_builder *b;
    bool ordered;
    struct adit_str *parts, *items; /* of the item under way; finished items */
    const char **gaps;              /* what stands before each part */
    struct adit_list_item *rows;    /* beside items */
    struct spot {
        uint32_t leaf;
        uint16_t box; /* the call-out that it stands in; 0: none */
        bool title;   /* of that */
    } *spots;         /* beside parts */
    size_t n_parts, n_items;
    uint32_t first, last; /* leaves of the item under way */
    uint32_t box_end;     /* the item at which the call-out under way ends; 0: there is none */
    uint32_t box_title;   /* its title's leaf */
    bool boxed;           /* a part stands in a call-out */
    struct level {
        uint32_t next, number; /* of its next item; of the item under way */
        int step;              /* from an item to the next */
        bool ordered, begun;   /* begun: its item under way has a text already */
    } levels[DEPTH_MAX];
    size_t depth;
    int deeper;                                             /* lists beyond DEPTH_MAX */
    bool term;                                              /* the last text was one of a <dt> */
    enum { IN_ITEM, IN_TERM, IN_MEANING, NEXT_MEANING } in; /* NEXT_: another <dd> begins */
    bool parted;                                            /* a part is written already */
};

/* What stands before the next text of the item: a term and its meaning are one line. */
static const char *gap_before(const struct list *l)
{
    if (l->in == IN_TERM) return ", ";
    struct adit_str term = l->n_parts ? l->parts[l->n_parts - 1] : (struct adit_str){0};
    if (l->term) return term.len && term.p[term.len - 1] == ':' ? " " : ": ";
    return l->in == NEXT_MEANING ? "; " : "\n\n";
}

static void add_leaf(struct list *l, uint32_t leaf)
{
    struct adit_str text = l->b->t->leaves[leaf].text;
    if (!l->n_parts) l->first = leaf;
    l->last = leaf;
    l->gaps[l->n_parts] = l->n_parts ? gap_before(l) : "";
    l->spots[l->n_parts] = (struct spot){leaf, l->box_end ? (uint16_t)l->b->n_boxes : 0,
                                         l->box_end && leaf == l->box_title};
    l->boxed |= l->box_end != 0;
    l->parts[l->n_parts++] = l->in == IN_TERM ? adit_block_line(l->b, text) : text;
    l->term = l->in == IN_TERM;
    if (l->in == NEXT_MEANING) l->in = IN_MEANING;
}

static void put_row(struct list *l, struct adit_str text, struct adit_list_item row)
{
    struct level *level = &l->levels[l->depth];
    l->n_parts = 0, l->boxed = false;
    if (!text.len) return;
    l->rows[l->n_items] = (struct adit_list_item){
        .rich = row.rich,
        .parts = row.parts,
        .n_parts = row.n_parts,
        .note = adit_note_of(l->b, l->first),
        .number = level->number,
        .depth = (uint8_t)l->depth,
        .ordered = level->ordered,
        .more = level->begun,
    };
    level->begun = true;
    l->items[l->n_items++] = text;
}

/* Parts [from, to) of the item under way in one string; paragraphs are lines. */
static struct adit_str join_parts(const struct list *l, size_t from, size_t to)
{
    size_t len = 0, at = 0;
    if (to - from < 2) return to > from ? l->parts[from] : (struct adit_str){0};
    for (size_t i = from; i < to; i++) len += l->parts[i].len + 2;
    char *p = adit_block_alloc(l->b, len, 1);
    for (size_t i = from; p && i < to; i++) {
        const char *gap = i > from ? l->gaps[i] : "";
        for (; *gap && !(gap[0] == '\n' && gap[1]); gap++) p[at++] = *gap;
        if (gap[0] == '\n') p[at++] = '\n';
        memcpy(p + at, l->parts[i].p, l->parts[i].len), at += l->parts[i].len;
    }
    return adit_str_of(p, p ? at : 0);
}

static const struct adit_rich *rich_of(struct list *l, size_t from, size_t to)
{
    struct adit_rich_range range = {.leaf0 = l->spots[from].leaf,
                                    .leaf1 = l->spots[to - 1].leaf + 1,
                                    .between = "\n\n",
                                    .gaps = l->gaps + from};
    return adit_block_rich_range(l->b, &range);
}

/* The item's texts and call-outs one behind the other. */
static struct adit_list_item boxed_parts(struct list *l)
{
    struct adit_list_item row = {0};
    struct adit_item_part *v = adit_block_alloc(l->b, l->n_parts, sizeof *v);
    for (size_t i = 0, to; v && i < l->n_parts; i = to) {
        const struct spot *s = &l->spots[i];
        struct adit_box *box = s->box ? &l->b->boxes[s->box - 1] : NULL;
        to = i + 1;
        if (box && s->title && to < l->n_parts && s[1].box == s->box) {
            box->title = adit_block_line(l->b, l->parts[i]);
            continue;
        }
        while (to < l->n_parts && l->spots[to].box == s->box) to++;
        const struct adit_rich *rich = rich_of(l, i, to);
        v[row.n_parts++] = (struct adit_item_part){
            rich ? *rich : (struct adit_rich){.text = join_parts(l, i, to)}, s->box};
    }
    row.parts = v;
    return row;
}

static void end_item(struct list *l)
{
    struct adit_str text = join_parts(l, 0, l->n_parts);
    struct adit_list_item row = {0};
    if (text.len && l->boxed)
        row = boxed_parts(l);
    else if (text.len)
        row.rich = rich_of(l, 0, l->n_parts);
    put_row(l, text, row);
    l->term = false;
}

static void end_list(struct list *l)
{
    end_item(l);
    if (!l->n_items) return;
    struct adit_block *block = adit_block_add(l->b, ADIT_LIST);
    block->ordered = l->ordered;
    block->goes_on = l->parted;
    l->parted = true;
    block->items = (struct adit_strs){l->items, l->n_items};
    block->list = l->rows;
    l->items += l->n_items, l->rows += l->n_items;
    l->n_items = 0; /* the rest of the arrays serves the next part */
}

/* A block of its own in an item that has a text already: it stands in that item. */
static bool build_apart(struct list *l, const struct adit_el *el)
{
    struct adit_builder *b = l->b;
    end_list(l);
    size_t from = b->n;
    b->nest++;
    bool built = adit_build_element(b, el);
    b->nest--;
    for (size_t depth = l->depth + 1; depth > 0 && from < b->n; depth--) {
        if (!l->levels[depth - 1].begun) continue;
        for (; from < b->n; from++) b->v[from].item = (uint8_t)depth;
    }
    return built;
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
    return tag == ADIT_TAG_UL || tag == ADIT_TAG_OL || tag == ADIT_TAG_MENU ||
           tag == ADIT_TAG_DIR || tag == ADIT_TAG_DL;
}

static bool is_border(const struct adit_item *item)
{
    return item->kind <= ADIT_ITEM_CLOSE && (item->tag == ADIT_TAG_LI || item->tag == ADIT_TAG_DT ||
                                             item->tag == ADIT_TAG_DD || is_list(item->tag));
}

/* A <dt> begins an item, unless it stands behind another one; a <dd> goes on with it. */
static void cross_term(struct list *l, const struct adit_item *item)
{
    if (item->kind == ADIT_ITEM_CLOSE) {
        l->in = IN_ITEM;
    } else if (item->tag == ADIT_TAG_DD) {
        l->in = NEXT_MEANING;
    } else {
        if (!l->term) {
            end_item(l);
            begin_item(l, item->node);
        }
        l->in = IN_TERM;
    }
}

/* A list, or an item of one, begins or ends. */
static void cross_border(struct list *l, const struct adit_item *item)
{
    bool open = item->kind == ADIT_ITEM_OPEN;
    if (item->tag == ADIT_TAG_DT || item->tag == ADIT_TAG_DD) {
        cross_term(l, item);
        return;
    }
    end_item(l);
    l->in = IN_ITEM;
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

/* --- ul, ol, dl ----------------------------------------------------------------------------------- */

/* Letters of an entry with a heading, and of a term with its meaning: more is a section of its own. */
enum { SECTION_LETTERS = 250, MEANING_LETTERS = 1000 };

/* Lists are also used to lay out pages: long entries with headings are sections, not items. */
static bool is_layout(const struct adit_builder *b, const struct adit_el *el)
{
    const struct adit_tape *t = b->t;
    uint32_t items = 0, headings = 0;
    for (uint32_t i = (uint32_t)(el - t->els) + 1; i < t->n_els && t->els[i].item0 < el->item1;
         i++) {
        const struct adit_el *e = &t->els[i];
        items += e->tag == ADIT_TAG_LI || e->tag == ADIT_TAG_DT;
        if (adit_heading_level(e->tag)) headings += adit_block_any_kept(b, e->leaf0, e->leaf1);
    }
    uint32_t letters = b->kept[el->leaf1] - b->kept[el->leaf0];
    if (!items || (headings && letters / items > SECTION_LETTERS)) return true;
    return el->tag == ADIT_TAG_DL && letters / items > MEANING_LETTERS;
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
    l->gaps = adit_block_alloc(b, n, sizeof *l->gaps);
    l->spots = adit_block_alloc(b, n, sizeof *l->spots);
    l->items = adit_block_alloc(b, n, sizeof *l->items);
    l->rows = adit_block_alloc(b, n, sizeof *l->rows);
    begin_level(l, adit_el_node(b->t, el), el->tag);
    return l->parts && l->gaps && l->spots && l->items && l->rows;
}

bool adit_build_list(struct adit_builder *b, const struct adit_el *el)
{
    if (el->tag == ADIT_TAG_OL && adit_is_code_list(b, el)) return adit_build_code(b, el);
    if (!adit_block_any_kept(b, el->leaf0, el->leaf1) || is_layout(b, el)) return false;
    if (adit_posts_in(b, el->item0, el->item1)) return false;
    if (el->tag == ADIT_TAG_DL && adit_notes_in(b, el->leaf0, el->leaf1)) return false;
    const struct adit_tape *t = b->t;
    struct list l;
    if (!list_init(&l, b, el)) return true;
    uint32_t leaf = el->leaf0;
    for (uint32_t i = el->item0 + 1; i < el->item1; i++) {
        const struct adit_item *item = &t->items[i];
        if (i >= l.box_end) l.box_end = 0;
        if (b->rich && !l.box_end && !b->box_end && item->kind == ADIT_ITEM_OPEN &&
            item->el != ADIT_NONE && adit_find_box(b, &t->els[item->el], &l.box_title))
            l.box_end = t->els[item->el].item1;
        if (is_apart(item)) {
            const struct adit_el *inner = &t->els[item->el];
            if (!adit_block_any_kept(b, inner->leaf0, inner->leaf1)) continue;
            if (!build_apart(&l, inner)) continue;
            i = inner->item1, leaf = inner->leaf1;
        } else if (is_border(item)) {
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
