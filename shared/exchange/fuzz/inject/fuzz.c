/* Link injection: the output is the page with the link in one place, or the page; and the same for
 * every split. The first byte chooses the portions and whether HTTP gives a charset. */
#include "exchange/inject_impl.h"
#include "codec/codec.h"
#include "tests/fuzz.h"

static const struct adit_str link = ADIT_STR_INIT("<link rel=alternate href=\"&quot;\">");

static bool run(struct adit_str page, struct adit_str charset, size_t step, struct adit_buf *out)
{
    struct adit_buf_sink sink;
    struct adit_inject in;
    struct adit_sink *s = adit_inject_init(&in, link, charset, adit_buf_sink_init(&sink, out));
    for (size_t i = 0; i < page.len; i += step)
        if (!fuzz_fine(s->write(s, page.p + i, page.len - i < step ? page.len - i : step)))
            return false;
    return fuzz_fine(s->end(s)) && in.inserted;
}

static void compare(struct adit_str page, struct adit_str charset, size_t step,
                    struct adit_buf *out, struct adit_buf *parts)
{
    bool inserted = run(page, charset, page.len + 1, out);
    bool same = run(page, charset, step, parts) == inserted;
    if (!fuzz_built(out) || !fuzz_built(parts)) return;
    struct adit_str whole = adit_buf_str(out);
    MUST(same && adit_str_eq(whole, adit_buf_str(parts)));
    /* With the link taken out of the one place where it can be, the page remains. */
    size_t at = 0;
    while (at < page.len && whole.p[at] == page.p[at]) at++;
    MUST(whole.len == page.len + (inserted ? link.len : 0));
    bool right = !inserted && at == page.len;
    for (size_t i = inserted ? at + 1 : 0; i-- > 0 && !right;)
        right = adit_str_eq(adit_str_sub(whole, i, i + link.len), link) &&
                adit_str_eq(adit_str_sub(whole, i + link.len, whole.len),
                            adit_str_sub(page, i, page.len));
    MUST(right);
    /* What a browser takes for the charset does not change. */
    MUST(charset.len || adit_charset_prescan(page) == adit_charset_prescan(whole));
}

FUZZ_TARGET(all)
{
    struct adit_buf whole, parts;
    if (all.len < 1) return;
    unsigned char how = (unsigned char)all.p[0];
    adit_buf_init(&whole, fuzz_mem, 1 << 20);
    adit_buf_init(&parts, fuzz_mem, 1 << 20);
    compare(adit_str_sub(all, 1, all.len), how & 0x80 ? ADIT_STR("utf-8") : ADIT_STR(""),
            1u + (how & 0x7F), &whole, &parts);
    adit_buf_free(&whole);
    adit_buf_free(&parts);
}
