/* Keys of files: PEM as OpenSSL writes it, and what is none. The key is RFC 6979's, A.2.5. */
#include "crypto/crypto.h"
#include "tests/tap.h"

#define S(lit) ADIT_STR(lit)

#define SEC1                                                             \
    "-----BEGIN EC PRIVATE KEY-----\n"                                   \
    "MHcCAQEEIMmvqdhFunUWa1whV2ex1pNOUMPbNuibEnuKYisSD2choAoGCCqGSM49\n" \
    "AwEHoUQDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7Yfps5mliLmDyn7Z5A/4QCLi8\n" \
    "maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==\n"                             \
    "-----END EC PRIVATE KEY-----\n"
#define PKCS8                                                            \
    "-----BEGIN PRIVATE KEY-----\n"                                      \
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgya+p2EW6dRZrXCFX\n" \
    "Z7HWk05Qw9s26JsSe4piKxIPZyGhRANCAARg/tS6JVqdMclh63TGNW1owEm4kjth\n" \
    "+mzmaWIuYPKftnkD/hAIuLyZpBrp6VYovGTy8bIMLX6fUXejwpTURiKZ\n"         \
    "-----END PRIVATE KEY-----\n"
#define PUBLIC                                                           \
    "-----BEGIN PUBLIC KEY-----\n"                                       \
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7\n" \
    "Yfps5mliLmDyn7Z5A/4QCLi8maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==\n"     \
    "-----END PUBLIC KEY-----\n"
#define PARAMETERS                    \
    "-----BEGIN EC PARAMETERS-----\n" \
    "BggqhkjOPQMBBw==\n"              \
    "-----END EC PARAMETERS-----\n"
#define SECP256K1                                                        \
    "-----BEGIN EC PRIVATE KEY-----\n"                                   \
    "MHQCAQEEIDEhMfHJGruavrWcfrg/20rycbnfkgBhI0POz4okTy8+oAcGBSuBBAAK\n" \
    "oUQDQgAE3FzHLdEnI4VhqwlW1wB+t86VecZ/0UDR/TavXTnPFovTi9QWYQNkFXTj\n" \
    "aE/Olbwfresi4iiTIutJpMrVzU5uGA==\n"                                 \
    "-----END EC PRIVATE KEY-----\n"
#define RSA                                                              \
    "-----BEGIN PRIVATE KEY-----\n"                                      \
    "MIIBVQIBADANBgkqhkiG9w0BAQEFAASCAT8wggE7AgEAAkEA1wo85dWLVPT5MM41\n" \
    "I4Kowmjt7iz42D20UDA3F7iLW6ATHopZGH3cMaK9QQfkUH0rjuWxxPIEFxbfQOou\n" \
    "WMJr7QIDAQABAkEAvnNfygKd+ylXxcTrxT6ELmJ2T5pe7k1/9AEv2f9k1UjJHcez\n" \
    "Z5u2VUbeaddyPyshOyVrcMGFIE5nQjiIuR454QIhAPmuhfFFQu1gV5x3XLPJe0c9\n" \
    "c9X8Z+V2O/ZrKaqAwTKlAiEA3HtM1ZjmiIq/CtsC8gKJIUZXMb+C6LFcgp9skdyo\n" \
    "eakCIQDs9QGvQbFLwPREzU8QXXX+3UZy3fHoZnZv3bIUW89+9QIfH92yPSzcJN/o\n" \
    "vKjqxA+ZwjVoZMhJI1h/BmIETxCVSQIhANOKypwjjpVuNmXX0CqA3wxRDKRXX2oA\n" \
    "+fbP0tcE2U6H\n"                                                     \
    "-----END PRIVATE KEY-----\n"
#define PUBLIC_384                                                       \
    "-----BEGIN PUBLIC KEY-----\n"                                       \
    "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEIbgV+QWAHIRpRtyu6I5mOJnuLYhzkV1o\n" \
    "F0CKR1/Fwtt7UYFsuWMaiOzwXLtSzvSDN2xp2qXSeM22rye88NKCnFtdd/LkF8mt\n" \
    "WalKhMe1OjbI9MdODSo/jphbazw8QjTA\n"                                 \
    "-----END PUBLIC KEY-----\n"
