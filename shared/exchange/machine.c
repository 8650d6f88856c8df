/* The machine view of a page: recalled, fetched, converted. */
#include "exchange/exchange_impl.h"

#include "base/base.h"
#include "page/page.h"
#include "http/http.h"
#include "tct/tct.h"
#include "text/text.h"

#include <string.h>

static enum adit_action finish_machine(struct adit_exchange_impl *x)
{
    x->state = ADIT_ST_DONE;
    adit_body_free(x);
    adit_share_view(x);
    return adit_answer_view(x, x->view);
}

/* Reasons that lie in the page: until it changes there is no view for a link to lead to. */
static bool is_lasting(enum adit_reason reason)
{
    return reason == ADIT_REASON_NO_CONTENT || reason == ADIT_REASON_TOO_LARGE ||
           reason == ADIT_REASON_UNCONVERTIBLE;
}

/* The view is a refusal. Without memory even for that, nobody is kept waiting. */
enum adit_action adit_machine_failed(struct adit_exchange_impl *x, enum adit_reason reason)
{
    if (is_lasting(reason)) adit_exchange_learn_viewless(x, true);
    if (is_lasting(reason) || reason == ADIT_REASON_ORIGIN_404 || reason == ADIT_REASON_ORIGIN_410)
        adit_sitemap_learn(x, (struct adit_str){0}, true);
    adit_body_free(x); /* a slow client must not hold it */
    if (!x->view) x->view = adit_view_new(x->edge->mem, 0);
    if (!x->view) {
        adit_share_leave(x);
        return adit_answer_problem(x, ADIT_REASON_NO_MEMORY);
    }
    x->view->reason = reason;
    return finish_machine(x);
}

/* --- from the page to the view ---------------------------------------------------------------- */

static struct adit_str keep(struct adit_view *v, struct adit_str s)
{
    return adit_arena_dup(&v->arena, s, NULL);
}

static bool ensure_view(struct adit_exchange_impl *x)
{
    if (!x->view)
        x->view = adit_view_new(x->edge->mem, 4 * (size_t)x->edge->config->max_page_bytes);
    return x->view != NULL;
}

static enum adit_reason reason_of(enum adit_code code)
{
    return code == ADIT_ENOMEM ? ADIT_REASON_NO_MEMORY : ADIT_REASON_UNCONVERTIBLE;
}

static struct adit_str media_type(const struct adit_exchange_impl *x)
{
    return adit_str_z(x->format == &adit_formats[ADIT_FORMAT_TCT]
                          ? adit_tct_profiles[x->edge->config->tct_profile].media_type
                          : x->format->media_type);
}

static enum adit_code write_view(struct adit_exchange_impl *x, const struct adit_page *page)
{
    struct adit_view *v = x->view;
    struct adit_format_options options = {.schema = x->edge->config->payload_schema,
                                          .front_matter = x->edge->config->front_matter,
                                          .profile = x->edge->config->tct_profile,
                                          .digest = v->sha256};
    char hash[ADIT_TCT_HASH];
    v->content_type = media_type(x);
    ADIT_TRY(x->format->view(page, &options, x->edge->mem, &v->body, hash));
    v->hashed = true;
    return adit_view_etag(v, adit_str_of(hash, sizeof hash)) ? ADIT_OK : ADIT_ENOMEM;
}

/* Gives back what the buffer has beyond its bytes: a slow client may hold them for long. */
static void trim(struct adit_buf *b)
{
    char *p = b->len ? b->mem.resize(b->mem.ctx, b->p, b->cap, b->len) : NULL;
    if (!p) return;
    b->p = p;
    b->cap = b->len;
}

