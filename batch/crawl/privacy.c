/* Whose page is it? A page that an anonymous request got is public, whatever its words to caches:
 * "private", "no-store" and "Vary: Cookie" are sent to everybody by many sites. What counts is evidence
 * of a person: credentials in the request, a refusal, a cookie that comes with "private". */
#include "batch/crawl/crawl.h"
#include "http/http.h"

enum { HEAD_ONLY = 64 << 10 }; /* the part of a request that its head must be in */

bool crawl_has_credentials(struct adit_str request)
{
    static const struct adit_str names[] = {ADIT_STR_INIT("\nauthorization:"),
                                            ADIT_STR_INIT("\ncookie:")};
    request = adit_str_sub(request, 0, HEAD_ONLY);
    size_t end = adit_str_find(request, ADIT_STR("\r\n\r\n"), 0);
    request = adit_str_sub(request, 0, end); /* what is sent with POST is no head */
    for (size_t i = 0; i < ADIT_COUNT(names); i++)
        if (adit_str_ifind(request, names[i], 0) < request.len) return true;
    return false;
}

bool crawl_is_private(const struct crawl_options *o, const struct http_message *m,
                      struct adit_buf *scratch, struct adit_buf *more)
{
    if (o->keep_private) return false;
    adit_buf_clear(scratch);
    adit_buf_clear(more);
    http_fields(m, ADIT_STR("Cache-Control"), scratch);
    http_fields(m, ADIT_STR("Vary"), more);
    struct adit_str cache = adit_buf_str(scratch), vary = adit_buf_str(more);
    if (o->strict_private) return adit_is_private(cache, vary);
    bool cookie = http_field(m, ADIT_STR("Set-Cookie")).len > 0;
    return (cookie && adit_list_has(cache, ADIT_STR("private"), NULL)) ||
           adit_list_has(vary, ADIT_STR("*"), NULL);
}

unsigned crawl_optout(const struct http_message *m, struct adit_buf *scratch)
{
    static const struct adit_str names[] = {ADIT_STR_INIT("tdm-reservation"),
                                            ADIT_STR_INIT("Content-Usage"),
                                            ADIT_STR_INIT("Content-Signal")};
    unsigned flags = 0;
    for (size_t i = 0; i < ADIT_COUNT(names); i++) {
        adit_buf_clear(scratch);
        http_fields(m, names[i], scratch);
        flags |= adit_optout(names[i], adit_buf_str(scratch));
    }
    return flags;
}
