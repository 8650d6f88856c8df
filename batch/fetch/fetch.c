/* The client: hosts, their queues, and the loop that moves everything. */
#include "batch/fetch/fetch_impl.h"
#include "batch/cli/cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POLL_MS = 1000 };

static const struct {
    const char *name, *text;
} errors[] = {
#define FETCH_ERROR_ROW(name, text) {#name, text},
    FETCH_ERRORS(FETCH_ERROR_ROW)
#undef FETCH_ERROR_ROW
};

const char *fetch_error_text(enum fetch_error error)
{
    return (size_t)error < ADIT_COUNT(errors) ? errors[error].text : "unknown error";
}

const char *fetch_error_name(enum fetch_error error)
{
    return (size_t)error < ADIT_COUNT(errors) ? errors[error].name : "UNKNOWN";
}

int64_t fetch_time_left(const struct fetch *f)
{
    if (!f->o.run_ms) return INT64_MAX;
    return f->started_ms + (int64_t)f->o.run_ms - clock_ms();
}

struct adit_str fetch_field(const struct fetch_reply *r, const char *name)
{
    return adit_header_get(r->headers, r->n_headers, adit_str_z(name));
}

const struct fetch_counts *fetch_counts(const struct fetch *f) { return &f->counts; }
bool fetch_exhausted(const struct fetch *f) { return f->exhausted; }

/* Writing to a connection that is gone must not end the process; curl leaves that to us. */
static void ignore_pipe(struct sigaction *before)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, before);
}

/* --- opening ---------------------------------------------------------------------------------- */

static void set_defaults(struct fetch_options *o)
{
#define DEFAULT(name, value) \
    if (!o->name) o->name = (value)
    DEFAULT(user_agent, "adit");
    DEFAULT(parallel, 2);
    DEFAULT(parallel_total, 16);
    DEFAULT(crawl_delay_max_s, 10);
    DEFAULT(connect_ms, 10000);
    DEFAULT(stall_ms, 30000);
    DEFAULT(request_ms, 120000);
    DEFAULT(retries, 2);
    DEFAULT(retry_after_max_s, 120);
    DEFAULT(body_max, 64u << 20);
#undef DEFAULT
    if (o->retries == FETCH_NONE) o->retries = 0;
}

static bool set_site(struct fetch *f)
{
    struct adit_arena arena;
    struct adit_str url;
    adit_arena_init(&arena, cli_mem, 256 << 10);
    bool fine = adit_url_page(adit_str_z(f->o.site), &arena, &url) == ADIT_OK;
    if (fine) {
        adit_buf_add(&f->site, adit_url_origin(url));
        f->site_loopback = fetch_host_is_loopback(adit_buf_str(&f->site));
    } else {
        cli_say(f->o.site, "is no http or https URL");
    }
    adit_arena_free(&arena);
    return fine;
}

static bool check_secrets(const struct fetch *f)
{
    for (size_t i = 0; i < f->o.n_secrets; i++) {
        if (!cli_is_field(adit_str_z(f->o.secrets[i].line))) {
            cli_say("--header", "a field is written 'Name: value'");
            return false;
        }
    }
    return true;
}

struct fetch *fetch_open(const struct fetch_options *options)
{
    struct fetch *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->o = *options;
    set_defaults(&f->o);
    adit_buf_init(&f->site, cli_mem, ADIT_LIMIT_url_bytes);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    f->multi = curl_multi_init();
    f->started_ms = clock_ms();
    bool fine = f->multi != NULL;
    if (!fine) cli_say(NULL, "out of memory");
    fine = fine && (!f->o.site || set_site(f)) && check_secrets(f);
    for (size_t i = 0; fine && i < f->o.n_resolve; i++) {
        struct curl_slist *more = curl_slist_append(f->resolve, f->o.resolve[i]);
        fine = more != NULL;
        if (more) f->resolve = more;
    }
    if (fine) return f;
    fetch_close(f);
    return NULL;
}

/* --- hosts and their queues ------------------------------------------------------------------- */

