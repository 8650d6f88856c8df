/* Any request and any answer of the origin: whatever is sent is well-formed HTTP.
 *
 * The input: a byte that picks the configuration; then "METHOD PATH", fields a line each, an empty
 * line; "STATUS", fields, an empty line; the body. The request is made twice, so that the second
 * one meets what the first had remembered. */
#include "exchange/exchange.h"
#include "tests/fuzz.h"

static const char *const configs[] = {
    "{\"origin\":\"https://example.com\"}",
    "{\"origin\":\"https://example.com\",\"query\":\"keep\",\"markdown\":false,\"exclude\":[],"
    "\"policy\":{\"version\":1},\"payload_schema\":true,\"require_https\":false}",
    "{\"origin\":\"http://example.com\",\"suffix\":\"a\",\"legacy_suffixes\":[\"b\"],"
    "\"homepage\":\"overview\",\"overview\":{\"title\":\"T\",\"content\":\"C\"},"
    "\"max_page_bytes\":500,\"scp\":{\"manifest\":\"/m.json\",\"refresh_s\":1},"
    "\"sitemap\":{\"path\":\"/s\"}}",
};

enum { FIELDS = 40 };
struct message {
    struct adit_str first;
    struct adit_header fields[FIELDS];
    size_t n;
};

static void read_message(struct adit_str *rest, struct message *m)
{
    struct adit_str line;
    m->first = (struct adit_str){0};
    m->n = 0;
    for (bool first = true; rest->len && adit_str_split(rest, '\n', &line); first = false) {
        if (line.len == 0 && !first) return;
        size_t colon = adit_str_chr(line, ':', 0);
        if (first)
            m->first = line;
        else if (m->n < FIELDS)
            m->fields[m->n++] = (struct adit_header){adit_str_sub(line, 0, colon),
                                                     adit_str_sub(line, colon + 1, line.len)};
    }
}

static void check_value(struct adit_str s)
{
    MUST(s.len <= ADIT_LIMIT_header_value);
    for (size_t i = 0; i < s.len; i++) MUST((unsigned char)s.p[i] >= 32 || s.p[i] == '\t');
}

static void check_edits(const struct adit_edits *e)
{
    for (size_t i = 0; i < e->n; i++) {
        check_value(e->v[i].value);
        if (adit_str_eq(e->v[i].name, ADIT_STR("link")))
            MUST(adit_str_starts(e->v[i].value, ADIT_STR("<http")));
    }
}

/* What must be so, or be refused, whatever memory there is: which page it is, and who may have it.
 * A link or a digest may be missing, and the text of a refusal. */
static void tell_answer(const struct adit_exchange *x)
{
    static const char *const names[] = {"etag",         "cache-control", "vary",
                                        "x-robots-tag", "location",      "www-authenticate"};
    const struct adit_answer *a = &x->answer;
    /* Without memory a path that may be excluded is taken for one that is. */
    if (fuzz.denied && (a->status >= 500 || x->reason == ADIT_REASON_EXCLUDED)) {
        fuzz.gave_up = true;
        return;
    }
    fuzz_tell(adit_str_z(adit_reasons[x->reason].name));
    for (size_t i = 0; i < ADIT_COUNT(names); i++)
        fuzz_tell(adit_header_get(a->headers.v, a->headers.n, adit_str_z(names[i])));
    if (a->status < 400) fuzz_tell(a->body);
}

static void check_answer(const struct adit_exchange *x, bool head)
{
    const struct adit_answer *a = &x->answer;
    uint64_t len = 0;
    MUST(a->status >= 200 && a->status < 600);
    for (size_t i = 0; i < a->headers.n; i++) check_value(a->headers.v[i].value);
    struct adit_str length =
        adit_header_get(a->headers.v, a->headers.n, ADIT_STR("content-length"));
    if (a->status == 304)
        MUST(a->body.len == 0 && length.len == 0);
    else
        MUST(adit_str_u64(length, &len) && (head ? a->body.len == 0 : a->body.len == len));
    if (a->status == 200)
        MUST(adit_header_get(a->headers.v, a->headers.n, ADIT_STR("etag")).len == 73);
    if (a->status == 200 && !head) MUST(a->body.len > 0);
    tell_answer(x);
}

