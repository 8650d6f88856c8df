/* Pages: any bytes give a tree of limited depth and size, by a parser that is used again. */
#include "html/html.h"

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

static void require(bool fact)
{
    if (!fact) abort();
}

static size_t depth_of(const lxb_dom_node_t *node)
{
    size_t depth = 0;
    for (; node; node = node->parent) depth++;
    return depth;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static struct adit_html *h;
    struct adit_mem mem = {resize, NULL};
    if (!h) h = adit_html_new(mem);
    const struct adit_dom *dom;
    if (adit_html_parse(h, adit_str_of((const char *)data, len), &dom) != ADIT_OK) return 0;
    size_t n = 0;
    for (const lxb_dom_node_t *node = dom->html; node; node = adit_dom_next(node, dom->html, true))
        if (++n % 64 == 0) require(depth_of(node) <= 1200);
    struct adit_arena arena;
    adit_arena_init(&arena, mem, 1 << 20);
    require(adit_dom_text(dom->body, 1000, &arena, NULL).len <= 1000);
    adit_arena_free(&arena);
    return 0;
}
