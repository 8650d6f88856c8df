/* From lexbor's tree to the arrays of html.h. */
#ifndef ADIT_HTML_COPY_IMPL_H
#define ADIT_HTML_COPY_IMPL_H

#include "html/html.h"

#include <lexbor/html/html.h>

/* The arrays of a tree, kept between pages. */
struct adit_copy {
    struct adit_mem mem;
    struct adit_node *nodes;
    struct adit_attribute *attrs;
    const char **slices;
    struct adit_str *names;
    size_t cap_nodes, cap_attrs, cap_slices, cap_names;
    uint32_t n_nodes, n_attrs, n_slices, n_names;
    uint16_t known[LXB_DOM_ATTR__LAST_ENTRY]; /* 1 + enum adit_attr of lexbor's own numbers */
};

/* Fills d's arrays, roots and numbers of rows from a document. Texts, values and names stay where
 * they are in the document. about: how many nodes to expect. False without memory. */
bool adit_copy_tree(struct adit_copy *c, const lxb_html_document_t *document, size_t about,
                    struct adit_dom *d);
/* Bytes that the arrays take. */
size_t adit_copy_held(const struct adit_copy *c);
void adit_copy_free(struct adit_copy *c);

#endif
