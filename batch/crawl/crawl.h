/* crawl: what crawls say about pages. Inputs are WARC and ARC files and folders of HTML; each record or
 * file becomes a capture, and each capture one verdict about a page, told to a sink:
 *
 *   inputs ─▶ crawl_reader: records, files ─▶ capture_worker (a thread each) ─▶ capture_sink
 *
 * pack sorts the verdicts and publishes; archive keeps every version; extract writes a record each.
 */
#ifndef ADIT_CRAWL_H
#define ADIT_CRAWL_H

#include "base/base.h"
#include "batch/cli/cli.h"
#include "batch/fetch/fetch.h"
#include "exchange/exchange.h"
#include "http/http.h"
#include "json/json.h"
#include "page/page.h"
#include "batch/io/io.h"

#include <fts.h>
#include <stdatomic.h>

/* --- warc ------------------------------------------------------------------------------------- */

/* warc: the records of a WARC (0.17 … 1.1) or ARC (1, 2) file, one after the other, in one pass.
 *
 * What a record's body holds is never taken for a record while the archive is intact: the stated
 * length is believed if a record, the end of a gzip member or zstd frame, or the end of the file
 * stands behind it, however long the block is. Only otherwise the next record is searched for.
 *
 * Damage is normal in archives: every record that can still be found is delivered, and what was
 * wrong is counted by reason. A record's slices point into the input's window and are valid until
 * the next call.
 */

enum warc_type {
    WARC_OTHER, /* a type that we do not know, or none given */
    WARC_INFO,
    WARC_RESPONSE,
    WARC_RESOURCE,
    WARC_REQUEST,
    WARC_METADATA,
    WARC_REVISIT,
    WARC_CONVERSION,
    WARC_CONTINUATION,
    WARC_TYPES
};

/* What was wrong; each with the text of the report. */
#define WARC_FAULTS(X)                                                                        \
    X(damaged, "damaged compressed data")                                                     \
    X(garbage, "bytes that belong to no record")                                              \
    X(header, "record header without an end, without a single field, or of more than 64 KiB") \
    X(length_missing, "Content-Length missing or not a number")                               \
    X(length_wrong, "Content-Length does not lead to the next record")                        \
    X(cut_off, "record cut off")

enum warc_fault {
#define WARC_FAULT_ENUM(name, text) WARC_FAULT_##name,
    WARC_FAULTS(WARC_FAULT_ENUM)
#undef WARC_FAULT_ENUM
        WARC_FAULT_COUNT
};
extern const char *const warc_fault_names[WARC_FAULT_COUNT]; /* for report.json */
extern const char *const warc_fault_texts[WARC_FAULT_COUNT];

struct warc_record {
    enum warc_type type;
    bool arc;
    struct adit_str header; /* all header lines, the version line included */
    struct adit_str uri;    /* WARC-Target-URI without <>; may hold spaces; may be empty */
    struct adit_str date;   /* as written: W3C datetime, or 14 digits in ARC */
    struct adit_str content_type;
    uint64_t offset;   /* in the file as stored: of the record, or of the member that it is in;
                          UINT64_MAX: unknown */
    uint64_t stored;   /* bytes that it takes there, as an index has them; 0: not known yet */
    bool own_member;   /* the record begins a gzip member or zstd frame, or the file is plain */
    uint64_t length;   /* of the block: as declared, or as found when the declaration is wrong */
    bool length_known; /* false: the block is larger than block_max and states no length */
    struct adit_str block; /* the whole block, or its beginning if it is longer than block_max */
    bool whole;            /* block is the whole block */
    bool damaged;          /* the block's end is missing, or its bytes cannot be trusted */
    bool corrupt;          /* the latter: its compressed bytes are damaged */
};

/* The first header field of that name (ASCII case folded), trimmed; empty if none. A value that is
 * folded over several lines still holds the line ends. */
struct adit_str warc_field(const struct warc_record *r, struct adit_str name);

struct warc_reader {
    struct input *in;
    size_t block_max; /* blocks up to this many bytes are delivered whole */
    uint64_t records, faults[WARC_FAULT_COUNT];
    uint64_t last_end; /* where the record before this one ends in the file as stored */
    /* Told of every fault and where it is; may be NULL. */
    void (*on_fault)(void *ctx, enum warc_fault fault, uint64_t offset);
    void *ctx;
    /* internal */
    uint64_t skip;     /* bytes of the current record still to be taken */
    uint64_t part;     /* of these, what warc_rest has shown */
    bool in_rest;      /* warc_rest has begun */
    uint64_t at_start; /* records that began a gzip member or zstd frame */
    uint64_t searched; /* bytes, to count the work */
    enum { WARC_PROVEN, WARC_UNPROVEN, WARC_OPEN } end; /* of the current record: see warc.c */
    bool arc, started;
    size_t arc_fields;
};

