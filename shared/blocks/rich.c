/* Texts with their inline structure: the items of kept leaves once more, with links, emphasis, code
 * and images in place. Only for formats that ask; the plain strings are the tape's. */
#include "blocks/blocks_impl.h"

#include <string.h>

enum {
    NEST_MAX = 24,  /* inline elements in one another; the rest is not marked */
    CLIMB_MAX = 24, /* elements around a leaf that are looked at */
    SPAN_COST = 32, /* bytes that a span counts towards ADIT_LIMIT_page_rich */
    NOWHERE = UINT32_MAX
};

/* What span an element is: 1 + its kind; 0: none. */
static const uint8_t kinds[ADIT_TAG_COUNT] = {
    [ADIT_TAG_A] = 1 + ADIT_SPAN_LINK,        [ADIT_TAG_EM] = 1 + ADIT_SPAN_EMPH,
    [ADIT_TAG_I] = 1 + ADIT_SPAN_EMPH,        [ADIT_TAG_CITE] = 1 + ADIT_SPAN_EMPH,
    [ADIT_TAG_DFN] = 1 + ADIT_SPAN_EMPH,      [ADIT_TAG_VAR] = 1 + ADIT_SPAN_EMPH,
    [ADIT_TAG_STRONG] = 1 + ADIT_SPAN_STRONG, [ADIT_TAG_B] = 1 + ADIT_SPAN_STRONG,
    [ADIT_TAG_DEL] = 1 + ADIT_SPAN_STRUCK,    [ADIT_TAG_S] = 1 + ADIT_SPAN_STRUCK,
    [ADIT_TAG_STRIKE] = 1 + ADIT_SPAN_STRUCK, [ADIT_TAG_SUP] = 1 + ADIT_SPAN_SUP,
    [ADIT_TAG_SUB] = 1 + ADIT_SPAN_SUB,       [ADIT_TAG_CODE] = 1 + ADIT_SPAN_CODE,
    [ADIT_TAG_KBD] = 1 + ADIT_SPAN_CODE,      [ADIT_TAG_SAMP] = 1 + ADIT_SPAN_CODE,
    [ADIT_TAG_TT] = 1 + ADIT_SPAN_CODE,
};

/* A text under way. */
struct run {
    struct adit_builder *b;
    const struct adit_rich_range *range;
    char *text;
    size_t base;         /* where the leaf under way begins in text */
    struct adit_space s; /* of the leaf under way */
    uint32_t leaf;       /* it, or ADIT_NONE */
    size_t n_leaves;     /* begun */
    struct adit_span *spans;
    size_t n, cap;
    struct {
        uint32_t node, span;
    } open[NEST_MAX];
    size_t n_open;
};

/* --- spans ------------------------------------------------------------------------------------ */

static bool opens_bracket(struct adit_str text)
{
    text = adit_str_trim(text);
    return text.len && (text.p[0] == '[' || text.p[0] == '(');
}

/* A <cite> with a link and words beside it, be they in elements of their own, is an entry of a
 * bibliography, and one of links in brackets leads to such ("[35, 2]"): neither is the title of a work. */
static bool is_entry(const struct adit_dom *d, uint32_t cite)
{
    enum { LOOK_MAX = 32 };
    bool link = false, words = false;
    uint32_t n = adit_dom_first(d, cite);
    for (int i = 0; n && i < LOOK_MAX; i++, n = d->nodes[n].next) {
        bool a = adit_dom_is(d, n, ADIT_TAG_A);
        uint32_t text = a || adit_dom_is_text(d, n) ? n : adit_dom_first(d, n);
        link |= a;
        if (!a && text && adit_dom_is_text(d, text))
            words |= adit_block_wordy(adit_dom_data(d, text)) ||
                     (i == 0 && opens_bracket(adit_dom_data(d, text)));
    }
    return link && words;
}

