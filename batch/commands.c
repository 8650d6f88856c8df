/* The commands of the native program, in the order of `adit help`. */
#include "batch/commands.h"

const struct cli_command *const cli_commands[] = {
    &cmd_version,
    NULL,
};
