/* Requests that are waited for, and documents that are kept with their validators. */
#include "batch/sync/sync.h"
#include "batch/io/io.h"
#include "http/http.h"
#include "text/text.h"

#include <string.h>

/* Fields go into JSON and back into requests: only plain ASCII is kept. */
struct adit_str sync_field(const struct fetch_reply *r, const char *name)
{
    struct adit_str v = fetch_field(r, name);
    for (size_t i = 0; i < v.len; i++)
        if (v.p[i] < 32 || v.p[i] == 127) return (struct adit_str){0};
    return v.len <= ADIT_LIMIT_header_value ? v : (struct adit_str){0};
}

struct adit_str sync_fields(const struct fetch_reply *r, const char *name, struct adit_arena *arena)
{
    struct adit_str v = adit_header_joined(r->headers, r->n_headers, adit_str_z(name), arena);
    for (size_t i = 0; i < v.len; i++)
        if (v.p[i] < 32 || v.p[i] == 127) return (struct adit_str){0};
    return v;
}

struct waiting {
    struct sync *s;
    struct sync_answer *a;
};

static void got(void *user, const struct fetch_reply *r)
{
    struct waiting *w = user;
    struct sync_answer *a = w->a;
    struct adit_arena *arena = &w->s->arena;
    a->error = r->error, a->status = r->status, a->wire = r->wire;
    a->url = adit_arena_dup(arena, r->url, NULL);
    a->location = adit_arena_dup(arena, r->location, NULL);
    a->etag = adit_arena_dup(arena, sync_field(r, "etag"), NULL);
    a->last_modified = adit_arena_dup(arena, sync_field(r, "last-modified"), NULL);
    a->type = adit_arena_dup(arena, sync_field(r, "content-type"), NULL);
    a->cache_control = adit_arena_dup(arena, sync_fields(r, "cache-control", arena), NULL);
    a->is_signed = fetch_field(r, "signature-input").len > 0;
    a->vary = adit_arena_dup(arena, sync_fields(r, "vary", arena), NULL);
    a->link = adit_arena_dup(arena, sync_fields(r, "link", arena), NULL);
    adit_buf_add(&a->body, r->body);
    if (a->body.err) a->error = FETCH_MEMORY;
}

void sync_get(struct sync *s, const struct fetch_request *q, struct sync_answer *a)
{
    struct waiting w = {s, a};
    *a = (struct sync_answer){.error = FETCH_MEMORY};
    adit_buf_init(&a->body, cli_mem, (size_t)(q->max_bytes ? q->max_bytes : 64 << 20));
    if (fetch_start(s->fetch, q, NULL, got, &w)) fetch_run(s->fetch);
}

/* --- documents -------------------------------------------------------------------------------- */

enum { DOCUMENT_NAME = 96 };

static const char *document_name(char name[DOCUMENT_NAME], struct adit_str file)
{
    snprintf(name, DOCUMENT_NAME, "documents/%.*s", (int)file.len, file.p);
    return name;
}

static bool keep_body(struct sync *s, struct sync_resource *e, struct adit_str body)
{
    uint8_t hash[ADIT_SHA256_LEN];
    char text[ADIT_SHA256_HEX], name[DOCUMENT_NAME];
    struct adit_buf b = {.p = text, .cap = sizeof text, .max = sizeof text};
    adit_sha256_of(body, hash);
    adit_buf_hex(&b, hash, sizeof hash);
    e->file = adit_arena_dup(&s->arena, adit_buf_str(&b), NULL);
    if (output_file(sync_path_new(s, document_name(name, e->file)), body, true)) return true;
    s->out_failed = true;
    return false;
}

static bool load_body(struct sync *s, const struct sync_resource *e, struct adit_buf *body)
{
    char name[DOCUMENT_NAME];
    adit_buf_clear(body);
    return e->file.len && sync_store_has(s, document_name(name, e->file)) &&
           cli_read(sync_path(s, name), body);
}

static int64_t until(const struct sync *s, struct adit_str cache_control,
                     struct sync_lifetime lifetime)
{
    struct adit_str age;
    uint64_t seconds = 0;
    if (!adit_list_has(cache_control, ADIT_STR("max-age"), &age) || !adit_str_u64(age, &seconds) ||
        seconds > INT32_MAX)
        seconds = 0;
    int64_t life = (int64_t)seconds;
    if (life < lifetime.least) life = lifetime.least;
    if (life > lifetime.most) life = lifetime.most;
    return s->now + life;
}

static void take_answer(struct sync *s, struct sync_resource *e, const struct sync_answer *a,
                        struct sync_lifetime lifetime, struct adit_buf *body)
{
    e->fetched = s->now;
    e->until = until(s, a->cache_control, lifetime);
    if (a->status == 304) return;
    e->status = a->status;
    e->etag = a->etag, e->last_modified = a->last_modified;
    e->type = a->type, e->link = a->link;
    e->at = adit_str_eq(a->url, e->url) ? (struct adit_str){0} : a->url;
    e->file = (struct adit_str){0};
    if (a->status != 200) return;
    adit_buf_clear(body);
    adit_buf_add(body, adit_buf_str(&a->body));
    keep_body(s, e, adit_buf_str(body));
}

