/* The run files of a step: their names, and whether all of them are there. */
#include "batch/pack/steps_impl.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MISSING_SHOWN = 20, DIGITS = 5 };
static const char middle[] = "-of-", ending[] = ".run";

char *pack_set_file(const char *dir, const char *prefix, uint64_t i, uint64_t n)
{
    char *path;
    if (asprintf(&path, "%s/%s%0*llu%s%0*llu%s", dir, prefix, DIGITS, (unsigned long long)i, middle,
                 DIGITS, (unsigned long long)n, ending) >= 0)
        return path;
    cli_say(NULL, "out of memory");
    return NULL;
}

/* Of a name PREFIXi-of-n.run its n; 0 of any other. */
static uint64_t size_of(struct adit_str name, struct adit_str prefix)
{
    uint64_t i, n;
    if (!adit_str_starts(name, prefix) || !adit_str_ends(name, adit_str_z(ending))) return 0;
    name = adit_str_sub(name, prefix.len, name.len - strlen(ending));
    size_t at = adit_str_find(name, adit_str_z(middle), 0);
    if (!adit_str_u64(adit_str_sub(name, 0, at), &i) ||
        !adit_str_u64(adit_str_sub(name, at + strlen(middle), name.len), &n) || i >= n)
        return 0;
    return n;
}

bool pack_set_size(const char *dir, const char *prefix, const char *what, uint64_t *n)
{
    DIR *d = opendir(dir);
    *n = 0;
    if (!d) {
        if (errno == ENOENT) return true;
        cli_say(dir, "%s", strerror(errno));
        return false;
    }
    uint64_t other = 0;
    for (struct dirent *e; !other && (e = readdir(d));) {
        uint64_t size = size_of(adit_str_z(e->d_name), adit_str_z(prefix));
        if (*n && size && size != *n) other = size;
        if (size) *n = size;
    }
    closedir(d);
    if (other)
        cli_say(dir,
                "holds %s of several runs: some are of %llu, some of %llu; remove those that do "
                "not belong there",
                what, (unsigned long long)other, (unsigned long long)*n);
    return !other;
}

bool pack_set_complete(const char *dir, const char *prefix, const char *what, uint64_t n)
{
    struct adit_buf names;
    uint64_t missing = 0;
    adit_buf_init(&names, cli_mem, 4096);
    for (uint64_t i = 0; i < n; i++) {
        char *path = pack_set_file(dir, prefix, i, n);
        if (!path || access(path, F_OK) != 0) {
            if (missing) adit_buf_lit(&names, missing < MISSING_SHOWN ? ", " : "");
            if (missing < MISSING_SHOWN) adit_buf_u64(&names, i);
            missing++;
        }
        free(path);
    }
    if (missing > MISSING_SHOWN) adit_buf_lit(&names, " and others");
    if (missing)
        cli_say(dir, "%llu of %llu %s are missing: number %.*s", (unsigned long long)missing,
                (unsigned long long)n, what, (int)names.len, names.p);
    adit_buf_free(&names);
    return !missing;
}

const char *pack_scratch(const char *dir)
{
    const char *temp = getenv("TMPDIR");
    return temp && *temp ? temp : dir;
}
