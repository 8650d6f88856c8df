/* The other half of pack-tables.mjs, included by the files that it writes: inflates columns of
 * numbers, and puts them into the tables that they were taken from.
 */
#include <stdint.h>
#include <stdlib.h>

/* How a column's numbers are stored: a byte each; or seven bits a byte, the low ones first, as the
 * zigzag difference to the number of the row above (DIFFERENCE), or as the distance from the row's
 * own index (FROM_ROW; 0 stays 0). */
enum form { BYTE, DIFFERENCE, FROM_ROW };

struct column {
    void *p;
    unsigned n, stride, width; /* rows, bytes from one to the next, bytes of a number */
    enum form form;
};

extern unsigned long tinfl_decompress_mem_to_mem(void *, unsigned long, const void *, unsigned long,
                                                 int);

static uint32_t next_number(const unsigned char **p, enum form form)
{
    uint32_t v = *(*p)++;
    if (form == BYTE || v < 128) return v;
    v &= 127;
    for (unsigned shift = 7;; shift += 7) {
        uint32_t more = *(*p)++;
        v |= (more & 127) << shift;
        if (more < 128) return v;
    }
}

/* Without memory for its tables a module cannot start. */
static void unpack(const unsigned char *packed, size_t packed_len, size_t len,
                   const struct column *c, unsigned n)
{
    unsigned char *all = malloc(len);
    if (!all || tinfl_decompress_mem_to_mem(all, len, packed, packed_len, 0) != len)
        __builtin_trap();
    const unsigned char *next = all;
    for (; n; n--, c++) {
        uint32_t above = 0;
        for (unsigned row = 0; row < c->n; row++) {
            uint32_t v = next_number(&next, c->form);
            if (c->form == DIFFERENCE) v = above += (v >> 1) ^ -(v & 1);
            if (c->form == FROM_ROW && v) v += row;
            unsigned char *to = (unsigned char *)c->p + row * c->stride;
            for (unsigned i = 0; i < c->width; i++) to[i] = (unsigned char)(v >> (8 * i));
        }
    }
    free(all);
}
