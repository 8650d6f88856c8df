/* pack: from crawls (WARC files, HTML trees) to a publication: collections, sitemaps, change lists.
 *
 *   inputs ─▶ crawl (read.c) ─▶ sort by URL ┊─▶ history (history.c)
 *          ─▶ join with the previous snapshot (site.c) ┊─▶ publication (publication.c)
 *
 * On many machines the dotted lines are run files: map.c writes the sorted captures of some inputs,
 * cut into partitions; reduce.c makes the entries of one partition; finish.c publishes them all.
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

/* All at once, or one of the steps. */
enum pack_step { PACK_WHOLE, PACK_MAP, PACK_REDUCE, PACK_FINISH };

struct pack_options {
    const char *out, *previous;
    enum pack_step step;
    const char *runs;    /* of --reduce */
    uint32_t partitions; /* 0: not said; then the runs say it */
    uint32_t partition;  /* of --reduce */
    bool parts;          /* each partition stays a publication of its own */
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
    uint32_t partition; /* 0 unless captures are mapped */
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
/* By partition and URL; newest first; at one instant by kind, then the greater line: a total order. */
int pack_capture_cmp(struct adit_str a, struct adit_str b);
/* The partition of a page: by its URL, with --by-host by its host. */
uint32_t pack_partition(const struct pack_options *o, struct adit_str url);

/* Who looks at records of run files, for runfile_segment: as runfile_fault says. */
struct pack_taking {
    const struct pack_options *o;
    uint32_t partition;
    struct adit_buf scratch;
};
runfile_fault pack_capture_fault, pack_entry_fault;

/* --- what was read (read.c, hosts.c) ---------------------------------------------------------- */

struct pack_hosts {
    struct pack_host {
        char *name;
        uint64_t pages;
    } *v;
    size_t n;
};
/* Whether hosts are counted at all: one site is expected, and nothing says which. */
bool pack_hosts_count(const struct pack_options *o);
void pack_hosts_add(struct pack_hosts *h, struct adit_str host, uint64_t pages);
void pack_hosts_sort(struct pack_hosts *h); /* by pages, then by name */
/* Makes the only host the site; CLI_OK, or said on stderr. */
int pack_hosts_settle(struct pack_hosts *h, struct pack_options *o);
void pack_hosts_free(struct pack_hosts *h);

struct pack_crawl {
    struct crawl_counts counts;
    struct pack_hosts hosts;
    struct crawl_losses losses;
    struct adit_arena texts;   /* of losses that were read from run files */
    struct crawl_notes *notes; /* of steps; somebody else's, or NULL */
};
/* Reads all inputs into the sorter, with o->crawl.jobs threads. False: said on stderr. */
bool pack_crawl_read(const struct pack_options *o, struct sorter *captures, struct pack_crawl *c);
void pack_crawl_free(struct pack_crawl *c);

/* --- entries: what is published --------------------------------------------------------------- */

/* A page to be listed, or to be told as deleted (url alone). Its line is given in three parts, so
 * that `modified` can be replaced. */
struct pack_entry {
    struct adit_str url, line[3], modified, hash;
    enum pack_change { PACK_UNCHANGED, PACK_CREATED, PACK_UPDATED, PACK_DELETED } change;
};
/* As a record of a run file. */
bool pack_entry_store(struct runfile_writer *to, const struct pack_entry *e);
struct pack_entry pack_entry_view(struct adit_str record);
int pack_entry_cmp(struct adit_str a, struct adit_str b);

/* Who takes the entries of one site after the other, each in the order of URLs. */
struct pack_sink {
    void *ctx;
    /* host: of --by-host, else empty. CLI_OK; -1: there is nothing left to do; else the exit code,
     * said on stderr. */
    int (*begin)(void *ctx, struct adit_str host);
    bool (*entry)(void *ctx, const struct pack_entry *e);
    int (*end)(void *ctx);   /* the exit code */
    void (*drop)(void *ctx); /* instead of end, or when none was begun */
};

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

/* Reads the sorted captures and hands entries to the sink. Returns the exit code. */
int pack_history(const struct pack_options *o, struct sorter *captures, struct crawl_counts *counts,
                 const struct pack_sink *sink);

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

/* --- what the steps share (run.c) -------------------------------------------------------------- */

/* Trees hold everything there is; archives only what the crawler met. */
bool pack_only_trees(const struct crawl_counts *c);
/* The report to stdout: JSON, or the text for people. */
void pack_report(const struct pack_options *o, const struct crawl_counts *counts,
                 const struct pack_written *written);
/* The first of a series of runs has no publication before it, whatever --previous says: so one
 * command line serves them all. */
void pack_settle_previous(struct pack_options *o);

/* --- the previous publication (previous.c) ---------------------------------------------------- */

struct pack_previous;
/* Whether --previous holds a publication of host. */
bool pack_previous_known(const struct pack_options *o, struct adit_str host);
/* Opens scp-manifest.json of the publication before this one, of the site with that origin. *p is
 * NULL if there is none. CLI_OK; -1: the run that was to publish at this time was killed while it
 * did, and has been finished (`finished`: of the folder); else the exit code, said on stderr. */
int pack_previous_open(const struct pack_options *o, struct adit_str host, struct adit_str origin,
                       bool finished, struct pack_previous **p);
/* Opens the snapshot of all pages, of which only those of o->partition are shown. */
bool pack_previous_start(struct pack_previous *p, const struct pack_options *o);
void pack_previous_close(struct pack_previous *p); /* NULL is fine */
const char *pack_previous_dir(const struct pack_previous *p);
struct adit_str pack_previous_generated(const struct pack_previous *p);
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
    struct spool first;     /* entries of the first file, written last */
    struct output *current; /* the file under way; NULL: the first one */
    uint64_t entries, bytes, parts;
};
void pack_sitemap_init(struct pack_sitemap *s, struct publish *to,
                       const struct adit_config *config);
