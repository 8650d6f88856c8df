/* adit-edge.wasm: the proxy-wasm filter. It moves bytes and header fields between the host and the
 * exchange (exchange/exchange.h), which makes every decision.
 *
 * A stream is in one of the states below. Whatever goes wrong on a page (no memory, a host call
 * that fails, a body that does not come as expected) ends in PASS: people get the origin's bytes.
 */
#include "edge/filter_impl.h"
#include "edge/module.h"

enum {
    CONTEXTS_MAX = 4096, /* streams that we look after at a time; more pass untouched */
    BUCKETS = 1024,
    MEMORY_SLOTS = 4096,   /* of the validator memory in shared data, which cannot be deleted */
    PENDING_MAX = 1 << 16, /* bytes of a page that may wait for the place of the link */
    HELD_MAX = 8 << 20,    /* bytes that all pages together keep while they wait for that */
    PIECE = 1 << 16        /* bytes of a body that are taken from the host at a time */
};

enum state {
    PASS,     /* nothing more to do */
    LINK,     /* request passed; the answer's header is to be seen */
    INJECT,   /* the body is being given its link */
    FETCHING, /* paused: a call to the origin is under way */
    WAITING,  /* paused: another stream converts the same page */
    INLINE,   /* the request became the one for the page; its answer is to be converted */
    REPLACE,  /* the same, the header has been seen and is held */
    ANSWERED  /* a local response was sent */
};

struct context {
    struct context *next;
    uint32_t id, call;
    enum state state;
    struct adit_exchange *x;
    struct adit_buf pending; /* INJECT: bytes that the host still holds and we have looked at */
    struct adit_buf fresh;   /* INJECT: what they become */
    int64_t called;          /* FETCHING: when, in milliseconds */
};

static struct {
    bool configured;
    struct adit_config config;
    struct adit_edge edge;
    struct context *buckets[BUCKETS], *spare;
    size_t n_contexts, held; /* held: bytes in all contexts' pending and fresh */
} filter;

/* --- time, log -------------------------------------------------------------------------------- */

static int64_t now_ms(void)
{
    uint64_t ns = 0;
    proxy_get_current_time_nanoseconds(&ns);
    return (int64_t)(ns / 1000000u);
}

static void say(enum pw_log_level level, struct adit_str message)
{
    proxy_log(level, message.p, message.len);
}

/* A line a machine view, as JSON members, for whoever collects the proxy's log. */
static void log_answer(const struct adit_exchange *x)
{
    char space[160];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_buf_lit(&b, "{\"adit\":\"");
    adit_buf_lit(&b, x->route ? x->route : "");
    adit_buf_lit(&b, "\",\"status\":");
    adit_buf_u64(&b, x->answer.status);
    adit_buf_lit(&b, ",\"bytes\":");
    adit_buf_u64(&b, x->answer.body.len);
    adit_buf_lit(&b, ",\"reason\":\"");
    adit_buf_lit(&b, adit_reasons[x->reason].name ? adit_reasons[x->reason].name : "");
    adit_buf_lit(&b, "\"}");
    if (!b.err) say(x->answer.status >= 500 ? PW_WARN : PW_INFO, adit_buf_str(&b));
}

/* --- contexts: a table with a cap, structs used again ----------------------------------------- */

/* Memory for pending and fresh. Beyond HELD_MAX there is none: that page gets no link. */
static void *held_resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    struct adit_mem charged = filter.edge.mem;
    (void)ctx;
    if (new_len > old_len && filter.held + (new_len - old_len) > HELD_MAX) return NULL;
    void *q = charged.resize(charged.ctx, p, old_len, new_len);
    if (q || new_len == 0) filter.held = filter.held - old_len + new_len;
    return q;
}
static const struct adit_mem held_mem = {held_resize, NULL};

static struct context *find(uint32_t id)
{
    struct context *c = filter.buckets[id % BUCKETS];
    while (c && c->id != id) c = c->next;
    return c;
}

