/* Headings and quotes. */
#include "blocks/blocks_impl.h"
#include "tape/tape.h"

/* --- headings --------------------------------------------------------------------------------- */

enum { ROLE_LETTERS = 150 }; /* of a heading by its role alone: more is a text */

/* The item behind the end of the inline element that begins at items[i]. */
static uint32_t behind(const struct adit_tape *t, uint32_t i, uint32_t end)
{
    uint32_t node = t->items[i].node;
    for (i++; i < end; i++)
        if (t->items[i].kind == ADIT_ITEM_CLOSE && t->items[i].node == node) return i + 1;
    return end;
}

/* A link without words in a heading: to itself ("#", a pilcrow, an icon), or a sign that is a tool. */
static bool is_permalink(const struct adit_builder *b, uint32_t from, uint32_t to)
{
    const struct adit_item *items = b->t->items;
    struct adit_str href = adit_dom_attr(b->dom, items[from].node, ADIT_ATTR_HREF);
    bool tool = adit_str_chr(href, '#', 0) < href.len;
    for (uint32_t i = from; i < to; i++) {
        if (adit_item_leaf(&items[i]) == ADIT_NONE) continue;
        if (adit_block_wordy(adit_item_said(b->t, &items[i]))) return false;
        tool = true;
    }
    return href.len && tool;
}

/* Behind a tool of a heading: a link to itself, or to edit it; else i. */
static uint32_t skip_permalink(const struct adit_builder *b, uint32_t i, uint32_t end)
{
    const struct adit_item *item = &b->t->items[i];
    if (item->tag != ADIT_TAG_A && item->tag != ADIT_TAG_SPAN) return i;
    struct adit_str class = adit_dom_attr(b->dom, item->node, ADIT_ATTR_CLASS);
    bool tool = class.len && adit_str_ifind(class, ADIT_STR("editsection"), 0) < class.len;
    if (!tool && item->tag != ADIT_TAG_A) return i;
    uint32_t next = behind(b->t, i, end);
    return tool || is_permalink(b, i, next) ? next : i;
}

/* The heading's text without links to itself, in one line. */
static struct adit_str heading_text(struct adit_builder *b, const struct adit_el *el)
{
    const struct adit_tape *t = b->t;
    size_t len = 9;
    for (uint32_t i = el->leaf0; i < el->leaf1; i++) {
        const struct adit_leaf *leaf = &t->leaves[i];
        for (uint32_t k = leaf->item0; k < leaf->item1; k++)
            if (t->items[k].kind == ADIT_ITEM_TEXT || t->items[k].kind >= ADIT_ITEM_ALT)
                len += adit_item_said(t, &t->items[k]).len + 1;
        len++;
    }
    struct adit_space s = {.out = adit_block_alloc(b, len, 1)};
    if (!s.out) return (struct adit_str){0};
    for (uint32_t i = el->item0; i < el->item1;) {
        const struct adit_item *item = &t->items[i];
        if (item->kind == ADIT_ITEM_OPEN) {
            uint32_t next = skip_permalink(b, i, el->item1);
            if (next > i) {
                i = next;
                continue;
            }
        }
        if (item->kind == ADIT_ITEM_TEXT && item->leaf != ADIT_NONE) {
            if (item->tag & ADIT_APART) adit_space_add(&s, ADIT_STR(" "));
            adit_space_add(&s, adit_dom_data(b->dom, item->node));
        } else if (item->kind >= ADIT_ITEM_ALT)
            adit_space_add(&s, adit_item_said(t, item));
        else if (item->kind == ADIT_ITEM_BREAK || item->block)
            adit_space_add(&s, ADIT_STR(" "));
        i++;
    }
    return adit_str_of(s.out, s.len);
}

static const struct adit_rich *heading_rich(struct adit_builder *b, const struct adit_el *el)
{
    struct adit_rich_range range = {.item0 = el->item0,
                                    .item1 = el->item1,
                                    .leaf0 = el->leaf0,
                                    .leaf1 = el->leaf1,
                                    .all = true,
                                    .bold = true,
                                    .between = " ",
                                    .skip = skip_permalink};
    struct adit_rich rich, *kept;
    if (!adit_rich_build(b, &range, &rich) || !(kept = adit_block_alloc(b, 1, sizeof *kept)))
        return NULL;
    *kept = rich;
    return kept;
}

