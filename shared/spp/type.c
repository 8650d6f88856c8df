/* What kind of page an artifact is, by its JSON-LD. */
#include "spp/spp.h"
#include "json/json.h"

/* Types of schema.org that make a page one of ours. */
static const struct {
    const char *type, *schema;
} types[] = {
    {"article", "Article,NewsArticle,BlogPosting,ScholarlyArticle,TechArticle,Report"},
    {"product", "Product"},
    {"recipe", "Recipe"},
    {"event", "Event"},
    {"video", "VideoObject"},
    {"audio", "AudioObject"},
    {"faq", "FAQPage,QAPage"},
    {"discussion", "DiscussionForumPosting"},
    {"profile", "Person,ProfilePage"},
    {"organization", "Organization"},
};

static struct adit_str type_of(struct adit_str schema_type)
{
    for (size_t i = 0; i < ADIT_COUNT(types); i++)
        if (adit_str_in(schema_type, types[i].schema)) return adit_str_z(types[i].type);
    return (struct adit_str){0};
}

struct adit_str adit_spp_type(struct adit_str schema, bool authored)
{
    struct adit_json_value object, type;
    struct adit_str found = {0};
    if (schema.len && adit_json_check(schema, &object, NULL) == ADIT_OK) {
        type = adit_json_get(object, ADIT_STR("@type"));
        found = type_of(adit_json_inside(type));
        struct adit_json_iter it = adit_json_iter(type);
        struct adit_json_member m;
        while (!found.len && adit_json_next(&it, &m)) found = type_of(adit_json_inside(m.value));
    }
    if (found.len) return found;
    return authored ? ADIT_STR("article") : ADIT_STR("webpage");
}
