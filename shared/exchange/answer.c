/* From the view of a page to the answer of one request. */
#include "exchange/exchange_impl.h"

#include "json/json.h"
#include "http/http.h"
#include "tct/tct.h"

/* --- views ------------------------------------------------------------------------------------ */

struct adit_view *adit_view_new(struct adit_mem mem, size_t body_max)
{
    struct adit_view *v = mem.resize(mem.ctx, NULL, 0, sizeof *v);
    if (!v) return NULL;
    *v = (struct adit_view){.refs = 1};
    adit_arena_init(&v->arena, mem, ADIT_EXCHANGE_MEMORY);
    adit_buf_init(&v->body, mem, body_max);
    return v;
}

void adit_view_release(struct adit_view *v, struct adit_mem mem)
{
    if (!v || --v->refs) return;
    adit_buf_free(&v->body);
    adit_arena_free(&v->arena);
    mem.resize(mem.ctx, v, sizeof *v, 0);
}

bool adit_view_etag(struct adit_view *v, struct adit_str hash)
{
    char space[2 + ADIT_TCT_HASH];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_buf_byte(&b, '"');
    adit_buf_add(&b, hash);
    adit_buf_byte(&b, '"');
    v->etag = adit_arena_dup(&v->arena, adit_buf_str(&b), NULL);
    return v->etag.len > 0;
}

bool adit_view_hash(struct adit_view *v)
{
    uint8_t hash[ADIT_SHA256_LEN];
    char space[ADIT_TCT_HASH];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_sha256_of(adit_buf_str(&v->body), hash);
    adit_sha256_text(&b, "sha256-", hash);
    return !v->body.err && adit_view_etag(v, adit_buf_str(&b));
}

/* --- header fields ---------------------------------------------------------------------------- */

static void add_number(struct adit_headers *h, const char *name, uint64_t n)
{
    char space[24];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_buf_u64(&b, n);
    adit_headers_add(h, name, adit_buf_str(&b));
}

/* A field whose value was built. Without memory for that the list is as if it had none itself; what
 * is too long is left out. Frees the buffer. */
static void add_built(struct adit_headers *h, const char *name, struct adit_buf *b)
{
    if (b->err == ADIT_ENOMEM) h->err = ADIT_ENOMEM;
    if (!b->err) adit_headers_add(h, name, adit_buf_str(b));
    adit_buf_free(b);
}

/* "<url>; rel="…"; type="…"", the type without its parameters; no type if it is NULL */
static void add_link(struct adit_exchange_impl *x, struct adit_headers *h, struct adit_str url,
                     const char *rel, const char *media_type)
{
    char space[1024];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    bool is_short = url.len + 128 < sizeof space;
    if (url.len == 0) h->err = ADIT_ENOMEM; /* there was none for the URL */
    if (!is_short) adit_buf_init(&b, x->edge->mem, ADIT_LIMIT_header_value);
    adit_buf_byte(&b, '<');
    adit_buf_add(&b, url);
    adit_buf_lit(&b, ">; rel=\"");
    adit_buf_lit(&b, rel);
    adit_buf_byte(&b, '"');
    if (media_type) {
        adit_buf_lit(&b, "; type=\"");
        adit_buf_add(&b, adit_media_type(adit_str_z(media_type)));
        adit_buf_byte(&b, '"');
    }
    if (is_short)
        adit_headers_add(h, "link", adit_buf_str(&b));
    else
        add_built(h, "link", &b);
}

void adit_answer_index_links(struct adit_exchange_impl *x, struct adit_headers *h)
{
    const struct adit_config *c = x->edge->config;
    if (x->route->links & ADIT_LINK_SITEMAP)
        add_link(x, h, adit_exchange_url(x, c->sitemap_path), "index", ADIT_TCT_MEDIA_TYPE);
    if (c->policy.len && x->route->links & ADIT_LINK_POLICY)
        add_link(x, h, adit_exchange_url(x, ADIT_STR("/llm-policy.json")), "describedby",
                 ADIT_TCT_MEDIA_TYPE);
}

