/* The client against a server that misbehaves (hostile.py, hostile/): what it makes of each answer,
 * whom it asks, and what it tells to whom. */
#include "batch/fetch_internal.h"
#include "tests/tap.h"

#include <arpa/inet.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t server;
static unsigned port, other;
static char log_path[64], site[64];

static unsigned requests_logged(const char *needle)
{
    struct adit_str s = tap_read(log_path);
    unsigned n = 0;
    for (size_t at = 0; (at = adit_str_find(s, adit_str_z(needle), at)) < s.len; at++) n++;
    free((char *)s.p);
    return n;
}

TEST(begin)
{
    int in[2], out[2];
    char line[64] = "";
    snprintf(log_path, sizeof log_path, "/tmp/adit-fetch-%d", (int)getpid());
    bool piped = pipe(in) == 0 && pipe(out) == 0;
    server = piped ? fork() : -1;
    if (server == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[1]);
        close(out[0]);
        execlp("python3", "python3", "batch/tests/hostile.py", "batch/tests/hostile", "--log",
               log_path, (char *)NULL);
        _exit(127);
    }
    for (size_t n = 0; server > 0 && n < sizeof line - 1 && !strchr(line, '\n'); n++)
        if (read(out[0], line + n, 1) != 1) break;
    ok(sscanf(line, "%u %u", &port, &other) == 2, "the server runs");
    snprintf(site, sizeof site, "http://127.0.0.1:%u", port);
}

/* --- one request ---------------------------------------------------------------------------------
 */

struct got {
    enum fetch_error error;
    unsigned status, calls, redirects;
    bool permanent, secret;
    uint64_t wire, decoded;
    int64_t range_total;
    char body[256], url[256], location[256];
    size_t body_len;
};

static void keep_str(char *to, struct adit_str s)
{
    size_t n = s.len < 255 ? s.len : 255;
    if (n) memcpy(to, s.p, n);
    to[n] = '\0';
}

static void on_done(void *user, const struct fetch_reply *r)
{
    struct got *g = user;
    g->calls++;
    g->error = r->error;
    g->status = r->status;
    g->redirects = r->redirects;
    g->permanent = r->permanent;
    g->secret = r->secret;
    g->wire = r->wire;
    g->decoded = r->decoded;
    g->range_total = r->range_total;
    g->body_len = r->body.len;
    keep_str(g->body, r->body);
    keep_str(g->url, r->url);
    keep_str(g->location, r->location);
}

static struct fetch_options quick(void)
{
    return (struct fetch_options){.user_agent = "adit-test/1.0",
                                  .site = site,
                                  .stall_ms = 2000,
                                  .request_ms = 3000,
                                  .connect_ms = 2000};
}

static struct got get(struct fetch *f, struct fetch_request q, const char *path)
{
    char url[512];
    struct got g = {0};
    snprintf(url, sizeof url, "%s%s", path[0] == '/' ? site : "", path);
    q.url = adit_str_z(url);
    if (fetch_start(f, &q, NULL, on_done, &g)) fetch_run(f);
    return g;
}

