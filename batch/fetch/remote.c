/* A file on a server, read by ranges: a window of it at a time, each with an answer of its own. So a
 * connection that breaks costs one window, and an archive of gigabytes needs no room on a disk. */
#include "batch/fetch/fetch.h"
#include "batch/io/io.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 8 << 20, /* bytes an answer */
    WINDOWS = 2,      /* held: where the reader is, and where it looks ahead */
    TRIES = 4,        /* of a window, when connections break */
    WHY_MAX = 200
};

struct window {
    struct adit_buf bytes;
    uint64_t from;
    uint64_t used; /* when it was used last */
};

struct remote {
    struct input_source source;
    struct fetch *client;
    char *url;
    struct adit_buf etag; /* of the first answer: later ones must be of the same file */
    struct window windows[WINDOWS];
    uint64_t clock;
    size_t window_len;
    bool opened, whole; /* whole: the server knows no ranges, all of it is in the first window */
    char why[WHY_MAX];
    /* The answer under way. */
    struct window *into;
    enum fetch_error error;
    unsigned status;
    bool changed;
};

/* --- one window ------------------------------------------------------------------------------- */

static bool same_file(struct remote *r, const struct fetch_reply *reply)
{
    struct adit_str tag = fetch_field(reply, "etag");
    if (!tag.len) tag = fetch_field(reply, "last-modified");
    if (!r->opened) {
        adit_buf_clear(&r->etag);
        adit_buf_add(&r->etag, tag);
        return true;
    }
    bool size = reply->range_total < 0 || (uint64_t)reply->range_total == r->source.size;
    return size && adit_str_eq(tag, adit_buf_str(&r->etag));
}

static void on_done(void *user, const struct fetch_reply *reply)
{
    struct remote *r = user;
    r->error = reply->error;
    r->status = reply->status;
    r->changed = false;
    adit_buf_clear(&r->into->bytes);
    if (reply->error || (reply->status != 206 && reply->status != 200)) {
        /* Past the end: an empty file. */
        if (!reply->error && reply->status == 416 && reply->range_total == 0) r->status = 200;
        return;
    }
    r->changed = !same_file(r, reply);
    if (!r->opened) {
        r->whole = reply->status == 200;
        r->source.size = r->whole ? reply->body.len : (uint64_t)reply->range_total;
    }
    adit_buf_add(&r->into->bytes, reply->body);
    if (r->into->bytes.err) r->error = FETCH_MEMORY;
}

/* Faults of the way there, which may be gone the next time. */
static bool may_pass(const struct remote *r)
{
    static const enum fetch_error rows[] = {FETCH_CONNECT, FETCH_TIMEOUT, FETCH_CUT_OFF,
                                            FETCH_REPLY,   FETCH_DNS,     FETCH_RANGE};
    for (size_t i = 0; i < ADIT_COUNT(rows); i++)
        if (r->error == rows[i]) return true;
    return !r->error && r->status >= 500;
}

static bool fill(struct remote *r, struct window *w, uint64_t from, size_t len)
{
    struct fetch_request q = {.url = adit_str_z(r->url),
                              .raw = true,
                              .follow = FETCH_FOLLOW_ANY,
                              .resume_from = from,
                              .range_len = len,
                              .max_bytes = REMOTE_WHOLE_MAX};
    r->into = w;
    for (unsigned i = 0; i < TRIES; i++) {
        r->error = FETCH_MEMORY;
        if (fetch_start(r->client, &q, NULL, on_done, r)) fetch_run(r->client);
        if (cli_interrupted() || !may_pass(r)) break;
    }
    w->from = r->status == 200 ? 0 : from;
    bool good = !r->error && !r->changed && (r->status == 206 || (r->status == 200 && !r->opened));
    if (good) {
        r->opened = true;
        return true;
    }
    if (r->error == FETCH_TOO_LARGE)
        snprintf(r->why, sizeof r->why,
                 "the server knows no ranges, and the file is large: fetch it first");
    else if (r->error)
        snprintf(r->why, sizeof r->why, "%s", fetch_error_text(r->error));
    else if (r->changed || r->status == 200)
        snprintf(r->why, sizeof r->why, "the file changed on the server while it was read");
    else
        snprintf(r->why, sizeof r->why, "the server answers %u", r->status);
    adit_buf_clear(&w->bytes);
    return false;
}

static struct window *find(struct remote *r, uint64_t offset)
{
    for (size_t i = 0; i < WINDOWS; i++) {
        struct window *w = &r->windows[i];
        if (offset >= w->from && offset - w->from < w->bytes.len) return w;
    }
    return NULL;
}

