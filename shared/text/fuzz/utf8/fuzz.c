/* Checking, repairing and stepping through agree with each other. */
#include "text/text.h"
#include "tests/fuzz.h"

static void walk(struct adit_str s, struct adit_str f, struct adit_buf *walked)
{
    size_t size = s.len;
    MUST(adit_utf8_valid(f));
    MUST(adit_utf8_valid(s) == adit_str_eq(s, f));
    size_t good = adit_utf8_valid_len(s), n = 0, pos = 0;
    MUST(good <= size && adit_utf8_valid(adit_str_of(s.p, good)));
    for (; pos < size; n++) {
        size_t before = pos;
        adit_utf8_put(walked, adit_utf8_next(s, &pos));
        MUST(pos > before && pos <= size);
    }
    if (fuzz_built(walked)) MUST(adit_str_eq(f, adit_buf_str(walked)));
    MUST(adit_utf8_count(f) == n);
    for (pos = f.len; pos > 0; n--) adit_utf8_prev(f, &pos);
    MUST(n == 0);
    size_t max = size ? (unsigned char)s.p[0] : 0;
    struct adit_str cut = adit_utf8_cut(f, max);
    MUST(cut.len <= max && cut.len + 4 > (max < f.len ? max : f.len) && adit_utf8_valid(cut));
}

FUZZ_TARGET(s)
{
    struct adit_buf fixed, walked;
    adit_buf_init(&fixed, fuzz_mem, 4 << 20);
    adit_buf_init(&walked, fuzz_mem, 4 << 20);
    adit_utf8_repair(s, &fixed);
    if (fuzz_built(&fixed)) walk(s, adit_buf_str(&fixed), &walked);
    adit_buf_free(&fixed);
    adit_buf_free(&walked);
}