/* Fills the view; anything but NONE says why there is none. */
static enum adit_reason convert(struct adit_exchange_impl *x)
{
    struct adit_edge *e = x->edge;
    const struct adit_page *page;
    struct adit_error err;
    struct adit_converter **slot = e->converter_slot ? e->converter_slot : &e->converter;
    if (!*slot) *slot = adit_converter_new(e->host);
    if (!*slot) return ADIT_REASON_NO_MEMORY;
    struct adit_page_source source = {.url = adit_exchange_url(x, x->pub.fetch.path),
                                      .content_type = x->content_type,
                                      .robots = x->view->robots,
                                      .rich = x->format && x->format->rich};
    adit_exchange_count(x, ADIT_COUNTER_conversions, 1);
    adit_exchange_count(x, ADIT_COUNTER_bytes_in, x->html.len);
    x->view->html_bytes = x->html.len;
    enum adit_code code = adit_convert(*slot, adit_buf_str(&x->html), &source, &page, &err);
    if (code) return reason_of(code);
    if (page->n_blocks == 0) return ADIT_REASON_NO_CONTENT;
    x->view->noindex = page->noindex;
    adit_exchange_learn_viewless(x, page->noindex);
    code = write_view(x, page);
    if (code) return reason_of(code);
    trim(&x->view->body);
    return ADIT_REASON_NONE;
}

/* The later of the origin's date and that of the rules: with other rules, the same page is another
 * view. */
static struct adit_str effective_last_modified(struct adit_exchange_impl *x)
{
    int64_t t;
    if (!adit_http_date_parse(x->origin_last_modified, &t)) return (struct adit_str){0};
    char space[64];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_http_date(&b, t > ADIT_RULES_UNIX ? t : ADIT_RULES_UNIX);
    return keep(x->view, adit_buf_str(&b));
}

/* Notes the view for the memory, if the origin can be asked about it later. */
static void remember(struct adit_exchange_impl *x)
{
    const struct adit_view *v = x->view;
    bool by_etag = x->origin_etag.len > 0;
    if (v->is_private || (!by_etag && !x->last_modified_settled)) return;
    struct adit_memo m = {
        .etag = v->etag,
        .last_modified = v->last_modified,
        .robots = v->robots,
        .html_bytes = v->html_bytes,
        .noindex = v->noindex,
    };
    if (by_etag)
        m.origin_etag = x->origin_etag;
    else
        m.origin_last_modified = x->origin_last_modified;
    if (v->body.len <= ADIT_REMEMBER_BODY) m.body = adit_buf_str(&v->body);
    adit_memo_write(&x->remember, x->key, &m);
    if (x->remember.err) return;
    x->pub.remember_key = adit_str_of(x->key, sizeof x->key);
    x->pub.remember_value = adit_buf_str(&x->remember);
}

enum adit_action adit_machine_end(struct adit_exchange_impl *x)
{
    enum adit_reason reason = convert(x);
    if (reason) return adit_machine_failed(x, reason);
    x->view->last_modified = effective_last_modified(x);
    adit_sitemap_learn(x, x->view->etag, x->view->noindex);
    remember(x);
    return finish_machine(x);
}

/* --- the origin's answer ---------------------------------------------------------------------- */

/* Statuses that pass on to whoever asked. */
static const struct {
    unsigned status;
    enum adit_reason reason;
} passed_on[] = {
    {401, ADIT_REASON_ORIGIN_401}, {402, ADIT_REASON_ORIGIN_402}, {403, ADIT_REASON_ORIGIN_403},
    {404, ADIT_REASON_ORIGIN_404}, {410, ADIT_REASON_ORIGIN_410}, {429, ADIT_REASON_ORIGIN_429},
    {451, ADIT_REASON_ORIGIN_451}, {503, ADIT_REASON_ORIGIN_503}, {508, ADIT_REASON_LOOP},
};

static enum adit_reason reason_of_status(unsigned status)
{
    for (size_t i = 0; i < ADIT_COUNT(passed_on); i++)
        if (passed_on[i].status == status) return passed_on[i].reason;
    if (status >= 400 && status < 500) return ADIT_REASON_ORIGIN_4XX;
    if (status >= 500 && status < 600) return ADIT_REASON_ORIGIN_5XX;
    if (status >= 200 && status < 300 && status != 206) return ADIT_REASON_NOT_HTML;
    return ADIT_REASON_ORIGIN_ODD;
}

