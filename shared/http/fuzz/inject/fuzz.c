/* Link injection: the output is the page with the link in one place, or the page; and the same for
 * every split. The first byte chooses the portions and whether HTTP gives a charset. */
#include "http/inject.h"
#include "codec/codec.h"
#include "tests/fuzz.h"

static const struct adit_str link = ADIT_STR_INIT("<link rel=alternate href=\"&quot;\">");

static bool run(struct adit_str page, struct adit_str charset, size_t step, struct adit_buf *out)
{
    struct adit_buf_sink sink;
    struct adit_inject in;
    struct adit_sink *s = adit_inject_init(&in, link, charset, adit_buf_sink_init(&sink, out));
    for (size_t i = 0; i < page.len; i += step)
        MUST(s->write(s, page.p + i, page.len - i < step ? page.len - i : step) == ADIT_OK);
    MUST(s->end(s) == ADIT_OK);
    return in.inserted;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct adit_buf whole, parts;
    if (size < 1) return 0;
    struct adit_str page = adit_str_of((const char *)data + 1, size - 1);
    struct adit_str charset = data[0] & 0x80 ? ADIT_STR("utf-8") : ADIT_STR("");
    adit_buf_init(&whole, fuzz_mem, 1 << 20);
    adit_buf_init(&parts, fuzz_mem, 1 << 20);
    bool inserted = run(page, charset, page.len + 1, &whole);
    MUST(run(page, charset, 1u + (data[0] & 0x7F), &parts) == inserted);
    MUST(adit_str_eq(adit_buf_str(&whole), adit_buf_str(&parts)));
    /* With the link taken out of the one place where it can be, the page remains. */
    size_t at = 0;
    while (at < page.len && whole.p[at] == page.p[at]) at++;
    MUST(whole.len == page.len + (inserted ? link.len : 0));
    bool right = !inserted && at == page.len;
    for (size_t i = inserted ? at + 1 : 0; i-- > 0 && !right;)
        right = adit_str_eq(adit_str_sub(adit_buf_str(&whole), i, i + link.len), link) &&
                adit_str_eq(adit_str_sub(adit_buf_str(&whole), i + link.len, whole.len),
                            adit_str_sub(page, i, page.len));
    MUST(right);
    /* What a browser takes for the charset does not change. */
    MUST(charset.len || adit_charset_prescan(page) == adit_charset_prescan(adit_buf_str(&whole)));
    adit_buf_free(&whole);
    adit_buf_free(&parts);
    return 0;
}
