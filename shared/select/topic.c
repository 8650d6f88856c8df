/* What of the head a text says, in any language: words of the titles, which teasers of other stories do
 * not have; the text that JSON-LD states. */
#include "select/features_impl.h"
#include "text/text.h"

#include <string.h>

enum {
    STEM = 5,        /* letters that tell a word, whatever its ending */
    WORD_MIN = 4,    /* shorter words say little */
    TOPICS_MAX = 32, /* a bit each */
    HEAD_BITS = 10,  /* of the number of places for beginnings of words */
    BODY_BITS = 16   /* of the number of places for pairs of words */
};

_Static_assert(WORD_MIN + 1 == STEM, "ascii_stem");

#define PRIME UINT64_C(0x9E3779B97F4A7C15) /* odd: products of different numbers are different */

/* A text, read word by word. Scripts without spaces have no words to see: there a stem is two
 * letters (Chinese, Japanese, Korean) or four (Thai and its like) that stand together. */
struct words {
    struct adit_str text;
    size_t pos;
    uint64_t run; /* the last four letters without spaces, 16 bits each */
    unsigned n_run;
};

/* Letters of a stem in the script of cp; 0: words have spaces between them. */
static unsigned letters_of_stem(uint32_t cp)
{
    if (adit_cp_is_cjk(cp) || (cp >= 0xAC00 && cp <= 0xD7A3)) return 2;
    return (cp >= 0x0E01 && cp <= 0x109F) || (cp >= 0x1780 && cp <= 0x17D3) ? 4 : 0;
}

/* The stem that ends with cp, or 0. */
static uint64_t add_to_run(struct words *w, uint32_t cp, unsigned letters)
{
    w->run = w->run << 16 | (cp & 0xFFFF);
    if (++w->n_run < letters) return 0;
    return (letters == 4 ? w->run : w->run & UINT32_MAX) * PRIME;
}

static bool is_word_byte(unsigned char c)
{
    return (unsigned)((c | 0x20) - 'a') < 26 || (unsigned)(c - '0') < 10;
}

/* A stem with one more letter of its word. */
static uint64_t add_letter(uint64_t stem, uint32_t cp) { return (stem + cp) * PRIME; }

/* The stem of a word of len >= WORD_MIN ASCII letters and digits. */
static uint64_t ascii_stem(const char *word, size_t len)
{
    const unsigned char *p = (const unsigned char *)word;
    uint64_t stem = 1;
    for (int i = 0; i < WORD_MIN; i++) stem = add_letter(stem, p[i] | 0x20u);
    return len < STEM ? stem : add_letter(stem, p[WORD_MIN] | 0x20u);
}

/* A word, or what has been read of it. */
struct word {
    uint64_t stem;
    unsigned n; /* letters */
};

/* The ASCII letters and digits from pos on; returns where they end. */
static size_t read_ascii(struct adit_str text, size_t pos, struct word *word)
{
    const unsigned char *p = (const unsigned char *)text.p;
    size_t begin = pos;
    uint64_t stem = word->stem;
    unsigned room = word->n < STEM ? STEM - word->n : 0;
    for (; room && pos < text.len && is_word_byte(p[pos]); pos++, room--)
        stem = add_letter(stem, p[pos] | 0x20u);
    while (pos < text.len && is_word_byte(p[pos])) pos++;
    word->n += (unsigned)(pos - begin), word->stem = stem;
    return pos;
}

/* The next stem, as a number; 0: there are no more. */
static uint64_t next_stem(struct words *w)
{
    struct word word = {.stem = 1};
    while (w->pos < w->text.len) {
        size_t before = w->pos;
        unsigned letters = 0;
        if ((unsigned char)w->text.p[before] < 0x80) {
            w->pos = read_ascii(w->text, before, &word), w->n_run = 0;
            if (w->pos > before) continue;
            w->pos++;
        } else {
            uint32_t cp = adit_utf8_next(w->text, &w->pos);
            bool in_word = adit_cp_is_word(cp);
            letters = in_word ? letters_of_stem(cp) : 0;
            if (!letters) w->n_run = 0;
            if (in_word && !letters) {
                if (word.n++ < STEM)
                    word.stem =
                        add_letter(word.stem, (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp));
                continue;
            }
            uint64_t found = letters && word.n < WORD_MIN ? add_to_run(w, cp, letters) : 0;
            if (found) return found;
        }
        if (word.n >= WORD_MIN) {
            if (letters) w->pos = before;
            return word.stem;
        }
        word = (struct word){.stem = 1};
    }
    return word.n >= WORD_MIN ? word.stem : 0;
}

