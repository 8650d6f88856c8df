/* The walk that writes the tape: iterative, one pass, no allocation a node. */
#include "page/tape.h"

#include "page/space.h"

#include <string.h>

/* --- what each tag is to the walk ------------------------------------------------------------- */

enum {
    BLOCK = 1,   /* ends the running leaf */
    SKIP = 2,    /* nothing of it is content */
    OBJECT = 4,  /* one item; children are not walked */
    LINK = 8,    /* text inside counts as link text */
    EMPH = 16,   /* … as emphasised */
    PRE = 32,    /* white space is kept */
    CLOSED = 64, /* hidden unless it has the attribute `open` */
    VOID = 128   /* no item */
};

static const uint8_t tags[LXB_TAG__LAST_ENTRY] = {
    [LXB_TAG_ADDRESS] = BLOCK,
    [LXB_TAG_ARTICLE] = BLOCK,
    [LXB_TAG_ASIDE] = BLOCK,
    [LXB_TAG_BLOCKQUOTE] = BLOCK,
    [LXB_TAG_BODY] = BLOCK,
    [LXB_TAG_BUTTON] = BLOCK,
    [LXB_TAG_CAPTION] = BLOCK,
    [LXB_TAG_CENTER] = BLOCK,
    [LXB_TAG_DD] = BLOCK,
    [LXB_TAG_DETAILS] = BLOCK,
    [LXB_TAG_DIALOG] = BLOCK | CLOSED,
    [LXB_TAG_DIR] = BLOCK,
    [LXB_TAG_DIV] = BLOCK,
    [LXB_TAG_DL] = BLOCK,
    [LXB_TAG_DT] = BLOCK,
    [LXB_TAG_FIELDSET] = BLOCK,
    [LXB_TAG_FIGCAPTION] = BLOCK,
    [LXB_TAG_FIGURE] = BLOCK,
    [LXB_TAG_FOOTER] = BLOCK,
    [LXB_TAG_FORM] = BLOCK,
    [LXB_TAG_FRAMESET] = BLOCK,
    [LXB_TAG_H1] = BLOCK,
    [LXB_TAG_H2] = BLOCK,
    [LXB_TAG_H3] = BLOCK,
    [LXB_TAG_H4] = BLOCK,
    [LXB_TAG_H5] = BLOCK,
    [LXB_TAG_H6] = BLOCK,
    [LXB_TAG_HEADER] = BLOCK,
    [LXB_TAG_HGROUP] = BLOCK,
    [LXB_TAG_HTML] = BLOCK,
    [LXB_TAG_LEGEND] = BLOCK,
    [LXB_TAG_LI] = BLOCK,
    [LXB_TAG_MAIN] = BLOCK,
    [LXB_TAG_MENU] = BLOCK,
    [LXB_TAG_NAV] = BLOCK,
    [LXB_TAG_NOSCRIPT] = BLOCK,
    [LXB_TAG_OL] = BLOCK,
    [LXB_TAG_OPTGROUP] = BLOCK,
    [LXB_TAG_OPTION] = BLOCK,
    [LXB_TAG_P] = BLOCK,
    [LXB_TAG_SEARCH] = BLOCK,
    [LXB_TAG_SECTION] = BLOCK,
    [LXB_TAG_SUMMARY] = BLOCK,
    [LXB_TAG_TABLE] = BLOCK,
    [LXB_TAG_TBODY] = BLOCK,
    [LXB_TAG_TD] = BLOCK,
    [LXB_TAG_TFOOT] = BLOCK,
    [LXB_TAG_TH] = BLOCK,
    [LXB_TAG_THEAD] = BLOCK,
    [LXB_TAG_TR] = BLOCK,
    [LXB_TAG_UL] = BLOCK,

    [LXB_TAG_LISTING] = BLOCK | PRE,
    [LXB_TAG_PLAINTEXT] = BLOCK | PRE,
    [LXB_TAG_PRE] = BLOCK | PRE,
    [LXB_TAG_XMP] = BLOCK | PRE,

    [LXB_TAG_HR] = OBJECT | BLOCK,
    [LXB_TAG_AUDIO] = OBJECT,
    [LXB_TAG_EMBED] = OBJECT,
    [LXB_TAG_IFRAME] = OBJECT,
    [LXB_TAG_IMG] = OBJECT,
    [LXB_TAG_INPUT] = OBJECT,
    [LXB_TAG_OBJECT] = OBJECT,
    [LXB_TAG_PICTURE] = OBJECT,
    [LXB_TAG_SVG] = OBJECT,
    [LXB_TAG_VIDEO] = OBJECT,

    [LXB_TAG_CANVAS] = SKIP,
    [LXB_TAG_DATALIST] = SKIP,
    [LXB_TAG_HEAD] = SKIP,
    [LXB_TAG_MAP] = SKIP,
    [LXB_TAG_NOEMBED] = SKIP,
    [LXB_TAG_NOFRAMES] = SKIP,
    [LXB_TAG_SCRIPT] = SKIP,
    [LXB_TAG_SELECT] = SKIP,
    [LXB_TAG_STYLE] = SKIP,
    [LXB_TAG_TEMPLATE] = SKIP,
    [LXB_TAG_TEXTAREA] = SKIP,
    [LXB_TAG_TITLE] = SKIP,

    [LXB_TAG_BASE] = VOID,
    [LXB_TAG_LINK] = VOID,
    [LXB_TAG_META] = VOID,
    [LXB_TAG_SOURCE] = VOID,
    [LXB_TAG_TRACK] = VOID,
    [LXB_TAG_WBR] = VOID,

    [LXB_TAG_A] = LINK,
    [LXB_TAG_B] = EMPH,
    [LXB_TAG_EM] = EMPH,
    [LXB_TAG_I] = EMPH,
    [LXB_TAG_STRONG] = EMPH,
};

