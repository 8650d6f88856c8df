/* History: of all captures of a URL the newest decides. Input order never matters. */
#include "batch/pack_site.h"
#include "batch/sort.h"

#include <string.h>

/* The captures of one URL, newest first. */
struct group {
    struct adit_buf url,
        decider; /* decider: the record that decides; empty: only revisits so far */
    uint64_t revisits;
    bool open;
};

struct history {
    const struct pack_options *o;
    struct pack_counts *counts;
    struct group group;
    struct pack_site *site;
    struct adit_str host; /* of the site, with --by-host; in host_text */
    struct adit_buf host_text;
    int code;
};

/* --- sites
 * ------------------------------------------------------------------------------------------ */

static void close_site(struct history *h)
{
    if (!h->site) return;
    int code = pack_site_close(h->site);
    h->site = NULL;
    if (code > h->code) h->code = code;
}

/* The site that url belongs to is open afterwards; false: it is of no site. */
static bool to_site(struct history *h, struct adit_str url)
{
    struct adit_str host = pack_url_host(url);
    if (!h->o->by_host) {
        size_t n = h->o->config.origin.len;
        if (!h->o->mixed &&
            !(adit_str_starts(url, h->o->config.origin) && url.len > n && url.p[n] == '/'))
            return false;
        if (!h->site && h->code != CLI_OUTPUT)
            h->site = pack_site_open(h->o, (struct adit_str){0}, h->counts);
    } else if (!h->site || !adit_str_eq(host, h->host)) {
        close_site(h);
        adit_buf_clear(&h->host_text);
        adit_buf_add(&h->host_text, host);
        h->host = adit_buf_str(&h->host_text);
        h->site = pack_site_open(h->o, h->host, h->counts);
    }
    if (!h->site) h->code = CLI_OUTPUT;
    return h->site != NULL;
}

/* --- groups
 * ----------------------------------------------------------------------------------------- */

static bool end_group(struct history *h)
{
    struct group *g = &h->group;
    if (!g->open) return true;
    g->open = false;
    struct pack_capture_view c = {.head = {.kind = PACK_SAME}, .url = adit_buf_str(&g->url)};
    if (g->decider.len)
        c = pack_capture_view(adit_buf_str(&g->decider));
    else
        g->revisits--; /* one stands for the page */
    h->counts->skips[PACK_SKIP_unchanged] += g->revisits;
    g->revisits = 0;
    if (to_site(h, c.url)) return pack_site_url(h->site, &c);
    if (h->code == CLI_OUTPUT) return false;
    h->counts->skips[PACK_SKIP_other_host]++;
    return true;
}

/* A request with credentials at the instant of the capture that decides: that one is nobody
 * else's. */
static void credentials(struct group *g, struct adit_time at)
{
    if (!g->decider.len) return;
    struct pack_capture head;
    memcpy(&head, g->decider.p, sizeof head);
    if (head.kind != PACK_PAGE || adit_time_cmp(head.at, at) != 0) return;
    head.kind = PACK_NEWS;
    head.reason = PACK_SKIP_authenticated;
    memcpy(g->decider.p, &head, sizeof head);
}

static void add_to_group(struct history *h, struct adit_str record,
                         const struct pack_capture_view *c)
{
    struct group *g = &h->group;
    if (c->head.kind == PACK_CREDENTIALS) {
        credentials(g, c->head.at);
    } else if (c->head.kind == PACK_SAME) {
        g->revisits++; /* the page has not changed since the capture before */
    } else if (g->decider.len) {
        h->counts->skips[PACK_SKIP_older]++;
        return;
    } else {
        adit_buf_add(&g->decider, record);
    }
}

int pack_history(const struct pack_options *o, struct sorter *captures, struct pack_counts *counts)
{
    struct history h = {.o = o, .counts = counts};
    struct group *g = &h.group;
    adit_buf_init(&g->url, cli_mem, 1u << 20);
    adit_buf_init(&g->decider, cli_mem, 2 * (size_t)ADIT_LIMIT_scp_line);
    adit_buf_init(&h.host_text, cli_mem, 1u << 20);
    struct adit_str record;
    bool ok = true;
    while (ok && sorter_next(captures, &record)) {
        struct pack_capture_view c = pack_capture_view(record);
        if (!g->open || !adit_str_eq(c.url, adit_buf_str(&g->url))) {
            ok = end_group(&h);
            adit_buf_clear(&g->url);
            adit_buf_clear(&g->decider);
            adit_buf_add(&g->url, c.url);
        }
        add_to_group(&h, record, &c);
        g->open = g->open || c.head.kind != PACK_CREDENTIALS;
    }
    ok = ok && end_group(&h);
    /* A site of which nothing was met can still be carried over. */
    if (ok && !h.site && h.code == CLI_OK && o->previous && !o->by_host)
        h.site = pack_site_open(o, (struct adit_str){0}, counts);
    if (ok && !sorter_failed(captures)) {
        if (!h.site && h.code == CLI_OK && !o->by_host) {
            cli_say(NULL, "no page to list; nothing was published");
            h.code = CLI_INVALID;
        }
        close_site(&h);
    } else {
        pack_site_discard(h.site);
        h.code = CLI_OUTPUT;
    }
    adit_buf_free(&g->url);
    adit_buf_free(&g->decider);
    adit_buf_free(&h.host_text);
    return h.code;
}
