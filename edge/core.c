/* adit-core.wasm: the exchange (exchange/exchange.h) as a module without imports, for hosts that speak
 * HTTP themselves: the Cloudflare Worker (edge/worker/), tests, others.
 *
 * Calling it: put bytes into memory of adit_alloc, pass pointer and length, adit_free them. Header
 * fields travel as text, "name NUL value NUL" each; pseudo fields carry the rest of a request.
 * The functions, which abi.h lists and explains, follow exchange.h one by one and return its actions;
 * what an exchange has to say is read with adit_get(x, what) and, for its length, adit_len(). Any
 * call may grow the memory: make views of it anew.
 */
#include "edge/abi.h"
#include "edge/module.h"
#include "base/base.h"
#include "exchange/exchange.h"

/* The functions below, exported under the names that hosts know. */
#define DECLARE(name, type, params, text) \
    __attribute__((export_name("adit_" #name))) type core_##name params;
ABI_FUNCTIONS(DECLARE)

#define GET(name, text) GET_##name,
enum what { ABI_GETS(GET) };

#define RESPONSE(name, text) RESPONSE_##name,
enum response { ABI_RESPONSES(RESPONSE) };

/* Hosts know the exchange's actions and failures by number: both lists are in its order. */
#define ACTION(name, text)  ACTION_##name,
#define FAILURE(name, text) FAILURE_##name,
enum { ABI_ACTIONS(ACTION) };
enum { ABI_FAILURES(FAILURE) };
#define SAME_ACTION(name, text)  _Static_assert(ACTION_##name == (int)ADIT_##name, #name);
#define SAME_FAILURE(name, text) _Static_assert(FAILURE_##name == (int)ADIT_FAILED_##name, #name);
ABI_ACTIONS(SAME_ACTION)
ABI_FAILURES(SAME_FAILURE)

enum { OUT_MAX = 256 << 20, WHOLE_MAX = 64 << 10 };

static struct {
    bool configured;
    struct adit_config config;
    struct adit_edge edge;
    struct adit_buf out; /* what adit_get points to when it is not a slice of the exchange */
    size_t len;
} core;

void *core_alloc(size_t len) { return malloc(len ? len : 1); }
void core_free(void *p) { free(p); }
size_t core_len(void) { return core.len; }
uint32_t core_rules_version(void)
{
    uint64_t v = 0;
    adit_str_u64(ADIT_STR(ADIT_RULES_VERSION), &v);
    return (uint32_t)v;
}

uint32_t core_configure(const char *json, size_t len)
{
    if (core.configured) adit_edge_free(&core.edge);
    adit_config_free(&core.config);
    adit_buf_free(&core.out);
    adit_buf_init(&core.out, mem, OUT_MAX);
    core.configured = adit_edge_configure(&core.edge, &core.config, adit_str_of(json, len), mem,
                                          &core.out) == ADIT_OK;
    return core.configured;
}

/* Out of memory, core.out has only the beginning of what was to be said: a page that is cut, header
 * fields without the one that makes an answer private. A host gets all or a trap, with which it
 * passes the origin's bytes. */
static void whole_or_trap(void)
{
    if (core.out.err) __builtin_trap();
}

/* --- fields in -------------------------------------------------------------------------------- */

/* The fields of a text, as slices of it, valid until the next call. One more than ADIT_HEADERS_MAX
 * stands for any number beyond: the exchange refuses that many. */
static const struct adit_header *read_fields(struct adit_str text, size_t *n)
{
    static struct adit_header v[ADIT_HEADERS_MAX + 1];
    struct adit_str name, value;
    for (*n = 0; *n < ADIT_COUNT(v) && adit_str_split(&text, '\0', &name) &&
                 adit_str_split(&text, '\0', &value);
         ++*n)
        v[*n] = (struct adit_header){name, value};
    return v;
}

struct adit_exchange *core_open(void)
{
    return core.configured ? adit_exchange_new(&core.edge, NULL) : NULL;
}
void core_close(struct adit_exchange *x) { adit_exchange_free(x); }
struct adit_exchange *core_ready(void) { return adit_edge_ready(&core.edge); }

enum adit_action core_request(struct adit_exchange *x, const char *fields, size_t len,
                              double unix_time)
{
    size_t n;
    const struct adit_header *v = read_fields(adit_str_of(fields, len), &n);
    const struct adit_request request = {
        .method = adit_header_get(v, n, ADIT_STR(":method")),
        .authority = adit_header_get(v, n, ADIT_STR(":authority")),
        .path = adit_header_get(v, n, ADIT_STR(":path")),
        .scheme = adit_header_get(v, n, ADIT_STR(":scheme")),
        .client = adit_header_get(v, n, ADIT_STR(":client")),
        .headers = v,
        .n_headers = n,
        .now = (int64_t)unix_time,
    };
    return adit_exchange_request(x, &request);
}

enum adit_action core_recalled(struct adit_exchange *x, const char *p, size_t len)
{
    return adit_exchange_recalled(x, adit_str_of(p, len));
}
enum adit_action core_resume(struct adit_exchange *x) { return adit_exchange_resume(x); }
enum adit_action core_fetched(struct adit_exchange *x, uint32_t status, const char *fields,
                              size_t len)
{
    size_t n;
    const struct adit_header *v = read_fields(adit_str_of(fields, len), &n);
    return adit_exchange_fetched(x, status, v, n);
}
enum adit_action core_fetched_body(struct adit_exchange *x, const char *p, size_t len)
{
    return adit_exchange_fetched_body(x, adit_str_of(p, len));
}
enum adit_action core_fetched_end(struct adit_exchange *x) { return adit_exchange_fetched_end(x); }
enum adit_action core_fetch_failed(struct adit_exchange *x, uint32_t failure)
{
    return adit_exchange_fetch_failed(x, (enum adit_fetch_failure)failure);
}

/* Whether the body is announced, and small enough for a host to hold it. */
static bool is_small(const struct adit_header *v, size_t n)
{
    uint64_t len;
    return adit_str_u64(adit_header_get(v, n, ADIT_STR("content-length")), &len) &&
           len <= WHOLE_MAX;
}

uint32_t core_response(struct adit_exchange *x, uint32_t status, const char *fields, size_t len)
{
    size_t n;
    const struct adit_header *v = read_fields(adit_str_of(fields, len), &n);
    adit_exchange_response(x, status, v, n);
    if (!x->inject) return RESPONSE_PLAIN;
    return is_small(v, n) ? RESPONSE_WHOLE : RESPONSE_STREAM;
}
uint32_t core_body(struct adit_exchange *x, const char *p, size_t len)
{
    adit_exchange_inject(x, adit_str_of(p, len), &core.out);
    whole_or_trap();
    return x->inject_more;
}
void core_body_end(struct adit_exchange *x)
{
    adit_exchange_inject_end(x, &core.out);
    whole_or_trap();
}

/* --- facts out -------------------------------------------------------------------------------- */

uint32_t core_status(const struct adit_exchange *x) { return x->answer.status; }
uint32_t core_timeout_ms(const struct adit_exchange *x) { return x->fetch.timeout_ms; }
uint32_t core_done(const struct adit_exchange *x) { return x->done; }

/* A field; before its name, if it is an edit, the sign of what is done. */
static void put_field(char sign, struct adit_str name, struct adit_str value)
{
    if (sign) adit_buf_byte(&core.out, sign);
    adit_buf_add(&core.out, name);
    adit_buf_byte(&core.out, '\0');
    adit_buf_add(&core.out, value);
    adit_buf_byte(&core.out, '\0');
}

static void put_headers(const struct adit_headers *h)
{
    adit_buf_clear(&core.out);
    for (size_t i = 0; i < h->n; i++) put_field('\0', h->v[i].name, h->v[i].value);
}

static void put_edits(const struct adit_edits *e)
{
#define EDIT_SIGN(name, sign, text) [ADIT_EDIT_##name] = sign,
    static const char signs[] = {ABI_EDITS(EDIT_SIGN)};
    adit_buf_clear(&core.out);
    for (size_t i = 0; i < e->n; i++) put_field(signs[e->v[i].op], e->v[i].name, e->v[i].value);
}

static void put_metric(const char *prefix, const char *name, uint64_t n)
{
    adit_buf_lit(&core.out, prefix);
    adit_buf_lit(&core.out, name);
    adit_buf_byte(&core.out, ' ');
    adit_buf_u64(&core.out, n);
    adit_buf_byte(&core.out, '\n');
}

static void put_metrics(void)
{
    const struct adit_edge *e = &core.edge;
    adit_buf_clear(&core.out);
    for (size_t i = 0; i < ADIT_COUNTER_COUNT; i++)
        put_metric("", adit_counters[i].name, e->counters[i]);
    for (size_t i = 1; i < ADIT_REASONS; i++)
        put_metric("failed_", adit_reasons[i].name, e->failures[i]);
    for (size_t i = 1; i < ADIT_REASONS; i++)
        put_metric("passed_", adit_reasons[i].name, e->passes[i]);
}

/* A slice of the exchange's own memory. */
static bool get_slice(const struct adit_exchange *x, enum what what, struct adit_str *s)
{
    switch (what) {
    case GET_ANSWER_BODY: *s = x->answer.body; return true;
    case GET_FETCH_AUTHORITY: *s = x->fetch.authority; return true;
    case GET_FETCH_PATH: *s = x->fetch.path; return true;
    case GET_RECALL_KEY: *s = x->recall_key; return true;
    case GET_REMEMBER_KEY: *s = x->remember_key; return true;
    case GET_REMEMBER_VALUE: *s = x->remember_value; return true;
    case GET_ROUTE: *s = adit_str_z(x->route); return true;
    case GET_REASON: *s = adit_str_z(adit_reasons[x->reason].name); return true;
    default: return false;
    }
}

const char *core_get(struct adit_exchange *x, uint32_t what)
{
    struct adit_str s = {0};
    if (!get_slice(x, (enum what)what, &s)) {
        switch ((enum what)what) {
        case GET_ANSWER_HEADERS: put_headers(&x->answer.headers); break;
        case GET_FETCH_HEADERS: put_headers(&x->fetch.headers); break;
        case GET_REQUEST_EDITS: put_edits(&x->request_edits); break;
        case GET_RESPONSE_EDITS: put_edits(&x->response_edits); break;
        case GET_METRICS: put_metrics(); break;
        default: break; /* an error or injected bytes are there already */
        }
        whole_or_trap();
        s = adit_buf_str(&core.out);
    }
    core.len = s.len;
    return s.p;
}
