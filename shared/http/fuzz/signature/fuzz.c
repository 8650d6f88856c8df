/* Signature-Input before the first NUL, Signature behind it, of a response with a few fields: members
 * are parts of the field, what a list allows to be signed verifies again, and nothing that a stranger
 * writes is taken for a signature of ours. */
#include "crypto/crypto.h"
#include "http/http.h"
#include "shared/tests/fuzz.h"

static const uint8_t secret[ADIT_P256_KEY] = {1, 2, 3, 4, 5, 6, 7, 8};

static const struct adit_header headers[] = {
    {ADIT_STR_INIT("content-digest"), ADIT_STR_INIT("sha-256=:abc=:")},
    {ADIT_STR_INIT("content-type"), ADIT_STR_INIT("application/json")},
    {ADIT_STR_INIT("link"), ADIT_STR_INIT("<a>; rel=\"b\"")},
    {ADIT_STR_INIT("link"), ADIT_STR_INIT("<c>; rel=\"d\"")},
};
static const struct adit_signed message = {
    .status = 200,
    .method = ADIT_STR_INIT("GET"),
    .authority = ADIT_STR_INIT("a.example"),
    .path = ADIT_STR_INIT("/post/llm/"),
    .headers = headers,
    .n = ADIT_COUNT(headers),
};

static bool is_part(struct adit_str part, struct adit_str whole)
{
    return !part.len || (part.p >= whole.p && part.p + part.len <= whole.p + whole.len);
}

/* What is signed by a list verifies, and covers what the list names. */
static void round_trip(struct adit_str inner, const uint8_t key[ADIT_P256_PUBLIC])
{
    struct adit_buf input, signature;
    struct adit_str found, alg = adit_signature_param(inner, "alg");
    if (alg.len && !adit_str_eq(alg, ADIT_STR("ecdsa-p256-sha256"))) return; /* never verifies */
    adit_buf_init(&input, fuzz_mem, 1 << 20), adit_buf_init(&signature, fuzz_mem, 1 << 20);
    adit_buf_lit(&input, "us=");
    adit_buf_add(&input, inner);
    if (fuzz_took(
            adit_signature_sign(&message, ADIT_STR("us"), inner, secret, fuzz_mem, &signature)) &&
        !input.err) {
        bool good = adit_signature_verify(&message, adit_buf_str(&input), adit_buf_str(&signature),
                                          key, fuzz_mem, &found);
        if (!good && fuzz.denied) fuzz.gave_up = true;
        MUST(good || fuzz.denied);
        if (good) MUST(adit_str_eq(found, inner));
    }
    adit_buf_free(&input), adit_buf_free(&signature);
}

FUZZ_TARGET(all)
{
    static uint8_t key[ADIT_P256_PUBLIC];
    static bool has_key;
    if (!has_key) has_key = adit_p256_public(secret, key) == ADIT_OK;
    size_t nul = adit_str_chr(all, '\0', 0), members = 0;
    struct adit_str input = adit_str_sub(all, 0, nul), rest = input, label, inner, found;
    struct adit_str signature = adit_str_sub(all, nul + 1, all.len);
    while (adit_signature_next(&rest, &label, &inner)) {
        struct adit_buf base;
        MUST(is_part(label, input) && is_part(inner, input) && is_part(rest, input));
        MUST(is_part(adit_signature_param(inner, "keyid"), inner));
        adit_signature_covers(inner, "content-digest");
        adit_buf_init(&base, fuzz_mem, 1 << 20);
        if (fuzz_took(adit_signature_base(&message, inner, &base))) {
            fuzz_tell(adit_buf_str(&base));
            if (!members) round_trip(inner, key);
        }
        adit_buf_free(&base);
        MUST(++members <= input.len);
    }
    /* Seeds have no signature by this key. */
    if (signature.len)
        MUST(!adit_signature_verify(&message, input, signature, key, fuzz_mem, &found));
}
