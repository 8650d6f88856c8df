/* text: Unicode text: UTF-8 checking and repair, code points and their classes, NFKC, full case
 * folding, HTML character references, the normalisation that content fingerprints are made of, and
 * differences between texts.
 *
 * Tables are those of utf8proc, so every answer is the same on every machine and depends on one
 * Unicode version. Text is ASCII most of the time: every function here runs over ASCII eight bytes
 * at a time and looks at code points only where there are others.
 *
 * Input may be any bytes unless a function says "valid UTF-8".
 */
#ifndef ADIT_TEXT_H
#define ADIT_TEXT_H

#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

/* --- UTF-8 (utf8.c) --------------------------------------------------------------------------- */

bool adit_utf8_valid(struct adit_str s);
/* Length of the longest prefix that is valid; s.len if all of it is. A character that is cut off
 * by the end is not part of it. */
size_t adit_utf8_valid_len(struct adit_str s);
/* Appends s with every ill-formed sequence replaced by U+FFFD, as the WHATWG decoder does (one for
 * each maximal subpart). */
void adit_utf8_repair(struct adit_str s, struct adit_buf *out);
/* The sequence that starts with the byte >= 0x80 at p[0], len > 0 bytes to go: its length, or minus
 * the length of the maximal subpart if it is ill-formed. */
int adit_utf8_sequence_slow(const char *p, size_t len);
static inline int adit_utf8_sequence(const char *p, size_t len)
{
    unsigned char a = (unsigned char)p[0];
    if (len >= 3) { /* most of them, without the ends of the table */
        bool b = ((unsigned char)p[1] & 0xC0) == 0x80, c = ((unsigned char)p[2] & 0xC0) == 0x80;
        if (a >= 0xC2 && a <= 0xDF && b) return 2;
        if (a >= 0xE1 && a <= 0xEC && b && c) return 3;
    }
    return adit_utf8_sequence_slow(p, len);
}
/* The code point at *pos (< s.len), which moves behind it. Ill-formed: U+FFFD, and *pos moves
 * behind the maximal subpart. */
uint32_t adit_utf8_next_slow(struct adit_str s, size_t *pos);
static inline uint32_t adit_utf8_next(struct adit_str s, size_t *pos)
{
    const unsigned char *p = (const unsigned char *)s.p + *pos;
    if (p[0] < 0x80) return ++*pos, p[0];
    int n = s.len - *pos >= 3 ? adit_utf8_sequence((const char *)p, 3) : 0;
    if (n != 2 && n != 3) return adit_utf8_next_slow(s, pos);
    *pos += (unsigned)n;
    return n == 2 ? (p[0] & 0x1Fu) << 6 | (p[1] & 0x3F)
                  : (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3F);
}
/* The code point that ends at *pos (> 0), which moves to its start. For valid UTF-8. */
uint32_t adit_utf8_prev(struct adit_str s, size_t *pos);
/* Writes cp (surrogates and values over U+10FFFF as U+FFFD) and returns its length, 1…4. */
size_t adit_utf8_encode(uint32_t cp, char out[4]);
void adit_utf8_put(struct adit_buf *out, uint32_t cp);
/* Number of code points of valid UTF-8. */
size_t adit_utf8_count(struct adit_str s);
/* The longest prefix of valid UTF-8 that has at most max bytes and ends between code points. */
struct adit_str adit_utf8_cut(struct adit_str s, size_t max);
/* Offset of the first byte >= 0x80 at or after from; s.len if there is none. */
size_t adit_ascii_len(struct adit_str s, size_t from);

/* --- classes of code points (general categories) ---------------------------------------------- */

/* Stretches of letters that most text beyond ASCII is made of: Russian capitals, small letters; Han,
 * Hangul, kana. Their category is known without a table. */
