/* The guard: stands between lexbor's tokenizer and its tree builder and drops what would make the
 * tree builder quadratic. It looks at counts only. Internal to html/.
 */
#ifndef ADIT_GUARD_H
#define ADIT_GUARD_H

#include "html/heap.h"

#include <lexbor/html/parser.h>

struct adit_guard {
    lxb_html_tokenizer_t *tkz;
    lxb_html_tree_t *tree;
    const struct adit_heap *heap;
    lxb_html_tokenizer_token_f build; /* the tree builder's own callback */
    uint64_t work, work_max;          /* steps of the tree builder, estimated; then no tags */
    uint64_t nodes;                   /* nodes made so far, estimated from above */
    uint32_t roots;                   /* <html> and <body> tags */
    uint32_t n_dropped;               /* sum of dropped */
    uint32_t dropped[LXB_TAG__LAST_ENTRY + 1]; /* open tags left out; unknown tags share the last */
    bool cut;
};

/* Puts the guard between tokenizer and tree of a parser that is about to read len bytes. */
void adit_guard_begin(struct adit_guard *g, lxb_html_parser_t *parser, size_t len,
                      const struct adit_heap *heap);
/* Between two pieces of the input. */
void adit_guard_between(struct adit_guard *g);

#endif
