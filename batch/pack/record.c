/* The records of the sorts: what captures say, one record each; and the entries that were made of
 * them, on their way from a partition to the publication. Run files bring both from other machines:
 * nothing in them is believed. */
#include "batch/pack/pack_impl.h"

#include <string.h>

uint32_t pack_partition(const struct pack_options *o, struct adit_str url)
{
    if (o->partitions < 2) return 0;
    /* A host's publication is joined with the one before as a whole. */
    struct adit_str key = o->crawl.by_host ? crawl_url_host(url) : url;
    return (uint32_t)(adit_mix(adit_str_hash(key), 0) % o->partitions);
}

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
    int c = (x.head.partition > y.head.partition) - (x.head.partition < y.head.partition);
    if (c == 0) c = adit_str_cmp(x.url, y.url);
    if (c == 0) c = adit_time_cmp(y.head.at, x.head.at);
    if (c == 0) c = (int)x.head.kind - (int)y.head.kind;
    if (c == 0) c = adit_str_cmp(y.line, x.line);
    return c ? c : adit_str_cmp(a, b);
}

/* --- records of strangers --------------------------------------------------------------------- */

static const char damaged[] = "is damaged: a record is not what it should be";

/* A page's line, its URL and its date. */
static bool good_page(struct pack_taking *t, struct adit_str url, struct adit_str modified,
                      struct adit_str line)
{
    struct adit_scp_page page;
    struct adit_scp_judge judge = {.limits = &adit_scp_limits};
    for (size_t i = 0; i < modified.len; i++)
        if (modified.p[i] < ' ') return false;
    return adit_str_chr(line, '\n', 0) == line.len &&
           adit_scp_page_judge(line, &judge, &t->scratch, &page) == ADIT_SCP_GOOD &&
           adit_str_eq(page.url, url);
}

static bool good_time(struct adit_time t)
{
    return t.s >= -INT64_C(62167219200) && t.s < INT64_C(253402300800) && t.ns < 1000000000;
}

const char *pack_capture_fault(void *ctx, struct adit_str record, struct adit_str before)
{
    struct pack_taking *t = ctx;
    struct pack_capture head;
    if (record.len < sizeof head) return damaged;
    memcpy(&head, record.p, sizeof head);
    size_t rest = record.len - sizeof head;
    if (head.url_len == 0 || head.url_len > rest || head.modified_len > rest - head.url_len ||
        head.kind > CRAWL_TEXT || head.reason >= CRAWL_SKIP_COUNT || !good_time(head.at))
        return damaged;
    struct pack_capture_view v = pack_capture_view(record);
    bool page = head.kind == CRAWL_PAGE || head.kind == CRAWL_TEXT;
    if (page ? !adit_tct_is_hash(adit_str_of(head.hash, sizeof head.hash)) ||
                   !good_page(t, v.url, v.modified, v.line)
             : v.line.len || v.modified.len)
        return damaged;
    if (head.partition != t->partition || pack_partition(t->o, v.url) != t->partition)
        return "holds a record of another partition";
    if (before.len && pack_capture_cmp(before, record) > 0) return "is not sorted";
    return NULL;
}

/* --- entries ---------------------------------------------------------------------------------- */

/* Followed by url, modified, hash, line. */
struct stored_entry {
    uint32_t url_len;
    uint16_t modified_len, hash_len;
    uint32_t change;
};

bool pack_entry_store(struct runfile_writer *to, const struct pack_entry *e)
{
    struct stored_entry head = {
        .url_len = (uint32_t)e->url.len,
        .modified_len = (uint16_t)e->modified.len,
        .hash_len = (uint16_t)e->hash.len,
        .change = e->change,
    };
    if (e->modified.len > UINT16_MAX || e->hash.len > UINT16_MAX) {
        cli_say(NULL,
                "internal error: an entry's date or fingerprint is too long; please report it");
        return false;
    }
    const struct adit_str parts[] = {{(const char *)&head, sizeof head},
                                     e->url,
                                     e->modified,
                                     e->hash,
                                     e->line[0],
                                     e->line[1],
                                     e->line[2]};
    return runfile_add(to, parts, ADIT_COUNT(parts));
}

struct pack_entry pack_entry_view(struct adit_str record)
{
    struct stored_entry head;
    memcpy(&head, record.p, sizeof head);
    size_t url = sizeof head, modified = url + head.url_len, hash = modified + head.modified_len,
           line = hash + head.hash_len;
    return (struct pack_entry){
        .url = adit_str_sub(record, url, modified),
        .modified = adit_str_sub(record, modified, hash),
        .hash = adit_str_sub(record, hash, line),
        .line = {adit_str_sub(record, line, record.len)},
        .change = head.change,
    };
}

int pack_entry_cmp(struct adit_str a, struct adit_str b)
{
    int c = adit_str_cmp(pack_entry_view(a).url, pack_entry_view(b).url);
    return c ? c : adit_str_cmp(a, b);
}

const char *pack_entry_fault(void *ctx, struct adit_str record, struct adit_str before)
{
    struct pack_taking *t = ctx;
    struct stored_entry head;
    if (record.len < sizeof head) return damaged;
    memcpy(&head, record.p, sizeof head);
    if (head.url_len == 0 || head.change > PACK_DELETED ||
        (uint64_t)head.url_len + head.modified_len + head.hash_len > record.len - sizeof head)
        return damaged;
    struct pack_entry e = pack_entry_view(record);
    if (head.change == PACK_DELETED ? e.line[0].len || e.hash.len || e.modified.len
                                    : (e.hash.len && !adit_tct_is_hash(e.hash)) ||
                                          !good_page(t, e.url, e.modified, e.line[0]))
        return damaged;
    if (pack_partition(t->o, e.url) != t->partition) return "holds an entry of another partition";
    if (before.len && adit_str_cmp(pack_entry_view(before).url, e.url) >= 0) return "is not sorted";
    return NULL;
}
