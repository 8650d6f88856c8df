/* Facts about the text of one leaf: one scan over its bytes. ASCII goes through a table of packed
 * counters, other characters through the Unicode classes. */
#include "select/features_impl.h"
#include "text/text.h"

/* 8-bit counters in a word, so that a byte costs one addition. */
enum { LETTER = 0, DIGIT = 8, UPPER = 16, COMMA = 24, ODD = 32, STOP = 40, PRICE = 48, WORD = 56 };
#define ONE(lane) (UINT64_C(1) << (lane))
enum { LANES_MAX = 255 }; /* bytes until a counter could overflow */

#define SMALL  (ONE(LETTER) | ONE(WORD))
#define CAP(c) [c] = SMALL | ONE(UPPER), [(c) + 32] = SMALL
#define NUMBER (ONE(DIGIT) | ONE(WORD))
#define DIG(c) [c] = NUMBER
static const uint64_t lanes[128] = {
    CAP('A'),           CAP('B'),           CAP('C'),          CAP('D'),
    CAP('E'),           CAP('F'),           CAP('G'),          CAP('H'),
    CAP('I'),           CAP('J'),           CAP('K'),          CAP('L'),
    CAP('M'),           CAP('N'),           CAP('O'),          CAP('P'),
    CAP('Q'),           CAP('R'),           CAP('S'),          CAP('T'),
    CAP('U'),           CAP('V'),           CAP('W'),          CAP('X'),
    CAP('Y'),           CAP('Z'),           DIG('0'),          DIG('1'),
    DIG('2'),           DIG('3'),           DIG('4'),          DIG('5'),
    DIG('6'),           DIG('7'),           DIG('8'),          DIG('9'),
    [','] = ONE(COMMA), [';'] = ONE(COMMA), ['|'] = ONE(ODD),  ['>'] = ONE(ODD),
    ['/'] = ONE(ODD),   ['+'] = ONE(ODD),   ['.'] = ONE(STOP), ['!'] = ONE(STOP),
    ['?'] = ONE(STOP),  ['$'] = ONE(PRICE),
};
struct scan {
    struct adit_leaf_stats *f;
    struct adit_str text;
    uint32_t letters, digits, upper, odd, prices;
    uint32_t unspaced, clauses; /* letters of scripts without spaces; runs of them */
    bool in_word;
    /* The normalised text: hashed so far, and the part that waits until eight bytes are together.
     */
    uint64_t hash;
    uint32_t norm_len;
    size_t n_norm;
    char *norm;
};
enum { NORM = LANES_MAX + 16 };

static void hash_norm(struct scan *s)
{
    size_t done = 0;
    for (; done + 8 <= s->n_norm; done += 8)
        s->hash = adit_mix(s->hash, adit_swar_load(s->norm + done));
    if (done) memcpy(s->norm, s->norm + done, 8);
    s->n_norm -= done;
    s->norm_len += (uint32_t)done;
}

static void end_norm(struct scan *s)
{
    memset(s->norm + s->n_norm, 0, 8);
    s->hash = adit_mix(s->hash, adit_swar_load(s->norm));
    s->norm_len += (uint32_t)s->n_norm;
}

/* Characters that may stand between a full stop and the end of its sentence. */
static bool is_closing(uint32_t cp)
{
    return cp == '"' || cp == '\'' || cp == ')' || cp == ']' || cp == 0x201D || cp == 0x2019 ||
           cp == 0xBB || cp == 0x300D;
}

static bool ends_sentence(struct adit_str text, size_t pos)
{
    if (pos >= text.len) return true;
    uint32_t cp = adit_utf8_next(text, &pos);
    return adit_cp_is_space(cp) || is_closing(cp);
}

