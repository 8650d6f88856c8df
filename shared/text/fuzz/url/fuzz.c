/* URLs: any input, any base; a page URL is in its final form. */
#include "text/url.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct adit_arena arena;
    adit_arena_init(&arena, (struct adit_mem){resize, NULL}, 4 << 20);
    struct adit_str text = adit_str_of((const char *)data, len), first;
    struct adit_str rest = text;
    adit_str_split(&rest, '\0', &first);
    struct adit_url base, url, again;
    bool has_base = adit_url_parse(first, NULL, &arena, &base) == ADIT_OK;
    if (adit_url_parse(rest, has_base ? &base : NULL, &arena, &url) == ADIT_OK &&
        url.href.len <= ADIT_LIMIT_url_bytes)
        require(adit_url_parse(url.href, NULL, &arena, &again) == ADIT_OK &&
                adit_str_eq(url.href, again.href));
    struct adit_str page, same;
    if (adit_url_page(first, &arena, &page) == ADIT_OK)
        require(adit_url_page(page, &arena, &same) == ADIT_OK && adit_str_eq(page, same));
    adit_arena_free(&arena);
    return 0;
}
