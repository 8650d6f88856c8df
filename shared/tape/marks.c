/* Reading the attributes of an element: the walk's inner loop. */
#include "tape/tape.h"

/* Tags that are a kind of ancestor, or may not be seen. */
#define BIT(name) (UINT32_C(1) << ADIT_ANC_##name)
static const struct {
    uint16_t kinds;
    uint8_t hidden;
} of_tags[ADIT_TAG_COUNT] = {
    [ADIT_TAG_NAV] = {BIT(nav), 0},
    [ADIT_TAG_HEADER] = {BIT(header), 0},
    [ADIT_TAG_FOOTER] = {BIT(footer), 0},
    [ADIT_TAG_ASIDE] = {BIT(aside), 0},
    [ADIT_TAG_FORM] = {BIT(form), 0},
    [ADIT_TAG_SEARCH] = {BIT(form), 0},
    [ADIT_TAG_MAIN] = {BIT(main), 0},
    [ADIT_TAG_ARTICLE] = {BIT(article), 0},
    [ADIT_TAG_BLOCKQUOTE] = {BIT(blockquote), 0},
    [ADIT_TAG_BUTTON] = {BIT(button), 0},
    [ADIT_TAG_DIALOG] = {0, ADIT_HIDDEN_DIALOG},
    [ADIT_TAG_NOSCRIPT] = {0, ADIT_HIDDEN_NOSCRIPT},
};

/* Roles that make an element what a tag would. */
static const struct {
    struct adit_str role;
    uint32_t kinds;
} role_kinds[] = {
    {ADIT_STR_INIT("navigation"), BIT(nav)},     {ADIT_STR_INIT("banner"), BIT(header)},
    {ADIT_STR_INIT("contentinfo"), BIT(footer)}, {ADIT_STR_INIT("complementary"), BIT(aside)},
    {ADIT_STR_INIT("main"), BIT(main)},          {ADIT_STR_INIT("article"), BIT(article)},
    {ADIT_STR_INIT("search"), BIT(form)},        {ADIT_STR_INIT("form"), BIT(form)},
    {ADIT_STR_INIT("menu"), BIT(nav)},           {ADIT_STR_INIT("menubar"), BIT(nav)},
    {ADIT_STR_INIT("button"), BIT(button)},
};

static uint32_t kinds_of_role(struct adit_str role)
{
    for (size_t i = 0; i < ADIT_COUNT(role_kinds); i++)
        if (adit_str_eq(role, role_kinds[i].role)) return role_kinds[i].kinds;
    return 0;
}

static uint32_t kinds_of_itemprop(struct adit_str prop)
{
    bool body = adit_str_find(prop, ADIT_STR("articleBody"), 0) < prop.len ||
                adit_str_eq(prop, ADIT_STR("text")) || adit_str_eq(prop, ADIT_STR("description")) ||
                adit_str_eq(prop, ADIT_STR("reviewBody"));
    return body ? BIT(body_prop) : 0;
}

static uint8_t hidden_by_role(struct adit_str role)
{
    bool dialog =
        adit_str_ieq(role, ADIT_STR("dialog")) || adit_str_ieq(role, ADIT_STR("alertdialog"));
    return dialog ? ADIT_HIDDEN_DIALOG : 0;
}

static void read_role(struct adit_str role, struct adit_marks *m)
{
    m->hidden |= hidden_by_role(role);
    m->kinds |= kinds_of_role(role);
    m->heading = adit_str_ieq(role, ADIT_STR("heading"));
    m->tab_panel = adit_str_ieq(role, ADIT_STR("tabpanel"));
    m->region = adit_str_ieq(role, ADIT_STR("region"));
}

static void read_attr(const struct adit_dom *dom, uint32_t attr, struct adit_marks *m)
{
    switch (dom->attrs[attr].name) {
    case ADIT_ATTR_CLASS: m->class = attr; break;
    case ADIT_ATTR_ID: m->id = adit_attr_value(dom, attr); break;
    case ADIT_ATTR_STYLE: m->hidden |= adit_style_bits(adit_attr_value(dom, attr)); break;
    case ADIT_ATTR_ROLE: read_role(adit_attr_value(dom, attr), m); break;
    case ADIT_ATTR_ITEMPROP:
        m->itemprop = adit_attr_value(dom, attr);
        m->kinds |= kinds_of_itemprop(m->itemprop);
        break;
    case ADIT_ATTR_REL: m->rel = adit_attr_value(dom, attr); break;
    case ADIT_ATTR_HIDDEN:
        /* until-found: a search in the page opens it, so it is content. */
        if (!adit_str_ieq(adit_attr_value(dom, attr), ADIT_STR("until-found")))
            m->hidden |= ADIT_HIDDEN_ATTR;
        break;
    case ADIT_ATTR_ARIA_HIDDEN:
        m->aria_hidden = adit_str_ieq(adit_attr_value(dom, attr), ADIT_STR("true"));
        break;
    case ADIT_ATTR_ARIA_LABELLEDBY: m->labelled = true; break;
    case ADIT_ATTR_ARIA_MODAL:
        if (adit_str_ieq(adit_attr_value(dom, attr), ADIT_STR("true")))
            m->hidden |= ADIT_HIDDEN_DIALOG;
        break;
    default: break;
    }
}

/* A link to another page. With aria-hidden it is kept from what reads pages aloud, because another
 * one leads to the same place; everybody else sees it. */
static bool leads_away(const struct adit_dom *dom, uint32_t a)
{
    struct adit_str href = adit_str_trim(adit_dom_attr(dom, a, ADIT_ATTR_HREF));
    return href.len && href.p[0] != '#';
}

void adit_marks_read(const struct adit_dom *dom, uint32_t node, uint16_t tag, struct adit_marks *m)
{
    *m = (struct adit_marks){.kinds = of_tags[tag].kinds, .hidden = of_tags[tag].hidden};
    for (uint32_t a = adit_attr_first(dom, node); a; a = adit_attr_next(dom, a))
        read_attr(dom, a, m);
    if (!m->hidden && !m->aria_hidden) return;
    if (m->aria_hidden && !(tag == ADIT_TAG_A && leads_away(dom, node)))
        m->hidden |= ADIT_HIDDEN_ATTR;
    if (adit_tag_kinds[tag] & ADIT_TAGKIND_CLOSED && !adit_dom_has(dom, node, ADIT_ATTR_OPEN))
        m->hidden |= ADIT_HIDDEN_ATTR;
    /* A panel that a tab or a heading opens is closed, not hidden. */
    if (m->tab_panel || (m->region && m->labelled))
        m->hidden &= (uint8_t)~(ADIT_HIDDEN_ATTR | ADIT_HIDDEN_STYLE);
    if (m->hidden & ADIT_HIDDEN_DIALOG) m->kinds |= BIT(dialog);
}
