/* The folder of a publication, its lock, and its files under way. */
#include "batch/io/io.h"
#include "batch/io/output_impl.h"
#include "batch/io/publish_impl.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_MAX_BYTES = 4096 };

bool publish_fail(const struct publish *p, const char *name, const char *why)
{
    char path[PATH_MAX_BYTES];
    snprintf(path, sizeof path, "%s/%s", p->base, name);
    cli_say(path, "%s", why);
    return false;
}

int publish_own(const struct publish *p, bool make)
{
    int fd = below_open(p->fd, PUBLISH_OWN, O_RDONLY | O_DIRECTORY, 0);
    if (fd >= 0 || errno != ENOENT || !make) return fd;
    if (mkdirat(p->fd, PUBLISH_OWN, 0777) != 0 && errno != EEXIST) return -1;
    return below_open(p->fd, PUBLISH_OWN, O_RDONLY | O_DIRECTORY, 0);
}

/* --- opening ---------------------------------------------------------------------------------- */

static bool wait_for(const struct publish *p, int fd)
{
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK) return false;
    cli_say(p->base, "another adit is publishing here; waiting for it");
    return flock(fd, LOCK_EX) == 0;
}

/* The folder itself is locked, so that nothing has to be made and removed for it. Network file
 * systems lock files only, and some nothing at all. */
static bool lock(struct publish *p)
{
    if (wait_for(p, p->fd)) return true;
    if (errno != EINTR) {
        int own = publish_own(p, true);
        p->lock = own < 0 ? -1 : below_open(own, PUBLISH_LOCK, O_RDWR | O_CREAT, 0666);
        if (own >= 0) close(own);
        if (p->lock < 0) return publish_fail(p, PUBLISH_OWN "/" PUBLISH_LOCK, strerror(errno));
        if (wait_for(p, p->lock)) return true;
    }
    if (errno == EINTR) {
        cli_say(p->base, "interrupted while waiting");
        return false;
    }
    cli_say(p->base, "cannot be locked (%s): let no other adit publish here meanwhile",
            strerror(errno));
    return true;
}

static struct publish *new_publish(const char *dir, const char *base,
                                   const struct publish_names *names)
{
    struct publish *p = calloc(1, sizeof *p);
    if (p) {
        p->fd = p->lock = p->staged.own = p->staged.stage = -1;
        p->names = names;
        p->dir = strdup(dir);
        p->base = strdup(base);
        if (p->dir && p->base) return p;
    }
    cli_say(NULL, "out of memory");
    publish_close(p);
    return NULL;
}

struct publish *publish_open(const char *dir, const struct publish_names *names)
{
    size_t made;
    struct publish *p = below_make(dir, &made) ? new_publish(dir, dir, names) : NULL;
    if (!p) return NULL;
    p->made = made;
    p->fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* the user's name: may be a link */
    if (p->fd < 0)
        cli_say(dir, "%s", strerror(errno));
    else if (lock(p) && publish_recover(p))
        return p;
    publish_close(p);
    return NULL;
}

struct publish *publish_below(struct publish *top, struct adit_str name)
{
    char dir[PATH_MAX_BYTES], last[BELOW_NAME_MAX + 1];
    if (snprintf(last, sizeof last, "%.*s", (int)name.len, name.p) >= (int)sizeof last ||
        snprintf(dir, sizeof dir, "%s/%s", top->dir, last) >= (int)sizeof dir) {
        publish_fail(top, last, strerror(ENAMETOOLONG));
        return NULL;
    }
    if (publish_waits(top, last) && !publish_settle(top)) return NULL;
    int fd = below_open(top->fd, last, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0 && errno != ENOENT) {
        publish_fail(top, last, below_why(errno));
        return NULL;
    }
    struct publish *p = new_publish(dir, fd < 0 ? top->dir : dir, top->names);
    if (!p) {
        if (fd >= 0) close(fd);
        return NULL;
    }
    if (fd < 0) {
        p->top = top;
        p->fd = top->fd;
        p->mark = top->staged.journal.len;
        return p;
    }
    p->fd = fd;
    if (lock(p) && publish_recover(p)) return p;
    publish_close(p);
    return NULL;
}

