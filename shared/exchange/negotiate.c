/* Negotiation: a page whose request asks for Markdown, by Accept or by being one of the configured
 * agents, is answered at its own URL with the bytes of its Markdown twin. People come first: where
 * there is any doubt, or no Markdown to be had, the request goes on to the origin as any other. */
#include "exchange/exchange_impl.h"

/* RFC 9110, 12.5.1. A wildcard is no wish for Markdown: browsers and most programs send one. */
static bool is_wished(struct adit_str accept)
{
    bool named = false;
    int q = adit_accept_media_q(accept, ADIT_STR("text/markdown"), &named);
    return named && q > 0 && q >= adit_accept_media_q(accept, ADIT_STR("text/html"), NULL);
}

static bool is_refused(struct adit_str accept)
{
    bool named = false;
    return adit_accept_media_q(accept, ADIT_STR("text/markdown"), &named) == 0 && named;
}

static bool is_agent(const struct adit_config *c, struct adit_str user_agent)
{
    for (size_t i = 0; i < c->agents.n; i++)
        if (adit_glob(c->agents.v[i], user_agent)) return true;
    return false;
}

/* Whether the value can hold "markdown": every page's request is asked this, few go further. */
static bool has_m_and_k(struct adit_str s)
{
    for (size_t i = 0; i + 3 < s.len; i++)
        if ((s.p[i] | 32) == 'm' && (s.p[i + 3] | 32) == 'k') return true;
    return false;
}

void adit_negotiate_read(struct adit_exchange_impl *x)
{
    const struct adit_config *c = x->edge->config;
    if (!adit_negotiate_offers(c)) return;
    x->by_agent = c->agents.n && is_agent(c, x->user_agent) && !is_refused(x->accept);
    x->wants_markdown = x->by_agent || (has_m_and_k(x->accept) && is_wished(x->accept));
}

bool adit_negotiate_offers(const struct adit_config *c) { return c->markdown && c->negotiate; }

bool adit_negotiate_takes(struct adit_exchange_impl *x)
{
    return x->wants_markdown && adit_pass_takes_page(x) && adit_pass_is_page_path(x->path);
}

/* What stands against Markdown before the page is looked at. */
static enum adit_reason doubt(struct adit_exchange_impl *x, const struct adit_request *r)
{
    if (x->has_authorization || x->has_cookie) return ADIT_REASON_CREDENTIALS;
    if (adit_route_wants_https(x)) return ADIT_REASON_HTTPS;
    if (adit_exchange_is_viewless(x)) return ADIT_REASON_NO_VIEW;
    struct adit_str coding =
        adit_header_joined(r->headers, r->n_headers, ADIT_STR("accept-encoding"), &x->arena);
    return adit_accept_possible(coding) ? ADIT_REASON_NONE : ADIT_REASON_ENCODING;
}

enum adit_action adit_negotiate_start(struct adit_exchange_impl *x, const struct adit_request *r)
{
    enum adit_reason reason = doubt(x, r);
    x->negotiated = true;
    if (reason) return adit_negotiate_give_up(x, reason);
    x->format = &adit_formats[ADIT_FORMAT_MD];
    adit_exchange_count(x, ADIT_COUNTER_negotiated, 1);
    return adit_machine_start(x);
}

enum adit_reason adit_negotiate_doubt(const struct adit_view *v)
{
    if (v->reason) return v->reason;
    if (v->redirect) return ADIT_REASON_REDIRECT;
    if (v->is_unlisted) return ADIT_REASON_PRIVATE;
    return v->noindex ? ADIT_REASON_NOINDEX : ADIT_REASON_NONE;
}

enum adit_action adit_negotiate_give_up(struct adit_exchange_impl *x, enum adit_reason reason)
{
    adit_share_leave(x);
    adit_body_free(x);
    adit_view_release(x->view, x->edge->mem);
    x->view = NULL;
    x->negotiated = false;
    x->format = NULL;
    x->pub.remember_key = (struct adit_str){0};
    adit_exchange_note(x, reason);
    return adit_route_page(x);
}
