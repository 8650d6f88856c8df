/* The URL that a page states of itself, for pages that come without one. */
#include "convert/convert.h"

static bool has_canonical(struct adit_str rel)
{
    struct adit_str word;
    while (adit_str_split(&rel, ' ', &word))
        if (adit_str_ieq(adit_str_trim(word), ADIT_STR("canonical"))) return true;
    return false;
}

/* What the element says, if it says where the page is; else empty. */
static struct adit_str stated_by(const struct adit_dom *dom, uint32_t node, bool *canonical)
{
    *canonical = adit_dom_is(dom, node, ADIT_TAG_LINK);
    if (*canonical && has_canonical(adit_dom_attr(dom, node, ADIT_ATTR_REL)))
        return adit_dom_attr(dom, node, ADIT_ATTR_HREF);
    if (adit_dom_is(dom, node, ADIT_TAG_META) &&
        adit_str_ieq(adit_dom_attr(dom, node, ADIT_ATTR_PROPERTY), ADIT_STR("og:url")))
        return adit_dom_attr(dom, node, ADIT_ATTR_CONTENT);
    return (struct adit_str){0};
}

enum adit_code adit_convert_own_url(struct adit_converter *c, struct adit_str body,
                                    const struct adit_page_source *source, struct adit_str *url)
{
    struct adit_draft d;
    struct adit_page_source here = *source;
    *url = (struct adit_str){0};
    here.url = ADIT_STR("https://url.invalid/");
    adit_convert_begin(c, body, &here, &d, NULL);
    ADIT_TRY(adit_convert_steps[ADIT_STEP_CHARSET].run(&d));
    ADIT_TRY(adit_convert_steps[ADIT_STEP_PARSE].run(&d));
    for (uint32_t node = 0; (node = adit_dom_next(d.dom, node, 0, true));) {
        bool canonical;
        struct adit_str page, text = adit_str_trim(stated_by(d.dom, node, &canonical));
        /* Only an absolute URL says where the page is. */
        if (!text.len || adit_url_page(text, d.arena, &page) != ADIT_OK) continue;
        if (canonical || !url->len) *url = page;
        if (canonical) break;
    }
    return adit_dom_code(d.dom);
}
