/* Facts about the text of one leaf: one scan over its bytes. ASCII is counted eight bytes at a time,
 * other characters by the Unicode classes. */
#include "select/features_impl.h"
#include "text/text.h"

/* Signs that tell something of a text, and how many of each: 8-bit counters in a word. */
enum { COMMA = 0, ODD = 8, STOP = 16, PRICE = 24 };
#define ONE(lane) (UINT32_C(1) << (lane))
static const uint32_t ascii_signs[128] = {
    [','] = ONE(COMMA), [';'] = ONE(COMMA), ['|'] = ONE(ODD),  ['>'] = ONE(ODD),
    ['/'] = ONE(ODD),   ['+'] = ONE(ODD),   ['.'] = ONE(STOP), ['!'] = ONE(STOP),
    ['?'] = ONE(STOP),  ['$'] = ONE(PRICE),
};

/* What is counted until it is added up, which has to be before a counter could overflow. */
enum { BLOCKS_MAX = 31, NORM = 8 * BLOCKS_MAX + 24 };
struct run {
    uint64_t letters, upper, digits, begins; /* 8-bit counters, one for each of eight bytes */
    uint32_t signs;
    unsigned blocks; /* of eight bytes, or other characters */
    uint64_t before; /* not 0: the character before is part of a word (the top bit of a byte) */
    size_t n_norm;   /* bytes of the normalised text that are not yet hashed */
};

struct scan {
    struct adit_leaf_stats *f;
    struct adit_str text;
    uint32_t letters, digits, upper, odd, prices;
    uint32_t unspaced, clauses; /* letters of scripts without spaces; runs of them */
    struct run run;
    uint64_t hash; /* of the normalised text so far */
    uint32_t norm_len;
    bool beyond;    /* some letters are not ASCII */
    bool wide_word; /* the last character beyond ASCII was one of a word */
    const struct adit_topics *topics;
    uint64_t said;
    char norm[NORM];
};

/* The parts of eight bytes are hashed, the rest waits. */
static void hash_norm(struct scan *s)
{
    size_t done = 0, n = s->run.n_norm;
    for (; done + 8 <= n; done += 8) s->hash = adit_mix(s->hash, adit_swar_load(s->norm + done));
    if (done) memcpy(s->norm, s->norm + done, 8);
    s->run.n_norm = n - done;
    s->norm_len += (uint32_t)done;
}

static void add_up(struct scan *s)
{
    struct adit_leaf_stats *f = s->f;
    struct run *r = &s->run;
    s->letters += adit_swar_sum(r->letters), s->upper += adit_swar_sum(r->upper);
    s->digits += adit_swar_sum(r->digits), f->words += adit_swar_sum(r->begins);
    f->commas += r->signs >> COMMA & 255, s->odd += r->signs >> ODD & 255;
    s->prices += r->signs >> PRICE & 255;
    hash_norm(s);
    *r = (struct run){.before = r->before, .n_norm = r->n_norm};
}

static void end_norm(struct scan *s)
{
    add_up(s);
    memset(s->norm + s->run.n_norm, 0, 8);
    s->hash = adit_mix(s->hash, adit_swar_load(s->norm));
    s->norm_len += (uint32_t)s->run.n_norm;
}

/* Characters that may stand between a full stop and the end of its sentence. */
static bool is_closing(uint32_t cp)
{
    return cp == '"' || cp == '\'' || cp == ')' || cp == ']' || cp == 0x201D || cp == 0x2019 ||
           cp == 0xBB || cp == 0x300D;
}

