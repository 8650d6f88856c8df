/* pack: from crawls (WARC files, HTML trees) to a publication: collections, sitemaps, change lists.
 *
 *   inputs ─▶ workers: capture (pack_capture.c) ─▶ sort by URL ─▶ history (pack_history.c)
 *          ─▶ join with the previous snapshot ─▶ publication (pack_site.c, publish.c)
 *
 * Every capture of a URL becomes a small record in the sort: a page with its SCP line, or the news
 * that the page is not there (any more). Of all records of a URL the newest decides.
 */
#ifndef ADIT_PACK_H
#define ADIT_PACK_H

#include "base/time.h"
#include "batch/cli.h"
#include "batch/collection.h"
#include "batch/publish.h"
#include "batch/warc.h"
#include "http/config.h"
#include "tct/tct.h"

/* --- why something is not listed ------------------------------------------------------------- */

#define PACK_SKIPS(X)                                                            \
    X(older, "superseded by a newer capture of the same URL")                    \
    X(gone, "404 or 410: not found")                                             \
    X(redirect, "redirects to another URL")                                      \
    X(refused, "another client error (4xx)")                                     \
    X(server_error, "server error (5xx) or too many requests (429)")             \
    X(not_html, "not HTML")                                                      \
    X(noindex, "the page asks not to be indexed (noindex, none)")                \
    X(noarchive, "the page asks not to be archived (noarchive)")                 \
    X(private, "private: Cache-Control, Vary, 401 or 403")                       \
    X(authenticated, "captured with credentials (Authorization in the request)") \
    X(empty, "no content found")                                                 \
    X(too_large, "larger than the limit for a page")                             \
    X(limit, "too complex: a limit of the converter was reached")                \
    X(body, "the body is damaged or in an unknown coding")                       \
    X(truncated, "truncated by the crawler (WARC-Truncated, 206)")               \
    X(segmented, "segmented over several records")                               \
    X(damaged, "the record is cut off or damaged")                               \
    X(date, "no valid date of capture")                                          \
    X(url, "not an http or https URL")                                           \
    X(unresolved, "revisit of a capture that is not here")                       \
    X(unchanged, "revisit or 304: the page has not changed")                     \
    X(other_host, "another host")                                                \
    X(host, "the host's name cannot be the name of a folder (--by-host)")        \
    X(filtered, "left out by --include or --exclude")                            \
    X(unreadable, "file of a tree that could not be read")

enum pack_skip {
#define PACK_SKIP_ENUM(name, text) PACK_SKIP_##name,
    PACK_SKIPS(PACK_SKIP_ENUM)
#undef PACK_SKIP_ENUM
        PACK_SKIP_COUNT
};
extern const char *const pack_skip_names[PACK_SKIP_COUNT];
extern const char *const pack_skip_texts[PACK_SKIP_COUNT];

/* --- options ---------------------------------------------------------------------------------- */

struct pack_section {
    struct adit_str name, prefix; /* "all" has the prefix "/" */
    const struct pack_freq {
        const char *name;
        uint32_t seconds;
    } * freq;
};

struct pack_options {
    const char *out, *previous;
    char **inputs;
    size_t n_inputs;
    struct adit_config config;
    struct pack_section *sections; /* sections[0] is "all" */
    size_t n_sections;
    struct adit_str *hosts; /* of --host */
    size_t n_hosts;
    struct adit_str *include, *exclude;
    size_t n_include, n_exclude;
    bool by_host, mixed, complete, dry_run, json, quiet;
    bool keep_noindex, keep_noarchive, strip_html_suffix, no_checksum;
    struct output_options output;
    unsigned jobs;
    size_t memory;
    struct adit_time generated;
    const char *base_url, *charset, *language;
    int64_t started_ms;      /* of a clock that only runs forward */
    struct adit_arena arena; /* holds the strings above */
};

/* Reads the command line; CLI_OK, or says what is wrong and returns the exit code. Free in any
 * case. */
int pack_options_read(struct pack_options *o, const struct cli_args *args);
void pack_options_free(struct pack_options *o);
/* Whether one of the options decides the site: a configured origin, --base-url or --host. */
bool pack_origin_known(const struct pack_options *o);

/* --- counts ----------------------------------------------------------------------------------- */

