/* The commands of the native program, in the order of `adit help`. */
#include "batch/commands.h"

/* clang-format off */
const struct cli_command *const cli_commands[] = {
    &cmd_page,
    &cmd_pack,
    &cmd_check,
    &cmd_cat,
    &cmd_stat,
    &cmd_delta,
    &cmd_apply,
    &cmd_merge,
    &cmd_changes,
    &cmd_feed,
    &cmd_archive,
    &cmd_fingerprint,
    &cmd_serve,
    &cmd_sync,
    &cmd_version,
    NULL,
};
/* clang-format on */
