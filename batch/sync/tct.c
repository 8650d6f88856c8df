/* Following a site by its JSON sitemap: only what has changed is asked for, with the ETag of what
 * is held (TCT, Sitemap-First Verification, Conditional Request Discipline). */
#include "batch/sync/sync.h"

#include <string.h>

enum { SITEMAPS_MAX = 1000, PAYLOAD_MAX = 16 << 20, PAYLOAD_USUAL = 6000, HEAD_USUAL = 700 };

/* --- the list --------------------------------------------------------------------------------- */

struct listing {
    struct sync *s;
    struct sync_list *list;
    struct adit_str url;   /* of the sitemap that is read */
    struct adit_str *urls; /* sitemaps to read, and how far we are */
    struct adit_str *hashes;
    size_t n_urls, at;
    uint64_t bad, foreign; /* entries */
    bool failed, broken;   /* a sitemap could not be had; could not be read */
};

static bool on_item(void *ctx, const struct adit_tct_item *item)
{
    struct listing *l = ctx;
    if (!sync_is_own(l->s, item->c_url) || !sync_is_own(l->s, item->m_url)) {
        sync_violation(l->s, SYNC_FOREIGN, item->c_url, item->m_url);
        l->foreign++;
        return true;
    }
    return sync_list_add(l->list, item->c_url, item->m_url, item->modified, item->hash);
}

static bool on_part(void *ctx, const struct adit_tct_item *part)
{
    struct listing *l = ctx;
    if (!sync_is_own(l->s, part->c_url)) {
        sync_violation(l->s, SYNC_FOREIGN, part->c_url, l->url);
        l->list->complete = false;
        return true;
    }
    for (size_t i = 0; i < l->n_urls; i++)
        if (adit_str_eq(l->urls[i], part->c_url)) return true;
    if (l->n_urls == SITEMAPS_MAX) {
        l->list->complete = false;
        return false;
    }
    l->urls[l->n_urls] = adit_arena_dup(&l->s->arena, part->c_url, NULL);
    l->hashes[l->n_urls++] = adit_arena_dup(&l->s->arena, part->hash, NULL);
    return true;
}

/* An entry that cannot be read may be any page: nothing is taken for gone then. */
static void on_bad(void *ctx, size_t index, const char *why, struct adit_str value)
{
    struct listing *l = ctx;
    char text[400];
    int n = index == SIZE_MAX ? snprintf(text, sizeof text, "%s", why)
                              : snprintf(text, sizeof text, "item %zu: %s: %.*s", index, why,
                                         (int)(value.len < 200 ? value.len : 200), value.p);
    l->list->complete = false;
    if (index != SIZE_MAX) l->bad++;
    sync_violation(l->s, SYNC_ENTRY, l->url, adit_str_of(text, n > 0 ? strlen(text) : 0));
}

static void on_later(void *ctx) { ((struct listing *)ctx)->s->state.later = 1; }

/* A part that is held with the hash that the index names needs no request. */
static void mark_unchanged(struct listing *l)
{
    struct sync_resource *e = sync_state_resource(&l->s->state, l->url);
    struct adit_str hash = l->hashes[l->at];
    if (e && hash.len && e->status == 200 && adit_str_eq(e->file, adit_str_sub(hash, 7, hash.len)))
        e->asked = true;
}

static void read_one(struct listing *l, struct adit_buf *body)
{
    const struct adit_tct_sitemap_handler handler = {
        .ctx = l, .item = on_item, .part = on_part, .bad = on_bad, .later = on_later};
    struct adit_error err = {0};
    l->url = l->urls[l->at];
    if (l->at) mark_unchanged(l);
    unsigned status =
        sync_document(l->s, l->url, ADIT_TCT_SITEMAP_MAX, (struct sync_lifetime){0, 0}, body, NULL);
    enum adit_code code = status == 200
                              ? adit_tct_sitemap_read(adit_buf_str(body), cli_mem, &handler, &err)
                              : ADIT_EIO;
    if (code == ADIT_OK) return;
    l->list->complete = false;
    l->failed = l->failed || code == ADIT_EIO;
    l->broken = l->broken || code != ADIT_EIO;
    if (code == ADIT_EIO) err.msg = status ? "there is none at this address" : "not to be had";
    sync_violation(l->s, SYNC_SITEMAP, l->url, adit_str_z(err.msg));
    if (status) l->s->report.lost++;
}

