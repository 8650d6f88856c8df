/* The body of a request: an unnamed temporary file, limited in itself and together with all others.
 * libmicrohttpd takes no answer between the header and the end of the body, so that the refusal of
 * a body that turns out too long is written to the socket directly. */
#include "batch/cli/cli.h"
#include "batch/serve/request_impl.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>

enum {
    IGNORED_MAX = 64 << 10, /* bytes of a GET's body that are read and thrown away */
    SPOOL_BODIES = 64,      /* all bodies together: as many of the largest size */
    LINGER_MS = 1000,
    LINGER_BYTES = 1 << 20
};

static struct adit_str field(const struct request *q, const char *name)
{
    return adit_header_get(q->headers.v, q->headers.n, adit_str_z(name));
}

bool upload_is_announced(const struct request *q)
{
    uint64_t len = 0;
    adit_str_u64(field(q, "content-length"), &len);
    return len > 0 || field(q, "transfer-encoding").len > 0;
}

bool upload_is_unwanted(const struct request *q)
{
    bool reads = strcmp(q->method, "GET") == 0 || strcmp(q->method, "HEAD") == 0;
    return !q->server->takes_bodies && !reads && upload_is_announced(q);
}

unsigned upload_begin(struct request *q, const char **why)
{
    const struct server *s = q->server;
    uint64_t len = 0;
    q->upload_max = s->max_body;
    q->upload_ignored = !s->takes_bodies;
    if (q->upload_ignored && q->upload_max > IGNORED_MAX) q->upload_max = IGNORED_MAX;
    adit_str_u64(field(q, "content-length"), &len);
    if (len <= q->upload_max || upload_is_unwanted(q)) return 0;
    *why = "The body is too large.\n";
    return 413;
}

static int socket_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

static enum MHD_Result refuse_now(struct request *q, struct MHD_Connection *connection,
                                  unsigned status, const char *phrase, const char *text)
{
    char answer[256];
    int n = snprintf(answer, sizeof answer,
                     "HTTP/1.1 %u %s\r\nConnection: close\r\nContent-Type: text/plain\r\n"
                     "Cache-Control: no-store\r\nContent-Length: %zu\r\n\r\n%s",
                     status, phrase, strlen(text), text);
    if (n > 0 && send(socket_of(connection), answer, (size_t)n, MSG_NOSIGNAL | MSG_DONTWAIT) == n)
        q->sent = strlen(text);
    q->status = status;
    q->early = true;
    return MHD_NO;
}

enum MHD_Result upload_take(struct request *q, struct MHD_Connection *connection, const char *data,
                            size_t len)
{
    struct server *s = q->server;
    if (len > q->upload_max - q->upload_len)
        return refuse_now(q, connection, 413, "Content Too Large", "The body is too large.\n");
    watch_progress(s->watch, q->seat, len);
    q->upload_len += len;
    if (q->upload_ignored) return MHD_YES;
    if (atomic_fetch_add(&s->spooled, len) + len > SPOOL_BODIES * s->max_body)
        return refuse_now(q, connection, 503, "Service Unavailable",
                          "Too many bodies are under way.\n");
    if (!q->upload) q->upload = tmpfile();
    if (!q->upload || fwrite(data, 1, len, q->upload) != len)
        return refuse_now(q, connection, 503, "Service Unavailable",
                          "The body cannot be stored.\n");
    return MHD_YES;
}

void upload_end(struct request *q)
{
    if (q->upload) fclose(q->upload);
    if (!q->upload_ignored) atomic_fetch_sub(&q->server->spooled, q->upload_len);
}

void upload_linger(struct MHD_Connection *connection)
{
    char waste[4096];
    int fd = socket_of(connection);
    int64_t end = clock_ms() + LINGER_MS, left;
    size_t bytes = 0;
    shutdown(fd, SHUT_WR);
    while (bytes < LINGER_BYTES && (left = end - clock_ms()) > 0) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        if (poll(&p, 1, (int)left) <= 0) return;
        ssize_t got = recv(fd, waste, sizeof waste, MSG_DONTWAIT);
        if (got <= 0) return;
        bytes += (size_t)got;
    }
}