static void open_span(struct run *r, uint32_t node, uint16_t tag)
{
    if (!kinds[tag] || r->n_open == NEST_MAX || r->n == r->cap) return;
    if (r->range->plain && kinds[tag] - 1 == ADIT_SPAN_LINK) return;
    if (r->range->bold && kinds[tag] - 1 == ADIT_SPAN_STRONG) return;
    if (tag == ADIT_TAG_CITE && is_entry(r->b->dom, node)) return;
    struct adit_span *s = &r->spans[r->n];
    *s = (struct adit_span){.from = NOWHERE, .kind = (uint8_t)(kinds[tag] - 1)};
    if (s->kind == ADIT_SPAN_LINK) {
        s->url = adit_block_url(r->b, adit_dom_attr(r->b->dom, node, ADIT_ATTR_HREF));
        if (!s->url.len) return;
        if (s->url.p[s->url.len - 1] == '#' && adit_block_same_page(r->b, s->url))
            return; /* to no place */
        s->title = adit_dom_attr(r->b->dom, node, ADIT_ATTR_TITLE);
    }
    r->open[r->n_open].node = node;
    r->open[r->n_open++].span = (uint32_t)r->n++;
}

static uint32_t here(const struct run *r) { return (uint32_t)(r->base + r->s.len); }

static void close_span(struct run *r, uint32_t node)
{
    size_t i = r->n_open;
    while (i && r->open[i - 1].node != node) i--;
    if (!i) return;
    while (r->n_open >= i) r->spans[r->open[--r->n_open].span].to = here(r);
}

static void close_all(struct run *r)
{
    while (r->n_open) r->spans[r->open[--r->n_open].span].to = here(r);
}

/* Spans that wait for their first character begin with it. */
static void begin_spans(struct run *r, uint32_t from)
{
    for (size_t i = r->n_open; i && r->spans[r->open[i - 1].span].from == NOWHERE; i--)
        r->spans[r->open[i - 1].span].from = from;
}

static void put(struct run *r, struct adit_str raw)
{
    size_t before = r->s.len;
    adit_space_add(&r->s, raw);
    if (r->s.len == before) return;
    uint32_t from = (uint32_t)(r->base + before);
    if (r->text[from] == ' ' || r->text[from] == '\n') from++;
    begin_spans(r, from);
}

/* An image in its place: its alt text is the span, which may be empty. */
static void put_image(struct run *r, const struct adit_item *item)
{
    struct adit_str url, alt;
    if (r->n == r->cap || !adit_image_inline(r->b, item, &url, &alt)) {
        adit_space_add(&r->s, ADIT_STR(" ")); /* words around a picture stand apart */
        return;
    }
    if (r->s.pending && r->s.len) r->s.out[r->s.len++] = r->s.pending;
    r->s.pending = 0;
    begin_spans(r, here(r));
    struct adit_span *s = &r->spans[r->n++];
    *s = (struct adit_span){.from = here(r), .kind = ADIT_SPAN_IMAGE, .url = url};
    put(r, alt);
    r->s.pending = 0;
    s->to = here(r);
}

static void put_math(struct run *r, struct adit_str tex, bool display)
{
    if (r->n == r->cap || adit_space_blank(tex)) {
        put(r, tex);
        return;
    }
    size_t before = r->s.len;
    struct adit_span *s = &r->spans[r->n++];
    *s = (struct adit_span){.from = NOWHERE, .kind = ADIT_SPAN_MATH, .display = display};
    put(r, tex);
    s->from = (uint32_t)(r->base + before);
    if (r->text[s->from] == ' ' || r->text[s->from] == '\n') s->from++;
    s->to = here(r);
}

/* The mark of a note. It is no part of the link and not raised once more: writers say what it is. */
static void put_mark(struct run *r, const struct adit_made *made)
{
    for (size_t i = 0; i < r->n_open; i++) {
        struct adit_span *around = &r->spans[r->open[i].span];
        if (around->kind == ADIT_SPAN_LINK || around->kind == ADIT_SPAN_SUP ||
            around->kind == ADIT_SPAN_SUB)
            around->number = 1; /* pack_spans leaves it out */
    }
    size_t before = r->s.len, n = r->n;
    if (n < r->cap) r->n++;
    put(r, made->text);
    if (n == r->cap) return;
    uint32_t from = (uint32_t)(r->base + before);
    if (r->text[from] == ' ' || r->text[from] == '\n') from++;
    r->spans[n] = (struct adit_span){
        .from = from, .to = here(r), .kind = ADIT_SPAN_NOTE, .number = made->note};
}

