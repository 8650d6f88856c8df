/* What a page is and how sure that is, in words and numbers. */
#include "page/page.h"

const char *const adit_page_kind_names[ADIT_PAGE_KINDS] = {
    [ADIT_PAGE_ARTICLE] = "article", [ADIT_PAGE_DOCUMENTATION] = "documentation",
    [ADIT_PAGE_PRODUCT] = "product", [ADIT_PAGE_FORUM] = "forum",
    [ADIT_PAGE_RECIPE] = "recipe",   [ADIT_PAGE_LISTING] = "listing",
    [ADIT_PAGE_SERVICE] = "service", [ADIT_PAGE_OTHER] = "other",
};

struct adit_str adit_page_confidence(struct adit_page_look look, char out[ADIT_CONFIDENCE_BYTES])
{
    unsigned pm = look.confidence;
    size_t len = 0;
    if (pm == 0 || pm >= 1000) return pm ? ADIT_STR("1") : ADIT_STR("0");
    out[len++] = '0', out[len++] = '.';
    for (unsigned unit = 100; pm; pm %= unit, unit /= 10) out[len++] = (char)('0' + pm / unit);
    return adit_str_of(out, len);
}
