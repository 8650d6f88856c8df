/* --check: what an agent only relies on is tried out: each page of a sample is asked for in every
 * way that TCT speaks of, each collection is fetched and judged. Nothing is kept. */
#include "batch/sync/sync.h"
#include "http/http.h"
#include "html/html.h"
#include "text/text.h"

enum { PAYLOAD_MAX = 16 << 20, LINKS_MAX = 256 };

/* A page's stages, in this order. Of the answer to the first, the ETag is remembered. */
enum stage {
    FIRST,
    MATCH,
    MISMATCH,
    HEAD,
    PAGE,
    MARKDOWN,
    MARKDOWN_HEAD,
    MARKDOWN_MATCH,
    TWIN,
    STAGES
};

/* As agents ask. */
#define AS_AGENT ADIT_STR("text/markdown, text/html;q=0.9, */*;q=0.1")

static struct fetch_request request_of(const struct sync_job *job, enum stage stage)
{
    struct fetch_request q = {.url = job->task.m_url, .max_bytes = PAYLOAD_MAX};
    switch (stage) {
    case MATCH: q.if_none_match = job->etag; break;
    case MISMATCH:
        /* By the date alone it would be 304. */
        q.if_none_match = ADIT_STR("\"sha256-none\"");
        q.if_modified_since = ADIT_STR("Fri, 31 Dec 2100 23:59:59 GMT");
        break;
    case HEAD: q.head = true; break;
    case PAGE: q.url = job->task.url, q.max_bytes = ADIT_LIMIT_page_bytes; break;
    case MARKDOWN:
    case MARKDOWN_HEAD:
    case MARKDOWN_MATCH:
        q.url = job->task.url, q.max_bytes = ADIT_LIMIT_page_bytes, q.accept = AS_AGENT;
        q.head = stage == MARKDOWN_HEAD;
        if (stage == MARKDOWN_MATCH) q.if_none_match = job->md_etag;
        break;
    case TWIN: q.url = job->twin, q.max_bytes = ADIT_LIMIT_page_bytes; break;
    case FIRST:
    case STAGES: break;
    }
    return q;
}

static bool start_check(struct sync_job *job, struct fetch_request *q)
{
    *q = request_of(job, FIRST);
    return true;
}

static void report_job(struct sync_job *job, enum sync_rule_id rule, struct adit_str detail)
{
    sync_violation(job->s, rule, job->task.m_url, detail);
}

static void check_fields(struct sync_job *job, const struct fetch_reply *r,
                         struct adit_arena *arena)
{
    struct adit_str cache = sync_fields(r, "cache-control", arena);
    struct adit_str vary = sync_fields(r, "vary", arena);
    if (!adit_list_has(cache, ADIT_STR("must-revalidate"), NULL) &&
        !adit_list_has(cache, ADIT_STR("no-cache"), NULL))
        report_job(job, SYNC_CACHE, cache);
    if (!adit_list_has(vary, ADIT_STR("accept-encoding"), NULL) ||
        adit_list_has(vary, ADIT_STR("user-agent"), NULL))
        report_job(job, SYNC_VARY, vary);
}

/* The rules of `adit check` that an agent does not look at, by their names there. */
static const struct {
    const char *name;
    enum sync_rule_id rule;
} document_rules[] = {
    {"tct-canonical", SYNC_JSON}, {"tct-markup", SYNC_MARKUP}, {"tct-profile", SYNC_PROFILE},
    {"sitemap-home", SYNC_HOME},  {"sitemap-many", SYNC_MANY},
};

struct document {
    struct sync *s;
    struct adit_str url;
    bool told[ADIT_COUNT(document_rules)]; /* once a document */
};

static void on_document(void *ctx, const struct adit_finding *f)
{
    struct document *d = ctx;
    for (size_t i = 0; i < ADIT_COUNT(document_rules); i++) {
        if (d->told[i] ||
            !adit_str_eq(adit_str_z(f->rule->name), adit_str_z(document_rules[i].name)))
            continue;
        d->told[i] = true;
        sync_violation(d->s, document_rules[i].rule, d->url, (struct adit_str){0});
    }
}

