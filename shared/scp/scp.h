/* scp: the Site Content Protocol's collections, line by line: the metadata of line 1, pages, the
 * rules that both must keep (one table), and the checksum.
 *
 * Lines come in as slices and are judged without copying; files, compression and order are the
 * caller's. A rule that is broken is a finding: what it means for the file stands in the table.
 */
#ifndef ADIT_SCP_H
#define ADIT_SCP_H

#include "base/base.h"
#include "crypto/crypto.h"
#include "json/json.h"
#include "page/page.h"

/* --- rules (rules.c) -------------------------------------------------------------------------- */

/* Stable name, severity, what is wrong, what to do. */
#define ADIT_SCP_RULE_TABLE(X)                                                                    \
    X(FILE_EMPTY, "file-empty", FATAL, "there is no line",                                        \
      "begin the file with the collection's metadata")                                            \
    X(FILE_UNDECODABLE, "file-undecodable", FATAL, "the compressed stream is damaged",            \
      "fetch or compress the file again")                                                         \
    X(FILE_CUT_OFF, "file-cut-off", FATAL, "the compressed stream ends too early",                \
      "fetch the file again: its end is missing")                                                 \
    X(FILE_READ, "file-read", FATAL, "the file cannot be read to its end", "see the message")     \
    X(FILE_RATIO, "file-ratio", FATAL, "it decompresses to more than 100 times its size",         \
      "compress less; readers must refuse this as a bomb")                                        \
    X(FILE_SIZE_ENCODED, "file-size-encoded", FATAL, "the file has more than 50 GB",              \
      "split the section into smaller ones")                                                      \
    X(FILE_SIZE, "file-size", FATAL, "it decompresses to more than 500 GB",                       \
      "split the section into smaller ones")                                                      \
    X(FILE_PARTS, "file-parts", WARN, "the file is several compressed streams in a row",          \
      "write one gzip member or zstd frame: some readers stop after the first")                   \
    X(FILE_BOM, "file-bom", WARN, "a byte order mark stands before line 1",                       \
      "write UTF-8 without a byte order mark; it was ignored")                                    \
    X(META_JSON, "meta-json", FATAL, "line 1 is not valid JSON", "write one JSON object a line")  \
    X(META_OBJECT, "meta-object", FATAL, "line 1 is not {\"collection\":{...}}",                  \
      "begin the file with the collection's metadata")                                            \
    X(META_LONG, "meta-long", FATAL, "line 1 has more than 64 KB",                                \
      "keep only the members of the specification in line 1")                                     \
    X(META_MISSING, "meta-missing", FATAL, "a required member of the collection is missing",      \
      "add it: id, section, type, generated and version are required, since in deltas")           \
    X(META_STRING, "meta-string", FATAL, "a member of the collection is not a string",            \
      "write it as a JSON string")                                                                \
    X(META_NAME, "meta-name", WARN, "a name has other characters than A-Z a-z 0-9 - _",           \
      "use only these, so that the name can stand in URLs and file names")                        \
    X(META_TYPE, "meta-type", FATAL, "the type is neither snapshot nor delta",                    \
      "write \"snapshot\" or \"delta\"")                                                          \
    X(META_TIME, "meta-time", FATAL, "a time is not an RFC 3339 date-time",                       \
      "write it like 2000-01-15T10:30:00Z")                                                       \
    X(META_ORDER, "meta-order", WARN, "since is later than generated",                            \
      "since is the time of the collection that this one builds on")                              \
    X(META_FUTURE, "meta-future", WARN, "generated lies in the future",                           \
      "check the clock of the machine that made the file")                                        \
    X(META_VERSION, "meta-version", FATAL, "the version is not MAJOR.MINOR", "write \"0.1\"")     \
    X(META_MAJOR, "meta-major", FATAL, "the major version is higher than 0, which is read here",  \
      "use a newer reader")                                                                       \
    X(META_MINOR, "meta-minor", WARN, "the minor version is not 1",                               \
      "nothing: what is unknown is ignored")                                                      \
    X(META_TWICE, "meta-twice", WARN, "a member of the collection stands there twice",            \
      "write it once; the last one counts")                                                       \
    X(CHECKSUM_FORM, "checksum-form", FATAL, "the checksum is not sha256: and 64 hex digits",     \
      "write the 64 digits, or leave the checksum out")                                           \
    X(CHECKSUM_TWICE, "checksum-twice", FATAL, "there are two checksums", "write one")            \
    X(CHECKSUM, "checksum", FATAL, "the checksum matches by none of the known rules",             \
      "fetch the file again; it was changed after it was made")                                   \
    X(CHECKSUM_RULE, "checksum-rule", WARN, "the checksum matches, but by another rule",          \
      "hash the file without its checksum member and the comma before it")                        \
    X(CHECKSUM_NONE, "checksum-none", WARN, "the file has no checksum",                           \
      "add one, so that readers can tell that nothing is missing")                                \
    X(PAGE_JSON, "page-json", LINE, "the line is not valid JSON", "write one JSON object a line") \
    X(PAGE_OBJECT, "page-object", LINE, "the line is not a JSON object",                          \
      "write one page object a line")                                                             \
    X(PAGE_LONG, "page-long", SKIP, "the line has more than 100 MB", "split or shorten the page") \
    X(PAGE_MISSING, "page-missing", LINE, "a required member is missing",                         \
      "add it: url, title, description, modified, language and content are required")             \
    X(PAGE_TYPE, "page-type", LINE, "a required member has the wrong type",                       \
      "content is an array, the others are strings")                                              \
    X(PAGE_URL, "page-url", SKIP, "the url is not an absolute http or https URL",                 \
      "write scheme, host and path, percent-encoded")                                             \
    X(PAGE_MODIFIED, "page-modified", SKIP, "modified is not an RFC 3339 date-time",              \
      "write it like 2000-01-15T10:30:00Z; without it nobody can tell which version is newer")    \
    X(PAGE_BLOCKS, "page-blocks", SKIP, "the page has more than 1000 blocks",                     \
      "merge neighbouring blocks")                                                                \
    X(PAGE_EMPTY, "page-empty", WARN, "the page has no block", "leave pages without content out") \
    X(PAGE_OPTIONAL, "page-optional", WARN, "an optional member has the wrong type or form",      \
      "mend it or leave it out; it is ignored")                                                   \
    X(PAGE_LANGUAGE, "page-language", WARN, "the language is not a BCP 47 tag in its usual case", \
      "write it like en, en-US or zh-Hans-CN")                                                    \
    X(PAGE_FUTURE, "page-future", WARN, "modified lies in the future",                            \
      "check where the date comes from: no later version can ever replace this one")              \
    X(PAGE_TWICE, "page-twice", WARN, "a member stands there twice",                              \
      "write it once; the last one counts")                                                       \
    X(PAGE_SURROGATE, "page-surrogate", WARN, "a string has half of a surrogate pair",            \
      "cut text between characters; it is read as U+FFFD")                                        \
    X(PAGE_URL_AGAIN, "page-url-again", WARN, "the same URL as in the line before",               \
      "list a page once; the newest one counts")                                                  \
    X(BLOCK_OBJECT, "block-object", DROP, "a block is not an object with a type",                 \
      "give every block a type")                                                                  \
    X(BLOCK_UNKNOWN, "block-unknown", WARN, "a block has an unknown type",                        \
      "nothing: it is passed over")                                                               \
    X(BLOCK_MISSING, "block-missing", DROP, "a block lacks a required member",                    \
      "add it, as the specification's schema says")                                               \
    X(BLOCK_TYPE, "block-type", DROP, "a required member of a block has the wrong type",          \
      "write it as the specification's schema says")                                              \
    X(BLOCK_OPTIONAL, "block-optional", WARN, "an optional member of a block is malformed",       \
      "mend it or leave it out; it is ignored")                                                   \
    X(BLOCK_LEVEL, "block-level", WARN, "a heading's level is not 1 to 6",                        \
      "write 1 to 6; the nearest one is taken")                                                   \
    X(BLOCK_URL, "block-url", DROP, "a block's URL is not an absolute http or https URL",         \
      "write it out in full; other schemes (javascript:, data:) are never followed")

