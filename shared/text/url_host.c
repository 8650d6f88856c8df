/* Hosts: domain names, IPv4 and IPv6 addresses, and whatever other schemes have (WHATWG URL, 3). */
#include "text/text.h"
#include "text/url_impl.h"

#include <string.h>

/* What no host may hold; a domain name may not hold controls and % either. */
static bool is_forbidden(char c, bool domain)
{
    if (c == '\0' || adit_url_is_one_of(c, "\t\n\r #/:<>?@[\\]^|")) return true;
    return domain && ((unsigned char)c < 0x20 || c == '%' || c == 0x7F);
}

static bool has_forbidden(struct adit_str s, bool domain)
{
    for (size_t i = 0; i < s.len; i++)
        if (is_forbidden(s.p[i], domain)) return true;
    return false;
}

/* --- IPv4 ------------------------------------------------------------------------------------- */

/* A number as inet_aton reads it: decimal, 0x hexadecimal, 0 octal. Large ones saturate. */
static bool ipv4_number(struct adit_str s, uint64_t *out)
{
    unsigned base = 10;
    if (s.len == 0) return false;
    if (s.len >= 2 && s.p[0] == '0' && adit_lower(s.p[1]) == 'x') {
        base = 16;
        s = adit_str_sub(s, 2, s.len);
    } else if (s.len >= 2 && s.p[0] == '0') {
        base = 8;
        s = adit_str_sub(s, 1, s.len);
    }
    uint64_t v = 0;
    for (size_t i = 0; i < s.len; i++) {
        int digit = adit_hex(s.p[i]);
        if (digit < 0 || (unsigned)digit >= base) return false;
        if (v < (uint64_t)1 << 40) v = v * base + (unsigned)digit;
    }
    *out = v;
    return true;
}

/* Whether the last label makes the whole host an IPv4 address (or nothing). */
static bool ends_in_number(struct adit_str s)
{
    if (s.len && s.p[s.len - 1] == '.') s.len--;
    size_t dot = s.len;
    while (dot > 0 && s.p[dot - 1] != '.') dot--;
    struct adit_str last = adit_str_sub(s, dot, s.len);
    bool digits = last.len > 0;
    for (size_t i = 0; i < last.len; i++) digits = digits && adit_is_digit(last.p[i]);
    uint64_t v;
    return digits || (last.len > 1 && adit_lower(last.p[1]) == 'x' && ipv4_number(last, &v));
}

static char *put_decimal(char *p, unsigned v)
{
    if (v >= 100) *p++ = (char)('0' + v / 100);
    if (v >= 10) *p++ = (char)('0' + v / 10 % 10);
    *p++ = (char)('0' + v % 10);
    return p;
}

static enum adit_code ipv4(struct adit_str s, struct adit_arena *arena, struct adit_str *out)
{
    uint64_t part[4], address = 0;
    size_t n = 0;
    if (s.len && s.p[s.len - 1] == '.') s.len--;
    struct adit_str label;
    for (struct adit_str rest = s; adit_str_split(&rest, '.', &label); n++)
        if (n == 4 || !ipv4_number(label, &part[n])) return ADIT_EBAD;
    for (size_t i = 0; i < n; i++) {
        bool last = i + 1 == n;
        uint64_t max = last ? ((uint64_t)1 << (8 * (5 - n))) - 1 : 255;
        if (part[i] > max) return ADIT_EBAD;
        address |= last ? part[i] : part[i] << (8 * (3 - i));
    }
    char *p = adit_arena_alloc(arena, 15), *end = p;
    if (!p) return ADIT_ENOMEM;
    for (int shift = 24; shift >= 0; shift -= 8) {
        end = put_decimal(end, (unsigned)(address >> shift) & 255);
        if (shift) *end++ = '.';
    }
    *out = adit_str_of(p, (size_t)(end - p));
    return ADIT_OK;
}

/* --- IPv6 ------------------------------------------------------------------------------------- */

/* The dotted end of an address, as two pieces. */
static bool ipv6_tail(struct adit_str s, uint16_t *piece)
{
    unsigned byte[4];
    size_t n = 0;
    struct adit_str part;
    for (struct adit_str rest = s; adit_str_split(&rest, '.', &part); n++) {
        uint64_t v;
        if (n == 4 || part.len > 3 || !adit_str_u64(part, &v) || v > 255) return false;
        if (part.len > 1 && part.p[0] == '0') return false;
        byte[n] = (unsigned)v;
    }
    if (n != 4) return false;
    piece[0] = (uint16_t)(byte[0] << 8 | byte[1]);
    piece[1] = (uint16_t)(byte[2] << 8 | byte[3]);
    return true;
}

