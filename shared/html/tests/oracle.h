/* lexbor as an oracle: the tree that it makes of a page, as text in the form of dump.h, to be
 * compared with ours. Only from <html> on: what stands before is not read by anybody. */
#ifndef ADIT_TESTS_ORACLE_H
#define ADIT_TESTS_ORACLE_H

#include "html/tests/dump.h"

#include <lexbor/dom/dom.h>
#include <lexbor/html/html.h>

static inline bool oracle_keeps(struct adit_str name)
{
    for (size_t i = 0; i < ADIT_ATTR_COUNT; i++)
        if (adit_str_eq(name, adit_str_z(dump_attr_names[i]))) return true;
    return false;
}

static inline struct adit_str oracle_attr_name(const lxb_dom_attr_t *a)
{
    size_t len;
    const lxb_char_t *name = lxb_dom_attr_local_name((lxb_dom_attr_t *)(uintptr_t)a, &len);
    return adit_str_of((const char *)name, len);
}

/* The first attribute of each kept name. */
static inline void oracle_attributes(const lxb_dom_element_t *e, size_t depth, struct adit_buf *out)
{
    struct adit_buf text;
    struct adit_str lines[ADIT_ATTR_COUNT];
    size_t ends[ADIT_ATTR_COUNT], n = 0;
    adit_buf_init(&text, out->mem, 64u << 20);
    for (const lxb_dom_attr_t *a = e->first_attr; a; a = a->next) {
        bool first = oracle_keeps(oracle_attr_name(a));
        for (const lxb_dom_attr_t *b = e->first_attr; first && b != a; b = b->next)
            first = !adit_str_eq(oracle_attr_name(a), oracle_attr_name(b));
        if (!first) continue;
        dump_indent(&text, depth);
        adit_buf_add(&text, oracle_attr_name(a));
        adit_buf_lit(&text, "=\"");
        if (a->value)
            adit_buf_add(&text, adit_str_of((const char *)a->value->data, a->value->length));
        adit_buf_lit(&text, "\"\n");
        ends[n++] = text.len;
    }
    for (size_t i = 0; i < n; i++)
        lines[i] = adit_str_sub(adit_buf_str(&text), i ? ends[i - 1] : 0, ends[i]);
    dump_sorted(out, lines, n);
    adit_buf_free(&text);
}

static inline void oracle_node(lxb_dom_node_t *n, size_t depth, struct adit_buf *out)
{
    const lexbor_str_t *data = &((const lxb_dom_character_data_t *)n)->data;
    size_t len;
    dump_indent(out, depth);
    switch (n->type) {
    case LXB_DOM_NODE_TYPE_TEXT:
        adit_buf_lit(out, "\"");
        adit_buf_add(out, adit_str_of((const char *)data->data, data->length));
        adit_buf_lit(out, "\"\n");
        return;
    case LXB_DOM_NODE_TYPE_COMMENT:
        adit_buf_lit(out, "<!-- ");
        adit_buf_add(out, adit_str_of((const char *)data->data, data->length));
        adit_buf_lit(out, " -->\n");
        return;
    case LXB_DOM_NODE_TYPE_DOCUMENT_FRAGMENT: adit_buf_lit(out, "content\n"); return;
    default: break;
    }
    adit_buf_lit(out, n->ns == LXB_NS_HTML ? "<" : n->ns == LXB_NS_SVG ? "<svg " : "<math ");
    const lxb_char_t *name = lxb_dom_element_local_name((lxb_dom_element_t *)n, &len);
    for (size_t i = 0; i < len; i++) adit_buf_byte(out, adit_lower((char)name[i]));
    adit_buf_lit(out, ">\n");
    oracle_attributes((lxb_dom_element_t *)n, depth + 1, out);
}

/* Where the walk goes on inside n; NULL: nowhere. */
static inline lxb_dom_node_t *oracle_inside(lxb_dom_node_t *n)
{
    if (n->type == LXB_DOM_NODE_TYPE_ELEMENT && n->ns == LXB_NS_HTML &&
        n->local_name == LXB_TAG_TEMPLATE)
        return (lxb_dom_node_t *)((lxb_html_template_element_t *)n)->content;
    return n->first_child;
}

/* False if lexbor cannot. */
static inline bool oracle_tree(struct adit_str page, struct adit_buf *out)
{
    lxb_html_document_t *document = lxb_html_document_create();
    bool done =
        lxb_html_document_parse(document, (const lxb_char_t *)page.p, page.len) == LXB_STATUS_OK;
    lxb_dom_node_t *root = (lxb_dom_node_t *)document->dom_document.element, *n = root;
    lxb_dom_node_t *hosts[1200]; /* the <template>s whose contents we are in */
    size_t depth = 0, n_hosts = 0;
    while (done && n) {
        oracle_node(n, depth, out);
        lxb_dom_node_t *inside = oracle_inside(n);
        if (inside) {
            if (inside->type == LXB_DOM_NODE_TYPE_DOCUMENT_FRAGMENT) {
                if (n_hosts == ADIT_COUNT(hosts))
                    done = false;
                else
                    hosts[n_hosts++] = n;
            }
            n = inside, depth++;
            continue;
        }
        while (n && n != root && !n->next) {
            bool fragment = n->type == LXB_DOM_NODE_TYPE_DOCUMENT_FRAGMENT;
            n = fragment ? hosts[--n_hosts] : n->parent, depth--;
        }
        n = n && n != root ? n->next : NULL;
    }
    lxb_html_document_destroy(document);
    return done;
}

