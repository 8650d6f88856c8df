/* An edge with a configuration, and exchanges of it, driven as a host does. */
#ifndef ADIT_EXCHANGE_TESTS_EDGE_H
#define ADIT_EXCHANGE_TESTS_EDGE_H

#include "exchange/exchange.h"

#include "tests/tap.h"

static struct adit_config config;
static struct adit_edge edge;

static inline void begin_with(const char *json)
{
    struct adit_buf why;
    adit_buf_init(&why, tap_mem, 4096);
    if (adit_edge_configure(&edge, &config, adit_str_z(json), tap_mem, &why) != ADIT_OK)
        tap_show("config", adit_buf_str(&why));
    adit_buf_free(&why);
}

static inline void end(void)
{
    adit_edge_free(&edge);
    adit_config_free(&config);
}

static inline struct adit_request get_request(const char *path)
{
    return (struct adit_request){.method = ADIT_STR("GET"),
                                 .authority = ADIT_STR("example.com"),
                                 .path = adit_str_z(path),
                                 .now = 1794873600};
}

/* The request, to an edge that remembers nothing. */
static inline enum adit_action ask_edge(struct adit_exchange *x, const struct adit_request *r)
{
    enum adit_action a = adit_exchange_request(x, r);
    return a == ADIT_RECALL ? adit_exchange_recalled(x, (struct adit_str){0}) : a;
}

/* The origin's response, its body in one piece. */
static inline enum adit_action respond_with(struct adit_exchange *x, unsigned status,
                                            const struct adit_header *h, size_t n, const char *body)
{
    enum adit_action a = adit_exchange_fetched(x, status, h, n);
    if (a == ADIT_BODY) a = adit_exchange_fetched_body(x, adit_str_z(body));
    if (a == ADIT_BODY) a = adit_exchange_fetched_end(x);
    return a;
}

/* Fields of the answer, and of the request to the origin. */
static inline struct adit_str sent(const struct adit_exchange *x, const char *name)
{
    return adit_header_get(x->answer.headers.v, x->answer.headers.n, adit_str_z(name));
}
static inline struct adit_str fetched(const struct adit_exchange *x, const char *name)
{
    return adit_header_get(x->fetch.headers.v, x->fetch.headers.n, adit_str_z(name));
}

#endif
