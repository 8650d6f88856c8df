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

/* The last one of that name, or NULL. */
static const struct cli_given *find_given(const struct cli_args *args, const char *name)
{
    size_t i = args->n_given;
    while (i > 0 && strcmp(args->given[i - 1].option->name, name) != 0) i--;
    return i > 0 ? &args->given[i - 1] : NULL;
}

const char *cli_get(const struct cli_args *args, const char *name)
{
    const struct cli_given *given = find_given(args, name);
    return given ? given->value : NULL;
}

bool cli_has(const struct cli_args *args, const char *name) { return cli_get(args, name) != NULL; }

int cli_choice(const struct cli_args *args, const char *name, int otherwise)
{
    const struct cli_given *given = find_given(args, name);
    return given ? cli_word(given->option->arg, given->value) : otherwise;
}

static const char units[] = "KMG";

static bool read_size(struct adit_str s, uint64_t *out)
{
    const char *unit = s.len ? strchr(units, s.p[s.len - 1]) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    uint64_t v;
    if (unit) s.len--;
    if (!adit_str_u64(s, &v) || v > UINT64_MAX >> shift) return false;
    *out = v << shift;
    return true;
}

/* The number as one would give it: 8388608 bytes are 8M. */
static void write_bound(char to[32], uint64_t n, bool size)
{
    unsigned unit = 0;
    for (; size && n && n % 1024 == 0 && unit < sizeof units - 1; unit++) n /= 1024;
    snprintf(to, 32, "%llu%.*s", (unsigned long long)n, unit > 0, unit ? units + unit - 1 : "");
}

int cli_number(const struct cli_args *args, const char *name, uint64_t least, uint64_t most,
               uint64_t *n)
{
    const struct cli_given *given = find_given(args, name);
    if (!given) return CLI_OK;
    bool size = strcmp(given->option->arg, "SIZE") == 0;
    uint64_t v;
    if ((size ? read_size : adit_str_u64)(adit_str_z(given->value), &v) && v >= least &&
        v <= most) {
        *n = v;
        return CLI_OK;
    }
    char from[32], to[32];
    write_bound(from, least, size), write_bound(to, most, size);
    return cli_usage(args, "--%s '%s' is not a %s from %s%s%s", name, given->value,
                     size ? "size" : "number", from, most == CLI_ANY ? " on" : " to ",
                     most == CLI_ANY ? "" : to);
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

void *cli_grow(void *v, size_t n, size_t *cap, size_t size)
{
    size_t more = *cap ? 2 * *cap : 16;
    if (n < *cap) return v;
    if (more > SIZE_MAX / 2 / size) return NULL;
    v = realloc(v, more * size);
    if (v) *cap = more;
    return v;
}
