/* adit-edge.wasm: the proxy-wasm filter. It moves bytes and header fields between the host and the
 * exchange (exchange/exchange.h), which makes every decision. This file: what the host calls.
 */
#include "edge/filter_impl.h"
#include "edge/module.h"

/* --- life ------------------------------------------------------------------------------------- */

PW_EXPORT(proxy_abi_version_0_2_1) void abi_version(void) {}
PW_EXPORT(proxy_on_memory_allocate) void *memory_allocate(size_t len) { return malloc(len); }

PW_EXPORT(proxy_on_context_create) void context_create(uint32_t id, uint32_t parent)
{
    if (parent)
        stream_add(id, parent);
    else
        root_add(id);
}

PW_EXPORT(proxy_on_vm_start) uint32_t vm_start(uint32_t root, size_t len)
{
    (void)root, (void)len;
    return 1;
}

PW_EXPORT(proxy_on_configure) uint32_t on_configure(uint32_t root, size_t len)
{
    uint8_t *p = NULL;
    size_t got = 0;
    if (len && proxy_get_buffer_bytes(PW_PLUGIN_CONFIG, 0, len, &p, &got) != PW_OK) got = 0;
    bool ok = root_configure(root, got ? adit_str_of((const char *)p, got) : ADIT_STR("{}"));
    free(p);
    return ok;
}

/* Streams whose waiting is over could not go on in the callback that ended it. */
PW_EXPORT(proxy_on_tick) void on_tick(uint32_t root)
{
    (void)root;
    proxy_set_tick_period_milliseconds(0);
    settle();
}

PW_EXPORT(proxy_on_done) uint32_t on_done(uint32_t id)
{
    (void)id;
    return 1;
}

PW_EXPORT(proxy_on_delete) void on_delete(uint32_t id)
{
    stream_remove(id);
    root_remove(id);
    settle();
}

/* --- requests --------------------------------------------------------------------------------- */

/* Upgrades, tunnels and gRPC are none of our business, whatever their path looks like. */
static bool is_tunnel(const struct fields *f)
{
    struct adit_str upgrade = fields_get(f, ADIT_STR("upgrade"));
    return adit_str_eq(fields_get(f, ADIT_STR(":method")), ADIT_STR("CONNECT")) ||
           fields_get(f, ADIT_STR(":protocol")).len > 0 ||
           (upgrade.len > 0 && !adit_str_ieq(upgrade, ADIT_STR("h2c"))) ||
           adit_str_istarts(fields_get(f, ADIT_STR("content-type")), ADIT_STR("application/grpc"));
}

static enum pw_action take_request(struct stream *s, const struct fields *f)
{
    const struct adit_request request = {
        .method = fields_get(f, ADIT_STR(":method")),
        .authority = fields_get(f, ADIT_STR(":authority")),
        /* without a path the exchange counts it, and lets it pass */
        .path = is_tunnel(f) ? (struct adit_str){0} : fields_get(f, ADIT_STR(":path")),
        .scheme = fields_get(f, ADIT_STR(":scheme")),
        .headers = f->v,
        .n_headers = f->n,
        .now = now_ms() / 1000,
    };
    return drive(s, adit_exchange_request(s->x, &request));
}

PW_EXPORT(proxy_on_request_headers)
uint32_t on_request_headers(uint32_t id, uint32_t n, uint32_t eos)
{
    struct stream *s = stream_find(id);
    struct fields f;
    enum pw_action action = PW_CONTINUE;
    (void)n, (void)eos;
    if (!s || s->state != BEGUN) return PW_CONTINUE;
    struct setup *setup = setup_hold(s->setup);
    if (fields_read(&f, PW_REQUEST_HEADERS) && (s->x = adit_exchange_new(&setup->edge, s)))
        action = take_request(s, &f);
    else
        stream_release(s, PASS);
    fields_free(&f);
    settle_later(setup);
    setup_release(setup);
    return action;
}

/* --- answers to calls ------------------------------------------------------------------------- */

/* Envoy's HTTP client tells what became of a call as if the origin had said it: with a status and one
 * of these texts. */
static const struct {
    unsigned status;
    struct adit_str text;
    enum adit_fetch_failure failure;
} client_failures[] = {
    {504, ADIT_STR_INIT("upstream request timeout"), ADIT_FAILED_TIMEOUT},
    {503, ADIT_STR_INIT("no healthy upstream"), ADIT_FAILED_CONNECT},
    {503,
     ADIT_STR_INIT("upstream connect error or disconnect/reset before headers. "
                   "reset reason: overflow"),
     ADIT_FAILED_BUSY},
    {503, ADIT_STR_INIT("upstream connect error or disconnect/reset before headers"),
     ADIT_FAILED_CONNECT},
};

/* The host's timer and its clock may differ a little. */
static bool is_late(const struct stream *s)
{
    int64_t limit = s->x->fetch.timeout_ms;
    return now_ms() - s->called >= limit - limit / 16;
}

