/* The progress line. */
#include "batch/cli/cli.h"

#include <stdio.h>

enum { BAR = 24, PERIOD_MS = 200 };

void progress_start(struct progress *p, bool on, int64_t now_ms)
{
    *p = (struct progress){.on = on, .started_ms = now_ms, .shown_ms = now_ms};
}

void progress_show(struct progress *p, int64_t now_ms, uint64_t done, uint64_t total,
                   uint64_t pages, uint64_t skipped)
{
    if (!p->on || now_ms - p->shown_ms < PERIOD_MS) return;
    p->shown_ms = now_ms;
    uint64_t ms = (uint64_t)(now_ms - p->started_ms) + 1;
    char bar[BAR + 1] = "", eta[32] = "";
    if (total && done <= total) {
        size_t full = (size_t)(done * BAR / total);
        for (size_t i = 0; i < BAR; i++) bar[i] = i < full ? '#' : '.';
        uint64_t left = done ? (total - done) * ms / done / 1000 : 0;
        snprintf(eta, sizeof eta, "  ETA %llu:%02llu", (unsigned long long)left / 60,
                 (unsigned long long)left % 60);
    }
    fprintf(stderr, "\r%s%s%llu MB  %llu pages  %llu/s  %llu skipped%s\x1b[K", bar, *bar ? " " : "",
            (unsigned long long)done / 1000000, (unsigned long long)pages,
            (unsigned long long)(pages * 1000 / ms), (unsigned long long)skipped, eta);
    fflush(stderr);
}

void progress_end(struct progress *p)
{
    if (p->on) fprintf(stderr, "\r\x1b[K");
}
