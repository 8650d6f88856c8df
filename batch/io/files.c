/* Files that appear together, in order. */
#include "batch/io/io.h"

#include <stdlib.h>

bool files_add(struct file_set *f, struct output *out)
{
    if (!out) return false;
    struct output **v = cli_grow(f->v, f->n, &f->cap, sizeof(struct output *));
    if (!v) {
        output_discard(out);
        return false;
    }
    f->v = v;
    f->v[f->n++] = out;
    return true;
}

bool files_commit(struct file_set *f)
{
    bool ok = true;
    for (size_t i = 0; i < f->n; i++) {
        if (ok)
            ok = output_commit(f->v[i]);
        else
            output_discard(f->v[i]);
    }
    f->n = 0;
    files_discard(f);
    return ok;
}

void files_discard(struct file_set *f)
{
    for (size_t i = 0; i < f->n; i++) output_discard(f->v[i]);
    free(f->v);
    *f = (struct file_set){0};
}

bool files_move(struct file_set *from, struct file_set *to)
{
    bool ok = true;
    for (size_t i = 0; i < from->n; i++) ok = files_add(to, from->v[i]) && ok;
    from->n = 0;
    files_discard(from);
    return ok;
}
