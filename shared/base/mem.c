/* Arenas and buffers: memory that is born with a maximum. */
#include "base/base.h"

#include <string.h>

enum { ALIGN = 16, CHUNK_MIN = 16 << 10, CHUNK_MAX = 1 << 20, BUF_MIN = 64 };

struct adit_arena_chunk {
    struct adit_arena_chunk *next;
    size_t cap, used; /* bytes of payload behind this header */
};

static size_t round_up(size_t n) { return (n + (ALIGN - 1)) & ~(size_t)(ALIGN - 1); }

static size_t header_len(void) { return round_up(sizeof(struct adit_arena_chunk)); }

void adit_arena_init(struct adit_arena *a, struct adit_mem mem, size_t max)
{
    *a = (struct adit_arena){.mem = mem, .max = max};
}

/* The next chunk with room for len: a kept one that is large enough, else a new one. Chunks
 * double, so that a page costs few calls of the host. */
static struct adit_arena_chunk *next_chunk(struct adit_arena *a, size_t len)
{
    struct adit_arena_chunk *c = a->cur ? a->cur->next : a->first;
    if (c && c->cap >= len) {
        c->used = 0;
        return a->cur = c;
    }
    size_t cap = a->cur ? a->cur->cap * 2 : CHUNK_MIN;
    if (cap > CHUNK_MAX) cap = CHUNK_MAX;
    if (cap < len) cap = len;
    struct adit_arena_chunk *made = a->mem.resize(a->mem.ctx, NULL, 0, header_len() + cap);
    if (!made) return NULL;
    *made = (struct adit_arena_chunk){.next = c, .cap = cap};
    if (a->cur)
        a->cur->next = made;
    else
        a->first = made;
    return a->cur = made;
}

void *adit_arena_alloc(struct adit_arena *a, size_t len)
{
    if (len > a->max || a->max - a->used < len) return NULL;
    size_t need = round_up(len);
    struct adit_arena_chunk *c = a->cur;
    if (!c || c->cap - c->used < need) c = next_chunk(a, need);
    if (!c) return NULL;
    void *p = (char *)c + header_len() + c->used;
    c->used += need;
    a->used += len;
    return p;
}

void *adit_arena_zalloc(struct adit_arena *a, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / 2 / size) return NULL;
    void *p = adit_arena_alloc(a, n * size);
    return p ? memset(p, 0, n * size) : NULL;
}

struct adit_str adit_arena_dup(struct adit_arena *a, struct adit_str s, bool *ok)
{
    char *p = adit_arena_alloc(a, s.len);
    if (!p) {
        if (ok) *ok = false;
        return (struct adit_str){0};
    }
    if (s.len) memcpy(p, s.p, s.len);
    return adit_str_of(p, s.len);
}

void adit_arena_reset(struct adit_arena *a)
{
    a->used = 0;
    a->cur = a->first;
    if (a->cur) a->cur->used = 0;
}

void adit_arena_free(struct adit_arena *a)
{
    for (struct adit_arena_chunk *c = a->first, *next; c; c = next) {
        next = c->next;
        a->mem.resize(a->mem.ctx, c, header_len() + c->cap, 0);
    }
    *a = (struct adit_arena){.mem = a->mem, .max = a->max};
}

void adit_buf_init(struct adit_buf *b, struct adit_mem mem, size_t max)
{
    *b = (struct adit_buf){.mem = mem, .max = max};
}

bool adit_buf_reserve(struct adit_buf *b, size_t n)
{
    if (b->err) return false;
    if (n <= b->cap - b->len) return true;
    if (n > b->max || b->max - b->len < n) {
        b->err = ADIT_ELIMIT;
        return false;
    }
    size_t need = b->len + n, cap = b->cap ? b->cap : BUF_MIN;
    while (cap < need) cap = cap > SIZE_MAX / 2 ? need : cap * 2;
    if (cap > b->max) cap = b->max;
    char *p = b->mem.resize(b->mem.ctx, b->p, b->cap, cap);
    if (!p) {
        b->err = ADIT_ENOMEM;
        return false;
    }
    b->p = p;
    b->cap = cap;
    return true;
}

void adit_buf_add(struct adit_buf *b, struct adit_str s)
{
    if (s.len == 0 || !adit_buf_reserve(b, s.len)) return;
    memcpy(b->p + b->len, s.p, s.len);
    b->len += s.len;
}

void adit_buf_byte(struct adit_buf *b, char c)
{
    if (!adit_buf_reserve(b, 1)) return;
    b->p[b->len++] = c;
}

void adit_buf_lit(struct adit_buf *b, const char *z) { adit_buf_add(b, adit_str_z(z)); }

void adit_buf_pad(struct adit_buf *b, uint64_t v, int width)
{
    char d[32];
    size_t i = sizeof d;
    do {
        d[--i] = (char)('0' + v % 10);
        v /= 10;
        width--;
    } while (i > 0 && (v || width > 0));
    adit_buf_add(b, adit_str_of(d + i, sizeof d - i));
}

void adit_buf_u64(struct adit_buf *b, uint64_t v) { adit_buf_pad(b, v, 1); }

void adit_buf_i64(struct adit_buf *b, int64_t v)
{
    if (v < 0) adit_buf_byte(b, '-');
    adit_buf_u64(b, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void adit_buf_hex(struct adit_buf *b, const uint8_t *p, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < len; i++) {
        adit_buf_byte(b, digits[p[i] >> 4]);
        adit_buf_byte(b, digits[p[i] & 15]);
    }
}

void adit_buf_clear(struct adit_buf *b)
{
    b->len = 0;
    b->err = ADIT_OK;
}

void adit_buf_free(struct adit_buf *b)
{
    if (b->p) b->mem.resize(b->mem.ctx, b->p, b->cap, 0);
    *b = (struct adit_buf){.mem = b->mem, .max = b->max};
}