/* Beyond ASCII: what ends sentences and parts them, and what stands between links; sorted. */
enum sign { SIGN_NONE, SIGN_STOP, SIGN_COMMA, SIGN_ODD, SIGN_PRICE };
static const struct {
    uint16_t cp;
    uint8_t sign;
} signs[] = {
    {0x00A3, SIGN_PRICE}, {0x00A5, SIGN_PRICE}, {0x00AB, SIGN_ODD},   {0x00B7, SIGN_ODD},
    {0x00BB, SIGN_ODD},   {0x0589, SIGN_STOP},  {0x060C, SIGN_COMMA}, {0x061B, SIGN_COMMA},
    {0x061F, SIGN_STOP},  {0x06D4, SIGN_STOP},  {0x0964, SIGN_STOP},  {0x0965, SIGN_STOP},
    {0x0F0D, SIGN_STOP},  {0x104A, SIGN_COMMA}, {0x104B, SIGN_STOP},  {0x1362, SIGN_STOP},
    {0x1363, SIGN_COMMA}, {0x1364, SIGN_COMMA}, {0x17D4, SIGN_STOP},  {0x17D5, SIGN_STOP},
    {0x2022, SIGN_ODD},   {0x2039, SIGN_ODD},   {0x203A, SIGN_ODD},   {0x20A9, SIGN_PRICE},
    {0x20AC, SIGN_PRICE}, {0x20B9, SIGN_PRICE}, {0x20BD, SIGN_PRICE}, {0x2190, SIGN_ODD},
    {0x2192, SIGN_ODD},   {0x25B6, SIGN_ODD},   {0x25BC, SIGN_ODD},   {0x3001, SIGN_COMMA},
    {0x3002, SIGN_STOP},  {0xFF01, SIGN_STOP},  {0xFF0C, SIGN_COMMA}, {0xFF0E, SIGN_STOP},
    {0xFF1B, SIGN_COMMA}, {0xFF1F, SIGN_STOP},  {0xFF61, SIGN_STOP},  {0xFF64, SIGN_COMMA},
};

static enum sign sign_of(uint32_t cp)
{
    size_t low = 0, high = ADIT_COUNT(signs);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (signs[middle].cp == cp) return signs[middle].sign;
        if (signs[middle].cp < cp)
            low = middle + 1;
        else
            high = middle;
    }
    return SIGN_NONE;
}

static bool is_within(unsigned c, unsigned first, unsigned last) { return c >= first && c <= last; }

/* Thai, Lao, Burmese, Khmer: spaces part clauses, not words. (CJK is counted with the letters.) */
static bool is_unspaced(uint32_t cp)
{
    return is_within(cp, 0x0E01, 0x0EDF) || is_within(cp, 0x1000, 0x109F) ||
           is_within(cp, 0x1780, 0x17D3);
}

/* A character beyond ASCII; pos stands behind it. */
static void scan_wide(struct scan *s, uint32_t cp, size_t pos)
{
    struct adit_leaf_stats *f = s->f;
    unsigned c = adit_cp_category(cp);
    bool letter = is_within(c, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO);
    bool word = letter || is_within(c, UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO);
    if (word) {
        if (!s->in_word) f->words++;
        if (is_unspaced(cp)) s->clauses += !s->in_word, s->unspaced++;
        s->n_norm += adit_utf8_encode(cp, s->norm + s->n_norm);
        hash_norm(s);
        s->letters += letter;
        s->upper += c == UTF8PROC_CATEGORY_LU || c == UTF8PROC_CATEGORY_LT;
        s->digits += c == UTF8PROC_CATEGORY_ND;
    } else {
        enum sign sign = sign_of(cp);
        f->sentences += sign == SIGN_STOP || (cp == 0x2026 && ends_sentence(s->text, pos));
        f->commas += sign == SIGN_COMMA;
        s->odd += sign == SIGN_ODD;
        s->prices += sign == SIGN_PRICE;
    }
    /* A mark is part of its word. */
    if (!is_within(c, UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME)) s->in_word = word;
}

static void flush(struct scan *s, uint64_t counts)
{
    struct adit_leaf_stats *f = s->f;
    s->letters += (uint32_t)(counts >> LETTER & 255);
    s->digits += (uint32_t)(counts >> DIGIT & 255);
    s->upper += (uint32_t)(counts >> UPPER & 255);
    f->commas += (uint32_t)(counts >> COMMA & 255);
    s->odd += (uint32_t)(counts >> ODD & 255);
    s->prices += (uint32_t)(counts >> PRICE & 255);
}

/* What a run of ASCII characters adds up to. */
struct run {
    uint64_t counts; /* in lanes */
    uint32_t words, in_word;
    char *norm;
    size_t n_norm;
};

/* How many of eight bytes, from the first on, are letters or spaces; *letters: which are letters, as
 * top bits. */
static unsigned plain_len(uint64_t w, uint64_t *letters)
{
    uint64_t low = (w | ADIT_SWAR_ALL(0x20)) & ADIT_SWAR_ALL(0x7F);
    uint64_t from_a = low + ADIT_SWAR_ALL(0x80 - 'a'), behind_z = low + ADIT_SWAR_ALL(0x7F - 'z');
    *letters = from_a & ~behind_z & ~w & ADIT_SWAR_ALL(0x80);
    uint64_t other = ~(*letters | adit_swar_eq(w, ' ')) & ADIT_SWAR_ALL(0x80);
    return other ? adit_swar_first(other) : 8;
}

