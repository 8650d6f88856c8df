/* Several exchanges at a time: one conversion for all who ask, a cap on conversions, and what
 * happens when someone leaves, or memory ends. */
#include "exchange/tests/edge.h"

static const char page_html[] =
    "<!doctype html><html><head><title>Title</title></head><body><main><h1>Title</h1>"
    "<p>The first paragraph has enough words to be taken for content by any reader of it.</p>"
    "<p>The second one is here so that the page has more than a single block of text.</p>"
    "</main></body></html>";

static void begin(void) { begin_with("{\"origin\":\"https://example.com\"}"); }

static enum adit_action request(struct adit_exchange *x, const char *path, const char *name,
                                struct adit_str value)
{
    struct adit_header h = {adit_str_z(name), value};
    struct adit_request r = get_request(path);
    r.headers = &h;
    r.n_headers = name ? 1 : 0;
    return ask_edge(x, &r);
}

static enum adit_action reply(struct adit_exchange *x, unsigned status, const char *cache_control)
{
    struct adit_header h[] = {
        {ADIT_STR("content-type"), ADIT_STR("text/html")},
        {ADIT_STR("etag"), ADIT_STR("\"v1\"")},
        {ADIT_STR("cache-control"), adit_str_z(cache_control)},
    };
    return respond_with(x, status, h, ADIT_COUNT(h), page_html);
}

TEST(test_share)
{
    begin();
    struct adit_exchange *a = adit_exchange_new(&edge, NULL), *b = adit_exchange_new(&edge, NULL),
                         *c = adit_exchange_new(&edge, NULL), *d = adit_exchange_new(&edge, NULL);
    eq_int(request(a, "/p/llm/", NULL, ADIT_STR("")), ADIT_FETCH, "the first fetches");
    eq_int(request(b, "/p/llm/", NULL, ADIT_STR("")), ADIT_WAIT, "the second waits");
    eq_int(request(c, "/p/llm/", "if-none-match", ADIT_STR("*")), ADIT_WAIT, "and the third");
    eq_int(request(d, "/p/llm.md", NULL, ADIT_STR("")), ADIT_FETCH, "the twin is another view");
    ok(adit_edge_ready(&edge) == NULL, "nobody is ready yet");
    eq_int(reply(a, 200, ""), ADIT_ANSWER, "the first is answered");
    eq_int(a->answer.status, 200, "with the page");
    ok(a->remember_key.len > 0, "and has it remembered");
    struct adit_exchange *r1 = adit_edge_ready(&edge), *r2 = adit_edge_ready(&edge);
    ok((r1 == b && r2 == c) || (r1 == c && r2 == b), "both are ready now");
    ok(adit_edge_ready(&edge) == NULL, "once");
    struct adit_str body = a->answer.body;
    char first[2000];
    size_t len = body.len < sizeof first ? body.len : sizeof first;
    memcpy(first, body.p, len);
    adit_exchange_free(a);
    eq_int(adit_exchange_resume(b), ADIT_ANSWER, "the second is answered");
    eq_str(b->answer.body, adit_str_of(first, len), "with the same body, though the first is gone");
    ok(b->remember_key.len == 0, "without remembering it again");
    eq_int(adit_exchange_resume(c), ADIT_ANSWER, "and the third");
    eq_int(c->answer.status, 304, "by its own condition");
    eq_int(edge.counters[ADIT_COUNTER_conversions], 1, "one conversion");
    eq_int(edge.counters[ADIT_COUNTER_coalesced], 2, "for three");
    adit_exchange_free(b);
    adit_exchange_free(c);
    adit_exchange_free(d);
    end();
}

/* A page asked for as Markdown and its twin are one conversion; where there is none to be had, who
 * asked for the page gets the page. */
TEST(test_negotiated)
{
    static const struct {
        bool fails;
        enum adit_action twin, page;
    } rows[] = {{false, ADIT_ANSWER, ADIT_ANSWER}, {true, ADIT_ANSWER, ADIT_PASS}};
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        begin();
        struct adit_exchange *a = adit_exchange_new(&edge, NULL),
                             *b = adit_exchange_new(&edge, NULL);
        request(a, "/p/llm.md", NULL, ADIT_STR(""));
        eq_int(request(b, "/p/", "accept", ADIT_STR("text/markdown")), ADIT_WAIT, "it waits");
        enum adit_action action =
            rows[i].fails ? adit_exchange_fetch_failed(a, ADIT_FAILED_CONNECT) : reply(a, 200, "");
        eq_int(action, rows[i].twin, "the twin's answer");
        ok(adit_edge_ready(&edge) == b, "the waiting is over");
        eq_int(adit_exchange_resume(b), rows[i].page, "the page's answer");
        if (rows[i].fails)
            ok(!b->done && b->request_edits.n == 1, "as the request of a page");
        else
            eq_str(b->answer.body, a->answer.body, "the same bytes");
        adit_exchange_free(a);
        adit_exchange_free(b);
        end();
    }
    begin();
    struct adit_exchange *a = adit_exchange_new(&edge, NULL), *b = adit_exchange_new(&edge, NULL);
    request(a, "/p/", "accept", ADIT_STR("text/markdown"));
    request(b, "/p/llm.md", NULL, ADIT_STR(""));
    eq_int(reply(a, 200, "private"), ADIT_PASS, "a private page passes");
    ok(adit_edge_ready(&edge) == b, "who waited for it");
    eq_int(adit_exchange_resume(b), ADIT_RECALL, "begins anew");
    adit_exchange_free(a);
    adit_exchange_free(b);
    end();
}

