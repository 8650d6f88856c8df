/* adit pack: reads with any number of threads, then publishes. */
#include "batch/clock.h"
#include "batch/cli.h"
#include "batch/pack_site.h"
#include "batch/progress.h"
#include "batch/sort.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS_SHOWN = 20 };

struct host_count {
    char *name;
    uint64_t pages;
};

/* What the workers share; each part behind its lock. */
struct pack {
    const struct pack_options *o;
    struct publish *to; /* NULL: a dry run */
    pthread_mutex_t read_lock;
    struct pack_reader *reader;
    struct progress progress;
    pthread_mutex_t store_lock;
    struct sorter *captures;
    uint64_t pages, others;
    bool failed;
    pthread_mutex_t hosts_lock;
    struct host_count *hosts;
    size_t n_hosts;
};

bool pack_emit(struct pack *p, const struct adit_str *parts, size_t n)
{
    struct pack_capture head;
    memcpy(&head, parts[0].p, sizeof head);
    pthread_mutex_lock(&p->store_lock);
    bool ok = sorter_add(p->captures, parts, n);
    if (head.kind == PACK_PAGE)
        p->pages++;
    else
        p->others++;
    if (!ok) p->failed = true;
    pthread_mutex_unlock(&p->store_lock);
    return ok;
}

bool pack_meet_host(struct pack *p, struct adit_str host)
{
    if (pack_origin_known(p->o) || p->o->by_host || p->o->mixed) return true;
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

/* --- workers
 * ---------------------------------------------------------------------------------------- */

struct job {
    struct pack *pack;
    struct pack_worker *worker;
    pthread_t thread;
    bool started;
};

static bool next_item(struct pack *p, struct pack_item *item, struct pack_counts *counts)
{
    pthread_mutex_lock(&p->read_lock);
    bool more = !p->failed && !cli_interrupted() && pack_reader_next(p->reader, item, counts);
    if (p->progress.on) {
        uint64_t total, done = pack_reader_position(p->reader, &total);
        progress_show(&p->progress, clock_ms(), done, total, p->pages, p->others);
    }
    pthread_mutex_unlock(&p->read_lock);
    return more;
}

static void *work(void *arg)
{
    struct job *job = arg;
    struct pack_item item = {0};
    adit_buf_init(&item.buf, cli_mem, WARC_BLOCK_MAX + 2 * (size_t)WARC_HEADER_MAX);
    struct pack_counts *counts = pack_worker_counts(job->worker);
    while (next_item(job->pack, &item, counts) && pack_worker_item(job->worker, &item)) continue;
    adit_buf_free(&item.buf);
    free(item.path);
    return NULL;
}

/* Reads all inputs; the first job runs in this thread. */
static bool read_all(struct pack *p, struct pack_counts *counts)
{
    size_t n = p->o->jobs;
    struct job *jobs = calloc(n, sizeof *jobs);
    bool ok = jobs != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        jobs[i] = (struct job){.pack = p, .worker = pack_worker_new(p, p->o)};
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
        if (jobs[i].worker) pack_counts_add(counts, pack_worker_counts(jobs[i].worker));
        pack_worker_free(jobs[i].worker);
    }
    free(jobs);
    return ok && !p->failed && !cli_interrupted();
}

/* --- one site
 * ------------------------------------------------------------------------------------------ */

static int by_pages(const void *a, const void *b)
{
    const struct host_count *x = a, *y = b;
    if (x->pages != y->pages) return x->pages < y->pages ? 1 : -1;
    return strcmp(x->name, y->name);
}