void adit_answer_alternate(struct adit_exchange_impl *x, struct adit_headers *h,
                           const struct adit_format *format, struct adit_str url)
{
    add_link(x, h, url, "alternate", format->media_type);
}

/* Fields that repeat strings of the configuration. */
static const struct {
    const char *name;
    size_t at; /* in struct adit_config */
} signals[] = {
    {"content-signal", offsetof(struct adit_config, content_signal)},
    {"content-usage", offsetof(struct adit_config, content_usage)},
    {"tdm-reservation", offsetof(struct adit_config, tdm_reservation)},
    {"tdm-policy", offsetof(struct adit_config, tdm_policy)},
};

static void add_signals(struct adit_exchange_impl *x, struct adit_headers *h)
{
    const struct adit_config *c = x->edge->config;
    for (size_t i = 0; i < ADIT_COUNT(signals); i++)
        adit_headers_add(h, signals[i].name,
                         *(const struct adit_str *)((const char *)c + signals[i].at));
    struct adit_str url = c->license;
    if (url.len == 0) return;
    if (url.p[0] == '/') url = adit_exchange_url(x, url);
    add_link(x, h, url, "license",
             adit_str_ends(url, ADIT_STR(".xml")) ? "application/rsl+xml" : NULL);
}

void adit_answer_signal_edits(struct adit_exchange_impl *x, const struct adit_header *there,
                              size_t n)
{
    struct adit_headers h = {.arena = &x->arena};
    add_signals(x, &h);
    for (size_t i = 0; i < h.n; i++)
        if (adit_str_eq(h.v[i].name, ADIT_STR("link")) || !adit_header_has(there, n, h.v[i].name))
            adit_exchange_edit(x, &x->pub.response_edits, ADIT_EDIT_ADD, h.v[i].name.p,
                               h.v[i].value);
}

/* To the page, if it is a view's answer, and to the view in other formats. */
static void add_links(struct adit_exchange_impl *x, struct adit_headers *h)
{
    if (x->format) {
        struct adit_buf page;
        adit_buf_init(&page, x->edge->mem, ADIT_URL_ROOM);
        adit_buf_add(&page, x->c_path);
        adit_buf_add(&page, x->query);
        struct adit_str url = {0};
        if (!page.err) url = adit_exchange_url(x, adit_buf_str(&page));
        add_link(x, h, url, "canonical", NULL);
        adit_buf_free(&page);
    }
    adit_answer_index_links(x, h);
    for (const struct adit_format *f = adit_formats; x->format && f->name; f++)
        if (f != x->format && adit_map_offers(x->edge->config, f))
            adit_answer_alternate(x, h, f, adit_exchange_machine_url(x, f));
}

static struct adit_headers *begin(struct adit_exchange_impl *x, unsigned status)
{
    x->state = ADIT_ST_DONE;
    x->pub.answer = (struct adit_answer){.status = status};
    x->pub.answer.headers.arena = &x->arena;
    return &x->pub.answer.headers;
}

static void add_body(struct adit_exchange_impl *x, struct adit_str body)
{
    add_number(&x->pub.answer.headers, "content-length", body.len);
    x->pub.answer.body_of_get = body;
    if (!x->head) x->pub.answer.body = body;
}

/* --- problems (RFC 9457) and redirects -------------------------------------------------------- */

static struct adit_str problem_body(struct adit_exchange_impl *x,
                                    const struct adit_reason_info *info)
{
    struct adit_buf b;
    struct adit_json_writer w = {.out = &b};
    adit_buf_init(&b, x->edge->mem, 4096);
    adit_json_open(&w, '{');
    adit_json_member(&w, "detail", adit_str_z(info->detail));
    adit_json_member(&w, "reason", adit_str_z(info->name));
    adit_json_member_uint(&w, "status", info->status);
    adit_json_member(&w, "title", adit_str_z(info->title));
    adit_json_member(&w, "type", ADIT_STR("about:blank"));
    adit_json_close(&w, '}');
    struct adit_str s = b.err ? (struct adit_str){0} : adit_exchange_dup(x, adit_buf_str(&b));
    adit_buf_free(&b);
    return s;
}

