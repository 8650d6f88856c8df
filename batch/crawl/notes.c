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

static int compare(const struct crawl_note *a, struct adit_str url, uint64_t offset)
{
    int order = adit_str_cmp(adit_str_z(a->url), url);
    if (order) return order;
    return a->offset < offset ? -1 : a->offset > offset;
}

void crawl_note_skip(struct crawl_notes *n, enum crawl_skip why, struct adit_str url,
                     const char *file, uint64_t offset)
{
    if (!n || !url.len) return;
    struct crawl_note *v = n->skips[why];
    pthread_mutex_lock(&n->lock);
    size_t i = CRAWL_NOTES;
    while (i && (!v[i - 1].url || compare(&v[i - 1], url, offset) > 0)) i--;
    if (i < CRAWL_NOTES) {
        struct crawl_note row = {strndup(url.p, url.len), file ? strdup(file) : NULL, offset};
        free(v[CRAWL_NOTES - 1].url), free(v[CRAWL_NOTES - 1].file);
        memmove(v + i + 1, v + i, (CRAWL_NOTES - 1 - i) * sizeof *v);
        v[i] = row;
        if (!row.url) free(row.file), v[i].file = NULL;
    }
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
