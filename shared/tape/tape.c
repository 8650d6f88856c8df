/* The walk that writes the tape: iterative, one pass, no allocation a node. */
#include "tape/leaf_impl.h"

#include <string.h>

/* --- the walk's state ------------------------------------------------------------------------- */

/* An open element: what its end must restore. */
struct open {
    uint32_t item, el;
    uint8_t in;            /* ADIT_IN_… outside of it */
    bool block, line, own; /* ends the leaf; but for a line of code; has a row in els */
    enum { UNKNOWN, SOME_TEXT, NO_TEXT } text; /* among its children */
};

struct walk {
    struct adit_tape *t;
    struct adit_arena *arena;
    size_t cap_items, cap_els, cap_leaves, cap_open, cap_made, n_open;
    size_t about_items, about_els, about_leaves; /* rows to expect, from the parser's counts */
    struct open *open;
    const struct adit_dom *dom;
    struct adit_classes *classes;
    const struct adit_tape_visitor *visitor; /* may be NULL */
    uint32_t el;
    uint8_t in;
    bool running; /* the last leaf is not finished */
    bool after_br;
    /* The last text, if nothing but ends and beginnings of inline elements came after it: what it
     * stands in, how many elements were open then, and how few since. */
    struct adit_str last;
    uint8_t last_in;
    uint32_t last_node;
    bool struck; /* the running leaf has struck-out text */
    size_t last_open, least_open;
    size_t raw_len; /* bytes of the running leaf's text nodes, and its breaks */
    struct leaf_room room;
    struct adit_leaf facts; /* counts since the last leaf ended */
};

/* From so many bytes on, arrays grow by 1.5 instead of 2, to waste less; adit_tape_build trims them. */
enum { MUCH = 1 << 20 };

/* Room for one more row. Arrays grow by a share of themselves, so that all copying together is
 * linear. */
static bool grow(struct walk *w, void *array, size_t n, size_t *cap, size_t size, size_t first)
{
    if (n < *cap) return true;
    size_t more = *cap ? *cap + (*cap * size < MUCH ? *cap : *cap / 2) : first;
    void *old, *made;
    memcpy(&old, array, sizeof old);
    made = adit_arena_resize(w->arena, old, *cap * size, more * size);
    if (!made) return false;
    memcpy(array, &made, sizeof made);
    *cap = more;
    return true;
}

/* Gives back the room behind the last of n rows. */
static void *trim(struct walk *w, void *array, size_t n, size_t cap, size_t size)
{
    if (cap * size < MUCH) return array; /* not worth a call of the host */
    void *made = adit_arena_resize(w->arena, array, cap * size, n * size);
    return made ? made : array;
}

static void trim_all(struct walk *w)
{
    struct adit_tape *t = w->t;
    t->items = trim(w, t->items, t->n_items, w->cap_items, sizeof *t->items);
    t->els = trim(w, t->els, t->n_els, w->cap_els, sizeof *t->els);
    t->leaves = trim(w, t->leaves, t->n_leaves, w->cap_leaves, sizeof *t->leaves);
}

static uint32_t leaves_done(const struct walk *w)
{
    return (uint32_t)(w->t->n_leaves - w->running);
}

static inline struct adit_item *add_item(struct walk *w, uint8_t kind, uint16_t tag, uint32_t node)
{
    struct adit_tape *t = w->t;
    if (t->n_items == w->cap_items &&
        !grow(w, &t->items, t->n_items, &w->cap_items, sizeof *t->items, w->about_items))
        return NULL;
    struct adit_item *it = &t->items[t->n_items++];
    *it = (struct adit_item){
        .kind = kind, .tag = tag, .el = w->el, .leaf = leaves_done(w), .node = node};
    return it;
}

/* --- leaves ----------------------------------------------------------------------------------- */

static enum adit_code write_leaf(struct walk *w)
{
    struct adit_tape *t = w->t;
    struct adit_leaf *leaf = &t->leaves[t->n_leaves - 1];
    uint32_t el = leaf->el, item0 = leaf->item0;
    *leaf = w->facts;
    leaf->el = el, leaf->item0 = item0, leaf->item1 = (uint32_t)t->n_items;
    leaf->hidden = t->els[el].hidden_up & (unsigned)ADIT_HIDDEN_ALL;
    bool struck = w->struck;
    w->struck = w->running = false;
    return adit_leaf_write(t, leaf, w->raw_len, struck, &w->room);
}

