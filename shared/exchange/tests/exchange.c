/* Runs the flows of shared/exchange/cases/exchange: transcripts of requests, what the exchange says,
 * and what the origin answers. The whole transcript is written anew and compared with the file;
 * with ADIT_UPDATE=1 it is put in its place (natively).
 *
 *   @ name              a new edge with empty memory; "@+ name" goes on with the last one
 *   config {…}          for the edges from here on
 *   now SECONDS         the clock from here on
 *   > GET /path         a request, with "> name: value" lines; "> host: …" is the authority
 *   < 200               the origin's answer to the last fetch or passed request, with
 *   < name: value       its fields and
 *   << text             its body, a line each
 *   <x 1f8b…            or bytes of it in hexadecimal
 *   < fail timeout      no answer: connect, timeout or busy
 *
 * Everything else is output. What depends on the conversion rules is checked here and masked:
 * $ETAG is the hash that the body itself states ($HASH one in a sitemap), N its length, T its tokens, $DIGEST its digest (of the last
 * whole one that was seen). In requests $ETAG is the one that was seen last. */
#include "exchange/exchange.h"

#include "crypto/crypto.h"
#include "tests/tap.h"

static struct adit_config config;
static struct adit_edge edge;
static struct adit_exchange *x;
static enum adit_action action;
static struct adit_buf out, etag, length, digest, slots[64];
static struct adit_str slot_keys[64];
static size_t n_slots;
static int64_t now = 1794873600; /* a day after the rules */
static bool fetching, passing;

static void put(const char *z) { adit_buf_lit(&out, z); }
static void put_str(struct adit_str s) { adit_buf_add(&out, s); }

/* --- output ----------------------------------------------------------------------------------- */

static struct adit_str body_hash(struct adit_str body)
{
    struct adit_str mark = ADIT_STR("\"hash\":\"");
    size_t at = adit_str_find(body, mark, 0);
    return adit_str_sub(body, at + mark.len, at + mark.len + 71);
}

/* Whether value is the quoted hash of the body: the one it states, or that of its bytes. */
static bool is_own_etag(struct adit_str value, struct adit_str body)
{
    uint8_t hash[ADIT_SHA256_LEN];
    char space[80];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_sha256_of(body, hash);
    adit_sha256_text(&b, "sha256-", hash);
    struct adit_str inside = adit_str_sub(value, 1, value.len - 1);
    return value.len == 73 &&
           (adit_str_eq(inside, body_hash(body)) || adit_str_eq(inside, adit_buf_str(&b)));
}

static bool is_digest(struct adit_str value, struct adit_str body)
{
    uint8_t hash[ADIT_SHA256_LEN];
    char space[80];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_sha256_of(body, hash);
    adit_buf_lit(&b, "sha-256=:");
    adit_base64(&b, hash, sizeof hash);
    adit_buf_byte(&b, ':');
    return adit_str_eq(adit_buf_str(&b), value);
}

static void keep(struct adit_buf *b, struct adit_str value)
{
    adit_buf_clear(b);
    adit_buf_add(b, value);
}

/* Notes the values that follow from the body, when they do. */
static void learn(struct adit_str name, struct adit_str value, struct adit_str from)
{
    uint64_t n;
    if (from.len == 0) return;
    if (adit_str_eq(name, ADIT_STR("etag")) && is_own_etag(value, from)) keep(&etag, value);
    if (adit_str_eq(name, ADIT_STR("content-digest")) && is_digest(value, from))
        keep(&digest, value);
    if (adit_str_eq(name, ADIT_STR("content-length")) && adit_str_u64(value, &n) && n == from.len)
        keep(&length, value);
}

static bool is(struct adit_str value, const struct adit_buf *b)
{
    return b->len && adit_str_eq(value, adit_buf_str(b));
}

static void put_field(struct adit_str name, struct adit_str value, struct adit_str from)
{
    put("  ");
    put_str(name);
    put(": ");
    learn(name, value, from);
    size_t slash = adit_str_chr(value, '/', 0);
    uint64_t n;
    if (adit_str_eq(name, ADIT_STR("x-markdown-tokens")) && adit_str_u64(value, &n) &&
        (n == (from.len + 3) / 4 || x->answer.body.len == 0)) {
        put("T");
    } else if (is(value, &etag)) {
        put("$ETAG");
    } else if (is(value, &digest)) {
        put("$DIGEST");
    } else if (adit_str_eq(name, ADIT_STR("content-length")) && is(value, &length)) {
        put("N");
    } else if (adit_str_eq(name, ADIT_STR("content-range")) &&
               is(adit_str_sub(value, slash + 1, value.len), &length)) {
        put_str(adit_str_sub(value, 0, slash));
        put("/N");
    } else {
        put_str(value);
    }
    put("\n");
}

