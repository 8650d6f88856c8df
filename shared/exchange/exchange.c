/* The exchange: birth and death, and which route a request takes. */
#include "exchange/exchange_impl.h"

#include "page/page.h"

#include <string.h>

static struct adit_exchange_impl *impl(struct adit_exchange *x)
{
    return (struct adit_exchange_impl *)x;
}

/* --- the edge --------------------------------------------------------------------------------- */

enum adit_code adit_edge_init(struct adit_edge *e, const struct adit_config *config,
                              struct adit_mem mem)
{
    *e = (struct adit_edge){.config = config};
    adit_budget_init(e, mem);
    return config->origin.len ? ADIT_OK : ADIT_EBAD;
}

void adit_edge_free(struct adit_edge *e)
{
    if (e->converter) adit_converter_free(e->converter);
    if (e->manifest) {
        adit_manifest_free(e->manifest);
        e->host.resize(e->host.ctx, e->manifest, sizeof *e->manifest, 0);
    }
    e->converter = NULL;
    e->manifest = NULL;
}

struct adit_exchange *adit_edge_ready(struct adit_edge *e)
{
    struct adit_exchange_impl *x = e->ready;
    if (!x) return NULL;
    e->ready = x->next_ready;
    x->next_ready = NULL;
    x->is_ready = false;
    return &x->pub;
}

/* --- an exchange ------------------------------------------------------------------------------ */

struct adit_exchange *adit_exchange_new(struct adit_edge *e, void *user)
{
    struct adit_exchange_impl *x = e->mem.resize(e->mem.ctx, NULL, 0, sizeof *x);
    if (!x) return NULL;
    memset(x, 0, sizeof *x);
    x->edge = e;
    x->pub.user = user;
    x->pub.route = "other";
    adit_arena_init(&x->arena, e->mem, ADIT_EXCHANGE_MEMORY);
    x->pub.answer.headers.arena = &x->arena;
    x->pub.fetch.headers.arena = &x->arena;
    adit_buf_init(&x->html, e->mem, adit_budget_page_max(e));
    adit_buf_init(&x->remember, e->mem, ADIT_MEMO_MAX);
    return &x->pub;
}

static void unlist_ready(struct adit_exchange_impl *x)
{
    struct adit_exchange_impl **at = &x->edge->ready;
    while (*at && *at != x) at = &(*at)->next_ready;
    if (*at) *at = x->next_ready;
    x->is_ready = false;
}

void adit_exchange_free(struct adit_exchange *pub)
{
    struct adit_exchange_impl *x = impl(pub);
    struct adit_mem mem = x->edge->mem;
    if (x->is_ready) unlist_ready(x);
    adit_share_leave(x);
    adit_view_release(x->view, mem);
    adit_body_free(x);
    adit_buf_free(&x->remember);
    adit_arena_free(&x->arena);
    mem.resize(mem.ctx, x, sizeof *x, 0);
}

/* --- the request ------------------------------------------------------------------------------ */

/* Passing pages through several adits is fine; as often as this it is a loop. */
enum { HOPS_MAX = 8 };

/* How often the request has been here. A CDN-Loop that is too long to be read says: very often. */
static unsigned hops(const struct adit_exchange_impl *x)
{
    unsigned n = x->has_cdn_loop && x->cdn_loop.len == 0 ? HOPS_MAX : 0;
    struct adit_str rest = x->cdn_loop, element;
    while (adit_list_next(&rest, &element)) n += adit_list_has(element, ADIT_STR("adit"), NULL);
    return n;
}

static struct adit_str field(struct adit_exchange_impl *x, const struct adit_request *r,
                             const char *name)
{
    bool ok = true;
    struct adit_str v = adit_header_all(r->headers, r->n_headers, adit_str_z(name), &x->arena, &ok);
    if (!ok || v.len > ADIT_LIMIT_header_value) return (struct adit_str){0};
    return adit_exchange_dup(x, v);
}

static bool has_field(const struct adit_request *r, const char *name)
{
    return adit_header_has(r->headers, r->n_headers, adit_str_z(name));
}

