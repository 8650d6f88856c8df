/* What is left to do after the commit point: the journal, recovery, tidying up. A folder may come
 * from a stranger, with a journal and a stage of his: nothing but names that adit publishes is
 * touched, nothing outside of the folder, and no link is followed. */
#include "batch/io/io.h"
#include "batch/io/publish_impl.h"
#include "exchange/exchange.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { JOURNAL_MAX = 16 << 20, PATH_MAX_BYTES = 1024, DEPTH_MAX = 8 };

/* --- names ------------------------------------------------------------------------------------ */

static size_t count_slashes(struct adit_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++) n += s.p[i] == '/';
    return n;
}

static bool is_own(const struct publish_names *names, char kind, struct adit_str path)
{
    struct adit_str rest = path, part;
    while (adit_str_split(&rest, '/', &part))
        if (below_name_fault(part, NULL) && !adit_str_eq(part, ADIT_STR(".well-known")))
            return false;
    const char *const *row = kind == 'F' ? names->files : kind == 'D' ? names->folders : NULL;
    for (; row && *row; row++)
        if (count_slashes(adit_str_z(*row)) == count_slashes(path) &&
            adit_glob(adit_str_z(*row), path))
            return true;
    return false;
}

/* --- lines ------------------------------------------------------------------------------------ */

bool publish_journal_add(const struct publish *p, struct adit_buf *journal, char kind,
                         struct adit_str path)
{
    if (!is_own(p->names, kind, path)) return false;
    struct adit_str rest = adit_buf_str(journal), line;
    while (kind == 'D' && adit_str_split(&rest, '\n', &line))
        if (line.len > 2 && line.p[0] == kind && adit_str_eq(adit_str_sub(line, 2, line.len), path))
            return true;
    adit_buf_byte(journal, kind);
    adit_buf_byte(journal, ' ');
    adit_buf_add(journal, path);
    adit_buf_byte(journal, '\n');
    return true;
}

/* The next line: kind and path (NUL-terminated). kind 0: the end; '?': not a line of ours. */
static char next_line(const struct publish *p, struct adit_str *journal, char path[PATH_MAX_BYTES])
{
    struct adit_str line;
    if (!adit_str_split(journal, '\n', &line)) return '?';
    if (adit_str_eq(line, ADIT_STR("end"))) return journal->len ? '?' : 0;
    if (line.len < 3 || line.p[1] != ' ' || line.len - 2 >= PATH_MAX_BYTES ||
        !is_own(p->names, line.p[0], adit_str_sub(line, 2, line.len)))
        return '?';
    memcpy(path, line.p + 2, line.len - 2);
    path[line.len - 2] = '\0';
    return line.p[0];
}

static bool check_journal(const struct publish *p, struct adit_str journal)
{
    char path[PATH_MAX_BYTES], kind;
    while ((kind = next_line(p, &journal, path)) && kind != '?') continue;
    return !kind || publish_fail(p, PUBLISH_OWN "/" PUBLISH_JOURNAL,
                                 "is not a journal of adit pack's; remove " PUBLISH_OWN
                                 " if nothing of value is in it");
}

/* --- acting ----------------------------------------------------------------------------------- */

/* What base/path is, no link followed: 'F', 'D', '?' for other things, 0 for nothing. */
static char kind_at(int folder, const char *name)
{
    struct stat st;
    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0) return 0;
    return S_ISREG(st.st_mode) ? 'F' : S_ISDIR(st.st_mode) ? 'D' : '?';
}

static bool move(struct publish *p, int stage, char kind, const char *path)
{
    const char *last, *why = NULL;
    int from = stage >= 0 ? below_parent(stage, path, false, &last) : -1;
    int to = below_parent(p->fd, path, false, &last);
    char staged = from >= 0 ? kind_at(from, last) : 0;
    if (to >= 0 && !staged) /* moved before the crash, alone or with its folder */
        why = kind_at(to, last) == kind ? NULL : "is lost: it is neither here nor in " PUBLISH_OWN;
    else if (to >= 0 && staged != kind)
        why = "is staged as something else than the journal says";
    else if (to < 0 || renameat(from, last, to, last) != 0)
        why = strerror(errno);
    if (why) publish_fail(p, path, why);
    if (from >= 0) close(from);
    if (to >= 0) close(to);
    return !why;
}

