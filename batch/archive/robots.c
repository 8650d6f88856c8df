/* robots.txt as it was captured: what it disallows is not archived (SPP, 9). */
#include "batch/archive/ingest_impl.h"
#include "http/http.h"

#include <stdlib.h>
#include <string.h>

enum { ALL_MAX = 256 << 20 }; /* bytes of all files together */

struct entry {
    char *host;
    struct adit_time at;
    char *text;
    size_t len;
};

struct archive_robots {
    const char *agent;
    struct entry *v;
    size_t n, cap, bytes;
    bool sorted;
    /* of the host that was asked for last */
    char *host;
    struct adit_arena arena;
    struct adit_robots rules;
};

struct archive_robots *archive_robots_new(const char *agent)
{
    struct archive_robots *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->agent = agent;
    adit_arena_init(&r->arena, cli_mem, 16 << 20);
    return r;
}

void archive_robots_free(struct archive_robots *r)
{
    if (!r) return;
    for (size_t i = 0; i < r->n; i++) free(r->v[i].host), free(r->v[i].text);
    free(r->v);
    free(r->host);
    adit_arena_free(&r->arena);
    free(r);
}

bool archive_robots_add(struct archive_robots *r, struct adit_str url, struct adit_time at,
                        struct adit_str text)
{
    struct adit_str host = crawl_url_host(url);
    if (text.len > ADIT_ROBOTS_BYTES) text.len = ADIT_ROBOTS_BYTES;
    if (r->bytes + text.len > ALL_MAX) {
        cli_say(NULL, "more robots.txt in the input than can be kept; --ignore-robots goes on");
        return false;
    }
    struct entry *v = cli_grow(r->v, r->n, &r->cap, sizeof *v);
    if (!v) return false;
    r->v = v;
    struct entry e = {strndup(host.p, host.len), at, malloc(text.len + 1), text.len};
    if (!e.host || !e.text) {
        free(e.host), free(e.text);
        return false;
    }
    memcpy(e.text, text.p, text.len);
    r->v[r->n++] = e;
    r->bytes += text.len;
    return true;
}

/* By host; the newest last; a total order. */
static int by_host(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int c = strcmp(x->host, y->host);
    if (c == 0) c = adit_time_cmp(x->at, y->at);
    return c ? c : adit_str_cmp(adit_str_of(x->text, x->len), adit_str_of(y->text, y->len));
}

static const struct entry *newest(const struct archive_robots *r, struct adit_str host)
{
    size_t from = 0, to = r->n; /* the first entry of a greater host */
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (adit_str_cmp(adit_str_z(r->v[mid].host), host) <= 0)
            from = mid + 1;
        else
            to = mid;
    }
    const struct entry *e = from ? &r->v[from - 1] : NULL;
    return e && adit_str_eq(adit_str_z(e->host), host) ? e : NULL;
}

bool archive_robots_allow(struct archive_robots *r, struct adit_str url)
{
    if (!r || !r->n) return true;
    if (!r->sorted) qsort(r->v, r->n, sizeof *r->v, by_host);
    r->sorted = true;
    struct adit_str host = crawl_url_host(url);
    if (!r->host || !adit_str_eq(adit_str_z(r->host), host)) {
        const struct entry *e = newest(r, host);
        free(r->host);
        r->host = strndup(host.p, host.len);
        r->rules = (struct adit_robots){0};
        adit_arena_reset(&r->arena);
        if (e && adit_robots_parse(adit_str_of(e->text, e->len), adit_str_z(r->agent), &r->arena,
                                   &r->rules) != ADIT_OK)
            return false;
    }
    return adit_robots_allows(&r->rules, crawl_url_path(url));
}
