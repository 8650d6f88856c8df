/* The parser: WHATWG HTML, chapter 13.2 "Parsing HTML documents", over a whole page at once.
 *
 * The tokenizer (tokens.c, tags.c, raw.c) is direct code, not a state machine: it looks at the
 * input where it stands and hands what it found to the tree construction (tree.c, formatting.c,
 * modes_*.c, foreign.c). Nothing is copied: texts, comments and values are slices of the input, and
 * their references are decoded when somebody takes them (text.c).
 *
 * What is not done, html/README.md says.
 */
#ifndef ADIT_HTML_PARSE_IMPL_H
#define ADIT_HTML_PARSE_IMPL_H

#include "html/html.h"
#include "html/scan_impl.h"

/* --- limits ----------------------------------------------------------------------------------- */

enum {
    PARSE_FORMATTING_MAX = 32, /* formatting elements since the last marker */
    PARSE_ACTIVE_MAX = 2048,   /* entries and markers in all */
    PARSE_NAMES_MAX = 1000,    /* distinct unknown names of elements */
    PARSE_RAW_MAX = 1000,      /* scripts and the like after the budgets are used up */
    PARSE_RAW_EXTRA = 4,       /* depth above the limit for elements that hold no others */
    PARSE_STACK_MAX = 1024,    /* open elements; dom_depth and copies of formatting elements */
    PARSE_RESERVE = 256,       /* nodes that one token makes at most, from above */
    PARSE_WORK_FREE = 1 << 18, /* steps that every page may take, and those a byte: of 4,463 real */
    PARSE_WORK_BYTE = 1,       /* pages none takes 13,000, and none more than one for 5 bytes */
    PARSE_COPIES_FREE =
        1024,              /* copies of formatting elements that every page may have, and bytes */
    PARSE_COPY_BYTES = 64, /* of a page for each further one; real pages have 270 and more */
    PARSE_NODES_FREE = 1 << 16, /* nodes that every page may have, and bytes of a page for each */
    PARSE_NODE_BYTES = 32       /* further one: of 4,463 real pages none has 25,000 nodes, and the
                                   densest of over 5,000 has one for 15 bytes */
};

/* --- properties of tags: categories of the standard, and groups of its rules (tags.c) ---------- */

enum {
    IS_SPECIAL = 1 << 0,      /* "special" category */
    IS_FORMATTING = 1 << 1,   /* "formatting" category */
    IS_SCOPE = 1 << 2,        /* ends "in scope" */
    IS_LIST_SCOPE = 1 << 3,   /* ends "in list item scope" */
    IS_BUTTON_SCOPE = 1 << 4, /* ends "in button scope" */
    IS_TABLE_SCOPE = 1 << 5,  /* ends "in table scope" */
    IS_VOID = 1 << 6,
    IS_IMPLIED = 1 << 7,          /* "generate implied end tags" */
    IS_IMPLIED_THOROUGH = 1 << 8, /* "generate all implied end tags thoroughly" */
    IS_BLOCK = 1 << 9,            /* start tag closes a <p>, end tag closes in scope: <div> … */
    IS_HEAD = 1 << 10,            /* in body, in template: by the rules of "in head" */
    IS_TABLE_PART = 1 << 11,      /* text has no place here: table tbody tfoot thead tr */
    IS_BREAKOUT = 1 << 12,        /* start tag ends foreign content */
    IS_RAW = 1 << 13,             /* what follows is text up to the end tag */
    IS_HEADING = 1 << 14,
    IS_CAREFUL_END = 1 << 15 /* in body, its end tag does more than to close the current element */
};

extern const uint16_t adit_tag_flags[ADIT_TAG_COUNT];        /* HTML elements */
extern const struct adit_str adit_tag_names[ADIT_TAG_COUNT]; /* [0] is empty */

/* --- names (names.c) -------------------------------------------------------------------------- */

/* Attributes beside ADIT_ATTRS that tree construction asks for. */
#define PARSE_ATTRS(X)            \
    X(COLOR, "color")             \
    X(ENCODING, "encoding")       \
    X(FACE, "face")               \
    X(SIZE, "size")               \
    X(XLINK_HREF, "xlink:href")   \
    X(XLINK_ROLE, "xlink:role")   \
    X(XLINK_TITLE, "xlink:title") \
    X(XLINK_TYPE, "xlink:type")

enum {
    PARSE_ATTR_BEFORE = ADIT_ATTR_COUNT - 1,
#define PARSE_ATTR_ENUM(name, text) PARSE_ATTR_##name,
    PARSE_ATTRS(PARSE_ATTR_ENUM)
#undef PARSE_ATTR_ENUM
        PARSE_ATTR_COUNT
};
_Static_assert(PARSE_ATTR_COUNT <= 128, "two words hold the set of a tag's attributes");

