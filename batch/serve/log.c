/* The access log of `adit serve`: one line a request, in the common format with route, milliseconds
 * and reason. */
#include "batch/serve/request_impl.h"

enum { PATH = 2048 };

void serve_log(const struct request *q)
{
    struct server *s = q->server;
    struct timespec end;
    struct tm tm;
    char date[40], path[PATH];
    size_t n = 0;
    if (!s->log) return;
    clock_gettime(CLOCK_REALTIME, &end);
    gmtime_r(&q->start.tv_sec, &tm);
    strftime(date, sizeof date, "%d/%b/%Y:%H:%M:%S +0000", &tm);
    for (const char *p = q->target; p && *p && n + 5 < sizeof path; p++) {
        unsigned char c = (unsigned char)*p;
        if (c < 32 || c >= 127 || c == '"' || c == '\\')
            n += (size_t)snprintf(path + n, sizeof path - n, "\\x%02x", c);
        else
            path[n++] = *p;
    }
    path[n] = '\0';
    double ms = (double)(end.tv_sec - q->start.tv_sec) * 1e3 +
                (double)(end.tv_nsec - q->start.tv_nsec) / 1e6;
    const struct adit_exchange *x = q->drive.x;
    cli_print_to(s->log, "%s - - [%s] \"%s %s\" %u %llu %s %.1f %s\n",
                 q->client[0] ? q->client : "-", date, q->method, path, q->status,
                 (unsigned long long)q->sent, x ? x->route : "-", ms,
                 x && x->reason ? adit_reasons[x->reason].name : "-");
}
