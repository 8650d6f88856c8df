/* P-256 keys as other tools write them: PEM, by BearSSL's decoders, or hexadecimal digits. */
#include "crypto/crypto.h"

#include <bearssl_pem.h>
#include <bearssl_x509.h>
#include <string.h>

/* SubjectPublicKeyInfo (RFC 5480) of a P-256 key up to its point: DER has one way to write it. */
static const uint8_t public_info[] = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48,
                                      0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
                                      0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00};

/* One PEM block, decoded; len counts all bytes, those that found no room included. Keys on P-256
 * take up to 138 bytes. */
struct block {
    uint8_t bytes[256];
    size_t len;
};

static void take_bytes(void *block, const void *p, size_t len)
{
    struct block *b = block;
    if (len <= sizeof b->bytes && b->len <= sizeof b->bytes - len)
        memcpy(b->bytes + b->len, p, len);
    b->len += len;
}

/* The first block with one of two labels; others, such as EC PARAMETERS, are passed over. */
static bool read_pem(struct adit_str text, const char *label, const char *or_label, struct block *b)
{
    br_pem_decoder_context c;
    bool ours = false, ended = false;
    br_pem_decoder_init(&c);
    while (text.len || !ended) {
        /* The decoder sees the end of the last line only when a line feed follows. */
        struct adit_str piece = text.len ? text : ADIT_STR("\n");
        ended = !text.len;
        size_t n = br_pem_decoder_push(&c, piece.p, piece.len);
        text = adit_str_sub(text, n, text.len);
        int event = br_pem_decoder_event(&c);
        if (event == BR_PEM_ERROR || (event == BR_PEM_END_OBJ && ours))
            return event == BR_PEM_END_OBJ && b->len <= sizeof b->bytes;
        if (event != BR_PEM_BEGIN_OBJ) continue;
        struct adit_str name = adit_str_z(br_pem_decoder_name(&c));
        ours = adit_str_eq(name, adit_str_z(label)) || adit_str_eq(name, adit_str_z(or_label));
        b->len = 0;
        br_pem_decoder_setdest(&c, ours ? take_bytes : NULL, b);
    }
    return false;
}

/* ECPrivateKey (RFC 5915) or PrivateKeyInfo (RFC 5208): BearSSL tells them apart itself. */
static bool read_private(const struct block *b, uint8_t key[ADIT_P256_KEY])
{
    br_skey_decoder_context c;
    br_skey_decoder_init(&c);
    br_skey_decoder_push(&c, b->bytes, b->len);
    const br_ec_private_key *ec = br_skey_decoder_get_ec(&c);
    bool good = ec && ec->curve == BR_EC_secp256r1 && ec->xlen == ADIT_P256_KEY;
    if (good) memcpy(key, ec->x, ADIT_P256_KEY);
    return good;
}

enum adit_code adit_p256_read_private(struct adit_str text, uint8_t key[ADIT_P256_KEY])
{
    uint8_t public_key[ADIT_P256_PUBLIC];
    struct block b;
    bool found = adit_hex_decode(adit_str_trim(text), key, ADIT_P256_KEY) ||
                 (read_pem(text, "EC PRIVATE KEY", "PRIVATE KEY", &b) && read_private(&b, key));
    return found ? adit_p256_public(key, public_key) : ADIT_EBAD;
}

enum adit_code adit_p256_read_public(struct adit_str text, uint8_t key[ADIT_P256_PUBLIC])
{
    uint8_t secret[ADIT_P256_KEY];
    struct block b;
    if (read_pem(text, "PUBLIC KEY", "PUBLIC KEY", &b)) {
        if (b.len != sizeof public_info + ADIT_P256_PUBLIC ||
            memcmp(b.bytes, public_info, sizeof public_info) != 0)
            return ADIT_EBAD;
        memcpy(key, b.bytes + sizeof public_info, ADIT_P256_PUBLIC);
    } else if (!adit_hex_decode(adit_str_trim(text), key, ADIT_P256_PUBLIC)) {
        return adit_p256_read_private(text, secret) == ADIT_OK ? adit_p256_public(secret, key)
                                                               : ADIT_EBAD;
    }
    return key[0] == 4 ? ADIT_OK : ADIT_EBAD;
}
