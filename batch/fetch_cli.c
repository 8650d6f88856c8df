#include "batch/fetch_cli.h"
#include "base/rules.h"

enum { SECONDS_MAX = 30 * 86400 };

int fetch_cli(const struct cli_args *args, struct fetch_cli *c)
{
    struct fetch_options *o = &c->options;
    const char *text;
    uint64_t seconds = 0;
    if ((text = cli_get(args, "max-time")) &&
        (!adit_str_u64(adit_str_z(text), &seconds) || !seconds || seconds > SECONDS_MAX))
        return cli_usage(args, "--max-time is a number of seconds");
    o->run_ms = seconds * 1000;
    text = cli_get(args, "user-agent");
    o->user_agent = text ? text : "adit/" ADIT_VERSION;
    o->netrc = cli_get(args, "netrc"), o->ca_file = cli_get(args, "cacert");
    o->allow_http = cli_has(args, "allow-http");
    o->allow_private = cli_has(args, "allow-private");
    o->robots = true;
    for (; o->n_secrets < FETCH_CLI_MANY && (text = cli_nth(args, "header", o->n_secrets));
         o->n_secrets++)
        c->secrets[o->n_secrets] = (struct fetch_secret){.line = text};
    for (; o->n_resolve < FETCH_CLI_MANY && (text = cli_nth(args, "resolve", o->n_resolve));
         o->n_resolve++)
        c->resolve[o->n_resolve] = text;
    o->secrets = c->secrets, o->resolve = c->resolve;
    return CLI_OK;
}
