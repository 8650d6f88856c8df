/* --compress and --level. */
#include "batch/io/io.h"

const char *const output_coding_names[] = {"none", "gzip", "zstd", NULL};
const char *const output_coding_suffixes[] = {"", ".gz", ".zst", NULL};

enum output_coding output_coding_of(const char *path)
{
    int coding = OUTPUT_ZSTD;
    while (coding > OUTPUT_NONE &&
           !adit_str_ends(adit_str_z(path), adit_str_z(output_coding_suffixes[coding])))
        coding--;
    return (enum output_coding)coding;
}

int output_cli(const struct cli_args *args, enum output_coding otherwise,
               struct output_options *options)
{
    /* In the order of --compress's words. */
    static const enum output_coding codings[] = {OUTPUT_ZSTD, OUTPUT_GZIP, OUTPUT_NONE};
    static const uint64_t level_max[] = {0, 9, 22};
    const char *level = cli_get(args, "level");
    uint64_t n = 0;
    *options = (struct output_options){.coding = otherwise};
    if (cli_has(args, "compress")) options->coding = codings[cli_choice(args, "compress", 0)];
    if (level && (!adit_str_u64(adit_str_z(level), &n) || n < 1 || n > level_max[options->coding]))
        return cli_usage(
            args, "--level '%s' is not possible with --compress %s (zstd: 1 to 22, gzip: 1 to 9)",
            level, output_coding_names[options->coding]);
    options->level = (int)n;
    return CLI_OK;
}
