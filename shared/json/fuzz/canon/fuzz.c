/* Canonical text is canonical; a mended copy is JSON; numbers come back as they went. */
#include "json/json.h"
#include "tests/fuzz.h"

static void check_number(struct adit_str text, struct adit_buf *b)
{
    uint64_t bits, again;
    struct adit_json_value v;
    bool valid = adit_json_check(text, &v, NULL) == ADIT_OK && v.kind == ADIT_JSON_NUMBER &&
                 v.raw.len == text.len;
    if (adit_json_parse_number(text, &bits)) return;
    MUST(valid);
    adit_buf_clear(b);
    MUST(adit_json_number(b, bits) == ADIT_OK);
    MUST(adit_json_parse_number(adit_buf_str(b), &again) == ADIT_OK);
    MUST(again == bits || bits << 1 == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct adit_str text = adit_str_of((const char *)data, size);
    struct adit_buf a, b;
    struct adit_json_value v;
    bool strict = adit_json_check(text, &v, NULL) == ADIT_OK;
    adit_buf_init(&a, fuzz_mem, 8 << 20);
    adit_buf_init(&b, fuzz_mem, 8 << 20);
    if (adit_json_rewrite(text, &adit_json_canonical, fuzz_mem, &a, NULL) == ADIT_OK) {
        MUST(strict);
        MUST(adit_json_rewrite(adit_buf_str(&a), &adit_json_canonical, fuzz_mem, &b, NULL) ==
             ADIT_OK);
        MUST(adit_str_eq(adit_buf_str(&a), adit_buf_str(&b)));
    }
    adit_buf_clear(&a), adit_buf_clear(&b);
    enum adit_code code = adit_json_rewrite(text, &adit_json_copy, fuzz_mem, &a, NULL);
    if (strict) MUST(code == ADIT_OK);
    if (code == ADIT_OK) {
        MUST(adit_json_check(adit_buf_str(&a), &v, NULL) == ADIT_OK);
        MUST(adit_json_rewrite(adit_buf_str(&a), &adit_json_copy, fuzz_mem, &b, NULL) == ADIT_OK);
        MUST(adit_str_eq(adit_buf_str(&a), adit_buf_str(&b)));
    }
    check_number(text, &a);
    adit_buf_free(&a);
    adit_buf_free(&b);
    return 0;
}
