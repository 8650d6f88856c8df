/* Reads JSON that the scanner has checked: syntax is assumed here, but nothing past the end of the
 * slice is read. The scanner's lenient mode is allowed, too: control characters are white space. */
#include "json/scan_impl.h"
#include "json/tree_impl.h"
#include "text/text.h"

#include <string.h>

const char *adit_json_skip_string(const char *p, const char *end)
{
    p++;
    for (int i = 0; i < 2 && end - p >= 8; i++, p += 8) { /* most strings are keys */
        uint64_t w = adit_swar_load(p), slash = adit_swar_eq(w, '\\');
        uint64_t quote = adit_swar_eq(w, '"');
        if (slash) break;
        if (quote) return p + adit_swar_first(quote) + 1;
    }
    for (; p < end; p++) {
        p = memchr(p, '"', (size_t)(end - p));
        if (!p) return end;
        const char *slash = p;
        while (slash[-1] == '\\') slash--; /* stops at the opening quote at the latest */
        if ((p - slash) % 2 == 0) return p + 1;
    }
    return end;
}

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && (unsigned char)*p <= ' ') p++;
    return p;
}

/* Behind the array or object that opens at p. */
static const char *skip_nested(const char *p, const char *end)
{
    unsigned depth = 0;
    while (p < end) {
        switch (*p) {
        case '"': p = adit_json_skip_string(p, end); continue;
        case '{':
        case '[': depth++; break;
        case '}':
        case ']':
            if (--depth == 0) return p + 1;
            break;
        default: break;
        }
        p++;
    }
    return end;
}

static struct adit_json_value value_at(const char *p, const char *end)
{
    struct adit_json_value v = {.kind = ADIT_JSON_NUMBER};
    const char *q = p;
    switch (*p) {
    case '"': v.kind = ADIT_JSON_STRING, q = adit_json_skip_string(p, end); break;
    case '{': v.kind = ADIT_JSON_OBJECT, q = skip_nested(p, end); break;
    case '[': v.kind = ADIT_JSON_ARRAY, q = skip_nested(p, end); break;
    case 't': v.kind = ADIT_JSON_TRUE; break;
    case 'f': v.kind = ADIT_JSON_FALSE; break;
    case 'n': v.kind = ADIT_JSON_NULL; break;
    default: break;
    }
    if (q == p)
        while (q < end && (unsigned char)*q > ' ' && *q != ',' && *q != ']' && *q != '}') q++;
    v.raw = adit_str_of(p, (size_t)(q - p));
    return v;
}

struct adit_json_iter adit_json_iter(struct adit_json_value v)
{
    if (v.kind != ADIT_JSON_ARRAY && v.kind != ADIT_JSON_OBJECT) return (struct adit_json_iter){0};
    bool object = v.kind == ADIT_JSON_OBJECT;
    if (v.node)
        return (struct adit_json_iter){v.raw.p - v.node->valueint, NULL, object, true,
                                       v.node->child};
    return (struct adit_json_iter){v.raw.p + 1, v.raw.p + v.raw.len - 1, object, false, NULL};
}

static bool next_node(struct adit_json_iter *it, struct adit_json_member *m)
{
    if (!it->node) return false;
    m->key = it->object ? adit_str_z(it->node->string) : (struct adit_str){0};
    m->value = adit_json_node(it->node, it->p);
    it->node = it->node->next;
    return true;
}

bool adit_json_next(struct adit_json_iter *it, struct adit_json_member *m)
{
    if (it->tree) return next_node(it, m);
    const char *p = skip_space(it->p, it->end);
    if (p < it->end && *p == ',') p = skip_space(p + 1, it->end);
    it->p = p;
    if (p >= it->end || *p == '}' || *p == ']') return false;
    m->key = (struct adit_str){0};
    if (it->object) {
        const char *end = adit_json_skip_string(p, it->end);
        m->key = adit_str_of(p + 1, (size_t)(end - p) - 2);
        p = skip_space(end, it->end);   /* colon */
        p = skip_space(p + 1, it->end); /* value */
    }
    m->value = value_at(p, it->end);
    it->p = m->value.raw.p + m->value.raw.len;
    return true;
}

struct adit_json_value adit_json_get(struct adit_json_value object, struct adit_str name)
{
    struct adit_json_value found = {0};
    if (object.kind != ADIT_JSON_OBJECT) return found;
    struct adit_json_iter it = adit_json_iter(object);
    struct adit_json_member m;
    while (adit_json_next(&it, &m))
        if (it.tree ? adit_str_eq(m.key, name) : adit_json_is(m.key, name)) found = m.value;
    return found;
}

