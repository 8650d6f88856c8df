/* The tape: the visible part of <body> in document order, written once by a walk over the DOM and
 * read by everything after it (features, scores, blocks).
 *
 * - An element table: block-level elements (and inline ones that hold blocks), in document order.
 * - Leaves: runs of inline text between block boundaries; the unit that is scored and kept or
 *   dropped. Leaves below an element are the contiguous range [leaf0, leaf1), so that every sum
 *   over a subtree is a difference of two prefix sums.
 * - Items: the events of the walk. Text items point at DOM text; block building reads them again.
 */
#ifndef ADIT_TAPE_H
#define ADIT_TAPE_H

#include "html/html.h"
#include "base/base.h"

/* Kinds of page that a page claims to be, by the @type of its JSON-LD objects. */
enum {
    ADIT_KIND_ARTICLE = 1,
    ADIT_KIND_PRODUCT = 2,
    ADIT_KIND_FORUM = 4,
    ADIT_KIND_LIST = 8,
    ADIT_KIND_FAQ = 16,
    ADIT_KIND_RECIPE = 32
};

/* What the head of the page says that helps to recognise its body. Any member may be empty. */
struct adit_page_hints {
    struct adit_str titles[3];   /* <title>, og:title, twitter:title, as they stand */
    struct adit_str description; /* the longest that the page has */
    struct adit_str og_type;
    struct adit_str body; /* the text that JSON-LD states */
    struct adit_str url;  /* of the page; counts for its kind, not for what is kept */
    uint32_t kinds;       /* ADIT_KIND_… of all JSON-LD types, see adit_kind_of_type */
};

enum { ADIT_NONE = UINT32_MAX };

enum adit_item_kind {
    ADIT_ITEM_OPEN,   /* an element begins, block-level or inline: every one that is not skipped */
    ADIT_ITEM_CLOSE,  /* the same element ends */
    ADIT_ITEM_TEXT,   /* a DOM text node, raw (white space not yet collapsed) */
    ADIT_ITEM_BREAK,  /* <br> */
    ADIT_ITEM_OBJECT, /* img picture video audio iframe embed object hr input svg: an element
                         without text of its own; its children are not walked */
    ADIT_ITEM_ALT,    /* an image that stands for characters (emoji): its alt is text */
    ADIT_ITEM_MADE /* an element whose text no text node has (formulas): tag is its row in made */
};

/* Bits of a TEXT item's `tag`: what inline elements it stands in. */
enum {
    ADIT_IN_LINK = 1,
    ADIT_IN_EMPH = 2,     /* b strong em i */
    ADIT_IN_PRE = 4,      /* white space is kept as it stands */
    ADIT_IN_HIDDEN = 8,   /* in a hidden inline element: part of no leaf */
    ADIT_IN_CODE = 16,    /* code kbd samp tt var: every character counts */
    ADIT_IN_STRUCK = 64,  /* del s strike: part of no plain string */
    ADIT_IN_SCRIPT = 128, /* sup sub */
    ADIT_APART = 32 /* not an element: a space stands before it, though no character says so */
};

struct adit_item {
    uint8_t kind;  /* enum adit_item_kind */
    bool block;    /* OPEN/CLOSE/OBJECT: the element ends the running leaf */
    uint16_t tag;  /* enum adit_tag of the element (0: unknown, custom); TEXT: ADIT_IN_… */
    uint32_t el;   /* OPEN/CLOSE: its row in els, or ADIT_NONE; else: row of the nearest element */
    uint32_t leaf; /* TEXT: its leaf, or ADIT_NONE (white space between blocks, hidden text).
                      Others: the number of leaves finished before */
    uint32_t node;
};

/* Why an element is not seen. */
enum {
    ADIT_HIDDEN_ATTR = 1,     /* hidden, aria-hidden=true, <dialog> that is not open */
    ADIT_HIDDEN_STYLE = 2,    /* inline display:none or visibility:hidden */
    ADIT_HIDDEN_DIALOG = 4,   /* dialog, role=dialog or alertdialog, aria-modal=true: may be seen */
    ADIT_HIDDEN_NOSCRIPT = 8, /* text in <noscript>: nearly nobody reads it (its images count) */
    ADIT_HIDDEN_ALL = 15
};

