/* clock: the time that a run calls its own, and the time that passes. */
#ifndef ADIT_CLOCK_H
#define ADIT_CLOCK_H

#include "base/time.h"
#include "batch/cli.h"

/* --generated, else SOURCE_DATE_EPOCH, else the clock; whole seconds. CLI_OK, or says what is wrong
 * and returns the exit code. */
int clock_generated(const struct cli_args *args, struct adit_time *t);

/* Milliseconds of a clock that nobody sets (CLOCK_MONOTONIC). */
int64_t clock_ms(void);

#endif
