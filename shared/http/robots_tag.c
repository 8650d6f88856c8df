/* X-Robots-Tag, and <meta name=robots>: one reader for both. */
#include "http/http.h"

/* Directives that have a value of their own: "unavailable_after: DATE", "max-snippet: 5". */
static bool has_value(struct adit_str name)
{
    return adit_str_ieq(name, ADIT_STR("unavailable_after")) ||
           adit_str_istarts(name, ADIT_STR("max-"));
}

void adit_robots_tag_read(struct adit_str value, struct adit_robots_tag *tag)
{
    struct adit_str word;
    bool named = false; /* behind "name:": that robot's directives, up to the next name */
    while (adit_list_next(&value, &word)) {
        size_t colon = adit_str_chr(word, ':', 0);
        if (colon < word.len) {
            struct adit_str name = adit_str_trim(adit_str_sub(word, 0, colon));
            /* Part of a date has a blank before its colon; names of robots have none. */
            if (has_value(name) || adit_str_chr(name, ' ', 0) < name.len) continue;
            named = !adit_str_eq(name, ADIT_STR("*"));
            word = adit_str_trim(adit_str_sub(word, colon + 1, word.len));
        }
        if (named) continue;
        bool none = adit_str_ieq(word, ADIT_STR("none"));
        if (none || adit_str_ieq(word, ADIT_STR("noindex"))) tag->noindex = true;
        if (none || adit_str_ieq(word, ADIT_STR("nofollow"))) tag->nofollow = true;
        if (adit_str_ieq(word, ADIT_STR("noarchive"))) tag->noarchive = true;
        if (adit_str_ieq(word, ADIT_STR("noai"))) tag->optout |= ADIT_OPTOUT_NOAI;
        if (adit_str_ieq(word, ADIT_STR("noimageai"))) tag->optout |= ADIT_OPTOUT_NOIMAGEAI;
    }
}

bool adit_robots_noindex(struct adit_str robots)
{
    struct adit_robots_tag tag = {0};
    adit_robots_tag_read(robots, &tag);
    return tag.noindex;
}
