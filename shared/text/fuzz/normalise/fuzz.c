/* NFKC is what utf8proc alone says, and stable; everything that comes out is UTF-8. */
#include "text/text.h"
#include "tests/fuzz.h"

/* utf8proc orders marks in quadratic time and loses U+11A7 behind some syllables: short texts
 * without it only. */
static void compare(struct adit_str s, struct adit_str got)
{
    enum { MAX = 2048 };
    static int32_t d[MAX * 18];
    utf8proc_option_t opt =
        (utf8proc_option_t)(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
    if (s.len > MAX || !adit_utf8_valid(s)) return;
    if (adit_str_find(s, ADIT_STR("\xE1\x86\xA7"), 0) < s.len) return;
    utf8proc_ssize_t n =
        utf8proc_decompose((const uint8_t *)s.p, (utf8proc_ssize_t)s.len, d, MAX * 18, opt);
    n = utf8proc_normalize_utf32(d, n, opt);
    size_t pos = 0;
    for (utf8proc_ssize_t i = 0; i < n; i++)
        MUST(pos < got.len && adit_utf8_next(got, &pos) == (uint32_t)d[i]);
    MUST(pos == got.len);
}

static void check_nfkc(struct adit_str text, struct adit_buf *a, struct adit_buf *b)
{
    if (!fuzz_fine(adit_nfkc(text, fuzz_mem, a)) || !fuzz_built(a)) return;
    MUST(adit_utf8_valid(adit_buf_str(a)));
    compare(text, adit_buf_str(a));
    if (fuzz_fine(adit_nfkc(adit_buf_str(a), fuzz_mem, b)))
        MUST(adit_str_eq(adit_buf_str(a), adit_buf_str(b)));
    adit_buf_clear(b);
    adit_casefold(adit_buf_str(a), b);
    if (fuzz_built(b)) MUST(adit_utf8_valid(adit_buf_str(b)));
}

static void check_normal(struct adit_str s)
{
    MUST(adit_utf8_valid(s));
    for (size_t i = 0; i < s.len; i++) {
        MUST((unsigned char)s.p[i] >= ' ' && s.p[i] != 0x7F && !(s.p[i] >= 'A' && s.p[i] <= 'Z'));
        MUST(s.p[i] != ' ' || (i > 0 && i + 1 < s.len && s.p[i - 1] != ' '));
    }
}

FUZZ_TARGET(text)
{
    struct adit_buf a, b;
    adit_buf_init(&a, fuzz_mem, 64 << 20);
    adit_buf_init(&b, fuzz_mem, 64 << 20);
    check_nfkc(text, &a, &b);
    adit_buf_clear(&a);
    adit_entities_decode(text, &a);
    if (fuzz_built(&a)) MUST(a.len <= 2 * text.len);
    adit_buf_clear(&a);
    if (fuzz_fine(adit_text_normalise(text, fuzz_mem, &a)) && fuzz_built(&a))
        check_normal(adit_buf_str(&a));
    adit_buf_free(&a);
    adit_buf_free(&b);
}