static uint32_t hex4(const char *p)
{
    uint32_t v = 0;
    for (int i = 0; i < 4; i++) v = v << 4 | ((uint32_t)adit_hex(p[i]) & 15);
    return v;
}

/* The code point of the escape at s[*pos] (the backslash); *pos moves behind it. A surrogate pair
 * is one; a lone surrogate comes out as such. */
static uint32_t escape_at(struct adit_str s, size_t *pos)
{
    unsigned char c = (unsigned char)s.p[*pos + 1];
    if (c != 'u') {
        *pos += 2;
        return adit_json_escapes[c] ? (unsigned char)adit_json_escapes[c] : c;
    }
    uint32_t hi = hex4(s.p + *pos + 2);
    *pos += 6;
    if ((hi & 0xFC00) != 0xD800 || s.len - *pos < 6) return hi;
    if (s.p[*pos] != '\\' || s.p[*pos + 1] != 'u') return hi;
    uint32_t lo = hex4(s.p + *pos + 2);
    if ((lo & 0xFC00) != 0xDC00) return hi;
    *pos += 6;
    return 0x10000 + ((hi & 0x3FF) << 10) + (lo & 0x3FF);
}

/* Copies what stands before the next backslash, eight bytes at a time. The target has room for all that
 * is left of the source. */
static inline const char *copy_plain(const char *p, const char *end, char **to)
{
    for (; end - p >= 8; p += 8, *to += 8) {
        uint64_t w = adit_swar_load(p), slash = adit_swar_eq(w, '\\');
        memcpy(*to, &w, sizeof w);
        if (!slash) continue;
        *to += adit_swar_first(slash);
        return p + adit_swar_first(slash);
    }
    while (p < end && *p != '\\') *(*to)++ = *p++;
    return p;
}

static char *unescape_to(char *to, struct adit_str s)
{
    const char *p = s.p, *end = s.p + s.len;
    while ((p = copy_plain(p, end, &to)) < end) {
        if (end - p > 1 && adit_json_escapes[(unsigned char)p[1]]) {
            *to++ = adit_json_escapes[(unsigned char)p[1]];
            p += 2;
            continue;
        }
        size_t at = (size_t)(p - s.p);
        to += adit_utf8_encode(escape_at(s, &at), to);
        p = s.p + at;
    }
    return to;
}

void adit_json_unescape(struct adit_str inside, struct adit_buf *out)
{
    /* No escape is shorter than what it means: with room for the whole text nothing is asked again. */
    if (inside.len <= out->max - out->len && adit_buf_reserve(out, inside.len)) {
        if (inside.len) out->len = (size_t)(unescape_to(out->p + out->len, inside) - out->p);
        return;
    }
    for (size_t i = 0; i < inside.len;) {
        size_t slash = adit_str_chr(inside, '\\', i);
        adit_buf_add(out, adit_str_sub(inside, i, slash));
        i = slash;
        if (i < inside.len) adit_utf8_put(out, escape_at(inside, &i));
    }
}

bool adit_json_is(struct adit_str key, struct adit_str name)
{
    /* An escape is longer than what it means. */
    if (key.len <= name.len) return adit_str_eq(key, name);
    if (adit_str_chr(key, '\\', 0) == key.len) return false;
    size_t n = 0;
    for (size_t i = 0; i < key.len;) {
        char c[4] = {key.p[i]};
        size_t len = 1;
        if (c[0] == '\\')
            len = adit_utf8_encode(escape_at(key, &i), c);
        else
            i++;
        if (name.len - n < len || memcmp(name.p + n, c, len) != 0) return false;
        n += len;
    }
    return n == name.len;
}

struct adit_str adit_json_text(struct adit_json_value v, struct adit_arena *a, bool *ok)
{
    struct adit_str inside = adit_json_inside(v);
    if (v.node || adit_str_chr(inside, '\\', 0) == inside.len) return inside;
    /* No escape is shorter than what it means, so the copy fits into the same length. */
    char *p = adit_arena_alloc(a, inside.len);
    if (!p) {
        if (ok) *ok = false;
        return (struct adit_str){0};
    }
    struct adit_buf b = {.p = p, .cap = inside.len, .max = inside.len};
    adit_json_unescape(inside, &b);
    return adit_buf_str(&b);
}

bool adit_json_u64(struct adit_json_value v, uint64_t *out)
{
    return v.kind == ADIT_JSON_NUMBER && adit_str_u64(v.raw, out);
}
