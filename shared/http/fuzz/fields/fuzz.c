/* Header values: ranges stay inside, dates come back, tags match themselves. */
#include "http/http.h"
#include "crypto/crypto.h"
#include "tests/fuzz.h"

FUZZ_TARGET(s)
{
    struct adit_range r;
    struct adit_buf b;
    int64_t t, again;
    adit_buf_init(&b, fuzz_mem, 1 << 20);
    if (adit_range_parse(s, 1000, &r) == ADIT_RANGE_ONE) MUST(r.first <= r.last && r.last < 1000);
    MUST(adit_range_parse(s, 0, &r) != ADIT_RANGE_ONE);
    if (adit_http_date_parse(s, &t)) {
        adit_http_date(&b, t);
        if (fuzz_built(&b)) MUST(adit_http_date_parse(adit_buf_str(&b), &again) && again == t);
    }
    if (adit_if_range(s, ADIT_STR("\"x\""))) MUST(adit_if_none_match(s, ADIT_STR("\"x\"")));
    if (adit_if_none_match(s, ADIT_STR("\"x\"")))
        MUST(adit_str_find(s, ADIT_STR("\"x\""), 0) < s.len || adit_str_chr(s, '*', 0) < s.len);
    adit_buf_clear(&b);
    if (fuzz_took(adit_base64_decode(s, &b))) {
        struct adit_buf text;
        adit_buf_init(&text, fuzz_mem, 1 << 20);
        adit_base64(&text, (const uint8_t *)b.p, b.len);
        adit_buf_clear(&b);
        if (fuzz_built(&text)) fuzz_fine(adit_base64_decode(adit_buf_str(&text), &b));
        adit_buf_free(&text);
    }
    adit_buf_free(&b);
}