static inline enum adit_code finish_leaf(struct walk *w)
{
    enum adit_code code = w->running ? write_leaf(w) : ADIT_OK;
    w->after_br = false;
    w->last.len = 0;
    w->facts = (struct adit_leaf){0};
    return code;
}

static enum adit_code begin_leaf(struct walk *w)
{
    struct adit_tape *t = w->t;
    if (!grow(w, &t->leaves, t->n_leaves, &w->cap_leaves, sizeof *t->leaves, w->about_leaves))
        return ADIT_ENOMEM;
    t->leaves[t->n_leaves++] = (struct adit_leaf){.el = w->el, .item0 = (uint32_t)t->n_items};
    w->running = true, w->raw_len = 0;
    return ADIT_OK;
}

/* Whether an element holds nothing but elements. Asked once an element. */
static bool is_frame(const struct walk *w, struct open *o)
{
    if (o->text == UNKNOWN) {
        const struct adit_dom *d = w->dom;
        uint32_t n = adit_dom_first(d, w->t->items[o->item].node);
        while (n && (!adit_dom_is_text(d, n) || adit_dom_is_blank(d, n) ||
                     adit_space_blank(adit_dom_data(d, n))))
            n = d->nodes[n].next;
        o->text = n ? SOME_TEXT : NO_TEXT;
    }
    return o->text == NO_TEXT;
}

/* Whether the next text, though nothing stands between, is another word than the last: each is in
 * an element of its own, and those are links, or side by side in one that holds nothing else and
 * do not look like halves of a word; or one of them is only for who hears the page. */
static bool stands_apart(struct walk *w, uint32_t node, struct adit_str text)
{
    if (!w->last.len || w->in & ADIT_IN_PRE) return false;
    if (adit_seam_touch(w->last, text) &&
        (adit_seam_heard(w->dom, w->last_node) || adit_seam_heard(w->dom, node)))
        return true;
    if (w->last_open == w->least_open || w->n_open == w->least_open) return false;
    if (w->in & ADIT_IN_CODE) { /* two keys are two */
        const struct adit_node *nodes = w->dom->nodes;
        uint32_t one = nodes[w->last_node].parent, two = nodes[node].parent;
        return one != two && adit_dom_is(w->dom, one, ADIT_TAG_KBD) &&
               adit_dom_is(w->dom, two, ADIT_TAG_KBD);
    }
    enum adit_seam end = adit_seam_end(w->last), begin = adit_seam_begin(text);
    if (!end || !begin) return false;
    bool outside = !(w->open[w->least_open].in & ADIT_IN_LINK);
    if (outside && w->last_in & w->in & ADIT_IN_LINK) return true;
    return adit_seam_apart(end, begin) && is_frame(w, &w->open[w->least_open - 1]);
}

static enum adit_code add_text(struct walk *w, uint32_t node)
{
    /* White space between blocks says nothing, except in code. */
    bool says_nothing = !w->running && !(w->in & ADIT_IN_PRE);
    if (says_nothing && adit_dom_is_blank(w->dom, node)) return ADIT_OK;
    struct adit_str raw = adit_dom_data(w->dom, node);
    bool hidden =
        w->in & ADIT_IN_HIDDEN || (w->in & ADIT_IN_LINK && adit_item_is_tool(w->dom, node, raw));
    if (!hidden && (!w->running || w->after_br) && !adit_space_blank(raw)) {
        w->after_br = false;
        if (!w->running) ADIT_TRY(begin_leaf(w));
    }
    /* Lines of code that are elements are set in by spaces that do not break. */
    if (!w->running && says_nothing && !(w->in & ADIT_IN_CODE)) return ADIT_OK;
    struct adit_item *it = add_item(w, ADIT_ITEM_TEXT, w->in, node);
    if (!it) return ADIT_ENOMEM;
    it->leaf = w->running && !hidden ? (uint32_t)(w->t->n_leaves - 1) : ADIT_NONE;
    if (it->leaf == ADIT_NONE) return ADIT_OK;
    if (stands_apart(w, node, raw)) it->tag |= ADIT_APART, w->raw_len++;
    w->raw_len += raw.len;
    if (w->in & ADIT_IN_SCRIPT) w->raw_len += 2 * raw.len + 4;
    w->struck |= (w->in & ADIT_IN_STRUCK) != 0;
    w->last = raw, w->last_in = w->in, w->last_node = node;
    w->last_open = w->least_open = w->n_open;
    return ADIT_OK;
}