struct topics {
    uint64_t stems[TOPICS_MAX];
    size_t n;
    uint64_t seen; /* a bit for the high six bits of each stem: most words are none of them */
    /* A bit for the first WORD_MIN letters of each ASCII word of the titles: of a text no other words
     * are read. */
    uint64_t heads[(1 << HEAD_BITS) / 64];
};

/* Where the beginning of the word at p has its bit; capital letters are small ones. */
static size_t place_of_head(const char *p)
{
    uint32_t letters;
    memcpy(&letters, p, sizeof letters);
    return (letters | UINT32_C(0x20202020)) * UINT32_C(0x9E3779B1) >> (32 - HEAD_BITS);
}
_Static_assert(WORD_MIN == sizeof(uint32_t), "place_of_head");

static bool has_head(const struct topics *t, const char *word)
{
    size_t at = place_of_head(word);
    return t->heads[at / 64] >> at % 64 & 1;
}

/* Of words, and of the ASCII parts of others, which do no harm. Some letters become ASCII when they
 * become small. */
static void add_heads(struct topics *t, struct adit_str title)
{
    char head[WORD_MIN];
    size_t n = 0; /* letters of the word */
    for (size_t pos = 0; pos < title.len;) {
        int32_t cp = utf8proc_tolower((utf8proc_int32_t)adit_utf8_next(title, &pos));
        if (cp >= 0x80 || !is_word_byte((unsigned char)cp)) {
            n = 0;
            continue;
        }
        if (n < WORD_MIN) head[n] = (char)cp;
        if (++n != WORD_MIN) continue;
        size_t at = place_of_head(head);
        t->heads[at / 64] |= UINT64_C(1) << at % 64;
    }
}

static size_t find_topic(const struct topics *t, uint64_t stem)
{
    size_t k = 0;
    if (!(t->seen >> (stem >> 58) & 1)) return t->n;
    while (k < t->n && t->stems[k] != stem) k++;
    return k;
}

static void add_topics(struct topics *t, struct adit_str title)
{
    struct words w = {.text = title};
    add_heads(t, title);
    for (uint64_t stem; t->n < TOPICS_MAX && (stem = next_stem(&w)) != 0;) {
        if (find_topic(t, stem) < t->n) continue;
        t->stems[t->n++] = stem;
        t->seen |= UINT64_C(1) << (stem >> 58);
    }
}

static uint32_t topic_bit(const struct topics *t, uint64_t stem)
{
    size_t k = find_topic(t, stem);
    return k < t->n ? UINT32_C(1) << k : 0;
}

/* Words that stand together in a text of the head: a bit for each two of them. */
struct pairs {
    uint64_t *bits;
    uint32_t n;
};

static uint64_t pair_of(uint64_t last, uint64_t stem) { return (last ^ stem >> 7) * PRIME; }

static bool has_pair(const struct pairs *p, uint64_t pair)
{
    size_t at = (size_t)(pair >> (64 - BODY_BITS));
    return p->bits[at / 64] >> at % 64 & 1;
}

static bool add_pairs(struct pairs *p, struct adit_str text, struct adit_arena *arena)
{
    struct words w = {.text = text};
    uint64_t last = next_stem(&w);
    if (!last) return true;
    p->bits = adit_arena_zalloc(arena, (size_t)1 << (BODY_BITS - 6), sizeof *p->bits);
    if (!p->bits) return false;
    for (uint64_t stem; (stem = next_stem(&w)) != 0; last = stem) {
        uint64_t pair = pair_of(last, stem);
        size_t at = (size_t)(pair >> (64 - BODY_BITS));
        p->n += !has_pair(p, pair);
        p->bits[at / 64] |= UINT64_C(1) << at % 64;
    }
    return true;
}

/* All that the head says. */
struct head {
    struct topics topics;
    struct pairs stated;
};

/* What of it a text says. */
struct said {
    uint64_t last; /* stem */
    uint32_t topics, pairs, stated;
};

