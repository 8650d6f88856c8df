/* collection: SCP collections as streams of pages: one reader and one writer for all commands.
 *
 * The reader checks everything the specification orders while it goes (shared/scp knows the rules)
 * and never holds more than a line. The writer gets lines in the order of their URLs, hashes them,
 * and puts the checksum into line 1 at the end.
 */
#ifndef ADIT_COLLECTION_H
#define ADIT_COLLECTION_H

#include "batch/io/io.h"
#include "scp/scp.h"
#include "base/base.h"

/* --- writing ---------------------------------------------------------------------------------- */

struct collection_writer;

struct collection_result {
    uint64_t pages;
    uint64_t size;         /* of the encoded file */
    uint64_t size_decoded; /* before compression */
    char checksum[72];     /* "sha256:…" as in line 1, also when the file does not show it */
    uint8_t sha256[32];    /* of the encoded file */
    bool padded;           /* compression was held at 100:1 */
};

/* The members of meta are copied; meta->checksum and meta->version are ignored. Says on stderr what
 * is wrong and returns NULL if the file cannot be made. */
struct collection_writer *collection_create(const char *path, const struct adit_scp_meta *meta,
                                            const struct output_options *options,
                                            bool without_checksum);
/* The same on an output without a byte in it (NULL: none could be opened), which it takes. */
struct collection_writer *collection_create_on(struct output *out, const struct adit_scp_meta *meta,
                                               bool without_checksum);
/* A page: one JSON line without LF, greater in the order of URL bytes than the one before (not
 * checked). The line may come in parts: any number of them, then collection_end_page. */
bool collection_add(struct collection_writer *w, struct adit_str part);
bool collection_end_page(struct collection_writer *w);
/* Completes the file and moves it into place; result may be NULL. False (said on stderr): nothing
 * was written. Frees w. */
bool collection_commit(struct collection_writer *w, struct collection_result *result);
/* The same in two steps, for several files that appear together: after collection_finish the result
 * is known, and collection_commit only moves the file. */
bool collection_finish(struct collection_writer *w, struct collection_result *result);
/* What is known so far; all but sha256 after collection_finish with NULL. */
const struct collection_result *collection_result(const struct collection_writer *w);
/* The complete file that is not in its place yet, after collection_finish. Frees w. */
struct output *collection_release(struct collection_writer *w);
void collection_discard(struct collection_writer *w); /* NULL is fine */

/* --- reading ---------------------------------------------------------------------------------- */

struct collection;

/* The option of every command that reads collections, for its table. */
#define COLLECTION_CLI_LENIENT  \
    {"lenient", NULL, CLI_FLAG, \
     "count and skip lines that are no page, instead of rejecting the file"}

struct collection_options {
    bool lenient;    /* line-level errors that are fatal become skipped lines */
    bool to_the_end; /* show the pages behind a bad line too (the file stays rejected) */
    bool quiet;      /* nothing is said on stderr */
    /* Told of every finding; NULL: fatal ones and skipped pages are said on stderr. */
    void (*report)(void *ctx, const struct adit_finding *finding);
    void *ctx;
    const struct adit_scp_limits *limits; /* NULL: the specification's */
};

/* The file that path stands for, to be freed: itself, or of a publication's folder its snapshot of all
 * pages, of the folder of sync its collection. NULL: said on stderr. */
char *collection_path(const char *path);
/* Whether a folder has one. */
bool collection_in(const char *folder);
/* Opens path ("-" is stdin; of a folder: see collection_path) and reads line 1. NULL if it cannot be opened (said on stderr). What is
 * wrong with line 1 is a finding; collection_failed tells. */
struct collection *collection_open(const char *path, const struct collection_options *options);
/* The next good page, valid until the next call. False at the end or after a fatal finding. */
bool collection_next(struct collection *c, struct adit_scp_page *page);
bool collection_failed(const struct collection *c); /* a fatal finding: the file is rejected */
void collection_close(struct collection *c);        /* NULL is fine */

const struct adit_scp_meta *collection_meta(const struct collection *c); /* as long as c lives */

struct collection_counts {
    uint64_t pages, skipped, lines;    /* good ones; left out; all, blank ones included */
    uint64_t bytes, bytes_encoded;     /* read so far */
    uint64_t findings[ADIT_SCP_RULES]; /* by rule */
    bool sorted;                       /* every URL is greater than the one before */
    const char *checksum_rule; /* which one matched, after the end; NULL: none, or no checksum */
    const char *coding;        /* "none", "gzip", "zstd" */
};
const struct collection_counts *collection_counts(const struct collection *c);

/* --- pages ------------------------------------------------------------------------------------ */

/* pages: the pages of a collection in the order of their URLs, each URL once (its newest version).
 *
 * Collections are sorted as a rule, and then this is the reader itself. A file that turns out not
 * to be (pages_unsorted) has to be opened again with `sort`: then it is sorted externally.
 */

struct pages_options {
    bool lenient;
    bool sort;
    size_t memory;    /* for sorting */
    const char *temp; /* folder for sorting */
};

struct pages;

/* NULL: cannot be opened, or line 1 is bad (said on stderr). */
struct pages *pages_open(const char *path, const struct pages_options *options);
/* The next page, valid until the next call. False at the end, or when pages_unsorted or
 * pages_failed. */
