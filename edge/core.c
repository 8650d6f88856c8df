/* adit-core.wasm: the exchange (http/exchange.h) as a module without imports, for hosts that speak
 * HTTP themselves: the Cloudflare Worker (edge/worker/), tests, others.
 *
 * Calling it: put bytes into memory of adit_alloc, pass pointer and length, adit_free them. Header
 * fields travel as proxy-wasm pairs (edge/proxy_wasm.h); pseudo fields carry the rest of a request.
 * The functions follow exchange.h one by one and return its actions; what an exchange has to say
 * is read with adit_get(x, what) and, for its length, adit_len(). Any call may grow the memory:
 * make views of it anew.
 */
#include "edge/proxy_wasm.h"
#include "base/rules.h"
#include "http/config.h"
#include "http/exchange.h"

#include <stdlib.h>

enum what {
    GET_ERROR, /* why adit_configure refused */
    GET_ANSWER_HEADERS,
    GET_ANSWER_BODY,
    GET_FETCH_AUTHORITY,
    GET_FETCH_PATH,
    GET_FETCH_HEADERS,
    GET_RECALL_KEY,
    GET_REMEMBER_KEY,
    GET_REMEMBER_VALUE,
    GET_REQUEST_EDITS, /* pairs; the key begins with '=' set, '+' add, '-' remove, ':' path */
    GET_RESPONSE_EDITS,
    GET_INJECTED,
    GET_ROUTE,
    GET_REASON,
    GET_METRICS /* "name value" lines */
};

enum { PAIRS_MAX = 1 << 20, BODY_MAX = 256 << 20 };

static void *resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    (void)ctx, (void)old_len;
    if (new_len) return realloc(p, new_len);
    free(p);
    return NULL;
}
static const struct adit_mem mem = {resize, NULL};

static struct {
    bool configured;
    struct adit_config config;
    struct adit_edge edge;
    struct adit_buf out; /* what adit_get points to when it is not a slice of the exchange */
    size_t len;
} core;

PW_EXPORT(adit_alloc) void *core_alloc(size_t len) { return malloc(len ? len : 1); }
PW_EXPORT(adit_free) void core_free(void *p) { free(p); }
PW_EXPORT(adit_len) size_t core_len(void) { return core.len; }
PW_EXPORT(adit_rules_version) uint32_t core_rules(void)
{
    uint64_t v = 0;
    adit_str_u64(ADIT_STR(ADIT_RULES_VERSION), &v);
    return (uint32_t)v;
}

PW_EXPORT(adit_configure) uint32_t core_configure(const char *json, size_t len)
{
    if (core.configured) adit_edge_free(&core.edge);
    adit_config_free(&core.config);
    adit_buf_free(&core.out);
    adit_buf_init(&core.out, mem, BODY_MAX);
    core.configured =
        adit_config_parse(&core.config, adit_str_of(json, len), mem, &core.out) == ADIT_OK;
    if (core.configured && adit_edge_init(&core.edge, &core.config, mem) != ADIT_OK) {
        core.configured = false;
        adit_buf_lit(&core.out, "origin: must be given, as https://HOST");
    }
    return core.configured;
}

/* --- fields in ---------------------------------------------------------------------------------
 */

static struct adit_header *read_pairs(const uint8_t *p, size_t len, size_t *n)
{
    struct pw_pairs_reader r;
    struct pw_pair pair;
    *n = 0;
    if (!pw_pairs_open(&r, p, len) || r.n > ADIT_HEADERS_MAX) return NULL;
    struct adit_header *v = malloc((r.n + 1) * sizeof *v);
    while (v && pw_pairs_next(&r, &pair))
        v[(*n)++] = (struct adit_header){adit_str_of(pair.key.p, pair.key.len),
                                         adit_str_of(pair.value.p, pair.value.len)};
    return v;
}

PW_EXPORT(adit_open) struct adit_exchange *core_open(void)
{
    return core.configured ? adit_exchange_new(&core.edge, NULL) : NULL;
}
PW_EXPORT(adit_close) void core_close(struct adit_exchange *x) { adit_exchange_free(x); }
PW_EXPORT(adit_ready) struct adit_exchange *core_ready(void) { return adit_edge_ready(&core.edge); }

