/* Any bytes, as an HTML page, to every format: what comes out must be valid. */
#include "format/format.h"
#include "json/json.h"
#include "text/text.h"
#include "tests/fuzz.h"

static bool has_text(const struct adit_page *page, enum adit_block_type type)
{
    for (size_t i = 0; i < page->n_blocks; i++)
        if (page->blocks[i].type == type && !page->blocks[i].text.len) return false;
    return true;
}

static void write_all(const struct adit_page *page)
{
    MUST(page->n_blocks <= ADIT_LIMIT_page_blocks && page->title.len);
    MUST(has_text(page, ADIT_TEXT) && has_text(page, ADIT_HEADING) && has_text(page, ADIT_CODE));
    for (const struct adit_format *f = adit_formats; f->name; f++) {
        struct adit_buf out;
        struct adit_json_value value;
        adit_buf_init(&out, fuzz_mem, 256 << 20);
        bool json = f->name[0] == 's' || f->name[1] == 'c'; /* scp, tct */
        if (fuzz_fine(f->write(page, fuzz_mem, &out)) && fuzz_built(&out)) {
            MUST(adit_utf8_valid(adit_buf_str(&out)));
            MUST(!json || adit_json_check(adit_buf_str(&out), &value, NULL) == ADIT_OK);
        }
        adit_buf_free(&out);
    }
}

FUZZ_TARGET(body)
{
    static struct adit_converter *kept;
    if (!kept && !fuzz_fresh()) kept = adit_converter_new(fuzz_mem);
    struct adit_converter *c = fuzz_fresh() ? adit_converter_new(fuzz_mem) : kept;
    if (!fuzz_fine(c ? ADIT_OK : ADIT_ENOMEM)) return;
    struct adit_page_source source = {.url = ADIT_STR("https://example.com/a/b?c"),
                                      .date = ADIT_STR("2024-01-02T03:04:05Z"),
                                      .whole = body.len && body.p[body.len - 1] & 1};
    const struct adit_page *page;
    enum adit_code code = adit_convert(c, body, &source, &page, NULL);
    MUST(code == ADIT_OK || code == ADIT_ELIMIT || fuzz.denied);
    if (fuzz_took(code)) write_all(page);
    if (fuzz_fresh()) adit_converter_free(c);
}
