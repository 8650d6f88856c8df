/* A run: any number of threads read and convert, one after the other they write. */
#include "batch/extract/extract.h"
#include "batch/extract/extract_impl.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    TEXT_MAX = 256 << 20,
    SCRATCH_MAX = 1 << 20,
    LATE = 32,            /* records that wait for a request of theirs, which may follow them */
    LATE_BYTES = 8 << 20, /* and at most so many bytes of them */
    EMPTY_MAX = 1 << 20   /* pages without content that are remembered of a WACZ file */
};

/* What the threads share; each part behind its lock. */
struct extract {
    const struct extract_options *o;
    struct crawl_reader *reader;
    struct crawl_ahead *ahead;
    struct progress progress;
    struct extract_order *order;
    /* The rest is of the thread that takes entries. */
    struct extract_out *out;
    struct extract_seen *seen;
    struct crawl_counts counts;
    struct extract_entry late[LATE]; /* a ring: n_late from first_late on */
    size_t first_late, n_late, late_bytes;
    struct {
        uint64_t url;
        struct adit_time at;
    } credentials[LATE];
    size_t n_credentials;
    uint64_t *empty; /* URLs of pages without content, by hash, in this input */
    size_t n_empty, cap_empty;
};

/* One thread. */
struct job {
    struct extract *run;
    struct capture_worker *worker;
    struct crawl_item item;
    struct extract_entry entry; /* what becomes of the item */
    struct extract_coder *coder;
    struct adit_buf text, payload, record, scratch;
    pthread_t thread;
    bool started;
};

/* --- what is written, in order ---------------------------------------------------------------- */

static bool write_late(struct extract *x)
{
    struct extract_entry *e = &x->late[x->first_late];
    bool ok = true;
    if (e->kind == EXTRACT_RECORD) {
        if (x->seen && extract_seen_before(x->seen, e->key)) {
            x->counts.skips[CRAWL_SKIP_duplicate]++;
        } else {
            x->counts.pages++;
            x->counts.bytes_listed += e->html_bytes;
            ok = extract_out_record(x->out, adit_buf_str(&e->bytes), e->key, e->input);
        }
    }
    x->late_bytes -= e->bytes.len;
    extract_entry_clear(e);
    x->first_late = (x->first_late + 1) % LATE;
    x->n_late--;
    return ok;
}

static bool had_credentials(const struct extract *x, const struct extract_entry *e)
{
    size_t n = x->n_credentials < LATE ? x->n_credentials : LATE;
    for (size_t i = 0; i < n; i++)
        if (x->credentials[i].url == e->url && adit_time_cmp(x->credentials[i].at, e->at) == 0)
            return true;
    return false;
}

/* A request with credentials stands before its response, or behind it. */
static bool take_credentials(struct extract *x, const struct extract_entry *e)
{
    x->credentials[x->n_credentials % LATE].url = e->url;
    x->credentials[x->n_credentials++ % LATE].at = e->at;
    for (size_t i = 0; i < x->n_late; i++) {
        struct extract_entry *l = &x->late[(x->first_late + i) % LATE];
        if (l->kind != EXTRACT_RECORD || l->url != e->url || adit_time_cmp(l->at, e->at) != 0)
            continue;
        l->kind = EXTRACT_NOTHING;
        x->counts.skips[CRAWL_SKIP_authenticated]++;
    }
    return true;
}

static bool take_record(struct extract *x, struct extract_entry *e)
{
    if (had_credentials(x, e)) {
        x->counts.skips[CRAWL_SKIP_authenticated]++;
        return true;
    }
    while (x->n_late == LATE || (x->n_late && x->late_bytes > LATE_BYTES))
        if (!write_late(x)) return false;
    struct extract_entry *to = &x->late[(x->first_late + x->n_late++) % LATE];
    struct extract_entry t = *to;
    *to = *e;
    *e = t;
    x->late_bytes += to->bytes.len;
    return true;
}

