/* Until metadata and URLs have landed: weak stand-ins, so that the rest can be tried. */
#include "page/meta.h"
#include "page/space.h"
#include "text/url.h"

#include <string.h>

#define WEAK __attribute__((weak))

WEAK enum adit_code adit_meta_collect(struct adit_meta *m, const struct adit_dom *dom,
                                      struct adit_str url, struct adit_arena *arena)
{
    (void)url;
    memset(m, 0, sizeof *m);
    bool ok = true;
    for (const lxb_dom_node_t *n = dom->html; n; n = adit_dom_next(n, dom->html, true))
        if (adit_dom_is(n, LXB_TAG_TITLE) && !m->title_tag.len)
            m->title_tag = adit_dom_text(n, 1000, arena, &ok);
        else if (adit_dom_is(n, LXB_TAG_META) &&
                 adit_str_ieq(adit_dom_attr(dom, n, ADIT_ATTR_NAME), ADIT_STR("description")))
            m->description = adit_dom_attr(dom, n, ADIT_ATTR_CONTENT);
        else if (adit_dom_is(n, LXB_TAG_META) &&
                 adit_str_ieq(adit_dom_attr(dom, n, ADIT_ATTR_PROPERTY), ADIT_STR("og:title")))
            m->og_title = adit_dom_attr(dom, n, ADIT_ATTR_CONTENT);
    return ok ? ADIT_OK : ADIT_ENOMEM;
}

WEAK enum adit_code adit_meta_base(const struct adit_meta *m, struct adit_str url,
                                   struct adit_arena *arena, struct adit_str *base)
{
    (void)m, (void)arena;
    *base = url;
    return ADIT_OK;
}

WEAK enum adit_code adit_meta_resolve(const struct adit_meta *m,
                                      const struct adit_page_facts *facts,
                                      const struct adit_tape *tape, struct adit_arena *arena,
                                      struct adit_page *page)
{
    (void)arena;
    page->title = m->og_title.len ? m->og_title : m->title_tag;
    for (size_t i = 0; i < tape->n_els && !page->title.len; i++)
        if (tape->els[i].tag == LXB_TAG_H1 && tape->els[i].leaf1 > tape->els[i].leaf0)
            page->title = tape->leaves[tape->els[i].leaf0].text;
    if (!page->title.len) page->title = page->url;
    page->description = m->description;
    page->modified = facts->date;
    page->language = ADIT_STR("und");
    return ADIT_OK;
}