static struct context *add(uint32_t id)
{
    struct context *c = filter.spare;
    if (filter.n_contexts >= CONTEXTS_MAX) return NULL;
    if (c)
        filter.spare = c->next;
    else if (!(c = malloc(sizeof *c)))
        return NULL;
    *c = (struct context){.id = id, .next = filter.buckets[id % BUCKETS]};
    adit_buf_init(&c->pending, held_mem, PENDING_MAX);
    adit_buf_init(&c->fresh, held_mem, 2 * PENDING_MAX);
    filter.buckets[id % BUCKETS] = c;
    filter.n_contexts++;
    return c;
}

/* The stream needs the exchange no more; what it counted stays. */
static void release(struct context *c, enum state state)
{
    if (c->x) adit_exchange_free(c->x);
    c->x = NULL;
    c->state = state;
    adit_buf_free(&c->pending);
    adit_buf_free(&c->fresh);
}

static void remove_context(uint32_t id)
{
    for (struct context **at = &filter.buckets[id % BUCKETS]; *at; at = &(*at)->next) {
        struct context *c = *at;
        if (c->id != id) continue;
        *at = c->next;
        release(c, PASS);
        c->next = filter.spare;
        filter.spare = c;
        filter.n_contexts--;
        return;
    }
}

/* --- the validator memory: slots in shared data, the full key inside the value ---------------- */

static struct adit_str slot_name(struct adit_str key, char space[16])
{
    struct adit_buf b = {.p = space, .cap = 16, .max = 16};
    adit_buf_lit(&b, "adit-");
    adit_buf_pad(&b, adit_str_hash(key) % MEMORY_SLOTS, 4);
    return adit_buf_str(&b);
}

static enum adit_action recall(struct adit_exchange *x)
{
    char space[16];
    uint8_t *p = NULL;
    size_t len = 0;
    uint32_t cas = 0;
    struct adit_str slot = slot_name(x->recall_key, space);
    if (proxy_get_shared_data(slot.p, slot.len, &p, &len, &cas) != PW_OK) p = NULL, len = 0;
    enum adit_action action = adit_exchange_recalled(x, adit_str_of((const char *)p, len));
    free(p);
    return action;
}

/* With the slot's CAS: of two that write at once, one wins and the other is lost, which is fine. */
static void remember(const struct adit_exchange *x)
{
    char space[16];
    uint8_t *old = NULL;
    size_t len = 0;
    uint32_t cas = 0;
    if (x->remember_key.len == 0) return;
    struct adit_str slot = slot_name(x->remember_key, space);
    if (proxy_get_shared_data(slot.p, slot.len, &old, &len, &cas) != PW_OK) cas = 0;
    free(old);
    proxy_set_shared_data(slot.p, slot.len, x->remember_value.p, x->remember_value.len, cas);
}

/* --- driving an exchange ---------------------------------------------------------------------- */

static void answer(struct context *c)
{
    const struct adit_answer *a = &c->x->answer;
    size_t len = 0;
    uint8_t *pairs = pairs_encode(&a->headers, NULL, 0, &len);
    remember(c->x);
    log_answer(c->x);
    if (pairs)
        proxy_send_local_response(a->status, NULL, 0, a->body.p, a->body.len, pairs, len, -1);
    else
        proxy_send_local_response(503, NULL, 0, NULL, 0, NULL, 0, -1);
    free(pairs);
    release(c, ANSWERED);
}

/* Calls the origin; false if the host cannot. */
static bool call(struct context *c)
{
    const struct adit_fetch *f = &c->x->fetch;
    const struct adit_str cluster = filter.config.upstream_cluster;
    const struct pw_pair extra[] = {
        {{":method", 7}, {"GET", 3}},
        {{":path", 5}, {f->path.p, f->path.len}},
        {{":authority", 10}, {f->authority.p, f->authority.len}},
    };
    size_t len = 0;
    uint8_t *pairs = pairs_encode(&f->headers, extra, ADIT_COUNT(extra), &len);
    bool called = pairs && proxy_http_call(cluster.p, cluster.len, pairs, len, NULL, 0, NULL, 0,
                                           f->timeout_ms, &c->call) == PW_OK;
    free(pairs);
    c->called = now_ms();
    return called;
}

