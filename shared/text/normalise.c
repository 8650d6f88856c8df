/* The normalisation of content strings for fingerprints (TCT, Normalization Algorithm).
 *
 * Steps 1 and 2 are passes of their own and are left out when they would change nothing (no
 * ampersand; ASCII only). Steps 3 to 6, folding, removing, collapsing and trimming, are one pass.
 */
#include "text/text.h"

/* By how much text can grow: "&nGt;" becomes 6 bytes, U+FDFA 33. */
enum { DECODED_GROWTH = 2, COMPOSED_GROWTH = 11 };

struct squeeze {
    struct adit_buf *out;
    size_t start;     /* where our output begins in out */
    bool after_space; /* a SPACE would collapse into the one before, or is leading */
};

static bool collapses(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* One ASCII byte to `to`; returns how many were written. */
static size_t squeeze_byte(struct squeeze *q, char c, char *to)
{
    if (collapses(c)) {
        if (q->after_space) return 0;
        q->after_space = true;
        *to = ' ';
        return 1;
    }
    if ((unsigned char)c < 0x20 || c == 0x7F) return 0;
    q->after_space = false;
    *to = adit_lower(c);
    return 1;
}

/* Whether eight ASCII bytes only need folding: no control character, no two SPACEs together. */
static bool plain_word(uint64_t w)
{
    uint64_t space = adit_swar_eq(w, ' ');
    return !(adit_swar_less(w, ' ') | adit_swar_eq(w, 0x7F) | (space & space << 8));
}

static void squeeze_ascii(struct squeeze *q, struct adit_str s)
{
    if (s.len == 0 || !adit_buf_reserve(q->out, s.len)) return;
    char *to = q->out->p + q->out->len;
    size_t i = 0;
    while (i + 8 <= s.len) {
        uint64_t w = adit_swar_load(s.p + i);
        if (plain_word(w) && !(q->after_space && s.p[i] == ' ')) {
            w = adit_swar_lower(w);
            memcpy(to, &w, 8);
            to += 8;
            i += 8;
            q->after_space = s.p[i - 1] == ' ';
            continue;
        }
        for (size_t end = i + 8; i < end; i++) to += squeeze_byte(q, s.p[i], to);
    }
    for (; i < s.len; i++) to += squeeze_byte(q, s.p[i], to);
    q->out->len = (size_t)(to - q->out->p);
}

/* The code points beyond ASCII from s[i] on; returns where they end. */
static size_t squeeze_others(struct squeeze *q, struct adit_str s, size_t i)
{
    size_t at = i;
    while (at < s.len && (unsigned char)s.p[at] >= 0x80) {
        size_t before = at;
        uint32_t cp = adit_utf8_next(s, &at);
        bool control = cp < 0xA0;
        if (!control) q->after_space = false;
        if (!control && !adit_cp_folds(cp)) continue;
        adit_buf_add(q->out, adit_str_sub(s, i, before));
        if (!control) adit_cp_fold(cp, q->out);
        i = at;
    }
    adit_buf_add(q->out, adit_str_sub(s, i, at));
    return at;
}

static void squeeze(struct adit_str s, struct adit_buf *out)
{
    struct squeeze q = {.out = out, .start = out->len, .after_space = true};
    size_t i = 0;
    while (i < s.len) {
        size_t end = adit_ascii_len(s, i);
        squeeze_ascii(&q, adit_str_sub(s, i, end));
        i = squeeze_others(&q, s, end);
    }
    if (out->len > q.start && out->p[out->len - 1] == ' ') out->len--;
}

enum adit_code adit_text_normalise(struct adit_str s, struct adit_mem mem, struct adit_buf *out)
{
    struct adit_buf decoded, composed;
    if (s.len > SIZE_MAX / 32) return ADIT_ELIMIT;
    adit_buf_init(&decoded, mem, s.len * DECODED_GROWTH);
    adit_buf_init(&composed, mem, s.len * DECODED_GROWTH * COMPOSED_GROWTH);
    if (adit_str_chr(s, '&', 0) < s.len) {
        adit_entities_decode(s, &decoded);
        s = adit_buf_str(&decoded);
    }
    enum adit_code code = decoded.err;
    if (!code && adit_ascii_len(s, 0) < s.len) {
        code = adit_nfkc(s, mem, &composed);
        s = adit_buf_str(&composed);
    }
    if (!code) {
        squeeze(s, out);
        code = out->err;
    }
    adit_buf_free(&decoded);
    adit_buf_free(&composed);
    return code;
}
