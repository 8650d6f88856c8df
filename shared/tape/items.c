/* What an item of the tape says, and which texts are tools of the page, not its words. */
#include "tape/tape.h"

struct adit_str adit_item_alt(const struct adit_dom *dom, uint32_t img)
{
    static const struct adit_str classes[] = {ADIT_STR_INIT("emoji"), ADIT_STR_INIT("smiley")};
    struct adit_str class = adit_dom_attr(dom, img, ADIT_ATTR_CLASS);
    for (size_t i = 0; i < ADIT_COUNT(classes); i++)
        if (adit_str_ifind(class, classes[i], 0) < class.len)
            return adit_dom_attr(dom, img, ADIT_ATTR_ALT);
    return (struct adit_str){0};
}

struct adit_str adit_item_said(const struct adit_tape *t, const struct adit_item *item)
{
    if (item->kind == ADIT_ITEM_MADE) return t->made[item->tag].text;
    return item->kind == ADIT_ITEM_ALT ? adit_item_alt(t->dom, item->node)
                                       : adit_dom_data(t->dom, item->node);
}

bool adit_item_is_tool(const struct adit_dom *d, uint32_t node, struct adit_str raw)
{
    static const struct adit_str signs[] = {
        ADIT_STR_INIT("\xc2\xb6"), ADIT_STR_INIT("\xe2\x86\xa9"), ADIT_STR_INIT("\xe2\xa4\xb4"),
        ADIT_STR_INIT("\xf0\x9f\x94\x97")};
    static const struct adit_str variants[] = {ADIT_STR_INIT("\xef\xb8\x8e"),
                                               ADIT_STR_INIT("\xef\xb8\x8f")};
    if (raw.len > 16) return false;
    struct adit_str s = adit_str_trim(raw);
    if (!s.len || (unsigned char)s.p[0] < 0x80) return false; /* no sign is ASCII */
    for (size_t i = 0; i < ADIT_COUNT(variants); i++)
        if (adit_str_ends(s, variants[i])) s.len -= variants[i].len;
    for (size_t i = 0; i < ADIT_COUNT(signs); i++) {
        if (!adit_str_eq(s, signs[i])) continue;
        uint32_t a = d->nodes[node].parent;
        for (int up = 0; a && up < 3 && !adit_dom_is(d, a, ADIT_TAG_A); up++)
            a = d->nodes[a].parent;
        struct adit_str href = adit_dom_attr(d, a, ADIT_ATTR_HREF);
        return adit_str_chr(href, '#', 0) < href.len;
    }
    return false;
}
