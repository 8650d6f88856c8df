/* What pack has of its own on the command line: sections, times, output. */
#include "batch/io/io.h"
#include "batch/changes/changes.h"
#include "batch/cli/cli.h"
#include "batch/pack/pack_impl.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SITEMAP_NAME_MAX = BELOW_NAME_MAX - 16 }; /* "-0001" must fit in */
enum { ZSTD_JOBS = 4 };

/* --- sections --------------------------------------------------------------------------------- */

static bool valid_name(struct adit_str s)
{
    return changes_section_name(s) && adit_str_chr(s, '.', 0) == s.len;
}

static bool add_section(struct pack_options *o, struct adit_str name, struct adit_str prefix)
{
    if (!valid_name(name) || prefix.len == 0 || prefix.p[0] != '/') return false;
    size_t i = 0;
    while (i < o->n_sections && !adit_str_eq(o->sections[i].name, name)) i++;
    if (i == 0 && o->n_sections) return adit_str_eq(prefix, ADIT_STR("/")); /* all */
    o->sections[i] =
        (struct pack_section){name, prefix, adit_scp_freq(ADIT_STR(ADIT_SCP_FREQ_DEFAULT))};
    if (i == o->n_sections) o->n_sections++;
    return true;
}

static bool set_freq(struct pack_options *o, struct adit_str name, struct adit_str value)
{
    const struct adit_scp_freq *freq = adit_scp_freq(value);
    bool found = name.len == 0;
    for (size_t i = 0; i < o->n_sections && freq; i++) {
        if (name.len && !adit_str_eq(o->sections[i].name, name)) continue;
        o->sections[i].freq = freq;
        found = true;
    }
    return freq && found;
}

static int read_sections(struct pack_options *o, const struct cli_args *args)
{
    size_t n_cli = 0;
    while (cli_nth(args, "section", n_cli)) n_cli++;
    o->sections = adit_arena_zalloc(&o->crawl.arena, n_cli + o->crawl.config.sections.n + 1,
                                    sizeof *o->sections);
    if (!o->sections) return CLI_OUTPUT;
    add_section(o, ADIT_STR("all"), ADIT_STR("/"));
    for (size_t i = 0; i < o->crawl.config.sections.n; i++) {
        struct adit_str name = o->crawl.config.sections.v[i].name;
        if (!add_section(o, name, o->crawl.config.sections.v[i].value))
            return cli_usage(args,
                             "sections: '%.*s' cannot be a section's name: letters, digits, "
                             "- and _, at most 128; 'all' is always /",
                             (int)name.len, name.p);
    }
    for (size_t i = 0; i < n_cli; i++) {
        struct adit_str text = adit_str_z(cli_nth(args, "section", i));
        size_t eq = adit_str_chr(text, '=', 0);
        if (!add_section(o, adit_str_sub(text, 0, eq), adit_str_sub(text, eq + 1, text.len)))
            return cli_usage(args, "--section '%s' is not NAME=/PATH/",
                             cli_nth(args, "section", i));
    }
    for (size_t i = 0; i < o->crawl.config.update_freq.n; i++)
        set_freq(o, o->crawl.config.update_freq.v[i].name, o->crawl.config.update_freq.v[i].value);
    const char *text;
    for (size_t i = 0; (text = cli_nth(args, "update-freq", i)); i++) {
        struct adit_str s = adit_str_z(text);
        size_t eq = adit_str_chr(s, '=', 0);
        bool named = eq < s.len;
        if (!set_freq(o, adit_str_sub(s, 0, named ? eq : 0),
                      adit_str_sub(s, named ? eq + 1 : 0, s.len)))
            return cli_usage(args, "--update-freq '%s' is not [SECTION=]" ADIT_SCP_FREQ_NAMES,
                             text);
    }
    return CLI_OK;
}

/* --- the rest --------------------------------------------------------------------------------- */

/* The last part of sitemap.path becomes a file's name. */
static int check_sitemap_name(struct pack_options *o, const struct cli_args *args)
{
    if (o->crawl.mixed) return CLI_OK;
    static const char *const others[] = {ADIT_SCP_MANIFEST, "report.json", NULL};
    struct adit_str path = o->crawl.config.sitemap_path, name;
    size_t slash = path.len;
    while (slash > 0 && path.p[slash - 1] != '/') slash--;
    name = adit_str_sub(path, slash, path.len);
    const char *fault = below_name_fault(name, others);
    if (!fault && !adit_str_ends(name, ADIT_STR(".json"))) fault = "does not end with .json";
    if (!fault && name.len > SITEMAP_NAME_MAX) fault = "is too long for a file name";
    if (!fault) return CLI_OK;
    return cli_usage(args, "sitemap.path: '%.*s' %s", (int)name.len, name.p, fault);
}

