/* The <link> elements of a document: what a page says in HTML that Link fields say in HTTP. */
#include "html/html.h"

#include "codec/codec.h"

static void take_elements(const struct adit_dom *dom, struct adit_arena *arena,
                          struct adit_link *links, size_t max, size_t *n, struct adit_str *base,
                          bool *ok)
{
    for (uint32_t node = dom->html; node; node = adit_dom_next(dom, node, dom->html, true)) {
        bool is_base = adit_dom_is(dom, node, ADIT_TAG_BASE);
        if (!is_base && !adit_dom_is(dom, node, ADIT_TAG_LINK)) continue;
        struct adit_str href = adit_str_trim(adit_dom_attr(dom, node, ADIT_ATTR_HREF));
        if (!href.len) continue;
        if (is_base) {
            if (!base->len) *base = adit_arena_dup(arena, href, ok);
        } else if (*n < max) {
            links[(*n)++] = (struct adit_link){
                .href = adit_arena_dup(arena, href, ok),
                .rel = adit_arena_dup(arena, adit_dom_attr(dom, node, ADIT_ATTR_REL), ok),
                .type = adit_arena_dup(arena, adit_dom_attr(dom, node, ADIT_ATTR_TYPE), ok),
            };
        }
    }
}

enum adit_code adit_html_links(struct adit_str body, struct adit_str content_type,
                               struct adit_mem mem, struct adit_arena *arena,
                               struct adit_link *links, size_t max, size_t *n,
                               struct adit_str *base)
{
    struct adit_buf utf8;
    struct adit_str text;
    const struct adit_dom *dom;
    bool ok = true;
    *n = 0, *base = (struct adit_str){0};
    struct adit_html *h = adit_html_new(mem);
    if (!h) return ADIT_ENOMEM;
    adit_buf_init(&utf8, mem, 3 * (size_t)ADIT_LIMIT_page_bytes);
    enum adit_code code = adit_charset_decode(body, adit_content_type_charset(content_type),
                                              (struct adit_str){0}, &utf8, &text, NULL);
    if (!code) code = adit_html_parse(h, text, &dom);
    if (!code) take_elements(dom, arena, links, max, n, base, &ok);
    if (!code) code = adit_dom_code(dom);
    adit_buf_free(&utf8);
    adit_html_free(h);
    return code ? code : ok ? ADIT_OK : ADIT_ENOMEM;
}
