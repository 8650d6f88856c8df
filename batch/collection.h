/* collection: SCP collections as streams of pages: one reader and one writer for all commands.
 *
 * The reader checks everything the specification orders while it goes (shared/scp knows the rules)
 * and never holds more than a line. The writer gets lines in the order of their URLs, hashes them,
 * and puts the checksum into line 1 at the end.
 */
#ifndef ADIT_COLLECTION_H
#define ADIT_COLLECTION_H

#include "batch/output.h"
#include "scp/scp.h"

/* --- writing ------------------------------------------------------------------------------------
 */

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

/* --- reading ------------------------------------------------------------------------------------
 */

struct collection;

/* The option of every command that reads collections, for its table. */
#define COLLECTION_CLI_LENIENT                                                     \
    {                                                                              \
        "lenient", NULL, CLI_FLAG,                                                 \
            "count and skip lines that are no page, instead of rejecting the file" \
    }

struct collection_options {
    bool lenient;    /* line-level errors that are fatal become skipped lines */
    bool to_the_end; /* show the pages behind a bad line too (the file stays rejected) */
    /* Told of every finding; NULL: fatal ones and skipped pages are said on stderr. */
    void (*report)(void *ctx, const struct adit_scp_finding *finding);
    void *ctx;
    const struct adit_scp_limits *limits; /* NULL: the specification's */
};

/* Opens path ("-" is stdin) and reads line 1. NULL if it cannot be opened (said on stderr). What is
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

#endif
