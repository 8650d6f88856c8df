/* json: reading and writing JSON (RFC 8259) and its canonical form (RFC 8785).
 *
 * Reading is strict and allocates nothing: the scanner checks the whole grammar, UTF-8 included,
 * and answers with slices into the text. Values inside are reached with an iterator that relies on
 * that check. Nesting is limited to ADIT_LIMIT_json_depth everywhere, and nothing recurses. Writing
 * appends to an adit_buf; strings are escaped as RFC 8785 says, so that what is written with sorted
 * keys is canonical at once.
 */
#ifndef ADIT_JSON_H
#define ADIT_JSON_H

#include "base/base.h"

/* --- scanner (scan.c) ------------------------------------------------------------------------- */

enum adit_json_kind {
    ADIT_JSON_NONE, /* no value there */
    ADIT_JSON_NULL,
    ADIT_JSON_FALSE,
    ADIT_JSON_TRUE,
    ADIT_JSON_NUMBER,
    ADIT_JSON_STRING,
    ADIT_JSON_ARRAY,
    ADIT_JSON_OBJECT
};

/* A value as it stands in the text, without white space around it; a string with its quotes. */
struct adit_json_value {
    enum adit_json_kind kind;
    struct adit_str raw;
    const struct cJSON *node; /* of a tree (tree.c); NULL: the text is read again and again */
};

struct adit_json_member {
    struct adit_str key; /* between the quotes, escapes as they stand: compare with adit_json_is;
                            of a tree, what it means */
    struct adit_json_value value;
};

/* Checks that text is one JSON value with nothing but white space around it, and says which.
 * A lone surrogate escape ("\ud800") is grammar-conform and passes here. A byte order mark is an
 * error. ADIT_EBAD, ADIT_EEOF (text ends inside a value), ADIT_ELIMIT (depth). */
enum adit_code adit_json_check(struct adit_str text, struct adit_json_value *value,
                               struct adit_error *err);

/* The same for a text that must be an object; every top-level member is handed to `member`, in
 * order, after its value has been checked. Another answer than ADIT_OK ends the scan with it. */
enum adit_code adit_json_scan(struct adit_str text,
                              enum adit_code (*member)(void *ctx, const struct adit_json_member *m),
                              void *ctx, struct adit_error *err);

/* The same, and picks members by name: values[i] is that of keys[i]; ADIT_JSON_NONE if absent; of
 * several with one name, the last. Unknown members are checked and passed over. */
enum adit_code adit_json_pick(struct adit_str text, const struct adit_str *keys, size_t n,
                              struct adit_json_value *values, struct adit_error *err);

/* --- documents as trees (tree.c) -------------------------------------------------------------- */

/* Checks a text as adit_json_check does, and has cJSON make a tree of it in the arena (some 100 bytes
 * a value): what is read below is then found without reading the text again. For documents; lines
 * and long lists are read by the scanner alone. Strings are without U+0000, their lone surrogates
 * are U+FFFD, and numbers their own text. The text must stay. Also ADIT_ENOMEM. */
enum adit_code adit_json_tree(struct adit_str text, struct adit_arena *arena,
                              struct adit_json_value *root, struct adit_error *err);
/* The same for at most *values values, which becomes how many more there may be: ADIT_ELIMIT. */
enum adit_code adit_json_tree_of(struct adit_str text, size_t *values, struct adit_arena *arena,
                                 struct adit_json_value *root, struct adit_error *err);
struct adit_str adit_json_node_text(const struct cJSON *node); /* of a string */

/* --- looking into checked text and trees (read.c) --------------------------------------------- */

/* Steps through the elements of an array or the members of an object; anything else has none.
 * Only for text that has passed one of the checks above, and for trees. */
struct adit_json_iter {
    const char *p, *end; /* end may lie behind the closing bracket: p stops there */
    bool object, tree;
    const struct cJSON *node; /* of a tree: the next one; p is where its document begins */
};
struct adit_json_iter adit_json_iter(struct adit_json_value v);
bool adit_json_next(struct adit_json_iter *it,
                    struct adit_json_member *m); /* array: key is empty */

/* The member of an object (the last of that name), or ADIT_JSON_NONE. */
struct adit_json_value adit_json_get(struct adit_json_value object, struct adit_str name);
/* Whether a raw key is that name: "\u0075rl" is url. */
bool adit_json_is(struct adit_str key, struct adit_str name);
/* Appends what the inside of a string means, in UTF-8; lone surrogates become U+FFFD. */
void adit_json_unescape(struct adit_str inside, struct adit_buf *out);
/* The meaning of a string value: a slice of the text itself if nothing is escaped, else a copy in
 * the arena. Empty if v is no string; *ok (may be NULL) becomes false when the arena has no room.
 */
