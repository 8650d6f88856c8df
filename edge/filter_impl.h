/* What the files of the proxy-wasm filter share: filter.c (exports, states, driving an exchange),
 * headers.c (header maps), metrics.c (counters). */
#ifndef ADIT_EDGE_FILTER_IMPL_H
#define ADIT_EDGE_FILTER_IMPL_H

#include "edge/proxy_wasm.h"
#include "exchange/exchange.h"

/* --- headers ---------------------------------------------------------------------------------- */

/* Fields of a map, as slices of one block of the host's; free with fields_free. */
struct fields {
    uint8_t *block;
    struct adit_header *v;
    size_t n;
};

/* False: the host did not give all fields, or there was no memory. Free f in either case. */
bool fields_read(struct fields *f, enum pw_map map);
void fields_free(struct fields *f);

/* The value of the field, of a pseudo field too; empty if there is none. */
struct adit_str fields_get(const struct fields *f, struct adit_str name);

/* These four say whether the host did all of it. fields_clear removes all but pseudo fields. */
bool fields_edit(enum pw_map map, const struct adit_edits *edits);
bool fields_clear(enum pw_map map);
bool fields_add(enum pw_map map, const struct adit_headers *h);
bool fields_set(enum pw_map map, struct adit_str name, struct adit_str value);

/* Fields as pairs in the ABI's form, the extra ones first; to be freed. NULL without memory. */
uint8_t *pairs_encode(const struct adit_headers *headers, const struct pw_pair *extra,
                      size_t n_extra, size_t *len);

/* --- metrics ---------------------------------------------------------------------------------- */

/* Tells the host the names of all counters. */
void metrics_define(void);

/* Adds to the host's counters what the edge counted since the last time. */
void metrics_publish(const struct adit_edge *edge);

#endif
