/* The hosts whose pages were met, where one site is expected: to name it, or to say that there are
 * several. */
#include "batch/pack/pack_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS_SHOWN = 20, HOSTS_MAX = 1000 };

void pack_hosts_add(struct pack_hosts *h, struct adit_str host, uint64_t pages)
{
    size_t i = 0;
    while (i < h->n && !adit_str_eq(adit_str_z(h->v[i].name), host)) i++;
    if (i == h->n && i < HOSTS_MAX) {
        struct pack_host *v = realloc(h->v, (i + 1) * sizeof *v);
        if (v) {
            h->v = v;
            v[i] = (struct pack_host){strndup(host.p, host.len), 0};
            h->n += v[i].name != NULL;
        }
    }
    if (i < h->n) h->v[i].pages += pages;
}

void pack_hosts_free(struct pack_hosts *h)
{
    for (size_t i = 0; i < h->n; i++) free(h->v[i].name);
    free(h->v);
}

static int by_pages(const void *a, const void *b)
{
    const struct pack_host *x = a, *y = b;
    if (x->pages != y->pages) return x->pages < y->pages ? 1 : -1;
    return strcmp(x->name, y->name);
}

void pack_hosts_sort(struct pack_hosts *h)
{
    if (h->n) qsort(h->v, h->n, sizeof *h->v, by_pages);
}

bool pack_hosts_count(const struct pack_options *o)
{
    return !crawl_origin_known(&o->crawl) && !o->crawl.by_host && !o->crawl.mixed;
}

int pack_hosts_settle(struct pack_hosts *h, struct pack_options *o)
{
    if (!pack_hosts_count(o)) return CLI_OK;
    if (h->n == 1) {
        char origin[512];
        snprintf(origin, sizeof origin, "https://%s", h->v[0].name);
        if (adit_config_set_origin(&o->crawl.config, adit_str_z(origin))) return CLI_OK;
        cli_say(NULL, "'%s' cannot be a site's host; say which with --host or --config", origin);
        return CLI_INVALID;
    }
    if (h->n == 0) { /* nothing to publish: the history still counts why */
        o->nothing = true;
        return CLI_OK;
    }
    pack_hosts_sort(h);
    cli_say(NULL,
            "the input has pages of %zu hosts; pick with --host (several: names of one "
            "site), or use --by-host or --mixed:",
            h->n);
    for (size_t i = 0; i < h->n && i < HOSTS_SHOWN; i++)
        cli_print_to(stderr, "  %9llu pages  %s\n", (unsigned long long)h->v[i].pages,
                     h->v[i].name);
    if (h->n > HOSTS_SHOWN) cli_print_to(stderr, "  and others\n");
    return CLI_USAGE;
}