/* Pieces of an address without its brackets. */
static bool ipv6_read(struct adit_str s, uint16_t piece[8])
{
    size_t n = 0, at = 0, gap = 9;
    memset(piece, 0, 8 * sizeof piece[0]);
    if (s.len && s.p[0] == ':') {
        if (s.len < 2 || s.p[1] != ':') return false;
        at = 2;
        gap = 0;
    }
    while (at < s.len) {
        if (n == 8) return false;
        if (s.p[at] == ':') {
            if (gap != 9) return false;
            gap = n;
            at++;
            continue;
        }
        size_t start = at;
        unsigned v = 0;
        for (; at < s.len && at - start < 4 && adit_hex(s.p[at]) >= 0; at++)
            v = v * 16 + (unsigned)adit_hex(s.p[at]);
        if (at < s.len && s.p[at] == '.') {
            if (at == start || n > 6 || !ipv6_tail(adit_str_sub(s, start, s.len), piece + n))
                return false;
            n += 2;
            break;
        }
        if (at < s.len) {
            if (s.p[at] != ':') return false;
            if (++at == s.len) return false;
        }
        piece[n++] = (uint16_t)v;
    }
    if (gap == 9) return n == 8;
    if (n == 8) return false;
    memmove(piece + 8 - (n - gap), piece + gap, (n - gap) * sizeof piece[0]);
    memset(piece + gap, 0, (8 - n) * sizeof piece[0]);
    return true;
}

static enum adit_code ipv6(struct adit_str s, struct adit_arena *arena, struct adit_str *out)
{
    uint16_t piece[8];
    if (!ipv6_read(s, piece)) return ADIT_EBAD;
    size_t best = 8, best_len = 1;
    for (size_t i = 0, run; i < 8; i += run + 1) {
        for (run = 0; i + run < 8 && piece[i + run] == 0;) run++;
        if (run > best_len) best = i, best_len = run;
    }
    char *p = adit_arena_alloc(arena, 41), *end = p;
    if (!p) return ADIT_ENOMEM;
    *end++ = '[';
    for (size_t i = 0; i < 8; i++) {
        if (i == best) {
            *end++ = ':';
            if (i == 0) *end++ = ':';
            i += best_len - 1;
            continue;
        }
        for (int shift = 12, on = 0; shift >= 0; shift -= 4) {
            unsigned digit = (unsigned)(piece[i] >> shift) & 15;
            on |= digit != 0 || shift == 0;
            if (on) *end++ = "0123456789abcdef"[digit];
        }
        if (i < 7) *end++ = ':';
    }
    *end++ = ']';
    *out = adit_str_of(p, (size_t)(end - p));
    return ADIT_OK;
}

/* --- all -------------------------------------------------------------------------------------- */

static enum adit_code opaque_host(struct adit_str s, struct adit_arena *arena, struct adit_str *out)
{
    if (has_forbidden(s, false)) return ADIT_EBAD;
    struct adit_url_part part = {.p = adit_arena_alloc(arena, s.len * 3)};
    if (!part.p) return ADIT_ENOMEM;
    adit_url_encode(&part, s, ADIT_SET_C0);
    *out = adit_str_of(part.p, part.len);
    return ADIT_OK;
}

/* Lower-case ASCII without xn-- is most hosts. */
static bool is_plain(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        if (!(c >= 'a' && c <= 'z') && !adit_is_digit(c) && c != '-' && c != '.') return false;
    }
    return adit_str_find(s, ADIT_STR("xn--"), 0) == s.len;
}

enum adit_code adit_url_host(struct adit_str s, bool special, struct adit_arena *arena,
                             struct adit_str *out)
{
    if (s.len && s.p[0] == '[') {
        if (s.p[s.len - 1] != ']') return ADIT_EBAD;
        return ipv6(adit_str_sub(s, 1, s.len - 1), arena, out);
    }
    if (!special) return opaque_host(s, arena, out);
    if (is_plain(s) && !ends_in_number(s)) {
        *out = s;
        return s.len ? ADIT_OK : ADIT_EBAD;
    }
    struct adit_url_part part = {.p = adit_arena_alloc(arena, s.len)};
    if (!part.p) return ADIT_ENOMEM;
    adit_url_decode(&part, s);
    ADIT_TRY(adit_domain_to_ascii(adit_str_of(part.p, part.len), arena, out));
    if (out->len == 0 || has_forbidden(*out, true)) return ADIT_EBAD;
    return ends_in_number(*out) ? ipv4(*out, arena, out) : ADIT_OK;
}