enum adit_scp_rule_id {
#define ADIT_SCP_RULE_ENUM(id, name, severity, what, advice) ADIT_SCP_##id,
    ADIT_SCP_RULE_TABLE(ADIT_SCP_RULE_ENUM)
#undef ADIT_SCP_RULE_ENUM
        ADIT_SCP_RULES
};

/* By these numbers; a finding's rule is one of these rows, its index that of the block. */
extern const struct adit_rule adit_scp_rules[ADIT_SCP_RULES + 1];

/* What readers enforce; the defaults are the specification's. now {0,0}: nothing is in the future.
 */
struct adit_scp_limits {
    uint64_t encoded_max, decoded_max;
    size_t line_max, blocks_max;
    struct adit_time now; /* times more than a day later are warned of */
};
extern const struct adit_scp_limits adit_scp_limits;

/* --- line 1 (meta.c) -------------------------------------------------------------------------- */

struct adit_scp_meta {
    struct adit_str id, section;
    bool delta;
    struct adit_str generated, since; /* as written; since is empty unless delta */
    struct adit_time generated_at, since_at;
    struct adit_str checksum; /* "sha256:<64 hex>" or empty */
    struct adit_str version;
};

/* Where findings go; without report nobody is told. limits must be set. */
struct adit_scp_judge {
    const struct adit_scp_limits *limits;
    void (*report)(void *ctx, const struct adit_finding *finding);
    void *ctx;
    uint64_t line; /* of the line that is read: copied into findings */
    bool thorough; /* also look for what only a warning comes of and that costs time */
};