enum { WARC_BLOCK_MAX = (9 << 20), WARC_HEADER_MAX = 64 << 10 };

/* in must have been opened with options.recover and a window of WARC_WINDOW at least; the caller
 * closes it. */
enum { WARC_WINDOW = WARC_BLOCK_MAX + (2 << 20) };
void warc_init(struct warc_reader *w, struct input *in);
/* False at the end; input_code(in) then tells of a read error, if any. */
bool warc_next(struct warc_reader *w, struct warc_record *r);

/* The bytes of a block behind those that the record shows, for blocks that are not whole; the record's
 * slices are no longer valid then. False at the end of the block. */
bool warc_rest(struct warc_reader *w, const struct warc_record *r, struct adit_str *part);
/* The bytes behind the block, at most 4; after warc_rest has given all of it, or of a whole block. */
struct adit_str warc_tail(struct warc_reader *w);
extern const char *const warc_type_names[WARC_TYPES]; /* "response" … */

/* --- digest ----------------------------------------------------------------------------------- */

/* Digests as WARC records state them: "sha1:BASE32", "sha256:hex". */

enum { SHA1_LEN = 20 };
struct sha1 {
    uint32_t state[5];
    uint64_t len;
    uint8_t buf[64];
    void (*blocks)(uint32_t state[5], const uint8_t *p, size_t n);
};
void sha1_init(struct sha1 *s, bool plain); /* plain: without the processor's instructions */
void sha1_update(struct sha1 *s, struct adit_str part);
void sha1_final(struct sha1 *s, uint8_t out[SHA1_LEN]);

struct digest {
    bool sha256;
    uint8_t want[ADIT_SHA256_LEN];
    union {
        struct sha1 sha1;
        struct adit_sha256 sha256;
    } of;
};
enum digest_state { DIGEST_READY, DIGEST_UNKNOWN, DIGEST_MALFORMED };
enum digest_state digest_begin(struct digest *d, struct adit_str said);
void digest_add(struct digest *d, struct adit_str part);
bool digest_fits(struct digest *d); /* ends it */
void digest_base32(const uint8_t *bytes, size_t n, struct adit_buf *out);

/* --- message ---------------------------------------------------------------------------------- */

/* http_message: an HTTP/1.x response as archives hold it: head, body, and the body decoded.
 *
 * Archives hold what servers sent and what crawlers made of it: bodies already decoded under
 * headers that say otherwise, missing blank lines, HTTP/2 written as text. All of that is read.
 */

struct http_message {
    unsigned status; /* 0: there is none */
    struct adit_str head, body;
};

/* Splits a block. Without any HTTP head the whole block is the body. */
void http_message_split(struct adit_str block, struct http_message *m);
/* The first field of that name, trimmed; empty if none. */
struct adit_str http_field(const struct http_message *m, struct adit_str name);
/* All fields of that name, joined with ", ", appended to out. */
void http_fields(const struct http_message *m, struct adit_str name, struct adit_buf *out);

/* Decodes bodies; keeps its buffers between calls. One a thread. */
struct http_decoder;
struct http_decoder *http_decoder_new(size_t body_max);
void http_decoder_free(struct http_decoder *d); /* NULL is fine */

/* Undoes Transfer-Encoding: chunked and Content-Encoding: gzip, deflate, br, zstd (and lists of
 * them). *body points into m or into the decoder, valid until the next call. ADIT_EBAD: the body is
 * damaged; ADIT_ELIMIT: longer than body_max; ADIT_EUNSUP: a coding that nobody uses; ADIT_ENOMEM.
 */
enum adit_code http_decode(struct http_decoder *d, const struct http_message *m,
                           struct adit_str *body);

/* The body without its chunks, in out, or as it is if it has none. */
enum adit_code http_unchunk(struct adit_str in, struct adit_buf *out, struct adit_str *body);

/* --- why something is not listed -------------------------------------------------------------- */

