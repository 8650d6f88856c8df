/* A run from end to end: which way is taken, and what is done when it fails. */
#include "batch/sync/sync.h"

enum { DAY = 24 * 3600, INTERVAL_MAX = 60000 };

/* --- the client ------------------------------------------------------------------------------- */

static bool open_client(struct sync *s)
{
    s->fetch = fetch_open(&s->o.fetch);
    if (s->fetch) sync_robots_seed(s);
    return s->fetch != NULL;
}

static void close_client(struct sync *s)
{
    if (!s->fetch) return;
    sync_robots_keep(s, s->origin);
    sync_add_counts(&s->earlier, fetch_counts(s->fetch));
    fetch_close(s->fetch);
    s->fetch = NULL;
}

/* The policy's rate is known only after the first requests. */
static void slow_down(struct sync *s)
{
    uint64_t ms = s->policy.interval_ms;
    fetch_slow_down(s->fetch, ms < INTERVAL_MAX ? (unsigned)ms : INTERVAL_MAX);
}

bool sync_may_ask(struct sync *s)
{
    uint64_t sent = s->earlier.requests + (s->fetch ? fetch_counts(s->fetch)->requests : 0);
    if (!s->policy.per_day || s->state.day_requests + sent + s->under_way < s->policy.per_day)
        return true;
    s->report.why = "the policy's number of requests a day is used up; the next run goes on";
    return false;
}

static void count_day(struct sync *s)
{
    if (s->now < s->state.day || s->now >= s->state.day + DAY)
        s->state.day = s->now, s->state.day_requests = 0;
}

/* --- the ways --------------------------------------------------------------------------------- */

struct ways {
    struct sync_list list; /* TCT */
    bool tct;              /* list is there, and planned */
    struct sync_scp scp;
    struct sync_scp_plan plan;
};

static void set_via(struct sync *s, const char *via, const char *why)
{
    s->report.via = via;
    s->report.why = why;
    s->state.via = adit_str_z(via);
}

/* Nothing to do: what is held came the way of the last run that had. */
static void keep_via(struct sync *s)
{
    static const char *const ways[] = {"tct", "scp", "html"};
    s->report.via = ways[0];
    for (size_t i = 0; i < ADIT_COUNT(ways); i++)
        if (adit_str_eq(s->state.via, adit_str_z(ways[i]))) s->report.via = ways[i];
}

static bool by_html(struct sync *s, const char *why)
{
    struct sync_list list;
    struct sync_scp again;
    bool good = sync_list_open(&list, s, false) && sync_xml_read(s, &again, &list);
    /* Pages that are only in the JSON sitemap have HTML, too. */
    if (good && !list.n && s->state.tct.len && !s->report.unusable) good = sync_tct_fill(s, &list);
    if (good && !list.n) {
        list.complete = false;
        good = sync_list_add(&list, s->site, (struct adit_str){0}, (struct adit_str){0},
                             (struct adit_str){0});
    }
    if (good && sync_list_plan(&list)) {
        set_via(s, "html", why);
        sync_html_run(s, &list);
    }
    sync_list_close(&list);
    return good;
}

static void by_tct(struct sync *s, struct ways *w, const char *why)
{
    set_via(s, "tct", why);
    sync_tct_run(s, &w->list);
}

/* False: it did not work, or not for all sections. */
static bool by_scp(struct sync *s, struct ways *w, const char *why)
{
    if (!w->plan.available) return false;
    set_via(s, "scp", why);
    if (!w->plan.n) s->report.zero_fetch += s->state.pages;
    return sync_scp_run(s, &w->scp, &w->plan);
}

static bool look(struct sync *s, struct ways *w)
{
    bool tct = s->o.via == SYNC_AUTO || s->o.via == SYNC_TCT;
    bool scp = s->o.via == SYNC_AUTO || s->o.via == SYNC_SCP;
    if (tct && (s->state.tct.len || s->state.m_url.len)) {
        if (!sync_list_open(&w->list, s, true)) return false;
        if (!sync_tct_fill(s, &w->list) || !sync_list_plan(&w->list)) return false;
        w->tct = !s->report.unusable;
    }
    return !scp ||
           (sync_xml_read(s, &w->scp, NULL) && sync_scp_choose(s, &w->scp, false, &w->plan));
}

