/* History: of all captures of a URL the newest decides. Input order never matters. */
#include "batch/io/io.h"
#include "batch/pack/pack_impl.h"

#include <string.h>

enum { REFUSED_SHOWN = 20, HOST_SHOWN = 100 };

/* The captures of one URL, newest first. */
struct group {
    struct adit_buf url,
        decider;          /* decider: the record that decides; empty: only revisits so far */
    struct adit_buf text; /* the newest page made of plain text; empty: none */
    uint64_t revisits;
    bool open;
};

struct history {
    const struct pack_options *o;
    struct crawl_counts *counts;
    const struct pack_sink *sink;
    struct group group;
    struct pack_site *site;
    struct adit_buf host; /* of the site, with --by-host */
    bool refused;         /* no folder can have its name */
    unsigned n_refused;
    int code;
    bool stop; /* a site cannot be opened */
};

/* --- sites ------------------------------------------------------------------------------------ */

static void open_site(struct history *h, struct adit_str host)
{
    int code = h->sink->begin(h->sink->ctx, host);
    if (code == CLI_OK) h->site = pack_site_open(h->o, host, h->counts, h->sink, &code);
    if (h->site) return;
    h->sink->drop(h->sink->ctx);
    h->stop = true;
    h->code = code < 0 ? CLI_OK : code;
}

static void close_site(struct history *h)
{
    if (!h->site) return;
    int code = pack_site_close(h->site);
    h->site = NULL;
    if (code == CLI_OK)
        code = h->sink->end(h->sink->ctx);
    else
        h->sink->drop(h->sink->ctx);
    if (code > h->code) h->code = code;
}

/* Whether url is of the one site that is published. */
static bool of_the_site(const struct pack_options *o, struct adit_str url)
{
    size_t n = o->crawl.config.origin.len;
    return o->crawl.mixed ||
           (adit_str_starts(url, o->crawl.config.origin) && url.len > n && url.p[n] == '/');
}

/* What pack makes itself in the folder of -o, with --by-host or without. */
static const char *const own_names[] = {"report.json",       (ADIT_SCP_MANIFEST), "sitemap.xml",
                                        "sitemap-index.xml", "llms.txt",          "llms-full.txt",
                                        (ADIT_TCT_SITEMAP),  "resourcesync",      NULL};

/* Hosts of captures are strangers' words: not every one can be the name of a folder. */
static bool can_be_folder(struct history *h, struct adit_str host)
{
    const char *fault = below_name_fault(host, own_names);
    if (fault && h->n_refused++ < REFUSED_SHOWN)
        cli_say(NULL, "the host '%.*s' %s: its pages are left out",
                (int)(host.len < HOST_SHOWN ? host.len : HOST_SHOWN), host.p, fault);
    return !fault;
}

/* With --by-host: the site of c's host is open afterwards, if there is something to publish: a
 * page, or a previous publication. */
static void to_host(struct history *h, const struct pack_capture_view *c)
{
    struct adit_str host = crawl_url_host(c->url);
    if (adit_str_eq(host, adit_buf_str(&h->host)) && (h->site || h->refused)) return;
    close_site(h);
    adit_buf_clear(&h->host);
    adit_buf_add(&h->host, host);
    h->refused = !can_be_folder(h, host);
    if (h->refused || (c->head.kind != CRAWL_PAGE && !pack_previous_known(h->o, host))) return;
    open_site(h, adit_buf_str(&h->host));
}

/* A URL of which no site will speak. */
static bool pass_over(struct history *h, const struct pack_capture_view *c)
{
    int why = c->head.kind == CRAWL_GONE ? c->head.reason : CRAWL_SKIP_unresolved;
    if (!h->o->crawl.by_host && !h->o->nothing)
        why = CRAWL_SKIP_other_host;
    else if (c->head.kind == CRAWL_PAGE)
        why = CRAWL_SKIP_host;
    h->counts->skips[why]++;
    pack_tell(h->o, "!", c->url, crawl_skip_texts[why]);
    return true;
}

static bool decided(struct history *h, const struct pack_capture_view *c)
{
    if (h->o->nothing) return pass_over(h, c);
    if (h->o->crawl.by_host) {
        to_host(h, c);
    } else if (!of_the_site(h->o, c->url)) {
        return pass_over(h, c);
    } else if (!h->site) {
        open_site(h, (struct adit_str){0});
    }
    if (h->stop) return false;
    return h->site ? pack_site_url(h->site, c) : pass_over(h, c);
}

/* --- groups ----------------------------------------------------------------------------------- */

/* Text decides where the HTML of the page has no content; that of a conversion record also where there
 * is nothing else at all. */
