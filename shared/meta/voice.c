/* Who speaks in a part of a page, a post or an answer, and when: what the part itself marks. */
#include "meta/meta_impl.h"

#include "page/page.h"
#include "tape/tape.h"
#include "text/text.h"

enum {
    NODES_MAX = 2000, /* nodes of a post that are looked at */
    NAME_MAX_LEN = 60,
    DATE_MAX_LEN = 40,
    DAY_LEN = 10,    /* bytes of 2024-05-05 */
    CLIMB_MAX = 5,   /* elements around a date that are searched for a name */
    BESIDE_MAX = 80, /* nodes of such an element */
    TRIES_MAX = 4,   /* elements in it that may hold a name and do not */
    HREF_MAX = 500   /* bytes of an address that is an account's */
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

/* Words that stand beside a name: a badge, a count. */
static bool is_no_name(struct adit_str s)
{
    static const struct adit_str words[] = {
        ADIT_STR_INIT("author"), ADIT_STR_INIT("op"),           ADIT_STR_INIT("posts"),
        ADIT_STR_INIT("member"), ADIT_STR_INIT("view profile"), ADIT_STR_INIT("profile")};
    for (size_t i = 0; i < ADIT_COUNT(words); i++)
        if (adit_str_ieq(s, words[i])) return true;
    return s.len == 0;
}

static bool marks_author(const struct adit_dom *d, uint32_t n)
{
    if (has_prop(d, n, "author,creator")) return true;
    if (adit_str_ieq(attr(d, n, ADIT_ATTR_REL), ADIT_STR("author"))) return true;
    return adit_class_hints(attr(d, n, ADIT_ATTR_CLASS)) & ADIT_HINT_AUTHOR;
}

static bool is_day(struct adit_str s)
{
    return s.len >= DAY_LEN && s.p[4] == '-' && s.p[7] == '-' && adit_is_digit(s.p[0]);
}

/* The day of a machine's date, else the words of a short text. */
static struct adit_str date_in(const struct adit_names *names, uint32_t n)
{
    const struct adit_dom *d = names->dom;
    struct adit_str s = attr(d, n, ADIT_ATTR_DATETIME);
    if (s.len == 0) s = attr(d, n, ADIT_ATTR_CONTENT);
    if (!is_day(s)) s = attr(d, n, ADIT_ATTR_TITLE);
    if (is_day(s)) return adit_str_sub(s, 0, DAY_LEN);
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
            if (is_no_name(*name)) name->len = 0;
            bool dated =
                adit_dom_is(dom, n, ADIT_TAG_TIME) || has_prop(dom, n, "dateCreated,datePublished");
            if (date->len == 0 && dated) *date = date_in(&names, n);
            if (name->len && date->len) return;
        }
        n = adit_dom_next(dom, n, post, !other);
    }
}

/* --- signatures ------------------------------------------------------------------------------- */

bool adit_meta_is_instant(const struct adit_dom *dom, uint32_t node)
{
    if (!adit_dom_is_element(dom, node)) return false;
    return adit_dom_is(dom, node, ADIT_TAG_TIME) ||
           is_day(adit_dom_attr(dom, node, ADIT_ATTR_DATETIME)) ||
           is_day(adit_dom_attr(dom, node, ADIT_ATTR_TITLE));
}

/* A link whose words are the end of its address: to the account of who is named. */
static bool is_account(const struct adit_names *names, uint32_t n)
{
    static const struct adit_str others[] = {ADIT_STR_INIT("tag"), ADIT_STR_INIT("categor"),
                                             ADIT_STR_INIT("topic"), ADIT_STR_INIT("search")};
    const struct adit_dom *d = names->dom;
    struct adit_str href = adit_dom_attr(d, n, ADIT_ATTR_HREF);
    if (!adit_dom_is(d, n, ADIT_TAG_A) || href.len < 2 || href.len > HREF_MAX) return false;
    for (size_t i = 0; i < ADIT_COUNT(others); i++)
        if (adit_str_ifind(href, others[i], 0) < href.len) return false;
    size_t end = href.len - (href.p[href.len - 1] == '/'), from = end;
    while (from && href.p[from - 1] != '/' && href.p[from - 1] != '=') from--;
    struct adit_str tail = adit_str_sub(href, from, end);
    struct adit_str text = adit_dom_text(d, n, NAME_MAX_LEN, names->arena, names->ok);
    bool letter = false;
    for (size_t i = 0; i < tail.len; i++) letter |= adit_is_alpha(tail.p[i]);
    return letter && adit_page_says_title(text, tail);
}

/* The last account before the date in the element around both, else the first behind it; without any,
 * the first element before the date that says it holds a name. 0: none. */
static uint32_t find_name(const struct adit_names *names, uint32_t around, uint32_t date)
{
    const struct adit_dom *d = names->dom;
    uint32_t account = 0, marked = 0, link = 0; /* link: the first of those to one address */
    size_t left = BESIDE_MAX, tries = TRIES_MAX;
    for (uint32_t n = adit_dom_first(d, around); n && left > 0; left--) {
        bool skip = n == date;
        struct adit_str href = adit_str_sub(adit_dom_attr(d, n, ADIT_ATTR_HREF), 0, HREF_MAX);
        if (n > date && account) break;
        if (href.len && !(link && adit_str_eq(href, adit_dom_attr(d, link, ADIT_ATTR_HREF))))
            link = n;
        if (!skip && is_account(names, n)) {
            if (n > date) return n;
            account = link; /* which has the name, the second one perhaps a short one */
        } else if (!skip && !marked && tries && n < date && adit_dom_is_element(d, n) &&
                   marks_author(d, n)) {
            tries--;
            if (!is_no_name(name_in(names, n))) marked = n;
        }
        n = adit_dom_next(d, n, around, !skip);
    }
    return !left ? 0 : account ? account : marked;
}

bool adit_meta_signed(const struct adit_dom *dom, uint32_t node, struct adit_arena *arena, bool *ok,
                      struct adit_signature *out)
{
    const struct adit_names names = {.dom = dom, .arena = arena, .ok = ok};
    uint32_t around = dom->nodes[node].parent;
    *out = (struct adit_signature){.date_node = node};
    for (int up = 0; up < CLIMB_MAX && around && !out->name_node; up++) {
        if (adit_dom_is(dom, around, ADIT_TAG_A)) out->href = attr(dom, around, ADIT_ATTR_HREF);
        out->name_node = find_name(&names, around, node);
        around = dom->nodes[around].parent;
    }
    if (!out->name_node) return false;
    uint32_t link = adit_dom_first(dom, node);
    if (!out->href.len && adit_dom_is(dom, link, ADIT_TAG_A))
        out->href = attr(dom, link, ADIT_ATTR_HREF);
    out->name = adit_dom_is(dom, out->name_node, ADIT_TAG_A)
                    ? adit_dom_text(dom, out->name_node, NAME_MAX_LEN, arena, ok)
                    : name_in(&names, out->name_node);
    out->date = date_in(&names, node);
    out->said = adit_dom_text(dom, node, DATE_MAX_LEN, arena, ok);
    return out->name.len && out->date.len;
}
