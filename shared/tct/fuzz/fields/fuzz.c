/* Header values: ranges stay inside, dates come back, tags match themselves. */
#include "tct/tct.h"
#include "tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct adit_str s = adit_str_of((const char *)data, size);
    struct adit_range r;
    struct adit_buf b;
    int64_t t, again;
    adit_buf_init(&b, fuzz_mem, 1 << 20);
    if (adit_range_parse(s, 1000, &r) == ADIT_RANGE_ONE) MUST(r.first <= r.last && r.last < 1000);
    MUST(adit_range_parse(s, 0, &r) != ADIT_RANGE_ONE);
    if (adit_http_date_parse(s, &t)) {
        adit_http_date(&b, t);
        MUST(adit_http_date_parse(adit_buf_str(&b), &again) && again == t);
    }
    if (adit_if_range(s, ADIT_STR("\"x\""))) MUST(adit_if_none_match(s, ADIT_STR("\"x\"")));
    if (adit_if_none_match(s, ADIT_STR("\"x\"")))
        MUST(adit_str_find(s, ADIT_STR("\"x\""), 0) < s.len || adit_str_chr(s, '*', 0) < s.len);
    adit_buf_clear(&b);
    if (adit_base64_decode(s, &b) == ADIT_OK) {
        struct adit_buf text;
        adit_buf_init(&text, fuzz_mem, 1 << 20);
        adit_base64(&text, (const uint8_t *)b.p, b.len);
        adit_buf_clear(&b);
        MUST(adit_base64_decode(adit_buf_str(&text), &b) == ADIT_OK);
        adit_buf_free(&text);
    }
    adit_buf_free(&b);
    return 0;
}
