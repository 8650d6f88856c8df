/* The validator memory of `adit serve`: a direct-mapped cache; above its maximum of bytes a clock hand
 * evicts slots in turn. */
#include "batch/serve/serve.h"

#include <stdlib.h>
#include <string.h>

enum { KEY = 64 };

struct slot {
    char key[KEY];
    char *value;
    size_t len;
};
struct memory {
    struct slot *slots;
    size_t n, hand, bytes, bytes_max;
};

struct memory *memory_new(size_t slots, size_t bytes_max)
{
    struct memory *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    *m = (struct memory){
        .slots = calloc(slots, sizeof *m->slots), .n = slots, .bytes_max = bytes_max};
    if (m->slots) return m;
    free(m);
    return NULL;
}

void memory_free(struct memory *m)
{
    for (size_t i = 0; m && i < m->n; i++) free(m->slots[i].value);
    if (m) free(m->slots);
    free(m);
}

static struct slot *slot_of(const struct memory *m, struct adit_str key)
{
    return &m->slots[adit_str_hash(key) % m->n];
}

struct adit_str memory_get(const struct memory *m, struct adit_str key)
{
    const struct slot *s = slot_of(m, key);
    if (key.len != KEY || !s->value || memcmp(s->key, key.p, KEY) != 0) return (struct adit_str){0};
    return adit_str_of(s->value, s->len);
}

static void empty(struct memory *m, struct slot *s)
{
    m->bytes -= s->len;
    free(s->value);
    *s = (struct slot){0};
}

void memory_put(struct memory *m, struct adit_str key, struct adit_str value)
{
    struct slot *s = slot_of(m, key);
    if (key.len != KEY || value.len > m->bytes_max) return;
    if (s->value) empty(m, s);
    while (m->bytes + value.len > m->bytes_max) {
        m->hand = (m->hand + 1) % m->n;
        if (m->slots[m->hand].value) empty(m, &m->slots[m->hand]);
    }
    s->value = malloc(value.len ? value.len : 1);
    if (!s->value) return;
    memcpy(s->key, key.p, KEY);
    memcpy(s->value, value.p, value.len);
    s->len = value.len;
    m->bytes += value.len;
}
