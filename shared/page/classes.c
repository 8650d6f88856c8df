/* The cache of class values. */
#include "page/classes.h"

#include "page/features.h"
#include "page/meta_parts.h"

#include <string.h>

enum { PROBES = 4 };

struct adit_classes *adit_classes_new(struct adit_arena *arena)
{
    struct adit_classes *c = adit_arena_zalloc(arena, 1, sizeof *c);
    if (!c) return NULL;
    c->none.scored = true;
    adit_classwords_init(&c->words);
    return c;
}

static uint32_t class_hash(struct adit_str value)
{
    uint32_t h = 5381;
    for (size_t i = 0; i < value.len; i++)
        if (!adit_is_digit(value.p[i])) h = h * 33 + (unsigned char)value.p[i];
    return h ^ (h >> 15);
}

/* Where to look for a value: by its length and its first and last bytes. It decides what is found
 * in the cache, never what is said. */
static size_t cache_slot(struct adit_str value)
{
    uint64_t first = 0, last = 0;
    size_t n = value.len < 8 ? value.len : 8;
    memcpy(&first, value.p, n);
    memcpy(&last, value.p + value.len - n, n);
    return (size_t)(adit_mix(adit_mix(first, last), value.len) >> 40);
}

struct adit_class *adit_class_find(struct adit_classes *c, struct adit_str value)
{
    if (!value.len) return &c->none;
    size_t slot = cache_slot(value);
    struct adit_class *x = &c->cache[slot % ADIT_CLASSES];
    for (size_t k = 1; k < PROBES && x->value.p; k++) {
        if (adit_str_eq(x->value, value)) return x;
        x = &c->cache[(slot + k) % ADIT_CLASSES];
    }
    if (x->value.p && adit_str_eq(x->value, value)) return x;
    *x = (struct adit_class){.value = value, .hints = adit_meta_hints(value)};
    return x;
}

const struct adit_class *adit_class_score(struct adit_classes *c, struct adit_class *class)
{
    if (class->scored) return class;
    class->hash = class_hash(class->value);
    class->categories = adit_classwords_match(&c->words, class->value);
    class->scored = true;
    return class;
}
