/* Names that come from input, and files below a folder. */
#include "batch/below.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

bool below_by_steps;

/* --- names --------------------------------------------------------------------------------------
 */

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

/* --- files --------------------------------------------------------------------------------------
 */

static bool is_clean(const char *path)
{
    struct adit_str rest = adit_str_z(path), part;
    if (!rest.len) return false;
    while (adit_str_split(&rest, '/', &part))
        if (!part.len || adit_str_eq(part, ADIT_STR(".")) || adit_str_eq(part, ADIT_STR("..")))
            return false;
    return path[strlen(path) - 1] != '/';
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
            if (make) mkdirat(at, name, 0777); /* that it is a folder shows the next line */
            next = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            why = errno;
        }
        close(at);
        errno = why;
        at = next;
    }
    *last = path;
    return at;
}

int below_parent(int folder, const char *path, bool make, const char **last)
{
    if (!is_clean(path)) {
        errno = EINVAL;
        return -1;
    }
    return step_to_parent(folder, path, make, last);
}

static int open_by_steps(int folder, const char *path, int flags, mode_t mode)
{
    const char *last;
    int parent = step_to_parent(folder, path, false, &last);
    if (parent < 0) return -1;
    int fd = openat(parent, last, flags | O_NOFOLLOW | O_CLOEXEC, mode), why = errno;
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
