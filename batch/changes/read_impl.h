/* The ResourceSync lists that an earlier run left. */
#ifndef ADIT_CHANGES_READ_IMPL_H
#define ADIT_CHANGES_READ_IMPL_H

#include "batch/changes/changes.h"

struct changes_archive {
    const char *name; /* changelist-STAMP.xml */
    struct adit_str from, until;
};

struct changes_old {
    struct adit_str section;
    uint64_t n; /* changes of changelist.xml that stay */
    struct adit_str from, until;
    struct adit_time until_at;
    struct changes_archive *archives; /* oldest first, as the index has them */
    size_t n_archives, cap;
};

/* Strings go to the arena. False: no memory. A list that cannot be read is said, and as if it were
 * not there. */
bool changes_old_read(struct changes_old *old, const struct changes_options *o,
                      struct adit_str section, struct adit_arena *arena);
bool changes_old_archive(struct changes_old *old, struct adit_arena *arena, const char *name,
                         struct adit_str from, struct adit_str until);
/* Puts archives that are not yet in the output folder into the publication. */
bool changes_old_bring(const struct changes_old *old, const struct changes_options *o,
                       struct adit_str section);

typedef bool changes_entry_fn(void *ctx, const struct adit_rs_entry *e);
/* The changes that stay, in their order. */
bool changes_old_entries(const struct changes_old *old, const struct changes_options *o,
                         changes_entry_fn *fn, void *ctx);
/* The capability lists of the description. */
bool changes_old_description(const struct changes_options *o, changes_entry_fn *fn, void *ctx);

#endif
