/* A heap for libraries that only know global malloc hooks (lexbor): what they allocate
 * while a heap is entered is counted, capped and freed with it. The entered heap is a thread's own,
 * so that each thread can run its own parser.
 */
#ifndef ADIT_HTML_HEAP_IMPL_H
#define ADIT_HTML_HEAP_IMPL_H

#include "base/base.h"

struct adit_heap {
    struct adit_mem mem;
    size_t used, max; /* bytes, with headers */
    struct adit_heap_block *all;
    bool full;   /* max was passed */
    bool failed; /* the host had no memory */
    /* One block taken at once. Libraries that do not survive a failed malloc (lexbor creating its
     * objects) are served from it while `pooling`, and small requests also after a failure, so that
     * the library gets as far as the next place where it can be stopped. */
    char *pool;
    size_t pool_len, pool_used;
    bool pooling;
    /* Large blocks that were released, for the next page: hosts give such memory back to the system
     * and take it again, which costs a tenth of parsing. */
    struct {
        size_t cap;
        struct adit_heap_block *list;
    } kept[4];
    size_t kept_len;
};

void adit_heap_init(struct adit_heap *h, struct adit_mem mem, size_t max);
/* Takes the pool and starts pooling; false without memory. */
bool adit_heap_pool(struct adit_heap *h, size_t len);
/* Frees everything that is still allocated, whoever forgot it. */
void adit_heap_free(struct adit_heap *h);

/* Directs the hooks to h; returns what was entered before, for adit_heap_leave. */
struct adit_heap *adit_heap_enter(struct adit_heap *h);
void adit_heap_leave(struct adit_heap *previous);

/* The hooks. Without an entered heap allocations fail. */
void *adit_heap_malloc(size_t len);
void *adit_heap_realloc(void *p, size_t len);
void *adit_heap_calloc(size_t n, size_t size);
void adit_heap_release(void *p);

#endif
