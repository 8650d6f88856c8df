/* base: what everything else stands on: string slices, memory that is born with a maximum, byte
 * sinks, errors, the table of limits.
 *
 * Conventions, here and in all of shared/:
 * - A slice (struct adit_str) never owns its bytes and is not NUL-terminated; {NULL, 0} is empty.
 * - Memory comes from the caller's struct adit_mem; nothing in shared/ calls malloc.
 * - Functions that can fail return enum adit_code; builders (adit_buf) keep their first error.
 * - {0} is a valid initial state of every struct here, unless its comment says otherwise.
 * - Nothing is thread-safe; nothing is shared: give each thread its own objects.
 */
#ifndef ADIT_BASE_H
#define ADIT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- errors: a code exists only where some caller acts on it ---------------------------------- */

enum adit_code {
    ADIT_OK = 0,
    ADIT_ENOMEM, /* the host's allocator said no */
    ADIT_ELIMIT, /* a limit of the table below was reached */
    ADIT_EBAD,   /* the input is not what it claims to be */
    ADIT_EEOF,   /* the input ends too early */
    ADIT_EUNSUP, /* valid, but a kind that we do not read */
    ADIT_EIO,    /* a sink's host could not write */
    ADIT_ESTOP   /* a sink has seen enough; the writer stops without complaint */
};

/* What went wrong and where: msg is a constant, complete sentence part ("lone surrogate"),
 * pos the byte offset in the input that the function was given. */
struct adit_error {
    enum adit_code code;
    const char *msg;
    size_t pos;
};

const char *adit_code_name(enum adit_code code);

/* Fills *err (which may be NULL) and returns code, so that a parser can `return adit_fail(...)`. */
enum adit_code adit_fail(struct adit_error *err, enum adit_code code, const char *msg, size_t pos);

#define ADIT_TRY(expr)                                        \
    do {                                                      \
        enum adit_code adit_try_code_ = (expr);               \
        if (adit_try_code_ != ADIT_OK) return adit_try_code_; \
    } while (0)

/* --- string slices ---------------------------------------------------------------------------- */

struct adit_str {
    const char *p;
    size_t len;
};

#define ADIT_STR(lit) ((struct adit_str){"" lit, sizeof(lit) - 1})
/* The same for static tables. */
#define ADIT_STR_INIT(lit) {"" lit, sizeof(lit) - 1}
#define ADIT_COUNT(array)  (sizeof(array) / sizeof((array)[0]))

static inline struct adit_str adit_str_of(const char *p, size_t len)
{
    return (struct adit_str){p, len};
}

struct adit_str adit_str_z(const char *z); /* of a NUL-terminated string; NULL is empty */
bool adit_str_eq(struct adit_str a, struct adit_str b);
bool adit_str_ieq(struct adit_str a, struct adit_str b); /* ASCII case folded */
int adit_str_cmp(struct adit_str a, struct adit_str b);  /* by bytes; a prefix sorts first */
bool adit_str_starts(struct adit_str s, struct adit_str prefix);
bool adit_str_ends(struct adit_str s, struct adit_str suffix);
bool adit_str_istarts(struct adit_str s, struct adit_str prefix); /* ASCII case folded */
struct adit_str adit_str_trim(struct adit_str s);                 /* of ASCII white space */
/* Offset of the first byte c / the first occurrence of needle at or after from; s.len if none. */
size_t adit_str_chr(struct adit_str s, char c, size_t from);
size_t adit_str_find(struct adit_str s, struct adit_str needle, size_t from);
size_t adit_str_ifind(struct adit_str s, struct adit_str needle, size_t from);
/* Whether word is one of a constant list, "by,written by,author"; an empty word is in none. */
bool adit_str_in(struct adit_str word, const char *list);
/* s[from, to), clamped to s. */
struct adit_str adit_str_sub(struct adit_str s, size_t from, size_t to);
/* Takes the part of *rest up to the next sep off it; false when *rest is used up.
 * "a,,b" gives "a", "", "b"; start with a copy of the whole. */
