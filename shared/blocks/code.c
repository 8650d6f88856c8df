/* Code: white space exactly as it stands, without line numbers and buttons. */
#include "blocks/blocks_impl.h"
#include "blocks/code_impl.h"
#include "tape/tape.h"

#include <string.h>

/* --- text ------------------------------------------------------------------------------------- */

/* Digits and what may stand beside a line number. */
static bool is_number(struct adit_str s)
{
    bool digit = false;
    for (size_t i = 0; i < s.len; i++) {
        if (adit_is_digit(s.p[i]))
            digit = true;
        else if (!adit_is_space(s.p[i]) && s.p[i] != '.' && s.p[i] != ':' && s.p[i] != '|')
            return false;
    }
    return digit;
}

static const struct adit_str gutters[] = {
    ADIT_STR_INIT("gutter"),     ADIT_STR_INIT("lineno"),   ADIT_STR_INIT("linenum"),
    ADIT_STR_INIT("line-num"),   ADIT_STR_INIT("line_num"), ADIT_STR_INIT("blob-num"),
    ADIT_STR_INIT("ln-num"),     ADIT_STR_INIT("lnt"),      ADIT_STR_INIT("ln"),
    ADIT_STR_INIT("crayon-num"), ADIT_STR_INIT("lineNum"),
};

static bool has_gutter_class(const struct adit_builder *b, uint32_t node)
{
    struct adit_str rest = adit_dom_attr(b->dom, node, ADIT_ATTR_CLASS), token;
    while (adit_block_token(&rest, &token))
        for (size_t i = 0; i < ADIT_COUNT(gutters); i++)
            if (gutters[i].len <= 3 ? adit_str_ieq(token, gutters[i])
                                    : adit_str_ifind(token, gutters[i], 0) < token.len)
                return true;
    return false;
}

/* The item of the end of the element that begins at i. */
static uint32_t end_of(const struct adit_tape *t, uint32_t i, uint32_t end)
{
    if (t->items[i].el != ADIT_NONE) return t->els[t->items[i].el].item1;
    uint32_t node = t->items[i].node;
    while (i < end && !(t->items[i].kind == ADIT_ITEM_CLOSE && t->items[i].node == node)) i++;
    return i;
}

static bool only_numbers(const struct adit_tape *t, uint32_t from, uint32_t to)
{
    bool any = false;
    for (uint32_t i = from; i < to; i++) {
        if (t->items[i].kind != ADIT_ITEM_TEXT) continue;
        struct adit_str s = adit_dom_data(t->dom, t->items[i].node);
        if (adit_space_blank(s)) continue;
        if (!is_number(s)) return false;
        any = true;
    }
    return any;
}

/* A bar above the code: a few words, among them the language, and a button. label gets the words. */
static bool is_bar(const struct adit_builder *b, uint32_t from, uint32_t to, struct adit_str *label)
{
    enum { ITEMS_MAX = 64, LABEL_MAX = 40 };
    const struct adit_item *items = b->t->items;
    bool button = false;
    size_t len = 0;
    if (to - from > ITEMS_MAX) return false;
    for (uint32_t i = from; i < to; i++) {
        if (items[i].kind == ADIT_ITEM_OPEN &&
            (items[i].tag == ADIT_TAG_CODE || items[i].tag == ADIT_TAG_PRE))
            return false;
        if (items[i].kind == ADIT_ITEM_OPEN && items[i].tag == ADIT_TAG_BUTTON) {
            button = true;
            i = end_of(b->t, i, to);
        } else if (items[i].kind == ADIT_ITEM_TEXT) {
            struct adit_str s = adit_str_trim(adit_dom_data(b->dom, items[i].node));
            if (s.len && !len) *label = s;
            len += s.len;
        }
    }
    return button && len <= LABEL_MAX;
}

/* The sign that a shell waits with, in an element of its own. */
static bool is_prompt(const struct adit_builder *b, uint32_t node)
{
    static const struct adit_str names[] = {
        ADIT_STR_INIT("prompt"), ADIT_STR_INIT("gp"), ADIT_STR_INIT("shell-prompt"),
        ADIT_STR_INIT("cmd-prompt"), ADIT_STR_INIT("hljs-prompt")};
    struct adit_str rest = adit_dom_attr(b->dom, node, ADIT_ATTR_CLASS), token;
    while (adit_block_token(&rest, &token))
        if (adit_block_among(token, names, ADIT_COUNT(names))) return true;
    return false;
}