#define CRAWL_SKIPS(X)                                                                        \
    X(older, "superseded by a newer capture of the same URL")                                 \
    X(gone, "404 or 410: not found")                                                          \
    X(redirect, "redirects to another URL")                                                   \
    X(refused, "another client error (4xx)")                                                  \
    X(server_error, "server error (5xx) or too many requests (429)")                          \
    X(not_html, "not HTML")                                                                   \
    X(binary, "called HTML, but a PDF, an image or another binary")                           \
    X(noindex, "the page asks not to be indexed (noindex, none; --keep-noindex)")             \
    X(noarchive, "the page asks not to be archived (noarchive; --keep-noarchive)")            \
    X(optout, "the page refuses uses by machines (--respect-optout)")                         \
    X(private, "for one person: 401, 403, Vary: *, a cookie with private")                    \
    X(authenticated, "captured with Authorization or Cookie in the request (--keep-private)") \
    X(empty, "no content found")                                                              \
    X(too_large, "larger than a page may be (8 MiB)")                                         \
    X(limit, "too complex: a limit of the converter was reached")                             \
    X(body, "the body is damaged or in an unknown coding")                                    \
    X(truncated, "truncated by the crawler (WARC-Truncated, 206)")                            \
    X(segmented, "segmented over several records")                                            \
    X(damaged, "the record is cut off or damaged")                                            \
    X(date, "no valid date of capture")                                                       \
    X(url, "not an http or https URL")                                                        \
    X(unresolved, "revisit of a capture that is not in the input")                            \
    X(unchanged, "revisit or 304: the page has not changed")                                  \
    X(other_host, "of a host that is not taken (--host)")                                     \
    X(host, "the host's name cannot be the name of a folder (--by-host)")                     \
    X(filtered, "left out by --include or --exclude")                                         \
    X(unreadable, "a file of the folder that cannot be read")                                 \
    X(short, "fewer words than --min-words")                                                  \
    X(duplicate, "the same text as a capture before (--dedup exact)")

enum crawl_skip {
#define CRAWL_SKIP_ENUM(name, text) CRAWL_SKIP_##name,
    CRAWL_SKIPS(CRAWL_SKIP_ENUM)
#undef CRAWL_SKIP_ENUM
        CRAWL_SKIP_COUNT
};
extern const char *const crawl_skip_names[CRAWL_SKIP_COUNT];
extern const char *const crawl_skip_texts[CRAWL_SKIP_COUNT];

/* The options that say which pages count, for the tables of commands. */
#define CRAWL_CLI_PRIVACY                                                                  \
    {"keep-noindex", NULL, CLI_FLAG, "take pages that ask not to be indexed, too"},        \
        {"keep-noarchive", NULL, CLI_FLAG, "take pages that ask not to be archived, too"}, \
        {"keep-private", NULL, CLI_FLAG,                                                   \
         "take captures made for one person, too: with cookies or credentials"},           \
        {"strict-private", NULL, CLI_FLAG,                                                 \
         "leave out what caches may not share, too: private, no-store, Vary: Cookie"},     \
        {"respect-optout", NULL, CLI_FLAG,                                                 \
         "leave out pages that say noai, tdm-reservation, Content-Usage or Content-Signal no"}

/* --- options (options.c) ---------------------------------------------------------------------- */

/* What is read, and which of it counts. */
struct crawl_options {
    char **inputs; /* files, URLs, "-", folders of HTML: folders of archives are their files */
    size_t n_inputs;
    char **owned; /* the memory behind inputs */
    size_t n_owned;
    uint64_t shard, shards;              /* of --shard; shards 0: all inputs */
    uint8_t all_inputs[ADIT_SHA256_LEN]; /* hash of the names of the inputs of all shards */
    bool no_inputs;                      /* set before: none are read */
    bool (*is_mine)(const char *input);  /* set before: inputs that the caller reads; may be NULL */
    const char *warc_prefix; /* before relative names of lists and indexes; NULL: none */
    struct fetch_cli net;
    struct adit_config config;
    struct adit_str *hosts; /* of --host */
    size_t n_hosts;
    struct adit_str *include, *exclude;
    size_t n_include, n_exclude;
    bool by_host, mixed, keep_noindex, keep_noarchive, strip_html_suffix;
    bool keep_private, strict_private, respect_optout;
    bool json, quiet; /* quiet: no progress */
    bool silent;      /* no summary for people either */
    bool links;       /* links within texts are blocks, too (adit_page_source.links) */
    bool rich;        /* pages with inline structure (adit_page_source.rich) */
    unsigned jobs;
    size_t memory;
    const char *base_url, *charset, *language;
    struct crawl_notes *notes; /* NULL: nobody wants them */
    int64_t started_ms;        /* of a clock that only runs forward */
    struct adit_arena arena;   /* holds the strings above */
};

