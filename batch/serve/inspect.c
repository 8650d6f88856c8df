/* What `adit serve` says about itself, each on a listener of its own, so that nobody meets it by
 * way of the site's address, whatever proxies stand before that: the inspector
 * (for a person at this machine), and the counters (for Prometheus).
 *
 * The page's listener is bound to loopback, and everything on it stands below a random token: other
 * users of the machine and pages of other sites do not know the URL. A page elsewhere could have
 * its own name point here (DNS rebinding), so the name asked for must be the listener's as well. */
#include "batch/serve/look_impl.h"
#include "batch/serve/serve.h"

#include <microhttpd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { CONNECTIONS = 32, IDLE_S = 60, VIEW_BYTES = 64 << 20, VIEW_MS = 60000 };

struct listener {
    struct server *server;
    struct MHD_Daemon *daemon; /* NULL: not asked for */
    int fd;
    char local[80], token[33]; /* the token: of the page only */
    bool loopback;
    struct origin *site; /* the server itself, as its clients see it */
};

struct inspect {
    struct listener page, metrics;
};

/* --- answers ---------------------------------------------------------------------------------- */

static enum MHD_Result send_page(struct MHD_Connection *connection, struct own_page *page)
{
    static const char *const fields[][2] = {
        {"cache-control", "no-store"},
        {"x-content-type-options", "nosniff"},
        {"referrer-policy", "no-referrer"},
        {"cross-origin-resource-policy", "same-origin"},
    };
    struct MHD_Response *r =
        page->body.err
            ? NULL
            : MHD_create_response_from_buffer(page->body.len, page->body.p, MHD_RESPMEM_MUST_COPY);
    if (!r) return MHD_NO;
    bool fine = MHD_add_response_header(r, "content-type", page->type) == MHD_YES;
    for (size_t i = 0; i < ADIT_COUNT(fields); i++)
        fine = fine && MHD_add_response_header(r, fields[i][0], fields[i][1]) == MHD_YES;
    const char *policy =
        page->policy[0] ? page->policy : "default-src 'none'; frame-ancestors 'none'; sandbox";
    fine = fine && MHD_add_response_header(r, "content-security-policy", policy) == MHD_YES;
    if (page->link[0]) fine = fine && MHD_add_response_header(r, "link", page->link) == MHD_YES;
    if (page->etag[0]) fine = fine && MHD_add_response_header(r, "etag", page->etag) == MHD_YES;
    enum MHD_Result result = fine ? MHD_queue_response(connection, page->status, r) : MHD_NO;
    MHD_destroy_response(r);
    return result;
}

static void write_note(struct own_page *out, unsigned status, const char *text)
{
    out->status = status;
    out->type = "text/plain; charset=utf-8";
    adit_buf_clear(&out->body);
    adit_buf_lit(&out->body, text);
}

static void copy_field(const struct origin_reply *r, const char *name, char *to, size_t cap)
{
    struct adit_str v = adit_header_get(r->headers.v, r->headers.n, adit_str_z(name));
    if (v.len < cap) snprintf(to, cap, "%.*s", (int)v.len, v.len ? v.p : "");
}

/* What the site answers for the path, as text: nothing of it is to run here. */
static void view(struct listener *l, struct adit_str path, struct own_page *out)
{
    static const struct adit_header fields[] = {
        {{"accept", 6}, {"text/html, */*;q=0.5", 20}},
        {{"accept-encoding", 15}, {"identity", 8}},
    };
    struct origin_request q = {
        .method = ADIT_STR("GET"),
        .authority = l->server->local,
        .path = path,
        .headers = fields,
        .n_headers = ADIT_COUNT(fields),
        .timeout_ms = VIEW_MS,
        .whole = true,
    };
    enum adit_fetch_failure why;
    char part[16384];
    ssize_t got;
    struct origin_reply *r = l->site->open(l->site, &q, &why);
    if (!r) {
        write_note(out, 502, "The server does not answer.\n");
        return;
    }
    out->status = r->status;
    copy_field(r, "link", out->link, sizeof out->link);
    copy_field(r, "etag", out->etag, sizeof out->etag);
    while ((got = r->read(r, part, sizeof part)) > 0)
        adit_buf_add(&out->body, adit_str_of(part, (size_t)got));
    r->close(r);
    if (got < 0 || out->body.err) write_note(out, 502, "The answer broke off.\n");
}

/* Whether the path begins with the token; how long the comparison takes tells nothing of it. */
static bool has_token(const struct listener *l, struct adit_str path)
{
    size_t len = sizeof l->token - 1;
    unsigned differs = 0;
    if (path.len < len + 2 || path.p[0] != '/' || path.p[len + 1] != '/') return false;
    for (size_t i = 0; i < len; i++) differs |= (unsigned char)(path.p[i + 1] ^ l->token[i]);
    return differs == 0;
}

