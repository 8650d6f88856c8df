/* The client against a server that misbehaves (hostile.py, hostile/): what it makes of each answer,
 * what it sends, when it waits and when it gives up. */
#include "batch/cli/cli.h"
#include "batch/tests/server.h"

static struct server server;

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
        {"/br", FETCH_OK, 200, "a page in Brotli's coding\n", 0},
        {"/br-cut", FETCH_CUT_OFF, 200, NULL, 0},
        {"/br-more", FETCH_CODING, 200, NULL, 0},
        {"/br-bomb", FETCH_RATIO, 200, NULL, 1u << 30},
        {"/zstd", FETCH_OK, 200, "a page in Zstandard's coding\n", 0},
        {"/gzip-damaged", FETCH_CODING, 200, NULL, 0},
        {"/not-gzip", FETCH_CODING, 200, "", 0},
        {"/unknown-coding", FETCH_CODING, 200, "", 0},
        {"/garbage", FETCH_REPLY, 0, "", 0},
        {"/http-0.9", FETCH_REPLY, 0, "", 0},
        {"/status-word", FETCH_REPLY, 0, "", 0},
        {"/status-999", FETCH_REPLY, 0, "", 0},
        {"/header-no-colon", FETCH_REPLY, 0, "", 0},
        {"/header-nul", FETCH_REPLY, 0, "", 0},
        {"/close", FETCH_CUT_OFF, 0, "", 0},
        {"/header-no-name", FETCH_OK, 200, "ok", 0},
        {"/folded-empty", FETCH_OK, 200, "plain text\n", 0},
        {"/folded", FETCH_OK, 200, "plain text\n", 0},
        {"/upgrade", FETCH_REPLY, 0, "", 0},
        {"/continue", FETCH_OK, 200, "ok", 0},
        {"/chunk-huge", FETCH_CUT_OFF, 200, NULL, 0},
        {"/chunk-bad", FETCH_CUT_OFF, 200, NULL, 0},
        {"/both-lengths", FETCH_REPLY, 0, "", 0},
        {"/te-gzip", FETCH_CODING, 0, "", 0},
        {"/not-modified-body", FETCH_OK, 304, "", 0},
        {"/bare-lf", FETCH_OK, 200, "ok", 0},
        {"/stall", FETCH_TIMEOUT, 0, "", 0},
        {"/drip", FETCH_TIMEOUT, 200, NULL, 0},
        {"/drip-faster", FETCH_TIMEOUT, 200, NULL, 0},
        {"/head-drip", FETCH_TIMEOUT, 0, "", 0},
        {"/busy", FETCH_OK, 200, "at last", 0},
        {"/busy-date", FETCH_OK, 200, "past", 0},
        {"/range-unasked", FETCH_RANGE, 206, "", 0},
        {"/not-modified-unasked", FETCH_OK, 304, "", 0},
        {"/server-error", FETCH_OK, 500, "oops", 0},
        {"/gone-endless", FETCH_OK, 410, "", 0},
        {"/gone-cut", FETCH_OK, 410, "", 0},
        {"/gone-coding", FETCH_OK, 410, "", 0},
    };
    struct fetch_options o = quick(&server);
    struct fetch *f = fetch_open(&o);
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct got g = get(f, server.site, rows[i].path,
                           (struct fetch_request){.max_bytes = rows[i].max_bytes});
        is_got(g, rows[i].error, rows[i].status, rows[i].path);
        if (rows[i].body) eq_str(adit_str_z(g.body), adit_str_z(rows[i].body), "its body");
    }
    fetch_close(f);
}

/* --- requests --------------------------------------------------------------------------------- */

