/* Walking the store: every artifact, every object. */
#include "batch/archive/archive_impl.h"
#include "batch/io/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int not_hidden(const struct dirent *e) { return e->d_name[0] != '.'; }

/* Calls each with the names in a folder, sorted. */
static bool each_name(struct archive *a, const char *folder,
                      bool (*each)(void *ctx, const char *folder, const char *name), void *ctx)
{
    struct dirent **names;
    int fd = below_open(a->fd, folder, O_RDONLY | O_DIRECTORY, 0);
    int n = fd >= 0 ? scandirat(fd, ".", &names, not_hidden, alphasort) : -1, why = errno;
    if (fd >= 0) close(fd);
    if (n < 0) return why == ENOENT || archive_fail(a, folder, below_why(why));
    bool good = true;
    for (int i = 0; i < n; i++) {
        good = good && each(ctx, folder, names[i]->d_name);
        free(names[i]);
    }
    free(names);
    return good;
}

struct walk {
    struct archive *a;
    bool (*artifact)(void *ctx, const char uuid[ADIT_SPP_UUID]);
    bool (*object)(void *ctx, const char *key);
    void *ctx;
};

static bool leaf(void *ctx, const char *folder, const char *name)
{
    struct walk *w = ctx;
    char uuid[ADIT_SPP_UUID], key[1024];
    if (w->artifact)
        return !adit_spp_uuid_read(adit_str_z(name), uuid) || w->artifact(w->ctx, uuid);
    snprintf(key, sizeof key, "%s/%s", folder, name);
    return w->object(w->ctx, key);
}

static bool shard(void *ctx, const char *folder, const char *name)
{
    struct walk *w = ctx;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return each_name(w->a, path, leaf, w);
}

bool archive_each(struct archive *a, bool (*each)(void *ctx, const char uuid[ADIT_SPP_UUID]),
                  void *ctx)
{
    struct walk w = {.a = a, .artifact = each, .ctx = ctx};
    return each_name(a, "artifacts", shard, &w);
}

bool archive_each_object(struct archive *a, bool (*each)(void *ctx, const char *key), void *ctx)
{
    struct walk w = {.a = a, .object = each, .ctx = ctx};
    return each_name(a, "objects", shard, &w);
}