struct adit_str adit_json_text(struct adit_json_value v, struct adit_arena *a, bool *ok);
/* Inside of a string value, escapes as they stand (of a tree: what it means); empty for other kinds.
 */
static inline struct adit_str adit_json_inside(struct adit_json_value v)
{
    if (v.kind != ADIT_JSON_STRING) return (struct adit_str){0};
    if (v.node) return adit_json_node_text(v.node);
    return (struct adit_str){v.raw.p + 1, v.raw.len - 2};
}
/* A number that is written as digits only. */
bool adit_json_u64(struct adit_json_value v, uint64_t *out);

/* --- writer (write.c) ------------------------------------------------------------------------- */

/* Puts the commas. {.out = &buf} starts one. Errors stick in out->err. Strings must be valid UTF-8;
 * keys are written in the order given. */
struct adit_json_writer {
    struct adit_buf *out;
    bool comma;
};
void adit_json_open(struct adit_json_writer *w, char bracket);   /* '{' or '[' */
void adit_json_close(struct adit_json_writer *w, char bracket);  /* '}' or ']' */
void adit_json_key(struct adit_json_writer *w, const char *key); /* needs no escapes */
void adit_json_string(struct adit_json_writer *w, struct adit_str s);
void adit_json_uint(struct adit_json_writer *w, uint64_t v);
void adit_json_int(struct adit_json_writer *w, int64_t v);
void adit_json_bool(struct adit_json_writer *w, bool v);
void adit_json_null(struct adit_json_writer *w);
void adit_json_raw(struct adit_json_writer *w, struct adit_str json); /* a value, as it is */
/* A finding as an object (finding.c); bytes beyond ASCII in its excerpt become "?". */
void adit_json_finding(struct adit_json_writer *w, const struct adit_finding *f,
                       const char *severity, struct adit_mem mem);
/* Key and value at once; with an empty s `opt` writes nothing. */
void adit_json_member(struct adit_json_writer *w, const char *key, struct adit_str s);
void adit_json_member_opt(struct adit_json_writer *w, const char *key, struct adit_str s);
void adit_json_member_uint(struct adit_json_writer *w, const char *key, uint64_t v);
void adit_json_member_bool(struct adit_json_writer *w, const char *key, bool v);
void adit_json_member_open(struct adit_json_writer *w, const char *key, char bracket);

/* A string with its quotes, escaped as RFC 8785, 3.2.2.2. */
void adit_json_quote(struct adit_buf *out, struct adit_str s);

/* --- objects by rows (object.c) --------------------------------------------------------------- */

/* What a member is in C and in JSON. */
enum adit_row_kind {
    ADIT_ROW_TEXT,   /* struct adit_str: a string */
    ADIT_ROW_RAW,    /* struct adit_str: an object, as it stands */
    ADIT_ROW_UINT,   /* uint64_t: a whole number up to 2^53 */
    ADIT_ROW_BOOL,   /* bool */
    ADIT_ROW_CHOICE, /* an enum: the name with its number */
    ADIT_ROW_TIME,   /* struct adit_time: RFC 3339 */
    ADIT_ROW_SHA256, /* uint8_t[32]: "sha256:" and 64 digits */
    ADIT_ROW_HEX,    /* uint64_t: 16 hexadecimal digits */
    ADIT_ROW_BYTES,  /* uint8_t[size]: base64url without padding */
    ADIT_ROW_CONST,  /* nothing: always this text; not read */
    ADIT_ROW_FIXED,  /* nothing: always this number; any other is malformed */
    ADIT_ROW_PART,   /* a struct at that offset, or the same one: an object */
    ADIT_ROW_LIST,   /* a pointer to structs, or to struct adit_str, and their number */
    ADIT_ROW_OWN     /* what the two functions make of the whole struct */
};
enum adit_row_flag {
    ADIT_ROW_NEEDED = 1, /* without it, or with an empty text, the object is ADIT_EBAD */
    ADIT_ROW_STRICT = 2, /* malformed is ADIT_EBAD; else as if it were not there */
    ADIT_ROW_SPARSE = 4, /* not written if empty, 0 or false */
    ADIT_ROW_HAS = 8     /* the bool at has_at says whether it is there */
};

