/* The access log of `adit serve`, one line a request: in the combined format, with route,
 * milliseconds and reason behind it, or as JSON. Reasons have the names of the metrics. */
#include "batch/serve/request_impl.h"
#include "json/json.h"

enum { SHOWN = 2048 };

/* What a client wrote, for one line between quotes. */
static void quote(struct adit_str s, char out[SHOWN])
{
    size_t n = 0;
    for (size_t i = 0; i < s.len && n + 5 < SHOWN; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c < 32 || c >= 127 || c == '"' || c == '\\')
            n += (size_t)snprintf(out + n, SHOWN - n, "\\x%02x", c);
        else
            out[n++] = s.p[i];
    }
    if (n == 0) out[n++] = '-';
    out[n] = '\0';
}

struct line {
    const struct request *q;
    struct adit_str target, referer, agent;
    const char *client, *route, *reason;
    char date[40];
    double ms;
};

static void write_combined(FILE *to, const struct line *l)
{
    char target[SHOWN], referer[SHOWN], agent[SHOWN];
    quote(l->target, target);
    quote(l->referer, referer);
    quote(l->agent, agent);
    cli_print_to(to, "%s - - [%s] \"%s %s HTTP/%s\" %u %llu \"%s\" \"%s\" %s %.1f %s\n", l->client,
                 l->date, l->q->method, target, l->q->version, l->q->status,
                 (unsigned long long)l->q->sent, referer, agent, l->route, l->ms, l->reason);
}

/* Bytes that are no UTF-8 would make the line no JSON: such strings are given as combined has them.
 */
static void add_text(struct adit_json_writer *w, const char *key, struct adit_str s)
{
    char shown[SHOWN];
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.p[i] >= 127) {
            quote(s, shown);
            s = adit_str_z(shown);
            break;
        }
    if (s.len > SHOWN) s.len = SHOWN;
    adit_json_member(w, key, s);
}

static void write_json(FILE *to, const struct line *l)
{
    char ms[32];
    struct adit_buf b;
    struct adit_json_writer w = {.out = &b};
    adit_buf_init(&b, cli_mem, 64 << 10);
    snprintf(ms, sizeof ms, "%.1f", l->ms);
    adit_json_open(&w, '{');
    adit_json_member(&w, "time", adit_str_z(l->date));
    adit_json_member(&w, "client", adit_str_z(l->client));
    adit_json_member(&w, "method", adit_str_z(l->q->method));
    add_text(&w, "target", l->target);
    adit_json_member_uint(&w, "status", l->q->status);
    adit_json_member_uint(&w, "bytes", l->q->sent);
    adit_json_member(&w, "ms", adit_str_z(ms));
    adit_json_member(&w, "route", adit_str_z(l->route));
    adit_json_member(&w, "reason", adit_str_z(l->reason));
    add_text(&w, "referer", l->referer);
    add_text(&w, "user_agent", l->agent);
    adit_json_close(&w, '}');
    adit_buf_byte(&b, '\n');
    if (!b.err) fwrite(b.p, 1, b.len, to);
    adit_buf_free(&b);
}

void serve_log(const struct request *q)
{
    struct server *s = q->server;
    const struct adit_exchange *x = q->drive.x;
    struct timespec end;
    struct tm tm;
    if (!s->log) return;
    struct line l = {
        .q = q,
        .target = adit_str_z(q->target ? q->target : ""),
        .referer = adit_header_get(q->headers.v, q->headers.n, ADIT_STR("referer")),
        .agent = adit_header_get(q->headers.v, q->headers.n, ADIT_STR("user-agent")),
        .client = q->client[0] ? q->client : "-",
        .route = x ? x->route : "-",
        .reason = x && x->reason ? adit_reasons[x->reason].name : "-",
    };
    clock_gettime(CLOCK_REALTIME, &end);
    gmtime_r(&q->start.tv_sec, &tm);
    strftime(l.date, sizeof l.date, s->log_json ? "%Y-%m-%dT%H:%M:%SZ" : "%d/%b/%Y:%H:%M:%S +0000",
             &tm);
    l.ms = (double)(end.tv_sec - q->start.tv_sec) * 1e3 +
           (double)(end.tv_nsec - q->start.tv_nsec) / 1e6;
    if (s->log_json)
        write_json(s->log, &l);
    else
        write_combined(s->log, &l);
}