/* <q> shows quotation marks; one that is a block of its own does without. */
static enum adit_code add_quote(struct walk *w)
{
    if (w->in & ADIT_IN_HIDDEN) return ADIT_OK;
    if (!w->running) ADIT_TRY(begin_leaf(w));
    w->raw_len += adit_quotes[0].len;
    w->after_br = false;
    w->last.len = 0;
    return ADIT_OK;
}

static void count(uint8_t *n)
{
    if (*n < UINT8_MAX) ++*n;
}

/* A second <br> with only white space between ends the leaf: it is how old pages write <p>. */
static enum adit_code add_break(struct walk *w, uint32_t node)
{
    if (w->after_br && !(w->in & ADIT_IN_PRE))
        ADIT_TRY(finish_leaf(w));
    else {
        w->after_br = true;
        count(&w->facts.n_br);
    }
    w->raw_len++;
    w->last.len = 0;
    return add_item(w, ADIT_ITEM_BREAK, ADIT_TAG_BR, node) ? ADIT_OK : ADIT_ENOMEM;
}

/* --- elements --------------------------------------------------------------------------------- */

static bool has_block_child(const struct adit_dom *d, uint32_t node)
{
    for (uint32_t c = adit_dom_first(d, node); c; c = d->nodes[c].next)
        if (adit_tag_kinds[adit_dom_tag(d, c)] & ADIT_TAGKIND_BLOCK) return true;
    return false;
}

static enum adit_code add_el(struct walk *w, uint16_t tag, const struct adit_marks *m,
                             struct adit_class *class)
{
    struct adit_tape *t = w->t;
    if (!grow(w, &t->els, t->n_els, &w->cap_els, sizeof *t->els, w->about_els)) return ADIT_ENOMEM;
    bool root = t->n_els == 0;
    const struct adit_el *up = root ? NULL : &t->els[w->el];
    const struct adit_class *c = adit_class_score(w->classes, class);
    /* Scripts show a hidden body; nothing would be left of such a page. */
    uint8_t hidden = root ? 0 : m->hidden & (uint8_t)~ADIT_STYLE_BITS;
    t->els[t->n_els] = (struct adit_el){
        .parent = root ? ADIT_NONE : w->el,
        .leaf0 = leaves_done(w),
        .item0 = (uint32_t)t->n_items,
        .tag = tag,
        .depth = root ? 0 : (uint16_t)(up->depth + 1),
        .hidden = hidden,
        .hidden_up = hidden | (root ? 0 : up->hidden_up),
        .heading = m->heading,
        .kinds = (uint16_t)m->kinds,
        .class_hash = c->hash,
        .categories =
            c->categories | (m->id.len ? adit_classwords_match(&w->classes->words, m->id) : 0),
    };
    w->el = (uint32_t)t->n_els++;
    return ADIT_OK;
}

static enum adit_code add_alt(struct walk *w, uint32_t node, struct adit_str alt)
{
    if (!w->running) ADIT_TRY(begin_leaf(w));
    w->raw_len += alt.len;
    w->after_br = false;
    w->last.len = 0;
    struct adit_item *it = add_item(w, ADIT_ITEM_ALT, ADIT_TAG_IMG, node);
    if (it) it->leaf = (uint32_t)(w->t->n_leaves - 1);
    return it ? ADIT_OK : ADIT_ENOMEM;
}