/* Remembers a page whose HTML has no content: the text that the crawler saw may follow. */
static bool take_empty(struct extract *x, const struct extract_entry *e)
{
    uint64_t *v =
        x->n_empty < EMPTY_MAX ? cli_grow(x->empty, x->n_empty, &x->cap_empty, sizeof *v) : NULL;
    if (v) x->empty = v, x->empty[x->n_empty++] = e->url;
    x->counts.skips[CRAWL_SKIP_empty]++;
    return true;
}

static int by_hash(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The texts of a WACZ file come behind all its captures. */
static bool take_sight(struct extract *x, struct extract_entry *e)
{
    if (!x->n_empty) return true;
    qsort(x->empty, x->n_empty, sizeof *x->empty, by_hash);
    if (!bsearch(&e->url, x->empty, x->n_empty, sizeof *x->empty, by_hash)) return true;
    x->counts.from_text++;
    if (x->counts.skips[CRAWL_SKIP_empty]) x->counts.skips[CRAWL_SKIP_empty]--;
    e->kind = EXTRACT_RECORD;
    return take_record(x, e);
}

static bool take_end(struct extract *x, const struct extract_entry *e)
{
    while (x->n_late)
        if (!write_late(x)) return false;
    x->n_credentials = x->n_empty = 0;
    return extract_out_end(x->out, e->input, e->failed, e->lost);
}

static bool take(void *ctx, struct extract_entry *e)
{
    struct extract *x = ctx;
    switch (e->kind) {
    case EXTRACT_RECORD: return take_record(x, e);
    case EXTRACT_SIGHT: return take_sight(x, e);
    case EXTRACT_EMPTY: return take_empty(x, e);
    case EXTRACT_CREDENTIALS: return take_credentials(x, e);
    case EXTRACT_END: return take_end(x, e);
    case EXTRACT_NOTHING: break;
    }
    return true;
}

/* --- what captures say ------------------------------------------------------------------------ */

static bool on_verdict(void *ctx, const struct crawl_capture *s, enum crawl_verdict kind,
                       enum crawl_skip why)
{
    struct job *j = ctx;
    struct crawl_counts *c = capture_worker_counts(j->worker);
    j->entry.url = adit_str_hash(s->url);
    j->entry.at = s->at;
    switch (kind) {
    case CRAWL_UNCHANGED: c->skips[CRAWL_SKIP_unchanged]++; break;
    case CRAWL_CREDENTIALS: j->entry.kind = EXTRACT_CREDENTIALS; break;
    case CRAWL_GONE:
    case CRAWL_PAGE:
    case CRAWL_TEXT:
        if (why == CRAWL_SKIP_empty)
            j->entry.kind = EXTRACT_EMPTY; /* counted when it is taken */
        else
            c->skips[why]++;
        break;
    }
    return true;
}

static bool on_known(void *ctx, const struct crawl_capture *s, bool *ok)
{
    (void)ctx, (void)s;
    *ok = true;
    return false;
}

/* The fingerprint is that of the page's machine view. */
static enum adit_code make_fingerprint(struct job *j, const struct adit_page *page,
                                       struct extract_record *r)
{
    static const struct adit_tct_options options = {0};
    if (!(j->run->o->fields & extract_field(ADIT_STR("fingerprint")))) return ADIT_OK;
    adit_buf_clear(&j->payload);
    return adit_tct_payload(page, &options, cli_mem, &j->payload, r->fingerprint);
}

static bool encode(struct job *j, const struct extract_record *r)
{
    const struct extract_options *o = j->run->o;
    struct adit_buf *out = &j->entry.bytes;
    if (!o->format->members || o->output.coding == OUTPUT_NONE) {
        o->format->write(r, out);
        return !out->err;
    }
    adit_buf_clear(&j->record);
    o->format->write(r, &j->record);
    return !j->record.err && extract_coder_add(j->coder, adit_buf_str(&j->record), out);
}

static bool on_page(void *ctx, const struct crawl_capture *s, const struct adit_page *page)
{
    struct job *j = ctx;
    const struct extract_options *o = j->run->o;
    struct crawl_counts *c = capture_worker_counts(j->worker);
    struct extract_record r = {
        .o = o, .item = &j->item, .capture = s, .page = page, .scratch = &j->scratch};
    adit_buf_clear(&j->text);
    enum adit_code code = o->text->write(page, cli_mem, &j->text);
    r.text = adit_str_trim(adit_buf_str(&j->text));
    r.words = extract_words(r.text);
    if (r.words < o->min_words) {
        c->skips[CRAWL_SKIP_short]++;
        return true;
    }
    if (code == ADIT_OK) code = make_fingerprint(j, page, &r);
    if (code != ADIT_OK || !encode(j, &r)) {
        adit_buf_clear(&j->entry.bytes);
        c->skips[CRAWL_SKIP_limit]++;
        return true;
    }
    if (o->dedup) adit_sha256_of(r.text, j->entry.key);
    for (size_t i = 0; i < page->n_blocks; i++) c->blocks[page->blocks[i].type]++;
    j->entry.kind = s->of == CRAWL_OF_SIGHT ? EXTRACT_SIGHT : EXTRACT_RECORD;
    j->entry.url = adit_str_hash(s->url);
    j->entry.at = s->at;
    j->entry.html_bytes = s->body.len;
    return true;
}

static const struct capture_sink sink = {on_verdict, on_known, on_page, .texts = true};

/* --- threads ---------------------------------------------------------------------------------- */

static void *work(void *arg)
{
    struct job *j = arg;
    struct crawl_ahead *ahead = j->run->ahead;
    bool ok = true;
    while (ok && crawl_ahead_next(ahead, &j->item, capture_worker_counts(j->worker))) {
        j->entry.number = j->item.number;
        j->entry.input = j->item.input;
        if (j->item.end) {
            j->entry.kind = EXTRACT_END;
            j->entry.failed = j->item.failed;
            j->entry.lost = j->item.lost;
        } else {
            ok = capture_worker_item(j->worker, &j->item);
        }
        ok = extract_order_put(j->run->order, &j->entry) && ok;
    }
    if (!ok) {
        crawl_ahead_stop(ahead);
        extract_order_end(j->run->order);
    }
    return NULL;
}

static bool open_job(struct extract *x, struct job *j)
{
    const struct extract_options *o = x->o;
    *j = (struct job){.run = x, .worker = capture_worker_new(&o->crawl, &sink, j)};
    extract_entry_init(&j->entry);
    crawl_item_init(&j->item);
    adit_buf_init(&j->text, cli_mem, TEXT_MAX);
    adit_buf_init(&j->payload, cli_mem, TEXT_MAX);
    adit_buf_init(&j->record, cli_mem, 2 * (size_t)TEXT_MAX);
    adit_buf_init(&j->scratch, cli_mem, SCRATCH_MAX);
    if (o->format->members && o->output.coding != OUTPUT_NONE &&
        !(j->coder = extract_coder_new(&o->output)))
        return false;
    return j->worker != NULL;
}

static void close_job(struct extract *x, struct job *j)
{
    if (j->worker) crawl_counts_add(&x->counts, capture_worker_counts(j->worker));
    capture_worker_free(j->worker);
    extract_coder_free(j->coder);
    crawl_item_free(&j->item);
    struct adit_buf *const bufs[] = {&j->entry.bytes, &j->text, &j->payload, &j->record,
                                     &j->scratch};
    for (size_t i = 0; i < ADIT_COUNT(bufs); i++) adit_buf_free(bufs[i]);
}

/* Reads all inputs; the first job runs in this thread. */
static bool read_all(struct extract *x)
{
    size_t n = x->o->crawl.jobs;
    struct job *jobs = calloc(n, sizeof *jobs);
    bool ok = jobs != NULL;
    for (size_t i = 0; ok && i < n; i++) ok = open_job(x, &jobs[i]);
    for (size_t i = 1; ok && i < n; i++)
        jobs[i].started = pthread_create(&jobs[i].thread, NULL, work, &jobs[i]) == 0;
    if (ok)
        work(&jobs[0]);
    else
        cli_say(NULL, "out of memory");
    for (size_t i = 0; jobs && i < n; i++)
        if (jobs[i].started) pthread_join(jobs[i].thread, NULL);
    for (size_t i = 0; jobs && i < n; i++) close_job(x, &jobs[i]);
    free(jobs);
    return ok && !crawl_ahead_stopped(x->ahead) && !cli_interrupted();
}

/* --- the command ------------------------------------------------------------------------------ */

/* report.json, or one for each shard: several may write to one folder. */
static bool write_report(const struct extract_options *o, const struct adit_buf *report)
{
    struct adit_buf path;
    adit_buf_init(&path, cli_mem, 8192);
    adit_buf_lit(&path, o->out);
    adit_buf_lit(&path, "/report");
    if (o->crawl.shards) {
        adit_buf_byte(&path, '-');
        adit_buf_u64(&path, o->crawl.shard);
        adit_buf_lit(&path, "-of-");
        adit_buf_u64(&path, o->crawl.shards);
    }
    adit_buf_lit(&path, ".json");
    adit_buf_byte(&path, '\0');
    bool ok = !path.err && output_file(path.p, adit_buf_str(report), true);
    adit_buf_free(&path);
    return ok;
}

static bool tell(const struct extract *x, const struct extract_totals *totals)
{
    const struct extract_options *o = x->o;
    FILE *to = o->to == EXTRACT_TO_STDOUT ? stderr : stdout;
    struct adit_buf report;
    adit_buf_init(&report, cli_mem, 64u << 20);
    extract_report_json(&report, o, &x->counts, crawl_reader_losses(x->reader), totals);
    bool ok = !report.err && (o->to != EXTRACT_TO_FOLDER || write_report(o, &report));
    if (!o->crawl.json) {
        if (!o->crawl.silent) extract_report_text(to, o, &x->counts, totals);
    } else if (to == stdout)
        cli_data(adit_buf_str(&report));
    else
        cli_print_to(to, "%.*s\n", (int)report.len - 1, report.p);
    adit_buf_free(&report);
    return ok;
}

static int extract_run(struct extract *x, struct extract_totals *totals)
{
    const struct extract_options *o = x->o;
    x->reader = crawl_reader_new(&o->crawl);
    if (x->reader) x->ahead = crawl_ahead_new(x->reader, o->crawl.jobs, &x->progress, NULL);
    x->order = extract_order_new(o->crawl.jobs, take, x);
    if (!x->ahead || !x->order) {
        cli_say(NULL, "out of memory");
        return CLI_OUTPUT;
    }
    x->out = extract_out_open(o, totals);
    if (!x->out) return CLI_OUTPUT;
    crawl_reader_tell_ends(x->reader);
    progress_start(&x->progress, !o->crawl.quiet && o->to != EXTRACT_TO_STDOUT,
                   o->crawl.started_ms);
    bool ok = read_all(x);
    progress_end(&x->progress);
    bool nothing = ok && !x->counts.pages && !totals->done_pages && o->crawl.n_inputs;
    if (nothing) cli_say(NULL, "no page was found in the input");
    ok = extract_out_close(x->out, ok);
    x->out = NULL;
    if (!ok) return CLI_OUTPUT;
    if (x->seen) totals->forgotten = extract_seen_forgotten(x->seen);
    if (!tell(x, totals)) return CLI_OUTPUT;
    return nothing || crawl_records_lost(&x->counts) || totals->done_lost ? CLI_INVALID : CLI_OK;
}

int extract_command(const struct cli_args *args)
{
    struct extract_options o;
    struct extract_totals totals = {0};
    struct extract x = {.o = &o};
    for (size_t i = 0; i < LATE; i++) extract_entry_init(&x.late[i]);
    cli_catch_signals();
    int code = extract_options_read(&o, args);
    if (code == CLI_OK && o.dedup) x.seen = extract_seen_new(o.crawl.memory);
    if (code == CLI_OK && !extract_done_skip(&o, x.seen, &totals)) code = CLI_OUTPUT;
    if (code == CLI_OK) code = extract_run(&x, &totals);
    crawl_ahead_free(x.ahead);
    crawl_reader_free(x.reader);
    extract_order_free(x.order);
    extract_seen_free(x.seen);
    for (size_t i = 0; i < LATE; i++) adit_buf_free(&x.late[i].bytes);
    free(x.empty);
    extract_options_free(&o);
    if (cli_interrupted() && code) cli_say(NULL, "interrupted; what is marked as done stays");
    return code;
}
