/* Kinds of page by the schema.org types that its JSON-LD names. */
#include "meta/meta.h"

uint32_t adit_kind_of_type(struct adit_str type)
{
    static const struct {
        const char *types;
        uint32_t kind;
    } kinds[] = {
        {"Article,NewsArticle,BlogPosting,ReportageNewsArticle,TechArticle", ADIT_KIND_ARTICLE},
        {"Recipe", ADIT_KIND_ARTICLE | ADIT_KIND_RECIPE},
        {"Product,ProductGroup", ADIT_KIND_PRODUCT},
        {"DiscussionForumPosting,QAPage,Question,Answer,Comment", ADIT_KIND_FORUM},
        {"ItemList,CollectionPage,SearchResultsPage", ADIT_KIND_LIST},
        {"FAQPage", ADIT_KIND_FAQ},
    };
    for (size_t i = 0; i < ADIT_COUNT(kinds); i++)
        if (adit_str_in(type, kinds[i].types)) return kinds[i].kind;
    return 0;
}
