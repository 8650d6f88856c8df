/* Where a site says that its machine views are: Link fields, <link> elements, robots.txt,
 * well-known places (TCT, Sitemap Discovery). What was found is kept for a day. */
#include "batch/sync/sync.h"
#include "html/html.h"
#include "text/text.h"

enum {
    HOUR = 3600,
    DAY = 24 * HOUR,
    LINKS_MAX = 256,
    CANDIDATES_MAX = 16,
    ALTERNATES_MAX = 8,
    PAYLOAD_MAX = 16 << 20,
};

struct found {
    struct adit_str v[CANDIDATES_MAX];
    size_t n;
};

struct discovery {
    struct sync *s;
    struct adit_str start; /* the page that the address leads to */
    struct found sitemaps, policies, alternates, xml;
};

/* A URL of the site that is not there yet. */
static void add(struct discovery *d, struct found *f, struct adit_str reference,
                struct adit_str base_url)
{
    struct adit_arena *arena = &d->s->arena;
    struct adit_url base;
    struct adit_str url;
    if (f->n == CANDIDATES_MAX || adit_url_parse(base_url, NULL, arena, &base) ||
        adit_url_resolve(reference, &base, arena, &url) || adit_url_page(url, arena, &url) ||
        !sync_is_own(d->s, url))
        return;
    for (size_t i = 0; i < f->n; i++)
        if (adit_str_eq(f->v[i], url)) return;
    f->v[f->n++] = adit_arena_dup(arena, url, NULL);
}

static void take_link(struct discovery *d, const struct adit_link *l, struct adit_str base)
{
    if (adit_link_is(l, "profile", "") && adit_tct_is_later(l->href)) d->s->state.later = 1;
    if (adit_link_is(l, "index", "application/json")) add(d, &d->sitemaps, l->href, base);
    if (adit_link_is(l, "describedby", "application/json")) add(d, &d->policies, l->href, base);
    if (adit_link_is(l, "alternate", "application/json")) add(d, &d->alternates, l->href, base);
    if (adit_link_is(l, "sitemap", "")) add(d, &d->xml, l->href, base);
}

static void take_fields(struct discovery *d, struct adit_str fields, struct adit_str base)
{
    struct adit_link l;
    while (adit_link_next(&fields, &l)) take_link(d, &l, base);
}

static void take_elements(struct discovery *d, struct adit_str body, struct adit_str type,
                          struct adit_str url)
{
    struct adit_link *links = adit_arena_zalloc(&d->s->arena, LINKS_MAX, sizeof(struct adit_link));
    struct adit_str base;
    size_t n;
    if (!links || adit_html_links(body, type, cli_mem, &d->s->arena, links, LINKS_MAX, &n, &base))
        return;
    struct adit_url page;
    if (base.len && adit_url_parse(url, NULL, &d->s->arena, &page) == ADIT_OK)
        adit_url_resolve(base, &page, &d->s->arena, &url);
    for (size_t i = 0; i < n; i++) take_link(d, &links[i], url);
}

/* The canonical page that Link fields name, in its normal form; empty if none or several differ. */
struct adit_str sync_canonical(struct adit_str fields, struct adit_str base_url,
                               struct adit_arena *arena)
{
    struct adit_str found = {0}, url;
    struct adit_url base;
    struct adit_link l;
    if (adit_url_parse(base_url, NULL, arena, &base)) return found;
    while (adit_link_next(&fields, &l)) {
        if (!adit_link_is(&l, "canonical", "")) continue;
        if (adit_url_resolve(l.href, &base, arena, &url) || adit_url_page(url, arena, &url))
            continue;
        if (found.len && !adit_str_eq(found, url)) return (struct adit_str){0};
        found = url;
    }
    return found;
}

/* --- steps ------------------------------------------------------------------------------------ */

static bool look_at_start(struct discovery *d)
{
    struct sync *s = d->s;
    struct sync_resource *e;
    struct adit_buf body;
    adit_buf_init(&body, cli_mem, ADIT_LIMIT_page_bytes);
    unsigned status = sync_document(s, s->site, ADIT_LIMIT_page_bytes,
                                    (struct sync_lifetime){HOUR, DAY}, &body, &e);
    if (status == 200) {
        if (e->at.len) d->start = e->at;
        take_fields(d, e->link, d->start);
        if (adit_media_is_html(e->type)) {
            take_elements(d, adit_buf_str(&body), e->type, d->start);
            if (e->fetched == s->now) s->state.html_pages++, s->state.html_bytes += body.len;
        }
    }
    adit_buf_free(&body);
    if (!status)
        cli_say(s->o.fetch.site, "%s",
                s->failure ? fetch_error_text(s->failure) : "the server has an error");
    return status != 0;
}

/* Many sites link to several JSON documents; a machine view is the one that names the page as its
 * canonical. */
static void try_alternates(struct discovery *d)
{
    struct sync *s = d->s;
    for (size_t i = 0; i < d->alternates.n && i < ALTERNATES_MAX && !s->state.m_url.len; i++) {
        struct sync_answer a;
        struct fetch_request q = {.url = d->alternates.v[i],
                                  .accept = ADIT_STR("application/json"),
                                  .max_bytes = PAYLOAD_MAX};
        sync_get(s, &q, &a);
        if (!a.error && a.status == 200 &&
            adit_str_eq(sync_canonical(a.link, a.url, &s->arena), d->start)) {
            s->state.m_url = d->alternates.v[i], s->state.m_page = d->start;
            s->state.is_signed = a.is_signed;
            take_fields(d, a.link, a.url);
        }
        adit_buf_free(&a.body);
    }
}

