/* From the URL of a capture to the public URL of the page. */
#include "batch/crawl/crawl.h"
#include "text/text.h"

/* Host without port of an absolute URL, and where its path begins. */
static struct adit_str host_of(struct adit_str url, size_t *path)
{
    size_t from = adit_str_find(url, ADIT_STR("://"), 0) + 3, to = adit_str_chr(url, '/', from);
    struct adit_str host = adit_str_sub(url, from, to);
    size_t colon = host.len;
    while (colon > 0 && adit_is_digit(host.p[colon - 1])) colon--;
    if (colon > 0 && host.p[colon - 1] == ':') host.len = colon - 1;
    *path = to;
    return host;
}

static bool listed(const struct adit_str *v, size_t n, struct adit_str s)
{
    for (size_t i = 0; i < n; i++)
        if (adit_str_eq(v[i], s)) return true;
    return false;
}

static bool any_glob(const struct adit_str *v, size_t n, struct adit_str path)
{
    for (size_t i = 0; i < n; i++)
        if (adit_glob(v[i], path)) return true;
    return false;
}

bool crawl_filter(const struct crawl_options *o, struct adit_str path)
{
    path = adit_str_sub(path, 0, adit_str_chr(path, '?', 0));
    return (o->n_include == 0 || any_glob(o->include, o->n_include, path)) &&
           !any_glob(o->exclude, o->n_exclude, path);
}

struct adit_str crawl_url_path(struct adit_str url)
{
    size_t path;
    host_of(url, &path);
    return adit_str_sub(url, path, url.len);
}

struct adit_str crawl_url_host(struct adit_str url)
{
    size_t path;
    return host_of(url, &path);
}

int crawl_public_url(const struct crawl_options *o, struct adit_str raw, struct adit_arena *arena,
                     struct adit_buf *url)
{
    struct adit_str page, path;
    size_t path_at;
    if (adit_url_page(raw, arena, &page) != ADIT_OK) return CRAWL_SKIP_url;
    struct adit_str host = host_of(page, &path_at);
    adit_buf_clear(url);
    if (o->by_host || o->mixed || !crawl_origin_known(o)) {
        if (o->n_hosts && !listed(o->hosts, o->n_hosts, host)) return CRAWL_SKIP_other_host;
        path = adit_str_sub(page, path_at, page.len);
        adit_buf_lit(url, "https://");
        adit_buf_add(url, host);
        adit_buf_add(url, path);
    } else {
        if (!adit_map_our_url(&o->config, page, &path)) return CRAWL_SKIP_other_host;
        adit_buf_add(url, o->config.origin);
        adit_buf_add(url, path);
    }
    if (url->err) return CRAWL_SKIP_url;
    return crawl_filter(o, path) ? -1 : CRAWL_SKIP_filtered;
}

/* A date in any precision that archives use: 14 digits (ARC), or a W3C datetime from the year to
 * fractions of a second; what is missing is the earliest. */
bool crawl_date(struct adit_str text, struct adit_time *at)
{
    if (adit_time_parse(text, at)) return true;
    char full[] = "0000-01-01T00:00:00Z";
    static const unsigned char places[] = {0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18};
    size_t n = 0;
    for (size_t i = 0; i < text.len && n < sizeof places; i++) {
        char c = text.p[i];
        if (adit_is_digit(c))
            full[places[n++]] = c;
        else if (c != '-' && c != ':' && c != 'T' && c != 'Z' && c != ' ')
            return false;
    }
    if (n < 4 || (n > 4 && n % 2)) return false;
    return adit_time_parse(adit_str_of(full, sizeof full - 1), at);
}