/* Makes the request under way the one for the page: its fields become those of the fetch. False:
 * the host did not do all of it, and the client's cookies may still be there. */
static bool become_fetch(struct context *c)
{
    const struct adit_fetch *f = &c->x->fetch;
    return fields_clear(PW_REQUEST_HEADERS) &&
           fields_set(PW_REQUEST_HEADERS, ADIT_STR(":path"), f->path) &&
           fields_set(PW_REQUEST_HEADERS, ADIT_STR(":method"), ADIT_STR("GET")) &&
           fields_set(PW_REQUEST_HEADERS, ADIT_STR(":authority"), f->authority) &&
           fields_add(PW_REQUEST_HEADERS, &f->headers);
}

/* Does what the exchange says until it has to wait. PW_PAUSE: the request stays where it is;
 * PW_CONTINUE: it goes on to the origin. */
static enum pw_action drive(struct context *c, enum adit_action action)
{
    for (;;) switch (action) {
        case ADIT_ANSWER: answer(c); return PW_PAUSE;
        case ADIT_RECALL: action = recall(c->x); break;
        case ADIT_WAIT: c->state = WAITING; return PW_PAUSE;
        case ADIT_PASS:
            fields_edit(PW_REQUEST_HEADERS, &c->x->request_edits);
            if (c->x->done)
                release(c, PASS);
            else
                c->state = LINK;
            return PW_CONTINUE;
        case ADIT_FETCH:
            if (filter.config.mode == ADIT_MODE_INLINE && c->x->fetch.page) {
                if (become_fetch(c)) {
                    c->state = INLINE;
                    return PW_CONTINUE;
                }
            } else if (call(c)) {
                c->state = FETCHING;
                return PW_PAUSE;
            }
            action = adit_exchange_fetch_failed(c->x, ADIT_FAILED_BUSY);
            break;
        case ADIT_BODY: /* only while an answer is being read */
        default: action = adit_exchange_fetch_failed(c->x, ADIT_FAILED_CONNECT); break;
        }
}

/* The same for a stream that is paused: somebody else's callback is running. */
static void drive_paused(struct context *c, enum adit_action action)
{
    proxy_set_effective_context(c->id);
    if (drive(c, action) == PW_CONTINUE) proxy_continue_stream(PW_REQUEST);
}

/* Streams whose waiting is over, and the counters: after every callback. */
static void settle(void)
{
    struct adit_exchange *x;
    while ((x = adit_edge_ready(&filter.edge))) drive_paused(x->user, adit_exchange_resume(x));
    metrics_publish(&filter.edge);
}

/* --- exports: life ---------------------------------------------------------------------------- */

PW_EXPORT(proxy_abi_version_0_2_1) void abi_version(void) {}
PW_EXPORT(proxy_on_memory_allocate) void *memory_allocate(size_t len) { return malloc(len); }
PW_EXPORT(proxy_on_context_create) void context_create(uint32_t id, uint32_t parent)
{
    (void)id, (void)parent;
}
PW_EXPORT(proxy_on_vm_start) uint32_t vm_start(uint32_t root, size_t len)
{
    (void)root, (void)len;
    return 1;
}

static bool configure(struct adit_str json)
{
    struct adit_buf why;
    bool ok = false;
    adit_buf_init(&why, mem, 4096);
    adit_buf_lit(&why, "adit: configuration: ");
    if (filter.configured) adit_edge_free(&filter.edge);
    adit_config_free(&filter.config);
    filter.configured = false;
    if (adit_config_parse(&filter.config, json, mem, &why) != ADIT_OK) {
        say(PW_ERROR, adit_buf_str(&why));
    } else if (adit_edge_init(&filter.edge, &filter.config, mem) != ADIT_OK) {
        say(PW_ERROR, ADIT_STR("adit: configuration: origin: must be given, as https://HOST"));
    } else {
        metrics_define();
        ok = true;
    }
    adit_buf_free(&why);
    return ok;
}