static void answer_page(struct listener *l, struct adit_str path, struct own_page *out)
{
    struct adit_str raw = ADIT_STR("raw/"),
                    name = adit_str_sub(path, sizeof l->token + 1, path.len);
    if (!has_token(l, path))
        write_note(out, 404, "Not found.\n");
    else if (adit_str_starts(name, raw))
        view(l, adit_str_sub(name, raw.len - 1, name.len), out);
    else if (!look_answer(&(struct look){l->server, l->site}, name, out))
        own_page(l->server, name, out);
}

/* --- requests --------------------------------------------------------------------------------- */

static bool is_our_name(const struct listener *l, const char *host)
{
    char name[96];
    if (!l->loopback) return true;
    snprintf(name, sizeof name, "localhost%s", strrchr(l->local, ':'));
    return host && (strcasecmp(host, l->local) == 0 || strcasecmp(host, name) == 0);
}

static void *on_uri(void *ctx, const char *uri, struct MHD_Connection *connection)
{
    (void)ctx, (void)connection;
    return strdup(uri);
}

static enum MHD_Result on_request(void *ctx, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *data_len, void **con_cls)
{
    struct listener *l = ctx;
    struct own_page page = {.status = 404, .type = "text/plain; charset=utf-8"};
    (void)url, (void)version, (void)data, (void)data_len;
    if (!*con_cls) return MHD_NO;
    adit_buf_init(&page.body, cli_mem, VIEW_BYTES);
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        write_note(&page, 405, "Only GET and HEAD.\n");
    else if (!is_our_name(l, MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "host")))
        write_note(&page, 403, "This server has another name.\n");
    else if (l->token[0])
        answer_page(l, adit_str_z(*con_cls), &page);
    else if (strcmp(*con_cls, "/metrics") == 0)
        own_page(l->server, ADIT_STR("metrics"), &page);
    else
        write_note(&page, 404, "There is /metrics.\n");
    enum MHD_Result result = send_page(connection, &page);
    adit_buf_free(&page.body);
    return result;
}

static void on_completed(void *ctx, struct MHD_Connection *connection, void **con_cls,
                         enum MHD_RequestTerminationCode why)
{
    (void)ctx, (void)connection, (void)why;
    free(*con_cls);
    *con_cls = NULL;
}

/* --- from listening to stopping --------------------------------------------------------------- */

static bool start(struct listener *l, struct server *s, const char *addr)
{
    l->server = s;
    l->fd = server_listen(addr, l->local);
    if (l->fd < 0) return false;
    l->loopback = strncmp(l->local, "127.", 4) == 0 || strncmp(l->local, "[::1]", 5) == 0;
    l->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL |
            MHD_USE_ITC,
        0, NULL, NULL, on_request, l, MHD_OPTION_LISTEN_SOCKET, l->fd, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S,
        MHD_OPTION_CLIENT_DISCIPLINE_LVL, 1, MHD_OPTION_URI_LOG_CALLBACK, on_uri, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, NULL, MHD_OPTION_END);
    if (l->daemon) return true;
    cli_say(addr, "cannot start the server");
    close(l->fd);
    return false;
}

static bool start_page(struct listener *l, struct server *s)
{
    unsigned char random[(sizeof l->token - 1) / 2];
    char here[96];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) {
        cli_say(NULL, "no random numbers for --inspect");
        return false;
    }
    for (size_t i = 0; i < sizeof random; i++) snprintf(l->token + 2 * i, 3, "%02x", random[i]);
    snprintf(here, sizeof here, "http://%.*s", (int)s->local.len, s->local.p);
    l->site = origin_upstream(here);
    if (!l->site || !start(l, s, "127.0.0.1:0")) return false;
    cli_say(NULL, "inspector: http://%s/%s/", l->local, l->token);
    return true;
}

struct inspect *inspect_start(struct server *s, bool page, const char *metrics)
{
    struct inspect *i = calloc(1, sizeof *i);
    sigset_t stop;
    if (!i) return NULL;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigaddset(&stop, SIGINT);
    pthread_sigmask(SIG_BLOCK, &stop, NULL); /* the server waits for them, not our threads */
    bool fine = !metrics || start(&i->metrics, s, metrics);
    if (fine && metrics) cli_say(NULL, "metrics on http://%s/metrics", i->metrics.local);
    if (fine && (!page || start_page(&i->page, s))) return i;
    inspect_stop(i);
    return NULL;
}

void inspect_stop(struct inspect *i)
{
    if (!i) return;
    if (i->page.daemon) MHD_stop_daemon(i->page.daemon);
    if (i->metrics.daemon) MHD_stop_daemon(i->metrics.daemon);
    if (i->page.site) i->page.site->free(i->page.site);
    free(i);
}
