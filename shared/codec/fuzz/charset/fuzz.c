/* Detection and decoding. The first line is the charset that HTTP gives; the rest is the page. */
#include "codec/codec.h"
#include "text/text.h"
#include "tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct adit_str all = adit_str_of((const char *)data, size), text;
    size_t lf = adit_str_chr(all, '\n', 0);
    struct adit_str type = adit_str_sub(all, 0, lf), body = adit_str_sub(all, lf + 1, size);
    struct adit_str label = adit_content_type_charset(type);
    if (!label.len) label = type;
    struct adit_buf out;
    struct adit_charset used;
    adit_buf_init(&out, fuzz_mem, body.len * 3);
    MUST(adit_charset_decode(body, label, &out, &text, &used) == ADIT_OK);
    MUST(adit_utf8_valid(text));
    MUST(adit_charset_detect(body, label).name == used.name);
    adit_buf_clear(&out);
    enum adit_code code = adit_charset_decode_as(body, label, &out);
    MUST((code == ADIT_OK) == (adit_charset_name(label) != NULL));
    MUST(adit_utf8_valid(adit_buf_str(&out)));
    adit_buf_free(&out);
    return 0;
}
