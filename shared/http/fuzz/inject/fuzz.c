/* Link injection: the output is the page with the link in one place, or the page; and the same for
 * every split. The first byte chooses the portions and whether HTTP gives a charset. */
#include "http/inject.h"
#include "codec/codec.h"

#include <stdlib.h>

static void *host_resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    (void)ctx, (void)old_len;
    if (new_len) return realloc(p, new_len);
    free(p);
    return NULL;
}

static const struct adit_str link = ADIT_STR_INIT("<link rel=alternate href=\"&quot;\">");

static bool run(struct adit_str page, struct adit_str charset, size_t step, struct adit_buf *out)
{
    struct adit_buf_sink sink;
    struct adit_inject in;
    struct adit_sink *s = adit_inject_init(&in, link, charset, adit_buf_sink_init(&sink, out));
    for (size_t i = 0; i < page.len; i += step)
        if (s->write(s, page.p + i, page.len - i < step ? page.len - i : step)) abort();
    if (s->end(s)) abort();
    return in.inserted;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct adit_mem mem = {host_resize, NULL};
    struct adit_buf whole, parts;
    if (size < 1) return 0;
    struct adit_str page = adit_str_of((const char *)data + 1, size - 1);
    struct adit_str charset = data[0] & 0x80 ? ADIT_STR("utf-8") : ADIT_STR("");
    adit_buf_init(&whole, mem, 1 << 20);
    adit_buf_init(&parts, mem, 1 << 20);
    bool inserted = run(page, charset, page.len + 1, &whole);
    if (run(page, charset, 1u + (data[0] & 0x7F), &parts) != inserted) abort();
    if (!adit_str_eq(adit_buf_str(&whole), adit_buf_str(&parts))) abort();
    /* With the link taken out of the one place where it can be, the page remains. */
    size_t at = 0;
    while (at < page.len && whole.p[at] == page.p[at]) at++;
    if (whole.len != page.len + (inserted ? link.len : 0)) abort();
    bool right = !inserted && at == page.len;
    for (size_t i = inserted ? at + 1 : 0; i-- > 0 && !right;)
        right = adit_str_eq(adit_str_sub(adit_buf_str(&whole), i, i + link.len), link) &&
                adit_str_eq(adit_str_sub(adit_buf_str(&whole), i + link.len, whole.len),
                            adit_str_sub(page, i, page.len));
    if (!right) abort();
    /* What a browser takes for the charset does not change. */
    if (!charset.len && adit_charset_prescan(page) != adit_charset_prescan(adit_buf_str(&whole)))
        abort();
    adit_buf_free(&whole);
    adit_buf_free(&parts);
    return 0;
}
