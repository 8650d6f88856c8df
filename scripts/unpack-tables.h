/* The other half of pack-tables.mjs, included by the files that it writes: inflates columns of
 * numbers, and puts them into the tables that they were taken from.
 */
#include <stdint.h>
#include <stdlib.h>

/* How a column's numbers are stored:
 * BYTE        a byte each;
 * DIFFERENCE  zigzag differences to the number of the row above, seven bits a byte, the low ones
 *             first;
 * PLANES      zigzag differences to the last number that is not "none": the lowest bytes of all
 *             rows, then the next, then the highest (two bytes of 2, three of 4). All bits set
 *             stand for "none". */
enum form { BYTE, DIFFERENCE, PLANES };

struct column {
    void *p;
    unsigned n, stride, width; /* rows, bytes from one to the next, bytes of a number */
    enum form form;
    uint32_t none; /* PLANES: a number that often stands between others */
};

extern unsigned long tinfl_decompress_mem_to_mem(void *, unsigned long, const void *, unsigned long,
                                                 int);

static uint32_t unzigzag(uint32_t v) { return (v >> 1) ^ -(v & 1); }

static uint32_t next_difference(const unsigned char **p)
{
    uint32_t v = 0, more = 128;
    for (unsigned shift = 0; more >= 128; shift += 7) {
        more = *(*p)++;
        v |= (more & 127) << shift;
    }
    return unzigzag(v);
}

/* Engines run this once, in code that is compiled in a hurry: the loops are plain. */
static void put_number(void *to, unsigned width, uint32_t v)
{
    if (width == 2)
        *(uint16_t *)to = (uint16_t)v;
    else
        *(uint32_t *)to = v;
}

static const unsigned char *put_planes(const struct column *c, const unsigned char *p)
{
    unsigned n = c->n, planes = c->width == 4 ? 3 : 2;
    const unsigned char *low = p, *middle = p + n, *high = p + (planes - 1) * n;
    uint32_t last = 0, none = (UINT32_C(1) << 8 * planes) - 1;
    char *to = c->p;
    for (unsigned row = 0; row < n; row++, to += c->stride) {
        uint32_t v = low[row] | (uint32_t)middle[row] << 8;
        if (planes == 3) v |= (uint32_t)high[row] << 16;
        if (v == none) {
            put_number(to, c->width, c->none);
        } else {
            last += unzigzag(v);
            put_number(to, c->width, last);
        }
    }
    return p + planes * n;
}

static const unsigned char *put_column(const struct column *c, const unsigned char *p)
{
    uint32_t above = 0;
    char *to = c->p;
    if (c->form == PLANES) return put_planes(c, p);
    for (unsigned row = 0; row < c->n; row++, to += c->stride)
        if (c->form == BYTE)
            *to = (char)*p++;
        else
            put_number(to, c->width, above += next_difference(&p));
    return p;
}

/* Without memory for its tables a module cannot start. */
static void unpack(const unsigned char *packed, size_t packed_len, size_t len,
                   const struct column *c, unsigned n)
{
    unsigned char *all = malloc(len);
    if (!all || tinfl_decompress_mem_to_mem(all, len, packed, packed_len, 0) != len)
        __builtin_trap();
    const unsigned char *next = all;
    for (; n; n--, c++) next = put_column(c, next);
    free(all);
}