/* The absolute URL that a redirect of the page names; empty if it names none. */
static struct adit_str target_of(struct adit_exchange_impl *x, struct adit_str location)
{
    struct adit_url base;
    struct adit_str url = {0}, page = adit_exchange_url(x, x->pub.fetch.path);
    if (location.len == 0 || location.len > ADIT_LIMIT_url_bytes ||
        adit_url_parse(page, NULL, &x->arena, &base) != ADIT_OK ||
        adit_url_resolve(location, &base, &x->arena, &url) != ADIT_OK)
        return (struct adit_str){0};
    return url;
}

/* The machine URL of a page of ours, or its own URL if it has none. */
static void write_machine_url(struct adit_exchange_impl *x, struct adit_str path,
                              struct adit_buf *out)
{
    const struct adit_config *c = x->edge->config;
    size_t q = adit_str_chr(path, '?', 0);
    struct adit_str c_path = adit_str_sub(path, 0, q), query = adit_str_sub(path, q, path.len);
    struct adit_buf machine;
    adit_buf_init(&machine, x->edge->mem, ADIT_URL_ROOM);
    bool has_view = adit_map_path(c, c_path, &machine, NULL) == ADIT_PATH_PAGE &&
                    (query.len == 0 || c->query == ADIT_QUERY_KEEP);
    adit_buf_clear(&machine);
    if (has_view)
        adit_map_machine(c, x->format, c_path, &machine);
    else
        adit_buf_add(&machine, c_path);
    adit_buf_add(&machine, query);
    if (machine.err)
        out->err = machine.err;
    else
        adit_map_url(c, adit_buf_str(&machine), out);
    adit_buf_free(&machine);
}

/* A redirect of the page becomes one of its view: to the view of the target if that is a page of
 * ours, else to the target. */
static enum adit_action redirect_machine(struct adit_exchange_impl *x, unsigned status,
                                         struct adit_str location)
{
    struct adit_str path, url = target_of(x, location);
    struct adit_buf out;
    adit_buf_init(&out, x->edge->mem, ADIT_LIMIT_header_value);
    /* The origin sends the page to itself: whoever followed would come back for ever. */
    bool ours = adit_map_our_url(x->edge->config, url, &path);
    bool loop = ours && adit_str_eq(path, x->pub.fetch.path);
    if (ours)
        write_machine_url(x, path, &out);
    else
        adit_buf_add(&out, url);
    if (!loop && !out.err && out.len) {
        x->view->redirect = status;
        x->view->location = keep(x->view, adit_buf_str(&out));
    }
    adit_buf_free(&out);
    return x->view->location.len ? finish_machine(x)
                                 : adit_machine_failed(x, ADIT_REASON_ORIGIN_ODD);
}

/* The page is as it was: the remembered view answers. */
static enum adit_action revalidated(struct adit_exchange_impl *x)
{
    struct adit_view *v = x->view;
    const struct adit_memo *m = &x->memo;
    if (!x->asked_conditionally) return adit_machine_failed(x, ADIT_REASON_ORIGIN_ODD);
    adit_exchange_count(x, ADIT_COUNTER_revalidated, 1);
    adit_exchange_count(x, ADIT_COUNTER_bytes_in, m->html_bytes);
    v->content_type = media_type(x);
    v->etag = keep(v, m->etag);
    v->last_modified = keep(v, m->last_modified);
    if (v->robots.len == 0) v->robots = keep(v, m->robots);
    v->noindex = m->noindex;
    adit_exchange_learn_viewless(x, m->noindex);
    adit_sitemap_learn(x, m->etag, m->noindex);
    v->html_bytes = m->html_bytes;
    v->bodiless = m->body.len == 0;
    adit_buf_add(&v->body, m->body);
    return v->body.err || v->etag.len == 0 ? adit_machine_failed(x, ADIT_REASON_NO_MEMORY)
                                           : finish_machine(x);
}

