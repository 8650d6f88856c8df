/* The processor's SHA-256 gives what BearSSL gives, for every length. */
#include "batch/cli/cli.h"
#include "crypto/crypto.h"
#include "tests/tap.h"

TEST(test_same)
{
    static uint8_t text[4096], plain[600][ADIT_SHA256_LEN];
    for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)(i * i + i / 7);
    for (size_t n = 0; n < 600; n++)
        adit_sha256_of(adit_str_of((const char *)text + n % 16, n * 5), plain[n]);
    if (!sha_accelerate()) {
        tap_skip("accelerated SHA-256", "this processor has no SHA instructions");
        return;
    }
    bool same = true;
    for (size_t n = 0; n < 600; n++) {
        uint8_t fast[ADIT_SHA256_LEN];
        adit_sha256_of(adit_str_of((const char *)text + n % 16, n * 5), fast);
        same = same && memcmp(fast, plain[n], sizeof fast) == 0;
    }
    ok(same, "accelerated SHA-256 is SHA-256");
}

RUN_TESTS(test_same)
