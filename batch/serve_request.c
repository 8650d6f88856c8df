/* One request of `adit serve`: it asks the exchange, and streams what comes from the origin. */
#include "batch/serve.h"
#include "batch/serve_request.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum {
    HEADER_MS = 60000, /* for passed requests */
    BLOCK = 64 << 10,  /* bytes a read of a streamed body */
    LOG_PATH = 2048
};

/* --- one request --------------------------------------------------------------------------------
 */

struct request {
    struct server *server;
    char *target; /* as it stood in the request line */
    struct adit_headers headers;
    struct adit_arena arena;
    FILE *upload;
    uint64_t upload_len;
    bool begun, driven, lost;
    struct drive drive;
    struct origin_reply *reply;
    struct adit_buf out; /* what the injection gave for the last chunk */
    size_t out_at;
    bool out_end;
    /* for the log */
    struct timespec start;
    char method[16], client[64];
    unsigned status;
    uint64_t sent;
};

bool is_hop_by_hop(struct adit_str name)
{
    static const char *const names[] = {"connection",
                                        "keep-alive",
                                        "proxy-authenticate",
                                        "proxy-authorization",
                                        "proxy-connection",
                                        "te",
                                        "trailer",
                                        "transfer-encoding",
                                        "upgrade"};
    for (size_t i = 0; i < ADIT_COUNT(names); i++)
        if (adit_str_ieq(name, adit_str_z(names[i]))) return true;
    return false;
}

static enum MHD_Result on_field(void *ctx, enum MHD_ValueKind kind, const char *name,
                                const char *value)
{
    struct request *q = ctx;
    (void)kind;
    struct adit_headers *h = &q->headers;
    size_t before = h->n;
    adit_headers_add(h, name, adit_str_z(value));
    if (h->n == before && value && *value) q->lost = true; /* never pass on half a header */
    return MHD_YES;
}

void *serve_on_uri(void *ctx, const char *uri, struct MHD_Connection *connection)
{
    (void)connection;
    struct request *q = calloc(1, sizeof *q);
    if (!q) return NULL;
    q->server = ctx;
    q->target = strdup(uri);
    adit_arena_init(&q->arena, cli_mem, 1 << 20);
    q->headers.arena = &q->arena;
    adit_buf_init(&q->out, cli_mem, 64u << 20);
    clock_gettime(CLOCK_REALTIME, &q->start);
    atomic_fetch_add(&q->server->active, 1);
    return q;
}

/* --- the log: one line a request, in the common format with route, milliseconds, reason
 * ----------- */

static void write_log(const struct request *q)
{
    struct server *s = q->server;
    struct timespec end;
    struct tm tm;
    char date[40], path[LOG_PATH];
    size_t n = 0;
    if (!s->log) return;
    clock_gettime(CLOCK_REALTIME, &end);
    gmtime_r(&q->start.tv_sec, &tm);
    strftime(date, sizeof date, "%d/%b/%Y:%H:%M:%S +0000", &tm);
    for (const char *p = q->target; p && *p && n + 5 < sizeof path; p++) {
        unsigned char c = (unsigned char)*p;
        if (c < 32 || c >= 127 || c == '"' || c == '\\')
            n += (size_t)snprintf(path + n, sizeof path - n, "\\x%02x", c);
        else
            path[n++] = *p;
    }
    path[n] = '\0';
    double ms = (double)(end.tv_sec - q->start.tv_sec) * 1e3 +
                (double)(end.tv_nsec - q->start.tv_nsec) / 1e6;
    const struct adit_exchange *x = q->drive.x;
    fprintf(s->log, "%s - - [%s] \"%s %s\" %u %llu %s %.1f %s\n", q->client[0] ? q->client : "-",
            date, q->method, path, q->status, (unsigned long long)q->sent, x ? x->route : "-", ms,
            x && x->reason ? adit_reasons[x->reason].name : "-");
}

