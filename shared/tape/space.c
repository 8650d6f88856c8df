/* White space as a browser renders it: one pass, eight bytes at a time where nothing is to do. */
#include "tape/tape.h"

#include "text/text.h"

#include <string.h>

enum { VISIBLE, SPACE, NOTHING, CJK };

/* The code point at p (n > 0 bytes left); *len its bytes. Bytes that are no UTF-8 give 0. */
static uint32_t code_point(const unsigned char *p, size_t n, size_t *len)
{
    *len = 1;
    uint32_t c = p[0];
    if (c < 0x80) return c;
    size_t want = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC2 ? 2 : 0;
    if (!want || want > n || c > 0xF4) return 0;
    c &= 0x7Fu >> want;
    for (size_t i = 1; i < want; i++) {
        if ((p[i] & 0xC0) != 0x80) return 0;
        c = c << 6 | (p[i] & 0x3Fu);
    }
    *len = want;
    return c;
}

static int class_of(uint32_t c)
{
    if (c < 0x80)
        return c == ' ' || (c >= '\t' && c <= '\r') ? SPACE
               : c < 0x20 || c == 0x7F              ? NOTHING
                                                    : VISIBLE;
    if (c < 0x2000) {
        if (c == 0xA0 || c == 0x85 || c == 0x1680) return SPACE;
        return c < 0xA0 || c == 0xAD || c == 0x180E ? NOTHING : VISIBLE;
    }
    if (c < 0x2E80) {
        if (c <= 0x200A || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F) return SPACE;
        return c == 0x200B || c == 0x2060 ? NOTHING : VISIBLE;
    }
    if (c == 0x3000) return SPACE;
    if (c <= 0x9FFF || (c >= 0xAC00 && c <= 0xD7AF) || (c >= 0xF900 && c <= 0xFAFF)) return CJK;
    if (c == 0xFEFF) return NOTHING;
    if ((c >= 0xFF00 && c <= 0xFFEF) || (c >= 0x20000 && c <= 0x3FFFF)) return CJK;
    return VISIBLE;
}

static void put_pending(struct adit_space *s)
{
    if (s->pending && s->len) s->out[s->len++] = s->pending;
    s->pending = 0;
}

/* The next eight bytes of a text, filled up with NUL at its end. */
static uint64_t load(struct adit_str text, const char *p)
{
    size_t left = (size_t)(text.p + text.len - p);
    if (left >= 8) return adit_swar_load(p);
    return text.len >= 8 ? adit_swar_last(p + left, left) : adit_swar_tail(p, left);
}

/* Copies plain text, which stands at p, eight bytes at a time: printable ASCII without two spaces
 * in a row. Returns where that ends. */
static const char *copy_plain(struct adit_space *s, struct adit_str text, const char *p)
{
    put_pending(s);
    char *out = s->out + s->len;
    uint32_t spaces = 0;
    uint64_t stop;
    do {
        uint64_t w = load(text, p), space = adit_swar_eq(w, ' ');
        /* From DEL on, one more has the top bit, or the byte has it. No byte of UTF-8 is FF: no carry. */
        uint64_t beyond = (w | (w + ADIT_SWAR_ALL(1))) & ADIT_SWAR_ALL(0x80);
        stop = adit_swar_less(w, ' ') | beyond | (space & adit_swar_next(space));
        unsigned n = stop ? adit_swar_first(stop) : 8;
        /* A space at the end waits: more may follow. */
        n -= (n > 0) & adit_swar_has(space, (n - 1) & 7);
        spaces += adit_swar_count(space & adit_swar_head(n));
        memcpy(out, &w, 8);
        out += n, p += n;
    } while (!stop);
    size_t len = (size_t)(out - s->out);
    s->chars += (uint32_t)(len - s->len) - spaces;
    s->len = len;
    return p;
}

/* Whether eight bytes are white space and what says nothing. */
static bool blank_word(const char *p)
{
    return adit_swar_less(adit_swar_load(p), '!') == ADIT_SWAR_ALL(0x80);
}

/* The end of the white space from p on, often the indentation of a line. */
static const char *skip_blanks(const char *p, const char *end)
{
    while (end - p >= 8 && blank_word(p)) p += 8;
    while (p < end && (unsigned char)*p <= ' ') p++;
    return p;
}