TEST(test_not_shared)
{
    static const struct {
        unsigned status;
        const char *cache_control;
    } rows[] = {{200, "private"}, {401, ""}, {403, ""}, {429, ""}};
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        begin();
        struct adit_exchange *a = adit_exchange_new(&edge, NULL),
                             *b = adit_exchange_new(&edge, NULL),
                             *c = adit_exchange_new(&edge, NULL);
        request(a, "/p/llm/", NULL, ADIT_STR(""));
        request(b, "/p/llm/", NULL, ADIT_STR(""));
        request(c, "/p/llm/", NULL, ADIT_STR(""));
        reply(a, rows[i].status, rows[i].cache_control);
        struct adit_exchange *r1 = adit_edge_ready(&edge), *r2 = adit_edge_ready(&edge);
        ok(r1 && r2, "what is for one is not for all");
        eq_int(adit_exchange_resume(r1), ADIT_RECALL, "the next begins anew");
        eq_int(adit_exchange_resume(r2), ADIT_WAIT, "and the last waits for it");
        adit_exchange_free(a);
        adit_exchange_free(b);
        adit_exchange_free(c);
        end();
    }
}

TEST(test_leave)
{
    begin();
    struct adit_exchange *a = adit_exchange_new(&edge, NULL), *b = adit_exchange_new(&edge, NULL),
                         *c = adit_exchange_new(&edge, NULL);
    request(a, "/p/llm/", NULL, ADIT_STR(""));
    request(b, "/p/llm/", NULL, ADIT_STR(""));
    request(c, "/p/llm/", NULL, ADIT_STR(""));
    adit_exchange_free(b);
    ok(adit_edge_ready(&edge) == NULL, "one who waited has left");
    adit_exchange_free(a);
    ok(adit_edge_ready(&edge) == c, "when the one who fetched leaves, the next is called");
    eq_int(adit_exchange_resume(c), ADIT_RECALL, "and begins");
    eq_int(adit_exchange_recalled(c, (struct adit_str){0}), ADIT_FETCH, "to fetch");
    eq_int(reply(c, 200, ""), ADIT_ANSWER, "and is answered");
    adit_exchange_free(c);
    a = adit_exchange_new(&edge, NULL);
    b = adit_exchange_new(&edge, NULL);
    request(a, "/p/llm/", NULL, ADIT_STR(""));
    request(b, "/p/llm/", NULL, ADIT_STR(""));
    adit_exchange_free(a);
    adit_exchange_free(b);
    ok(adit_edge_ready(&edge) == NULL, "one who is ready may leave, too");
    eq_int(edge.n_leaders, 0, "nothing is under way");
    end();
}

TEST(test_cap)
{
    begin_with("{\"origin\":\"https://example.com\",\"limits\":{\"pages\":2}}");
    struct adit_exchange *x[4];
    static const char *const paths[] = {"/a/llm/", "/b/llm/", "/c/llm/", "/a/llm/"};
    static const enum adit_action want[] = {ADIT_FETCH, ADIT_FETCH, ADIT_ANSWER, ADIT_WAIT};
    for (size_t i = 0; i < 4; i++) {
        x[i] = adit_exchange_new(&edge, NULL);
        eq_int(request(x[i], paths[i], NULL, ADIT_STR("")), want[i], paths[i]);
    }
    eq_int(x[2]->answer.status, 503, "one too many");
    eq_str(sent(x[2], "retry-after"), ADIT_STR("2"), "may try again");
    adit_exchange_free(x[2]);
    reply(x[1], 404, "");
    x[2] = adit_exchange_new(&edge, NULL);
    eq_int(request(x[2], "/c/llm/", NULL, ADIT_STR("")), ADIT_FETCH, "there is room again");
    for (size_t i = 0; i < 4; i++) adit_exchange_free(x[i]);
    end();
}

