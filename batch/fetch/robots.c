/* robots.txt of each origin: fetched before its first page, by an ordinary request in front of the
 * queue (RFC 9309, 2.3). */
#include "batch/fetch/fetch_impl.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What is beyond the limit is not read. */
struct robots_sink {
    struct adit_sink sink;
    struct adit_buf text;
    struct fetch_host *host;
};

static enum adit_code keep(struct adit_sink *s, const char *p, size_t len)
{
    struct robots_sink *r = (struct robots_sink *)s;
    size_t room = ADIT_ROBOTS_BYTES - r->text.len;
    adit_buf_add(&r->text, adit_str_of(p, len < room ? len : room));
    if (r->text.err) return r->text.err;
    return len > room ? ADIT_ESTOP : ADIT_OK;
}

static struct adit_sink *on_head(void *user, const struct fetch_reply *r)
{
    struct robots_sink *s = user;
    adit_buf_clear(&s->text);
    return r->status >= 200 && r->status < 300 ? &s->sink : NULL;
}

static bool set_robots(struct fetch *f, struct fetch_host *h, const struct fetch_robots *robots)
{
    bool fine = true;
    adit_arena_free(&h->arena);
    adit_arena_init(&h->arena, cli_mem, 16 << 20);
    h->robots = *robots;
    h->robots.text = adit_arena_dup(&h->arena, robots->text, &fine);
    h->rules = (struct adit_robots){.crawl_delay_ms = -1};
    h->delay_ms = 0;
    if (robots->state != FETCH_ROBOTS_RULES) return fine;
    fine = fine && adit_robots_parse(h->robots.text, adit_str_z(f->o.user_agent), &h->arena,
                                     &h->rules) == ADIT_OK;
    if (!fine) h->robots.state = FETCH_ROBOTS_DISALLOW;
    int64_t most = (int64_t)f->o.crawl_delay_max_s * 1000;
    if (h->rules.crawl_delay_ms > 0)
        h->delay_ms = h->rules.crawl_delay_ms < most ? h->rules.crawl_delay_ms : most;
    return fine;
}

/* What an answer says about an origin (RFC 9309, 2.3.1). 429 means busy, not absent; too many
 * redirects are as good as no file. A redirect to where we do not go, or nobody answers, leaves it
 * unreachable: the rules are there, and we do not know them. */
static enum fetch_robots_state judge(const struct fetch_reply *r)
{
    if (r->error == FETCH_REDIRECTS || r->error == FETCH_REDIRECT_LOOP) return FETCH_ROBOTS_ALLOW;
    bool cut = r->error == FETCH_STOPPED && r->status >= 200 && r->status < 300;
    if (r->error && !cut) return FETCH_ROBOTS_DISALLOW;
    if (r->status >= 200 && r->status < 300) return FETCH_ROBOTS_RULES;
    if (r->status >= 400 && r->status < 500 && r->status != 429) return FETCH_ROBOTS_ALLOW;
    return r->status >= 300 && r->status < 400 ? FETCH_ROBOTS_ALLOW : FETCH_ROBOTS_DISALLOW;
}

/* Why nothing may be asked for. What befell another host than the pages' would be misleading. */
static enum fetch_error why_not(const struct fetch_reply *r)
{
    bool elsewhere = r->redirects || (r->status >= 300 && r->status < 400);
    return elsewhere ? FETCH_ROBOTS_DOWN : r->error;
}

static void on_done(void *user, const struct fetch_reply *r)
{
    struct robots_sink *s = user;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    struct fetch_robots got = {judge(r), {0}, now.tv_sec};
    if (got.state == FETCH_ROBOTS_RULES) got.text = adit_buf_str(&s->text);
    s->host->robots_error = why_not(r);
    set_robots(s->host->f, s->host, &got);
    adit_buf_free(&s->text);
    free(s);
}

static bool fetch_it(struct fetch *f, struct fetch_host *h)
{
    char url[ADIT_LIMIT_url_bytes];
    struct robots_sink *s = calloc(1, sizeof *s);
    int len = snprintf(url, sizeof url, "%.*s/robots.txt", (int)h->origin_len, h->origin);
    if (!s || len >= (int)sizeof url) {
        free(s);
        return false;
    }
    *s = (struct robots_sink){.sink = {keep, NULL}, .host = h};
    adit_buf_init(&s->text, cli_mem, ADIT_ROBOTS_BYTES);
    struct fetch_request q = {
        .url = adit_str_of(url, (size_t)len),
        .follow = FETCH_FOLLOW_ANY,
        .accept = ADIT_STR("text/plain, */*;q=0.5"),
    };
    struct fetch_transfer *t = fetch_transfer_new(f, &q);
    if (!t) {
        free(s);
        return false;
    }
    t->is_robots = true;
    t->redirects_max = FETCH_ROBOTS_REDIRECTS_MAX;
    t->head = on_head;
    t->done = on_done;
    t->user = s;
    fetch_enqueue(t, true);
    return true;
}

enum fetch_error fetch_robots_ask(struct fetch_transfer *t, bool *wait)
{
    struct fetch_host *h = t->host;
    *wait = false;
    if (!t->f->o.robots || t->is_robots) return FETCH_OK;
    switch (h->robots.state) {
    case FETCH_ROBOTS_UNKNOWN:
        *wait = true;
        if (h->robots_asked) return FETCH_OK;
        h->robots_asked = true;
        return fetch_it(t->f, h) ? FETCH_OK : FETCH_MEMORY;
    case FETCH_ROBOTS_RULES: {
        struct adit_str url = t->reply.url;
        struct adit_str path = adit_url_rest(url);
        return adit_robots_allows(&h->rules, path) ? FETCH_OK : FETCH_ROBOTS;
    }
    case FETCH_ROBOTS_ALLOW: return FETCH_OK;
    default: return h->robots_error ? h->robots_error : FETCH_ROBOTS_DOWN;
    }
}

/* --- what earlier runs know ------------------------------------------------------------------- */

static struct fetch_host *host_of_url(const struct fetch *f, struct adit_str url)
{
    struct adit_arena arena;
    struct adit_str page;
    struct fetch_host *h = NULL;
    adit_arena_init(&arena, cli_mem, 256 << 10);
    if (adit_url_page(url, &arena, &page) == ADIT_OK) {
        struct adit_str origin = adit_url_origin(page);
        for (h = f->hosts; h; h = h->next)
            if (adit_str_eq(adit_str_of(h->origin, h->origin_len), origin)) break;
    }
    adit_arena_free(&arena);
    return h;
}

struct fetch_robots fetch_robots(const struct fetch *f, struct adit_str url)
{
    const struct fetch_host *h = host_of_url(f, url);
    return h ? h->robots : (struct fetch_robots){0};
}

bool fetch_robots_seed(struct fetch *f, struct adit_str url, const struct fetch_robots *robots)
{
    struct adit_arena arena;
    struct adit_str page;
    bool fine = false;
    adit_arena_init(&arena, cli_mem, 256 << 10);
    if (adit_url_page(url, &arena, &page) == ADIT_OK) {
        struct fetch_host *h = fetch_host_of(f, adit_url_origin(page));
        fine = h && set_robots(f, h, robots);
    }
    adit_arena_free(&arena);
    return fine;
}