/* A refusal; v (may be NULL) has what the origin said besides. */
static enum adit_action answer_refusal(struct adit_exchange_impl *x, enum adit_reason reason,
                                       const struct adit_view *v)
{
    const struct adit_reason_info *info = &adit_reasons[reason];
    x->pub.reason = reason;
    x->edge->failures[reason]++;
    struct adit_headers *h = begin(x, info->status);
    bool brief = (info->status == 404 || info->status == 410) && !(v && v->is_private);
    adit_headers_add(h, "content-type", ADIT_STR("application/problem+json"));
    adit_headers_add(h, "cache-control", brief ? ADIT_STR("max-age=60") : ADIT_STR("no-store"));
    if (reason == ADIT_REASON_METHOD) adit_headers_add(h, "allow", ADIT_STR("GET, HEAD"));
    if (reason == ADIT_REASON_BUSY || reason == ADIT_REASON_NO_MEMORY)
        add_number(h, "retry-after", ADIT_RETRY_AFTER);
    if (v && (info->status == 429 || info->status == 503))
        adit_headers_add(h, "retry-after", v->retry_after);
    if (v && info->status == 401) adit_headers_add(h, "www-authenticate", v->www_authenticate);
    add_body(x, problem_body(x, info));
    return ADIT_ANSWER;
}

enum adit_action adit_answer_problem(struct adit_exchange_impl *x, enum adit_reason reason)
{
    if (x->negotiated) return adit_negotiate_give_up(x, reason);
    return answer_refusal(x, reason, NULL);
}

static enum adit_action answer_redirect(struct adit_exchange_impl *x, unsigned status,
                                        struct adit_str url, bool is_private)
{
    if (url.len == 0)
        return answer_refusal(x, ADIT_REASON_NO_MEMORY, NULL); /* the answer could not be made */
    if (url.len > ADIT_LIMIT_header_value) return answer_refusal(x, ADIT_REASON_NOT_MAPPED, NULL);
    struct adit_headers *h = begin(x, status);
    adit_headers_add(h, "location", url);
    adit_headers_add(h, "cache-control",
                     is_private ? ADIT_STR("private, no-store") : x->edge->config->cache_control);
    add_body(x, (struct adit_str){0});
    return ADIT_ANSWER;
}

enum adit_action adit_answer_redirect(struct adit_exchange_impl *x, unsigned status,
                                      struct adit_str url)
{
    return answer_redirect(x, status, url, false);
}

/* --- representations -------------------------------------------------------------------------- */

bool adit_answer_precluded(const struct adit_exchange_impl *x, struct adit_str etag)
{
    return x->has_if_match && !adit_if_match(x->if_match, etag);
}

bool adit_answer_unchanged(const struct adit_exchange_impl *x, struct adit_str etag,
                           struct adit_str last_modified)
{
    /* RFC 9110, 13.1.3: with If-None-Match the date does not count at all. */
    if (x->has_if_none_match) return adit_if_none_match(x->if_none_match, etag);
    int64_t since, modified;
    return adit_http_date_parse(x->if_modified_since, &since) &&
           adit_http_date_parse(last_modified, &modified) && modified <= since;
}

/* The profile of TCT that the answer is of; NULL: it is no document of TCT's. */
static const struct adit_tct_profile *profile_of(const struct adit_exchange_impl *x)
{
    bool tct = x->is_sitemap || x->format == &adit_formats[ADIT_FORMAT_TCT];
    return tct ? &adit_tct_profiles[x->edge->config->tct_profile] : NULL;
}

static void add_cache_control(struct adit_exchange_impl *x, struct adit_headers *h,
                              const struct adit_view *v)
{
    const struct adit_tct_profile *p = profile_of(x);
    struct adit_str none = ADIT_STR("no-transform");
    struct adit_str value = v->is_private          ? ADIT_STR("private, no-store")
                            : v->cache_control.len ? v->cache_control
                                                   : x->edge->config->cache_control;
    /* Coded on the way, the answer would not be what was signed. */
    bool add =
        ((p && p->no_transform) || x->edge->config->signs) && !adit_list_has(value, none, NULL);
    adit_headers_add(h, "cache-control", add ? adit_exchange_append(x, value, none) : value);
}

