/* The options of commands that go to the network, into those of the client. */
#include "batch/fetch/fetch.h"
#include "base/base.h"

#include <stdlib.h>

enum { DAY_S = 86400, PARALLEL = 4, PARALLEL_MAX = 64 };

/* Requests a second, "0.5" too, as the time between two. */
static bool read_rate(const char *text, unsigned *interval_ms)
{
    char *end;
    double rate = strtod(text, &end);
    if (*end || !(rate > 0.0001) || rate > 1000) return false;
    *interval_ms = (unsigned)(1000 / rate);
    return true;
}

size_t fetch_cli_many(const struct cli_args *args, const char *name, const char **to)
{
    size_t n = 0;
    for (const char *text; (text = cli_nth(args, name, n)); n++)
        if (n < FETCH_CLI_MANY) to[n] = text;
    return n;
}

int fetch_cli(const struct cli_args *args, struct fetch_cli *c)
{
    struct fetch_options *o = &c->options;
    const char *text, *headers[FETCH_CLI_MANY];
    uint64_t seconds = DAY_S, parallel = PARALLEL;
    int code = cli_number(args, "max-time", 1, (uint64_t)30 * DAY_S, &seconds);
    if (!code) code = cli_number(args, "parallel", 1, PARALLEL_MAX, &parallel);
    if (!code) code = cli_number(args, "max-bytes", 1, CLI_ANY, &o->bytes_max);
    if (code) return code;
    if ((text = cli_get(args, "rate")) && !read_rate(text, &o->interval_ms))
        return cli_usage(args, "--rate '%s' is not a number of requests a second, like 0.5", text);
    o->run_ms = seconds * 1000, o->parallel = (unsigned)parallel;
    text = cli_get(args, "user-agent");
    o->user_agent = text ? text : "adit/" ADIT_VERSION;
    o->netrc = cli_get(args, "netrc"), o->ca_file = cli_get(args, "cacert");
    o->proxy = cli_get(args, "proxy");
    o->allow_http = cli_has(args, "allow-http");
    o->allow_private = cli_has(args, "allow-private");
    o->robots = true;
    o->n_secrets = fetch_cli_many(args, "header", headers);
    o->n_resolve = fetch_cli_many(args, "resolve", c->resolve);
    if (o->n_secrets > FETCH_CLI_MANY || o->n_resolve > FETCH_CLI_MANY)
        return cli_usage(args, "--header and --resolve can each be given %d times at most",
                         FETCH_CLI_MANY);
    for (size_t i = 0; i < o->n_secrets; i++)
        c->secrets[i] = (struct fetch_secret){.line = headers[i]};
    o->secrets = c->secrets, o->resolve = c->resolve;
    return CLI_OK;
}