static void check_document(struct sync *s, struct adit_str url, struct adit_str text)
{
    struct document d = {.s = s, .url = url};
    struct adit_judge judge = {on_document, &d};
    struct adit_json_value doc;
    if (adit_json_check(text, &doc, NULL) || doc.kind != ADIT_JSON_OBJECT) return;
    if (adit_tct_kind(doc) == ADIT_TCT_IS_SITEMAP)
        adit_tct_sitemap_judge(doc, &judge);
    else
        adit_tct_payload_judge(text, doc, cli_mem, &judge);
}

static void check_sitemap(struct sync *s)
{
    struct adit_buf body;
    adit_buf_init(&body, cli_mem, ADIT_TCT_SITEMAP_MAX);
    if (s->state.tct.len && sync_document(s, s->state.tct, ADIT_TCT_SITEMAP_MAX,
                                          (struct sync_lifetime){0, 0}, &body, NULL) == 200)
        check_document(s, s->state.tct, adit_buf_str(&body));
    adit_buf_free(&body);
}

/* False: there is nothing to go on with. */
static bool check_first(struct sync_job *job, const struct fetch_reply *r, struct adit_arena *arena)
{
    struct sync_verdict v = {
        .s = job->s, .arena = arena, .url = job->task.url, .m_url = job->task.m_url};
    if (r->status != 200) {
        report_job(job, SYNC_MISSING, (struct adit_str){0});
        return false;
    }
    job->s->report.fetched++;
    job->s->state.payload_pages++, job->s->state.payload_bytes += r->wire;
    if (!sync_payload_verify(&v, r)) job->s->report.lost++;
    check_document(job->s, job->task.m_url, r->body);
    if (job->task.hash.len && !adit_str_eq(sync_clean_etag(v.etag), job->task.hash))
        report_job(job, SYNC_PARITY_LIST, v.etag);
    check_fields(job, r, arena);
    job->etag = adit_arena_dup(&job->s->arena, v.etag, NULL);
    return job->etag.len > 0;
}

/* --- what agents that know no TCT ask for ----------------------------------------------------- */

static bool is_markdown(const struct fetch_reply *r)
{
    return adit_str_ieq(adit_media_type(sync_field(r, "content-type")), ADIT_STR("text/markdown"));
}

static bool varies(const struct fetch_reply *r, struct adit_arena *arena)
{
    struct adit_str vary = sync_fields(r, "vary", arena);
    return adit_list_has(vary, ADIT_STR("accept"), NULL) ||
           adit_list_has(vary, ADIT_STR("*"), NULL);
}

static bool looks_like_html(struct adit_str body)
{
    while (body.len && adit_is_space(body.p[0])) body = adit_str_sub(body, 1, body.len);
    return adit_str_istarts(body, ADIT_STR("<!doctype")) ||
           adit_str_istarts(body, ADIT_STR("<html"));
}

static void check_markdown(struct sync_job *job, const struct fetch_reply *r,
                           struct adit_arena *arena)
{
    struct sync *s = job->s;
    struct adit_str url = job->task.url, none = {0};
    job->markdown = r->status == 200 && is_markdown(r);
    if (!job->markdown) {
        if (r->status == 200) sync_violation(s, SYNC_MARKDOWN, url, sync_field(r, "content-type"));
        return;
    }
    if (looks_like_html(r->body)) sync_violation(s, SYNC_MARKDOWN_BODY, url, none);
    if (!varies(r, arena) || !job->html_varies) sync_violation(s, SYNC_MARKDOWN_VARY, url, none);
    job->md_etag = adit_arena_dup(&s->arena, sync_field(r, "etag"), NULL);
}

static void check_twin(struct sync_job *job, const struct fetch_reply *r, struct adit_arena *arena)
{
    struct adit_str rest = sync_fields(r, "link", arena);
    struct adit_link link;
    bool canonical = adit_robots_noindex(sync_fields(r, "x-robots-tag", arena));
    if (r->status != 200) {
        sync_violation(job->s, SYNC_TWIN_MISSING, job->task.url, job->twin);
        return;
    }
    if (is_markdown(r) && looks_like_html(r->body))
        sync_violation(job->s, SYNC_MARKDOWN_BODY, job->twin, (struct adit_str){0});
    while (adit_link_next(&rest, &link))
        canonical = canonical || adit_link_is(&link, "canonical", "");
    if (!canonical) sync_violation(job->s, SYNC_TWIN_CANONICAL, job->twin, (struct adit_str){0});
}