static size_t remote_read(struct input_source *s, uint64_t offset, char *to, size_t len,
                          const char **why)
{
    struct remote *r = (struct remote *)s;
    if (r->opened && offset >= s->size) return 0;
    struct window *w = find(r, offset);
    if (!w) {
        w = &r->windows[r->windows[1].used < r->windows[0].used];
        if (!fill(r, w, offset, r->window_len)) {
            *why = r->why;
            return 0;
        }
        if (!w->bytes.len) return 0;
    }
    w->used = ++r->clock;
    size_t n = w->bytes.len - (size_t)(offset - w->from);
    if (n > len) n = len;
    memcpy(to, w->bytes.p + (offset - w->from), n);
    return n;
}

/* --- opening ---------------------------------------------------------------------------------- */

static void remote_close(struct input_source *s)
{
    struct remote *r = (struct remote *)s;
    fetch_close(r->client);
    for (size_t i = 0; i < WINDOWS; i++) adit_buf_free(&r->windows[i].bytes);
    adit_buf_free(&r->etag);
    free(r->url);
    free(r);
}

/* s3://BUCKET/KEY: the usual variables of the environment say where, and who asks. */
static bool set_s3(struct remote *r, const char *url, struct fetch_options *o,
                   struct adit_buf *text)
{
    const char *key = getenv("AWS_ACCESS_KEY_ID"), *secret = getenv("AWS_SECRET_ACCESS_KEY");
    const char *region = getenv("AWS_REGION"), *endpoint = getenv("AWS_ENDPOINT_URL_S3");
    const char *token = getenv("AWS_SESSION_TOKEN"), *slash = strchr(url + 5, '/');
    if (!region) region = getenv("AWS_DEFAULT_REGION");
    if (!region) region = "us-east-1";
    if (!endpoint) endpoint = getenv("AWS_ENDPOINT_URL");
    if (!slash || slash == url + 5 || !slash[1]) {
        cli_say(url, "is not s3://BUCKET/KEY");
        return false;
    }
    if (!key || !secret) {
        cli_say(url, "needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment");
        return false;
    }
    int bucket = (int)(slash - url - 5);
    if (endpoint) { /* others than Amazon have their buckets in the path */
        adit_buf_lit(text, endpoint);
        if (adit_str_ends(adit_buf_str(text), ADIT_STR("/"))) text->len--;
        adit_buf_byte(text, '/');
        adit_buf_add(text, adit_str_of(url + 5, (size_t)bucket));
    } else {
        adit_buf_lit(text, "https://");
        adit_buf_add(text, adit_str_of(url + 5, (size_t)bucket));
        adit_buf_lit(text, ".s3.");
        adit_buf_lit(text, region);
        adit_buf_lit(text, ".amazonaws.com");
    }
    adit_buf_escape(text, adit_str_z(slash), "-._~/"); /* as the signature wants it */
    adit_buf_byte(text, '\0');
    r->url = text->err ? NULL : strdup(text->p);
    o->s3_region = region;
    o->s3_key = key;
    o->s3_secret = secret;
    o->s3_token = token && *token ? token : NULL;
    return r->url != NULL;
}

bool remote_is_url(const char *name)
{
    struct adit_str s = adit_str_z(name);
    return adit_str_istarts(s, ADIT_STR("http://")) || adit_str_istarts(s, ADIT_STR("https://")) ||
           adit_str_starts(s, ADIT_STR("s3://"));
}

struct input_source *remote_open(const char *url, const struct fetch_options *options,
                                 const struct remote_options *how)
{
    struct remote *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    struct fetch_options o = *options;
    struct adit_buf text;
    adit_buf_init(&text, cli_mem, ADIT_LIMIT_url_bytes);
    adit_buf_init(&r->etag, cli_mem, ADIT_LIMIT_header_value);
    for (size_t i = 0; i < WINDOWS; i++)
        adit_buf_init(&r->windows[i].bytes, cli_mem, REMOTE_WHOLE_MAX);
    r->source = (struct input_source){.read = remote_read, .close = remote_close, .seekable = true};
    r->window_len = how->window && how->window < WINDOW ? how->window : WINDOW;
    bool s3 = adit_str_starts(adit_str_z(url), ADIT_STR("s3://")), fine = true;
    if (s3)
        fine = set_s3(r, url, &o, &text);
    else
        r->url = strdup(url);
    adit_buf_free(&text);
    o.robots = false; /* a file that the user names, not a crawl */
    o.retries = TRIES;
    o.site = how->named
                 ? r->url
                 : NULL; /* only what the user named may be on this machine, and gets secrets */
    if (!how->named) o.n_secrets = 0, o.netrc = NULL;
    r->client = fine && r->url ? fetch_open(&o) : NULL;
    /* The first window shows whether it is there, and how long it is. */
    if (r->client && fill(r, &r->windows[0], how->at, r->window_len)) {
        r->windows[0].used = ++r->clock;
        return &r->source;
    }
    if (r->client) cli_say(url, "%s", r->why);
    remote_close(&r->source);
    return NULL;
}
