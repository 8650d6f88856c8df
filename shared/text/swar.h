/* Eight bytes at once: tests and maps on a 64-bit word. Each mask has the top bit of every byte
 * that fits and nothing else, whatever the byte order of the machine. c is ASCII. */
#ifndef ADIT_SWAR_H
#define ADIT_SWAR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define ADIT_SWAR_ALL(byte) (0x0101010101010101u * (uint64_t)(byte))

static inline uint64_t adit_swar_load(const char *p)
{
    uint64_t w;
    memcpy(&w, p, 8);
    return w;
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
/* Index of the first byte of a mask that is not 0. */
static inline unsigned adit_swar_first(uint64_t mask)
{
    bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    return (unsigned)(little ? __builtin_ctzll(mask) : __builtin_clzll(mask)) / 8;
}
/* The bytes of a mask, counted. */
static inline unsigned adit_swar_count(uint64_t mask)
{
    return (unsigned)((mask >> 7) * ADIT_SWAR_ALL(1) >> 56);
}
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

#endif
