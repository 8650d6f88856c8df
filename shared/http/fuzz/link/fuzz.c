/* Link fields, and the links of pages. */
#include "html/html.h"
#include "tests/fuzz.h"

FUZZ_TARGET(s)
{
    struct adit_str rest = s, base;
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
    if (fuzz_took(
            adit_html_links(s, ADIT_STR(""), fuzz_mem, &a, links, ADIT_COUNT(links), &n, &base)))
        for (size_t i = 0; i < n; i++) {
            MUST(links[i].href.len > 0);
            fuzz_tell(links[i].href);
        }
    adit_arena_free(&a);
}
