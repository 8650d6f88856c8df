/* The names of character references, as pack-tables.mjs stores them (sorted, each as what it does not
 * share with the one before it), made into lexbor's form: a ternary search tree in one array, root at
 * 1, 0 is "none". Included by the file that pack-tables.mjs writes, behind unpack-tables.h.
 */
#include "lexbor/core/sbst.h"

#include <string.h>

enum { NAME_MAX_LEN = 40 };

struct reference {
    uint32_t first;  /* code points that it means */
    uint16_t second; /* 0: none */
    uint8_t shared;  /* bytes of its name that stand in the one before it */
};

static void put_utf8(lexbor_sbst_entry_static_t *e, uint32_t cp)
{
    unsigned char *to = (unsigned char *)e->value + e->value_len;
    unsigned n = cp < 0x80 ? 0 : cp < 0x800 ? 1 : cp < 0x10000 ? 2 : 3; /* bytes that follow */
    static const unsigned char leads[] = {0, 0xC0, 0xE0, 0xF0};
    to[0] = (unsigned char)(leads[n] | cp >> 6 * n);
    for (unsigned i = 1; i <= n; i++) to[i] = (unsigned char)(0x80 | (cp >> 6 * (n - i) & 0x3F));
    e->value_len = (unsigned char)(e->value_len + n + 1);
}

/* Adds a name; entries up to *n are in use. */
static void add_reference(lexbor_sbst_entry_static_t *table, unsigned *n, const char *name,
                          const struct reference *r)
{
    unsigned short root = *n ? 1 : 0, *link = &root;
    lexbor_sbst_entry_static_t *e = table;
    for (; *name; name++, link = &e->next) {
        unsigned char c = (unsigned char)*name;
        while (*link && table[*link].key != c)
            link = c > table[*link].key ? &table[*link].right : &table[*link].left;
        if (!*link) table[ *link = (unsigned short)++*n].key = c;
        e = &table[*link];
    }
    put_utf8(e, r->first);
    if (r->second) put_utf8(e, r->second);
}

/* Names in the middle come first, so that no branch becomes a list. */
static void build_references(lexbor_sbst_entry_static_t *table, const struct reference *all,
                             unsigned n, const char *rests)
{
    char(*names)[NAME_MAX_LEN] = malloc(n * NAME_MAX_LEN);
    unsigned used = 0, first = 1;
    if (!names) __builtin_trap();
    for (unsigned i = 0; i < n; i++) {
        if (i) memcpy(names[i], names[i - 1], all[i].shared);
        size_t len = strlen(rests) + 1;
        memcpy(names[i] + all[i].shared, rests, len);
        rests += len;
    }
    while (first < n) first *= 2;
    for (unsigned step = first; step; step /= 2)
        for (unsigned i = step - 1; i < n; i += 2 * step)
            add_reference(table, &used, names[i], &all[i]);
    free(names);
}