static enum adit_code add_object(struct walk *w, uint32_t node, uint16_t tag,
                                 const struct adit_marks *m, uint8_t hints)
{
    bool emoji = tag == ADIT_TAG_IMG && hints & (ADIT_HINT_EMOJI | ADIT_HINT_LONG);
    struct adit_str alt = emoji ? adit_item_alt(w->dom, node) : (struct adit_str){0};
    uint8_t unseen = ADIT_HIDDEN_ATTR | ADIT_HIDDEN_STYLE;
    if (w->in & ADIT_IN_HIDDEN) return ADIT_OK;
    if (!adit_space_blank(alt) && !(m->hidden & unseen)) return add_alt(w, node, alt);
    if (adit_tag_kinds[tag] & ADIT_TAGKIND_BLOCK) ADIT_TRY(finish_leaf(w));
    if (tag == ADIT_TAG_INPUT) count(&w->facts.n_input);
    if (tag == ADIT_TAG_IMG || tag == ADIT_TAG_PICTURE) {
        count(&w->facts.n_img);
        uint16_t *images = &w->t->els[w->el].n_img;
        if (*images < UINT16_MAX) ++*images;
    }
    struct adit_item *it = add_item(w, ADIT_ITEM_OBJECT, tag, node);
    if (!it) return ADIT_ENOMEM;
    w->raw_len++;
    it->block = adit_tag_kinds[tag] & ADIT_TAGKIND_BLOCK;
    return ADIT_OK;
}

/* Whether an inline element right behind a link begins with the link's own text: a card that opens
 * over the link, or the same for other screens. Nobody sees both. */
static bool repeats_link(const struct walk *w, uint32_t node)
{
    enum { STEPS_MAX = 16, LEN_MIN = 3 };
    if (w->last.len < LEN_MIN || !(w->last_in & ADIT_IN_LINK) || w->in & ADIT_IN_LINK) return false;
    uint32_t n = adit_dom_first(w->dom, node);
    for (int k = 0; n && k < STEPS_MAX; k++, n = adit_dom_next(w->dom, n, node, true)) {
        if (!adit_dom_is_text(w->dom, n)) continue;
        struct adit_str text = adit_dom_data(w->dom, n);
        if (!adit_space_blank(text))
            return adit_str_eq(adit_str_trim(text), adit_str_trim(w->last));
    }
    return false;
}

/* What an element is to the text in it. */
static enum adit_code enter(struct walk *w, uint16_t tag, uint16_t kind, bool block)
{
    if (kind & ADIT_TAGKIND_LINK) w->in |= ADIT_IN_LINK, count(&w->facts.n_links);
    if (kind & ADIT_TAGKIND_EMPH) w->in |= ADIT_IN_EMPH;
    if (kind & ADIT_TAGKIND_PRE) w->in |= ADIT_IN_PRE;
    if (kind & ADIT_TAGKIND_CODE) w->in |= ADIT_IN_CODE;
    if (kind & ADIT_TAGKIND_SCRIPT) w->last.len = 0;
    if (tag == ADIT_TAG_SUP || tag == ADIT_TAG_SUB) w->in |= ADIT_IN_SCRIPT;
    if (kind & ADIT_TAGKIND_STRUCK) w->in |= ADIT_IN_STRUCK;
    if (tag == ADIT_TAG_TIME) count(&w->facts.n_time);
    return tag == ADIT_TAG_Q && !block ? add_quote(w) : ADIT_OK;
}

