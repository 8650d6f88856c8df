/* The tape: the visible part of <body> in document order, written once by a walk over the DOM and
 * read by everything after it (features, scores, blocks). Internal to page/.
 *
 * - An element table: block-level elements (and inline ones that hold blocks), in document order.
 * - Leaves: runs of inline text between block boundaries; the unit that is scored and kept or
 *   dropped. Leaves below an element are the contiguous range [leaf0, leaf1), so that every sum
 *   over a subtree is a difference of two prefix sums.
 * - Items: the events of the walk. Text items point at DOM text; block building reads them again.
 */
#ifndef ADIT_TAPE_H
#define ADIT_TAPE_H

#include "base/base.h"

#include <lexbor/dom/dom.h>

enum { ADIT_NONE = UINT32_MAX };

enum adit_item_kind {
    ADIT_ITEM_OPEN,  /* an element begins: block-level, or inline of interest (a b i em strong code
                        kbd samp q sub sup del time span …): every element that is not skipped */
    ADIT_ITEM_CLOSE, /* the same element ends */
    ADIT_ITEM_TEXT,  /* a DOM text node, raw (white space not yet collapsed) */
    ADIT_ITEM_BREAK, /* <br> */
    ADIT_ITEM_OBJECT /* img picture svg-with-title video audio iframe embed object hr input math:
                        an element without text of its own; its children are not walked */
};

struct adit_item {
    uint8_t kind; /* enum adit_item_kind */
    bool block;   /* OPEN/CLOSE: the element ends the running leaf */
    uint16_t tag; /* lxb_tag_id_t of the element */
    uint32_t el;  /* OPEN/CLOSE: its row in els, or ADIT_NONE; else: row of the nearest element */
    uint32_t leaf; /* TEXT: its leaf, or ADIT_NONE (white space between blocks). Others: the number
                      of leaves finished or begun before */
    lxb_dom_node_t *node;
};

struct adit_el {
    lxb_dom_element_t *node;
    uint32_t parent; /* ADIT_NONE for body */
    uint32_t leaf0, leaf1;
    uint32_t item0, item1; /* its OPEN and CLOSE items */
    uint16_t tag, depth;
};

struct adit_leaf {
    uint32_t el;           /* owner: element of the leaf's first text */
    uint32_t item0, item1; /* its TEXT items lie in [item0, item1) */
    struct adit_str text;  /* trimmed, white space collapsed, never empty; in the arena */
    bool keep;             /* set by the selection */
};

struct adit_tape {
    struct adit_item *items;
    struct adit_el *els;
    struct adit_leaf *leaves;
    size_t n_items, n_els, n_leaves;
};

/* Walks doc's body. Hidden elements (hidden attribute, aria-hidden=true, inline display:none or
 * visibility:hidden) are not left out here: the element table tells, and the score and the block
 * builder decide. */
enum adit_code adit_tape_build(struct adit_tape *t, lxb_dom_node_t *body, struct adit_arena *arena);

/* Sets keep of every leaf by the scorecard. */
struct adit_page_hints;
enum adit_code adit_tape_select(struct adit_tape *t, const struct adit_page_hints *hints,
                                struct adit_arena *arena);

#endif
