/* html: from UTF-8 bytes to a DOM tree (lexbor), guarded against hostile input.
 *
 * The tree is what a browser without scripting builds: the content of <noscript> is parsed as
 * elements. Only what a page sends in pieces is put in its places (pieces.c). Time is linear in the
 * input and memory is bounded, because what would make the tree builder quadratic is dropped before
 * it gets there (guard.c). What is dropped depends on counts alone (bytes, tokens, depth,
 * attributes, nodes), so that native and WASM trees are the same.
 *
 * Node tags: node->local_name is an lxb_tag_id_t; values >= LXB_TAG__LAST_ENTRY are unknown
 * elements. Elements of SVG and MathML have another node->ns than LXB_NS_HTML. The content of
 * <template> hangs apart from the tree and is never met by adit_dom_next.
 */
#ifndef ADIT_HTML_H
#define ADIT_HTML_H

#include "base/base.h"
#include "http/http.h"

#include <lexbor/dom/dom.h>
#include <lexbor/html/html.h>

/* Attributes that some part of adit reads. Comparing by this number costs a pointer comparison an
 * attribute; add a row to read another one. */
#define ADIT_ATTRS(X)                       \
    X(ALT, "alt")                           \
    X(ARIA_HIDDEN, "aria-hidden")           \
    X(ARIA_LABEL, "aria-label")             \
    X(ARIA_LABELLEDBY, "aria-labelledby")   \
    X(ARIA_LEVEL, "aria-level")             \
    X(ARIA_MODAL, "aria-modal")             \
    X(CHARSET, "charset")                   \
    X(CITE, "cite")                         \
    X(CLASS, "class")                       \
    X(COLSPAN, "colspan")                   \
    X(CONTENT, "content")                   \
    X(CONTROLS, "controls")                 \
    X(DATA, "data")                         \
    X(DATA_LANG, "data-lang")               \
    X(DATA_LANGUAGE, "data-language")       \
    X(DATA_LAZY_SRC, "data-lazy-src")       \
    X(DATA_LAZY_SRCSET, "data-lazy-srcset") \
    X(DATA_ORIGINAL, "data-original")       \
    X(DATA_SRC, "data-src")                 \
    X(DATA_SRCSET, "data-srcset")           \
    X(DATA_URL, "data-url")                 \
    X(DATETIME, "datetime")                 \
    X(DIR, "dir")                           \
    X(HEIGHT, "height")                     \
    X(HIDDEN, "hidden")                     \
    X(HREF, "href")                         \
    X(HREFLANG, "hreflang")                 \
    X(HTTP_EQUIV, "http-equiv")             \
    X(ID, "id")                             \
    X(ITEMPROP, "itemprop")                 \
    X(ITEMSCOPE, "itemscope")               \
    X(ITEMTYPE, "itemtype")                 \
    X(KIND, "kind")                         \
    X(LABEL, "label")                       \
    X(LANG, "lang")                         \
    X(MEDIA, "media")                       \
    X(NAME, "name")                         \
    X(OPEN, "open")                         \
    X(POSTER, "poster")                     \
    X(PROPERTY, "property")                 \
    X(PUBDATE, "pubdate")                   \
    X(REL, "rel")                           \
    X(ROLE, "role")                         \
    X(ROWSPAN, "rowspan")                   \
    X(SCOPE, "scope")                       \
    X(SRC, "src")                           \
    X(SRCDOC, "srcdoc")                     \
    X(SRCLANG, "srclang")                   \
    X(SRCSET, "srcset")                     \
    X(START, "start")                       \
    X(STYLE, "style")                       \
    X(SUMMARY, "summary")                   \
    X(TITLE, "title")                       \
    X(TYPE, "type")                         \
    X(VALUE, "value")                       \
    X(VIDEOID, "videoid")                   \
    X(WIDTH, "width")                       \
    X(XML_LANG, "xml:lang")

enum adit_attr {
#define ADIT_ATTR_ENUM(name, text) ADIT_ATTR_##name,
    ADIT_ATTRS(ADIT_ATTR_ENUM)
#undef ADIT_ATTR_ENUM
        ADIT_ATTR_COUNT
};

