/* What of the head a text says, in any language: words of the titles and of the description, which
 * teasers of other stories do not have; the text that JSON-LD states. */
#include "select/features_impl.h"
#include "text/text.h"

#include <string.h>

enum {
    STEM = 5,      /* letters that tell a word, whatever its ending */
    WORD_MIN = 4,  /* shorter words say little */
    BODY_BITS = 16 /* of the number of places for pairs of words */
};

_Static_assert(WORD_MIN + 1 == STEM, "ascii_stem");
_Static_assert((int)WORD_MIN == (int)ADIT_HEAD, "all words have heads");

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
                if (word.n++ < STEM) word.stem = add_letter(word.stem, adit_cp_lower(cp));
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

/* Of words, and of the ASCII parts of others, which do no harm. Some letters become ASCII when they
 * become small. */
static void add_heads(struct adit_topics *t, struct adit_str title)
{
    char head[WORD_MIN];
    size_t n = 0; /* letters of the word */
    for (size_t pos = 0; pos < title.len;) {
        uint32_t cp = adit_cp_lower(adit_utf8_next(title, &pos));
        if (cp >= 0x80 || !is_word_byte((unsigned char)cp)) {
            n = 0;
            continue;
        }
        if (n < WORD_MIN) head[n] = (char)cp;
        if (++n != WORD_MIN) continue;
        size_t at = adit_place_of_head(head);
        t->heads[at / 64] |= UINT64_C(1) << at % 64;
    }
}

/* Where the stem is, or could be: there are many more places than stems. */
static uint8_t *place_of_stem(struct adit_topics *t, uint64_t stem)
{
    size_t at = (size_t)(stem >> (64 - ADIT_STEM_BITS));
    while (t->places[at] && t->stems[t->places[at] - 1] != stem)
        at = (at + 1) % ADIT_COUNT(t->places);
    return &t->places[at];
}

/* The n words of one part of the head have the bits from `first` on. */
static void add_topics(struct adit_topics *t, struct adit_str text, unsigned first, uint32_t *n)
{
    struct words w = {.text = text};
    add_heads(t, text);
    for (uint64_t stem; *n < ADIT_TOPICS_MAX && (stem = next_stem(&w)) != 0;) {
        uint8_t *place = place_of_stem(t, stem);
        if (!*place) {
            t->stems[t->n++] = stem;
            *place = (uint8_t)t->n;
        }
        uint64_t *bits = &t->bits[*place - 1];
        if (!(*bits >> first & UINT32_MAX)) *bits |= UINT64_C(1) << (first + (*n)++);
    }
}

static uint64_t topic_bits(const struct adit_topics *t, uint64_t stem)
{
    size_t at = (size_t)(stem >> (64 - ADIT_STEM_BITS));
    for (; t->places[at]; at = (at + 1) % ADIT_COUNT(t->places))
        if (t->stems[t->places[at] - 1] == stem) return t->bits[t->places[at] - 1];
    return 0;
}

void adit_topics_read(struct adit_topics *t, const struct adit_page_hints *hints)
{
    *t = (struct adit_topics){.n = 0};
    for (size_t k = 0; k < ADIT_COUNT(hints->titles); k++)
        add_topics(t, hints->titles[k], 0, &t->n_titles);
    add_topics(t, hints->description, ADIT_TOPICS_MAX, &t->n_description);
}

static bool is_wide(char c) { return (unsigned char)c >= 0x80; }

/* The stem of the word at pos, if it is one of ASCII letters and digits alone; else 0. */
static uint64_t ascii_stem_at(struct adit_str text, size_t pos)
{
    const char *word = text.p + pos;
    size_t len = 0, left = text.len - pos;
    while (len < left && is_word_byte((unsigned char)word[len])) len++;
    return len < WORD_MIN || (len < left && is_wide(word[len])) ? 0 : ascii_stem(word, len);
}

uint64_t adit_topic_at(const struct adit_topics *t, struct adit_str text, size_t pos)
{
    uint64_t stem = ascii_stem_at(text, pos);
    return stem ? topic_bits(t, stem) : 0;
}

/* The letters, digits and other characters beyond ASCII around pos. */
static struct adit_str around(struct adit_str text, size_t pos)
{
    size_t begin = pos;
    while (begin > 0 && is_word_byte((unsigned char)text.p[begin - 1])) begin--;
    while (pos < text.len && (is_wide(text.p[pos]) || is_word_byte((unsigned char)text.p[pos])))
        pos++;
    return adit_str_sub(text, begin, pos);
}

uint64_t adit_topics_beyond(const struct adit_topics *t, struct adit_str text)
{
    uint64_t said = 0;
    for (size_t pos = 0; (pos = adit_ascii_len(text, pos)) < text.len;) {
        struct words w = {.text = around(text, pos)};
        for (uint64_t stem; (stem = next_stem(&w)) != 0;) said |= topic_bits(t, stem);
        pos = (size_t)(w.text.p - text.p) + w.text.len;
    }
    return said;
}

/* --- the text that JSON-LD states ------------------------------------------------------------- */

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

/* Of the pairs of words in a text, how many are stated. */
struct said {
    uint64_t last; /* stem */
    uint32_t pairs, stated;
};

static void say(struct said *x, const struct pairs *p, uint64_t stem)
{
    if (x->last) x->pairs++, x->stated += has_pair(p, pair_of(x->last, stem));
    x->last = stem;
}

static int16_t share_stated(const struct pairs *p, struct adit_str text)
{
    struct said x = {0};
    struct words w = {.text = text};
    for (uint64_t stem; (stem = next_stem(&w)) != 0;) say(&x, p, stem);
    return x.pairs ? (int16_t)adit_pm(x.stated, x.pairs) : -1;
}

enum adit_code adit_facts_stated(struct adit_facts *f, const struct adit_page_hints *hints,
                                 struct adit_arena *arena)
{
    struct adit_str body = f->claims_article ? hints->body : (struct adit_str){0};
    struct adit_arena_mark mark = adit_arena_mark(arena);
    struct pairs p = {0};
    if (!add_pairs(&p, body, arena)) return ADIT_ENOMEM;
    for (size_t i = 0; i < f->tape->n_leaves; i++)
        f->topics[i].stated = p.n ? share_stated(&p, f->tape->leaves[i].text) : -1;
    adit_arena_release(arena, mark);
    return ADIT_OK;
}