PW_EXPORT(proxy_on_configure) uint32_t on_configure(uint32_t root, size_t len)
{
    uint8_t *p = NULL;
    size_t got = 0;
    (void)root;
    if (len && proxy_get_buffer_bytes(PW_PLUGIN_CONFIG, 0, len, &p, &got) != PW_OK) got = 0;
    struct adit_str json = got ? adit_str_of((const char *)p, got) : ADIT_STR("{}");
    filter.configured = configure(json);
    free(p);
    return filter.configured;
}

PW_EXPORT(proxy_on_done) uint32_t on_done(uint32_t id)
{
    (void)id;
    return 1;
}

PW_EXPORT(proxy_on_delete) void on_delete(uint32_t id)
{
    remove_context(id);
    if (filter.configured) settle();
}

/* --- exports: requests ------------------------------------------------------------------------ */

PW_EXPORT(proxy_on_request_headers)
uint32_t on_request_headers(uint32_t id, uint32_t n, uint32_t eos)
{
    struct fields f;
    struct context *c = NULL;
    enum pw_action action = PW_CONTINUE;
    (void)n, (void)eos;
    if (!filter.configured) return PW_CONTINUE;
    if (fields_read(&f, PW_REQUEST_HEADERS) && (c = add(id)) &&
        (c->x = adit_exchange_new(&filter.edge, c))) {
        const struct adit_request request = {
            .method = fields_get(&f, ADIT_STR(":method")),
            .authority = fields_get(&f, ADIT_STR(":authority")),
            .path = fields_get(&f, ADIT_STR(":path")),
            .scheme = fields_get(&f, ADIT_STR(":scheme")),
            .headers = f.v,
            .n_headers = f.n,
            .now = now_ms() / 1000,
        };
        action = drive(c, adit_exchange_request(c->x, &request));
    }
    fields_free(&f);
    settle();
    return action;
}

/* Gives the exchange a body that the host holds, in pieces, so that there is no second copy of it
 * in our memory. A host that does not give all of it: the page is cut. */
static enum adit_action take_body(struct context *c, enum pw_buffer from, size_t len)
{
    enum adit_action action = ADIT_BODY;
    for (size_t at = 0, got = 0; action == ADIT_BODY && at < len; at += got) {
        uint8_t *p = NULL;
        size_t want = len - at < PIECE ? len - at : PIECE;
        got = 0;
        if (proxy_get_buffer_bytes(from, at, want, &p, &got) != PW_OK || got == 0 || got > want)
            action = adit_exchange_fetch_failed(c->x, ADIT_FAILED_CONNECT);
        else
            action = adit_exchange_fetched_body(c->x, adit_str_of((const char *)p, got));
        free(p);
    }
    return action;
}

/* Reads a call's answer into the exchange. No field at all means that there was none. */
static enum adit_action fetched(struct context *c, size_t n, size_t body_len)
{
    struct fields f;
    uint64_t status = 0;
    enum adit_action action;
    if (n == 0 || !fields_read(&f, PW_CALL_HEADERS) ||
        !adit_str_u64(fields_get(&f, ADIT_STR(":status")), &status)) {
        int64_t limit =
            c->x->fetch.timeout_ms; /* the host's timer and its clock may differ a little */
        bool late = now_ms() - c->called >= limit - limit / 16;
        if (n) fields_free(&f);
        return adit_exchange_fetch_failed(c->x, late ? ADIT_FAILED_TIMEOUT : ADIT_FAILED_CONNECT);
    }
    action = adit_exchange_fetched(c->x, (unsigned)status, f.v, f.n);
    fields_free(&f);
    if (action == ADIT_BODY) action = take_body(c, PW_CALL_BODY, body_len);
    if (action == ADIT_BODY) action = adit_exchange_fetched_end(c->x);
    return action;
}

PW_EXPORT(proxy_on_http_call_response)
void on_http_call_response(uint32_t id, uint32_t token, uint32_t n, size_t body_len,
                           uint32_t n_trailers)
{
    struct context *c = find(id);
    (void)n_trailers;
    for (size_t i = 0; !c && i < BUCKETS; i++) /* a host that names the root context */
        for (struct context *b = filter.buckets[i]; b && !c; b = b->next)
            if (b->state == FETCHING && b->call == token) c = b;
    if (c && c->state == FETCHING && c->call == token) drive_paused(c, fetched(c, n, body_len));
    settle();
}