/* TeX in a text: its marks stand at from and before to. Begins as {0}; the next search is from to. */
struct tex {
    size_t from, to;
    struct adit_str text;
    bool display;
    bool unclosed; /* a mark of two bytes had no end: no further one is looked for */
};

static bool find_marked(struct adit_str s, size_t at, struct tex *x)
{
    const char *end = s.p[at] == '$' ? "$$" : s.p[at + 1] == '(' ? "\\)" : "\\]";
    size_t to = adit_str_find(s, adit_str_z(end), at + 2);
    if (to >= s.len) return false;
    x->from = at, x->to = to + 2;
    x->text = adit_str_sub(s, at + 2, to);
    x->display = end[1] != ')';
    return true;
}

/* What stands between two "$" is TeX if it looks like it: a letter alone, an exponent or index, or a
 * command. Prices and names of variables have none of these. */
static bool is_like_tex(struct adit_str s)
{
    if (s.len == 1) return adit_is_alpha(s.p[0]);
    for (size_t i = 0; i + 1 < s.len; i++)
        if (s.p[i] == '^' || (s.p[i] == '_' && i) || (s.p[i] == '\\' && adit_is_alpha(s.p[i + 1])))
            return true;
    return false;
}

static bool find_dollars(struct adit_str s, size_t at, struct tex *x)
{
    enum { REACH = 300 };
    char before = at ? s.p[at - 1] : ' ';
    if (adit_is_alnum(before) || before == '\\' || before == '_' || adit_is_space(s.p[at + 1]))
        return false;
    size_t to = at + 1;
    while (to < s.len && to < at + REACH && (s.p[to] != '$' || s.p[to - 1] == '\\')) to++;
    if (to >= s.len || s.p[to] != '$' || adit_is_space(s.p[to - 1]) ||
        (to + 1 < s.len && (adit_is_alnum(s.p[to + 1]) || s.p[to + 1] == '$')))
        return false;
    x->from = at, x->to = to + 1;
    x->text = adit_str_sub(s, at + 1, to);
    x->display = false;
    return is_like_tex(x->text);
}

/* The next TeX in s. */
static bool find_tex(struct adit_str s, struct tex *x)
{
    for (size_t at = x->to; at + 2 < s.len; at++) {
        char c = s.p[at], next = s.p[at + 1];
        bool marked = (c == '$' && next == '$') || (c == '\\' && (next == '(' || next == '['));
        if (marked && !x->unclosed && find_marked(s, at, x)) return true;
        if (!marked && c == '$' && find_dollars(s, at, x)) return true;
        if (marked) x->unclosed = true, at++;
    }
    return false;
}

/* A text node, in which a script of the page may find formulas by their marks. */
static void put_text(struct run *r, struct adit_str raw, bool code)
{
    struct tex x = {0};
    size_t at = 0;
    for (; !code && find_tex(raw, &x); at = x.to) {
        put(r, adit_str_sub(raw, at, x.from));
        put_math(r, x.text, x.display);
    }
    put(r, adit_str_sub(raw, at, raw.len));
}

/* --- leaves ----------------------------------------------------------------------------------- */

/* The inline elements that the text node stands in are open from the start. A link may stand around
 * blocks. */
static void open_around(struct run *r, uint32_t text)
{
    const struct adit_dom *d = r->b->dom;
    uint32_t found[NEST_MAX], n = d->nodes[text].parent;
    size_t n_found = 0;
    bool inside = true;
    for (int i = 0; n && i < CLIMB_MAX && n_found < NEST_MAX; i++, n = d->nodes[n].parent) {
        uint16_t tag = adit_dom_tag(d, n);
        if (adit_tag_kinds[tag] & ADIT_TAGKIND_BLOCK) inside = false;
        if (tag == ADIT_TAG_A || (inside && kinds[tag])) found[n_found++] = n;
    }
    while (n_found--) open_span(r, found[n_found], adit_dom_tag(d, found[n_found]));
}

