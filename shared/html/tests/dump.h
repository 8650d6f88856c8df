/* A tree as text, in the form of html5lib's tests: one line a node, indented by depth; attributes
 * that are kept, sorted. For tests and fuzz targets, which compare trees by it. */
#ifndef ADIT_TESTS_DUMP_H
#define ADIT_TESTS_DUMP_H

#include "html/parse_impl.h"

#include <stdlib.h>

static const char *const dump_attr_names[] = {
#define DUMP_NAME(name, text) text,
    ADIT_ATTRS(DUMP_NAME) PARSE_ATTRS(DUMP_NAME)
#undef DUMP_NAME
};

static inline void dump_indent(struct adit_buf *out, size_t depth)
{
    adit_buf_lit(out, "| ");
    while (depth--) adit_buf_lit(out, "  ");
}

static inline int dump_compare(const void *a, const void *b)
{
    return adit_str_cmp(*(const struct adit_str *)a, *(const struct adit_str *)b);
}

/* Lines of attributes, sorted as bytes. */
static inline void dump_sorted(struct adit_buf *out, struct adit_str *lines, size_t n)
{
    qsort(lines, n, sizeof *lines, dump_compare);
    for (size_t i = 0; i < n; i++) adit_buf_add(out, lines[i]);
}

/* all: also those that only tree construction asks for. The first of each name. */
static inline void dump_attributes(struct adit_html *p, uint32_t node, size_t depth, bool all,
                                   struct adit_buf *out)
{
    struct adit_buf text;
    struct adit_str lines[PARSE_ATTR_COUNT + 8];
    size_t ends[PARSE_ATTR_COUNT + 8], n = 0;
    adit_buf_init(&text, out->mem, 64u << 20);
    bool seen[PARSE_ATTR_COUNT] = {0};
    for (uint32_t i = node_of(p, node)->attrs; i;
         i = p->dom.attrs[i].more & VALUE_MORE ? i + 1 : 0) {
        uint16_t name = p->dom.attrs[i].name;
        if (seen[name] || (!all && name >= ADIT_ATTR_COUNT)) continue;
        seen[name] = true;
        dump_indent(&text, depth);
        adit_buf_lit(&text, dump_attr_names[name]);
        adit_buf_lit(&text, "=\"");
        adit_buf_add(&text, adit_parse_value(p, i));
        adit_buf_lit(&text, "\"\n");
        ends[n++] = text.len;
    }
    for (size_t i = 0; i < n; i++)
        lines[i] = adit_str_sub(adit_buf_str(&text), i ? ends[i - 1] : 0, ends[i]);
    dump_sorted(out, lines, n);
    adit_buf_free(&text);
}

static inline void dump_doctype(struct adit_html *p, uint32_t node, struct adit_buf *out)
{
    const struct adit_node *n = node_of(p, node);
    bool closed = n->at + n->len < p->len;
    struct doctype d = adit_doctype_read(adit_str_of((const char *)p->in + n->at, n->len), closed);
    adit_buf_lit(out, "<!DOCTYPE ");
    for (size_t i = 0; i < d.name.len; i++) adit_buf_byte(out, adit_lower(d.name.p[i]));
    if (d.has_public || d.has_system) {
        adit_buf_lit(out, " \""), adit_buf_add(out, d.public_id), adit_buf_lit(out, "\" \"");
        adit_buf_add(out, d.system_id), adit_buf_lit(out, "\"");
    }
    adit_buf_lit(out, ">\n");
}

static inline void dump_node(struct adit_html *p, uint32_t node, size_t depth, bool all,
                             struct adit_buf *out)
{
    static const char *const spaces[] = {"<", "<svg ", "<math "};
    const struct adit_node *n = node_of(p, node);
    dump_indent(out, depth);
    switch (n->type) {
    case ADIT_NODE_TEXT:
        adit_buf_lit(out, "\"");
        adit_buf_add(out, adit_dom_data(&p->dom, node));
        adit_buf_lit(out, "\"\n");
        break;
    case ADIT_NODE_COMMENT:
        adit_buf_lit(out, "<!-- ");
        adit_buf_add(out, adit_dom_data(&p->dom, node));
        adit_buf_lit(out, " -->\n");
        break;
    case ADIT_NODE_DOCTYPE: dump_doctype(p, node, out); break;
    case ADIT_NODE_DOCUMENT: adit_buf_lit(out, "content\n"); break;
    default:
        adit_buf_lit(out, spaces[n->ns]);
        adit_buf_add(out, adit_dom_name(&p->dom, node));
        adit_buf_lit(out, ">\n");
        dump_attributes(p, node, depth + 1, all, out);
    }
}

static inline bool dump_has_children(const struct adit_node *n)
{
    return (n->type == ADIT_NODE_ELEMENT || n->type == ADIT_NODE_DOCUMENT) && n->first;
}

/* A node and what is below it, in <template>s too. */
static inline void dump_subtree(struct adit_html *p, uint32_t root, bool all, struct adit_buf *out)
{
    size_t depth = 0;
    uint32_t node = root;
    while (node) {
        const struct adit_node *n = node_of(p, node);
        dump_node(p, node, depth, all, out);
        if (n->type == ADIT_NODE_ELEMENT && n->tag == ADIT_TAG_TEMPLATE && !n->ns) {
            node++, depth++; /* its content */
            node_of(p, node)->parent = node - 1;
            continue;
        }
        if (dump_has_children(n)) {
            node = n->first, depth++;
            continue;
        }
        while (node && node != root && !node_of(p, node)->next)
            node = node_of(p, node)->parent, depth--;
        node = node && node != root ? node_of(p, node)->next : 0;
    }
}

/* The whole document. */
static inline void dump_tree(struct adit_html *p, struct adit_buf *out)
{
    for (uint32_t n = p->dom.nodes[0].first; n; n = node_of(p, n)->next)
        dump_subtree(p, n, true, out);
}

#endif
