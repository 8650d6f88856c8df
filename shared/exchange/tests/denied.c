/* An exchange whose memory fails at any one point: the answer is that of the page that was asked
 * for, or a refusal; never that of another page, and never one that a cache would keep. */
#include "exchange/tests/edge.h"

static const char page[] =
    "<html lang=en><head><title>A page</title></head><body><main><h1>A page</h1><p>The first "
    "paragraph has enough words to be taken for content by any reader of this page.</p><p>The "
    "second one is here so that there is more than one.</p></main></body></html>";

/* Fails allocation `deny` alone: those behind it go well, so that a loss can go unseen. */
struct denying {
    long calls, deny;
};
static void *resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    struct denying *d = ctx;
    if (new_len > old_len && ++d->calls == d->deny) return NULL;
    return libc_resize(NULL, p, old_len, new_len);
}

static enum adit_action drive(struct adit_exchange *x, const char *path)
{
    struct adit_request request = get_request(path);
    const struct adit_header type = {ADIT_STR("content-type"), ADIT_STR("text/html")};
    enum adit_action a = ask_edge(x, &request);
    return a == ADIT_FETCH ? respond_with(x, 200, &type, 1, page) : a;
}

/* The status, 0 if it was passed on or nothing could be begun; what is to be compared in out. */
static unsigned ask(struct denying *d, const char *path, struct adit_buf *out)
{
    struct adit_mem mem = {resize, d};
    struct adit_edge e;
    unsigned status = 0;
    adit_buf_clear(out);
    if (adit_edge_init(&e, &config, mem) != ADIT_OK) return 0;
    struct adit_exchange *x = adit_exchange_new(&e, NULL);
    if (x && drive(x, path) == ADIT_ANSWER) {
        status = x->answer.status;
        adit_buf_add(out, sent(x, "etag"));
        adit_buf_add(out, sent(x, "location"));
        adit_buf_add(out, x->answer.body);
    }
    if (x) adit_exchange_free(x);
    adit_edge_free(&e);
    return status;
}

static void deny_each(const char *path, unsigned want)
{
    struct denying d = {.deny = -1};
    struct adit_buf whole, got;
    begin_with("{\"origin\":\"https://example.com\",\"legacy_suffixes\":[\"old\"],"
               "\"policy\":{\"version\":1}}");
    adit_buf_init(&whole, tap_mem, 1 << 20);
    adit_buf_init(&got, tap_mem, 1 << 20);
    eq_int(ask(&d, path, &whole), want, path);
    long calls = d.calls, wrong = 0;
    for (long k = 1; k <= calls; k++) {
        d = (struct denying){.deny = k};
        unsigned status = ask(&d, path, &got);
        bool right = status == want && adit_str_eq(adit_buf_str(&whole), adit_buf_str(&got));
        if (right || status == 0 || status >= 500) continue;
        printf("# %s: allocation %ld of %ld: status %u\n", path, k, calls, status);
        wrong++;
    }
    ok(calls > 2, "there is memory to be denied");
    eq_int(wrong, 0, "right, or refused");
    adit_buf_free(&whole);
    adit_buf_free(&got);
    end();
}

TEST(test_json) { deny_each("/a/llm/", 200); }
TEST(test_markdown) { deny_each("/a/llm.md", 200); }
TEST(test_policy) { deny_each("/llm-policy.json", 200); }
TEST(test_legacy) { deny_each("/a/old/", 308); }

RUN_TESTS(test_json, test_markdown, test_policy, test_legacy)