/* Whether a file that begins so is a collection: its first line is an object whose first member is "collection". */
bool adit_scp_starts(struct adit_str head);
/* Reads line 1 (without LF). The strings of *meta are slices of line or copies in the arena.
 * cut_from, cut_to: the checksum member and its adjoining comma as a range of line, to be left out
 * of the hash; equal when there is no checksum. False: a fatal finding was reported. */
bool adit_scp_meta_read(struct adit_str line, struct adit_arena *arena,
                        struct adit_scp_judge *judge, struct adit_scp_meta *meta, size_t *cut_from,
                        size_t *cut_to);
/* Appends line 1 without LF; version is "0.1", the checksum, unless empty, the last member. */
void adit_scp_meta_write(struct adit_buf *out, const struct adit_scp_meta *meta);

/* --- pages (line.c, block.c) ------------------------------------------------------------------ */

/* The members of a page, in the order of the schema. */
enum adit_scp_member {
    ADIT_SCP_URL,
    ADIT_SCP_TITLE,
    ADIT_SCP_DESCRIPTION,
    ADIT_SCP_AUTHOR,
    ADIT_SCP_PUBLISHED,
    ADIT_SCP_MODIFIED,
    ADIT_SCP_LANGUAGE,
    ADIT_SCP_CANONICAL,
    ADIT_SCP_SCHEMA,
    ADIT_SCP_CONTENT,
    ADIT_SCP_ROBOTS, /* of an older revision: read and ignored, never written */
    ADIT_SCP_MEMBERS
};

struct adit_scp_range {
    size_t from, to;
};

/* A judged line. All slices point into the line, or into the reader's buffer (url). */
struct adit_scp_page {
    struct adit_str line; /* without white space around it */
    struct adit_str url;  /* what the JSON string means */
    struct adit_time modified;
    struct adit_json_value members[ADIT_SCP_MEMBERS];
    /* The whole member with its adjoining comma, as a range of line; {0,0} if it is not there. */
    struct adit_scp_range modified_at, robots_at;
    size_t n_blocks;
    size_t blocks[ADIT_BLOCK_TYPES + 1]; /* by type; the last: unknown */
};

enum adit_scp_verdict {
    ADIT_SCP_GOOD,
    ADIT_SCP_SKIPPED, /* leave this page out */
    ADIT_SCP_REJECTED /* a fatal finding (of severity LINE: a lenient reader goes on) */
};

/* Judges one line that holds a page, by the whole schema. scratch keeps the URL when it had to be
 * unescaped; it is cleared first. */
enum adit_scp_verdict adit_scp_page_judge(struct adit_str line, struct adit_scp_judge *judge,
                                          struct adit_buf *scratch, struct adit_scp_page *page);