static inline bool adit_cp_is_cyrillic_upper(uint32_t cp) { return cp - 0x410 < 0x20; }
static inline bool adit_cp_is_cyrillic_lower(uint32_t cp) { return cp - 0x430 < 0x20; }
static inline bool adit_cp_is_east_asian(uint32_t cp)
{
    return cp - 0x4E00 < 0x5200 || cp - 0xAC00 < 0x2BA4 || cp - 0x3041 < 0x56 || cp - 0x30A1 < 0x5A;
}

static inline unsigned adit_cp_category(uint32_t cp) /* UTF8PROC_CATEGORY_… */
{
    if (adit_cp_is_cyrillic_lower(cp)) return UTF8PROC_CATEGORY_LL;
    if (adit_cp_is_cyrillic_upper(cp)) return UTF8PROC_CATEGORY_LU;
    if (adit_cp_is_east_asian(cp)) return UTF8PROC_CATEGORY_LO;
    return (unsigned)utf8proc_get_property((utf8proc_int32_t)cp)->category;
}
/* The small letter of a capital (simple mapping), else cp. */
static inline uint32_t adit_cp_lower(uint32_t cp)
{
    if (adit_cp_is_cyrillic_lower(cp) || adit_cp_is_east_asian(cp)) return cp;
    if (adit_cp_is_cyrillic_upper(cp)) return cp + 0x20;
    return (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp);
}
static inline bool adit_cp_in(uint32_t cp, unsigned first, unsigned last)
{
    unsigned c = adit_cp_category(cp);
    return c >= first && c <= last;
}
static inline bool adit_cp_is_letter(uint32_t cp) /* L* */
{
    if (cp < 0x80) return adit_is_alpha((char)cp);
    return adit_cp_in(cp, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO);
}
static inline bool adit_cp_is_upper(uint32_t cp) /* Lu, Lt */
{
    if (cp < 0x80) return cp >= 'A' && cp <= 'Z';
    unsigned c = adit_cp_category(cp);
    return c == UTF8PROC_CATEGORY_LU || c == UTF8PROC_CATEGORY_LT;
}
static inline bool adit_cp_is_lower(uint32_t cp) /* Ll */
{
    if (cp < 0x80) return cp >= 'a' && cp <= 'z';
    return adit_cp_category(cp) == UTF8PROC_CATEGORY_LL;
}
static inline bool adit_cp_is_digit(uint32_t cp) /* Nd */
{
    if (cp < 0x80) return adit_is_digit((char)cp);
    return adit_cp_category(cp) == UTF8PROC_CATEGORY_ND;
}
static inline bool adit_cp_is_word(uint32_t cp) /* \w: L*, N*, underscore */
{
    if (cp < 0x80) return adit_is_alnum((char)cp) || cp == '_';
    unsigned c = adit_cp_category(cp);
    return (c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_LO) ||
           (c >= UTF8PROC_CATEGORY_ND && c <= UTF8PROC_CATEGORY_NO);
}
static inline bool adit_cp_is_mark(uint32_t cp) /* M* */
{
    return cp >= 0x80 && adit_cp_in(cp, UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME);
}
static inline bool adit_cp_is_punct(uint32_t cp) /* P* */
{
    return adit_cp_in(cp, UTF8PROC_CATEGORY_PC, UTF8PROC_CATEGORY_PO);
}
/* Unicode's White_Space: Z*, TAB…CR, NEL. */
static inline bool adit_cp_is_space(uint32_t cp)
{
    if (cp < 0x80) return cp == ' ' || (cp >= 9 && cp <= 13);
    return cp == 0x85 || adit_cp_in(cp, UTF8PROC_CATEGORY_ZS, UTF8PROC_CATEGORY_ZP);
}
/* Scripts that are written without spaces between words: Han, Hiragana, Katakana, Bopomofo, and
 * their halfwidth forms; Hangul is not among them. */
bool adit_cp_is_cjk_slow(uint32_t cp);
static inline bool adit_cp_is_cjk(uint32_t cp) { return cp >= 0x2E80 && adit_cp_is_cjk_slow(cp); }

