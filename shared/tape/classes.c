/* The cache of class values. */
#include "tape/tape.h"

#include "text/text.h"

#include <string.h>

enum { PROBES = 4 };

void adit_classes_init(struct adit_classes *c)
{
    *c = (struct adit_classes){.none = {.scored = true}};
    adit_classwords_init(&c->words);
}

/* The pages of a site have their classes in common, so values outlive their page; not when so many
 * were put in that those of the next page would drive each other out. */
void adit_classes_reset(struct adit_classes *c)
{
    if (c->n <= ADIT_CLASSES / 2 && !c->passing) return;
    memset(c->cache, 0, sizeof c->cache);
    c->n = c->text_len = 0;
    c->passing = false;
}

static struct adit_str remember(struct adit_classes *c, struct adit_str value)
{
    c->n++;
    if (value.len > sizeof c->text - c->text_len) {
        c->passing = true;
        return value;
    }
    char *own = memcpy(c->text + c->text_len, value.p, value.len);
    c->text_len += value.len;
    return adit_str_of(own, value.len);
}

static bool has_digit(uint64_t w)
{
    uint64_t low = w & ADIT_SWAR_ALL(0x7F);
    uint64_t digits = (low + ADIT_SWAR_ALL(0x80 - '0')) & ~(low + ADIT_SWAR_ALL(0x7F - '9'));
    return digits & ~w & ADIT_SWAR_ALL(0x80);
}

/* Bytes that wait until they are eight. */
struct part {
    uint64_t h, bytes;
    unsigned n;
};

/* Adds the first len bytes of w, at most 8; those behind them are 0. */
static inline void add_bytes(struct part *p, uint64_t w, unsigned len)
{
    p->bytes |= w << 8 * p->n;
    if (p->n + len >= 8) {
        p->h = adit_mix(p->h, p->bytes);
        p->bytes = p->n ? w >> (64 - 8 * p->n) : 0;
    }
    p->n = (p->n + len) % 8;
}

/* The value without its digits, eight bytes at a time. */
static uint32_t class_hash(struct adit_str value)
{
    struct part p = {0};
    for (size_t i = 0; i < value.len; i += 8) {
        unsigned len = value.len - i < 8 ? (unsigned)(value.len - i) : 8;
        uint64_t w = len < 8 ? adit_swar_tail(value.p + i, len) : adit_swar_load(value.p + i);
        if (!has_digit(w)) {
            add_bytes(&p, w, len);
            continue;
        }
        for (; len; len--, w >>= 8)
            if (!adit_is_digit((char)w)) add_bytes(&p, w & 0xFF, 1);
    }
    return (uint32_t)(adit_mix(adit_mix(p.h, p.bytes), p.n) >> 32);
}

static uint32_t load4(const char *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Cache index of a value, by its length and its first and last bytes: a collision costs time, not
 * correctness. */
static size_t cache_slot(struct adit_str v)
{
    const char *p = v.p;
    size_t len = v.len;
    uint64_t first, last;
    if (len >= 8)
        first = adit_swar_load(p), last = adit_swar_load(p + len - 8);
    else if (len >= 4)
        first = load4(p), last = load4(p + len - 4);
    else
        first = (unsigned char)p[0], last = (unsigned char)p[len - 1];
    return (size_t)(adit_mix(adit_mix(first, last), len) >> 40);
}

/* Without a call: most values are short, and most are known. */
static bool is_same(const struct adit_class *x, struct adit_str value)
{
    const char *a = x->value.p, *b = value.p;
    size_t len = value.len, i = 0;
    if (x->value.len != len) return false;
    if (len < 8) return adit_swar_tail(a, len) == adit_swar_tail(b, len);
    for (; i + 8 < len; i += 8)
        if (adit_swar_load(a + i) != adit_swar_load(b + i)) return false;
    return adit_swar_load(a + len - 8) == adit_swar_load(b + len - 8);
}

/* Where a value of some bytes is, or is to be put. */
static struct adit_class *look_up(struct adit_classes *c, struct adit_str value, bool *known)
{
    size_t slot = cache_slot(value);
    struct adit_class *x = &c->cache[slot % ADIT_CLASSES];
    *known = true;
    for (size_t k = 1; k < PROBES && x->value.p; k++) {
        if (is_same(x, value)) return x;
        x = &c->cache[(slot + k) % ADIT_CLASSES];
    }
    *known = x->value.p && is_same(x, value);
    return x;
}

struct adit_class *adit_class_find(struct adit_classes *c, struct adit_str value)
{
    bool known;
    if (!value.len) return &c->none;
    struct adit_class *x = look_up(c, value, &known);
    if (!known)
        *x = (struct adit_class){.value = remember(c, value), .hints = adit_class_hints(value)};
    return x;
}

struct adit_class *adit_class_of(struct adit_classes *c, const struct adit_dom *d, uint32_t attr)
{
    if (!attr) return &c->none;
    struct adit_str written = adit_attr_written(d, attr);
    if (written.len) {
        bool known;
        struct adit_class *x = look_up(c, written, &known);
        if (known && x->written) return x;
    }
    struct adit_str value = adit_attr_value(d, attr);
    struct adit_class *x = adit_class_find(c, value);
    x->written |= value.p == written.p;
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
