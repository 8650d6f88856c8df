/* adit-edge.wasm: the proxy-wasm filter. It moves bytes and header fields between the host and the
 * exchange (exchange/exchange.h), which makes every decision.
 *
 * A stream is in one of the states below. Whatever goes wrong on a page (no memory, a host call
 * that fails, a body that does not come as expected) ends in PASS: people get the origin's bytes.
 */
#include "edge/module.h"
#include "edge/proxy_wasm.h"
#include "exchange/exchange.h"

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
    uint32_t metric_ids[ADIT_COUNTER_COUNT], failure_ids[ADIT_REASONS];
    uint64_t counters[ADIT_COUNTER_COUNT], failures[ADIT_REASONS];
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

/* --- metrics: what the edge counted since the last time --------------------------------------- */

static uint32_t define_metric(const char *prefix, const char *name)
{
    char space[96];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    uint32_t id = 0;
    adit_buf_lit(&b, prefix);
    adit_buf_lit(&b, name);
    if (b.err || proxy_define_metric(PW_COUNTER, b.p, b.len, &id) != PW_OK) return 0;
    return id;
}

static void define_metrics(void)
{
    for (size_t i = 0; i < ADIT_COUNTER_COUNT; i++)
        filter.metric_ids[i] = define_metric("adit.", adit_counters[i].name);
    for (size_t i = 1; i < ADIT_REASONS; i++)
        filter.failure_ids[i] = define_metric("adit.failed.", adit_reasons[i].name);
}

static void publish(const uint64_t *now_, uint64_t *then, const uint32_t *ids, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (now_[i] == then[i]) continue;
        if (ids[i]) proxy_increment_metric(ids[i], (int64_t)(now_[i] - then[i]));
        then[i] = now_[i];
    }
}