static uint16_t tag_of(const lxb_dom_node_t *node)
{
    return node->local_name < LXB_TAG__LAST_ENTRY ? (uint16_t)node->local_name : 0;
}

/* --- the walk's state ------------------------------------------------------------------------- */

/* An open element: what its end must restore. */
struct open {
    uint32_t item, el;
    uint8_t in;      /* ADIT_IN_… outside of it */
    bool block, own; /* ends the leaf; has a row in els */
};

struct walk {
    struct adit_tape *t;
    struct adit_arena *arena;
    size_t cap_items, cap_els, cap_leaves, cap_open, n_open;
    struct open *open;
    lxb_dom_attr_id_t aria_hidden, hidden, role, aria_modal, open_attr; /* 0: not on this page */
    uint32_t el;
    uint8_t in;
    bool running; /* the last leaf is not finished */
    bool after_br;
    size_t raw_len;         /* bytes of the running leaf's text nodes, and its breaks */
    struct adit_leaf facts; /* counts since the last leaf ended */
};

/* Room for one more row; arrays double, so that all copying together is linear. */
static bool grow(struct walk *w, void *array, size_t n, size_t *cap, size_t size, size_t first)
{
    if (n < *cap) return true;
    size_t more = *cap ? *cap * 2 : first;
    void *old, *made = adit_arena_alloc(w->arena, more * size);
    if (!made) return false;
    memcpy(&old, array, sizeof old);
    if (n) memcpy(made, old, n * size);
    memcpy(array, &made, sizeof made);
    *cap = more;
    return true;
}

static uint32_t leaves_done(const struct walk *w)
{
    return (uint32_t)(w->t->n_leaves - w->running);
}

static struct adit_item *add_item(struct walk *w, uint8_t kind, lxb_dom_node_t *node)
{
    struct adit_tape *t = w->t;
    if (!grow(w, &t->items, t->n_items, &w->cap_items, sizeof *t->items, 8192)) return NULL;
    struct adit_item *it = &t->items[t->n_items++];
    *it = (struct adit_item){
        .kind = kind, .tag = tag_of(node), .el = w->el, .leaf = leaves_done(w), .node = node};
    return it;
}