/* The first n bytes of w, which are letters and spaces: each stretch of letters is copied, with
 * whatever stands behind it, and the next one is written over that. */
static void scan_plain(struct run *r, uint64_t w, uint64_t letters, unsigned n)
{
    uint64_t head = adit_swar_head(n), low = w | ADIT_SWAR_ALL(0x20);
    letters &= head;
    uint64_t gaps = ~letters & head & ADIT_SWAR_ALL(0x80);
    uint64_t begins = letters & ~(adit_swar_next(letters) | (uint64_t)r->in_word << 7);
    r->words += adit_swar_count(begins);
    r->counts +=
        adit_swar_count(letters) * ONE(LETTER) + adit_swar_count(letters & ~(w << 2)) * ONE(UPPER);
    r->in_word = (uint32_t)(letters >> (8 * n - 1)) & 1;
    unsigned from = 0;
    for (; gaps; gaps &= gaps - 1) {
        unsigned gap = adit_swar_first(gaps);
        uint64_t rest = low >> 8 * from;
        memcpy(r->norm + r->n_norm, &rest, sizeof rest);
        r->n_norm += gap - from;
        from = gap + 1;
    }
    if (from == n) return;
    low >>= 8 * from;
    memcpy(r->norm + r->n_norm, &low, sizeof low);
    r->n_norm += n - from;
}

static void scan_byte(struct scan *s, struct run *r, size_t pos)
{
    unsigned char c = (unsigned char)s->text.p[pos];
    uint64_t lane = lanes[c];
    uint32_t word = (uint32_t)(lane >> WORD);
    r->counts += lane;
    r->words += word & (r->in_word ^ 1);
    r->in_word = word;
    /* Written anyway, kept if it is part of a word: a branch would be guessed wrong. */
    r->norm[r->n_norm] = (char)(c | 0x20);
    r->n_norm += word;
    if (lane & ONE(STOP) && ends_sentence(s->text, pos + 1)) s->f->sentences++;
}

/* The ASCII characters from pos on, at most LANES_MAX; returns where it stopped. */
static size_t scan_ascii(struct scan *s, size_t pos)
{
    enum { PLAIN_MIN = 4 }; /* fewer letters and spaces are as fast one by one */
    const char *p = s->text.p;
    size_t end = s->text.len - pos > LANES_MAX ? pos + LANES_MAX : s->text.len;
    struct run r = {.in_word = s->in_word, .norm = s->norm, .n_norm = s->n_norm};
    while (pos < end && (unsigned char)p[pos] < 0x80) {
        size_t stop = end;
        if (end - pos >= 8) {
            uint64_t letters, w = adit_swar_load(p + pos);
            unsigned n = plain_len(w, &letters);
            if (n >= PLAIN_MIN) {
                scan_plain(&r, w, letters, n);
                pos += n;
                continue;
            }
            stop = pos + n + 1;
        }
        for (; pos < stop && (unsigned char)p[pos] < 0x80; pos++) scan_byte(s, &r, pos);
    }
    s->n_norm = r.n_norm;
    s->in_word = r.in_word;
    s->f->words += r.words;
    hash_norm(s);
    flush(s, r.counts);
    return pos;
}

static void scan_ends(struct adit_str text, struct adit_leaf_stats *f)
{
    size_t end = text.len;
    uint32_t last = adit_utf8_prev(text, &end);
    f->ellipsis = last == 0x2026 || adit_str_ends(text, ADIT_STR("..."));
    while (end > 0 && is_closing(last)) last = adit_utf8_prev(text, &end);
    f->ends =
        last == '.' || last == '!' || last == '?' || last == 0x2026 || sign_of(last) == SIGN_STOP;
}

/* In scripts without spaces a word has some five letters. Thai and Lao have no commas and full
 * stops either: of three clauses, one ends a sentence, unless all are but a short line. */
static void count_unspaced(const struct scan *s)
{
    enum { WORD_LETTERS = 5, SENTENCE_CLAUSES = 3, SHORT_LINE = 40 };
    struct adit_leaf_stats *f = s->f;
    f->words += s->unspaced / WORD_LETTERS;
    if (2 * s->unspaced <= s->letters || s->clauses < 2 || s->unspaced < SHORT_LINE) return;
    uint32_t sentences = (s->clauses + SENTENCE_CLAUSES - 1) / SENTENCE_CLAUSES;
    if (!f->sentences) f->sentences = sentences, f->ends = true;
    if (!f->commas) f->commas = s->clauses - sentences;
}