/* Where the element at i ends if it is no part of the code: a line number, a button, a bar of them, a
 * prompt. */
static uint32_t skip_to(const struct adit_builder *b, uint32_t i, uint32_t end)
{
    const struct adit_item *item = &b->t->items[i];
    struct adit_str label;
    bool unseen = item->el != ADIT_NONE &&
                  b->t->els[item->el].hidden & (ADIT_HIDDEN_ATTR | ADIT_HIDDEN_STYLE);
    if (unseen || item->tag == ADIT_TAG_BUTTON || is_prompt(b, item->node))
        return end_of(b->t, i, end);
    if (item->block && item->el != ADIT_NONE && item->tag != ADIT_TAG_TR) {
        uint32_t to = end_of(b->t, i, end);
        if (is_bar(b, i, to, &label)) return to;
    }
    if (item->tag == ADIT_TAG_CODE || item->tag == ADIT_TAG_PRE || !has_gutter_class(b, item->node))
        return i;
    uint32_t to = end_of(b->t, i, end);
    return only_numbers(b->t, i, to) ? to : i;
}

static bool is_line(const struct adit_builder *b, uint32_t node)
{
    struct adit_str rest = adit_dom_attr(b->dom, node, ADIT_ATTR_CLASS), token;
    while (adit_block_token(&rest, &token))
        if (adit_str_ieq(token, ADIT_STR("line")) || adit_str_ieq(token, ADIT_STR("code-line")) ||
            adit_str_ieq(token, ADIT_STR("view-line")))
            return true;
    return false;
}

/* Elements that stand on a line of their own inside code. Cells share their row's line. */
static bool breaks_line(const struct adit_builder *b, const struct adit_item *item, bool spans)
{
    if (item->tag == ADIT_TAG_TD || item->tag == ADIT_TAG_TH || item->tag == ADIT_TAG_TBODY)
        return false;
    return item->block || (spans && item->tag == ADIT_TAG_SPAN && is_line(b, item->node));
}

struct range {
    uint32_t from, to; /* items */
};

struct code {
    char *p;
    size_t len;
    size_t line_at; /* where the text of the line element under way begins; SIZE_MAX: in none */
};

static void new_line(struct code *c)
{
    if (c->len && c->p[c->len - 1] != '\n') c->p[c->len++] = '\n';
}

/* An element on lines of its own begins or ends. One that is called a line is one though empty. */
static void cross_line(struct adit_builder *b, const struct adit_item *item, struct code *c)
{
    bool line = is_line(b, item->node);
    if (item->kind == ADIT_ITEM_OPEN) {
        new_line(c);
        c->line_at = line ? c->len : SIZE_MAX;
    } else if (line && c->line_at == c->len && c->len) {
        c->p[c->len++] = '\n';
    } else {
        new_line(c);
    }
    if (item->kind == ADIT_ITEM_CLOSE) c->line_at = SIZE_MAX;
}

/* Blank lines at the start and white space at the end are no part of the code. */
static struct adit_str trim_code(struct adit_str s)
{
    size_t from = 0;
    for (size_t i = 0; i < s.len && adit_is_space(s.p[i]); i++)
        if (s.p[i] == '\n') from = i + 1;
    while (s.len > from && adit_is_space(s.p[s.len - 1])) s.len--;
    return adit_str_sub(s, from, s.len);
}

/* A pass over the items of code. Line numbers may also be elements without a telling class: text
 * nodes that count 1, 2, 3 at the starts of lines. */
struct code_pass {
    struct code out;
    bool spans;     /* lines are elements: no text has an LF */
    bool uncounted; /* leave counting numbers out */
    uint64_t count; /* the number that was counted last */
    size_t numbers;
};

static bool counts(struct code_pass *c, struct adit_str text)
{
    uint64_t n;
    if (c->out.len && c->out.p[c->out.len - 1] != '\n') return false;
    if (!adit_str_u64(adit_str_trim(text), &n) || (c->numbers && n != c->count + 1)) return false;
    c->count = n, c->numbers++;
    return true;
}