struct pack_counts {
    uint64_t records, by_type[WARC_TYPES], faults[WARC_FAULT_COUNT];
    uint64_t files;    /* of trees */
    uint64_t captures; /* of http(s) URLs: listed + skips */
    uint64_t skips[PACK_SKIP_COUNT];
    uint64_t pages, created, updated, carried, removed, deleted;
    uint64_t blocks[ADIT_BLOCK_TYPES];
    uint64_t bytes_read, bytes_decoded, bytes_html, bytes_listed, bytes_scp, bytes_out;
    uint64_t inputs_failed;
};
void pack_counts_add(struct pack_counts *to, const struct pack_counts *more);

/* --- captures: the records of the sort ------------------------------------------------------- */

enum pack_kind {
    PACK_PAGE,
    PACK_SAME,
    PACK_NEWS,
    PACK_CREDENTIALS
}; /* in this order at one instant */

/* Followed by url, modified, line. */
struct pack_capture {
    struct adit_time at;
    uint64_t html_bytes;
    uint32_t url_len;
    uint16_t blocks[ADIT_BLOCK_TYPES];
    uint8_t modified_len;
    uint8_t kind;             /* enum pack_kind */
    uint8_t reason;           /* PACK_NEWS: enum pack_skip */
    char hash[ADIT_TCT_HASH]; /* PACK_PAGE: fingerprint of the TCT payload */
};

struct pack_capture_view {
    struct pack_capture head;
    struct adit_str url, modified, line;
};
struct pack_capture_view pack_capture_view(struct adit_str record);
/* By URL; newest first; at one instant by kind, then the greater line: a total order. */
int pack_capture_cmp(struct adit_str a, struct adit_str b);

/* --- reading: one item at a time for any number of workers ------------------------------------ */

struct pack;

/* A record or a file of a tree, in the worker's own memory. */
struct pack_item {
    struct adit_buf buf;
    struct warc_record record; /* slices into buf; of files: uri, date and content_type */
    char *path;                /* of a tree's file, to be read by the worker; else NULL */
};

struct pack_reader;
struct pack_reader *pack_reader_new(const struct pack_options *o);
void pack_reader_free(struct pack_reader *r);
/* The next item that may concern a page. Call it under a lock. False at the end of all inputs. */
bool pack_reader_next(struct pack_reader *r, struct pack_item *item, struct pack_counts *counts);
/* The crawler that made the records that are read now; empty if the file does not say. */
struct adit_str pack_reader_crawler(const struct pack_reader *r);
/* For the progress bar: encoded bytes read and to be read (0: unknown). */
uint64_t pack_reader_position(const struct pack_reader *r, uint64_t *total);

/* --- a worker's converter --------------------------------------------------------------------- */

struct pack_worker;
/* emit is called with the parts of a capture record; it may be called from several threads. */
struct pack_worker *pack_worker_new(struct pack *p, const struct pack_options *o);
void pack_worker_free(struct pack_worker *w);
/* Turns an item into at most one capture record. False: the record could not be stored. */
bool pack_worker_item(struct pack_worker *w, struct pack_item *item);
struct pack_counts *pack_worker_counts(struct pack_worker *w);

/* Stores a capture record (thread-safe). */
bool pack_emit(struct pack *p, const struct adit_str *parts, size_t n);
/* Counts an HTML page of that host (thread-safe). False: pages of several hosts were met although
 * only one is expected: converting more is of no use. */
bool pack_meet_host(struct pack *p, struct adit_str host);


/* --- history and publication ------------------------------------------------------------------ */

struct sorter;
/* Reads the sorted captures and publishes in to (NULL: a dry run). Returns the exit code. */
int pack_history(const struct pack_options *o, struct publish *to, struct sorter *captures,
                 struct pack_counts *counts);

/* --- report ----------------------------------------------------------------------------------- */

/* The counts as JSON. */
void pack_report_json(struct adit_buf *out, const struct pack_options *o,
                      const struct pack_counts *c);
/* Whether something could not be read that should have been. */
bool pack_records_lost(const struct pack_counts *c);
/* report.json */
bool pack_report_file(struct publish *to, const struct pack_options *o, const struct pack_counts *c,
                      struct pack_files *files);
/* The same for people, to stdout. */
void pack_report_text(const struct pack_options *o, const struct pack_counts *c);

#endif