/* Syncs the folder of path, unless it is the one of before (*done). */
static bool sync_parent(struct publish *p, const char *path, ino_t *done)
{
    const char *last;
    struct stat st;
    int fd = below_parent(p->fd, path, false, &last);
    bool ok = fd >= 0 && fstat(fd, &st) == 0 && (st.st_ino == *done || fsync(fd) == 0);
    if (ok)
        *done = st.st_ino;
    else
        publish_fail(p, path, strerror(errno));
    if (fd >= 0) close(fd);
    return ok;
}

bool publish_act(struct publish *p, int own, struct adit_str journal)
{
    char path[PATH_MAX_BYTES], kind;
    ino_t done = 0;
    if (!check_journal(p, journal)) return false;
    int stage = below_open(own, PUBLISH_STAGE, O_RDONLY | O_DIRECTORY, 0);
    struct adit_str rest = journal;
    bool ok = stage >= 0 || errno == ENOENT ||
              publish_fail(p, PUBLISH_OWN "/" PUBLISH_STAGE, strerror(errno));
    while (ok && (kind = next_line(p, &rest, path))) ok = move(p, stage, kind, path);
    if (stage >= 0) close(stage);
    rest = journal;
    while (ok && next_line(p, &rest, path)) ok = sync_parent(p, path, &done);
    if (!ok) return false;
    /* The moves are durable before the journal goes, and that before another stage begins. */
    if (unlinkat(own, PUBLISH_JOURNAL, 0) != 0)
        return publish_fail(p, PUBLISH_OWN "/" PUBLISH_JOURNAL, strerror(errno));
    ok = fsync(own) == 0 || publish_fail(p, PUBLISH_OWN, strerror(errno));
    publish_clear(p);
    return ok;
}

/* --- tidying up ------------------------------------------------------------------------------- */

static void remove_tree(int folder, const char *name, unsigned depth)
{
    if (unlinkat(folder, name, 0) == 0 || depth == 0) return;
    int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *e; d && (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            remove_tree(fd, e->d_name, depth - 1);
    if (d)
        closedir(d);
    else if (fd >= 0)
        close(fd);
    unlinkat(folder, name, AT_REMOVEDIR);
}

void publish_remove_tree(int folder, const char *name) { remove_tree(folder, name, DEPTH_MAX); }

void publish_clear(struct publish *p)
{
    int own = publish_own(p, false);
    DIR *d = own >= 0 ? fdopendir(own) : NULL;
    publish_remove_tree(own, PUBLISH_STAGE);
    for (struct dirent *e; d && (e = readdir(d));)
        if (strncmp(e->d_name, PUBLISH_TEMP, strlen(PUBLISH_TEMP)) == 0)
            unlinkat(own, e->d_name, 0);
    if (d)
        closedir(d);
    else if (own >= 0)
        close(own);
    if (own >= 0)
        unlinkat(p->fd, PUBLISH_OWN, AT_REMOVEDIR); /* unless it is somebody else's, too */
}

/* --- recovery --------------------------------------------------------------------------------- */

/* 1: read; 0: there is none; -1: said on stderr. */
static int read_journal(struct publish *p, int own, struct adit_buf *to)
{
    struct stat st;
    int fd = below_open(own, PUBLISH_JOURNAL, O_RDONLY | O_NONBLOCK, 0);
    if (fd < 0 && errno == ENOENT) return 0;
    ssize_t n = -1;
    const char *why = fd < 0 ? strerror(errno) : "is not a file";
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        while (adit_buf_reserve(to, 4096) && (n = read(fd, to->p + to->len, 4096)) > 0)
            to->len += (size_t)n;
        why = n < 0 ? strerror(errno) : "is too long";
    }
    if (fd >= 0) close(fd);
    if (n == 0 && !to->err) return 1;
    publish_fail(p, PUBLISH_OWN "/" PUBLISH_JOURNAL, why);
    return -1;
}

bool publish_recover(struct publish *p)
{
    int own = publish_own(p, false);
    if (own < 0)
        return errno == ENOENT ||
               publish_fail(p, PUBLISH_OWN, "is not a folder; links are not followed");
    struct adit_buf journal;
    adit_buf_init(&journal, cli_mem, JOURNAL_MAX);
    int found = read_journal(p, own, &journal);
    bool ok = found >= 0;
    if (found > 0) {
        cli_say(p->base, "finishing what a run that was killed had begun");
        ok = p->finished = publish_act(p, own, adit_buf_str(&journal));
    } else if (ok) {
        publish_clear(p);
    }
    close(own);
    adit_buf_free(&journal);
    return ok;
}
