/* Preloaded into adit serve: once a path has been resolved, the file SWAP_FILE becomes a link to
 * SWAP_TO, as somebody who can write in the folder may do at any moment. Built and used by
 * serve/tests/links.sh. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *realpath(const char *path, char *resolved)
{
    char *(*next)(const char *, char *);
    const char *file = getenv("SWAP_FILE"), *to = getenv("SWAP_TO");
    *(void **)&next = dlvsym(RTLD_NEXT, "realpath", "GLIBC_2.3");
    char *real = next ? next(path, resolved) : NULL;
    if (real && file && to && strcmp(real, file) == 0) {
        unlink(file);
        if (symlink(to, file) != 0) abort();
    }
    return real;
}