/* Reads the command line; CLI_OK, or prints what is wrong and returns the exit code. Free in any
 * case. o->mixed may be set before: hosts are then no names of one site; o->no_inputs and
 * o->is_mine, too. */
int crawl_options_read(struct crawl_options *o, const struct cli_args *args);
void crawl_options_free(struct crawl_options *o);
/* Reads adit.json (path NULL: all is by default); false after saying what is wrong. adit_config_free in any case. */
bool crawl_config_read(const char *path, struct adit_config *config);
/* Whether one of the options decides the site: a configured origin, --base-url or --host. */
bool crawl_origin_known(const struct crawl_options *o);

/* The options of commands that read crawls, for their tables. */
#define CRAWL_CLI_INPUTS                                                                          \
    {"paths-file", "LIST", CLI_MANY, "also the inputs that LIST names, one a line (- is stdin)"}, \
        {"shard", "I/N", CLI_VALUE, "only every N-th input, from number I on; I counts from 0"},  \
        {"warc-prefix", "DIR|URL", CLI_VALUE,                                                     \
         "where the files of CDXJ indexes and lists are (default: beside the index)"}

/* A folder of HTML; which paths; how many threads. */
#define CRAWL_CLI_FOLDER                                                                           \
    {"base-url", "URL", CLI_VALUE, "what a folder is on the web, e.g. https://example.com/docs/"}, \
        {"strip-html-suffix", NULL, CLI_FLAG,                                                      \
         "folders: a.html is /a (index.html is always its folder)"},                               \
        {"charset", "CHARSET", CLI_VALUE,                                                          \
         "folders: the charset that the server sends, e.g. iso-8859-1"},                           \
        {"language", "TAG", CLI_VALUE, "of pages that do not say theirs, e.g. en"}
#define CRAWL_CLI_PATHS                                                             \
    {"include", "GLOB", CLI_MANY, "only pages whose path matches, e.g. '/blog/*'"}, \
        {"exclude", "GLOB", CLI_MANY, "no pages whose path matches, e.g. '*/print/*'"}
#define CRAWL_CLI_JOBS {"jobs", "N", CLI_VALUE, "threads, e.g. 8 (default: one a processor)"}
#define CRAWL_CLI_SORTING \
    {"memory", "SIZE", CLI_VALUE, "for sorting, e.g. 1G (default 256M); more goes to DIR"}

/* --shard alone: CLI_OK, or prints what is wrong with it. */
int crawl_shard_read(struct crawl_options *o, const struct cli_args *args);
/* Expands operands, lists and shards into o->inputs. CLI_OK, or said; free in any case. */
int crawl_inputs_read(struct crawl_options *o, const struct cli_args *args);
void crawl_inputs_free(struct crawl_options *o);

/* --- counts ----------------------------------------------------------------------------------- */

struct crawl_counts {
    uint64_t records, by_type[WARC_TYPES], faults[WARC_FAULT_COUNT];
    uint64_t files;    /* of trees */
    uint64_t captures; /* of http(s) URLs: listed + skips */
    uint64_t skips[CRAWL_SKIP_COUNT];
    uint64_t pages, created, updated, carried, removed, deleted;
    uint64_t optout[ADIT_OPTOUT_KINDS]; /* pages that refuse uses by machines, by how they do */
    uint64_t blocks[ADIT_BLOCK_TYPES];
    uint64_t bytes_read, bytes_decoded, bytes_html, bytes_listed, bytes_scp, bytes_out;
    uint64_t inputs_failed;
    uint64_t binaries[ADIT_BINARY_COUNT];
    uint64_t lost; /* captures of indexes that cannot be read, archives that are not as listed */
    uint64_t from_text; /* pages made of the text that a crawler saw: their HTML has none */
};
void crawl_counts_add(struct crawl_counts *to, const struct crawl_counts *more);

/* Whether something could not be read that should have been. */
bool crawl_records_lost(const struct crawl_counts *c);

/* --- notes (notes.c) -------------------------------------------------------------------------- */

