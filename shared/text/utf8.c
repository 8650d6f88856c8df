/* UTF-8: checking, repair, iteration.
 *
 * Well-formed sequences are those of Unicode's table 3-7; adit_utf8_sequence_slow holds it. Repair
 * replaces each maximal subpart, as "U+FFFD Substitution of Maximal Subparts" and the WHATWG
 * decoder agree on. */
#include "text/text.h"

#include <string.h>

#define HIGH_BITS 0x8080808080808080u

size_t adit_ascii_len(struct adit_str s, size_t from)
{
    size_t i = from;
    uint64_t w, four[4];
    for (; i + sizeof four <= s.len; i += sizeof four) {
        memcpy(four, s.p + i, sizeof four);
        if ((four[0] | four[1] | four[2] | four[3]) & HIGH_BITS) break;
    }
    for (; i + 8 <= s.len; i += 8) {
        memcpy(&w, s.p + i, 8);
        if (w & HIGH_BITS) break;
    }
    while (i < s.len && (unsigned char)s.p[i] < 0x80) i++;
    return i;
}

int adit_utf8_sequence_slow(const char *text, size_t len)
{
    const unsigned char *p = (const unsigned char *)text;
    unsigned char c = p[0], lo = 0x80, hi = 0xBF;
    int n;
    if (c < 0xC2 || c > 0xF4) return -1;
    if (c < 0xE0)
        n = 2;
    else if (c < 0xF0)
        n = 3;
    else
        n = 4;
    switch (c) {
    case 0xE0: lo = 0xA0; break;
    case 0xED: hi = 0x9F; break;
    case 0xF0: lo = 0x90; break;
    case 0xF4: hi = 0x8F; break;
    default: break;
    }
    for (int i = 1; i < n; i++) {
        if ((size_t)i >= len || p[i] < lo || p[i] > hi) return -i;
        lo = 0x80, hi = 0xBF;
    }
    return n;
}

size_t adit_utf8_valid_len(struct adit_str s)
{
    size_t i = adit_ascii_len(s, 0);
    while (i < s.len) {
        int n = adit_utf8_sequence(s.p + i, s.len - i);
        if (n < 0) return i;
        i += (size_t)n;
        if (i < s.len && (unsigned char)s.p[i] < 0x80) i = adit_ascii_len(s, i);
    }
    return i;
}

bool adit_utf8_valid(struct adit_str s) { return adit_utf8_valid_len(s) == s.len; }

void adit_utf8_repair(struct adit_str s, struct adit_buf *out)
{
    size_t i = 0;
    while (i < s.len) {
        struct adit_str rest = adit_str_of(s.p + i, s.len - i);
        size_t good = adit_utf8_valid_len(rest);
        adit_buf_add(out, adit_str_sub(rest, 0, good));
        i += good;
        if (i == s.len) return;
        int n = adit_utf8_sequence(s.p + i, s.len - i);
        i += (size_t)-n;
        adit_buf_lit(out, "\xEF\xBF\xBD");
    }
}

uint32_t adit_utf8_next_slow(struct adit_str s, size_t *pos)
{
    const unsigned char *p = (const unsigned char *)s.p + *pos;
    if (p[0] < 0x80) {
        ++*pos;
        return p[0];
    }
    int n = adit_utf8_sequence(s.p + *pos, s.len - *pos);
    if (n < 0) {
        *pos += (size_t)-n;
        return 0xFFFD;
    }
    *pos += (size_t)n;
    if (n == 2) return (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu);
    if (n == 3) return (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
    return (p[0] & 0x07u) << 18 | (p[1] & 0x3Fu) << 12 | (p[2] & 0x3Fu) << 6 | (p[3] & 0x3Fu);
}

uint32_t adit_utf8_prev(struct adit_str s, size_t *pos)
{
    size_t start = *pos - 1, at;
    while (start > 0 && *pos - start < 4 && ((unsigned char)s.p[start] & 0xC0) == 0x80) start--;
    at = *pos = start;
    return adit_utf8_next(s, &at);
}

size_t adit_utf8_encode(uint32_t cp, char out[4])
{
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    if (cp < 0x800) {
        out[0] = (char)(0xC0 | cp >> 6);
        out[1] = (char)(0x80 | (cp & 0x3F));
        return 2;
    }
    if ((cp >= 0xD800 && cp < 0xE000) || cp > 0x10FFFF) cp = 0xFFFD;
    if (cp < 0x10000) {
        out[0] = (char)(0xE0 | cp >> 12);
        out[1] = (char)(0x80 | (cp >> 6 & 0x3F));
        out[2] = (char)(0x80 | (cp & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | cp >> 18);
    out[1] = (char)(0x80 | (cp >> 12 & 0x3F));
    out[2] = (char)(0x80 | (cp >> 6 & 0x3F));
    out[3] = (char)(0x80 | (cp & 0x3F));
    return 4;
}

void adit_utf8_put(struct adit_buf *out, uint32_t cp)
{
    char c[4];
    size_t n = adit_utf8_encode(cp, c);
    adit_buf_add(out, adit_str_of(c, n));
}

size_t adit_utf8_count(struct adit_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++) n += ((unsigned char)s.p[i] & 0xC0) != 0x80;
    return n;
}

struct adit_str adit_utf8_cut(struct adit_str s, size_t max)
{
    if (s.len <= max) return s;
    while (max > 0 && ((unsigned char)s.p[max] & 0xC0) == 0x80) max--;
    return adit_str_of(s.p, max);
}

/* Blocks of the scripts, merged; within them unassigned code points do no harm. */
bool adit_cp_is_cjk_slow(uint32_t cp)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x2E80, 0x2FDF},   /* radicals */
        {0x3005, 0x3007},   /* iteration mark, closing mark, zero */
        {0x3021, 0x3029},   /* Hangzhou numerals */
        {0x3031, 0x3035},   /* kana repeat marks */
        {0x3038, 0x303C},   /* Hangzhou numerals, vertical iteration mark, masu mark */
        {0x3041, 0x312F},   /* Hiragana, Katakana, Bopomofo */
        {0x31A0, 0x31BF},   /* Bopomofo extended */
        {0x31F0, 0x31FF},   /* Katakana phonetic extensions */
        {0x3400, 0x4DBF},   /* Han extension A */
        {0x4E00, 0x9FFF},   /* Han */
        {0xF900, 0xFAFF},   /* Han compatibility */
        {0xFF66, 0xFF9F},   /* halfwidth Katakana */
        {0x1AFF0, 0x1B16F}, /* kana extensions */
        {0x20000, 0x323AF}, /* Han extensions B to H */
    };
    for (size_t i = 0; i < ADIT_COUNT(ranges); i++)
        if (cp >= ranges[i].first && cp <= ranges[i].last) return true;
    return false;
}
