/* For tests of the client: a hostile server to ask, and one request at a time. */
#ifndef ADIT_TESTS_SERVER_H
#define ADIT_TESTS_SERVER_H

#include "batch/fetch/fetch_impl.h"
#include "tests/tap.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* hostile.py over a folder. */
struct server {
    pid_t pid;
    unsigned port, other;
    char log[64], site[64], elsewhere[64]; /* its log, its two origins */
};

/* cert, key: NULL for http. */
static inline struct server server_start(const char *dir, const char *cert, const char *key)
{
    static int serial;
    struct server s = {0};
    int in[2], out[2];
    char line[64] = "";
    snprintf(s.log, sizeof s.log, "/tmp/adit-test-%d-%d", (int)getpid(), serial++);
    bool piped = pipe(in) == 0 && pipe(out) == 0;
    s.pid = piped ? fork() : -1;
    if (s.pid == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[1]); /* the server ends when this pipe closes */
        close(out[0]);
        execlp("python3", "python3", "batch/tests/hostile.py", dir, "--log", s.log,
               cert ? "--cert" : (char *)NULL, cert, "--key", key, (char *)NULL);
        _exit(127);
    }
    for (size_t n = 0; s.pid > 0 && n < sizeof line - 1 && !strchr(line, '\n'); n++)
        if (read(out[0], line + n, 1) != 1) break;
    ok(sscanf(line, "%u %u", &s.port, &s.other) == 2, "the server runs");
    snprintf(s.site, sizeof s.site, "http%s://127.0.0.1:%u", cert ? "s" : "", s.port);
    snprintf(s.elsewhere, sizeof s.elsewhere, "http%s://127.0.0.1:%u", cert ? "s" : "", s.other);
    return s;
}

static inline void server_stop(struct server *s)
{
    if (s->pid > 0) {
        kill(s->pid, SIGTERM);
        waitpid(s->pid, NULL, 0);
    }
    unlink(s->log);
}

/* How often needle stands in the log. */
static inline unsigned server_logged(const struct server *s, const char *needle)
{
    struct adit_str text = tap_read(s->log);
    unsigned n = 0;
    for (size_t at = 0; (at = adit_str_find(text, adit_str_z(needle), at)) < text.len; at++) n++;
    free((char *)text.p);
    return n;
}

/* --- one request ------------------------------------------------------------------------------ */

/* A copy of what matters of a reply. */
struct got {
    enum fetch_error error;
    unsigned status, calls, redirects;
    bool permanent, secret;
    uint64_t wire, decoded;
    int64_t range_total;
    char body[256], url[256], location[256];
    size_t body_len;
};

static inline void keep_str(char *to, struct adit_str s)
{
    size_t n = s.len < 255 ? s.len : 255;
    if (n) memcpy(to, s.p, n);
    to[n] = '\0';
}

static inline void on_done(void *user, const struct fetch_reply *r)
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

/* Short times, and the server as the site. */
static inline struct fetch_options quick(const struct server *s)
{
    return (struct fetch_options){.user_agent = "adit-test/1.0",
                                  .site = s->site,
                                  .stall_ms = 3000,
                                  .request_ms = 6000,
                                  .connect_ms = 5000};
}

/* Asks for base + path. */
static inline struct got get(struct fetch *f, const char *base, const char *path,
                             struct fetch_request q)
{
    char url[512];
    struct got g = {0};
    snprintf(url, sizeof url, "%s%s", base, path);
    q.url = adit_str_z(url);
    if (f && fetch_start(f, &q, NULL, on_done, &g)) fetch_run(f);
    return g;
}

/* The same with a client of its own. */
static inline struct got get_once(const struct fetch_options *o, const char *base, const char *path,
                                  enum fetch_follow follow)
{
    struct fetch *f = fetch_open(o);
    struct got g = get(f, base, path, (struct fetch_request){.follow = follow});
    fetch_close(f);
    return g;
}

static inline void is_got(struct got g, enum fetch_error error, unsigned status, const char *what)
{
    if (!ok(g.calls == 1 && g.error == error && g.status == status, what))
        printf("# %u calls, %s, status %u, url %s, %zu bytes: %s\n", g.calls,
               fetch_error_name(g.error), g.status, g.url, g.body_len, g.body);
}

#endif