/* The line without robots (and without modified) as up to three pieces; returns how many. */
size_t adit_scp_page_pieces(const struct adit_scp_page *page, bool without_modified,
                            struct adit_str pieces[3]);
/* Whether two pages say the same, `modified` aside: their lines without that member (and without
 * robots) have the same bytes. */
bool adit_scp_page_same(const struct adit_scp_page *a, const struct adit_scp_page *b);
/* Which of two versions of a page to keep: > 0: a. The newer one; of the same instant the one of
 * the greater collection time, then the one with the greater line by bytes. */
int adit_scp_page_cmp(const struct adit_scp_page *a, struct adit_time a_generated,
                      const struct adit_scp_page *b, struct adit_time b_generated);

/* Absolute http(s) URL with a host and without characters that no URL may have. text is the inside
 * of a JSON string: "https:\/\/" is understood. */
bool adit_scp_is_url(struct adit_str text);

/* --- pages as structures (read.c) ------------------------------------------------------------- */

/* Makes struct adit_page of a judged line; blocks that must be dropped are left out, what is
 * malformed and optional too. Everything lies in the line or in the arena. */
enum adit_code adit_scp_page_read(const struct adit_scp_page *line, struct adit_arena *arena,
                                  struct adit_page *page);

/* What "type" says of each type of block, and "unknown". */
extern const char *const adit_scp_block_names[ADIT_BLOCK_TYPES + 1];
/* Appends page as one line, without LF (page_write.c). */
enum adit_code adit_scp_page_write(const struct adit_page *page, struct adit_buf *out);

/* --- checksum (checksum.c) -------------------------------------------------------------------- */

/* The specification asks for the hash of a file that contains the hash; files in the wild follow
 * one of these. adit writes the first. */
enum adit_scp_checksum_rule {
    ADIT_SCP_DETACHED,    /* without the checksum member and its adjoining comma */
    ADIT_SCP_DETACHED_LF, /* the same with one final LF more or less */
    ADIT_SCP_PAGES,       /* without line 1 */
    ADIT_SCP_ZEROED,      /* with 64 zeros as digits */
    ADIT_SCP_WHOLE,       /* as it stands */
    ADIT_SCP_CHECKSUM_RULES
};
extern const char *const adit_scp_checksum_names[ADIT_SCP_CHECKSUM_RULES];

/* Hashes a file as it comes. One hash decides the first two rules; the others need one each, so
 * that a caller who can read the file again asks for them only after a mismatch. */
struct adit_scp_checksum {
    struct adit_sha256 hash[4]; /* detached, pages, zeroed, whole */
    uint8_t want[ADIT_SHA256_LEN];
    bool all; /* all four, else the first */
    bool lf;  /* an LF that has not been hashed yet */
};

/* first: the first line as it stands in the file with its line end (and byte order mark); cut: the
 * range of adit_scp_meta_read in it, checksum: its value. ADIT_EBAD if that has not the right form.
 */
enum adit_code adit_scp_checksum_init(struct adit_scp_checksum *c, bool all, struct adit_str first,
                                      struct adit_scp_range cut, struct adit_str checksum);
/* The rest of the file, in any portions. */
void adit_scp_checksum_add(struct adit_scp_checksum *c, struct adit_str part);
/* The first rule that fits, or ADIT_SCP_CHECKSUM_RULES. */
enum adit_scp_checksum_rule adit_scp_checksum_end(const struct adit_scp_checksum *c);

/* --- update frequencies (frequency.c) --------------------------------------------------------- */

struct adit_scp_freq {
    const char *name;
    uint32_t seconds;
};
extern const struct adit_scp_freq adit_scp_freqs[]; /* "hourly" … "monthly"; ends with NULL */
/* NULL: no such frequency. Where none is said, ADIT_SCP_FREQ_DEFAULT is meant. */
const struct adit_scp_freq *adit_scp_freq(struct adit_str name);
#define ADIT_SCP_FREQ_DEFAULT "daily"
#define ADIT_SCP_FREQ_NAMES   "hourly, daily, weekly or monthly" /* for messages */