/* A list that the answer repeats. What cannot be sent would be lost: a noindex, say. */
static struct adit_str repeated(struct adit_exchange_impl *x, const struct adit_header *h, size_t n,
                                const char *name, enum adit_reason *reason)
{
    bool ok = true;
    struct adit_str all = adit_header_all(h, n, adit_str_z(name), &x->arena, &ok);
    if (ok && all.len && !adit_header_sendable(all)) *reason = ADIT_REASON_HEADER;
    all = adit_arena_dup(&x->view->arena, all, &ok);
    if (!ok) *reason = ADIT_REASON_NO_MEMORY;
    return all;
}

static struct adit_str noted(struct adit_exchange_impl *x, const struct adit_header *h, size_t n,
                             const char *name, enum adit_reason *reason)
{
    bool ok = true;
    struct adit_str value = adit_arena_dup(&x->arena, adit_header_get(h, n, adit_str_z(name)), &ok);
    if (!ok) *reason = ADIT_REASON_NO_MEMORY;
    return value;
}

/* What the header says of the page. Anything but NONE: not all of it could be kept, and so nothing
 * may be said of the page: what is missing may be that it is private. */
static enum adit_reason read_facts(struct adit_exchange_impl *x, const struct adit_header *h,
                                   size_t n)
{
    struct adit_view *v = x->view;
    enum adit_reason reason = ADIT_REASON_NONE;
    bool ok = true;
    struct adit_str cc = adit_header_all(h, n, ADIT_STR("cache-control"), &x->arena, &ok);
    struct adit_str vary = adit_header_all(h, n, ADIT_STR("vary"), &x->arena, &ok);
    v->is_private = !ok || adit_is_private(cc, vary);
    v->is_unlisted = !ok || adit_is_private(cc, (struct adit_str){0}) ||
                     adit_list_has(vary, ADIT_STR("*"), NULL);
    v->robots = repeated(x, h, n, "x-robots-tag", &reason);
    v->retry_after = repeated(x, h, n, "retry-after", &reason);
    v->www_authenticate = repeated(x, h, n, "www-authenticate", &reason);
    x->content_type = noted(x, h, n, "content-type", &reason);
    x->origin_etag = noted(x, h, n, "etag", &reason);
    if (!adit_header_sendable(x->origin_etag))
        x->origin_etag.len = 0; /* an ETag that no request can name */
    x->origin_last_modified = noted(x, h, n, "last-modified", &reason);
    int64_t modified, date = x->now;
    adit_http_date_parse(adit_header_get(h, n, ADIT_STR("date")), &date);
    x->last_modified_settled = adit_http_date_parse(x->origin_last_modified, &modified) &&
                               date - modified >= ADIT_LAST_MODIFIED_AGE;
    return ok ? reason : ADIT_REASON_NO_MEMORY;
}

static enum adit_action receive_page(struct adit_exchange_impl *x, const struct adit_header *h,
                                     size_t n)
{
    if (!adit_media_is_html(x->content_type)) return adit_machine_failed(x, ADIT_REASON_NOT_HTML);
    enum adit_reason reason = adit_body_begin(x, h, n);
    return reason ? adit_machine_failed(x, reason) : ADIT_BODY;
}

enum adit_action adit_machine_fetched(struct adit_exchange_impl *x, unsigned status,
                                      const struct adit_header *h, size_t n)
{
    if (!ensure_view(x)) return adit_machine_failed(x, ADIT_REASON_NO_MEMORY);
    enum adit_reason reason = read_facts(x, h, n);
    if (reason) return adit_machine_failed(x, reason);
    switch (status) {
    case 200:
    case 203: return receive_page(x, h, n);
    case 301:
    case 302:
    case 303:
    case 307:
    case 308: return redirect_machine(x, status, adit_header_get(h, n, ADIT_STR("location")));
    case 304: return revalidated(x);
    default: return adit_machine_failed(x, reason_of_status(status));
    }
}

