/* Header fields and the grammar of their values. */
#include "http/http.h"

#include <string.h>

struct adit_str adit_header_get(const struct adit_header *v, size_t n, struct adit_str name)
{
    for (size_t i = 0; i < n; i++)
        if (adit_str_ieq(v[i].name, name)) return v[i].value;
    return (struct adit_str){0};
}

bool adit_header_has(const struct adit_header *v, size_t n, struct adit_str name)
{
    for (size_t i = 0; i < n; i++)
        if (adit_str_ieq(v[i].name, name)) return true;
    return false;
}

struct adit_str adit_header_all(const struct adit_header *v, size_t n, struct adit_str name,
                                struct adit_arena *arena, bool *ok)
{
    size_t count = 0, len = 0;
    struct adit_str only = {0};
    for (size_t i = 0; i < n; i++) {
        if (!adit_str_ieq(v[i].name, name) || v[i].value.len == 0) continue;
        only = v[i].value;
        len += only.len + (count++ ? 2 : 0);
    }
    if (count < 2) return only;
    char *p = adit_arena_alloc(arena, len), *q = p;
    if (!p) {
        *ok = false;
        return (struct adit_str){0};
    }
    for (size_t i = 0; i < n; i++) {
        if (!adit_str_ieq(v[i].name, name) || v[i].value.len == 0) continue;
        if (q != p) {
            *q++ = ',';
            *q++ = ' ';
        }
        memcpy(q, v[i].value.p, v[i].value.len);
        q += v[i].value.len;
    }
    return adit_str_of(p, len);
}

struct adit_str adit_header_joined(const struct adit_header *v, size_t n, struct adit_str name,
                                   struct adit_arena *arena)
{
    bool ok = true;
    struct adit_str all = adit_header_all(v, n, name, arena, &ok);
    for (size_t i = n; !ok && all.len == 0 && i-- > 0;)
        if (adit_str_ieq(v[i].name, name)) all = v[i].value;
    return all;
}

bool adit_is_token(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!adit_is_alnum(s.p[i]) && (s.p[i] == '\0' || !strchr("!#$%&'*+-.^_`|~", s.p[i])))
            return false;
    return s.len > 0;
}

bool adit_is_field_value(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if ((c < 32 && c != '\t') || c == 127) return false;
    }
    return true;
}

bool adit_header_sendable(struct adit_str value)
{
    return value.len > 0 && value.len <= ADIT_LIMIT_header_value && adit_is_field_value(value);
}

void adit_headers_add(struct adit_headers *h, const char *name, struct adit_str value)
{
    if (h->err || value.len == 0) return;
    if (!adit_header_sendable(value)) {
        h->lost = true;
        return;
    }
    if (h->n == h->cap) {
        size_t cap = h->cap ? h->cap * 2 : 16;
        if (cap > ADIT_HEADERS_MAX) {
            h->err = ADIT_ELIMIT;
            return;
        }
        struct adit_header *v = adit_arena_alloc(h->arena, cap * sizeof *v);
        if (!v) {
            h->err = ADIT_ENOMEM;
            return;
        }
        if (h->n) memcpy(v, h->v, h->n * sizeof *v);
        h->v = v;
        h->cap = cap;
    }
    bool ok = true;
    struct adit_str copy = adit_arena_dup(h->arena, value, &ok);
    if (!ok) {
        h->err = ADIT_ENOMEM;
        return;
    }
    h->v[h->n++] = (struct adit_header){adit_str_z(name), copy};
}

/* --- values ----------------------------------------------------------------------------------- */

/* Offset of the next c in s at or after from that does not stand between quotes. */
static size_t unquoted(struct adit_str s, char c, size_t from)
{
    bool quoted = false;
    for (size_t i = from; i < s.len; i++) {
        if (quoted && s.p[i] == '\\')
            i++;
        else if (s.p[i] == '"')
            quoted = !quoted;
        else if (!quoted && s.p[i] == c)
            return i;
    }
    return s.len;
}

bool adit_list_next(struct adit_str *rest, struct adit_str *element)
{
    while (rest->len) {
        size_t at = unquoted(*rest, ',', 0);
        *element = adit_str_trim(adit_str_sub(*rest, 0, at));
        *rest = adit_str_sub(*rest, at < rest->len ? at + 1 : at, rest->len);
        if (element->len) return true;
    }
    return false;
}

static struct adit_str unquote(struct adit_str s)
{
    if (s.len >= 2 && s.p[0] == '"' && s.p[s.len - 1] == '"') return adit_str_sub(s, 1, s.len - 1);
    return s;
}