/* --- NFKC and case folding (nfkc.c, fold.c) --------------------------------------------------- */

/* Appends NFKC(s), s valid UTF-8 (ill-formed parts are taken as U+FFFD). Work memory comes from mem
 * and is small unless the text is one long run of combining marks; time is linear in any case (the
 * marks are sorted by counting). */
enum adit_code adit_nfkc(struct adit_str s, struct adit_mem mem, struct adit_buf *out);
/* Appends the full case folding of s (statuses C and F of CaseFolding.txt). Ill-formed parts stay.
 */
void adit_casefold(struct adit_str s, struct adit_buf *out);
void adit_cp_fold(uint32_t cp, struct adit_buf *out); /* the same for one code point */
static inline bool adit_cp_folds(uint32_t cp)         /* whether it is not its own folding */
{
    return utf8proc_get_property((utf8proc_int32_t)cp)->casefold_seqindex != UINT16_MAX;
}

/* --- HTML character references (entity.c) ----------------------------------------------------- */

/* Appends s with all character references decoded as WHATWG's tokenizer does in text (data state):
 * named with and without semicolon, longest match; numeric with its replacements. */
void adit_entities_decode(struct adit_str s, struct adit_buf *out);
/* The reference that s, which begins with &, begins with: its length, and in out what it stands
 * for; 0 (and nothing else) if it is none. value: by the rules for values of attributes. What a
 * reference stands for is at most 6/5 of its own length. */
enum { ADIT_REFERENCE_MAX = 8 };
size_t adit_reference_read(struct adit_str s, bool value, char out[ADIT_REFERENCE_MAX],
                           size_t *len);

/* --- normalisation for content fingerprints (normalise.c) ------------------------------------- */

/* TCT, Normalization Algorithm, steps 1 to 6: character references, NFKC, case folding, control
 * characters but TAB LF CR removed, runs of SPACE TAB LF CR to one SPACE, ends trimmed. Appends. */
enum adit_code adit_text_normalise(struct adit_str s, struct adit_mem mem, struct adit_buf *out);

/* --- differences between texts (words.c, diff.c, units.c) ------------------------------------- */

/* What people call a line, and a word. Lines end with their LF. Words are runs of letters, digits and
 * their marks ("don't", "3.14"), runs of white space, or one character of anything else; of scripts
 * that are written without spaces (Chinese, Japanese, Thai …) each character is a word. No grapheme
 * cluster is cut. Bytes that are no UTF-8 stay as they are. */
enum adit_diff_unit { ADIT_DIFF_LINES, ADIT_DIFF_WORDS };
/* The end of the unit that begins at a place before the end of s. */
size_t adit_unit_end(enum adit_diff_unit unit, struct adit_str s, size_t at);
/* Words with a letter or digit. */
size_t adit_word_count(struct adit_str text);
/* The same, as far as `most`: further ones are not looked for. */
size_t adit_words_within(struct adit_str text, size_t most);

enum adit_diff_kind { ADIT_DIFF_EQUAL, ADIT_DIFF_REMOVED, ADIT_DIFF_ADDED };
struct adit_diff_run {
    enum adit_diff_kind kind;
    struct adit_str text; /* never empty; of the old text if removed, else of the new one */
};
struct adit_diff {
    struct adit_diff_run *runs; /* two neighbours are never of one kind; removed before added */
    size_t n;
    uint64_t equal, removed, added; /* words, as adit_word_count */
};
/* The way from the old text to the new one. Equal and removed runs joined are the old text, equal
 * and added ones the new one, byte for byte; any bytes are allowed. Runs are made to be read: equal
 * words between two longer changes count as changed. The work is bounded (some tenths of a second);
 * what would take more, or has over 400,000 words, is replaced as a whole: lines, or all behind the
 * equal beginning. Memory, from the arena: at most 48 bytes per word of both texts. */