/* No item can be used: it is no sitemap. What is held stays; if it was only not to be had, and pages
 * are held, the next run will see. */
static void give_up_list(struct listing *l)
{
    struct sync *s = l->s;
    l->list->complete = false;
    if (!l->failed && !l->broken && !l->bad && !l->foreign)
        sync_violation(s, SYNC_EMPTY, s->state.tct, (struct adit_str){0});
    if (l->failed && s->state.pages) return;
    s->report.unusable = l->foreign && !l->bad
                             ? "every page that its JSON sitemap lists is of another origin"
                         : l->bad || l->foreign ? "no entry of its JSON sitemap can be used"
                         : l->broken            ? "its JSON sitemap cannot be read"
                         : l->failed            ? "its JSON sitemap cannot be had"
                                                : "its JSON sitemap lists nothing";
}

static bool read_sitemaps(struct sync *s, struct sync_list *list)
{
    struct listing l = {.s = s, .list = list};
    struct adit_buf body;
    l.urls = adit_arena_zalloc(&s->arena, SITEMAPS_MAX, sizeof *l.urls);
    l.hashes = adit_arena_zalloc(&s->arena, SITEMAPS_MAX, sizeof *l.hashes);
    if (!l.urls || !l.hashes) return false;
    adit_buf_init(&body, cli_mem, ADIT_TCT_SITEMAP_MAX);
    l.urls[l.n_urls++] = s->state.tct;
    for (; l.at < l.n_urls; l.at++) read_one(&l, &body);
    adit_buf_free(&body);
    s->report.foreign = l.foreign;
    if (!list->n) give_up_list(&l);
    return true;
}

bool sync_tct_fill(struct sync *s, struct sync_list *list)
{
    if (s->state.tct.len) {
        if (!read_sitemaps(s, list)) return false;
    } else if (s->state.m_url.len) {
        list->complete = false;
        sync_list_add(list, s->state.m_page, s->state.m_url, (struct adit_str){0},
                      (struct adit_str){0});
    }
    return true;
}

uint64_t sync_tct_cost(const struct sync *s, const struct sync_list *list)
{
    uint64_t each =
        s->state.payload_pages ? s->state.payload_bytes / s->state.payload_pages : PAYLOAD_USUAL;
    return list->n_tasks * (each + HEAD_USUAL);
}

/* --- a page ----------------------------------------------------------------------------------- */

enum stage { ASK, REVALIDATE };

static bool start_payload(struct sync_job *job, struct fetch_request *q)
{
    struct sync *s = job->s;
    if (!sync_robots_allow(s, job->task.url)) {
        s->report.robots++;
        return false;
    }
    if (!sync_may_ask(s)) {
        job->list->stopped = true;
        return false;
    }
    *q = (struct fetch_request){.url = job->task.m_url,
                                .if_none_match = job->task.etag,
                                .accept = ADIT_STR("application/json"),
                                .head = s->o.head && job->task.etag.len,
                                .max_bytes = PAYLOAD_MAX};
    return true;
}

static struct copy_page state_of(const struct sync_job *job, const char *status)
{
    return (struct copy_page){
        .url = job->task.url,
        .via = ADIT_STR("tct"),
        .status = adit_str_z(status),
        .m_url = job->task.m_url,
        .listed = job->task.hash,
        .checked = job->s->now_text,
    };
}

static void unchanged(struct sync_job *job)
{
    struct copy_page p = state_of(job, "held");
    struct adit_str hash = job->task.hash;
    job->s->report.not_modified++;
    if (hash.len && !adit_str_eq(sync_clean_etag(job->task.etag), hash))
        sync_violation(job->s, SYNC_PARITY_LIST, job->task.m_url, hash);
    p.etag = job->task.etag, p.modified = job->task.held_modified;
    sync_change(job->s, SYNC_PUT, true, &p, (struct adit_str){0});
}

