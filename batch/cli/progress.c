/* The progress line. */
#include "batch/cli/cli.h"

#include <stdio.h>
#include <string.h>

enum { BAR = 20, PERIOD_MS = 200 };

void progress_start(struct progress *p, bool on, int64_t now_ms)
{
    *p = (struct progress){.on = on, .started_ms = now_ms, .shown_ms = now_ms};
}

/* Names are the users' or strangers': what a terminal might obey is shown as '?', and a long name by
 * its end, which tells the files of a crawl apart. */
void progress_name(struct progress *p, const char *path)
{
    if (!p->on) return;
    const char *slash = path ? strrchr(path, '/') : NULL;
    const char *last = slash && slash[1] ? slash + 1 : path ? path : "";
    size_t len = strlen(last), room = sizeof p->name - 1;
    if (len > room) last += len - room;
    size_t i = 0;
    for (; last[i]; i++) p->name[i] = last[i] >= ' ' && last[i] <= '~' ? last[i] : '?';
    p->name[i] = '\0';
}

void progress_show(struct progress *p, int64_t now_ms, uint64_t done, uint64_t total,
                   uint64_t pages, uint64_t skipped)
{
    if (!p->on || now_ms - p->shown_ms < PERIOD_MS) return;
    p->shown_ms = now_ms;
    uint64_t ms = (uint64_t)(now_ms - p->started_ms) + 1, rate = done / ms; /* KB a second */
    char bar[BAR + 16] = "", eta[32] = "";
    if (total && done <= total) {
        uint64_t percent = total > UINT64_MAX / 100 ? done / (total / 100) : done * 100 / total;
        for (size_t i = 0; i < BAR; i++) bar[i] = i * 100 / BAR < percent ? '#' : '.';
        snprintf(bar + BAR, sizeof bar - BAR, " %3u%% ", (unsigned)percent);
        uint64_t left = rate ? (total - done) / rate / 1000 : 0;
        snprintf(eta, sizeof eta, "  ETA %llu:%02llu", (unsigned long long)left / 60,
                 (unsigned long long)left % 60);
    }
    fprintf(stderr, "\r%s%llu MB  %llu.%llu MB/s  %llu pages  %llu passed over%s%s%s\x1b[K", bar,
            (unsigned long long)done / 1000000, (unsigned long long)rate / 1000,
            (unsigned long long)rate % 1000 / 100, (unsigned long long)pages,
            (unsigned long long)skipped, eta, *p->name ? "  " : "", p->name);
    fflush(stderr);
}

void progress_end(struct progress *p)
{
    if (p->on) fprintf(stderr, "\r\x1b[K");
}
