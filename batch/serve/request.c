/* One request of `adit serve`: it asks the exchange, and streams what comes from the origin. */
#include "batch/serve/request_impl.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum {
    HEADER_MS = 60000,      /* for passed requests */
    FIELDS_BYTES = 64 << 10 /* of a request's header */
};

/* --- one request ------------------------------------------------------------------------------ */

/* The head as it came. */
struct fields {
    struct adit_header v[ADIT_HEADERS_MAX];
    size_t n, bytes;
};

static enum MHD_Result on_field(void *ctx, enum MHD_ValueKind kind, const char *name,
                                size_t name_len, const char *value, size_t value_len)
{
    struct fields *f = ctx;
    (void)kind;
    f->bytes += name_len + value_len;
    if (f->n == ADIT_COUNT(f->v)) f->bytes = FIELDS_BYTES + 1;
    if (f->bytes > FIELDS_BYTES) return MHD_NO;
    f->v[f->n++] = (struct adit_header){{name, name_len}, {value ? value : "", value_len}};
    return MHD_YES;
}

/* Judges the head. 0, or the status of a refusal; then *why is a line of text. */
static unsigned take_head(struct request *q, struct MHD_Connection *connection, const char *method,
                          const char *version, const char **why)
{
    struct fields f;
    f.n = f.bytes = 0;
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, on_field, &f);
    snprintf(q->method, sizeof q->method, "%s", method);
    snprintf(q->version, sizeof q->version, "%s", strcmp(version, "HTTP/1.0") ? "1.1" : "1.0");
    struct serve_head head = {.method = adit_str_z(method),
                              .target = adit_str_z(q->target),
                              .version = adit_str_z(version),
                              .fields = f.v,
                              .n_fields = f.n};
    bool lost = f.bytes > FIELDS_BYTES;
    /* Where fields are missing only what is there can be judged. */
    unsigned fault = lost ? 0 : serve_request_fault(&head, why);
    if (fault) return fault;
    for (size_t i = 0; i < f.n && !lost; i++) {
        size_t before = q->headers.n;
        adit_headers_add(&q->headers, f.v[i].name.p, f.v[i].value);
        /* Never pass on half a header; an empty field says nothing. */
        lost = q->headers.n == before && f.v[i].value.len;
    }
    *why = "The header is too large.\n";
    if (lost || q->headers.err) return 431;
    return upload_begin(q, why);
}

void *serve_on_uri(void *ctx, const char *uri, struct MHD_Connection *connection)
{
    struct request *q = calloc(1, sizeof *q);
    if (q) q->target = strdup(uri);
    if (!q || !q->target) {
        free(q);
        return NULL;
    }
    q->server = ctx;
    q->seat =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    watch_set(q->server->watch, q->seat, WATCH_HEADER);
    adit_arena_init(&q->arena, cli_mem, 1 << 20);
    q->headers.arena = &q->arena;
    adit_buf_init(&q->out, cli_mem, 64u << 20);
    adit_buf_init(&q->coded, cli_mem, 128u << 20);
    clock_gettime(CLOCK_REALTIME, &q->start);
    return q;
}

void serve_on_completed(void *ctx, struct MHD_Connection *connection, void **con_cls,
                        enum MHD_RequestTerminationCode why)
{
    struct request *q = *con_cls;
    (void)ctx;
    if (!q) return;
    /* Refused by us before its end, or by the library. */
    bool cut = q->early || (q->status == 0 && why == MHD_REQUEST_TERMINATED_WITH_ERROR);
    watch_set(q->server->watch, q->seat, WATCH_IDLE);
    if (q->begun) serve_log(q);
    if (q->reply) q->reply->close(q->reply);
    drive_end(&q->drive);
    upload_end(q);
    atomic_fetch_add(&q->server->requests, 1);
    atomic_fetch_add(&q->server->bytes, q->sent);
    if (q->begun) atomic_fetch_sub(&q->server->active, 1);
    adit_buf_free(&q->out);
    adit_buf_free(&q->coded);
    encoder_free(q->encoder);
    adit_arena_free(&q->arena);
    free(q->target);
    free(q);
    *con_cls = NULL;
    if (cut) upload_linger(connection);
}

/* --- passing on ------------------------------------------------------------------------------- */