static void begin_leaf(struct run *r, uint32_t leaf, uint32_t text)
{
    close_all(r);
    size_t at = r->base + r->s.len;
    const char *gap = r->range->gaps ? r->range->gaps[r->n_leaves] : r->range->between;
    r->n_leaves++;
    for (const char *p = gap; at && *p; p++) r->text[at++] = *p;
    r->base = at;
    r->s = (struct adit_space){.out = r->text + at};
    r->leaf = leaf;
    open_around(r, text);
}

static bool wanted(const struct run *r, uint32_t leaf)
{
    return leaf != ADIT_NONE && leaf >= r->range->leaf0 && leaf < r->range->leaf1 &&
           (r->range->all || r->b->t->leaves[leaf].keep);
}

static void put_item(struct run *r, const struct adit_item *item)
{
    const struct adit_dom *d = r->b->dom;
    bool running = r->leaf != ADIT_NONE;
    switch (item->kind) {
    case ADIT_ITEM_TEXT:
        if (!wanted(r, item->leaf)) return;
        if (item->leaf != r->leaf) begin_leaf(r, item->leaf, item->node);
        if (item->tag & ADIT_APART) adit_space_add(&r->s, ADIT_STR(" "));
        put_text(r, adit_dom_data(d, item->node), item->tag & ADIT_IN_CODE);
        return;
    case ADIT_ITEM_MADE:
        if (!wanted(r, item->leaf)) return;
        if (item->leaf != r->leaf) begin_leaf(r, item->leaf, item->node);
        if (r->b->t->made[item->tag].note)
            put_mark(r, &r->b->t->made[item->tag]);
        else if (r->b->t->made[item->tag].math)
            put_math(r, r->b->t->made[item->tag].text, r->b->t->made[item->tag].display);
        else
            put(r, r->b->t->made[item->tag].text);
        return;
    case ADIT_ITEM_ALT:
        if (!wanted(r, item->leaf)) return;
        if (item->leaf != r->leaf) begin_leaf(r, item->leaf, item->node);
        put(r, adit_item_alt(d, item->node));
        return;
    case ADIT_ITEM_OPEN:
    case ADIT_ITEM_CLOSE:
        if (!running) return;
        if (item->tag == ADIT_TAG_Q && !item->block)
            put(r, adit_quotes[item->kind == ADIT_ITEM_CLOSE]);
        if (item->kind == ADIT_ITEM_OPEN)
            open_span(r, item->node, item->tag);
        else
            close_span(r, item->node);
        return;
    case ADIT_ITEM_BREAK:
        if (running) adit_space_break(&r->s);
        return;
    case ADIT_ITEM_OBJECT:
        if (running && item->leaf == r->leaf) put_image(r, item);
        return;
    default: return;
    }
}

/* --- all of it -------------------------------------------------------------------------------- */

/* How many formulas have marks in s. */
static size_t count_tex(struct adit_str s)
{
    struct tex x = {0};
    size_t n = 0;
    while (find_tex(s, &x)) n++;
    return n;
}

/* Room that the items take at most, and spans that they may make. */
static size_t measure_range(const struct adit_builder *b, const struct adit_rich_range *range,
                            size_t *spans, size_t *leaves)
{
    const struct adit_tape *t = b->t;
    size_t len = 16;
    uint32_t last = ADIT_NONE;
    for (uint32_t i = range->item0; i < range->item1; i++) {
        const struct adit_item *item = &t->items[i];
        len += 4;
        if (item->kind == ADIT_ITEM_TEXT || item->kind == ADIT_ITEM_ALT ||
            item->kind == ADIT_ITEM_MADE) {
            if (item->leaf == ADIT_NONE) continue;
            struct adit_str said = adit_item_said(t, item);
            len += said.len;
            *spans += item->kind == ADIT_ITEM_MADE ? 1 : count_tex(said);
            *leaves += item->leaf != last, last = item->leaf;
        } else if (item->kind == ADIT_ITEM_OPEN) {
            *spans += kinds[item->tag] != 0;
        } else if (item->kind == ADIT_ITEM_BREAK) {
            *spans += 1; /* no span, but the plain string may have lost the break */
        } else if (item->kind == ADIT_ITEM_OBJECT) {
            *spans += 1;
            len += adit_image_alt(b, item).len;
        }
    }
    return len;
}

