/* HTML character references (WHATWG HTML, 13.2.5.72 to 80), with lexbor's table of names: a ternary
 * search tree in one array, root at 1, 0 is "none". */
#include "text/text.h"

#include <lexbor/core/sbst.h>
#include <lexbor/html/tokenizer/res.h>

#include <string.h>

/* What numeric references to C1 controls mean: windows-1252 (numeric character reference end
 * state). 0 stays as it is. */
static const uint16_t c1_meaning[32] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

/* Zeros before a number say nothing, however many they are. */
static size_t skip_zeros(struct adit_str s, size_t i)
{
    static const char zeros[8] = "00000000";
    while (s.len - i > sizeof zeros && !memcmp(s.p + i, zeros, sizeof zeros)) i += sizeof zeros;
    return i;
}

/* Where the digits of a number end that is too large already. */
static size_t skip_digits(struct adit_str s, size_t i, bool hex)
{
    while (i < s.len && (hex ? adit_hex(s.p[i]) >= 0 : s.p[i] >= '0' && s.p[i] <= '9')) i++;
    return i;
}

/* After "&#"; returns the length of the reference from s.p, 0 if it is none. */
static size_t read_numeric(struct adit_str s, char out[ADIT_REFERENCE_MAX], size_t *len)
{
    bool hex = s.len > 2 && (s.p[2] == 'x' || s.p[2] == 'X');
    size_t from = hex ? 3 : 2, i = s.len > from ? skip_zeros(s, from) : from;
    uint32_t cp = 0;
    for (; i < s.len && cp <= 0x10FFFF; i++) {
        int digit = adit_hex(s.p[i]);
        if (digit < 0 || (!hex && digit > 9)) break;
        cp = cp * (hex ? 16 : 10) + (uint32_t)digit;
    }
    if (cp > 0x10FFFF) i = skip_digits(s, i, hex);
    if (i == from) return 0;
    if (cp == 0)
        cp = 0xFFFD;
    else if (cp >= 0x80 && cp < 0xA0 && c1_meaning[cp - 0x80])
        cp = c1_meaning[cp - 0x80];
    *len = adit_utf8_encode(cp, out); /* surrogates and too large ones become U+FFFD there */
    return i < s.len && s.p[i] == ';' ? i + 1 : i;
}

/* The longest name that the text begins with, as the tokenizer takes it. In a value a name without
 * its semicolon is text if more of a word, or =, follows: "?a=1&copy=2". */
static size_t read_named(struct adit_str s, bool value, char out[ADIT_REFERENCE_MAX], size_t *len)
{
    const lexbor_sbst_entry_static_t *table = lxb_html_tokenizer_res_entities_sbst;
    const lexbor_sbst_entry_static_t *e = &table[1], *match = NULL;
    size_t end = 0;
    for (size_t i = 1; i < s.len; i++) {
        e = lexbor_sbst_entry_static_find(table, e, (lxb_char_t)s.p[i]);
        if (!e) break;
        if (e->value[0]) match = e, end = i + 1;
        e = &table[e->next];
    }
    if (!match) return 0;
    if (value && s.p[end - 1] != ';' && end < s.len && (s.p[end] == '=' || adit_is_alnum(s.p[end])))
        return 0;
    memcpy(out, match->value, match->value_len);
    *len = match->value_len;
    return end;
}

size_t adit_reference_read(struct adit_str s, bool value, char out[ADIT_REFERENCE_MAX], size_t *len)
{
    if (s.len < 2) return 0;
    if (s.p[1] == '#') return read_numeric(s, out, len);
    return adit_is_alpha(s.p[1]) ? read_named(s, value, out, len) : 0;
}

void adit_entities_decode(struct adit_str s, struct adit_buf *out)
{
    size_t i = 0;
    while (i < s.len) {
        size_t amp = adit_str_chr(s, '&', i);
        adit_buf_add(out, adit_str_sub(s, i, amp));
        if (amp == s.len) return;
        char meaning[ADIT_REFERENCE_MAX] = "&";
        size_t n = 1;
        size_t len = adit_reference_read(adit_str_sub(s, amp, s.len), false, meaning, &n);
        adit_buf_add(out, adit_str_of(meaning, n));
        i = amp + (len ? len : 1);
    }
}
