/* HTTP Message Signatures: the RFC's own response, and what must not verify. */
#include "http/http.h"

#include "crypto/crypto.h"
#include "tct/tct.h"
#include "tests/tap.h"

#define S ADIT_STR

/* RFC 9421, B.1.3 and B.2.4. */
static const char public_pem[] =
    "-----BEGIN PUBLIC KEY-----\n"
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lf\n"
    "w0EkjqF7xB4FivAxzic30tMM4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==\n"
    "-----END PUBLIC KEY-----\n";
#define DIGEST                                                                                     \
    "sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGg" \
    "fLQ==:"
#define LIST                                                                                   \
    "(\"@status\" \"content-type\" \"content-digest\" \"content-length\");created=1618884473;" \
    "keyid=\"test-key-ecc-p256\""
#define SIGNATURE \
    "wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw=="

static struct adit_header fields[] = {
    {ADIT_STR_INIT("Date"), ADIT_STR_INIT("Tue, 20 Apr 2021 02:07:56 GMT")},
    {ADIT_STR_INIT("Content-Type"), ADIT_STR_INIT(" application/json ")},
    {ADIT_STR_INIT("Content-Digest"), ADIT_STR_INIT(DIGEST)},
    {ADIT_STR_INIT("Content-Length"), ADIT_STR_INIT("23")},
};
static struct adit_signed message(void)
{
    return (struct adit_signed){.status = 200,
                                .method = S("GET"),
                                .authority = S("Example.com:443"),
                                .path = S("/foo"),
                                .query = S("?a=b"),
                                .headers = fields,
                                .n = ADIT_COUNT(fields)};
}

TEST(test_rfc)
{
    uint8_t key[ADIT_P256_PUBLIC];
    struct adit_signed m = message();
    struct adit_str inner;
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 4096);
    eq_int(adit_signature_base(&m, S(LIST), &b), ADIT_OK, "the base");
    eq_str(adit_buf_str(&b),
           S("\"@status\": 200\n\"content-type\": application/json\n\"content-digest\": " DIGEST
             "\n\"content-length\": 23\n\"@signature-params\": " LIST),
           "is the RFC's");
    eq_int(adit_p256_read_public(adit_str_z(public_pem), key), ADIT_OK, "its key");
    struct adit_str input = S("sig-b24=" LIST), sig = S("sig-b24=:" SIGNATURE ":");
    ok(adit_signature_verify(&m, input, sig, key, tap_mem, &inner), "its signature verifies");
    eq_str(inner, S(LIST), "and says what it covers");
    ok(adit_signature_covers(inner, "content-digest") && !adit_signature_covers(inner, "date"),
       "by name");
    eq_str(adit_signature_param(inner, "keyid"), S("test-key-ecc-p256"), "its key's name");
    eq_str(adit_signature_param(inner, "created"), S("1618884473"), "its time");
    m.status = 201;
    ok(!adit_signature_verify(&m, input, sig, key, tap_mem, &inner), "not with another status");
    m.status = 200;
    ok(!adit_signature_verify(&m, input, S("sig-b25=:" SIGNATURE ":"), key, tap_mem, &inner),
       "not under another label");
    ok(!adit_signature_verify(&m, S("sig-b24=" LIST ";alg=\"hmac-sha256\""), sig, key, tap_mem,
                              &inner),
       "not by another algorithm");
    key[40] ^= 1;
    ok(!adit_signature_verify(&m, input, sig, key, tap_mem, &inner), "not by another key");
    adit_buf_free(&b);
}

TEST(test_own)
{
    uint8_t key[ADIT_P256_KEY] = {0}, public_key[ADIT_P256_PUBLIC], again[ADIT_P256_PUBLIC];
    struct adit_signed m = message();
    struct adit_str inner;
    struct adit_buf list, sig, doc;
    key[31] = 7;
    adit_p256_public(key, public_key);
    adit_buf_init(&list, tap_mem, 4096);
    adit_buf_init(&sig, tap_mem, 4096);
    adit_buf_init(&doc, tap_mem, 4096);
    adit_buf_lit(&list, "(\"@status\" \"@authority\";req \"@path\";req \"@query\";req "
                        "\"@method\";req \"content-digest\")");
    const struct adit_signature_params params = {
        .created = 1, .keyid = S("k"), .nonce = S("n;,1"), .tag = S("t")};
    adit_signature_params(&list, &params);
    eq_int(adit_signature_base(&m, adit_buf_str(&list), &doc), ADIT_OK, "a base");
    ok(adit_str_starts(adit_buf_str(&doc),
                       S("\"@status\": 200\n\"@authority\";req: example.com\n\"@path\";req: /foo\n"
                         "\"@query\";req: ?a=b\n\"@method\";req: GET\n")),
       "with parts of the request");
    eq_int(adit_signature_sign(&m, S("adit"), adit_buf_str(&list), key, tap_mem, &sig), ADIT_OK,
           "signed");
    struct adit_buf input;
    adit_buf_init(&input, tap_mem, 4096);
    adit_buf_lit(&input, "other=(\"@status\");created=1, adit=");
    adit_buf_add(&input, adit_buf_str(&list));
    ok(adit_signature_verify(&m, adit_buf_str(&input), adit_buf_str(&sig), public_key, tap_mem,
                             &inner),
       "verifies, as the second of two");
    eq_str(adit_signature_param(inner, "nonce"), S("n;,1"), "a nonce with signs of the syntax");
    eq_str(adit_signature_param(inner, "tag"), S("t"), "a tag");
    m.path = S("/bar");
    ok(!adit_signature_verify(&m, adit_buf_str(&input), adit_buf_str(&sig), public_key, tap_mem,
                              &inner),
       "not for another path");
    adit_buf_clear(&doc);
    adit_key_directory(&doc, public_key, S("my key"));
    ok(adit_key_directory_read(adit_buf_str(&doc), S("my key"), again) &&
           memcmp(again, public_key, sizeof again) == 0,
       "the directory, by name");
    ok(!adit_key_directory_read(adit_buf_str(&doc), S("another"), again), "not by another");
    adit_buf_free(&list);
    adit_buf_free(&sig);
    adit_buf_free(&doc);
    adit_buf_free(&input);
}

/* Lists that are none, or speak of what is not there. */
TEST(test_malformed)
{
    static const char *const lists[] = {"",
                                        "x",
                                        "(\"@status\" \"date\" \"@status\");created=1",
                                        "(\"@status\");created=1 and more",
                                        "(\"@status\");keyid=\"open",
                                        "(\"@status\")created=1",
                                        "(\"@status\");=1",
                                        "(",
                                        "(\"@status\"",
                                        "(@status)",
                                        "(\"none\")",
                                        "(\"@path\")",
                                        "(\"@x\";req)",
                                        "(\"content-type\";sf)",
                                        "(\"date\";req)",
                                        "(\"\")"};
    struct adit_signed m = message();
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 4096);
    for (size_t i = 0; i < ADIT_COUNT(lists); i++) {
        adit_buf_clear(&b);
        eq_int(adit_signature_base(&m, adit_str_z(lists[i]), &b), ADIT_EBAD, lists[i]);
        adit_signature_param(adit_str_z(lists[i]), "x");
    }
    eq_str(adit_signature_param(S("();a=\"b"), "a"), S(""), "a quote without its end");
    adit_buf_free(&b);
}

RUN_TESTS(test_rfc, test_own, test_malformed)
