/* What an answer leads to: another hop, the same again later, or the caller. */
#include "batch/fetch/fetch_impl.h"
#include "batch/cli/cli.h"
#include "http/http.h"

enum { BACKOFF_MS = 1000, STRIKES = 3 };

/* --- politeness ------------------------------------------------------------------------------- */

/* The host wants to be left alone for so long. */
static void pause_host(struct fetch_transfer *t, uint64_t seconds)
{
    struct fetch_host *h = t->host;
    if (seconds > t->f->o.retry_after_max_s) {
        h->closed = true;
        return;
    }
    int64_t until = clock_ms() + (int64_t)seconds * 1000;
    if (until > h->pause_ms) h->pause_ms = until;
}

/* 429, 503: whether to ask again. Without Retry-After, twice as long each time. */
static bool ask_again(struct fetch_transfer *t)
{
    struct fetch_host *h = t->host;
    const struct fetch_reply *r = &t->reply;
    uint64_t seconds;
    if (adit_retry_after(fetch_field(r, "retry-after"), r->unix_s, &seconds)) {
        pause_host(t, seconds);
    } else {
        int64_t until = clock_ms() + (BACKOFF_MS << (t->attempts < 6 ? t->attempts : 6));
        if (until > h->pause_ms) h->pause_ms = until;
    }
    /* A host that answers nothing else is not asked for every page. */
    if (++h->strikes >= STRIKES * (t->f->o.retries + 1)) h->closed = true;
    return !h->closed && t->attempts < t->f->o.retries;
}

/* --- redirects -------------------------------------------------------------------------------- */

static bool is_redirect(const struct fetch_transfer *t)
{
    unsigned s = t->reply.status;
    bool moved = s == 301 || s == 302 || s == 303 || s == 307 || s == 308;
    return moved && t->q.follow != FETCH_FOLLOW_NEVER && fetch_field(&t->reply, "location").len;
}

bool fetch_is_interim(struct fetch_transfer *t)
{
    const struct fetch_reply *r = &t->reply;
    uint64_t seconds;
    bool busy = r->status == 429 || r->status == 503;
    if (busy)
        t->again = ask_again(t);
    else
        t->host->strikes = 0;
    if (adit_rate_limit(r->headers, r->n_headers, r->unix_s, &seconds)) pause_host(t, seconds);
    if (busy && t->host->closed) t->reply.error = FETCH_BUSY;
    return t->again || is_redirect(t);
}

static enum fetch_error check_hop(struct fetch_transfer *t, struct adit_str to,
                                  enum fetch_error error)
{
    struct fetch_reply *r = &t->reply;
    if (error == FETCH_URL) return FETCH_REDIRECT_BAD;
    r->location = to;
    bool same = adit_str_eq(adit_url_origin(to), adit_url_origin(r->url));
    if (error == FETCH_ORIGIN || (t->q.follow == FETCH_FOLLOW_SAME && !same))
        return FETCH_REDIRECT_ORIGIN;
    if (error) return error;
    for (unsigned i = 0; i <= r->redirects; i++)
        if (adit_str_eq(to, t->chain[i])) return FETCH_REDIRECT_LOOP;
    return r->redirects == t->redirects_max ? FETCH_REDIRECTS : FETCH_OK;
}

static enum fetch_error follow(struct fetch_transfer *t)
{
    struct fetch_reply *r = &t->reply;
    struct adit_url base;
    struct adit_str to;
    size_t origin_len;
    if (adit_url_parse(r->url, NULL, &t->life, &base) != ADIT_OK) return FETCH_REDIRECT_BAD;
    enum fetch_error error =
        fetch_url_check(t->f, fetch_field(r, "location"), &base, &t->life, &to, &origin_len);
    error = check_hop(t, to, error);
    if (error) return error;
    struct fetch_host *host = fetch_host_of(t->f, adit_str_sub(to, 0, origin_len));
    if (!host) return FETCH_MEMORY;
    t->host = host;
    r->permanent = (r->redirects == 0 || r->permanent) && (r->status == 301 || r->status == 308);
    t->chain[++r->redirects] = r->url = to;
    r->location = (struct adit_str){0};
    t->f->counts.redirects++;
    return FETCH_OK;
}

/* --- the end of a transfer -------------------------------------------------------------------- */

static enum fetch_error of_curl(const struct fetch_transfer *t, CURLcode result)
{
    static const struct {
        CURLcode code;
        enum fetch_error error;
    } rows[] = {
        {CURLE_OK, FETCH_OK},
        {CURLE_COULDNT_RESOLVE_HOST, FETCH_DNS},
        {CURLE_COULDNT_RESOLVE_PROXY, FETCH_DNS},
        {CURLE_COULDNT_CONNECT, FETCH_CONNECT},
        {CURLE_SEND_ERROR, FETCH_CONNECT},
        {CURLE_PEER_FAILED_VERIFICATION, FETCH_TLS},
        {CURLE_SSL_CONNECT_ERROR, FETCH_TLS},
        {CURLE_SSL_CERTPROBLEM, FETCH_TLS},
        {CURLE_SSL_CIPHER, FETCH_TLS},
        {CURLE_SSL_CACERT_BADFILE, FETCH_TLS},
        {CURLE_SSL_ISSUER_ERROR, FETCH_TLS},
        {CURLE_OPERATION_TIMEDOUT, FETCH_TIMEOUT},
        {CURLE_PARTIAL_FILE, FETCH_CUT_OFF},
        {CURLE_RECV_ERROR, FETCH_CUT_OFF},
        {CURLE_GOT_NOTHING, FETCH_CUT_OFF},
        {CURLE_HTTP2_STREAM, FETCH_CUT_OFF},
        {CURLE_OUT_OF_MEMORY, FETCH_MEMORY},
        {CURLE_URL_MALFORMAT, FETCH_URL},
    };
    if (t->refused) return FETCH_ADDRESS;
    if (result == CURLE_OPERATION_TIMEDOUT && fetch_time_left(t->f) <= 0) return FETCH_BUDGET;
    for (size_t i = 0; i < ADIT_COUNT(rows); i++)
        if (rows[i].code == result) return rows[i].error;
    return FETCH_REPLY;
}

/* How the body ended. */
static enum fetch_error end_body(struct fetch_transfer *t, CURLcode result)
{
    struct fetch_reply *r = &t->reply;
    enum fetch_error error = r->error;
    /* Nobody reads the rest of a body that is dropped; so it may be cut off. */
    if (!error && !t->dropping) error = of_curl(t, result);
    if (!error && !t->head_done) return FETCH_REPLY;
    if (!error && !t->dropping) error = fetch_body_end(t);
    bool fault = error && error != FETCH_BUDGET && error != FETCH_MEMORY && error != FETCH_BUSY;
    if (!fault || !t->input || r->status < 300) return error;
    adit_buf_clear(&t->body);
    return FETCH_OK;
}

void fetch_answer(struct fetch_transfer *t, CURLcode result)
{
    enum fetch_error error = end_body(t, result);
    if (!error && t->again) {
        t->attempts++;
        t->f->counts.retries++;
    } else if (!error && t->dropping) {
        error = follow(t);
    }
    fetch_land(t);
    if (error || !t->dropping) {
        if (error == FETCH_BUDGET) t->f->exhausted = true;
        fetch_finish(t, error);
        return;
    }
    fetch_body_close(t);
    fetch_enqueue(t, true);
}
