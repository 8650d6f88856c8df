/* pack: from crawls to a publication: collections, sitemaps, change lists. */
#ifndef ADIT_PACK_H
#define ADIT_PACK_H

#include "batch/cli/cli.h"

/* The command: reads its options, reads the inputs with any number of threads, publishes. Returns the
 * exit code. */
int pack_command(const struct cli_args *args);

#endif