void serve_on_completed(void *ctx, struct MHD_Connection *connection, void **con_cls,
                        enum MHD_RequestTerminationCode why)
{
    struct request *q = *con_cls;
    (void)ctx, (void)connection, (void)why;
    if (!q) return;
    if (q->begun) write_log(q);
    if (q->reply) q->reply->close(q->reply);
    drive_end(&q->drive);
    if (q->upload) fclose(q->upload);
    atomic_fetch_add(&q->server->requests, 1);
    atomic_fetch_add(&q->server->bytes, q->sent);
    atomic_fetch_sub(&q->server->active, 1);
    adit_buf_free(&q->out);
    adit_arena_free(&q->arena);
    free(q->target);
    free(q);
    *con_cls = NULL;
}

/* --- sending ------------------------------------------------------------------------------------
 */

static void add_field(struct MHD_Response *r, struct adit_str name, struct adit_str value)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 64 << 10);
    adit_buf_add(&b, name);
    adit_buf_byte(&b, '\0');
    adit_buf_add(&b, value);
    adit_buf_byte(&b, '\0');
    if (!b.err) MHD_add_response_header(r, b.p, b.p + name.len + 1);
    adit_buf_free(&b);
}

static enum MHD_Result queue(struct request *q, struct MHD_Connection *connection, unsigned status,
                             struct MHD_Response *r)
{
    if (!r) return MHD_NO;
    q->status = status;
    enum MHD_Result result = MHD_queue_response(connection, status, r);
    MHD_destroy_response(r);
    return result;
}

static enum MHD_Result send_text(struct request *q, struct MHD_Connection *connection,
                                 unsigned status, const char *type, struct adit_str body)
{
    struct MHD_Response *r =
        MHD_create_response_from_buffer(body.len, (void *)(uintptr_t)body.p, MHD_RESPMEM_MUST_COPY);
    if (!r) return MHD_NO;
    MHD_add_response_header(r, "content-type", type);
    MHD_add_response_header(r, "cache-control", "no-store");
    q->sent = body.len;
    return queue(q, connection, status, r);
}

static enum MHD_Result refuse(struct request *q, struct MHD_Connection *connection, unsigned status,
                              const char *text)
{
    return send_text(q, connection, status, "text/plain; charset=utf-8", adit_str_z(text));
}

static ssize_t read_nothing(void *ctx, uint64_t pos, char *p, size_t max)
{
    (void)ctx, (void)pos, (void)p, (void)max;
    return MHD_CONTENT_READER_END_WITH_ERROR;
}

/* The answer to HEAD: the length of GET's, and no body. Where that is unknown the library would
 * send a last chunk, unless the connection is to be closed. */
