/* --compress and --level. */
#include "batch/io/io.h"

const char *const output_coding_names[] = {"none", "gzip", "zstd", NULL};
const char *const output_coding_suffixes[] = {"", ".gz", ".zst", NULL};

static bool find_coding(const char *const *names, struct adit_str text, bool is_suffix,
                        enum output_coding *coding)
{
    for (int i = OUTPUT_ZSTD; i >= OUTPUT_NONE; i--) {
        struct adit_str name = adit_str_z(names[i]);
        if (is_suffix ? !adit_str_ends(text, name) : !adit_str_eq(text, name)) continue;
        *coding = (enum output_coding)i;
        return true;
    }
    return false;
}

bool output_cli(const struct cli_args *args, const char *path, struct output_options *options)
{
    static const uint64_t level_max[] = {0, 9, 22};
    const char *compress = cli_get(args, "compress"), *level = cli_get(args, "level");
    uint64_t n = 0;
    *options = (struct output_options){.coding = OUTPUT_ZSTD};
    if (!compress && path)
        find_coding(output_coding_suffixes, adit_str_z(path), true, &options->coding);
    if (compress &&
        !find_coding(output_coding_names, adit_str_z(compress), false, &options->coding)) {
        cli_usage(args, "--compress is zstd, gzip or none, not '%s'", compress);
        return false;
    }
    if (level &&
        (!adit_str_u64(adit_str_z(level), &n) || n < 1 || n > level_max[options->coding])) {
        cli_usage(args,
                  "--level '%s' is not possible with --compress %s (zstd: 1 to 22, gzip: 1 to 9)",
                  level, output_coding_names[options->coding]);
        return false;
    }
    options->level = (int)n;
    return true;
}
