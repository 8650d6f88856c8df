/* Pages: one JSON line each (SCP, Page Schema, Validation, Error Handling). */
#include "scp/scp_impl.h"

#include <string.h>

static const struct adit_str names[ADIT_SCP_MEMBERS] = {
    [ADIT_SCP_URL] = ADIT_STR_INIT("url"),
    [ADIT_SCP_TITLE] = ADIT_STR_INIT("title"),
    [ADIT_SCP_DESCRIPTION] = ADIT_STR_INIT("description"),
    [ADIT_SCP_AUTHOR] = ADIT_STR_INIT("author"),
    [ADIT_SCP_PUBLISHED] = ADIT_STR_INIT("published"),
    [ADIT_SCP_MODIFIED] = ADIT_STR_INIT("modified"),
    [ADIT_SCP_LANGUAGE] = ADIT_STR_INIT("language"),
    [ADIT_SCP_CANONICAL] = ADIT_STR_INIT("canonical"),
    [ADIT_SCP_SCHEMA] = ADIT_STR_INIT("schema"),
    [ADIT_SCP_CONTENT] = ADIT_STR_INIT("content"),
    [ADIT_SCP_ROBOTS] = ADIT_STR_INIT("robots"),
};

static const struct {
    enum adit_json_kind kind;
    bool required;
} shape[ADIT_SCP_MEMBERS] = {
    [ADIT_SCP_URL] = {ADIT_JSON_STRING, true},
    [ADIT_SCP_TITLE] = {ADIT_JSON_STRING, true},
    [ADIT_SCP_DESCRIPTION] = {ADIT_JSON_STRING, true},
    [ADIT_SCP_AUTHOR] = {ADIT_JSON_STRING, false},
    [ADIT_SCP_PUBLISHED] = {ADIT_JSON_STRING, false},
    [ADIT_SCP_MODIFIED] = {ADIT_JSON_STRING, true},
    [ADIT_SCP_LANGUAGE] = {ADIT_JSON_STRING, true},
    [ADIT_SCP_CANONICAL] = {ADIT_JSON_STRING, false},
    [ADIT_SCP_SCHEMA] = {ADIT_JSON_OBJECT, false},
    [ADIT_SCP_CONTENT] = {ADIT_JSON_ARRAY, true},
    [ADIT_SCP_ROBOTS] = {ADIT_JSON_ARRAY, false},
};

struct reading {
    struct adit_scp_place place;
    struct adit_scp_page *page;
};

static enum adit_code on_member(void *ctx, const struct adit_json_member *m)
{
    struct reading *r = ctx;
    struct adit_scp_page *page = r->page;
    size_t i = adit_scp_find(names, ADIT_SCP_MEMBERS, m->key);
    if (i == ADIT_SCP_MEMBERS) return ADIT_OK;
    if (page->members[i].kind) adit_scp_report(&r->place, ADIT_SCP_PAGE_TWICE, names[i].p, m->key);
    page->members[i] = m->value;
    if (i == ADIT_SCP_MODIFIED) page->modified_at = adit_scp_member_range(page->line, m);
    if (i == ADIT_SCP_ROBOTS) page->robots_at = adit_scp_member_range(page->line, m);
    return ADIT_OK;
}

static bool judge_members(struct reading *r)
{
    bool good = true;
    for (size_t i = 0; i < ADIT_SCP_MEMBERS; i++) {
        struct adit_json_value *v = &r->page->members[i];
        if (v->kind == shape[i].kind || (!shape[i].required && v->kind == ADIT_JSON_NONE)) continue;
        enum adit_scp_rule_id rule = !shape[i].required          ? ADIT_SCP_PAGE_OPTIONAL
                                     : v->kind == ADIT_JSON_NONE ? ADIT_SCP_PAGE_MISSING
                                                                 : ADIT_SCP_PAGE_TYPE;
        adit_scp_report(&r->place, rule, names[i].p, v->raw);
        if (shape[i].required) good = false;
        *v = (struct adit_json_value){0};
    }
    return good;
}