static void gone(struct sync_job *job, unsigned status)
{
    struct copy_page p = state_of(job, "gone");
    job->s->report.gone++, job->list->n_missing++;
    sync_violation(job->s, SYNC_MISSING, job->task.m_url,
                   status == 410 ? ADIT_STR("status 410") : ADIT_STR("status 404"));
    /* A page that came another way is not gone because it has no machine view. */
    if (status == 404 && !adit_str_eq(job->task.via, ADIT_STR("tct"))) return;
    /* 410 is for ever, until the list says something else; 404 is asked again. */
    if (status != 410) p.listed = (struct adit_str){0};
    sync_change(job->s, SYNC_PUT, true, &p, (struct adit_str){0});
}

static void not_to_keep(struct sync_job *job)
{
    struct copy_page p = state_of(job, "noindex");
    sync_change(job->s, SYNC_PUT, true, &p, (struct adit_str){0});
}

static void take_payload(struct sync_job *job, struct sync_verdict *v, const struct fetch_reply *r)
{
    struct sync *s = job->s;
    const struct adit_str dates[] = {job->task.modified, v->view.modified,
                                     sync_field(r, "last-modified")};
    struct copy_page p = state_of(job, "held");
    struct adit_buf line;
    adit_buf_init(&line, cli_mem, ADIT_LIMIT_scp_line);
    p.etag = v->etag;
    p.modified = sync_modified(s, dates, ADIT_COUNT(dates), job->task.held_modified, v->arena);
    if (sync_payload_line(v, p.modified, &line)) {
        s->report.fetched++;
        s->state.payload_pages++, s->state.payload_bytes += r->wire;
        sync_change(s, SYNC_PUT, true, &p, adit_buf_str(&line));
    } else {
        s->report.lost++;
    }
    adit_buf_free(&line);
}

/* Asks once more, past every cache on the way, before an answer is believed that is not what the
 * sitemap says (TCT, Replay and Stale Intermediaries). */
static bool ask_past_caches(struct sync_job *job)
{
    struct fetch_request q;
    if (!start_payload(job, &q)) return false;
    q.no_cache = true;
    q.head = false;
    return sync_job_again(job, &q);
}

/* True: the job goes on with another request. */
static bool judge_body(struct sync_job *job, const struct fetch_reply *r, struct adit_arena *arena)
{
    struct sync_verdict v = {
        .s = job->s, .arena = arena, .url = job->task.url, .m_url = job->task.m_url};
    struct adit_str hash = job->task.hash;
    bool fits = !hash.len || adit_str_eq(sync_clean_etag(sync_field(r, "etag")), hash);
    if (!fits && job->stage < REVALIDATE && ask_past_caches(job)) return true;
    if (!sync_may_keep(job->s, r, arena)) {
        not_to_keep(job);
    } else if (!sync_payload_verify(&v, r)) {
        job->s->report.lost++;
    } else {
        /* The endpoint decides (TCT, Error Handling). */
        if (!fits) sync_violation(job->s, SYNC_PARITY_LIST, job->task.m_url, v.etag);
        take_payload(job, &v, r);
    }
    return false;
}

static bool payload_done(struct sync_job *job, const struct fetch_reply *r)
{
    struct adit_str held = job->task.etag, hash = job->task.hash;
    if (r->error) {
        sync_failed(job->s, r);
        return true;
    }
    bool same = r->status == 304 ||
                (r->status == 200 && job->s->o.head && held.len && job->stage == ASK &&
                 adit_str_eq(sync_clean_etag(sync_field(r, "etag")), sync_clean_etag(held)));
    if (same && held.len) {
        bool fits = !hash.len || adit_str_eq(sync_clean_etag(held), hash);
        if (!fits && job->stage < REVALIDATE && ask_past_caches(job)) return false;
        unchanged(job);
    } else if (r->status == 200 && job->s->o.head && held.len && job->stage == ASK) {
        /* HEAD says that there is something new. */
        if (ask_past_caches(job)) return false;
    } else if (r->status == 200) {
        struct adit_arena arena;
        adit_arena_init(&arena, cli_mem, 4 * (size_t)PAYLOAD_MAX);
        bool again = judge_body(job, r, &arena);
        adit_arena_free(&arena);
        return !again;
    } else if (r->status == 404 || r->status == 410) {
        gone(job, r->status);
    } else {
        sync_failed(job->s, r);
    }
    return true;
}

void sync_tct_run(struct sync *s, struct sync_list *list)
{
    static const struct sync_worker worker = {start_payload, payload_done};
    s->report.zero_fetch += list->n_zero;
    sync_work(s, list, &worker);
}
