/* Texts that were met: a table of keys in a fixed amount of memory. A key is 16 bytes of the text's
 * SHA-256, so that two texts never share one by chance, and nobody can make two that do. */
#include "batch/extract/extract_impl.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 1 << 12 };

struct seen_key {
    uint64_t a, b; /* both 0: free */
};

struct extract_seen {
    struct seen_key *v;
    size_t n, cap, max; /* cap: a power of two */
    uint64_t forgotten;
};

struct extract_seen *extract_seen_new(size_t memory)
{
    struct extract_seen *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->cap = s->max = FIRST;
    /* While the table is made larger, the one before is there, too: half as large again. */
    while (s->max <= memory / sizeof *s->v / 3) s->max *= 2;
    s->v = calloc(s->cap, sizeof *s->v);
    if (s->v) return s;
    free(s);
    return NULL;
}

void extract_seen_free(struct extract_seen *s)
{
    if (!s) return;
    free(s->v);
    free(s);
}

/* The place of the key, or the free one where it belongs. */
static struct seen_key *place_of(struct seen_key *v, size_t cap, struct seen_key key)
{
    size_t i = (size_t)key.a & (cap - 1);
    while ((v[i].a | v[i].b) && (v[i].a != key.a || v[i].b != key.b)) i = (i + 1) & (cap - 1);
    return &v[i];
}

static bool enlarge(struct extract_seen *s)
{
    if (s->cap >= s->max) return false;
    struct seen_key *v = calloc(2 * s->cap, sizeof *v);
    if (!v) return false;
    for (size_t i = 0; i < s->cap; i++)
        if (s->v[i].a | s->v[i].b) *place_of(v, 2 * s->cap, s->v[i]) = s->v[i];
    free(s->v);
    s->v = v;
    s->cap *= 2;
    return true;
}

bool extract_seen_before(struct extract_seen *s, const uint8_t key[EXTRACT_KEY])
{
    struct seen_key k;
    _Static_assert(sizeof k == EXTRACT_KEY, "all of the key");
    memcpy(&k.a, key, sizeof k.a);
    memcpy(&k.b, key + sizeof k.a, sizeof k.b);
    if (!(k.a | k.b)) k.b = 1;
    struct seen_key *place = place_of(s->v, s->cap, k);
    if (place->a | place->b) return true;
    if (s->n >= s->cap / 4 * 3) { /* searching a fuller table is slow */
        if (!enlarge(s)) {
            s->forgotten++;
            return false;
        }
        place = place_of(s->v, s->cap, k);
    }
    *place = k;
    s->n++;
    return false;
}

uint64_t extract_seen_forgotten(const struct extract_seen *s) { return s->forgotten; }