TEST(answers)
{
    static const struct {
        const char *path;
        enum fetch_error error;
        unsigned status;
        const char *body; /* NULL: not looked at */
        uint64_t max_bytes;
    } rows[] = {
        {"/plain.txt", FETCH_OK, 200, "plain text\n", 0},
        {"/nowhere", FETCH_OK, 404, "not here\n", 0},
        {"/gzip", FETCH_OK, 200, NULL, 0},
        {"/deflate", FETCH_OK, 200, NULL, 0},
        {"/chunked", FETCH_OK, 200, NULL, 0},
        {"/no-length", FETCH_OK, 200, "no length", 0},
        {"/redirect", FETCH_OK, 200, "plain text\n", 0},
        {"/redirect-303", FETCH_OK, 200, "plain text\n", 0},
        {"/redirect-big", FETCH_OK, 200, "plain text\n", 0},
        {"/loop-a", FETCH_REDIRECT_LOOP, 302, "", 0},
        {"/loop-self", FETCH_REDIRECT_LOOP, 302, "", 0},
        {"/to-other", FETCH_REDIRECT_ORIGIN, 302, "", 0},
        {"/to-file", FETCH_REDIRECT_BAD, 302, "", 0},
        {"/to-gopher", FETCH_REDIRECT_BAD, 302, "", 0},
        {"/to-private", FETCH_REDIRECT_ORIGIN, 302, "", 0},
        {"/to-metadata", FETCH_REDIRECT_ORIGIN, 302, "", 0},
        {"/to-user", FETCH_REDIRECT_BAD, 302, "", 0},
        {"/to-nothing", FETCH_REDIRECT_BAD, 302, "", 0},
        {"/to-none", FETCH_OK, 302, "no location", 0},
        {"/cut", FETCH_CUT_OFF, 200, NULL, 0},
        {"/cut-chunked", FETCH_CUT_OFF, 200, NULL, 0},
        {"/cut-reset", FETCH_CUT_OFF, 200, NULL, 0},
        {"/cut-gzip", FETCH_CUT_OFF, 200, NULL, 0},
        {"/length-long", FETCH_CUT_OFF, 200, NULL, 0},
        {"/length-huge", FETCH_TOO_LARGE, 200, "", 0},
        {"/length-over", FETCH_REPLY, 0, "", 0},
        {"/length-word", FETCH_REPLY, 0, "", 0},
        {"/length-two", FETCH_REPLY, 0, "", 0},
        {"/large", FETCH_OK, 200, NULL, 1 << 20},
        {"/large", FETCH_TOO_LARGE, 200, "", (1 << 20) - 1},
        {"/large-unsaid", FETCH_OK, 200, NULL, 1 << 20},
        {"/large-unsaid", FETCH_TOO_LARGE, 200, NULL, (1 << 20) - 1},
        {"/gzip", FETCH_OK, 200, NULL, 1100},
        {"/gzip", FETCH_TOO_LARGE, 200, NULL, 1099},
        {"/bomb", FETCH_RATIO, 200, NULL, 1u << 30},
        {"/endless-body", FETCH_TOO_LARGE, 200, NULL, 4 << 20},
        {"/endless-chunks", FETCH_TOO_LARGE, 200, NULL, 65536},
        {"/endless-headers", FETCH_HEAD_SIZE, 0, "", 0},
        {"/endless-continue", FETCH_HEAD_SIZE, 0, "", 0},
        {"/many-headers", FETCH_HEAD_SIZE, 0, "", 0},
        {"/long-header", FETCH_HEAD_SIZE, 0, "", 0},
        {"/not-gzip", FETCH_CODING, 200, "", 0},
        {"/unknown-coding", FETCH_CODING, 200, "", 0},
        {"/garbage", FETCH_REPLY, 0, "", 0},
        {"/http-0.9", FETCH_REPLY, 0, "", 0},
        {"/status-word", FETCH_REPLY, 0, "", 0},
        {"/status-999", FETCH_REPLY, 0, "", 0},
        {"/header-no-colon", FETCH_REPLY, 0, "", 0},
        {"/header-nul", FETCH_REPLY, 0, "", 0},
        {"/close", FETCH_CUT_OFF, 0, "", 0},
        {"/stall", FETCH_TIMEOUT, 0, "", 0},
        {"/drip", FETCH_TIMEOUT, 200, NULL, 0},
        {"/head-drip", FETCH_TIMEOUT, 0, "", 0},
        {"/busy", FETCH_OK, 200, "at last", 0},
        {"/busy-date", FETCH_OK, 200, "past", 0},
        {"/range-unasked", FETCH_RANGE, 206, "", 0},
        {"/not-modified-unasked", FETCH_OK, 304, "", 0},
        {"/server-error", FETCH_OK, 500, "oops", 0},
    };
    struct fetch_options o = quick();
    struct fetch *f = fetch_open(&o);
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct got g = get(f, (struct fetch_request){.max_bytes = rows[i].max_bytes}, rows[i].path);
        bool right = g.calls == 1 && g.error == rows[i].error && g.status == rows[i].status &&
                     (!rows[i].body || strcmp(g.body, rows[i].body) == 0);
        if (!ok(right, rows[i].path))
            printf("# %s, status %u, %zu bytes: %s\n", fetch_error_name(g.error), g.status,
                   g.body_len, g.body);
    }
    fetch_close(f);
}

TEST(end)
{
    kill(server, SIGTERM);
    waitpid(server, NULL, 0);
    unlink(log_path);
    eq_int(requests_logged("none"), 0, "done");
    (void)other;
}
RUN_TESTS(begin, answers, end)