/* What an element is by its tag, role or itemprop: a bit each in adit_el.kinds. */
/* clang-format off */
/* body_prop: itemprop=articleBody, text, description, reviewBody. */
#define ADIT_ANCESTORS(X) \
    X(nav) X(header) X(footer) X(aside) X(form) X(main) X(article) X(blockquote) X(button) \
    X(dialog) X(body_prop)
/* clang-format on */

enum adit_ancestor {
#define ADIT_ANCESTOR_ENUM(name) ADIT_ANC_##name,
    ADIT_ANCESTORS(ADIT_ANCESTOR_ENUM)
#undef ADIT_ANCESTOR_ENUM
        ADIT_N_ANCESTORS
};

_Static_assert((int)ADIT_N_ANCESTORS <= 16, "bits of an element's kinds");

/* Pages may have hundreds of thousands of these, and of items and leaves: they are kept small. */
struct adit_el {
    uint32_t parent; /* ADIT_NONE for body */
    uint32_t leaf0, leaf1;
    uint32_t item0, item1;           /* its OPEN and CLOSE items */
    uint32_t class_hash, categories; /* of its class (classes.c), and of its id */
    uint16_t tag, depth;
    uint16_t n_img;    /* img and picture whose nearest element it is */
    uint16_t kinds;    /* a bit for each enum adit_ancestor that it is */
    uint8_t hidden;    /* ADIT_HIDDEN_… of the element itself */
    uint8_t hidden_up; /* the same, of itself and all ancestors below body */
    bool heading;      /* role=heading */
};

/* Amounts of text are in "letters": code points that are not spaces, CJK ones counting three. */
struct adit_leaf {
    uint32_t el;                                   /* owner: element of the leaf's first text */
    uint32_t item0, item1;                         /* its TEXT items lie in [item0, item1) */
    uint32_t len, cjk;                             /* letters in all; CJK code points */
    uint32_t len_link;                             /* letters inside <a> */
    uint16_t emph_pm;                              /* per mille of them inside b strong em i */
    uint8_t n_links, n_br, n_img, n_time, n_input; /* a, br, img and picture, time, input: <= 255 */
    uint8_t hidden : 4;                            /* hidden_up of the owner */
    bool formula : 1;                              /* nothing but formulas */
    bool hidden_inline : 1; /* a hidden inline element stands in it (its text is left out) */
    bool keep : 1;          /* set by the selection */
    bool caption : 1;       /* set by the selection: not kept, but said of a picture */
    struct adit_str
        text; /* trimmed, white space collapsed to one space (one LF where a <br> stands), never
                 empty, without soft hyphens and zero-width spaces; in the arena */
};

/* Of <h1>…<h6>: 1 to 6; else 0. */
static inline uint8_t adit_heading_level(uint16_t tag)
{
    _Static_assert(ADIT_TAG_H6 - ADIT_TAG_H1 == 5, "heading tags are neighbours");
    return tag >= ADIT_TAG_H1 && tag <= ADIT_TAG_H6 ? (uint8_t)(tag - ADIT_TAG_H1 + 1) : 0;
}

static inline bool adit_leaf_unseen(const struct adit_leaf *leaf)
{
    return leaf->hidden & (ADIT_HIDDEN_ATTR | ADIT_HIDDEN_STYLE | ADIT_HIDDEN_NOSCRIPT);
}

/* A text that an element stands for. */
struct adit_made {
    struct adit_str text;
    bool math, display; /* TeX; set on a line of its own */
    uint16_t note;      /* the mark of a note (blocks/notes.c): its number; 0: it is none */
};
enum { ADIT_MADE_MAX = 20000 }; /* of a page; further ones are left out */

struct adit_tape {
    struct adit_made *made;
    size_t n_made;
    struct adit_item *items;
    struct adit_el *els; /* els[0] is body */
    struct adit_leaf *leaves;
    size_t n_items, n_els, n_leaves;
    uint8_t hints; /* ADIT_HINT_… of the classes of all its elements */
    const struct adit_dom *dom;
    struct adit_arena *arena;
};