static void look_at_robots(struct discovery *d)
{
    struct fetch_robots r = fetch_robots(d->s->fetch, d->s->origin);
    struct adit_str url;
    size_t pos = 0;
    if (r.state != FETCH_ROBOTS_RULES) return;
    while (adit_robots_sitemap(r.text, &pos, &url))
        add(d, adit_str_ends(url, ADIT_STR(".json")) ? &d->sitemaps : &d->xml, url, d->s->site);
}

/* Draft 00 has well-known places; later ones forbid to try paths that nobody has named. */
static bool may_guess(const struct sync *s) { return !s->o.no_guess && !s->state.later; }

static bool ignore_item(void *ctx, const struct adit_tct_item *item)
{
    (void)ctx, (void)item;
    return false;
}

static bool is_sitemap(struct adit_str json)
{
    const struct adit_tct_sitemap_handler h = {.item = ignore_item, .part = ignore_item};
    enum adit_code code = adit_tct_sitemap_read(json, cli_mem, &h, NULL);
    return code == ADIT_OK || code == ADIT_ESTOP;
}

/* A sitemap that was named but cannot be read is a violation; one that was only guessed is not. */
static void find_sitemap(struct discovery *d)
{
    struct sync *s = d->s;
    struct adit_buf body;
    size_t named = d->sitemaps.n;
    if (may_guess(s)) {
        add(d, &d->sitemaps, ADIT_STR("/" ADIT_TCT_SITEMAP), s->site);
        add(d, &d->sitemaps, ADIT_STR(ADIT_WELL_KNOWN ADIT_TCT_SITEMAP), s->site);
    }
    adit_buf_init(&body, cli_mem, ADIT_TCT_SITEMAP_MAX);
    s->state.tct = (struct adit_str){0};
    for (size_t i = 0; i < d->sitemaps.n && !s->state.tct.len; i++) {
        struct adit_str url = d->sitemaps.v[i];
        unsigned status =
            sync_document(s, url, ADIT_TCT_SITEMAP_MAX, (struct sync_lifetime){0, 0}, &body, NULL);
        bool good = status == 200 && is_sitemap(adit_buf_str(&body));
        if (good) s->state.tct = url;
        if (!good && i < named)
            sync_violation(s, SYNC_SITEMAP, url,
                           status ? ADIT_STR("as named by the site")
                                  : ADIT_STR("could not be fetched"));
    }
    adit_buf_free(&body);
}

static void keep_xml(struct discovery *d)
{
    struct sync_state *st = &d->s->state;
    if (!d->xml.n) add(d, &d->xml, ADIT_STR("/sitemap.xml"), d->s->site);
    st->n_xml = 0;
    for (size_t i = 0; i < d->xml.n && st->n_xml < SYNC_XML_MAX; i++)
        st->xml[st->n_xml++] = d->xml.v[i];
}

bool sync_discover(struct sync *s)
{
    struct discovery d = {.s = s, .start = s->site};
    struct sync_state *st = &s->state;
    bool found = st->tct.len || st->n_xml;
    bool wants_tct = s->o.via != SYNC_SCP && s->o.via != SYNC_HTML;
    bool same = adit_str_eq(st->start, s->site) && (st->sought_tct || !wants_tct);
    if (!s->o.fresh && same && found && st->discovered && s->now >= st->discovered &&
        s->now < st->discovered + DAY)
        return true;
    st->start = s->site;
    st->m_url = (struct adit_str){0};
    if (!look_at_start(&d)) return false;
    try_alternates(&d);
    look_at_robots(&d);
    st->sought_tct = wants_tct;
    if (wants_tct) find_sitemap(&d);
    keep_xml(&d);
    st->policy = d.policies.n ? d.policies.v[0] : (struct adit_str){0};
    st->discovered = s->now;
    return true;
}

/* --- policy ----------------------------------------------------------------------------------- */

static unsigned read_policy(struct sync *s, struct adit_str url, bool named)
{
    struct adit_buf body;
    struct adit_error err = {0};
    adit_buf_init(&body, cli_mem, 1 << 20);
    unsigned status =
        sync_document(s, url, 1 << 20, (struct sync_lifetime){HOUR, DAY}, &body, NULL);
    if (status == 200 && adit_tct_policy_read(adit_buf_str(&body), cli_mem, &s->policy, &err)) {
        if (named) sync_violation(s, SYNC_POLICY, url, adit_str_z(err.msg));
        status = 404;
    }
    adit_buf_free(&body);
    return status;
}

/* Without --purpose every purpose is possible, so that none may be forbidden. */
static bool is_allowed(const struct sync *s)
{
    bool good = true;
    for (unsigned i = 0; i < ADIT_TCT_PURPOSES; i++) {
        bool meant = !s->o.purposes || (s->o.purposes & 1u << i);
        if (!meant || !s->policy.forbids[i]) continue;
        cli_say(NULL, "%.*s: its policy (%.*s) does not allow %s%s", (int)s->site.len, s->site.p,
                (int)s->state.policy.len, s->state.policy.p, adit_tct_purpose_names[i],
                s->o.purposes ? "" : "; say with --purpose what the pages are for");
        good = false;
    }
    return good;
}

bool sync_obey_policy(struct sync *s)
{
    static const char *const places[] = {"/" ADIT_TCT_POLICY, ADIT_WELL_KNOWN ADIT_TCT_POLICY};
    if (s->state.policy.len) {
        read_policy(s, s->state.policy, true);
    } else if (may_guess(s)) {
        struct discovery d = {.s = s};
        for (size_t i = 0; i < ADIT_COUNT(places); i++) {
            add(&d, &d.policies, adit_str_z(places[i]), s->site);
            if (d.policies.n <= i || read_policy(s, d.policies.v[i], false) != 200) continue;
            s->state.policy = d.policies.v[i];
            break;
        }
    }
    return s->o.check || is_allowed(s);
}