enum { NAMES_SLOTS = 4096, SHORT_SLOTS = 1024, ATTR_SLOTS = 512, NAMES_OVER = UINT16_MAX };

/* A name is read as a word, in lower case: its bytes, the first one highest, or its last eight. */
enum { NAME_WORD = 8 };

/* Open addressing; slots hold numbers, 0 is free. */
struct names {
    uint16_t tags[NAMES_SLOTS];
    uint8_t short_tags[SHORT_SLOTS];    /* known names of a word, by it */
    uint8_t attrs[ATTR_SLOTS];          /* number + 1 */
    uint64_t tag_words[ADIT_TAG_COUNT]; /* known names as words; 0: longer */
    uint64_t attr_words[PARSE_ATTR_COUNT];
    uint32_t n_unknown;
    struct {
        uint32_t at, len, built; /* where a name stands first; its copy in lower case, or 0 */
    } unknown[PARSE_NAMES_MAX];
};

_Static_assert(ADIT_TAG_COUNT <= 256, "a byte holds the number of a known name");

void adit_names_init(struct names *n);
/* Before a page: forgets the unknown names of the last one. */
void adit_names_begin(struct names *n);
/* The number of the tag whose name stands in the input (any case); a new one from ADIT_TAG_COUNT on;
 * NAMES_OVER when there are too many. */
uint16_t adit_names_tag(struct names *n, const uint8_t *in, uint32_t at, uint32_t len,
                        uint64_t word);
static inline size_t names_short_slot(uint64_t word)
{
    return word * UINT64_C(0x9E3779B97F4A7C15) >> 54;
}
/* The same for most names, the short and known ones; ADIT_TAG_NONE for others. */
static inline uint16_t names_short_tag(const struct names *n, uint32_t len, uint64_t word)
{
    for (size_t slot = names_short_slot(word);; slot = (slot + 1) % SHORT_SLOTS) {
        uint16_t id = n->short_tags[slot];
        if (!id || (n->tag_words[id] == word && adit_tag_names[id].len == len)) return id;
    }
}
/* The number of a kept attribute; PARSE_ATTR_COUNT for all others. */
uint16_t adit_names_attr(const struct names *n, const uint8_t *at, size_t len, uint64_t word);
/* A hash of all bytes of a name, in lower case. */
uint32_t adit_names_hash(const uint8_t *at, size_t len);

/* --- the parser ------------------------------------------------------------------------------- */

/* Insertion modes, in the standard's order (13.2.6.4). "text" and "in table text" are no modes
 * here: an element of text is read at once, and a text is taken as a whole. */
enum mode {
    MODE_INITIAL,
    MODE_BEFORE_HTML,
    MODE_BEFORE_HEAD,
    MODE_IN_HEAD,
    MODE_IN_HEAD_NOSCRIPT,
    MODE_AFTER_HEAD,
    MODE_IN_BODY,
    MODE_IN_TABLE,
    MODE_IN_CAPTION,
    MODE_IN_COLUMN_GROUP,
    MODE_IN_TABLE_BODY,
    MODE_IN_ROW,
    MODE_IN_CELL,
    MODE_IN_TEMPLATE,
    MODE_AFTER_BODY,
    MODE_IN_FRAMESET,
    MODE_AFTER_FRAMESET,
    MODE_AFTER_AFTER_BODY,
    MODE_AFTER_AFTER_FRAMESET
};

/* What a slice of text is, in node.ns of texts and comments. */
enum {
    TEXT_REFERENCES = 1, /* has character references */
    TEXT_NUL = 2,        /* NUL becomes U+FFFD; else it is left out */
    TEXT_GAPS = 4,       /* "</>" stands in it, which is nothing */
    TEXT_BUILT = 8,      /* node.more is its number among the built texts */
    TEXT_TAKEN = 16      /* nothing is left to be decoded */
};

/* In attribute.more. */
enum { VALUE_MORE = 1, VALUE_BUILT = 2, VALUE_TAKEN = 4 };

struct open_element {
    uint32_t node;
    uint16_t tag;
    uint8_t ns;
};

/* An entry of the list of active formatting elements; node 0 is a marker. */
struct formatting {
    uint32_t node;
    uint32_t at, len; /* its tag in the input, to compare attributes that nobody keeps */
    uint16_t tag;
    uint16_t place; /* its index among the open elements when it was opened */
    uint64_t hash;  /* of its attributes, made when it is first asked for; 0: not yet */
};

