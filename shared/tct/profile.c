/* The drafts of TCT, a row each: what differs in payloads, sitemaps and answers. Draft 00 is the
 * specification. 03's row comes from the reference's validator, not from the draft's text; 02 has
 * none of its own (its documents are read as 03's). */
#include "tct/tct.h"

#define URI_03 "https://www.ietf.org/archive/id/draft-jurkovikj-collab-tunnel-03.html"

/* The profile that 01 has kept from 00. */
#define TCT_1(draft)                                     \
    {                                                    \
        .name = (draft),                                 \
        .source = "the draft's text",                    \
        .media_type = "application/json; charset=utf-8", \
        .payload = "tct-1",                              \
        .sitemap = "tct-1",                              \
        .index = "tct-1",                                \
        .version = 1,                                    \
        .index_version = 1,                              \
        .date = "modified",                              \
        .hash = true,                                    \
    }

const struct adit_tct_profile adit_tct_profiles[ADIT_TCT_PROFILES] = {
    [ADIT_TCT_00] = TCT_1("00"),
    [ADIT_TCT_01] = TCT_1("01"),
    [ADIT_TCT_03] =
        {
            .name = "03",
            .source = "the reference's validator, not the draft's text",
            .media_type = "application/json",
            .payload = URI_03 "#tct-m-url-profile",
            .sitemap = URI_03 "#tct-m-sitemap-profile",
            .index = URI_03 "#tct-m-sitemap-index-profile",
            .version = 2,
            .index_version = 1,
            .date = "lastModified",
            .linked = true,
            .digest = true,
            .no_transform = true,
        },
};

const struct adit_tct_profile *adit_tct_profile_of(struct adit_str profile)
{
    for (size_t i = 0; i < ADIT_TCT_PROFILES; i++) {
        const struct adit_tct_profile *p = &adit_tct_profiles[i];
        const char *const names[] = {p->payload, p->sitemap, p->index};
        for (size_t k = 0; k < ADIT_COUNT(names); k++)
            if (adit_str_eq(profile, adit_str_z(names[k]))) return p;
    }
    return NULL;
}

bool adit_tct_is_later(struct adit_str profile)
{
    return adit_str_find(profile, ADIT_STR("draft-jurkovikj-collab-tunnel-"), 0) < profile.len;
}
