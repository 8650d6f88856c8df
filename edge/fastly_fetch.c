/* Asking a backend, and never longer than the exchange allows. The host has timeouts of its own, for a
 * backend; ours is for the whole answer, as on the other hosts. */
#include "edge/fastly_impl.h"
#include "edge/module.h"

#include <wasi/api.h>

/* Milliseconds of one of the host's clocks; 0 if it has none. */
static int64_t read_clock(__wasi_clockid_t clock)
{
    __wasi_timestamp_t ns = 0;
    if (__wasi_clock_time_get(clock, 1000000, &ns) != 0) return 0;
    return (int64_t)(ns / 1000000);
}

int64_t now_ms(void) { return read_clock(__WASI_CLOCKID_MONOTONIC); }
int64_t unix_time(void) { return read_clock(__WASI_CLOCKID_REALTIME) / 1000; }

bool write_all(uint32_t body, struct adit_str bytes)
{
    for (size_t at = 0, done = 0; at < bytes.len; at += done) {
        done = 0;
        if (fastly_http_body_write(body, bytes.p + at, bytes.len - at, FASTLY_BACK, &done) !=
                FASTLY_OK ||
            done == 0 || done > bytes.len - at)
            return false;
    }
    return true;
}

/* Until the handle is ready. False: it is not, in time. */
static bool await(uint32_t handle, int64_t deadline)
{
    uint32_t index = 0;
    if (deadline == 0) return true;
    int64_t left = deadline - now_ms();
    return left > 0 && fastly_async_io_select(&handle, 1, (uint32_t)left, &index) == FASTLY_OK &&
           index == 0;
}

static enum adit_fetch_failure failure_of(uint32_t status, const struct fastly_send_error *e)
{
    if (status == FASTLY_LIMIT) return ADIT_FAILED_BUSY;
    switch (e->tag) {
    case FASTLY_SEND_DNS_TIMEOUT:
    case FASTLY_SEND_CONNECT_TIMEOUT:
    case FASTLY_SEND_RESPONSE_TIMEOUT: return ADIT_FAILED_TIMEOUT;
    case FASTLY_SEND_CONNECTIONS: return ADIT_FAILED_BUSY;
    default: return ADIT_FAILED_CONNECT;
    }
}

bool send_request(struct service *s, uint32_t request, uint32_t body, int64_t deadline,
                  uint32_t *response, uint32_t *response_body, enum adit_fetch_failure *why)
{
    const struct adit_str backend = s->config.upstream_cluster;
    struct fastly_send_error error = {.mask = FASTLY_SEND_ERROR_ALL};
    uint32_t pending = 0;
    s->asked++;
    uint32_t status = fastly_http_req_send_async(request, body, backend.p, backend.len, &pending);
    bool sent = status == FASTLY_OK;
    if (sent) {
        if (!await(pending, deadline)) {
            *why = ADIT_FAILED_TIMEOUT;
            return false;
        }
        status = fastly_http_req_pending_req_wait_v2(pending, &error, response, response_body);
    }
    if (status == FASTLY_OK) return true;
    bool unknown = sent ? error.tag == FASTLY_SEND_NO_BACKEND : status == FASTLY_INVAL;
    *why = failure_of(status, &error);
    if (!sent && !unknown) *why = ADIT_FAILED_BUSY;
    if (unknown || !sent) service_say_refused(s, status, unknown);
    return false;
}

bool read_body(uint32_t body, char *p, size_t max, int64_t deadline, size_t *len,
               enum adit_fetch_failure *why)
{
    *why = ADIT_FAILED_TIMEOUT;
    *len = 0;
    if (!await(body, deadline)) return false;
    *why = ADIT_FAILED_CONNECT;
    return fastly_http_body_read(body, p, max, len) == FASTLY_OK && *len <= max;
}

/* --- what the exchange asks for ------------------------------------------------------------------ */

