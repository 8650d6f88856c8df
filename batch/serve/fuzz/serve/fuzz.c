/* The server: the input is what a client sends on one connection, pipelined requests and rubbish
 * alike; the origin is a function. Whatever comes: the answers are well-formed HTTP, and what
 * reaches the origin would itself be taken by the judge of requests. */
#include "batch/serve/request_impl.h"
#include "tests/fuzz.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

enum { STEPS = 20000, BODY_MAX = 4096, ANSWERS_MAX = 8 << 20 };

static struct adit_config config;
static struct server server;
static struct MHD_Daemon *server_daemon;

/* --- the origin ------------------------------------------------------------------------------- */

struct reply {
    struct origin_reply reply;
    struct adit_str left;
};

static ssize_t read_text(struct origin_reply *r, char *p, size_t len)
{
    struct reply *t = (struct reply *)r;
    if (len > t->left.len) len = t->left.len;
    if (len) memcpy(p, t->left.p, len);
    t->left = adit_str_sub(t->left, len, t->left.len);
    return (ssize_t)len;
}

static void close_text(struct origin_reply *r)
{
    adit_arena_free(&r->arena);
    free(r);
}

/* What an upstream gets must be a request that we would take ourselves. */
static void check_request(const struct origin_request *q)
{
    struct adit_header fields[ADIT_HEADERS_MAX + 1] = {{ADIT_STR("host"), q->authority}};
    struct serve_head head = {.method = q->method,
                              .target = q->path,
                              .version = ADIT_STR("HTTP/1.1"),
                              .fields = fields,
                              .n_fields = q->n_headers + 1};
    const char *why;
    MUST(q->n_headers <= ADIT_HEADERS_MAX && q->body_len <= BODY_MAX);
    for (size_t i = 0; i < q->n_headers; i++) {
        fields[i + 1] = q->headers[i];
        MUST(!adit_is_hop_by_hop(q->headers[i].name));
        MUST(!adit_str_ieq(q->headers[i].name, ADIT_STR("content-length")));
    }
    MUST(serve_request_fault(&head, &why) == 0);
    MUST(q->path.p[0] == '/');
}

static struct origin_reply *open_text(struct origin *o, const struct origin_request *q,
                                      enum adit_fetch_failure *why)
{
    static const char page[] = "<!doctype html><html lang=en><title>A page</title><main><h1>A "
                               "page</h1><p>Its text is long "
                               "enough to be taken for the content of the page.</p></main>";
    (void)o;
    check_request(q);
    *why = ADIT_FAILED_CONNECT;
    if (adit_str_starts(q->path, ADIT_STR("/fail"))) return NULL;
    struct reply *t = calloc(1, sizeof *t);
    MUST(t);
    bool head = adit_str_eq(q->method, ADIT_STR("HEAD"));
    t->reply = (struct origin_reply){
        .status = 200, .length = sizeof page - 1, .read = read_text, .close = close_text};
    adit_arena_init(&t->reply.arena, cli_mem, 1 << 20);
    t->reply.headers.arena = &t->reply.arena;
    if (adit_str_starts(q->path, ADIT_STR("/204"))) t->reply.status = 204;
    if (adit_str_starts(q->path, ADIT_STR("/304"))) t->reply.status = 304;
    if (adit_str_starts(q->path, ADIT_STR("/stream"))) t->reply.length = -1;
    adit_headers_add(&t->reply.headers, "content-type", ADIT_STR("text/html; charset=utf-8"));
    adit_headers_add(&t->reply.headers, "etag", ADIT_STR("\"1\""));
    if (!head && t->reply.status == 200) t->left = adit_str_z(page);
    return &t->reply;
}

/* --- the answers ------------------------------------------------------------------------------ */

static bool take_line(struct adit_str *rest, struct adit_str *line)
{
    size_t at = adit_str_find(*rest, ADIT_STR("\r\n"), 0);
    *line = adit_str_sub(*rest, 0, at);
    if (at == rest->len) return false;
    *rest = adit_str_sub(*rest, at + 2, rest->len);
    for (size_t i = 0; i < line->len; i++) {
        unsigned char c = (unsigned char)line->p[i];
        MUST((c >= 32 && c != 127) || c == '\t');
    }
    return true;
}

static void take_chunks(struct adit_str *rest)
{
    for (struct adit_str line;;) {
        size_t len = 0;
        MUST(take_line(rest, &line) && line.len && line.len < 8);
        for (size_t i = 0; i < line.len; i++) {
            MUST(adit_hex(line.p[i]) >= 0);
            len = len * 16 + (size_t)adit_hex(line.p[i]);
        }
        MUST(len + 2 <= rest->len);
        MUST(rest->p[len] == '\r' && rest->p[len + 1] == '\n');
        *rest = adit_str_sub(*rest, len + 2, rest->len);
        if (len == 0) return;
    }
}

