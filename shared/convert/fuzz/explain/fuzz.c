/* Any bytes, as an HTML page, explained: as data it is valid JSON whose places lie in the page, and on
 * the page itself nothing but marks is added.
 *
 * Explaining is for people at a terminal: a text of four bytes has all its features, and some hundred
 * bytes of JSON. */
#define FUZZ_FACTOR 2048
#define FUZZ_FIXED  ((size_t)64 << 20)
#include "json/json.h"
#include "page/page.h"
#include "text/text.h"
#include "tests/fuzz.h"

FUZZ_TARGET(body)
{
    struct adit_converter *c = adit_converter_new(fuzz_mem);
    if (!fuzz_fine(c ? ADIT_OK : ADIT_ENOMEM)) return;
    struct adit_page_source source = {.url = ADIT_STR("https://example.com/a/b?c"),
                                      .date = ADIT_STR("2024-01-02T03:04:05Z")};
    struct adit_buf out;
    struct adit_json_value value;
    adit_buf_init(&out, fuzz_mem, 256 << 20);
    enum adit_code code = adit_explain_json(c, body, &source, &out, NULL);
    if (fuzz_took(code) && fuzz_built(&out))
        MUST(adit_json_check(adit_buf_str(&out), &value, NULL) == ADIT_OK);
    adit_buf_clear(&out);
    code = adit_explain_html(c, body, &source, source.url, &out, NULL);
    if (fuzz_took(code) && fuzz_built(&out)) {
        MUST(adit_utf8_valid(adit_buf_str(&out)));
        MUST(out.len >= body.len || adit_utf8_valid(body) == false);
    }
    adit_buf_free(&out);
    adit_converter_free(c);
}