static inline uint32_t adit_el_node(const struct adit_tape *t, const struct adit_el *el)
{
    return t->items[el->item0].node;
}

/* What <q> begins and ends with. */
extern const struct adit_str adit_quotes[2];

/* The text of an ALT item. */
struct adit_str adit_item_alt(const struct adit_dom *dom, uint32_t img);
/* The leaf that a TEXT, ALT or MADE item is a part of; ADIT_NONE: none, or another kind of item. */
static inline uint32_t adit_item_leaf(const struct adit_item *item)
{
    bool said = item->kind == ADIT_ITEM_TEXT || item->kind >= ADIT_ITEM_ALT;
    return said ? item->leaf : (uint32_t)ADIT_NONE;
}
/* What a TEXT, ALT or MADE item says; raw. */
struct adit_str adit_item_said(const struct adit_tape *t, const struct adit_item *item);
/* Whether raw, a text node, is only the sign of a link to a place of the page: to a heading itself, or
 * back from a note. */
bool adit_item_is_tool(const struct adit_dom *d, uint32_t node, struct adit_str raw);

/* --- formula ---------------------------------------------------------------------------------- */

/* Whether the element stands for a text: MathML, TeX in a script, a data attribute, or the address
 * of an image, or a hidden address of mail. hints are its class's. *ok becomes false without memory.
 */
bool adit_made_find(const struct adit_dom *d, uint32_t node, uint16_t tag, uint8_t hints,
                    struct adit_arena *arena, struct adit_made *made, bool *ok);
/* Whether the element is what a script has drawn for the formula whose TeX stands behind it. */
bool adit_made_repeats(const struct adit_dom *d, uint32_t node);

/* Who else wants to see the elements of the walk, in document order (metadata): one walk reads them
 * for both. */
struct adit_marks;
struct adit_tape_visitor {
    void *ctx;
    /* Which elements are shown: those of these tags, those whose class has these hints, and those
     * with itemprop or rel. */
    const bool *tags;
    uint8_t hints;
    /* An element with its marks and the hints of its class (ADIT_HINT_…). */
    void (*element)(void *ctx, uint32_t node, const struct adit_marks *marks, uint8_t hints);
    /* An element that the tape does not walk into: what stands below it. */
    void (*below)(void *ctx, uint32_t root);
};

/* Walks body, and shows its elements to visitor (which may be NULL). Formulas (MathML) are text: their
 * TeX source if they have one, else their symbols. Hidden block-level elements (hidden attribute,
 * aria-hidden=true, inline display:none or visibility:hidden) are not left out here: the element
 * table tells, and the selection decides. Hidden inline elements are left out. */
struct adit_classes;
enum adit_code adit_tape_build(struct adit_tape *t, const struct adit_dom *dom,
                               struct adit_classes *classes,
                               const struct adit_tape_visitor *visitor, struct adit_arena *arena);

/* --- classwords ------------------------------------------------------------------------------- */

/* Words in class and id attributes that hint at what an element is for. They are evidence among
 * other evidence: the scorecard weighs them, no word decides alone.
 */

#define ADIT_CATEGORIES(X) \
    X(body)                \
    X(product)             \
    X(comment)             \
    X(nav)                 \
    X(foot)                \
    X(side)                \
    X(related)             \
    X(share)               \
    X(ad)                  \
    X(meta)                \
    X(caption)             \
    X(signup)              \
    X(modal)               \
    X(code)                \
    X(accordion)           \
    X(review)              \
    X(unseen)              \
    X(forum)               \
    X(list)                \
    X(article)

/* From forum on: asked about the whole page only. */
enum adit_category {
#define ADIT_CATEGORY_ENUM(name) ADIT_CAT_##name,
    ADIT_CATEGORIES(ADIT_CATEGORY_ENUM)
#undef ADIT_CATEGORY_ENUM
        ADIT_N_CATEGORIES,
    ADIT_N_SCORED_CATEGORIES = ADIT_CAT_forum
};

/* The word table, indexed by a hash of how the words begin. A word is its letters as numbers, and which
 * bytes of those count. */
