/* extract: captures of crawls to records of text, one each, for pipelines that read corpora.
 *
 *   inputs ─▶ crawl ─▶ workers: page ─▶ format ─▶ order of input ─▶ one file, or parts in a folder
 */
#ifndef ADIT_EXTRACT_H
#define ADIT_EXTRACT_H

#include "batch/cli/cli.h"

/* adit extract; the exit code. */
int extract_command(const struct cli_args *args);

/* For help texts. */
#define EXTRACT_FORMATS "jsonl|dolma|wet|md"

#endif