static void check_page(struct sync_job *job, const struct fetch_reply *r, struct adit_arena *arena)
{
    struct adit_link *links = adit_arena_zalloc(arena, LINKS_MAX, sizeof *links);
    struct adit_str base, url;
    struct adit_url page;
    size_t n;
    if (is_markdown(r))
        sync_violation(job->s, SYNC_MARKDOWN_WILD, job->task.url, (struct adit_str){0});
    if (r->status != 200 || !adit_media_is_html(sync_field(r, "content-type")) || !links) return;
    job->html_varies = varies(r, arena);
    if (sync_field(r, "content-signal").len || sync_field(r, "content-usage").len)
        job->s->signals = true;
    job->s->state.html_pages++, job->s->state.html_bytes += r->wire;
    if (adit_html_links(r->body, sync_field(r, "content-type"), cli_mem, arena, links, LINKS_MAX,
                        &n, &base) ||
        adit_url_parse(r->url, NULL, arena, &page))
        return;
    if (base.len) adit_url_parse(base, &page, arena, &page);
    bool linked = false;
    for (size_t i = 0; i < n; i++) {
        bool json = adit_link_is(&links[i], "alternate", "application/json");
        bool twin = adit_link_is(&links[i], "alternate", "text/markdown");
        if ((!json && !twin) || adit_url_resolve(links[i].href, &page, arena, &url) != ADIT_OK)
            continue;
        linked = linked || (json && adit_str_eq(url, job->task.m_url));
        if (twin) job->twin = adit_arena_dup(&job->s->arena, url, NULL);
    }
    if (!linked) sync_violation(job->s, SYNC_ALTERNATE, job->task.url, job->task.m_url);
    if (!job->twin.len) sync_violation(job->s, SYNC_TWIN_LINK, job->task.url, (struct adit_str){0});
}

static bool check_stage(struct sync_job *job, const struct fetch_reply *r, struct adit_arena *arena)
{
    struct adit_str etag = sync_field(r, "etag");
    switch ((enum stage)job->stage) {
    case FIRST: return check_first(job, r, arena);
    case MATCH:
        if (r->status != 304) report_job(job, SYNC_NOT_304, job->etag);
        if (r->status == 304 && !adit_str_eq(etag, job->etag)) report_job(job, SYNC_ETAG_304, etag);
        break;
    case MISMATCH:
        if (r->status == 304) report_job(job, SYNC_PRECEDENCE, (struct adit_str){0});
        break;
    case HEAD:
        if (r->status != 200) report_job(job, SYNC_HEAD, (struct adit_str){0});
        if (r->status == 200 && !adit_str_eq(etag, job->etag))
            report_job(job, SYNC_HEAD_FIELDS, etag);
        break;
    case PAGE: check_page(job, r, arena); break;
    case MARKDOWN: check_markdown(job, r, arena); break;
    case MARKDOWN_HEAD:
        if (job->markdown &&
            (r->status != 200 || !is_markdown(r) || !adit_str_eq(etag, job->md_etag)))
            sync_violation(job->s, SYNC_MARKDOWN_HEAD, job->task.url, etag);
        break;
    case MARKDOWN_MATCH:
        if (job->markdown && r->status != 304)
            sync_violation(job->s, SYNC_MARKDOWN_304, job->task.url, job->md_etag);
        break;
    case TWIN: check_twin(job, r, arena); break;
    case STAGES: break;
    }
    return true;
}

static bool check_done(struct sync_job *job, const struct fetch_reply *r)
{
    struct adit_arena arena;
    bool more = false;
    if (r->error) {
        sync_failed(job->s, r);
        return true;
    }
    adit_arena_init(&arena, cli_mem, 4 * (size_t)PAYLOAD_MAX);
    bool more_stages =
        check_stage(job, r, &arena) && job->stage + 1 < (job->twin.len ? STAGES : TWIN);
    if (more_stages) {
        struct fetch_request q = request_of(job, (enum stage)(job->stage + 1));
        more = sync_job_again(job, &q);
    }
    adit_arena_free(&arena);
    return !more;
}

