/* Ingest, first half: inputs are read by any number of threads; every capture becomes a record in a
 * sort, its compressed contents a piece of a temporary file. */
#include "batch/archive/ingest_impl.h"
#include "batch/cli/cli.h"
#include "batch/io/io.h"
#include "base/base.h"
#include "text/text.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ingest {
    const struct archive_options *o;
    struct crawl_options crawl;
    struct archive *a;
    pthread_mutex_t store_lock;
    struct crawl_reader *reader;
    struct crawl_ahead *ahead;
    struct archive_robots *robots; /* NULL: they do not count */
    char **collections;            /* inputs that are some */
    size_t n_collections;
    struct progress progress;
    struct sorter *captures;
    int spool; /* without a name */
    uint64_t spool_len, known;
    struct crawl_tally tally;
};

/* One thread. */
struct job {
    struct ingest *in;
    struct capture_worker *worker;
    struct archive *a; /* for looking up what is stored */
    struct archive_builder *builder;
    struct adit_arena arena; /* of one capture */
    struct adit_buf payload, manifest;
    struct adit_str crawler; /* program that made the capture */
    uint8_t raw[ADIT_SHA256_LEN];
    uint64_t facts, known;
    pthread_t thread;
    bool started;
};

/* --- records ---------------------------------------------------------------------------------- */

static struct adit_str clean(struct job *j, struct adit_str s)
{
    bool ok = true;
    struct adit_buf b;
    s = adit_str_sub(s, 0, ADIT_LIMIT_header_value);
    if (adit_utf8_valid(s)) return s;
    adit_buf_init(&b, cli_mem, 4 * (size_t)ADIT_LIMIT_header_value);
    adit_utf8_repair(s, &b);
    s = adit_arena_dup(&j->arena, adit_buf_str(&b), &ok);
    adit_buf_free(&b);
    return s;
}

static bool store(struct job *j, const struct crawl_capture *s, enum capture_kind kind,
                  uint64_t spool_at, struct adit_str manifest)
{
    struct ingest *in = j->in;
    struct adit_str etag = clean(j, http_field(&s->http, ADIT_STR("ETag"))),
                    modified = clean(j, http_field(&s->http, ADIT_STR("Last-Modified"))),
                    crawler = clean(j, j->crawler);
    struct capture_head head;
    memset(&head, 0, sizeof head); /* padding too: records are compared by bytes */
    head.at.s = s->at.s;
    head.at.ns = s->at.ns;
    head.facts = j->facts;
    head.spool_at = spool_at;
    head.spool_len = manifest.len ? j->payload.len : 0;
    head.url = (uint32_t)s->url.len;
    head.etag = (uint32_t)etag.len;
    head.last_modified = (uint32_t)modified.len;
    head.crawler = (uint32_t)crawler.len;
    head.kind = (uint8_t)kind;
    head.file = s->file;
    if (kind == CAPTURE_PAGE || kind == CAPTURE_SEEN) memcpy(head.raw, j->raw, sizeof head.raw);
    struct adit_str parts[] = {
        {(const char *)&head, sizeof head}, s->url, etag, modified, crawler, manifest};
    pthread_mutex_lock(&in->store_lock);
    bool ok = sorter_add(in->captures, parts, ADIT_COUNT(parts));
    if (kind == CAPTURE_PAGE || kind == CAPTURE_SEEN)
        in->tally.pages++;
    else
        in->tally.others++;
    pthread_mutex_unlock(&in->store_lock);
    return ok;
}

/* --- what the worker finds -------------------------------------------------------------------- */

static bool is_robots(const struct crawl_capture *s)
{
    return s->body.len && adit_str_eq(crawl_url_path(s->url), ADIT_STR("/robots.txt"));
}

static bool keep_robots(struct ingest *in, const struct crawl_capture *s)
{
    pthread_mutex_lock(&in->store_lock);
    bool ok = archive_robots_add(in->robots, s->url, s->at, s->body);
    pthread_mutex_unlock(&in->store_lock);
    return ok;
}

