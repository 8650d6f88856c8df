/* The order of input: threads finish items in any order, and records are written in the one order that
 * does not depend on the number of threads. */
#include "batch/extract/extract_impl.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    SLOTS_A_JOB = 16,
    HELD_MAX = 16 << 20,  /* bytes of entries that wait */
    KEPT_MAX = 256 << 10, /* bytes of an entry's buffer that are kept for the next */
    ENTRY_MAX = 512 << 20
};

struct extract_order {
    pthread_mutex_t lock;
    pthread_cond_t room;
    struct extract_entry *ring; /* slot number % n */
    size_t n;
    struct extract_entry current; /* the one that is taken */
    uint64_t next;                /* its number, or that of the next one */
    size_t held;                  /* bytes in the ring */
    bool taking, ended;
    bool (*take)(void *ctx, struct extract_entry *e);
    void *ctx;
};

void extract_entry_init(struct extract_entry *e)
{
    *e = (struct extract_entry){0};
    adit_buf_init(&e->bytes, cli_mem, ENTRY_MAX);
}

void extract_entry_clear(struct extract_entry *e)
{
    struct adit_buf bytes = e->bytes;
    adit_buf_clear(&bytes);
    if (bytes.cap > KEPT_MAX) {
        adit_buf_free(&bytes);
        adit_buf_init(&bytes, cli_mem, ENTRY_MAX);
    }
    *e = (struct extract_entry){.bytes = bytes};
}

struct extract_order *extract_order_new(size_t jobs,
                                        bool (*take)(void *ctx, struct extract_entry *e), void *ctx)
{
    struct extract_order *q = calloc(1, sizeof *q);
    if (!q) return NULL;
    q->n = SLOTS_A_JOB * jobs;
    q->ring = calloc(q->n, sizeof *q->ring);
    q->take = take;
    q->ctx = ctx;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->room, NULL);
    extract_entry_init(&q->current);
    for (size_t i = 0; q->ring && i < q->n; i++) extract_entry_init(&q->ring[i]);
    if (q->ring) return q;
    extract_order_free(q);
    return NULL;
}

void extract_order_free(struct extract_order *q)
{
    if (!q) return;
    for (size_t i = 0; q->ring && i < q->n; i++) adit_buf_free(&q->ring[i].bytes);
    adit_buf_free(&q->current.bytes);
    pthread_mutex_destroy(&q->lock);
    pthread_cond_destroy(&q->room);
    free(q->ring);
    free(q);
}

static void swap_entries(struct extract_entry *a, struct extract_entry *b)
{
    struct extract_entry t = *a;
    *a = *b;
    *b = t;
}

/* Takes what is next, until that is not there yet; the lock is open while an entry is used. */
static void take_next(struct extract_order *q)
{
    q->taking = true;
    for (struct extract_entry *slot; !q->ended && (slot = &q->ring[q->next % q->n])->full;) {
        extract_entry_clear(&q->current);
        swap_entries(slot, &q->current);
        slot->full = false;
        q->held -= q->current.bytes.len;
        q->next++;
        pthread_cond_broadcast(&q->room);
        pthread_mutex_unlock(&q->lock);
        bool ok = q->take(q->ctx, &q->current);
        pthread_mutex_lock(&q->lock);
        if (!ok) q->ended = true;
    }
    q->taking = false;
    if (q->ended) pthread_cond_broadcast(&q->room);
}

bool extract_order_put(struct extract_order *q, struct extract_entry *e)
{
    pthread_mutex_lock(&q->lock);
    /* The entry that is next never waits, so that somebody always goes on. */
    while (!q->ended && e->number != q->next && (e->number - q->next >= q->n || q->held > HELD_MAX))
        pthread_cond_wait(&q->room, &q->lock);
    bool ok = !q->ended;
    if (ok) {
        struct extract_entry *slot = &q->ring[e->number % q->n];
        e->full = true;
        q->held += e->bytes.len;
        swap_entries(slot, e);
        if (!q->taking) take_next(q);
        ok = !q->ended;
    }
    pthread_mutex_unlock(&q->lock);
    extract_entry_clear(e);
    return ok;
}

void extract_order_end(struct extract_order *q)
{
    pthread_mutex_lock(&q->lock);
    q->ended = true;
    pthread_cond_broadcast(&q->room);
    pthread_mutex_unlock(&q->lock);
}
