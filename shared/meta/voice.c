/* Who speaks in a part of a page, a post or an answer, and when: what the part itself marks. */
#include "meta/meta_impl.h"

#include "tape/tape.h"
#include "text/text.h"

enum {
    NODES_MAX = 2000, /* nodes of a post that are looked at */
    NAME_MAX_LEN = 60,
    DATE_MAX_LEN = 40,
    DAY_LEN = 10 /* bytes of 2024-05-05 */
};

bool adit_is_post_type(struct adit_str itemtype)
{
    static const struct adit_str types[] = {ADIT_STR_INIT("/Answer"), ADIT_STR_INIT("/Comment"),
                                            ADIT_STR_INIT("/DiscussionForumPosting")};
    itemtype = adit_str_trim(itemtype);
    for (size_t i = 0; i < ADIT_COUNT(types); i++)
        if (adit_str_ends(itemtype, types[i])) return true;
    return false;
}

static struct adit_str attr(const struct adit_dom *d, uint32_t n, enum adit_attr name)
{
    return adit_str_trim(adit_dom_attr(d, n, name));
}

static bool has_prop(const struct adit_dom *d, uint32_t n, const char *names)
{
    struct adit_str list = attr(d, n, ADIT_ATTR_ITEMPROP), word;
    while (adit_str_split(&list, ' ', &word))
        if (adit_str_in(word, names)) return true;
    return false;
}

/* The name that an element holds which says that it names an author. */
static struct adit_str name_in(const struct adit_names *names, uint32_t n)
{
    const struct adit_dom *d = names->dom;
    struct adit_str s = attr(d, n, ADIT_ATTR_CONTENT);
    if (s.len == 0) s = adit_names_line(names, n);
    s = adit_name_in_line(adit_meta_squeeze(s, names->arena, names->ok), names->arena, names->ok);
    return s.len > 1 && s.len <= NAME_MAX_LEN ? s : (struct adit_str){0};
}

static bool marks_author(const struct adit_dom *d, uint32_t n)
{
    if (has_prop(d, n, "author,creator")) return true;
    if (adit_str_ieq(attr(d, n, ADIT_ATTR_REL), ADIT_STR("author"))) return true;
    return adit_class_hints(attr(d, n, ADIT_ATTR_CLASS)) & ADIT_HINT_AUTHOR;
}

/* The day of a machine's date, else the words of a short text. */
static struct adit_str date_in(const struct adit_names *names, uint32_t n)
{
    const struct adit_dom *d = names->dom;
    struct adit_str s = attr(d, n, ADIT_ATTR_DATETIME);
    if (s.len == 0) s = attr(d, n, ADIT_ATTR_CONTENT);
    bool day = s.len >= DAY_LEN && s.p[4] == '-' && s.p[7] == '-' && adit_is_digit(s.p[0]);
    if (day) return adit_str_sub(s, 0, DAY_LEN);
    s = adit_dom_text(d, n, DATE_MAX_LEN, names->arena, names->ok);
    return s;
}

void adit_meta_voice(const struct adit_dom *dom, uint32_t post, struct adit_arena *arena, bool *ok,
                     struct adit_str *name, struct adit_str *date)
{
    const struct adit_names names = {.dom = dom, .arena = arena, .ok = ok};
    size_t left = NODES_MAX;
    *name = *date = (struct adit_str){0};
    for (uint32_t n = adit_dom_next(dom, post, post, true); n && left > 0; left--) {
        bool element = adit_dom_is_element(dom, n);
        bool other = element && adit_is_post_type(adit_dom_attr(dom, n, ADIT_ATTR_ITEMTYPE));
        if (element && !other) {
            if (name->len == 0 && marks_author(dom, n)) *name = name_in(&names, n);
            bool dated =
                adit_dom_is(dom, n, ADIT_TAG_TIME) || has_prop(dom, n, "dateCreated,datePublished");
            if (date->len == 0 && dated) *date = date_in(&names, n);
            if (name->len && date->len) return;
        }
        n = adit_dom_next(dom, n, post, !other);
    }
}
