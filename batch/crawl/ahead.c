/* One reader for many threads: whoever comes reads ahead, if nobody else does; the others take what was
 * read before. Without that, all of them would wait as long as one inflates its next record. */
#include "batch/crawl/crawl.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    ITEMS_A_JOB = 2,
    HELD_MAX = 16 << 20, /* bytes of items that wait */
    KEPT_MAX = 1 << 20   /* bytes of an item's buffer that are kept for the next one */
};

struct crawl_ahead {
    struct crawl_reader *reader;
    const struct crawl_tally *tally;
    struct progress *progress;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct crawl_item *ring; /* n items wait, from first on */
    size_t cap, first, n, held;
    uint64_t number; /* of the item that is read next */
    bool reading;    /* some thread uses the reader and the place behind the last item */
    bool ended, stopped;
};

void crawl_item_init(struct crawl_item *item)
{
    *item = (struct crawl_item){0};
    adit_buf_init(&item->buf, cli_mem, WARC_BLOCK_MAX + 2 * (size_t)WARC_HEADER_MAX);
}

void crawl_item_free(struct crawl_item *item)
{
    adit_buf_free(&item->buf);
    free(item->path);
}

struct crawl_ahead *crawl_ahead_new(struct crawl_reader *reader, size_t jobs,
                                    struct progress *progress, const struct crawl_tally *tally)
{
    struct crawl_ahead *a = calloc(1, sizeof *a);
    if (!a) return NULL;
    *a = (struct crawl_ahead){.reader = reader, .progress = progress, .tally = tally};
    a->cap = jobs > 1 ? ITEMS_A_JOB * jobs : 1; /* one thread alone reads what it takes */
    a->ring = calloc(a->cap, sizeof *a->ring);
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->changed, NULL);
    for (size_t i = 0; a->ring && i < a->cap; i++) crawl_item_init(&a->ring[i]);
    if (a->ring) return a;
    crawl_ahead_free(a);
    return NULL;
}

void crawl_ahead_free(struct crawl_ahead *a)
{
    if (!a) return;
    for (size_t i = 0; a->ring && i < a->cap; i++) crawl_item_free(&a->ring[i]);
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->changed);
    free(a->ring);
    free(a);
}

static void show_progress(struct crawl_ahead *a)
{
    if (!a->progress->on) return;
    uint64_t total, done = crawl_reader_position(a->reader, &total);
    progress_name(a->progress, crawl_reader_name(a->reader));
    progress_show(a->progress, clock_ms(), done, total, a->tally ? a->tally->pages : a->number,
                  a->tally ? a->tally->others : 0);
}

/* The lock is open meanwhile: the others only take items from the front. */
static void read_one(struct crawl_ahead *a, struct crawl_counts *counts)
{
    struct crawl_item *item = &a->ring[(a->first + a->n) % a->cap];
    a->reading = true;
    pthread_mutex_unlock(&a->lock);
    bool more = crawl_reader_next(a->reader, item, counts);
    show_progress(a);
    pthread_mutex_lock(&a->lock);
    a->reading = false;
    if (more) {
        item->number = a->number++;
        a->held += item->buf.len;
        a->n++;
    } else {
        a->ended = true;
    }
    pthread_cond_broadcast(&a->changed);
}

static void take_first(struct crawl_ahead *a, struct crawl_item *item)
{
    struct crawl_item *first = &a->ring[a->first], used = *item;
    *item = *first;
    if (used.buf.cap > KEPT_MAX) {
        crawl_item_free(&used);
        crawl_item_init(&used);
    }
    *first = used;
    a->held -= item->buf.len;
    a->first = (a->first + 1) % a->cap;
    a->n--;
}

static bool wants_more(const struct crawl_ahead *a)
{
    return !a->reading && !a->ended && a->n < a->cap && (a->n == 0 || a->held < HELD_MAX);
}

bool crawl_ahead_next(struct crawl_ahead *a, struct crawl_item *item, struct crawl_counts *counts)
{
    pthread_mutex_lock(&a->lock);
    while (!a->stopped && !cli_interrupted()) {
        if (wants_more(a))
            read_one(a, counts);
        else if (a->n || a->ended)
            break;
        else
            pthread_cond_wait(&a->changed, &a->lock);
    }
    bool more = a->n && !a->stopped && !cli_interrupted();
    if (more) take_first(a, item);
    pthread_mutex_unlock(&a->lock);
    return more;
}

void crawl_ahead_stop(struct crawl_ahead *a)
{
    pthread_mutex_lock(&a->lock);
    a->stopped = true;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->lock);
}

bool crawl_ahead_stopped(struct crawl_ahead *a)
{
    pthread_mutex_lock(&a->lock);
    bool stopped = a->stopped;
    pthread_mutex_unlock(&a->lock);
    return stopped;
}
