/* C-URL and M-URL: one path segment apart. */
#include "exchange/exchange.h"

#include "format/format.h"
#include "text/text.h"

static bool last_is_slash(struct adit_str path) { return path.len && path.p[path.len - 1] == '/'; }

/* The last segment of the path without its closing slash; *before gets the offset where it begins.
 */
static struct adit_str last_segment(struct adit_str path, size_t *before)
{
    size_t end = path.len - (last_is_slash(path) ? 1 : 0), at = end;
    while (at > 0 && path.p[at - 1] != '/') at--;
    *before = at;
    return adit_str_sub(path, at, end);
}

static bool is_legacy(const struct adit_config *c, struct adit_str segment)
{
    for (size_t i = 0; i < c->legacy_suffixes.n; i++)
        if (adit_str_eq(c->legacy_suffixes.v[i], segment)) return true;
    return false;
}

bool adit_map_offers(const struct adit_config *c, const struct adit_format *format)
{
    return format->suffix == ADIT_SUFFIX_SEGMENT ||
           (format->suffix == ADIT_SUFFIX_ENDING && c->markdown);
}

/* Whether the segment is a twin's, "llm.md" or "post.llm.md"; *page_len gets the length of what
 * the page has of it: 0, or that of "post". */
static bool is_twin(const struct adit_config *c, struct adit_str segment, struct adit_str ending,
                    size_t *page_len)
{
    if (!adit_str_ends(segment, ending)) return false;
    struct adit_str stem = adit_str_sub(segment, 0, segment.len - ending.len);
    *page_len = 0;
    if (adit_str_eq(stem, c->suffix)) return true;
    if (stem.len <= c->suffix.len + 1 || !adit_str_ends(stem, c->suffix)) return false;
    *page_len = stem.len - c->suffix.len - 1;
    return stem.p[*page_len] == '.';
}

/* A path taken apart by its shape alone. */
struct shape {
    enum adit_path_kind kind;
    const struct adit_format *format; /* of a VIEW, and that of the one which a LEGACY leads to */
    size_t c_len; /* of the page's path: "/post/" of "/post/llm/", "/post" of "/post.llm.md" */
};

static struct shape shape_of(const struct adit_config *c, struct adit_str path)
{
    size_t at, len;
    struct adit_str segment = last_segment(path, &at);
    struct shape s = {ADIT_PATH_PAGE, &adit_formats[ADIT_FORMAT_TCT], 0};
    bool current = adit_str_eq(segment, c->suffix);
    if (current || is_legacy(c, segment)) {
        /* "/llm" belongs to no page, as the home page's M-URL is "/llm/": send it there. */
        bool root = at == 1;
        s.c_len = last_is_slash(path) || root ? at : at - 1;
        s.kind = current && (last_is_slash(path) || !root) ? ADIT_PATH_VIEW : ADIT_PATH_LEGACY;
        return s;
    }
    for (const struct adit_format *f = adit_formats; f->name && !last_is_slash(path); f++)
        if (f->suffix == ADIT_SUFFIX_ENDING && adit_map_offers(c, f) &&
            is_twin(c, segment, f->ending, &len))
            return (struct shape){ADIT_PATH_VIEW, f, at + len};
    return s;
}

static bool matches(const struct adit_config *c, struct adit_str path)
{
    for (size_t i = 0; i < c->exclude.n; i++)
        if (adit_glob(c->exclude.v[i], path)) return true;
    return false;
}

/* A page whose own name is the suffix ("/topics/llm/") is put into `exclude` by the operator: by
 * name, or by a pattern that its would-be page does not match. */
static bool is_named_page(const struct adit_config *c, struct adit_str path, struct adit_str c_path)
{
    for (size_t i = 0; i < c->exclude.n; i++)
        if (adit_str_eq(c->exclude.v[i], path)) return true;
    return matches(c, path) && !matches(c, c_path);
}

enum adit_path_kind adit_map_path(const struct adit_config *c, struct adit_str path,
                                  struct adit_buf *c_path, const struct adit_format **format)
{
    if (path.len == 0 || path.p[0] != '/') return ADIT_PATH_NONE;
    struct shape s = shape_of(c, path);
    if (s.kind == ADIT_PATH_PAGE) return ADIT_PATH_PAGE;
    struct adit_str page = adit_str_sub(path, 0, s.c_len);
    if (is_named_page(c, path, page)) return ADIT_PATH_PAGE;
    /* "/x//llm" would be a second M-URL of "/x/". */
    bool second = s.format->suffix == ADIT_SUFFIX_SEGMENT && !last_is_slash(path) &&
                  last_is_slash(page) && page.len > 1;
    if (page.len == 0 || second || shape_of(c, page).kind != ADIT_PATH_PAGE) return ADIT_PATH_NONE;
    adit_buf_add(c_path, page);
    if (format) *format = s.format;
    return s.kind;
}

void adit_map_machine(const struct adit_config *c, const struct adit_format *format,
                      struct adit_str c_path, struct adit_buf *out)
{
    bool slash = last_is_slash(c_path), segment = format->suffix == ADIT_SUFFIX_SEGMENT;
    adit_buf_add(out, c_path);
    if (!slash) adit_buf_byte(out, segment ? '/' : '.');
    adit_buf_add(out, c->suffix);
    adit_buf_add(out, format->ending);
    if (slash && segment) adit_buf_byte(out, '/');
}