static bool check_tct(struct sync *s)
{
    static const struct sync_worker worker = {start_check, check_done};
    struct sync_list list;
    if (!s->state.tct.len && !s->state.m_url.len) return false;
    if (sync_list_open(&list, s, true) && sync_tct_fill(s, &list) && sync_list_plan(&list)) {
        s->report.via = "tct";
        check_sitemap(s);
        list.every = s->o.sample && list.n_tasks > s->o.sample ? list.n_tasks / s->o.sample : 1;
        sync_work(s, &list, &worker);
    }
    sync_list_close(&list);
    return true;
}

static void try_collection(struct sync *s, const struct sync_scp_file *f)
{
    const char *path = sync_scp_fetch(s, f);
    struct sync_resource *e = sync_state_resource(&s->state, f->url);
    struct sync_answer a;
    if (!path || !*path || !sync_scp_check(s, f, path)) return;
    s->report.collections++;
    sync_scp_forget(s, f->url);
    if (!e || !e->etag.len) return;
    sync_get(s,
             &(struct fetch_request){
                 .url = f->url, .if_none_match = e->etag, .raw = true, .follow = FETCH_FOLLOW_ANY},
             &a);
    if (!a.error && a.status != 304) sync_violation(s, SYNC_SCP_304, f->url, e->etag);
    adit_buf_free(&a.body);
}

static bool check_scp(struct sync *s)
{
    struct sync_scp scp;
    if (!sync_xml_read(s, &scp, NULL) || !scp.any) return false;
    s->report.via = s->state.tct.len ? "tct and scp" : "scp";
    for (size_t i = 0; i < scp.n && i < s->o.sample; i++) try_collection(s, &scp.files[i]);
    return true;
}

/* A document of the site that agents look for. */
static unsigned get_text(struct sync *s, const char *path, struct adit_str accept,
                         struct sync_answer *a)
{
    struct adit_buf url;
    adit_buf_init(&url, cli_mem, 4096);
    adit_buf_add(&url,
                 adit_str_sub(s->site, 0, s->site.len - adit_str_ends(s->site, ADIT_STR("/"))));
    adit_buf_lit(&url, path);
    sync_get(s,
             &(struct fetch_request){
                 .url = adit_buf_str(&url), .accept = accept, .max_bytes = ADIT_LIMIT_page_bytes},
             a);
    adit_buf_free(&url);
    bool text = !a->error && a->status == 200 && !looks_like_html(adit_buf_str(&a->body));
    return a->error ? 0 : text || a->status != 200 ? a->status : 406;
}

static bool has_word(struct adit_str text, const char *word)
{
    struct adit_str w = adit_str_z(word);
    for (size_t i = 0; i + w.len <= text.len; i++)
        if (adit_str_ieq(adit_str_sub(text, i, i + w.len), w)) return true;
    return false;
}

/* What is asked once of a site. */
static void check_site(struct sync *s)
{
    struct sync_answer robots, llms, none;
    struct adit_str nothing = {0};
    unsigned status = get_text(s, "/robots.txt", nothing, &robots);
    bool signals = status == 200 && (has_word(adit_buf_str(&robots.body), "content-signal:") ||
                                     has_word(adit_buf_str(&robots.body), "content-usage:"));
    if (status != 200) sync_violation(s, SYNC_ROBOTS, s->site, nothing);
    if (!signals && !s->signals) sync_violation(s, SYNC_SIGNALS, s->site, nothing);
    status = get_text(s, "/llms.txt", nothing, &llms);
    if (status != 200 || !adit_str_starts(adit_buf_str(&llms.body), ADIT_STR("# ")))
        sync_violation(s, SYNC_LLMS, s->site, nothing);
    get_text(s, "/adit-check-no-such-page/llm.md", nothing, &none);
    if (!none.error && none.status == 200)
        sync_violation(s, SYNC_FALLTHROUGH, s->site, ADIT_STR("/adit-check-no-such-page/llm.md"));
    adit_buf_free(&robots.body);
    adit_buf_free(&llms.body);
    adit_buf_free(&none.body);
}

int sync_check_run(struct sync *s)
{
    bool tct = s->o.via != SYNC_SCP && check_tct(s);
    bool scp = s->o.via != SYNC_TCT && check_scp(s);
    if (tct) check_site(s);
    if (tct || scp) return CLI_OK;
    cli_say(NULL, "%.*s: has neither a JSON sitemap nor collections", (int)s->site.len, s->site.p);
    return CLI_INVALID;
}
