/* html: from UTF-8 bytes to a tree, by the WHATWG standard, whatever the bytes are.
 *
 * The tree is what a browser without scripting builds: the content of <noscript> is parsed as
 * elements. Only what a page sends in pieces is put in its places (pieces.c). Time is linear in the
 * input and memory is bounded: what would take too much is left out (limits.c). What is left out
 * depends on counts alone (bytes, steps, depth, attributes, nodes), so that native and WASM trees
 * are the same.
 *
 * The tree is arrays: nodes are rows of one, attributes rows of another, and a node is known by its
 * number. The content of <template> hangs apart from the tree and is never met by adit_dom_next.
 */
#ifndef ADIT_HTML_H
#define ADIT_HTML_H

#include "html/tags_impl.h"

#include "base/base.h"
#include "http/http.h"

/* Attributes that some part of adit reads: all others are left out of the tree. Add a row to read
 * another one. */
#define ADIT_ATTRS(X)                         \
    X(ALT, "alt")                             \
    X(ALTTEXT, "alttext")                     \
    X(ARIA_DESCRIBEDBY, "aria-describedby")   \
    X(ARIA_HIDDEN, "aria-hidden")             \
    X(ARIA_LABEL, "aria-label")               \
    X(ARIA_LABELLEDBY, "aria-labelledby")     \
    X(ARIA_LEVEL, "aria-level")               \
    X(ARIA_MODAL, "aria-modal")               \
    X(CHARSET, "charset")                     \
    X(CITE, "cite")                           \
    X(CLASS, "class")                         \
    X(COLSPAN, "colspan")                     \
    X(CONTENT, "content")                     \
    X(CONTROLS, "controls")                   \
    X(DATA, "data")                           \
    X(DATA_ACTUALSRC, "data-actualsrc")       \
    X(DATA_CALLOUT, "data-callout")           \
    X(DATA_CFEMAIL, "data-cfemail")           \
    X(DATA_DEFINITION, "data-definition")     \
    X(DATA_ECHO, "data-echo")                 \
    X(DATA_FOOTNOTE, "data-footnote")         \
    X(DATA_FULL_SRC, "data-full-src")         \
    X(DATA_HI_RES_SRC, "data-hi-res-src")     \
    X(DATA_IMAGE, "data-image")               \
    X(DATA_IMAGE_LOADER, "data-image-loader") \
    X(DATA_IMAGE_SRC, "data-image-src")       \
    X(DATA_IMG_SRC, "data-img-src")           \
    X(DATA_LANG, "data-lang")                 \
    X(DATA_LANGUAGE, "data-language")         \
    X(DATA_LARGE_FILE, "data-large-file")     \
    X(DATA_LATEX, "data-latex")               \
    X(DATA_LAZY, "data-lazy")                 \
    X(DATA_LAZYLOAD, "data-lazyload")         \
    X(DATA_LAZY_SRC, "data-lazy-src")         \
    X(DATA_LAZY_SRCSET, "data-lazy-srcset")   \
    X(DATA_MATH, "data-math")                 \
    X(DATA_NOTE, "data-note")                 \
    X(DATA_ORIG_FILE, "data-orig-file")       \
    X(DATA_ORIGINAL, "data-original")         \
    X(DATA_ORIGINAL_SRC, "data-original-src") \
    X(DATA_SRC, "data-src")                   \
    X(DATA_SRCSET, "data-srcset")             \
    X(DATA_TEX, "data-tex")                   \
    X(DATA_URL, "data-url")                   \
    X(DATETIME, "datetime")                   \
    X(DIR, "dir")                             \
    X(DISPLAY, "display")                     \
    X(HEIGHT, "height")                       \
    X(HIDDEN, "hidden")                       \
    X(HREF, "href")                           \
    X(HREFLANG, "hreflang")                   \
    X(HTTP_EQUIV, "http-equiv")               \
    X(ID, "id")                               \
    X(ITEMPROP, "itemprop")                   \
    X(ITEMSCOPE, "itemscope")                 \
    X(ITEMTYPE, "itemtype")                   \
    X(KIND, "kind")                           \
    X(LABEL, "label")                         \
    X(LANG, "lang")                           \
    X(LINETHICKNESS, "linethickness")         \
    X(MATHVARIANT, "mathvariant")             \
    X(MEDIA, "media")                         \
    X(NAME, "name")                           \
    X(ONCLICK, "onclick")                     \
    X(OPEN, "open")                           \
    X(POSTER, "poster")                       \
    X(PROPERTY, "property")                   \
    X(PUBDATE, "pubdate")                     \
    X(REL, "rel")                             \
    X(REVERSED, "reversed")                   \
    X(ROLE, "role")                           \
    X(ROWSPAN, "rowspan")                     \
    X(SCOPE, "scope")                         \
    X(SRC, "src")                             \
    X(SRCDOC, "srcdoc")                       \
    X(SRCLANG, "srclang")                     \
    X(SRCSET, "srcset")                       \
    X(START, "start")                         \
    X(STYLE, "style")                         \
    X(SUMMARY, "summary")                     \
    X(TITLE, "title")                         \
    X(TYPE, "type")                           \
    X(VALUE, "value")                         \
    X(VIDEOID, "videoid")                     \
    X(WIDTH, "width")                         \
    X(XML_LANG, "xml:lang")

