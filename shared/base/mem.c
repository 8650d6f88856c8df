/* Arenas and buffers: memory that is born with a maximum. */
#include "base/base.h"

#include <string.h>

enum { ALIGN = 16, CHUNK_MIN = 2 << 10, CHUNK_MAX = 1 << 20 };
enum { BUF_MIN = 64 };
/* Allocations of at least so many bytes get a host block of their own, not a part of a chunk. */
enum { LARGE = 128 << 10 };
/* Bytes of chunks, and of large blocks, that stay for the next page: hosts give such memory back to
 * the system and take it again, which costs time. One huge page must not hold its memory for ever.
 */
enum { KEEP_MAX = 4 << 20, MUCH = 6 << 20 };

struct adit_arena_chunk {
    struct adit_arena_chunk *next;
    size_t cap, used; /* bytes of payload behind this header */
};

struct adit_arena_block {
    struct adit_arena_block *newer, *older;
    size_t cap; /* bytes of payload behind this header */
};

static size_t round_up(size_t n) { return (n + (ALIGN - 1)) & ~(size_t)(ALIGN - 1); }

static size_t header_len(void) { return round_up(sizeof(struct adit_arena_chunk)); }
_Static_assert(sizeof(struct adit_arena_chunk) == sizeof(struct adit_arena_block), "one header");

void adit_arena_init(struct adit_arena *a, struct adit_mem mem, size_t max)
{
    *a = (struct adit_arena){.mem = mem, .max = max};
}

/* --- large blocks ----------------------------------------------------------------------------- */

static void link_block(struct adit_arena *a, struct adit_arena_block *b)
{
    if (b->newer)
        b->newer->older = b;
    else
        a->large = b;
    if (b->older) b->older->newer = b;
}

static void free_block(struct adit_arena *a, struct adit_arena_block *b)
{
    a->mem.resize(a->mem.ctx, b, header_len() + b->cap, 0);
}

/* A kept block that fits, without too much room to spare. */
static struct adit_arena_block *take_kept(struct adit_arena *a, size_t len)
{
    for (struct adit_arena_block **at = &a->kept; *at; at = &(*at)->older) {
        struct adit_arena_block *b = *at;
        if (b->cap < len || b->cap / 2 > len) continue;
        *at = b->older;
        a->kept_len -= b->cap;
        return b;
    }
    return NULL;
}

static void *alloc_large(struct adit_arena *a, size_t len)
{
    struct adit_arena_block *b = take_kept(a, len);
    if (!b) {
        b = a->mem.resize(a->mem.ctx, NULL, 0, header_len() + len);
        if (!b) return NULL;
        b->cap = len;
    }
    b->newer = NULL, b->older = a->large;
    link_block(a, b);
    a->used += len;
    return (char *)b + header_len();
}

static void *resize_large(struct adit_arena *a, void *p, size_t old_len, size_t new_len)
{
    struct adit_arena_block *b = (struct adit_arena_block *)(void *)((char *)p - header_len());
    if (new_len > b->cap || new_len < b->cap / 8 * 7) {
        struct adit_arena_block *made =
            a->mem.resize(a->mem.ctx, b, header_len() + b->cap, header_len() + new_len);
        if (!made) return NULL;
        b = made;
        b->cap = new_len;
        link_block(a, b);
    }
    a->used += new_len - old_len;
    return (char *)b + header_len();
}

/* Blocks newer than `last` go: to the kept ones, or back to the host, as all do of a page that has
 * too much memory already. */
static void drop_large(struct adit_arena *a, const struct adit_arena_block *last)
{
    while (a->large != last) {
        struct adit_arena_block *b = a->large;
        a->large = b->older;
        if (a->used > MUCH || a->kept_len + b->cap > KEEP_MAX) {
            free_block(a, b);
            continue;
        }
        b->older = a->kept;
        a->kept = b;
        a->kept_len += b->cap;
    }
    if (a->large) a->large->newer = NULL;
}

void adit_arena_drop(struct adit_arena *a, void *p, size_t len)
{
    if (len < LARGE) return;
    struct adit_arena_block *b = (struct adit_arena_block *)(void *)((char *)p - header_len());
    if (b->newer)
        b->newer->older = b->older;
    else
        a->large = b->older;
    if (b->older) b->older->newer = b->newer;
    a->used -= len;
    free_block(a, b);
}