struct fetch_host *fetch_host_of(struct fetch *f, struct adit_str origin)
{
    struct fetch_host **at = &f->hosts;
    for (; *at; at = &(*at)->next)
        if (adit_str_eq(adit_str_of((*at)->origin, (*at)->origin_len), origin)) return *at;
    struct fetch_host *h = calloc(1, sizeof *h + origin.len + 1);
    if (!h) return NULL;
    if (origin.len) memcpy(h->origin, origin.p, origin.len);
    h->origin_len = origin.len;
    h->f = f;
    h->site = origin.len && adit_str_eq(origin, adit_buf_str(&f->site));
    adit_arena_init(&h->arena, cli_mem, 16 << 20);
    return *at = h; /* at the end: the loop may be running over them */
}

void fetch_enqueue(struct fetch_transfer *t, bool front)
{
    struct fetch_host *h = t->host;
    t->next = front ? h->first : NULL;
    if (!h->first) {
        h->first = h->last = t;
    } else if (front) {
        h->first = t;
    } else {
        h->last->next = t;
        h->last = t;
    }
    t->f->n_waiting++;
}

static struct fetch_transfer *dequeue(struct fetch_host *h)
{
    struct fetch_transfer *t = h->first;
    h->first = t->next;
    if (!h->first) h->last = NULL;
    t->next = NULL;
    t->f->n_waiting--;
    return t;
}

/* --- requests --------------------------------------------------------------------------------- */

static struct adit_str copy(char **to, struct adit_str s)
{
    struct adit_str out = {*to, s.len};
    if (s.len) memcpy(*to, s.p, s.len);
    *to += s.len;
    return out;
}

struct fetch_transfer *fetch_transfer_new(struct fetch *f, const struct fetch_request *q)
{
    struct adit_arena arena;
    struct adit_str url = q->url;
    size_t origin_len = 0;
    adit_arena_init(&arena, cli_mem, 256 << 10);
    enum fetch_error error = fetch_url_check(f, q->url, NULL, &arena, &url, &origin_len);
    if (error == FETCH_URL) url = adit_str_sub(q->url, 0, ADIT_LIMIT_url_bytes);
    struct fetch_transfer *t =
        calloc(1, sizeof *t + url.len + q->if_none_match.len + q->if_modified_since.len +
                      q->if_range.len + q->accept.len + 1);
    /* Requests that go nowhere wait in a queue of their own, for the loop to tell. */
    struct fetch_host *host = fetch_host_of(f, adit_str_sub(url, 0, error ? 0 : origin_len));
    if (t && host) {
        char *to = t->text;
        t->f = f;
        t->host = host;
        t->q = *q;
        t->q.url = copy(&to, url);
        t->q.if_none_match = copy(&to, q->if_none_match);
        t->q.if_modified_since = copy(&to, q->if_modified_since);
        t->q.if_range = copy(&to, q->if_range);
        t->q.accept = copy(&to, q->accept);
        if (!t->q.max_bytes) t->q.max_bytes = f->o.body_max;
        t->redirects_max = FETCH_REDIRECTS_MAX;
        t->chain[0] = t->q.url;
        t->reply = (struct fetch_reply){
            .error = error, .asked = t->q.url, .url = t->q.url, .length = -1, .range_total = -1};
    } else {
        free(t);
        t = NULL;
    }
    adit_arena_free(&arena);
    return t;
}

bool fetch_start(struct fetch *f, const struct fetch_request *q, fetch_head_fn *head,
                 fetch_done_fn *done, void *user)
{
    struct fetch_transfer *t = fetch_transfer_new(f, q);
    if (!t) return false;
    t->head = head;
    t->done = done;
    t->user = user;
    fetch_enqueue(t, false);
    return true;
}

void fetch_finish(struct fetch_transfer *t, enum fetch_error error)
{
    struct fetch_reply *r = &t->reply;
    r->error = error;
    if (t->receiver == &t->body_sink.sink) r->body = adit_buf_str(&t->body);
    if (error) t->f->counts.failed++;
    if (!error && r->status == 304) t->f->counts.not_modified++;
    t->done(t->user, r);
    fetch_transfer_free(t);
}

/* --- the loop --------------------------------------------------------------------------------- */

/* Why a waiting request will never be sent; FETCH_OK: it may. */
static enum fetch_error doom(struct fetch *f, const struct fetch_host *h)
{
    if (h->first->reply.error) return h->first->reply.error;
    if (f->stopped) return FETCH_STOPPED;
    if (f->exhausted || fetch_time_left(f) <= 0) return FETCH_BUDGET;
    if (h->closed) return FETCH_BUSY;
    return h->pause_ms - clock_ms() > fetch_time_left(f) ? FETCH_BUDGET : FETCH_OK;
}

