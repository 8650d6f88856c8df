/* What notes.c gathers under a lock and report.c prints: apart from crawl.h, which is compiled for
 * WASI too, where there are no threads. */
#ifndef ADIT_CRAWL_NOTES_IMPL_H
#define ADIT_CRAWL_NOTES_IMPL_H

#include "batch/crawl/crawl.h"

#include <pthread.h>

struct crawl_notes {
    pthread_mutex_t lock;
    struct crawl_note skips[CRAWL_SKIP_COUNT][CRAWL_NOTES];
    struct crawl_slow slowest[CRAWL_SLOWEST];
    _Atomic uint64_t least; /* microseconds: what is not more is not noted */
};

#endif
