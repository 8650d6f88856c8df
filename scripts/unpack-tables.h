/* The other half of pack-tables.mjs, included by what it writes: reads columns of numbers from an
 * arithmetic coder. A number is a flag "not zero", its count of bits, and the bits below the top
 * one; each decision has a probability of its own, which learns. It depends on the count of bits of
 * the number above and of one in the same row. Every column learns anew; only differences go on
 * with what the column before has learned.
 */
#include <stdint.h>
#include <stdlib.h>

enum { SIZES = 32, LEARNED_BITS = 7 }; /* bits further down are as good as random */

enum form { PLAIN, DIFFERENCE, FROM_ROW }; /* FROM_ROW: minus the number of its row, but 0 stays */

struct column {
    void *p;
    unsigned n, stride, width; /* rows, bytes from one to the next, bytes of a number */
    enum form form;
    int beside; /* an earlier column, not of DIFFERENCE, or -1 */
};

struct probability {
    uint16_t fast, slow;
};

struct model {
    struct probability any[SIZES][SIZES], size[SIZES][SIZES][SIZES], bits[SIZES][1 << LEARNED_BITS];
};

static const unsigned char *packed;
static uint32_t range, code;

static void normalise(void)
{
    while (range < 1u << 24) range <<= 8, code = code << 8 | *packed++;
}

static unsigned decide(struct probability *p)
{
    uint32_t bound = (range >> 16) * (((uint32_t)p->fast + p->slow) >> 1);
    unsigned yes = code < bound;
    if (yes) {
        range = bound;
        p->fast = (uint16_t)(p->fast + ((65535 - p->fast) >> 4));
        p->slow = (uint16_t)(p->slow + ((65535 - p->slow) >> 6));
    } else {
        range -= bound, code -= bound;
        p->fast = (uint16_t)(p->fast - (p->fast >> 4));
        p->slow = (uint16_t)(p->slow - (p->slow >> 6));
    }
    normalise();
    return yes;
}

static unsigned even_bit(void)
{
    range >>= 1;
    unsigned yes = code < range;
    if (!yes) code -= range;
    normalise();
    return yes;
}

static unsigned size_of(uint32_t v) { return v ? 32u - (unsigned)__builtin_clz(v) : 0; }

static uint32_t number(struct model *m, unsigned above, unsigned beside)
{
    unsigned size = 1, node = 1;
    if (!decide(&m->any[beside][above])) return 0;
    while (size < SIZES) size = 2 * size + decide(&m->size[beside][above][size]);
    size -= SIZES;
    uint32_t v = 1;
    for (unsigned i = 1; i < size; i++) {
        unsigned bit = i <= LEARNED_BITS ? decide(&m->bits[size][node]) : even_bit();
        node = 2 * node + bit;
        v = 2 * v + bit;
    }
    return v;
}

static uint32_t cell(const struct column *c, unsigned row)
{
    const unsigned char *p = (const unsigned char *)c->p + row * c->stride;
    uint32_t v = 0;
    for (unsigned i = c->width; i-- > 0;) v = v << 8 | p[i];
    return c->form == FROM_ROW && v ? v - row : v;
}

static void unpack_column(struct model *m, const struct column *all, const struct column *c)
{
    uint32_t sum = 0;
    unsigned above = 0;
    for (unsigned row = 0; row < c->n; row++) {
        uint32_t v = number(m, above, c->beside < 0 ? 0 : size_of(cell(&all[c->beside], row)));
        unsigned char *p = (unsigned char *)c->p + row * c->stride;
        above = size_of(v);
        if (c->form == DIFFERENCE) v = sum += (v >> 1) ^ -(v & 1);
        if (c->form == FROM_ROW && v) v += row;
        for (unsigned i = 0; i < c->width; i++) p[i] = (unsigned char)(v >> (8 * i));
    }
}

/* Without memory for it the module cannot start. */
static void unpack(const unsigned char *bytes, const struct column *columns, unsigned n)
{
    struct model *m = malloc(sizeof *m);
    if (!m) __builtin_trap();
    packed = bytes, range = 0xffffffff, code = 0;
    for (int i = 0; i < 4; i++) code = code << 8 | *packed++;
    for (unsigned k = 0; k < n; k++) {
        for (unsigned i = 0; i < sizeof *m / 2 && (k == 0 || columns[k].form != DIFFERENCE); i++)
            ((uint16_t *)m)[i] = 0x8000;
        unpack_column(m, columns, &columns[k]);
    }
    free(m);
}