static void choose(struct sync *s, struct ways *w)
{
    uint64_t tct_cost = w->tct ? sync_tct_cost(s, &w->list) : UINT64_MAX;
    bool scp_news = w->plan.available && w->plan.n;
    if (scp_news && w->plan.cost <= tct_cost) {
        const char *why = w->tct ? "its collections cost fewer bytes than pages one by one"
                          : s->report.unusable
                              ? "the site has collections, and no JSON sitemap that can be used"
                              : "the site has collections, and no JSON sitemap";
        if (by_scp(s, w, why)) return;
        /* HTML is what the specification asks for; machine views do as well, if there are any. */
        if (w->tct && s->state.m_url.len)
            by_tct(s, w, "its collections could not be used");
        else
            by_html(s, "its collections could not be used");
    } else if (w->tct && !w->list.n_tasks) {
        keep_via(s);
        s->report.zero_fetch += w->list.n_zero;
    } else if (w->tct) {
        by_tct(s, w,
               w->plan.available ? "pages one by one cost fewer bytes than its collections"
                                 : "the site has a JSON sitemap, and no collections");
        /* A list without an edge behind it: a static copy of what pack writes. */
        if (w->list.n_missing && w->list.n_missing == w->list.n_tasks)
            by_html(s, "the machine views that it lists are not there");
    } else if (w->plan.available) {
        by_scp(s, w, NULL);
    } else {
        by_html(s, s->report.unusable
                       ? "the site has neither a JSON sitemap that can be used nor collections"
                       : "the site has neither a JSON sitemap nor collections");
    }
}

static int run_chosen_way(struct sync *s)
{
    struct ways w = {0};
    int code = CLI_OK;
    if (!look(s, &w)) {
        code = CLI_OUTPUT;
    } else if (s->o.via == SYNC_AUTO) {
        choose(s, &w);
    } else if (s->o.via == SYNC_HTML) {
        by_html(s, NULL);
    } else if (s->o.via == SYNC_SCP) {
        if (!by_scp(s, &w, NULL))
            by_html(s, w.plan.available ? "its collections could not be used"
                                        : "the site has no collections");
    } else if (w.tct || (s->report.unusable && s->state.pages)) {
        by_tct(s, &w, NULL); /* without an item: what is held stays */
    } else {
        cli_say(NULL, "%.*s: %s", (int)s->site.len, s->site.p,
                s->report.unusable ? s->report.unusable
                                   : "no JSON sitemap and no machine view was found");
        code = CLI_INVALID;
    }
    if (s->fetch && fetch_exhausted(s->fetch))
        s->report.why = "the time or the bytes of the run are used up; the next one goes on";
    sync_list_close(&w.list);
    return code;
}

static int finish(struct sync *s)
{
    bool changed = s->n_changes > 0;
    close_client(s);
    s->state.day_requests += s->earlier.requests;
    if (s->out_failed) return CLI_OUTPUT;
    if (changed ? !sync_merge(s, NULL, 0) : !sync_store_save(s)) return CLI_OUTPUT;
    sync_store_clean(s);
    return CLI_OK;
}

static int follow(struct sync *s)
{
    if (!open_client(s) || !sync_discover(s)) return CLI_INVALID;
    bool obeys = sync_obey_policy(s);
    if (!sync_store_save(s)) return CLI_OUTPUT;
    if (!obeys) return CLI_INVALID;
    slow_down(s);
    sync_signature_keys(s);
    int code = s->o.check ? sync_check_run(s) : run_chosen_way(s);
    int end = finish(s);
    return code ? code : end;
}

int sync_run(struct sync *s)
{
    int code = CLI_OUTPUT;
    if (sync_store_open(s)) {
        count_day(s);
        bool good = sync_journal_read(s) && (!s->n_changes || sync_merge(s, NULL, 0));
        if (good) code = follow(s);
    }
    close_client(s);
    sync_store_close(s);
    return code;
}
