/* Any bytes, as an HTML page, to every format: what comes out must be valid. */
#include "format/format.h"
#include "json/json.h"
#include "text/text.h"

#include <stdlib.h>

static void *resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    (void)ctx, (void)old_len;
    if (new_len) return realloc(p, new_len);
    free(p);
    return NULL;
}
static const struct adit_mem mem = {resize, NULL};

static void check(bool good)
{
    if (!good) abort();
}

static bool has_text(const struct adit_page *page, enum adit_block_type type)
{
    for (size_t i = 0; i < page->n_blocks; i++)
        if (page->blocks[i].type == type && !page->blocks[i].text.len) return false;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static struct adit_converter *c;
    if (!c) c = adit_converter_new(mem);
    struct adit_page_facts facts = {.url = ADIT_STR("https://example.com/a/b?c"),
                                    .date = ADIT_STR("2024-01-02T03:04:05Z"),
                                    .whole = len && data[len - 1] & 1};
    const struct adit_page *page;
    struct adit_error err = {0};
    enum adit_code code =
        adit_convert(c, adit_str_of((const char *)data, len), &facts, &page, &err);
    check(code == ADIT_OK || code == ADIT_ELIMIT);
    if (code != ADIT_OK) return 0;
    check(page->n_blocks <= ADIT_LIMIT_page_blocks && page->title.len);
    check(has_text(page, ADIT_TEXT) && has_text(page, ADIT_HEADING) && has_text(page, ADIT_CODE));
    for (const struct adit_format *f = adit_formats; f->name; f++) {
        struct adit_buf out;
        struct adit_json_value value;
        adit_buf_init(&out, mem, 256 << 20);
        check(f->write(page, mem, &out) == ADIT_OK);
        check(adit_utf8_valid(adit_buf_str(&out)));
        bool json = f->name[0] == 's' || f->name[1] == 'c'; /* scp, tct */
        if (json) check(adit_json_check(adit_buf_str(&out), &value, &err) == ADIT_OK);
        adit_buf_free(&out);
    }
    return 0;
}
