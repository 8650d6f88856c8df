/* Files that appear together, in order. */
#include "batch/pack_files.h"

#include <stdlib.h>

bool pack_files_add(struct pack_files *f, struct output *out)
{
    if (!out) return false;
    if (f->n == f->cap) {
        size_t cap = f->cap ? 2 * f->cap : 16;
        struct output **v = realloc(f->v, cap * sizeof(struct output *));
        if (!v) {
            output_discard(out);
            return false;
        }
        f->v = v;
        f->cap = cap;
    }
    f->v[f->n++] = out;
    return true;
}

bool pack_files_commit(struct pack_files *f)
{
    bool ok = true;
    for (size_t i = 0; i < f->n; i++) {
        if (ok)
            ok = output_commit(f->v[i]);
        else
            output_discard(f->v[i]);
    }
    f->n = 0;
    pack_files_discard(f);
    return ok;
}

void pack_files_discard(struct pack_files *f)
{
    for (size_t i = 0; i < f->n; i++) output_discard(f->v[i]);
    free(f->v);
    *f = (struct pack_files){0};
}

bool pack_files_move(struct pack_files *from, struct pack_files *to)
{
    bool ok = true;
    for (size_t i = 0; i < from->n; i++) ok = pack_files_add(to, from->v[i]) && ok;
    from->n = 0;
    pack_files_discard(from);
    return ok;
}
