/* Reading crawls with any number of threads: what captures say goes to the sort. */
#include "batch/pack/pack_impl.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { PAYLOAD_MAX = 100000000 };

/* What the workers share; each part behind its lock. */
struct reading {
    const struct pack_options *o;
    struct crawl_reader *reader;
    struct crawl_ahead *ahead;
    struct progress progress;
    pthread_mutex_t store_lock;
    struct sorter *captures;
    struct crawl_tally tally;
    pthread_mutex_t hosts_lock;
    struct pack_hosts *hosts;
};

static bool store(struct reading *p, const struct adit_str *parts, size_t n)
{
    struct pack_capture head;
    memcpy(&head, parts[0].p, sizeof head);
    pthread_mutex_lock(&p->store_lock);
    bool ok = sorter_add(p->captures, parts, n);
    if (head.kind == CRAWL_PAGE)
        p->tally.pages++;
    else
        p->tally.others++;
    pthread_mutex_unlock(&p->store_lock);
    return ok;
}

static bool meet_host(struct reading *p, struct adit_str host)
{
    if (!pack_hosts_count(p->o)) return true;
    pthread_mutex_lock(&p->hosts_lock);
    pack_hosts_add(p->hosts, host, 1);
    bool one = p->hosts->n <= 1;
    pthread_mutex_unlock(&p->hosts_lock);
    return one;
}

/* --- workers ---------------------------------------------------------------------------------- */

struct job {
    struct reading *pack;
    struct capture_worker *worker;
    struct adit_buf line, payload; /* scratch of one page */
    pthread_t thread;
    bool started;
};

/* --- what captures say goes to the sort ------------------------------------------------------- */

static bool on_verdict(void *ctx, const struct crawl_capture *s, enum crawl_verdict kind,
                       enum crawl_skip reason)
{
    struct job *job = ctx;
    struct pack_capture head;
    memset(&head, 0, sizeof head); /* padding too: records are compared by bytes */
    head.at.s = s->at.s;
    head.at.ns = s->at.ns;
    head.url_len = (uint32_t)s->url.len;
    head.kind = (uint8_t)kind;
    head.reason = (uint8_t)reason;
    head.partition = pack_partition(job->pack->o, s->url);
    struct adit_str parts[] = {{(const char *)&head, sizeof head}, s->url};
    return store(job->pack, parts, ADIT_COUNT(parts));
}

/* Pages of several hosts although only one is expected: converting more is of no use. */
static bool on_known(void *ctx, const struct crawl_capture *s, bool *ok)
{
    struct job *job = ctx;
    *ok = true;
    return !meet_host(job->pack, crawl_url_host(s->url));
}

static bool on_page(void *ctx, const struct crawl_capture *s, const struct adit_page *page)
{
    struct job *w = ctx;
    struct pack_capture head;
    memset(&head, 0, sizeof head);
    adit_buf_clear(&w->line);
    adit_buf_clear(&w->payload);
    struct adit_tct_options options = {.schema = w->pack->o->crawl.config.payload_schema,
                                       .profile = w->pack->o->crawl.config.tct_profile};
    if (adit_scp_page_write(page, &w->line) != ADIT_OK ||
        adit_tct_payload(page, &options, cli_mem, &w->payload, head.hash) != ADIT_OK ||
        page->modified.len > UINT8_MAX)
        return on_verdict(w, s, CRAWL_GONE, CRAWL_SKIP_limit);
    head.at.s = s->at.s;
    head.at.ns = s->at.ns;
    head.html_bytes = s->body.len;
    head.url_len = (uint32_t)page->url.len;
    head.modified_len = (uint8_t)page->modified.len;
    head.kind = s->of == CRAWL_OF_HTML ? CRAWL_PAGE : CRAWL_TEXT;
    head.reason = (uint8_t)s->of;
    head.partition = pack_partition(w->pack->o, page->url);
    for (size_t i = 0; i < page->n_blocks; i++) head.blocks[page->blocks[i].type]++;
    struct adit_str parts[] = {
        {(const char *)&head, sizeof head}, page->url, page->modified, adit_buf_str(&w->line)};
    return store(w->pack, parts, ADIT_COUNT(parts));
}

static const struct capture_sink sink = {on_verdict, on_known, on_page, .texts = true};

static void *work(void *arg)
{
    struct job *job = arg;
    struct crawl_ahead *ahead = job->pack->ahead;
    struct crawl_item item;
    crawl_item_init(&item);
    while (crawl_ahead_next(ahead, &item, capture_worker_counts(job->worker)))
        if (!capture_worker_item(job->worker, &item)) crawl_ahead_stop(ahead);
    crawl_item_free(&item);
    return NULL;
}

/* Reads all inputs; the first job runs in this thread. */
static bool read_all(struct reading *p, struct crawl_counts *counts)
{
    size_t n = p->o->crawl.jobs;
    struct job *jobs = calloc(n, sizeof *jobs);
    bool ok = jobs != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        jobs[i] =
            (struct job){.pack = p, .worker = capture_worker_new(&p->o->crawl, &sink, &jobs[i])};
        adit_buf_init(&jobs[i].line, cli_mem, ADIT_LIMIT_scp_line);
        adit_buf_init(&jobs[i].payload, cli_mem, PAYLOAD_MAX);
        ok = jobs[i].worker != NULL;
    }
    for (size_t i = 1; ok && i < n; i++)
        jobs[i].started = pthread_create(&jobs[i].thread, NULL, work, &jobs[i]) == 0;
    if (ok)
        work(&jobs[0]);
    else
        cli_say(NULL, "out of memory");
    for (size_t i = 0; jobs && i < n; i++) {
        if (jobs[i].started) pthread_join(jobs[i].thread, NULL);
        if (jobs[i].worker) crawl_counts_add(counts, capture_worker_counts(jobs[i].worker));
        capture_worker_free(jobs[i].worker);
        adit_buf_free(&jobs[i].line);
        adit_buf_free(&jobs[i].payload);
    }
    free(jobs);
    return ok && !crawl_ahead_stopped(p->ahead) && !cli_interrupted();
}

/* --- all of it -------------------------------------------------------------------------------- */

void pack_crawl_free(struct pack_crawl *c)
{
    pack_hosts_free(&c->hosts);
    crawl_losses_free(&c->losses);
    adit_arena_free(&c->texts);
}

bool pack_crawl_read(const struct pack_options *o, struct sorter *captures, struct pack_crawl *c)
{
    struct reading p = {
        .o = o,
        .captures = captures,
        .hosts = &c->hosts,
        .reader = crawl_reader_new(&o->crawl),
        .store_lock = PTHREAD_MUTEX_INITIALIZER,
        .hosts_lock = PTHREAD_MUTEX_INITIALIZER,
    };
    if (p.reader) p.ahead = crawl_ahead_new(p.reader, o->crawl.jobs, &p.progress, &p.tally);
    if (!p.ahead) {
        cli_say(NULL, "out of memory");
        crawl_reader_free(p.reader);
        return false;
    }
    progress_start(&p.progress, !o->crawl.quiet, o->crawl.started_ms);
    bool ok = read_all(&p, &c->counts);
    progress_end(&p.progress);
    c->losses = crawl_reader_take_losses(p.reader);
    crawl_ahead_free(p.ahead);
    crawl_reader_free(p.reader);
    return ok;
}