/* One answer; whether it has a body is not to be seen if the request may have been a HEAD. */
static bool take_answer(struct adit_str *rest, bool any_head)
{
    struct adit_str line;
    uint64_t length = 0, status;
    size_t lengths = 0, codings = 0;
    bool last = false;
    MUST(take_line(rest, &line) && line.len >= 13);
    MUST(adit_str_starts(line, ADIT_STR("HTTP/1.1 ")) ||
         adit_str_starts(line, ADIT_STR("HTTP/1.0 ")));
    MUST(adit_str_u64(adit_str_sub(line, 9, 12), &status) && line.p[12] == ' ');
    MUST(status == 100 || (status >= 200 && status < 600));
    for (;;) {
        MUST(take_line(rest, &line));
        if (line.len == 0) break;
        size_t colon = adit_str_chr(line, ':', 0);
        struct adit_str name = adit_str_sub(line, 0, colon);
        struct adit_str value = adit_str_trim(adit_str_sub(line, colon + 1, line.len));
        MUST(colon > 0 && colon < line.len && adit_str_chr(name, ' ', 0) == name.len);
        if (adit_str_ieq(name, ADIT_STR("content-length")))
            MUST(adit_str_u64(value, &length) && ++lengths == 1);
        if (adit_str_ieq(name, ADIT_STR("transfer-encoding")))
            MUST(adit_str_eq(value, ADIT_STR("chunked")) && ++codings == 1);
        if (adit_str_ieq(name, ADIT_STR("connection")))
            last = last || adit_list_has(value, ADIT_STR("close"), NULL);
    }
    MUST(lengths + codings <= 1);
    bool bodiless = status == 100 || status == 204 || status == 304;
    MUST(!bodiless || (lengths == 0 && codings == 0));
    if (any_head || (last && !lengths && !codings)) return false;
    MUST(bodiless || lengths || codings);
    if (codings) take_chunks(rest);
    MUST(length <= rest->len);
    *rest = adit_str_sub(*rest, (size_t)length, rest->len);
    MUST(!last || rest->len == 0); /* nothing comes behind the last one */
    return rest->len > 0;
}

/* --- a connection ----------------------------------------------------------------------------- */

static void start_server(void)
{
    struct adit_buf why;
    static struct origin origin = {.open = open_text};
    adit_buf_init(&why, cli_mem, 4096);
    MUST(adit_config_parse(&config, ADIT_STR("{\"origin\":\"https://example.com\"}"), cli_mem,
                           &why) == ADIT_OK);
    adit_buf_free(&why);
    server = (struct server){
        .config = &config,
        .origin = &origin,
        .local = ADIT_STR("127.0.0.1:80"),
        .max_body = BODY_MAX,
        .takes_bodies = true,
        .limits = {.connections = 16, .per_address = 16, .header_s = 60, .body_s = 60},
    };
    MUST(server_init(&server));
    server_daemon = server_start(&server, MHD_USE_NO_LISTEN_SOCKET, -1);
    MUST(server_daemon);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct adit_str input = {(const char *)data, size};
    struct adit_buf answers;
    char part[65536];
    int fd[2];
    if (!server_daemon) start_server();
    MUST(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fd) == 0);
    MUST(size == 0 || send(fd[1], data, size, MSG_NOSIGNAL) == (ssize_t)size);
    shutdown(fd[1], SHUT_WR);
    MUST(MHD_add_connection(server_daemon, fd[0], (struct sockaddr *)&from, sizeof from) ==
         MHD_YES);
    adit_buf_init(&answers, cli_mem, ANSWERS_MAX);
    ssize_t got = -1;
    int steps = 0;
    while (got != 0 && ++steps < STEPS) {
        MUST(MHD_run(server_daemon) == MHD_YES);
        while ((got = recv(fd[1], part, sizeof part, 0)) > 0)
            adit_buf_add(&answers, adit_str_of(part, (size_t)got));
    }
    MUST(steps < STEPS && !answers.err);
    close(fd[1]);
    MHD_run(server_daemon);
    MUST(atomic_load(&server.active) == 0 && atomic_load(&server.spooled) == 0);
    struct adit_str rest = adit_buf_str(&answers);
    bool any_head = adit_str_find(input, ADIT_STR("HEAD"), 0) < input.len;
    while (rest.len && take_answer(&rest, any_head)) continue;
    adit_buf_free(&answers);
    return 0;
}
