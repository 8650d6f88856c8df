/* adit version */
#include "batch/cli/cli.h"
#include "base/base.h"

#include <stdio.h>

static int run_version(const struct cli_args *args)
{
    if (args->n_files) return cli_usage(args, "'%s': version takes no files", args->files[0]);
    if (cli_has(args, "json"))
        cli_print("{\"rules\":\"" ADIT_RULES_VERSION "\",\"rules_date\":\"" ADIT_RULES_DATE
                  "\",\"version\":\"" ADIT_VERSION "\"}\n");
    else
        cli_print("adit " ADIT_VERSION ", rules " ADIT_RULES_VERSION " of %.10s\n",
                  ADIT_RULES_DATE);
    return CLI_OK;
}

const struct cli_command cmd_version = {
    .name = "version",
    .usage = "[--json]",
    .summary = "the version of the program and of its conversion rules",
    .run = run_version,
};
