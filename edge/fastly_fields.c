/* Header fields of Fastly's requests and responses: read as the exchange has them, edited as it says. */
#include "edge/fastly_impl.h"

enum { NAMES_ROOM = 64 << 10, VALUES_ROOM = 128 << 10 }; /* the platform has less in a message */

/* The same calls for both. */
static const struct {
    uint32_t (*names)(uint32_t, char *, size_t, uint32_t, int64_t *, size_t *);
    uint32_t (*values)(uint32_t, const char *, size_t, char *, size_t, uint32_t, int64_t *,
                       size_t *);
    uint32_t (*insert)(uint32_t, const char *, size_t, const char *, size_t);
    uint32_t (*append)(uint32_t, const char *, size_t, const char *, size_t);
    uint32_t (*remove)(uint32_t, const char *, size_t);
} calls[SIDES] = {
    [REQUEST] = {fastly_http_req_header_names_get, fastly_http_req_header_values_get,
                 fastly_http_req_header_insert, fastly_http_req_header_append,
                 fastly_http_req_header_remove},
    [RESPONSE] = {fastly_http_resp_header_names_get, fastly_http_resp_header_values_get,
                  fastly_http_resp_header_insert, fastly_http_resp_header_append,
                  fastly_http_resp_header_remove},
};

static bool add_field(struct fields *f, struct adit_str name, struct adit_str value,
                      struct adit_arena *arena)
{
    bool ok = true;
    if (f->n > ADIT_HEADERS_MAX) return true; /* the exchange refuses that many */
    f->v[f->n++] = (struct adit_header){name, adit_arena_dup(arena, value, &ok)};
    return ok;
}

/* Takes the next cursor: false, and *more says whether there is one, when the host's word is odd. */
static bool advance(uint32_t status, size_t len, size_t room, int64_t next, uint32_t *cursor,
                    bool *more)
{
    *more = next != FASTLY_CURSOR_END;
    if (status != FASTLY_OK || len > room) return false;
    if (!*more) return true;
    if (next <= *cursor || next > UINT32_MAX) return false;
    *cursor = (uint32_t)next;
    return true;
}

static bool read_values(struct fields *f, enum side side, uint32_t handle, struct adit_str name,
                        struct adit_arena *arena)
{
    static char space[VALUES_ROOM];
    uint32_t cursor = 0;
    for (bool more = true; more;) {
        int64_t next = FASTLY_CURSOR_END;
        size_t len = 0;
        uint32_t status =
            calls[side].values(handle, name.p, name.len, space, sizeof space, cursor, &next, &len);
        if (!advance(status, len, sizeof space, next, &cursor, &more)) return false;
        struct adit_str rest = adit_str_of(space, len), value;
        while (rest.len && adit_str_split(&rest, '\0', &value))
            if (!add_field(f, name, value, arena)) return false;
    }
    return true;
}

bool fields_read(struct fields *f, enum side side, uint32_t handle, struct adit_arena *arena)
{
    static char space[NAMES_ROOM];
    uint32_t cursor = 0;
    bool ok = true;
    *f = (struct fields){.v = adit_arena_zalloc(arena, ADIT_HEADERS_MAX + 1, sizeof *f->v)};
    if (!f->v) return false;
    for (bool more = true; more;) {
        int64_t next = FASTLY_CURSOR_END;
        size_t len = 0;
        uint32_t status = calls[side].names(handle, space, sizeof space, cursor, &next, &len);
        if (!advance(status, len, sizeof space, next, &cursor, &more)) return false;
        struct adit_str rest = adit_str_of(space, len), name;
        while (rest.len && adit_str_split(&rest, '\0', &name)) {
            struct adit_str kept = adit_arena_dup(arena, name, &ok);
            if (!ok || !read_values(f, side, handle, kept, arena)) return false;
        }
    }
    return true;
}

bool fields_set(enum side side, uint32_t handle, struct adit_str name, struct adit_str value)
{
    return calls[side].insert(handle, name.p, name.len, value.p, value.len) == FASTLY_OK;
}

static bool edit_one(enum side side, uint32_t handle, const struct adit_edit *e)
{
    struct adit_str name = e->name, v = e->value;
    switch (e->op) {
    case ADIT_EDIT_SET: return fields_set(side, handle, name, v);
    case ADIT_EDIT_ADD:
        return calls[side].append(handle, name.p, name.len, v.p, v.len) == FASTLY_OK;
    case ADIT_EDIT_REMOVE: {
        uint32_t status = calls[side].remove(handle, name.p, name.len);
        return status == FASTLY_OK || status == FASTLY_INVAL; /* INVAL: there was no such field */
    }
    default: return true;
    }
}

bool fields_edit(enum side side, uint32_t handle, const struct adit_edits *edits)
{
    bool ok = true;
    for (size_t i = 0; i < edits->n; i++) ok &= edit_one(side, handle, &edits->v[i]);
    return ok;
}

bool fields_add(enum side side, uint32_t handle, const struct adit_headers *h)
{
    bool ok = true;
    for (size_t i = 0; i < h->n; i++)
        ok &= calls[side].append(handle, h->v[i].name.p, h->v[i].name.len, h->v[i].value.p,
                                 h->v[i].value.len) == FASTLY_OK;
    return ok;
}