bool pack_sitemap_add(struct pack_sitemap *s, struct adit_str url, struct adit_str modified);
/* scp: the elements that stand before the entries. Files are added to `to`; parts are put into the publication
 * as they are full. */
bool pack_sitemap_end(struct pack_sitemap *s, struct adit_str scp, struct file_set *to);
/* After the commit: parts of a longer sitemap of before, which nothing leads to any more, go. */
void pack_sitemap_tidy(const struct pack_sitemap *s);
void pack_sitemap_free(struct pack_sitemap *s);

struct pack_llm { /* llm-sitemap.json */
    struct publish *to;
    const struct adit_config *config;
    struct adit_tct_sitemap part; /* under way, in out */
    struct output_sink sink;
    struct adit_buf scratch;
    bool failed;
    struct adit_tct_part *parts; /* those that are done, for the index */
    size_t n_parts;
    struct adit_arena arena; /* their strings */
};
void pack_llm_init(struct pack_llm *l, struct publish *to, const struct adit_config *config);
/* hash: "sha256-…". Pages without an M-URL (exclude, query) are passed over. */
bool pack_llm_add(struct pack_llm *l, struct adit_str url, struct adit_str modified,
                  struct adit_str hash);
bool pack_llm_end(struct pack_llm *l, struct file_set *to);
void pack_llm_tidy(struct pack_llm *l); /* as pack_sitemap_tidy */
void pack_llm_free(struct pack_llm *l);

struct pack_llms { /* llms.txt */
    struct publish *to;
    const struct adit_config *config;
    struct adit_buf *sections; /* the configuration's, and the rest; NULL: none is made */
    size_t pages;
    struct adit_arena arena;
    struct adit_str title, summary; /* the home page's */
    struct spool full;              /* llms-full.txt: the pages so far */
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

/* The crawl joined with the previous snapshot, page by page. */
struct pack_site;
/* NULL: said on stderr, *code is the exit code. */
struct pack_site *pack_site_open(const struct pack_options *o, struct adit_str host,
                                 struct crawl_counts *counts, const struct pack_sink *sink,
                                 int *code);
/* What the crawl says of url, in ascending order. c: CRAWL_PAGE, CRAWL_GONE, or CRAWL_UNCHANGED (only
 * revisits were met). */
bool pack_site_url(struct pack_site *s, const struct pack_capture_view *c);
/* The pages of the previous snapshot that are left. Returns the exit code; frees s. */
int pack_site_close(struct pack_site *s);
void pack_site_free(struct pack_site *s); /* NULL is fine */
/* "https://HOST", or of no host the configured origin. */
struct adit_str pack_site_origin(const struct pack_options *o, struct adit_str host,
                                 struct adit_arena *arena);

/* --- publications (publication.c) -------------------------------------------------------------- */

/* A sink that publishes in `to` (NULL: a dry run), with --by-host in its folders. */
struct pack_publisher {
    const struct pack_options *o;
    struct publish *to;
    struct crawl_counts *counts; /* for the report, and bytes_out */
    struct pack_written *written;
    struct pack_publication *now;
    bool already; /* a run that was killed had published this */
};
struct pack_sink pack_publisher_sink(struct pack_publisher *p);
/* After the last site: says that there is nothing where that is so, or writes the report beside the
 * folders of hosts. code: of the run so far. */
int pack_publisher_end(struct pack_publisher *p, int code);

/* --- many machines (head.c, map.c, reduce.c, finish.c) ------------------------------------------ */

/* Each returns the exit code. */
int pack_map(struct pack_options *o, const struct cli_args *args);
int pack_reduce(struct pack_options *o, const struct cli_args *args);
int pack_finish(struct pack_options *o, const struct cli_args *args);

#endif