/* Begins an element whose children will be walked. */
static enum adit_code open_element(struct walk *w, uint32_t node, uint16_t tag,
                                   const struct adit_marks *m, struct adit_class *class)
{
    if (!grow(w, &w->open, w->n_open, &w->cap_open, sizeof *w->open, 64)) return ADIT_ENOMEM;
    struct open *o = &w->open[w->n_open++];
    uint16_t kind = adit_tag_kinds[tag];
    bool unseen = m->hidden & (ADIT_HIDDEN_ATTR | ADIT_HIDDEN_STYLE);
    bool block = kind & ADIT_TAGKIND_BLOCK || m->hidden & ADIT_STYLE_BLOCK;
    if (m->hidden & ADIT_STYLE_INLINE && (tag == ADIT_TAG_DIV || tag == ADIT_TAG_P)) block = false;
    /* Highlighters display lines as blocks: all of them are one listing. */
    bool line = w->in & ADIT_IN_PRE && block && !(kind & ADIT_TAGKIND_BLOCK);
    bool own = (block && !line) || has_block_child(w->dom, node);
    /* Inline text around a hidden container of blocks is not to be mixed with the text in it. */
    *o = (struct open){.el = w->el,
                       .in = w->in,
                       .block = block || (own && unseen),
                       .line = line && !own,
                       .own = own};
    if (o->block && !o->line) ADIT_TRY(finish_leaf(w));
    o->item = (uint32_t)w->t->n_items;
    if (o->own) {
        ADIT_TRY(add_el(w, tag, m, class));
    } else if (unseen || repeats_link(w, node)) {
        w->in |= ADIT_IN_HIDDEN;
        w->facts.hidden_inline = true;
    }
    if (kind & ~(unsigned)ADIT_TAGKIND_BLOCK) ADIT_TRY(enter(w, tag, kind, o->block));
    struct adit_item *it = add_item(w, ADIT_ITEM_OPEN, tag, node);
    if (!it) return ADIT_ENOMEM;
    it->block = o->block;
    it->el = o->own ? w->el : ADIT_NONE;
    return ADIT_OK;
}