/* --- the manifest and its entries (manifest_entry.c) ------------------------------------------ */

#define ADIT_SCP_MANIFEST "scp-manifest.json" /* its name in the folder of a publication */
enum { ADIT_MANIFEST_BYTES = 4 << 20, ADIT_MANIFEST_FILES = 10000 };
/* What an arena needs to read one. */
enum { ADIT_MANIFEST_MEMORY = 8 * ADIT_MANIFEST_BYTES };

/* A collection of a publication; what is absent is empty. */
struct adit_manifest_entry {
    struct adit_str id, section, type, file, generated, since, expires;
    struct adit_str sha256, checksum; /* of the file as it is; of the uncompressed bytes */
    struct adit_str content_encoding, update_freq;
    uint64_t pages, size;
    struct adit_str raw;    /* its JSON, if it was read */
    struct adit_str quoted; /* file, as it stands there */
};

/* What is there, of whatever form: texts lie in the JSON, or unescaped in the arena. */
enum adit_code adit_manifest_entry_read(struct adit_json_value json, struct adit_arena *arena,
                                        struct adit_manifest_entry *e);
/* The SHA-256 that a member names: 64 hexadecimal digits, perhaps with "sha256:" before them. */
bool adit_manifest_digest(struct adit_str s, uint8_t hash[ADIT_SHA256_LEN]);
bool adit_manifest_is_delta(const struct adit_manifest_entry *e);

struct adit_manifest_head {
    struct adit_str generated, origin;
    struct adit_str previous; /* `generated` of the publication before; empty: null */
    struct adit_str rules;    /* of the conversion; written is this program's version */
};
/* Reads a whole manifest, its entries into the arena. ADIT_EBAD: not JSON, or no list of collections;
 * ADIT_ELIMIT: more than ADIT_MANIFEST_FILES entries; ADIT_ENOMEM. */
enum adit_code adit_manifest_read(struct adit_str json, struct adit_arena *arena,
                                  struct adit_manifest_head *head,
                                  struct adit_manifest_entry **entries, size_t *n,
                                  struct adit_error *err);
/* The whole document, canonical JSON, appended; entries with `raw` are copied. */
void adit_manifest_write(struct adit_buf *out, const struct adit_manifest_head *head,
                         const struct adit_manifest_entry *entries, size_t n);

/* Judges a manifest, doc, whose bytes are text; calls file for each entry that has all its members,
 * which answers with adit_manifest_judge_file. How many entries there are. */
extern const struct adit_rule adit_manifest_rules[];
size_t adit_manifest_judge(struct adit_str text, struct adit_json_value doc, struct adit_mem mem,
                           void (*file)(void *ctx, const struct adit_manifest_entry *e, size_t i),
                           void *ctx, const struct adit_judge *judge);
enum adit_manifest_state {
    ADIT_MANIFEST_SAME,    /* the file is as the entry says */
    ADIT_MANIFEST_STRANGE, /* its name is no plain one */
    ADIT_MANIFEST_AWAY,    /* not beside the manifest, and may be elsewhere */
    ADIT_MANIFEST_LOST,    /* not there, although it must be */
    ADIT_MANIFEST_SIZE,    /* of another size */
    ADIT_MANIFEST_BYTES_DIFFER
};
void adit_manifest_judge_file(const struct adit_manifest_entry *e, size_t index,
                              enum adit_manifest_state state, const struct adit_judge *judge);
bool adit_manifest_is(struct adit_json_value doc); /* an object that has what manifests have */

/* --- sitemap.xml (sitemap.c) ------------------------------------------------------------------ */

/* A sitemap with SCP's elements (SCP, Discovery via Sitemap): open, `scp` once, sections,
 * collections, pages, close. All append. */
void adit_scp_sitemap_open(struct adit_buf *out);
void adit_scp_sitemap_scp(struct adit_buf *out, const struct adit_manifest_entry *entries,
                          size_t n);
void adit_scp_sitemap_section(struct adit_buf *out, struct adit_str name, struct adit_str freq,
                              uint64_t pages);
/* folder: the URL of the folder that the file lies in, with its slash. */
void adit_scp_sitemap_collection(struct adit_buf *out, struct adit_str folder,
                                 const struct adit_manifest_entry *e);