/* Bytes that do not stand in the input as they are. */
struct built {
    char *p;
    uint32_t len, cap;
};

struct text {
    uint32_t at, len;
    uint8_t flags;
};

/* The tag that is being processed. */
struct tag {
    uint32_t at, len;        /* from its name to before its '>' */
    uint32_t attrs, n_attrs; /* the first of its attributes, and how many are kept */
    uint16_t id;
    bool self_closing;
    bool bare; /* nothing but its name */
    bool used; /* some node has its attributes */
};

struct adit_html {
    struct adit_mem mem;
    const uint8_t *in;
    uint32_t len;
    struct adit_dom dom;
    uint32_t nodes_cap, attrs_cap;
    enum adit_code code; /* sticky: no memory, or a limit */
    /* construction */
    uint8_t mode;
    bool quirks, fostering, frameset_ok, skip_newline, plaintext, templates;
    uint16_t raw; /* the element whose text is to be read next, or 0 */
    uint32_t form;
    struct tag tag;
    uint32_t n_open, n_active, n_modes;
    uint16_t open_count[ADIT_TAG_COUNT]; /* open HTML elements of each tag */
    uint8_t template_modes[PARSE_STACK_MAX];
    struct open_element open[PARSE_STACK_MAX];
    struct formatting active[PARSE_ACTIVE_MAX];
    /* budgets */
    uint64_t work, work_max;
    uint32_t nodes_max;            /* a budget by the bytes of the page */
    uint32_t nodes_stop, all_stop; /* nodes, and nodes with attributes, up to which a token is
                                        processed without a look at room and budgets */
    uint32_t copies, copies_max;   /* of formatting elements */
    bool closed;                   /* a budget is used up: no more tags, only text */
    bool apart;                    /* closed: a tag was left out since the last text */
    uint32_t n_raw;
    uint32_t n_voids, n_formats, n_comments;     /* nodes of these kinds */
    uint32_t n_dropped, dropped[ADIT_TAG_COUNT]; /* open tags left out; unknown ones are [0] */
    /* bytes */
    struct adit_arena arena;
    struct adit_buf scratch;
    struct built *built; /* [0] is not used */
    uint32_t n_built, built_cap;
    struct names names;
};

/* Parses a page and leaves pieces where they are; the tree is p->dom. */
enum adit_code adit_parse_page(struct adit_html *p, struct adit_str page);
/* Twice the room; false, and p->code set, when that cannot be. */
bool adit_parse_grow_nodes(struct adit_html *p);
bool adit_parse_grow_attrs(struct adit_html *p);

/* --- limits (limits.c) ------------------------------------------------------------------------ */

/* Before a token: makes room for its nodes, looks at the budgets. False: stop, see p->code. */
bool adit_limit_look(struct adit_html *p);
static inline bool limit_begin_token(struct adit_html *p)
{
    uint32_t nodes = p->dom.n_nodes;
    bool fine = nodes <= p->nodes_stop && nodes + p->dom.n_attrs <= p->all_stop;
    return (fine && p->work <= p->work_max && p->code == ADIT_OK) || adit_limit_look(p);
}
/* Whether a tag, a comment reaches the tree. p->raw is set if the text of a tag that does not is to
 * be passed over. */
bool adit_limit_judges_start(struct adit_html *p, uint16_t tag);
static inline bool limit_admits_start(struct adit_html *p, uint16_t tag);
bool adit_limit_admits_end(struct adit_html *p, uint16_t tag);
bool adit_limit_admits_comment(const struct adit_html *p);
bool adit_limit_admits_copies(struct adit_html *p); /* of formatting elements */
/* Of a closed parser, at a tag: takes what is nothing but short tags, which go, and texts between them;
 * where something else stands. */
const uint8_t *adit_limit_gather(struct adit_html *p, const uint8_t *s, const uint8_t *end);
/* After an end tag, if tags were left out before. */
void adit_limit_ended(struct adit_html *p, uint32_t open_before);

/* --- texts and values (text.c) ---------------------------------------------------------------- */

