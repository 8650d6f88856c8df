/* Metadata: any page; the JSON-LD that comes out is strict JSON. */
#include "json/json.h"
#include "page/classes.h"
#include "page/meta.h"

#include <stdlib.h>

static void *resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    (void)ctx, (void)old_len;
    if (new_len == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, new_len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static struct adit_html *html;
    struct adit_mem mem = {resize, NULL};
    if (!html) html = adit_html_new(mem);
    const struct adit_dom *dom;
    struct adit_arena arena;
    struct adit_tape tape;
    struct adit_meta meta;
    static struct adit_classes classes;
    adit_classes_init(&classes);
    struct adit_page page = {.url = ADIT_STR("https://www.example.com/2024/01/05/a-b.html")};
    struct adit_page_facts facts = {.date = ADIT_STR("2024-02-01T00:00:00Z")};
    adit_arena_init(&arena, mem, 64 << 20);
    if (adit_html_parse(html, adit_str_of((const char *)data, len), &dom) == ADIT_OK &&
        adit_meta_collect(&meta, dom, page.url, &classes, &tape, &arena) == ADIT_OK &&
        adit_meta_resolve(&meta, &facts, &tape, &arena, &page) == ADIT_OK) {
        struct adit_json_value v;
        if (page.title.len == 0) abort();
        if (page.schema.len && adit_json_check(page.schema, &v, NULL) != ADIT_OK) abort();
    }
    adit_arena_free(&arena);
    return 0;
}