/* A page in pieces, split at every offset, gives the same answer. */
TEST(test_splits)
{
    begin();
    size_t len = sizeof page_html - 1, wrong = 0;
    struct adit_header h = {ADIT_STR("content-type"), ADIT_STR("text/html")};
    char etag[100] = "";
    for (size_t at = 0; at <= len; at++) {
        struct adit_exchange *x = adit_exchange_new(&edge, NULL);
        request(x, "/p/llm/", NULL, ADIT_STR(""));
        adit_exchange_fetched(x, 200, &h, 1);
        adit_exchange_fetched_body(x, adit_str_of(page_html, at));
        adit_exchange_fetched_body(x, adit_str_of(page_html + at, len - at));
        adit_exchange_fetched_end(x);
        struct adit_str t = sent(x, "etag");
        if (at == 0) snprintf(etag, sizeof etag, "%.*s", (int)t.len, t.p);
        wrong += x->answer.status != 200 || !adit_str_eq(t, adit_str_z(etag));
        adit_exchange_free(x);
    }
    eq_int(wrong, 0, "the same answer whatever the pieces");
    end();
}

/* A view that is too large to be remembered whole: its tag is, and answers who has the body. */
TEST(test_large_view)
{
    begin();
    struct adit_buf big, value;
    struct adit_header h[] = {{ADIT_STR("content-type"), ADIT_STR("text/html")},
                              {ADIT_STR("etag"), ADIT_STR("\"v1\"")}};
    struct adit_request r = get_request("/p/llm/");
    adit_buf_init(&big, tap_mem, 1 << 20);
    adit_buf_init(&value, tap_mem, 1 << 20);
    adit_buf_lit(&big, "<!doctype html><title>Title</title><main><h1>Title</h1>");
    for (unsigned i = 0; i < 900; i++) {
        adit_buf_lit(&big, "<p>Paragraph ");
        adit_buf_u64(&big, i * 7919);
        adit_buf_lit(&big,
                     " says something else than the others do, as there are many of them in a "
                     "page that is as long as this one.</p>");
    }
    struct adit_exchange *x = adit_exchange_new(&edge, NULL);
    adit_exchange_request(x, &r);
    adit_exchange_recalled(x, (struct adit_str){0});
    adit_exchange_fetched(x, 200, h, 2);
    adit_exchange_fetched_body(x, adit_buf_str(&big));
    eq_int(adit_exchange_fetched_end(x), ADIT_ANSWER, "a large page");
    ok(x->answer.status == 200 && x->answer.body.len > ADIT_REMEMBER_BODY, "has a large view");
    ok(x->remember_value.len > 0 && x->remember_value.len < 2000, "remembered without its body");
    adit_buf_add(&value, x->remember_value);
    struct adit_str tag = sent(x, "etag");
    char etag[80];
    memcpy(etag, tag.p, tag.len < sizeof etag ? tag.len : 0);
    tag.p = etag;
    adit_exchange_free(x);

    x = adit_exchange_new(&edge, NULL);
    adit_exchange_request(x, &r);
    adit_exchange_recalled(x, adit_buf_str(&value));
    ok(!adit_header_has(x->fetch.headers.v, x->fetch.headers.n, ADIT_STR("if-none-match")),
       "who has nothing needs the page");
    adit_exchange_free(x);

    struct adit_header condition = {ADIT_STR("if-none-match"), tag};
    r.headers = &condition;
    r.n_headers = 1;
    x = adit_exchange_new(&edge, NULL);
    struct adit_exchange *w = adit_exchange_new(&edge, NULL);
    adit_exchange_request(x, &r);
    adit_exchange_recalled(x, adit_buf_str(&value));
    ok(adit_header_has(x->fetch.headers.v, x->fetch.headers.n, ADIT_STR("if-none-match")),
       "who has the view does not");
    r.n_headers = 0;
    eq_int(adit_exchange_request(w, &r), ADIT_WAIT, "another one waits");
    eq_int(adit_exchange_fetched(x, 304, NULL, 0), ADIT_ANSWER, "the page is unchanged");
    eq_int(x->answer.status, 304, "and so is the view");
    ok(adit_edge_ready(&edge) == w, "the other one is called");
    eq_int(adit_exchange_resume(w), ADIT_RECALL, "and has to begin itself");
    adit_exchange_free(w);
    adit_exchange_free(x);
    adit_buf_free(&big);
    adit_buf_free(&value);
    end();
}