/* What reports tell beside counts: captures that were left out, the pages that took longest. */
struct crawl_notes;
struct crawl_notes *crawl_notes_new(void); /* NULL: no memory; all below take NULL */
void crawl_notes_free(struct crawl_notes *n);
void crawl_note_skip(struct crawl_notes *n, enum crawl_skip why, struct adit_str url,
                     const char *file, uint64_t offset);
void crawl_note_time(struct crawl_notes *n, struct adit_str url, uint64_t us);

/* A capture that was left out: its file (NULL: unknown) and place there (UINT64_MAX: unknown). */
struct crawl_note {
    char *url, *file;
    uint64_t offset;
};
struct crawl_slow {
    char *url;
    uint64_t us;
};
enum { CRAWL_NOTES = 5, CRAWL_SLOWEST = 12 };
/* Those of a reason, the first CRAWL_NOTES by URL; the CRAWL_SLOWEST slowest. Rows without a URL end
 * them. */
const struct crawl_note *crawl_notes_skips(const struct crawl_notes *n, enum crawl_skip why);
const struct crawl_slow *crawl_notes_slowest(const struct crawl_notes *n);

/* --- reports (report.c) ------------------------------------------------------------------------ */

/* What commands that read crawls tell in common. Of tables only rows that are not 0 are shown. */
void crawl_report_table(struct adit_json_writer *w, const char *key, const char *const *names,
                        const uint64_t *values, size_t n);
struct crawl_losses;
void crawl_report_losses(struct adit_json_writer *w, const struct crawl_losses *l);
void crawl_report_left_out(struct adit_json_writer *w, const struct crawl_notes *n);
void crawl_report_slowest(struct adit_json_writer *w, const struct crawl_notes *n);
void crawl_report_time(struct adit_json_writer *w, const struct crawl_options *o,
                       const struct crawl_counts *c);
/* Since the options were read; at least 1. */
uint64_t crawl_elapsed_ms(const struct crawl_options *o);
void crawl_print_table(FILE *to, const char *title, const char *const *names,
                       const uint64_t *values, size_t n);
/* "; 2.5 s, 80.1 MB of HTML a second"; nothing of a run that took less than a second. */
void crawl_print_rate(FILE *to, uint64_t bytes, uint64_t ms);
/* "3 records, 2 captures: 1 page listed", what: "listed"; and why others are not, what is odd and damaged. */
void crawl_print_read(FILE *to, const struct crawl_counts *c, const char *what);
void crawl_print_left_out(FILE *to, const struct crawl_counts *c, const char *what);

/* --- reading: one item at a time -------------------------------------------------------------- */

/* A record or a file of a tree, in the worker's own memory. */
struct crawl_item {
    struct adit_buf buf;
    struct warc_record record; /* slices into buf; of files: uri, date and content_type */
    struct adit_str title;     /* with `text`; else empty */
    bool text;                 /* not a record: what the crawler saw on the page (WACZ, pages/) */
    const char *file;          /* its file's name, in buf; NULL: offsets mean nothing there */
    struct adit_str crawler;   /* program that made the record, in buf; empty: not said */
    char *path;                /* of a tree's file, to be read by the worker; else NULL */
    size_t input;              /* number of its input in the options */
    uint64_t number;           /* by crawl_ahead_next: 0, 1, 2 ... in the order of the input */
    /* With crawl_reader_tell_ends: no record, but the word that this input is over. */
    bool end;
    bool failed;   /* at the end: some of it could not be read, and may be another time */
    uint64_t lost; /* at the end: damaged places in it */
};

void crawl_item_init(struct crawl_item *item);
void crawl_item_free(struct crawl_item *item);

/* What could not be read: a fault in a file, or a whole file. */
struct crawl_loss {
    char *file;
    uint64_t offset;    /* in the file as stored; UINT64_MAX: unknown, or the file as a whole */
    const char *reason; /* the text of a fault, or why the file cannot be read */
};
struct crawl_losses {
    struct crawl_loss *v; /* the first of them */
    size_t n;
    uint64_t more;
};
enum { CRAWL_LOSSES_MAX = 10000 };
/* reason must live as long as the list; of those beyond CRAWL_LOSSES_MAX only the number is kept. */
void crawl_losses_add(struct crawl_losses *l, const char *file, uint64_t offset,
                      const char *reason);
void crawl_losses_free(struct crawl_losses *l);