/* Of <h1>…<h6>, or of role=heading, whose level is 2 unless aria-level says more. */
static uint8_t heading_level(const struct adit_builder *b, const struct adit_el *el)
{
    uint64_t level = 2;
    if (adit_heading_level(el->tag)) return adit_heading_level(el->tag);
    if (!adit_str_u64(adit_str_trim(adit_el_attr(b, el, ADIT_ATTR_ARIA_LEVEL)), &level)) level = 2;
    return (uint8_t)(level < 1 ? 1 : level > 6 ? 6 : level);
}

bool adit_build_heading(struct adit_builder *b, const struct adit_el *el)
{
    if (!adit_block_any_kept(b, el->leaf0, el->leaf1)) return false;
    /* A "heading" with tables or lists in it is a container. */
    const struct adit_leaf *first = &b->t->leaves[el->leaf0];
    bool plain = el->leaf1 - el->leaf0 == 1 && !first->n_links && !first->n_br;
    if (el->leaf1 - el->leaf0 > 6) return false;
    /* Some pages give the role to texts that nothing but a heading shows in an outline. */
    if (!adit_heading_level(el->tag) &&
        (b->n_posts || b->kept[el->leaf1] - b->kept[el->leaf0] > ROLE_LETTERS))
        return false;
    struct adit_str text = plain ? first->text : heading_text(b, el);
    if (text.len) {
        struct adit_block *block = adit_block_add(b, ADIT_HEADING);
        block->level = heading_level(b, el);
        block->text = text;
        block->rich = heading_rich(b, el);
    }
    adit_build_objects(b, el->item0, el->item1);
    return true;
}

/* --- quotes ----------------------------------------------------------------------------------- */

/* The element in el that holds nothing but its source: <footer>, or <cite> as a whole leaf. */
static bool leaf_in_tag(const struct adit_builder *b, const struct adit_leaf *leaf,
                        enum adit_tag tag)
{
    const struct adit_dom *d = b->dom;
    for (uint32_t i = leaf->item0; i < leaf->item1; i++) {
        const struct adit_item *item = &b->t->items[i];
        if (item->kind != ADIT_ITEM_TEXT || item->leaf == ADIT_NONE) continue;
        uint32_t n = d->nodes[item->node].parent;
        while (n && !adit_dom_is(d, n, tag) && !adit_dom_is(d, n, ADIT_TAG_BLOCKQUOTE))
            n = d->nodes[n].parent;
        struct adit_str text = adit_dom_data(d, item->node);
        if (!adit_dom_is(d, n, tag) && !adit_space_blank(text) && adit_block_wordy(text))
            return false;
    }
    return true;
}

/* "— Name" without the dash. */
static struct adit_str undash(struct adit_str s)
{
    static const struct adit_str dashes[] = {ADIT_STR_INIT("\xe2\x80\x94"),
                                             ADIT_STR_INIT("\xe2\x80\x93"),
                                             ADIT_STR_INIT("\xe2\x80\x95"),
                                             ADIT_STR_INIT("-"),
                                             ADIT_STR_INIT("~"),
                                             ADIT_STR_INIT(" ")};
    for (size_t i = 0; i < ADIT_COUNT(dashes);)
        if (adit_str_starts(s, dashes[i]))
            s = adit_str_sub(s, dashes[i].len, s.len), i = 0;
        else
            i++;
    return s;
}

/* Quotes may hold code, tables, lists and quotes; these become blocks of their own between its parts. */
struct quote {
    struct adit_builder *b;
    struct adit_str *parts;
    size_t n;
    uint32_t first, last; /* leaves of the parts */
    bool begun;           /* a block of the quote is written */
    uint32_t depth;       /* quotes around what comes next, this one not counted */
    size_t block;         /* behind its last block that is text of its own; 0: there is none */
};

enum { QUOTES_MAX = 8 }; /* quotes in one another that are told apart */

/* The blocks from `from` on stand in the quote. */
static void mark_quoted(struct quote *q, size_t from)
{
    uint8_t depth = (uint8_t)(q->depth < QUOTES_MAX ? q->depth : QUOTES_MAX);
    for (; from < q->b->n; from++) {
        struct adit_block *v = &q->b->v[from];
        if (v->type == ADIT_LIST || v->item)
            v->around = (uint8_t)(depth + 1);
        else
            v->quoted = (uint8_t)(depth + (v->type != ADIT_QUOTE));
        v->same_quote = q->begun && !v->apart;
        q->begun = true;
    }
}

