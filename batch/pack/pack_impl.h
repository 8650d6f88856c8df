/* pack: from crawls (WARC files, HTML trees) to a publication: collections, sitemaps, change lists.
 *
 *   inputs ─▶ crawl ─▶ sort by URL ─▶ history (history.c)
 *          ─▶ join with the previous snapshot ─▶ publication (site.c, publish.c)
 *
 * Every capture of a URL becomes a small record in the sort: a page with its SCP line, or the word
 * that the page is not there (any more). Of all records of a URL the newest decides.
 */
#ifndef ADIT_PACK_IMPL_H
#define ADIT_PACK_IMPL_H

#include "batch/crawl/crawl.h"
#include "batch/collection/collection.h"
#include "batch/changes/changes.h"
#include "tct/tct.h"

/* --- options ---------------------------------------------------------------------------------- */

struct pack_section {
    struct adit_str name, prefix; /* "all" has the prefix "/" */
    const struct adit_scp_freq *freq;
};

struct pack_options {
    const char *out, *previous;
    struct crawl_options crawl;
    struct pack_section *sections; /* sections[0] is "all" */
    size_t n_sections;
    bool complete, dry_run, no_checksum;
    bool nothing;                      /* no capture is a page: there is no site to publish */
    const struct crawl_losses *losses; /* for reports; NULL before the reader is there */
    size_t keep;                       /* snapshots a section that stay in the folder; 0: all */
    struct output_options output;
    struct adit_time generated;
};

/* Reads the command line; CLI_OK, or says what is wrong and returns the exit code. Free in any
 * case. */
int pack_options_read(struct pack_options *o, const struct cli_args *args);
void pack_options_free(struct pack_options *o);

/* --- captures: the records of the sort -------------------------------------------------------- */

/* Followed by url, modified, line. */
struct pack_capture {
    struct adit_time at;
    uint64_t html_bytes;
    uint32_t url_len;
    uint16_t blocks[ADIT_BLOCK_TYPES];
    uint8_t modified_len;
    uint8_t kind;             /* enum crawl_verdict */
    uint8_t reason;           /* CRAWL_GONE: enum crawl_skip */
    char hash[ADIT_TCT_HASH]; /* CRAWL_PAGE: fingerprint of the TCT payload */
};

struct pack_capture_view {
    struct pack_capture head;
    struct adit_str url, modified, line;
};
struct pack_capture_view pack_capture_view(struct adit_str record);
/* By URL; newest first; at one instant by kind, then the greater line: a total order. */
int pack_capture_cmp(struct adit_str a, struct adit_str b);

/* --- what was written ------------------------------------------------------------------------- */

struct pack_file {
    char *name; /* with the host's folder, if it has one */
    uint64_t pages, size;
};

struct pack_written {
    struct pack_file *collections; /* the first of them */
    size_t n_collections;
    uint64_t n_sites;        /* publications, also those that a dry run would write */
    uint64_t more;           /* collections that are not among these */
    uint64_t older, removed; /* collections of earlier runs: still there, and removed (--keep) */
};
void pack_written_add(struct pack_written *w, struct adit_str host, struct adit_str file,
                      uint64_t pages, uint64_t size);
void pack_written_free(struct pack_written *w);

/* --- history and publication ------------------------------------------------------------------ */

struct sorter;
/* Reads the sorted captures and publishes in to (NULL: a dry run). Returns the exit code. */
int pack_history(const struct pack_options *o, struct publish *to, struct sorter *captures,
                 struct crawl_counts *counts, struct pack_written *written);

/* --- report ----------------------------------------------------------------------------------- */

/* The counts, and what was written, as JSON. */
void pack_report_json(struct adit_buf *out, const struct pack_options *o,
                      const struct crawl_counts *c, const struct pack_written *written);
/* report.json */
bool pack_report_file(struct publish *to, const struct pack_options *o,
                      const struct crawl_counts *c, const struct pack_written *written,
                      struct file_set *files);
/* The same for people, to stdout, with what to do next. */
void pack_report_text(const struct pack_options *o, const struct crawl_counts *c,
                      const struct pack_written *written);

/* --- the previous publication (previous.c) ---------------------------------------------------- */