static void publish_metrics(void)
{
    publish(filter.edge.counters, filter.counters, filter.metric_ids, ADIT_COUNTER_COUNT);
    publish(filter.edge.failures, filter.failures, filter.failure_ids, ADIT_REASONS);
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

/* --- header maps ------------------------------------------------------------------------------ */

/* Fields of a map, as slices of one block of the host's; free with fields_free. */
struct fields {
    uint8_t *block;
    struct adit_header *v;
    size_t n;
};

static void fields_free(struct fields *f)
{
    free(f->block);
    free(f->v);
    *f = (struct fields){0};
}

static bool fields_read(struct fields *f, enum pw_map map)
{
    size_t len = 0;
    struct pw_pairs_reader r;
    struct pw_pair pair;
    *f = (struct fields){0};
    if (proxy_get_header_map_pairs(map, &f->block, &len) != PW_OK) return false;
    if (!pw_pairs_open(&r, f->block, len)) return false;
    f->v = malloc((r.n + 1) * sizeof *f->v);
    if (!f->v) return false;
    while (pw_pairs_next(&r, &pair))
        f->v[f->n++] = (struct adit_header){adit_str_of(pair.key.p, pair.key.len),
                                            adit_str_of(pair.value.p, pair.value.len)};
    return f->n == r.n;
}

static struct adit_str field(const struct fields *f, struct adit_str name)
{
    return adit_header_get(f->v, f->n, name);
}

static bool edit_one(enum pw_map map, const struct adit_edit *e)
{
    struct adit_str name = e->op == ADIT_EDIT_PATH ? ADIT_STR(":path") : e->name, v = e->value;
    enum pw_status status;
    if (e->op == ADIT_EDIT_REMOVE)
        status = proxy_remove_header_map_value(map, name.p, name.len);
    else if (e->op == ADIT_EDIT_ADD)
        status = proxy_add_header_map_value(map, name.p, name.len, v.p, v.len);
    else
        status = proxy_replace_header_map_value(map, name.p, name.len, v.p, v.len);
    return status == PW_OK;
}

/* These three say whether the host did all of it. */
static bool edit(enum pw_map map, const struct adit_edits *edits)
{
    bool ok = true;
    for (size_t i = 0; i < edits->n; i++) ok &= edit_one(map, &edits->v[i]);
    return ok;
}

/* Removes all fields but the pseudo fields. */
static bool clear_fields(enum pw_map map)
{
    struct fields had;
    bool ok = fields_read(&had, map);
    for (size_t i = 0; ok && i < had.n; i++)
        if (had.v[i].name.len && had.v[i].name.p[0] != ':')
            ok = proxy_remove_header_map_value(map, had.v[i].name.p, had.v[i].name.len) == PW_OK;
    fields_free(&had);
    return ok;
}

static bool add_fields(enum pw_map map, const struct adit_headers *h)
{
    bool ok = true;
    for (size_t i = 0; i < h->n; i++)
        ok &= proxy_add_header_map_value(map, h->v[i].name.p, h->v[i].name.len, h->v[i].value.p,
                                         h->v[i].value.len) == PW_OK;
    return ok;
}

/* Pairs in the ABI's form, in memory of ours; NULL without memory. extra pairs stand first. */
static uint8_t *pairs_encode(const struct adit_headers *headers, const struct pw_pair *extra,
                             size_t n_extra, size_t *len)
{
    size_t n = n_extra + headers->n;
    struct pw_pair *pairs = malloc((n + 1) * sizeof *pairs);
    uint8_t *out = NULL;
    if (!pairs) return NULL;
    for (size_t i = 0; i < n_extra; i++) pairs[i] = extra[i];
    for (size_t i = 0; i < headers->n; i++) {
        const struct adit_header *h = &headers->v[i];
        pairs[n_extra + i] = (struct pw_pair){{h->name.p, h->name.len}, {h->value.p, h->value.len}};
    }
    *len = pw_pairs_len(pairs, n);
    out = malloc(*len);
    if (out) pw_pairs_write(out, pairs, n);
    free(pairs);
    return out;
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

static bool set(enum pw_map map, struct adit_str name, struct adit_str value)
{
    return proxy_replace_header_map_value(map, name.p, name.len, value.p, value.len) == PW_OK;
}

/* Makes the request under way the one for the page: its fields become those of the fetch. False:
 * the host did not do all of it, and the client's cookies may still be there. */
static bool become_fetch(struct context *c)
{
    const struct adit_fetch *f = &c->x->fetch;
    return clear_fields(PW_REQUEST_HEADERS) &&
           set(PW_REQUEST_HEADERS, ADIT_STR(":path"), f->path) &&
           set(PW_REQUEST_HEADERS, ADIT_STR(":method"), ADIT_STR("GET")) &&
           set(PW_REQUEST_HEADERS, ADIT_STR(":authority"), f->authority) &&
           add_fields(PW_REQUEST_HEADERS, &f->headers);
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
            edit(PW_REQUEST_HEADERS, &c->x->request_edits);
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
    publish_metrics();
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
        define_metrics();
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
            .method = field(&f, ADIT_STR(":method")),
            .authority = field(&f, ADIT_STR(":authority")),
            .path = field(&f, ADIT_STR(":path")),
            .scheme = field(&f, ADIT_STR(":scheme")),
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
        !adit_str_u64(field(&f, ADIT_STR(":status")), &status)) {
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
    bool ok = clear_fields(PW_RESPONSE_HEADERS) &&
              set(PW_RESPONSE_HEADERS, ADIT_STR(":status"), adit_buf_str(&status)) &&
              add_fields(PW_RESPONSE_HEADERS, &a->headers);
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
                adit_str_u64(field(&f, ADIT_STR(":status")), &status);
    if (c->state == INLINE && read) {
        action = inline_header(c, &f, (unsigned)status, eos != 0);
    } else if (c->state == INLINE) { /* never the origin's own answer in the place of a view */
        only_answer(c, adit_exchange_fetch_failed(c->x, ADIT_FAILED_CONNECT));
        answer(c);
    } else if (read) {
        adit_exchange_response(c->x, (unsigned)status, f.v, f.n);
        bool edited = edit(PW_RESPONSE_HEADERS, &c->x->response_edits);
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

/* Bytes that are missing must not take the place of those that are there. */
static void keep_fresh(struct context *c, const struct adit_buf *out)
{
    adit_buf_add(&c->fresh, adit_buf_str(out));
    if (out->err) c->fresh.err = out->err;
}

/* Looks at the bytes that the host holds. As long as the place of the link is not decided the host
 * keeps them, so that nothing can get lost: not by trailers, not by a stream that ends early. */
static enum pw_action inject(struct context *c, size_t len, bool eos)
{
    uint8_t *p = NULL;
    size_t got = 0;
    struct adit_buf out;
    enum pw_action action = PW_CONTINUE;
    if (len > c->fresh.max) { /* it could not be put in its place: no copy of it is needed */
        release(c, PASS);
        return PW_CONTINUE;
    }
    adit_buf_init(&out, mem, SIZE_MAX);
    if (len && proxy_get_buffer_bytes(PW_RESPONSE_BODY, 0, len, &p, &got) != PW_OK) got = 0;
    struct adit_str held = adit_buf_str(&c->pending), body = adit_str_of((const char *)p, got);
    bool whole = got == len && adit_str_starts(body, held); /* some hosts send on what we held */
    struct adit_str part = adit_str_sub(body, held.len, body.len);
    if (whole) {
        adit_exchange_inject(c->x, part, &out);
        keep_fresh(c, &out);
        if (eos) {
            adit_exchange_inject_end(c->x, &out);
            keep_fresh(c, &out);
        }
    }
    if (whole && !eos && c->x->inject_held && body.len < PENDING_MAX) {
        adit_buf_add(&c->pending, part);
        action = c->pending.err || c->fresh.err ? PW_CONTINUE : PW_PAUSE;
    }
    if (action == PW_CONTINUE) {
        if (whole && !c->fresh.err && !c->x->inject_held &&
            !adit_str_eq(adit_buf_str(&c->fresh), body))
            proxy_set_buffer_bytes(PW_RESPONSE_BODY, 0, len, c->fresh.p, c->fresh.len);
        if (!c->x->inject_more || !whole || eos || c->x->inject_held || c->fresh.err)
            release(c, PASS);
        else
            adit_buf_clear(&c->pending), adit_buf_clear(&c->fresh);
    }
    adit_buf_free(&out);
    free(p);
    return action;
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
