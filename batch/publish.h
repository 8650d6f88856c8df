/* publish: files of a folder that take their places together.
 *
 *   p = publish_open(dir)              waits for its turn, ends what a killed run had begun
 *   out = publish_output(p, name, …)   files without a name, while the folder is as it was
 *   publish_commit(p, &files)          all of them, in the order of files, or none
 *   publish_close(p)
 *
 * Before the commit point a run that is killed, fails or finds no space has changed no file; after
 * it every file is whole, and the next publish_open finishes what is left to do. batch/README.md
 * says how. Names are adit's own (see own_files in publish_journal.c) and lie in dir or in folders
 * of it; a link at such a name is replaced, a link on the way to it is an error. */
#ifndef ADIT_PUBLISH_H
#define ADIT_PUBLISH_H

#include "batch/pack_files.h"

struct publish;

/* Makes dir if need be. NULL: said on stderr. */
struct publish *publish_open(const char *dir);
/* The folder `name` of top, which is locked, too; made by the commit if it is not there. top must
 * outlive it. name: judged by below_name_fault. */
struct publish *publish_below(struct publish *top, struct adit_str name);
void publish_close(struct publish *p); /* NULL is fine */

/* A journal of a killed run was found and finished. */
bool publish_finished(const struct publish *p);
/* Whether dir waits for a run that finishes what a killed one had begun. */
bool publish_unfinished(const char *dir);
const char *publish_dir(const struct publish *p);
/* A folder on the same file system that is there already, for files without a name. */
const char *publish_temp(const struct publish *p);

/* The output DIR/NAME; it belongs into the files of publish_commit, or is discarded. NULL: said. */
struct output *publish_output(struct publish *p, const char *name,
                              const struct output_options *options);
/* A whole small file, added to files. */
bool publish_file(struct publish *p, const char *name, struct adit_str bytes,
                  struct file_set *files);
/* Frees files in any case. False: said on stderr. */
bool publish_commit(struct publish *p, struct file_set *files);

#endif
