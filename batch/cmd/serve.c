/* adit serve */
#include "batch/cli/cli.h"
#include "batch/crawl/crawl.h"
#include "batch/serve/serve.h"
#include "scp/scp.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The names by which the server itself is called count as the site's. */
static bool add_local_hosts(struct adit_config *c, struct adit_str local)
{
    size_t end = local.p[0] == '[' ? adit_str_chr(local, ']', 0) + 1 : adit_str_chr(local, ':', 0);
    struct adit_str more[] = {adit_str_sub(local, 0, end), ADIT_STR("localhost"),
                              ADIT_STR("127.0.0.1")};
    size_t n = c->hosts.n + ADIT_COUNT(more);
    struct adit_str *v = adit_arena_alloc(&c->arena, n * sizeof *v);
    if (!v) return false;
    if (c->hosts.n) memcpy(v, c->hosts.v, c->hosts.n * sizeof *v);
    memcpy(v + c->hosts.n, more, sizeof more);
    c->hosts = (struct adit_config_list){v, n};
    return true;
}

/* Limits with their defaults; false after saying which one is wrong. */
static bool read_limits(const struct cli_args *args, struct server *s)
{
    const struct {
        const char *name;
        uint64_t *out, value, min, max;
    } rows[] = {
        {"max-body", &s->max_body, 16 << 20, 0, 1ull << 40},
        {"max-connections", &s->limits.connections, 1000, 16, 1 << 16},
        {"per-address", &s->limits.per_address, 64, 1, 1 << 16},
        {"header-timeout", &s->limits.header_s, 10, 1, 3600},
        {"body-timeout", &s->limits.body_s, 60, 1, 86400},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        *rows[i].out = rows[i].value;
        if (cli_number(args, rows[i].name, rows[i].min, rows[i].max, rows[i].out)) return false;
    }
    s->trusted = calloc(args->n_given + 1, sizeof *s->trusted);
    for (const char *t; s->trusted && (t = cli_nth(args, "trusted-proxy", s->n_trusted));)
        if (!watch_range_parse(t, &s->trusted[s->n_trusted++])) {
            cli_usage(args, "--trusted-proxy '%s' is no address or range (10.0.0.0/8)", t);
            return false;
        }
    return s->trusted != NULL;
}

/* What the server writes into links, what is odd about that, and what to try. */
static void greet(const struct server *s, const char *where, bool is_url)
{
    struct adit_str origin = s->config->origin, local = s->local;
    char manifest[4096];
    snprintf(manifest, sizeof manifest, "%s/" ADIT_SCP_MANIFEST, where);
    if (!is_url && access(manifest, R_OK) == 0)
        cli_say(
            where,
            "is a publication, which `adit pack` wrote: its files are served as they are. A site's folder has the HTML");
    cli_say(
        NULL, "links begin with %.*s%s", (int)origin.len, origin.p,
        is_url && !s->named
            ? ", the upstream, where no machine URL answers: say with origin in --config what the site is called"
            : "");
    cli_say(NULL, "try: curl -H 'Accept: text/markdown' http://%.*s/", (int)local.len, local.p);
}

static int serve(const struct cli_args *args, struct adit_config *c, int fd, const char *local)
{
    struct server *s = calloc(1, sizeof *s);
    if (!s) return CLI_OUTPUT;
    const char *where = args->files[0];
    bool is_url = strstr(where, "://") != NULL;
    struct adit_str base = {0};
    int status = CLI_INVALID;
    if (!read_limits(args, s)) {
        server_free(s);
        free(s);
        return CLI_USAGE;
    }
    s->config = c;
    s->takes_bodies = is_url;
    s->local = adit_str_z(local);
    s->log = cli_has(args, "quiet") ? NULL : stdout;
    s->log_json = cli_has(args, "log-json");
    s->origin =
        is_url ? origin_upstream(where) : origin_dir(where, c, cli_has(args, "strip-html-suffix"));
    if (!s->origin) {
        server_free(s);
        free(s);
        return CLI_INVALID;
    }
    char here[96];
    snprintf(here, sizeof here, "http://%s", local);
    if (is_url) {
        origin_upstream_base(where, &base);
        s->upstream = adit_url_authority(base);
    }
    s->named = c->origin.len > 0;
    if (!s->named) adit_config_set_origin(c, is_url ? base : adit_str_z(here));
    if (add_local_hosts(c, s->local) && server_init(s)) {
        greet(s, where, is_url);
        if (s->origin->start) s->origin->start(s->origin);
        if (s->log) setvbuf(s->log, NULL, _IOLBF, 1 << 16);
        struct inspect *i = inspect_start(s, cli_has(args, "inspect"), cli_get(args, "metrics"));
        if (i) status = server_run(s, fd);
        inspect_stop(i);
    }
    server_free(s);
    s->origin->free(s->origin);
    free(s);
    return status;
}