TEST(requests)
{
    struct fetch_options o = quick(&server);
    struct fetch *f = fetch_open(&o);
    struct adit_str tag = ADIT_STR("\"b05ef26a1b4a0a2bdc9b7c7fbc5b6cd6\"");
    struct got g = get(f, server.site, "/plain.txt#part", (struct fetch_request){.head = true});
    is_got(g, FETCH_OK, 200, "HEAD");
    eq_int(g.body_len, 0, "has no body");
    ok(server_logged(&server, "\"method\": \"HEAD\", \"path\": \"/plain.txt\"") == 1,
       "and is sent as such, without fragment");
    g = get(f, server.site, "/plain.txt",
            (struct fetch_request){.if_none_match = ADIT_STR("\"a\", *")});
    is_got(g, FETCH_OK, 200, "another ETag");
    g = get(f, server.site, "/plain.txt",
            (struct fetch_request){.if_none_match = ADIT_STR("*"),
                                   .no_cache = true,
                                   .accept = ADIT_STR("text/plain")});
    is_got(g, FETCH_OK, 304, "If-None-Match");
    ok(server_logged(&server, "\"cache-control\": \"no-cache\"") == 1, "no-cache");
    ok(server_logged(&server, "\"accept\": \"text/plain\"") == 1, "Accept");
    eq_int(fetch_counts(f)->not_modified, 1, "counted");
    g = get(f, server.site, "/plain.txt", (struct fetch_request){.resume_from = 6, .raw = true});
    is_got(g, FETCH_OK, 206, "a range");
    eq_str(adit_str_z(g.body), ADIT_STR("text\n"), "the rest");
    eq_int(g.range_total, 11, "of the whole");
    g = get(f, server.site, "/plain.txt",
            (struct fetch_request){.resume_from = 6, .raw = true, .if_range = tag});
    is_got(g, FETCH_OK, 200, "If-Range with another tag: the whole");
    g = get(f, server.site, "/plain.txt", (struct fetch_request){.resume_from = 600, .raw = true});
    is_got(g, FETCH_OK, 416, "beyond the end");
    eq_int(g.range_total, 11, "of the whole");
    g = get(f, server.site, "/range-wrong", (struct fetch_request){.resume_from = 3, .raw = true});
    is_got(g, FETCH_RANGE, 206, "another range than asked for");
    g = get(f, server.site, "/gzip", (struct fetch_request){.raw = true});
    ok(g.body_len < 200 && g.body[0] == 0x1f, "raw: as encoded");
    g = get(f, server.site, "/redirect-303", (struct fetch_request){0});
    ok(g.redirects == 2 && !g.permanent, "redirects are counted");
    ok(adit_str_ends(adit_str_z(g.url), ADIT_STR("/plain.txt")), "and say where they end");
    g = get(f, server.site, "/redirect", (struct fetch_request){0});
    ok(g.redirects == 1 && g.permanent, "301: for ever");
    g = get(f, server.site, "/redirect", (struct fetch_request){.follow = FETCH_FOLLOW_NEVER});
    is_got(g, FETCH_OK, 301, "a redirect as the answer");
    g = get(f, server.site, "/to-other", (struct fetch_request){0});
    ok(strncmp(g.location, server.elsewhere, strlen(server.elsewhere)) == 0,
       "where a redirect would go that is not followed");
    g = get(f, "", "nonsense", (struct fetch_request){0});
    is_got(g, FETCH_URL, 0, "no URL");
    g = get(f, "", "ftp://127.0.0.1/", (struct fetch_request){0});
    is_got(g, FETCH_URL, 0, "another scheme");
    g = get(f, server.site, "/plain.txt",
            (struct fetch_request){.if_none_match = ADIT_STR("\"a\"\r\nX-Injected: 1")});
    ok(g.error != FETCH_OK && !server_logged(&server, "x-injected"), "no field is smuggled in");
    fetch_close(f);
}

/* --- sinks ------------------------------------------------------------------------------------ */

struct tally {
    struct adit_sink sink;
    struct got got;
    uint64_t len, stop_at;
    enum adit_code stop_with;
    unsigned ends, heads;
};

static enum adit_code tally_write(struct adit_sink *s, const char *p, size_t len)
{
    struct tally *t = (struct tally *)s;
    (void)p;
    t->len += len;
    return t->stop_at && t->len >= t->stop_at ? t->stop_with : ADIT_OK;
}

static enum adit_code tally_end(struct adit_sink *s)
{
    ((struct tally *)s)->ends++;
    return ADIT_OK;
}

static struct adit_sink *tally_head(void *user, const struct fetch_reply *r)
{
    struct tally *t = user;
    (void)r;
    t->heads++;
    return &t->sink;
}

static void tally_done(void *user, const struct fetch_reply *r)
{
    on_done(&((struct tally *)user)->got, r);
}

