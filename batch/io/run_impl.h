/* Runs: sorted records in temporary files, and their merge. */
#ifndef ADIT_IO_RUN_IMPL_H
#define ADIT_IO_RUN_IMPL_H

#include "batch/io/io.h"

struct sort_run;

struct sort_runs {
    const char *dir;
    sorter_cmp *cmp;
    struct sort_run *v[SORTER_FAN];
    size_t n;
    size_t heap[SORTER_FAN], heap_n; /* runs by their current record */
    bool advance, failed;
    uint64_t bytes;
};

/* A new run to write to; NULL (said on stderr) if there is no space or memory. When there are
 * SORTER_FAN of them already, half of them are first merged into one. */
struct sort_run *sort_run_new(struct sort_runs *r);
bool sort_run_write(struct sort_run *run, struct adit_str record);
bool sort_run_write_parts(struct sort_run *run, const struct adit_str *parts, size_t n,
                          uint64_t len);
/* Puts the run, which is written, among the others; takes it in any case. */
bool sort_run_done(struct sort_runs *r, struct sort_run *run);
/* A run that somebody else has written; takes source. NULL: said on stderr. */
struct sort_run *sort_run_of(struct sort_runs *r, struct sorter_source *source);
void sort_run_discard(struct sort_run *run); /* NULL is fine */

/* The merge of all runs. */
bool sort_runs_start(struct sort_runs *r);
bool sort_runs_next(struct sort_runs *r, struct adit_str *record);
void sort_runs_free(struct sort_runs *r);

#endif