/* Bytes of the character at p if it is surely visible, as most beyond ASCII are: 2 from U+00C0 to
 * U+07FF, 3 for Han and kana; 0: look closer. Three bytes can be read. */
static unsigned visible_len(const unsigned char *p)
{
    if ((p[1] & 0xC0) != 0x80) return 0;
    if (p[0] >= 0xC3 && p[0] < 0xE0) return 2;
    bool cjk = (p[0] >= 0xE4 && p[0] <= 0xE9) || (p[0] == 0xE3 && p[1] > 0x80);
    return cjk && (p[2] & 0xC0) == 0x80 ? 3 : 0;
}

/* Copies visible characters beyond ASCII, and single spaces between them. Returns where that ends. */
static const char *copy_wide(struct adit_space *s, const char *p, const char *end)
{
    put_pending(s);
    char *out = s->out + s->len;
    uint32_t chars = 0, cjk = 0;
    for (; end - p >= 4; chars++) {
        unsigned space = *p == ' ', n = visible_len((const unsigned char *)p + space);
        if (!n) break;
        memcpy(out, p, 4);
        out += n + space, p += n + space;
        cjk += n == 3;
    }
    s->chars += chars, s->cjk += cjk;
    s->len = (size_t)(out - s->out);
    return p;
}

void adit_space_add(struct adit_space *s, struct adit_str raw)
{
    if (!raw.len) return;
    const char *p = raw.p, *end = p + raw.len;
    while (p < end) {
        unsigned char c = (unsigned char)*p;
        size_t n = 1;
        if (c > ' ' && c < 0x7F) {
            p = copy_plain(s, raw, p);
            continue;
        }
        if (c >= 0xC3 && end - p >= 4 && visible_len((const unsigned char *)p)) {
            p = copy_wide(s, p, end);
            continue;
        }
        int class = class_of(code_point((const unsigned char *)p, (size_t)(end - p), &n));
        if (class == SPACE) {
            if (!s->pending) s->pending = ' ';
            p = skip_blanks(p + n, end);
            continue;
        }
        if (class != NOTHING) {
            put_pending(s);
            for (size_t i = 0; i < n; i++) s->out[s->len++] = p[i];
            s->chars++;
            s->cjk += class == CJK;
        }
        p += n;
    }
}

void adit_space_break(struct adit_space *s) { s->pending = '\n'; }

/* Whether all is white space, mostly indentation: 8 bytes per step; the last step may overlap. */
static bool is_indentation(struct adit_str raw)
{
    if (raw.len < 8) return false;
    for (size_t i = 0; i < raw.len - 8; i += 8)
        if (!blank_word(raw.p + i)) return false;
    return blank_word(raw.p + raw.len - 8);
}

bool adit_space_blank(struct adit_str raw)
{
    if (!raw.len) return true;
    unsigned char c = (unsigned char)raw.p[0];
    if (c > ' ' && c < 0x7F) return false;
    if (is_indentation(raw)) return true;
    for (size_t i = 0, n; i < raw.len; i += n) {
        n = 1;
        c = (unsigned char)raw.p[i];
        if (c <= ' ' || c == 0x7F) continue;
        if (c < 0x7F) return false;
        int class = class_of(code_point((const unsigned char *)raw.p + i, raw.len - i, &n));
        if (class == VISIBLE || class == CJK) return false;
    }
    return true;
}

struct adit_str adit_space_text(struct adit_arena *arena, struct adit_str raw, bool *ok)
{
    struct adit_space s = {.out = adit_arena_alloc(arena, raw.len + 8)};
    if (!s.out) {
        *ok = false;
        return (struct adit_str){0};
    }
    adit_space_add(&s, raw);
    return adit_str_of(s.out, s.len);
}

size_t adit_space_code(char *out, struct adit_str raw)
{
    size_t len = 0, n;
    for (size_t i = 0; i < raw.len; i += n) {
        uint32_t c = code_point((const unsigned char *)raw.p + i, raw.len - i, &n);
        if (c == '\r') {
            if (i + 1 == raw.len || raw.p[i + 1] != '\n') out[len++] = '\n';
        } else if (c == '\t' || c == '\n' || c == ' ') {
            out[len++] = (char)c;
        } else if (c == 0xA0) {
            out[len++] = ' ';
        } else if (c != 0xFEFF && class_of(c) != NOTHING) {
            memcpy(out + len, raw.p + i, n);
            len += n;
        }
    }
    return len;
}