static int read_keep(struct pack_options *o, const struct cli_args *args)
{
    uint64_t n = 0;
    bool all = adit_str_eq(adit_str_z(cli_get(args, "keep")), ADIT_STR("all"));
    int code = all ? CLI_OK : cli_number(args, "keep", 1, CLI_ANY, &n);
    o->keep = (size_t)n;
    return code;
}

/* --- steps ------------------------------------------------------------------------------------ */

static int choose_step(struct pack_options *o, const struct cli_args *args)
{
    o->runs = cli_get(args, "reduce");
    o->step = cli_has(args, "map")      ? PACK_MAP
              : o->runs                 ? PACK_REDUCE
              : cli_has(args, "finish") ? PACK_FINISH
                                        : PACK_WHOLE;
    if (cli_has(args, "map") + cli_has(args, "reduce") + cli_has(args, "finish") > 1)
        return cli_usage(args, "--map, --reduce and --finish exclude each other");
    o->crawl.no_inputs = o->step == PACK_REDUCE || o->step == PACK_FINISH;
    return CLI_OK;
}

static int read_step(struct pack_options *o, const struct cli_args *args)
{
    bool n = cli_has(args, "partitions"), i = cli_has(args, "partition");
    uint64_t partitions = 0, partition = 0;
    o->parts = cli_has(args, "parts");
    if (o->step == PACK_WHOLE) {
        if (!n && !i && !o->parts) return CLI_OK;
        return cli_usage(args, "--partitions, --partition and --parts belong to --map, --reduce "
                               "and --finish");
    }
    if (o->dry_run) return cli_usage(args, "--dry-run is for a pack that is done at once");
    if (!cli_has(args, "generated"))
        return cli_usage(args, "the steps of one publication have one time: give --generated");
    if (o->parts && !o->crawl.mixed)
        return cli_usage(args,
                         "--parts needs --mixed: a site has one manifest and one sitemap, at its "
                         "root, and a sitemap in a folder may list only what lies below it");
    if (o->step == PACK_MAP && !n) return cli_usage(args, "--map needs --partitions P");
    if ((o->step == PACK_REDUCE) != i)
        return cli_usage(args, "--partition I goes with --reduce, which needs it");
    int code = cli_number(args, "partitions", 1, RUNFILE_SEGMENTS_MAX, &partitions);
    if (!code) code = cli_number(args, "partition", 0, RUNFILE_SEGMENTS_MAX - 1, &partition);
    o->partitions = (uint32_t)partitions, o->partition = (uint32_t)partition;
    return code;
}

int pack_options_read(struct pack_options *o, const struct cli_args *args)
{
    *o = (struct pack_options){0};
    static int (*const parts[])(struct pack_options *, const struct cli_args *) = {
        check_sitemap_name, read_sections, read_keep};
    int code = choose_step(o, args);
    if (code == CLI_OK) code = crawl_options_read(&o->crawl, args);
    for (size_t i = 0; code == CLI_OK && i < ADIT_COUNT(parts); i++) code = parts[i](o, args);
    if (code == CLI_OK) code = clock_generated(args, &o->generated);
    if (code) return code;
    o->crawl.links = cli_choice(args, "links", o->crawl.config.links != ADIT_LINKS_ALL) == 0;
    o->out = cli_get(args, o->step == PACK_FINISH ? "finish" : "o");
    o->previous = cli_get(args, "previous");
    o->complete = cli_has(args, "complete");
    o->dry_run = cli_has(args, "dry-run");
    o->no_checksum = cli_has(args, "no-checksum");
    code = read_step(o, args);
    if (code) return code;
    if (!o->out && !o->dry_run) return cli_usage(args, "no output: give -o DIR");
    unsigned jobs = o->crawl.jobs;
    code = output_cli(args, OUTPUT_ZSTD, &o->output);
    o->output.jobs = jobs > 1 ? (int)(jobs < ZSTD_JOBS ? jobs : ZSTD_JOBS) : 0;
    return code;
}

void pack_options_free(struct pack_options *o) { crawl_options_free(&o->crawl); }
