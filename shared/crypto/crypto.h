/* crypto: SHA-256, HMAC-SHA-256, ECDSA on P-256, and the texts that hashes are written as.
 *
 * The arithmetic is BearSSL's: no allocation, constant time, the same in WASM. A native program may
 * put the processor's own SHA instructions behind the same functions (adit_sha256_use).
 */
#ifndef ADIT_CRYPTO_H
#define ADIT_CRYPTO_H

#include "base/base.h"

/* --- SHA-256 (sha256.c) ----------------------------------------------------------------------- */

enum { ADIT_SHA256_LEN = 32, ADIT_SHA256_HEX = 64 };

struct adit_sha256 {
    uint32_t state[8];
    uint64_t len;
    uint8_t block[64];
};

void adit_sha256_init(struct adit_sha256 *h);
void adit_sha256_update(struct adit_sha256 *h, const void *p, size_t len);
/* The hash of what was given so far; h itself does not change, so one may go on. */
void adit_sha256_final(const struct adit_sha256 *h, uint8_t out[ADIT_SHA256_LEN]);
void adit_sha256_of(struct adit_str s, uint8_t out[ADIT_SHA256_LEN]);
/* "sha256-" or whatever prefix, then 64 hexadecimal digits in lower case, appended. */
void adit_sha256_text(struct adit_buf *out, const char *prefix,
                      const uint8_t hash[ADIT_SHA256_LEN]);

/* A compression function over whole 64-byte blocks. adit_sha256_use installs another one; call it
 * once, before any thread hashes. NULL brings back BearSSL's. */
typedef void adit_sha256_blocks(uint32_t state[8], const uint8_t *p, size_t n_blocks);
void adit_sha256_use(adit_sha256_blocks *fn);

/* --- HMAC and signatures (sign.c) ------------------------------------------------------------- */

void adit_hmac_sha256(struct adit_str key, struct adit_str text, uint8_t out[ADIT_SHA256_LEN]);

enum { ADIT_P256_KEY = 32, ADIT_P256_PUBLIC = 65, ADIT_P256_SIG = 64 };

/* Deterministic (RFC 6979) signature of a SHA-256 hash: r then s, 32 bytes each, big endian.
 * ADIT_EBAD if the private key is not in 1…n-1. */
enum adit_code adit_p256_sign(const uint8_t key[ADIT_P256_KEY], const uint8_t hash[ADIT_SHA256_LEN],
                              uint8_t sig[ADIT_P256_SIG]);
/* public: uncompressed point, 04 x y. */
bool adit_p256_verify(const uint8_t public_key[ADIT_P256_PUBLIC],
                      const uint8_t hash[ADIT_SHA256_LEN], const uint8_t sig[ADIT_P256_SIG]);
enum adit_code adit_p256_public(const uint8_t key[ADIT_P256_KEY],
                                uint8_t public_key[ADIT_P256_PUBLIC]);

/* Equality in time that does not depend on the contents. */
bool adit_crypto_eq(const uint8_t *a, const uint8_t *b, size_t len);

/* --- keys as files hold them (key.c) ---------------------------------------------------------- */

/* PEM (EC PRIVATE KEY or PRIVATE KEY; blocks with other labels are passed over), or 64 hexadecimal
 * digits. ADIT_EBAD: neither, another curve, or a number that is no key. */
enum adit_code adit_p256_read_private(struct adit_str text, uint8_t key[ADIT_P256_KEY]);
/* PEM (PUBLIC KEY), 130 hexadecimal digits of an uncompressed point, or a private key, whose public
 * key is computed. Whether the point is on the curve, adit_p256_verify says. */
enum adit_code adit_p256_read_public(struct adit_str text, uint8_t key[ADIT_P256_PUBLIC]);

/* --- texts of bytes (encode.c); hexadecimal output is adit_buf_hex ---------------------------- */

/* Exactly 2 * len hexadecimal digits, any case; false otherwise. */
bool adit_hex_decode(struct adit_str s, uint8_t *out, size_t len);
/* RFC 4648, with padding. */
void adit_base64(struct adit_buf *out, const uint8_t *p, size_t len);
void adit_base64url(struct adit_buf *out, const uint8_t *p, size_t len); /* without padding */
/* Either alphabet, padding optional, nothing else; ADIT_EBAD otherwise. Appends. */
enum adit_code adit_base64_decode(struct adit_str s, struct adit_buf *out);

#endif
