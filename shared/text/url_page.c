/* URLs as adit writes them: of pages, and of what pages refer to. */
#include "text/text.h"
#include "text/url_impl.h"

#include <string.h>

/* The length of "https://host" (or http) if it is as it has to be: lower case, a domain name whose
 * last label begins with a letter, no port, no xn--; else 0. */
static size_t plain_origin(struct adit_str s)
{
    size_t i = adit_str_starts(s, ADIT_STR("https://"))  ? 8
               : adit_str_starts(s, ADIT_STR("http://")) ? 7
                                                         : 0;
    if (i == 0) return 0;
    size_t label = i;
    for (; i < s.len && s.p[i] != '/'; i++) {
        char c = s.p[i];
        if (c == '.')
            label = i + 1;
        else if (!(c >= 'a' && c <= 'z') && !adit_is_digit(c) && c != '-')
            return 0;
        if (c == '-' && i > label + 1 && s.p[i - 1] == '-') return 0;
    }
    bool letter = label < i && s.p[label] >= 'a' && s.p[label] <= 'z';
    return letter && i < s.len ? i : 0;
}

/* Whether s is a page's URL in its final form already. A dot behind a slash, a percent sign behind
 * one or behind a dot may be a segment that goes: those take the long way. */
static bool is_plain(struct adit_str s)
{
    size_t i = plain_origin(s);
    if (i == 0 || s.len > ADIT_LIMIT_url_bytes) return false;
    bool query = false;
    for (; i < s.len; i++) {
        char c = s.p[i];
        if (adit_url_must_encode(c, ADIT_SET_PAGE) || (query && c == '\'')) return false;
        if (c == '?') query = true;
        if (query || (c != '.' && c != '%')) continue;
        if (s.p[i - 1] == '/' || (c == '%' && s.p[i - 1] == '.')) return false;
    }
    return true;
}

/* Encodes what RFC 3986 forbids, writes the parts that stay. */
static enum adit_code finish_url(const struct adit_url *u, bool fragment, struct adit_arena *arena,
                                 struct adit_str *out)
{
    if (!adit_str_eq(u->scheme, ADIT_STR("https")) && !adit_str_eq(u->scheme, ADIT_STR("http")))
        return ADIT_EBAD;
    size_t max = 3 * u->href.len;
    struct adit_url_part part = {.p = adit_arena_alloc(arena, max)};
    if (!part.p) return ADIT_ENOMEM;
    adit_url_encode(&part, u->scheme, ADIT_SET_C0);
    adit_url_encode(&part, ADIT_STR("://"), ADIT_SET_C0);
    adit_url_encode(&part, u->host, ADIT_SET_C0);
    if (u->port.len) adit_url_encode(&part, ADIT_STR(":"), ADIT_SET_C0);
    adit_url_encode(&part, u->port, ADIT_SET_C0);
    adit_url_encode(&part, u->path, ADIT_SET_PAGE);
    if (u->has_query) adit_url_encode(&part, ADIT_STR("?"), ADIT_SET_C0);
    adit_url_encode(&part, u->query, ADIT_SET_PAGE);
    if (fragment && u->has_fragment) {
        adit_url_encode(&part, ADIT_STR("#"), ADIT_SET_C0);
        adit_url_encode(&part, u->fragment, ADIT_SET_PAGE);
    }
    *out = adit_str_of(part.p, part.len);
    return part.len > ADIT_LIMIT_url_bytes ? ADIT_ELIMIT : ADIT_OK;
}

/* Parsing takes several times the room of its result: only that stays in the arena. */
static enum adit_code resolve(struct adit_str reference, const struct adit_url *base, bool fragment,
                              struct adit_arena *arena, struct adit_str *out)
{
    struct adit_url url;
    struct adit_arena_mark mark = adit_arena_mark(arena);
    enum adit_code code = adit_url_parse(reference, base, arena, &url);
    if (code == ADIT_OK) code = finish_url(&url, fragment, arena, out);
    if (code != ADIT_OK) {
        adit_arena_release(arena, mark);
        return code;
    }
    *out = adit_arena_release_but(arena, mark, *out);
    return out->len ? ADIT_OK : ADIT_ENOMEM;
}

enum adit_code adit_url_page(struct adit_str input, struct adit_arena *arena, struct adit_str *out)
{
    if (is_plain(input)) {
        *out = input;
        return ADIT_OK;
    }
    return resolve(input, NULL, false, arena, out);
}

enum adit_code adit_url_resolve(struct adit_str reference, const struct adit_url *base,
                                struct adit_arena *arena, struct adit_str *out)
{
    if (is_plain(reference)) {
        *out = reference;
        return ADIT_OK;
    }
    return resolve(reference, base, true, arena, out);
}

struct adit_str adit_url_authority(struct adit_str url)
{
    size_t from = adit_str_find(url, ADIT_STR("://"), 0);
    if (from == url.len) return (struct adit_str){0};
    size_t to = from += 3;
    while (to < url.len && url.p[to] != '/' && url.p[to] != '?' && url.p[to] != '#') to++;
    return adit_str_sub(url, from, to);
}

struct adit_str adit_authority_host(struct adit_str authority)
{
    size_t from = authority.len && authority.p[0] == '[' ? adit_str_chr(authority, ']', 0) : 0;
    struct adit_str host = adit_str_sub(authority, 0, adit_str_chr(authority, ':', from));
    if (host.len && host.p[host.len - 1] == '.') host.len--;
    return host;
}

struct adit_str adit_url_origin(struct adit_str url)
{
    struct adit_str authority = adit_url_authority(url);
    return authority.p ? adit_str_of(url.p, (size_t)(authority.p - url.p) + authority.len)
                       : authority;
}

struct adit_str adit_url_rest(struct adit_str url)
{
    return adit_str_sub(url, adit_url_origin(url).len, url.len);
}