enum adit_attr {
#define ADIT_ATTR_ENUM(name, text) ADIT_ATTR_##name,
    ADIT_ATTRS(ADIT_ATTR_ENUM)
#undef ADIT_ATTR_ENUM
        ADIT_ATTR_COUNT
};

enum adit_node_type {
    ADIT_NODE_DOCUMENT,
    ADIT_NODE_ELEMENT, /* these two have children */
    ADIT_NODE_TEXT,
    ADIT_NODE_COMMENT,
    ADIT_NODE_DOCTYPE
};

enum adit_ns { ADIT_NS_HTML, ADIT_NS_SVG, ADIT_NS_MATH };

/* A node of the tree. Neighbours are numbers; 0 is the document, and as a neighbour "none". */
struct adit_node {
    uint32_t parent, prev, next;
    union {
        struct {
            uint32_t first, last, attrs; /* element: its children, and its first attribute */
        };
        struct {
            uint32_t at, len, more; /* text, comment: where its bytes are; ask adit_dom_data */
        };
    };
    uint16_t tag; /* enum adit_tag; from ADIT_TAG_COUNT on: a name that only this page has */
    uint8_t type; /* enum adit_node_type */
    uint8_t ns;   /* enum adit_ns */
};

_Static_assert(sizeof(struct adit_node) == 28, "pages may have hundreds of thousands of these");

/* An attribute. Those of an element stand side by side, as in its tag. */
struct adit_attribute {
    uint32_t at, len; /* where its value is; ask adit_attr_value */
    uint16_t name;    /* enum adit_attr */
    uint16_t more;    /* bit 0: another one of the same element follows; others: the parser's */
};

/* A parsed page. Everything in it lives until the parser's next page. */
struct adit_dom {
    struct adit_node *nodes;      /* nodes[0] is the document */
    struct adit_attribute *attrs; /* attrs[0] is not used: 0 is "none" */
    struct adit_html *parser;     /* knows what texts and values say */
    uint32_t n_nodes, n_attrs;
    uint32_t html, head, body; /* never 0; body may be a <frameset> */
    bool cut;                  /* a limit left something out of the tree */
    /* About so many, for who needs room for them: elements that are neither void nor formatting;
     * texts; beginnings and ends of elements, and texts. */
    size_t n_containers, n_texts, n_events;
};

/* The parser: one a thread, reused between pages. */
struct adit_html;

struct adit_html *adit_html_new(struct adit_mem mem); /* NULL: no memory */
void adit_html_free(struct adit_html *h);

/* Parses a whole page, whose bytes must outlive the tree: texts and values are slices of them, unless
 * there are references to decode. ADIT_ELIMIT: more than ADIT_LIMIT_page_bytes; ADIT_ENOMEM. After an
 * error there is no page, and the parser can be used again. */
enum adit_code adit_html_parse(struct adit_html *h, struct adit_str utf8,
                               const struct adit_dom **dom);

/* Gives the memory of the tree back; texts and values that were taken stay until the next page. */
void adit_html_drop_tree(struct adit_html *h);
/* Forgets the page and gives its memory back. */
void adit_html_rest(struct adit_html *h);

/* Texts and values are decoded when they are taken; without memory for that they are empty, and this
 * says so: ADIT_OK, or why what was read of the page is not all of it. */
enum adit_code adit_dom_code(const struct adit_dom *d);

/* --- reading the tree ------------------------------------------------------------------------- */

