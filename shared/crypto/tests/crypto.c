/* Known answers: FIPS 180-4 examples, RFC 4231, RFC 6979 A.2.5, RFC 4648. */
#include "crypto/crypto.h"
#include "tests/tap.h"

#define S(lit) ADIT_STR(lit)

static struct adit_buf b;

static struct adit_str hex_of(const uint8_t *p, size_t len)
{
    adit_buf_clear(&b);
    adit_buf_hex(&b, p, len);
    return adit_buf_str(&b);
}

static struct adit_str sha(struct adit_str s)
{
    uint8_t h[32];
    adit_sha256_of(s, h);
    return hex_of(h, 32);
}

TEST(test_sha256)
{
    adit_buf_init(&b, tap_mem, 1 << 20);
    eq_str(sha(S("")), S("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
           "empty");
    eq_str(sha(S("abc")), S("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
           "abc");
    eq_str(sha(S("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
           S("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"), "two blocks");
    struct adit_sha256 h;
    uint8_t out[32];
    char a[1000];
    memset(a, 'a', sizeof a);
    adit_sha256_init(&h);
    for (int i = 0; i < 1000; i++) adit_sha256_update(&h, a, sizeof a);
    adit_sha256_final(&h, out);
    eq_str(hex_of(out, 32), S("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
           "a million a");
}

TEST(test_sha256_splits)
{
    char text[200];
    for (size_t i = 0; i < sizeof text; i++) text[i] = (char)(i * 7);
    bool same = true;
    for (size_t len = 0; len <= sizeof text; len++) {
        uint8_t whole[32], parts[32], bytes[32];
        struct adit_sha256 h;
        adit_sha256_of(adit_str_of(text, len), whole);
        for (size_t cut = 0; cut <= len; cut++) {
            adit_sha256_init(&h);
            adit_sha256_update(&h, text, cut);
            adit_sha256_final(&h, parts); /* looking does no harm */
            adit_sha256_update(&h, text + cut, len - cut);
            adit_sha256_final(&h, parts);
            same = same && memcmp(whole, parts, 32) == 0;
        }
        adit_sha256_init(&h);
        for (size_t i = 0; i < len; i++) adit_sha256_update(&h, text + i, 1);
        adit_sha256_final(&h, bytes);
        same = same && memcmp(whole, bytes, 32) == 0;
    }
    ok(same, "every length, split at every offset, and byte by byte");
}

static size_t counted;
static void counting_blocks(uint32_t state[8], const uint8_t *p, size_t n)
{
    (void)p;
    counted += n;
    state[0] = 1;
}

TEST(test_sha256_use)
{
    adit_sha256_use(counting_blocks);
    ok(adit_str_starts(sha(S("abc")), S("00000001")) && counted == 1, "another function is used");
    adit_sha256_use(NULL);
    ok(adit_str_starts(sha(S("abc")), S("ba7816bf")), "NULL brings the first back");
}

TEST(test_text)
{
    uint8_t out[32];
    adit_sha256_of(S("abc"), out);
    adit_buf_clear(&b);
    adit_sha256_text(&b, "sha256-", out);
    eq_str(adit_buf_str(&b),
           S("sha256-ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"), "text");
}

TEST(test_hmac)
{
    uint8_t out[32];
    adit_hmac_sha256(S("\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b"
                       "\x0b\x0b"),
                     S("Hi There"), out);
    eq_str(hex_of(out, 32), S("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
           "RFC 4231, 4.2");
    adit_hmac_sha256(S("Jefe"), S("what do ya want for nothing?"), out);
    eq_str(hex_of(out, 32), S("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
           "RFC 4231, 4.3");
    char key[131];
    memset(key, 0xaa, sizeof key);
    adit_hmac_sha256(adit_str_of(key, sizeof key),
                     S("Test Using Larger Than Block-Size Key - Hash Key First"), out);
    eq_str(hex_of(out, 32), S("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
           "RFC 4231, 4.7");
}

static void sign_known(const uint8_t *key, const uint8_t *public_key, struct adit_str text,
                       struct adit_str want)
{
    uint8_t hash[32], sig[64];
    adit_sha256_of(text, hash);
    eq_int(adit_p256_sign(key, hash, sig), ADIT_OK, "sign");
    eq_str(hex_of(sig, 64), want, "RFC 6979, A.2.5");
    ok(adit_p256_verify(public_key, hash, sig), "verify");
    sig[40] ^= 1;
    ok(!adit_p256_verify(public_key, hash, sig), "a changed signature fails");
    sig[40] ^= 1;
    hash[0] ^= 1;
    ok(!adit_p256_verify(public_key, hash, sig), "a changed hash fails");
}

TEST(test_ecdsa)
{
    uint8_t key[32], public_key[65], sig[64] = {0};
    adit_hex_decode(S("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"), key, 32);
    eq_int(adit_p256_public(key, public_key), ADIT_OK, "public key");
    eq_str(hex_of(public_key, 65),
           S("0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
             "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"),
           "RFC 6979, A.2.5");
    sign_known(key, public_key, S("sample"),
               S("efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                 "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"));
    sign_known(key, public_key, S("test"),
               S("f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367"
                 "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"));
    uint8_t hash[32] = {1}, bad[65] = {4, 1, 2, 3};
    ok(!adit_p256_verify(public_key, hash, sig), "a signature of zeros fails");
    ok(!adit_p256_verify(bad, hash, sig), "a point off the curve fails");
    memset(key, 0, 32);
    eq_int(adit_p256_sign(key, hash, sig), ADIT_EBAD, "key 0 cannot sign");
    eq_int(adit_p256_public(key, public_key), ADIT_EBAD, "and has no public key");
    memset(key, 0xFF, 32);
    eq_int(adit_p256_sign(key, hash, sig), ADIT_EBAD, "nor can one over the order");
    eq_int(adit_p256_public(key, public_key), ADIT_EBAD, "nor has it one");
}

static const struct {
    const char *plain, *text, *url;
} base64[] = {
    {"", "", ""},
    {"f", "Zg==", "Zg"},
    {"fo", "Zm8=", "Zm8"},
    {"foo", "Zm9v", "Zm9v"},
    {"foob", "Zm9vYg==", "Zm9vYg"},
    {"fooba", "Zm9vYmE=", "Zm9vYmE"},
    {"foobar", "Zm9vYmFy", "Zm9vYmFy"},
    {"\xfb\xff\xfe", "+//+", "-__-"},
};

TEST(test_base64)
{
    for (size_t i = 0; i < ADIT_COUNT(base64); i++) {
        struct adit_str plain = adit_str_z(base64[i].plain);
        adit_buf_clear(&b);
        adit_base64(&b, (const uint8_t *)plain.p, plain.len);
        eq_str(adit_buf_str(&b), adit_str_z(base64[i].text), "base64");
        adit_buf_clear(&b);
        adit_base64url(&b, (const uint8_t *)plain.p, plain.len);
        eq_str(adit_buf_str(&b), adit_str_z(base64[i].url), "base64url");
        adit_buf_clear(&b);
        adit_base64_decode(adit_str_z(base64[i].text), &b);
        adit_base64_decode(adit_str_z(base64[i].url), &b);
        eq_str(adit_str_sub(adit_buf_str(&b), 0, plain.len), plain, "decoded");
        eq_int(b.len, 2 * plain.len, "both");
    }
    static const char *const bad[] = {
        "Z", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm 9v", "Z===", "Zm9v=", "Zg==Zg=="};
    for (size_t i = 0; i < ADIT_COUNT(bad); i++) {
        adit_buf_clear(&b);
        eq_int(adit_base64_decode(adit_str_z(bad[i]), &b), ADIT_EBAD, bad[i]);
    }
}

TEST(test_hex)
{
    uint8_t out[2];
    ok(adit_hex_decode(S("0aFf"), out, 2) && out[0] == 10 && out[1] == 255, "hex");
    ok(!adit_hex_decode(S("0aF"), out, 2) && !adit_hex_decode(S("0aFf0"), out, 2), "length");
    ok(!adit_hex_decode(S("0aFg"), out, 2), "digit");
    ok(adit_crypto_eq(out, out, 2) && !adit_crypto_eq(out, (const uint8_t *)"xy", 2), "equality");
    adit_buf_free(&b);
}

RUN_TESTS(test_sha256, test_sha256_splits, test_sha256_use, test_text, test_hmac, test_ecdsa,
          test_base64, test_hex)