/* Whether s begins as a WARC or ARC file or a WACZ does; as a WACZ; whether a file is called so (x.warc, x.warc.wet.gz,
 * x.arc.gz, x.wacz), and is not what lies beside archives. */
bool crawl_starts_archive(struct adit_str s);
bool crawl_starts_zip(struct adit_str s);
bool crawl_is_archive_name(struct adit_str name);

struct crawl_reader;
struct crawl_reader *crawl_reader_new(const struct crawl_options *o);
void crawl_reader_free(struct crawl_reader *r);
/* The next item that may concern a page. For one thread at a time. False at the end of all inputs. */
bool crawl_reader_next(struct crawl_reader *r, struct crawl_item *item,
                       struct crawl_counts *counts);
/* From now on crawl_reader_next also tells where an input ends, by an item of its own. */
void crawl_reader_tell_ends(struct crawl_reader *r);
/* As long as the reader lives. */
const struct crawl_losses *crawl_reader_losses(const struct crawl_reader *r);
/* Hands them over: the reader has none from then on. */
struct crawl_losses crawl_reader_take_losses(struct crawl_reader *r);
/* The input that is read now; NULL before the first one. */
const char *crawl_reader_name(const struct crawl_reader *r);
/* For the progress bar: encoded bytes read and to be read (0: unknown). */
uint64_t crawl_reader_position(const struct crawl_reader *r, uint64_t *total);

/* --- ahead (ahead.c): one reader for any number of threads ------------------------------------ */

/* Pages and other captures met so far, for the progress line. */
struct crawl_tally {
    uint64_t pages, others;
};
struct crawl_ahead;
/* jobs: threads that will take items; progress may be off, tally NULL: then items are counted. All must
 * outlive the crawl_ahead. NULL: out of memory. */
struct crawl_ahead *crawl_ahead_new(struct crawl_reader *reader, size_t jobs,
                                    struct progress *progress, const struct crawl_tally *tally);
void crawl_ahead_free(struct crawl_ahead *a); /* NULL is fine */
/* The next item, for any thread: one that has been read already is taken at once, also while another
 * thread reads. item must be initialised; what it held goes. False at the end of all inputs, after
 * crawl_ahead_stop, and when the run is interrupted. */
bool crawl_ahead_next(struct crawl_ahead *a, struct crawl_item *item, struct crawl_counts *counts);
/* Ends it for all threads, because of an error that has been said. */
void crawl_ahead_stop(struct crawl_ahead *a);
bool crawl_ahead_stopped(struct crawl_ahead *a);

/* --- visiting --------------------------------------------------------------------------------- */

/* Every record of every archive, one after the other, whatever it says of pages. Strings and blocks are
 * valid during the call only. */
struct crawl_visitor {
    void (*record)(void *ctx, const char *file, struct warc_reader *reader, struct warc_record *r);
    /* The record told of last ends here in its file, as stored. */
    void (*end)(void *ctx, uint64_t end);
    void (*fault)(void *ctx, const char *file, enum warc_fault fault, uint64_t offset);
};
void crawl_reader_visit(struct crawl_reader *r, const struct crawl_visitor *visitor, void *ctx,
                        struct crawl_counts *counts);

/* --- index ------------------------------------------------------------------------------------ */

/* The key that indexes are sorted by: "com,example)/path?a=1&b=2". False: no URL with a host. */
bool crawl_index_key(struct adit_str url, struct adit_arena *arena, struct adit_buf *out);
/* A line of CDXJ for a response, resource or revisit, up to the member "length": the caller adds
 * `,"length":"N"}`. False: the record has no URL or no date. scratch and arena are the caller's. */
bool crawl_index_line(const struct warc_record *r, const char *file, struct adit_arena *arena,
                      struct adit_buf *scratch, struct adit_buf *out);
/* The media type of what a record holds; m: its block, split. */
struct adit_str crawl_record_mime(const struct warc_record *r, const struct http_message *m);

/* --- captures: what a record says ------------------------------------------------------------- */

enum crawl_verdict {
    CRAWL_PAGE,
    CRAWL_UNCHANGED,
    CRAWL_GONE,
    CRAWL_CREDENTIALS,
    CRAWL_TEXT /* a page made of plain text: it counts where there is no HTML with content */
}; /* in this order at one instant */