/* --- leaves ----------------------------------------------------------------------------------- */

static struct adit_str text_of(const lxb_dom_node_t *node)
{
    const lexbor_str_t *s = &((const lxb_dom_character_data_t *)node)->data;
    return adit_str_of((const char *)s->data, s->length);
}

static const struct adit_str quotes[] = {ADIT_STR_INIT("\xe2\x80\x9c"),
                                         ADIT_STR_INIT("\xe2\x80\x9d")};

static enum adit_code finish_leaf(struct walk *w)
{
    w->after_br = false;
    if (!w->running) {
        w->facts = (struct adit_leaf){0};
        return ADIT_OK;
    }
    struct adit_tape *t = w->t;
    struct adit_leaf *leaf = &t->leaves[t->n_leaves - 1];
    uint32_t el = leaf->el, item0 = leaf->item0, letters = 0;
    *leaf = w->facts;
    leaf->el = el, leaf->item0 = item0, leaf->item1 = (uint32_t)t->n_items;
    leaf->hidden = t->els[el].hidden_up;
    struct adit_space s = {.out = adit_arena_alloc(w->arena, w->raw_len + 8)};
    if (!s.out) return ADIT_ENOMEM;
    for (size_t i = item0; i < leaf->item1; i++) {
        const struct adit_item *it = &t->items[i];
        if (it->kind == ADIT_ITEM_BREAK) {
            adit_space_break(&s);
        } else if (it->kind <= ADIT_ITEM_CLOSE && it->tag == LXB_TAG_Q) {
            adit_space_add(&s, quotes[it->kind == ADIT_ITEM_CLOSE]);
        } else if (it->kind == ADIT_ITEM_ALT) {
            adit_space_add(&s, adit_item_alt(it->node));
        } else if (it->kind == ADIT_ITEM_OBJECT) {
            adit_space_add(&s, ADIT_STR(" ")); /* words around a picture stand apart */
        } else if (it->kind == ADIT_ITEM_TEXT && it->leaf != ADIT_NONE) {
            adit_space_add(&s, text_of(it->node));
            uint32_t more = s.chars + 2 * s.cjk - letters;
            if (it->tag & ADIT_IN_LINK) leaf->len_link += more;
            if (it->tag & ADIT_IN_EMPH) leaf->len_emph += more;
        }
        letters = s.chars + 2 * s.cjk;
    }
    leaf->len = letters, leaf->cjk = s.cjk;
    leaf->text = adit_str_of(s.out, s.len);
    w->running = false, w->raw_len = 0;
    w->facts = (struct adit_leaf){0};
    return ADIT_OK;
}

static enum adit_code begin_leaf(struct walk *w)
{
    struct adit_tape *t = w->t;
    if (!grow(w, &t->leaves, t->n_leaves, &w->cap_leaves, sizeof *t->leaves, 1024))
        return ADIT_ENOMEM;
    t->leaves[t->n_leaves++] = (struct adit_leaf){.el = w->el, .item0 = (uint32_t)t->n_items};
    w->running = true, w->raw_len = 0;
    return ADIT_OK;
}

static enum adit_code add_text(struct walk *w, lxb_dom_node_t *node)
{
    struct adit_str raw = text_of(node);
    bool hidden = w->in & ADIT_IN_HIDDEN;
    if (!hidden && (!w->running || w->after_br) && !adit_space_blank(raw)) {
        w->after_br = false;
        if (!w->running) ADIT_TRY(begin_leaf(w));
    }
    /* White space between blocks says nothing, except in code. */
    if (!w->running && !(w->in & ADIT_IN_PRE)) return ADIT_OK;
    struct adit_item *it = add_item(w, ADIT_ITEM_TEXT, node);
    if (!it) return ADIT_ENOMEM;
    it->tag = w->in;
    it->leaf = w->running && !hidden ? (uint32_t)(w->t->n_leaves - 1) : ADIT_NONE;
    if (it->leaf != ADIT_NONE) w->raw_len += raw.len;
    return ADIT_OK;
}

