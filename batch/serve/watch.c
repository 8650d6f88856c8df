/* The table of connections. A connection is closed by shutting its socket down: the thread that
 * serves it sees the end of the stream. Its slot stays until that thread is gone. */
#include "batch/serve/watch_impl.h"
#include "batch/cli/cli.h"

#include <arpa/inet.h>
#include <linux/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum {
    BRAKE_MS = 5,          /* a pause before the next connection when seats run out */
    HASTE_MS = 1000,       /* a header that is not there after this is slow */
    READER_MS = 10 * 1000, /* an answer that is not taken after this may be a slow reader's */
    READER_RATE = 1 << 10  /* bytes per second below which a reader is slow */
};

struct watch_client {
    int fd; /* -1: a free slot */
    struct in6_addr address;
    bool closing;
    enum watch_phase phase;
    int64_t since;     /* ms: begin of the phase */
    uint64_t bytes;    /* in this phase */
    uint64_t received; /* of the socket, when the last request was there */
};

struct watch {
    pthread_mutex_t lock;
    struct watch_limits limits;
    struct watch_range *trusted;
    size_t n_trusted, n, open, closing; /* open: slots in use; closing: of them, shut down */
    struct watch_client slots[];
};

/* --- addresses -------------------------------------------------------------------------------- */

static struct in6_addr map_v4(struct in_addr v4)
{
    struct in6_addr a = {.s6_addr = {[10] = 0xff, [11] = 0xff}};
    memcpy(a.s6_addr + 12, &v4, 4);
    return a;
}

static struct in6_addr address_of(const struct sockaddr *from)
{
    struct in6_addr none = {0};
    if (!from) return none;
    if (from->sa_family == AF_INET) return map_v4(((const struct sockaddr_in *)from)->sin_addr);
    return from->sa_family == AF_INET6 ? ((const struct sockaddr_in6 *)from)->sin6_addr : none;
}

static bool is_within(const struct in6_addr *a, const struct watch_range *r)
{
    unsigned whole = r->bits / 8, rest = r->bits % 8;
    if (memcmp(a->s6_addr, r->address.s6_addr, whole) != 0) return false;
    return rest == 0 || (a->s6_addr[whole] ^ r->address.s6_addr[whole]) >> (8 - rest) == 0;
}

bool watch_range_parse(const char *text, struct watch_range *out)
{
    char host[INET6_ADDRSTRLEN];
    struct in_addr v4;
    const char *slash = strchr(text, '/');
    size_t len = slash ? (size_t)(slash - text) : strlen(text);
    uint64_t bits;
    if (len >= sizeof host) return false;
    memcpy(host, text, len);
    host[len] = '\0';
    bool is_v4 = inet_pton(AF_INET, host, &v4) == 1;
    if (is_v4) out->address = map_v4(v4);
    if (!is_v4 && inet_pton(AF_INET6, host, &out->address) != 1) return false;
    unsigned max = is_v4 ? 32 : 128;
    if (!slash) bits = max;
    if (slash && (!adit_str_u64(adit_str_z(slash + 1), &bits) || bits > max)) return false;
    out->bits = (unsigned)bits + (is_v4 ? 96 : 0);
    return true;
}

static bool is_trusted(const struct watch *w, const struct in6_addr *a)
{
    if (IN6_IS_ADDR_LOOPBACK(a) || (IN6_IS_ADDR_V4MAPPED(a) && a->s6_addr[12] == 127)) return true;
    for (size_t i = 0; i < w->n_trusted; i++)
        if (is_within(a, &w->trusted[i])) return true;
    return false;
}

static size_t count_from(const struct watch *w, const struct in6_addr *a)
{
    /* Whoever has one IPv6 address has a /64 of them. */
    struct watch_range range = {*a, IN6_IS_ADDR_V4MAPPED(a) ? 128 : 64};
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++)
        if (w->slots[i].fd >= 0 && is_within(&w->slots[i].address, &range)) n++;
    return n;
}

/* --- who has to go ---------------------------------------------------------------------------- */

static void close_client(struct watch *w, struct watch_client *c)
{
    c->closing = true;
    w->closing++;
    shutdown(c->fd, SHUT_RDWR);
}

/* How much sooner than others a connection is given up: 0 never, else the higher the sooner. */
static int expendable(const struct watch_client *c, int64_t now)
{
    int64_t age = now - c->since;
    switch (c->phase) {
    case WATCH_HEADER: return age >= HASTE_MS ? 4 : 2;
    case WATCH_IDLE: return 3;
    case WATCH_BODY: return age >= HASTE_MS ? 1 : 0;
    default: break;
    }
    return age >= READER_MS && c->bytes < (uint64_t)age / 1000 * READER_RATE ? 1 : 0;
}