bool adit_str_split(struct adit_str *rest, char sep, struct adit_str *part);
/* Decimal digits only, no sign; false on anything else, an empty slice, or overflow. */
bool adit_str_u64(struct adit_str s, uint64_t *out);
uint64_t adit_str_hash(
    struct adit_str s); /* FNV-1a: the same on every machine; not for hostile keys */
/* A fixed, cheap combination of two hashes; not for hostile keys. */
static inline uint64_t adit_mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ (h >> 29);
}

static inline bool adit_is_space(char c) /* HTML's: TAB LF FF CR SPACE */
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}
static inline bool adit_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool adit_is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static inline bool adit_is_alnum(char c) { return adit_is_alpha(c) || adit_is_digit(c); }
static inline char adit_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }
static inline int adit_hex(char c) /* value of a hexadecimal digit, -1 if it is none */
{
    if (adit_is_digit(c)) return c - '0';
    c = adit_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* --- memory ----------------------------------------------------------------------------------- */

/* The host's allocator, one function as in Lua: resize(ctx, NULL, 0, n) allocates,
 * resize(ctx, p, old, n) grows or shrinks, resize(ctx, p, old, 0) frees and returns NULL.
 * NULL for n > 0 means: no memory; p then stays valid. Results are aligned for any type. */
struct adit_mem {
    void *(*resize)(void *ctx, void *p, size_t old_len, size_t new_len);
    void *ctx;
};

/* An arena: many small allocations, freed together. Holds at most max bytes of payload. Large ones
 * have a block of the host each, so that an array can grow without leaving its old self behind. */
struct adit_arena {
    struct adit_mem mem;
    struct adit_arena_chunk *first, *cur;
    struct adit_arena_block *large, *kept; /* in use, newest first; for the next large ones */
    size_t kept_len;
    size_t used, max;
};

/* A point in an arena's life, to go back to. */
struct adit_arena_mark {
    struct adit_arena_chunk *cur;
    struct adit_arena_block *large;
    size_t chunk_used, used;
};

void adit_arena_init(struct adit_arena *a, struct adit_mem mem, size_t max);
/* NULL when max would be passed or the host has no memory. len 0 gives a valid pointer. Not
 * zeroed; aligned to 16. */
void *adit_arena_alloc(struct adit_arena *a, size_t len);
void *adit_arena_zalloc(struct adit_arena *a, size_t n, size_t size); /* zeroed, n*size checked */
/* The array of old_len bytes at p (NULL: none yet), now with room for new_len: more, or (a large
 * one) less. NULL, and p as it was, when that cannot be. */
void *adit_arena_resize(struct adit_arena *a, void *p, size_t old_len, size_t new_len);
/* An array with room for one more element than n: v itself, or twice as large. NULL, and v and *cap as they were, when
 * that cannot be. */
void *adit_arena_grow(struct adit_arena *a, void *v, size_t n, size_t *cap, size_t size);
/* Gives the array of len bytes at p, which nobody reads any more, back to the host if it is a large
 * one. No mark may be older than that and released later. */
void adit_arena_drop(struct adit_arena *a, void *p, size_t len);
/* What was allocated since the mark is forgotten. Arrays from before must not have been resized. */
struct adit_arena_mark adit_arena_mark(const struct adit_arena *a);
void adit_arena_release(struct adit_arena *a, struct adit_arena_mark mark);
/* The same, but the bytes of s, which were allocated since, stay; returns where they are now. */
struct adit_str adit_arena_release_but(struct adit_arena *a, struct adit_arena_mark mark,
                                       struct adit_str s);
/* Copies s; *ok becomes false on failure (and is left alone otherwise); ok may be NULL. */
struct adit_str adit_arena_dup(struct adit_arena *a, struct adit_str s, bool *ok);
void adit_arena_reset(struct adit_arena *a); /* forget all, keep some memory for reuse */
void adit_arena_free(struct adit_arena *a);

/* A growing byte buffer with a cap. The first failure sticks in err: later appends do nothing, so
 * a builder checks once, at its end. p is not NUL-terminated. */
struct adit_buf {
    char *p;
    size_t len, cap, max;
    struct adit_mem mem;
    enum adit_code err;
};

void adit_buf_init(struct adit_buf *b, struct adit_mem mem, size_t max);
/* Makes room for n more bytes; false (and err set) if that cannot be. */
bool adit_buf_reserve(struct adit_buf *b, size_t n);
void adit_buf_add(struct adit_buf *b, struct adit_str s);
void adit_buf_byte(struct adit_buf *b, char c);
void adit_buf_lit(struct adit_buf *b, const char *z); /* a NUL-terminated constant */
void adit_buf_u64(struct adit_buf *b, uint64_t v);    /* decimal */
void adit_buf_i64(struct adit_buf *b, int64_t v);
void adit_buf_pad(struct adit_buf *b, uint64_t v, int width);        /* decimal, zero-padded */
void adit_buf_hex(struct adit_buf *b, const uint8_t *p, size_t len); /* lower case */
void adit_buf_percent(struct adit_buf *b, char c);                   /* %NN, upper case */
/* s, with all but letters, digits and the bytes of plain percent-encoded. */
void adit_buf_escape(struct adit_buf *b, struct adit_str s, const char *plain);
#define ADIT_PATH_PLAIN "-._~/!$&'()*+,;=:@" /* what stands in a URL's path as it is */
void adit_buf_clear(struct adit_buf *b);     /* len and err to 0, memory kept */
void adit_buf_free(struct adit_buf *b);
static inline struct adit_str adit_buf_str(const struct adit_buf *b)
{
    return (struct adit_str){b->p, b->len};
}

/* --- sinks: the one interface for moving bytes ---------------------------------------------------
 *
 * A stage embeds a sink as its first member, does its work in write, passes what it has to the
 * next sink, and keeps its own tail until more comes. adit_sink_end is called once, after the last
 * write; "need more" is never an error. After anything but ADIT_OK neither is called again. */
struct adit_sink {
    enum adit_code (*write)(struct adit_sink *s, const char *p, size_t len);
    enum adit_code (*end)(struct adit_sink *s); /* NULL: the end is nothing to the stage */
};

static inline enum adit_code adit_sink_write(struct adit_sink *s, struct adit_str part)
{
    return s->write(s, part.p, part.len);
}
static inline enum adit_code adit_sink_end(struct adit_sink *s)
{
    return s->end ? s->end(s) : ADIT_OK;
}

/* Appends to a buffer. */
struct adit_buf_sink {
    struct adit_sink sink;
    struct adit_buf *buf;
};
struct adit_sink *adit_buf_sink_init(struct adit_buf_sink *s, struct adit_buf *buf);

/* --- limits: every cap of the core, with its reason ------------------------------------------- */

#define ADIT_LIMITS(X)                                                                          \
    X(page_bytes, 8u << 20, "HTML of a page; larger pages are rare and mostly generated")       \
    X(dom_depth, 512, "open elements; copies and searches cost up to so many steps")            \
    X(tag_attributes, 512, "attributes of one tag; no page that people write has as many")      \
    X(page_nodes, 250000, "nodes and kept attributes; with their leaves they take 45 MB")       \
    X(page_memory, sizeof(void *) / 4 * (72u << 20), "of a conversion; the counts come first")  \
    X(page_blocks, 1000, "content blocks of a page (SCP, Resource Exhaustion)")                 \
    X(base_bytes, 2048, "bytes of a <base href>: each relative address begins with it")         \
    X(page_urls, 4u << 20, "bytes of the addresses of a page, made absolute; 64 KB + 2 a byte") \
    X(page_rich, 4u << 20, "bytes of texts with inline structure; beyond it they are plain")    \
    X(page_images, 10000, "images of a page; galleries have some hundreds")                     \
    X(page_media, 1000, "videos and audios of a page: as many as blocks")                       \
    X(media_sources, 32, "sources, and tracks, of one video or audio")                          \
    X(media_chapters, 500, "chapters of one video or audio")                                    \
    X(link_words, 32, "words in the rel of a link; HTML knows some thirty")                     \
    X(table_columns, 100, "columns of a table; more are no table for readers")                  \
    X(table_cells, 100000, "cells of one table, spans filled in; a larger one is text")         \
    X(page_cells, 200000, "cells of all tables of a page, spans filled in; 16384 + 1/8 a byte") \
    X(page_repeated, 1u << 20,                                                                  \
      "bytes of texts that stand again (spans, media); 32 KB + 1/2 a byte")                     \
    X(scp_line, 100000000, "bytes of one page object (SCP, Resource Exhaustion)")               \
    X(ratio, 100, "decompressed : compressed bytes (SCP, Resource Exhaustion)")                 \
    X(ratio_from, 1u << 20, "bytes out before the ratio counts")                                \
    X(json_depth, 64, "nested arrays and objects")                                              \
    X(header_value, 8192, "bytes of an HTTP header value that we emit or keep")                 \
    X(url_bytes, 16384, "bytes of a URL; browsers and servers stop far below")                  \
    X(sitemap_items, 50000, "items of a TCT or XML sitemap, then an index")                     \
    X(config_bytes, 1u << 20, "bytes of a configuration document")                              \
    X(jsonld_bytes, 1u << 20, "bytes of all JSON-LD of a page that is looked at")               \
    X(jsonld_scripts, 64, "scripts with JSON-LD of a page; sites have up to ten")               \
    X(jsonld_values, 50000, "values of JSON-LD of a page: a tree of them takes 5 MB in WASM")   \
    X(jsonld_objects, 20000, "objects and arrays of JSON-LD that are looked at")                \
    X(jsonld_depth, 16, "objects in objects of JSON-LD that are looked at")                     \
    X(jsonld_types, 8, "types of one object of JSON-LD: its texts are read for each")           \
    X(jsonld_media, 64, "videos and audios that the JSON-LD of a page describes")               \
    X(jsonld_names, 64, "objects of JSON-LD that others refer to by @id")                       \
    X(state_bytes, 2u << 20, "bytes of scripts that are searched for a page's data")            \
    X(state_scripts, 32, "scripts that are searched for a page's data")

enum {
#define ADIT_LIMIT_ENUM(name, value, why) ADIT_LIMIT_##name = (value),
    ADIT_LIMITS(ADIT_LIMIT_ENUM)
#undef ADIT_LIMIT_ENUM
};

/* What converting a page of n bytes of HTML takes at most, in WASM, beside the HTML itself. The
 * factor is that of pages of nothing but short tags; pages as people write them take a tenth of it.
 * The counts of ADIT_LIMITS end the growth: of some 300 kinds of pages of page_bytes the worst takes
 * 53 MiB. Natively it is a third more. An instance converts one page at a time. */
enum { ADIT_CONVERT_FACTOR = 100, ADIT_CONVERT_FIXED = 4 << 20, ADIT_CONVERT_MAX = 60 << 20 };
static inline uint64_t adit_convert_cost(uint64_t n)
{
    uint64_t cost = ADIT_CONVERT_FACTOR * n + ADIT_CONVERT_FIXED;
    return cost < ADIT_CONVERT_MAX ? cost : ADIT_CONVERT_MAX;
}

struct adit_limit {
    const char *name;
    uint64_t value;
    const char *why;
};
extern const struct adit_limit adit_limits[]; /* ends with a NULL name */

/* --- time ------------------------------------------------------------------------------------- */

/* Instants on the UTC time line: what RFC 3339 texts mean, so that they can be compared. */

/* Seconds since 1970-01-01T00:00:00Z (before it: negative) and nanoseconds, 0…999999999. Digits of
 * a fraction beyond the ninth are dropped. Years 0000…9999. */
struct adit_time {
    int64_t s;
    uint32_t ns;
};

/* RFC 3339 date-time: T or a space in the middle, Z or an offset, any case; a leap second (:60)
 * is the second after it. False for anything else (2001-02-29, 24:00, no offset). */
bool adit_time_parse(struct adit_str s, struct adit_time *t);
bool adit_is_time(struct adit_str text); /* whether it can be read so */
/* The same, or a date alone, which is its midnight in UTC. */
bool adit_time_parse_date(struct adit_str s, struct adit_time *t);
int adit_time_cmp(struct adit_time a, struct adit_time b);
static inline bool adit_time_before(struct adit_time a, struct adit_time b)
{
    return adit_time_cmp(a, b) < 0;
}
/* 2000-01-15T10:30:00Z; with a fraction, as many digits as it needs. */
void adit_time_write(struct adit_buf *out, struct adit_time t);
/* 20000115T103000Z, for names of files. */
void adit_time_stamp(struct adit_buf *out, struct adit_time t);

/* Days since 1970-01-01 of a date of the Gregorian calendar (month 1…12, day 1…31, not checked),
 * and back. */
int64_t adit_days_from_date(int64_t year, unsigned month, unsigned day);
void adit_date_from_days(int64_t days, int64_t *year, unsigned *month, unsigned *day);

/* --- rules of documents (rule.c) -------------------------------------------------------------- */

/* What a document must keep. A table of rules is a list RULES(X) of rows X(ID, "stable-name",
 * SEVERITY, "what is wrong", "what to do"); it ends with a NULL name. */
enum adit_severity {
    ADIT_RULE_FATAL, /* the file is rejected */
    ADIT_RULE_LINE,  /* the same, but a lenient reader may skip the line instead */
    ADIT_RULE_SKIP,  /* the page is left out */
    ADIT_RULE_DROP,  /* the block is left out */
    ADIT_RULE_WARN   /* taken as it is, or mended as the advice says */
};
extern const char *const adit_severity_names[]; /* "fatal", "fatal", "skip", "drop", "warn" */

struct adit_rule {
    const char *name;
    enum adit_severity severity;
    const char *what, *advice;
};
/* Of such a list: the numbers R_ID, and the rows of the array. */
#define ADIT_RULE_ID(id, name, severity, what, advice) R_##id,
#define ADIT_RULE_ROW(id, name, severity, what, advice) \
    [R_##id] = {name, ADIT_RULE_##severity, what, advice},

/* A rule that a document breaks, and where. */
struct adit_finding {
    const struct adit_rule *rule;
    uint64_t line;         /* from 1; 0: the file as a whole */
    size_t column;         /* byte in the line from 1; 0: unknown */
    const char *member;    /* or element or attribute; NULL: none in particular */
    size_t index;          /* of the block or item; SIZE_MAX: none */
    struct adit_str value; /* an excerpt */
    const char *detail;    /* a constant that says more, or NULL */
};
struct adit_judge {
    void (*report)(void *ctx, const struct adit_finding *finding);
    void *ctx;
};

/* --- rules of conversion ---------------------------------------------------------------------- */

/* The version of the conversion rules: raised, with its date, whenever any golden fingerprint
 * changes, be it by our rules or by another version of lexbor, utf8proc or Unicode. It stands in
 * manifests, in `adit version --json`, in the key of the validator memory and in llm-sitemap.json.
 */

#define ADIT_RULES_VERSION "14"
#define ADIT_RULES_DATE    "2026-11-20T00:00:00Z"
#define ADIT_RULES_UNIX    1795132800 /* the same instant in seconds */
#define ADIT_VERSION       "0.2.0"

#endif