/* <q> shows quotation marks. */
static enum adit_code add_quote(struct walk *w)
{
    if (w->in & ADIT_IN_HIDDEN) return ADIT_OK;
    if (!w->running) ADIT_TRY(begin_leaf(w));
    w->raw_len += quotes[0].len;
    w->after_br = false;
    return ADIT_OK;
}

static void count(uint16_t *n)
{
    if (*n < UINT16_MAX) ++*n;
}

/* A second <br> with only white space between ends the leaf: it is how old pages write <p>. */
static enum adit_code add_break(struct walk *w, lxb_dom_node_t *node)
{
    if (w->after_br && !(w->in & ADIT_IN_PRE))
        ADIT_TRY(finish_leaf(w));
    else {
        w->after_br = true;
        count(&w->facts.n_br);
    }
    w->raw_len++;
    return add_item(w, ADIT_ITEM_BREAK, node) ? ADIT_OK : ADIT_ENOMEM;
}

/* --- elements --------------------------------------------------------------------------------- */

static struct adit_str value_of(const lxb_dom_attr_t *attr)
{
    if (!attr->value) return (struct adit_str){0};
    return adit_str_of((const char *)attr->value->data, attr->value->length);
}

/* What a style attribute may do to the walk, beside ADIT_HIDDEN_STYLE. */
enum { STYLE_BLOCK = 64, STYLE_INLINE = 128, STYLE_BITS = STYLE_BLOCK | STYLE_INLINE };

static const struct {
    struct adit_str property, value; /* the value's beginning */
    uint8_t bit;
} styles[] = {
    {ADIT_STR_INIT("display"), ADIT_STR_INIT("none"), ADIT_HIDDEN_STYLE},
    {ADIT_STR_INIT("visibility"), ADIT_STR_INIT("hidden"), ADIT_HIDDEN_STYLE},
    {ADIT_STR_INIT("display"), ADIT_STR_INIT("block"), STYLE_BLOCK},
    {ADIT_STR_INIT("display"), ADIT_STR_INIT("flex"), STYLE_BLOCK},
    {ADIT_STR_INIT("display"), ADIT_STR_INIT("grid"), STYLE_BLOCK},
    {ADIT_STR_INIT("display"), ADIT_STR_INIT("table"), STYLE_BLOCK},
    {ADIT_STR_INIT("display"), ADIT_STR_INIT("list-item"), STYLE_BLOCK},
    {ADIT_STR_INIT("display"), ADIT_STR_INIT("inline"), STYLE_INLINE},
};

static uint8_t style_bits(struct adit_str style)
{
    struct adit_str rest = style, part;
    uint8_t bits = 0;
    while (adit_str_split(&rest, ';', &part)) {
        size_t colon = adit_str_chr(part, ':', 0);
        struct adit_str name = adit_str_trim(adit_str_sub(part, 0, colon));
        if (name.len != 7 && name.len != 10) continue;
        struct adit_str value = adit_str_trim(adit_str_sub(part, colon + 1, part.len));
        for (size_t i = 0; i < ADIT_COUNT(styles); i++)
            if (adit_str_ieq(name, styles[i].property) && adit_str_istarts(value, styles[i].value))
                bits |= styles[i].bit;
        if (adit_str_istarts(value, ADIT_STR("inline-"))) bits &= (uint8_t)~STYLE_INLINE;
    }
    return bits;
}