static enum adit_code close_element(struct walk *w, uint32_t node)
{
    struct open *o = &w->open[--w->n_open];
    if (w->n_open < w->least_open) w->least_open = w->n_open;
    uint16_t tag = adit_dom_tag(w->dom, node);
    if (adit_tag_kinds[tag] & ADIT_TAGKIND_SCRIPT) w->last.len = 0;
    if (tag == ADIT_TAG_Q && !o->block) ADIT_TRY(add_quote(w));
    if (o->block && !o->line) ADIT_TRY(finish_leaf(w));
    struct adit_item *it = add_item(w, ADIT_ITEM_CLOSE, tag, node);
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

/* Whether a formula stands right before: its image repeats it. */
static bool follows_math(const struct adit_tape *t)
{
    size_t i = t->n_items;
    while (i && t->items[i - 1].kind <= ADIT_ITEM_CLOSE) i--;
    return i && t->items[i - 1].kind == ADIT_ITEM_MADE && t->made[t->items[i - 1].tag].math;
}

/* Formulas are text, wherever they stand: pages hide MathML beside an image of it. */
static enum adit_code add_made(struct walk *w, uint32_t node, const struct adit_made *made)
{
    struct adit_tape *t = w->t;
    if (t->n_made == ADIT_MADE_MAX || adit_space_blank(made->text)) return ADIT_OK;
    if (adit_dom_is(w->dom, node, ADIT_TAG_IMG) && w->running && follows_math(t)) return ADIT_OK;
    bool block = adit_tag_kinds[adit_dom_tag(w->dom, node)] & ADIT_TAGKIND_BLOCK;
    if (block) ADIT_TRY(finish_leaf(w));
    if (!grow(w, &t->made, t->n_made, &w->cap_made, sizeof *t->made, 16)) return ADIT_ENOMEM;
    if (!w->running) ADIT_TRY(begin_leaf(w));
    w->raw_len += made->text.len;
    w->after_br = false;
    w->last.len = 0;
    struct adit_item *it = add_item(w, ADIT_ITEM_MADE, (uint16_t)t->n_made, node);
    if (!it) return ADIT_ENOMEM;
    it->leaf = (uint32_t)(t->n_leaves - 1);
    t->made[t->n_made++] = *made;
    return block ? finish_leaf(w) : ADIT_OK;
}

/* --- the walk --------------------------------------------------------------------------------- */

/* An element that is not walked into. */
static enum adit_code pass_by(struct walk *w, uint32_t node, uint16_t tag,
                              const struct adit_marks *m, uint8_t hints)
{
    if (w->visitor) w->visitor->below(w->visitor->ctx, node);
    if (adit_tag_kinds[tag] & ADIT_TAGKIND_VOID) w->last.len = 0; /* <wbr>: one word in two lines */
    return adit_tag_kinds[tag] & ADIT_TAGKIND_OBJECT ? add_object(w, node, tag, m, hints) : ADIT_OK;
}

/* An element that may stand for a text; *done: it does, or repeats one. */
static enum adit_code visit_made(struct walk *w, uint32_t node, uint16_t tag,
                                 const struct adit_marks *m, uint8_t hints, bool *done)
{
    struct adit_made made;
    bool ok = true, unseen = tag == ADIT_TAG_IMG && (m->hidden || w->in & ADIT_IN_HIDDEN);
    *done = !unseen && adit_made_find(w->dom, node, tag, hints, w->arena, &made, &ok);
    if (*done) {
        if (w->visitor) w->visitor->below(w->visitor->ctx, node);
        return add_made(w, node, &made);
    }
    if (!ok) return ADIT_ENOMEM;
    *done = hints & ADIT_HINT_MATH && adit_made_repeats(w->dom, node);
    return *done ? pass_by(w, node, ADIT_TAG_SCRIPT, m, 0) : ADIT_OK;
}

static void show(const struct adit_tape_visitor *v, uint32_t node, uint16_t tag,
                 const struct adit_marks *m, uint8_t hints)
{
    if (v->tags[tag] || hints & v->hints || m->itemprop.len || m->rel.len)
        v->element(v->ctx, node, m, hints);
}

/* Handles node; *down: its children come next. */
static enum adit_code visit(struct walk *w, uint32_t node, bool *down)
{
    *down = false;
    if (adit_dom_is_text(w->dom, node)) return add_text(w, node);
    if (!adit_dom_is_element(w->dom, node)) return ADIT_OK;
    uint16_t tag = adit_dom_tag(w->dom, node), kind = adit_tag_kinds[tag];
    struct adit_marks m;
    adit_marks_read(w->dom, node, tag, &m);
    struct adit_class *class = adit_class_of(w->classes, w->dom, m.class);
    w->t->hints |= class->hints;
    if (w->visitor) show(w->visitor, node, tag, &m, class->hints);
    if (tag == ADIT_TAG_BR) return add_break(w, node);
    if (kind & ADIT_TAGKIND_MADE || class->hints & ADIT_HINT_MATH) {
        bool done;
        enum adit_code code = visit_made(w, node, tag, &m, class->hints, &done);
        if (done || code) return code;
    }
    if (tag == ADIT_TAG_MATH || kind & ADIT_TAGKIND_NOT_WALKED)
        return pass_by(w, node, tag, &m, class->hints);
    if (w->in & (ADIT_IN_CODE | ADIT_IN_PRE)) m.hidden |= adit_hidden_in_code(class->value);
    *down = true;
    return open_element(w, node, tag, &m, class);
}

/* Some more, for tags that the parser adds. */
static size_t about(size_t n) { return n + n / 64 + 16; }

enum adit_code adit_tape_build(struct adit_tape *t, const struct adit_dom *dom,
                               struct adit_classes *classes,
                               const struct adit_tape_visitor *visitor, struct adit_arena *arena)
{
    *t = (struct adit_tape){.dom = dom, .arena = arena};
    struct walk w = {.t = t, .arena = arena, .dom = dom, .classes = classes, .visitor = visitor};
    w.about_items = about(dom->n_events);
    w.about_els = about(dom->n_containers);
    w.about_leaves = about(dom->n_texts < dom->n_containers ? dom->n_texts : dom->n_containers);
    uint32_t node = dom->body;
    struct adit_marks m;
    bool down = true;
    uint16_t tag = adit_dom_tag(dom, node);
    adit_marks_read(dom, node, tag, &m);
    ADIT_TRY(open_element(&w, node, tag, &m, adit_class_of(classes, dom, m.class)));
    while (w.n_open) {
        if (down && dom->nodes[node].first) {
            node = dom->nodes[node].first;
        } else {
            if (down) ADIT_TRY(close_element(&w, node));
            while (w.n_open && !dom->nodes[node].next) {
                node = dom->nodes[node].parent;
                ADIT_TRY(close_element(&w, node));
            }
            if (!w.n_open) break;
            node = dom->nodes[node].next;
        }
        ADIT_TRY(visit(&w, node, &down));
    }
    trim_all(&w);
    return ADIT_OK;
}
