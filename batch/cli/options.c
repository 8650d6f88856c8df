/* Reading the parsed command line. */
#include "batch/cli/cli.h"

#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

const char *cli_nth(const struct cli_args *args, const char *name, size_t k)
{
    for (size_t i = 0; i < args->n_given; i++)
        if (strcmp(args->given[i].option->name, name) == 0 && k-- == 0) return args->given[i].value;
    return NULL;
}

const char *cli_get(const struct cli_args *args, const char *name)
{
    const char *last = NULL, *v;
    for (size_t k = 0; (v = cli_nth(args, name, k)); k++) last = v;
    return last;
}

bool cli_has(const struct cli_args *args, const char *name) { return cli_get(args, name) != NULL; }

bool cli_size(const char *text, uint64_t *out)
{
    static const char units[] = "KMG";
    struct adit_str s = adit_str_z(text);
    unsigned shift = 0;
    if (s.len) {
        const char *unit = strchr(units, s.p[s.len - 1]);
        if (unit) shift = 10 * (unsigned)(unit - units + 1), s.len--;
    }
    uint64_t v;
    if (!adit_str_u64(s, &v) || v > UINT64_MAX >> shift) return false;
    *out = v << shift;
    return true;
}

/* The C library keeps what is freed: a server would hold the memory of its largest page for ever.
 * When a thread has freed much more than it has taken since, unused pages go back to the system.
 * Pages of an ordinary size never come to that. */
static void note_freed(size_t old_len, size_t new_len)
{
    enum { TRIM_FROM = 16 << 20 };
    static _Thread_local size_t freed;
    if (new_len >= old_len) {
        freed -= new_len - old_len < freed ? new_len - old_len : freed;
        return;
    }
    freed += old_len - new_len;
    if (freed < TRIM_FROM) return;
    freed = 0;
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

static void *resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    (void)ctx;
    void *made = new_len ? realloc(p, new_len) : NULL;
    if (!new_len) free(p);
    if (made || !new_len) note_freed(old_len, new_len);
    return made;
}
const struct adit_mem cli_mem = {resize, NULL};