static void put_code(struct adit_builder *b, struct range r, struct code_pass *c)
{
    struct code *out = &c->out;
    bool prompted = false; /* a prompt was left out: so is the space behind it */
    out->len = 0, out->line_at = SIZE_MAX, c->numbers = 0;
    for (uint32_t i = r.from; i < r.to; i++) {
        const struct adit_item *item = &b->t->items[i];
        if (item->kind == ADIT_ITEM_TEXT) {
            struct adit_str text = adit_dom_data(b->dom, item->node);
            if (item->tag & ADIT_IN_HIDDEN || (counts(c, text) && c->uncounted)) continue;
            if (prompted && text.len && text.p[0] == ' ') text = adit_str_sub(text, 1, text.len);
            prompted = false;
            out->len += adit_space_code(out->p + out->len, text);
        } else if (item->kind == ADIT_ITEM_BREAK) {
            out->p[out->len++] = '\n';
        } else if (item->kind != ADIT_ITEM_OBJECT) {
            uint32_t to = item->kind == ADIT_ITEM_OPEN ? skip_to(b, i, r.to) : i;
            prompted |= to != i && is_prompt(b, item->node);
            if (to != i)
                i = to;
            else if (breaks_line(b, item, c->spans))
                cross_line(b, item, out);
        }
    }
}

static size_t count_lines(struct adit_str s)
{
    size_t n = 1;
    for (size_t i = 0; i < s.len; i++) n += s.p[i] == '\n';
    return n;
}

static struct adit_str code_text(struct adit_builder *b, struct range r)
{
    const struct adit_tape *t = b->t;
    struct code_pass c = {.spans = true};
    size_t max = 0;
    for (uint32_t i = r.from; i < r.to; i++) {
        max++;
        if (t->items[i].kind == ADIT_ITEM_BREAK) c.spans = false;
        if (t->items[i].kind != ADIT_ITEM_TEXT) continue;
        struct adit_str s = adit_dom_data(t->dom, t->items[i].node);
        max += s.len;
        if (adit_str_chr(s, '\n', 0) < s.len) c.spans = false;
    }
    if (!(c.out.p = adit_block_alloc(b, max, 1))) return (struct adit_str){0};
    put_code(b, r, &c);
    struct adit_str text = trim_code(adit_str_of(c.out.p, c.out.len));
    if (c.numbers < 3 || c.numbers * 2 < count_lines(text) || is_number(text)) return text;
    c.uncounted = true;
    put_code(b, r, &c);
    return trim_code(adit_str_of(c.out.p, c.out.len));
}

/* A column of line numbers beside the code, each in a <pre> of its own. */
static bool is_gutter(const struct adit_builder *b, const struct adit_el *el, struct adit_str text)
{
    if (!is_number(text)) return false;
    const struct adit_el *els = b->t->els;
    bool cell = false, classed = has_gutter_class(b, adit_el_node(b->t, el));
    for (uint32_t e = el->parent, up = 0; e != ADIT_NONE && up < 3; e = els[e].parent, up++) {
        cell |= els[e].tag == ADIT_TAG_TD;
        classed |= has_gutter_class(b, adit_el_node(b->t, &els[e]));
    }
    return classed || (cell && adit_str_chr(text, '\n', 0) < text.len);
}

/* What stands right above code in a bar of its own: the language, a button. The bar is no text then. */
static struct adit_str take_label(struct adit_builder *b, const struct adit_el *el)
{
    const struct adit_tape *t = b->t;
    struct adit_str label = {0};
    for (uint32_t i = el->item0, e; i-- > 0 && el->item0 - i < 8;) {
        if (t->items[i].kind == ADIT_ITEM_TEXT && t->items[i].leaf != ADIT_NONE) break;
        if (t->items[i].kind != ADIT_ITEM_CLOSE || (e = t->items[i].el) == ADIT_NONE) continue;
        const struct adit_el *bar = &t->els[e];
        if (!is_bar(b, bar->item0, bar->item1, &label) || !adit_code_is_language(label)) break;
        for (uint32_t leaf = bar->leaf0; leaf < bar->leaf1; leaf++)
            if (b->n && b->v[b->n - 1].type == ADIT_TEXT &&
                b->v[b->n - 1].text.p == t->leaves[bar->leaf1 - 1 - (leaf - bar->leaf0)].text.p)
                b->n--;
        return label;
    }
    return (struct adit_str){0};
}

/* The words of a bar within the code. */
static struct adit_str inner_label(const struct adit_builder *b, const struct adit_el *el)
{
    const struct adit_item *items = b->t->items;
    struct adit_str label = {0};
    for (uint32_t i = el->item0 + 1; i < el->item1; i++)
        if (items[i].kind == ADIT_ITEM_OPEN && items[i].block && items[i].el != ADIT_NONE &&
            is_bar(b, i, b->t->els[items[i].el].item1, &label))
            return label;
    return (struct adit_str){0};
}