/* Spans around a text node: as open_around finds them. */
static bool any_around(const struct adit_builder *b, const struct adit_rich_range *range)
{
    const struct adit_tape *t = b->t;
    for (uint32_t i = range->item0; i < range->item1; i++) {
        if (t->items[i].kind != ADIT_ITEM_TEXT) continue;
        uint32_t n = b->dom->nodes[t->items[i].node].parent;
        if (t->items[i].tag & (ADIT_IN_LINK | ADIT_IN_EMPH | ADIT_IN_CODE)) return true;
        if (kinds[adit_dom_tag(b->dom, n)]) return true;
    }
    return false;
}

/* A link within code cannot be written; one that is all of the code stands around it. */
static void mend_code(struct run *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct adit_span *code = &r->spans[i];
        if (code->kind != ADIT_SPAN_CODE || code->from == NOWHERE) continue;
        bool around = false;
        for (size_t k = i + 1; k < r->n; k++) {
            struct adit_span *in = &r->spans[k];
            if (in->from == NOWHERE) continue;
            if (in->from >= code->to) break;
            if (!around && in->kind == ADIT_SPAN_LINK && in->from == code->from &&
                in->to == code->to) {
                struct adit_span link = *in;
                *in = *code, *code = link;
                code = in, around = true;
            } else if (in->kind != ADIT_SPAN_IMAGE) {
                in->from = NOWHERE;
            }
        }
    }
}

/* Neighbours of the same kind are one: "**a****b**" would not be read. */
static bool goes_on(const struct adit_span *a, const struct adit_span *b)
{
    static const bool joins[ADIT_SPAN_KINDS] = {[ADIT_SPAN_LINK] = true,
                                                [ADIT_SPAN_EMPH] = true,
                                                [ADIT_SPAN_STRONG] = true,
                                                [ADIT_SPAN_STRUCK] = true,
                                                [ADIT_SPAN_CODE] = true};
    if (a->kind != b->kind || a->to != b->from || !joins[a->kind]) return false;
    return a->kind != ADIT_SPAN_LINK || adit_str_eq(a->url, b->url);
}

/* Drops spans without text, and joins neighbours that stand in the same others. Spans are in the
 * order of their beginnings. */
static void pack_spans(struct run *r)
{
    struct adit_span *v = r->spans;
    size_t n = 0, around[NEST_MAX + 1], n_around = 0;
    for (size_t i = 0; i < r->n; i++) {
        struct adit_span s = v[i];
        size_t before = SIZE_MAX; /* the outermost span that has ended here */
        if (s.from == NOWHERE || (s.from >= s.to && s.kind != ADIT_SPAN_IMAGE)) continue;
        if (s.number && s.kind != ADIT_SPAN_NOTE) continue; /* around the mark of a note */
        while (n_around && v[around[n_around - 1]].to <= s.from) before = around[--n_around];
        if (before != SIZE_MAX && goes_on(&v[before], &s))
            v[before].to = s.to;
        else
            v[before = n++] = s;
        if (n_around <= NEST_MAX) around[n_around++] = before;
    }
    r->n = n;
}

static bool is_one_of(struct adit_str s, size_t at, struct adit_str signs)
{
    return at < s.len && adit_str_chr(signs, s.p[at], 0) < signs.len;
}

/* Where the text of a note goes on behind a mark at `at`; at: there is none. "2" is no mark of "2010"
 * or "2nd", but of "2Said", where markup stood between them. */
static size_t behind_mark(const struct run *r, struct adit_str s, size_t at, struct adit_str mark)
{
    size_t from = at, to;
    if (is_one_of(s, from, ADIT_STR("[("))) from++;
    to = from + mark.len;
    if (!mark.len || to >= s.len || !adit_str_starts(adit_str_sub(s, from, s.len), mark)) return at;
    char last = mark.p[mark.len - 1], c = s.p[to];
    bool ends = !adit_is_alnum(last) || !((unsigned char)c >= 0x80 || adit_is_alnum(c)) ||
                (adit_is_digit(last) && c >= 'A' && c <= 'Z');
    for (size_t i = 0; i < r->n && !ends; i++) ends = r->spans[i].to == to;
    if (!ends) return at;
    while (is_one_of(s, to, ADIT_STR("]).: "))) to++;
    return to;
}

