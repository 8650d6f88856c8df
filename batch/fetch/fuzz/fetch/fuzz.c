/* The client: the input is what a server sends, one answer a connection, separated by "\n--\n". A
 * thread plays the server. Whatever comes: done is called once, within the limits. */
#include "batch/fetch/fetch.h"
#include "tests/fuzz.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BODY_MAX = 1 << 20 };

static int listener = -1;
static char site[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct adit_str answers; /* those that are left */

/* Copied: the client may be done with it, and the input gone, before all is sent. */
static size_t next_answer(char *to, size_t max)
{
    pthread_mutex_lock(&lock);
    struct adit_str separator = ADIT_STR("\n--\n"), all = answers;
    size_t at = adit_str_find(all, separator, 0), len = at < max ? at : max;
    if (len) memcpy(to, all.p, len);
    answers = adit_str_sub(all, at + separator.len, all.len);
    pthread_mutex_unlock(&lock);
    return len;
}

static void *serve(void *unused)
{
    static char answer[1 << 16];
    (void)unused;
    for (;;) {
        char request[8192];
        int fd = accept(listener, NULL, NULL);
        if (fd < 0) continue;
        if (recv(fd, request, sizeof request, 0) > 0) {
            struct adit_str a = {answer, next_answer(answer, sizeof answer)};
            for (ssize_t n; a.len && (n = send(fd, a.p, a.len, MSG_NOSIGNAL)) > 0;)
                a = adit_str_sub(a, (size_t)n, a.len);
        }
        shutdown(fd, SHUT_WR);
        while (recv(fd, request, sizeof request, 0) > 0) continue;
        close(fd);
    }
    return NULL;
}

static void set_answers(struct adit_str s)
{
    pthread_mutex_lock(&lock);
    answers = s;
    pthread_mutex_unlock(&lock);
}

static void start_server(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof a;
    pthread_t thread;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    MUST(bind(listener, (struct sockaddr *)&a, len) == 0 && listen(listener, 64) == 0);
    MUST(getsockname(listener, (struct sockaddr *)&a, &len) == 0);
    snprintf(site, sizeof site, "http://127.0.0.1:%u/", ntohs(a.sin_port));
    MUST(pthread_create(&thread, NULL, serve, NULL) == 0);
}

static void on_done(void *user, const struct fetch_reply *r)
{
    ++*(int *)user;
    MUST(r->body.len <= BODY_MAX && r->decoded <= BODY_MAX);
    MUST(r->error != FETCH_OK || (r->status >= 200 && r->status <= 599));
    MUST(r->n_headers <= 200 && r->redirects <= 10);
    MUST(adit_str_starts(r->url, adit_str_z(site)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int done = 0;
    if (listener < 0) start_server();
    set_answers(adit_str_of((const char *)data, size));
    struct fetch_options o = {.user_agent = "fuzz",
                              .site = site,
                              .retries = FETCH_NONE,
                              .retry_after_max_s = 1,
                              .run_ms = 2000,
                              .body_max = BODY_MAX};
    struct fetch *f = fetch_open(&o);
    MUST(f &&
         fetch_start(f, &(struct fetch_request){.url = adit_str_z(site)}, NULL, on_done, &done));
    fetch_run(f);
    fetch_close(f);
    set_answers((struct adit_str){0});
    MUST(done == 1);
    return 0;
}