static bool on_verdict(void *ctx, const struct crawl_capture *s, enum crawl_verdict kind,
                       enum crawl_skip why)
{
    struct job *j = ctx;
    adit_arena_reset(&j->arena);
    switch (kind) {
    case CRAWL_UNCHANGED: return store(j, s, CAPTURE_SAME, 0, (struct adit_str){0});
    case CRAWL_CREDENTIALS: return store(j, s, CAPTURE_CREDENTIALS, 0, (struct adit_str){0});
    case CRAWL_GONE:
    case CRAWL_PAGE:
    case CRAWL_TEXT: break;
    }
    capture_worker_counts(j->worker)->skips[why]++;
    if (why == CRAWL_SKIP_not_html && j->in->robots && is_robots(s)) return keep_robots(j->in, s);
    return true;
}

/* Bytes that are stored as the latest version, under the same header fields, need no converting. */
static bool on_known(void *ctx, const struct crawl_capture *s, bool *ok)
{
    struct job *j = ctx;
    char uuid[ADIT_SPP_UUID];
    struct adit_spp_version *v;
    size_t n;
    adit_arena_reset(&j->arena);
    adit_spp_uuid(s->url, uuid);
    adit_sha256_of(s->body, j->raw);
    j->facts = adit_spp_facts(s->content_type, s->source.content_language, s->source.robots);
    if (s->source.optout) j->facts = adit_mix(j->facts, s->source.optout);
    enum archive_found found = archive_versions(j->a, uuid, &j->arena, &v, &n);
    if (found == ARCHIVE_BROKEN) {
        *ok = false;
        return true;
    }
    if (found == ARCHIVE_ABSENT) return false;
    const struct adit_spp_version *last = &v[n - 1];
    bool same = memcmp(last->raw, j->raw, sizeof j->raw) == 0 && last->facts == j->facts;
    bool before = same && s->file && adit_time_cmp(s->at, last->created) <= 0;
    if (!last->tombstone && (before || adit_spp_versions_know(v, n, j->raw, s->at))) {
        j->known++;
        *ok = true;
        return true;
    }
    if (!same && !last->tombstone) return false;
    *ok = store(j, s, CAPTURE_SEEN, 0, (struct adit_str){0});
    return true;
}