struct pack_previous;
/* Opens DIR/scp-manifest.json and the snapshot of "all". NULL (said on stderr): there is none. */
struct pack_previous *pack_previous_open(const char *dir);
void pack_previous_close(struct pack_previous *p); /* NULL is fine */
const char *pack_previous_dir(const struct pack_previous *p);
struct adit_str pack_previous_generated(const struct pack_previous *p);
struct adit_str pack_previous_origin(const struct pack_previous *p);
bool pack_previous_has_section(const struct pack_previous *p, struct adit_str name);
/* The page at hand, in the order of URLs; NULL at the end. */
const struct adit_scp_page *pack_previous_page(const struct pack_previous *p);
void pack_previous_advance(struct pack_previous *p);
bool pack_previous_failed(const struct pack_previous *p);
/* The fingerprint that the previous llm-sitemap.json had for url ("sha256-…"), or an empty slice.
 * URLs must be asked for in ascending order. */
struct adit_str pack_previous_hash(struct pack_previous *p, struct adit_str url);
/* Its collections, as they stand in the manifest. */
const struct adit_manifest_entry *pack_previous_collections(const struct pack_previous *p,
                                                            size_t *n);

/* --- sitemaps (sitemap.c, llm.c) -------------------------------------------------------------- */

struct pack_sitemap { /* sitemap.xml */
    struct publish *to;
    const struct adit_config *config;
    struct adit_buf first;  /* entries of the first file, written last */
    struct output *current; /* the file under way; NULL: the first one */
    struct file_set files;
    uint64_t entries, bytes, parts;
};
void pack_sitemap_init(struct pack_sitemap *s, struct publish *to,
                       const struct adit_config *config);
bool pack_sitemap_add(struct pack_sitemap *s, struct adit_str url, struct adit_str modified);
/* scp: the elements that stand before the entries. Moves all files to `to`. */
bool pack_sitemap_end(struct pack_sitemap *s, struct adit_str scp, struct file_set *to);
void pack_sitemap_free(struct pack_sitemap *s);

struct pack_llm { /* llm-sitemap.json */
    struct publish *to;
    const struct adit_config *config;
    struct adit_tct_sitemap part; /* under way, in text */
    struct adit_buf text, scratch;
    struct adit_buf_sink sink;
    struct adit_tct_part *parts; /* those that are done, for the index */
    size_t n_parts;
    struct adit_arena arena; /* their strings */
    struct file_set files;
};
void pack_llm_init(struct pack_llm *l, struct publish *to, const struct adit_config *config);
/* hash: "sha256-…". Pages without an M-URL (exclude, query) are passed over. */
bool pack_llm_add(struct pack_llm *l, struct adit_str url, struct adit_str modified,
                  struct adit_str hash);
bool pack_llm_end(struct pack_llm *l, struct file_set *to);
void pack_llm_free(struct pack_llm *l);

struct pack_llms { /* llms.txt */
    struct publish *to;
    const struct adit_config *config;
    struct adit_buf *sections; /* the configuration's, and the rest; NULL: none is made */
    size_t pages;
    struct adit_arena arena;
    struct adit_str title, summary; /* the home page's */
    struct adit_buf full;           /* llms-full.txt: the pages so far */
};
void pack_llms_init(struct pack_llms *l, struct publish *to, const struct adit_config *config);
/* line: the page's SCP line in pieces, of which the first goes up to `modified` at least. */
bool pack_llms_add(struct pack_llms *l, struct adit_str url, const struct adit_str line[3]);
bool pack_llms_end(struct pack_llms *l, struct file_set *to);
void pack_llms_free(struct pack_llms *l);

/* The line of a URL in a dry run; why may be NULL. */
void pack_tell(const struct pack_options *o, const char *what, struct adit_str url,
               const char *why);

/* --- the site (site.c) ------------------------------------------------------------------------ */

struct pack_site;
/* Whether --previous holds a publication of host. */
bool pack_site_known(const struct pack_options *o, struct adit_str host);
/* to: the folder of -o (NULL: a dry run); host: of --by-host, its folder there, else empty. NULL:
 * said on stderr, *code is the exit code. */
struct pack_site *pack_site_open(const struct pack_options *o, struct publish *to,
                                 struct adit_str host, struct crawl_counts *counts,
                                 struct pack_written *written, int *code);
/* What the crawl says of url, in ascending order. c: CRAWL_PAGE, CRAWL_GONE, or CRAWL_UNCHANGED (only
 * revisits were met). */
bool pack_site_url(struct pack_site *s, const struct pack_capture_view *c);
/* Publishes. Returns the exit code; frees s. */
int pack_site_close(struct pack_site *s);
void pack_site_discard(struct pack_site *s);

#endif
