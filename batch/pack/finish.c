/* The last step on many machines: the entries of all partitions are merged and published. */
#include "batch/pack/steps_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REPORT_MAX = 64 << 20 };

struct finishing {
    struct pack_options *o;
    struct pack_head head;
    struct adit_arena arena, scratch;
    struct pack_crawl crawl;
    struct publish *to;
    char *folder;               /* of the partitions */
    char prefix[32];            /* of their names: the time of the publication */
    struct pack_taking *taking; /* one a partition */
    uint64_t n;
    uint64_t *pages; /* of each */
};

bool pack_published(const struct pack_options *o)
{
    char path[4096];
    struct adit_buf b, time;
    struct adit_json_value v;
    snprintf(path, sizeof path, "%s/report.json", o->out);
    if (access(path, F_OK) != 0) return false;
    adit_buf_init(&b, cli_mem, REPORT_MAX);
    adit_buf_init(&time, cli_mem, 64);
    adit_time_write(&time, o->generated);
    bool same =
        cli_read(path, &b) && adit_json_check(adit_buf_str(&b), &v, NULL) == ADIT_OK &&
        adit_str_eq(adit_json_inside(adit_json_get(v, ADIT_STR("generated"))), adit_buf_str(&time));
    adit_buf_free(&b);
    adit_buf_free(&time);
    if (same && !o->crawl.silent && !o->crawl.json) cli_print("%s is published\n", o->out);
    return same;
}

/* --- the partitions --------------------------------------------------------------------------- */

static bool look_at(struct finishing *f, const char *path, uint64_t i)
{
    struct runfile *file = runfile_open(path, false);
    struct pack_head h;
    bool first = i == 0;
    adit_arena_reset(&f->scratch);
    bool ok = file && pack_head_read(&h, file, first ? &f->arena : &f->scratch) &&
              pack_head_fits(&h, path, &f->head, first ? "this step" : "partition 0");
    if (ok && (h.number != i || h.partitions != f->n || runfile_segments(file) != 1))
        ok = runfile_refuse(file, "is not what its name says");
    if (ok && !first && memcmp(h.maps, f->head.maps, sizeof h.maps) != 0)
        ok = runfile_refuse(file, "was made of other maps than partition 0: reduce it again");
    ok = ok && (!first || pack_head_add_crawl(&h, path, &f->crawl));
    uint64_t before = f->crawl.counts.pages;
    if (ok && !pack_head_add_counts(h.history, h.n_history, &f->crawl.counts))
        ok = runfile_refuse(file, "was written by another version of adit");
    if (ok) f->pages[i] = f->crawl.counts.pages - before;
    if (ok && first) {
        f->head.partitions = h.partitions;
        f->head.shards = h.shards;
        f->head.n_crawl = h.n_crawl;
        memcpy(f->head.all_inputs, h.all_inputs, sizeof h.all_inputs);
        memcpy(f->head.maps, h.maps, sizeof h.maps);
        f->o->crawl.n_inputs = h.n_all_inputs;
    }
    runfile_close(file);
    return ok;
}

static bool look_at_all(struct finishing *f)
{
    if (!pack_set_size(f->folder, f->prefix, "partitions", &f->n)) return false;
    if (!f->n) {
        cli_say(f->o->out, "holds no partition of this time: run pack --reduce ... -o %s first",
                f->o->out);
        return false;
    }
    if (!pack_set_complete(f->folder, f->prefix, "partitions", f->n)) return false;
    f->pages = calloc(f->n, sizeof *f->pages);
    for (uint64_t i = 0; i < f->n; i++) {
        char *path = pack_set_file(f->folder, f->prefix, i, f->n);
        bool ok = path && f->pages && look_at(f, path, i);
        free(path);
        if (!ok) return false;
    }
    f->o->partitions = (uint32_t)f->n;
    return true;
}

static bool add_all(struct finishing *f, struct sorter *entries)
{
    f->taking = calloc(f->n, sizeof *f->taking);
    if (!f->taking) return false;
    for (uint64_t i = 0; i < f->n; i++) {
        f->taking[i] = (struct pack_taking){.o = f->o, .partition = (uint32_t)i};
        adit_buf_init(&f->taking[i].scratch, cli_mem, 1u << 20);
        char *path = pack_set_file(f->folder, f->prefix, i, f->n);
        struct runfile *file = path ? runfile_open(path, false) : NULL;
        struct sorter_source *source =
            file ? runfile_segment(file, 0, pack_entry_fault, &f->taking[i]) : NULL;
        free(path);
        if (!source || !sorter_add_source(entries, source)) return false;
    }
    return sorter_start(entries);
}

/* What is published is of no more use as partitions. */
static void remove_all(const struct finishing *f)
{
    uint64_t n = 0;
    if (!pack_set_size(f->folder, f->prefix, "partitions", &n)) return;
    for (uint64_t i = 0; i < n; i++) {
        char *path = pack_set_file(f->folder, f->prefix, i, n);
        if (path) unlink(path);
        free(path);
    }
    rmdir(f->folder); /* unless another publication is under way */
}

/* --- publishing ------------------------------------------------------------------------------- */

