/* adit-fastly.wasm: the program for Fastly Compute. It moves bytes and header fields between the host
 * and the exchange (exchange/exchange.h), which makes every decision. This file: a request from its
 * beginning to its end.
 *
 * Whatever goes wrong on a page ends in the origin's bytes, as far as there are any.
 */
#include "edge/fastly_impl.h"
#include "edge/module.h"

enum {
    URI_MAX = 64 << 10,
    FIELDS_MAX = 1 << 20, /* bytes of all header fields of a request and its answers */
    IDLE_MS = 1000        /* milliseconds that an instance waits for its next request */
};

/* --- answers -------------------------------------------------------------------------------------- */

static bool send_whole(unsigned status, const struct adit_headers *h, struct adit_str bytes)
{
    uint32_t response, body;
    return fastly_http_resp_new(&response) == FASTLY_OK &&
           fastly_http_resp_status_set(response, status) == FASTLY_OK &&
           (!h || fields_add(RESPONSE, response, h)) && fastly_http_body_new(&body) == FASTLY_OK &&
           write_all(body, bytes) &&
           fastly_http_resp_send_downstream(response, body, 0) == FASTLY_OK;
}

/* The host does not send the body of an answer to HEAD, and takes Content-Length from it. */
static void send_answer(struct visit *v)
{
    const struct adit_answer *a = &v->x->answer;
    struct adit_buf line;
    if (!send_whole(a->status, &a->headers, a->body_of_get))
        send_whole(503, NULL, (struct adit_str){0}); /* without its fields it were another answer */
    remember(v);
    char space[MODULE_LINE_MAX];
    line = (struct adit_buf){.p = space, .cap = sizeof space, .max = sizeof space};
    module_answer_line(&line, v->x);
    if (!line.err) service_say(v->s, adit_buf_str(&line));
}

/* --- pages ---------------------------------------------------------------------------------------- */

/* The page with its link. Once that has its place the host sends on the rest by itself. */
static void stream_injected(struct visit *v, uint32_t from, uint32_t to)
{
    static char piece[PIECE];
    enum adit_fetch_failure why;
    struct adit_buf out;
    size_t len = 0;
    bool ok, more = true;
    adit_buf_init(&out, v->s->edge.mem, SIZE_MAX);
    do {
        ok = read_body(from, piece, sizeof piece, 0, &len, &why);
        if (ok && len)
            adit_exchange_inject(v->x, adit_str_of(piece, len), &out);
        else if (ok)
            adit_exchange_inject_end(v->x, &out);
        ok = ok && !out.err && write_all(to, adit_buf_str(&out));
        more = len && (v->x->inject_more || v->x->inject_held);
    } while (ok && more);
    adit_buf_free(&out);
    if (ok && len) ok = fastly_http_body_append(to, from) == FASTLY_OK;
    if (!ok || fastly_http_body_close(to) != FASTLY_OK)
        fastly_http_body_abandon(to); /* the client sees a broken body, not a whole one */
}

/* Sends on what the origin answered, edited as the exchange says. */
static void send_response(struct visit *v, uint32_t response, uint32_t body)
{
    struct fields f;
    uint16_t status = 0;
    uint32_t to;
    bool inject = false;
    if (v->x && !v->x->done && fastly_http_resp_status_get(response, &status) == FASTLY_OK &&
        fields_read(&f, RESPONSE, response, &v->arena)) {
        adit_exchange_response(v->x, status, f.v, f.n);
        inject = fields_edit(RESPONSE, response, &v->x->response_edits) && v->x->inject &&
                 !v->is_head && fastly_http_body_new(&to) == FASTLY_OK;
    }
    if (!inject)
        fastly_http_resp_send_downstream(response, body, 0);
    else if (fastly_http_resp_send_downstream(response, to, 1) == FASTLY_OK)
        stream_injected(v, body, to);
}

static void edit_path(struct visit *v)
{
    const struct adit_edits *e = &v->x->request_edits;
    for (size_t i = 0; i < e->n; i++) {
        struct adit_buf uri;
        if (e->v[i].op != ADIT_EDIT_PATH) continue;
        adit_buf_init(&uri, mem, URI_MAX);
        adit_buf_add(&uri, v->site);
        adit_buf_add(&uri, e->v[i].value);
        if (!uri.err) fastly_http_req_uri_set(v->request, uri.p, uri.len);
        adit_buf_free(&uri);
    }
}

/* Sends the client's own request on. */
static void pass(struct visit *v)
{
    enum adit_fetch_failure why = ADIT_FAILED_CONNECT;
    uint32_t response, body;
    if (v->x) {
        fields_edit(REQUEST, v->request, &v->x->request_edits);
        edit_path(v);
    }
    if (send_request(v->s, v->request, v->body, 0, &response, &body, &why))
        send_response(v, response, body);
    else
        send_whole(why == ADIT_FAILED_TIMEOUT ? 504
                   : why == ADIT_FAILED_BUSY  ? 503
                                              : 502,
                   NULL, (struct adit_str){0});
}

/* --- requests ------------------------------------------------------------------------------------- */

