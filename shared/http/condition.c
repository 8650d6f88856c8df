/* If-Match, If-None-Match, If-Range, Range (RFC 9110, 13.1 and 14). */
#include "http/http.h"

static bool is_ows(char c) { return c == ' ' || c == '\t'; }

static struct adit_str trim_ows(struct adit_str s)
{
    while (s.len && is_ows(s.p[0])) s = adit_str_sub(s, 1, s.len);
    while (s.len && is_ows(s.p[s.len - 1])) s.len--;
    return s;
}

/* Takes an entity tag off the front of *s: opaque is its quoted part. */
static bool take_tag(struct adit_str *s, struct adit_str *opaque, bool *weak)
{
    *weak = adit_str_starts(*s, ADIT_STR("W/"));
    struct adit_str t = adit_str_sub(*s, *weak ? 2 : 0, s->len);
    if (!t.len || t.p[0] != '"') return false;
    size_t end = adit_str_chr(t, '"', 1);
    if (end == t.len) return false;
    *opaque = adit_str_sub(t, 0, end + 1);
    *s = trim_ows(adit_str_sub(t, end + 1, t.len));
    return true;
}

/* Whether "*" or a list of tags names etag; strongly: only where both are strong. */
static bool names_tag(struct adit_str value, struct adit_str etag, bool strongly)
{
    struct adit_str ours, tag;
    bool weak, ours_weak, found = false;
    if (!take_tag(&etag, &ours, &ours_weak)) return false;
    value = trim_ows(value);
    if (adit_str_eq(value, ADIT_STR("*"))) return true;
    while (value.len) {
        if (value.p[0] != ',') {
            if (!take_tag(&value, &tag, &weak)) return false;
            if (adit_str_eq(tag, ours) && !(strongly && (weak || ours_weak))) found = true;
            if (value.len && value.p[0] != ',') return false;
        }
        value = trim_ows(adit_str_sub(value, 1, value.len));
    }
    return found;
}

bool adit_if_match(struct adit_str value, struct adit_str etag)
{
    return names_tag(value, etag, true);
}

bool adit_if_none_match(struct adit_str value, struct adit_str etag)
{
    return names_tag(value, etag, false);
}

bool adit_if_range(struct adit_str value, struct adit_str etag)
{
    struct adit_str ours, theirs;
    bool weak;
    value = trim_ows(value);
    if (!take_tag(&etag, &ours, &weak) || weak) return false;
    if (!take_tag(&value, &theirs, &weak) || weak || value.len) return false;
    return adit_str_eq(ours, theirs);
}

/* Digits only; a number beyond 64 bits is the largest one. */
static bool read_offset(struct adit_str s, uint64_t *v)
{
    for (size_t i = 0; i < s.len; i++)
        if (!adit_is_digit(s.p[i])) return false;
    if (s.len && !adit_str_u64(s, v)) *v = UINT64_MAX;
    return s.len > 0;
}

enum adit_range_answer adit_range_parse(struct adit_str value, uint64_t size, struct adit_range *r)
{
    uint64_t first, last = UINT64_MAX;
    value = trim_ows(value);
    if (!adit_str_istarts(value, ADIT_STR("bytes="))) return ADIT_RANGE_NONE;
    value = trim_ows(adit_str_sub(value, 6, value.len));
    size_t dash = adit_str_chr(value, '-', 0);
    if (dash == value.len) return ADIT_RANGE_NONE;
    struct adit_str from = adit_str_sub(value, 0, dash);
    struct adit_str to = adit_str_sub(value, dash + 1, value.len);
    if (to.len && !read_offset(to, &last)) return ADIT_RANGE_NONE;
    if (!from.len) { /* the last so many bytes */
        if (!to.len) return ADIT_RANGE_NONE;
        if (!last || !size) return ADIT_RANGE_BEYOND;
        *r = (struct adit_range){last < size ? size - last : 0, size - 1};
        return ADIT_RANGE_ONE;
    }
    if (!read_offset(from, &first) || first > last) return ADIT_RANGE_NONE;
    if (first >= size) return ADIT_RANGE_BEYOND;
    *r = (struct adit_range){first, last < size ? last : size - 1};
    return ADIT_RANGE_ONE;
}