static void put_edits(const struct adit_edits *e)
{
    static const char *const ops[] = {"set", "add", "remove", "path"};
    for (size_t i = 0; i < e->n; i++) {
        put("  ");
        put(ops[e->v[i].op]);
        put(e->v[i].name.len ? " " : "");
        put_str(e->v[i].name);
        put(e->v[i].value.len ? ": " : "");
        put_str(e->v[i].value);
        put("\n");
    }
}

static void put_reason(void)
{
    if (x->reason) put(" "), put(adit_reasons[x->reason].name);
}

/* A sitemap, with $HASH for fingerprints that come of the rules: those of the rows' own files repeat
 * one digit. */
static void put_sitemap(struct adit_str body)
{
    put("  ");
    for (size_t i = 0; i < body.len; i++) {
        struct adit_str hash = adit_str_sub(body, i, i + ADIT_TCT_HASH);
        bool own = adit_tct_is_hash(hash);
        for (size_t k = 8; own && k < hash.len; k++) own = hash.p[k] == hash.p[7];
        if (adit_tct_is_hash(hash) && !own)
            put("$HASH"), i += hash.len - 1;
        else if (body.p[i] != '\n')
            adit_buf_byte(&out, body.p[i]);
    }
    put("\n");
}

static void put_answer(void)
{
    const struct adit_answer *a = &x->answer;
    struct adit_str body = a->body;
    put("answer ");
    adit_buf_u64(&out, a->status);
    put(" ");
    put(x->route);
    put_reason();
    put("\n");
    for (size_t i = 0; i < a->headers.n; i++)
        put_field(a->headers.v[i].name, a->headers.v[i].value,
                  a->status == 200 ? body : (struct adit_str){0});
    if (a->status == 200 && adit_str_starts(body, ADIT_STR("{\"version\"")))
        put_sitemap(body);
    else if (a->status == 200 && body.len)
        put(adit_str_starts(body, ADIT_STR("{\""))     ? "  {json}\n"
            : adit_str_starts(body, ADIT_STR("---\n")) ? "  (text with front matter)\n"
                                                       : "  (text)\n");
    else if (body.len)
        put("  "), put_str(body), put("\n");
    /* Content-Length is that of the body, for HEAD of the body that GET would have. */
    uint64_t len = 0;
    struct adit_str stated =
        adit_header_get(a->headers.v, a->headers.n, ADIT_STR("content-length"));
    bool fits = adit_str_u64(stated, &len) ? len == a->body_of_get.len : a->body_of_get.len == 0;
    if (!fits || (body.len && body.p != a->body_of_get.p)) put("  body_of_get is another one\n");
}

static void remember(void)
{
    if (!x->remember_key.len) return;
    put("remember\n");
    size_t i = 0;
    while (i < n_slots && !adit_str_eq(slot_keys[i], x->remember_key)) i++;
    if (i == n_slots && n_slots < 64) {
        char *key = malloc(64);
        memcpy(key, x->remember_key.p, 64);
        slot_keys[n_slots] = adit_str_of(key, 64);
        adit_buf_init(&slots[n_slots++], tap_mem, 1 << 20);
    }
    adit_buf_clear(&slots[i]);
    adit_buf_add(&slots[i], x->remember_value);
}

static void forget(void)
{
    for (size_t i = 0; i < n_slots; i++) {
        free((void *)(uintptr_t)slot_keys[i].p);
        adit_buf_free(&slots[i]);
    }
    n_slots = 0;
}

static enum adit_action recall(void)
{
    size_t i = 0;
    while (i < n_slots && !adit_str_eq(slot_keys[i], x->recall_key)) i++;
    put(i < n_slots ? "recall hit\n" : "recall miss\n");
    return adit_exchange_recalled(x, i < n_slots ? adit_buf_str(&slots[i]) : (struct adit_str){0});
}

/* Goes on until the origin is to speak, or all is said. */
static void advance(void)
{
    fetching = passing = false;
    while (action == ADIT_RECALL) action = recall();
    if (action == ADIT_FETCH) {
        put("fetch ");
        put_str(x->fetch.authority);
        put(" ");
        put_str(x->fetch.path);
        put("\n");
        for (size_t i = 0; i < x->fetch.headers.n; i++)
            put_field(x->fetch.headers.v[i].name, x->fetch.headers.v[i].value,
                      (struct adit_str){0});
        fetching = true;
        return;
    }
    if (action == ADIT_PASS) {
        put("pass ");
        put(x->done ? "untouched" : x->route);
        put_reason();
        put("\n");
        put_edits(&x->request_edits);
        passing = !x->done;
    } else if (action == ADIT_ANSWER) {
        put_answer();
        remember();
    } else {
        put("waits\n");
    }
}

