/* The commands of the WASI program: those that need no threads, sockets or system libraries. */
#include "batch/commands.h"

const struct cli_command *const cli_commands[] = {
    &cmd_page,
    &cmd_fingerprint,
    &cmd_version,
    NULL,
};
