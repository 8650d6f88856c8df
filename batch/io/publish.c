/* The folder, its lock, its files under way, and the commit. */
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

enum { JOURNAL_MAX = 16 << 20, PATH_MAX_BYTES = 4096, NAME_MAX_BYTES = 1024 };

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
        p->fd = p->lock = -1;
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
    p->borrowed = fd < 0;
    p->fd = fd < 0 ? top->fd : fd;
    if (p->borrowed || (lock(p) && publish_recover(p))) return p;
    publish_close(p);
    return NULL;
}

void publish_close(struct publish *p)
{
    if (!p) return;
    if (p->fd >= 0 && !p->borrowed) close(p->fd);
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

/* A file without a name; where the file system cannot do that, one in .adit. */
static int open_unnamed(struct publish *p, char **temp)
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

static struct output *open_output(struct publish *p, const char *path,
                                  const struct output_options *options)
{
    char *temp;
    int fd = open_unnamed(p, &temp);
    if (fd >= 0) return output_open_on(fd, temp, path, options);
    cli_say(path, "cannot write: %s", strerror(errno));
    return NULL;
}

struct output *publish_output(struct publish *p, const char *name,
                              const struct output_options *options)
{
    char path[PATH_MAX_BYTES];
    if (snprintf(path, sizeof path, "%s/%s", p->dir, name) < (int)sizeof path)
        return open_output(p, path, options);
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
    if (p->borrowed) return true;
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
    if (p->borrowed) return PUBLISH_ABSENT; /* its folder is new; fd is that of the folder above */
    int folder = below_parent(p->fd, name, false, &last);
    bool gone = folder >= 0 && unlinkat(folder, last, 0) == 0;
    int why = errno;
    if (folder >= 0) close(folder);
    if (gone) return PUBLISH_REMOVED;
    if (why != ENOENT) publish_fail(p, name, below_why(why));
    return why == ENOENT ? PUBLISH_ABSENT : PUBLISH_STAYS;
}

/* --- staging ---------------------------------------------------------------------------------- */

/* What brings name to its place: the file itself, or the first folder on the way that is not there,
 * which then comes with all that is staged in it. */
static bool find_move(const struct publish *p, const char *name, char *kind, struct adit_str *path)
{
    char part[NAME_MAX_BYTES];
    if (strlen(name) >= sizeof part) return publish_fail(p, name, strerror(ENAMETOOLONG));
    *kind = 'D';
    for (const char *slash = name; (slash = strchr(slash, '/')); slash++) {
        *path = adit_str_of(name, (size_t)(slash - name));
        memcpy(part, name, path->len);
        part[path->len] = '\0';
        int fd = below_open(p->fd, part, O_RDONLY | O_DIRECTORY, 0);
        if (fd < 0) return errno == ENOENT || publish_fail(p, part, below_why(errno));
        close(fd);
    }
    *kind = 'F';
    *path = adit_str_z(name);
    int fd = below_open(p->fd, name, O_PATH | O_DIRECTORY, 0);
    if (fd < 0) return true;
    close(fd);
    return publish_fail(p, name, "is a folder where a file belongs");
}

static bool stage_file(struct publish *p, int stage, struct output *out, struct adit_buf *journal)
{
    const char *name = output_path(out) + strlen(p->base) + 1, *last;
    struct adit_str path;
    char kind;
    if (!find_move(p, name, &kind, &path)) return false;
    if (!publish_journal_add(p, journal, kind, path))
        return publish_fail(p, name, "is not a name that adit publishes");
    int parent = below_parent(stage, name, true, &last);
    if (parent < 0) return publish_fail(p, PUBLISH_OWN "/" PUBLISH_STAGE, strerror(errno));
    bool ok = output_link(out, parent, last);
    close(parent);
    return ok;
}

/* Makes the names in a folder, and in those below, survive a crash. Takes fd. */
static bool sync_folders(int fd)
{
    DIR *d = fdopendir(fd);
    if (!d) {
        close(fd);
        return false;
    }
    bool ok = true;
    for (struct dirent *e; ok && (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        int below = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (below >= 0) ok = sync_folders(below);
    }
    ok = ok && fsync(fd) == 0;
    closedir(d);
    return ok;
}

static bool stage_all(struct publish *p, int own, const struct file_set *files,
                      struct adit_buf *journal)
{
    int stage = -1;
    if (mkdirat(own, PUBLISH_STAGE, 0777) == 0)
        stage = below_open(own, PUBLISH_STAGE, O_RDONLY | O_DIRECTORY, 0);
    bool ok = stage >= 0;
    if (!ok) publish_fail(p, PUBLISH_OWN "/" PUBLISH_STAGE, strerror(errno));
    for (size_t i = 0; ok && i < files->n; i++) ok = stage_file(p, stage, files->v[i], journal);
    if (!ok) {
        if (stage >= 0) close(stage);
        return false;
    }
    return sync_folders(stage) || publish_fail(p, PUBLISH_OWN "/" PUBLISH_STAGE, strerror(errno));
}

/* --- the commit ------------------------------------------------------------------------------- */

/* The commit point: the journal appears, whole. */
static bool write_journal(struct publish *p, int own, struct adit_str journal)
{
    char path[PATH_MAX_BYTES];
    snprintf(path, sizeof path, "%s/" PUBLISH_OWN "/" PUBLISH_JOURNAL, p->base);
    struct output *out = open_output(p, path, NULL);
    bool ok = out && output_write(out, journal) && output_sync(out) &&
              output_link(out, own, PUBLISH_JOURNAL);
    output_discard(out);
    return ok;
}

/* Space that is held until the commit point, and free from then on: folders may need new blocks for
 * new names. Freed blocks can be had after the next sync. */
struct reserve {
    int fd;
    char *temp;
};

static bool take_reserve(struct publish *p, struct reserve *r, size_t n_files)
{
    struct stat st = {0};
    r->fd = open_unnamed(p, &r->temp);
    int error = r->fd < 0 || fstat(r->fd, &st) != 0 ? errno : 0;
    if (!error)
        error = posix_fallocate(r->fd, 0, (off_t)(2 * (n_files + 4)) * (off_t)st.st_blksize);
    /* What cannot be reserved at all need not be missing. */
    return !error || error == EOPNOTSUPP || error == EINVAL ||
           publish_fail(p, PUBLISH_OWN, strerror(error));
}

static void free_reserve(struct reserve *r)
{
    if (r->fd >= 0) close(r->fd);
    if (r->temp) unlink(r->temp);
    free(r->temp);
}

static bool commit(struct publish *p, int own, const struct file_set *files)
{
    struct adit_buf journal;
    struct reserve reserve = {.fd = -1};
    adit_buf_init(&journal, cli_mem, JOURNAL_MAX);
    bool ok = take_reserve(p, &reserve, files->n) && stage_all(p, own, files, &journal);
    adit_buf_lit(&journal, "end\n");
    if (ok && journal.err) ok = publish_fail(p, PUBLISH_OWN, "out of memory");
    ok = ok && write_journal(p, own, adit_buf_str(&journal));
    free_reserve(&reserve);
    if (!ok) {
        publish_clear(p);
    } else {
        ok =
            (fsync(own) == 0 && fsync(p->fd) == 0) || publish_fail(p, PUBLISH_OWN, strerror(errno));
        ok = ok && publish_act(p, own, adit_buf_str(&journal));
        if (!ok) cli_say(p->dir, "is published in part; the next run finishes it");
    }
    adit_buf_free(&journal);
    return ok;
}

bool publish_commit(struct publish *p, struct file_set *files)
{
    bool ok = true;
    for (size_t i = 0; ok && i < files->n; i++) ok = output_sync(files->v[i]);
    int own = ok ? publish_own(p, true) : -1;
    if (ok && own < 0) publish_fail(p, PUBLISH_OWN, below_why(errno));
    ok = own >= 0 && commit(p, own, files);
    if (own >= 0) close(own);
    files_discard(files);
    return ok;
}
