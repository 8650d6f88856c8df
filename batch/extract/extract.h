/* extract: captures of crawls to records of text, one each, for pipelines that read corpora; and pages
 * that come as files or lines.
 *
 *   inputs ─▶ crawl ─▶ workers: page ─▶ format ─▶ order of input ─▶ one file, or parts in a folder
 */
#ifndef ADIT_EXTRACT_H
#define ADIT_EXTRACT_H

#include "batch/cli/cli.h"
#include "convert/convert.h"
#include "format/format.h"

/* adit extract; the exit code. */
int extract_command(const struct cli_args *args);

/* For help texts. */
#define EXTRACT_FORMATS "jsonl|dolma|wet|md"

/* --- lines (lines.c): adit page --lines ------------------------------------------------------- */

struct extract_lines_options {
    const struct adit_format *format;
    struct adit_str language, date;  /* of pages that do not say theirs; RFC 3339 */
    bool whole, links, front_matter; /* the last with md alone */
};
/* Answers standard input line by line; the exit code. */
int extract_lines(const struct extract_lines_options *o);

/* --- pages (pages.c) -------------------------------------------------------------------------- */

/* By our name for it, or that of others; NULL: there is none. */
const struct adit_format *extract_find_format(const char *name);
/* Says that there is none, and which there are; returns CLI_USAGE. */
int extract_no_format(const struct cli_args *args, const char *name);
bool extract_format_is_json(const struct adit_format *f);
const char *extract_format_ending(const struct adit_format *f); /* ".md" */

/* NULL, or what the bytes are that are no HTML: "is no HTML, but: PDF". */
const char *extract_page_refused(struct adit_str body);

/* Called for each file; name: below its operand, or its last component. The highest exit code counts;
 * from CLI_USAGE on no further operand is looked at. */
typedef int extract_each(void *ctx, const char *file, const char *name);
/* Files as they are, of folders all HTML files below them, by name. */
int extract_each_file(char **operands, size_t n, extract_each *each, void *ctx);
/* FOLDER/NAME with another ending, whole or not at all, with the folders that it lies in. False: said. */
bool extract_write_file(const char *folder, struct adit_str name, const char *ending,
                        struct adit_str bytes);
/* What a file below a folder is on the web. Appends. */
void extract_file_url(struct adit_str base, const char *name, struct adit_buf *url);

#endif