static int settle_host(struct pack *p, struct pack_options *o)
{
    if (pack_origin_known(o) || o->by_host || o->mixed) return CLI_OK;
    if (p->n_hosts == 1) {
        char origin[512];
        snprintf(origin, sizeof origin, "https://%s", p->hosts[0].name);
        if (adit_config_set_origin(&o->config, adit_str_z(origin))) return CLI_OK;
        cli_say(NULL, "'%s' cannot be a site's host; say which with --host or --config", origin);
        return CLI_INVALID;
    }
    if (p->n_hosts == 0) {
        cli_say(NULL, "no page found in the input; nothing was published");
        return CLI_INVALID;
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

/* --- the command
 * ------------------------------------------------------------------------------------- */

/* Trees hold everything there is; archives only what the crawler met. */
static bool only_trees(const struct pack_counts *c) { return c->files && !c->records; }

bool pack_records_lost(const struct pack_counts *c)
{
    return c->skips[PACK_SKIP_host] || c->faults[WARC_FAULT_damaged] ||
           c->faults[WARC_FAULT_garbage] || c->faults[WARC_FAULT_header] ||
           c->faults[WARC_FAULT_cut_off] || c->inputs_failed || c->skips[PACK_SKIP_unreadable];
}

static void report(const struct pack_options *o, const struct pack_counts *counts)
{
    if (!o->json) {
        pack_report_text(o, counts);
        return;
    }
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 1u << 20);
    pack_report_json(&b, o, counts);
    cli_data(adit_buf_str(&b));
    adit_buf_free(&b);
}

/* Beside the folders of the hosts. */
static bool report_of_hosts(struct pack *p, const struct pack_counts *counts)
{
    struct pack_files files = {0};
    if (pack_report_file(p->to, p->o, counts, &files)) return publish_commit(p->to, &files);
    pack_files_discard(&files);
    return false;
}

static int pack_run(struct pack *p, struct pack_options *o)
{
    struct pack_counts counts = {0};
    p->reader = pack_reader_new(o);
    const char *temp = p->to ? publish_temp(p->to) : getenv("TMPDIR");
    p->captures = sorter_new(temp && *temp ? temp : "/tmp", o->memory, pack_capture_cmp);
    if (!p->reader || !p->captures) {
        cli_say(NULL, "out of memory");
        return CLI_OUTPUT;
    }
    progress_start(&p->progress, !o->quiet, o->started_ms);
    bool ok = read_all(p, &counts);
    progress_end(&p->progress);
    int code = ok ? settle_host(p, o) : CLI_OUTPUT;
    if (code) return code;
    o->complete = o->complete || only_trees(&counts);
    if (!sorter_start(p->captures)) return CLI_OUTPUT;
    code = pack_history(o, p->to, p->captures, &counts);
    if (code == CLI_OK && o->by_host && p->to && !report_of_hosts(p, &counts)) code = CLI_OUTPUT;
    if (code <= CLI_INVALID) report(o, &counts);
    return code == CLI_OK && pack_records_lost(&counts) ? CLI_INVALID : code;
}

static int run(const struct cli_args *args)
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
        p.to = publish_open(o.out);
        /* The run's time begins when the folder is its own. */
        code = p.to ? clock_generated(args, &o.generated) : CLI_OUTPUT;
    }
    if (code == CLI_OK) code = pack_run(&p, &o);
    pack_reader_free(p.reader);
    sorter_free(p.captures);
    publish_close(p.to);
    for (size_t i = 0; i < p.n_hosts; i++) free(p.hosts[i].name);
    free(p.hosts);
    pack_options_free(&o);
    if (cli_interrupted() && code) cli_say(NULL, "interrupted; nothing was published");
    return code;
}

