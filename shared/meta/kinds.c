/* Kinds of page by the schema.org types that its JSON-LD names. */
#include "meta/meta.h"

uint32_t adit_kind_of_type(struct adit_str type)
{
    static const struct {
        struct adit_str type;
        uint32_t kind;
    } kinds[] = {
        {ADIT_STR_INIT("Article"), ADIT_KIND_ARTICLE},
        {ADIT_STR_INIT("NewsArticle"), ADIT_KIND_ARTICLE},
        {ADIT_STR_INIT("BlogPosting"), ADIT_KIND_ARTICLE},
        {ADIT_STR_INIT("ReportageNewsArticle"), ADIT_KIND_ARTICLE},
        {ADIT_STR_INIT("TechArticle"), ADIT_KIND_ARTICLE},
        {ADIT_STR_INIT("Recipe"), ADIT_KIND_ARTICLE},
        {ADIT_STR_INIT("Product"), ADIT_KIND_PRODUCT},
        {ADIT_STR_INIT("ProductGroup"), ADIT_KIND_PRODUCT},
        {ADIT_STR_INIT("DiscussionForumPosting"), ADIT_KIND_FORUM},
        {ADIT_STR_INIT("QAPage"), ADIT_KIND_FORUM},
        {ADIT_STR_INIT("Question"), ADIT_KIND_FORUM},
        {ADIT_STR_INIT("Answer"), ADIT_KIND_FORUM},
        {ADIT_STR_INIT("Comment"), ADIT_KIND_FORUM},
        {ADIT_STR_INIT("ItemList"), ADIT_KIND_LIST},
        {ADIT_STR_INIT("CollectionPage"), ADIT_KIND_LIST},
        {ADIT_STR_INIT("SearchResultsPage"), ADIT_KIND_LIST},
        {ADIT_STR_INIT("FAQPage"), ADIT_KIND_FAQ},
    };
    for (size_t i = 0; i < ADIT_COUNT(kinds); i++)
        if (adit_str_eq(type, kinds[i].type)) return kinds[i].kind;
    return 0;
}
