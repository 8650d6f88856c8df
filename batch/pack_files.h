/* Files that belong together: outputs are complete but not in place until publish_commit, which
 * lets them take their places together; or until files_commit, which moves one after the other
 * in the order in which they were added, for files that lie anywhere. */
#ifndef ADIT_PACK_FILES_H
#define ADIT_PACK_FILES_H

#include "batch/output.h"

struct file_set {
    struct output **v;
    size_t n, cap;
};
bool files_add(struct file_set *f, struct output *out); /* takes out, NULL included */
bool files_commit(struct file_set *f);
void files_discard(struct file_set *f);
/* Moves all of from to the end of to. */
bool pack_files_move(struct file_set *from, struct file_set *to);

#endif
