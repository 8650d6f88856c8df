/* /robots.txt with the site's signals in it: the origin's file, and the configured lines in each of
 * its groups. Where the origin has none, one is made. */
#include "exchange/exchange_impl.h"

bool adit_robots_txt_takes(struct adit_exchange_impl *x)
{
    return x->edge->config->robots && (x->get || x->head) && x->hops == 0 &&
           adit_str_eq(x->path, ADIT_STR("/robots.txt"));
}

enum adit_action adit_robots_txt_start(struct adit_exchange_impl *x, const struct adit_request *r)
{
    (void)r;
    x->html.max = ADIT_ROBOTS_BYTES;
    adit_exchange_ask(x, x->path, "text/plain", x->html.max);
    x->state = ADIT_ST_FETCH;
    return ADIT_FETCH;
}

/* In doubt the origin's own file, or what it says of not having it. */
enum adit_action adit_robots_txt_give_up(struct adit_exchange_impl *x, enum adit_reason reason)
{
    adit_body_free(x);
    adit_exchange_note(x, reason);
    return adit_exchange_pass(x, true);
}

/* A license is a URL, or a path of the site. */
static struct adit_str absolute(struct adit_exchange_impl *x, struct adit_str url)
{
    return url.len && url.p[0] == '/' ? adit_exchange_url(x, url) : url;
}

static enum adit_action answer_with(struct adit_exchange_impl *x, struct adit_str text)
{
    const struct adit_config *c = x->edge->config;
    const struct adit_robots_line lines[] = {
        {"Content-Signal", c->content_signal, false},
        {"Content-Usage", c->content_usage, false},
        {"License", absolute(x, c->license), true},
        {"Sitemap", adit_exchange_url(x, ADIT_STR("/sitemap.xml")), true},
    };
    struct adit_view *v = x->view;
    adit_robots_add(text, lines, ADIT_COUNT(lines), &v->body);
    v->content_type = ADIT_STR("text/plain; charset=utf-8");
    if (!adit_view_hash(v)) return adit_robots_txt_give_up(x, ADIT_REASON_NO_MEMORY);
    adit_body_free(x);
    return adit_answer_view(x, v);
}

enum adit_action adit_robots_txt_fetched(struct adit_exchange_impl *x, unsigned status,
                                         const struct adit_header *h, size_t n)
{
    bool ok = true;
    struct adit_str cc = adit_header_all(h, n, ADIT_STR("cache-control"), &x->arena, &ok);
    /* Every group may get each of the lines. */
    if (ok) x->view = adit_view_new(x->edge->mem, 64 * (size_t)ADIT_ROBOTS_BYTES);
    if (!x->view) return adit_robots_txt_give_up(x, ADIT_REASON_NO_MEMORY);
    x->view->cache_control = adit_arena_dup(&x->view->arena, cc, NULL);
    bool none =
        status == 404 || status == 410 ||
        (status == 200 && adit_media_is_html(adit_header_get(h, n, ADIT_STR("content-type"))));
    if (none) return answer_with(x, (struct adit_str){0});
    if (status != 200) return adit_robots_txt_give_up(x, ADIT_REASON_STATUS);
    enum adit_reason reason = adit_body_begin(x, h, n);
    return reason ? adit_robots_txt_give_up(x, reason) : ADIT_BODY;
}

enum adit_action adit_robots_txt_end(struct adit_exchange_impl *x)
{
    return answer_with(x, adit_buf_str(&x->html));
}