struct adit_str adit_parse_value(struct adit_html *p, uint32_t attribute);
/* Whether two slices of the input say the same as values of attributes is told by their hashes. */
uint64_t adit_parse_value_hash(struct adit_html *p, uint32_t at, uint32_t len);
/* The value of attribute, without remembering it, equals the lower-case word in any case. */
bool adit_parse_value_is(struct adit_html *p, uint32_t attribute, struct adit_str word);
/* Bytes of a text from `at` that are white space; only white space (or NUL) in all of it. */
uint32_t adit_text_leading_space(const struct adit_html *p, struct text t);
bool adit_text_is_blank(const struct adit_html *p, struct text t);
/* Takes the first character, which is no white space, and those like it off t. */
void adit_text_skip_other(const struct adit_html *p, struct text *t);
/* Whether nothing is left of a text when NUL and gaps go. */
bool adit_text_is_nothing(const struct adit_html *p, struct text t);
/* Leaves out one line feed at the beginning of t. */
void adit_text_skip_newline(const struct adit_html *p, struct text *t);
/* Adds t to the text node, which is not in one piece any more; a space between them if apart. */
void adit_text_join(struct adit_html *p, uint32_t node, struct text t, bool apart);
/* Adds bytes that say what they are to a text that has its own. False without memory. */
bool adit_text_add(struct adit_html *p, uint32_t node, const uint8_t *s, const uint8_t *end);
/* After the last one: gives back the room that long texts did not need. */
void adit_text_trim(struct adit_html *p);

/* --- tokenizer: tokens.c, raw.c, attributes.c, doctype.c -------------------------------------- */

void adit_tokens_run(struct adit_html *p);
/* Passes over a tag from its name on; where it ends, NULL if the page ends within. */
const uint8_t *adit_tag_pass(struct adit_html *p, const uint8_t *name, const uint8_t *end);
/* Reads the attributes behind a tag's name; where its '>' is, NULL if the page ends within. */
const uint8_t *adit_tag_attributes(struct adit_html *p, const uint8_t *s, const uint8_t *end,
                                   bool keep);
/* The tag's attribute of this number; 0 if it has none. */
uint32_t adit_tag_attr(const struct adit_html *p, uint16_t name);
/* A hash of all attributes of a tag that was read, in any order: equal sets have equal hashes. */
enum { ADIT_TAG_HASH_BARE = 1 }; /* of none */
uint64_t adit_tag_hash(struct adit_html *p, uint32_t at, uint32_t len);
/* Reads the text of an element from s on: where the text ends; *after: behind the end tag. */
const uint8_t *adit_raw_read(struct adit_html *p, uint16_t tag, const uint8_t *s,
                             const uint8_t *end, const uint8_t **after);

struct doctype {
    struct adit_str name, public_id, system_id;
    bool has_name, has_public, has_system, force_quirks;
};
/* Reads what stands between "<!DOCTYPE" and '>' (closed: there is a '>'). */
struct doctype adit_doctype_read(struct adit_str s, bool closed);
bool adit_doctype_is_quirks(const struct doctype *d);

/* --- tree: nodes, open elements (tree.c) ------------------------------------------------------- */

uint32_t adit_tree_node(struct adit_html *p, uint8_t type, uint16_t tag, uint8_t ns);
void adit_tree_append(struct adit_html *p, uint32_t parent, uint32_t node);
/* Moves all children of one node behind those of another. */
void adit_tree_move_children(struct adit_html *p, uint32_t from, uint32_t to);
/* "Appropriate place for inserting a node" with target as override target. */
void adit_tree_place(struct adit_html *p, uint32_t target_index, uint32_t node);
uint32_t adit_tree_insert(struct adit_html *p, uint16_t tag, uint8_t ns); /* for the tag; pushed */
uint32_t adit_tree_insert_void(struct adit_html *p, uint16_t tag, uint8_t ns);
uint32_t adit_tree_insert_implied(struct adit_html *p,
                                  uint16_t tag); /* without attributes; pushed */
void adit_tree_insert_text(struct adit_html *p, struct text t);
enum { TREE_CURRENT = UINT32_MAX };
/* Below parent; TREE_CURRENT: where a node is to go. */
void adit_tree_insert_comment(struct adit_html *p, uint32_t parent, struct text t);
void adit_tree_merge_attributes(struct adit_html *p, uint32_t node);
uint32_t adit_tree_copy(struct adit_html *p, uint32_t node);

void adit_open_remove(struct adit_html *p, uint32_t index);
/* Index of a node among the open elements; 0 if it is none (or the root). */
uint32_t adit_open_index(struct adit_html *p, uint32_t node);
bool adit_open_in_scope(struct adit_html *p, uint16_t tag, unsigned scope);
/* The same for any tag with these flags; the index of the element, 0 if there is none. */
uint32_t adit_open_scope_of(struct adit_html *p, unsigned flags, unsigned scope);
void adit_open_pop_until(struct adit_html *p, uint16_t tag);
void adit_open_pop_to(struct adit_html *p, uint32_t index); /* the element at index goes, too */
void adit_open_implied(struct adit_html *p, uint16_t except);
void adit_open_implied_thorough(struct adit_html *p);
void adit_open_reset_mode(struct adit_html *p);