/* --- the beginning ---------------------------------------------------------------------------- */

/* homepage: overview: a view that the configuration itself holds. */
static enum adit_action overview(struct adit_exchange_impl *x, struct adit_str url)
{
    const struct adit_config *c = x->edge->config;
    if (!ensure_view(x)) return adit_answer_problem(x, ADIT_REASON_NO_MEMORY);
    struct adit_block block = {.type = ADIT_TEXT, .text = c->overview_content};
    struct adit_page page = {
        .url = url, .title = c->overview_title, .blocks = &block, .n_blocks = 1};
    enum adit_code code = write_view(x, &page);
    x->state = ADIT_ST_DONE;
    return code ? adit_answer_problem(x, reason_of(code)) : adit_answer_view(x, x->view);
}

enum adit_action adit_machine_start(struct adit_exchange_impl *x)
{
    struct adit_str target = x->c_path;
    if (x->query.len) {
        char *p = adit_arena_alloc(&x->arena, x->c_path.len + x->query.len);
        if (!p) return adit_answer_problem(x, ADIT_REASON_NO_MEMORY);
        memcpy(p, x->c_path.p, x->c_path.len);
        memcpy(p + x->c_path.len, x->query.p, x->query.len);
        target = adit_str_of(p, x->c_path.len + x->query.len);
    }
    struct adit_str url = adit_exchange_url(x, target);
    if (url.len == 0) return adit_answer_problem(x, ADIT_REASON_NO_MEMORY);
    if (x->edge->config->homepage == ADIT_HOME_OVERVIEW && adit_str_eq(target, ADIT_STR("/")))
        return overview(x, url);
    adit_share_key(x, url);
    if (adit_share_wait(x)) return ADIT_WAIT;
    if (!adit_share_lead(x)) return adit_answer_problem(x, ADIT_REASON_BUSY);
    x->pub.fetch.path = target;
    x->pub.recall_key = adit_str_of(x->key, sizeof x->key);
    x->state = ADIT_ST_RECALL;
    return ADIT_RECALL;
}

enum adit_action adit_machine_recalled(struct adit_exchange_impl *x, struct adit_str value)
{
    struct adit_headers *h = &x->pub.fetch.headers;
    x->html.max = adit_budget_page_max(x->edge);
    adit_exchange_ask(x, x->pub.fetch.path, "text/html", x->html.max);
    /* If it comes to nothing, the request of a negotiated page must still be the client's. */
    x->pub.fetch.page = !x->negotiated;
    x->state = ADIT_ST_FETCH;
    struct adit_memo *m = &x->memo;
    /* The value must outlive the host's buffer. */
    if (value.len > ADIT_MEMO_MAX || !adit_memo_read(adit_exchange_dup(x, value), x->key, m))
        return ADIT_FETCH;
    /* Without the body, a 304 of the origin helps only who has the body. */
    if (m->body.len == 0 &&
        !(x->has_if_none_match && adit_answer_unchanged(x, m->etag, m->last_modified)))
        return ADIT_FETCH;
    x->asked_conditionally = true;
    adit_headers_add(h, "if-none-match", m->origin_etag);
    if (m->origin_etag.len == 0) adit_headers_add(h, "if-modified-since", m->origin_last_modified);
    return ADIT_FETCH;
}

enum adit_action adit_machine_resume(struct adit_exchange_impl *x)
{
    if (!x->view) return adit_machine_start(x); /* whoever was to convert has gone */
    adit_exchange_count(x, ADIT_COUNTER_coalesced, 1);
    return adit_answer_view(x, x->view);
}