/* The capture under way. Slices are valid during the call. */
struct crawl_capture {
    const struct warc_record *record;
    struct http_message http; /* of resources and files: no head */
    struct adit_str url;      /* public */
    struct adit_time at;
    struct adit_str content_type, body;
    struct adit_str payload_type;   /* content_type, unless the crawler says that it is wrong */
    struct adit_page_source source; /* of HTML pages */
    /* What the page is made of: HTML, a conversion record, or what the crawler saw (WACZ). */
    enum { CRAWL_OF_HTML, CRAWL_OF_CONVERSION, CRAWL_OF_SIGHT } of;
    bool file; /* of a tree, or of the folder of sync: the state of now, whatever its date */
};

/* Who is told what captures say. False ends the run, as an error that has been said. */
struct capture_sink {
    bool (*verdict)(void *ctx, const struct crawl_capture *s, enum crawl_verdict kind,
                    enum crawl_skip why);
    /* A page's HTML, before it is converted. True: that is not needed; *ok is then the answer. */
    bool (*known)(void *ctx, const struct crawl_capture *s, bool *ok);
    bool (*page)(void *ctx, const struct crawl_capture *s, const struct adit_page *page);
    bool texts; /* pages made of plain text are wanted, too: s->of tells */
};
struct capture_worker;
/* What a capture says goes to the sink. */
struct capture_worker *capture_worker_new(const struct crawl_options *o,
                                          const struct capture_sink *sink, void *ctx);
void capture_worker_free(struct capture_worker *w);
/* Tells the sink at most one thing of an item. False: the sink does. */
bool capture_worker_item(struct capture_worker *w, struct crawl_item *item);
struct crawl_counts *capture_worker_counts(struct capture_worker *w);

/* Puts the public URL of a capture's URL into *url: normalised, and on the public origin. -1, or
 * why there is none (enum crawl_skip). The arena is the caller's scratch. */
int crawl_public_url(const struct crawl_options *o, struct adit_str raw, struct adit_arena *arena,
                     struct adit_buf *url);
bool crawl_date(struct adit_str text, struct adit_time *at);
/* Parts of a public URL; the path includes the query. */
struct adit_str crawl_url_host(struct adit_str url);
struct adit_str crawl_url_path(struct adit_str url);
/* Whether --include and --exclude let a path pass. */
bool crawl_filter(const struct crawl_options *o, struct adit_str path);

/* Whether a response was made for one person, or with strict_private may be; scratch is the
 * caller's. */
bool crawl_is_private(const struct crawl_options *o, const struct http_message *m,
                      struct adit_buf *scratch, struct adit_buf *more);
/* Whether a request identifies somebody: it carries Authorization or Cookie. */
bool crawl_has_credentials(struct adit_str request);
/* What header fields say against uses by machines: ADIT_OPTOUT_… */
unsigned crawl_optout(const struct http_message *m, struct adit_buf *scratch);

/* What a response says before its body is looked at: -1: convert it; else enum crawl_skip. *decides:
 * the answer is a verdict about the page, and removes older captures. */
int crawl_status_skip(unsigned status, bool *decides);
/* The type that decides what a payload is: what the server said, unless the crawler looked closer
 * (WARC-Identified-Payload-Type). */
struct adit_str crawl_payload_type(struct adit_str said, struct adit_str identified);
/* Whether a body is HTML: by its type, or by its first bytes when the type is absent or says
 * nothing. body may be empty: then only the type counts, and what must be sniffed may be HTML. */
bool crawl_is_html(struct adit_str content_type, struct adit_str body);

/* --- tree ------------------------------------------------------------------------------------- */

/* tree: the HTML files below a folder, with the URLs that they have on the web. */

struct tree;

struct tree_file {
    const char *path;    /* valid until the next call */
    struct adit_str url; /* likewise */
    struct adit_time modified;
    bool known_html; /* by its ending; else the content decides */
};

/* All below a folder, in the order of names; links are not followed. NULL: see errno. */
FTS *crawl_walk(const char *dir);
/* base_url: what the folder is on the web; a slash is added if it lacks one. strip: "a.html" is
 * /a. NULL (said on stderr) if the folder cannot be read. */
struct tree *tree_open(const char *dir, struct adit_str base_url, bool strip);
/* The next file that is or may be HTML. "index.html" has the URL of its folder. Symbolic links are
 * followed to files inside the tree only. False at the end; unreadable folders are said. */
bool tree_next(struct tree *t, struct tree_file *file);
void tree_close(struct tree *t); /* NULL is fine */

#endif
