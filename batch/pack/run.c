/* A run: reads with any number of threads, then publishes. */
#include "batch/cli/cli.h"
#include "batch/pack/pack.h"
#include "batch/pack/pack_impl.h"
#include "batch/io/io.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS_SHOWN = 20, PAYLOAD_MAX = 100000000 };

struct host_count {
    char *name;
    uint64_t pages;
};

/* What the workers share; each part behind its lock. */
struct pack {
    const struct pack_options *o;
    struct publish *to; /* NULL: a dry run */
    pthread_mutex_t read_lock;
    struct crawl_reader *reader;
    struct progress progress;
    pthread_mutex_t store_lock;
    struct sorter *captures;
    uint64_t pages, others;
    bool failed;
    pthread_mutex_t hosts_lock;
    struct host_count *hosts;
    size_t n_hosts;
};

static bool store(struct pack *p, const struct adit_str *parts, size_t n)
{
    struct pack_capture head;
    memcpy(&head, parts[0].p, sizeof head);
    pthread_mutex_lock(&p->store_lock);
    bool ok = sorter_add(p->captures, parts, n);
    if (head.kind == CRAWL_PAGE)
        p->pages++;
    else
        p->others++;
    if (!ok) p->failed = true;
    pthread_mutex_unlock(&p->store_lock);
    return ok;
}

static bool meet_host(struct pack *p, struct adit_str host)
{
    if (crawl_origin_known(&p->o->crawl) || p->o->crawl.by_host || p->o->crawl.mixed) return true;
    pthread_mutex_lock(&p->hosts_lock);
    size_t i = 0;
    while (i < p->n_hosts && !adit_str_eq(adit_str_z(p->hosts[i].name), host)) i++;
    if (i == p->n_hosts && i < 1000) {
        struct host_count *v = realloc(p->hosts, (i + 1) * sizeof *v);
        if (v) {
            p->hosts = v;
            v[i] = (struct host_count){strndup(host.p, host.len), 0};
            p->n_hosts += v[i].name != NULL;
        }
    }
    if (i < p->n_hosts) p->hosts[i].pages++;
    bool one = p->n_hosts <= 1;
    pthread_mutex_unlock(&p->hosts_lock);
    return one;
}

/* --- workers ---------------------------------------------------------------------------------- */

struct job {
    struct pack *pack;
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
    for (size_t i = 0; i < page->n_blocks; i++) head.blocks[page->blocks[i].type]++;
    struct adit_str parts[] = {
        {(const char *)&head, sizeof head}, page->url, page->modified, adit_buf_str(&w->line)};
    return store(w->pack, parts, ADIT_COUNT(parts));
}

static const struct capture_sink sink = {on_verdict, on_known, on_page, .texts = true};

static bool next_item(struct pack *p, struct crawl_item *item, struct crawl_counts *counts)
{
    pthread_mutex_lock(&p->read_lock);
    bool more = !p->failed && !cli_interrupted() && crawl_reader_next(p->reader, item, counts);
    if (p->progress.on) {
        uint64_t total, done = crawl_reader_position(p->reader, &total);
        progress_name(&p->progress, crawl_reader_name(p->reader));
        progress_show(&p->progress, clock_ms(), done, total, p->pages, p->others);
    }
    pthread_mutex_unlock(&p->read_lock);
    return more;
}

static void *work(void *arg)
{
    struct job *job = arg;
    struct crawl_item item = {0};
    adit_buf_init(&item.buf, cli_mem, WARC_BLOCK_MAX + 2 * (size_t)WARC_HEADER_MAX);
    struct crawl_counts *counts = capture_worker_counts(job->worker);
    while (next_item(job->pack, &item, counts) && capture_worker_item(job->worker, &item)) continue;
    adit_buf_free(&item.buf);
    free(item.path);
    return NULL;
}

/* Reads all inputs; the first job runs in this thread. */
static bool read_all(struct pack *p, struct crawl_counts *counts)
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
    return ok && !p->failed && !cli_interrupted();
}

/* --- one site --------------------------------------------------------------------------------- */

static int by_pages(const void *a, const void *b)
{
    const struct host_count *x = a, *y = b;
    if (x->pages != y->pages) return x->pages < y->pages ? 1 : -1;
    return strcmp(x->name, y->name);
}