/* The client's address as text; empty if the host does not say it. */
static struct adit_str client_address(const struct visit *v, char space[48])
{
    struct adit_buf b = {.p = space, .cap = 48, .max = 48};
    uint8_t octets[16];
    size_t n = 0;
    if (fastly_http_downstream_downstream_client_ip_addr(v->request, octets, &n) != FASTLY_OK ||
        (n != 4 && n != 16))
        n = 0;
    for (size_t i = 0; n == 4 && i < n; i++) {
        if (i) adit_buf_byte(&b, '.');
        adit_buf_u64(&b, octets[i]);
    }
    for (size_t i = 0; n == 16 && i < n; i += 2) {
        if (i) adit_buf_byte(&b, ':');
        adit_buf_hex(&b, octets + i, 2);
    }
    return adit_buf_str(&b);
}

/* Text of the request: its method, its URI. */
static struct adit_str read_text(struct visit *v,
                                 uint32_t (*call)(uint32_t, char *, size_t, size_t *))
{
    static char space[URI_MAX];
    size_t len = 0;
    if (call(v->request, space, sizeof space, &len) != FASTLY_OK || len > sizeof space) len = 0;
    return adit_arena_dup(&v->arena, adit_str_of(space, len), NULL);
}

/* Upgrades, tunnels and gRPC are none of our business, whatever their path looks like. */
static bool is_tunnel(struct adit_str method, const struct fields *f)
{
    return adit_str_eq(method, ADIT_STR("CONNECT")) ||
           adit_header_has(f->v, f->n, ADIT_STR("upgrade")) ||
           adit_str_istarts(adit_header_get(f->v, f->n, ADIT_STR("content-type")),
                            ADIT_STR("application/grpc"));
}

/* Tells the origin who asks, as proxies do; the platform does not. */
static void note_client(struct visit *v, const struct fields *f, struct adit_str client)
{
    const struct adit_str name = adit_str_z(adit_trace_names[ADIT_TRACE_CLIENT]);
    if (client.len == 0) return;
    struct adit_str list = adit_header_joined(f->v, f->n, name, &v->arena);
    fields_set(REQUEST, v->request, name,
               adit_trace_extend(ADIT_TRACE_CLIENT, list, client, &v->arena, NULL));
}

/* Takes the URI apart: "https://example.com/post/?a=b". */
static void take_uri(struct visit *v, struct adit_str uri, struct adit_request *r)
{
    size_t colon = adit_str_find(uri, ADIT_STR("://"), 0);
    if (colon >= uri.len) return;
    size_t slash = adit_str_chr(uri, '/', colon + 3);
    if (slash >= uri.len) return;
    r->scheme = adit_str_sub(uri, 0, colon);
    r->authority = adit_str_sub(uri, colon + 3, slash);
    r->path = adit_str_sub(uri, slash, uri.len);
    v->site = adit_str_sub(uri, 0, slash);
}

static bool take_request(struct visit *v, enum adit_action *action)
{
    char space[48];
    struct fields f;
    if (!fields_read(&f, REQUEST, v->request, &v->arena) ||
        !(v->x = adit_exchange_new(&v->s->edge, v)))
        return false;
    struct adit_request r = {.headers = f.v, .n_headers = f.n, .now = unix_time()};
    r.method = read_text(v, fastly_http_req_method_get);
    r.client = client_address(v, space);
    v->is_head = adit_str_eq(r.method, ADIT_STR("HEAD"));
    if (!is_tunnel(r.method, &f)) take_uri(v, read_text(v, fastly_http_req_uri_get), &r);
    note_client(v, &f, r.client);
    *action = adit_exchange_request(v->x, &r);
    return true;
}

/* Does what the exchange says. */
static void drive(struct visit *v, enum adit_action action)
{
    for (;;) switch (action) {
        case ADIT_ANSWER: send_answer(v); return;
        case ADIT_PASS: pass(v); return;
        case ADIT_RECALL: action = recall(v); break;
        case ADIT_FETCH: action = fetch(v); break;
        case ADIT_WAIT: /* for nobody: there is one exchange at a time */
        case ADIT_BODY:
        default: action = adit_exchange_fetch_failed(v->x, ADIT_FAILED_BUSY); break;
        }
}

static void serve(struct service *s, uint32_t request, uint32_t body)
{
    struct visit v = {.s = s, .request = request, .body = body};
    enum adit_action action;
    adit_arena_init(&v.arena, mem, FIELDS_MAX);
    if (s->configured && take_request(&v, &action))
        drive(&v, action);
    else
        pass(&v);
    if (v.x) adit_exchange_free(v.x);
    adit_arena_free(&v.arena);
}

/* A further request for this instance, which need not be started anew. */
static bool next(uint32_t *request, uint32_t *body)
{
    const struct fastly_next_request how = {.timeout_ms = IDLE_MS};
    uint32_t promise;
    return fastly_http_downstream_next_request(FASTLY_NEXT_TIMEOUT, &how, &promise) == FASTLY_OK &&
           fastly_http_downstream_next_request_wait(promise, request, body) == FASTLY_OK;
}

/* The linker's: constructors of libraries. */
void __wasm_call_ctors(void);

/* A WASI command, without libc's own start: that one ends in code for streams that nobody here has. */
__attribute__((export_name("_start"))) void start(void)
{
    static struct service service;
    uint32_t request, body;
    __wasm_call_ctors();
    if (fastly_http_req_body_downstream_get(&request, &body) != FASTLY_OK) return;
    service_start(&service);
    do serve(&service, request, body);
    while (service.asked < service.asked_max && next(&request, &body));
}
