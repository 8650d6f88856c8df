/* A step on many machines: the captures of one partition, of all maps, become its entries. */
#include "batch/pack/steps_impl.h"

#include <stdlib.h>
#include <string.h>

struct reduction {
    struct pack_options *o;
    struct pack_head head; /* of the file to be written */
    struct adit_arena arena, scratch;
    struct pack_crawl crawl; /* what all maps have read */
    struct pack_taking taking;
    char *path, *folder; /* of the file to be written */
    struct runfile_writer *to;
};

/* --- the maps --------------------------------------------------------------------------------- */

/* Reads the head of map i; `first` is that of map 0. */
static bool look_at_map(struct reduction *r, const char *path, uint64_t i, struct pack_head *first,
                        struct adit_sha256 *all)
{
    struct runfile *file = runfile_open(path, false);
    struct pack_head h;
    adit_arena_reset(&r->scratch);
    bool ok = file && pack_head_read(&h, file, i ? &r->scratch : &r->arena) &&
              pack_head_fits(&h, path, &r->head, "this step") &&
              (i == 0 || pack_head_fits(&h, path, first, "map 0"));
    if (ok && (h.number != i || runfile_segments(file) != h.partitions))
        ok = runfile_refuse(file, "is not what its name says");
    if (ok) {
        uint8_t sha[ADIT_SHA256_LEN];
        pack_head_sha256(&h, file, sha);
        adit_sha256_update(all, sha, sizeof sha);
    }
    ok = ok && pack_head_add_crawl(&h, path, &r->crawl);
    if (ok) r->head.n_all_inputs += h.n_inputs;
    if (ok && i == 0) {
        first->partitions = h.partitions;
        first->shards = h.shards;
        memcpy(first->all_inputs, h.all_inputs, sizeof h.all_inputs);
        first->n_crawl = h.n_crawl;
    }
    runfile_close(file);
    return ok;
}

/* Reads the heads of all maps. CLI_OK, or said. */
static int look_at_maps(struct reduction *r, uint64_t *n)
{
    const char *dir = r->o->runs;
    struct pack_head first = r->head;
    struct adit_sha256 all;
    if (!pack_set_size(dir, "map-", "maps", n)) return CLI_INVALID;
    if (!*n) {
        cli_say(dir, "holds no map: run pack --map ... -o %s first", dir);
        return CLI_INVALID;
    }
    if (!pack_set_complete(dir, "map-", "maps", *n)) return CLI_INVALID;
    adit_sha256_init(&all);
    for (uint64_t i = 0; i < *n; i++) {
        char *path = pack_set_file(dir, "map-", i, *n);
        bool ok = path && look_at_map(r, path, i, &first, &all);
        free(path);
        if (!ok) return CLI_INVALID;
    }
    adit_sha256_final(&all, r->head.maps);
    r->head.partitions = first.partitions;
    r->head.shards = first.shards;
    memcpy(r->head.all_inputs, first.all_inputs, sizeof first.all_inputs);
    r->o->partitions = (uint32_t)first.partitions;
    if (r->o->partition < r->o->partitions) return CLI_OK;
    cli_say(dir, "has the partitions 0 to %u: there is no %u", r->o->partitions - 1,
            r->o->partition);
    return CLI_USAGE;
}

static bool add_maps(struct reduction *r, struct sorter *captures, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        char *path = pack_set_file(r->o->runs, "map-", i, n);
        struct runfile *file = path ? runfile_open(path, false) : NULL;
        struct sorter_source *source = NULL;
        if (file && runfile_segments(file) != r->o->partitions) {
            runfile_refuse(file, "was written anew meanwhile");
            runfile_close(file);
        } else if (file) {
            source = runfile_segment(file, r->o->partition, pack_capture_fault, &r->taking);
        }
        free(path);
        if (!source || !sorter_add_source(captures, source)) return false;
    }
    return sorter_start(captures);
}

/* --- a sink that stores entries ---------------------------------------------------------------- */

static int ignore_begin(void *ctx, struct adit_str host)
{
    (void)ctx, (void)host;
    return CLI_OK;
}
static bool store_entry(void *ctx, const struct pack_entry *e)
{
    return pack_entry_store(((struct reduction *)ctx)->to, e);
}
static int ignore_end(void *ctx)
{
    (void)ctx;
    return CLI_OK;
}
static void ignore_drop(void *ctx) { (void)ctx; }