/* The items that are code: those of the one <code> in el, if what stands outside of it is a word or two
 * in a block above; else all. */
static struct range find_code(const struct adit_builder *b, const struct adit_el *el)
{
    enum { OUTSIDE_MAX = 40 };
    const struct adit_item *items = b->t->items;
    struct range all = {el->item0 + 1, el->item1}, code = {0};
    size_t outside = 0;
    bool block = false;
    for (uint32_t i = all.from; i < all.to; i++) {
        if (items[i].kind == ADIT_ITEM_OPEN && items[i].tag == ADIT_TAG_CODE) {
            if (code.to) return all;
            code = (struct range){i + 1, end_of(b->t, i, all.to)};
            i = code.to;
        } else if (items[i].kind == ADIT_ITEM_TEXT) {
            outside += adit_str_trim(adit_dom_data(b->dom, items[i].node)).len;
            if (outside && code.to) return all;
        } else if (!code.to && outside) {
            block |= items[i].block;
        }
    }
    return code.to && block && outside <= OUTSIDE_MAX ? code : all;
}

/* A text of its own right before code that says nothing but its language. */
static void drop_label(struct adit_builder *b, const struct adit_el *el, struct adit_str lang)
{
    enum { LABEL_BYTES = 20 };
    char name[LABEL_BYTES];
    const struct adit_leaf *leaf = el->leaf0 ? &b->t->leaves[el->leaf0 - 1] : NULL;
    struct adit_block *last = b->n ? &b->v[b->n - 1] : NULL;
    if (!lang.len || !leaf || !last || last->type != ADIT_TEXT || last->text.p != leaf->text.p)
        return;
    if (leaf->text.len > LABEL_BYTES || leaf->el != el->parent) return;
    for (size_t i = 0; i < leaf->text.len; i++) name[i] = adit_lower(leaf->text.p[i]);
    if (!adit_str_eq(adit_code_common_name(adit_str_of(name, leaf->text.len)), lang)) return;
    if (last->apart) b->apart = true, b->voice = last->voice;
    b->n--;
}

/* Whether an element of an editor or a highlighter is a line of code. */
static bool is_code_line(const struct adit_builder *b, const struct adit_el *el)
{
    static const struct adit_str names[] = {
        ADIT_STR_INIT("cm-line"),  ADIT_STR_INIT("CodeMirror-line"), ADIT_STR_INIT("view-line"),
        ADIT_STR_INIT("ace_line"), ADIT_STR_INIT("crayon-line"),     ADIT_STR_INIT("code-line"),
    };
    struct adit_str rest = adit_el_attr(b, el, ADIT_ATTR_CLASS), token;
    bool line = false, number = false;
    while (adit_block_token(&rest, &token)) {
        if (adit_block_among(token, names, ADIT_COUNT(names))) return true;
        line |= adit_str_ieq(token, ADIT_STR("line"));
        number |= adit_str_istarts(token, ADIT_STR("number"));
    }
    return line && number;
}

/* A line of an editor that gives each a <pre>: the lines behind it are one listing with it. They are
 * children of one element, or each of a child of it with its number. */
static bool build_pre_lines(struct adit_builder *b, const struct adit_el *el)
{
    const struct adit_tape *t = b->t;
    if (el->item0 < b->lines_end) return true;
    if (!is_code_line(b, el)) return false;
    const struct adit_el *all = &t->els[el->parent];
    if (all->leaf1 == el->leaf1 && all->parent != ADIT_NONE) all = &t->els[all->parent];
    uint32_t z = el->leaf1, end = el->item1;
    for (; z < all->leaf1; z++) {
        const struct adit_el *own = &t->els[t->leaves[z].el];
        if (own->tag == ADIT_TAG_PRE && is_code_line(b, own))
            end = own->item1;
        else if (!is_number(t->leaves[z].text) || !has_gutter_class(b, adit_el_node(t, own)))
            break;
    }
    struct adit_str text = code_text(b, (struct range){el->item0 + 1, end});
    b->lines_end = end;
    if (!text.len) return true;
    struct adit_block *block = adit_block_add(b, ADIT_CODE);
    block->text = text;
    block->detail = adit_code_language(b, adit_el_node(t, el), (struct adit_str){0});
    block->note = adit_note_of(b, el->leaf0);
    return true;
}