/* The URL is the page's key: what the string means, not how it is written. */
static bool judge_url(struct reading *r, struct adit_buf *scratch)
{
    struct adit_json_value v = r->page->members[ADIT_SCP_URL];
    struct adit_str inside = adit_json_inside(v);
    r->page->url = inside;
    if (!adit_scp_is_url(inside)) {
        adit_scp_report(&r->place, ADIT_SCP_PAGE_URL, "url", v.raw);
        return false;
    }
    if (adit_str_chr(inside, '\\', 0) == inside.len) return true;
    adit_buf_clear(scratch);
    adit_json_unescape(inside, scratch);
    r->page->url = adit_buf_str(scratch);
    return !scratch->err;
}

static bool judge_times(struct reading *r)
{
    struct adit_scp_page *page = r->page;
    struct adit_json_value modified = page->members[ADIT_SCP_MODIFIED];
    struct adit_json_value *published = &page->members[ADIT_SCP_PUBLISHED];
    struct adit_time t;
    if (published->kind && !adit_time_parse(adit_json_inside(*published), &t)) {
        adit_scp_report(&r->place, ADIT_SCP_PAGE_OPTIONAL, "published", published->raw);
        *published = (struct adit_json_value){0};
    }
    if (!adit_time_parse(adit_json_inside(modified), &page->modified)) {
        adit_scp_report(&r->place, ADIT_SCP_PAGE_MODIFIED, "modified", modified.raw);
        return false;
    }
    if (adit_scp_is_future(r->place.judge->limits, page->modified))
        adit_scp_report(&r->place, ADIT_SCP_PAGE_FUTURE, "modified", modified.raw);
    return true;
}

static void judge_forms(struct reading *r)
{
    struct adit_json_value language = r->page->members[ADIT_SCP_LANGUAGE];
    struct adit_json_value *canonical = &r->page->members[ADIT_SCP_CANONICAL];
    if (!adit_scp_is_language(adit_json_inside(language)))
        adit_scp_report(&r->place, ADIT_SCP_PAGE_LANGUAGE, "language", language.raw);
    if (canonical->kind && !adit_scp_is_url(adit_json_inside(*canonical))) {
        adit_scp_report(&r->place, ADIT_SCP_PAGE_OPTIONAL, "canonical", canonical->raw);
        *canonical = (struct adit_json_value){0};
    }
}

static bool judge_content(struct reading *r)
{
    struct adit_scp_page *page = r->page;
    struct adit_scp_place place = r->place;
    struct adit_json_value content = page->members[ADIT_SCP_CONTENT];
    struct adit_json_iter it = adit_json_iter(content);
    struct adit_scp_block got;
    place.block = 0;
    for (; adit_scp_next_block(&it, &place, NULL, NULL, &got); place.block++) {
        if (place.block == place.judge->limits->blocks_max) {
            adit_scp_report(&r->place, ADIT_SCP_PAGE_BLOCKS, "content",
                            adit_str_sub(content.raw, 0, 1));
            return false;
        }
        page->blocks[got.type]++;
    }
    page->n_blocks = place.block;
    if (page->n_blocks == 0)
        adit_scp_report(&r->place, ADIT_SCP_PAGE_EMPTY, "content", content.raw);
    return true;
}

/* Whether p[0…6) is the escape of a low surrogate. */
static bool is_low_surrogate(const char *p)
{
    return p[0] == '\\' && p[1] == 'u' && adit_lower(p[2]) == 'd' && adit_hex(p[3]) >= 12;
}

/* Half a surrogate pair is grammatical, but no text. In a checked line every backslash begins an
 * escape inside a string. */