static int print_config(struct adit_config *c)
{
    struct adit_buf out;
    adit_buf_init(&out, cli_mem, 8u << 20);
    adit_config_print(c, &out);
    cli_data_line(adit_buf_str(&out));
    adit_buf_free(&out);
    adit_config_free(c);
    return CLI_OK;
}

static int run_serve(const struct cli_args *args)
{
    char local[80];
    struct adit_config c;
    struct adit_str base;
    const char *listen = cli_get(args, "listen"), *metrics = cli_get(args, "metrics");
    if (args->n_files != 1 && !cli_has(args, "print-config"))
        return cli_usage(args, "serve takes one folder or upstream URL");
    if (args->n_files && strstr(args->files[0], "://") &&
        !origin_upstream_base(args->files[0], &base))
        return cli_usage(args,
                         "'%s' is no upstream: http:// or https:// and a host, without a path",
                         args->files[0]);
    if (metrics && !server_is_address(metrics))
        return cli_usage(args, "--metrics '%s' is no address: PORT, HOST:PORT or :PORT", metrics);
    if (!crawl_config_read(cli_get(args, "config"), &c)) {
        adit_config_free(&c);
        return CLI_INVALID;
    }
    if (cli_has(args, "print-config")) return print_config(&c);
    int fd = server_listen(listen ? listen : "127.0.0.1:8080", local), status = CLI_INVALID;
    if (fd >= 0)
        status = serve(args, &c, fd, local);
    else if (fd == SERVER_NO_ADDRESS)
        status = cli_usage(args, "--listen '%s' is no address: PORT, HOST:PORT or :PORT", listen);
    adit_config_free(&c);
    return status;
}

static const struct cli_option options[] = {
    CLI_GROUP("What to serve"),
    {"listen", "[HOST:]PORT", CLI_VALUE,
     "where to listen; port 0 takes a free one, :PORT all addresses (127.0.0.1:8080)"},
    {"config", "FILE", CLI_VALUE, "adit.json: the site's configuration"},
    {"strip-html-suffix", NULL, CLI_FLAG, "the file /post.html is the page /post, as in pack"},
    {"print-config", NULL, CLI_FLAG, "print the configuration, defaults and all, as JSON; and end"},
    CLI_GROUP("To look at"),
    {"inspect", NULL, CLI_FLAG,
     "a page, for you only, that shows each page and what machines see of it, and why"},
    {"metrics", "HOST:PORT", CLI_VALUE, "counters for Prometheus, at /metrics of this address"},
    {"log-json", NULL, CLI_FLAG,
     "the access log as lines of JSON; else the combined format, and route, ms, reason"},
    {"quiet", NULL, CLI_FLAG, "no access log on standard output"},
    CLI_GROUP("Limits"),
    {"max-body", "SIZE", CLI_VALUE, "largest body of a request (16M); folders take none"},
    {"max-connections", "N", CLI_VALUE, "connections at once; slow ones give way to others (1000)"},
    {"per-address", "N", CLI_VALUE, "connections of one address (64); not counted on loopback"},
    {"trusted-proxy", "ADDR[/N]", CLI_MANY, "an address or range without that limit"},
    {"header-timeout", "SECONDS", CLI_VALUE, "for a whole header, from its first byte (10)"},
    {"body-timeout", "SECONDS", CLI_VALUE, "for a body, and one more for each 16 KB of it (60)"},
    {0},
};

const struct cli_command cmd_serve = {
    .name = "serve",
    .usage = "DIR|URL [--listen HOST:PORT] [--config FILE]",
    .summary = "the edge as a server: a folder or another server, with machine views",
    .details =
        "Serves the files of DIR, or passes requests on to URL (http:// or https:// and a host), and\n"
        "answers the machine URL of every page: /post/llm/ for /post/. Without a configuration the\n"
        "site's public origin is the upstream, or the address listened on.\n"
        "In front of an upstream, with a configuration that has an origin, requests for other hosts than\n"
        "its origin, its hosts and this machine are refused (421); the upstream never hears another name.\n"
        "--inspect prints the URL of a page that shows the HTML and the machine view side by side; it\n"
        "has a port of its own on this machine and a secret in its path. --metrics has an address of its\n"
        "own as well: nothing of the server is to be seen at the site's address.\n"
        "Malformed or ambiguous requests are refused, and their connections closed.\n"
        "Over a folder, llm-sitemap.json, sitemap.xml and llms.txt are made of its pages as they are at\n"
        "the moment of the request, unless the folder has files of these names.\n"
        "Over an archive (adit archive), /artifacts/ID/versions, and Memento's /timemap/link/URL,\n"
        "/timegate/URL and /memento/TIME/URL (RFC 7089) are answered.\n"
        "SIGTERM ends the server when the requests under way are answered.\n\n"
        "  adit serve public/ --inspect\n"
        "  adit serve public/ --listen 127.0.0.1:8080\n"
        "  adit serve https://example.com --config adit.json",
    .options = options,
    .run = run_serve,
};