static bool ends_sentence(struct adit_str text, size_t pos)
{
    if (pos >= text.len || text.p[pos] == ' ') return true;
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

/* Most words do not begin like one of the head. */
static void meet_topic(struct scan *s, size_t pos)
{
    if (pos + ADIT_HEAD <= s->text.len && adit_has_head(s->topics, s->text.p + pos))
        s->said |= adit_topic_at(s->topics, s->text, pos);
}

/* The ASCII words that touch a sign beyond ASCII, as a quotation mark or a dash, in [from, to). */
static void meet_around(struct scan *s, size_t from, size_t to)
{
    size_t begin = from;
    while (begin > 0 && adit_is_alnum(s->text.p[begin - 1])) begin--;
    bool part = s->wide_word && begin > 0 && (unsigned char)s->text.p[begin - 1] >= 0x80;
    if (from - begin >= ADIT_HEAD && !part && adit_has_head(s->topics, s->text.p + begin))
        s->said |= adit_topic_at(s->topics, adit_str_sub(s->text, 0, from), begin);
    meet_topic(s, to);
}

/* A character beyond ASCII, from `from` up to pos. */
static void scan_wide(struct scan *s, uint32_t cp, size_t from, size_t pos)
{
    struct adit_leaf_stats *f = s->f;
    unsigned c = adit_cp_category(cp);
    bool letter = is_within(c, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO);
    bool word = letter || is_within(c, UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO);
    if (word) {
        if (!s->run.before) f->words++;
        if (is_unspaced(cp)) s->clauses += !s->run.before, s->unspaced++;
        memcpy(s->norm + s->run.n_norm, s->text.p + from, pos - from);
        s->run.n_norm += pos - from;
        if (++s->run.blocks == BLOCKS_MAX) add_up(s);
        s->letters += letter;
        s->upper += c == UTF8PROC_CATEGORY_LU || c == UTF8PROC_CATEGORY_LT;
        s->digits += c == UTF8PROC_CATEGORY_ND;
    } else {
        enum sign sign = sign_of(cp);
        f->sentences += sign == SIGN_STOP || (cp == 0x2026 && ends_sentence(s->text, pos));
        f->commas += sign == SIGN_COMMA;
        s->odd += sign == SIGN_ODD;
        s->prices += sign == SIGN_PRICE;
        meet_around(s, from, pos);
    }
    s->beyond |= word, s->wide_word = word;
    /* A mark is part of its word. */
    if (!is_within(c, UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME)) s->run.before = word ? 0x80 : 0;
}

/* The first n of the eight bytes w, which are ASCII and stand at pos; what is behind them is NUL. Each
 * stretch of letters and digits is copied to the normalised text, with whatever stands behind it,
 * and the next one is written over that. */
static void scan_block(struct scan *s, struct run *r, uint64_t w, unsigned n, size_t pos)
{
    uint64_t letters = adit_swar_letters(w), digits = adit_swar_digits(w);
    uint64_t words = letters | digits, low = w | ADIT_SWAR_ALL(0x20);
    uint64_t gaps = (words ^ ADIT_SWAR_ALL(0x80)) & adit_swar_head(n);
    char *norm = s->norm + r->n_norm;
    r->letters += letters >> 7, r->upper += (letters & ~(w << 2)) >> 7;
    r->digits += digits >> 7;
    r->begins += (words & ~(adit_swar_next(words) | r->before)) >> 7;
    r->before = words >> 56;
    unsigned from = 0;
    for (; gaps; gaps &= gaps - 1) {
        unsigned gap = adit_swar_first(gaps);
        uint64_t rest = low >> 8 * from;
        memcpy(norm, &rest, sizeof rest);
        norm += gap - from;
        from = gap + 1;
        uint32_t sign = ascii_signs[(unsigned char)s->text.p[pos + gap]];
        r->signs += sign;
        meet_topic(s, pos + from);
        if (sign & ONE(STOP) && ends_sentence(s->text, pos + gap + 1)) s->f->sentences++;
    }
    low = low >> 4 * from >> 4 * from;
    memcpy(norm, &low, sizeof low);
    r->n_norm = (size_t)(norm + (n - from) - s->norm);
}

/* The ASCII characters from pos on, or some of them; returns where it stopped. */
static size_t scan_ascii(struct scan *s, size_t pos)
{
    struct run r = s->run;
    struct adit_str text = s->text;
    uint64_t wide = 0;
    for (; pos < text.len && !wide && r.blocks < BLOCKS_MAX; r.blocks++) {
        size_t left = text.len - pos;
        uint64_t w = left >= 8       ? adit_swar_load(text.p + pos)
                     : text.len >= 8 ? adit_swar_last(text.p + text.len, left)
                                     : adit_swar_tail(text.p + pos, left);
        unsigned n = left < 8 ? (unsigned)left : 8;
        wide = w & ADIT_SWAR_ALL(0x80);
        if (wide) n = adit_swar_first(wide), w &= adit_swar_head(n);
        if (n) scan_block(s, &r, w, n, pos);
        pos += n;
        if (wide && n) r.before = adit_is_alnum(text.p[pos - 1]) ? 0x80 : 0;
    }
    s->run = r;
    if (r.blocks == BLOCKS_MAX) add_up(s);
    return pos;
}

static uint32_t last_char(struct adit_str text, size_t *end)
{
    unsigned char c = (unsigned char)text.p[*end - 1];
    if (c >= 0x80) return adit_utf8_prev(text, end);
    --*end;
    return c;
}

static void scan_ends(struct adit_str text, struct adit_leaf_stats *f)
{
    size_t end = text.len;
    uint32_t last = last_char(text, &end);
    f->ellipsis = last == 0x2026 || (last == '.' && adit_str_ends(text, ADIT_STR("...")));
    while (end > 0 && is_closing(last)) last = last_char(text, &end);
    f->ends = last == '.' || last == '!' || last == '?' || last == 0x2026 ||
              (last >= 0x80 && sign_of(last) == SIGN_STOP);
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

/* All but the bytes of norm, which are written before they are read. */
static void begin_scan(struct scan *s, struct adit_leaf_stats *f, struct adit_str text)
{
    s->f = f, s->text = text;
    s->letters = s->digits = s->upper = s->odd = s->prices = 0;
    s->unspaced = s->clauses = s->norm_len = 0;
    s->hash = 0;
    s->said = 0, s->beyond = s->wide_word = false;
    s->run = (struct run){0};
}

void adit_leaf_stats(const struct adit_leaf *leaf, uint16_t tag, struct adit_leaf_stats *f)
{
    static const struct adit_topics none;
    uint64_t said;
    adit_leaf_read(leaf, tag, &none, f, &said);
}

void adit_leaf_read(const struct adit_leaf *leaf, uint16_t tag, const struct adit_topics *topics,
                    struct adit_leaf_stats *f, uint64_t *said)
{
    struct scan s;
    begin_scan(&s, f, leaf->text);
    s.topics = topics;
    meet_topic(&s, 0);
    *f = (struct adit_leaf_stats){.len = leaf->len};
    for (size_t pos = 0; pos < s.text.len;) {
        if ((unsigned char)s.text.p[pos] < 0x80) {
            pos = scan_ascii(&s, pos);
        } else {
            size_t from = pos;
            uint32_t cp = adit_utf8_next(s.text, &pos);
            scan_wide(&s, cp, from, pos);
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
    *said = s.said;
    if (s.beyond && topics->n) *said |= adit_topics_beyond(topics, leaf->text);
}

size_t adit_normalise(struct adit_str text, char *out, size_t max)
{
    size_t n = 0, pos = 0;
    while (pos < text.len && n < max) {
        unsigned char byte = (unsigned char)text.p[pos];
        if (byte < 0x80) {
            out[n] = (char)(byte | 0x20);
            n += adit_is_alnum((char)byte);
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
