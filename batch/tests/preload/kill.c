/* Preloaded into a command: ends it as kill -9 would, right before its KILL_AT-th step that others
 * can see: a file that is made, written, synced, renamed or removed. With KILL_TORN=1 a write is
 * done by half first. With KILL_COUNT=FILE the number of steps goes there at the end. Built and
 * used by sync_kill.sh and archive.sh. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static long steps;

/* Whether this is the step. */
static int is_last(void)
{
    const char *at = getenv("KILL_AT");
    return ++steps == (at ? atol(at) : 0);
}

static void end(void) { raise(SIGKILL); }

static void step(void)
{
    if (is_last()) end();
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("KILL_COUNT");
    long n = steps;
    FILE *f = path ? fopen(path, "w") : NULL;
    if (!f) return;
    fprintf(f, "%ld\n", n);
    fclose(f);
}

#define NEXT(type, name, ...)  \
    type (*next)(__VA_ARGS__); \
    *(void **)&next = dlsym(RTLD_NEXT, name)

int rename(const char *from, const char *to)
{
    NEXT(int, "rename", const char *, const char *);
    step();
    return next(from, to);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
    NEXT(int, "renameat", int, const char *, int, const char *);
    step();
    return next(from_dir, from, to_dir, to);
}

int openat(int dir, const char *path, int flags, ...)
{
    NEXT(int, "openat", int, const char *, int, ...);
    va_list ap;
    va_start(ap, flags);
    int mode = flags & O_CREAT ? va_arg(ap, int) : 0;
    va_end(ap);
    if (flags & O_CREAT) step();
    return next(dir, path, flags, mode);
}

int unlink(const char *path)
{
    NEXT(int, "unlink", const char *);
    step();
    return next(path);
}

int unlinkat(int dir, const char *path, int flags)
{
    NEXT(int, "unlinkat", int, const char *, int);
    step();
    return next(dir, path, flags);
}

int linkat(int from, const char *path, int to, const char *name, int flags)
{
    NEXT(int, "linkat", int, const char *, int, const char *, int);
    step();
    return next(from, path, to, name, flags);
}

int mkdir(const char *path, mode_t mode)
{
    NEXT(int, "mkdir", const char *, mode_t);
    step();
    return next(path, mode);
}

int mkdirat(int dir, const char *path, mode_t mode)
{
    NEXT(int, "mkdirat", int, const char *, mode_t);
    step();
    return next(dir, path, mode);
}

int syncfs(int fd)
{
    NEXT(int, "syncfs", int);
    step();
    return next(fd);
}

int fsync(int fd)
{
    NEXT(int, "fsync", int);
    step();
    return next(fd);
}

int ftruncate(int fd, off_t len)
{
    NEXT(int, "ftruncate", int, off_t);
    step();
    return next(fd, len);
}

int fflush(FILE *f)
{
    NEXT(int, "fflush", FILE *);
    if (f && f != stdout && f != stderr) step();
    return next(f);
}

int fclose(FILE *f)
{
    NEXT(int, "fclose", FILE *);
    step();
    return next(f);
}

ssize_t write(int fd, const void *p, size_t n)
{
    struct stat st;
    NEXT(ssize_t, "write", int, const void *, size_t);
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && is_last()) {
        if (getenv("KILL_TORN")) next(fd, p, n / 2);
        end();
    }
    return next(fd, p, n);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
    NEXT(ssize_t, "pwrite", int, const void *, size_t, off_t);
    if (is_last()) {
        if (getenv("KILL_TORN")) next(fd, p, n / 2, at);
        end();
    }
    return next(fd, p, n, at);
}
