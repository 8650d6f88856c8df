/* Captures as records of the sort. */
#include "batch/archive/ingest_impl.h"

#include <string.h>

struct capture capture_view(struct adit_str record)
{
    struct capture c;
    memcpy(&c.head, record.p, sizeof c.head);
    size_t at = sizeof c.head;
    const struct {
        struct adit_str *to;
        uint32_t len;
    } parts[] = {{&c.url, c.head.url},
                 {&c.etag, c.head.etag},
                 {&c.last_modified, c.head.last_modified},
                 {&c.crawler, c.head.crawler}};
    for (size_t i = 0; i < ADIT_COUNT(parts); at += parts[i++].len)
        *parts[i].to = adit_str_of(record.p + at, parts[i].len);
    c.manifest = adit_str_of(record.p + at, record.len - at);
    return c;
}

int capture_cmp(struct adit_str a, struct adit_str b)
{
    struct capture x = capture_view(a), y = capture_view(b);
    int c = adit_str_cmp(x.url, y.url);
    if (c == 0) c = adit_time_cmp(x.head.at, y.head.at);
    if (c == 0) c = (int)x.head.kind - (int)y.head.kind;
    if (c == 0) c = memcmp(x.head.raw, y.head.raw, sizeof x.head.raw);
    /* The same capture from two files: the one that says more comes first. Where its contents
     * happen to be in the spool comes last of all. */
    if (c == 0) c = adit_str_cmp(y.crawler, x.crawler);
    if (c == 0) c = adit_str_cmp(y.etag, x.etag);
    if (c == 0) c = adit_str_cmp(y.last_modified, x.last_modified);
    if (c == 0) c = adit_str_cmp(x.manifest, y.manifest);
    return c ? c : adit_str_cmp(a, b);
}
