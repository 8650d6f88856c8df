/* Another server as origin, by libcurl. A slot is a curl handle with its own connections; threads
 * take one for a request and give it back, so that connections are kept alive. The body is pulled:
 * the transfer moves only while somebody reads. */
#include "batch/serve.h"
#include "json/json.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { CONNECT_MS = 5000, STALL_MS = 60000, QUEUE_MAX = 1 << 20, LIST_BYTES = 16 << 20 };

struct slot {
    struct slot *next;
    CURLM *multi;
    CURL *easy;
};

struct upstream {
    struct origin origin;
    char *base;
    pthread_mutex_t lock;
    struct slot *free;
};

struct pull {
    struct origin_reply reply;
    struct upstream *up;
    struct slot *slot;
    struct curl_slist *fields;
    struct adit_buf queue; /* received, not yet read */
    size_t at;
    bool head_done, ended, paused;
    CURLcode result;
    int64_t deadline; /* of the whole answer; 0: none */
};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* --- slots --------------------------------------------------------------------------------------
 */

static void free_slot(struct slot *s)
{
    if (s->easy) curl_easy_cleanup(s->easy);
    if (s->multi) curl_multi_cleanup(s->multi);
    free(s);
}

static struct slot *take_slot(struct upstream *up)
{
    pthread_mutex_lock(&up->lock);
    struct slot *s = up->free;
    if (s) up->free = s->next;
    pthread_mutex_unlock(&up->lock);
    if (s) return s;
    s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->multi = curl_multi_init();
    s->easy = curl_easy_init();
    if (s->multi && s->easy) return s;
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

/* --- what curl tells us -------------------------------------------------------------------------
 */

static size_t on_header(char *p, size_t size, size_t n, void *ctx)
{
    struct pull *t = ctx;
    struct adit_str line = adit_str_trim(adit_str_of(p, size * n));
    struct adit_headers *h = &t->reply.headers;
    if (adit_str_istarts(line, ADIT_STR("HTTP/"))) { /* also behind a 100 */
        *h = (struct adit_headers){.arena = &t->reply.arena};
        t->reply.length = -1;
        return size * n;
    }
    if (line.len == 0) {
        long status = 0;
        curl_easy_getinfo(t->slot->easy, CURLINFO_RESPONSE_CODE, &status);
        t->reply.status = (unsigned)status;
        if (status >= 200) t->head_done = true;
        return size * n;
    }
    size_t colon = adit_str_chr(line, ':', 0);
    struct adit_str name = adit_str_trim(adit_str_sub(line, 0, colon));
    struct adit_str value = adit_str_trim(adit_str_sub(line, colon + 1, line.len));
    uint64_t len;
    if (adit_str_ieq(name, ADIT_STR("content-length")) && adit_str_u64(value, &len) &&
        len < INT64_MAX)
        t->reply.length = (int64_t)len;
    if (colon == line.len || is_hop_by_hop(name) || h->n >= ADIT_HEADERS_MAX / 2) return size * n;
    char *copy = adit_arena_alloc(&t->reply.arena, name.len + 1);
    if (!copy) return 0;
    memcpy(copy, name.p, name.len);
    copy[name.len] = '\0';
    adit_headers_add(h, copy, value);
    return size * n;
}

static size_t on_body(char *p, size_t size, size_t n, void *ctx)
{
    struct pull *t = ctx;
    if (t->queue.len - t->at > QUEUE_MAX / 4) {
        t->paused = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    if (t->at == t->queue.len) t->at = t->queue.len = 0;
    adit_buf_add(&t->queue, adit_str_of(p, size * n));
    return t->queue.err ? 0 : size * n;
}

static size_t on_upload(char *p, size_t size, size_t n, void *ctx)
{
    return fread(p, 1, size * n, ctx);
}

/* --- a transfer ---------------------------------------------------------------------------------
 */

/* Moves the transfer until there is something new or the deadline is over; false then. */
static bool pump(struct pull *t, int64_t deadline)
{
    int running = 1, left;
    if (t->paused) {
        t->paused = false;
        curl_easy_pause(t->slot->easy, CURLPAUSE_CONT);
    }
    curl_multi_perform(t->slot->multi, &running);
    for (CURLMsg *m; (m = curl_multi_info_read(t->slot->multi, &left));)
        if (m->msg == CURLMSG_DONE) {
            t->ended = true;
            t->result = m->data.result;
        }
    if (t->ended || t->at < t->queue.len) return true;
    int64_t wait = deadline - now_ms();
    if (wait <= 0) return false;
    curl_multi_poll(t->slot->multi, NULL, 0, (int)(wait > 1000 ? 1000 : wait), NULL);
    return true;
}

static ssize_t read_pull(struct origin_reply *r, char *p, size_t len)
{
    struct pull *t = (struct pull *)r;
    int64_t deadline = t->deadline ? t->deadline : now_ms() + STALL_MS;
    while (t->at == t->queue.len && !t->ended)
        if (!pump(t, deadline)) return -2;
    size_t got = t->queue.len - t->at;
    if (got == 0) return t->result == CURLE_OK ? 0 : -1;
    if (got > len) got = len;
    memcpy(p, t->queue.p + t->at, got);
    t->at += got;
    return (ssize_t)got;
}

static void close_pull(struct origin_reply *r)
{
    struct pull *t = (struct pull *)r;
    curl_multi_remove_handle(t->slot->multi, t->slot->easy);
    curl_easy_reset(t->slot->easy);
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
    CURL *c = t->slot->easy;
    char method[32], *target = malloc(q->path.len + 1);
    if (!target || q->method.len >= sizeof method || !set_fields(t, q)) {
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
    curl_easy_setopt(c, CURLOPT_BUFFERSIZE, 65536L);
    curl_easy_setopt(c, CURLOPT_HTTP_CONTENT_DECODING, 0L);
    curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    if (q->body) {
        curl_easy_setopt(c, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(c, CURLOPT_READFUNCTION, on_upload);
        curl_easy_setopt(c, CURLOPT_READDATA, q->body);
        curl_easy_setopt(c, CURLOPT_INFILESIZE_LARGE, (curl_off_t)q->body_len);
    }
    if (adit_str_eq(q->method, ADIT_STR("HEAD"))) curl_easy_setopt(c, CURLOPT_NOBODY, 1L);
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
    adit_arena_init(&t->reply.arena, cli_mem, 4 << 20);
    t->reply.headers.arena = &t->reply.arena;
    adit_buf_init(&t->queue, cli_mem, QUEUE_MAX);
    int64_t deadline = now_ms() + q->timeout_ms;
    if (q->whole) t->deadline = deadline;
    bool fine = set_up(t, q);
    while (fine && !t->head_done && !t->ended) fine = pump(t, deadline);
    if (fine && t->head_done && !t->reply.headers.err) return &t->reply;
    *why =
        fine && t->result != CURLE_OPERATION_TIMEDOUT ? ADIT_FAILED_CONNECT : ADIT_FAILED_TIMEOUT;
    close_pull(&t->reply);
    return NULL;
}

/* --- the list of pages: what the site's own sitemaps say ----------------------------------------
 */

static bool get_document(struct origin *o, const struct adit_config *c, struct adit_str path,
                         struct adit_buf *out)
{
    struct adit_header accept = {ADIT_STR("accept-encoding"), ADIT_STR("identity")};
    struct adit_str origin = c->origin;
    struct origin_request q = {
        .method = ADIT_STR("GET"),
        .authority = adit_str_sub(origin, adit_str_find(origin, ADIT_STR("//"), 0) + 2, origin.len),
        .path = path,
        .headers = &accept,
        .n_headers = 1,
        .timeout_ms = (unsigned)c->timeout_ms,
        .whole = true,
    };
    if (c->upstream_authority.len) q.authority = c->upstream_authority;
    enum adit_fetch_failure why;
    struct origin_reply *r = o->open(o, &q, &why);
    if (!r) return false;
    char part[16384];
    ssize_t got = -1;
    adit_buf_clear(out);
    if (r->status == 200)
        while ((got = r->read(r, part, sizeof part)) > 0)
            adit_buf_add(out, adit_str_of(part, (size_t)got));
    r->close(r);
    return got == 0 && !out->err;
}

static void add_our_url(const struct adit_config *c, struct adit_str url, struct adit_buf *out)
{
    struct adit_str path;
    if (!adit_map_our_url(c, url, &path) || adit_str_chr(path, '\n', 0) < path.len) return;
    adit_buf_add(out, path);
    adit_buf_byte(out, '\n');
}

static void list_upstream(struct origin *o, const struct adit_config *c, struct adit_buf *out)
{
    struct adit_buf doc;
    struct adit_json_value v;
    adit_buf_init(&doc, cli_mem, LIST_BYTES);
    if (get_document(o, c, c->sitemap_path, &doc) &&
        adit_json_check(adit_buf_str(&doc), &v, NULL) == ADIT_OK) {
        struct adit_json_iter it = adit_json_iter(adit_json_get(v, ADIT_STR("items")));
        for (struct adit_json_member m; adit_json_next(&it, &m);)
            add_our_url(c, adit_json_inside(adit_json_get(m.value, ADIT_STR("cUrl"))), out);
    } else if (get_document(o, c, ADIT_STR("/sitemap.xml"), &doc)) {
        struct adit_str s = adit_buf_str(&doc), open = ADIT_STR("<loc>");
        for (size_t at = 0; (at = adit_str_find(s, open, at)) < s.len;) {
            at += open.len;
            add_our_url(c, adit_str_trim(adit_str_sub(s, at, adit_str_chr(s, '<', at))), out);
        }
    }
    if (out->len == 0) adit_buf_lit(out, "/\n");
    adit_buf_free(&doc);
}

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
        cli_say(url, "is no upstream: http:// or https:// and a host, without a path");
        free(up);
        return NULL;
    }
    curl_global_init(CURL_GLOBAL_DEFAULT);
    up->origin = (struct origin){open_upstream, list_upstream, free_upstream};
    up->base = strndup(base.p, base.len);
    pthread_mutex_init(&up->lock, NULL);
    return &up->origin;
}
