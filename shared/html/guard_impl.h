/* The guard: stands between lexbor's tokenizer and its tree builder and drops what would make the
 * tree builder quadratic. It looks at counts only.
 */
#ifndef ADIT_HTML_GUARD_IMPL_H
#define ADIT_HTML_GUARD_IMPL_H

#include "html/heap_impl.h"

#include <lexbor/html/parser.h>

struct adit_guard {
    lxb_html_tokenizer_t *tkz;
    lxb_html_tree_t *tree;
    const struct adit_heap *heap;
    lxb_html_tokenizer_token_f build; /* the tree builder's own callback */
    lexbor_hash_t *tags, *attrs;      /* tables of names for a closed guard, emptied at will */
    uint64_t work, work_max;          /* steps of the tree builder, estimated */
    uint64_t nodes;                   /* nodes (attributes too) made so far, from above */
    size_t n_containers, n_texts;     /* tags, neither void nor formatting, and texts let through */
    size_t n_events;                  /* beginnings and ends of elements, and texts */
    const lxb_dom_node_t *tail;       /* the text that grew last */
    uint32_t roots;                   /* attributes of all <html> and <body> tags */
    uint32_t n_raw;                   /* closed: elements of text since then */
    lxb_tag_id_t skipped;             /* closed: the element of text that is left out, or 0 */
    uint32_t n_dropped;               /* sum of dropped */
    uint32_t dropped[LXB_TAG__LAST_ENTRY + 1]; /* open tags left out; unknown tags share the last */
    bool apart;                                /* closed: a tag was left out since the last text */
    bool closed;                               /* a budget is used up: no more tags, only text */
    bool cut;                                  /* something was left out */
    bool templates;                            /* there is a <template> */
};

/* Puts the guard between tokenizer and tree of a parser that is about to read len bytes. tags and
 * attrs are spare tables of names. */
void adit_guard_begin(struct adit_guard *g, lxb_html_parser_t *parser, size_t len,
                      lexbor_hash_t *tags, lexbor_hash_t *attrs, const struct adit_heap *heap);
/* Between two pieces of the input. */
void adit_guard_between(struct adit_guard *g);

#endif