static void make_room(struct watch *w)
{
    struct watch_client *worst = NULL;
    int64_t now = clock_ms();
    int rank = 0;
    for (size_t i = 0; i < w->n; i++) {
        struct watch_client *c = &w->slots[i];
        int r = c->fd < 0 || c->closing ? 0 : expendable(c, now);
        if (r == 0 || r < rank || (r == rank && c->since >= worst->since)) continue;
        worst = c;
        rank = r;
    }
    if (worst) close_client(w, worst);
}

/* Bytes that the kernel has received for the socket; 0 if it does not say. */
static uint64_t received_by(int fd)
{
    struct tcp_info info;
    socklen_t len = sizeof info;
    memset(&info, 0, sizeof info);
    return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) == 0 ? info.tcpi_bytes_received : 0;
}

static bool is_overdue(const struct watch *w, const struct watch_client *c, int64_t now)
{
    uint64_t age = (uint64_t)(now - c->since);
    if (c->phase == WATCH_HEADER) return age > w->limits.header_s * 1000;
    return c->phase == WATCH_BODY && age > (w->limits.body_s + c->bytes / WATCH_RATE) * 1000;
}

/* --- the calls -------------------------------------------------------------------------------- */

struct watch *watch_new(const struct watch_limits *limits, const struct watch_range *trusted,
                        size_t n_trusted)
{
    size_t n = (size_t)WATCH_SEATS(*limits);
    struct watch *w = calloc(1, sizeof *w + n * sizeof *w->slots);
    struct watch_range *copy = calloc(n_trusted + 1, sizeof *copy);
    if (!w || !copy) {
        free(w);
        free(copy);
        return NULL;
    }
    if (n_trusted) memcpy(copy, trusted, n_trusted * sizeof *copy);
    w->limits = *limits;
    w->trusted = copy;
    w->n_trusted = n_trusted;
    w->n = n;
    for (size_t i = 0; i < n; i++) w->slots[i].fd = -1;
    pthread_mutex_init(&w->lock, NULL);
    return w;
}

void watch_free(struct watch *w)
{
    if (!w) return;
    pthread_mutex_destroy(&w->lock);
    free(w->trusted);
    free(w);
}

bool watch_admit(struct watch *w, const struct sockaddr *from)
{
    struct in6_addr a = address_of(from);
    pthread_mutex_lock(&w->lock);
    bool fine = is_trusted(w, &a) || count_from(w, &a) < w->limits.per_address;
    if (fine && w->open - w->closing >= w->limits.connections) make_room(w);
    bool crowded = w->open >= w->n - w->n / 4;
    pthread_mutex_unlock(&w->lock);
    struct timespec pause = {.tv_nsec = (long)BRAKE_MS * 1000000};
    if (crowded) nanosleep(&pause, NULL);
    return fine;
}

struct watch_client *watch_add(struct watch *w, int fd, const struct sockaddr *from)
{
    struct watch_client *c = NULL;
    pthread_mutex_lock(&w->lock);
    for (size_t i = 0; !c && i < w->n; i++)
        if (w->slots[i].fd < 0) c = &w->slots[i];
    if (c) {
        *c = (struct watch_client){.fd = fd, .address = address_of(from), .since = clock_ms()};
        w->open++;
    }
    pthread_mutex_unlock(&w->lock);
    return c;
}

void watch_remove(struct watch *w, struct watch_client *c)
{
    if (!c) return;
    pthread_mutex_lock(&w->lock);
    w->open--;
    if (c->closing) w->closing--;
    c->fd = -1;
    pthread_mutex_unlock(&w->lock);
}

void watch_set(struct watch *w, struct watch_client *c, enum watch_phase phase)
{
    if (!c) return;
    uint64_t received = phase == WATCH_ANSWER ? received_by(c->fd) : 0;
    pthread_mutex_lock(&w->lock);
    /* A request line continues the header that began with its first byte. */
    if (phase != WATCH_HEADER || c->phase != WATCH_HEADER) {
        c->since = clock_ms();
        c->bytes = 0;
    }
    c->phase = phase;
    if (phase == WATCH_ANSWER) c->received = received;
    pthread_mutex_unlock(&w->lock);
}

void watch_progress(struct watch *w, struct watch_client *c, uint64_t bytes)
{
    if (!c) return;
    pthread_mutex_lock(&w->lock);
    c->bytes += bytes;
    pthread_mutex_unlock(&w->lock);
}

void watch_tick(struct watch *w)
{
    int64_t now = clock_ms();
    pthread_mutex_lock(&w->lock);
    for (size_t i = 0; i < w->n; i++) {
        struct watch_client *c = &w->slots[i];
        if (c->fd < 0 || c->closing) continue;
        /* The library says nothing of a header before its first line is whole. */
        if (c->phase == WATCH_IDLE && received_by(c->fd) > c->received) {
            c->phase = WATCH_HEADER;
            c->since = now;
        }
        if (is_overdue(w, c, now)) close_client(w, c);
    }
    pthread_mutex_unlock(&w->lock);
}
