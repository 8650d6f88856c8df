/* XML sitemaps of a site: SCP's elements, and pages (SCP, Discovery via Sitemap). */
#include "batch/sync/sync.h"
#include "batch/xml/xml.h"
#include "text/text.h"

#include <string.h>

enum { SITEMAPS_MAX = 1000, SITEMAP_BYTES = 64 << 20, DAY = 24 * 3600 };

struct reading {
    struct sync *s;
    struct sync_scp *scp;
    struct sync_list *list;
    struct adit_str url, *urls;
    size_t n_urls, at;
    bool has_scp;
    struct adit_arena arena; /* of one entry */
    struct sitemap_reading sitemap;
};

/* The second reading of a run tells nothing new. */
static void tell_entry(struct reading *r, enum sync_rule_id rule, struct adit_str url,
                       struct adit_str detail)
{
    if (!r->s->xml_told) sync_violation(r->s, rule, url, detail);
}

static void add_sitemap(struct reading *r, struct adit_str url)
{
    for (size_t i = 0; i < r->n_urls; i++)
        if (adit_str_eq(r->urls[i], url)) return;
    if (r->n_urls == SITEMAPS_MAX || !sync_is_own(r->s, url))
        tell_entry(r, SYNC_XML, url,
                   r->n_urls == SITEMAPS_MAX ? ADIT_STR("too many sitemaps")
                                             : ADIT_STR("is of another origin"));
    else
        r->urls[r->n_urls++] = adit_arena_dup(&r->s->arena, url, NULL);
}

static bool on_entry(void *ctx, const struct sitemap_entry *e)
{
    struct reading *r = ctx;
    struct adit_str url;
    struct adit_time t;
    adit_arena_reset(&r->arena);
    if (adit_url_page(e->loc, &r->arena, &url)) return true;
    if (r->sitemap.is_index) {
        add_sitemap(r, url);
        return true;
    }
    if (!r->list) return true;
    if (!sync_is_own(r->s, url)) {
        tell_entry(r, SYNC_FOREIGN, url, r->url);
        return true;
    }
    bool dated = adit_time_parse_date(e->lastmod, &t);
    return sync_list_add(r->list, url, (struct adit_str){0},
                         dated ? e->lastmod : (struct adit_str){0}, (struct adit_str){0});
}

static bool read_element(struct reading *r, const struct adit_scp_element *e,
                         struct sync_scp_file *f)
{
    struct adit_url base;
    struct adit_str url;
    bool ok = true;
    f->delta = e->kind == ADIT_SCP_ELEMENT_DELTA;
    for (size_t i = 0; i < e->section.len; i++)
        if ((unsigned char)e->section.p[i] < 32 || e->section.p[i] == 127) return false;
    if (!e->section.len || !adit_time_parse(e->generated, &f->generated)) return false;
    if (f->delta && !adit_time_parse(e->since, &f->since)) return false;
    if (!f->delta && e->type.len && !adit_str_eq(e->type, ADIT_STR("snapshot"))) return false;
    if (!adit_str_u64(e->size, &f->size) || !adit_str_u64(e->pages, &f->pages)) return false;
    if (adit_url_parse(r->url, NULL, &r->s->arena, &base) ||
        adit_url_resolve(e->url, &base, &r->s->arena, &url) ||
        adit_url_page(url, &r->s->arena, &url))
        return false;
    f->section = adit_arena_dup(&r->s->arena, e->section, &ok);
    f->url = adit_arena_dup(&r->s->arena, url, &ok);
    return ok;
}

/* One that is past its time is still the newest there may be. */
static void take_file(struct reading *r, const struct adit_scp_element *e,
                      const struct sync_scp_file *f)
{
    struct adit_time expires;
    if (adit_time_parse(e->expires, &expires) && expires.s < r->s->now)
        tell_entry(r, SYNC_EXPIRED, f->url, e->expires);
    r->scp->files[r->scp->n++] = *f;
}

static bool on_scp(void *ctx, const struct adit_scp_element *e)
{
    struct reading *r = ctx;
    struct sync_scp_file f = {0};
    r->has_scp = r->scp->any = true;
    if (e->kind != ADIT_SCP_ELEMENT_COLLECTION && e->kind != ADIT_SCP_ELEMENT_DELTA) return true;
    if (r->scp->n == SYNC_COLLECTIONS_MAX) return false;
    if (!read_element(r, e, &f))
        tell_entry(r, SYNC_ELEMENT, r->url, e->url.len ? e->url : e->section);
    else if (f.generated.s > r->s->now + DAY)
        tell_entry(r, SYNC_FUTURE, f.url, e->generated);
    else if (f.generated.s < r->s->now - r->s->o.max_age_s)
        tell_entry(r, SYNC_STALE, f.url, e->generated);
    else
        take_file(r, e, &f);
    return true;
}

static void read_one(struct reading *r, struct adit_buf *body)
{
    struct sync_resource *e;
    char text[200];
    r->url = r->urls[r->at];
    /* For the pages themselves the list must be the current one. */
    if (r->list && (e = sync_state_resource(&r->s->state, r->url)) && !e->asked) e->until = 0;
    unsigned status =
        sync_document(r->s, r->url, SITEMAP_BYTES, (struct sync_lifetime){0, 0}, body, &e);
    /* Many servers answer with a page for people where there is nothing. */
    if (status == 200 && adit_media_is_html(e->type)) status = 404;
    if (status != 200) {
        r->scp->failed = r->scp->failed || !status || r->at > 0;
        /* That there is none is known for a day. */
        if (status && e) e->until = r->s->now + DAY;
        return;
    }
    struct input *in =
        input_open_bytes(adit_buf_str(body), &(struct input_options){.guard_ratio = true});
    if (!in) return;
    r->sitemap = (struct sitemap_reading){.handler = {.ctx = r, .entry = on_entry, .scp = on_scp}};
    r->has_scp = false;
    if (sitemap_read(&r->sitemap, in)) {
        int n = snprintf(text, sizeof text, "line %llu: %s", (unsigned long long)r->sitemap.line,
                         xml_fault_texts[r->sitemap.fault]);
        tell_entry(r, SYNC_XML, r->url, adit_str_of(text, n > 0 ? (size_t)n : 0));
        r->scp->failed = true;
    } else if (!r->has_scp && !r->sitemap.is_index && r->s->o.via == SYNC_AUTO) {
        /* Nothing to follow here: looked at again with the next discovery. */
        e->until = r->s->now + DAY;
    }
    input_close(in);
}

bool sync_xml_read(struct sync *s, struct sync_scp *scp, struct sync_list *list)
{
    struct reading r = {.s = s, .scp = scp, .list = list};
    struct adit_buf body;
    *scp = (struct sync_scp){0};
    scp->files = adit_arena_zalloc(&s->arena, SYNC_COLLECTIONS_MAX, sizeof *scp->files);
    r.urls = adit_arena_zalloc(&s->arena, SITEMAPS_MAX, sizeof *r.urls);
    if (!scp->files || !r.urls) return false;
    adit_arena_init(&r.arena, cli_mem, 8 * (size_t)ADIT_LIMIT_url_bytes);
    adit_buf_init(&body, cli_mem, SITEMAP_BYTES);
    for (size_t i = 0; i < s->state.n_xml; i++) add_sitemap(&r, s->state.xml[i]);
    for (; r.at < r.n_urls; r.at++) read_one(&r, &body);
    adit_buf_free(&body);
    adit_arena_free(&r.arena);
    s->xml_told = true;
    if (list && scp->failed) list->complete = false;
    return true;
}