/* Begins the site of an entry, where another one was under way. */
static int to_site(struct finishing *f, const struct pack_sink *sink, struct adit_buf *host,
                   struct adit_str url, int *begun)
{
    struct adit_str own = f->o->crawl.by_host ? crawl_url_host(url) : (struct adit_str){0};
    if (*begun != -2 && adit_str_eq(adit_buf_str(host), own)) return CLI_OK;
    int code = *begun == CLI_OK ? sink->end(sink->ctx) : CLI_OK;
    adit_buf_clear(host);
    adit_buf_add(host, own);
    *begun = code ? -2 : sink->begin(sink->ctx, adit_buf_str(host));
    return code ? code : *begun > 0 ? *begun : CLI_OK;
}

/* begun: of the site at hand, what begin said: CLI_OK; -1: it was published before this run was
 * killed; -2: there is none. */
static int publish_entries(struct finishing *f, struct sorter *entries,
                           const struct pack_sink *sink)
{
    struct adit_buf host;
    struct adit_str record;
    int begun = -2, code = CLI_OK;
    adit_buf_init(&host, cli_mem, 1u << 20);
    while (code == CLI_OK && !cli_interrupted() && sorter_next(entries, &record)) {
        struct pack_entry e = pack_entry_view(record);
        code = to_site(f, sink, &host, e.url, &begun);
        if (code == CLI_OK && begun == CLI_OK && !sink->entry(sink->ctx, &e)) code = CLI_OUTPUT;
    }
    if (code == CLI_OK && sorter_failed(entries)) code = CLI_INVALID;
    if (code == CLI_OK && cli_interrupted()) code = CLI_OUTPUT;
    if (begun == CLI_OK && code == CLI_OK)
        code = sink->end(sink->ctx);
    else
        sink->drop(sink->ctx);
    adit_buf_free(&host);
    return code;
}

/* With --parts all is published but the index and the report. */
static int publish_index(struct finishing *f, struct pack_written *written)
{
    struct file_set files = {0};
    for (uint32_t i = 0; i < f->o->partitions; i++) {
        if (!f->pages[i]) continue;
        if (!pack_part_published(f->o, i)) {
            cli_say(f->o->out, "part %u is not published: reduce it again", i);
            return CLI_INVALID;
        }
        written->n_sites++;
    }
    if (pack_report_file(f->to, f->o, &f->crawl.counts, written, &files) &&
        pack_parts_index(f->o, f->to, f->pages, &files))
        return publish_commit(f->to, &files) ? CLI_OK : CLI_OUTPUT;
    files_discard(&files);
    return CLI_OUTPUT;
}

static int merge_and_publish(struct finishing *f, struct pack_written *written)
{
    struct pack_publisher p = {
        .o = f->o, .to = f->to, .counts = &f->crawl.counts, .written = written};
    struct pack_sink sink = pack_publisher_sink(&p);
    pack_settle_previous(f->o);
    struct sorter *entries = sorter_new(pack_scratch(f->folder), SORTER_MEMORY_MIN, pack_entry_cmp);
    int code = entries && add_all(f, entries)
                   ? pack_publisher_end(&p, publish_entries(f, entries, &sink))
                   : CLI_OUTPUT;
    sorter_free(entries);
    return code;
}

static int finish(struct finishing *f)
{
    struct pack_written written = {0};
    if (!look_at_all(f)) return CLI_INVALID;
    int code = pack_hosts_settle(&f->crawl.hosts, f->o);
    if (code) return code;
    f->o->losses = &f->crawl.losses;
    code = f->o->parts ? publish_index(f, &written) : merge_and_publish(f, &written);
    if (code <= CLI_INVALID) pack_report(f->o, &f->crawl.counts, &written);
    if (code == CLI_OK) remove_all(f);
    pack_written_free(&written);
    return code == CLI_OK && crawl_records_lost(&f->crawl.counts) ? CLI_INVALID : code;
}

static bool name_files(struct finishing *f)
{
    struct adit_buf stamp;
    adit_buf_init(&stamp, cli_mem, 64);
    adit_time_stamp(&stamp, f->o->generated);
    snprintf(f->prefix, sizeof f->prefix, "%.*s-", (int)stamp.len, stamp.p);
    adit_buf_free(&stamp);
    return asprintf(&f->folder, "%s/" PACK_PARTITIONS, f->o->out) >= 0;
}

int pack_finish(struct pack_options *o, const struct cli_args *args)
{
    struct finishing f = {.o = o};
    int code = CLI_OUTPUT;
    f.crawl.notes = o->crawl.notes = crawl_notes_new();
    adit_arena_init(&f.arena, cli_mem, PACK_HEAD_MEMORY);
    adit_arena_init(&f.scratch, cli_mem, PACK_HEAD_MEMORY);
    adit_arena_init(&f.crawl.texts, cli_mem, PACK_HEAD_MEMORY);
    if (name_files(&f) && pack_head_make(&f.head, o, args, &f.arena))
        f.to = publish_open(o->out, &publication_names);
    if (f.to && pack_published(o)) {
        remove_all(&f);
        code = CLI_OK;
    } else if (f.to) {
        code = finish(&f);
    }
    publish_close(f.to);
    for (uint64_t i = 0; f.taking && i < f.n; i++) adit_buf_free(&f.taking[i].scratch);
    free(f.taking);
    free(f.pages);
    pack_crawl_free(&f.crawl);
    adit_arena_free(&f.scratch);
    adit_arena_free(&f.arena);
    free(f.folder);
    return code;
}
