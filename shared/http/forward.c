/* What an intermediary must not hand on (RFC 9110, 7.6.1), and what it adds. */
#include "http/http.h"

#include <string.h>

bool adit_is_hop_by_hop(struct adit_str name)
{
    static const char *const names[] = {"connection",
                                        "keep-alive",
                                        "proxy-authenticate",
                                        "proxy-authorization",
                                        "proxy-connection",
                                        "te",
                                        "trailer",
                                        "transfer-encoding",
                                        "upgrade"};
    for (size_t i = 0; i < ADIT_COUNT(names); i++)
        if (adit_str_ieq(name, adit_str_z(names[i]))) return true;
    return false;
}

bool adit_is_of_connection(const struct adit_header *v, size_t n, struct adit_str name)
{
    if (adit_is_hop_by_hop(name)) return true;
    for (size_t i = 0; i < n; i++)
        if (adit_str_ieq(v[i].name, ADIT_STR("connection")) &&
            adit_list_has(v[i].value, name, NULL))
            return true;
    return false;
}

const char *const adit_trace_names[ADIT_TRACES] = {
    [ADIT_TRACE_CLIENT] = ADIT_FIELD_CLIENT,
    [ADIT_TRACE_VIA] = ADIT_FIELD_VIA,
    [ADIT_TRACE_LOOP] = ADIT_FIELD_LOOP,
};

bool adit_is_trace(struct adit_str name)
{
    for (size_t i = 0; i < ADIT_TRACES; i++)
        if (adit_str_ieq(name, adit_str_z(adit_trace_names[i]))) return true;
    return false;
}

struct adit_str adit_trace_extend(enum adit_trace which, struct adit_str list,
                                  struct adit_str client, struct adit_arena *arena, bool *cut)
{
    const struct adit_str elements[ADIT_TRACES] = {
        [ADIT_TRACE_CLIENT] = client,
        [ADIT_TRACE_VIA] = ADIT_STR("1.1 adit"),
        [ADIT_TRACE_LOOP] = ADIT_STR("adit"),
    };
    struct adit_str element = elements[which];
    if (!list.len || !element.len) return list.len ? list : element;
    size_t len = list.len + 2 + element.len;
    char *p = len <= ADIT_LIMIT_header_value ? adit_arena_alloc(arena, len) : NULL;
    if (!p) {
        if (cut) *cut = true;
        return element;
    }
    memcpy(p, list.p, list.len);
    p[list.len] = ',', p[list.len + 1] = ' ';
    memcpy(p + list.len + 2, element.p, element.len);
    return adit_str_of(p, len);
}

unsigned adit_trace_hops(struct adit_str cdn_loop)
{
    unsigned n = 0;
    struct adit_str element;
    while (adit_list_next(&cdn_loop, &element)) n += adit_list_has(element, ADIT_STR("adit"), NULL);
    return n;
}