static void launch(struct fetch *f, struct fetch_host *h)
{
    struct fetch_transfer *t = dequeue(h);
    int64_t gap = h->delay_ms > f->o.interval_ms ? h->delay_ms : f->o.interval_ms;
    if (t->life.max == 0) adit_arena_init(&t->life, cli_mem, 2 << 20);
    enum fetch_error error = fetch_launch(t);
    if (error) {
        fetch_finish(t, error);
        return;
    }
    h->next_ms = clock_ms() + gap;
    h->active++;
    t->next = f->active;
    f->active = t;
    f->n_active++;
    f->counts.requests++;
}

/* Sends what may be sent now; returns milliseconds until more may be. */
static int64_t start_host(struct fetch *f, struct fetch_host *h)
{
    while (h->first) {
        bool wait = false;
        enum fetch_error error = doom(f, h);
        if (!error && (h->active >= f->o.parallel || f->n_active >= f->o.parallel_total))
            return POLL_MS;
        if (!error) error = fetch_robots_ask(h->first, &wait);
        if (error) {
            if (error == FETCH_BUDGET) f->exhausted = true;
            fetch_finish(dequeue(h), error);
            continue;
        }
        if (wait && !h->first->is_robots) return POLL_MS;
        int64_t now = clock_ms(), at = h->pause_ms > h->next_ms ? h->pause_ms : h->next_ms;
        if (at > now) return at - now;
        launch(f, h);
    }
    return POLL_MS;
}

static void take_off(struct fetch_transfer *t)
{
    struct fetch_transfer **at = &t->f->active;
    while (*at != t) at = &(*at)->next;
    *at = t->next;
    t->next = NULL;
    t->f->n_active--;
    t->host->active--;
}

static void collect(struct fetch *f)
{
    int left;
    for (CURLMsg *m; (m = curl_multi_info_read(f->multi, &left));) {
        struct fetch_transfer *t = NULL;
        CURLcode result = m->data.result;
        if (m->msg != CURLMSG_DONE) continue;
        curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &t);
        take_off(t);
        fetch_answer(t, result);
    }
}

static void stop_active(struct fetch *f)
{
    while (f->active) {
        struct fetch_transfer *t = f->active;
        take_off(t);
        fetch_land(t);
        fetch_finish(t, FETCH_STOPPED);
    }
}

void fetch_run(struct fetch *f)
{
    struct sigaction before;
    ignore_pipe(&before);
    while (f->n_active || f->n_waiting) {
        int64_t wait = POLL_MS, since = clock_ms();
        for (struct fetch_host *h = f->hosts; h; h = h->next) {
            int64_t more = start_host(f, h);
            if (more < wait) wait = more;
        }
        if (f->stopped) stop_active(f);
        if (!f->n_active && !f->n_waiting) break;
        int running;
        curl_multi_perform(f->multi, &running);
        unsigned active = f->n_active;
        collect(f);
        if (f->n_active < active) continue;
        curl_multi_poll(f->multi, NULL, 0, (int)wait, NULL);
        if (!f->n_active) f->counts.waited_ms += (uint64_t)(clock_ms() - since);
    }
    sigaction(SIGPIPE, &before, NULL);
}

void fetch_slow_down(struct fetch *f, unsigned interval_ms)
{
    if (interval_ms > f->o.interval_ms) f->o.interval_ms = interval_ms;
}

void fetch_stop(struct fetch *f) { f->stopped = true; }

void fetch_close(struct fetch *f)
{
    if (!f) return;
    struct sigaction before;
    ignore_pipe(&before);
    f->stopped = true;
    stop_active(f);
    for (struct fetch_host *h = f->hosts; h; h = h->next)
        while (h->first) fetch_finish(dequeue(h), FETCH_STOPPED);
    for (struct fetch_host *h = f->hosts, *next; h; h = next) {
        next = h->next;
        adit_arena_free(&h->arena);
        free(h);
    }
    curl_slist_free_all(f->resolve);
    if (f->multi) curl_multi_cleanup(f->multi);
    adit_buf_free(&f->site);
    free(f);
    curl_global_cleanup();
    sigaction(SIGPIPE, &before, NULL);
}