enum adit_code adit_diff_words(struct adit_str old_text, struct adit_str new_text,
                               struct adit_arena *arena, struct adit_diff *out);

/* The same in its barest form, a byte per unit: 1 where the unit goes (a) or comes (b). With the
 * fewest such units, unless that would be too much work. */
struct adit_diff_edits {
    uint8_t *a, *b;
    size_t n_a, n_b;
};
enum adit_code adit_diff_edits(struct adit_str a, struct adit_str b, enum adit_diff_unit unit,
                               struct adit_arena *arena, struct adit_diff_edits *edits);

/* --- swar ------------------------------------------------------------------------------------- */

/* Eight bytes at once: tests and maps on a 64-bit word. Each mask has the top bit of every byte
 * that fits and nothing else, whatever the byte order of the machine. c is ASCII. */

#define ADIT_SWAR_ALL(byte) (0x0101010101010101u * (uint64_t)(byte))

static inline uint64_t adit_swar_load(const char *p)
{
    uint64_t w;
    memcpy(&w, p, 8);
    return w;
}
/* The n < 8 bytes at p, and NUL behind them; copies of a length that only the run knows are calls. */
static inline uint64_t adit_swar_tail(const char *p, size_t n)
{
    char part[8] = {0};
    if (n >= 4)
        memcpy(part + n - 4, p + n - 4, 4), memcpy(part, p, 4);
    else if (n)
        part[0] = p[0], part[n / 2] = p[n / 2], part[n - 1] = p[n - 1];
    return adit_swar_load(part);
}
/* The same n bytes by where they end, if eight can be read there. */
static inline uint64_t adit_swar_last(const char *end, size_t n)
{
    uint64_t w = adit_swar_load(end - 8);
    bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    unsigned more = 8 * (7 - (unsigned)n); /* one byte goes apart: a shift by 64 is none */
    return little ? w >> more >> 8 : w << more << 8;
}
static inline bool adit_swar_ascii(uint64_t w) { return !(w & ADIT_SWAR_ALL(0x80)); }
static inline uint64_t adit_swar_eq(uint64_t w, char c)
{
    w ^= ADIT_SWAR_ALL(c);
    return ~(((w & ADIT_SWAR_ALL(0x7F)) + ADIT_SWAR_ALL(0x7F)) | w) & ADIT_SWAR_ALL(0x80);
}
static inline uint64_t adit_swar_less(uint64_t w, char c)
{
    return ~(((w & ADIT_SWAR_ALL(0x7F)) + ADIT_SWAR_ALL(0x80 - c)) | w) & ADIT_SWAR_ALL(0x80);
}
static inline uint64_t adit_swar_letters(uint64_t w) /* all of w is ASCII */
{
    w |= ADIT_SWAR_ALL(0x20);
    return ((w + ADIT_SWAR_ALL(0x80 - 'a')) ^ (w + ADIT_SWAR_ALL(0x7F - 'z'))) &
           ADIT_SWAR_ALL(0x80);
}
static inline uint64_t adit_swar_digits(uint64_t w) /* all of w is ASCII */
{
    return ((w + ADIT_SWAR_ALL(0x80 - '0')) ^ (w + ADIT_SWAR_ALL(0x7F - '9'))) &
           ADIT_SWAR_ALL(0x80);
}
/* Index of the first byte of a mask that is not 0. */
static inline unsigned adit_swar_first(uint64_t mask)
{
    bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    return (unsigned)(little ? __builtin_ctzll(mask) : __builtin_clzll(mask)) / 8;
}
/* Whether byte i of a mask is set. */
static inline bool adit_swar_has(uint64_t mask, unsigned i)
{
    bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    return mask >> (little ? 8 * i : 56 - 8 * i) & 0x80;
}
/* The sum of eight numbers, a byte each, at most 255. */
static inline unsigned adit_swar_sum(uint64_t w) { return (unsigned)(w * ADIT_SWAR_ALL(1) >> 56); }
/* The bytes of a mask, counted. */
static inline unsigned adit_swar_count(uint64_t mask) { return adit_swar_sum(mask >> 7); }
/* Each byte of a mask moved to the one behind it. */
static inline uint64_t adit_swar_next(uint64_t mask)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? mask << 8 : mask >> 8;
}
/* The first n bytes, at most 8, all of their bits. */
static inline uint64_t adit_swar_head(unsigned n)
{
    if (n == 8) return UINT64_MAX;
    bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    return ~(little ? UINT64_MAX << 8 * n : UINT64_MAX >> 8 * n);
}
static inline uint64_t adit_swar_lower(uint64_t w) /* of ASCII only */
{
    uint64_t upper = (w + ADIT_SWAR_ALL(0x80 - 'A')) ^ (w + ADIT_SWAR_ALL(0x7F - 'Z'));
    return w | (upper & ADIT_SWAR_ALL(0x80)) >> 2;
}

