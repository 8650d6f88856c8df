/* Who may connect, and who has to go. */
#include "batch/serve/watch_impl.h"
#include "tests/tap.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const struct sockaddr *address(const char *text)
{
    static struct sockaddr_in v4;
    static struct sockaddr_in6 v6;
    v4 = (struct sockaddr_in){.sin_family = AF_INET};
    v6 = (struct sockaddr_in6){.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1) return (struct sockaddr *)&v4;
    inet_pton(AF_INET6, text, &v6.sin6_addr);
    return (struct sockaddr *)&v6;
}

static void nap(long ms)
{
    struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

/* Both ends of a connection, and its seat. */
struct guest {
    int ours, theirs;
    struct watch_client *seat;
};

static struct guest arrive(struct watch *w, const char *from)
{
    int fd[2] = {-1, -1};
    ok(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fd) == 0, "socketpair");
    return (struct guest){fd[0], fd[1], watch_add(w, fd[0], address(from))};
}

static void leave(struct watch *w, struct guest *g)
{
    watch_remove(w, g->seat);
    close(g->ours);
    close(g->theirs);
}

/* Whether the server has closed the connection. */
static bool is_gone(const struct guest *g)
{
    char c;
    return recv(g->theirs, &c, 1, 0) == 0;
}

TEST(ranges)
{
    static const char *const good[] = {
        "10.0.0.0/8", "192.0.2.1", "::1", "2001:db8::/32", "0.0.0.0/0", "::/0", "::ffff:192.0.2.1"};
    static const char *const bad[] = {"",       "x",         "10.0.0.0/33", "10.0.0/8",
                                      "::/129", "1.2.3.4/",  "1.2.3.4/x",   "example.com",
                                      "/8",     "1.2.3.4/-1"};
    struct watch_range r;
    for (size_t i = 0; i < ADIT_COUNT(good); i++) ok(watch_range_parse(good[i], &r), good[i]);
    for (size_t i = 0; i < ADIT_COUNT(bad); i++) ok(!watch_range_parse(bad[i], &r), bad[i]);
}

TEST(addresses)
{
    static const struct watch_limits limits = {
        .connections = 64, .per_address = 3, .header_s = 60, .body_s = 60};
    struct watch_range trusted[2];
    ok(watch_range_parse("10.0.0.0/9", &trusted[0]), "range");
    ok(watch_range_parse("2001:db8:1::/48", &trusted[1]), "range");
    struct watch *w = watch_new(&limits, trusted, 2);
    static const char *const fillers[] = {"192.0.2.1",  "2001:db8::1",   "127.0.0.1", "10.127.0.1",
                                          "10.128.0.1", "2001:db8:1::1", "::1"};
    struct guest g[ADIT_COUNT(fillers) * 3];
    for (size_t i = 0; i < ADIT_COUNT(g); i++) g[i] = arrive(w, fillers[i / 3]);
    static const char *const refused[] = {"192.0.2.1", "::ffff:192.0.2.1", "2001:db8::1",
                                          "2001:db8::ffff:1", "10.128.0.1"};
    static const char *const taken[] = {
        "192.0.2.2",  "2001:db8:0:1::1", "127.0.0.1",     "127.1.2.3",
        "10.127.0.1", "10.127.0.2",      "2001:db8:1::1", "::1"};
    for (size_t i = 0; i < ADIT_COUNT(refused); i++)
        ok(!watch_admit(w, address(refused[i])), refused[i]);
    for (size_t i = 0; i < ADIT_COUNT(taken); i++) ok(watch_admit(w, address(taken[i])), taken[i]);
    leave(w, &g[0]);
    ok(watch_admit(w, address("192.0.2.1")), "one left, one may come");
    for (size_t i = 1; i < ADIT_COUNT(g); i++) leave(w, &g[i]);
    watch_free(w);
}

/* 14 connections are enough: the guest with number `first` goes for the next one. */
static void check_evicted(const enum watch_phase *phases, size_t first, const char *what)
{
    enum { SEATS = 14 };
    static const struct watch_limits limits = {
        .connections = SEATS, .per_address = 1, .header_s = 60, .body_s = 60};
    struct watch *w = watch_new(&limits, NULL, 0);
    struct guest g[SEATS];
    for (size_t i = 0; i < SEATS; i++) {
        g[i] = arrive(w, "127.0.0.1");
        watch_set(w, g[i].seat, phases[i]);
        nap(3);
    }
    nap(1100); /* longer than a header should take */
    ok(watch_admit(w, address("127.0.0.1")), what);
    for (size_t i = 0; i < SEATS; i++) eq_int(is_gone(&g[i]), i == first, what);
    for (size_t i = 0; i < SEATS; i++) leave(w, &g[i]);
    watch_free(w);
}

TEST(evictions)
{
    enum { I = WATCH_IDLE, H = WATCH_HEADER, B = WATCH_BODY, A = WATCH_ANSWER };
    static const enum watch_phase slow[] = {A, B, I, H, I, H, A, B, I, H, A, A, A, A};
    static const enum watch_phase idle[] = {A, B, A, I, I, A, A, B, I, A, A, A, A, A};
    static const enum watch_phase body[] = {A, A, A, A, B, A, A, B, A, A, A, A, A, A};
    static const enum watch_phase busy[] = {A, A, A, A, A, A, A, A, A, A, A, A, A, A};
    check_evicted(slow, 3, "slow headers");
    check_evicted(idle, 3, "idle ones");
    check_evicted(body, 4, "slow bodies");
    check_evicted(busy, 99, "answers");
}

TEST(times)
{
    static const struct watch_limits limits = {
        .connections = 16, .per_address = 1, .header_s = 1, .body_s = 1};
    struct watch *w = watch_new(&limits, NULL, 0);
    enum { HEADER, BODY, FAST_BODY, IDLE, ANSWER, N };
    static const enum watch_phase phases[N] = {WATCH_HEADER, WATCH_BODY, WATCH_BODY, WATCH_IDLE,
                                               WATCH_ANSWER};
    struct guest g[N];
    for (size_t i = 0; i < N; i++) {
        g[i] = arrive(w, "192.0.2.1");
        watch_set(w, g[i].seat, phases[i]);
    }
    watch_progress(w, g[FAST_BODY].seat, 3600 * WATCH_RATE);
    watch_tick(w);
    nap(1100);
    watch_set(w, g[HEADER].seat, WATCH_HEADER); /* the request line is no new beginning */
    watch_tick(w);
    watch_tick(w);
    for (size_t i = 0; i < N; i++)
        eq_int(is_gone(&g[i]), i == HEADER || i == BODY, "over its time or not");
    for (size_t i = 0; i < N; i++) leave(w, &g[i]);
    watch_free(w);
}

RUN_TESTS(ranges, addresses, evictions, times)
