/* Reading P-256 keys: PEM as other tools write it, or hexadecimal digits. */
#include "batch/archive/archive.h"

#include <stdio.h>
#include <string.h>

enum { KEY_FILE_MAX = 16384 };

/* The next DER element: its tag and its contents. */
static bool der(struct adit_str *s, unsigned char *tag, struct adit_str *value)
{
    if (s->len < 2) return false;
    *tag = (unsigned char)s->p[0];
    size_t len = (unsigned char)s->p[1], head = 2;
    if (len >= 0x80) {
        size_t n = len & 0x7F;
        if (n == 0 || n > 2 || s->len < 2 + n) return false;
        len = 0;
        for (; n; n--) len = len << 8 | (unsigned char)s->p[head++];
    }
    if (s->len - head < len) return false;
    *value = adit_str_sub(*s, head, head + len);
    *s = adit_str_sub(*s, head + len, s->len);
    return true;
}

enum { DER_INTEGER = 2, DER_BITS = 3, DER_OCTETS = 4, DER_OID = 6, DER_SEQUENCE = 0x30 };

static bool expect(struct adit_str *s, unsigned char want, struct adit_str *value)
{
    unsigned char tag;
    return der(s, &tag, value) && tag == want;
}

/* ECPrivateKey (RFC 5915): version, 32 octets, and more. */
static bool sec1(struct adit_str s, uint8_t key[ADIT_P256_KEY])
{
    struct adit_str body, version, octets;
    if (!expect(&s, DER_SEQUENCE, &body) || !expect(&body, DER_INTEGER, &version) ||
        !expect(&body, DER_OCTETS, &octets) || octets.len != ADIT_P256_KEY)
        return false;
    memcpy(key, octets.p, ADIT_P256_KEY);
    return true;
}

/* AlgorithmIdentifier of a key on P-256. */
static bool is_p256(struct adit_str algorithm)
{
    static const struct adit_str prime256v1 = ADIT_STR_INIT("\x2a\x86\x48\xce\x3d\x03\x01\x07");
    struct adit_str oid, curve;
    return expect(&algorithm, DER_OID, &oid) && expect(&algorithm, DER_OID, &curve) &&
           adit_str_eq(curve, prime256v1);
}

/* PrivateKeyInfo (RFC 5208): version, algorithm, ECPrivateKey in octets. */
static bool pkcs8(struct adit_str s, uint8_t key[ADIT_P256_KEY])
{
    struct adit_str body, version, algorithm, octets;
    return expect(&s, DER_SEQUENCE, &body) && expect(&body, DER_INTEGER, &version) &&
           expect(&body, DER_SEQUENCE, &algorithm) && is_p256(algorithm) &&
           expect(&body, DER_OCTETS, &octets) && sec1(octets, key);
}

static bool public_info(struct adit_str s, uint8_t key[ADIT_P256_PUBLIC])
{
    struct adit_str body, algorithm, bits;
    if (!expect(&s, DER_SEQUENCE, &body) || !expect(&body, DER_SEQUENCE, &algorithm) ||
        !is_p256(algorithm) || !expect(&body, DER_BITS, &bits) || bits.len != ADIT_P256_PUBLIC + 1)
        return false;
    memcpy(key, bits.p + 1, ADIT_P256_PUBLIC);
    return key[0] == 4;
}

/* The bytes of the PEM block with that label. */
static bool pem(struct adit_str file, const char *label, struct adit_buf *out)
{
    char line[64];
    size_t len = (size_t)snprintf(line, sizeof line, "-----BEGIN %s-----", label);
    size_t from = adit_str_find(file, adit_str_of(line, len), 0);
    if (from == file.len) return false;
    from += len;
    size_t to = adit_str_find(file, ADIT_STR("-----END"), from);
    struct adit_buf text;
    adit_buf_init(&text, cli_mem, KEY_FILE_MAX);
    for (size_t i = from; i < to; i++)
        if (!adit_is_space(file.p[i])) adit_buf_byte(&text, file.p[i]);
    adit_buf_clear(out);
    bool good = to < file.len && adit_base64_decode(adit_buf_str(&text), out) == ADIT_OK;
    adit_buf_free(&text);
    return good;
}

static bool private_key(struct adit_str file, struct adit_buf *scratch, uint8_t key[ADIT_P256_KEY])
{
    uint8_t public_key[ADIT_P256_PUBLIC];
    bool found = adit_hex_decode(adit_str_trim(file), key, ADIT_P256_KEY) ||
                 (pem(file, "EC PRIVATE KEY", scratch) && sec1(adit_buf_str(scratch), key)) ||
                 (pem(file, "PRIVATE KEY", scratch) && pkcs8(adit_buf_str(scratch), key));
    return found && adit_p256_public(key, public_key) == ADIT_OK;
}

static bool public_key_of(struct adit_str file, struct adit_buf *scratch,
                          uint8_t key[ADIT_P256_PUBLIC])
{
    uint8_t secret[ADIT_P256_KEY];
    if (adit_hex_decode(adit_str_trim(file), key, ADIT_P256_PUBLIC)) return key[0] == 4;
    if (pem(file, "PUBLIC KEY", scratch)) return public_info(adit_buf_str(scratch), key);
    return private_key(file, scratch, secret) && adit_p256_public(secret, key) == ADIT_OK;
}

bool archive_private_key(const char *path, uint8_t key[ADIT_P256_KEY])
{
    struct adit_buf file, scratch;
    adit_buf_init(&file, cli_mem, KEY_FILE_MAX);
    adit_buf_init(&scratch, cli_mem, KEY_FILE_MAX);
    bool good = cli_read(path, &file);
    if (good && !private_key(adit_buf_str(&file), &scratch, key)) {
        cli_say(path, "is not a private key on P-256: give PEM (openssl ecparam -name prime256v1 "
                      "-genkey -noout) or 64 hexadecimal digits");
        good = false;
    }
    adit_buf_free(&file);
    adit_buf_free(&scratch);
    return good;
}

bool archive_public_key(const char *path, uint8_t key[ADIT_P256_PUBLIC])
{
    struct adit_buf file, scratch;
    adit_buf_init(&file, cli_mem, KEY_FILE_MAX);
    adit_buf_init(&scratch, cli_mem, KEY_FILE_MAX);
    bool good = cli_read(path, &file);
    if (good && !public_key_of(adit_buf_str(&file), &scratch, key)) {
        cli_say(path, "is not a public key on P-256: give PEM (openssl ec -pubout) or 130 "
                      "hexadecimal digits");
        good = false;
    }
    adit_buf_free(&file);
    adit_buf_free(&scratch);
    return good;
}