static enum MHD_Result pass(struct request *q, struct MHD_Connection *connection, bool head,
                            struct adit_str authority)
{
    static const struct adit_edits none = {0};
    struct server *s = q->server;
    const struct adit_exchange *x = q->drive.x;
    const struct adit_edits *e = x ? &x->request_edits : &none;
    struct adit_headers h = {.arena = &q->arena};
    struct adit_str path = adit_str_z(q->target);
    const char *fault = "";
    static const char *const own[] = {"host", "content-length", "expect"};
    for (size_t i = 0; i < q->headers.n; i++) {
        const struct adit_header *f = &q->headers.v[i];
        bool skip = adit_is_of_connection(q->headers.v, q->headers.n, f->name) ||
                    adit_is_trace(f->name) || send_is_edited(e, f->name);
        for (size_t k = 0; k < ADIT_COUNT(own); k++)
            skip = skip || adit_str_ieq(f->name, adit_str_z(own[k]));
        if (!skip) adit_headers_add(&h, f->name.p, f->value);
    }
    for (size_t i = 0; i < e->n; i++) {
        if (e->v[i].op == ADIT_EDIT_PATH) path = e->v[i].value;
        if (e->v[i].op == ADIT_EDIT_SET || e->v[i].op == ADIT_EDIT_ADD)
            adit_headers_add(&h, e->v[i].name.p, e->v[i].value);
    }
    size_t before = h.n;
    bool cut = false;
    for (enum adit_trace i = 0; i < ADIT_TRACES; i++) {
        struct adit_str came = adit_header_joined(q->headers.v, q->headers.n,
                                                  adit_str_z(adit_trace_names[i]), &q->arena);
        adit_headers_add(&h, adit_trace_names[i],
                         adit_trace_extend(i, came, adit_str_z(q->client), &q->arena, &cut));
    }
    /* Without them a client from anywhere looks like one from here. */
    if (cut || h.n != before + ADIT_TRACES)
        return send_refusal(q, connection, 431, "The header is too large.\n");
    struct origin_request r = {
        .method = adit_str_z(q->method),
        .authority = authority,
        .path = path,
        .headers = h.v,
        .n_headers = h.n,
        .body = q->upload,
        .body_len = q->upload_len,
        .timeout_ms = HEADER_MS,
        .fault = &fault,
    };
    if (q->upload) rewind(q->upload);
    enum adit_fetch_failure why = ADIT_FAILED_CONNECT;
    q->reply = h.err ? NULL : s->origin->open(s->origin, &r, &why);
    if (!q->reply && fault[0]) {
        char text[128];
        snprintf(text, sizeof text, "The origin's answer %s.\n", fault);
        return send_refusal(q, connection, 502, text);
    }
    if (!q->reply)
        return why == ADIT_FAILED_TIMEOUT
                   ? send_refusal(q, connection, 504, "The origin did not answer in time.\n")
                   : send_refusal(q, connection, 502, "The origin cannot be reached.\n");
    drive_response(&q->drive, q->reply);
    return send_reply(q, connection, head);
}

/* --- the request is there --------------------------------------------------------------------- */

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
        return send_refusal(q, connection, 405, "This server is no proxy.\n");
    if (!q->target || q->target[0] != '/')
        return send_refusal(q, connection, 400, "The request target must be a path.\n");
    struct adit_str host = adit_header_get(q->headers.v, q->headers.n, ADIT_STR("host"));
    struct adit_request r = {
        .method = adit_str_z(q->method),
        .authority = host,
        .path = adit_str_z(q->target),
        .headers = q->headers.v,
        .n_headers = q->headers.n,
        .client = adit_str_z(q->client),
        .now = q->start.tv_sec,
    };
    /* A folder is one site, whatever it is called; behind an upstream there may be others. */
    struct adit_str authority = host;
    int fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    if (q->server->upstream.len && !server_authority(q->server, fd, host, &authority))
        return send_refusal(q, connection, 421,
                            "The configuration does not name this host (origin, hosts).\n");
    enum adit_action action = drive_request(&q->drive, q->server, &r);
    return action == ADIT_ANSWER ? send_answer(q, connection, head)
                                 : pass(q, connection, head, authority);
}

/* The header is there. What is refused, and a body that nobody takes, is answered before the body
 * is read; the library then closes the connection. */
static enum MHD_Result begin(struct request *q, struct MHD_Connection *connection,
                             const char *method, const char *version)
{
    const char *why = "";
    unsigned fault = take_head(q, connection, method, version, &why);
    q->begun = true;
    atomic_fetch_add(&q->server->active, 1);
    q->early = fault || upload_is_unwanted(q);
    watch_set(q->server->watch, q->seat,
              !q->early && upload_is_announced(q) ? WATCH_BODY : WATCH_ANSWER);
    if (!q->early) return MHD_YES;
    return fault ? send_refusal(q, connection, fault, why) : answer(q, connection);
}

enum MHD_Result serve_on_request(void *ctx, struct MHD_Connection *connection, const char *url,
                                 const char *method, const char *version, const char *data,
                                 size_t *data_len, void **con_cls)
{
    struct request *q = *con_cls;
    (void)ctx, (void)url;
    if (!q) return MHD_NO;
    if (!q->begun) return begin(q, connection, method, version);
    if (*data_len == 0) {
        watch_set(q->server->watch, q->seat, WATCH_ANSWER);
        return answer(q, connection);
    }
    size_t len = *data_len;
    *data_len = 0;
    return upload_take(q, connection, data, len);
}