/* The member `profile` of a sitemap says whether it is an index. */
static void add_profile_link(struct adit_exchange_impl *x, struct adit_headers *h,
                             const struct adit_view *v)
{
    const struct adit_tct_profile *p = profile_of(x);
    if (!p || !p->linked) return;
    bool index = adit_str_find(adit_buf_str(&v->body), adit_str_z(p->index), 0) < v->body.len;
    add_link(x, h,
             adit_str_z(!x->is_sitemap ? p->payload
                        : index        ? p->index
                                       : p->sitemap),
             "profile", NULL);
}

static void add_validators(struct adit_exchange_impl *x, struct adit_headers *h,
                           const struct adit_view *v)
{
    adit_headers_add(h, "etag", v->etag);
    adit_headers_add(h, "last-modified", v->last_modified);
    add_cache_control(x, h, v);
    if (x->negotiated)
        adit_headers_add(h, "content-location", adit_exchange_machine_url(x, x->format));
    struct adit_str vary = !x->negotiated ? ADIT_STR("Accept-Encoding")
                           : x->by_agent  ? ADIT_STR("Accept, Accept-Encoding, User-Agent")
                                          : ADIT_STR("Accept, Accept-Encoding");
    if (x->edge->config->signs) vary = adit_exchange_append(x, vary, ADIT_STR("Accept-Signature"));
    adit_headers_add(h, "vary", vary);
    add_links(x, h);
    add_profile_link(x, h, v);
    if (x->format) add_signals(x, h);
}

static enum adit_action not_modified(struct adit_exchange_impl *x, const struct adit_view *v)
{
    add_validators(x, begin(x, 304), v);
    adit_exchange_count(x, ADIT_COUNTER_machine_304, 1);
    adit_exchange_count(x, ADIT_COUNTER_bytes_saved, v->html_bytes);
    return ADIT_ANSWER;
}

/* "bytes 0-99/1234" */
static void add_content_range(struct adit_exchange_impl *x, struct adit_headers *h,
                              const struct adit_range *r, uint64_t size)
{
    struct adit_buf b;
    adit_buf_init(&b, x->edge->mem, 128);
    adit_buf_lit(&b, "bytes ");
    if (r) {
        adit_buf_u64(&b, r->first);
        adit_buf_byte(&b, '-');
        adit_buf_u64(&b, r->last);
    } else {
        adit_buf_byte(&b, '*');
    }
    adit_buf_byte(&b, '/');
    adit_buf_u64(&b, size);
    add_built(h, "content-range", &b);
}

/* The origin's own, and what the page says about indexes in its HTML: a view has no other place. A
 * twin may be kept out of indexes by the configuration; at the page's own URL that would be the page.
 */
static void add_robots(struct adit_exchange_impl *x, const struct adit_view *v)
{
    struct adit_headers *h = &x->pub.answer.headers;
    bool twin = x->format && x->format->suffix == ADIT_SUFFIX_ENDING && !x->negotiated;
    adit_headers_add(h, "x-robots-tag", v->robots);
    if ((v->noindex || (twin && x->edge->config->markdown_noindex)) &&
        !adit_robots_noindex(v->robots))
        adit_headers_add(h, "x-robots-tag", ADIT_STR("noindex"));
}

/* What reading it costs a language model, as the estimate that everybody uses: four bytes a token. */
static void add_tokens(struct adit_exchange_impl *x, const struct adit_view *v)
{
    struct adit_headers *h = &x->pub.answer.headers;
    if (!x->edge->config->tokens || !x->format || !x->format->tokens) return;
    add_number(h, "x-markdown-tokens", (v->body.len + 3) / 4);
    if (v->html_bytes) add_number(h, "x-original-tokens", (v->html_bytes + 3) / 4);
}

