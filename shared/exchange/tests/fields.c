/* Header fields at their limits: what an origin says of a page is kept whole, or the page is
 * refused; nothing that makes it private may get lost. */
#include "exchange/tests/edge.h"

static const char page_html[] = "<!doctype html><title>Title</title><main><h1>Title</h1><p>The "
                                "first paragraph has enough words "
                                "to be taken for content by any reader of it.</p></main>";

static struct adit_exchange *x;
static char big[1200000];

static void begin(void)
{
    begin_with("{\"origin\":\"https://example.com\"}");
    memset(big, 'a', sizeof big);
}

static enum adit_action request(const char *path, const struct adit_header *h, size_t n)
{
    struct adit_request r = get_request(path);
    r.client = ADIT_STR("192.0.2.7");
    r.headers = h;
    r.n_headers = n;
    x = adit_exchange_new(&edge, NULL);
    return ask_edge(x, &r);
}

/* The machine view of a page with these fields, Content-Type behind them. */
static unsigned view(struct adit_header *h, size_t n)
{
    request("/p/llm/", NULL, 0);
    h[n] = (struct adit_header){ADIT_STR("content-type"), ADIT_STR("text/html")};
    enum adit_action a = respond_with(x, 200, h, n + 1, page_html);
    return a == ADIT_ANSWER ? x->answer.status : 0;
}

static void leave(void) { adit_exchange_free(x); }

TEST(test_number)
{
    static struct adit_header h[ADIT_HEADERS_MAX + 2];
    begin();
    for (size_t n = ADIT_HEADERS_MAX - 1; n <= ADIT_HEADERS_MAX + 1; n++) {
        bool within = n <= ADIT_HEADERS_MAX;
        for (size_t i = 0; i < n; i++)
            h[i] = (struct adit_header){ADIT_STR("x-one"), ADIT_STR("1")};
        h[n - 2] = (struct adit_header){ADIT_STR("cache-control"), ADIT_STR("private")};
        eq_int(view(h, n - 1), within ? 200 : 502, "fields of a page");
        eq_str(sent(x, "cache-control"),
               within ? ADIT_STR("private, no-store") : ADIT_STR("no-store"),
               "never for shared caches");
        leave();
        h[n - 1] = (struct adit_header){ADIT_STR("content-type"), ADIT_STR("text/html")};
        request("/p/", NULL, 0);
        adit_exchange_response(x, 200, h, n);
        ok(x->inject == within && (x->response_edits.n > 0) == within,
           "a page that passes: beyond the limit it is not touched");
        leave();
        enum adit_action a = request("/p/llm/", h, n);
        ok(within ? a == ADIT_FETCH : a == ADIT_PASS && x->done, "fields of a request");
        leave();
    }
    end();
}

TEST(test_repeated)
{
    static const char *const names[] = {"x-robots-tag", "retry-after", "www-authenticate"};
    struct adit_header h[3];
    begin();
    for (size_t i = 0; i < ADIT_COUNT(names); i++)
        for (size_t len = ADIT_LIMIT_header_value - 1; len <= ADIT_LIMIT_header_value + 1; len++) {
            h[0] = (struct adit_header){adit_str_z(names[i]), adit_str_of(big, len)};
            eq_int(view(h, 1), len <= ADIT_LIMIT_header_value ? 200 : 502, names[i]);
            leave();
            h[0].value.len = 100;
            h[1] = (struct adit_header){adit_str_z(names[i]), adit_str_of(big, len - 102)};
            eq_int(view(h, 2), len <= ADIT_LIMIT_header_value ? 200 : 502, "in two fields");
            leave();
        }
    h[0] = (struct adit_header){ADIT_STR("x-robots-tag"), ADIT_STR("noindex\x01")};
    eq_int(view(h, 1), 502, "a value that cannot be sent");
    eq_int(x->reason, ADIT_REASON_HEADER, "and why");
    leave();
    h[0] = (struct adit_header){ADIT_STR("etag"), adit_str_of(big, ADIT_LIMIT_header_value + 1)};
    eq_int(view(h, 1), 200, "a tag that cannot be asked for again");
    eq_int(x->remember_key.len, 0, "is not remembered");
    leave();
    end();
}

/* Lists of any length are read to their end, or not at all. */
TEST(test_private)
{
    struct adit_header h[4];
    begin();
    memcpy(big + 99000, ", private", 9);
    h[0] = (struct adit_header){ADIT_STR("cache-control"), adit_str_of(big, 99009)};
    eq_int(view(h, 1), 200, "a long Cache-Control");
    eq_str(sent(x, "cache-control"), ADIT_STR("private, no-store"), "whose last word counts");
    leave();
    memset(big, 'a', sizeof big);
    h[0] = (struct adit_header){ADIT_STR("cache-control"), ADIT_STR("private")};
    h[1] = (struct adit_header){ADIT_STR("cache-control"), adit_str_of(big, sizeof big)};
    eq_int(view(h, 2), 503, "fields that cannot be joined");
    eq_str(sent(x, "cache-control"), ADIT_STR("no-store"), "are no public answer");
    ok(x->remember_key.len == 0, "nor remembered");
    leave();
    h[0] = (struct adit_header){ADIT_STR("content-encoding"), ADIT_STR("br")};
    h[1] = (struct adit_header){ADIT_STR("content-encoding"), adit_str_of(big, sizeof big)};
    eq_int(view(h, 2), 503, "codings that cannot be joined");
    leave();
    h[2] = (struct adit_header){ADIT_STR("content-type"), ADIT_STR("text/html")};
    request("/p/", NULL, 0);
    adit_exchange_response(x, 200, h, 3);
    ok(!x->inject, "nor is a link written into such a page");
    leave();
    end();
}

/* What the origin is told of the client, when the client says too much. */
TEST(test_forwarded)
{
    struct adit_header h[2];
    begin();
    size_t room = ADIT_LIMIT_header_value - 2 - 9; /* ", " and the address */
    for (size_t len = room - 1; len <= room + 1; len++) {
        h[0] = (struct adit_header){ADIT_STR("x-forwarded-for"), adit_str_of(big, len)};
        request("/p/llm/", h, 1);
        ok(adit_str_ends(fetched(x, "x-forwarded-for"), ADIT_STR("192.0.2.7")),
           "the client's address is always there");
        eq_int(fetched(x, "x-forwarded-for").len, len <= room ? len + 11 : 9, "behind the list");
        leave();
    }
    room = ADIT_LIMIT_header_value - 6; /* ", adit" */
    for (size_t len = room - 1; len <= room + 1; len++) {
        h[0] = (struct adit_header){ADIT_STR("cdn-loop"), adit_str_of(big, len)};
        request("/p/llm/", h, 1);
        ok(adit_str_ends(fetched(x, "cdn-loop"), ADIT_STR("adit")), "and so is the mark of loops");
        leave();
    }
    h[0].value.len = ADIT_LIMIT_header_value + 1;
    eq_int(request("/p/llm/", h, 1), ADIT_ANSWER, "a CDN-Loop that cannot be read");
    eq_int(x->answer.status, 508, "is a loop");
    leave();
    h[0] =
        (struct adit_header){ADIT_STR("if-match"), adit_str_of(big, ADIT_LIMIT_header_value + 1)};
    request("/p/llm/", h, 1);
    struct adit_header type = {ADIT_STR("content-type"), ADIT_STR("text/html")};
    respond_with(x, 200, &type, 1, page_html);
    eq_int(x->answer.status, 412, "an If-Match that cannot be read names nothing");
    leave();
    end();
}

RUN_TESTS(test_number, test_repeated, test_private, test_forwarded)
