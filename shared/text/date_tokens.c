/* A text becomes tokens of which dates are made: numbers, months, words, signs, in any script. */
#include "text/date_impl.h"

enum { WORD_MAX = 48 };

static char unit_of(uint32_t c)
{
    switch (c) {
    case 0x5E74: /* 年 */
    case 0xB144: /* 년 */ return 'y';
    case 0x6708: /* 月 */
    case 0xC6D4: /* 월 */ return 'm';
    case 0x65E5: /* 日 */
    case 0x53F7: /* 号 */
    case 0xC77C: /* 일 */ return 'd';
    default: return 0;
    }
}

static bool is_word_char(uint32_t c)
{
    if (c < 0x80) return adit_is_alpha((char)c);
    return (adit_cp_is_letter(c) || adit_cp_is_mark(c)) && !unit_of(c);
}

static struct adit_date_token classify(struct adit_str folded)
{
    struct adit_date_token t = {.kind = ADIT_TOKEN_WORD};
    bool second;
    if (adit_month_number(folded, &second))
        return (struct adit_date_token){.kind = ADIT_TOKEN_WHICH, .value = second};
    unsigned month = adit_month_of_word(folded);
    int zone = 0;
    if (month) {
        t.kind = ADIT_TOKEN_MONTH;
        t.value = (int32_t)month;
        t.buddhist = adit_str_starts(folded, ADIT_STR("\xE0\xB8")) ||
                     adit_str_starts(folded, ADIT_STR("\xE0\xB9"));
    } else if (adit_zone_of_word(folded, &zone)) {
        t.kind = ADIT_TOKEN_ZONE;
        t.value = zone;
    } else if (adit_str_eq(folded, ADIT_STR("am")) || adit_str_eq(folded, ADIT_STR("pm"))) {
        t.kind = ADIT_TOKEN_HALF;
        t.value = folded.p[0] == 'p' ? 12 : 0;
    } else if (adit_is_date_filler(folded))
        t.kind = ADIT_TOKEN_FILLER;
    else if (adit_str_eq(folded, ADIT_STR("t")))
        t = (struct adit_date_token){.kind = ADIT_TOKEN_SIGN, .value = 'T'};
    else if (adit_date_unit_of_word(folded))
        t = (struct adit_date_token){.kind = ADIT_TOKEN_LEAD,
                                     .value = adit_date_unit_of_word(folded)};
    else if (adit_date_era_of_word(folded))
        t = (struct adit_date_token){.kind = ADIT_TOKEN_ERA,
                                     .value = adit_date_era_of_word(folded)};
    return t;
}

/* A word from *pos on; long ones are just words. */
static struct adit_date_token read_word(struct adit_str s, size_t *pos)
{
    char folded[WORD_MAX + 4];
    size_t n = 0;
    bool fits = true;
    while (*pos < s.len) {
        size_t next = *pos;
        uint32_t c = adit_utf8_next(s, &next);
        /* Thai abbreviates with dots inside. */
        bool dot = c == '.' && n > 2 && (unsigned char)folded[0] == 0xE0 && next < s.len &&
                   (unsigned char)s.p[next] == 0xE0;
        if (!is_word_char(c) && !dot) break;
        *pos = next;
        c = c < 0x80 ? (uint32_t)adit_lower((char)c) : adit_cp_lower(c);
        fits = fits && n <= WORD_MAX - 4;
        if (fits) n += adit_utf8_encode(c, folded + n);
    }
    return fits ? classify(adit_str_of(folded, n))
                : (struct adit_date_token){.kind = ADIT_TOKEN_WORD};
}

static struct adit_date_token read_number(struct adit_str s, size_t *pos)
{
    struct adit_date_token t = {.kind = ADIT_TOKEN_NUMBER};
    for (; *pos < s.len && adit_is_digit(s.p[*pos]); ++*pos) {
        if (t.digits < 9) t.value = t.value * 10 + (s.p[*pos] - '0');
        if (t.digits < 99) t.digits++;
    }
    return t;
}

/* Digits of other scripts that a date may be written in; a script's ten follow each other. */
static int foreign_digit(uint32_t c)
{
    static const uint16_t zeros[] = {
        0x660, 0x6F0,  0x966,  0x9E6,  0xA66, 0xAE6, /* Arabic, Persian, Indian scripts */
        0xB66, 0xBE6,  0xC66,  0xCE6,  0xD66, 0xE50, /* … Thai */
        0xED0, 0x1040, 0x17E0, 0xFF10,               /* Lao, Burmese, Khmer, fullwidth */
    };
    if (c < zeros[0]) return -1;
    for (size_t i = 0; i < ADIT_COUNT(zeros); i++)
        if (c >= zeros[i] && c < zeros[i] + 10u) return (int)(c - zeros[i]);
    return -1;
}

/* Signs of other scripts as the ASCII ones that they stand for. */
static int32_t sign_of(uint32_t c)
{
    static const struct {
        uint32_t from;
        char to;
    } signs[] = {{0x2010, '-'}, {0x2013, '-'}, {0x2014, '-'}, {0x2212, '-'}, {0x60C, ','},
                 {0x3001, ','}, {0xFF0C, ','}, {0xFF0E, '.'}, {0xFF0F, '/'}, {0xFF1A, ':'}};
    if (c < 0x80) return (int32_t)c;
    for (size_t i = 0; i < ADIT_COUNT(signs); i++)
        if (signs[i].from == c) return signs[i].to;
    return '*';
}

static void push(struct adit_date_tokens *t, struct adit_date_token one, bool gap)
{
    one.gap = gap;
    t->v[t->n++] = one;
}

void adit_date_tokenize(struct adit_str s, struct adit_date_tokens *t)
{
    bool gap = true;
    t->n = 0;
    s = adit_str_sub(s, 0, ADIT_DATE_TEXT_MAX);
    for (size_t pos = 0, next; pos < s.len && t->n < ADIT_DATE_TOKENS_MAX; pos = next) {
        next = pos;
        uint32_t c = adit_utf8_next(s, &next);
        if (adit_cp_is_space(c) || c == 0x200E || c == 0x200F) {
            gap = true;
            continue;
        }
        struct adit_date_token one = {.kind = ADIT_TOKEN_SIGN, .value = sign_of(c)};
        if (c < 0x80 && adit_is_digit((char)c)) {
            one = read_number(s, &pos);
            next = pos;
        } else if (foreign_digit(c) >= 0) {
            one = (struct adit_date_token){
                .kind = ADIT_TOKEN_NUMBER, .digits = 1, .value = foreign_digit(c)};
            struct adit_date_token *last = t->n ? &t->v[t->n - 1] : NULL;
            if (last && last->kind == ADIT_TOKEN_NUMBER && !gap && last->digits < 9) {
                last->value = last->value * 10 + one.value;
                last->digits++;
                continue;
            }
        } else if (is_word_char(c)) {
            one = read_word(s, &pos);
            next = pos;
        } else if (unit_of(c))
            one = (struct adit_date_token){.kind = ADIT_TOKEN_UNIT, .value = unit_of(c)};
        else if (c == 0xBA || c == 0xAA || c == 0xB0)
            one.kind = ADIT_TOKEN_FILLER;
        if (one.kind == ADIT_TOKEN_WHICH) {
            struct adit_date_token *last = t->n ? &t->v[t->n - 1] : NULL;
            if (last && last->kind == ADIT_TOKEN_MONTH)
                last->value = (last->value - 1 + one.value) % 12 + 1;
            continue;
        }
        push(t, one, gap);
        gap = false;
    }
    t->v[t->n] = (struct adit_date_token){.kind = ADIT_TOKEN_END};
}
