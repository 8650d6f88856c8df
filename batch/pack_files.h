/* Files that belong together: outputs are complete but not in place until pack_files_commit, which
 * moves them in the order in which they were added. */
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
/* DIR/NAME, folders made; the caller frees it. NULL (said on stderr) if that cannot be. */
char *pack_path(const char *dir, const char *name);
/* The output DIR/NAME. NULL: said on stderr. */
struct output *pack_open(const char *dir, const char *name);

#endif