static inline struct adit_node *node_of(struct adit_html *p, uint32_t n)
{
    return &p->dom.nodes[n];
}

static inline unsigned tag_flags(uint16_t tag)
{
    return tag < ADIT_TAG_COUNT ? adit_tag_flags[tag] : 0;
}
static inline bool limit_admits_start(struct adit_html *p, uint16_t tag)
{
    bool few = p->n_active < PARSE_FORMATTING_MAX;
    bool plain = tag < ADIT_TAG_COUNT && (few || !(adit_tag_flags[tag] & IS_FORMATTING));
    bool fine = plain && !p->closed && p->n_open < ADIT_LIMIT_dom_depth;
    return fine || adit_limit_judges_start(p, tag);
}
static inline const struct open_element *current(const struct adit_html *p)
{
    return &p->open[p->n_open - 1];
}
static inline bool current_is(const struct adit_html *p, uint16_t tag)
{
    return current(p)->tag == tag && current(p)->ns == ADIT_NS_HTML;
}
static inline bool current_has(const struct adit_html *p, unsigned flags)
{
    return current(p)->ns == ADIT_NS_HTML && (tag_flags(current(p)->tag) & flags);
}
static inline uint32_t tag_slot(uint16_t tag) { return tag < ADIT_TAG_COUNT ? tag : 0; }
static inline bool is_open(const struct adit_html *p, uint16_t tag)
{
    return p->open_count[tag_slot(tag)] > 0;
}
static inline void open_push(struct adit_html *p, uint32_t node, uint16_t tag, uint8_t ns)
{
    if (p->n_open == PARSE_STACK_MAX) { /* cannot be: tags beyond dom_depth are left out */
        p->code = ADIT_ELIMIT;
        return;
    }
    p->open[p->n_open++] = (struct open_element){.node = node, .tag = tag, .ns = ns};
    if (ns == ADIT_NS_HTML) p->open_count[tag_slot(tag)]++;
}
static inline void open_pop(struct adit_html *p)
{
    const struct open_element *e = &p->open[--p->n_open];
    if (e->ns == ADIT_NS_HTML) p->open_count[tag_slot(e->tag)]--;
}
/* Of an open element, HTML or foreign. */
bool adit_open_is_special(const struct open_element *e);
bool adit_open_ends_scope(const struct open_element *e, unsigned scope);

/* --- list of active formatting elements (formatting.c) ----------------------------------------- */

void adit_formatting_marker(struct adit_html *p);
void adit_formatting_clear(struct adit_html *p); /* up to the last marker */
void adit_formatting_push(struct adit_html *p, uint32_t node, uint16_t tag);
uint32_t adit_formatting_count(const struct adit_html *p); /* since the last marker */
void adit_formatting_reopen(struct adit_html *p);
/* "Reconstruct the active formatting elements". */
static inline void formatting_reconstruct(struct adit_html *p)
{
    if (!p->n_active) return;
    const struct formatting *last = &p->active[p->n_active - 1]; /* node 0: a marker */
    if (last->node && current(p)->node != last->node) adit_formatting_reopen(p);
}
/* Entry (number + 1) of the last element of the tag since the last marker; 0: none. */
uint32_t adit_formatting_find(const struct adit_html *p, uint16_t tag);
void adit_formatting_forget(struct adit_html *p, uint32_t node);
/* "Adoption agency algorithm"; false: act as for any other end tag. */
bool adit_adopt(struct adit_html *p, uint16_t tag);

/* --- tree construction (modes.c, and the rules of the modes: modes_impl.h) ---------------------- */

struct mode_rules {
    bool (*start)(struct adit_html *p, uint16_t tag);
    bool (*end)(struct adit_html *p, uint16_t tag);
    bool (*text)(struct adit_html *p, struct text *t);
};
extern const struct mode_rules adit_modes[];

void adit_mode_start(struct adit_html *p, uint16_t tag);
void adit_mode_end(struct adit_html *p, uint16_t tag);
void adit_mode_text(struct adit_html *p, struct text t);
void adit_mode_comment(struct adit_html *p, struct text t);
void adit_mode_doctype(struct adit_html *p, struct text t, bool closed);
void adit_mode_finish(struct adit_html *p); /* end of file */

/* Whether a token is for the rules of foreign content; then the same as for modes. */
bool adit_foreign_takes_start(struct adit_html *p, uint16_t tag);
bool adit_foreign_takes_text(struct adit_html *p);
bool adit_foreign_start(struct adit_html *p, uint16_t tag);
bool adit_foreign_end(struct adit_html *p, uint16_t tag);
void adit_foreign_adjust(struct adit_html *p); /* the names of the tag's attributes */

#endif
