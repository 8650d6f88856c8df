/* Pages: any bytes give a tree of limited depth and size, by a parser that is used again. */
#include "html/html.h"
#include "tests/fuzz.h"

static size_t depth_of(const struct adit_dom *dom, uint32_t node)
{
    size_t depth = 1; /* the document */
    for (; node; node = dom->nodes[node].parent) depth++;
    return depth;
}

static void walk(const struct adit_dom *dom)
{
    size_t n = 0;
    for (uint32_t node = dom->html; node; node = adit_dom_next(dom, node, dom->html, true))
        if (++n % 64 == 0) MUST(depth_of(dom, node) <= 1200);
    struct adit_arena arena;
    bool ok = true;
    adit_arena_init(&arena, fuzz_mem, 1 << 20);
    struct adit_str text = adit_dom_text(dom, dom->body, 1000, &arena, &ok);
    MUST(text.len <= 1000);
    if (fuzz_fine(ok ? adit_dom_code(dom) : ADIT_ENOMEM)) fuzz_tell(text);
    adit_arena_free(&arena);
}

FUZZ_TARGET(page)
{
    static struct adit_html *kept;
    if (!kept && !fuzz_fresh()) kept = adit_html_new(fuzz_mem);
    struct adit_html *h = fuzz_fresh() ? adit_html_new(fuzz_mem) : kept;
    const struct adit_dom *dom;
    if (!fuzz_fine(h ? ADIT_OK : ADIT_ENOMEM)) return;
    if (fuzz_took(adit_html_parse(h, page, &dom))) walk(dom);
    if (fuzz_fresh()) adit_html_free(h);
}