void adit_scp_sitemap_page(struct adit_buf *out, struct adit_str url, struct adit_str modified);
void adit_scp_sitemap_close(struct adit_buf *out);
/* The index of parts: ORIGIN/sitemap.xml, then ORIGIN/sitemap-0002.xml to the nth. */
void adit_scp_sitemap_index(struct adit_buf *out, struct adit_str origin, uint64_t n);

/* --- manifest (manifest.c) -------------------------------------------------------------------- */

/* The publication's manifest (scp-manifest.json): which SCP files there are, and the header fields
 * that each is served with (SCP, Use with HTTP). */

struct adit_scp_file {
    struct adit_str path; /* of the URL: folder of the manifest + name */
    struct adit_str etag; /* quoted: "sha256:…" of the uncompressed bytes; empty if unknown */
    struct adit_str last_modified, cache_control;
    struct adit_str content_encoding; /* "zstd", "gzip" or empty */
    int64_t generated;                /* Unix seconds */
    uint64_t size;                    /* bytes of the file */
};

struct adit_manifest {
    struct adit_scp_file *files;
    size_t n;
    struct adit_arena arena;
};

/* Reads json, found at the URL path `path`. Entries with a name that is no plain file name or
 * without usable facts are passed over. Free m in any case. */
enum adit_code adit_manifest_parse(struct adit_manifest *m, struct adit_str json,
                                   struct adit_str path, struct adit_mem mem,
                                   struct adit_error *err);
void adit_manifest_free(struct adit_manifest *m);
/* NULL if it does not list the path. */
const struct adit_scp_file *adit_manifest_find(const struct adit_manifest *m, struct adit_str path);

/* The name of the section's snapshot file that a manifest lists, in the arena; empty: it lists none, or
 * is no manifest. */
struct adit_str adit_manifest_snapshot(struct adit_str json, struct adit_str section,
                                       struct adit_arena *arena);

/* Whether a path looks like an SCP file's: .scp, .scp.gz, .scp.zst. */
bool adit_scp_path(struct adit_str path);

/* --- SCP's elements of a sitemap, as read (sitemap_judge.c) ----------------------------------- */

enum adit_scp_element_kind {
    ADIT_SCP_ELEMENT_VERSION,
    ADIT_SCP_ELEMENT_COMPRESSION,
    ADIT_SCP_ELEMENT_SECTION,
    ADIT_SCP_ELEMENT_COLLECTION,
    ADIT_SCP_ELEMENT_DELTA,
    ADIT_SCP_ELEMENT_OTHER
};
/* Local names of the elements, by kind; OTHER has none. Namespace of all. */
extern const char *const adit_scp_element_names[ADIT_SCP_ELEMENT_OTHER];
extern const char adit_scp_namespace[];

#define ADIT_SCP_ATTRIBUTES(X) \
    X(name)                    \
    X(updateFreq)              \
    X(section) X(type) X(period) X(url) X(generated) X(expires) X(pages) X(size) X(since)

/* Values as they stand, not checked; p is NULL where an attribute is absent. */
struct adit_scp_element {
    enum adit_scp_element_kind kind;
    struct adit_str element; /* its local name */
    struct adit_str text;    /* of version and compression */
#define ADIT_SCP_ATTRIBUTE(name) struct adit_str name;
    ADIT_SCP_ATTRIBUTES(ADIT_SCP_ATTRIBUTE)
};

/* Judges the elements of one sitemap: init, add each, end after the last, free. */
struct adit_scp_elements {
    struct adit_judge judge;
    uint64_t n, n_collections, n_deltas;
    unsigned versions;
    struct adit_buf declared, used; /* names of sections */
};
extern const struct adit_rule adit_scp_sitemap_rules[];
void adit_scp_elements_init(struct adit_scp_elements *r, struct adit_mem mem,
                            struct adit_judge judge);
void adit_scp_elements_add(struct adit_scp_elements *r, const struct adit_scp_element *e);
void adit_scp_elements_end(struct adit_scp_elements *r);
void adit_scp_elements_free(struct adit_scp_elements *r);

#endif
