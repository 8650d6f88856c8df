/* Another server as origin, by libcurl. A slot has its own connections; threads take one for a
 * request and give it back, so that connections are kept alive. The easy handle is a new one for
 * each request: libcurl 7.88 keeps a pointer to the last header field of the request before, and
 * follows it if the next answer begins with a folded line. The body is pulled: the transfer moves
 * only while somebody reads. */
#include "batch/fetch/fetch.h"
#include "batch/cli/cli.h"
#include "batch/serve/serve.h"

#include <curl/curl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

enum {
    CONNECT_MS = 5000,
    STALL_MS = 60000,
    QUEUE_MAX = 1 << 20,
    /* Real heads have below 16 KiB, a policy of 9 KiB included; the server's memory for a
     * connection must hold this one beside the request's. */
    HEAD_BYTES = 32 << 10,
    HEAD_FIELDS = 256
};

struct slot {
    struct slot *next;
    CURLM *multi;
    curl_socket_t socket; /* of the last transfer; perhaps closed since */
};

struct upstream {
    struct origin origin;
    char *base;
    bool tls;
    pthread_mutex_t lock;
    struct slot *free;
};

struct pull {
    struct origin_reply reply;
    struct upstream *up;
    struct slot *slot;
    CURL *easy;
    struct curl_slist *fields;
    struct answer_head head;
    struct adit_buf queue; /* received, not yet read */
    size_t at;
    bool bodiless, ended, paused, overlong;
    CURLcode result;
    uint64_t received; /* bytes of the body as sent, those beyond its length included */
    int64_t deadline;  /* of the whole answer; 0: none */
};

/* --- slots ------------------------------------------------------------------------------------ */

static void free_slot(struct slot *s)
{
    if (s->multi) curl_multi_cleanup(s->multi);
    free(s);
}

/* Whether the kept connection may be used again. Bytes that wait there belong to no request: they
 * would be taken for the answer to the next one. */
static bool is_quiet(const struct slot *s)
{
    struct pollfd p = {.fd = s->socket, .events = POLLIN};
    return s->socket == CURL_SOCKET_BAD || poll(&p, 1, 0) == 0;
}

static struct slot *pop_slot(struct upstream *up)
{
    pthread_mutex_lock(&up->lock);
    struct slot *s = up->free;
    if (s) up->free = s->next;
    pthread_mutex_unlock(&up->lock);
    return s;
}

static struct slot *take_slot(struct upstream *up)
{
    struct slot *s;
    while ((s = pop_slot(up)) && !is_quiet(s)) free_slot(s);
    if (s) return s;
    s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->socket = CURL_SOCKET_BAD;
    s->multi = curl_multi_init();
    if (s->multi) return s;
    free_slot(s);
    return NULL;
}

static void give_slot(struct upstream *up, struct slot *s)
{
    pthread_mutex_lock(&up->lock);
    s->next = up->free;
    up->free = s;
    pthread_mutex_unlock(&up->lock);
}

/* --- what curl tells us ----------------------------------------------------------------------- */

/* Every field of the head is kept: a list with room for as many as the judge lets through. */
static bool keep_field(struct pull *t, struct adit_header f)
{
    struct adit_headers *h = &t->reply.headers;
    bool fine = true;
    if (!h->v) h->v = adit_arena_alloc(h->arena, HEAD_FIELDS * sizeof *h->v);
    char *name = adit_arena_alloc(h->arena, f.name.len + 1);
    struct adit_str value = adit_arena_dup(h->arena, f.value, &fine);
    if (!h->v || !name || !fine || h->n == HEAD_FIELDS) return false;
    memcpy(name, f.name.p, f.name.len);
    name[f.name.len] = '\0';
    h->v[h->n++] = (struct adit_header){adit_str_of(name, f.name.len), value};
    return true;
}

static void end_head(struct pull *t)
{
    struct adit_headers *h = &t->reply.headers;
    bool drop[HEAD_FIELDS];
    size_t n = 0;
    t->reply.status = t->head.status;
    t->reply.length = t->head.length;
    t->bodiless = t->bodiless || t->head.status == 204 || t->head.status == 304;
    for (size_t i = 0; i < h->n; i++) drop[i] = adit_is_of_connection(h->v, h->n, h->v[i].name);
    for (size_t i = 0; i < h->n; i++)
        if (!drop[i]) h->v[n++] = h->v[i];
    h->n = n;
}

static size_t on_header(char *p, size_t size, size_t n, void *ctx)
{
    struct pull *t = ctx;
    struct adit_header f;
    switch (answer_head_line(&t->head, adit_str_of(p, size * n), &f)) {
    case ANSWER_BEGINS: t->reply.headers.n = 0; break;
    case ANSWER_FIELD: return keep_field(t, f) ? size * n : 0;
    case ANSWER_ENDS: end_head(t); break;
    case ANSWER_NOTHING: break; /* trailers end here: none was asked for */
    default: return 0;
    }
    return size * n;
}