static const uint8_t tag_classes[ADIT_TAG_COUNT] = {
    [ADIT_TAG_LI] = 1 + ADIT_TC_LI,
    [ADIT_TAG_P] = 1 + ADIT_TC_P,
    [ADIT_TAG_H1] = 1 + ADIT_TC_H,
    [ADIT_TAG_H2] = 1 + ADIT_TC_H,
    [ADIT_TAG_H3] = 1 + ADIT_TC_H,
    [ADIT_TAG_H4] = 1 + ADIT_TC_H,
    [ADIT_TAG_H5] = 1 + ADIT_TC_H,
    [ADIT_TAG_H6] = 1 + ADIT_TC_H,
    [ADIT_TAG_TD] = 1 + ADIT_TC_CELL,
    [ADIT_TAG_TH] = 1 + ADIT_TC_CELL,
    [ADIT_TAG_PRE] = 1 + ADIT_TC_PRE,
    [ADIT_TAG_DT] = 1 + ADIT_TC_DL,
    [ADIT_TAG_DD] = 1 + ADIT_TC_DL,
    [ADIT_TAG_BLOCKQUOTE] = 1 + ADIT_TC_QUOTE,
    [ADIT_TAG_CAPTION] = 1 + ADIT_TC_CAPTION,
    [ADIT_TAG_FIGCAPTION] = 1 + ADIT_TC_CAPTION,
    [ADIT_TAG_BUTTON] = 1 + ADIT_TC_BUTTON,
    [ADIT_TAG_DIV] = 1 + ADIT_TC_DIV,
    [ADIT_TAG_SECTION] = 1 + ADIT_TC_DIV,
    [ADIT_TAG_ARTICLE] = 1 + ADIT_TC_DIV,
};

void adit_leaf_stats(const struct adit_leaf *leaf, uint16_t tag, struct adit_leaf_stats *f)
{
    char norm[NORM];
    struct scan s = {.f = f, .text = leaf->text, .norm = norm};
    *f = (struct adit_leaf_stats){.len = leaf->len};
    for (size_t pos = 0; pos < s.text.len;) {
        if ((unsigned char)s.text.p[pos] < 0x80) {
            pos = scan_ascii(&s, pos);
        } else {
            uint32_t cp = adit_utf8_next(s.text, &pos);
            scan_wide(&s, cp, pos);
        }
    }
    end_norm(&s);
    f->prices = s.prices && s.digits;
    f->digits = (uint8_t)(s.digits < UINT8_MAX ? s.digits : UINT8_MAX);
    f->odd = (uint8_t)(s.odd < UINT8_MAX ? s.odd : UINT8_MAX);
    scan_ends(s.text, f);
    if (s.unspaced) count_unspaced(&s);
    f->hash = s.norm_len ? adit_mix(s.hash, s.norm_len) : adit_str_hash(s.text);
    f->norm_len = (uint16_t)(s.norm_len < UINT16_MAX ? s.norm_len : UINT16_MAX);
    f->words += leaf->cjk / 2;
    f->link = leaf->len_link < f->len ? leaf->len_link : f->len;
    f->upper_pm = (int16_t)adit_pm(s.upper, s.letters);
    f->link_pm = (int16_t)adit_pm(f->link, f->len);
    uint8_t tag_class = tag < ADIT_TAG_COUNT ? tag_classes[tag] : 0;
    f->tag = tag_class ? (uint8_t)(tag_class - 1) : ADIT_TC_OTHER;
    f->heading = adit_heading_level(tag);
    bool reads = f->len >= 40 && (f->sentences >= 1 || f->commas >= 2);
    f->good = reads && f->link_pm < 300;
}

size_t adit_normalise(struct adit_str text, char *out, size_t max)
{
    size_t n = 0, pos = 0;
    while (pos < text.len && n < max) {
        unsigned char byte = (unsigned char)text.p[pos];
        if (byte < 0x80) {
            out[n] = (char)(byte | 0x20);
            n += lanes[byte] >> WORD;
            pos++;
            continue;
        }
        char c[4];
        uint32_t cp = adit_utf8_next(text, &pos);
        if (!adit_cp_is_word(cp)) continue;
        size_t len = adit_utf8_encode(cp, c);
        if (n + len > max) break;
        for (size_t k = 0; k < len; k++) out[n++] = c[k];
    }
    return n;
}
