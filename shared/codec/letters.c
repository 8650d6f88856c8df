/* What texts of one byte a character cost: by the letters that follow each other in a language. */
#include "codec/detect_impl.h"
#include "codec/letters_impl.h"
#include "text/text.h"

#include <string.h>

/* Costs in bits of what the table of pairs does not have. */
enum {
    STEP = 2,        /* of the table */
    MARK = 7,        /* a quotation mark, a dash */
    APOSTROPHE = 13, /* U+2019 where no letter stands before it */
    SPACE = 6,       /* a no-break space, and where no letter stands before it: */
    SPACE_AGAIN = 4,
    SIGN = 9, /* any other sign, and behind a letter: */
    SIGN_INSIDE = 14,
    SIGN_AGAIN = 4,
    ODD = 20,    /* signs that texts seldom have */
    NUMBER = 10, /* fractions, small digits; an ASCII letter behind one: */
    NUMBER_LETTER = 10,
    MARK_LETTER = 4, /* an ASCII letter behind any of these, and no letter: */
    MARK_OTHER = 1,
    FOREIGN_END = 5, /* and no letter behind it */
    FOREIGN = 14,    /* a letter that the language has not */
    CONTROL = 16,
    NONE = 20,  /* the encoding has no such byte */
    MIXED = 12, /* an ASCII letter beside one of another script */
    BESIDE = 4, /* a word of ASCII letters beside one of another script */
    CAPITAL = 2,
    CAPITAL_AGAIN = 1,
    CAPITAL_INSIDE = 7,
};

enum { PLAIN_UNIT = 64, PLAIN_MOST = 16 }; /* letters for a byte from 0x80 on */

/* Classes of characters: 0 no letter, 1 to 26 a to z, the language's letters from LETTERS on, and
 * these. */
enum {
    LETTERS = 27,
    IS_FOREIGN = 0xF0,
    IS_MARK,
    IS_APOSTROPHE,
    IS_SPACE,
    IS_NUMBER,
    IS_SIGN,
    IS_RARE,
    IS_ODD,
    IS_CONTROL,
    IS_NONE
};
enum { UPPER = 0x100 }; /* beside the class of a capital */

/* How a language is written, and so which rows its table of pairs has (letters_impl.h). */
enum kind {
    LATIN,  /* in ASCII letters and others */
    PAIRS,  /* in others */
    SINGLE, /* in others, so unlike all else that no pairs are looked at */
};

#define LANGUAGE(name, kind) \
    {#name, kind, plain_##name, ADIT_COUNT(letters_##name), letters_##name, pairs_##name}

static const struct language {
    const char *name;
    enum kind kind;
    uint32_t plain; /* cost of an ASCII letter, in 1 / PLAIN_UNIT bits */
    size_t n;
    const uint16_t *letters;
    const char *pairs;
} languages[] = {
    LANGUAGE(fr, LATIN),  LANGUAGE(de, LATIN),  LANGUAGE(es, LATIN),  LANGUAGE(pt, LATIN),
    LANGUAGE(it, LATIN),  LANGUAGE(nl, LATIN),  LANGUAGE(sv, LATIN),  LANGUAGE(da, LATIN),
    LANGUAGE(fi, LATIN),  LANGUAGE(is, LATIN),  LANGUAGE(pl, LATIN),  LANGUAGE(cs, LATIN),
    LANGUAGE(sk, LATIN),  LANGUAGE(hu, LATIN),  LANGUAGE(ro, LATIN),  LANGUAGE(hr, LATIN),
    LANGUAGE(tr, LATIN),  LANGUAGE(lt, LATIN),  LANGUAGE(lv, LATIN),  LANGUAGE(et, LATIN),
    LANGUAGE(vi, LATIN),  LANGUAGE(eo, LATIN),  LANGUAGE(ru, PAIRS),  LANGUAGE(uk, PAIRS),
    LANGUAGE(bg, PAIRS),  LANGUAGE(sr, PAIRS),  LANGUAGE(el, SINGLE), LANGUAGE(he, SINGLE),
    LANGUAGE(ar, SINGLE), LANGUAGE(fa, SINGLE), LANGUAGE(th, SINGLE),
};

/* Which languages sites wrote in an encoding, and what it costs to suppose it, in bits: next to
 * windows-1252, seldom ones must say much more. In doubt the earlier row wins. */
static const struct {
    const char *label, *languages;
    uint32_t prior;
} rows[] = {
    {"windows-1252", "fr de es pt it nl sv da fi is", 0},
    {"windows-1251", "ru uk bg sr", 8},
    {"windows-1250", "pl cs sk hu ro hr", 5},
    {"iso-8859-2", "pl cs sk hu ro hr", 6},
    {"windows-1254", "tr", 6},
    {"windows-1253", "el", 8},
    {"iso-8859-7", "el", 9},
    {"windows-1255", "he", 10},
    {"windows-1256", "ar fa", 10},
    {"windows-874", "th", 10},
    {"windows-1257", "lt lv et", 6},
    {"koi8-r", "ru bg", 12},
    {"koi8-u", "uk ru", 14},
    {"windows-1258", "vi", 8},
    {"iso-8859-15", "fr de es it nl fi et", 2},
    {"iso-8859-13", "lt lv et", 9},
    {"iso-8859-4", "lt lv et", 10},
    {"iso-8859-5", "ru bg sr", 14},
    {"iso-8859-6", "ar", 14},
    {"iso-8859-8", "he", 14},
    {"ibm866", "ru", 14},
    {"x-mac-cyrillic", "ru uk", 16},
    {"macintosh", "fr de es pt it sv da fi", 11},
    {"iso-8859-3", "eo", 10},
};

/* --- bytes to classes ------------------------------------------------------------------------- */

static bool is_one_of(const uint16_t *list, size_t n, uint32_t cp)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == cp) return true;
    return false;
}

