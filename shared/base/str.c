/* String slices. */
#include "base/base.h"

#include <string.h>

struct adit_str adit_str_z(const char *z)
{
    return z ? adit_str_of(z, strlen(z)) : (struct adit_str){0};
}

bool adit_str_eq(struct adit_str a, struct adit_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

/* b's length bytes of a and b are equal but for ASCII case. */
static bool same_folded(const char *a, const char *b, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (adit_lower(a[i]) != adit_lower(b[i])) return false;
    return true;
}

bool adit_str_ieq(struct adit_str a, struct adit_str b)
{
    return a.len == b.len && same_folded(a.p, b.p, a.len);
}

int adit_str_cmp(struct adit_str a, struct adit_str b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int d = n ? memcmp(a.p, b.p, n) : 0;
    if (d) return d < 0 ? -1 : 1;
    return a.len < b.len ? -1 : a.len > b.len;
}

bool adit_str_starts(struct adit_str s, struct adit_str prefix)
{
    return s.len >= prefix.len && adit_str_eq(adit_str_of(s.p, prefix.len), prefix);
}

bool adit_str_ends(struct adit_str s, struct adit_str suffix)
{
    return s.len >= suffix.len && adit_str_eq(adit_str_sub(s, s.len - suffix.len, s.len), suffix);
}

/* Byte by byte: the words of lists are so short that a call of strchr for each takes longer, in WASM
 * several times. */
bool adit_str_in(struct adit_str word, const char *list)
{
    for (; word.len; list++) {
        size_t n = 0;
        while (n < word.len && list[n] == word.p[n] && list[n] && list[n] != ',') n++;
        list += n;
        if (n == word.len && (*list == ',' || !*list)) return true;
        while (*list && *list != ',') list++;
        if (!*list) break;
    }
    return false;
}

bool adit_str_istarts(struct adit_str s, struct adit_str prefix)
{
    return s.len >= prefix.len && same_folded(s.p, prefix.p, prefix.len);
}

struct adit_str adit_str_trim(struct adit_str s)
{
    while (s.len && adit_is_space(s.p[0])) s.p++, s.len--;
    while (s.len && adit_is_space(s.p[s.len - 1])) s.len--;
    return s;
}

size_t adit_str_chr(struct adit_str s, char c, size_t from)
{
    if (from >= s.len) return s.len;
    const char *hit = memchr(s.p + from, c, s.len - from);
    return hit ? (size_t)(hit - s.p) : s.len;
}

size_t adit_str_find(struct adit_str s, struct adit_str needle, size_t from)
{
    if (needle.len == 0) return from < s.len ? from : s.len;
    for (size_t i = from;; i++) {
        i = adit_str_chr(s, needle.p[0], i);
        if (i >= s.len || s.len - i < needle.len) return s.len;
        if (memcmp(s.p + i, needle.p, needle.len) == 0) return i;
    }
}

/* Most places fail at the first letter, so that is looked for in eight bytes at a time. */
size_t adit_str_ifind(struct adit_str s, struct adit_str needle, size_t from)
{
    enum { STEP = sizeof(uint64_t) };
    const uint64_t ones = UINT64_C(0x0101010101010101);
    if (needle.len == 0) return from < s.len ? from : s.len;
    char first = adit_lower(needle.p[0]), fold = adit_is_alpha(first) ? 0x20 : 0;
    if (s.len < needle.len) return s.len;
    size_t end = s.len - needle.len + 1, i = from;
    for (; i + STEP <= end; i += STEP) {
        uint64_t x;
        memcpy(&x, s.p + i, STEP);
        x = (x | ones * (unsigned char)fold) ^ ones * (unsigned char)first;
        /* The top bits of bytes that are 0, and of some behind one. */
        for (uint64_t hits = (x - ones) & ~x & ones << 7; hits; hits &= hits - 1) {
            size_t at = i + (size_t)__builtin_ctzll(hits) / 8;
            if (same_folded(s.p + at, needle.p, needle.len)) return at;
        }
    }
    for (; i < end; i++)
        if ((char)(s.p[i] | fold) == first && same_folded(s.p + i, needle.p, needle.len)) return i;
    return s.len;
}

struct adit_str adit_str_sub(struct adit_str s, size_t from, size_t to)
{
    if (to > s.len) to = s.len;
    if (from >= to) return (struct adit_str){0};
    return adit_str_of(s.p + from, to - from);
}

bool adit_str_split(struct adit_str *rest, char sep, struct adit_str *part)
{
    if (!rest->p) return false;
    size_t i = adit_str_chr(*rest, sep, 0);
    *part = adit_str_of(rest->p, i);
    *rest = i < rest->len ? adit_str_of(rest->p + i + 1, rest->len - i - 1) : (struct adit_str){0};
    return true;
}

bool adit_str_u64(struct adit_str s, uint64_t *out)
{
    uint64_t v = 0;
    if (s.len == 0) return false;
    for (size_t i = 0; i < s.len; i++) {
        if (!adit_is_digit(s.p[i])) return false;
        uint64_t d = (uint64_t)(s.p[i] - '0');
        if (v > (UINT64_MAX - d) / 10) return false;
        v = v * 10 + d;
    }
    *out = v;
    return true;
}

uint64_t adit_str_hash(struct adit_str s)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < s.len; i++) h = (h ^ (uint8_t)s.p[i]) * 1099511628211u;
    return h;
}
