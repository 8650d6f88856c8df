/* The commands: one file and one row each. */
#ifndef ADIT_COMMANDS_H
#define ADIT_COMMANDS_H

#include "batch/cli/cli.h"

extern const struct cli_command cmd_page;
extern const struct cli_command cmd_pack;
extern const struct cli_command cmd_check;
extern const struct cli_command cmd_cat;
extern const struct cli_command cmd_stat;
extern const struct cli_command cmd_delta;
extern const struct cli_command cmd_apply;
extern const struct cli_command cmd_merge;
extern const struct cli_command cmd_changes;
extern const struct cli_command cmd_feed;
extern const struct cli_command cmd_fingerprint;
extern const struct cli_command cmd_archive;
extern const struct cli_command cmd_serve;
extern const struct cli_command cmd_sync;
extern const struct cli_command cmd_version;

#endif
