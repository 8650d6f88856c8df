/* The collections of a publication, and what names them: the manifest, and the elements of the
 * sitemap. */
#ifndef ADIT_PACK_MANIFEST_IMPL_H
#define ADIT_PACK_MANIFEST_IMPL_H

#include "batch/pack/pack_impl.h"

struct pack_collection {
    const struct pack_section *section;
    bool delta;
    struct adit_str id, file, expires;
    struct collection_writer *writer;
    struct collection_result result;
};

struct pack_manifest {
    const struct pack_options *o;
    struct adit_arena arena;
    struct adit_str generated, stamp, since;
    struct pack_collection
        *v; /* for section i: its snapshot at 2 i, its delta (if any) at 2 i + 1 */
    struct adit_manifest_entry *older; /* deltas of earlier runs that are still of use */
    size_t n_older;
    uint64_t bytes_out;
};

void pack_manifest_init(struct pack_manifest *m, const struct pack_options *o);
void pack_manifest_free(struct pack_manifest *m);
/* Opens the collections; deltas too if there is a previous publication with the section. */
bool pack_manifest_create(struct pack_manifest *m, struct publish *to,
                          const struct pack_previous *previous);
/* Adds a page to the section's snapshot, and to its delta if it has changed. */
bool pack_manifest_page(struct pack_manifest *m, size_t section, const struct adit_str line[3],
                        bool changed);
/* Completes the collections, whose sizes and hashes are known then, and adds them to files. */
bool pack_manifest_finish(struct pack_manifest *m, struct file_set *files);
/* SCP's elements for sitemap.xml. */
void pack_manifest_sitemap(struct pack_manifest *m, const struct adit_config *config,
                           struct adit_buf *out);
/* scp-manifest.json, the last of the files. */
bool pack_manifest_write(struct pack_manifest *m, const struct adit_config *config,
                         struct publish *to, struct file_set *files);
/* Whether the manifest names that file. */
bool pack_manifest_names(const struct pack_manifest *m, struct adit_str file);

/* --- keep.c ----------------------------------------------------------------------------------- */

/* Removes collections of earlier runs from the folder, as --keep says, or counts them. After the
 * commit; what cannot be removed is said, and left to the next run. */
void pack_keep(const struct pack_manifest *m, struct publish *to, struct pack_written *written);

#endif