bool adit_build_code(struct adit_builder *b, const struct adit_el *el)
{
    if (!adit_block_any_kept(b, el->leaf0, el->leaf1)) return false;
    if (build_pre_lines(b, el)) return true;
    struct adit_str text = code_text(b, find_code(b, el));
    if (text.len && !is_gutter(b, el, text)) {
        struct adit_str label = inner_label(b, el), above = take_label(b, el);
        struct adit_str lang =
            adit_code_language(b, adit_el_node(b->t, el), label.len ? label : above);
        drop_label(b, el, lang);
        struct adit_block *block = adit_block_add(b, ADIT_CODE);
        block->text = text;
        block->detail = lang;
        block->note = adit_note_of(b, el->leaf0);
    }
    return true;
}

bool adit_is_code_list(const struct adit_builder *b, const struct adit_el *el)
{
    struct adit_str rest = adit_el_attr(b, el, ADIT_ATTR_CLASS), token;
    while (adit_block_token(&rest, &token))
        if (adit_str_starts(token, ADIT_STR("dp-")) || adit_str_eq(token, ADIT_STR("linenums")))
            return true;
    return false;
}

/* The <code> that all text of a leaf stands in; 0: there is none. */
static uint32_t code_around(const struct adit_builder *b, const struct adit_leaf *leaf)
{
    uint32_t code = 0;
    for (uint32_t i = leaf->item0; i < leaf->item1; i++) {
        const struct adit_item *item = &b->t->items[i];
        if (adit_item_leaf(item) == ADIT_NONE || adit_space_blank(adit_item_said(b->t, item)))
            continue;
        uint32_t n = b->dom->nodes[item->node].parent;
        while (n && !adit_dom_is(b->dom, n, ADIT_TAG_CODE) &&
               !(adit_tag_kinds[adit_dom_tag(b->dom, n)] & ADIT_TAGKIND_BLOCK))
            n = b->dom->nodes[n].parent;
        if (!adit_dom_is(b->dom, n, ADIT_TAG_CODE) || (code && n != code)) return 0;
        code = n;
    }
    return code;
}

/* A leaf that is a line of code: all lines beside it are one listing, in which leaves say nothing any
 * more. A number in a gutter beside them is left out. */
static bool build_lines(struct adit_builder *b, const struct adit_leaf *leaf)
{
    enum { NUMBER_BYTES = 6 };
    const struct adit_el *els = b->t->els, *line = &els[leaf->el];
    if (leaf->item0 < b->lines_end) return true;
    if (line->tag != ADIT_TAG_DIV) return false;
    if (leaf->text.len <= NUMBER_BYTES && is_number(leaf->text))
        return has_gutter_class(b, adit_el_node(b->t, line)) ||
               has_gutter_class(b, adit_el_node(b->t, &els[line->parent]));
    if (!is_code_line(b, line)) return false;
    const struct adit_el *all = &els[line->parent];
    uint32_t kept = b->kept[all->leaf1] - b->kept[all->leaf0];
    if (all->leaf1 - all->leaf0 < 2 || kept < (b->letters[all->leaf1] - b->letters[all->leaf0]) / 2)
        return false;
    struct adit_str text = code_text(b, (struct range){all->item0 + 1, all->item1});
    if (!text.len) return false;
    struct adit_block *block = adit_block_add(b, ADIT_CODE);
    block->text = text;
    block->detail = adit_code_language(b, adit_el_node(b->t, all), (struct adit_str){0});
    b->lines_end = all->item1;
    return true;
}

bool adit_build_code_leaf(struct adit_builder *b, uint32_t leaf)
{
    static const struct adit_str names[] = {ADIT_STR_INIT("block"), ADIT_STR_INIT("code-block"),
                                            ADIT_STR_INIT("codeblock")};
    const struct adit_leaf *l = &b->t->leaves[leaf];
    if (build_lines(b, l)) return true;
    bool first = b->t->items[l->item0].kind == ADIT_ITEM_TEXT;
    if (!first || !(b->t->items[l->item0].tag & ADIT_IN_CODE)) return false;
    uint32_t code = code_around(b, l);
    struct adit_str rest = adit_dom_attr(b->dom, code, ADIT_ATTR_CLASS), token;
    bool named = false;
    while (code && adit_block_token(&rest, &token))
        named |= adit_block_among(token, names, ADIT_COUNT(names));
    if (!code) return false;
    struct adit_str text = code_text(b, (struct range){l->item0, l->item1});
    if (!text.len || (!named && adit_str_chr(text, '\n', 0) == text.len)) return false;
    struct adit_block *block = adit_block_add(b, ADIT_CODE);
    block->text = text;
    block->detail = adit_code_language(b, code, (struct adit_str){0});
    return true;
}