/* A request of its own: nothing of the client's is in it but what the exchange says. */
static bool make_request(struct visit *v, uint32_t *request, uint32_t *body)
{
    const struct adit_fetch *f = &v->x->fetch;
    struct adit_buf uri;
    adit_buf_init(&uri, mem, 64 << 10);
    adit_buf_lit(&uri, "https://");
    adit_buf_add(&uri, f->authority);
    adit_buf_add(&uri, f->path);
    bool ok = !uri.err && fastly_http_req_new(request) == FASTLY_OK &&
              fastly_http_body_new(body) == FASTLY_OK &&
              fastly_http_req_uri_set(*request, uri.p, uri.len) == FASTLY_OK &&
              fields_set(REQUEST, *request, ADIT_STR("host"), f->authority) &&
              fields_add(REQUEST, *request, &f->headers);
    adit_buf_free(&uri);
    return ok;
}

/* Gives the exchange the body, bit by bit, and those who wait for it their copy. */
static enum adit_action take_body(struct visit *v, uint32_t body, struct share *share,
                                  int64_t deadline)
{
    static char piece[PIECE];
    enum adit_action action = ADIT_BODY;
    enum adit_fetch_failure why;
    size_t len = 0;
    bool whole = false;
    while (action == ADIT_BODY) {
        if (!read_body(body, piece, sizeof piece, deadline, &len, &why)) {
            action = adit_exchange_fetch_failed(v->x, why);
        } else if (len == 0) {
            whole = true;
            action = adit_exchange_fetched_end(v->x);
        } else {
            share_write(share, adit_str_of(piece, len));
            action = adit_exchange_fetched_body(v->x, adit_str_of(piece, len));
        }
    }
    share_end(share, whole);
    fastly_http_body_close(body);
    return action;
}

/* Of an answer whose body is not read those who wait have none either: it breaks off for who would read
 * it, unless there is none in answers of that status. */
static enum adit_action take_answer(struct visit *v, unsigned status, const struct fields *f,
                                    uint32_t body, struct share *share, int64_t deadline)
{
    v->keys = adit_header_get(f->v, f->n, ADIT_STR("surrogate-key"));
    share_offer(share, v, status, f);
    enum adit_action action = adit_exchange_fetched(v->x, status, f->v, f->n);
    if (action == ADIT_BODY) return take_body(v, body, share, deadline);
    share_end(share, status != 200);
    fastly_http_body_close(body);
    return action;
}

static enum adit_action ask(struct visit *v, struct share *share, int64_t deadline)
{
    uint32_t request, body, response = 0, response_body = 0;
    struct fields f;
    uint16_t status = 0;
    enum adit_fetch_failure why = ADIT_FAILED_BUSY;
    bool ok = make_request(v, &request, &body) &&
              send_request(v->s, request, body, deadline, &response, &response_body, &why);
    if (ok && fastly_http_resp_status_get(response, &status) == FASTLY_OK &&
        fields_read(&f, RESPONSE, response, &v->arena))
        return take_answer(v, status, &f, response_body, share, deadline);
    share_offer(share, v, 599, &(struct fields){0}); /* nothing for others: they ask themselves */
    share_end(share, false);
    return adit_exchange_fetch_failed(v->x, ok ? ADIT_FAILED_CONNECT : why);
}

enum adit_action fetch(struct visit *v)
{
    int64_t deadline = now_ms() + v->x->fetch.timeout_ms;
    struct share share;
    struct fields f;
    unsigned status = 0;
    uint32_t body = 0;
    share_join(&share, &v->x->fetch, deadline);
    if (share.role == SHARE_LATE) return adit_exchange_fetch_failed(v->x, ADIT_FAILED_TIMEOUT);
    if (share.role == SHARE_GIVEN) {
        if (share_take(&share, &v->arena, &status, &f, &body))
            return take_answer(v, status, &f, body, &share, deadline);
        share_end(&share, false);
    }
    return ask(v, &share, deadline);
}
