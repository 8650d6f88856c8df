/* The command: all of pack at once, or one of its steps. */
#include "batch/pack/pack.h"
#include "batch/pack/pack_impl.h"

#include <stdlib.h>

bool pack_only_trees(const struct crawl_counts *c) { return c->files && !c->records; }

void pack_report(const struct pack_options *o, const struct crawl_counts *counts,
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

void pack_settle_previous(struct pack_options *o)
{
    if (!o->previous || o->crawl.by_host || pack_previous_known(o, (struct adit_str){0})) return;
    cli_say(o->previous, "no publication there yet: this is the first publication");
    o->previous = NULL;
}

/* --- all at once ------------------------------------------------------------------------------ */

static int read_and_publish(struct pack_options *o, struct sorter *captures, struct pack_crawl *c,
                            struct pack_publisher *p)
{
    struct pack_sink sink = pack_publisher_sink(p);
    int code = pack_crawl_read(o, captures, c) ? pack_hosts_settle(&c->hosts, o) : CLI_OUTPUT;
    if (code) return code;
    o->losses = &c->losses;
    o->complete = o->complete || pack_only_trees(&c->counts);
    if (!sorter_start(captures)) return CLI_OUTPUT;
    return pack_publisher_end(p, pack_history(o, captures, &c->counts, &sink));
}

static int pack_whole(struct pack_options *o, struct publish *to)
{
    struct pack_crawl crawl = {0};
    struct pack_written written = {0};
    struct pack_publisher p = {.o = o, .to = to, .counts = &crawl.counts, .written = &written};
    pack_settle_previous(o);
    o->crawl.notes = crawl_notes_new();
    const char *temp = to ? publish_temp(to) : getenv("TMPDIR");
    struct sorter *captures =
        sorter_new(temp && *temp ? temp : "/tmp", o->crawl.memory, pack_capture_cmp);
    int code = CLI_OUTPUT;
    if (captures)
        code = read_and_publish(o, captures, &crawl, &p);
    else
        cli_say(NULL, "out of memory");
    if (code <= CLI_INVALID) pack_report(o, &crawl.counts, &written);
    if (code == CLI_OK && crawl_records_lost(&crawl.counts)) code = CLI_INVALID;
    sorter_free(captures);
    pack_written_free(&written);
    pack_crawl_free(&crawl);
    return code;
}

static int publish_whole(struct pack_options *o, const struct cli_args *args)
{
    struct publish *to = NULL;
    int code = CLI_OK;
    if (!o->dry_run) {
        to = publish_open(o->out, &publication_names);
        /* The run's time begins when the folder is its own. */
        code = to ? clock_generated(args, &o->generated) : CLI_OUTPUT;
    }
    if (code == CLI_OK) code = pack_whole(o, to);
    publish_close(to);
    return code;
}

/* --- the command ------------------------------------------------------------------------------ */

int pack_command(const struct cli_args *args)
{
    static int (*const steps[])(struct pack_options *, const struct cli_args *) = {
        [PACK_WHOLE] = publish_whole,
        [PACK_MAP] = pack_map,
        [PACK_REDUCE] = pack_reduce,
        [PACK_FINISH] = pack_finish,
    };
    struct pack_options o;
    cli_catch_signals();
    int code = pack_options_read(&o, args);
    if (code == CLI_OK) code = steps[o.step](&o, args);
    crawl_notes_free(o.crawl.notes);
    pack_options_free(&o);
    if (cli_interrupted() && code) cli_say(NULL, "interrupted; nothing was published");
    return code;
}