#define PUBLIC_COMPRESSED                                                \
    "-----BEGIN PUBLIC KEY-----\n"                                       \
    "MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgADYP7UuiVanTHJYet0xjVtaMBJuJI7\n" \
    "Yfps5mliLmDyn7Y=\n"                                                 \
    "-----END PUBLIC KEY-----\n"
#define KEY "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
#define POINT                                                          \
    "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6" \
    "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"

static const struct {
    const char *what;
    struct adit_str text;
    bool is_private, is_public; /* which of the two readers takes it */
} rows[] = {
    {"ECPrivateKey", ADIT_STR_INIT(SEC1), true, true},
    {"PrivateKeyInfo", ADIT_STR_INIT(PKCS8), true, true},
    {"public key", ADIT_STR_INIT(PUBLIC), false, true},
    {"parameters before the key, as openssl ecparam -genkey writes them",
     ADIT_STR_INIT(PARAMETERS SEC1), true, true},
    {"words around the block", ADIT_STR_INIT("my key:\n" SEC1 "end\n"), true, true},
    {"both halves", ADIT_STR_INIT(PUBLIC PKCS8), true, true},
    {"hexadecimal", ADIT_STR_INIT(KEY "\n"), true, true},
    {"hexadecimal point", ADIT_STR_INIT(" 04" POINT "\n"), false, true},
    {"empty", ADIT_STR_INIT(""), false, false},
    {"parameters alone", ADIT_STR_INIT(PARAMETERS), false, false},
    {"another curve of the same size", ADIT_STR_INIT(SECP256K1), false, false},
    {"RSA", ADIT_STR_INIT(RSA), false, false},
    {"P-384", ADIT_STR_INIT(PUBLIC_384), false, false},
    {"a compressed point", ADIT_STR_INIT(PUBLIC_COMPRESSED), false, false},
    {"a point that begins with 05", ADIT_STR_INIT("05" POINT), false, false},
    {"key 0", ADIT_STR_INIT(ZEROS), false, false},
    {"a label that ends otherwise",
     ADIT_STR_INIT("-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIMmv\n-----END KEY-----\n"), false,
     false},
    {"a letter outside of base64",
     ADIT_STR_INIT("-----BEGIN EC PRIVATE KEY-----\nMHcC*QEEIMmv\n-----END EC PRIVATE KEY-----\n"),
     false, false},
};

TEST(test_rows)
{
    uint8_t want_private[ADIT_P256_KEY], want_public[ADIT_P256_PUBLIC];
    ok(adit_hex_decode(S(KEY), want_private, sizeof want_private) &&
           adit_hex_decode(S("04" POINT), want_public, sizeof want_public),
       "the key that is expected");
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        uint8_t private_key[ADIT_P256_KEY] = {0}, public_key[ADIT_P256_PUBLIC] = {0};
        bool is_private = adit_p256_read_private(rows[i].text, private_key) == ADIT_OK;
        bool is_public = adit_p256_read_public(rows[i].text, public_key) == ADIT_OK;
        ok(is_private == rows[i].is_private &&
               (!is_private || memcmp(private_key, want_private, sizeof private_key) == 0),
           rows[i].what);
        ok(is_public == rows[i].is_public &&
               (!is_public || memcmp(public_key, want_public, sizeof public_key) == 0),
           rows[i].what);
    }
}

/* The text in a block of its own size, so that a read past the end is seen. */
static bool read_copy(struct adit_str s)
{
    uint8_t key[ADIT_P256_PUBLIC];
    struct adit_buf copy;
    adit_buf_init(&copy, tap_mem, s.len);
    adit_buf_add(&copy, s);
    bool good = adit_p256_read_public(adit_buf_str(&copy), key) == ADIT_OK;
    adit_buf_free(&copy);
    return good;
}

TEST(test_cut)
{
    static const struct adit_str whole[] = {ADIT_STR_INIT(SEC1), ADIT_STR_INIT(PKCS8),
                                            ADIT_STR_INIT(PUBLIC)};
    for (size_t i = 0; i < ADIT_COUNT(whole); i++) {
        size_t end = adit_str_find(whole[i], S("-----END"), 0), taken = 0;
        for (size_t len = 0; len < end; len++) taken += read_copy(adit_str_sub(whole[i], 0, len));
        eq_int(taken, 0, "no key without its end");
        ok(read_copy(adit_str_sub(whole[i], 0, whole[i].len - 1)), "the last line feed may lack");
    }
}

RUN_TESTS(test_rows, test_cut)