/* Of a sign. */
static uint16_t sign_class(uint32_t cp)
{
    static const uint16_t marks[] = {0xAB,   0xBB,   0x2013, 0x2014, 0x2018, 0x201A,
                                     0x201C, 0x201D, 0x201E, 0x2026, 0x60C,  0x200C};
    static const uint16_t odd[] = {0xA4, 0xA6, 0xA8, 0xAC, 0xAF, 0xB8};
    if (cp == 0xA0) return IS_SPACE;
    if (cp == 0x2019 || cp == 0xB4) return IS_APOSTROPHE;
    if (cp == 0xB6) return IS_RARE;
    if (cp == 0xB2 || cp == 0xB3 || cp == 0xB9 || (cp >= 0xBC && cp <= 0xBE)) return IS_NUMBER;
    if (is_one_of(marks, ADIT_COUNT(marks), cp)) return IS_MARK;
    bool drawn = (cp >= 0x2C6 && cp <= 0x2DD) || (cp >= 0x2200 && cp <= 0x25FF);
    return drawn || is_one_of(odd, ADIT_COUNT(odd), cp) ? IS_ODD : IS_SIGN;
}

static size_t letter_index(const struct language *l, uint32_t cp)
{
    size_t i = 0;
    while (i < l->n && l->letters[i] != cp) i++;
    return i;
}

static uint16_t class_of(const struct language *l, uint32_t cp)
{
    size_t i = letter_index(l, cp);
    if (i < l->n) return (uint16_t)(LETTERS + i);
    if (cp > 0x10FFFF || cp == 0xFFFD) return IS_NONE;
    if (cp < 0xA0) return IS_CONTROL;
    if (!adit_cp_is_letter(cp) || cp == 0xAA || cp == 0xBA) return sign_class(cp);
    uint32_t lower = adit_cp_lower(cp);
    uint16_t upper = lower == cp ? 0 : UPPER;
    i = letter_index(l, lower);
    return (i < l->n ? (uint16_t)(LETTERS + i) : IS_FOREIGN) | upper;
}

static void map_ascii(uint16_t map[256])
{
    memset(map, 0, 256 * sizeof *map);
    for (unsigned i = 0; i < 26; i++) {
        map['a' + i] = (uint16_t)(1 + i);
        map['A' + i] = (uint16_t)(1 + i) | UPPER;
    }
}

/* --- costs ------------------------------------------------------------------------------------ */

static uint32_t pair_cost(const struct language *l, size_t row, size_t column)
{
    return (uint32_t)(l->pairs[row * l->n + column] - 'a') * STEP;
}

static bool is_word(unsigned class) { return class && class <= IS_FOREIGN; }

/* The rows of a table of pairs before those of the letters. */
static unsigned first_row(const struct language *l) { return l->kind == LATIN ? LETTERS : 1; }

/* Of a letter of the language, behind any class. */
static uint32_t letter_cost(const struct language *l, unsigned before, unsigned letter)
{
    unsigned row = 0;
    if (before >= LETTERS && before < IS_FOREIGN && l->kind != SINGLE)
        row = first_row(l) + before - LETTERS;
    else if (before && before < LETTERS && l->kind != LATIN)
        return MIXED;
    else if (before < LETTERS)
        row = before;
    return pair_cost(l, row, letter - LETTERS);
}

/* Of ASCII behind a byte that is not. */
static uint32_t ascii_cost(const struct language *l, unsigned before, unsigned now)
{
    unsigned rows_n = first_row(l) + (l->kind == SINGLE ? 0 : (unsigned)l->n);
    if (before == IS_FOREIGN && !now) return FOREIGN_END;
    if (before == IS_NUMBER && now) return NUMBER_LETTER;
    if (before >= IS_FOREIGN) return now ? MARK_LETTER : MARK_OTHER;
    return now && l->kind != LATIN ? MIXED : pair_cost(l, rows_n + now, before - LETTERS);
}

