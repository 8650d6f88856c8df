/* Files that appear together, in order. */
#include "batch/pack_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* mkdir -p for the folders in path. */
static bool make_folders(char *path)
{
    for (char *p = path + 1; *p; p++) {
        if (*p != '/') continue;
        *p = '\0';
        bool ok = mkdir(path, 0777) == 0 || errno == EEXIST;
        if (!ok) cli_say(path, "cannot make the folder: %s", strerror(errno));
        *p = '/';
        if (!ok) return false;
    }
    return true;
}

char *pack_path(const char *dir, const char *name)
{
    char *path;
    if (asprintf(&path, "%s/%s", dir, name) < 0) {
        cli_say(NULL, "out of memory");
        return NULL;
    }
    if (make_folders(path)) return path;
    free(path);
    return NULL;
}

struct output *pack_open(const char *dir, const char *name)
{
    char *path = pack_path(dir, name);
    struct output *out = path ? output_open(path, NULL) : NULL;
    free(path);
    return out;
}
