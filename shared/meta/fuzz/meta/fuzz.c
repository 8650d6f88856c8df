/* Metadata: any page; the JSON-LD that comes out is strict JSON. */
#include "json/json.h"
#include "tape/tape.h"
#include "meta/meta.h"
#include "tests/fuzz.h"

static void collect(const struct adit_dom *dom, struct adit_arena *arena)
{
    static struct adit_classes classes;
    struct adit_tape tape;
    struct adit_meta meta;
    struct adit_page page = {.url = ADIT_STR("https://www.example.com/2024/01/05/a-b.html")};
    struct adit_page_source source = {.date = ADIT_STR("2024-02-01T00:00:00Z")};
    struct adit_json_value v;
    adit_classes_init(&classes);
    if (!fuzz_took(adit_meta_collect(&meta, dom, page.url, &classes, &tape, arena))) return;
    if (!fuzz_took(adit_meta_resolve(&meta, &source, &tape, arena, &page))) return;
    MUST(page.title.len);
    MUST(!page.schema.len || adit_json_check(page.schema, &v, NULL) == ADIT_OK);
    fuzz_tell(page.title);
    fuzz_tell(page.schema);
}

FUZZ_TARGET(body)
{
    static struct adit_html *kept;
    if (!kept && !fuzz_fresh()) kept = adit_html_new(fuzz_mem);
    struct adit_html *html = fuzz_fresh() ? adit_html_new(fuzz_mem) : kept;
    const struct adit_dom *dom;
    struct adit_arena arena;
    if (!fuzz_fine(html ? ADIT_OK : ADIT_ENOMEM)) return;
    adit_arena_init(&arena, fuzz_mem, 64 << 20);
    if (fuzz_took(adit_html_parse(html, body, &dom))) collect(dom, &arena);
    adit_arena_free(&arena);
    if (fuzz_fresh()) adit_html_free(html);
}
