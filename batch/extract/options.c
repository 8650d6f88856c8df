/* What extract has of its own on the command line. */
#include "batch/extract/extract.h"
#include "batch/extract/extract_impl.h"

#include <stdlib.h>
#include <string.h>

enum { PART_DEFAULT = 256 << 20, PART_MIN = 1 << 16 };
/* Compressing at a level up to this takes a tenth of the time of converting: with up to so many threads
 * the one that takes records in order compresses them, too, and no thread of zstd's is left to be waited
 * for when the last page is converted. */
enum { ZSTD_FAST = 5, ZSTD_ALONE = 4, ZSTD_JOBS = 4 };

/* --- where it goes ---------------------------------------------------------------------------- */

/* "x.jsonl.zst" is one file; so is "x.jsonl"; any other name is that of a folder. */
static bool names_file(const struct extract_format *f, const char *path)
{
    struct adit_str name = adit_str_z(path);
    for (int i = OUTPUT_ZSTD; i > OUTPUT_NONE; i--) {
        struct adit_str coding = adit_str_z(output_coding_suffixes[i]);
        if (!adit_str_ends(name, coding)) continue;
        name.len -= coding.len;
        break;
    }
    for (const char *const *e = f->endings; e && *e; e++)
        if (adit_str_ends(name, adit_str_z(*e))) return true;
    return false;
}

static int read_target(struct extract_options *o, const struct cli_args *args)
{
    const char *part = cli_get(args, "part");
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
    if (part && (!cli_size(part, &o->part) || o->part < PART_MIN || o->part > INT64_MAX))
        return cli_usage(args, "--part '%s' is not a size of at least 64K", part);
    if (part && o->to != EXTRACT_TO_FOLDER)
        return cli_usage(args, "--part is for folders; '%s' is one file", o->out);
    return CLI_OK;
}

/* By --compress, by the name of the file, or as the format is used. */
static int read_coding(struct extract_options *o, const struct cli_args *args)
{
    const char *by = o->to == EXTRACT_TO_FILE ? o->out : "x";
    if (!output_cli(args, by, &o->output)) return CLI_USAGE;
    if (!cli_has(args, "compress") && o->to == EXTRACT_TO_FOLDER) {
        enum output_coding coding = o->format->coding;
        static const int level_max[] = {0, 9, 22};
        if (o->output.level > level_max[coding])
            return cli_usage(
                args, "--level %d is not possible with --compress %s (zstd: 1 to 22, gzip: 1 to 9)",
                o->output.level, output_coding_names[coding]);
        o->output.coding = coding;
    }
    if (o->format->mirror) o->output.coding = OUTPUT_NONE;
    unsigned jobs = o->crawl.jobs;
    bool alone = jobs == 1 || (jobs <= ZSTD_ALONE && o->output.level <= ZSTD_FAST);
    o->output.jobs = alone ? 0 : (int)(jobs < ZSTD_JOBS ? jobs : ZSTD_JOBS);
    return CLI_OK;
}

/* --- what is in it ---------------------------------------------------------------------------- */

static int read_format(struct extract_options *o, const struct cli_args *args)
{
    const char *name = cli_get(args, "format"), *text = cli_get(args, "text");
    o->format = extract_formats;
    while (name && o->format->name && strcmp(o->format->name, name) != 0) o->format++;
    if (!o->format->name) {
        struct cli_near near = {.wanted = name};
        for (o->format = extract_formats; o->format->name; o->format++)
            cli_near_try(&near, o->format->name);
        return cli_usage(args, "there is no format '%s'%s%s: " EXTRACT_FORMATS "", name,
                         near.best ? ", is it " : "", near.best ? near.best : "");
    }
    if (!text) text = o->format->text;
    if (strcmp(text, "text") != 0 && strcmp(text, "md") != 0)
        return cli_usage(args, "--text is text or md, not '%s'", text);
    o->text = adit_format_find(adit_str_z(text));
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
    const char *words = cli_get(args, "min-words"), *dedup = cli_get(args, "dedup");
    if (words && !adit_str_u64(adit_str_z(words), &o->min_words))
        return cli_usage(args, "--min-words '%s' is not a number", words);
    if (dedup && strcmp(dedup, "exact") != 0)
        return cli_usage(args, "--dedup is exact, not '%s'", dedup);
    o->dedup = dedup != NULL;
    return clock_generated(args, &o->generated);
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