/* --- exclusion -------------------------------------------------------------------------------- */

static void drop_last_segment(struct adit_buf *b)
{
    if (b->len) b->len--;
    while (b->len && b->p[b->len - 1] != '/') b->len--;
}

/* Appends the path as an origin may understand it: decoded, '\' as '/', slashes merged, dot
 * segments resolved. */
static void resolve(struct adit_str path, struct adit_buf *out)
{
    size_t segment = 0; /* where the running segment begins in out */
    for (size_t i = 0; i <= path.len; i++) {
        char ch = i < path.len ? path.p[i] : '/';
        if (ch == '%' && i + 2 < path.len && adit_hex(path.p[i + 1]) >= 0 &&
            adit_hex(path.p[i + 2]) >= 0) {
            ch = (char)(adit_hex(path.p[i + 1]) * 16 + adit_hex(path.p[i + 2]));
            i += 2;
        }
        if (ch == '\\') ch = '/';
        if (ch != '/') {
            adit_buf_byte(out, ch);
            continue;
        }
        struct adit_str last = adit_str_sub(adit_buf_str(out), segment, out->len);
        if (adit_str_eq(last, ADIT_STR("."))) {
            out->len--;
        } else if (adit_str_eq(last, ADIT_STR(".."))) {
            out->len -= 2;
            drop_last_segment(out);
            if (out->len == 0) adit_buf_byte(out, '/');
        } else if (i < path.len && !(out->len && last.len == 0)) {
            adit_buf_byte(out, '/');
        }
        segment = out->len;
    }
}

/* Whether resolve would change anything. */
static bool is_resolved(struct adit_str path)
{
    for (size_t i = 0; i < path.len; i++) {
        char ch = path.p[i], before = i ? path.p[i - 1] : '\0';
        if (ch == '%' || ch == '\\' || ((ch == '/' || ch == '.') && before == '/')) return false;
    }
    return true;
}

bool adit_map_excluded(const struct adit_config *c, struct adit_str c_path, struct adit_mem mem)
{
    if (c->homepage == ADIT_HOME_OMIT && adit_str_eq(c_path, ADIT_STR("/"))) return true;
    if (matches(c, c_path)) return true;
    if (is_resolved(c_path)) return false;
    struct adit_buf plain;
    adit_buf_init(&plain, mem, c_path.len + 1);
    resolve(c_path, &plain);
    /* In doubt excluded: the list also guards access. */
    bool hit = plain.err || matches(c, adit_buf_str(&plain)) ||
               (c->homepage == ADIT_HOME_OMIT && plain.len == 1);
    adit_buf_free(&plain);
    return hit;
}

/* --- hosts and URLs --------------------------------------------------------------------------- */

/* Splits "scheme://authority/rest"; false if it is not an http(s) URL. */
static bool split_url(struct adit_str url, struct adit_str *authority, struct adit_str *path)
{
    size_t from = adit_str_istarts(url, ADIT_STR("https://"))  ? 8
                  : adit_str_istarts(url, ADIT_STR("http://")) ? 7
                                                               : 0;
    if (!from) return false;
    size_t end = from;
    while (end < url.len && url.p[end] != '/' && url.p[end] != '?' && url.p[end] != '#') end++;
    *authority = adit_str_sub(url, from, end);
    *path = adit_str_sub(url, end, adit_str_chr(url, '#', end));
    return authority->len > 0;
}

bool adit_map_ours(const struct adit_config *c, struct adit_str authority)
{
    struct adit_str host = adit_authority_host(authority), origin, path;
    if (split_url(c->origin, &origin, &path) && adit_str_ieq(host, adit_authority_host(origin)))
        return true;
    for (size_t i = 0; i < c->hosts.n; i++)
        if (adit_str_ieq(host, c->hosts.v[i])) return true;
    return false;
}

bool adit_map_our_url(const struct adit_config *c, struct adit_str url, struct adit_str *path)
{
    struct adit_str authority;
    if (!split_url(url, &authority, path) || !adit_map_ours(c, authority)) return false;
    if (path->len == 0) *path = ADIT_STR("/");
    return path->p[0] == '/';
}

/* Bytes that stand for themselves in a path or query (RFC 3986, and '%' of what is encoded
 * already). An apostrophe is encoded in queries, as browsers do. */
static bool is_url_byte(char c, bool in_query)
{
    if (adit_is_alnum(c)) return true;
    if (c == '\'') return !in_query;
    return c != '\0' && adit_str_chr(ADIT_STR("-._~!$&()*+,;=:@/?%"), c, 0) < 19;
}

void adit_map_url(const struct adit_config *c, struct adit_str path, struct adit_buf *out)
{
    adit_buf_add(out, c->origin);
    bool in_query = false;
    for (size_t i = 0; i < path.len; i++) {
        if (path.p[i] == '?') in_query = true;
        if (is_url_byte(path.p[i], in_query))
            adit_buf_byte(out, path.p[i]);
        else
            adit_buf_percent(out, path.p[i]);
    }
}