/* Words are small, capitalised or all capitals. */
static uint32_t case_cost(unsigned before, unsigned now)
{
    if (!is_word(before & 0xFF)) return now & UPPER ? CAPITAL : 0;
    if (now & UPPER) return before & UPPER ? CAPITAL_AGAIN : CAPITAL_INSIDE;
    return before & UPPER ? CAPITAL_AGAIN : 0;
}

static uint32_t cost_of(const struct language *l, unsigned before, unsigned now)
{
    unsigned from = before & 0xFF, to = now & 0xFF;
    bool inside = is_word(from);
    switch (to) {
    case IS_MARK: return MARK;
    case IS_SPACE: return inside ? SPACE : SPACE_AGAIN;
    case IS_NUMBER: return NUMBER;
    case IS_RARE: return from == to ? SIGN_AGAIN : SIGN_INSIDE;
    case IS_ODD: return ODD;
    case IS_APOSTROPHE: return inside ? MARK : APOSTROPHE;
    case IS_SIGN: return from == to ? SIGN_AGAIN : inside ? SIGN_INSIDE : SIGN;
    case IS_FOREIGN: return FOREIGN + case_cost(before, now);
    case IS_CONTROL: return CONTROL;
    case IS_NONE: return NONE;
    case 0: return ascii_cost(l, from, 0);
    default: break;
    }
    uint32_t cost = to < LETTERS ? ascii_cost(l, from, to) : letter_cost(l, from, to);
    return cost + case_cost(before, now);
}

/* Whether two letters with one byte between them, which is none, are of different scripts. */
static bool is_beside(unsigned first, unsigned between, unsigned now)
{
    first &= 0xFF, now &= 0xFF;
    if (between || !first || !now) return false;
    return (first < LETTERS && now >= LETTERS && now < IS_FOREIGN) ||
           (now < LETTERS && first >= LETTERS && first < IS_FOREIGN);
}

/* Of all ASCII letters: a language that is full of others would else fit every text that has a few.
 * No more are counted than a page has that is mostly in that language. */
static uint32_t plain_cost(const struct language *l, const struct adit_sample *s)
{
    size_t most = s->high * PLAIN_MOST;
    return (uint32_t)(s->letters < most ? s->letters : most) * l->plain / PLAIN_UNIT;
}

/* Stops where it exceeds limit. */
static uint32_t sample_cost(const struct language *l, const uint16_t map[256],
                            const struct adit_sample *s, uint32_t cost, uint32_t limit)
{
    unsigned first = 0, before = 0;
    bool was_high = false;
    for (size_t i = 0; i < s->len && cost < limit; i++) {
        bool high = s->bytes[i] >= 0x80;
        unsigned now = map[s->bytes[i]];
        if (high || was_high) cost += cost_of(l, before, now);
        if (l->kind != LATIN && is_beside(first, before, now)) cost += BESIDE;
        first = before;
        before = now;
        was_high = high;
    }
    return cost;
}

static const struct language *find_language(struct adit_str name)
{
    size_t i = 0;
    while (i + 1 < ADIT_COUNT(languages) && !adit_str_eq(adit_str_z(languages[i].name), name)) i++;
    return &languages[i];
}

static void decode_upper(const struct adit_encoding *e, uint32_t cps[128])
{
    for (unsigned i = 0; i < 128; i++) {
        lxb_encoding_decode_t ctx = {0};
        lxb_char_t byte = (lxb_char_t)(0x80 + i);
        const lxb_char_t *p = &byte;
        cps[i] = e->decode(&ctx, &p, p + 1);
    }
}

void adit_guess_letters(const struct adit_sample *s, const struct adit_language_hints *hints,
                        struct adit_guess *best)
{
    uint16_t map[256];
    uint32_t cps[128];
    map_ascii(map);
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        const struct adit_encoding *e = adit_encoding_find(adit_str_z(rows[i].label));
        struct adit_str names = adit_str_z(rows[i].languages), name;
        decode_upper(e, cps);
        while (adit_str_split(&names, ' ', &name)) {
            const struct language *l = find_language(name);
            for (unsigned k = 0; k < 128; k++) map[0x80 + k] = class_of(l, cps[k]);
            uint32_t prior = rows[i].prior + adit_language_prior(hints, l->name);
            prior += plain_cost(l, s);
            uint32_t cost = sample_cost(l, map, s, prior, best->cost);
            if (cost < best->cost) *best = (struct adit_guess){e, cost};
        }
    }
}
