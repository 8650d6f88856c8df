/* The records of the sort: what captures say, one record each. */
#include "batch/pack/pack_impl.h"

#include <string.h>

struct pack_capture_view pack_capture_view(struct adit_str record)
{
    struct pack_capture_view v;
    memcpy(&v.head, record.p, sizeof v.head);
    size_t at = sizeof v.head;
    v.url = adit_str_of(record.p + at, v.head.url_len);
    at += v.head.url_len;
    v.modified = adit_str_of(record.p + at, v.head.modified_len);
    at += v.head.modified_len;
    v.line = adit_str_of(record.p + at, record.len - at);
    return v;
}

int pack_capture_cmp(struct adit_str a, struct adit_str b)
{
    struct pack_capture_view x = pack_capture_view(a), y = pack_capture_view(b);
    int c = adit_str_cmp(x.url, y.url);
    if (c == 0) c = adit_time_cmp(y.head.at, x.head.at);
    if (c == 0) c = (int)x.head.kind - (int)y.head.kind;
    if (c == 0) c = adit_str_cmp(y.line, x.line);
    return c ? c : adit_str_cmp(a, b);
}
