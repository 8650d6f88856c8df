/* Captures on their way into the archive: what the readers (ingest.c) hand over, sorted by
 * URL and time, to the versioning rules (apply.c). */
#ifndef ADIT_ARCHIVE_INGEST_IMPL_H
#define ADIT_ARCHIVE_INGEST_IMPL_H

#include "batch/archive/archive.h"
#include "batch/crawl/crawl.h"
#include "batch/cli/cli.h"
#include "batch/io/io.h"

/* In this order at one instant. */
enum capture_kind {
    CAPTURE_CREDENTIALS, /* the request carried credentials: what came back is nobody else's */
    CAPTURE_PAGE,        /* with a manifest, and a payload in the spool */
    CAPTURE_SEEN,        /* the bytes of the latest version that is stored */
    CAPTURE_SAME,        /* a revisit or a 304: whatever it was, it is still that */
};

/* Followed by the strings of struct capture, in order. */
struct capture_head {
    struct adit_time at;
    uint64_t facts, spool_at, spool_len;
    uint32_t url, etag, last_modified, crawler; /* lengths */
    uint8_t raw[ADIT_SHA256_LEN];
    uint8_t kind; /* enum capture_kind */
    uint8_t file; /* of a tree: the state of now, whatever its date */
};

struct capture {
    struct capture_head head;
    struct adit_str url, etag, last_modified, crawler;
    struct adit_str manifest; /* JSON; version and dates are still to be decided */
};
struct capture capture_view(struct adit_str record);
int capture_cmp(struct adit_str a, struct adit_str b);

/* --- pages of collections (collection.c) ---------------------------------------------------------
 *
 * A collection is a file NAME.scp, .scp.gz or .scp.zst, or the folder of `adit sync`. The raw bytes
 * of such a page are its line. */
bool archive_is_collection(const char *path);
#define ARCHIVE_SCP_TYPE "application/scp+json"
/* Shows every page of it as a capture. False: the run ends (said); a damaged file is counted. */
bool archive_collection(const char *path, const struct crawl_options *o,
                        const struct capture_sink *sink, void *ctx, struct crawl_counts *counts);
/* The page that raw bytes hold: a line of a collection, or HTML, by their type. Lives in the arena
 * or in the converter. */
enum adit_code archive_page(struct adit_converter *converter, struct adit_str raw,
                            const struct adit_page_source *source, struct adit_arena *arena,
                            const struct adit_page **page);

/* --- robots.txt of the input (robots.c) ------------------------------------------------------- */

struct archive_robots;
struct archive_robots *archive_robots_new(const char *agent);
void archive_robots_free(struct archive_robots *r); /* NULL is fine */
/* Keeps a copy. False (said): there are too many. */
bool archive_robots_add(struct archive_robots *r, struct adit_str url, struct adit_time at,
                        struct adit_str text);
/* Whether the newest one of the page's host allows it; yes if there is none, or r is NULL. Nothing
 * can be added any more. */
bool archive_robots_allow(struct archive_robots *r, struct adit_str url);

/* What the stage "apply" works with. */
struct archive_apply {
    const struct archive_options *o;
    struct archive *a;
    struct sorter *captures;
    int spool;
    uint64_t spool_len;
    struct progress *progress;
    struct archive_counts *counts;
    struct crawl_counts *skips;
    struct archive_robots *robots;
    struct adit_buf *touched; /* UUIDs of artifacts with new versions, one after the other */
};
bool archive_apply(struct archive_apply *x);

#endif