/* --- a sink that publishes the partition, with --parts ----------------------------------------- */

/* The head is written before anything is published: as long as it is not there, the publication before
 * is as it was, and the step can be done again. */
struct part {
    struct reduction *r;
    struct pack_sink inner;
    struct crawl_counts counts;
    bool headed;
};

static bool write_head(struct reduction *r, struct crawl_counts *counts, uint64_t *size)
{
    struct runfile_writer *to = r->to;
    r->to = NULL;
    if (r->o->partition) { /* told once */
        crawl_losses_free(&r->crawl.losses);
        r->crawl.notes = NULL;
    }
    if (!pack_head_take_crawl(&r->head, &r->crawl, &r->arena)) {
        runfile_discard(to);
        return false;
    }
    r->head.history = (uint64_t *)(void *)counts;
    r->head.n_history = r->head.n_crawl;
    return pack_head_commit(&r->head, to, size);
}

static int begin_part(void *ctx, struct adit_str host)
{
    struct part *p = ctx;
    return p->inner.begin(p->inner.ctx, host);
}
static bool publish_entry(void *ctx, const struct pack_entry *e)
{
    struct part *p = ctx;
    return p->inner.entry(p->inner.ctx, e);
}
static int end_part(void *ctx)
{
    struct part *p = ctx;
    uint64_t size;
    p->headed = true;
    if (write_head(p->r, &p->counts, &size)) return p->inner.end(p->inner.ctx);
    p->inner.drop(p->inner.ctx);
    return CLI_OUTPUT;
}
static void drop_part(void *ctx)
{
    struct part *p = ctx;
    p->inner.drop(p->inner.ctx);
}

/* --- the partition ---------------------------------------------------------------------------- */

/* Whether the entries are there already, made of these maps. */
static bool is_done(struct reduction *r)
{
    struct runfile *file = runfile_open(r->path, true);
    struct pack_head h;
    adit_arena_reset(&r->scratch);
    bool done = file && pack_head_read(&h, file, &r->scratch) &&
                pack_head_fits(&h, r->path, &r->head, NULL) && h.number == r->head.number &&
                memcmp(h.maps, r->head.maps, sizeof h.maps) == 0;
    runfile_close(file);
    if (done && r->o->parts) {
        struct crawl_counts counts = {0};
        done = pack_head_add_counts(h.history, h.n_history, &counts) &&
               (!counts.pages || pack_part_published(r->o, r->o->partition));
    }
    if (done && !r->o->crawl.silent && !r->o->crawl.json) cli_print("%s is done\n", r->path);
    return done;
}

/* Hands the captures of the partition to the sink. */
static int run_history(struct reduction *r, uint64_t n, struct crawl_counts *counts,
                       const struct pack_sink *sink)
{
    struct pack_options *o = r->o;
    struct sorter *captures =
        sorter_new(pack_scratch(r->folder), SORTER_MEMORY_MIN, pack_capture_cmp);
    int code = CLI_OUTPUT;
    if (!captures) cli_say(NULL, "out of memory");
    if (captures && add_maps(r, captures, n)) code = pack_history(o, captures, counts, sink);
    if (captures && sorter_failed(captures)) code = CLI_INVALID; /* a damaged map, as a rule */
    sorter_free(captures);
    return code;
}

static int write_partition(struct reduction *r, uint64_t n)
{
    struct crawl_counts counts = {0};
    struct pack_written written = {0};
    const struct pack_sink sink = {r, ignore_begin, store_entry, ignore_end, ignore_drop};
    uint64_t size = 0;
    r->to = runfile_create(r->path);
    int code = r->to ? run_history(r, n, &counts, &sink) : CLI_OUTPUT;
    if (code == CLI_OK && !write_head(r, &counts, &size)) code = CLI_OUTPUT;
    runfile_discard(r->to);
    r->to = NULL;
    if (code != CLI_OK) return code;
    pack_written_add(&written, (struct adit_str){0}, adit_str_z(strrchr(r->path, '/') + 1),
                     counts.pages, size);
    pack_report(r->o, &counts, &written);
    pack_written_free(&written);
    return CLI_OK;
}