static void read_request(struct adit_exchange_impl *x, const struct adit_request *r)
{
    x->get = adit_str_eq(r->method, ADIT_STR("GET"));
    x->head = adit_str_eq(r->method, ADIT_STR("HEAD"));
    x->now = r->now;
    struct adit_str target = adit_exchange_dup(x, r->path);
    size_t q = adit_str_chr(target, '?', 0);
    x->path = adit_str_sub(target, 0, q);
    x->query = adit_str_sub(target, q, target.len);
    x->has_if_match = has_field(r, "if-match");
    x->has_if_none_match = has_field(r, "if-none-match");
    x->has_if_modified_since = has_field(r, "if-modified-since");
    x->has_if_range = has_field(r, "if-range");
    x->has_range = has_field(r, "range");
    x->if_match = field(x, r, "if-match");
    x->if_none_match = field(x, r, "if-none-match");
    x->if_modified_since = field(x, r, "if-modified-since");
    x->if_range = field(x, r, "if-range");
    x->range = field(x, r, "range");
    x->user_agent = field(x, r, "user-agent");
    x->via = field(x, r, "via");
    x->cdn_loop = field(x, r, "cdn-loop");
    x->has_cdn_loop = adit_header_get(r->headers, r->n_headers, ADIT_STR("cdn-loop")).len > 0;
    x->forwarded_proto = field(x, r, "x-forwarded-proto");
    if (x->forwarded_proto.len == 0) x->forwarded_proto = adit_exchange_dup(x, r->scheme);
    x->forwarded_for =
        adit_exchange_append(x, field(x, r, "x-forwarded-for"), adit_exchange_dup(x, r->client));
}

/* Paths that a server may understand in another way than we write them into canonical URLs. */
static bool is_plain_path(struct adit_str path)
{
    struct adit_str rest = adit_str_sub(path, 1, path.len), segment;
    for (size_t i = 0; i < path.len; i++)
        if ((unsigned char)path.p[i] <= 32 || path.p[i] == 127 || path.p[i] == '\\' ||
            path.p[i] == '#')
            return false;
    while (adit_str_split(&rest, '/', &segment)) {
        size_t dots = 0;
        for (size_t i = 0; i < segment.len; dots++) {
            if (segment.p[i] == '.')
                i++;
            else if (adit_str_istarts(adit_str_sub(segment, i, segment.len), ADIT_STR("%2e")))
                i += 3;
            else
                break;
            if (i == segment.len && dots < 2) return false;
        }
    }
    return true;
}

static bool https_wanted(const struct adit_exchange_impl *x)
{
    const struct adit_config *c = x->edge->config;
    /* Of several proxies the first stood before the client. */
    struct adit_str list = x->forwarded_proto, first = {0};
    adit_list_next(&list, &first);
    return c->require_https && adit_str_starts(c->origin, ADIT_STR("https:")) &&
           adit_str_ieq(first, ADIT_STR("http"));
}

static enum adit_action to_https(struct adit_exchange_impl *x)
{
    struct adit_buf target;
    adit_buf_init(&target, x->edge->mem, ADIT_URL_ROOM);
    adit_buf_add(&target, x->path);
    adit_buf_add(&target, x->query);
    return adit_answer_redirect(x, 308, adit_exchange_url(x, adit_exchange_settle(x, &target)));
}

/* What stands before any look at the page itself; NONE: go on. */
static enum adit_reason refuse_machine(struct adit_exchange_impl *x, enum adit_path_kind kind,
                                       const struct adit_request *r)
{
    const struct adit_config *c = x->edge->config;
    if (!x->get && !x->head) return ADIT_REASON_METHOD;
    if (kind == ADIT_PATH_NONE || !is_plain_path(x->path)) return ADIT_REASON_NOT_MAPPED;
    if (x->path.len + x->query.len > ADIT_LIMIT_url_bytes) return ADIT_REASON_NOT_MAPPED;
    if (x->c_path.len == 0) return ADIT_REASON_NO_MEMORY; /* else it would be the home page */
    if (adit_map_excluded(c, x->c_path, x->edge->mem)) return ADIT_REASON_EXCLUDED;
    if (x->query.len && c->query == ADIT_QUERY_REFUSE) return ADIT_REASON_QUERY;
    struct adit_str coding =
        adit_header_joined(r->headers, r->n_headers, ADIT_STR("accept-encoding"), &x->arena);
    return adit_accept_possible(coding) ? ADIT_REASON_NONE : ADIT_REASON_ENCODING;
}