/* --- url -------------------------------------------------------------------------------------- */

/* URLs by the WHATWG URL standard: parsing, resolving against a base, serialising; and the form in
 * which adit writes the URL of a page.
 *
 * Hosts of special schemes are ASCII after parsing: percent-decoded, NFKC, case-folded, Punycode.
 * URLs longer than ADIT_LIMIT_url_bytes are refused. Nothing recurses.
 */

/* A parsed URL. All parts are slices of href, which lives in the arena. */
struct adit_url {
    struct adit_str href;
    struct adit_str scheme; /* without ':' */
    struct adit_str username, password;
    struct adit_str host; /* an IPv6 address in its brackets */
    struct adit_str port; /* digits; empty if none or the scheme's default */
    struct adit_str path;
    struct adit_str query;    /* without '?' */
    struct adit_str fragment; /* without '#' */
    bool has_host, has_query, has_fragment;
    bool special; /* http, https, ws, wss, ftp, file */
    bool opaque;  /* the path is no list of segments (mailto:…) */
};

/* Parses input, relative to base (NULL: input must be absolute). ADIT_EBAD: no URL; ADIT_ELIMIT;
 * ADIT_ENOMEM. White space around and line breaks inside are removed; ill-formed UTF-8 counts as
 * U+FFFD. */
enum adit_code adit_url_parse(struct adit_str input, const struct adit_url *base,
                              struct adit_arena *arena, struct adit_url *out);

/* The URL of a page: absolute http or https, without fragment and credentials, and RFC 3986-clean:
 * what WHATWG leaves as it is in path and query (| ^ { } [ ] \ ` ") is percent-encoded. A URL
 * that is in this form already costs one scan and no memory: *out is then input itself.
 * ADIT_EBAD: not http(s), or no URL. */
enum adit_code adit_url_page(struct adit_str input, struct adit_arena *arena, struct adit_str *out);

/* Parts of an absolute URL in that form, by its delimiters: "https://example.com:8080",
 * "example.com:8080", "/path?query". Without an authority the first two are empty, and the rest is
 * the whole of it. */
struct adit_str adit_url_origin(struct adit_str url);
struct adit_str adit_url_authority(struct adit_str url);
struct adit_str adit_url_rest(struct adit_str url);
/* Of an authority: without port, and without the dot that a full name may end in. */
struct adit_str adit_authority_host(struct adit_str authority);

/* A reference in a page (href, src, …) as an absolute URL of the same form, but with its fragment.
 * ADIT_EBAD: not http(s) (mailto:, javascript:, data:), or no URL. */
enum adit_code adit_url_resolve(struct adit_str reference, const struct adit_url *base,
                                struct adit_arena *arena, struct adit_str *out);

/* Punycode and the rest of a domain name's way to ASCII: NFKC, case folding, labels "xn--…".
 * ADIT_EBAD: characters that no host may have. */
enum adit_code adit_domain_to_ascii(struct adit_str domain, struct adit_arena *arena,
                                    struct adit_str *out);

