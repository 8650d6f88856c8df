/* Judging the answer of a machine URL, and making a line of a collection of it. */
#include "batch/sync/sync.h"
#include "http/http.h"
#include "scp/scp.h"
#include "text/text.h"

static bool report_payload(const struct sync_verdict *v, enum sync_rule_id rule,
                           struct adit_str detail)
{
    sync_violation(v->s, rule, v->m_url, detail);
    return false;
}

/* The page must be the one that was expected, by the Link field and by the payload (TCT, Canonical
 * Verification). */
static bool verify_canonical(struct sync_verdict *v, const struct fetch_reply *r)
{
    struct adit_str fields = sync_fields(r, "link", v->arena);
    struct adit_str canonical = sync_canonical(fields, r->url, v->arena), own;
    if (!canonical.len) return report_payload(v, SYNC_CANONICAL, v->url);
    if (!adit_str_eq(canonical, v->url)) return report_payload(v, SYNC_CANONICAL_OTHER, canonical);
    if (adit_url_page(v->view.canonical_url, v->arena, &own) || !adit_str_eq(own, v->url))
        return report_payload(v, SYNC_CANONICAL_OTHER, v->view.canonical_url);
    return true;
}

static bool verify_etag(struct sync_verdict *v)
{
    struct adit_str hash = sync_clean_etag(v->etag);
    if (!v->etag.len) {
        report_payload(v, SYNC_ETAG, (struct adit_str){0});
        return true;
    }
    if (v->etag.p[0] != '"' || v->etag.len != hash.len + 2 || !adit_tct_is_hash(hash))
        report_payload(v, SYNC_ETAG_FORM, v->etag);
    /* A tag that speaks of other bytes than these: what came cannot be trusted. */
    return adit_str_eq(hash, v->view.hash) || report_payload(v, SYNC_PARITY, v->etag);
}

/* Of the payload as it came; never of the HTML (TCT, Client Parity Behavior). */
static void verify_fingerprint(struct sync_verdict *v, struct adit_str body)
{
    char a[ADIT_TCT_HASH], b[ADIT_TCT_HASH];
    if (adit_tct_method_a(body, cli_mem, a, NULL) == ADIT_OK &&
        adit_str_eq(adit_str_of(a, sizeof a), v->view.hash))
        return;
    if (adit_tct_method_b(v->view.content, cli_mem, b) == ADIT_OK &&
        adit_str_eq(adit_str_of(b, sizeof b), v->view.hash))
        return;
    report_payload(v, SYNC_FINGERPRINT, v->view.hash);
}

bool sync_payload_verify(struct sync_verdict *v, const struct fetch_reply *r)
{
    struct adit_error err = {0};
    struct adit_str type = adit_media_type(sync_field(r, "content-type"));
    v->etag = sync_field(r, "etag");
    if (adit_tct_payload_read(r->body, v->arena, &v->view, &err))
        return report_payload(v, SYNC_PAYLOAD, adit_str_z(err.msg));
    if (!adit_str_ieq(type, ADIT_STR("application/json"))) report_payload(v, SYNC_TYPE, type);
    if (!verify_canonical(v, r) || !verify_etag(v)) return false;
    verify_fingerprint(v, r->body);
    return true;
}

/* Whether an answer may be kept at all: noindex and noarchive are the page's own word, no-store and
 * private that of HTTP. */
bool sync_may_keep(const struct fetch_reply *r, struct adit_arena *arena)
{
    struct adit_str robots = sync_fields(r, "x-robots-tag", arena);
    struct adit_str cache = sync_fields(r, "cache-control", arena);
    if (adit_robots_noindex(robots) || adit_list_has(robots, ADIT_STR("noarchive"), NULL))
        return false;
    if (adit_list_has(cache, ADIT_STR("no-store"), NULL)) return false;
    return r->secret || !adit_list_has(cache, ADIT_STR("private"), NULL);
}

/* --- the line --------------------------------------------------------------------------------- */

/* The first of the candidates that is a time and not later than now; the clock as a last resort.
 * What replaces a held page must be later than it, or nobody downstream would take it. */
struct adit_str sync_modified(struct sync *s, const struct adit_str *candidates, size_t n,
                              struct adit_str held, struct adit_arena *arena)
{
    struct adit_time t = {s->now, 0}, before, now = t;
    struct adit_buf b;
    for (size_t i = 0; i < n; i++) {
        struct adit_time c;
        int64_t unix_s;
        if (adit_http_date_parse(candidates[i], &unix_s))
            c = (struct adit_time){unix_s, 0};
        else if (!adit_time_parse(candidates[i], &c))
            continue;
        if (adit_time_cmp(c, now) > 0) continue;
        t = c;
        break;
    }
    if (adit_time_parse(held, &before) && adit_time_cmp(t, before) <= 0)
        t = adit_time_cmp(now, before) > 0 ? now : (struct adit_time){before.s + 1, 0};
    adit_buf_init(&b, cli_mem, 64);
    adit_time_write(&b, t);
    struct adit_str text = adit_arena_dup(arena, adit_buf_str(&b), NULL);
    adit_buf_free(&b);
    return text;
}

bool sync_payload_line(struct sync_verdict *v, struct adit_str modified, struct adit_buf *line)
{
    struct adit_page page;
    if (adit_tct_page(&v->view, v->arena, &page)) return false;
    page.url = v->url, page.modified = modified;
    if (!page.title.len) page.title = v->url;
    if (!page.n_blocks) return report_payload(v, SYNC_PAYLOAD, ADIT_STR("content is empty"));
    adit_buf_clear(line);
    return adit_scp_page_write(&page, line) == ADIT_OK && !line->err;
}