/* --- input ------------------------------------------------------------------------------------ */

enum { FIELDS = 64 };
static struct adit_header fields[FIELDS];
static size_t n_fields;
static struct adit_buf body, scratch[FIELDS];

static void new_edge(void)
{
    if (x) adit_exchange_free(x);
    x = NULL;
    adit_edge_free(&edge);
    forget();
    adit_edge_init(&edge, &config, tap_mem);
}

static void set_config(struct adit_str json)
{
    struct adit_buf why;
    adit_buf_init(&why, tap_mem, 4096);
    if (x) adit_exchange_free(x);
    x = NULL;
    adit_edge_free(&edge);
    adit_config_free(&config);
    if (adit_config_parse(&config, json, tap_mem, &why)) put_str(adit_buf_str(&why)), put("\n");
    adit_edge_init(&edge, &config, tap_mem);
    forget();
    adit_buf_free(&why);
}

/* A field line, with $ETAG and \xNN replaced. */
static void add_field(struct adit_str line)
{
    if (n_fields == FIELDS) return;
    size_t colon = adit_str_chr(line, ':', 0);
    struct adit_str value = adit_str_trim(adit_str_sub(line, colon + 1, line.len));
    struct adit_buf *b = &scratch[n_fields];
    adit_buf_free(b);
    adit_buf_init(b, tap_mem, 1 << 20);
    for (size_t i = 0; i < value.len; i++) {
        struct adit_str rest = adit_str_sub(value, i, value.len);
        if (adit_str_starts(rest, ADIT_STR("$ETAG"))) {
            adit_buf_add(b, adit_buf_str(&etag));
            i += 4;
        } else {
            adit_buf_byte(b, value.p[i]);
        }
    }
    fields[n_fields++] = (struct adit_header){adit_str_sub(line, 0, colon), adit_buf_str(b)};
}

static struct adit_str method, path;

static void run_request(void)
{
    if (x) adit_exchange_free(x);
    x = adit_exchange_new(&edge, NULL);
    struct adit_str host = adit_header_get(fields, n_fields, ADIT_STR("host"));
    struct adit_request r = {
        .method = method,
        .path = path,
        .authority = host.len ? host : ADIT_STR("example.com"),
        .headers = fields,
        .n_headers = n_fields,
        .now = now,
    };
    action = adit_exchange_request(x, &r);
    advance();
}

static void run_injection(void)
{
    struct adit_buf part;
    adit_buf_init(&part, tap_mem, 1 << 20);
    put("  inject\n<<<");
    for (size_t i = 0; i < body.len; i++) { /* byte by byte */
        adit_exchange_inject(x, adit_str_of(body.p + i, 1), &part);
        put_str(adit_buf_str(&part));
    }
    adit_exchange_inject_end(x, &part);
    put_str(adit_buf_str(&part));
    put(">>>\n");
    adit_buf_free(&part);
}

static void run_reply(struct adit_str status)
{
    uint64_t n = 0;
    if (adit_str_starts(status, ADIT_STR("fail "))) {
        struct adit_str why = adit_str_sub(status, 5, status.len);
        action = adit_exchange_fetch_failed(
            x, adit_str_eq(why, ADIT_STR("timeout")) ? ADIT_FAILED_TIMEOUT
               : adit_str_eq(why, ADIT_STR("busy"))  ? ADIT_FAILED_BUSY
                                                     : ADIT_FAILED_CONNECT);
        advance();
        return;
    }
    adit_str_u64(status, &n);
    if (fetching) {
        action = adit_exchange_fetched(x, (unsigned)n, fields, n_fields);
        if (action == ADIT_BODY && body.len)
            action = adit_exchange_fetched_body(x, adit_buf_str(&body));
        if (action == ADIT_BODY) action = adit_exchange_fetched_end(x);
        advance();
    } else if (passing) {
        adit_exchange_response(x, (unsigned)n, fields, n_fields);
        put("response");
        put_reason();
        put("\n");
        put_edits(&x->response_edits);
        if (x->inject) run_injection();
    }
}