TEST(sinks)
{
    static const struct {
        const char *path;
        uint64_t stop_at;
        enum adit_code stop_with;
        enum fetch_error error;
        unsigned ends, heads;
    } rows[] = {
        {"/large", 0, ADIT_OK, FETCH_OK, 1, 1},
        {"/redirect", 0, ADIT_OK, FETCH_OK, 1, 1},
        {"/cut", 0, ADIT_OK, FETCH_CUT_OFF, 0, 1},
        {"/large", 1000, ADIT_ESTOP, FETCH_STOPPED, 0, 1},
        {"/large", 1000, ADIT_EIO, FETCH_SINK, 0, 1},
        {"/bomb", 0, ADIT_OK, FETCH_RATIO, 0, 1},
        {"/loop-a", 0, ADIT_OK, FETCH_REDIRECT_LOOP, 0, 0},
    };
    struct fetch_options o = quick(&server);
    struct fetch *f = fetch_open(&o);
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        char url[128];
        struct tally t = {.sink = {tally_write, tally_end},
                          .stop_at = rows[i].stop_at,
                          .stop_with = rows[i].stop_with};
        snprintf(url, sizeof url, "%s%s", server.site, rows[i].path);
        fetch_start(f, &(struct fetch_request){.url = adit_str_z(url)}, tally_head, tally_done, &t);
        fetch_run(f);
        ok(t.got.error == rows[i].error && t.ends == rows[i].ends && t.heads == rows[i].heads,
           rows[i].path);
    }
    fetch_close(f);
}

/* --- many at once ----------------------------------------------------------------------------- */

struct many {
    struct fetch *f;
    unsigned started, done, failed, stop_at;
    enum fetch_error last;
};

static void many_done(void *user, const struct fetch_reply *r)
{
    struct many *m = user;
    m->done++;
    m->failed += r->error != FETCH_OK;
    m->last = r->error;
    if (m->stop_at && m->done == m->stop_at) fetch_stop(m->f);
}

/* Starts n requests and runs them; milliseconds that it took. */
static int64_t run_many(struct many *m, const struct fetch_options *o, const char *path, unsigned n)
{
    char url[128];
    int64_t before = clock_ms();
    snprintf(url, sizeof url, "%s%s", server.site, path);
    m->f = fetch_open(o);
    for (unsigned i = 0; i < n; i++)
        m->started +=
            fetch_start(m->f, &(struct fetch_request){.url = adit_str_z(url)}, NULL, many_done, m);
    fetch_run(m->f);
    int64_t took = clock_ms() - before;
    fetch_close(m->f);
    return took;
}

TEST(many_at_once)
{
    struct fetch_options o = quick(&server);
    struct many m = {0};
    int64_t two = run_many(&m, &o, "/slow", 8); /* 0.4 s each */
    ok(m.done == 8 && m.failed == 0 && two >= 1600, "two at a time");
    o.parallel = 8;
    m = (struct many){0};
    int64_t eight = run_many(&m, &o, "/slow", 8);
    ok(m.done == 8 && m.failed == 0 && eight < two, "eight at a time");
    o.interval_ms = 200;
    m = (struct many){0};
    ok(run_many(&m, &o, "/plain.txt", 6) >= 1000 && m.failed == 0, "five a second");
    o.interval_ms = 0;
    o.parallel = 1;
    m = (struct many){0};
    ok(run_many(&m, &o, "/quota", 3) >= 2000 && m.failed == 0, "a quota that is used up: a pause");
    m = (struct many){.stop_at = 2};
    run_many(&m, &o, "/slow", 5);
    ok(m.done == 5 && m.last == FETCH_STOPPED, "stopped");
}

TEST(budgets)
{
    struct fetch_options o = quick(&server);
    struct many m = {0};
    unsigned before = server_logged(&server, "busy-long");
    run_many(&m, &o, "/busy-long", 6);
    ok(m.done == 6 && m.failed == 6 && m.last == FETCH_BUSY, "Retry-After: a day");
    ok(server_logged(&server, "busy-long") - before <= 2, "the host is left alone");
    m = (struct many){0};
    before = server_logged(&server, "busy-always");
    run_many(&m, &o, "/busy-always", 20);
    ok(m.done == 20 && m.last == FETCH_BUSY, "busy for ever");
    ok(server_logged(&server, "busy-always") - before <= 10, "is not asked for every page");
    o.run_ms = 1000;
    m = (struct many){0};
    ok(run_many(&m, &o, "/slow", 50) < 8000 && m.done == 50 && m.last == FETCH_BUDGET,
       "the run's time is used up");
    m = (struct many){0};
    ok(run_many(&m, &o, "/stall", 1) < 8000 && m.last == FETCH_BUDGET,
       "in the middle of an answer, too");
    o.run_ms = 0;
    o.bytes_max = 2 << 20;
    m = (struct many){0};
    run_many(&m, &o, "/large", 20);
    ok(m.done == 20 && m.failed >= 18 && m.last == FETCH_BUDGET, "the run's bytes are used up");
}

TEST(begin) { server = server_start("batch/tests/hostile", NULL, NULL); }
TEST(end) { server_stop(&server); }
RUN_TESTS(begin, answers, requests, sinks, many_at_once, budgets, end)
