/* Detection and decoding. The first line is the charset that HTTP gives, or a URL; the rest is the
 * page. */
#include "codec/codec.h"
#include "text/text.h"
#include "tests/fuzz.h"

FUZZ_TARGET(all)
{
    struct adit_str text;
    size_t lf = adit_str_chr(all, '\n', 0);
    struct adit_str type = adit_str_sub(all, 0, lf), body = adit_str_sub(all, lf + 1, all.len);
    struct adit_str label = adit_content_type_charset(type);
    if (!label.len) label = type;
    struct adit_str url = adit_str_starts(type, ADIT_STR("http")) ? type : ADIT_STR("");
    struct adit_buf out;
    struct adit_charset used;
    adit_buf_init(&out, fuzz_mem, body.len * 3);
    if (fuzz_fine(adit_charset_decode(body, label, url, &out, &text, &used))) {
        MUST(adit_utf8_valid(text));
        MUST(adit_charset_detect(body, label, url).name == used.name);
        fuzz_tell(text);
    }
    adit_buf_clear(&out);
    if (fuzz_took(adit_charset_decode_as(body, label, &out))) {
        MUST(adit_charset_name(label) && adit_utf8_valid(adit_buf_str(&out)));
        fuzz_tell(adit_buf_str(&out));
    } else {
        MUST(fuzz.denied || !adit_charset_name(label));
    }
    adit_buf_free(&out);
}
