/* Names that come from input, and files below a folder. */
#include "batch/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

bool below_by_steps;

/* --- names ------------------------------------------------------------------------------------ */

static bool is_name_byte(char c) { return adit_is_alnum(c) || (c && strchr("-_.~[]:", c)); }

const char *below_name_fault(struct adit_str name, const char *const *reserved)
{
    if (name.len == 0) return "is empty";
    if (name.len > BELOW_NAME_MAX) return "is too long for a file name";
    if (name.p[0] == '.') return "begins with a dot";
    for (size_t i = 0; i < name.len; i++)
        if (!is_name_byte(name.p[i])) return "has characters that no file name should have";
    for (; reserved && *reserved; reserved++)
        if (adit_str_ieq(name, adit_str_z(*reserved))) return "is a name that adit itself uses";
    return NULL;
}

/* --- files ------------------------------------------------------------------------------------ */

static bool is_clean(const char *path)
{
    struct adit_str rest = adit_str_z(path), part;
    if (!rest.len) return false;
    while (adit_str_split(&rest, '/', &part))
        if (!part.len || adit_str_eq(part, ADIT_STR(".")) || adit_str_eq(part, ADIT_STR("..")))
            return false;
    return path[strlen(path) - 1] != '/';
}

/* As openat, without following a link. Where a folder is asked for and a link is there, O_NOFOLLOW
 * gives ENOTDIR, as for any file; it becomes ELOOP, as openat2 has it. */
static int open_here(int at, const char *name, int flags, mode_t mode)
{
    struct stat st;
    int fd = openat(at, name, flags | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd >= 0 || errno != ENOTDIR) return fd;
    bool link = fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);
    errno = link ? ELOOP : ENOTDIR;
    return -1;
}

/* Opens the folder that holds path's last component, one component at a time. */
static int step_to_parent(int folder, const char *path, bool make, const char **last)
{
    int at = fcntl(folder, F_DUPFD_CLOEXEC, 0);
    for (const char *slash; at >= 0 && (slash = strchr(path, '/')); path = slash + 1) {
        char name[256];
        size_t len = (size_t)(slash - path);
        int next = -1, why = ENAMETOOLONG;
        if (len < sizeof name) {
            memcpy(name, path, len);
            name[len] = '\0';
            /* Fails where the name is taken; open_here tells whether by a folder. */
            if (make) mkdirat(at, name, 0777);
            next = open_here(at, name, O_RDONLY | O_DIRECTORY, 0);
            why = errno;
        }
        close(at);
        errno = why;
        at = next;
    }
    *last = path;
    return at;
}

static int open_by_steps(int folder, const char *path, int flags, mode_t mode)
{
    const char *last;
    int parent = step_to_parent(folder, path, false, &last);
    if (parent < 0) return -1;
    int fd = open_here(parent, last, flags, mode), why = errno;
    close(parent);
    errno = why;
    return fd;
}

/* Kernels before 5.6 have no openat2 (ENOSYS), some sandboxes forbid it (EPERM): then by steps. */
int below_open(int folder, const char *path, int flags, mode_t mode)
{
    static _Atomic bool refused;
    if (!is_clean(path)) {
        errno = EINVAL;
        return -1;
    }
    if (below_by_steps || atomic_load(&refused)) return open_by_steps(folder, path, flags, mode);
    struct open_how how = {.flags = (unsigned)(flags | O_CLOEXEC),
                           .mode = flags & (O_CREAT | O_TMPFILE) ? mode : 0,
                           .resolve =
                               RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    for (;;) {
        long fd = syscall(SYS_openat2, folder, path, &how, sizeof how);
        if (fd >= 0) return (int)fd;
        if (errno == EAGAIN || errno == EINTR) continue; /* a rename was under way */
        if (errno != ENOSYS && errno != EPERM) return -1;
        if (errno == ENOSYS) atomic_store(&refused, true);
        return open_by_steps(folder, path, flags, mode);
    }
}

/* The folder is there as a rule: one call opens it. Only where it lacks, and is to be made, the way
 * there is gone step by step. */
int below_parent(int folder, const char *path, bool make, const char **last)
{
    const char *slash = strrchr(path, '/');
    char parent[PATH_MAX];
    if (!is_clean(path) || (slash && (size_t)(slash - path) >= sizeof parent)) {
        errno = EINVAL;
        return -1;
    }
    *last = slash ? slash + 1 : path;
    if (!slash) return fcntl(folder, F_DUPFD_CLOEXEC, 0);
    memcpy(parent, path, (size_t)(slash - path));
    parent[slash - path] = '\0';
    int fd = below_open(folder, parent, O_RDONLY | O_DIRECTORY, 0);
    return fd < 0 && errno == ENOENT && make ? step_to_parent(folder, path, true, last) : fd;
}

const char *below_why(int error)
{
    if (error == ENOTDIR)
        return "is a link or a file where a folder belongs; no link is followed here";
    return error == ELOOP ? "is a link, or lies behind one; no link is followed here"
                          : strerror(error);
}

bool below_drop_link(int folder, const char *path)
{
    struct stat st;
    const char *last;
    int parent = below_parent(folder, path, false, &last);
    if (parent < 0) return errno == ENOENT;
    bool link = fstatat(parent, last, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);
    bool good = !link || unlinkat(parent, last, 0) == 0;
    int why = errno;
    close(parent);
    errno = why;
    return good;
}

bool below_make(const char *dir, size_t *made)
{
    char path[4096];
    *made = 0;
    if (snprintf(path, sizeof path, "%s/", dir) >= (int)sizeof path) {
        cli_say(dir, "cannot make the folder: %s", strerror(ENAMETOOLONG));
        return false;
    }
    for (char *p = path + 1; *p; p++) {
        if (*p != '/') continue;
        *p = '\0';
        if (mkdir(path, 0777) == 0) {
            if (!*made) *made = (size_t)(p - path);
        } else if (errno != EEXIST) {
            cli_say(path, "cannot make the folder: %s", strerror(errno));
            below_unmake(dir, *made);
            return false;
        }
        *p = '/';
    }
    return true;
}

void below_unmake(const char *dir, size_t made)
{
    char path[4096];
    size_t len = strlen(dir);
    if (!made || len >= sizeof path) return;
    memcpy(path, dir, len + 1);
    /* rmdir refuses what is not empty, and what is not there any more does not matter. */
    for (; len >= made; len--) {
        if (path[len] != '/' && path[len] != '\0') continue;
        path[len] = '\0';
        if (rmdir(path) != 0 && errno != ENOENT) return;
    }
}
