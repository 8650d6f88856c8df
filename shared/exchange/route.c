/* Which route a request takes: one table, a row a route. */
#include "exchange/exchange_impl.h"

/* --- http and https --------------------------------------------------------------------------- */

bool adit_route_wants_https(const struct adit_exchange_impl *x)
{
    const struct adit_config *c = x->edge->config;
    /* Of several proxies the first stood before the client. */
    struct adit_str list = x->forwarded_proto, first = {0};
    adit_list_next(&list, &first);
    return c->require_https && adit_str_starts(c->origin, ADIT_STR("https:")) &&
           adit_str_ieq(first, ADIT_STR("http"));
}

enum adit_action adit_route_to_https(struct adit_exchange_impl *x)
{
    struct adit_buf target;
    adit_buf_init(&target, x->edge->mem, ADIT_URL_ROOM);
    adit_buf_add(&target, x->path);
    adit_buf_add(&target, x->query);
    return adit_answer_redirect(x, 308, adit_exchange_url(x, adit_exchange_settle(x, &target)));
}

/* --- the policy ------------------------------------------------------------------------------- */

static bool is_policy(struct adit_exchange_impl *x)
{
    return x->edge->config->policy.len &&
           (adit_str_eq(x->path, ADIT_STR("/llm-policy.json")) ||
            adit_str_eq(x->path, ADIT_STR("/.well-known/llm-policy.json")));
}

static enum adit_action start_policy(struct adit_exchange_impl *x, const struct adit_request *r)
{
    struct adit_str policy = x->edge->config->policy;
    (void)r;
    if (adit_route_wants_https(x)) return adit_route_to_https(x);
    if (!x->get && !x->head) return adit_answer_problem(x, ADIT_REASON_METHOD);
    x->view = adit_view_new(x->edge->mem, policy.len);
    if (!x->view) return adit_answer_problem(x, ADIT_REASON_NO_MEMORY);
    adit_buf_add(&x->view->body, policy);
    x->view->content_type = ADIT_STR(ADIT_TCT_MEDIA_TYPE);
    if (!adit_view_hash(x->view)) return adit_answer_problem(x, ADIT_REASON_NO_MEMORY);
    return adit_answer_view(x, x->view);
}

/* --- machine views ---------------------------------------------------------------------------- */

/* Notes the page and the format. What looks like a machine URL but is none is refused as one. */
static bool is_machine(struct adit_exchange_impl *x)
{
    struct adit_buf page;
    const struct adit_format *format = &adit_formats[ADIT_FORMAT_TCT];
    adit_buf_init(&page, x->edge->mem, x->path.len);
    x->path_kind = adit_map_path(x->edge->config, x->path, &page, &format);
    x->c_path = adit_exchange_settle(x, &page);
    if (x->path_kind == ADIT_PATH_PAGE) return false;
    x->format = format;
    return true;
}

