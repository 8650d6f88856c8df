/* Scanning: eight bytes at a time for the few bytes that matter, and classes of single bytes.
 *
 * A word of eight bytes has a zero byte where (x - ONES) & ~x & HIGHS has a bit; the lowest such
 * bit is exact, those above it may be wrong by a borrow, so only the lowest is used. Words are read
 * with memcpy and taken as little-endian, which all our targets are.
 */
#ifndef ADIT_HTML_SCAN_IMPL_H
#define ADIT_HTML_SCAN_IMPL_H

#include <stdint.h>
#include <string.h>

#define ADIT_SCAN_ONES            UINT64_C(0x0101010101010101)
#define ADIT_HTML_SCAN_IMPL_HIGHS UINT64_C(0x8080808080808080)

static inline uint64_t scan_word(const uint8_t *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

/* The bytes of x that are c, as their high bits. */
static inline uint64_t scan_hits(uint64_t x, uint8_t c)
{
    x ^= ADIT_SCAN_ONES * c;
    return (x - ADIT_SCAN_ONES) & ~x & ADIT_HTML_SCAN_IMPL_HIGHS;
}

/* The bytes of x that are greater than a space, as their high bits. */
static inline uint64_t scan_above_space(uint64_t x)
{
    uint64_t low = (x & ~ADIT_HTML_SCAN_IMPL_HIGHS) + ADIT_SCAN_ONES * (0x7F - ' ');
    return (low | x) & ADIT_HTML_SCAN_IMPL_HIGHS;
}

static inline unsigned scan_first(uint64_t hits) { return (unsigned)__builtin_ctzll(hits) >> 3; }

/* The first c in [p, end); end if there is none. */
static inline const uint8_t *scan_for(const uint8_t *p, const uint8_t *end, uint8_t c)
{
    if (end - p >= 8) {
        for (const uint8_t *last = end - 8; p <= last; p += 8) {
            uint64_t hits = scan_hits(scan_word(p), c);
            if (hits) return p + scan_first(hits);
        }
    }
    while (p < end && *p != c) p++;
    return p;
}

/* The first of two. */
static inline const uint8_t *scan_for_two(const uint8_t *p, const uint8_t *end, uint8_t a,
                                          uint8_t b)
{
    if (end - p >= 8) {
        for (const uint8_t *last = end - 8; p <= last; p += 8) {
            uint64_t x = scan_word(p), hits = scan_hits(x, a) | scan_hits(x, b);
            if (hits) return p + scan_first(hits);
        }
    }
    while (p < end && *p != a && *p != b) p++;
    return p;
}

/* Classes of bytes. */
enum {
    SCAN_SPACE = 1,      /* TAB LF FF CR SPACE */
    SCAN_LETTER = 2,     /* begins the name of a tag */
    SCAN_TAG_END = 4,    /* ends the name of a tag: white space / > */
    SCAN_ATTR_END = 8,   /* ends the name of an attribute: white space / > = */
    SCAN_VALUE_END = 16, /* ends a value without quotes: white space > */
    SCAN_SPECIAL = 32    /* no text as it stands: & CR NUL */
};

extern const uint8_t adit_scan_class[256];
extern const uint8_t
    adit_scan_lower[256]; /* ASCII letters in lower case, other bytes as they are */

static inline bool scan_is(uint8_t c, unsigned classes) { return adit_scan_class[c] & classes; }

/* The name that begins at p, up to a byte of the class: where it ends, and its bytes (of a long one the
 * last eight) in lower case, the first one highest. Most names are a few lower-case letters: bytes with
 * the bits of 0x60 are those, or others that stay as they are, and none of a class that ends names. */
static inline const uint8_t *scan_name(const uint8_t *p, const uint8_t *end, unsigned class,
                                       uint64_t *word)
{
    if (end - p >= 8) {
        uint64_t x = scan_word(p), others = ~(x & x << 1) & (ADIT_SCAN_ONES * 0x40);
        unsigned n = others ? scan_first(others) : 0;
        if (n && scan_is(p[n], class)) {
            *word = __builtin_bswap64(x) >> (64 - 8 * n);
            return p + n;
        }
    }
    uint64_t w = 0;
    while (p < end && !scan_is(*p, class)) w = w << 8 | adit_scan_lower[*p++];
    *word = w;
    return p;
}

/* Bytes of x that are no text as they stand, as their high bits; only the lowest is exact. */
static inline uint64_t scan_special_hits(uint64_t x)
{
    uint64_t ref = x ^ ADIT_SCAN_ONES * '&', cr = x ^ ADIT_SCAN_ONES * '\r';
    uint64_t hits = ((x - ADIT_SCAN_ONES) & ~x) | ((ref - ADIT_SCAN_ONES) & ~ref) |
                    ((cr - ADIT_SCAN_ONES) & ~cr);
    return hits & ADIT_HTML_SCAN_IMPL_HIGHS;
}

/* The first byte that is not text as it stands. All values and texts are looked through once; the
 * last word overlaps the one before. */
static inline const uint8_t *scan_special(const uint8_t *p, const uint8_t *end)
{
    if (end - p >= 8) {
        const uint8_t *last = end - 8;
        for (; p < last; p += 8) {
            uint64_t hits = scan_special_hits(scan_word(p));
            if (hits) return p + scan_first(hits);
        }
        uint64_t hits = scan_special_hits(scan_word(last));
        return hits ? last + scan_first(hits) : end;
    }
    if (end - p >= 4) { /* two halves, which overlap */
        uint32_t low, high;
        memcpy(&low, p, sizeof low);
        memcpy(&high, end - 4, sizeof high);
        if (!scan_special_hits(low | (uint64_t)high << 32)) return end;
    }
    while (p < end && !scan_is(*p, SCAN_SPECIAL)) p++;
    return p;
}

#endif