static size_t on_body(char *p, size_t size, size_t n, void *ctx)
{
    struct pull *t = ctx;
    if (!t->head.done) return 0;
    if (t->queue.len - t->at > QUEUE_MAX / 4) {
        t->paused = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    if (t->at == t->queue.len) t->at = t->queue.len = 0;
    adit_buf_add(&t->queue, adit_str_of(p, size * n));
    return t->queue.err ? 0 : size * n;
}

/* Curl cuts a body at its length without a word; only its trace shows what came. */
static int on_trace(CURL *easy, curl_infotype type, char *p, size_t len, void *ctx)
{
    struct pull *t = ctx;
    (void)easy, (void)p;
    if (type == CURLINFO_DATA_IN) t->received += len;
    return 0;
}

static size_t on_upload(char *p, size_t size, size_t n, void *ctx)
{
    return fread(p, 1, size * n, ctx);
}

/* --- a transfer ------------------------------------------------------------------------------- */

/* Whether more came than the length said: in one piece with the body, or waiting behind it (where
 * that can be seen: TLS has records of its own there). Somebody counted wrong, and the bytes up to
 * the length may be anything. */
static bool is_overlong(const struct pull *t)
{
    char byte;
    curl_socket_t s = CURL_SOCKET_BAD;
    if (t->head.length < 0 || t->bodiless || t->result != CURLE_OK) return false;
    if (t->received > (uint64_t)t->head.length) return true;
    curl_easy_getinfo(t->easy, CURLINFO_ACTIVESOCKET, &s);
    return !t->up->tls && s != CURL_SOCKET_BAD && recv(s, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

/* Moves the transfer until there is something new or the deadline is over; false then. */
static bool pump(struct pull *t, int64_t deadline)
{
    int running = 1, left;
    if (t->paused) {
        t->paused = false;
        curl_easy_pause(t->easy, CURLPAUSE_CONT);
    }
    curl_multi_perform(t->slot->multi, &running);
    for (CURLMsg *m; (m = curl_multi_info_read(t->slot->multi, &left));)
        if (m->msg == CURLMSG_DONE) {
            t->ended = true;
            t->result = m->data.result;
            t->overlong = is_overlong(t);
        }
    if (t->ended || t->at < t->queue.len) return true;
    int64_t wait = deadline - clock_ms();
    if (wait <= 0) return false;
    curl_multi_poll(t->slot->multi, NULL, 0, (int)(wait > 1000 ? 1000 : wait), NULL);
    return true;
}

static ssize_t read_pull(struct origin_reply *r, char *p, size_t len)
{
    struct pull *t = (struct pull *)r;
    int64_t deadline = t->deadline ? t->deadline : clock_ms() + STALL_MS;
    while (t->at == t->queue.len && !t->ended)
        if (!pump(t, deadline)) return -2;
    size_t got = t->queue.len - t->at;
    if (t->overlong) return -1; /* before the last bytes: with them it would look complete */
    if (got == 0) return t->result == CURLE_OK ? 0 : -1;
    if (got > len) got = len;
    memcpy(p, t->queue.p + t->at, got);
    t->at += got;
    return (ssize_t)got;
}

static void close_pull(struct origin_reply *r)
{
    struct pull *t = (struct pull *)r;
    if (t->easy) {
        curl_easy_getinfo(t->easy, CURLINFO_ACTIVESOCKET, &t->slot->socket);
        curl_multi_remove_handle(t->slot->multi, t->easy);
        curl_easy_cleanup(t->easy);
    }
    give_slot(t->up, t->slot);
    curl_slist_free_all(t->fields);
    adit_buf_free(&t->queue);
    adit_arena_free(&r->arena);
    free(t);
}

static bool add_field(struct pull *t, struct adit_str name, struct adit_str value)
{
    struct adit_buf line;
    adit_buf_init(&line, cli_mem, 64 << 10);
    adit_buf_add(&line, name);
    /* curl writes "name;" as an empty field and leaves out its own for "name:". */
    adit_buf_lit(&line, value.len ? ": " : ";");
    adit_buf_add(&line, value);
    adit_buf_byte(&line, '\0');
    struct curl_slist *more = line.err ? NULL : curl_slist_append(t->fields, line.p);
    adit_buf_free(&line);
    if (more) t->fields = more;
    return more != NULL;
}

static bool set_fields(struct pull *t, const struct origin_request *q)
{
    static const char *const mine[] = {"Accept", "User-Agent", "Expect"};
    bool fine = add_field(t, ADIT_STR("Host"), q->authority);
    for (size_t i = 0; i < q->n_headers; i++)
        fine = fine && add_field(t, q->headers[i].name, q->headers[i].value);
    for (size_t i = 0; i < ADIT_COUNT(mine); i++) {
        if (adit_header_has(q->headers, q->n_headers, adit_str_z(mine[i]))) continue;
        char off[32];
        snprintf(off, sizeof off, "%s:", mine[i]);
        struct curl_slist *more = curl_slist_append(t->fields, off);
        fine = fine && more;
        if (more) t->fields = more;
    }
    /* Methods that usually have a body must say that they have none (RFC 9110, 8.6). */
    bool empty = !q->body && (adit_str_eq(q->method, ADIT_STR("POST")) ||
                              adit_str_eq(q->method, ADIT_STR("PUT")) ||
                              adit_str_eq(q->method, ADIT_STR("PATCH")));
    return fine && (!empty || add_field(t, ADIT_STR("Content-Length"), ADIT_STR("0")));
}

static bool set_up(struct pull *t, const struct origin_request *q)
{
    CURL *c = t->easy = curl_easy_init();
    char method[32], *target = malloc(q->path.len + 1);
    if (!c || !target || q->method.len >= sizeof method || !set_fields(t, q)) {
        free(target);
        return false;
    }
    memcpy(target, q->path.p, q->path.len);
    target[q->path.len] = '\0';
    memcpy(method, q->method.p, q->method.len);
    method[q->method.len] = '\0';
    curl_easy_setopt(c, CURLOPT_URL, t->up->base);
    curl_easy_setopt(c, CURLOPT_REQUEST_TARGET, target);
    curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(c, CURLOPT_PROXY, "");
    curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(c, CURLOPT_HTTPHEADER, t->fields);
    curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(c, CURLOPT_HEADERDATA, t);
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(c, CURLOPT_VERBOSE, 1L);
    curl_easy_setopt(c, CURLOPT_DEBUGFUNCTION, on_trace);
    curl_easy_setopt(c, CURLOPT_DEBUGDATA, t);
    curl_easy_setopt(c, CURLOPT_BUFFERSIZE, 65536L);
    curl_easy_setopt(c, CURLOPT_HTTP_CONTENT_DECODING, 0L);
    curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    if (q->body) {
        curl_easy_setopt(c, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(c, CURLOPT_READFUNCTION, on_upload);
        curl_easy_setopt(c, CURLOPT_READDATA, q->body);
        curl_easy_setopt(c, CURLOPT_INFILESIZE_LARGE, (curl_off_t)q->body_len);
    }
    t->bodiless = adit_str_eq(q->method, ADIT_STR("HEAD"));
    if (t->bodiless) curl_easy_setopt(c, CURLOPT_NOBODY, 1L);
    curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, method);
    free(target);
    return curl_multi_add_handle(t->slot->multi, c) == CURLM_OK;
}

static struct origin_reply *open_upstream(struct origin *o, const struct origin_request *q,
                                          enum adit_fetch_failure *why)
{
    struct upstream *up = (struct upstream *)o;
    struct pull *t = calloc(1, sizeof *t);
    *why = ADIT_FAILED_BUSY;
    if (!t) return NULL;
    t->up = up;
    t->slot = take_slot(up);
    if (!t->slot) {
        free(t);
        return NULL;
    }
    t->reply = (struct origin_reply){.length = -1, .read = read_pull, .close = close_pull};
    t->head =
        (struct answer_head){.bytes_max = HEAD_BYTES, .fields_max = HEAD_FIELDS, .http_1 = true};
    adit_arena_init(&t->reply.arena, cli_mem, 4 << 20);
    t->reply.headers.arena = &t->reply.arena;
    adit_buf_init(&t->queue, cli_mem, QUEUE_MAX);
    int64_t deadline = clock_ms() + q->timeout_ms;
    if (q->whole) t->deadline = deadline;
    if (set_up(t, q)) {
        bool timely = true;
        while (timely && !t->head.done && !t->ended) timely = pump(t, deadline);
        if (timely && t->head.done) return &t->reply;
        *why = timely && t->result != CURLE_OPERATION_TIMEDOUT ? ADIT_FAILED_CONNECT
                                                               : ADIT_FAILED_TIMEOUT;
    }
    if (q->fault) *q->fault = answer_fault_text(t->head.fault);
    close_pull(&t->reply);
    return NULL;
}

/* --- from URL to end -------------------------------------------------------------------------- */

static void free_upstream(struct origin *o)
{
    struct upstream *up = (struct upstream *)o;
    for (struct slot *s = up->free, *next; s; s = next) {
        next = s->next;
        free_slot(s);
    }
    pthread_mutex_destroy(&up->lock);
    free(up->base);
    free(up);
    curl_global_cleanup();
}

bool origin_upstream_base(const char *url, struct adit_str *base)
{
    struct adit_str s = adit_str_z(url);
    size_t from = adit_str_istarts(s, ADIT_STR("http://"))    ? 7
                  : adit_str_istarts(s, ADIT_STR("https://")) ? 8
                                                              : 0;
    size_t slash = adit_str_chr(s, '/', from);
    *base = adit_str_sub(s, 0, slash);
    return from && slash > from && slash + 1 >= s.len && adit_str_chr(s, '@', 0) == s.len;
}

struct origin *origin_upstream(const char *url)
{
    struct adit_str base;
    struct upstream *up = calloc(1, sizeof *up);
    if (!up || !origin_upstream_base(url, &base)) {
        free(up);
        return NULL;
    }
    curl_global_init(CURL_GLOBAL_DEFAULT);
    up->origin = (struct origin){open_upstream, upstream_list, free_upstream, NULL, NULL};
    up->base = strndup(base.p, base.len);
    up->tls = adit_str_istarts(base, ADIT_STR("https:"));
    pthread_mutex_init(&up->lock, NULL);
    return &up->origin;
}