bool pages_next(struct pages *p, struct adit_scp_page *page);
bool pages_unsorted(const struct pages *p);
bool pages_failed(const struct pages *p); /* the file is rejected, or sorting failed */
const struct collection *pages_collection(const struct pages *p);
void pages_close(struct pages *p); /* NULL is fine */

/* --- several at once -------------------------------------------------------------------------- */

/* Walks over n streams of pages by URL. */
struct join {
    struct pages **inputs;
    size_t n;
    struct adit_scp_page *at; /* the page where each input stands */
    size_t *heap, n_heap;     /* inputs that are not at their end, by URL, then by number */
    size_t *group, n_group;   /* see join_next */
};
/* False: no memory. */
bool join_open(struct join *j, struct pages **inputs, size_t n);
/* Goes on to the next URL; group[0…count) are the inputs that have it, in ascending order, and
 * at[group[i]] the pages. 0: the end of all, or an input stopped before its end: look at them. */
size_t join_next(struct join *j);
void join_close(struct join *j); /* not the inputs */

/* --- algebra ---------------------------------------------------------------------------------- */

/* algebra: what delta, apply and merge have in common: inputs sorted by URL are joined, one output
 * is written, and a summary is printed. A command is a row of functions. */

enum { ALGEBRA_COUNTERS = 5 };

struct algebra {
    const struct cli_args *args;
    const struct algebra_op *op;
    char **paths;
    struct pages **inputs; /* op->prepare may bring them into another order */
    size_t n;
    struct collection_writer *out;
    struct adit_scp_meta meta; /* of the output, set by op->prepare; strings live in text */
    struct adit_arena text;
    uint64_t counts[ALGEBRA_COUNTERS];
    uint64_t lost;   /* pages of the inputs that were skipped */
    bool refused;    /* op->page found something that must not be written */
    uint64_t joined; /* URLs that the inputs have */
    /* delta: where the pages of each input are; mixed: at several places */
    struct adit_str origin[2];
    bool mixed[2];
    struct cli_told *told; /* the pages that --verbose names */
};

struct algebra_op {
    const char *counters[ALGEBRA_COUNTERS]; /* names, for the summary; NULL ends */
    /* Looks at the inputs' metadata and fills a->meta. False: said on stderr why not. */
    bool (*prepare)(struct algebra *a);
    /* One URL: pages[group[0…n)] have it. */
    bool (*page)(struct algebra *a, const struct adit_scp_page *pages, const size_t *group,
                 size_t n);
    /* After the last URL; may be NULL. False: said why nothing is written. */
    bool (*end)(struct algebra *a);
};

/* For the details of a command, before its example. */
#define ALGEBRA_CLI_FAULTS                                                                        \
    "A file with a line that is no JSON or lacks a required member is rejected, as is one that\n" \
    "is damaged: nothing is written. A page with a wrong url or modified, or with more than\n"    \
    "1000 blocks, is told, left out and counted. Both give exit code 1.\n\n"

#define ALGEBRA_CLI_OPTIONS                                                                      \
    {"o", "FILE", CLI_VALUE, "where the collection goes; - is standard output"},                 \
        OUTPUT_CLI_OPTIONS, {"no-checksum", NULL, CLI_FLAG, "leave the checksum out of line 1"}, \
        COLLECTION_CLI_LENIENT,                                                                  \
        {"memory", "SIZE", CLI_VALUE, "for sorting inputs that are not sorted (default 256M)"},  \
        CLI_VERBOSE, CLI_QUIET

int algebra_run(const struct cli_args *args, const struct algebra_op *op);

const struct adit_scp_meta *algebra_meta(const struct algebra *a, size_t input);
/* Writes a page as it stands, without robots. */
bool algebra_write(struct algebra *a, const struct adit_scp_page *page);
/* Names a page in the summary, if --verbose asks for it: '+' new, '~' changed, '-' gone. */
void algebra_tell(struct algebra *a, char sign, const struct adit_scp_page *page);
/* Sets id (SECTION-TYPE-STAMP), generated, since of a->meta from section, delta, generated_at,
 * since_at. */
bool algebra_name(struct algebra *a);

/* --- copy_state ------------------------------------------------------------------------------- */

/* The copy of a site that sync keeps in a folder: the names of its files, and the line of a page. */

/* In the folder: the collection, the file of pages, the state. */
extern const char copy_collection_name[], copy_pages_name[], copy_state_name[];

/* One line of the file of pages, sorted by url. */
struct copy_page {
    struct adit_str url;
    struct adit_str via;           /* "tct", "scp", "html" */
    struct adit_str status;        /* "held", "noindex", "gone" */
    struct adit_str m_url;         /* tct */
    struct adit_str etag;          /* tct, html: of the body that the held page was made of */
    struct adit_str last_modified; /* html */
    struct adit_str listed;        /* contentHash or lastmod under which it was last looked at */
    struct adit_str modified;      /* of the held page */
    struct adit_str section;       /* scp */
    struct adit_str checked;       /* RFC 3339: the last answer */
};

/* Strings lie in line or in the arena. */
bool copy_page_read(struct copy_page *p, struct adit_str line, struct adit_arena *arena);
void copy_page_write(const struct copy_page *p, struct adit_buf *out);

#endif