/* Pairs: ":method", ":authority", ":path", ":scheme", ":client", and the header fields. */
PW_EXPORT(adit_request)
uint32_t core_request(struct adit_exchange *x, const uint8_t *pairs, size_t len, double now)
{
    size_t n;
    struct adit_header *v = read_pairs(pairs, len, &n);
    const struct adit_request request = {
        .method = adit_header_get(v, n, ADIT_STR(":method")),
        .authority = adit_header_get(v, n, ADIT_STR(":authority")),
        .path = adit_header_get(v, n, ADIT_STR(":path")),
        .scheme = adit_header_get(v, n, ADIT_STR(":scheme")),
        .client = adit_header_get(v, n, ADIT_STR(":client")),
        .headers = v,
        .n_headers = n,
        .now = (int64_t)now,
    };
    enum adit_action action = adit_exchange_request(x, &request);
    free(v);
    return action;
}

PW_EXPORT(adit_recalled)
uint32_t core_recalled(struct adit_exchange *x, const char *p, size_t len)
{
    return adit_exchange_recalled(x, adit_str_of(p, len));
}
PW_EXPORT(adit_resume) uint32_t core_resume(struct adit_exchange *x)
{
    return adit_exchange_resume(x);
}
PW_EXPORT(adit_fetched)
uint32_t core_fetched(struct adit_exchange *x, uint32_t status, const uint8_t *pairs, size_t len)
{
    size_t n;
    struct adit_header *v = read_pairs(pairs, len, &n);
    enum adit_action action = adit_exchange_fetched(x, status, v, n);
    free(v);
    return action;
}
PW_EXPORT(adit_fetched_body)
uint32_t core_fetched_body(struct adit_exchange *x, const char *p, size_t len)
{
    return adit_exchange_fetched_body(x, adit_str_of(p, len));
}
PW_EXPORT(adit_fetched_end) uint32_t core_fetched_end(struct adit_exchange *x)
{
    return adit_exchange_fetched_end(x);
}
PW_EXPORT(adit_fetch_failed) uint32_t core_fetch_failed(struct adit_exchange *x, uint32_t why)
{
    return adit_exchange_fetch_failed(x, (enum adit_fetch_failure)why);
}

/* 1: the body goes through adit_body. */
PW_EXPORT(adit_response)
uint32_t core_response(struct adit_exchange *x, uint32_t status, const uint8_t *pairs, size_t len)
{
    size_t n;
    struct adit_header *v = read_pairs(pairs, len, &n);
    adit_exchange_response(x, status, v, n);
    free(v);
    return x->inject;
}
/* What takes the chunk's place is then GET_INJECTED. 1: more chunks are wanted; 0: the rest of the
 * body can be passed on as it is. */
PW_EXPORT(adit_body)
uint32_t core_inject(struct adit_exchange *x, const char *p, size_t len)
{
    adit_exchange_inject(x, adit_str_of(p, len), &core.out);
    return x->inject_more;
}
PW_EXPORT(adit_body_end) void core_inject_end(struct adit_exchange *x)
{
    adit_exchange_inject_end(x, &core.out);
}

/* --- facts out ----------------------------------------------------------------------------------
 */

PW_EXPORT(adit_status) uint32_t core_status(const struct adit_exchange *x)
{
    return x->answer.status;
}
PW_EXPORT(adit_timeout_ms) uint32_t core_timeout(const struct adit_exchange *x)
{
    return x->fetch.timeout_ms;
}
PW_EXPORT(adit_done) uint32_t core_done(const struct adit_exchange *x) { return x->done; }

/* Writes pairs into core.out; key i is prefix[i] (if not 0) and the name. */
static void put_pairs(const struct pw_pair *pairs, size_t n)
{
    size_t len = pw_pairs_len(pairs, n);
    adit_buf_clear(&core.out);
    if (!adit_buf_reserve(&core.out, len)) return;
    pw_pairs_write((uint8_t *)core.out.p, pairs, n);
    core.out.len = len;
}