/* Why the element is not seen, and what its style says of its display. */
static uint8_t hidden_bits(const struct walk *w, const lxb_dom_node_t *node, uint16_t tag)
{
    uint8_t bits = tag == LXB_TAG_DIALOG ? ADIT_HIDDEN_DIALOG : 0;
    bool open = false;
    const lxb_dom_attr_t *a = ((const lxb_dom_element_t *)node)->first_attr;
    for (; a; a = a->next) {
        lxb_dom_attr_id_t id = a->node.local_name;
        if (id == LXB_DOM_ATTR_CLASS || id == LXB_DOM_ATTR_HREF || id == LXB_DOM_ATTR_ID) continue;
        struct adit_str v = value_of(a);
        if (id == LXB_DOM_ATTR_STYLE) {
            bits |= style_bits(v);
        } else if (id == w->hidden) {
            /* until-found: a search in the page opens it, so it is content. */
            if (!adit_str_ieq(v, ADIT_STR("until-found"))) bits |= ADIT_HIDDEN_ATTR;
        } else if (id == w->aria_hidden) {
            if (adit_str_ieq(v, ADIT_STR("true"))) bits |= ADIT_HIDDEN_ATTR;
        } else if (id == w->role) {
            if (adit_str_ieq(v, ADIT_STR("dialog")) || adit_str_ieq(v, ADIT_STR("alertdialog")))
                bits |= ADIT_HIDDEN_DIALOG;
        } else if (id == w->aria_modal) {
            if (adit_str_ieq(v, ADIT_STR("true"))) bits |= ADIT_HIDDEN_DIALOG;
        } else if (id == w->open_attr) {
            open = true;
        }
    }
    return tags[tag] & CLOSED && !open ? bits | ADIT_HIDDEN_ATTR : bits;
}

static bool has_block_child(const lxb_dom_node_t *node)
{
    for (const lxb_dom_node_t *c = node->first_child; c; c = c->next)
        if (c->type == LXB_DOM_NODE_TYPE_ELEMENT && tags[tag_of(c)] & BLOCK) return true;
    return false;
}

static enum adit_code add_el(struct walk *w, lxb_dom_node_t *node, uint8_t hidden)
{
    struct adit_tape *t = w->t;
    if (!grow(w, &t->els, t->n_els, &w->cap_els, sizeof *t->els, 2048)) return ADIT_ENOMEM;
    bool root = t->n_els == 0;
    const struct adit_el *up = root ? NULL : &t->els[w->el];
    /* Scripts show a hidden body; nothing would be left of such a page. */
    if (root) hidden = 0;
    t->els[t->n_els] = (struct adit_el){
        .node = lxb_dom_interface_element(node),
        .parent = root ? ADIT_NONE : w->el,
        .leaf0 = leaves_done(w),
        .item0 = (uint32_t)t->n_items,
        .tag = tag_of(node),
        .depth = root ? 0 : (uint16_t)(up->depth + 1),
        .hidden = hidden,
        .hidden_up = hidden | (root ? 0 : up->hidden_up),
    };
    w->el = (uint32_t)t->n_els++;
    return ADIT_OK;
}

static struct adit_str attr_value(const lxb_dom_node_t *node, lxb_dom_attr_id_t id)
{
    const lxb_dom_attr_t *a = ((const lxb_dom_element_t *)node)->first_attr;
    while (a && a->node.local_name != id) a = a->next;
    return a ? value_of(a) : (struct adit_str){0};
}

struct adit_str adit_item_alt(const lxb_dom_node_t *img)
{
    static const struct adit_str classes[] = {ADIT_STR_INIT("emoji"), ADIT_STR_INIT("smiley"),
                                              ADIT_STR_INIT("latex"), ADIT_STR_INIT("mwe-math")};
    struct adit_str class = attr_value(img, LXB_DOM_ATTR_CLASS);
    for (size_t i = 0; i < ADIT_COUNT(classes); i++)
        if (adit_str_ifind(class, classes[i], 0) < class.len)
            return attr_value(img, LXB_DOM_ATTR_ALT);
    return (struct adit_str){0};
}

static enum adit_code add_alt(struct walk *w, lxb_dom_node_t *node, struct adit_str alt)
{
    if (!w->running) ADIT_TRY(begin_leaf(w));
    w->raw_len += alt.len;
    w->after_br = false;
    return add_item(w, ADIT_ITEM_ALT, node) ? ADIT_OK : ADIT_ENOMEM;
}