/* --- exports: responses ----------------------------------------------------------------------- */

/* Puts the answer of an inline exchange where the origin's header and body were. */
static void answer_in_place(struct context *c)
{
    const struct adit_answer *a = &c->x->answer;
    char digits[8];
    struct adit_buf status = {.p = digits, .cap = sizeof digits, .max = sizeof digits};
    remember(c->x);
    log_answer(c->x);
    adit_buf_u64(&status, a->status);
    bool ok = fields_clear(PW_RESPONSE_HEADERS) &&
              fields_set(PW_RESPONSE_HEADERS, ADIT_STR(":status"), adit_buf_str(&status)) &&
              fields_add(PW_RESPONSE_HEADERS, &a->headers);
    if (ok)
        proxy_set_buffer_bytes(PW_RESPONSE_BODY, 0, 0, a->body.p, a->body.len);
    else /* without its fields it would be another answer: one that caches may keep, say */
        proxy_send_local_response(503, NULL, 0, NULL, 0, NULL, 0, -1);
    release(c, ANSWERED);
}

/* The exchange asks for something that an inline stream cannot do once more (another fetch). */
static enum adit_action only_answer(struct context *c, enum adit_action action)
{
    while (action != ADIT_ANSWER && action != ADIT_BODY)
        action = action == ADIT_RECALL ? recall(c->x)
                                       : adit_exchange_fetch_failed(c->x, ADIT_FAILED_BUSY);
    return action;
}

static enum pw_action inline_header(struct context *c, const struct fields *f, unsigned status,
                                    bool eos)
{
    enum adit_action action = adit_exchange_fetched(c->x, status, f->v, f->n);
    if (action == ADIT_BODY && eos) action = adit_exchange_fetched_end(c->x);
    action = only_answer(c, action);
    if (action == ADIT_ANSWER) {
        answer(c);
        return PW_CONTINUE;
    }
    c->state = REPLACE;
    return PW_PAUSE;
}

PW_EXPORT(proxy_on_response_headers)
uint32_t on_response_headers(uint32_t id, uint32_t n, uint32_t eos)
{
    struct context *c = find(id);
    struct fields f;
    uint64_t status = 0;
    enum pw_action action = PW_CONTINUE;
    (void)n;
    if (!c || (c->state != LINK && c->state != INLINE)) return PW_CONTINUE;
    bool read = fields_read(&f, PW_RESPONSE_HEADERS) &&
                adit_str_u64(fields_get(&f, ADIT_STR(":status")), &status);
    if (c->state == INLINE && read) {
        action = inline_header(c, &f, (unsigned)status, eos != 0);
    } else if (c->state == INLINE) { /* never the origin's own answer in the place of a view */
        only_answer(c, adit_exchange_fetch_failed(c->x, ADIT_FAILED_CONNECT));
        answer(c);
    } else if (read) {
        adit_exchange_response(c->x, (unsigned)status, f.v, f.n);
        bool edited = fields_edit(PW_RESPONSE_HEADERS, &c->x->response_edits);
        if (edited && c->x->inject && !eos)
            c->state = INJECT;
        else
            release(c, PASS);
    } else {
        release(c, PASS);
    }
    fields_free(&f);
    settle();
    return action;
}

/* What becomes of the bytes of a page that the host holds. */
enum outcome {
    INJECT_HOLD,    /* the place of the link is not known: the host keeps them */
    INJECT_REPLACE, /* what they became takes their place */
    INJECT_PASS_ON  /* a doubt: they go on as they came, and so does the rest of the page */
};

/* Bytes that are missing must not take the place of those that are there. */
static void keep_fresh(struct context *c, const struct adit_buf *out)
{
    adit_buf_add(&c->fresh, adit_buf_str(out));
    if (out->err) c->fresh.err = out->err;
}