/* One flow file: copies the input lines and writes the output in between. */
static void run_file(struct adit_str text)
{
    struct adit_str line, rest = text, status = {0};
    enum { NOTHING, REQUEST, REPLY } pending = NOTHING;
    struct adit_buf expanded;
    adit_buf_init(&expanded, tap_mem, 1 << 20);
    while (rest.len) {
        adit_str_split(&rest, '\n', &line);
        bool request = adit_str_starts(line, ADIT_STR("> "));
        bool reply = adit_str_starts(line, ADIT_STR("< ")) ||
                     adit_str_starts(line, ADIT_STR("<< ")) ||
                     adit_str_starts(line, ADIT_STR("<x "));
        if (pending == REQUEST && !request) run_request(), pending = NOTHING;
        struct adit_str arg = adit_str_sub(line, 2, line.len);
        bool next_reply =
            adit_str_starts(line, ADIT_STR("< ")) && adit_str_chr(arg, ':', 0) >= arg.len;
        if (pending == REPLY && (!reply || next_reply)) run_reply(status), pending = NOTHING;
        bool is_input = request || reply || line.len == 0 || line.p[0] == '#' || line.p[0] == '@' ||
                        adit_str_starts(line, ADIT_STR("config ")) ||
                        adit_str_starts(line, ADIT_STR("now "));
        if (!is_input) continue;
        put_str(line);
        put("\n");
        if (adit_str_starts(line, ADIT_STR("@ "))) {
            new_edge();
        } else if (adit_str_starts(line, ADIT_STR("config "))) {
            set_config(adit_str_sub(line, 7, line.len));
        } else if (adit_str_starts(line, ADIT_STR("now "))) {
            uint64_t t = 0;
            adit_str_u64(adit_str_sub(line, 4, line.len), &t);
            now = (int64_t)t;
        } else if (request && pending != REQUEST) {
            size_t space = adit_str_chr(arg, ' ', 0);
            method = adit_str_sub(arg, 0, space);
            path = adit_str_sub(arg, space + 1, arg.len);
            n_fields = 0;
            pending = REQUEST;
        } else if (reply && pending != REPLY) {
            status = arg;
            n_fields = 0;
            adit_buf_clear(&body);
            pending = REPLY;
        } else if (adit_str_starts(line, ADIT_STR("<< "))) {
            adit_buf_add(&body, adit_str_sub(line, 3, line.len));
            adit_buf_byte(&body, '\n');
        } else if (adit_str_starts(line, ADIT_STR("<x "))) {
            for (size_t i = 3; i + 1 < line.len; i += 2)
                adit_buf_byte(&body, (char)(adit_hex(line.p[i]) * 16 + adit_hex(line.p[i + 1])));
        } else if (request || reply) {
            add_field(arg);
        }
    }
    if (pending == REQUEST) run_request();
    if (pending == REPLY) run_reply(status);
    adit_buf_free(&expanded);
}

static void check_file(const char *name)
{
    char full[200];
    snprintf(full, sizeof full, "shared/exchange/cases/exchange/%s.txt", name);
    struct adit_str want = tap_read(full);
    adit_buf_clear(&out);
    adit_buf_clear(&etag);
    adit_buf_clear(&length);
    adit_buf_clear(&digest);
    set_config(ADIT_STR("{\"origin\":\"https://example.com\"}"));
    run_file(want);
    bool same = ok(want.len && adit_str_eq(adit_buf_str(&out), want), full);
    if (!same) {
        struct adit_str a = adit_buf_str(&out), b = want, la, lb;
        for (int n = 1; a.len || b.len; n++) {
            la = lb = (struct adit_str){0};
            if (a.len) adit_str_split(&a, '\n', &la);
            if (b.len) adit_str_split(&b, '\n', &lb);
            if (adit_str_eq(la, lb)) continue;
            printf("# line %d\n", n);
            tap_show("     got", la), tap_show("expected", lb);
            break;
        }
        if (getenv("ADIT_UPDATE")) {
            FILE *f = fopen(full, "wb");
            if (f) fwrite(out.p, 1, out.len, f), fclose(f);
        }
    }
    free((void *)(uintptr_t)want.p);
}

static const char *const files[] = {"routes",   "answers",  "origin",    "conditions",
                                    "memory",   "pages",    "documents", "collections",
                                    "homepage", "access",   "damage",    "negotiation",
                                    "signals",  "profiles", "sitemap",   "signatures"};

TEST(test_flows)
{
    adit_buf_init(&out, tap_mem, 16u << 20);
    adit_buf_init(&etag, tap_mem, 200);
    adit_buf_init(&length, tap_mem, 200);
    adit_buf_init(&digest, tap_mem, 200);
    adit_buf_init(&body, tap_mem, 16u << 20);
    for (size_t i = 0; i < ADIT_COUNT(files); i++) check_file(files[i]);
    if (x) adit_exchange_free(x);
    adit_edge_free(&edge);
    adit_config_free(&config);
    forget();
    adit_buf_free(&out);
    adit_buf_free(&etag);
    adit_buf_free(&length);
    adit_buf_free(&digest);
    adit_buf_free(&body);
    for (size_t i = 0; i < FIELDS; i++) adit_buf_free(&scratch[i]);
}

RUN_TESTS(test_flows)
