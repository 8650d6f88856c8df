/* The exchange: birth and death, what a request says, and whose turn it is. */
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

enum adit_code adit_edge_configure(struct adit_edge *e, struct adit_config *c, struct adit_str json,
                                   struct adit_mem mem, struct adit_buf *why)
{
    ADIT_TRY(adit_config_parse(c, json, mem, why));
    enum adit_code code = adit_edge_init(e, c, mem);
    if (code) adit_buf_lit(why, "origin: must be given, as https://HOST");
    return code;
}

void adit_edge_share_converter(struct adit_edge *e, struct adit_converter **slot)
{
    e->converter_slot = slot;
}

void adit_edge_free(struct adit_edge *e)
{
    if (e->converter) adit_converter_free(e->converter);
    if (e->manifest) {
        adit_manifest_free(e->manifest);
        e->host.resize(e->host.ctx, e->manifest, sizeof *e->manifest, 0);
    }
    if (e->known) e->host.resize(e->host.ctx, e->known, ADIT_KNOWN_SLOTS * sizeof *e->known, 0);
    e->converter = NULL;
    e->manifest = NULL;
    e->known = NULL;
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

bool adit_edge_has_ready(const struct adit_edge *e) { return e->ready != NULL; }

/* --- an exchange ------------------------------------------------------------------------------ */

struct adit_exchange *adit_exchange_new(struct adit_edge *e, void *user)
{
    struct adit_exchange_impl *x = e->mem.resize(e->mem.ctx, NULL, 0, sizeof *x);
    if (!x) return NULL;
    memset(x, 0, sizeof *x);
    x->edge = e;
    x->pub.user = user;
    adit_arena_init(&x->arena, e->mem, ADIT_EXCHANGE_MEMORY);
    x->pub.answer.headers.arena = &x->arena;
    x->pub.fetch.headers.arena = &x->arena;
    adit_buf_init(&x->html, e->mem, adit_budget_page_max(e));
    adit_buf_init(&x->remember, e->mem, ADIT_MEMO_MAX);
    adit_route_init(x);
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

#define AT(member) offsetof(struct adit_exchange_impl, member)
enum { NOWHERE = 0 }; /* no wanted value is the first member */

/* The fields that count, and where their values and their being there are noted. */
static const struct wanted {
    struct adit_str name;
    size_t value, has;
} wanted[] = {
    {ADIT_STR_INIT("accept"), AT(accept), NOWHERE},
    {ADIT_STR_INIT("if-match"), AT(if_match), AT(has_if_match)},
    {ADIT_STR_INIT("if-none-match"), AT(if_none_match), AT(has_if_none_match)},
    {ADIT_STR_INIT("if-modified-since"), AT(if_modified_since), AT(has_if_modified_since)},
    {ADIT_STR_INIT("if-range"), AT(if_range), AT(has_if_range)},
    {ADIT_STR_INIT("range"), AT(range), AT(has_range)},
    {ADIT_STR_INIT("authorization"), NOWHERE, AT(has_authorization)},
    {ADIT_STR_INIT("cookie"), NOWHERE, AT(has_cookie)},
    {ADIT_STR_INIT("user-agent"), AT(user_agent), NOWHERE},
    {ADIT_STR_INIT(ADIT_FIELD_VIA), AT(via), NOWHERE},
    {ADIT_STR_INIT(ADIT_FIELD_LOOP), AT(cdn_loop), AT(has_loop)},
    {ADIT_STR_INIT("x-forwarded-proto"), AT(forwarded_proto), NOWHERE},
    {ADIT_STR_INIT(ADIT_FIELD_CLIENT), AT(forwarded_for), NOWHERE},
};

/* The value of all fields of that name, empty if it is too long; in the exchange's own memory. */
static struct adit_str value_of(struct adit_exchange_impl *x, const struct adit_request *r,
                                struct adit_str name)
{
    bool ok = true;
    struct adit_str v = adit_header_all(r->headers, r->n_headers, name, &x->arena, &ok);
    if (!ok || v.len > ADIT_LIMIT_header_value) return (struct adit_str){0};
    return adit_exchange_dup(x, v);
}

/* One walk over the header: a page's request has a dozen fields, of which few count. */
static void read_fields(struct adit_exchange_impl *x, const struct adit_request *r)
{
    unsigned seen = 0;
    for (size_t i = 0; i < r->n_headers; i++) {
        const struct adit_str name = r->headers[i].name;
        for (size_t k = 0; k < ADIT_COUNT(wanted); k++) {
            const struct wanted *w = &wanted[k];
            if (w->name.len != name.len || w->name.p[0] != (name.p[0] | 32) || seen >> k & 1 ||
                !adit_str_ieq(w->name, name))
                continue;
            seen |= 1u << k;
            if (w->has) *(bool *)((char *)x + w->has) = true;
            if (w->value) *(struct adit_str *)((char *)x + w->value) = value_of(x, r, w->name);
            break;
        }
    }
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
    read_fields(x, r);
    /* A CDN-Loop that is too long to be read says: very often. */
    x->hops = x->has_loop && !x->cdn_loop.len ? HOPS_MAX : adit_trace_hops(x->cdn_loop);
    if (x->forwarded_proto.len == 0) x->forwarded_proto = adit_exchange_dup(x, r->scheme);
    x->forwarded_for = adit_trace_extend(ADIT_TRACE_CLIENT, x->forwarded_for,
                                         adit_exchange_dup(x, r->client), &x->arena, NULL);
    adit_negotiate_read(x);
    if (!x->edge->config->signs) return;
    x->authority = adit_exchange_dup(x, r->authority);
    x->accept_signature = value_of(x, r, ADIT_STR("accept-signature"));
}

enum adit_action adit_exchange_request(struct adit_exchange *pub, const struct adit_request *r)
{
    struct adit_exchange_impl *x = impl(pub);
    const struct adit_config *c = x->edge->config;
    adit_exchange_count(x, ADIT_COUNTER_requests, 1);
    enum adit_reason reason = !adit_map_ours(c, r->authority)           ? ADIT_REASON_HOST
                              : r->n_headers > ADIT_HEADERS_MAX         ? ADIT_REASON_HEADER
                              : r->path.len == 0 || r->path.p[0] != '/' ? ADIT_REASON_NOT_MAPPED
                                                                        : ADIT_REASON_NONE;
    if (!reason) read_request(x, r);
    if (!reason && x->path.len == 0) reason = ADIT_REASON_NO_MEMORY;
    if (reason) {
        adit_exchange_note(x, reason);
        return adit_exchange_pass(x, true);
    }
    if (x->hops >= HOPS_MAX) return adit_answer_problem(x, ADIT_REASON_LOOP);
    return adit_route_start(x, r);
}

/* --- the rest of the life: whose turn it is --------------------------------------------------- */

enum adit_action adit_exchange_recalled(struct adit_exchange *pub, struct adit_str value)
{
    return adit_machine_recalled(impl(pub), value);
}

enum adit_action adit_exchange_resume(struct adit_exchange *pub)
{
    return adit_machine_resume(impl(pub));
}

/* Steps of a fetch that is not, or no longer, under way have nothing to tell. */
static bool is_fetching(const struct adit_exchange_impl *x) { return x->state == ADIT_ST_FETCH; }

enum adit_action adit_exchange_fetched(struct adit_exchange *pub, unsigned status,
                                       const struct adit_header *headers, size_t n)
{
    struct adit_exchange_impl *x = impl(pub);
    if (!is_fetching(x)) return ADIT_ANSWER;
    if (n > ADIT_HEADERS_MAX) return adit_route_failed(x, ADIT_REASON_HEADER);
    return x->route->fetched(x, status, headers, n);
}

enum adit_action adit_exchange_fetched_body(struct adit_exchange *pub, struct adit_str chunk)
{
    struct adit_exchange_impl *x = impl(pub);
    if (!is_fetching(x)) return ADIT_ANSWER;
    enum adit_reason reason = adit_body_add(x, chunk);
    return reason ? adit_route_failed(x, reason) : ADIT_BODY;
}

enum adit_action adit_exchange_fetched_end(struct adit_exchange *pub)
{
    struct adit_exchange_impl *x = impl(pub);
    if (!is_fetching(x)) return ADIT_ANSWER;
    enum adit_reason reason = adit_body_end(x);
    return reason ? adit_route_failed(x, reason) : x->route->end(x);
}

enum adit_action adit_exchange_fetch_failed(struct adit_exchange *pub, enum adit_fetch_failure why)
{
    static const enum adit_reason reasons[] = {
        [ADIT_FAILED_CONNECT] = ADIT_REASON_CONNECT,
        [ADIT_FAILED_TIMEOUT] = ADIT_REASON_TIMEOUT,
        [ADIT_FAILED_BUSY] = ADIT_REASON_BUSY,
    };
    struct adit_exchange_impl *x = impl(pub);
    return adit_route_failed(x, reasons[why]);
}

void adit_exchange_response(struct adit_exchange *pub, unsigned status,
                            const struct adit_header *headers, size_t n)
{
    struct adit_exchange_impl *x = impl(pub);
    if (x->state != ADIT_ST_PASS) return;
    x->state = ADIT_ST_DONE;
    if (n > ADIT_HEADERS_MAX) return;
    if (x->route->response) x->route->response(x, status, headers, n);
    /* Half of the edits would be worse than none: a link in a body of the old length. */
    if (x->pub.response_edits.lost) {
        x->pub.response_edits.n = 0;
        x->pub.inject = false;
    }
}
