/* Digests as WARC records state them: "sha1:" and base32, or other algorithms, or hexadecimal digits.
 * SHA-1 uses the x86 SHA extensions where they are; it guards against damage here, not against people. */
#include "batch/crawl/crawl.h"

#include <string.h>

/* --- SHA-1 ------------------------------------------------------------------------------------ */

static uint32_t rotate(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }

static void plain_blocks(uint32_t state[5], const uint8_t *p, size_t n)
{
    for (; n > 0; n--, p += 64) {
        uint32_t w[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
        for (size_t i = 0; i < 80; i++) {
            if (i < 16)
                w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
                       (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
            else
                w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
            uint32_t f = i < 20   ? (b & c) | (~b & d)
                         : i < 40 ? b ^ c ^ d
                         : i < 60 ? (b & c) | (b & d) | (c & d)
                                  : b ^ c ^ d;
            static const uint32_t k[] = {0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};
            uint32_t t = rotate(a, 5) + f + e + k[i / 20] + w[i];
            e = d, d = c, c = rotate(b, 30), b = a, a = t;
        }
        state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
    }
}

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))

#include <immintrin.h>

/* Four rounds at a time; E of the next four is in what A…D were before. The constant of the rounds must
 * be written out. */
#define ROUNDS(from, to, kind)                                                                \
    for (size_t i = (from); i < (to); i++) {                                                  \
        if (i >= 4) {                                                                         \
            __m128i sum = _mm_sha1msg1_epu32(w[i % 4], w[(i + 1) % 4]);                       \
            sum = _mm_xor_si128(sum, w[(i + 2) % 4]);                                         \
            w[i % 4] = _mm_sha1msg2_epu32(sum, w[(i + 3) % 4]);                               \
        }                                                                                     \
        __m128i e_w = i ? _mm_sha1nexte_epu32(before, w[i % 4]) : _mm_add_epi32(e, w[i % 4]); \
        before = abcd;                                                                        \
        abcd = _mm_sha1rnds4_epu32(abcd, e_w, kind);                                          \
    }

__attribute__((target("sha,sse4.1,ssse3"))) static void sha_ni_blocks(uint32_t state[5],
                                                                      const uint8_t *p, size_t n)
{
    const __m128i swap = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
    __m128i abcd = _mm_loadu_si128((const __m128i *)(const void *)state);
    __m128i e = _mm_set_epi32((int)state[4], 0, 0, 0), before = abcd;
    abcd = _mm_shuffle_epi32(abcd, 0x1B);
    for (; n > 0; n--, p += 64) {
        __m128i w[4], abcd_then = abcd, e_then = e;
        for (size_t i = 0; i < 4; i++)
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i)),
                                    swap);
        ROUNDS(0, 5, 0)
        ROUNDS(5, 10, 1)
        ROUNDS(10, 15, 2)
        ROUNDS(15, 20, 3)
        e = _mm_sha1nexte_epu32(before, e_then);
        abcd = _mm_add_epi32(abcd, abcd_then);
    }
    _mm_storeu_si128((__m128i *)(void *)state, _mm_shuffle_epi32(abcd, 0x1B));
    state[4] = (uint32_t)_mm_extract_epi32(e, 3);
}

#else

#define sha_ni_blocks plain_blocks

#endif

void sha1_init(struct sha1 *s, bool plain)
{
    *s = (struct sha1){.state = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0}};
    s->blocks = !plain && sha_in_processor() ? sha_ni_blocks : plain_blocks;
}

void sha1_update(struct sha1 *s, struct adit_str part)
{
    const uint8_t *p = (const uint8_t *)part.p;
    size_t len = part.len, held = (size_t)(s->len % 64);
    if (!len) return;
    s->len += len;
    if (held) {
        size_t n = 64 - held < len ? 64 - held : len;
        memcpy(s->buf + held, p, n);
        p += n, len -= n;
        if (held + n < 64) return;
        s->blocks(s->state, s->buf, 1);
    }
    if (len >= 64) s->blocks(s->state, p, len / 64);
    memcpy(s->buf, p + len / 64 * 64, len % 64);
}

void sha1_final(struct sha1 *s, uint8_t out[SHA1_LEN])
{
    uint64_t bits = s->len * 8;
    size_t held = (size_t)(s->len % 64), pad = held < 56 ? 56 - held : 120 - held;
    char tail[72] = {'\x80'};
    for (size_t i = 0; i < 8; i++) tail[pad + i] = (char)(bits >> (56 - 8 * i));
    sha1_update(s, adit_str_of(tail, pad + 8));
    for (size_t i = 0; i < SHA1_LEN; i++) out[i] = (uint8_t)(s->state[i / 4] >> (24 - i % 4 * 8));
}

/* --- text of digests -------------------------------------------------------------------------- */

static const char base32[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

void digest_base32(const uint8_t *bytes, size_t n, struct adit_buf *out)
{
    uint32_t held = 0;
    unsigned bits = 0;
    for (size_t i = 0; i < n; i++) {
        held = held << 8 | bytes[i];
        for (bits += 8; bits >= 5; bits -= 5) adit_buf_byte(out, base32[held >> (bits - 5) & 31]);
    }
    if (bits) adit_buf_byte(out, base32[held << (5 - bits) & 31]);
}

static bool read_base32(struct adit_str s, uint8_t *out, size_t n)
{
    uint32_t held = 0;
    unsigned bits = 0;
    size_t got = 0;
    while (s.len && s.p[s.len - 1] == '=') s.len--;
    if (s.len != (n * 8 + 4) / 5) return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i] >= 'a' && s.p[i] <= 'z' ? (char)(s.p[i] - 32) : s.p[i];
        const char *digit = c ? strchr(base32, c) : NULL;
        if (!digit) return false;
        held = held << 5 | (uint32_t)(digit - base32);
        bits += 5;
        if (bits < 8) continue;
        bits -= 8;
        if (got == n) return false;
        out[got++] = (uint8_t)(held >> bits);
    }
    return got == n;
}

enum digest_state digest_begin(struct digest *d, struct adit_str said)
{
    size_t colon = adit_str_chr(said, ':', 0);
    struct adit_str name = adit_str_trim(adit_str_sub(said, 0, colon));
    struct adit_str text = adit_str_trim(adit_str_sub(said, colon + 1, said.len));
    *d = (struct digest){.sha256 = adit_str_ieq(name, ADIT_STR("sha256")) ||
                                   adit_str_ieq(name, ADIT_STR("sha-256"))};
    size_t n = d->sha256 ? ADIT_SHA256_LEN : SHA1_LEN;
    if (!d->sha256 && !adit_str_ieq(name, ADIT_STR("sha1")) &&
        !adit_str_ieq(name, ADIT_STR("sha-1")))
        return DIGEST_UNKNOWN;
    if (!adit_hex_decode(text, d->want, n) && !read_base32(text, d->want, n))
        return DIGEST_MALFORMED;
    if (d->sha256)
        adit_sha256_init(&d->of.sha256);
    else
        sha1_init(&d->of.sha1, false);
    return DIGEST_READY;
}

void digest_add(struct digest *d, struct adit_str part)
{
    if (d->sha256)
        adit_sha256_update(&d->of.sha256, part.p, part.len);
    else
        sha1_update(&d->of.sha1, part);
}

bool digest_fits(struct digest *d)
{
    uint8_t got[ADIT_SHA256_LEN];
    if (d->sha256)
        adit_sha256_final(&d->of.sha256, got);
    else
        sha1_final(&d->of.sha1, got);
    return memcmp(got, d->want, d->sha256 ? ADIT_SHA256_LEN : SHA1_LEN) == 0;
}
