/* Which captures can be pages: by status, and by what the body is. */
#include "batch/crawl/crawl.h"
#include "http/http.h"

#include <string.h>

#define SKIP_NAME(name, text) #name,
const char *const crawl_skip_names[CRAWL_SKIP_COUNT] = {CRAWL_SKIPS(SKIP_NAME)};
#define SKIP_TEXT(name, text) text,
const char *const crawl_skip_texts[CRAWL_SKIP_COUNT] = {CRAWL_SKIPS(SKIP_TEXT)};
_Static_assert(ADIT_LIMIT_page_bytes == 8 << 20, "the text of too_large says so");

/* The first row that fits decides. */
static const struct {
    unsigned from, to;
    int skip; /* enum crawl_skip; -1: convert */
    bool decides;
} statuses[] = {
    {200, 200, -1, true},
    {203, 203, -1, true},
    {206, 206, CRAWL_SKIP_truncated, false},
    {201, 299, CRAWL_SKIP_empty, true},
    {304, 304, CRAWL_SKIP_unchanged, false},
    {300, 399, CRAWL_SKIP_redirect, true},
    {401, 401, CRAWL_SKIP_private, true},
    {403, 403, CRAWL_SKIP_private, true},
    {404, 404, CRAWL_SKIP_gone, true},
    {410, 410, CRAWL_SKIP_gone, true},
    {429, 429, CRAWL_SKIP_server_error, true},
    {400, 499, CRAWL_SKIP_refused, true},
    {500, 599, CRAWL_SKIP_server_error, true},
};

int crawl_status_skip(unsigned status, bool *decides)
{
    for (size_t i = 0; i < ADIT_COUNT(statuses); i++) {
        if (status < statuses[i].from || status > statuses[i].to) continue;
        *decides = statuses[i].decides;
        return statuses[i].skip;
    }
    *decides = false;
    return CRAWL_SKIP_body; /* no HTTP response at all */
}

/* --- is it HTML? ------------------------------------------------------------------------------ */

/* Types that servers send for whatever they do not know. */
static const struct adit_str vague[] = {
    ADIT_STR_INIT(""),
    ADIT_STR_INIT("text/plain"),
    ADIT_STR_INIT("application/octet-stream"),
    ADIT_STR_INIT("application/unknown"),
    ADIT_STR_INIT("unknown/unknown"),
    ADIT_STR_INIT("*/*"),
    ADIT_STR_INIT("html"),
    ADIT_STR_INIT("no-type"),
    ADIT_STR_INIT("text/xml"),
    ADIT_STR_INIT("application/xml"),
};

bool crawl_is_html(struct adit_str content_type, struct adit_str body)
{
    if (adit_media_is_html(content_type)) return adit_binary(body) < 0;
    struct adit_str type = adit_media_type(content_type);
    for (size_t i = 0; i < ADIT_COUNT(vague); i++)
        if (adit_str_ieq(type, vague[i])) return body.len == 0 || adit_begins_as_html(body);
    return false;
}

struct adit_str crawl_payload_type(struct adit_str said, struct adit_str identified)
{
    struct adit_str type = adit_media_type(identified);
    bool html = adit_media_is_html(identified);
    for (size_t i = 0; i < ADIT_COUNT(vague); i++)
        if (adit_str_ieq(type, vague[i])) return said;
    return html && adit_media_is_html(said) ? said : identified;
}