/* --- date ------------------------------------------------------------------------------------- */

/* Dates as people and programs write them, in many languages, to instants.
 *
 * Integers only. Impossible dates (30 February) are no dates. Years 1400 to 2199.
 */

/* A date that was read. Without a stated zone the clock's time counts as UTC. */
struct adit_date {
    struct adit_time time; /* the instant */
    int16_t offset;        /* minutes east of UTC that were stated; 0 if none */
    bool has_clock;        /* more than a day was stated */
};

/* How to read 05/01/2024: day first (most of the world), or month first (en-US and unmarked
 * English). Dots and a first number over 12 always mean day first. */
enum adit_date_order { ADIT_DAY_FIRST, ADIT_MONTH_FIRST };

/* A value that should be a date (an attribute, a JSON member): ISO 8601 in its variants, RFC 2822,
 * HTTP, seconds or milliseconds since 1970, or anything that adit_date_find finds in it. */
bool adit_date_parse(struct adit_str value, enum adit_date_order order, struct adit_date *d);

/* The first complete date (day, month, year) in a short text; text beyond 400 bytes is not read. */
bool adit_date_find(struct adit_str text, enum adit_date_order order, struct adit_date *d);

/* W3C date-time at any precision: 2024, 2024-01, 2024-01-05, 2024-01-05T10:00Z, …; strict. */
bool adit_date_w3c(struct adit_str s, struct adit_time *t);

/* A date in the path of a URL: /2024/01/05/, /2024/jan/05/, /2024-01-05-slug. */
bool adit_date_in_url(struct adit_str url, struct adit_date *d);

/* RFC 3339 in UTC. */
void adit_date_write(const struct adit_date *d, struct adit_buf *out);
/* RFC 3339 with the stated offset, so that the day is the one on the page. */
void adit_date_write_local(const struct adit_date *d, struct adit_buf *out);

/* --- date_words ------------------------------------------------------------------------------- */

/* Words of dates: months, zones, fillers. */

/* Month 1…12 of a case-folded word, or 0. */
unsigned adit_month_of_word(struct adit_str folded);
/* Minutes east of UTC of an abbreviation ("est", "cet"). */
bool adit_zone_of_word(struct adit_str folded, int *minutes);
/* Words between the numbers of a date: ordinals ("th"), prepositions ("de", "of"). */
bool adit_is_date_filler(struct adit_str folded);
/* A word behind the name of a month that says which of two it is. */
bool adit_month_number(struct adit_str folded, bool *second);
/* 'y', 'm', 'd' of a word that stands before the number of a year, a month, a day; or 0. */
char adit_date_unit_of_word(struct adit_str folded);
/* The year before the first of the era that a word ends in, or 0: years of an era have units. */
int adit_date_era_of_word(struct adit_str folded);

/* --- xml -------------------------------------------------------------------------------------- */

/* Text as XML writes it. */

/* Appends text with &, <, >, ", ' as references: good for content and attributes of XML, and of
 * HTML. What XML cannot say at all (control characters, ill-formed UTF-8) becomes U+FFFD. */
void adit_xml(struct adit_buf *out, struct adit_str text);
/*  name="value", with a space in front. */
void adit_xml_attribute(struct adit_buf *out, const char *name, struct adit_str value);
/* <name>text</name> */
void adit_xml_element(struct adit_buf *out, const char *name, struct adit_str text);
/* <name rel="rel" href="href"/> */
void adit_xml_link(struct adit_buf *out, const char *name, const char *rel, struct adit_str href);

/* --- near ------------------------------------------------------------------------------------- */

/* How many letters must be put in, left out or changed to make one name of the other, whatever their
 * case; ADIT_TEXT_FAR for names that are longer than that. */
enum { ADIT_TEXT_FAR = 32 };
size_t adit_text_distance(struct adit_str a, struct adit_str b);

#endif
