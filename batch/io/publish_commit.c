/* Staging and the commit: files get names where nobody looks, then a journal appears that says where they
 * belong, then they are moved. */
#include "batch/io/io.h"
#include "batch/io/publish_impl.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    JOURNAL_MAX = 16 << 20,
    PATH_MAX_BYTES = 4096,
    NAME_MAX_BYTES = 1024,
    /* Folders that are new take their places together: as many as have so many files, or bytes. */
    BATCH_FILES = 4096,
    BATCH_BYTES = 256 << 20
};

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

static bool open_stage(struct publish *p)
{
    struct publish_staged *s = &p->staged;
    if (s->stage >= 0) return true;
    s->own = publish_own(p, true);
    if (s->own < 0) return publish_fail(p, PUBLISH_OWN, below_why(errno));
    if (mkdirat(s->own, PUBLISH_STAGE, 0777) == 0)
        s->stage = below_open(s->own, PUBLISH_STAGE, O_RDONLY | O_DIRECTORY, 0);
    if (s->stage < 0) return publish_fail(p, PUBLISH_OWN "/" PUBLISH_STAGE, strerror(errno));
    adit_buf_init(&s->journal, cli_mem, JOURNAL_MAX);
    return true;
}

/* Gives the finished output its name in the stage, and notes the move. */
static bool stage_file(struct publish *p, struct output *out)
{
    const char *name = output_path(out) + strlen(p->base) + 1, *last;
    struct adit_str path = {0};
    char kind = 0;
    if (!open_stage(p) || !find_move(p, name, &kind, &path)) return false;
    if (!publish_journal_add(p, &p->staged.journal, kind, path))
        return publish_fail(p, name, "is not a name that adit publishes");
    int parent = below_parent(p->staged.stage, name, true, &last);
    if (parent < 0) return publish_fail(p, PUBLISH_OWN "/" PUBLISH_STAGE, strerror(errno));
    bool ok = output_link(out, parent, last);
    close(parent);
    p->staged.files++;
    p->staged.bytes += output_bytes_out(out);
    return ok;
}

bool publish_put(struct publish *p, struct output *out)
{
    bool ok = out && (p->top ? output_finish(out) : output_sync(out)) &&
              stage_file(p->top ? p->top : p, out);
    if (p->top) p->top->staged.unsynced = true;
    output_discard(out);
    return ok;
}

bool publish_waits(const struct publish *p, const char *name)
{
    struct stat st;
    return p->staged.stage >= 0 && fstatat(p->staged.stage, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static void reset(struct publish_staged *s)
{
    if (s->stage >= 0) close(s->stage);
    if (s->own >= 0) close(s->own);
    adit_buf_free(&s->journal);
    *s = (struct publish_staged){.own = -1, .stage = -1};
}

void publish_unstage(struct publish *p)
{
    struct publish_staged *s = p->top ? &p->top->staged : &p->staged;
    if (s->own < 0) return;
    if (!p->top) {
        reset(s);
        publish_clear(p);
    } else if (s->journal.len > p->mark) {
        publish_remove_tree(s->stage, strrchr(p->dir, '/') + 1);
        s->journal.len = p->mark;
    }
}

/* --- the commit ------------------------------------------------------------------------------- */

/* The commit point: the journal appears, whole. */
static bool write_journal(struct publish *p, int own, struct adit_str journal)
{
    char path[PATH_MAX_BYTES];
    snprintf(path, sizeof path, "%s/" PUBLISH_OWN "/" PUBLISH_JOURNAL, p->base);
    struct output *out = publish_open_output(p, path, NULL);
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

static bool take_reserve(struct publish *p, struct reserve *r, size_t n_moves)
{
    struct stat st = {0};
    r->fd = publish_open_unnamed(p, &r->temp);
    int error = r->fd < 0 || fstat(r->fd, &st) != 0 ? errno : 0;
    if (!error)
        error = posix_fallocate(r->fd, 0, (off_t)(2 * (n_moves + 4)) * (off_t)st.st_blksize);
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

static size_t count_lines(struct adit_str text)
{
    size_t n = 0;
    for (struct adit_str line; adit_str_split(&text, '\n', &line);) n++;
    return n;
}

/* All that is staged becomes durable: with syncfs what is on the disk is that of others, too, so it is
 * for many files only. */
static bool sync_stage(struct publish *p)
{
    struct publish_staged *s = &p->staged;
    int stage = s->stage;
    if (s->unsynced) return syncfs(stage) == 0;
    s->stage = -1;
    return sync_folders(stage);
}

static bool commit(struct publish *p)
{
    struct publish_staged *s = &p->staged;
    struct reserve reserve = {.fd = -1};
    bool ok = take_reserve(p, &reserve, count_lines(adit_buf_str(&s->journal)));
    if (ok && !sync_stage(p)) ok = publish_fail(p, PUBLISH_OWN "/" PUBLISH_STAGE, strerror(errno));
    adit_buf_lit(&s->journal, "end\n");
    if (ok && s->journal.err) ok = publish_fail(p, PUBLISH_OWN, "out of memory");
    ok = ok && write_journal(p, s->own, adit_buf_str(&s->journal));
    free_reserve(&reserve);
    if (!ok) {
        publish_clear(p);
        return false;
    }
    ok = (fsync(s->own) == 0 && fsync(p->fd) == 0) || publish_fail(p, PUBLISH_OWN, strerror(errno));
    ok = ok && publish_act(p, s->own, adit_buf_str(&s->journal));
    if (!ok) cli_say(p->dir, "is published in part; the next run finishes it");
    return ok;
}

bool publish_settle(struct publish *p)
{
    struct publish_staged *s = &p->staged;
    if (!s->whole || s->whole != s->journal.len) return true;
    bool ok = commit(p);
    reset(s);
    return ok;
}

/* Files of a folder that is not there yet: they wait for those of other new folders. */
static bool commit_later(struct publish *p, struct file_set *files)
{
    struct publish_staged *s = &p->top->staged;
    for (size_t i = 0; i < files->n; i++) {
        struct output *out = files->v[i];
        files->v[i] = NULL;
        if (!publish_put(p, out)) return false;
    }
    p->mark = s->whole = s->journal.len;
    return (s->files < BATCH_FILES && s->bytes < BATCH_BYTES) || publish_settle(p->top);
}

static bool commit_now(struct publish *p, const struct file_set *files)
{
    for (size_t i = 0; i < files->n; i++)
        if (!output_sync(files->v[i])) return false;
    for (size_t i = 0; i < files->n; i++)
        if (!stage_file(p, files->v[i])) return false;
    p->staged.whole = p->staged.journal.len;
    return publish_settle(p);
}

bool publish_commit(struct publish *p, struct file_set *files)
{
    bool ok = p->top ? commit_later(p, files) : commit_now(p, files);
    if (!ok) publish_unstage(p);
    files_discard(files);
    return ok;
}