/* Adds to fresh what these bytes of the page become. */
static void make_fresh(struct context *c, struct adit_str part, bool eos)
{
    struct adit_buf out;
    adit_buf_init(&out, mem, SIZE_MAX);
    adit_exchange_inject(c->x, part, &out);
    keep_fresh(c, &out);
    if (eos) {
        adit_exchange_inject_end(c->x, &out);
        keep_fresh(c, &out);
    }
    adit_buf_free(&out);
}

/* Looks at the bytes that the host holds, of which those in pending have been seen before. As long
 * as the place of the link is not decided the host keeps them, so that nothing can get lost: not by
 * trailers, not by a stream that ends early. */
static enum outcome decide_injection(struct context *c, struct adit_str body, bool eos)
{
    struct adit_str seen = adit_buf_str(&c->pending);
    if (!adit_str_starts(body, seen)) return INJECT_PASS_ON; /* the host sent on what it held */
    struct adit_str part = adit_str_sub(body, seen.len, body.len);
    make_fresh(c, part, eos);
    if (c->fresh.err) return INJECT_PASS_ON;
    if (!c->x->inject_held) return INJECT_REPLACE;
    if (eos || body.len >= PENDING_MAX) return INJECT_PASS_ON;
    adit_buf_add(&c->pending, part);
    return c->pending.err ? INJECT_PASS_ON : INJECT_HOLD;
}

static enum pw_action inject(struct context *c, size_t len, bool eos)
{
    uint8_t *p = NULL;
    size_t got = 0;
    enum outcome outcome = INJECT_PASS_ON;
    if (len > c->fresh.max) { /* fresh could not hold it: no copy of it is needed */
        release(c, PASS);
        return PW_CONTINUE;
    }
    if (len && proxy_get_buffer_bytes(PW_RESPONSE_BODY, 0, len, &p, &got) != PW_OK) got = 0;
    struct adit_str body = adit_str_of((const char *)p, got);
    if (got == len) outcome = decide_injection(c, body, eos);
    if (outcome == INJECT_REPLACE && !adit_str_eq(adit_buf_str(&c->fresh), body))
        proxy_set_buffer_bytes(PW_RESPONSE_BODY, 0, len, c->fresh.p, c->fresh.len);
    free(p);
    if (outcome == INJECT_HOLD) return PW_PAUSE;
    if (outcome == INJECT_REPLACE && c->x->inject_more && !eos) /* the next bytes begin anew */
        adit_buf_clear(&c->pending), adit_buf_clear(&c->fresh);
    else
        release(c, PASS);
    return PW_CONTINUE;
}

/* Takes what the origin sent out of the host's buffer, bit by bit. With its last byte the answer
 * takes the place of header and body; an answer that is known before replaces the whole response.
 */
static enum pw_action replace(struct context *c, size_t len, bool eos)
{
    enum adit_action action = take_body(c, PW_RESPONSE_BODY, len);
    if (len) proxy_set_buffer_bytes(PW_RESPONSE_BODY, 0, len, NULL, 0);
    if (action == ADIT_BODY && eos) action = adit_exchange_fetched_end(c->x);
    action = only_answer(c, action);
    if (action == ADIT_BODY) return PW_PAUSE;
    if (eos)
        answer_in_place(c);
    else
        answer(c);
    return PW_CONTINUE;
}

PW_EXPORT(proxy_on_response_body) uint32_t on_response_body(uint32_t id, size_t len, uint32_t eos)
{
    struct context *c = find(id);
    enum pw_action action = PW_CONTINUE;
    if (c && c->state == INJECT) action = inject(c, len, eos != 0);
    if (c && c->state == REPLACE) action = replace(c, len, eos != 0);
    settle();
    return action;
}

PW_EXPORT(proxy_on_response_trailers) uint32_t on_response_trailers(uint32_t id, uint32_t n)
{
    struct context *c = find(id);
    (void)n;
    if (c && c->state == REPLACE) replace(c, 0, true);
    if (c && c->state == INJECT) release(c, PASS);
    settle();
    return PW_CONTINUE;
}