static enum adit_code add_object(struct walk *w, lxb_dom_node_t *node, uint16_t tag)
{
    struct adit_str alt = tag == LXB_TAG_IMG ? adit_item_alt(node) : (struct adit_str){0};
    uint8_t unseen = ADIT_HIDDEN_ATTR | ADIT_HIDDEN_STYLE;
    if (!adit_space_blank(alt) && !(w->in & ADIT_IN_HIDDEN) &&
        !(hidden_bits(w, node, tag) & unseen))
        return add_alt(w, node, alt);
    if (tags[tag] & BLOCK) ADIT_TRY(finish_leaf(w));
    if (tag == LXB_TAG_INPUT) count(&w->facts.n_input);
    if (tag == LXB_TAG_IMG || tag == LXB_TAG_PICTURE) {
        count(&w->facts.n_img);
        count(&w->t->els[w->el].n_img);
    }
    struct adit_item *it = add_item(w, ADIT_ITEM_OBJECT, node);
    if (!it) return ADIT_ENOMEM;
    w->raw_len++;
    it->block = tags[tag] & BLOCK;
    return ADIT_OK;
}

/* Begins an element whose children will be walked. */
static enum adit_code open_element(struct walk *w, lxb_dom_node_t *node, uint16_t tag)
{
    if (!grow(w, &w->open, w->n_open, &w->cap_open, sizeof *w->open, 64)) return ADIT_ENOMEM;
    struct open *o = &w->open[w->n_open++];
    uint8_t kind = tags[tag], hidden = hidden_bits(w, node, tag);
    bool unseen = hidden & (ADIT_HIDDEN_ATTR | ADIT_HIDDEN_STYLE);
    bool block = kind & BLOCK || hidden & STYLE_BLOCK;
    if (hidden & STYLE_INLINE && (tag == LXB_TAG_DIV || tag == LXB_TAG_P)) block = false;
    hidden &= (uint8_t)~STYLE_BITS;
    bool own = block || has_block_child(node);
    /* Inline text around a hidden container of blocks is not to be mixed with the text in it. */
    *o = (struct open){.el = w->el, .in = w->in, .block = block || (own && unseen), .own = own};
    if (o->block) ADIT_TRY(finish_leaf(w));
    o->item = (uint32_t)w->t->n_items;
    if (o->own) {
        ADIT_TRY(add_el(w, node, hidden));
    } else if (unseen) {
        w->in |= ADIT_IN_HIDDEN;
        w->facts.hidden_inline = true;
    }
    if (kind & LINK) w->in |= ADIT_IN_LINK, count(&w->facts.n_links);
    if (kind & EMPH) w->in |= ADIT_IN_EMPH;
    if (kind & PRE) w->in |= ADIT_IN_PRE;
    if (tag == LXB_TAG_TIME) count(&w->facts.n_time);
    if (tag == LXB_TAG_Q) ADIT_TRY(add_quote(w));
    struct adit_item *it = add_item(w, ADIT_ITEM_OPEN, node);
    if (!it) return ADIT_ENOMEM;
    it->block = o->block;
    it->el = o->own ? w->el : ADIT_NONE;
    return ADIT_OK;
}

static enum adit_code close_element(struct walk *w, lxb_dom_node_t *node)
{
    struct open *o = &w->open[--w->n_open];
    if (tag_of(node) == LXB_TAG_Q) ADIT_TRY(add_quote(w));
    if (o->block) ADIT_TRY(finish_leaf(w));
    struct adit_item *it = add_item(w, ADIT_ITEM_CLOSE, node);
    if (!it) return ADIT_ENOMEM;
    it->block = o->block;
    it->el = ADIT_NONE;
    if (o->own) {
        struct adit_el *el = &w->t->els[w->el];
        it->el = w->el;
        el->leaf1 = (uint32_t)w->t->n_leaves; /* a running leaf lies partly inside */
        el->item1 = (uint32_t)(w->t->n_items - 1);
    }
    w->el = o->el, w->in = o->in;
    return ADIT_OK;
}