static void judge_surrogates(struct reading *r)
{
    struct adit_str line = r->page->line;
    for (size_t i = adit_str_chr(line, '\\', 0); i < line.len; i = adit_str_chr(line, '\\', i)) {
        const char *p = line.p + i;
        i += 2;
        if (p[1] != 'u' || adit_lower(p[2]) != 'd' || p[3] < '8') continue;
        bool pair = adit_hex(p[3]) < 12 && line.len - i > 10 && is_low_surrogate(p + 6);
        if (pair) {
            i += 10;
            continue;
        }
        adit_scp_report(&r->place, ADIT_SCP_PAGE_SURROGATE, NULL, adit_str_of(p, 6));
        return;
    }
}

enum adit_scp_verdict adit_scp_page_judge(struct adit_str line, struct adit_scp_judge *judge,
                                          struct adit_buf *scratch, struct adit_scp_page *page)
{
    struct reading r = {{judge, line, SIZE_MAX}, page};
    struct adit_error err = {0};
    *page = (struct adit_scp_page){.line = line};
    if (line.len > judge->limits->line_max) {
        adit_scp_report(&r.place, ADIT_SCP_PAGE_LONG, NULL, (struct adit_str){0});
        return ADIT_SCP_SKIPPED;
    }
    if (adit_json_scan(line, on_member, &r, &err) != ADIT_OK) {
        struct adit_json_value v;
        bool json = adit_json_check(line, &v, &err) == ADIT_OK;
        if (json)
            adit_scp_report(&r.place, ADIT_SCP_PAGE_OBJECT, NULL, line);
        else
            adit_scp_report_json(&r.place, ADIT_SCP_PAGE_JSON, &err);
        return ADIT_SCP_REJECTED;
    }
    if (!judge_members(&r)) return ADIT_SCP_REJECTED;
    if (judge->thorough) judge_surrogates(&r);
    bool good = judge_url(&r, scratch);
    good = judge_times(&r) && good;
    judge_forms(&r);
    good = judge_content(&r) && good;
    return good ? ADIT_SCP_GOOD : ADIT_SCP_SKIPPED;
}

/* --- comparing versions ----------------------------------------------------------------------- */

size_t adit_scp_page_pieces(const struct adit_scp_page *page, bool without_modified,
                            struct adit_str pieces[3])
{
    struct adit_scp_range a = without_modified ? page->modified_at : (struct adit_scp_range){0};
    struct adit_scp_range b = page->robots_at;
    if (a.to == 0 || (b.to && b.from < a.from)) {
        struct adit_scp_range t = a;
        a = b, b = t;
    }
    size_t n = 0;
    pieces[n++] = adit_str_sub(page->line, 0, a.to ? a.from : page->line.len);
    if (a.to) pieces[n++] = adit_str_sub(page->line, a.to, b.to ? b.from : page->line.len);
    if (b.to) pieces[n++] = adit_str_sub(page->line, b.to, page->line.len);
    return n;
}

bool adit_scp_page_same(const struct adit_scp_page *a, const struct adit_scp_page *b)
{
    struct adit_str pa[3], pb[3];
    size_t na = adit_scp_page_pieces(a, true, pa), nb = adit_scp_page_pieces(b, true, pb);
    for (size_t i = 0, j = 0;;) {
        while (i < na && pa[i].len == 0) i++;
        while (j < nb && pb[j].len == 0) j++;
        if (i == na || j == nb) return i == na && j == nb;
        size_t n = pa[i].len < pb[j].len ? pa[i].len : pb[j].len;
        if (memcmp(pa[i].p, pb[j].p, n) != 0) return false;
        pa[i] = adit_str_sub(pa[i], n, pa[i].len);
        pb[j] = adit_str_sub(pb[j], n, pb[j].len);
    }
}

int adit_scp_page_cmp(const struct adit_scp_page *a, struct adit_time a_generated,
                      const struct adit_scp_page *b, struct adit_time b_generated)
{
    int by_modified = adit_time_cmp(a->modified, b->modified);
    if (by_modified) return by_modified;
    int by_generated = adit_time_cmp(a_generated, b_generated);
    return by_generated ? by_generated : adit_str_cmp(a->line, b->line);
}