/* --- chunks ----------------------------------------------------------------------------------- */

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
    if (len >= LARGE) return alloc_large(a, len);
    size_t need = round_up(len);
    struct adit_arena_chunk *c = a->cur;
    if (!c || c->cap - c->used < need) c = next_chunk(a, need);
    if (!c) return NULL;
    void *p = (char *)c + header_len() + c->used;
    c->used += need;
    a->used += len;
    return p;
}

void *adit_arena_resize(struct adit_arena *a, void *p, size_t old_len, size_t new_len)
{
    if (new_len > old_len && a->max - a->used < new_len - old_len) return NULL;
    if (old_len >= LARGE && new_len >= LARGE) return resize_large(a, p, old_len, new_len);
    if (new_len <= old_len) return p;
    void *made = adit_arena_alloc(a, new_len);
    if (made && old_len) memcpy(made, p, old_len);
    return made;
}

void *adit_arena_zalloc(struct adit_arena *a, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / 2 / size) return NULL;
    void *p = adit_arena_alloc(a, n * size);
    return p ? memset(p, 0, n * size) : NULL;
}

void *adit_arena_grow(struct adit_arena *a, void *v, size_t n, size_t *cap, size_t size)
{
    size_t more = *cap ? 2 * *cap : 16;
    if (n < *cap) return v;
    if (more > SIZE_MAX / 2 / size) return NULL;
    void *made = adit_arena_alloc(a, more * size);
    if (!made) return NULL;
    if (n) memcpy(made, v, n * size);
    *cap = more;
    return made;
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

struct adit_arena_mark adit_arena_mark(const struct adit_arena *a)
{
    return (struct adit_arena_mark){a->cur, a->large, a->cur ? a->cur->used : 0, a->used};
}

void adit_arena_release(struct adit_arena *a, struct adit_arena_mark mark)
{
    drop_large(a, mark.large);
    a->used = mark.used;
    a->cur = mark.cur;
    if (a->cur) a->cur->used = mark.chunk_used;
}

/* Chunks keep their bytes when they are released, and s moves only towards the mark; large blocks
 * go back to the host, so with one of those nothing is released. */
struct adit_str adit_arena_release_but(struct adit_arena *a, struct adit_arena_mark mark,
                                       struct adit_str s)
{
    if (a->large != mark.large || !s.len) return s;
    adit_arena_release(a, mark);
    char *p = adit_arena_alloc(a, s.len);
    return p ? adit_str_of(memmove(p, s.p, s.len), s.len) : (struct adit_str){0};
}

static void free_chunks(struct adit_arena *a, struct adit_arena_chunk *c)
{
    for (struct adit_arena_chunk *next; c; c = next) {
        next = c->next;
        a->mem.resize(a->mem.ctx, c, header_len() + c->cap, 0);
    }
}

void adit_arena_reset(struct adit_arena *a)
{
    adit_arena_release(a, (struct adit_arena_mark){0});
    size_t len = 0;
    for (struct adit_arena_chunk *c = a->first; c; c = c->next) {
        len += c->cap;
        if (len < KEEP_MAX) continue;
        free_chunks(a, c->next);
        c->next = NULL;
    }
}

void adit_arena_free(struct adit_arena *a)
{
    drop_large(a, NULL);
    for (struct adit_arena_block *b = a->kept, *older; b; b = older) {
        older = b->older;
        free_block(a, b);
    }
    free_chunks(a, a->first);
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
    /* Doubled by small additions; a large one is told at once, and little follows it. */
    if (cap < need) cap = need < SIZE_MAX / 2 && cap * 2 > need ? cap * 2 : need + need / 16;
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

void adit_buf_percent(struct adit_buf *b, char c)
{
    static const char digits[] = "0123456789ABCDEF";
    adit_buf_byte(b, '%');
    adit_buf_byte(b, digits[(unsigned char)c >> 4]);
    adit_buf_byte(b, digits[(unsigned char)c & 15]);
}

void adit_buf_escape(struct adit_buf *b, struct adit_str s, const char *plain)
{
    for (size_t i = 0; i < s.len; i++) {
        if (adit_is_alnum(s.p[i]) || (s.p[i] && strchr(plain, s.p[i])))
            adit_buf_byte(b, s.p[i]);
        else
            adit_buf_percent(b, s.p[i]);
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