static void drive(struct adit_edge *e, const struct message *q, const struct message *r,
                  struct adit_str body, struct adit_buf *memory)
{
    struct adit_exchange *x = adit_exchange_new(e, NULL);
    if (!fuzz_fine(x ? ADIT_OK : ADIT_ENOMEM)) return;
    size_t space = adit_str_chr(q->first, ' ', 0);
    struct adit_str host = adit_header_get(q->fields, q->n, ADIT_STR("host"));
    struct adit_request request = {
        .method = adit_str_sub(q->first, 0, space),
        .path = adit_str_sub(q->first, space + 1, q->first.len),
        .authority = host.len ? host : ADIT_STR("example.com"),
        .headers = q->fields,
        .n_headers = q->n,
        .client = ADIT_STR("192.0.2.1"),
        .now = 1794873600,
    };
    uint64_t status = 0;
    adit_str_u64(r->first, &status);
    enum adit_action a = adit_exchange_request(x, &request);
    for (int step = 0; a != ADIT_ANSWER && a != ADIT_PASS; step++) {
        MUST(step < 10 && a != ADIT_WAIT);
        if (a == ADIT_RECALL) a = adit_exchange_recalled(x, adit_buf_str(memory));
        if (a != ADIT_FETCH) continue;
        for (size_t i = 0; i < x->fetch.headers.n; i++) check_value(x->fetch.headers.v[i].value);
        a = adit_exchange_fetched(x, (unsigned)status, r->fields, r->n);
        for (size_t at = 0; a == ADIT_BODY && at < body.len; at += 100)
            a = adit_exchange_fetched_body(x, adit_str_sub(body, at, at + 100));
        if (a == ADIT_BODY) a = adit_exchange_fetched_end(x);
    }
    if (a == ADIT_ANSWER) check_answer(x, adit_str_eq(request.method, ADIT_STR("HEAD")));
    if (x->remember_key.len) {
        adit_buf_clear(memory);
        adit_buf_add(memory, x->remember_value);
    }
    if (a == ADIT_PASS) {
        check_edits(&x->request_edits);
        if (!x->done) adit_exchange_response(x, (unsigned)status, r->fields, r->n);
        check_edits(&x->response_edits);
        struct adit_buf out;
        size_t total = 0;
        if (fuzz.denied) fuzz.gave_up = true; /* without memory a request is passed on */
        adit_buf_init(&out, fuzz_sure_mem, 16u << 20);
        for (size_t at = 0; x->inject && at < body.len; at += 100, total += out.len)
            adit_exchange_inject(x, adit_str_sub(body, at, at + 100), &out);
        if (x->inject) adit_exchange_inject_end(x, &out), total += out.len;
        MUST(!x->inject || total >= body.len);
        adit_buf_free(&out);
    }
    adit_exchange_free(x);
    MUST(e->n_leaders == 0 && !e->leaders && !adit_edge_ready(e) && e->held == 0);
}

FUZZ_TARGET(all)
{
    if (all.len < 1) return;
    struct adit_config c;
    struct adit_edge e;
    struct adit_buf why, memory;
    struct message q, r;
    adit_buf_init(&why, fuzz_mem, 4096);
    adit_buf_init(&memory, fuzz_sure_mem, 1 << 20);
    struct adit_str rest = adit_str_sub(all, 1, all.len);
    struct adit_str json = adit_str_z(configs[(unsigned char)all.p[0] % ADIT_COUNT(configs)]);
    read_message(&rest, &q);
    read_message(&rest, &r);
    if (fuzz_fine(adit_edge_configure(&e, &c, json, fuzz_mem, &why))) {
        drive(&e, &q, &r, rest, &memory);
        drive(&e, &q, &r, rest, &memory);
        r.first = ADIT_STR("304");
        drive(&e, &q, &r, rest, &memory);
        adit_edge_free(&e);
    }
    adit_config_free(&c);
    adit_buf_free(&why);
    adit_buf_free(&memory);
}