enum { ADIT_CLASSWORDS_MAX = 255, ADIT_CLASSWORD_BITS = 13 };
struct adit_classwords {
    uint8_t first[1 << ADIT_CLASSWORD_BITS]; /* 1 + a word; 0: none */
    struct adit_classword {
        uint64_t text[2], mask[2];
        uint8_t next; /* as first */
    } words[ADIT_CLASSWORDS_MAX];
};
void adit_classwords_init(struct adit_classwords *w);

/* Bit mask of the categories that the first 200 bytes of a class or id value hit. */
uint32_t adit_classwords_match(const struct adit_classwords *w, struct adit_str value);

/* --- classes ---------------------------------------------------------------------------------- */

/* What the value of a class attribute says, worked out once a value: pages say the same thing of
 * hundreds of elements, and so do the other pages of their site.
 */

struct adit_class {
    struct adit_str value;
    uint8_t hints; /* ADIT_HINT_…: what metadata may be in it */
    bool written;  /* it was met as it stands in the page: nothing of it is to be decoded */
    bool scored;   /* the rest is known */
    uint32_t hash; /* of the value without digits: "post-1234" and "post-77" are alike */
    uint32_t categories;
};

/* Values remembered, and their bytes; a cache may forget. */
enum { ADIT_CLASSES = 512, ADIT_CLASSES_TEXT = 16 << 10 };

struct adit_classes {
    struct adit_classwords words;
    struct adit_class none; /* without a class */
    struct adit_class cache[ADIT_CLASSES];
    size_t n;     /* values put in */
    bool passing; /* some of them are the page's own bytes, for which there was no room */
    size_t text_len;
    char text[ADIT_CLASSES_TEXT];
};

/* What a class value says about the element's text (hints.c). */
enum {
    ADIT_HINT_AUTHOR = 1,
    ADIT_HINT_NAME = 2,
    ADIT_HINT_DATE = 4,
    ADIT_HINT_MATH = 8,   /* a formula, or a hidden address of mail, may be in its attributes */
    ADIT_HINT_NOTE = 16,  /* a note beside the text, or below: "sidenote", "foot-note" */
    ADIT_HINT_EMOJI = 32, /* an image that stands for characters */
    ADIT_HINT_LONG = 64   /* not all of it was looked at */
};
uint8_t adit_class_hints(struct adit_str class);

void adit_classes_init(struct adit_classes *c);
void adit_classes_reset(struct adit_classes *c); /* for the next page */
/* value and hints; valid until the next call. */
struct adit_class *adit_class_find(struct adit_classes *c, struct adit_str value);
/* The same of a class attribute; 0: there is none. A value that is known is not even decoded. */
struct adit_class *adit_class_of(struct adit_classes *c, const struct adit_dom *d, uint32_t attr);
/* All of it. */
const struct adit_class *adit_class_score(struct adit_classes *c, struct adit_class *class);

/* --- display ---------------------------------------------------------------------------------- */

/* How elements are displayed, as far as tags and inline styles say. */

/* What each tag is to the walk. */
enum {
    ADIT_TAGKIND_BLOCK = 1,     /* ends the running leaf */
    ADIT_TAGKIND_SKIP = 2,      /* nothing of it is content */
    ADIT_TAGKIND_OBJECT = 4,    /* one item; children are not walked */
    ADIT_TAGKIND_LINK = 8,      /* text inside counts as link text */
    ADIT_TAGKIND_EMPH = 16,     /* … as emphasised */
    ADIT_TAGKIND_PRE = 32,      /* white space is kept */
    ADIT_TAGKIND_CLOSED = 64,   /* hidden unless it has the attribute `open` */
    ADIT_TAGKIND_VOID = 128,    /* no item */
    ADIT_TAGKIND_CODE = 256,    /* every character of it counts */
    ADIT_TAGKIND_SCRIPT = 512,  /* set higher or lower, part of the word it touches */
    ADIT_TAGKIND_STRUCK = 1024, /* no longer said */
    ADIT_TAGKIND_MADE = 2048,   /* may stand for a text: math script img */
    ADIT_TAGKIND_ODD = 4096,    /* the walk asks for the tag itself */
    ADIT_TAGKIND_NOT_WALKED = ADIT_TAGKIND_SKIP | ADIT_TAGKIND_OBJECT | ADIT_TAGKIND_VOID
};

