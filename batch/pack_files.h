/* Files that belong together: outputs are complete but not in place until publish_commit, which
 * lets them take their places together; or until pack_files_commit, which moves one after the other
 * in the order in which they were added, for files that lie anywhere. */
#ifndef ADIT_PACK_FILES_H
#define ADIT_PACK_FILES_H

#include "batch/output.h"

struct pack_files {
    struct output **v;
    size_t n, cap;
};
bool pack_files_add(struct pack_files *f, struct output *out); /* takes out, NULL included */
bool pack_files_commit(struct pack_files *f);
void pack_files_discard(struct pack_files *f);
/* Moves all of from to the end of to. */
bool pack_files_move(struct pack_files *from, struct pack_files *to);

#endif