static void count_sent(struct adit_exchange_impl *x, const struct adit_view *v, size_t len)
{
    adit_exchange_count(x, ADIT_COUNTER_machine_200, 1);
    adit_exchange_count(x, ADIT_COUNTER_bytes_out, len);
    if (v->html_bytes > len) adit_exchange_count(x, ADIT_COUNTER_bytes_saved, v->html_bytes - len);
}

static enum adit_action whole(struct adit_exchange_impl *x, const struct adit_view *v)
{
    struct adit_headers *h = begin(x, 200);
    struct adit_str body = adit_buf_str(&v->body);
    adit_headers_add(h, "content-type", v->content_type);
    add_validators(x, h, v);
    adit_headers_add(h, "accept-ranges", ADIT_STR("bytes"));
    const struct adit_tct_profile *p = profile_of(x);
    if (x->edge->config->content_digest || x->edge->config->signs || (p && p->digest)) {
        struct adit_buf b;
        uint8_t sha[ADIT_SHA256_LEN];
        adit_buf_init(&b, x->edge->mem, 128);
        if (!v->hashed) adit_sha256_of(body, sha);
        adit_content_digest(&b, v->hashed ? v->sha256 : sha);
        add_built(h, "content-digest", &b);
    }
    add_robots(x, v);
    add_tokens(x, v);
    add_body(x, body);
    count_sent(x, v, x->head ? 0 : body.len);
    return ADIT_ANSWER;
}

static enum adit_action part(struct adit_exchange_impl *x, const struct adit_view *v,
                             const struct adit_range *r)
{
    struct adit_headers *h = begin(x, 206);
    struct adit_str body = adit_buf_str(&v->body);
    adit_headers_add(h, "content-type", v->content_type);
    add_validators(x, h, v);
    add_content_range(x, h, r, body.len);
    add_robots(x, v);
    add_body(x, adit_str_sub(body, (size_t)r->first, (size_t)r->last + 1));
    count_sent(x, v, x->pub.answer.body.len);
    return ADIT_ANSWER;
}

static enum adit_action represent(struct adit_exchange_impl *x, const struct adit_view *v)
{
    struct adit_range r;
    if (!x->get || x->range.len == 0 || (x->if_range.len && !adit_if_range(x->if_range, v->etag)))
        return whole(x, v);
    switch (adit_range_parse(x->range, v->body.len, &r)) {
    case ADIT_RANGE_NONE: return whole(x, v);
    case ADIT_RANGE_ONE: return part(x, v, &r);
    case ADIT_RANGE_BEYOND: break;
    }
    answer_refusal(x, ADIT_REASON_RANGE, v);
    add_content_range(x, &x->pub.answer.headers, NULL, v->body.len);
    return ADIT_ANSWER;
}

enum adit_action adit_answer_view(struct adit_exchange_impl *x, const struct adit_view *v)
{
    enum adit_action action;
    enum adit_reason doubt = x->negotiated ? adit_negotiate_doubt(v) : ADIT_REASON_NONE;
    if (doubt) return adit_negotiate_give_up(x, doubt);
    if (v->reason) return answer_refusal(x, v->reason, v);
    if (v->body.err) return adit_answer_problem(x, ADIT_REASON_NO_MEMORY);
    if (v->redirect)
        action = answer_redirect(x, v->redirect, v->location, v->is_private);
    else if (adit_answer_precluded(x, v->etag)) /* first of all (RFC 9110, 13.2.2) */
        action = answer_refusal(x, ADIT_REASON_CONDITION, v);
    else if (adit_answer_unchanged(x, v->etag, v->last_modified))
        action = not_modified(x, v);
    else
        action = represent(x, v);
    adit_sign_answer(x);
    /* An answer that lost a field is none. */
    if (x->pub.answer.headers.err) return adit_answer_problem(x, ADIT_REASON_NO_MEMORY);
    return x->pub.answer.headers.lost ? adit_answer_problem(x, ADIT_REASON_HEADER) : action;
}
