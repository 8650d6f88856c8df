/* The heap behind the malloc hooks of libraries. Every block is linked into its heap, so that a
 * library that gives up half-way (as lexbor does without memory) cannot leak. */
#include "html/heap_impl.h"

#include <string.h>

struct adit_heap_block {
    struct adit_heap *heap;
    bool pooled; /* lies in the pool: not linked, not freed */
    struct adit_heap_block *prev, *next;
    size_t cap; /* bytes behind the header */
};

enum { KEEP_MIN = 16 << 10, KEEP_MAX = 8 << 20 };
enum { ALIGN = 16, HEADER = (sizeof(struct adit_heap_block) + ALIGN - 1) / ALIGN * ALIGN };

static _Thread_local struct adit_heap *entered;

void adit_heap_init(struct adit_heap *h, struct adit_mem mem, size_t max)
{
    *h = (struct adit_heap){.mem = mem, .max = max};
}

struct adit_heap *adit_heap_enter(struct adit_heap *h)
{
    struct adit_heap *previous = entered;
    entered = h;
    return previous;
}

void adit_heap_leave(struct adit_heap *previous) { entered = previous; }

bool adit_heap_pool(struct adit_heap *h, size_t len)
{
    h->pool = h->mem.resize(h->mem.ctx, NULL, 0, len);
    h->pool_len = h->pool ? len : 0;
    h->pool_used = 0;
    h->pooling = h->pool != NULL;
    h->used += h->pool_len;
    return h->pooling;
}

static struct adit_heap_block *from_pool(struct adit_heap *h, size_t len)
{
    size_t room = h->pool_len - h->pool_used;
    if (len > room || room - len < HEADER + ALIGN) return NULL;
    struct adit_heap_block *b = (struct adit_heap_block *)(void *)(h->pool + h->pool_used);
    h->pool_used += HEADER + (len + ALIGN - 1) / ALIGN * ALIGN;
    *b = (struct adit_heap_block){.heap = h, .pooled = true, .cap = len};
    return b;
}

/* Gives block (NULL: none yet) room for len bytes from the host; NULL, and block as it was, if that
 * cannot be. */
static struct adit_heap_block *from_host(struct adit_heap *h, struct adit_heap_block *block,
                                         size_t len)
{
    size_t old = block ? HEADER + block->cap : 0;
    if (len > h->max || h->max - len < h->used - old + HEADER) {
        h->full = true;
        return NULL;
    }
    struct adit_heap_block *made = h->mem.resize(h->mem.ctx, block, old, HEADER + len);
    if (!made) {
        h->failed = true;
        return NULL;
    }
    h->used += HEADER + len - old;
    made->cap = len;
    return made;
}

static void link_in(struct adit_heap *h, struct adit_heap_block *b)
{
    b->heap = h;
    b->prev = NULL;
    b->next = h->all;
    if (h->all) h->all->prev = b;
    h->all = b;
}

static void link_out(struct adit_heap_block *b)
{
    if (b->prev)
        b->prev->next = b->next;
    else
        b->heap->all = b->next;
    if (b->next) b->next->prev = b->prev;
}

static struct adit_heap_block *from_kept(struct adit_heap *h, size_t len)
{
    if (len < KEEP_MIN) return NULL;
    for (size_t i = 0; i < ADIT_COUNT(h->kept); i++) {
        struct adit_heap_block *b = h->kept[i].list;
        if (h->kept[i].cap != len || !b) continue;
        h->kept[i].list = b->next;
        h->kept_len -= HEADER + len;
        return b;
    }
    return NULL;
}

static bool keep(struct adit_heap *h, struct adit_heap_block *b)
{
    if (b->cap < KEEP_MIN || h->kept_len + HEADER + b->cap > KEEP_MAX) return false;
    for (size_t i = 0; i < ADIT_COUNT(h->kept); i++) {
        if (h->kept[i].cap == 0) h->kept[i].cap = b->cap;
        if (h->kept[i].cap != b->cap) continue;
        b->next = h->kept[i].list;
        h->kept[i].list = b;
        h->kept_len += HEADER + b->cap;
        return true;
    }
    return false;
}

void *adit_heap_malloc(size_t len)
{
    struct adit_heap *h = entered;
    if (!h) return NULL;
    bool broken = h->full || h->failed;
    struct adit_heap_block *b = h->pooling || broken ? from_pool(h, len) : NULL;
    if (!b && !broken) {
        b = from_kept(h, len);
        if (!b) b = from_host(h, NULL, len);
        if (b) {
            b->pooled = false;
            link_in(h, b);
        } else
            b = from_pool(h, len);
    }
    return b ? (char *)b + HEADER : NULL;
}

void *adit_heap_calloc(size_t n, size_t size)
{
    if (size && n > SIZE_MAX / 2 / size) return NULL;
    void *p = adit_heap_malloc(n * size);
    return p ? memset(p, 0, n * size) : NULL;
}

static struct adit_heap_block *block_of(void *p)
{
    return (struct adit_heap_block *)(void *)((char *)p - HEADER);
}

/* A larger block with the same content, from wherever it can be had. */
static void *move(struct adit_heap_block *b, size_t len)
{
    void *q = adit_heap_malloc(len), *p = (char *)b + HEADER;
    if (!q) return NULL;
    memcpy(q, p, b->cap);
    adit_heap_release(p);
    return q;
}

void *adit_heap_realloc(void *p, size_t len)
{
    if (!p) return adit_heap_malloc(len);
    struct adit_heap_block *b = block_of(p), *made = NULL;
    struct adit_heap *h = b->heap;
    if (len <= b->cap) return p;
    /* Doubling: some callers grow by a constant, which would be quadratic. */
    size_t doubled = b->cap < h->max / 4 && len < b->cap * 2 ? b->cap * 2 : len;
    if (b->pooled || h->full || h->failed) return move(b, doubled);
    link_out(b);
    made = from_host(h, b, doubled);
    link_in(h, made ? made : b);
    return made ? (char *)made + HEADER : move(b, len);
}

static void drop(struct adit_heap *h, struct adit_heap_block *b)
{
    h->used -= HEADER + b->cap;
    h->mem.resize(h->mem.ctx, b, HEADER + b->cap, 0);
}

void adit_heap_release(void *p)
{
    if (!p || block_of(p)->pooled) return;
    struct adit_heap_block *b = block_of(p);
    link_out(b);
    if (!keep(b->heap, b)) drop(b->heap, b);
}

static void drop_list(struct adit_heap *h, struct adit_heap_block *b)
{
    for (struct adit_heap_block *next; b; b = next) {
        next = b->next;
        drop(h, b);
    }
}

void adit_heap_free(struct adit_heap *h)
{
    drop_list(h, h->all);
    for (size_t i = 0; i < ADIT_COUNT(h->kept); i++) drop_list(h, h->kept[i].list);
    if (h->pool) h->mem.resize(h->mem.ctx, h->pool, h->pool_len, 0);
    *h = (struct adit_heap){.mem = h->mem, .max = h->max};
}
