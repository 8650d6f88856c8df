/* The server of `adit serve`, from listening to stopping: libmicrohttpd, one thread a connection.
 */
#include "batch/cli/cli.h"
#include "batch/serve/request_impl.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#if MHD_VERSION < 0x01000000
#error "libmicrohttpd 1.0 or later is needed: older ones take malformed requests"
#endif

enum {
    IDLE_S = 60,
    CONNECTION_BYTES = 192 << 10, /* the header received, and that of the answer */
    DISCIPLINE = 1, /* of clients: all that RFC 9112 says a server must or should refuse */
    TICK_MS = 500,
    MEMORY_SLOTS = 4096,
    MEMORY_BYTES = 64 << 20,
    DRAIN_S = 20 /* for what is under way when the server is to stop */
};

/* PORT on loopback, :PORT on all addresses, HOST:PORT, [ADDRESS]:PORT; NULL for host: all. */
static bool split_address(const char *addr, char *host, size_t cap, const char **port)
{
    const char *colon = strrchr(addr, ':');
    uint64_t number;
    *port = colon ? colon + 1 : addr;
    if (!adit_str_u64(adit_str_z(*port), &number) || number > 65535) return false;
    size_t len = colon ? (size_t)(colon - addr) : 0;
    if (!colon) addr = "127.0.0.1", len = strlen(addr);
    if (len && addr[0] == '[' && addr[len - 1] == ']') addr++, len -= 2;
    if (len + 1 > cap) return false;
    memcpy(host, addr, len);
    host[len] = '\0';
    return true;
}

bool server_is_address(const char *addr)
{
    char host[256];
    const char *port;
    return split_address(addr, host, sizeof host, &port);
}

int server_listen(const char *addr, char local[80])
{
    char host[256], name[64] = "", service[16] = "";
    const char *port = "";
    struct addrinfo hints = {.ai_flags = AI_PASSIVE, .ai_socktype = SOCK_STREAM}, *list = NULL;
    if (!split_address(addr, host, sizeof host, &port)) return SERVER_NO_ADDRESS;
    int why = getaddrinfo(*host ? host : NULL, port, &hints, &list), one = 1, fd = -1;
    if (why) {
        cli_say(addr, "%s", gai_strerror(why));
        return -1;
    }
    fd = socket(list->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_storage real = {0};
    socklen_t len = sizeof real;
    bool fine = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
                bind(fd, list->ai_addr, list->ai_addrlen) == 0 && listen(fd, 1024) == 0 &&
                getsockname(fd, (struct sockaddr *)&real, &len) == 0;
    freeaddrinfo(list);
    if (!fine) {
        cli_say(addr, "cannot listen: %s", strerror(errno));
        if (fd >= 0) close(fd);
        return -1;
    }
    getnameinfo((struct sockaddr *)&real, len, name, sizeof name, service, sizeof service,
                NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(local, 80, real.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", name, service);
    return fd;
}

/* A connection may need a second descriptor, for its file or its upstream; closed ones, one for a
 * moment. */
static void fit_descriptors(struct watch_limits *limits)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
    rlim_t wanted = 3 * limits->connections + 64;
    if (files.rlim_cur < wanted) {
        files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
        setrlimit(RLIMIT_NOFILE, &files);
        getrlimit(RLIMIT_NOFILE, &files);
    }
    if (files.rlim_cur >= wanted) return;
    limits->connections = files.rlim_cur > 112 ? (files.rlim_cur - 64) / 3 : 16;
    cli_say(NULL, "%llu connections at once, by the limit of open files",
            (unsigned long long)limits->connections);
}

bool server_init(struct server *s)
{
    s->n_shards = SHARDS;
    for (size_t i = 0; i < s->n_shards; i++) {
        struct shard *shard = &s->shards[i];
        pthread_mutex_init(&shard->lock, NULL);
        pthread_cond_init(&shard->ready, NULL);
        shard->memory = memory_new(MEMORY_SLOTS, MEMORY_BYTES / s->n_shards);
        if (!shard->memory || adit_edge_init(&shard->edge, s->config, cli_mem) != ADIT_OK)
            return false;
    }
    fit_descriptors(&s->limits);
    s->watch = watch_new(&s->limits, s->trusted, s->n_trusted);
    return s->watch != NULL;
}

void server_free(struct server *s)
{
    for (size_t i = 0; i < s->n_shards; i++) {
        adit_edge_free(&s->shards[i].edge);
        memory_free(s->shards[i].memory);
        pthread_cond_destroy(&s->shards[i].ready);
        pthread_mutex_destroy(&s->shards[i].lock);
    }
    watch_free(s->watch);
    free(s->trusted);
}

/* --- running ---------------------------------------------------------------------------------- */

static enum MHD_Result on_accept(void *ctx, const struct sockaddr *from, socklen_t len)
{
    struct server *s = ctx;
    (void)len;
    return watch_admit(s->watch, from) ? MHD_YES : MHD_NO;
}

static void on_connection(void *ctx, struct MHD_Connection *connection, void **seat,
                          enum MHD_ConnectionNotificationCode what)
{
    struct server *s = ctx;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        watch_remove(s->watch, *seat);
        return;
    }
    int fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    *seat = watch_add(
        s->watch, fd,
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr);
}

struct MHD_Daemon *server_start(struct server *s, unsigned flags, int fd)
{
    return MHD_start_daemon(
        flags, 0, on_accept, s, serve_on_request, s, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)WATCH_SEATS(s->limits), MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
        MHD_OPTION_CLIENT_DISCIPLINE_LVL, (int)DISCIPLINE, MHD_OPTION_NOTIFY_CONNECTION,
        on_connection, s, MHD_OPTION_URI_LOG_CALLBACK, serve_on_uri, s, MHD_OPTION_NOTIFY_COMPLETED,
        serve_on_completed, s, fd < 0 ? MHD_OPTION_END : MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_END);
}

/* What is under way gets DRAIN_S to end. */
static void drain(struct server *s)
{
    struct timespec nap = {.tv_nsec = 20000000};
    int64_t end = clock_ms() + (int64_t)DRAIN_S * 1000, tick = 0;
    for (int64_t now; (now = clock_ms()) < end && atomic_load(&s->active);) {
        if (now >= tick) {
            watch_tick(s->watch);
            tick = now + TICK_MS;
        }
        nanosleep(&nap, NULL);
    }
}

int server_run(struct server *s, int fd)
{
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigaddset(&stop, SIGINT);
    pthread_sigmask(SIG_BLOCK, &stop, NULL); /* threads inherit it */
    signal(SIGPIPE, SIG_IGN);
    /* One thread a connection: the origin is waited for in it. */
    struct MHD_Daemon *daemon =
        server_start(s,
                     MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION |
                         MHD_USE_POLL | MHD_USE_ITC,
                     fd);
    if (!daemon) {
        cli_say(NULL, "cannot start the server");
        return CLI_OUTPUT;
    }
    cli_say(NULL, "listening on http://%.*s/", (int)s->local.len, s->local.p);
    struct timespec tick = {.tv_nsec = (long)TICK_MS * 1000000};
    while (sigtimedwait(&stop, NULL, &tick) < 0) watch_tick(s->watch);
    int quiet = MHD_quiesce_daemon(daemon);
    drain(s);
    MHD_stop_daemon(daemon);
    if (quiet >= 0) close(quiet);
    if (s->log) fflush(s->log);
    cli_say(NULL, "stopped after %s", cli_count(atomic_load(&s->requests), "request").p);
    return CLI_OK;
}
