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
    return !v->view.hash.len || adit_str_eq(hash, v->view.hash) ||
           report_payload(v, SYNC_PARITY, v->etag);
}

/* Of the payload as it came; never of the HTML (TCT, Client Parity Behavior). Drafts without `hash`
 * have that of the bytes as ETag. False: the payload is another one than its hash speaks of. */
static bool verify_fingerprint(struct sync_verdict *v, struct adit_str body)
{
    char is[ADIT_TCT_HASH];
    struct adit_str of = adit_str_of(is, sizeof is);
    struct adit_str said = v->view.hash.len ? v->view.hash : sync_clean_etag(v->etag);
    if (!said.len) return true; /* told already: there is no ETag */
    if (!v->view.hash.len) {
        adit_tct_bytes_hash(body, is);
        if (adit_str_eq(of, said)) return true;
    }
    if (adit_tct_method_a(body, cli_mem, is, NULL) == ADIT_OK && adit_str_eq(of, said)) return true;
    if (adit_tct_method_b(v->view.content, cli_mem, is) == ADIT_OK && adit_str_eq(of, said))
        return true;
    return report_payload(v, SYNC_FINGERPRINT, said);
}

bool sync_payload_verify(struct sync_verdict *v, const struct fetch_reply *r)
{
    struct adit_error err = {0};
    struct adit_str type = adit_media_type(sync_field(r, "content-type"));
    v->etag = sync_field(r, "etag");
    if (adit_tct_payload_read(r->body, v->arena, &v->view, &err))
        return report_payload(v, SYNC_PAYLOAD, adit_str_z(err.msg));
    if (!adit_str_ieq(type, ADIT_STR("application/json"))) report_payload(v, SYNC_TYPE, type);
    if (adit_tct_is_later(v->view.profile)) v->s->state.later = 1;
    if (!verify_canonical(v, r) || !verify_etag(v)) return false;
    if (!verify_fingerprint(v, r->body) && !v->s->o.trust_hash) return false;
    return sync_signature_verify(v, r);
}

/* Whether an answer may be kept: noindex and noarchive are the page's own word. What HTTP says to
 * caches counts only where it speaks of a person: an answer to our credentials that is not to be
 * stored, or a cookie set together with `private`. What anybody gets is public. */
bool sync_may_keep(struct sync *s, const struct fetch_reply *r, struct adit_arena *arena)
{
    struct adit_str robots = sync_fields(r, "x-robots-tag", arena);
    struct adit_str cache = sync_fields(r, "cache-control", arena);
    bool no_store = adit_list_has(cache, ADIT_STR("no-store"), NULL);
    bool private = no_store || adit_list_has(cache, ADIT_STR("private"), NULL);
    bool personal = r->secret ? no_store : private && sync_field(r, "set-cookie").len > 0;
    bool unwanted =
        adit_robots_noindex(robots) || adit_list_has(robots, ADIT_STR("noarchive"), NULL);
    if (unwanted) s->report.noindex++;
    if (!unwanted && personal) s->report.personal++;
    return !unwanted && !personal;
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