static void put_headers(const struct adit_headers *h)
{
    struct pw_pair *pairs = malloc((h->n + 1) * sizeof *pairs);
    for (size_t i = 0; pairs && i < h->n; i++)
        pairs[i] = (struct pw_pair){{h->v[i].name.p, h->v[i].name.len},
                                    {h->v[i].value.p, h->v[i].value.len}};
    put_pairs(pairs, pairs ? h->n : 0);
    free(pairs);
}

static void put_edits(const struct adit_edits *e)
{
    static const char ops[] = {[ADIT_EDIT_SET] = '=',
                               [ADIT_EDIT_ADD] = '+',
                               [ADIT_EDIT_REMOVE] = '-',
                               [ADIT_EDIT_PATH] = ':'};
    struct pw_pair *pairs = malloc((e->n + 1) * sizeof *pairs);
    struct adit_buf names;
    adit_buf_init(&names, mem, PAIRS_MAX);
    for (size_t i = 0; i < e->n; i++) {
        adit_buf_byte(&names, ops[e->v[i].op]);
        adit_buf_add(&names, e->v[i].name);
    }
    size_t at = 0;
    for (size_t i = 0; pairs && !names.err && i < e->n; i++) {
        size_t len = e->v[i].name.len + 1;
        pairs[i] = (struct pw_pair){{names.p + at, len}, {e->v[i].value.p, e->v[i].value.len}};
        at += len;
    }
    put_pairs(pairs, pairs && !names.err ? e->n : 0);
    adit_buf_free(&names);
    free(pairs);
}

static void put_metrics(void)
{
    adit_buf_clear(&core.out);
    for (size_t i = 0; i < ADIT_COUNTER_COUNT; i++) {
        adit_buf_lit(&core.out, adit_counters[i].name);
        adit_buf_byte(&core.out, ' ');
        adit_buf_u64(&core.out, core.edge.counters[i]);
        adit_buf_byte(&core.out, '\n');
    }
    for (size_t i = 1; i < ADIT_REASONS; i++) {
        adit_buf_lit(&core.out, "failed_");
        adit_buf_lit(&core.out, adit_reasons[i].name);
        adit_buf_byte(&core.out, ' ');
        adit_buf_u64(&core.out, core.edge.failures[i]);
        adit_buf_byte(&core.out, '\n');
    }
}

/* A slice of the exchange's own memory. */
static bool get_slice(const struct adit_exchange *x, enum what what, struct adit_str *s)
{
    switch (what) {
    case GET_ANSWER_BODY: *s = x->answer.body; return true;
    case GET_FETCH_AUTHORITY: *s = x->fetch.authority; return true;
    case GET_FETCH_PATH: *s = x->fetch.path; return true;
    case GET_RECALL_KEY: *s = x->recall_key; return true;
    case GET_REMEMBER_KEY: *s = x->remember_key; return true;
    case GET_REMEMBER_VALUE: *s = x->remember_value; return true;
    case GET_ROUTE: *s = adit_str_z(x->route); return true;
    case GET_REASON: *s = adit_str_z(adit_reasons[x->reason].name); return true;
    default: return false;
    }
}

PW_EXPORT(adit_get) const char *core_get(struct adit_exchange *x, uint32_t what)
{
    struct adit_str s = {0};
    if (!get_slice(x, (enum what)what, &s)) {
        switch ((enum what)what) {
        case GET_ANSWER_HEADERS: put_headers(&x->answer.headers); break;
        case GET_FETCH_HEADERS: put_headers(&x->fetch.headers); break;
        case GET_REQUEST_EDITS: put_edits(&x->request_edits); break;
        case GET_RESPONSE_EDITS: put_edits(&x->response_edits); break;
        case GET_METRICS: put_metrics(); break;
        default: break; /* an error or injected bytes are there already */
        }
        s = adit_buf_str(&core.out);
    }
    core.len = s.len;
    return s.p;
}
