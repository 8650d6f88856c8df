/* progress: one line on a terminal, kept current: how far, how fast, how long still. */
#ifndef ADIT_PROGRESS_H
#define ADIT_PROGRESS_H

#include "base/base.h"

struct progress {
    bool on;
    int64_t started_ms, shown_ms;
};

/* on: whether stderr is a terminal and nobody asked for silence. */
void progress_start(struct progress *p, bool on, int64_t now_ms);
/* Shows the state, at most five times a second. total 0: unknown. */
void progress_show(struct progress *p, int64_t now_ms, uint64_t done, uint64_t total,
                   uint64_t pages, uint64_t skipped);
void progress_end(struct progress *p); /* clears the line */

#endif