/* The node after n in document order, inside root; NULL at the end. */
static lxb_dom_node_t *next_in(lxb_dom_node_t *n, const lxb_dom_node_t *root)
{
    if (n->first_child) return n->first_child;
    while (n && n != root && !n->next) n = n->parent;
    return n && n != root ? n->next : NULL;
}

static bool is_annotation(lxb_dom_node_t *n)
{
    size_t len = 0;
    if (n->type != LXB_DOM_NODE_TYPE_ELEMENT) return false;
    const lxb_char_t *name = lxb_dom_element_local_name(lxb_dom_interface_element(n), &len);
    return adit_str_eq(adit_str_of((const char *)name, len), ADIT_STR("annotation"));
}

/* Formulas are text, wherever they stand: pages hide MathML beside an image of it. The source in an
 * annotation (TeX) is taken if there is one, else all symbols. */
static enum adit_code add_math(struct walk *w, lxb_dom_node_t *math)
{
    lxb_dom_node_t *n, *source = NULL;
    for (n = math->first_child; n && !source; n = next_in(n, math))
        if (is_annotation(n) && n->first_child && n->first_child->type == LXB_DOM_NODE_TYPE_TEXT)
            source = n->first_child;
    uint8_t in = w->in;
    enum adit_code code = ADIT_OK;
    w->in &= (uint8_t)~ADIT_IN_HIDDEN;
    if (source) code = add_text(w, source);
    for (n = math->first_child; !source && n && code == ADIT_OK; n = next_in(n, math))
        if (n->type == LXB_DOM_NODE_TYPE_TEXT) code = add_text(w, n);
    w->in = in;
    return code;
}

/* --- the walk --------------------------------------------------------------------------------- */

/* Handles node; *down: its children come next. */
static enum adit_code visit(struct walk *w, lxb_dom_node_t *node, bool *down)
{
    *down = false;
    if (node->type == LXB_DOM_NODE_TYPE_TEXT || node->type == LXB_DOM_NODE_TYPE_CDATA_SECTION)
        return add_text(w, node);
    if (node->type != LXB_DOM_NODE_TYPE_ELEMENT) return ADIT_OK;
    uint16_t tag = tag_of(node);
    if (tag == LXB_TAG_BR) return add_break(w, node);
    if (tag == LXB_TAG_MATH) return add_math(w, node);
    if (tags[tag] & (SKIP | VOID)) return ADIT_OK;
    if (tags[tag] & OBJECT) return add_object(w, node, tag);
    ADIT_TRY(open_element(w, node, tag));
    *down = true;
    return ADIT_OK;
}

static lxb_dom_attr_id_t attr_id(lxb_dom_document_t *doc, const char *name)
{
    const lxb_dom_attr_data_t *d =
        lxb_dom_attr_data_by_local_name(doc->attrs, (const lxb_char_t *)name, strlen(name));
    return d ? d->attr_id : 0;
}

enum adit_code adit_tape_build(struct adit_tape *t, lxb_dom_node_t *body, struct adit_arena *arena)
{
    *t = (struct adit_tape){.arena = arena};
    lxb_dom_document_t *doc = body->owner_document;
    struct walk w = {
        .t = t,
        .arena = arena,
        .hidden = attr_id(doc, "hidden"),
        .aria_hidden = attr_id(doc, "aria-hidden"),
        .role = attr_id(doc, "role"),
        .aria_modal = attr_id(doc, "aria-modal"),
        .open_attr = attr_id(doc, "open"),
    };
    lxb_dom_node_t *node = body;
    bool down;
    ADIT_TRY(open_element(&w, body, tag_of(body)));
    down = true;
    while (w.n_open) {
        if (down && node->first_child) {
            node = node->first_child;
        } else {
            if (down) ADIT_TRY(close_element(&w, node));
            while (w.n_open && !node->next) {
                node = node->parent;
                ADIT_TRY(close_element(&w, node));
            }
            if (!w.n_open) break;
            node = node->next;
        }
        ADIT_TRY(visit(&w, node, &down));
    }
    return ADIT_OK;
}