static void settle_text(struct history *h)
{
    struct group *g = &h->group;
    if (!g->text.len) return;
    struct pack_capture text, html = {0};
    memcpy(&text, g->text.p, sizeof text);
    if (g->decider.len) memcpy(&html, g->decider.p, sizeof html);
    bool conversion = text.reason == CRAWL_OF_CONVERSION;
    bool empty = g->decider.len && html.kind == CRAWL_GONE && html.reason == CRAWL_SKIP_empty;
    if (empty || (conversion && !g->decider.len && !g->revisits)) {
        text.kind = CRAWL_PAGE;
        h->counts->from_text++;
        h->counts->skips[CRAWL_SKIP_empty] += empty && conversion;
        adit_buf_clear(&g->decider);
        adit_buf_add(&g->decider, adit_buf_str(&g->text));
        memcpy(g->decider.p, &text, sizeof text);
    } else {
        h->counts->skips[CRAWL_SKIP_older] += conversion;
    }
    if (!g->decider.len && !g->revisits) g->open = false;
}

static bool end_group(struct history *h)
{
    struct group *g = &h->group;
    settle_text(h);
    if (!g->open) return true;
    g->open = false;
    struct pack_capture_view c = {.head = {.kind = CRAWL_UNCHANGED}, .url = adit_buf_str(&g->url)};
    if (g->decider.len)
        c = pack_capture_view(adit_buf_str(&g->decider));
    else
        g->revisits--; /* one stands for the page */
    h->counts->skips[CRAWL_SKIP_unchanged] += g->revisits;
    g->revisits = 0;
    return decided(h, &c);
}

/* A request with credentials at the instant of the capture that decides: that one is nobody
 * else's. */
static void credentials(struct group *g, struct adit_time at)
{
    if (!g->decider.len) return;
    struct pack_capture head;
    memcpy(&head, g->decider.p, sizeof head);
    if (head.kind != CRAWL_PAGE || adit_time_cmp(head.at, at) != 0) return;
    head.kind = CRAWL_GONE;
    head.reason = CRAWL_SKIP_authenticated;
    memcpy(g->decider.p, &head, sizeof head);
}

static void add_to_group(struct history *h, struct adit_str record,
                         const struct pack_capture_view *c)
{
    struct group *g = &h->group;
    if (c->head.kind == CRAWL_CREDENTIALS) {
        credentials(g, c->head.at);
    } else if (c->head.kind == CRAWL_TEXT) {
        if (!g->text.len)
            adit_buf_add(&g->text, record);
        else
            h->counts->skips[CRAWL_SKIP_older] += c->head.reason == CRAWL_OF_CONVERSION;
    } else if (c->head.kind == CRAWL_UNCHANGED) {
        g->revisits++; /* the page has not changed since the capture before */
    } else if (g->decider.len) {
        h->counts->skips[CRAWL_SKIP_older]++;
        return;
    } else {
        adit_buf_add(&g->decider, record);
    }
}

int pack_history(const struct pack_options *o, struct sorter *captures, struct crawl_counts *counts,
                 const struct pack_sink *sink)
{
    struct history h = {.o = o, .counts = counts, .sink = sink};
    struct group *g = &h.group;
    adit_buf_init(&g->url, cli_mem, 1u << 20);
    adit_buf_init(&g->decider, cli_mem, 2 * (size_t)ADIT_LIMIT_scp_line);
    adit_buf_init(&g->text, cli_mem, 2 * (size_t)ADIT_LIMIT_scp_line);
    adit_buf_init(&h.host, cli_mem, 1u << 20);
    struct adit_str record;
    bool ok = true;
    while (ok && !cli_interrupted() && sorter_next(captures, &record)) {
        struct pack_capture_view c = pack_capture_view(record);
        if (!g->open || !adit_str_eq(c.url, adit_buf_str(&g->url))) {
            ok = end_group(&h);
            adit_buf_clear(&g->url);
            adit_buf_clear(&g->decider);
            adit_buf_clear(&g->text);
            adit_buf_add(&g->url, c.url);
        }
        add_to_group(&h, record, &c);
        g->open = g->open || c.head.kind != CRAWL_CREDENTIALS;
    }
    ok = ok && !cli_interrupted() && end_group(&h);
    /* A site of which nothing was met can still be carried over. */
    if (ok && !h.site && o->previous && !o->crawl.by_host && !o->nothing)
        open_site(&h, (struct adit_str){0});
    if (ok && !sorter_failed(captures)) {
        close_site(&h);
    } else {
        pack_site_free(h.site);
        sink->drop(sink->ctx);
        if (!h.stop) h.code = CLI_OUTPUT;
    }
    adit_buf_free(&g->url);
    adit_buf_free(&g->decider);
    adit_buf_free(&g->text);
    adit_buf_free(&h.host);
    return h.code;
}