/* Ours, in the same form. */
static inline bool oracle_ours(struct adit_html *p, struct adit_str page, struct adit_buf *out)
{
    if (adit_parse_page(p, page) != ADIT_OK) return false;
    dump_subtree(p, p->dom.html, false, out);
    return true;
}

/* Where lexbor 2.8 leaves the standard and we do not: trees that differ are no news if the page has
 * all the words of a row, in any case. */
static const struct oracle_fault {
    const char *words[3], *why;
} oracle_faults[] = {
    {{"\f"}, "a form feed is not taken for white space"},
    {{"&#x"}, "the same"},
    {{"&#0"}, "the same"},
    {{"&#12"}, "the same"},
    {{"<textarea"}, "formatting elements are copied into it"},
    {{"<image"}, "is lost in a table"},
    {{"<col", "<!doctype"}, "ends a column group"},
    {{"<template", "<col"}, "text in a column group goes, with its white space"},
    {{"<template", "<t"}, "white space in a table of a template copies formatting elements"},
    {{"<frameset", "</html"}, "white space between other text goes"},
    {{"<input", "hidden", "<table"}, "the second of two type attributes counts"},
    {{"<input", "hidden", "<frameset"}, "upper case of hidden counts"},
    {{"<svg", "<sup"}, "stays inside"},
    {{"<math", "<sup"}, "stays inside"},
    {{"<svg", "</body"}, "a comment in an HTML integration point goes behind the body"},
    {{"<svg", "</html"}, "the same"},
    {{"<math", "</body"}, "the same"},
    {{"<math", "</html"}, "the same"},
    {{"<selectedcontent", "<option"}, "we do not copy what is selected into it"},
};

/* lexbor knows elements of SVG and MathML by the rules for HTML's of the same name in some scopes
 * and among implied end tags, and does not know their own borders of scopes around headings. */
static inline bool oracle_mixes_namespaces(const struct adit_html *p)
{
    bool heading = false, border = false;
    for (uint32_t i = 1; i < p->dom.n_nodes; i++) {
        const struct adit_node *n = &p->dom.nodes[i];
        if (n->type != ADIT_NODE_ELEMENT) continue;
        struct open_element e = {.tag = n->tag, .ns = n->ns};
        unsigned scopes = IS_SCOPE | IS_IMPLIED_THOROUGH | IS_TABLE_SCOPE;
        if (n->ns && (tag_flags(n->tag) & scopes)) return true;
        heading |= !n->ns && (tag_flags(n->tag) & IS_HEADING);
        border |= n->ns && adit_open_is_special(&e);
    }
    return heading && border;
}

/* lexbor's adoption agency ignores an end tag without an entry in the list, and leaves elements on
 * the stack that it takes off the list. Either takes three formatting elements (the one that ends,
 * its copy, and one between it and the block, four elements or more below the block), or a marker
 * that is left over. */
static inline bool oracle_formats_much(const struct adit_html *p)
{
    size_t n = 0;
    bool marker = false;
    for (uint32_t i = 1; i < p->dom.n_nodes; i++) {
        const struct adit_node *node = &p->dom.nodes[i];
        if (node->type != ADIT_NODE_ELEMENT || node->ns) continue;
        n += (tag_flags(node->tag) & IS_FORMATTING) != 0;
        marker |= node->tag == ADIT_TAG_OBJECT || node->tag == ADIT_TAG_APPLET ||
                  node->tag == ADIT_TAG_MARQUEE;
    }
    return n >= 3 || (n && marker);
}

/* Whether a difference between the trees of a page, which p has just parsed, has such a reason. A
 * page that ends with the beginning of a declaration has a comment there, which lexbor lacks. */
static inline bool oracle_explains(const struct adit_html *p, struct adit_str page)
{
    size_t open = page.len;
    while (open > 0 && page.len - open < 9 && page.p[open - 1] != '<') open--;
    if (open > 0 && page.p[open - 1] == '<' && open < page.len && page.p[open] == '!') return true;
    if (p->dom.cut || oracle_mixes_namespaces(p) || oracle_formats_much(p)) return true;
    for (size_t i = 0; i < ADIT_COUNT(oracle_faults); i++) {
        bool all = true;
        for (size_t k = 0; all && k < 3 && oracle_faults[i].words[k]; k++) {
            struct adit_str word = adit_str_z(oracle_faults[i].words[k]);
            all = adit_str_ifind(page, word, 0) < page.len;
        }
        if (all) return true;
    }
    return false;
}

/* The line where two texts part: its number, and from where to show them. */
static inline size_t oracle_parting(struct adit_str a, struct adit_str b, size_t *line)
{
    size_t i = 0, start = 0;
    *line = 1;
    for (; i < a.len && i < b.len && a.p[i] == b.p[i]; i++)
        if (a.p[i] == '\n') start = i + 1, ++*line;
    return start;
}

#endif