static struct MHD_Response *bodiless(uint64_t length)
{
    struct MHD_Response *r =
        MHD_create_response_from_callback(length, 1024, read_nothing, NULL, NULL);
    if (r && length == MHD_SIZE_UNKNOWN)
        MHD_set_response_options(r, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
    return r;
}

/* 204 and 304. The library (0.9.75) adds "Content-Length: 0" to a 304, where there should be none.
 * With the true length, which is allowed, some clients wait for a body; with an unknown one it
 * sends a last chunk, or closes the connection. */
static struct MHD_Response *empty(void)
{
    return MHD_create_response_from_buffer(0, (void *)(uintptr_t) "", MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result send_answer(struct request *q, struct MHD_Connection *connection, bool head)
{
    const struct adit_answer *a = &q->drive.x->answer;
    uint64_t len = 0;
    adit_str_u64(adit_header_get(a->headers.v, a->headers.n, ADIT_STR("content-length")), &len);
    /* The body lives in the exchange, which lives as long as the request. */
    struct MHD_Response *r =
        a->status == 304 ? empty()
        : head && len    ? bodiless(len)
                      : MHD_create_response_from_buffer(a->body.len, (void *)(uintptr_t)a->body.p,
                                                        MHD_RESPMEM_PERSISTENT);
    if (!r) return MHD_NO;
    for (size_t i = 0; i < a->headers.n; i++)
        if (!adit_str_eq(a->headers.v[i].name, ADIT_STR("content-length")))
            add_field(r, a->headers.v[i].name, a->headers.v[i].value);
    q->sent = a->body.len;
    return queue(q, connection, a->status, r);
}

/* Hands over the body of the origin's answer, with the link written into it if that is wanted. */
static ssize_t read_reply(void *ctx, uint64_t pos, char *p, size_t max)
{
    struct request *q = ctx;
    (void)pos;
    struct adit_exchange *x = q->drive.x;
    if (!x || !x->inject) {
        ssize_t got = q->reply->read(q->reply, p, max);
        if (got > 0) q->sent += (uint64_t)got;
        return got > 0    ? got
               : got == 0 ? MHD_CONTENT_READER_END_OF_STREAM
                          : MHD_CONTENT_READER_END_WITH_ERROR;
    }
    while (q->out_at == q->out.len) {
        if (q->out_end) return MHD_CONTENT_READER_END_OF_STREAM;
        ssize_t got = q->reply->read(q->reply, p, max);
        if (got < 0) return MHD_CONTENT_READER_END_WITH_ERROR;
        q->out_end = got == 0;
        if (got > 0)
            adit_exchange_inject(x, adit_str_of(p, (size_t)got), &q->out);
        else
            adit_exchange_inject_end(x, &q->out);
        if (q->out.err) return MHD_CONTENT_READER_END_WITH_ERROR;
        q->out_at = 0;
    }
    size_t n = q->out.len - q->out_at;
    if (n > max) n = max;
    memcpy(p, q->out.p + q->out_at, n);
    q->out_at += n;
    q->sent += n;
    return (ssize_t)n;
}

/* Whether an edit takes away or replaces the field. */
static bool is_edited(const struct adit_edits *e, struct adit_str name)
{
    for (size_t i = 0; i < e->n; i++)
        if ((e->v[i].op == ADIT_EDIT_SET || e->v[i].op == ADIT_EDIT_REMOVE) &&
            adit_str_ieq(e->v[i].name, name))
            return true;
    return false;
}

static enum MHD_Result send_reply(struct request *q, struct MHD_Connection *connection, bool head)
{
    static const struct adit_edits none = {0};
    struct origin_reply *o = q->reply;
    const struct adit_exchange *x = q->drive.x;
    const struct adit_edits *e = x ? &x->response_edits : &none;
    bool inject = x && x->inject;
    bool length_known = o->length >= 0 && !inject && !is_edited(e, ADIT_STR("content-length"));
    uint64_t length = length_known ? (uint64_t)o->length : MHD_SIZE_UNKNOWN;
    struct MHD_Response *r =
        o->status == 304 || o->status == 204 ? empty()
        : head                               ? bodiless(length)
               : MHD_create_response_from_callback(length, BLOCK, read_reply, q, NULL);
    if (!r) return MHD_NO;
    for (size_t i = 0; i < o->headers.n; i++)
        if (!is_edited(e, o->headers.v[i].name) &&
            !adit_str_ieq(o->headers.v[i].name, ADIT_STR("content-length")))
            add_field(r, o->headers.v[i].name, o->headers.v[i].value);
    for (size_t i = 0; i < e->n; i++)
        if (e->v[i].op == ADIT_EDIT_SET || e->v[i].op == ADIT_EDIT_ADD)
            add_field(r, e->v[i].name, e->v[i].value);
    return queue(q, connection, o->status, r);
}

/* --- passing on ---------------------------------------------------------------------------------
 */

static struct adit_str append_to(struct request *q, const char *name, struct adit_str element)
{
    struct adit_str old =
        adit_header_joined(q->headers.v, q->headers.n, adit_str_z(name), &q->arena);
    struct adit_header both[] = {{ADIT_STR("x"), old}, {ADIT_STR("x"), element}};
    return adit_header_joined(both, 2, ADIT_STR("x"), &q->arena);
}

/* Whether the request's own Connection field names it. */
static bool is_named(const struct request *q, struct adit_str name)
{
    struct adit_str list = adit_header_get(q->headers.v, q->headers.n, ADIT_STR("connection"));
    return adit_list_has(list, name, NULL);
}

static enum MHD_Result pass(struct request *q, struct MHD_Connection *connection, bool head,
                            struct adit_str host)
{
    static const struct adit_edits none = {0};
    struct server *s = q->server;
    const struct adit_exchange *x = q->drive.x;
    const struct adit_edits *e = x ? &x->request_edits : &none;
    struct adit_headers h = {.arena = &q->arena};
    struct adit_str path = adit_str_z(q->target);
    static const char *const own[] = {"host",     "content-length",  "via",
                                      "cdn-loop", "x-forwarded-for", "expect"};
    for (size_t i = 0; i < q->headers.n; i++) {
        const struct adit_header *f = &q->headers.v[i];
        bool skip = is_hop_by_hop(f->name) || is_edited(e, f->name) || is_named(q, f->name);
        for (size_t k = 0; k < ADIT_COUNT(own); k++)
            skip = skip || adit_str_ieq(f->name, adit_str_z(own[k]));
        if (!skip) adit_headers_add(&h, f->name.p, f->value);
    }
    for (size_t i = 0; i < e->n; i++) {
        if (e->v[i].op == ADIT_EDIT_PATH) path = e->v[i].value;
        if (e->v[i].op == ADIT_EDIT_SET || e->v[i].op == ADIT_EDIT_ADD)
            adit_headers_add(&h, e->v[i].name.p, e->v[i].value);
    }
    adit_headers_add(&h, "via", append_to(q, "via", ADIT_STR("1.1 adit")));
    adit_headers_add(&h, "cdn-loop", append_to(q, "cdn-loop", ADIT_STR("adit")));
    adit_headers_add(&h, "x-forwarded-for", append_to(q, "x-forwarded-for", adit_str_z(q->client)));
    struct origin_request r = {
        .method = adit_str_z(q->method),
        .authority = host,
        .path = path,
        .headers = h.v,
        .n_headers = h.n,
        .body = q->upload,
        .body_len = q->upload_len,
        .timeout_ms = HEADER_MS,
    };
    if (s->upstream.len && (adit_str_ieq(host, s->local) || host.len == 0))
        r.authority = s->upstream;
    if (s->config->upstream_authority.len) r.authority = s->config->upstream_authority;
    if (q->upload) rewind(q->upload);
    enum adit_fetch_failure why = ADIT_FAILED_CONNECT;
    q->reply = h.err ? NULL : s->origin->open(s->origin, &r, &why);
    if (!q->reply)
        return why == ADIT_FAILED_TIMEOUT
                   ? refuse(q, connection, 504, "The origin did not answer in time.\n")
                   : refuse(q, connection, 502, "The origin cannot be reached.\n");
    drive_response(&q->drive, q->reply);
    return send_reply(q, connection, head);
}

/* --- the request is there -----------------------------------------------------------------------
 */

static bool is_loopback(const struct sockaddr *a)
{
    if (a->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)a)->sin_addr.s_addr) >> 24 == 127;
    const struct in6_addr *v6 = &((const struct sockaddr_in6 *)a)->sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(v6) || (IN6_IS_ADDR_V4MAPPED(v6) && v6->s6_addr[12] == 127);
}

/* Whether a person at this machine asks: no proxy in between, and the name is this machine's (a
 * page elsewhere could have its own name point here). */
static bool is_at_home(const struct request *q, const struct sockaddr *client)
{
    static const char *const signs[] = {"x-forwarded-for", "x-forwarded-proto", "forwarded", "via"};
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    struct adit_str host = adit_header_get(q->headers.v, q->headers.n, ADIT_STR("host"));
    bool local = false;
    for (size_t i = 0; i < ADIT_COUNT(signs); i++)
        if (adit_header_has(q->headers.v, q->headers.n, adit_str_z(signs[i]))) return false;
    for (size_t i = 0; i < ADIT_COUNT(names); i++) {
        struct adit_str name = adit_str_z(names[i]);
        local = local || adit_str_ieq(host, name) ||
                (adit_str_istarts(host, name) && host.p[name.len] == ':');
    }
    return local && is_loopback(client);
}

static enum MHD_Result send_own_page(struct request *q, struct MHD_Connection *connection)
{
    struct own_page page = {.status = 404, .type = "text/plain; charset=utf-8"};
    adit_buf_init(&page.body, cli_mem, 64u << 20);
    own_page(q->server, adit_str_z(q->target), &page);
    struct MHD_Response *r =
        MHD_create_response_from_buffer(page.body.len, page.body.p, MHD_RESPMEM_MUST_COPY);
    q->sent = page.body.len;
    if (r) {
        MHD_add_response_header(r, "content-type", page.type);
        MHD_add_response_header(r, "cache-control", "no-store");
        MHD_add_response_header(r, "x-content-type-options", "nosniff");
        MHD_add_response_header(r, "content-security-policy",
                                "default-src 'none'; script-src 'unsafe-inline'; style-src "
                                "'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'; "
                                "base-uri 'none'; form-action 'none'");
    }
    adit_buf_free(&page.body);
    return queue(q, connection, page.status, r);
}

static enum MHD_Result answer(struct request *q, struct MHD_Connection *connection)
{
    const struct sockaddr *client =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
    getnameinfo(client,
                client->sa_family == AF_INET ? sizeof(struct sockaddr_in)
                                             : sizeof(struct sockaddr_in6),
                q->client, sizeof q->client, NULL, 0, NI_NUMERICHOST);
    bool head = strcmp(q->method, "HEAD") == 0;
    /* Not an open proxy: we speak for one site only. */
    if (strcmp(q->method, "CONNECT") == 0 || strcmp(q->method, "TRACE") == 0)
        return refuse(q, connection, 405, "This server is no proxy.\n");
    if (!q->target || q->target[0] != '/')
        return refuse(q, connection, 400, "The request target must be a path.\n");
    if (q->lost || q->headers.err) return refuse(q, connection, 431, "The header is too large.\n");
    struct adit_str host = adit_header_get(q->headers.v, q->headers.n, ADIT_STR("host"));
    if (strncmp(q->target, "/-/", 3) == 0)
        return is_at_home(q, client) ? send_own_page(q, connection)
                                     : refuse(q, connection, 404, "Not found.\n");
    struct adit_request r = {
        .method = adit_str_z(q->method),
        .authority = host,
        .path = adit_str_z(q->target),
        .headers = q->headers.v,
        .n_headers = q->headers.n,
        .client = adit_str_z(q->client),
        .now = q->start.tv_sec,
    };
    enum adit_action action = drive_request(&q->drive, q->server, &r);
    return action == ADIT_ANSWER ? send_answer(q, connection, head)
                                 : pass(q, connection, head, host);
}

enum MHD_Result serve_on_request(void *ctx, struct MHD_Connection *connection, const char *url,
                                 const char *method, const char *version, const char *data,
                                 size_t *data_len, void **con_cls)
{
    struct request *q = *con_cls;
    (void)ctx, (void)url, (void)version;
    if (!q) return MHD_NO;
    if (!q->begun) {
        q->begun = true;
        snprintf(q->method, sizeof q->method, "%s", method);
        MHD_get_connection_values(connection, MHD_HEADER_KIND, on_field, q);
        return MHD_YES;
    }
    if (*data_len == 0) return answer(q, connection);
    if (!q->upload) q->upload = tmpfile();
    if (!q->upload || fwrite(data, 1, *data_len, q->upload) != *data_len) return MHD_NO;
    q->upload_len += *data_len;
    *data_len = 0;
    return MHD_YES;
}