/* Whether the answer is the host's own word that there is none. */
static bool is_client_failure(const struct stream *s, uint64_t status, size_t body_len,
                              enum adit_fetch_failure *failure)
{
    enum { TEXT_MAX = 1024 }; /* the longest such text ends in the system's message */
    uint8_t *p = NULL;
    size_t got = 0;
    bool found = status == 504 && is_late(s);
    *failure = ADIT_FAILED_TIMEOUT;
    if (found) return true;
    if ((status != 503 && status != 504) || body_len == 0 || body_len > TEXT_MAX) return false;
    if (proxy_get_buffer_bytes(PW_CALL_BODY, 0, body_len, &p, &got) != PW_OK) got = 0;
    struct adit_str text = adit_str_of((const char *)p, got);
    for (size_t i = 0; i < ADIT_COUNT(client_failures) && !found; i++) {
        *failure = client_failures[i].failure;
        found =
            client_failures[i].status == status && adit_str_starts(text, client_failures[i].text);
    }
    free(p);
    return found;
}

/* Reads a call's answer into the exchange. No field at all means that there was none. */
static enum adit_action fetched(struct stream *s, size_t n, size_t body_len)
{
    struct fields f = {0};
    uint64_t status = 0;
    enum adit_fetch_failure failure = ADIT_FAILED_CONNECT;
    enum adit_action action;
    if (n == 0 || !fields_read(&f, PW_CALL_HEADERS) ||
        !adit_str_u64(fields_get(&f, ADIT_STR(":status")), &status))
        action = adit_exchange_fetch_failed(s->x, is_late(s) ? ADIT_FAILED_TIMEOUT : failure);
    else if (is_client_failure(s, status, body_len, &failure))
        action = adit_exchange_fetch_failed(s->x, failure);
    else
        action = adit_exchange_fetched(s->x, (unsigned)status, f.v, f.n);
    fields_free(&f);
    if (action == ADIT_BODY) action = take_body(s, PW_CALL_BODY, body_len);
    if (action == ADIT_BODY) action = adit_exchange_fetched_end(s->x);
    return action;
}

PW_EXPORT(proxy_on_http_call_response)
void on_http_call_response(uint32_t id, uint32_t call, uint32_t n, size_t body_len,
                           uint32_t n_trailers)
{
    struct stream *s = stream_find(id);
    (void)n_trailers;
    if (!s) s = stream_of_call(call); /* Envoy names the root context */
    if (s && s->state == FETCHING && s->call == call) drive_paused(s, fetched(s, n, body_len));
    settle();
}

/* --- responses -------------------------------------------------------------------------------- */

static enum pw_action inline_header(struct stream *s, const struct fields *f, unsigned status,
                                    bool eos)
{
    enum adit_action action = adit_exchange_fetched(s->x, status, f->v, f->n);
    if (action == ADIT_BODY && eos) action = adit_exchange_fetched_end(s->x);
    action = only_answer(s, action);
    if (action == ADIT_ANSWER) {
        send_answer(s);
        return PW_CONTINUE;
    }
    s->state = REPLACE;
    return PW_PAUSE;
}

static enum pw_action take_response(struct stream *s, bool eos)
{
    struct fields f;
    uint64_t status = 0;
    enum pw_action action = PW_CONTINUE;
    bool read = fields_read(&f, PW_RESPONSE_HEADERS) &&
                adit_str_u64(fields_get(&f, ADIT_STR(":status")), &status);
    if (s->state == INLINE && read) {
        action = inline_header(s, &f, (unsigned)status, eos);
    } else if (s->state == INLINE) { /* never the origin's own answer in the place of a view */
        only_answer(s, adit_exchange_fetch_failed(s->x, ADIT_FAILED_CONNECT));
        send_answer(s);
    } else if (read) {
        adit_exchange_response(s->x, (unsigned)status, f.v, f.n);
        bool edited = fields_edit(PW_RESPONSE_HEADERS, &s->x->response_edits);
        if (edited && s->x->inject && !eos)
            s->state = INJECT;
        else
            stream_release(s, PASS);
    } else {
        stream_release(s, PASS);
    }
    fields_free(&f);
    return action;
}

PW_EXPORT(proxy_on_response_headers)
uint32_t on_response_headers(uint32_t id, uint32_t n, uint32_t eos)
{
    struct stream *s = stream_find(id);
    (void)n;
    if (!s || (s->state != LINK && s->state != INLINE)) return PW_CONTINUE;
    struct setup *setup = setup_hold(s->setup);
    enum pw_action action = take_response(s, eos != 0);
    settle_later(setup);
    setup_release(setup);
    return action;
}

PW_EXPORT(proxy_on_response_body) uint32_t on_response_body(uint32_t id, size_t len, uint32_t eos)
{
    struct stream *s = stream_find(id);
    if (!s || (s->state != INJECT && s->state != REPLACE)) return PW_CONTINUE;
    struct setup *setup = setup_hold(s->setup);
    enum pw_action action =
        s->state == INJECT ? inject_body(s, len, eos != 0) : replace_body(s, len, eos != 0);
    settle_later(setup);
    setup_release(setup);
    return action;
}

PW_EXPORT(proxy_on_response_trailers) uint32_t on_response_trailers(uint32_t id, uint32_t n)
{
    struct stream *s = stream_find(id);
    (void)n;
    if (!s || (s->state != INJECT && s->state != REPLACE)) return PW_CONTINUE;
    struct setup *setup = setup_hold(s->setup);
    if (s->state == REPLACE)
        replace_body(s, 0, true);
    else
        stream_release(s, PASS);
    settle_later(setup);
    setup_release(setup);
    return PW_CONTINUE;
}
