/* Link fields, and the links of pages. */
#include "http/link.h"
#include "tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct adit_str s = adit_str_of((const char *)data, size), rest = s, base;
    struct adit_link l, links[16];
    struct adit_arena a;
    size_t n;
    while (adit_link_next(&rest, &l)) {
        MUST(!l.href.len || (l.href.p >= s.p && l.href.p + l.href.len <= s.p + s.len));
        MUST(!l.rel.len || (l.rel.p >= s.p && l.rel.p + l.rel.len <= s.p + s.len));
        adit_link_is(&l, "alternate", "application/json");
    }
    MUST(rest.len == 0);
    adit_arena_init(&a, fuzz_mem, 1 << 20);
    if (!adit_link_html(s, ADIT_STR(""), fuzz_mem, &a, links, ADIT_COUNT(links), &n, &base))
        for (size_t i = 0; i < n; i++) MUST(links[i].href.len > 0);
    adit_arena_free(&a);
    return 0;
}