/* The same, into a publication of its own. o->out and o->previous become the part's folders. */
static int publish_part(struct reduction *r, uint64_t n, struct publish *to)
{
    struct pack_written written = {0};
    struct part part = {.r = r};
    struct pack_publisher p = {.o = r->o, .to = to, .counts = &part.counts, .written = &written};
    const struct pack_sink sink = {&part, begin_part, publish_entry, end_part, drop_part};
    uint64_t size;
    part.inner = pack_publisher_sink(&p);
    r->to = runfile_create(r->path);
    int code = r->to ? run_history(r, n, &part.counts, &sink) : CLI_OUTPUT;
    if (code == CLI_OK && !part.headed && !write_head(r, &part.counts, &size)) code = CLI_OUTPUT;
    runfile_discard(r->to);
    r->to = NULL;
    if (code == CLI_OK) pack_report(r->o, &part.counts, &written);
    pack_written_free(&written);
    return code;
}

static int open_part(struct reduction *r, uint64_t n)
{
    struct pack_options *o = r->o;
    char *out = pack_part_dir(o->out, o->partition, o->partitions),
         *previous = o->previous ? pack_part_dir(o->previous, o->partition, o->partitions) : NULL;
    int code = CLI_OUTPUT;
    if (out && (previous || !o->previous)) {
        o->out = out;
        o->previous = previous;
        struct publish *to = publish_open(out, &publication_names);
        pack_settle_previous(o);
        /* Another task may have been faster. */
        if (to) code = pack_published(o) ? CLI_OK : publish_part(r, n, to);
        publish_close(to);
    }
    o->out = o->previous = NULL;
    free(out);
    free(previous);
    return code;
}

static bool name_file(struct reduction *r)
{
    struct adit_buf b;
    size_t made;
    adit_buf_init(&b, cli_mem, 1 << 16);
    adit_buf_lit(&b, r->o->out);
    adit_buf_lit(&b, "/" PACK_PARTITIONS);
    adit_buf_byte(&b, '\0');
    r->folder = b.err ? NULL : strdup(b.p);
    adit_buf_clear(&b);
    adit_time_stamp(&b, r->o->generated);
    adit_buf_lit(&b, "-");
    adit_buf_byte(&b, '\0');
    if (r->folder && !b.err)
        r->path = pack_set_file(r->folder, b.p, r->o->partition, r->o->partitions);
    adit_buf_free(&b);
    return r->path && below_make(r->folder, &made);
}

static int reduce(struct reduction *r)
{
    uint64_t n;
    int code = look_at_maps(r, &n);
    if (code == CLI_OK) code = pack_hosts_settle(&r->crawl.hosts, r->o);
    if (code) return code;
    if (!name_file(r)) return CLI_OUTPUT;
    if (is_done(r)) return CLI_OK;
    r->o->complete = r->o->complete || pack_only_trees(&r->crawl.counts);
    r->taking = (struct pack_taking){.o = r->o, .partition = r->o->partition};
    adit_buf_init(&r->taking.scratch, cli_mem, 1u << 20);
    if (r->o->parts) {
        code = pack_parts_fit(r->o) ? open_part(r, n) : CLI_INVALID;
    } else {
        pack_settle_previous(r->o);
        code = write_partition(r, n);
    }
    adit_buf_free(&r->taking.scratch);
    return code;
}

int pack_reduce(struct pack_options *o, const struct cli_args *args)
{
    struct reduction r = {.o = o};
    if (pack_published(o)) return CLI_OK;
    struct crawl_notes *notes = crawl_notes_new(); /* of all maps, for --finish alone */
    r.crawl.notes = notes;
    adit_arena_init(&r.arena, cli_mem, PACK_HEAD_MEMORY);
    adit_arena_init(&r.scratch, cli_mem, PACK_HEAD_MEMORY);
    adit_arena_init(&r.crawl.texts, cli_mem, PACK_HEAD_MEMORY);
    int code = pack_head_make(&r.head, o, args, &r.arena) ? reduce(&r) : CLI_OUTPUT;
    pack_crawl_free(&r.crawl);
    crawl_notes_free(notes);
    adit_arena_free(&r.scratch);
    adit_arena_free(&r.arena);
    free(r.folder);
    free(r.path);
    return code;
}