static inline bool adit_dom_is_element(const struct adit_dom *d, uint32_t node)
{
    return d->nodes[node].type == ADIT_NODE_ELEMENT;
}
static inline bool adit_dom_is_text(const struct adit_dom *d, uint32_t node)
{
    return d->nodes[node].type == ADIT_NODE_TEXT;
}
/* An HTML (not SVG, MathML) element of this tag. */
static inline bool adit_dom_is(const struct adit_dom *d, uint32_t node, enum adit_tag tag)
{
    return d->nodes[node].tag == tag && d->nodes[node].ns == ADIT_NS_HTML;
}
/* Its tag, ADIT_TAG_NONE if unknown. */
static inline uint16_t adit_dom_tag(const struct adit_dom *d, uint32_t node)
{
    return d->nodes[node].tag < ADIT_TAG_COUNT ? d->nodes[node].tag : ADIT_TAG_NONE;
}
/* Its first child, 0 if it has none. */
static inline uint32_t adit_dom_first(const struct adit_dom *d, uint32_t node)
{
    return d->nodes[node].type <= ADIT_NODE_ELEMENT ? d->nodes[node].first : 0;
}
/* The name of an element, in lower case. */
struct adit_str adit_dom_name(const struct adit_dom *d, uint32_t node);
/* What a text or comment says. */
struct adit_str adit_dom_data(const struct adit_dom *d, uint32_t node);
/* A text that has bytes of its own says these instead, which must outlive the tree. */
void adit_dom_share(const struct adit_dom *d, uint32_t node, char *p, size_t len);
/* Whether a text is white space as it is written; that costs less than to take it. A text that was put
 * together, or says it by references, may be blank, too. */
bool adit_dom_is_blank(const struct adit_dom *d, uint32_t node);
/* Where a text stands in the page's bytes, as it is written there; of a text that was put together of
 * several pieces, the first one. */
static inline struct adit_str adit_dom_place(const struct adit_dom *d, uint32_t node,
                                             struct adit_str page)
{
    const struct adit_node *n = &d->nodes[node];
    return n->type == ADIT_NODE_TEXT ? adit_str_sub(page, n->at, n->at + n->len)
                                     : (struct adit_str){0};
}

/* The attributes of an element, one after the other: first and next number, 0 at the end. */
static inline uint32_t adit_attr_first(const struct adit_dom *d, uint32_t element)
{
    return d->nodes[element].attrs;
}
static inline uint32_t adit_attr_next(const struct adit_dom *d, uint32_t attr)
{
    return d->attrs[attr].more & 1 ? attr + 1 : 0;
}
/* The number of an attribute of node; 0 if it has none (or is no element). */
static inline uint32_t adit_attr_find(const struct adit_dom *d, uint32_t node, enum adit_attr attr)
{
    uint32_t a = adit_dom_is_element(d, node) ? adit_attr_first(d, node) : 0;
    while (a && d->attrs[a].name != attr) a = adit_attr_next(d, a);
    return a;
}
struct adit_str adit_attr_value(const struct adit_dom *d, uint32_t attr);
/* The bytes of the value in the page, with its references: those of adit_attr_value if there is nothing
 * to decode. {NULL, 0} if it was decoded before. */
struct adit_str adit_attr_written(const struct adit_dom *d, uint32_t attr);
/* Value of an element's attribute; empty if it has none (or node is no element). */
struct adit_str adit_dom_attr(const struct adit_dom *d, uint32_t node, enum adit_attr attr);
bool adit_dom_has(const struct adit_dom *d, uint32_t node, enum adit_attr attr);
/* Whether the value of an element's attribute may have the byte: true also if it has references. That
 * costs less than to take it. */
bool adit_dom_may_say(const struct adit_dom *d, uint32_t node, enum adit_attr attr, char byte);

/* The node after `node` in document order within root; 0 at the end. into = false skips the
 * children of node. Iterative: depth is no danger. */
uint32_t adit_dom_next(const struct adit_dom *d, uint32_t node, uint32_t root, bool into);

/* The visible text below node, white space collapsed and trimmed, at most max bytes (cut at a
 * character); <br> and block ends count as a space; script, style, drawings, buttons and the like
 * are left out, and so is what stands behind the first 20000 nodes. In the arena; *ok becomes false
 * without memory.
 */
struct adit_str adit_dom_text(const struct adit_dom *d, uint32_t node, size_t max,
                              struct adit_arena *arena, bool *ok);

/* The <link> elements with href of an HTML document, as far as links has room; body is as it came,
 * content_type its header value. *base gets the href of <base>, or an empty slice. Strings are in
 * the arena. */
enum adit_code adit_html_links(struct adit_str body, struct adit_str content_type,
                               struct adit_mem mem, struct adit_arena *arena,
                               struct adit_link *links, size_t max, size_t *n,
                               struct adit_str *base);

#endif