static const struct cli_option options[] = {
    {"o", "DIR", CLI_VALUE, "where the publication goes; made if it is not there"},
    {"base-url", "URL", CLI_VALUE, "what a folder is on the web, e.g. https://example.com/docs/"},
    {"strip-html-suffix", NULL, CLI_FLAG,
     "folders: a.html is /a (index.html is always its folder)"},
    {"charset", "NAME", CLI_VALUE, "folders: the charset that the server sends, e.g. iso-8859-1"},
    {"section", "NAME=/PATH/", CLI_MANY,
     "also a section of the pages below a path, e.g. blog=/blog/"},
    {"config", "FILE", CLI_VALUE, "adit.json: origin, other host names, sections, exclude ..."},
    {"previous", "DIR", CLI_VALUE,
     "the publication before: keeps dates, carries over, makes deltas"},
    {"complete", NULL, CLI_FLAG, "the crawl covers the site: pages it did not meet are deleted"},
    {"host", "HOST", CLI_MANY,
     "take this host only; further ones are other names of the same site"},
    {"by-host", NULL, CLI_FLAG, "one publication for each host, in DIR/HOST"},
    {"mixed", NULL, CLI_FLAG, "one collection over all hosts, without sitemaps"},
    {"include", "GLOB", CLI_MANY, "only pages whose path matches, e.g. '/blog/*'"},
    {"exclude", "GLOB", CLI_MANY, "no pages whose path matches, e.g. '*/print/*'"},
    {"update-freq", "[NAME=]F", CLI_MANY,
     "hourly, daily, weekly or monthly, e.g. blog=hourly (daily)"},
    {"keep-noindex", NULL, CLI_FLAG, "list pages that ask not to be indexed, too"},
    {"keep-noarchive", NULL, CLI_FLAG, "list pages that ask not to be archived, too"},
    {"language", "TAG", CLI_VALUE, "of pages that do not say theirs, e.g. en"},
    {"compress", "zstd|gzip|none", CLI_VALUE,
     "collections are .scp.zst (default), .scp.gz or .scp"},
    {"level", "N", CLI_VALUE, "compression level: zstd 1-22 (default 3), gzip 1-9 (6)"},
    {"no-checksum", NULL, CLI_FLAG,
     "leave the checksum out of line 1, for readers that take its rule literally"},
    {"jobs", "N", CLI_VALUE, "threads, e.g. 8 (default: one a processor)"},
    {"memory", "SIZE", CLI_VALUE, "for sorting, e.g. 1G (default 256M); more goes to DIR"},
    {"generated", "TIME", CLI_VALUE, "time of the publication, e.g. 2026-01-31 (default: now)"},
    {"dry-run", NULL, CLI_FLAG, "write nothing; say what would be listed and why not"},
    {0},
};

const struct cli_command cmd_pack = {
    .name = "pack",
    .usage = "INPUT... -o DIR [options]",
    .summary =
        "WARC files and folders of HTML to a publication: SCP collections, sitemaps, changes",
    .details =
        "INPUT is a WARC or ARC file (plain, .gz, .zst; - is standard input) or a folder of HTML\n"
        "files. Of all captures of a URL the newest decides: a page is listed if that is a 200 "
        "with\n"
        "HTML; a 404, 410, redirect or noindex removes it. Damaged records are counted and passed\n"
        "over. In DIR: SECTION-snapshot-TIME.scp.zst, with --previous also SECTION-delta-TIME,\n"
        "sitemap.xml, llm-sitemap.json, resourcesync/, report.json, and scp-manifest.json. They\n"
        "take their places together, the manifest last: a run that is killed or finds no space\n"
        "leaves the publication before as it was, or the next run finishes it. A second pack into\n"
        "DIR waits for the first.\n"
        "\n"
        "With --dry-run every URL is a line: + new, ~ changed, = as before, - removed, ! not "
        "listed.\n"
        "\n"
        "Exit status: 0 fine; 1 damaged input (what could be read is published) or no page at "
        "all;\n"
        "2 wrong usage, or several hosts in the input; 3 nothing could be written.\n"
        "\n"
        "examples:\n"
        "  adit pack crawl/*.warc.gz -o public\n"
        "  adit pack new.warc.gz -o public --previous public --section blog=/blog/\n"
        "  adit pack site/ --base-url https://example.com/ -o public\n"
        "  zcat crawl.warc.gz | adit pack - -o public --host example.com --host www.example.com",
    .options = options,
    .run = run,
};
