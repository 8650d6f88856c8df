/* Checking, repairing and stepping through agree with each other. */
#include "text/text.h"
#include "tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct adit_str s = adit_str_of((const char *)data, size);
    struct adit_buf fixed, walked;
    adit_buf_init(&fixed, fuzz_mem, 4 << 20);
    adit_buf_init(&walked, fuzz_mem, 4 << 20);
    adit_utf8_repair(s, &fixed);
    struct adit_str f = adit_buf_str(&fixed);
    MUST(adit_utf8_valid(f));
    MUST(adit_utf8_valid(s) == adit_str_eq(s, f));
    size_t good = adit_utf8_valid_len(s), n = 0, pos = 0;
    MUST(good <= size && adit_utf8_valid(adit_str_of(s.p, good)));
    for (; pos < size; n++) {
        size_t before = pos;
        adit_utf8_put(&walked, adit_utf8_next(s, &pos));
        MUST(pos > before && pos <= size);
    }
    MUST(adit_str_eq(f, adit_buf_str(&walked)));
    MUST(adit_utf8_count(f) == n);
    for (pos = f.len; pos > 0; n--) adit_utf8_prev(f, &pos);
    MUST(n == 0);
    size_t max = size ? data[0] : 0;
    struct adit_str cut = adit_utf8_cut(f, max);
    MUST(cut.len <= max && cut.len + 4 > (max < f.len ? max : f.len) && adit_utf8_valid(cut));
    adit_buf_free(&fixed);
    adit_buf_free(&walked);
    return 0;
}
