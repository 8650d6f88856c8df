/* text: Unicode text: UTF-8 checking and repair, code points and their classes, NFKC, full case
 * folding, HTML character references, and the normalisation that content fingerprints are made of.
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
    unsigned char c = (unsigned char)s.p[*pos];
    if (c >= 0x80) return adit_utf8_next_slow(s, pos);
    ++*pos;
    return c;
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

static inline unsigned adit_cp_category(uint32_t cp) /* UTF8PROC_CATEGORY_… */
{
    return (unsigned)utf8proc_get_property((utf8proc_int32_t)cp)->category;
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

/* --- HTML character references (entity.c) ------------------------------------------------------
 */

/* Appends s with all character references decoded as WHATWG's tokenizer does in text (data state):
 * named with and without semicolon, longest match; numeric with its replacements. */
void adit_entities_decode(struct adit_str s, struct adit_buf *out);

/* --- normalisation for content fingerprints (normalise.c) ---------------------------------------
 */

/* TCT, Normalization Algorithm, steps 1 to 6: character references, NFKC, case folding, control
 * characters but TAB LF CR removed, runs of SPACE TAB LF CR to one SPACE, ends trimmed. Appends. */
enum adit_code adit_text_normalise(struct adit_str s, struct adit_mem mem, struct adit_buf *out);

#endif
