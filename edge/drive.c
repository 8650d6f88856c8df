/* Driving an exchange: what it asks for is asked of the host, what it answers is sent. */
#include "edge/filter_impl.h"
#include "edge/module.h"

enum {
    MEMORY_SLOTS = 4096, /* of the validator memory in shared data, which cannot be deleted */
    TICK_MS = 1          /* until streams whose waiting is over go on, if nothing else happens */
};

int64_t now_ms(void)
{
    uint64_t ns = 0;
    proxy_get_current_time_nanoseconds(&ns);
    return (int64_t)(ns / 1000000u);
}

void say(enum pw_log_level level, struct adit_str message)
{
    proxy_log(level, message.p, message.len);
}

static void log_answer(const struct adit_exchange *x)
{
    char space[MODULE_LINE_MAX];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    module_answer_line(&b, x);
    if (!b.err) say(x->answer.status >= 500 ? PW_WARN : PW_INFO, adit_buf_str(&b));
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

void note_answer(const struct adit_exchange *x)
{
    remember(x);
    log_answer(x);
}

/* --- answers ---------------------------------------------------------------------------------- */

/* Envoy removes Content-Type and Content-Length from a local response without a body, and never
 * sends the body of one to HEAD: so HEAD, too, has the body that GET would get. */
void send_answer(struct stream *s)
{
    const struct adit_answer *a = &s->x->answer;
    struct adit_str body = a->body_of_get;
    size_t len = 0;
    uint8_t *pairs = pairs_encode(&a->headers, NULL, 0, &len);
    note_answer(s->x);
    if (pairs)
        proxy_send_local_response(a->status, NULL, 0, body.p, body.len, pairs, len, -1);
    else
        proxy_send_local_response(503, NULL, 0, NULL, 0, NULL, 0, -1);
    free(pairs);
    stream_release(s, ANSWERED);
}

enum adit_action only_answer(struct stream *s, enum adit_action action)
{
    while (action != ADIT_ANSWER && action != ADIT_BODY)
        action = action == ADIT_RECALL ? recall(s->x)
                                       : adit_exchange_fetch_failed(s->x, ADIT_FAILED_BUSY);
    return action;
}

/* --- fetches ---------------------------------------------------------------------------------- */

/* The host makes no call. An argument that it refuses is a name that it does not know: a mistake in
 * the configuration, which only its status tells from a host that has no room. */
static enum adit_fetch_failure tell_refused_call(struct adit_str cluster, enum pw_status status)
{
    bool unknown = status == PW_BAD_ARGUMENT || status == PW_NOT_FOUND;
    struct adit_buf line;
    adit_buf_init(&line, mem, 1024);
    adit_buf_lit(&line, "adit: upstream.cluster ");
    adit_buf_add(&line, cluster);
    adit_buf_lit(&line, unknown ? ": the host knows no such cluster (status "
                                : ": the host makes no call (status ");
    adit_buf_u64(&line, status);
    adit_buf_byte(&line, ')');
    say(PW_ERROR, adit_buf_str(&line));
    adit_buf_free(&line);
    return unknown ? ADIT_FAILED_CONNECT : ADIT_FAILED_BUSY;
}

/* Calls the origin; false if the host cannot, and why. */
static bool call(struct stream *s, enum adit_fetch_failure *why)
{
    const struct adit_fetch *f = &s->x->fetch;
    const struct adit_str cluster = s->setup->config.upstream_cluster;
    const struct pw_pair extra[] = {
        {{":method", 7}, {"GET", 3}},
        {{":path", 5}, {f->path.p, f->path.len}},
        {{":authority", 10}, {f->authority.p, f->authority.len}},
    };
    size_t len = 0;
    uint8_t *pairs = pairs_encode(&f->headers, extra, ADIT_COUNT(extra), &len);
    *why = ADIT_FAILED_BUSY;
    if (!pairs) return false;
    enum pw_status status = proxy_http_call(cluster.p, cluster.len, pairs, len, NULL, 0, NULL, 0,
                                            f->timeout_ms, &s->call);
    free(pairs);
    s->called = now_ms();
    if (status != PW_OK) *why = tell_refused_call(cluster, status);
    return status == PW_OK;
}

/* Makes the request under way the one for the page: its fields become those of the fetch. False:
 * the host did not do all of it, and the client's cookies may still be there. */
static bool become_fetch(struct stream *s)
{
    const struct adit_fetch *f = &s->x->fetch;
    return fields_clear(PW_REQUEST_HEADERS) &&
           fields_set(PW_REQUEST_HEADERS, ADIT_STR(":path"), f->path) &&
           fields_set(PW_REQUEST_HEADERS, ADIT_STR(":method"), ADIT_STR("GET")) &&
           fields_set(PW_REQUEST_HEADERS, ADIT_STR(":authority"), f->authority) &&
           fields_add(PW_REQUEST_HEADERS, &f->headers);
}

/* Asks the origin, one way or the other: true and what the host is to do; or false and why not. */
static bool fetch(struct stream *s, enum pw_action *result, enum adit_fetch_failure *why)
{
    bool is_inline = s->setup->config.mode == ADIT_MODE_INLINE && s->x->fetch.page;
    *why = ADIT_FAILED_BUSY;
    if (is_inline ? !become_fetch(s) : !call(s, why)) return false;
    s->state = is_inline ? INLINE : FETCHING;
    *result = is_inline ? PW_CONTINUE : PW_PAUSE;
    return true;
}

/* --- until it has to wait --------------------------------------------------------------------- */

enum pw_action drive(struct stream *s, enum adit_action action)
{
    enum pw_action result = PW_PAUSE;
    enum adit_fetch_failure why = ADIT_FAILED_CONNECT;
    for (;;) switch (action) {
        case ADIT_ANSWER: send_answer(s); return PW_PAUSE;
        case ADIT_RECALL: action = recall(s->x); break;
        case ADIT_WAIT: s->state = WAITING; return PW_PAUSE;
        case ADIT_PASS:
            fields_edit(PW_REQUEST_HEADERS, &s->x->request_edits);
            if (s->x->done)
                stream_release(s, PASS);
            else
                s->state = LINK;
            return PW_CONTINUE;
        case ADIT_FETCH:
            if (fetch(s, &result, &why)) return result;
            action = adit_exchange_fetch_failed(s->x, why);
            break;
        case ADIT_BODY: /* only while an answer is being read */
        default: action = adit_exchange_fetch_failed(s->x, ADIT_FAILED_CONNECT); break;
        }
}

void drive_paused(struct stream *s, enum adit_action action)
{
    /* A host that does not let us speak for the stream: what is said would reach another one. */
    if (proxy_set_effective_context(s->id) != PW_OK)
        stream_release(s, PASS);
    else if (drive(s, action) == PW_CONTINUE)
        proxy_continue_stream(PW_REQUEST);
}

void settle(void)
{
    for (struct setup *setup = setup_hold(setup_first()), *next; setup; setup = next) {
        struct adit_exchange *x;
        while ((x = adit_edge_ready(&setup->edge))) drive_paused(x->user, adit_exchange_resume(x));
        metrics_publish(setup);
        next = setup_hold(setup->next);
        setup_release(setup);
    }
}

void settle_later(struct setup *setup)
{
    if (!setup) return;
    if (adit_edge_has_ready(&setup->edge)) proxy_set_tick_period_milliseconds(TICK_MS);
    metrics_publish(setup);
}
