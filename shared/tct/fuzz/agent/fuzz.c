/* What strangers publish: sitemaps, payloads, policies. */
#include "scp/scp.h"
#include "tct/tct.h"
#include "tests/fuzz.h"
#include "text/text.h"

static bool on_item(void *ctx, const struct adit_tct_item *item)
{
    struct adit_arena *a = ctx;
    struct adit_str again;
    struct adit_time t;
    adit_arena_reset(a);
    if (fuzz_fine(adit_url_page(item->c_url, a, &again))) MUST(adit_str_eq(again, item->c_url));
    fuzz_tell(item->c_url);
    MUST(item->c_url.len && adit_str_chr(item->c_url, '\t', 0) == item->c_url.len);
    MUST(!item->hash.len || adit_tct_is_hash(item->hash));
    MUST(!item->modified.len || adit_time_parse(item->modified, &t));
    return true;
}

/* A page of a payload is a line that readers of collections take. */
static void check_page(const struct adit_tct_view *v, struct adit_arena *a)
{
    struct adit_page page;
    struct adit_json_value value;
    struct adit_buf line;
    if (!fuzz_took(adit_tct_page(v, a, &page))) return;
    page.url = ADIT_STR("https://example.com/");
    page.modified = ADIT_STR("2025-10-01T12:34:56Z");
    MUST(page.n_blocks <= ADIT_LIMIT_page_blocks);
    adit_buf_init(&line, fuzz_mem, 8 << 20);
    if (fuzz_fine(adit_scp_page_write(&page, &line)) && fuzz_built(&line))
        MUST(adit_json_check(adit_buf_str(&line), &value, NULL) == ADIT_OK);
    adit_buf_free(&line);
}

FUZZ_TARGET(s)
{
    struct adit_arena a;
    struct adit_tct_view v;
    struct adit_tct_policy p;
    adit_arena_init(&a, fuzz_mem, 8 << 20);
    struct adit_tct_sitemap_handler h = {.ctx = &a, .item = on_item, .part = on_item};
    fuzz_took(adit_tct_sitemap_read(s, fuzz_mem, &h, NULL));
    adit_arena_reset(&a);
    if (fuzz_took(adit_tct_payload_read(s, &a, &v, NULL))) check_page(&v, &a);
    fuzz_took(adit_tct_policy_read(s, fuzz_mem, &p, NULL));
    adit_arena_free(&a);
}
