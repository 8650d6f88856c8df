/* Header maps of the proxy-wasm host: read as the exchange has fields, edited as it says, and fields
 * in the form in which the ABI takes pairs. */
#include "edge/filter_impl.h"

#include <stdlib.h>

void fields_free(struct fields *f)
{
    free(f->block);
    free(f->v);
    *f = (struct fields){0};
}

bool fields_read(struct fields *f, enum pw_map map)
{
    size_t len = 0;
    struct pw_pairs_reader r;
    struct pw_pair pair;
    *f = (struct fields){0};
    if (proxy_get_header_map_pairs(map, &f->block, &len) != PW_OK) return false;
    if (!pw_pairs_open(&r, f->block, len)) return false;
    f->v = malloc((r.n + 1) * sizeof *f->v);
    if (!f->v) return false;
    while (pw_pairs_next(&r, &pair))
        f->v[f->n++] = (struct adit_header){adit_str_of(pair.key.p, pair.key.len),
                                            adit_str_of(pair.value.p, pair.value.len)};
    return f->n == r.n;
}

struct adit_str fields_get(const struct fields *f, struct adit_str name)
{
    return adit_header_get(f->v, f->n, name);
}

static bool edit_one(enum pw_map map, const struct adit_edit *e)
{
    struct adit_str name = e->op == ADIT_EDIT_PATH ? ADIT_STR(":path") : e->name, v = e->value;
    enum pw_status status;
    if (e->op == ADIT_EDIT_REMOVE)
        status = proxy_remove_header_map_value(map, name.p, name.len);
    else if (e->op == ADIT_EDIT_ADD)
        status = proxy_add_header_map_value(map, name.p, name.len, v.p, v.len);
    else
        status = proxy_replace_header_map_value(map, name.p, name.len, v.p, v.len);
    return status == PW_OK;
}

bool fields_edit(enum pw_map map, const struct adit_edits *edits)
{
    bool ok = true;
    for (size_t i = 0; i < edits->n; i++) ok &= edit_one(map, &edits->v[i]);
    return ok;
}

bool fields_clear(enum pw_map map)
{
    struct fields had;
    bool ok = fields_read(&had, map);
    for (size_t i = 0; ok && i < had.n; i++)
        if (had.v[i].name.len && had.v[i].name.p[0] != ':')
            ok = proxy_remove_header_map_value(map, had.v[i].name.p, had.v[i].name.len) == PW_OK;
    fields_free(&had);
    return ok;
}

bool fields_add(enum pw_map map, const struct adit_headers *h)
{
    bool ok = true;
    for (size_t i = 0; i < h->n; i++)
        ok &= proxy_add_header_map_value(map, h->v[i].name.p, h->v[i].name.len, h->v[i].value.p,
                                         h->v[i].value.len) == PW_OK;
    return ok;
}

bool fields_set(enum pw_map map, struct adit_str name, struct adit_str value)
{
    return proxy_replace_header_map_value(map, name.p, name.len, value.p, value.len) == PW_OK;
}

uint8_t *pairs_encode(const struct adit_headers *headers, const struct pw_pair *extra,
                      size_t n_extra, size_t *len)
{
    size_t n = n_extra + headers->n;
    struct pw_pair *pairs = malloc((n + 1) * sizeof *pairs);
    uint8_t *out = NULL;
    if (!pairs) return NULL;
    for (size_t i = 0; i < n_extra; i++) pairs[i] = extra[i];
    for (size_t i = 0; i < headers->n; i++) {
        const struct adit_header *h = &headers->v[i];
        pairs[n_extra + i] = (struct pw_pair){{h->name.p, h->name.len}, {h->value.p, h->value.len}};
    }
    *len = pw_pairs_len(pairs, n);
    out = malloc(*len);
    if (out) pw_pairs_write(out, pairs, n);
    free(pairs);
    return out;
}
