/* A step on many machines: some of the inputs become a file of sorted captures, a segment for each
 * partition. */
#include "batch/pack/steps_impl.h"

#include <stdlib.h>
#include <string.h>

/* Whether the file is there and holds what this task would write. One that lacks inputs which could
 * not be read is made again: another time they may be there. */
static bool is_done(const char *path, const struct pack_head *mine, struct adit_arena *arena)
{
    struct runfile *file = runfile_open(path, true);
    struct pack_head h;
    struct crawl_counts counts = {0};
    bool done = file && runfile_segments(file) == mine->partitions &&
                pack_head_read(&h, file, arena) && pack_head_fits(&h, path, mine, NULL) &&
                h.number == mine->number && h.shards == mine->shards &&
                h.n_inputs == mine->n_inputs &&
                memcmp(h.all_inputs, mine->all_inputs, sizeof h.all_inputs) == 0 &&
                pack_head_add_counts(h.crawl, h.n_crawl, &counts) && !counts.inputs_failed;
    for (size_t i = 0; done && i < h.n_inputs; i++) {
        const struct pack_head_input *a = &h.inputs[i], *b = &mine->inputs[i];
        done = adit_str_eq(a->name, b->name) && a->size == b->size && a->mtime == b->mtime;
    }
    runfile_close(file);
    return done;
}

/* The captures in order: a segment for each partition, also for those that have none. */
static bool write_captures(struct sorter *captures, uint32_t partitions,
                           struct runfile_writer *file)
{
    struct adit_str record;
    uint32_t at = 0;
    while (!cli_interrupted() && sorter_next(captures, &record)) {
        struct pack_capture head;
        memcpy(&head, record.p, sizeof head);
        for (; at < head.partition; at++)
            if (!runfile_next_segment(file)) return false;
        if (!runfile_add(file, &record, 1)) return false;
    }
    for (; at + 1 < partitions; at++)
        if (!runfile_next_segment(file)) return false;
    return !sorter_failed(captures) && !cli_interrupted();
}

static bool write_file(const struct pack_options *o, const char *path, struct pack_head *head,
                       struct pack_crawl *crawl, struct adit_arena *arena, uint64_t *size)
{
    struct sorter *captures = sorter_new(pack_scratch(o->out), o->crawl.memory, pack_capture_cmp);
    if (!captures) cli_say(NULL, "out of memory");
    bool ok = captures && pack_crawl_read(o, captures, crawl) && sorter_start(captures) &&
              pack_head_take_crawl(head, crawl, arena);
    struct runfile_writer *file = ok ? runfile_create(path) : NULL;
    ok = file && write_captures(captures, o->partitions, file);
    sorter_free(captures);
    if (ok) return pack_head_commit(head, file, size);
    runfile_discard(file);
    return false;
}

/* What was read, and where it is. */
static void report(const struct pack_options *o, const struct pack_crawl *crawl, const char *path,
                   uint64_t size)
{
    struct pack_written written = {0};
    const char *name = strrchr(path, '/') + 1;
    pack_written_add(&written, (struct adit_str){0}, adit_str_z(name), crawl->counts.captures,
                     size);
    pack_report(o, &crawl->counts, &written);
    pack_written_free(&written);
}

static int map(struct pack_options *o, const char *path, struct pack_head *head,
               struct adit_arena *arena)
{
    struct pack_crawl crawl = {.notes = o->crawl.notes};
    uint64_t size;
    if (is_done(path, head, arena)) {
        if (!o->crawl.silent && !o->crawl.json) cli_print("%s is done\n", path);
        return CLI_OK;
    }
    int code = CLI_OUTPUT;
    if (write_file(o, path, head, &crawl, arena, &size)) {
        code = crawl_records_lost(&crawl.counts) ? CLI_INVALID : CLI_OK;
        o->losses = &crawl.losses;
        report(o, &crawl, path, size);
    }
    pack_crawl_free(&crawl);
    return code;
}

int pack_map(struct pack_options *o, const struct cli_args *args)
{
    struct adit_arena arena;
    struct pack_head head;
    size_t made;
    int code = CLI_OUTPUT;
    o->crawl.notes = crawl_notes_new();
    adit_arena_init(&arena, cli_mem, PACK_HEAD_MEMORY);
    char *path = NULL;
    if (pack_head_make(&head, o, args, &arena) && below_make(o->out, &made))
        path = pack_set_file(o->out, "map-", head.number, head.shards);
    if (path) code = map(o, path, &head, &arena);
    free(path);
    adit_arena_free(&arena);
    return code;
}
