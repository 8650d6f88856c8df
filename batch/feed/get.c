/* Documents of a source: from the network, or from a folder. */
#include "batch/feed/feed.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void feed_fault(struct feed_run *f, struct adit_str url, const char *what)
{
    f->broken++;
    cli_say(NULL, "%.*s: %s", (int)url.len, url.p, what);
}

struct adit_str feed_resolve(struct feed_run *f, struct adit_str reference, struct adit_str base)
{
    struct adit_url parsed;
    struct adit_str url;
    if (!reference.len) return (struct adit_str){0};
    bool has_base = base.len && adit_url_parse(base, NULL, &f->arena, &parsed) == ADIT_OK;
    enum adit_code code = has_base ? adit_url_resolve(reference, &parsed, &f->arena, &url)
                                   : adit_url_page(reference, &f->arena, &url);
    if (code) return (struct adit_str){0};
    return adit_arena_dup(&f->arena, url, NULL);
}

bool feed_push(struct feed_queue *q, struct feed_item item)
{
    for (size_t i = 0; i < q->n; i++)
        if (adit_str_eq(q->v[i].url, item.url)) return true;
    if (q->n == FEED_DOCUMENTS_MAX) {
        feed_fault(q->f, item.url, "too many documents; this one and those after it are skipped");
        return false;
    }
    struct feed_item *v = adit_arena_grow(&q->f->arena, q->v, q->n, &q->cap, sizeof *v);
    if (!v) return false;
    q->v = v;
    q->v[q->n++] = item;
    return true;
}

/* --- a folder --------------------------------------------------------------------------------- */

/* "/../" cannot lead out: the URL is normalised. */
static char *file_of(struct feed_run *f, struct adit_str url)
{
    char *path;
    struct adit_str rest = adit_str_sub(url, f->base.len, url.len);
    if (!adit_str_starts(url, f->base) || !adit_str_starts(rest, ADIT_STR("/"))) return NULL;
    rest.len = adit_str_chr(rest, '?', 0);
    rest.len = adit_str_chr(rest, '#', 0);
    if (asprintf(&path, "%s%.*s", f->dir, (int)rest.len, rest.p) < 0) return NULL;
    if (cli_is_folder(path)) {
        char *index;
        int n = asprintf(&index, "%s/index.html", path);
        free(path);
        path = n < 0 ? NULL : index;
    }
    return path;
}

