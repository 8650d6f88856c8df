/* Documents that check reads whole: XML, TCT payloads and sitemaps, manifests. */
#include "batch/check/check.h"
#include "tct/tct.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
    struct adit_str text = adit_str_of((const char *)p, len);
    struct check c = {.path = "/nowhere/at/all", .json = true};
    struct adit_json_value doc;
    adit_buf_init(&c.facts, cli_mem, 1 << 20);
    adit_buf_init(&c.findings, cli_mem, 16 << 20);
    if (len && p[0] == '<') {
        check_xml(&c, text);
    } else if (adit_json_check(text, &doc, NULL) == ADIT_OK && doc.kind == ADIT_JSON_OBJECT) {
        struct adit_judge j = check_judge(&c);
        adit_tct_payload_judge(text, doc, cli_mem, &j);
        adit_tct_sitemap_judge(doc, &j);
        check_json(&c, text);
    }
    /* What was found must be JSON. */
    struct adit_buf all;
    adit_buf_init(&all, cli_mem, 32 << 20);
    adit_buf_lit(&all, "{\"a\":[");
    adit_buf_add(&all, adit_buf_str(&c.findings));
    adit_buf_byte(&all, ']');
    adit_buf_add(&all, adit_buf_str(&c.facts));
    adit_buf_byte(&all, '}');
    if (!all.err && adit_json_check(adit_buf_str(&all), &doc, NULL) != ADIT_OK) __builtin_trap();
    adit_buf_free(&all);
    adit_buf_free(&c.facts);
    adit_buf_free(&c.findings);
    return 0;
}
