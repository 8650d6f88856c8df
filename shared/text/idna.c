/* Domain names to ASCII: UTS 46 as the URL standard asks for it (no transitional processing, no
 * hyphen and length checks), with Punycode (RFC 3492). */
#include "text/text.h"

#include <string.h>

enum { BASE = 36, T_MIN = 1, T_MAX = 26, SKEW = 38, DAMP = 700, BIAS = 72, FIRST = 128 };

static uint32_t adapt(uint32_t delta, uint32_t points, bool first)
{
    uint32_t k = 0;
    delta = first ? delta / DAMP : delta / 2;
    for (delta += delta / points; delta > (BASE - T_MIN) * T_MAX / 2; k += BASE)
        delta /= BASE - T_MIN;
    return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

static uint32_t threshold(uint32_t k, uint32_t bias)
{
    return k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
}

/* A variable-length integer, least digit first (RFC 3492, 3.3). */
static void put_integer(struct adit_buf *out, uint32_t q, uint32_t bias)
{
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    for (uint32_t k = BASE;; k += BASE) {
        uint32_t t = threshold(k, bias);
        if (q < t) break;
        adit_buf_byte(out, digits[t + (q - t) % (BASE - t)]);
        q = (q - t) / (BASE - t);
    }
    adit_buf_byte(out, digits[q]);
}

/* The smallest code point of the label that is >= from. */
static uint32_t next_point(struct adit_str label, uint32_t from)
{
    uint32_t least = UINT32_MAX;
    for (size_t pos = 0; pos < label.len;) {
        uint32_t c = adit_utf8_next(label, &pos);
        if (c >= from && c < least) least = c;
    }
    return least;
}

/* Labels of DNS are short; the bound keeps the two loops over them short, too. */
enum { LABEL_MAX = 1024 };

static enum adit_code put_label(struct adit_str label, struct adit_buf *out)
{
    uint32_t total = (uint32_t)adit_utf8_count(label), done = 0, delta = 0, bias = BIAS;
    if (total > LABEL_MAX) return ADIT_EBAD;
    adit_buf_lit(out, "xn--");
    for (size_t i = 0; i < label.len; i++)
        if ((unsigned char)label.p[i] < FIRST) {
            adit_buf_byte(out, label.p[i]);
            done++;
        }
    uint32_t basic = done;
    if (basic) adit_buf_byte(out, '-');
    for (uint32_t n = FIRST; done < total; n++) {
        uint32_t m = next_point(label, n);
        delta += (m - n) * (done + 1); /* < 2^21 * 2^10 */
        n = m;
        for (size_t pos = 0; pos < label.len;) {
            uint32_t c = adit_utf8_next(label, &pos);
            if (c < n) delta++;
            if (c != n) continue;
            put_integer(out, delta, bias);
            bias = adapt(delta, done + 1, done == basic);
            delta = 0;
            done++;
        }
        delta++;
    }
    return out->err;
}

/* Decodes what stands behind "xn--" into points; false if it is no Punycode. */
static bool get_label(struct adit_str s, uint32_t *points, size_t *n_points)
{
    size_t n = 0, at = s.len;
    while (at > 0 && s.p[at - 1] != '-') at--;
    if (s.len > LABEL_MAX) return false;
    for (size_t i = 0; at > 0 && i + 1 < at; i++) points[n++] = (unsigned char)s.p[i];
    uint32_t point = FIRST, i = 0, bias = BIAS;
    while (at < s.len) {
        uint32_t old = i, weight = 1;
        for (uint32_t k = BASE;; k += BASE) {
            if (at == s.len) return false;
            char c = adit_lower(s.p[at++]);
            uint32_t digit = adit_is_digit(c) ? (uint32_t)(c - '0') + 26 : (uint32_t)(c - 'a');
            if (digit >= BASE || digit > (UINT32_MAX - i) / weight) return false;
            i += digit * weight;
            uint32_t t = threshold(k, bias);
            if (digit < t) break;
            if (weight > UINT32_MAX / (BASE - t)) return false;
            weight *= BASE - t;
        }
        bias = adapt(i - old, (uint32_t)n + 1, old == 0);
        point += i / ((uint32_t)n + 1);
        i %= (uint32_t)n + 1;
        if (point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return false;
        memmove(points + i + 1, points + i, (n - i) * sizeof *points);
        points[i++] = point;
        n++;
    }
    *n_points = n;
    return true;
}

/* Code points that UTS 46 maps to nothing. */
static bool is_ignored(uint32_t c)
{
    return c == 0xAD || c == 0x34F || c == 0x180B || c == 0x180C || c == 0x180D || c == 0x180F ||
           c == 0x200B || c == 0x2060 || c == 0x2064 || c == 0xFEFF ||
           (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF);
}

/* Characters that IDNA 2008 keeps although case folding would change them. */
static bool is_kept(uint32_t c) { return c == 0xDF || c == 0x3C2; }

static bool is_disallowed(uint32_t c)
{
    switch (adit_cp_category(c)) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_ZS: return c >= 0x80;
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF: return c >= 0x80 && c != 0x200C && c != 0x200D;
    default: return c == 0xFFFD;
    }
}

/* Ignored characters go, full stops become dots, letters are case-folded. */
static void fold(struct adit_str s, struct adit_buf *out)
{
    for (size_t pos = 0; pos < s.len;) {
        uint32_t c = adit_utf8_next(s, &pos);
        if (is_ignored(c)) continue;
        if (c == 0x3002 || c == 0xFF0E || c == 0xFF61)
            adit_buf_byte(out, '.');
        else if (c == 0xFFFD || is_kept(c))
            adit_utf8_put(out, c);
        else
            adit_cp_fold(c, out);
    }
}

/* Maps a whole domain name: folded and NFKC, until neither changes anything (some characters need
 * one before the other). */
static enum adit_code map(struct adit_str s, struct adit_mem mem, struct adit_buf *out)
{
    struct adit_buf folded, composed;
    adit_buf_init(&folded, mem, out->max);
    adit_buf_init(&composed, mem, out->max);
    fold(s, &folded);
    enum adit_code code = folded.err;
    if (code == ADIT_OK) code = adit_nfkc(adit_buf_str(&folded), mem, &composed);
    adit_buf_clear(&folded);
    fold(adit_buf_str(&composed), &folded);
    if (code == ADIT_OK) code = folded.err;
    if (code == ADIT_OK) code = adit_nfkc(adit_buf_str(&folded), mem, out);
    adit_buf_free(&folded);
    adit_buf_free(&composed);
    return code;
}

/* ADIT_EBAD unless mapping leaves the name as it is. */
static enum adit_code check_mapped(struct adit_str s, struct adit_mem mem)
{
    struct adit_buf again;
    adit_buf_init(&again, mem, s.len * 20 + 64);
    enum adit_code code = map(s, mem, &again);
    if (code == ADIT_OK && !adit_str_eq(adit_buf_str(&again), s)) code = ADIT_EBAD;
    adit_buf_free(&again);
    return code;
}

static bool is_valid_unicode_label(struct adit_str label)
{
    size_t pos = 0;
    if (label.len && adit_cp_is_mark(adit_utf8_next(label, &pos))) return false;
    for (pos = 0; pos < label.len;)
        if (is_disallowed(adit_utf8_next(label, &pos))) return false;
    return true;
}

/* An "xn--" label must be what the way to ASCII would have given. */
static enum adit_code check_encoded(struct adit_str label, struct adit_mem mem)
{
    uint32_t points[LABEL_MAX + 1];
    size_t n = 0;
    if (!get_label(adit_str_sub(label, 4, label.len), points, &n) || n == 0) return ADIT_EBAD;
    struct adit_buf text;
    adit_buf_init(&text, mem, n * 4);
    bool foreign = false;
    for (size_t i = 0; i < n; i++) {
        adit_utf8_put(&text, points[i]);
        foreign = foreign || points[i] >= 0x80;
    }
    struct adit_str s = adit_buf_str(&text);
    bool right = foreign && is_valid_unicode_label(s) && adit_str_chr(s, '.', 0) == s.len;
    enum adit_code code = text.err ? text.err : right ? check_mapped(s, mem) : ADIT_EBAD;
    adit_buf_free(&text);
    return code;
}

static enum adit_code labels(struct adit_str mapped, struct adit_mem mem, struct adit_buf *out)
{
    struct adit_str label;
    bool first = true;
    for (struct adit_str rest = mapped; adit_str_split(&rest, '.', &label); first = false) {
        if (!first) adit_buf_byte(out, '.');
        bool ascii = adit_ascii_len(label, 0) == label.len;
        if (!ascii && (!is_valid_unicode_label(label) || adit_str_starts(label, ADIT_STR("xn--"))))
            return ADIT_EBAD;
        if (ascii && adit_str_starts(label, ADIT_STR("xn--"))) ADIT_TRY(check_encoded(label, mem));
        if (ascii)
            adit_buf_add(out, label);
        else
            ADIT_TRY(put_label(label, out));
    }
    return out->err;
}

enum adit_code adit_domain_to_ascii(struct adit_str domain, struct adit_arena *arena,
                                    struct adit_str *out)
{
    struct adit_buf mapped, ascii;
    adit_buf_init(&mapped, arena->mem, (size_t)ADIT_LIMIT_url_bytes * 4);
    adit_buf_init(&ascii, arena->mem, ADIT_LIMIT_url_bytes);
    enum adit_code code = map(domain, arena->mem, &mapped);
    if (code == ADIT_OK) code = labels(adit_buf_str(&mapped), arena->mem, &ascii);
    bool ok = true;
    if (code == ADIT_OK) *out = adit_arena_dup(arena, adit_buf_str(&ascii), &ok);
    adit_buf_free(&mapped);
    adit_buf_free(&ascii);
    return ok ? code : ADIT_ENOMEM;
}
