/* Preloaded into a command: ends it as kill -9 would, right before its KILL_AT-th step that others
 * can see: a file that is made, written, synced, renamed or removed. With FAIL_AT that step fails
 * instead, as on a disk that is full. With NO_TMPFILE files without a name cannot be had, with
 * NO_FLOCK folders cannot be locked, as on network file systems. Built and used by sync/tests/kill.sh,
 * archive.sh and pack/tests/kill.sh. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static long steps;

/* Whether this step is to fail. */
static int step(void)
{
    const char *kill_at = getenv("KILL_AT"), *fail_at = getenv("FAIL_AT");
    steps++;
    if (kill_at && steps == atol(kill_at)) raise(SIGKILL);
    if (!fail_at || steps != atol(fail_at)) return 0;
    errno = ENOSPC;
    return 1;
}

#define NEXT(type, name, ...)  \
    type (*next)(__VA_ARGS__); \
    *(void **)&next = dlsym(RTLD_NEXT, name)

int rename(const char *from, const char *to)
{
    NEXT(int, "rename", const char *, const char *);
    if (step()) return -1;
    return next(from, to);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
    NEXT(int, "renameat", int, const char *, int, const char *);
    if (step()) return -1;
    return next(from_dir, from, to_dir, to);
}

int openat(int dir, const char *path, int flags, ...)
{
    NEXT(int, "openat", int, const char *, int, ...);
    va_list ap;
    va_start(ap, flags);
    bool unnamed = (flags & O_TMPFILE) == O_TMPFILE;
    int mode = flags & O_CREAT || unnamed ? va_arg(ap, int) : 0;
    va_end(ap);
    if (unnamed && getenv("NO_TMPFILE")) {
        errno = EOPNOTSUPP;
        return -1;
    }
    if ((flags & O_CREAT) && step()) return -1;
    return next(dir, path, flags, mode);
}

int flock(int fd, int how)
{
    struct stat st;
    NEXT(int, "flock", int, int);
    if (getenv("NO_FLOCK") && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        errno = EBADF;
        return -1;
    }
    return next(fd, how);
}

int unlink(const char *path)
{
    NEXT(int, "unlink", const char *);
    if (step()) return -1;
    return next(path);
}

int unlinkat(int dir, const char *path, int flags)
{
    NEXT(int, "unlinkat", int, const char *, int);
    if (step()) return -1;
    return next(dir, path, flags);
}

int linkat(int from, const char *path, int to, const char *name, int flags)
{
    NEXT(int, "linkat", int, const char *, int, const char *, int);
    if (step()) return -1;
    return next(from, path, to, name, flags);
}

int mkdir(const char *path, mode_t mode)
{
    NEXT(int, "mkdir", const char *, mode_t);
    if (step()) return -1;
    return next(path, mode);
}

int mkdirat(int dir, const char *path, mode_t mode)
{
    NEXT(int, "mkdirat", int, const char *, mode_t);
    if (step()) return -1;
    return next(dir, path, mode);
}

int syncfs(int fd)
{
    NEXT(int, "syncfs", int);
    if (step()) return -1;
    return next(fd);
}

int fsync(int fd)
{
    NEXT(int, "fsync", int);
    if (step()) return -1;
    return next(fd);
}

int ftruncate(int fd, off_t len)
{
    NEXT(int, "ftruncate", int, off_t);
    if (step()) return -1;
    return next(fd, len);
}

int fflush(FILE *f)
{
    NEXT(int, "fflush", FILE *);
    if (f && f != stdout && f != stderr && step()) return EOF;
    return next(f);
}

int fclose(FILE *f)
{
    NEXT(int, "fclose", FILE *);
    int failed = step();
    return next(f) || failed ? EOF : 0;
}

ssize_t write(int fd, const void *p, size_t n)
{
    struct stat st;
    NEXT(ssize_t, "write", int, const void *, size_t);
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && step()) return -1;
    return next(fd, p, n);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
    NEXT(ssize_t, "pwrite", int, const void *, size_t, off_t);
    if (step()) return -1;
    return next(fd, p, n, at);
}
