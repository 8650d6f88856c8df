/* Chooses among the collected candidates: description, language and robots here; title, author and
 * dates in files of their own, which are called in their order. */
#include "meta/meta_impl.h"
#include "text/text.h"

enum adit_code adit_meta_base(const struct adit_meta *m, struct adit_str url,
                              struct adit_arena *arena, struct adit_str *base)
{
    struct adit_url page, parsed;
    *base = url;
    if (m->base_href.len == 0 || m->base_href.len > ADIT_LIMIT_base_bytes) return ADIT_OK;
    ADIT_TRY(adit_url_parse(url, NULL, arena, &page));
    enum adit_code code = adit_url_parse(m->base_href, &page, arena, &parsed);
    if (code == ADIT_ENOMEM) return code;
    if (code == ADIT_OK && !parsed.opaque) *base = parsed.href;
    return ADIT_OK;
}

/* A language tag in the case that RFC 5646, 2.1.1 recommends; empty if it is none. */
static struct adit_str language_tag(struct adit_str s, struct adit_arena *arena, bool *ok)
{
    s = adit_str_trim(adit_str_sub(s, 0, adit_str_chr(s, ',', 0)));
    if (s.len < 2 || s.len > 35) return (struct adit_str){0};
    char *p = adit_arena_alloc(arena, s.len);
    if (!p) {
        *ok = false;
        return (struct adit_str){0};
    }
    size_t start = 0;
    bool first = true, single = false;
    for (size_t i = 0; i <= s.len; i++) {
        if (i < s.len && s.p[i] != '-' && s.p[i] != '_') {
            if (!adit_is_alnum(s.p[i]) || (first && !adit_is_alpha(s.p[i])))
                return (struct adit_str){0};
            p[i] = adit_lower(s.p[i]);
            continue;
        }
        size_t len = i - start;
        if (len == 0 || len > (first ? 3 : 8) || (first && len < 2)) return (struct adit_str){0};
        bool region = !first && !single && len == 2, script = !first && !single && len == 4;
        for (size_t k = start; k < i; k++)
            if ((region || (script && k == start && !adit_is_digit(p[k]))) && adit_is_alpha(p[k]))
                p[k] = (char)(p[k] - 32);
        if (len == 1 && i == s.len) return (struct adit_str){0}; /* "utf-8": it announces nothing */
        single = single || len == 1;
        first = false;
        if (i < s.len) p[i] = '-';
        start = i + 1;
    }
    return adit_str_of(p, s.len);
}

static void languages(const struct adit_meta *m, const struct adit_page_source *source,
                      struct adit_arena *arena, struct adit_page *page, bool *ok)
{
    const struct adit_meta_candidates *c = m->candidates;
    const struct adit_str html[] = {c->html_lang, c->meta_lang, c->og_locale};
    const struct adit_str all[] = {c->html_lang, source->content_language, c->meta_lang,
                                   c->og_locale, source->language};
    for (size_t i = 0; i < ADIT_COUNT(html) && page->html_language.len == 0; i++)
        page->html_language = language_tag(html[i], arena, ok);
    for (size_t i = 0; i < ADIT_COUNT(all) && page->language.len == 0; i++)
        page->language = language_tag(all[i], arena, ok);
    if (page->language.len == 0) page->language = ADIT_STR("und");
}

static enum adit_code canonical(const struct adit_meta *m, struct adit_arena *arena,
                                struct adit_page *page)
{
    struct adit_str base;
    struct adit_url parsed;
    if (m->canonical_href.len == 0) return ADIT_OK;
    ADIT_TRY(adit_meta_base(m, page->url, arena, &base));
    ADIT_TRY(adit_url_parse(base, NULL, arena, &parsed));
    enum adit_code code = adit_url_resolve(m->canonical_href, &parsed, arena, &page->canonical);
    if (code == ADIT_OK) code = adit_url_page(page->canonical, arena, &page->canonical);
    if (code == ADIT_ENOMEM) return code;
    if (code) page->canonical = (struct adit_str){0};
    return ADIT_OK;
}

enum adit_code adit_meta_resolve(const struct adit_meta *m, const struct adit_page_source *source,
                                 const struct adit_tape *tape, struct adit_arena *arena,
                                 struct adit_page *page)
{
    const struct adit_meta_candidates *c = m->candidates;
    bool ok = true;
    page->description = m->description.len      ? m->description
                        : m->og_description.len ? m->og_description
                                                : m->ld_description;
    page->site_name = m->site_name;
    page->schema = m->schema;
    struct adit_robots_tag robots = c->robots;
    adit_robots_tag_read(source->robots, &robots);
    page->noindex = robots.noindex;
    page->noarchive = robots.noarchive;
    page->nofollow = robots.nofollow;
    page->optout = robots.optout | source->optout;
    languages(m, source, arena, page, &ok);
    ADIT_TRY(canonical(m, arena, page));
    page->title = adit_meta_title(m, page, tape, arena, &ok);
    size_t title = tape ? adit_meta_title_leaf(tape, page->title) : 0;
    page->author = adit_meta_author(m, page, tape, title, arena, &ok);
    adit_meta_dates(m, source, tape, title, arena, page, &ok);
    return ok ? ADIT_OK : ADIT_ENOMEM;
}