static enum adit_action request_machine(struct adit_exchange_impl *x, enum adit_path_kind kind,
                                        const struct adit_request *r)
{
    adit_exchange_count(x, ADIT_COUNTER_machine, 1);
    x->route = ADIT_ROUTE_MACHINE;
    x->pub.route = x->format->route;
    if (hops(x) > 0) return adit_answer_problem(x, ADIT_REASON_LOOP);
    enum adit_reason reason = refuse_machine(x, kind, r);
    if (reason) return adit_answer_problem(x, reason);
    if (kind == ADIT_PATH_LEGACY)
        return adit_answer_redirect(x, 308, adit_exchange_machine_url(x, x->format));
    if (https_wanted(x)) return to_https(x);
    return adit_machine_start(x);
}

/* "/llm-sitemap.json" and its parts "/llm-sitemap-0001.json". */
static bool is_sitemap(const struct adit_exchange_impl *x)
{
    struct adit_str path = x->edge->config->sitemap_path;
    if (adit_str_eq(x->path, path)) return true;
    struct adit_str ext = ADIT_STR(".json"), stem = path;
    if (adit_str_ends(path, ext)) stem.len -= ext.len;
    if (!adit_str_starts(x->path, stem) || !adit_str_ends(x->path, ext)) return false;
    struct adit_str number = adit_str_sub(x->path, stem.len, x->path.len - ext.len);
    uint64_t n;
    return number.len == 5 && number.p[0] == '-' && adit_str_u64(adit_str_sub(number, 1, 5), &n);
}

static bool is_policy(const struct adit_exchange_impl *x)
{
    return x->edge->config->policy.len &&
           (adit_str_eq(x->path, ADIT_STR("/llm-policy.json")) ||
            adit_str_eq(x->path, ADIT_STR("/.well-known/llm-policy.json")));
}

static enum adit_action answer_policy(struct adit_exchange_impl *x)
{
    struct adit_str policy = x->edge->config->policy;
    x->view = adit_view_new(x->edge->mem, policy.len);
    if (!x->view) return adit_answer_problem(x, ADIT_REASON_NO_MEMORY);
    adit_buf_add(&x->view->body, policy);
    x->view->content_type = ADIT_STR(ADIT_TCT_MEDIA_TYPE);
    if (!adit_view_hash(x->view)) return adit_answer_problem(x, ADIT_REASON_NO_MEMORY);
    return adit_answer_view(x, x->view);
}

/* Our own documents: the JSON sitemap, the policy, SCP files, ResourceSync; *taken says whether it
 * is one. */
static enum adit_action request_document(struct adit_exchange_impl *x, bool *taken)
{
    bool twin = adit_str_eq(x->path, ADIT_STR("/.well-known/llm-sitemap.json"));
    *taken = true;
    if (is_policy(x)) {
        x->route = ADIT_ROUTE_POLICY;
        x->pub.route = "policy";
        if (https_wanted(x)) return to_https(x);
        if (!x->get && !x->head) return adit_answer_problem(x, ADIT_REASON_METHOD);
        return answer_policy(x);
    }
    if ((twin || is_sitemap(x)) && (x->get || x->head)) {
        x->route = ADIT_ROUTE_SITEMAP;
        x->pub.route = "sitemap";
        return https_wanted(x) ? to_https(x) : adit_pass_sitemap(x, twin);
    }
    if (adit_collection_is(x)) {
        x->route = ADIT_ROUTE_SCP;
        x->pub.route = "scp";
        return adit_collection_start(x);
    }
    x->document = x->get || x->head ? adit_pass_find(x) : NULL;
    if (x->document) {
        x->route = ADIT_ROUTE_DOCUMENT;
        x->pub.route = "document";
        return adit_exchange_pass(x, false);
    }
    *taken = false;
    return ADIT_PASS;
}

