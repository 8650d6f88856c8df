/* adit diff: what changed between two states of a site, for people. */
#include "batch/cli/cli.h"
#include "batch/collection/collection.h"
#include "batch/view/view.h"

static const struct cli_option options[] = {
    {"html", "FILE", CLI_VALUE, "write a page to look at, complete in itself, instead of printing"},
    {"stat", NULL, CLI_FLAG, "a line a page: its address, title, and how many words changed"},
    COLLECTION_CLI_LENIENT,
    CLI_QUIET,
    {0},
};

const struct cli_command cmd_diff = {
    .name = "diff",
    .usage = "OLD NEW [--stat] [--html FILE]",
    .summary = "show what changed between two collections or publications, page by page, by word",
    .details =
        "OLD and NEW are snapshots, or folders: publications of pack, copies that sync keeps. Pages\n"
        "are named with their titles: + added, ~ changed, - deleted. Of changed ones the lines with\n"
        "a change are shown, below the heading that they stand under; on a terminal in colours and\n"
        "by way of $PAGER, elsewhere as [-gone-] and {+new+}. --json says the same to programs.\n"
        "Exit status: 0 whether or not they differ; 1 an input is damaged, or pages were left out.\n"
        "\n"
        "  adit diff monday/public tuesday/public\n"
        "  adit diff old.scp.zst new.scp.zst --html changes.html\n"
        "  adit diff old new --json | jq -r '.pages[] | select(.change == \"added\").url'",
    .options = options,
    .run = view_diff,
};
