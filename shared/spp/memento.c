/* Memento (RFC 7089) over an archive: which path asks for what, TimeMaps, and the version of a time. */
#include "spp/spp.h"
#include "http/http.h"

enum { STAMP = 14 }; /* digits: YYYYMMDDhhmmss */

static const char *const prefixes[] = {
    [ADIT_MEMENTO_TIMEMAP] = "/timemap/link/",
    [ADIT_MEMENTO_TIMEGATE] = "/timegate/",
    [ADIT_MEMENTO_VERSION] = "/memento/",
};

static bool read_stamp(struct adit_str s, struct adit_time *t)
{
    uint64_t n;
    char space[32];
    struct adit_buf text = {.p = space, .cap = sizeof space, .max = sizeof space};
    static const char *const between[] = {"-", "-", "T", ":", ":", "Z"};
    if (s.len != STAMP || !adit_str_u64(s, &n)) return false;
    for (size_t i = 0, at = 0; i < ADIT_COUNT(between); i++) {
        size_t digits = i ? 2 : 4;
        adit_buf_add(&text, adit_str_sub(s, at, at + digits));
        adit_buf_lit(&text, between[i]);
        at += digits;
    }
    return adit_time_parse(adit_buf_str(&text), t);
}

static void put_stamp(struct adit_buf *out, struct adit_time t)
{
    char space[40];
    struct adit_buf text = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_time_stamp(&text, (struct adit_time){.s = t.s});
    for (size_t i = 0; i < text.len; i++)
        if (adit_is_digit(text.p[i])) adit_buf_byte(out, text.p[i]);
}

enum adit_memento adit_memento_route(struct adit_str path, struct adit_str *url,
                                     struct adit_time *at)
{
    enum adit_memento kind = ADIT_MEMENTO_NONE;
    for (unsigned i = ADIT_MEMENTO_TIMEMAP; i < ADIT_COUNT(prefixes); i++)
        if (adit_str_starts(path, adit_str_z(prefixes[i]))) kind = (enum adit_memento)i;
    if (!kind) return kind;
    *url = adit_str_sub(path, adit_str_z(prefixes[kind]).len, path.len);
    if (kind != ADIT_MEMENTO_VERSION) return kind;
    size_t slash = adit_str_chr(*url, '/', 0);
    if (!read_stamp(adit_str_sub(*url, 0, slash), at)) return ADIT_MEMENTO_NONE;
    *url = adit_str_sub(*url, slash + 1, url->len);
    return kind;
}

size_t adit_memento_pick(const struct adit_spp_version *v, size_t n, struct adit_time at)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++) {
        if (v[i].tombstone) continue;
        if (best == n || v[i].created.s <= at.s) best = i;
    }
    return best;
}

void adit_memento_url(struct adit_buf *out, struct adit_str origin, enum adit_memento kind,
                      struct adit_str url, struct adit_time at)
{
    adit_buf_add(out, origin);
    adit_buf_lit(out, prefixes[kind]);
    if (kind == ADIT_MEMENTO_VERSION) put_stamp(out, at), adit_buf_byte(out, '/');
    adit_buf_add(out, url);
}

static void put_link(struct adit_buf *out, struct adit_str origin, enum adit_memento kind,
                     struct adit_str url, const char *rel)
{
    adit_buf_byte(out, '<');
    adit_memento_url(out, origin, kind, url, (struct adit_time){0});
    adit_buf_lit(out, ">; rel=\"");
    adit_buf_lit(out, rel);
    adit_buf_byte(out, '"');
    if (kind == ADIT_MEMENTO_TIMEMAP) adit_buf_lit(out, "; type=\"" ADIT_LINK_FORMAT "\"");
}

static void put_date(struct adit_buf *out, const char *name, struct adit_time t)
{
    adit_buf_lit(out, "; ");
    adit_buf_lit(out, name);
    adit_buf_lit(out, "=\"");
    adit_http_date(out, t.s);
    adit_buf_byte(out, '"');
}

void adit_memento_links(struct adit_buf *out, struct adit_str origin, struct adit_str url)
{
    adit_buf_byte(out, '<');
    adit_buf_add(out, url);
    adit_buf_lit(out, ">; rel=\"original\", ");
    put_link(out, origin, ADIT_MEMENTO_TIMEMAP, url, "timemap");
    adit_buf_lit(out, ", ");
    put_link(out, origin, ADIT_MEMENTO_TIMEGATE, url, "timegate");
}

void adit_memento_timemap(struct adit_buf *out, struct adit_str origin, struct adit_str url,
                          const struct adit_spp_version *v, size_t n)
{
    size_t first = n, last = n;
    for (size_t i = 0; i < n; i++) {
        if (v[i].tombstone) continue;
        if (first == n) first = i;
        last = i;
    }
    adit_buf_byte(out, '<');
    adit_buf_add(out, url);
    adit_buf_lit(out, ">; rel=\"original\",\n");
    put_link(out, origin, ADIT_MEMENTO_TIMEMAP, url, "self");
    if (first < n) put_date(out, "from", v[first].created), put_date(out, "until", v[last].created);
    adit_buf_lit(out, ",\n");
    put_link(out, origin, ADIT_MEMENTO_TIMEGATE, url, "timegate");
    for (size_t i = first; i < n; i++) {
        if (v[i].tombstone) continue;
        adit_buf_lit(out, ",\n<");
        adit_memento_url(out, origin, ADIT_MEMENTO_VERSION, url, v[i].created);
        adit_buf_lit(out, ">; rel=\"");
        if (i == first) adit_buf_lit(out, "first ");
        if (i == last) adit_buf_lit(out, "last ");
        adit_buf_lit(out, "memento\"");
        put_date(out, "datetime", v[i].created);
    }
    adit_buf_byte(out, '\n');
}
