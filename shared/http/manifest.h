/* The publication's manifest (scp-manifest.json): which SCP files there are, and the header fields
 * that each is served with (SCP, Use with HTTP). */
#ifndef ADIT_HTTP_MANIFEST_H
#define ADIT_HTTP_MANIFEST_H

#include "base/base.h"

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

enum { ADIT_MANIFEST_BYTES = 4 << 20, ADIT_MANIFEST_FILES = 10000 };

/* Reads json, found at the URL path `path`. Entries with a name that is no plain file name or
 * without usable facts are passed over. Free m in any case. */
enum adit_code adit_manifest_parse(struct adit_manifest *m, struct adit_str json,
                                   struct adit_str path, struct adit_mem mem,
                                   struct adit_error *err);
void adit_manifest_free(struct adit_manifest *m);
/* NULL if it does not list the path. */
const struct adit_scp_file *adit_manifest_find(const struct adit_manifest *m, struct adit_str path);

/* Whether a path looks like an SCP file's: .scp, .scp.gz, .scp.zst. */
bool adit_scp_path(struct adit_str path);

#endif