bool adit_route_is_plain(struct adit_str path)
{
    struct adit_str rest = adit_str_sub(path, 1, path.len), segment;
    for (size_t i = 0; i < path.len; i++)
        if ((unsigned char)path.p[i] <= 32 || path.p[i] == 127 || path.p[i] == '\\' ||
            path.p[i] == '#')
            return false;
    while (adit_str_split(&rest, '/', &segment)) {
        size_t dots = 0;
        if (segment.len == 0 && rest.len) return false;
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

/* Where the profile lets nobody code what we send, the client must take it as it is. */
bool adit_route_takes_plain(struct adit_exchange_impl *x, const struct adit_request *r)
{
    struct adit_str accept =
        adit_header_joined(r->headers, r->n_headers, ADIT_STR("accept-encoding"), &x->arena);
    bool tct = x->is_sitemap || x->format == &adit_formats[ADIT_FORMAT_TCT];
    if (tct && adit_tct_profiles[x->edge->config->tct_profile].no_transform)
        return adit_accept_q(accept, ADIT_STR("identity")) != 0;
    return adit_accept_possible(accept);
}

/* What stands before any look at the page itself; NONE: go on. */
static enum adit_reason refuse_machine(struct adit_exchange_impl *x, const struct adit_request *r)
{
    const struct adit_config *c = x->edge->config;
    if (x->hops > 0) return ADIT_REASON_LOOP;
    if (!x->get && !x->head) return ADIT_REASON_METHOD;
    if (x->path_kind == ADIT_PATH_NONE || !adit_route_is_plain(x->path))
        return ADIT_REASON_NOT_MAPPED;
    if (x->path.len + x->query.len > ADIT_LIMIT_url_bytes) return ADIT_REASON_NOT_MAPPED;
    if (adit_map_excluded(c, x->c_path, x->edge->mem)) return ADIT_REASON_EXCLUDED;
    if (x->query.len && c->query == ADIT_QUERY_REFUSE) return ADIT_REASON_QUERY;
    return adit_route_takes_plain(x, r) ? ADIT_REASON_NONE : ADIT_REASON_ENCODING;
}

static enum adit_action start_machine(struct adit_exchange_impl *x, const struct adit_request *r)
{
    if (x->path_kind != ADIT_PATH_NONE && x->c_path.len == 0)
        return adit_answer_problem(x, ADIT_REASON_NO_MEMORY); /* else it would be the home page */
    adit_exchange_count(x, ADIT_COUNTER_machine, 1);
    enum adit_reason reason = refuse_machine(x, r);
    if (reason) return adit_answer_problem(x, reason);
    if (x->path_kind == ADIT_PATH_LEGACY)
        return adit_answer_redirect(x, 308, adit_exchange_machine_url(x, x->format));
    return adit_route_wants_https(x) ? adit_route_to_https(x) : adit_machine_start(x);
}

/* --- all others ------------------------------------------------------------------------------- */

static bool is_any(struct adit_exchange_impl *x)
{
    (void)x;
    return true;
}

static enum adit_action start_other(struct adit_exchange_impl *x, const struct adit_request *r)
{
    (void)r;
    adit_exchange_note(x, x->page_doubt);
    return adit_exchange_pass(x, true);
}

/* --- the table -------------------------------------------------------------------------------- */

/* The first row whose `takes` says so is the request's. */
enum { ROUTE_PAGE = 8 };
static const struct adit_route_info routes[] = {
    {
        .name = "policy",
        .takes = is_policy,
        .start = start_policy,
        .links = ADIT_LINK_SITEMAP,
    },
    {
        .name = "sitemap",
        .takes = adit_sitemap_takes,
        .start = adit_sitemap_start,
        .fetched = adit_sitemap_fetched,
        .end = adit_sitemap_end,
        .give_up = adit_sitemap_give_up,
        .response = adit_pass_sitemap_response,
        .links = ADIT_LINK_POLICY,
    },
    {
        .name = "keys",
        .takes = adit_sign_takes,
        .start = adit_sign_start,
    },
    {
        .name = "scp",
        .takes = adit_collection_takes,
        .start = adit_collection_start,
        .fetched = adit_collection_fetched,
        .end = adit_collection_end,
        .give_up = adit_collection_give_up,
        .response = adit_collection_response,
    },
    {
        .name = "robots",
        .takes = adit_robots_txt_takes,
        .start = adit_robots_txt_start,
        .fetched = adit_robots_txt_fetched,
        .end = adit_robots_txt_end,
        .give_up = adit_robots_txt_give_up,
    },
    {
        .name = "document",
        .takes = adit_pass_takes_document,
        .start = adit_pass_document,
        .response = adit_pass_document_response,
    },
    {
        .name = "machine",
        .takes = is_machine,
        .start = start_machine,
        .fetched = adit_machine_fetched,
        .end = adit_machine_end,
        .failed = adit_machine_failed,
        .links = ADIT_LINK_SITEMAP | ADIT_LINK_POLICY,
    },
    {
        .name = "negotiated",
        .takes = adit_negotiate_takes,
        .start = adit_negotiate_start,
        .fetched = adit_machine_fetched,
        .end = adit_machine_end,
        .failed = adit_machine_failed,
        .links = ADIT_LINK_SITEMAP | ADIT_LINK_POLICY,
    },
    [ROUTE_PAGE] =
        {
            .name = "page",
            .takes = adit_pass_takes_page,
            .start = adit_pass_page,
            .response = adit_pass_page_response,
            .links = ADIT_LINK_SITEMAP | ADIT_LINK_POLICY,
        },
    {
        .name = "other",
        .takes = is_any,
        .start = start_other,
    },
};

enum adit_action adit_route_failed(struct adit_exchange_impl *x, enum adit_reason reason)
{
    const struct adit_route_info *route = x->route;
    if (route->failed) return route->failed(x, reason);
    /* A host that cannot do what was decided gets an answer, not the same decision again. */
    bool gives_up = route->give_up && x->state == ADIT_ST_FETCH;
    return gives_up ? route->give_up(x, reason) : adit_answer_problem(x, reason);
}

static void take_route(struct adit_exchange_impl *x, const struct adit_route_info *route)
{
    x->route = route;
    x->pub.route = x->format ? x->format->route : route->name;
}

void adit_route_init(struct adit_exchange_impl *x)
{
    take_route(x, &routes[ADIT_COUNT(routes) - 1]);
}

enum adit_action adit_route_page(struct adit_exchange_impl *x)
{
    take_route(x, &routes[ROUTE_PAGE]);
    return adit_pass_page(x, NULL);
}

enum adit_action adit_route_start(struct adit_exchange_impl *x, const struct adit_request *r)
{
    const struct adit_route_info *route = routes;
    while (!route->takes(x)) route++;
    take_route(x, route);
    return route->start(x, r);
}
