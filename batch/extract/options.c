/* What extract has of its own on the command line. */
#include "batch/extract/extract.h"
#include "batch/extract/extract_impl.h"

#include <stdlib.h>
#include <string.h>

enum { PART_DEFAULT = 256 << 20, PART_MIN = 1 << 16 };
#define PART_MAX (UINT64_C(1) << 40)
/* Compressing at a level up to this takes a tenth of the time of converting: with up to so many threads
 * the one that takes records in order compresses them, too, and no thread of zstd's is left to be waited
 * for when the last page is converted. */
enum { ZSTD_FAST = 5, ZSTD_ALONE = 4, ZSTD_JOBS = 4 };

/* --- where it goes ---------------------------------------------------------------------------- */

/* "x.jsonl.zst" is one file; so is "x.jsonl"; any other name is that of a folder. */
static bool names_file(const struct extract_format *f, const char *path)
{
    struct adit_str name = adit_str_z(path);
    name.len -= strlen(output_coding_suffixes[output_coding_of(path)]);
    for (const char *const *e = f->endings; e && *e; e++)
        if (adit_str_ends(name, adit_str_z(*e))) return true;
    return false;
}

static int read_target(struct extract_options *o, const struct cli_args *args)
{
    bool part = cli_has(args, "part");
    o->out = cli_get(args, "o");
    if (!o->out) return cli_usage(args, "no output: give -o FILE, -o DIR, or -o -");
    if (!*o->out) return cli_usage(args, "-o has no name");
    if (strcmp(o->out, "-") == 0)
        o->to = EXTRACT_TO_STDOUT;
    else if (names_file(o->format, o->out) && !cli_is_folder(o->out))
        o->to = EXTRACT_TO_FILE;
    else
        o->to = EXTRACT_TO_FOLDER;
    if (o->format->mirror && o->to != EXTRACT_TO_FOLDER)
        return cli_usage(args, "--format %s is a folder: give -o DIR", o->format->name);
    o->part = PART_DEFAULT;
    if (part && o->to != EXTRACT_TO_FOLDER)
        return cli_usage(args, "--part is for folders; '%s' is one file", o->out);
    return cli_number(args, "part", PART_MIN, PART_MAX, &o->part);
}

/* By --compress, by the name of the file, or as the format is used. */
static int read_coding(struct extract_options *o, const struct cli_args *args)
{
    enum output_coding otherwise =
        o->to == EXTRACT_TO_FOLDER ? o->format->coding : output_coding_of(o->out);
    int code = output_cli(args, otherwise, &o->output);
    if (code) return code;
    if (o->format->mirror) o->output.coding = OUTPUT_NONE;
    unsigned jobs = o->crawl.jobs;
    bool alone = jobs == 1 || (jobs <= ZSTD_ALONE && o->output.level <= ZSTD_FAST);
    o->output.jobs = alone ? 0 : (int)(jobs < ZSTD_JOBS ? jobs : ZSTD_JOBS);
    return CLI_OK;
}

/* --- what is in it ---------------------------------------------------------------------------- */

static int read_format(struct extract_options *o, const struct cli_args *args)
{
    const char *text = cli_get(args, "text");
    o->format = &extract_formats[cli_choice(args, "format", 0)];
    o->text = adit_format_find(adit_str_z(text ? text : o->format->text));
    o->crawl.rich = o->text && o->text->rich;
    o->source = cli_get(args, "source");
    if (!o->source) o->source = "adit";
    return o->text ? CLI_OK : CLI_USAGE;
}

static int read_fields(struct extract_options *o, const struct cli_args *args)
{
    const char *given;
    o->fields = UINT64_MAX;
    for (size_t i = 0; (given = cli_nth(args, "fields", i)); i++) {
        struct adit_str rest = adit_str_z(given), name;
        if (i == 0) o->fields = 0;
        while (adit_str_split(&rest, ',', &name)) {
            uint64_t bit = extract_field(adit_str_trim(name));
            if (!bit)
                return cli_usage(args, "--fields: there is no member '%.*s'", (int)name.len,
                                 name.p);
            o->fields |= bit;
        }
    }
    return CLI_OK;
}

static int read_choice(struct extract_options *o, const struct cli_args *args)
{
    o->dedup = cli_has(args, "dedup");
    int code = cli_number(args, "min-words", 0, CLI_ANY, &o->min_words);
    return code ? code : clock_generated(args, &o->generated);
}

int extract_options_read(struct extract_options *o, const struct cli_args *args)
{
    *o = (struct extract_options){.crawl.mixed = true};
    static int (*const parts[])(struct extract_options *, const struct cli_args *) = {
        read_format, read_target, read_coding, read_fields, read_choice};
    int code = crawl_options_read(&o->crawl, args);
    for (size_t i = 0; code == CLI_OK && i < ADIT_COUNT(parts); i++) code = parts[i](o, args);
    return code;
}

void extract_options_free(struct extract_options *o)
{
    free(o->inputs);
    crawl_options_free(&o->crawl);
}

static void add_flag(struct adit_buf *out, const char *name, bool on)
{
    if (on) adit_buf_byte(out, ' '), adit_buf_lit(out, name);
}

void extract_settings(const struct extract_options *o, struct adit_buf *out)
{
    const struct crawl_options *c = &o->crawl;
    adit_buf_lit(out, o->format->name);
    adit_buf_byte(out, ' ');
    adit_buf_lit(out, o->text->name);
    adit_buf_lit(out, " rules " ADIT_RULES_VERSION " fields ");
    adit_buf_u64(out, o->fields);
    adit_buf_lit(out, " words ");
    adit_buf_u64(out, o->min_words);
    adit_buf_lit(out, " part ");
    adit_buf_u64(out, o->part);
    adit_buf_byte(out, ' ');
    adit_buf_lit(out, output_coding_names[o->output.coding]);
    add_flag(out, "dedup", o->dedup);
    add_flag(out, "keep-noindex", c->keep_noindex);
    add_flag(out, "keep-noarchive", c->keep_noarchive);
    add_flag(out, "keep-private", c->keep_private);
    add_flag(out, "strict-private", c->strict_private);
    add_flag(out, "respect-optout", c->respect_optout);
    for (size_t i = 0; i < c->n_hosts; i++)
        adit_buf_lit(out, " host "), adit_buf_add(out, c->hosts[i]);
    for (size_t i = 0; i < c->n_include; i++)
        adit_buf_lit(out, " include "), adit_buf_add(out, c->include[i]);
    for (size_t i = 0; i < c->n_exclude; i++)
        adit_buf_lit(out, " exclude "), adit_buf_add(out, c->exclude[i]);
    const char *const texts[] = {c->base_url, c->charset, c->language, o->source};
    for (size_t i = 0; i < ADIT_COUNT(texts); i++)
        adit_buf_byte(out, ' '), adit_buf_lit(out, texts[i] ? texts[i] : "-");
}
