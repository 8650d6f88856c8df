/* What texts of several bytes a character cost: by the kinds of characters that a language has. */
#include "codec/detect_impl.h"
#include "codec/letters_impl.h"

#include <string.h>

enum kind {
    OFTEN, /* the most frequent characters of the language */
    KNOWN, /* the next */
    HAN,
    HANGUL,
    HIRAGANA,
    KATAKANA,
    PUNCT,  /* of East Asia, and wide forms of ASCII */
    SIGN,   /* anything else */
    NARROW, /* katakana of half the width */
    ODD,    /* for private use, or none */
    KINDS
};

/* Costs in bits of ASCII beside such characters. */
enum { BEHIND_LETTER = 4, BEHIND_OTHER = 2 };

#define WIDE(name) often_##name, ADIT_COUNT(often_##name), known_##name, ADIT_COUNT(known_##name)

static const struct wide {
    const char *label, *language;
    const uint8_t *often;
    size_t often_n;
    const uint8_t *known;
    size_t known_n;
    uint8_t prior, space, letter; /* ASCII behind a character: not a letter, a letter */
    uint8_t cost[KINDS];
} rows[] = {
    /*                                            OFT KNO HAN HGL HIR KAT PCT SGN NRW ODD */
    {"gb18030", "zh", WIDE(zh), 8, 4, 7, {8, 10, 15, 22, 17, 17, 6, 13, 22, 24}},
    {"big5", "tw", WIDE(tw), 8, 4, 7, {8, 10, 15, 22, 17, 17, 6, 13, 22, 24}},
    {"shift_jis", "ja", WIDE(ja), 8, 4, 7, {9, 12, 16, 22, 6, 8, 6, 13, 14, 24}},
    {"euc-jp", "ja", WIDE(ja), 8, 4, 7, {9, 12, 16, 22, 6, 8, 6, 13, 18, 24}},
    {"euc-kr", "ko", WIDE(ko), 8, 2, 7, {7, 10, 18, 15, 20, 20, 8, 13, 22, 24}},
};

enum { HAN_FIRST = 0x4E00, HAN_LAST = 0x9FFF, HANGUL_FIRST = 0xAC00, HANGUL_LAST = 0xD7A3 };
enum { MAP_LEN = HAN_LAST - HAN_FIRST + 1 };

/* Two bits a character: 1 OFTEN, 2 KNOWN. */
struct tiers {
    uint32_t first;
    uint8_t bits[MAP_LEN / 4];
};

static void mark(struct tiers *t, const uint8_t *distances, size_t n, unsigned tier)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        at += distances[i];
        if (distances[i] != 255) t->bits[at / 4] |= (uint8_t)(tier << at % 4 * 2);
    }
}

static void make_tiers(const struct wide *w, struct tiers *t)
{
    memset(t, 0, sizeof *t);
    t->first = adit_str_eq(adit_str_z(w->language), ADIT_STR("ko")) ? HANGUL_FIRST : HAN_FIRST;
    mark(t, w->often, w->often_n, 1);
    mark(t, w->known, w->known_n, 2);
}

static enum kind kind_of(const struct tiers *t, uint32_t cp)
{
    if (cp >= t->first && cp - t->first < MAP_LEN) {
        unsigned tier = t->bits[(cp - t->first) / 4] >> (cp - t->first) % 4 * 2 & 3;
        if (tier) return tier == 1 ? OFTEN : KNOWN;
    }
    if (cp >= HAN_FIRST && cp <= HAN_LAST) return HAN;
    if (cp >= HANGUL_FIRST && cp <= HANGUL_LAST) return HANGUL;
    if (cp >= 0x3041 && cp <= 0x309F) return HIRAGANA;
    if (cp >= 0x30A0 && cp <= 0x30FF) return KATAKANA;
    if (cp >= 0x3000 && cp <= 0x303F) return PUNCT;
    if (cp >= 0xFF01 && cp <= 0xFF5E) return PUNCT;
    if (cp >= 0xFF61 && cp <= 0xFF9F) return NARROW;
    bool odd = cp < 0xA0 || (cp >= 0xD800 && cp <= 0xF8FF) || cp == 0xFFFD || cp > 0x2FFFF;
    return odd ? ODD : SIGN;
}

static uint32_t ascii_cost(const struct wide *w, lxb_char_t c)
{
    return adit_is_alpha((char)c) ? w->letter : w->space;
}

static uint32_t sample_cost(const struct wide *w, const struct adit_encoding *e,
                            const struct adit_sample *s, uint32_t cost, uint32_t limit)
{
    lxb_encoding_decode_t ctx = {0};
    struct tiers tiers;
    const lxb_char_t *p = s->bytes, *end = p + s->len;
    lxb_char_t ascii = ' ';
    make_tiers(w, &tiers);
    while (p < end && cost < limit) {
        if (*p < 0x80 && !ctx.second_codepoint && !ctx.u.lead) {
            if (!ascii) cost += ascii_cost(w, *p);
            ascii = *p++;
            continue;
        }
        lxb_codepoint_t cp = e->decode(&ctx, &p, end);
        if (cp == LXB_ENCODING_DECODE_CONTINUE) continue;
        if (ascii) cost += adit_is_alpha((char)ascii) ? BEHIND_LETTER : BEHIND_OTHER;
        cost += w->cost[kind_of(&tiers, cp)];
        ascii = 0;
    }
    return cost;
}

void adit_guess_wide(const struct adit_sample *s, const struct adit_language_hints *hints,
                     struct adit_guess *best)
{
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        const struct adit_encoding *e = adit_encoding_find(adit_str_z(rows[i].label));
        uint32_t prior = rows[i].prior + adit_language_prior(hints, rows[i].language);
        uint32_t cost = sample_cost(&rows[i], e, s, prior, best->cost);
        if (cost < best->cost) *best = (struct adit_guess){e, cost};
    }
}
