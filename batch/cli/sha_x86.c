/* SHA-256 by the x86 SHA extensions, chosen at run time. On other machines: nothing. */
#include "batch/cli/cli.h"
#include "crypto/crypto.h"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))

#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>

static const uint32_t k[64] = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2};

/* The instructions keep the state as ABEF and CDGH, and do two rounds each. w[] holds the last
 * sixteen words of the message schedule, four a register. */
__attribute__((target("sha,sse4.1,ssse3"))) static void sha_ni_blocks(uint32_t state[8],
                                                                      const uint8_t *p,
                                                                      size_t n_blocks)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i dcba = _mm_loadu_si128((const __m128i *)(const void *)state);
    __m128i hgfe = _mm_loadu_si128((const __m128i *)(const void *)(state + 4));
    __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1), efgh = _mm_shuffle_epi32(hgfe, 0x1B);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
    for (; n_blocks > 0; n_blocks--, p += 64) {
        __m128i w[4], abef_before = abef, cdgh_before = cdgh;
#pragma GCC unroll 16
        for (size_t i = 0; i < 16; i++) {
            if (i < 4) {
                __m128i text = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
                w[i] = _mm_shuffle_epi8(text, swap);
            } else {
                __m128i sum = _mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]);
                sum = _mm_add_epi32(sum, _mm_alignr_epi8(w[(i + 3) % 4], w[(i + 2) % 4], 4));
                w[i % 4] = _mm_sha256msg2_epu32(sum, w[(i + 3) % 4]);
            }
            __m128i wk = _mm_loadu_si128((const __m128i *)(const void *)(k + 4 * i));
            wk = _mm_add_epi32(wk, w[i % 4]);
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0E));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)(void *)state, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128((__m128i *)(void *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

static bool ask_sha(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
    bool sse = (c & bit_SSSE3) && (c & bit_SSE4_1);
    return sse && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 29));
}

/* Asked once: in a virtual machine the instruction leaves to the host, which takes longer than hashing a
 * small page. Threads that ask at once get the same answer. */
bool sha_in_processor(void)
{
    enum { UNKNOWN, NO, YES };
    static atomic_int known;
    int now = atomic_load_explicit(&known, memory_order_relaxed);
    if (now == UNKNOWN) {
        now = ask_sha() ? YES : NO;
        atomic_store_explicit(&known, now, memory_order_relaxed);
    }
    return now == YES;
}

bool sha_accelerate(void)
{
    if (!sha_in_processor()) return false;
    adit_sha256_use(sha_ni_blocks);
    return true;
}

#else

bool sha_in_processor(void) { return false; }
bool sha_accelerate(void) { return false; }

#endif