/* A memory that others write into. */
TEST(test_foreign_memory)
{
    begin();
    struct adit_exchange *x = adit_exchange_new(&edge, NULL);
    request(x, "/p/llm/", NULL, ADIT_STR(""));
    reply(x, 200, "");
    struct adit_buf value;
    adit_buf_init(&value, tap_mem, 1 << 20);
    adit_buf_add(&value, x->remember_value);
    adit_exchange_free(x);
    size_t believed = 0;
    for (size_t n = 0; n <= value.len; n++) {
        x = adit_exchange_new(&edge, NULL);
        struct adit_request r = get_request("/p/llm/");
        adit_exchange_request(x, &r);
        adit_exchange_recalled(x, adit_str_of(value.p, n));
        believed +=
            adit_header_has(x->fetch.headers.v, x->fetch.headers.n, ADIT_STR("if-none-match"));
        adit_exchange_free(x);
    }
    eq_int(believed, 1, "only the whole value is believed");
    x = adit_exchange_new(&edge, NULL);
    struct adit_request r = get_request("/other/llm/");
    adit_exchange_request(x, &r);
    adit_exchange_recalled(x, adit_buf_str(&value));
    ok(!adit_header_has(x->fetch.headers.v, x->fetch.headers.n, ADIT_STR("if-none-match")),
       "not for another page");
    adit_exchange_free(x);
    adit_buf_free(&value);
    end();
}

static size_t half_edited;

static bool removes_length(const struct adit_edits *e)
{
    for (size_t i = 0; i < e->n; i++)
        if (e->v[i].op == ADIT_EDIT_REMOVE && adit_str_eq(e->v[i].name, ADIT_STR("content-length")))
            return true;
    return false;
}

/* A whole life with every allocation failing in turn: always an answer, never a leak. */
static enum adit_code life(struct adit_mem mem, void *ctx)
{
    const char *path = ctx;
    struct adit_edge e;
    enum adit_code code = ADIT_ENOMEM;
    adit_edge_init(&e, &config, mem);
    struct adit_exchange *x = adit_exchange_new(&e, NULL);
    if (x) {
        enum adit_action a = request(x, path, NULL, ADIT_STR(""));
        if (a == ADIT_FETCH) a = reply(x, 200, "");
        if (a == ADIT_ANSWER && x->answer.status == 200 && x->remember_key.len) code = ADIT_OK;
        if (a == ADIT_PASS && !x->done) {
            struct adit_header h[] = {{ADIT_STR("content-type"), ADIT_STR("text/html")},
                                      {ADIT_STR("etag"), ADIT_STR("\"v1\"")},
                                      {ADIT_STR("digest"), ADIT_STR("x")},
                                      {ADIT_STR("content-length"), ADIT_STR("5")}};
            struct adit_buf out;
            adit_buf_init(&out, mem, 1 << 20);
            adit_exchange_response(x, 200, h, ADIT_COUNT(h));
            if (x->inject) adit_exchange_inject(x, adit_str_z(page_html), &out);
            if (x->inject && !removes_length(&x->response_edits)) half_edited++;
            if (x->inject && !out.err && x->response_edits.n == 7) code = ADIT_OK;
            adit_buf_free(&out);
        }
        adit_exchange_free(x);
    }
    adit_edge_free(&e);
    return code;
}

/* Our own document: all of its fields, or 503. */
static enum adit_code policy_life(struct adit_mem mem, void *ctx)
{
    struct adit_edge e;
    enum adit_code code = ADIT_ENOMEM;
    (void)ctx;
    adit_edge_init(&e, &config, mem);
    struct adit_exchange *x = adit_exchange_new(&e, NULL);
    enum adit_action a = x ? request(x, "/llm-policy.json", NULL, ADIT_STR("")) : ADIT_PASS;
    if (a == ADIT_ANSWER && x->answer.status == 200)
        code = x->answer.headers.n == 8 ? ADIT_OK : ADIT_EBAD;
    if (x) adit_exchange_free(x);
    adit_edge_free(&e);
    return code;
}

TEST(test_torture)
{
    begin();
    tap_torture(life, (void *)(uintptr_t)"/p/llm/", "a machine view");
    tap_torture(life, (void *)(uintptr_t)"/p/llm.md", "its twin");
    tap_torture(life, (void *)(uintptr_t)"/p/", "a page");
    end();
    begin_with("{\"origin\":\"https://example.com\",\"query\":\"keep\"}");
    tap_torture(life, (void *)(uintptr_t)"/p/llm/?a=b", "a page with a query");
    end();
    begin_with("{\"origin\":\"https://example.com\",\"policy\":{\"version\":1,\"profile\":"
               "\"tct-policy-1\",\"purposes\":{\"allow_ai_train\":false}}}");
    tap_torture(policy_life, NULL, "the policy, with all of its fields");
    eq_int(half_edited, 0, "no page is given a link and keeps the length that it had without");
    end();
}

RUN_TESTS(test_share, test_negotiated, test_not_shared, test_leave, test_cap, test_splits,
          test_large_view, test_foreign_memory, test_torture)