/* The text of a note begins behind its mark: "[1] ", "1. ", "^ ". Some have two, for the margin and
 * for the text. */
static void cut_mark(struct run *r, uint16_t note, struct adit_rich *rich)
{
    struct adit_str s = rich->text, mark = r->b->note_marks[note - 1];
    size_t at = 0;
    while (is_one_of(s, at, ADIT_STR("^ "))) at++;
    for (int k = 0; k < 2; k++) at = behind_mark(r, s, at, mark);
    if (at >= s.len) return;
    rich->text = adit_str_sub(s, at, s.len);
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        struct adit_span x = r->spans[i];
        if (x.to <= at && at) continue;
        x.from = x.from > at ? x.from - (uint32_t)at : 0, x.to -= (uint32_t)at;
        r->spans[n++] = x;
    }
    rich->n_spans = r->n = n;
}

bool adit_rich_room(struct adit_builder *b, size_t cost)
{
    if (!b->rich || cost > ADIT_LIMIT_page_rich - b->rich_len) return false;
    b->rich_len += cost;
    return true;
}

static bool begin_run(struct run *r, size_t len, size_t spans, size_t leaves)
{
    struct adit_builder *b = r->b;
    r->cap = spans + leaves * 4;
    if (!adit_rich_room(b, len + r->cap * SPAN_COST)) return false;
    r->spans = adit_block_alloc(b, r->cap ? r->cap : 1, sizeof *r->spans);
    r->text = adit_block_alloc(b, len, 1);
    r->s = (struct adit_space){.out = r->text};
    return r->spans && r->text;
}

bool adit_rich_build(struct adit_builder *b, const struct adit_rich_range *range,
                     struct adit_rich *out)
{
    size_t spans = 0, leaves = 0;
    *out = (struct adit_rich){0};
    if (!b->rich || b->code != ADIT_OK) return false;
    size_t len = measure_range(b, range, &spans, &leaves);
    uint16_t note = range->leaf1 > range->leaf0 ? adit_note_of(b, range->leaf0) : 0;
    if (range->note) note = range->note;
    if (!leaves || (leaves == 1 && !spans && !note && !any_around(b, range))) return false;
    struct run r = {.b = b, .range = range, .leaf = ADIT_NONE};
    if (!begin_run(&r, len, spans, leaves)) return false;
    for (uint32_t i = range->item0; i < range->item1; i++) {
        if (range->skip && b->t->items[i].kind == ADIT_ITEM_OPEN) {
            uint32_t next = range->skip(b, i, range->item1);
            if (next > i) {
                i = next - 1;
                continue;
            }
        }
        put_item(&r, &b->t->items[i]);
    }
    close_all(&r);
    mend_code(&r);
    pack_spans(&r);
    *out = (struct adit_rich){adit_str_of(r.text, here(&r)), r.spans, r.n};
    if (note) cut_mark(&r, note, out);
    return out->text.len > 0 || r.n > 0;
}

const struct adit_rich *adit_block_rich_range(struct adit_builder *b, struct adit_rich_range *range)
{
    const struct adit_leaf *leaves = b->t->leaves;
    uint32_t from = range->leaf0, to = range->leaf1;
    struct adit_rich rich, *kept;
    while (b->rich && from < to && !range->all && !leaves[from].keep) from++;
    while (b->rich && from < to && !range->all && !leaves[to - 1].keep) to--;
    if (!b->rich || from >= to) return NULL;
    range->item0 = leaves[from].item0, range->item1 = leaves[to - 1].item1;
    if (!adit_rich_build(b, range, &rich) || !(kept = adit_block_alloc(b, 1, sizeof *kept)))
        return NULL;
    *kept = rich;
    return kept;
}

const struct adit_rich *adit_block_rich(struct adit_builder *b, uint32_t leaf0, uint32_t leaf1,
                                        bool all)
{
    struct adit_rich_range range = {.leaf0 = leaf0, .leaf1 = leaf1, .all = all, .between = "\n\n"};
    return adit_block_rich_range(b, &range);
}
