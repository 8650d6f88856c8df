/* What an index says of a capture: a line of CDXJ, with the key that such indexes are sorted by. */
#include "batch/crawl/crawl.h"
#include "json/json.h"
#include "text/text.h"

#include <string.h>

enum { ARGS_MAX = 256 };

static void add_lower(struct adit_buf *out, struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++) adit_buf_byte(out, adit_lower(s.p[i]));
}

/* "www.", "www2." in front of a host say nothing. */
static struct adit_str without_www(struct adit_str host)
{
    size_t i = 3;
    if (!adit_str_istarts(host, ADIT_STR("www"))) return host;
    while (i < host.len && adit_is_digit(host.p[i])) i++;
    return i < host.len && host.p[i] == '.' ? adit_str_sub(host, i + 1, host.len) : host;
}

/* "com,example" for example.com; addresses stay as they are. */
static void add_host(struct adit_buf *out, struct adit_str host)
{
    host = without_www(host);
    bool address = host.len && (host.p[0] == '[' || adit_is_digit(host.p[host.len - 1]));
    size_t end = host.len;
    while (!address && end > 0) {
        size_t from = end;
        while (from > 0 && host.p[from - 1] != '.') from--;
        if (end < host.len) adit_buf_byte(out, ',');
        add_lower(out, adit_str_sub(host, from, end));
        end = from ? from - 1 : 0;
    }
    if (address) add_lower(out, host);
}

/* Arguments in the order of their bytes: crawlers meet the same page with them in any order. */
static void add_query(struct adit_buf *out, struct adit_str query)
{
    struct adit_str args[ARGS_MAX], rest = query, arg;
    size_t n = 0;
    while (n < ARGS_MAX && adit_str_split(&rest, '&', &arg)) {
        size_t i = n++;
        for (; i > 0 && adit_str_cmp(args[i - 1], arg) > 0; i--) args[i] = args[i - 1];
        args[i] = arg;
    }
    if (n == ARGS_MAX) n = 1, args[0] = query;
    for (size_t i = 0; i < n; i++) {
        adit_buf_byte(out, i ? '&' : '?');
        add_lower(out, args[i]);
    }
}

bool crawl_index_key(struct adit_str url, struct adit_arena *arena, struct adit_buf *out)
{
    struct adit_url u;
    if (adit_url_parse(url, NULL, arena, &u) != ADIT_OK || !u.has_host) return false;
    add_host(out, u.host);
    if (u.port.len) {
        adit_buf_byte(out, ':');
        adit_buf_add(out, u.port);
    }
    adit_buf_byte(out, ')');
    struct adit_str path = u.path;
    if (path.len > 1 && path.p[path.len - 1] == '/') path.len--;
    add_lower(out, path.len ? path : ADIT_STR("/"));
    if (u.query.len) add_query(out, u.query);
    return !out->err;
}

/* The payload's digest: what the record says, or SHA-1 of the body as it is stored. */
static void add_digest(struct adit_json_writer *w, const struct warc_record *r,
                       const struct http_message *m, struct adit_buf *scratch)
{
    struct adit_str said = warc_field(r, ADIT_STR("WARC-Payload-Digest"));
    if (!said.len && !r->whole) return;
    adit_buf_clear(scratch);
    if (said.len) {
        adit_utf8_repair(said, scratch);
    } else {
        struct sha1 s;
        uint8_t hash[SHA1_LEN];
        sha1_init(&s, false);
        sha1_update(&s, m->body);
        sha1_final(&s, hash);
        adit_buf_lit(scratch, "sha1:");
        digest_base32(hash, sizeof hash, scratch);
    }
    adit_json_member(w, "digest", adit_buf_str(scratch));
}

static void add_u64_text(struct adit_json_writer *w, const char *key, uint64_t n,
                         struct adit_buf *scratch)
{
    adit_buf_clear(scratch);
    adit_buf_u64(scratch, n);
    adit_json_member(w, key, adit_buf_str(scratch));
}

static void add_text(struct adit_json_writer *w, const char *key, struct adit_str value,
                     struct adit_buf *scratch)
{
    adit_buf_clear(scratch);
    adit_utf8_repair(value, scratch);
    adit_json_member(w, key, adit_buf_str(scratch));
}

struct adit_str crawl_record_mime(const struct warc_record *r, const struct http_message *m)
{
    bool http = r->type == WARC_RESPONSE || r->type == WARC_REVISIT || r->type == WARC_REQUEST;
    return adit_media_type(http && !r->arc ? http_field(m, ADIT_STR("Content-Type"))
                                           : r->content_type);
}

/* The members of the JSON object but length, which shows only when the record has been read: the object
 * is left open. */
bool crawl_index_line(const struct warc_record *r, const char *file, struct adit_arena *arena,
                      struct adit_buf *scratch, struct adit_buf *out)
{
    struct http_message m = {.body = r->block};
    struct adit_json_writer w = {.out = out};
    struct adit_time at;
    if (r->type == WARC_RESPONSE || r->type == WARC_REVISIT) http_message_split(r->block, &m);
    if (!crawl_index_key(r->uri, arena, out) || !crawl_date(r->date, &at)) return false;
    adit_buf_byte(out, ' ');
    adit_buf_clear(scratch);
    adit_time_stamp(scratch, at); /* 20260131T100000Z */
    for (size_t i = 0; i < scratch->len; i++)
        if (adit_is_digit(scratch->p[i])) adit_buf_byte(out, scratch->p[i]);
    adit_buf_byte(out, ' ');
    adit_json_open(&w, '{');
    add_text(&w, "url", r->uri, scratch);
    struct adit_str mime =
        r->type == WARC_REVISIT ? ADIT_STR("warc/revisit") : crawl_record_mime(r, &m);
    if (mime.len) add_text(&w, "mime", mime, scratch);
    if (m.status) add_u64_text(&w, "status", m.status, scratch);
    add_digest(&w, r, &m, scratch);
    add_u64_text(&w, "offset", r->offset, scratch);
    add_text(&w, "filename", adit_str_z(file), scratch);
    return !out->err;
}