bool adit_list_has(struct adit_str list, struct adit_str token, struct adit_str *argument)
{
    struct adit_str element;
    while (adit_list_next(&list, &element)) {
        struct adit_str name = adit_str_sub(element, 0, adit_str_chr(element, ';', 0));
        size_t eq = adit_str_chr(name, '=', 0);
        if (!adit_str_ieq(adit_str_trim(adit_str_sub(name, 0, eq)), token)) continue;
        if (argument)
            *argument = unquote(adit_str_trim(adit_str_sub(element, eq + 1, element.len)));
        return true;
    }
    return false;
}

/* "0.5" in thousandths; -1 if it is no weight. */
static int weight(struct adit_str s)
{
    if (s.len == 0 || (s.p[0] != '0' && s.p[0] != '1')) return -1;
    int v = (s.p[0] - '0') * 1000, unit = 100;
    if (s.len > 1 && s.p[1] != '.') return -1;
    for (size_t i = 2; i < s.len && unit; i++, unit /= 10) {
        if (!adit_is_digit(s.p[i])) return -1;
        v += (s.p[i] - '0') * unit;
    }
    return v > 1000 ? -1 : v;
}

/* The weight of one element of an Accept-like list, its token in *token; -1: it is no weight. */
static int stated_q(struct adit_str element, struct adit_str *token)
{
    struct adit_str part;
    adit_str_split(&element, ';', &part);
    *token = adit_str_trim(part);
    while (adit_str_split(&element, ';', &part)) {
        part = adit_str_trim(part);
        if (adit_str_istarts(part, ADIT_STR("q=")))
            return weight(adit_str_trim(adit_str_sub(part, 2, part.len)));
    }
    return 1000;
}

/* The same, for codings: what is no weight does not count. */
static int element_q(struct adit_str element, struct adit_str *token)
{
    int q = stated_q(element, token);
    return q < 0 ? 1000 : q;
}

int adit_accept_q(struct adit_str accept, struct adit_str coding)
{
    struct adit_str element, token;
    int star = -1;
    while (adit_list_next(&accept, &element)) {
        int q = element_q(element, &token);
        if (adit_str_ieq(token, coding)) return q;
        if (adit_str_eq(token, ADIT_STR("*")) && star < 0) star = q;
    }
    return star;
}

bool adit_accept_possible(struct adit_str accept)
{
    if (adit_accept_q(accept, ADIT_STR("identity")) != 0) return true;
    struct adit_str element, token;
    while (adit_list_next(&accept, &element))
        if (element_q(element, &token) > 0 && !adit_str_ieq(token, ADIT_STR("identity")))
            return true;
    return false;
}

/* How closely a media range fits the type: 3 by name, 2 as "text/(any)", 1 as "any", 0 not. */
static int closeness(struct adit_str range, struct adit_str type)
{
    size_t slash = adit_str_chr(type, '/', 0);
    if (adit_str_ieq(range, type)) return 3;
    if (adit_str_eq(range, ADIT_STR("*/*"))) return 1;
    return adit_str_ends(range, ADIT_STR("/*")) && range.len == slash + 2 &&
                   adit_str_ieq(adit_str_sub(range, 0, slash), adit_str_sub(type, 0, slash))
               ? 2
               : 0;
}

int adit_accept_media_q(struct adit_str accept, struct adit_str type, bool *named)
{
    struct adit_str element, range;
    int best = 0, close = 0;
    while (adit_list_next(&accept, &element)) {
        int q = stated_q(element, &range), c = q < 0 ? 0 : closeness(range, type);
        if (c == 0 || c < close || (c == close && q <= best)) continue;
        best = q;
        close = c;
    }
    if (named) *named = close == 3;
    return best;
}

struct adit_str adit_media_type(struct adit_str content_type)
{
    return adit_str_trim(adit_str_sub(content_type, 0, adit_str_chr(content_type, ';', 0)));
}

bool adit_media_is_html(struct adit_str content_type)
{
    struct adit_str type = adit_media_type(content_type);
    return adit_str_ieq(type, ADIT_STR("text/html")) ||
           adit_str_ieq(type, ADIT_STR("application/xhtml+xml"));
}

bool adit_is_private(struct adit_str cache_control, struct adit_str vary)
{
    return adit_list_has(cache_control, ADIT_STR("private"), NULL) ||
           adit_list_has(cache_control, ADIT_STR("no-store"), NULL) ||
           adit_list_has(vary, ADIT_STR("cookie"), NULL) ||
           adit_list_has(vary, ADIT_STR("authorization"), NULL) ||
           adit_list_has(vary, ADIT_STR("*"), NULL);
}

uint64_t adit_cache_seconds(struct adit_str cache_control)
{
    struct adit_str value = {0};
    uint64_t seconds = 0;
    if (adit_list_has(cache_control, ADIT_STR("no-cache"), NULL)) return 0;
    if (!adit_list_has(cache_control, ADIT_STR("s-maxage"), &value))
        adit_list_has(cache_control, ADIT_STR("max-age"), &value);
    return adit_str_u64(value, &seconds) ? seconds : 0;
}