static bool is_file(const char *path)
{
    struct stat st;
    return path && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static enum feed_outcome read_file(struct feed_run *f, struct adit_str url,
                                   struct sitemap_reading *r)
{
    char *path = file_of(f, url);
    struct input *in = is_file(path) ? input_open(path, NULL) : NULL;
    if (!in) feed_fault(f, url, "is not in this folder; it is skipped");
    if (in) sitemap_read(r, in);
    input_close(in);
    free(path);
    return in ? FEED_READ : FEED_BROKEN;
}

/* --- the network ------------------------------------------------------------------------------ */

struct transfer {
    struct feed_run *f;
    struct sitemap_reading *r;     /* a document, read as it comes */
    struct sitemap_stream *stream; /* NULL: the answer is no 200 */
    struct adit_buf *body;         /* or the whole body */
    struct adit_str *type;
    enum feed_outcome outcome;
};

static struct adit_sink *on_head(void *user, const struct fetch_reply *reply)
{
    struct transfer *t = user;
    if (reply->status != 200 || !t->r) return NULL;
    t->stream = sitemap_open(t->r);
    return t->stream ? sitemap_sink(t->stream) : NULL;
}

/* What will be so the next time, too: waiting for it would stop the feed for ever. */
static const bool lasting[] = {
    [FETCH_URL] = true,
    [FETCH_HTTP] = true,
    [FETCH_ORIGIN] = true,
    [FETCH_ROBOTS] = true,
    [FETCH_ADDRESS] = true,
    [FETCH_REPLY] = true,
    [FETCH_HEAD_SIZE] = true,
    [FETCH_TOO_LARGE] = true,
    [FETCH_RATIO] = true,
    [FETCH_CODING] = true,
    [FETCH_REDIRECT_LOOP] = true,
    [FETCH_REDIRECTS] = true,
    [FETCH_REDIRECT_ORIGIN] = true,
    [FETCH_REDIRECT_BAD] = true,
    [FETCH_MEMORY] = false,
};

static void say_failure(struct transfer *t, const struct fetch_reply *reply)
{
    char what[128];
    t->outcome = FEED_BROKEN;
    if (reply->error) {
        snprintf(what, sizeof what, "%s", fetch_error_text(reply->error));
        if (!lasting[reply->error]) t->outcome = FEED_LATER;
    } else {
        snprintf(what, sizeof what, "answered %u", reply->status);
        if (reply->status >= 500 || reply->status == 429) t->outcome = FEED_LATER;
    }
    feed_fault(t->f, reply->asked, what);
}

/* Fields go into the state and back into requests: only printable ASCII is kept. */
static struct adit_str plain(struct feed_run *f, struct adit_str field)
{
    for (size_t i = 0; i < field.len; i++)
        if (field.p[i] < 32 || field.p[i] == 127) return (struct adit_str){0};
    if (field.len > 1024) return (struct adit_str){0};
    return adit_arena_dup(&f->arena, field, NULL);
}

static void on_done(void *user, const struct fetch_reply *reply)
{
    struct transfer *t = user;
    /* FETCH_STOPPED: the reader has met a fault, and says so itself. */
    bool stopped = t->stream && reply->error == FETCH_STOPPED;
    t->outcome = FEED_READ;
    if ((reply->error && !stopped) || reply->status != 200) say_failure(t, reply);
    if (t->stream) sitemap_close(t->stream, !reply->error);
    if (t->r)
        t->f->last = (struct feed_validator){
            .url = adit_arena_dup(&t->f->arena, reply->asked, NULL),
            .etag = plain(t->f, fetch_field(reply, "etag")),
            .last_modified = plain(t->f, fetch_field(reply, "last-modified")),
        };
    if (!t->body || t->outcome) return;
    adit_buf_add(t->body, reply->body);
    *t->type = adit_arena_dup(&t->f->arena, fetch_field(reply, "content-type"), NULL);
}

static enum feed_outcome get(struct transfer *t, struct adit_str url, const char *accept,
                             uint64_t max)
{
    struct fetch_request q = {
        .url = url, .accept = adit_str_z(accept), .follow = FETCH_FOLLOW_ANY, .max_bytes = max};
    t->outcome = FEED_LATER;
    if (fetch_start(t->f->fetch, &q, on_head, on_done, t)) fetch_run(t->f->fetch);
    return t->outcome;
}

enum feed_outcome feed_document(struct feed_run *f, struct adit_str url, struct sitemap_reading *r)
{
    char what[160];
    if (f->documents++ == FEED_DOCUMENTS_MAX) feed_fault(f, url, "too many documents in one run");
    if (f->documents > FEED_DOCUMENTS_MAX) return FEED_LATER;
    struct transfer t = {.f = f, .r = r};
    r->fault = XML_NONE;
    f->last = (struct feed_validator){0};
    enum feed_outcome outcome =
        f->fetch ? get(&t, url, "application/xml, text/xml;q=0.9, */*;q=0.1", XML_BYTES_MAX)
                 : read_file(f, url, r);
    if (outcome || !r->fault || r->fault == XML_STOPPED) return outcome;
    snprintf(what, sizeof what, "line %llu: %s", (unsigned long long)r->line,
             xml_fault_texts[r->fault]);
    feed_fault(f, url, what);
    return FEED_BROKEN;
}

/* A body that nobody asked for: the transfer ends. */
static enum adit_code refuse(struct adit_sink *sink, const char *p, size_t len)
{
    (void)sink, (void)p, (void)len;
    return ADIT_ESTOP;
}

static struct adit_sink *on_condition_head(void *user, const struct fetch_reply *reply)
{
    static struct adit_sink sink = {refuse, NULL};
    (void)user, (void)reply;
    return &sink;
}

static void on_condition(void *user, const struct fetch_reply *reply)
{
    *(bool *)user = fetch_fine(reply, 304);
}

bool feed_unchanged(struct feed_run *f, const struct feed_validator *v)
{
    bool unchanged = false;
    struct fetch_request q = {.url = v->url,
                              .if_none_match = v->etag,
                              .if_modified_since = v->last_modified,
                              .follow = FETCH_FOLLOW_ANY};
    f->documents++;
    if (fetch_start(f->fetch, &q, on_condition_head, on_condition, &unchanged)) fetch_run(f->fetch);
    return unchanged;
}

bool feed_text(struct feed_run *f, struct adit_str url, struct adit_buf *body,
               struct adit_str *type)
{
    *type = (struct adit_str){0};
    if (f->fetch) {
        struct transfer t = {.f = f, .body = body, .type = type};
        return get(&t, url, "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.5",
                   FEED_ABOUT_MAX) == FEED_READ &&
               !body->err;
    }
    char *path = file_of(f, url);
    bool ok = is_file(path) && cli_read(path, body);
    free(path);
    return ok;
}

/* --- pages ------------------------------------------------------------------------------------ */

struct page_transfer {
    struct feed_run *f;
    struct feed_page *page;
};

static void on_page(void *user, const struct fetch_reply *reply)
{
    struct page_transfer *t = user;
    if (!fetch_fine(reply, 200)) return;
    adit_buf_add(&t->page->body, reply->body);
    t->page->type = adit_arena_dup(&t->f->arena, fetch_field(reply, "content-type"), NULL);
}

static void read_page(struct feed_run *f, struct feed_page *page)
{
    char *path = file_of(f, page->url);
    if (!is_file(path) || !cli_read(path, &page->body)) adit_buf_clear(&page->body);
    free(path);
}

void feed_pages_get(struct feed_run *f, struct feed_page *v, size_t n)
{
    struct page_transfer *t = calloc(n, sizeof *t);
    for (size_t i = 0; t && i < n; i++) {
        struct fetch_request q = {.url = v[i].url,
                                  .accept = ADIT_STR("text/html, application/xhtml+xml"),
                                  .follow = FETCH_FOLLOW_ANY,
                                  .max_bytes = ADIT_LIMIT_page_bytes};
        t[i] = (struct page_transfer){f, &v[i]};
        if (!v[i].url.len) continue;
        if (f->fetch)
            fetch_start(f->fetch, &q, NULL, on_page, &t[i]);
        else
            read_page(f, &v[i]);
    }
    if (f->fetch && t) fetch_run(f->fetch);
    free(t);
}