void publish_close(struct publish *p)
{
    if (!p) return;
    publish_unstage(p);
    if (p->fd >= 0 && !p->top) close(p->fd);
    if (p->lock >= 0) close(p->lock);
    if (p->dir) below_unmake(p->dir, p->made); /* a run that failed leaves no empty folder */
    free(p->dir), free(p->base);
    free(p);
}

bool publish_finished(const struct publish *p) { return p->finished; }
const char *publish_dir(const struct publish *p) { return p->dir; }
const char *publish_temp(const struct publish *p) { return p->base; }

bool publish_unfinished(const char *dir)
{
    char path[PATH_MAX_BYTES];
    snprintf(path, sizeof path, "%s/" PUBLISH_OWN "/" PUBLISH_JOURNAL, dir);
    return access(path, F_OK) == 0;
}

/* --- files under way -------------------------------------------------------------------------- */

int publish_open_unnamed(struct publish *p, char **temp)
{
    *temp = NULL;
    int fd = -1;
    if (access("/proc/self/fd", X_OK) == 0)
        fd = openat(p->fd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)) return fd;
    int own = publish_own(p, true);
    if (own < 0) return -1;
    if (asprintf(temp, "%s/" PUBLISH_OWN "/" PUBLISH_TEMP "%u", p->base, p->n_temps++) < 0)
        *temp = NULL, errno = ENOMEM;
    if (*temp) fd = below_open(own, strrchr(*temp, '/') + 1, O_RDWR | O_CREAT | O_EXCL, 0666);
    int why = errno;
    if (fd < 0) free(*temp), *temp = NULL;
    close(own);
    errno = why;
    return fd;
}

struct output *publish_open_output(struct publish *p, const char *path,
                                   const struct output_options *options)
{
    char *temp;
    int fd = publish_open_unnamed(p, &temp);
    if (fd >= 0) return output_open_on(fd, temp, path, options);
    cli_say(path, "cannot write: %s", strerror(errno));
    return NULL;
}

struct output *publish_output(struct publish *p, const char *name,
                              const struct output_options *options)
{
    char path[PATH_MAX_BYTES];
    if (snprintf(path, sizeof path, "%s/%s", p->dir, name) < (int)sizeof path)
        return publish_open_output(p, path, options);
    cli_say(p->dir, "%s", strerror(ENAMETOOLONG));
    return NULL;
}

bool publish_rename(struct publish *p, struct output *out, const char *name)
{
    char path[PATH_MAX_BYTES];
    if (snprintf(path, sizeof path, "%s/%s", p->dir, name) >= (int)sizeof path)
        return publish_fail(p, name, strerror(ENAMETOOLONG));
    return output_rename(out, path);
}

bool publish_file(struct publish *p, const char *name, struct adit_str bytes,
                  struct file_set *files)
{
    struct output *out = publish_output(p, name, NULL);
    bool ok = out && output_write(out, bytes);
    return files_add(files, out) && ok;
}

bool publish_list(struct publish *p, bool (*each)(void *ctx, const char *name), void *ctx)
{
    if (p->top) return true;
    int fd = openat(p->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d) {
        if (fd >= 0) close(fd);
        return publish_fail(p, ".", strerror(errno));
    }
    bool ok = true;
    for (struct dirent *e; ok && (e = readdir(d));) ok = each(ctx, e->d_name);
    closedir(d);
    return ok;
}

enum publish_removal publish_remove(struct publish *p, const char *name)
{
    const char *last;
    if (p->top) return PUBLISH_ABSENT; /* its folder is new */
    int folder = below_parent(p->fd, name, false, &last);
    bool gone = folder >= 0 && unlinkat(folder, last, 0) == 0;
    int why = errno;
    if (folder >= 0) close(folder);
    if (gone) return PUBLISH_REMOVED;
    if (why != ENOENT) publish_fail(p, name, below_why(why));
    return why == ENOENT ? PUBLISH_ABSENT : PUBLISH_STAYS;
}