static int settle_host(struct pack *p, struct pack_options *o)
{
    if (crawl_origin_known(&o->crawl) || o->crawl.by_host || o->crawl.mixed) return CLI_OK;
    if (p->n_hosts == 1) {
        char origin[512];
        snprintf(origin, sizeof origin, "https://%s", p->hosts[0].name);
        if (adit_config_set_origin(&o->crawl.config, adit_str_z(origin))) return CLI_OK;
        cli_say(NULL, "'%s' cannot be a site's host; say which with --host or --config", origin);
        return CLI_INVALID;
    }
    if (p->n_hosts == 0) { /* nothing to publish: the history still counts why */
        o->nothing = true;
        return CLI_OK;
    }
    qsort(p->hosts, p->n_hosts, sizeof *p->hosts, by_pages);
    cli_say(NULL,
            "the input has pages of %zu hosts; pick with --host (several: names of one "
            "site), or use --by-host or --mixed:",
            p->n_hosts);
    for (size_t i = 0; i < p->n_hosts && i < HOSTS_SHOWN; i++)
        cli_print_to(stderr, "  %9llu pages  %s\n", (unsigned long long)p->hosts[i].pages,
                     p->hosts[i].name);
    if (p->n_hosts > HOSTS_SHOWN) cli_print_to(stderr, "  and others\n");
    return CLI_USAGE;
}

/* --- the command ------------------------------------------------------------------------------ */

/* Trees hold everything there is; archives only what the crawler met. */
static bool only_trees(const struct crawl_counts *c) { return c->files && !c->records; }

static void report(const struct pack_options *o, const struct crawl_counts *counts,
                   const struct pack_written *written)
{
    if (!o->crawl.json) {
        if (!o->crawl.silent) pack_report_text(o, counts, written);
        return;
    }
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 64u << 20);
    pack_report_json(&b, o, counts, written);
    cli_data(adit_buf_str(&b));
    adit_buf_free(&b);
}

/* Beside the folders of the hosts. */
static bool report_of_hosts(struct pack *p, const struct crawl_counts *counts,
                            const struct pack_written *written)
{
    struct file_set files = {0};
    if (pack_report_file(p->to, p->o, counts, written, &files))
        return publish_commit(p->to, &files);
    files_discard(&files);
    return false;
}

/* The first of a series of runs has no publication before it, whatever --previous says: so one
 * command line serves them all. */
static void settle_previous(struct pack_options *o)
{
    if (!o->previous || o->crawl.by_host || pack_site_known(o, (struct adit_str){0})) return;
    cli_say(o->previous, "no publication there yet: this is the first publication");
    o->previous = NULL;
}

static int read_and_publish(struct pack *p, struct pack_options *o, struct crawl_counts *counts,
                            struct pack_written *written)
{
    bool ok = read_all(p, counts);
    progress_end(&p->progress);
    int code = ok ? settle_host(p, o) : CLI_OUTPUT;
    if (code) return code;
    o->complete = o->complete || only_trees(counts);
    if (!sorter_start(p->captures)) return CLI_OUTPUT;
    code = pack_history(o, p->to, p->captures, counts, written);
    if (code == CLI_OK && o->crawl.by_host && p->to && !report_of_hosts(p, counts, written))
        code = CLI_OUTPUT;
    return code;
}

static int pack_run(struct pack *p, struct pack_options *o)
{
    struct crawl_counts counts = {0};
    struct pack_written written = {0};
    settle_previous(o);
    o->crawl.notes = crawl_notes_new();
    p->reader = crawl_reader_new(&o->crawl);
    const char *temp = p->to ? publish_temp(p->to) : getenv("TMPDIR");
    p->captures = sorter_new(temp && *temp ? temp : "/tmp", o->crawl.memory, pack_capture_cmp);
    if (!p->reader || !p->captures) {
        cli_say(NULL, "out of memory");
        return CLI_OUTPUT;
    }
    o->losses = crawl_reader_losses(p->reader);
    progress_start(&p->progress, !o->crawl.quiet, o->crawl.started_ms);
    int code = read_and_publish(p, o, &counts, &written);
    if (code <= CLI_INVALID) report(o, &counts, &written);
    pack_written_free(&written);
    return code == CLI_OK && crawl_records_lost(&counts) ? CLI_INVALID : code;
}

int pack_command(const struct cli_args *args)
{
    struct pack_options o;
    struct pack p = {
        .o = &o,
        .read_lock = PTHREAD_MUTEX_INITIALIZER,
        .store_lock = PTHREAD_MUTEX_INITIALIZER,
        .hosts_lock = PTHREAD_MUTEX_INITIALIZER,
    };
    cli_catch_signals();
    int code = pack_options_read(&o, args);
    if (code == CLI_OK && !o.dry_run) {
        p.to = publish_open(o.out, &publication_names);
        /* The run's time begins when the folder is its own. */
        code = p.to ? clock_generated(args, &o.generated) : CLI_OUTPUT;
    }
    if (code == CLI_OK) code = pack_run(&p, &o);
    crawl_reader_free(p.reader);
    sorter_free(p.captures);
    publish_close(p.to);
    for (size_t i = 0; i < p.n_hosts; i++) free(p.hosts[i].name);
    free(p.hosts);
    crawl_notes_free(o.crawl.notes);
    pack_options_free(&o);
    if (cli_interrupted() && code) cli_say(NULL, "interrupted; nothing was published");
    return code;
}
