/* What a run notes beside its counts, for reports: which captures were left out, the first few of each
 * reason by their URLs (so that the same ones are noted for any order of workers), and which pages took
 * longest. */
#include "batch/crawl/notes_impl.h"

#include <stdlib.h>
#include <string.h>

struct crawl_notes *crawl_notes_new(void)
{
    struct crawl_notes *n = calloc(1, sizeof *n);
    if (n) pthread_mutex_init(&n->lock, NULL);
    return n;
}

void crawl_notes_free(struct crawl_notes *n)
{
    if (!n) return;
    for (size_t i = 0; i < CRAWL_SKIP_COUNT; i++)
        for (size_t k = 0; k < CRAWL_NOTES; k++)
            free(n->skips[i][k].url), free(n->skips[i][k].file);
    for (size_t k = 0; k < CRAWL_SLOWEST; k++) free(n->slowest[k].url);
    pthread_mutex_destroy(&n->lock);
    free(n);
}

const struct crawl_note *crawl_notes_skips(const struct crawl_notes *n, enum crawl_skip why)
{
    static const struct crawl_note none;
    return n ? n->skips[why] : &none;
}

const struct crawl_slow *crawl_notes_slowest(const struct crawl_notes *n)
{
    static const struct crawl_slow none;
    return n ? n->slowest : &none;
}

/* A total order, so that the first ones are the same however the captures were divided. */
static int compare(const struct crawl_note *a, const struct crawl_note *b)
{
    int order = strcmp(a->url, b->url);
    if (!order) order = strcmp(a->file ? a->file : "", b->file ? b->file : "");
    return order ? order : a->offset < b->offset ? -1 : a->offset > b->offset;
}

void crawl_note_skip(struct crawl_notes *n, enum crawl_skip why, struct adit_str url,
                     const char *file, uint64_t offset)
{
    if (!n || !url.len) return;
    struct crawl_note *v = n->skips[why], *last = &v[CRAWL_NOTES - 1];
    pthread_mutex_lock(&n->lock);
    /* Most are behind the last one by their URLs alone: these cost no memory. */
    bool early = !last->url || adit_str_cmp(url, adit_str_z(last->url)) <= 0;
    struct crawl_note row = {early ? strndup(url.p, url.len) : NULL, NULL, offset};
    if (row.url && file) row.file = strdup(file);
    size_t i = row.url ? CRAWL_NOTES : 0;
    while (i && (!v[i - 1].url || compare(&v[i - 1], &row) > 0)) i--;
    if (row.url && i < CRAWL_NOTES) {
        struct crawl_note out = *last;
        memmove(v + i + 1, v + i, (CRAWL_NOTES - 1 - i) * sizeof *v);
        v[i] = row;
        row = out;
    }
    free(row.url), free(row.file);
    pthread_mutex_unlock(&n->lock);
}

void crawl_note_time(struct crawl_notes *n, struct adit_str url, uint64_t us)
{
    if (!n || us <= atomic_load_explicit(&n->least, memory_order_relaxed)) return;
    struct crawl_slow *v = n->slowest;
    pthread_mutex_lock(&n->lock);
    size_t i = CRAWL_SLOWEST;
    while (i && v[i - 1].us < us) i--;
    char *copy = i < CRAWL_SLOWEST ? strndup(url.p, url.len) : NULL;
    if (copy) {
        free(v[CRAWL_SLOWEST - 1].url);
        memmove(v + i + 1, v + i, (CRAWL_SLOWEST - 1 - i) * sizeof *v);
        v[i] = (struct crawl_slow){copy, us};
        atomic_store(&n->least, v[CRAWL_SLOWEST - 1].us);
    }
    pthread_mutex_unlock(&n->lock);
}