static void tell_failure(struct sync *s, struct adit_str url, const struct sync_answer *a)
{
    s->failure = a->error;
    sync_failed(s, &(struct fetch_reply){.error = a->error, .status = a->status, .asked = url});
}

unsigned sync_document(struct sync *s, struct adit_str url, uint64_t max,
                       struct sync_lifetime lifetime, struct adit_buf *body,
                       struct sync_resource **entry)
{
    struct sync_answer a;
    struct sync_resource *e = sync_state_add_resource(&s->state, url, &s->arena);
    if (entry) *entry = e;
    if (!e) return 0;
    /* The body must be held for its validators to be of use. */
    bool held = e->status == 200 && load_body(s, e, body);
    bool known = held || (e->status && e->status != 200);
    bool fresh = !s->o.fresh && s->now < e->until && s->now >= e->fetched;
    if (known && (fresh || e->asked)) return (unsigned)e->status;
    e->asked = true;
    struct fetch_request q = {.url = url, .max_bytes = max};
    if (held) q.if_none_match = e->etag, q.if_modified_since = e->last_modified;
    sync_get(s, &q, &a);
    unsigned status = a.status;
    if (a.error || status >= 500 || status == 429) {
        tell_failure(s, url, &a);
        status = 0;
    } else {
        take_answer(s, e, &a, lifetime, body);
        if (status == 304) status = held ? 200 : 0;
    }
    adit_buf_free(&a.body);
    return status;
}

/* --- robots.txt ------------------------------------------------------------------------------- */

enum { ROBOTS_LIFE = 24 * 3600 };

static struct adit_str robots_url(struct sync *s, struct adit_str url, struct adit_buf *b)
{
    (void)s;
    adit_buf_clear(b);
    adit_buf_add(b, adit_url_origin(url));
    adit_buf_lit(b, "/robots.txt");
    return adit_buf_str(b);
}

/* What an earlier run fetched is given to the client: at most a day (RFC 9309, 2.4). */
void sync_robots_seed(struct sync *s)
{
    struct adit_buf body;
    adit_buf_init(&body, cli_mem, ADIT_ROBOTS_BYTES + 1024);
    for (size_t i = 0; i < s->state.n_resources && !s->o.fresh; i++) {
        struct sync_resource *e = &s->state.resources[i];
        bool old = s->now >= e->until || s->now < e->fetched;
        if (old || !adit_str_ends(e->url, ADIT_STR("/robots.txt"))) continue;
        struct fetch_robots r = {.state = FETCH_ROBOTS_ALLOW, .fetched = e->fetched};
        if (e->status == 200) {
            if (!load_body(s, e, &body)) continue;
            r.state = FETCH_ROBOTS_RULES, r.text = adit_buf_str(&body);
        }
        fetch_robots_seed(s->fetch, e->url, &r);
    }
    adit_buf_free(&body);
}

void sync_robots_keep(struct sync *s, struct adit_str url)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, ADIT_LIMIT_url_bytes);
    struct fetch_robots r = fetch_robots(s->fetch, url);
    struct sync_resource *e = NULL;
    if (r.state == FETCH_ROBOTS_RULES || r.state == FETCH_ROBOTS_ALLOW)
        e = sync_state_add_resource(&s->state, robots_url(s, url, &b), &s->arena);
    if (e && (e->fetched != r.fetched || !e->status)) {
        e->status = r.state == FETCH_ROBOTS_RULES ? 200 : 404;
        e->fetched = r.fetched, e->until = r.fetched + ROBOTS_LIFE;
        e->file = (struct adit_str){0};
        if (e->status == 200) keep_body(s, e, r.text);
    }
    adit_buf_free(&b);
}

/* The client asks for the URLs that it fetches; the pages behind machine URLs are asked for here.
 */
bool sync_robots_allow(struct sync *s, struct adit_str url)
{
    if (!s->has_robots) {
        struct fetch_robots r = fetch_robots(s->fetch, s->origin);
        if (r.state == FETCH_ROBOTS_UNKNOWN) return true;
        s->has_robots = true;
        if (r.state == FETCH_ROBOTS_RULES) {
            struct adit_str text = adit_arena_dup(&s->arena, r.text, NULL);
            struct adit_str agent = adit_str_z(s->o.fetch.user_agent);
            adit_robots_parse(text, adit_str_sub(agent, 0, adit_str_chr(agent, '/', 0)), &s->arena,
                              &s->robots_rules);
        }
    }
    if (!s->o.fetch.robots) return true;
    struct adit_str path = adit_url_rest(url);
    return adit_robots_allows(&s->robots_rules, path);
}
