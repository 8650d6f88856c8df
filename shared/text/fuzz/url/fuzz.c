/* URLs: any input, any base; a page URL is in its final form. */
#include "text/text.h"
#include "tests/fuzz.h"

FUZZ_TARGET(text)
{
    struct adit_arena arena;
    adit_arena_init(&arena, fuzz_mem, 4 << 20);
    struct adit_str first;
    struct adit_str rest = text;
    adit_str_split(&rest, '\0', &first);
    struct adit_url base, url, again;
    bool has_base = fuzz_took(adit_url_parse(first, NULL, &arena, &base));
    if (fuzz_took(adit_url_parse(rest, has_base ? &base : NULL, &arena, &url)) &&
        url.href.len <= ADIT_LIMIT_url_bytes &&
        fuzz_fine(adit_url_parse(url.href, NULL, &arena, &again))) {
        MUST(adit_str_eq(url.href, again.href));
        fuzz_tell(url.href);
    }
    struct adit_str page, same;
    if (fuzz_took(adit_url_page(first, &arena, &page)) &&
        fuzz_fine(adit_url_page(page, &arena, &same)))
        MUST(adit_str_eq(page, same));
    adit_arena_free(&arena);
}