enum adit_action adit_exchange_request(struct adit_exchange *pub, const struct adit_request *r)
{
    struct adit_exchange_impl *x = impl(pub);
    const struct adit_config *c = x->edge->config;
    adit_exchange_count(x, ADIT_COUNTER_requests, 1);
    if (r->path.len == 0 || r->path.p[0] != '/' || !adit_map_ours(c, r->authority) ||
        r->n_headers > ADIT_HEADERS_MAX)
        return adit_exchange_pass(x, true);
    read_request(x, r);
    if (x->path.len == 0) return adit_exchange_pass(x, true); /* no memory */
    if (hops(x) >= HOPS_MAX) return adit_answer_problem(x, ADIT_REASON_LOOP);
    bool taken;
    enum adit_action action = request_document(x, &taken);
    if (taken) return action;
    struct adit_buf page;
    adit_buf_init(&page, x->edge->mem, x->path.len);
    const struct adit_format *format = &adit_formats[ADIT_FORMAT_TCT];
    enum adit_path_kind kind = adit_map_path(c, x->path, &page, &format);
    x->c_path = adit_exchange_settle(x, &page);
    if (kind != ADIT_PATH_PAGE && kind != ADIT_PATH_NONE && x->c_path.len == 0)
        return adit_answer_problem(x, ADIT_REASON_NO_MEMORY);
    if (kind != ADIT_PATH_PAGE) {
        x->format = format;
        return request_machine(x, kind, r);
    }
    x->c_path = x->path;
    /* Another adit stands in front: the link is its to write. */
    if (hops(x) > 0) return adit_exchange_pass(x, true);
    return adit_pass_page(x);
}

/* --- the rest of the life: whose turn it is --------------------------------------------------- */

enum adit_action adit_exchange_recalled(struct adit_exchange *pub, struct adit_str value)
{
    return adit_machine_recalled(impl(pub), value);
}

enum adit_action adit_exchange_resume(struct adit_exchange *pub)
{
    struct adit_exchange_impl *x = impl(pub);
    if (!x->view) return adit_machine_start(x); /* whoever was to convert has gone */
    adit_exchange_count(x, ADIT_COUNTER_coalesced, 1);
    return adit_answer_view(x, x->view);
}

enum adit_action adit_exchange_fetched(struct adit_exchange *pub, unsigned status,
                                       const struct adit_header *headers, size_t n)
{
    struct adit_exchange_impl *x = impl(pub);
    if (n > ADIT_HEADERS_MAX)
        return x->state == ADIT_ST_MANIFEST ? adit_collection_failed(x)
                                            : adit_machine_failed(x, ADIT_REASON_HEADER);
    if (x->state == ADIT_ST_MANIFEST) return adit_collection_fetched(x, status, headers, n);
    return adit_machine_fetched(x, status, headers, n);
}

enum adit_action adit_exchange_fetched_body(struct adit_exchange *pub, struct adit_str chunk)
{
    struct adit_exchange_impl *x = impl(pub);
    return x->state == ADIT_ST_MANIFEST ? adit_collection_body(x, chunk)
                                        : adit_machine_body(x, chunk);
}

enum adit_action adit_exchange_fetched_end(struct adit_exchange *pub)
{
    struct adit_exchange_impl *x = impl(pub);
    return x->state == ADIT_ST_MANIFEST ? adit_collection_end(x) : adit_machine_end(x);
}

enum adit_action adit_exchange_fetch_failed(struct adit_exchange *pub, enum adit_fetch_failure why)
{
    static const enum adit_reason reasons[] = {
        [ADIT_FAILED_CONNECT] = ADIT_REASON_CONNECT,
        [ADIT_FAILED_TIMEOUT] = ADIT_REASON_TIMEOUT,
        [ADIT_FAILED_BUSY] = ADIT_REASON_BUSY,
    };
    struct adit_exchange_impl *x = impl(pub);
    return x->state == ADIT_ST_MANIFEST ? adit_collection_failed(x)
                                        : adit_machine_failed(x, reasons[why]);
}

void adit_exchange_response(struct adit_exchange *pub, unsigned status,
                            const struct adit_header *headers, size_t n)
{
    struct adit_exchange_impl *x = impl(pub);
    if (x->state != ADIT_ST_PASS) return;
    x->state = ADIT_ST_DONE;
    if (n > ADIT_HEADERS_MAX) return;
    if (x->route == ADIT_ROUTE_SCP)
        adit_collection_response(x, status, headers, n);
    else
        adit_pass_response(x, status, headers, n);
    /* Half of the edits would be worse than none: a link in a body of the old length. */
    if (x->pub.response_edits.lost) {
        x->pub.response_edits.n = 0;
        x->pub.inject = false;
    }
}