static void end_quote(struct quote *q)
{
    struct adit_str text = adit_block_join(q->b, q->parts, q->n, ADIT_STR("\n"));
    q->n = 0;
    if (!text.len) return;
    struct adit_block *block = adit_block_add(q->b, ADIT_QUOTE);
    block->text = text;
    block->rich = adit_block_rich(q->b, q->first, q->last + 1, false);
    mark_quoted(q, q->b->n - 1);
    if (!q->depth) q->block = q->b->n;
}

static void add_part(struct quote *q, uint32_t leaf)
{
    if (!q->n) q->first = leaf;
    q->last = leaf;
    q->parts[q->n++] = q->b->t->leaves[leaf].text;
}

static struct adit_str find_citation(struct adit_builder *b, const struct adit_el *el,
                                     uint32_t *leaf0, uint32_t *leaf1)
{
    const struct adit_tape *t = b->t;
    *leaf0 = *leaf1 = ADIT_NONE;
    for (uint32_t i = el->leaf1; i-- > el->leaf0;) {
        const struct adit_leaf *leaf = &t->leaves[i];
        if (el->leaf1 - el->leaf0 < 2) break;
        if (leaf_in_tag(b, leaf, ADIT_TAG_FOOTER) || leaf_in_tag(b, leaf, ADIT_TAG_CITE) ||
            leaf_in_tag(b, leaf, ADIT_TAG_FIGCAPTION)) {
            *leaf0 = i, *leaf1 = i + 1;
            return undash(adit_block_line(b, leaf->text));
        }
        if (leaf->keep) break; /* only the end of a quote names its source */
    }
    struct adit_str caption = adit_block_caption(b, el->item0);
    if (caption.len) return undash(caption);
    return adit_block_url(b, adit_el_attr(b, el, ADIT_ATTR_CITE));
}

/* Code and tables in a quote are apart, and lists, but for those of a quote that stands in a list itself. */
static bool is_apart(const struct adit_builder *b, const struct adit_item *item)
{
    static const bool lists[ADIT_TAG_COUNT] = {
        [ADIT_TAG_UL] = true, [ADIT_TAG_OL] = true, [ADIT_TAG_DL] = true, [ADIT_TAG_MENU] = true};
    if (item->kind != ADIT_ITEM_OPEN || item->el == ADIT_NONE) return false;
    const struct adit_el *el = &b->t->els[item->el];
    if (!adit_block_any_kept(b, el->leaf0, el->leaf1)) return false;
    return item->tag == ADIT_TAG_PRE || item->tag == ADIT_TAG_TABLE ||
           (!b->nest && lists[item->tag]);
}

/* Builds what stands apart in the quote; false: it is text like any. */
static bool build_apart(struct quote *q, const struct adit_el *inner)
{
    end_quote(q);
    size_t from = q->b->n;
    q->b->nest++;
    bool built = adit_build_element(q->b, inner);
    q->b->nest--;
    mark_quoted(q, from);
    return built;
}

bool adit_build_quote(struct adit_builder *b, const struct adit_el *el)
{
    if (!adit_block_any_kept(b, el->leaf0, el->leaf1) || adit_notes_in(b, el->leaf0, el->leaf1))
        return false;
    const struct adit_tape *t = b->t;
    struct quote q = {.b = b, .parts = adit_block_alloc(b, el->leaf1 - el->leaf0, sizeof *q.parts)};
    if (!q.parts) return true;
    uint32_t cite0, cite1, leaf = el->leaf0;
    struct adit_str citation = find_citation(b, el, &cite0, &cite1);
    for (uint32_t i = el->item0 + 1; i < el->item1; i++) {
        const struct adit_item *item = &t->items[i];
        if (is_apart(b, item)) {
            const struct adit_el *inner = &t->els[item->el];
            if (build_apart(&q, inner)) i = inner->item1, leaf = inner->leaf1;
        } else if (item->kind <= ADIT_ITEM_CLOSE && item->tag == ADIT_TAG_BLOCKQUOTE) {
            end_quote(&q);
            q.depth += item->kind == ADIT_ITEM_OPEN ? 1 : UINT32_MAX;
        } else if (adit_item_leaf(item) != ADIT_NONE && item->leaf >= leaf) {
            leaf = item->leaf + 1;
            if (t->leaves[item->leaf].keep && !(item->leaf >= cite0 && item->leaf < cite1))
                add_part(&q, item->leaf);
        }
    }
    end_quote(&q);
    if (q.begun && q.block != b->n && cite0 < cite1 && t->leaves[cite0].keep) {
        add_part(&q, cite0);
        end_quote(&q);
    } else if (q.block) {
        b->v[q.block - 1].detail = citation;
    }
    adit_build_objects(b, el->item0, el->item1);
    return true;
}
