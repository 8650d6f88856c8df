/* What was read, and why some of it is not listed. */
#include "batch/crawl/crawl.h"

void crawl_counts_add(struct crawl_counts *to, const struct crawl_counts *more)
{
    /* A struct of counters only. */
    void *all = to; /* nothing but numbers */
    const void *others = more;
    uint64_t *t = all;
    const uint64_t *m = others;
    _Static_assert(sizeof *to % sizeof *t == 0, "only 64-bit counters");
    for (size_t i = 0; i < sizeof *to / sizeof *t; i++) t[i] += m[i];
}

bool crawl_records_lost(const struct crawl_counts *c)
{
    return c->skips[CRAWL_SKIP_host] || c->faults[WARC_FAULT_damaged] ||
           c->faults[WARC_FAULT_garbage] || c->faults[WARC_FAULT_header] ||
           c->faults[WARC_FAULT_cut_off] || c->inputs_failed || c->lost ||
           c->skips[CRAWL_SKIP_unreadable];
}
