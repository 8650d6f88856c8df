/* Reading the parsed command line. */
#include "batch/cli.h"

#include <stdlib.h>
#include <string.h>

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

static void *resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    (void)ctx, (void)old_len;
    if (new_len) return realloc(p, new_len);
    free(p);
    return NULL;
}
const struct adit_mem cli_mem = {resize, NULL};