static void say(struct said *x, const struct head *h, uint64_t stem)
{
    x->topics |= topic_bit(&h->topics, stem);
    if (x->last && h->stated.n) {
        x->pairs++;
        x->stated += has_pair(&h->stated, pair_of(x->last, stem));
    }
    x->last = stem;
}

static void say_stems(struct said *x, const struct head *h, struct adit_str text)
{
    struct words w = {.text = text};
    for (uint64_t stem; (stem = next_stem(&w)) != 0;) say(x, h, stem);
}

/* The bytes of w that are letters or digits, or not ASCII, as their top bits. */
static uint64_t word_bytes(uint64_t w)
{
    uint64_t ascii = w & ADIT_SWAR_ALL(0x7F);
    return adit_swar_letters(ascii) | adit_swar_digits(ascii) | (w & ADIT_SWAR_ALL(0x80));
}

static bool is_wide(char c) { return (unsigned char)c >= 0x80; }

/* The word at pos, if it is one of ASCII letters and digits alone: of a word with others, say_wide has
 * the say. Where pairs do not matter, only a word that begins like one of the titles is read. */
static void say_ascii(struct said *x, const struct head *h, struct adit_str text, size_t pos)
{
    const char *word = text.p + pos;
    size_t len = 0, left = text.len - pos;
    if (left < WORD_MIN || !(h->stated.n || has_head(&h->topics, word))) return;
    while (len < left && is_word_byte((unsigned char)word[len])) len++;
    if (len >= WORD_MIN && !(len < left && is_wide(word[len]))) say(x, h, ascii_stem(word, len));
}

/* Words that touch the character at pos, which is not ASCII; returns where they end. */
static size_t say_wide(struct said *x, const struct head *h, struct adit_str text, size_t pos)
{
    size_t begin = pos;
    while (begin > 0 && is_word_byte((unsigned char)text.p[begin - 1])) begin--;
    while (pos < text.len && (is_wide(text.p[pos]) || is_word_byte((unsigned char)text.p[pos])))
        pos++;
    say_stems(x, h, adit_str_sub(text, begin, pos));
    return pos;
}

/* Between ASCII signs and spaces stand words: eight bytes are looked at together for where they begin.
 * Behind words that are not ASCII the eight begin anew. */
static void say_text(struct said *x, const struct head *h, struct adit_str text)
{
    uint64_t before = 0; /* the byte before is part of a word */
    for (size_t pos = 0; pos < text.len;) {
        size_t left = text.len - pos;
        uint64_t w = left < 8 ? adit_swar_tail(text.p + pos, left) : adit_swar_load(text.p + pos);
        uint64_t wide = w & ADIT_SWAR_ALL(0x80), words = word_bytes(w);
        unsigned n = wide ? adit_swar_first(wide) : 8;
        uint64_t begins = words & ~(adit_swar_next(words) | before) & adit_swar_head(n);
        for (; begins; begins &= begins - 1) say_ascii(x, h, text, pos + adit_swar_first(begins));
        before = words >> 56;
        pos += n;
        if (wide) pos = say_wide(x, h, text, pos), before = 0;
    }
}

static void read_leaf(const struct head *h, struct adit_str text, struct adit_leaf_topics *out)
{
    struct said x = {0};
    if (h->topics.n || h->stated.n) say_text(&x, h, text);
    out->titles = x.topics;
    out->stated = x.pairs ? (int16_t)adit_pm(x.stated, x.pairs) : -1;
}

enum adit_code adit_facts_topics(struct adit_facts *f, const struct adit_page_hints *hints,
                                 struct adit_arena *arena)
{
    const struct adit_tape *t = f->tape;
    struct head h = {.topics.n = 0};
    struct adit_str body = f->claims_article ? hints->body : (struct adit_str){0};
    f->topics = adit_arena_zalloc(arena, t->n_leaves, sizeof *f->topics);
    if (!f->topics) return ADIT_ENOMEM;
    struct adit_arena_mark mark = adit_arena_mark(arena);
    for (size_t k = 0; k < ADIT_COUNT(hints->titles); k++) add_topics(&h.topics, hints->titles[k]);
    if (!add_pairs(&h.stated, body, arena)) return ADIT_ENOMEM;
    f->has_topics = h.topics.n > 0;
    for (size_t i = 0; i < t->n_leaves; i++) read_leaf(&h, t->leaves[i].text, &f->topics[i]);
    adit_arena_release(arena, mark);
    return ADIT_OK;
}