/* A parsed page. Everything in it lives until the parser's next page. */
struct adit_dom {
    lxb_html_document_t *document;
    lxb_dom_node_t *html, *head, *body; /* never NULL; body may be a <frameset> */
    uintptr_t attr[ADIT_ATTR_COUNT];    /* how this document numbers the names above; 0: not used */
    bool cut;                           /* a limit left something out of the tree */
    /* About so many, for who needs room for them: elements that are neither void nor formatting;
     * texts; beginnings and ends of elements, and texts. */
    size_t n_containers, n_texts, n_events;
};

/* The parser: one a thread, reused between pages. */
struct adit_html;

struct adit_html *adit_html_new(struct adit_mem mem); /* NULL: no memory */
void adit_html_free(struct adit_html *h);

/* Parses a whole page. ADIT_ELIMIT: more than ADIT_LIMIT_page_bytes or _page_memory; ADIT_ENOMEM.
 * After an error there is no page, and the parser can be used again. */
enum adit_code adit_html_parse(struct adit_html *h, struct adit_str utf8,
                               const struct adit_dom **dom);

/* Forgets the page and gives its memory back. */
void adit_html_rest(struct adit_html *h);

/* --- reading the tree ------------------------------------------------------------------------- */

static inline struct adit_str adit_attr_value(const lxb_dom_attr_t *a)
{
    if (!a->value) return (struct adit_str){0};
    return adit_str_of((const char *)a->value->data, a->value->length);
}
/* Value of an element's attribute; empty if it has none (or node is no element). */
struct adit_str adit_dom_attr(const struct adit_dom *d, const lxb_dom_node_t *node,
                              enum adit_attr attr);
bool adit_dom_has(const struct adit_dom *d, const lxb_dom_node_t *node, enum adit_attr attr);
/* Value of an element's attribute that lexbor itself has a number for. */
struct adit_str adit_dom_known(const lxb_dom_node_t *element, lxb_dom_attr_id_t attr);

static inline bool adit_dom_is_element(const lxb_dom_node_t *node)
{
    return node->type == LXB_DOM_NODE_TYPE_ELEMENT;
}
static inline bool adit_dom_is_text(const lxb_dom_node_t *node)
{
    return node->type == LXB_DOM_NODE_TYPE_TEXT;
}
/* An HTML (not SVG, MathML) element of this tag. */
static inline bool adit_dom_is(const lxb_dom_node_t *node, lxb_tag_id_t tag)
{
    return node->local_name == tag && node->ns == LXB_NS_HTML;
}
/* Its tag, 0 if unknown. */
static inline uint16_t adit_dom_tag(const lxb_dom_node_t *node)
{
    return node->local_name < LXB_TAG__LAST_ENTRY ? (uint16_t)node->local_name : 0;
}
/* The bytes of a text node. */
static inline struct adit_str adit_dom_data(const lxb_dom_node_t *text)
{
    const lexbor_str_t *s = &((const lxb_dom_character_data_t *)text)->data;
    return adit_str_of((const char *)s->data, s->length);
}

/* The node after `node` in document order within root; NULL at the end. into = false skips the
 * children of node. Iterative: depth is no danger. */
lxb_dom_node_t *adit_dom_next(const lxb_dom_node_t *node, const lxb_dom_node_t *root, bool into);

/* The visible text below node, white space collapsed and trimmed, at most max bytes (cut at a
 * character); <br> and block ends count as a space; script, style, drawings, buttons and the like
 * are left out, and so is what stands behind the first 20000 nodes. In the arena; *ok becomes false
 * without memory.
 */
struct adit_str adit_dom_text(const lxb_dom_node_t *node, size_t max, struct adit_arena *arena,
                              bool *ok);

/* The <link> elements with href of an HTML document, as far as links has room; body is as it came,
 * content_type its header value. *base gets the href of <base>, or an empty slice. Strings are in
 * the arena. */
enum adit_code adit_html_links(struct adit_str body, struct adit_str content_type,
                               struct adit_mem mem, struct adit_arena *arena,
                               struct adit_link *links, size_t max, size_t *n,
                               struct adit_str *base);

#endif