/* A member; a table of at most 32 of them ends with a NULL key. Written in this order. */
struct adit_json_row {
    const char *key;
    enum adit_row_kind kind;
    unsigned flags; /* enum adit_row_flag */
    size_t at;      /* offset in the struct */
    size_t has_at;
    union {
        const char *const *names;           /* CHOICE; ends with NULL */
        const char *text;                   /* CONST */
        uint64_t number;                    /* FIXED */
        size_t size;                        /* BYTES: at most 128 */
        const struct adit_json_row *rows;   /* PART */
        const struct adit_json_list *list;  /* LIST */
        bool (*fits)(struct adit_str text); /* TEXT: what it must be, or NULL */
        enum adit_code (*read)(struct adit_json_value v, void *to,
                               struct adit_arena *arena); /* OWN; NULL: not read */
    };
    void (*write)(struct adit_json_writer *w, const void *from); /* OWN: the value */
    bool (*unless)(const void *from); /* not written if this says so; may be NULL */
};
struct adit_json_list {
    const struct adit_json_row *rows; /* of an element; NULL: it is no object but an `item` */
    const struct adit_json_row *item;
    size_t size, n_at, max; /* of an element; offset of the number (size_t); ADIT_ELIMIT beyond */
    bool inside;            /* the struct has an array of max elements itself, not a pointer */
    bool room;              /* there is memory for max elements, however many are read */
};
#define ADIT_ROW(name, type, member, what, how) \
    .key = (name), .kind = ADIT_ROW_##what, .at = offsetof(type, member), .flags = (how)

/* Reads the members of v, of a tree or of checked text, into *to; what is absent stays as it is.
 * Texts are slices or in the arena. ADIT_EBAD, ADIT_ELIMIT, ADIT_ENOMEM. */
enum adit_code adit_json_object_read(struct adit_json_value v, const struct adit_json_row *rows,
                                     void *to, struct adit_arena *arena, struct adit_error *err);
/* One member alone, by its value; ADIT_EBAD: it is malformed. */
enum adit_code adit_json_row_read(struct adit_json_value v, const struct adit_json_row *row,
                                  void *to, struct adit_arena *arena);
/* The value of one member alone. */
void adit_json_row_write(struct adit_json_writer *w, const struct adit_json_row *row,
                         const void *from);
void adit_json_object_write(struct adit_json_writer *w, const struct adit_json_row *rows,
                            const void *from);

/* --- numbers (number.c, decimal.c): integers only, any machine gives the same ----------------- */

/* The IEEE 754 double with these bits as ECMAScript prints it (RFC 8785, 3.2.2.3). ADIT_EBAD for
 * NaN and infinities. */
enum adit_code adit_json_number(struct adit_buf *out, uint64_t bits);
/* Bits of the double nearest to a JSON number (ties to even). ADIT_EBAD if it is beyond the largest
 * finite double or not a JSON number. */
enum adit_code adit_json_parse_number(struct adit_str number, uint64_t *bits);

/* --- rewriting (canon.c) ---------------------------------------------------------------------- */

struct adit_json_rewrite {
    bool sort;      /* keys by UTF-16 code units, else as they stand */
    bool numbers;   /* ECMAScript form, else the digits as they stand */
    bool last_wins; /* of members with one name only the last stays; else they are an error */
    bool repair;    /* lone surrogates and ill-formed UTF-8 become U+FFFD; else an error */
    bool sloppy;    /* bare control characters in strings and as white space, a byte order mark and
                       text after the value are forgiven */
    struct adit_str omit; /* this top-level member is left out */
};
/* Reads one value from text and appends it compactly. Work memory (about 100 bytes a value) comes
 * from mem. On an error out holds a part. */
enum adit_code adit_json_rewrite(struct adit_str text, const struct adit_json_rewrite *how,
                                 struct adit_mem mem, struct adit_buf *out, struct adit_error *err);
/* The same into at most max bytes in the arena, with the tree that adit_json_tree_of would make of
 * them: nothing is read again. On an error *values is as it was, and nothing stays in the arena. */
enum adit_code adit_json_rewrite_tree(struct adit_str text, const struct adit_json_rewrite *how,
                                      size_t *values, size_t max, struct adit_arena *arena,
                                      struct adit_json_value *root, struct adit_error *err);
/* RFC 8785: sort, numbers; duplicates and lone surrogates are errors. */
extern const struct adit_json_rewrite adit_json_canonical;
/* Reports the only one of these rules if text is not its own canonical form. */
extern const struct adit_rule adit_json_rules[];
void adit_json_judge(struct adit_str text, struct adit_mem mem, const struct adit_judge *judge);
/* For JSON found in the wild (JSON-LD): order and digits stay, everything mendable is mended; what
 * comes out passes adit_json_check. */
extern const struct adit_json_rewrite adit_json_copy;

#endif
