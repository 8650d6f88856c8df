/* One request on a curl handle: what is sent, what the socket may connect to, the head of the
 * answer. Curl does one hop; everything that leads to another is decided in answer.c. */
#include "batch/fetch/fetch_impl.h"
#include "batch/cli/cli.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- addresses -------------------------------------------------------------------------------- */

static bool may_connect(const struct fetch_transfer *t, const struct sockaddr *a)
{
    const struct fetch *f = t->f;
    if (f->o.allow_private || f->o.proxy) return true;
    enum fetch_reach reach = fetch_address_reach(a);
    return reach == FETCH_PUBLIC || (reach == FETCH_LOOPBACK && f->site_loopback && t->host->site);
}

static curl_socket_t on_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *a)
{
    struct fetch_transfer *t = ctx;
    (void)purpose;
    /* A name with an address that is not public has none that counts. */
    if (t->refused || !may_connect(t, &a->addr)) {
        t->refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

/* The same again for the connection that is used, which may be an older one. */
static int on_connected(void *ctx, char *ip, char *local, int port, int local_port)
{
    struct fetch_transfer *t = ctx;
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } a = {.any.sa_family = AF_UNSPEC};
    (void)local, (void)port, (void)local_port;
    if (inet_pton(AF_INET, ip, &a.v4.sin_addr) == 1)
        a.any.sa_family = AF_INET;
    else if (inet_pton(AF_INET6, ip, &a.v6.sin6_addr) == 1)
        a.any.sa_family = AF_INET6;
    if (may_connect(t, &a.any)) return CURL_PREREQFUNC_OK;
    t->refused = true;
    return CURL_PREREQFUNC_ABORT;
}

/* --- the head --------------------------------------------------------------------------------- */

static bool fail(struct fetch_transfer *t, enum fetch_error error)
{
    t->reply.error = error;
    return false;
}

static void new_head(struct fetch_transfer *t)
{
    adit_arena_reset(&t->heads);
    t->headers = (struct adit_headers){.arena = &t->heads};
    t->foldable = false;
    t->reply.length = t->reply.range_total = -1;
    t->reply.range_first = 0;
}

/* Content-Range: bytes FIRST-LAST/TOTAL, bytes * /TOTAL. */
static bool read_range(struct fetch_transfer *t, struct adit_str v)
{
    struct adit_str unit = ADIT_STR("bytes ");
    size_t dash = adit_str_chr(v, '-', 0), slash = adit_str_chr(v, '/', 0);
    uint64_t total;
    if (!adit_str_istarts(v, unit) || slash == v.len) return false;
    if (adit_str_u64(adit_str_sub(v, slash + 1, v.len), &total) && total <= INT64_MAX)
        t->reply.range_total = (int64_t)total;
    return adit_str_u64(adit_str_trim(adit_str_sub(v, unit.len, dash)), &t->reply.range_first);
}

/* The head is complete: from here on the body, if it is the caller's. */
static bool end_head(struct fetch_transfer *t)
{
    struct fetch_reply *r = &t->reply;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    t->head_done = true;
    r->status = t->judge.status;
    r->length = t->judge.length;
    r->headers = t->headers.v;
    r->n_headers = t->headers.n;
    r->unix_s = now.tv_sec;
    if (t->headers.err) return fail(t, FETCH_HEAD_SIZE);
    t->dropping = fetch_is_interim(t);
    if (r->error) return false;
    if (t->dropping) return true;
    bool ranged = read_range(t, fetch_field(r, "content-range"));
    bool asked = t->q.resume_from || t->q.range_len;
    if (r->status == 206 && (!ranged || !asked || r->range_first != t->q.resume_from))
        return fail(t, FETCH_RANGE);
    r->error = fetch_body_open(t);
    return r->error == FETCH_OK;
}

static bool keep_field(struct fetch_transfer *t, struct adit_header f)
{
    char *copy = adit_arena_alloc(&t->heads, f.name.len + 1);
    if (!copy) return fail(t, FETCH_MEMORY);
    memcpy(copy, f.name.p, f.name.len);
    copy[f.name.len] = '\0';
    size_t before = t->headers.n;
    adit_headers_add(&t->headers, copy, f.value);
    t->foldable = t->headers.n > before; /* values that are no good are left out */
    return true;
}

static bool unfold(struct fetch_transfer *t, struct adit_str more)
{
    if (!t->foldable) return true;
    struct adit_header *last = &t->headers.v[t->headers.n - 1];
    size_t len = last->value.len + 1 + more.len;
    char *joined = adit_arena_alloc(&t->heads, len);
    if (!joined || len > ADIT_LIMIT_header_value) return fail(t, FETCH_HEAD_SIZE);
    memcpy(joined, last->value.p, last->value.len);
    joined[last->value.len] = ' ';
    memcpy(joined + last->value.len + 1, more.p, more.len);
    last->value = adit_str_of(joined, len);
    return true;
}

static bool read_line(struct fetch_transfer *t, struct adit_str raw)
{
    struct adit_header f;
    enum answer_line what = answer_head_line(&t->judge, raw, &f);
    if (what == ANSWER_FOLDED) return unfold(t, f.value);
    t->foldable = false;
    switch (what) {
    case ANSWER_BEGINS: new_head(t); break;
    case ANSWER_FIELD: return keep_field(t, f);
    case ANSWER_ENDS: return end_head(t);
    case ANSWER_BAD:
        return fail(t, t->judge.fault == ANSWER_FAULT_SIZE || t->judge.fault == ANSWER_FAULT_COUNT
                           ? FETCH_HEAD_SIZE
                       : t->judge.fault == ANSWER_FAULT_CODING ? FETCH_CODING
                                                               : FETCH_REPLY);
    default: break;
    }
    return true;
}

static size_t on_header(char *p, size_t size, size_t n, void *ctx)
{
    struct fetch_transfer *t = ctx;
    t->f->counts.wire += size * n;
    return read_line(t, adit_str_of(p, size * n)) ? size * n : 0;
}

static size_t on_body(char *p, size_t size, size_t n, void *ctx)
{
    struct fetch_transfer *t = ctx;
    t->f->counts.wire += size * n;
    if (!t->head_done) return fail(t, FETCH_REPLY);
    return fetch_body_write(t, p, size * n) ? size * n : 0;
}

/* --- the request ------------------------------------------------------------------------------ */

static bool add_line(struct fetch_transfer *t, const char *name, struct adit_str value)
{
    if (!value.len) return true;
    struct adit_buf line;
    adit_buf_init(&line, cli_mem, 64 << 10);
    adit_buf_lit(&line, name);
    adit_buf_lit(&line, ": ");
    adit_buf_add(&line, value);
    adit_buf_byte(&line, '\0');
    bool fine = !line.err && adit_header_sendable(value);
    struct curl_slist *more = fine ? curl_slist_append(t->fields, line.p) : NULL;
    adit_buf_free(&line);
    if (more) t->fields = more;
    return more != NULL;
}

/* A file that is compressed by its name must not be compressed again on the way. */
static struct adit_str codings(const struct fetch_transfer *t)
{
    if (!t->q.raw) return ADIT_STR("gzip, deflate, br, zstd");
    if (t->q.range_len) return ADIT_STR("identity"); /* ranges of the file itself */
    if (adit_str_ends(t->reply.url, ADIT_STR(".zst"))) return ADIT_STR("zstd");
    return adit_str_ends(t->reply.url, ADIT_STR(".gz")) ? ADIT_STR("gzip") : ADIT_STR("zstd, gzip");
}

static bool set_fields(struct fetch_transfer *t)
{
    const struct fetch_request *q = &t->q;
    bool fine = add_line(t, "Accept", q->accept) && add_line(t, "Accept-Encoding", codings(t)) &&
                add_line(t, "If-None-Match", q->if_none_match) &&
                add_line(t, "If-Modified-Since", q->if_modified_since);
    if (q->no_cache) fine = fine && add_line(t, "Cache-Control", ADIT_STR("no-cache"));
    if (q->resume_from || q->range_len) {
        char range[64];
        int n = snprintf(range, sizeof range, "bytes=%llu-", (unsigned long long)q->resume_from);
        if (q->range_len)
            snprintf(range + n, sizeof range - (size_t)n, "%llu",
                     (unsigned long long)(q->resume_from + q->range_len - 1));
        fine =
            fine && add_line(t, "Range", adit_str_z(range)) && add_line(t, "If-Range", q->if_range);
    }
    struct adit_str origin = adit_str_of(t->host->origin, t->host->origin_len);
    for (size_t i = 0; fine && i < t->f->o.n_secrets; i++) {
        if (!fetch_secret_fits(t->f, &t->f->o.secrets[i], origin)) continue;
        struct curl_slist *more = curl_slist_append(t->fields, t->f->o.secrets[i].line);
        if (more) t->fields = more;
        fine = more != NULL;
        t->reply.secret = true;
    }
    return fine;
}

/* An answer may take request_ms, and longer only as long as it comes at a fair rate: so one that
 * drips in is cut off, however large it claims to be. */
static int on_progress(void *ctx, curl_off_t total, curl_off_t got, curl_off_t a, curl_off_t b)
{
    struct fetch_transfer *t = ctx;
    (void)total, (void)a, (void)b;
    int64_t may = (int64_t)t->f->o.request_ms + (int64_t)got * 1000 / FETCH_FAIR_BYTES;
    if (clock_ms() - t->launched_ms <= may) return 0;
    t->reply.error = FETCH_TIMEOUT;
    return 1;
}

static void set_times(struct fetch_transfer *t)
{
    const struct fetch_options *o = &t->f->o;
    int64_t left = fetch_time_left(t->f);
    if (left < 1) left = 1;
    t->launched_ms = clock_ms();
    curl_easy_setopt(t->easy, CURLOPT_CONNECTTIMEOUT_MS, (long)o->connect_ms);
    if (left < INT32_MAX) curl_easy_setopt(t->easy, CURLOPT_TIMEOUT_MS, (long)left);
    curl_easy_setopt(t->easy, CURLOPT_LOW_SPEED_LIMIT, (long)FETCH_SLOW_BYTES);
    curl_easy_setopt(t->easy, CURLOPT_LOW_SPEED_TIME, (long)((o->stall_ms + 999) / 1000));
    curl_easy_setopt(t->easy, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(t->easy, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(t->easy, CURLOPT_XFERINFODATA, t);
}

/* Curl's own signing; what S3 asks for besides is a hash of the body, of which there is none. */
static bool sign(struct fetch_transfer *t)
{
    const struct fetch_options *o = &t->f->o;
    struct adit_buf text;
    adit_buf_init(&text, cli_mem, 4096);
    adit_buf_lit(&text, "aws:amz:");
    adit_buf_lit(&text, o->s3_region);
    adit_buf_lit(&text, ":s3");
    adit_buf_byte(&text, '\0');
    bool fine = !text.err && curl_easy_setopt(t->easy, CURLOPT_AWS_SIGV4, text.p) == CURLE_OK &&
                curl_easy_setopt(t->easy, CURLOPT_USERNAME, o->s3_key) == CURLE_OK &&
                curl_easy_setopt(t->easy, CURLOPT_PASSWORD, o->s3_secret) == CURLE_OK;
    adit_buf_free(&text);
    fine = fine && (!o->s3_token || add_line(t, "x-amz-security-token", adit_str_z(o->s3_token)));
    t->reply.secret = true;
    return fine && add_line(t, "x-amz-content-sha256",
                            ADIT_STR("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852"
                                     "b855"));
}

static bool set_safety(struct fetch_transfer *t)
{
    const struct fetch_options *o = &t->f->o;
    CURL *c = t->easy;
    curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(c, CURLOPT_PATH_AS_IS, 1L); /* the URL is in normal form */
    curl_easy_setopt(c, CURLOPT_PROXY, o->proxy ? o->proxy : "");
    curl_easy_setopt(c, CURLOPT_NOPROXY, "");
    curl_easy_setopt(c, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L); /* the proxy's own answer */
    curl_easy_setopt(c, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
    curl_easy_setopt(c, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (o->ca_file) {
        curl_easy_setopt(c, CURLOPT_CAINFO, o->ca_file);
        curl_easy_setopt(c, CURLOPT_CAPATH, NULL);
    }
    if (o->netrc && t->host->site) {
        curl_easy_setopt(c, CURLOPT_NETRC, (long)CURL_NETRC_REQUIRED);
        curl_easy_setopt(c, CURLOPT_NETRC_FILE, o->netrc);
        t->reply.secret = true;
    }
    if (o->s3_key && t->host->site && !sign(t)) return false;
    curl_easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, on_socket);
    curl_easy_setopt(c, CURLOPT_OPENSOCKETDATA, t);
    curl_easy_setopt(c, CURLOPT_PREREQFUNCTION, on_connected);
    curl_easy_setopt(c, CURLOPT_PREREQDATA, t);
    if (t->f->resolve) curl_easy_setopt(c, CURLOPT_RESOLVE, t->f->resolve);
    return true;
}

enum fetch_error fetch_launch(struct fetch_transfer *t)
{
    char *url = strndup(t->reply.url.p, t->reply.url.len);
    CURL *c = t->easy = curl_easy_init();
    t->head_done = t->refused = t->dropping = t->again = false;
    t->judge = (struct answer_head){
        .bytes_max = FETCH_HEAD_BYTES, .fields_max = FETCH_HEAD_FIELDS, .lenient = true};
    t->dropped = t->reply.wire = t->reply.decoded = 0;
    t->reply.status = 0;
    t->reply.secret = false;
    if (t->heads.max == 0) adit_arena_init(&t->heads, cli_mem, (size_t)4 * FETCH_HEAD_BYTES);
    new_head(t);
    if (!url || !c || !set_fields(t)) {
        free(url);
        return FETCH_MEMORY;
    }
    curl_easy_setopt(c, CURLOPT_URL, url);
    free(url);
    if (!set_safety(t)) return FETCH_MEMORY;
    set_times(t);
    curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(c, CURLOPT_QUICK_EXIT, 1L); /* do not wait for a resolver that hangs */
    curl_easy_setopt(c, CURLOPT_PRIVATE, t);
    curl_easy_setopt(c, CURLOPT_HTTPHEADER, t->fields);
    curl_easy_setopt(c, CURLOPT_USERAGENT, t->f->o.user_agent);
    curl_easy_setopt(c, CURLOPT_HTTP_CONTENT_DECODING, 0L); /* ours has limits */
    curl_easy_setopt(c, CURLOPT_BUFFERSIZE, 65536L);
    curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(c, CURLOPT_HEADERDATA, t);
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, t);
    if (t->q.head) curl_easy_setopt(c, CURLOPT_NOBODY, 1L);
    return curl_multi_add_handle(t->f->multi, c) == CURLM_OK ? FETCH_OK : FETCH_MEMORY;
}

void fetch_land(struct fetch_transfer *t)
{
    if (t->easy) {
        curl_multi_remove_handle(t->f->multi, t->easy);
        curl_easy_cleanup(t->easy);
    }
    t->easy = NULL;
    curl_slist_free_all(t->fields);
    t->fields = NULL;
}

void fetch_transfer_free(struct fetch_transfer *t)
{
    fetch_land(t);
    fetch_body_close(t);
    if (t->heads.max) adit_arena_free(&t->heads);
    if (t->life.max) adit_arena_free(&t->life);
    free(t);
}