static bool spool(struct job *j, uint64_t *at)
{
    struct ingest *in = j->in;
    pthread_mutex_lock(&in->store_lock);
    *at = in->spool_len;
    in->spool_len += j->payload.len;
    pthread_mutex_unlock(&in->store_lock);
    for (size_t done = 0; done < j->payload.len;) {
        ssize_t n =
            pwrite(in->spool, j->payload.p + done, j->payload.len - done, (off_t)(*at + done));
        if (n > 0) {
            done += (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            cli_say(archive_dir(in->a), "cannot write: %s",
                    n == 0 ? "no space left" : strerror(errno));
            return false;
        }
    }
    return true;
}

static bool fill(struct job *j, const struct crawl_capture *s, const struct adit_page *page,
                 struct adit_spp_manifest *m)
{
    adit_spp_uuid(s->url, m->uuid);
    m->url = s->url;
    m->created = m->first_seen = m->last_seen = s->source.date;
    m->number = 1;
    m->rules = ADIT_STR(ADIT_RULES_VERSION);
    m->clean_changed = true;
    m->content_type = clean(j, s->content_type);
    m->content_language = clean(j, s->source.content_language);
    m->robots = clean(j, s->source.robots);
    archive_describe(page, &s->source, m);
    memcpy(m->raw.sha, j->raw, sizeof m->raw.sha);
    m->raw.bytes = s->body.len;
    adit_buf_clear(&j->payload);
    if (!archive_gzip(j->builder, s->body, &j->payload)) return false;
    m->raw.stored = j->payload.len;
    if (!(j->in->o->stages & ARCHIVE_ENRICH)) {
        struct adit_spp_manifest bare = *m; /* what the page says is the next stage's */
        bare.title = bare.byline = bare.language = bare.published = (struct adit_str){0};
        bare.updated = bare.description = bare.site_name = (struct adit_str){0};
        *m = bare;
        return true;
    }
    return archive_enrich(j->builder, page, &j->arena, m, &j->payload);
}

static bool on_page(void *ctx, const struct crawl_capture *s, const struct adit_page *page)
{
    struct job *j = ctx;
    struct adit_spp_manifest m = {0};
    uint64_t at = 0;
    adit_buf_clear(&j->manifest);
    if (!fill(j, s, page, &m) || adit_spp_manifest_write(&m, &j->manifest) != ADIT_OK)
        return on_verdict(ctx, s, CRAWL_GONE, CRAWL_SKIP_limit);
    return spool(j, &at) && store(j, s, CAPTURE_PAGE, at, adit_buf_str(&j->manifest));
}

static const struct capture_sink sink = {on_verdict, on_known, on_page, .texts = false};

/* --- threads ---------------------------------------------------------------------------------- */

static void *work_on_inputs(void *arg)
{
    struct job *j = arg;
    struct crawl_ahead *ahead = j->in->ahead;
    struct crawl_item item;
    crawl_item_init(&item);
    while (crawl_ahead_next(ahead, &item, capture_worker_counts(j->worker))) {
        j->crawler = j->in->o->crawler ? adit_str_z(j->in->o->crawler) : item.crawler;
        if (!capture_worker_item(j->worker, &item)) crawl_ahead_stop(ahead);
    }
    crawl_item_free(&item);
    return NULL;
}

static bool job_open(struct job *j, struct ingest *in)
{
    *j = (struct job){.in = in};
    adit_arena_init(&j->arena, cli_mem, ARCHIVE_ARENA_MAX);
    adit_buf_init(&j->payload, cli_mem, ARCHIVE_FILE_MAX);
    adit_buf_init(&j->manifest, cli_mem, ARCHIVE_FILE_MAX);
    j->worker = capture_worker_new(&in->crawl, &sink, j);
    j->builder = archive_builder_new();
    j->a = archive_open(archive_dir(in->a));
    if (!j->worker || !j->builder || !j->a) return false;
    return true;
}

static void job_close(struct job *j, struct crawl_counts *counts)
{
    if (j->started) pthread_join(j->thread, NULL);
    if (j->worker) crawl_counts_add(counts, capture_worker_counts(j->worker));
    j->in->known += j->known;
    capture_worker_free(j->worker);
    archive_builder_free(j->builder);
    archive_close(j->a);
    adit_arena_free(&j->arena);
    adit_buf_free(&j->payload), adit_buf_free(&j->manifest);
}

/* Collections are read one after the other, by one thread. */
static void read_collections(struct job *j)
{
    struct ingest *in = j->in;
    if (in->o->crawler) j->crawler = adit_str_z(in->o->crawler);
    for (size_t i = 0; i < in->n_collections && !cli_interrupted(); i++)
        if (!archive_collection(in->collections[i], &in->crawl, &sink, j,
                                capture_worker_counts(j->worker))) {
            crawl_ahead_stop(in->ahead);
            return;
        }
}

/* Reads all inputs; the first job runs in this thread. */
static bool read_all(struct ingest *in, struct crawl_counts *counts)
{
    size_t n = in->crawl.jobs;
    struct job *jobs = calloc(n, sizeof *jobs);
    bool ok = jobs != NULL;
    for (size_t i = 0; ok && i < n; i++) ok = job_open(&jobs[i], in);
    for (size_t i = 1; ok && i < n; i++)
        jobs[i].started = pthread_create(&jobs[i].thread, NULL, work_on_inputs, &jobs[i]) == 0;
    if (ok)
        read_collections(&jobs[0]), work_on_inputs(&jobs[0]);
    else
        cli_say(NULL, "out of memory");
    for (size_t i = 0; jobs && i < n; i++)
        if (jobs[i].in) job_close(&jobs[i], counts);
    free(jobs);
    return ok && !crawl_ahead_stopped(in->ahead) && !cli_interrupted();
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Collections are not for the reader of crawls. */
static int part_inputs(struct ingest *in)
{
    size_t n = in->crawl.n_inputs, others = 0;
    char **v = adit_arena_zalloc(&in->crawl.arena, 2 * n + 1, sizeof *v);
    if (!v) return CLI_OUTPUT;
    in->collections = v + n;
    for (size_t i = 0; i < n; i++) {
        char *input = in->crawl.inputs[i];
        if (archive_is_collection(input))
            in->collections[in->n_collections++] = input;
        else
            v[others++] = input;
    }
    in->crawl.inputs = v;
    in->crawl.n_inputs = others;
    return CLI_OK;
}

/* Archives take pages of all hosts, unless a site is named. */
static int read_options(struct ingest *in, const struct archive_options *o)
{
    static const struct cli_option mixed = {"mixed", NULL, CLI_FLAG, ""};
    struct cli_args args = *o->args;
    struct cli_given *given = calloc(args.n_given + 1, sizeof *given);
    if (!given) return CLI_OUTPUT;
    if (args.n_given) memcpy(given, args.given, args.n_given * sizeof *given);
    if (!cli_has(&args, "base-url") && !cli_has(&args, "config"))
        given[args.n_given++] = (struct cli_given){&mixed, ""};
    args.given = given;
    in->crawl.is_mine = archive_is_collection;
    int code = crawl_options_read(&in->crawl, &args);
    free(given);
    return code == CLI_OK ? part_inputs(in) : code;
}

static bool open_all(struct ingest *in)
{
    in->a = archive_open_write(in->o->dir, in->o->events);
    if (!in->a) return false;
    in->spool = output_unnamed(in->o->dir);
    if (in->spool < 0) {
        cli_say(in->o->dir, "cannot make a temporary file: %s", strerror(errno));
        return false;
    }
    if (in->o->robots && !(in->robots = archive_robots_new(in->o->robots))) return false;
    in->reader = crawl_reader_new(&in->crawl);
    if (in->reader)
        in->ahead = crawl_ahead_new(in->reader, in->crawl.jobs, &in->progress, &in->tally);
    in->captures = sorter_new(in->o->dir, in->crawl.memory, capture_cmp);
    return in->ahead && in->captures;
}

static bool embed_touched(struct ingest *in, struct adit_str touched, struct archive_counts *counts)
{
    if (!(in->o->stages & ARCHIVE_EMBED)) return true;
    if (!archive_commit(in->a)) return false; /* what is embedded must be readable */
    for (size_t at = 0; at < touched.len; at += ADIT_SPP_UUID)
        if (!archive_embed(in->o, in->a, touched.p + at, counts) || !archive_step(in->a))
            return false;
    return true;
}

static bool run_ingest(struct ingest *in, struct archive_counts *counts, struct crawl_counts *skips)
{
    struct adit_buf touched;
    adit_buf_init(&touched, cli_mem, SIZE_MAX / 2);
    progress_start(&in->progress, !in->crawl.quiet, in->crawl.started_ms);
    bool ok = open_all(in) && read_all(in, skips) && sorter_start(in->captures);
    progress_end(&in->progress);
    progress_start(&in->progress, !in->crawl.quiet, clock_ms());
    counts->known = in->known;
    struct archive_apply x = {
        .o = in->o,
        .a = in->a,
        .captures = in->captures,
        .spool = in->spool,
        .spool_len = in->spool_len,
        .progress = &in->progress,
        .counts = counts,
        .skips = skips,
        .robots = in->robots,
        .touched = &touched,
    };
    ok = ok && archive_apply(&x);
    progress_end(&in->progress);
    ok = ok && embed_touched(in, adit_buf_str(&touched), counts);
    adit_buf_free(&touched);
    return ok;
}

/* Whether the archive holds no capture of this run: then whoever runs this every night should hear
 * of it. */
static bool took_nothing(const struct archive_counts *c)
{
    return !(c->artifacts || c->versions || c->known || c->unchanged || c->patched || c->late);
}

int archive_ingest(const struct archive_options *o)
{
    struct ingest in = {.o = o, .spool = -1, .store_lock = PTHREAD_MUTEX_INITIALIZER};
    struct archive_counts counts = {0};
    struct crawl_counts skips = {0};
    cli_catch_signals();
    int code = read_options(&in, o);
    if (code == CLI_OK) {
        bool ok = run_ingest(&in, &counts, &skips);
        if (ok)
            ok = archive_close(in.a) && !cli_interrupted();
        else
            archive_discard(in.a);
        code = !ok ? CLI_OUTPUT : crawl_records_lost(&skips) ? CLI_INVALID : CLI_OK;
        if (ok) archive_report(o, &counts, &skips);
        if (ok && took_nothing(&counts)) {
            archive_report_nothing(&counts, &skips);
            code = CLI_INVALID;
        }
    }
    if (in.spool >= 0) close(in.spool);
    archive_robots_free(in.robots);
    crawl_ahead_free(in.ahead);
    crawl_reader_free(in.reader);
    sorter_free(in.captures);
    crawl_options_free(&in.crawl);
    if (cli_interrupted() && code) cli_say(NULL, "interrupted; run it again to do the rest");
    return code;
}