extern const uint16_t adit_tag_kinds[ADIT_TAG_COUNT];

/* What a style attribute may say, beside ADIT_HIDDEN_STYLE. */
enum {
    ADIT_STYLE_BLOCK = 64,
    ADIT_STYLE_INLINE = 128,
    ADIT_STYLE_BITS = ADIT_STYLE_BLOCK | ADIT_STYLE_INLINE
};

/* What a style attribute says: ADIT_HIDDEN_STYLE, ADIT_STYLE_…. */
uint8_t adit_style_bits(struct adit_str style);
/* ADIT_HIDDEN_STYLE if an element of this class, in code, is shown by the mouse alone. */
uint8_t adit_hidden_in_code(struct adit_str class);

/* --- marks ------------------------------------------------------------------------------------ */

/* What an element's tag and attributes say: read once, for everything that asks.
 */

struct adit_marks {
    uint8_t hidden; /* ADIT_HIDDEN_…, and ADIT_STYLE_… of display.c */
    bool heading;   /* role=heading */
    bool aria_hidden;
    bool tab_panel, region; /* roles */
    bool labelled;          /* by another element */
    uint32_t kinds;         /* a bit for each enum adit_ancestor that it is */
    uint32_t class;         /* the number of its attribute, or 0: adit_class_of */
    struct adit_str id, itemprop, rel;
};

void adit_marks_read(const struct adit_dom *dom, uint32_t node, uint16_t tag, struct adit_marks *m);

/* --- seam ------------------------------------------------------------------------------------- */

/* Where texts of neighbouring elements touch. "<b>Price</b><b>12</b>" is one word to a browser
 * without style sheets and two to every reader of the page, because style sheets set such elements
 * apart.
 */

/* How a text begins or ends. */
enum adit_seam {
    ADIT_SEAM_NONE, /* white space, signs, a single character, or a script without spaces */
    ADIT_SEAM_SMALL,
    ADIT_SEAM_CAPITAL, /* letters: of an ending the last one counts, of a beginning the first */
    ADIT_SEAM_DIGIT
};

enum adit_seam adit_seam_begin(struct adit_str text);
enum adit_seam adit_seam_end(struct adit_str text);

/* Whether two words meet: a small letter and a capital, or letters and digits. */
bool adit_seam_apart(enum adit_seam end, enum adit_seam begin);
/* Whether nothing parts two texts, and the second does not begin with a sign that ends a phrase. */
bool adit_seam_touch(struct adit_str one, struct adit_str two);
/* Whether the text node's element is not seen, but read aloud: its words are none of those beside it. */
bool adit_seam_heard(const struct adit_dom *d, uint32_t text);

/* --- space ------------------------------------------------------------------------------------ */

/* White space as a browser renders it.
 *
 * Runs of white space (also no-break and other Unicode spaces: a reader of text sees no
 * difference) become one space, or one LF where the caller saw a line break; none stands at the
 * ends. Soft hyphens, zero-width spaces and control characters vanish. */

/* A text under way. out has room for all bytes that are added, one more for each break, and eight
 * more. */
struct adit_space {
    char *out;
    size_t len;
    char pending;        /* separator that stands before the next visible character, or 0 */
    uint32_t chars, cjk; /* visible code points; those of Chinese, Japanese and Korean among them */
};

void adit_space_add(struct adit_space *s, struct adit_str raw);
void adit_space_break(struct adit_space *s); /* a <br> */
bool adit_space_blank(struct adit_str raw);  /* nothing visible in it */

/* raw, collapsed, in the arena; {NULL, 0} and *ok false if there is no memory. */
struct adit_str adit_space_text(struct adit_arena *arena, struct adit_str raw, bool *ok);

/* Only what a browser never shows and no program should see in code: control characters but TAB
 * and LF, zero-width spaces, soft hyphens; CR LF and CR become LF, no-break spaces become spaces.
 * Writes at most raw.len bytes to out; returns how many. */
size_t adit_space_code(char *out, struct adit_str raw);

#endif
