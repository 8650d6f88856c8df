/* adit serve */
#include "batch/commands.h"
#include "batch/serve.h"

#include <stdlib.h>
#include <string.h>

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

static bool read_config(const char *path, struct adit_config *c)
{
    struct adit_buf json, why;
    adit_buf_init(&json, cli_mem, ADIT_LIMIT_config_bytes);
    adit_buf_init(&why, cli_mem, 4096);
    if (!path) adit_buf_lit(&json, "{}");
    bool fine = !path || cli_read(path, &json);
    if (fine && adit_config_parse(c, adit_buf_str(&json), cli_mem, &why) != ADIT_OK) {
        cli_say(path, "%.*s", (int)why.len, why.len ? why.p : "");
        adit_config_free(c);
        fine = false;
    }
    adit_buf_free(&json);
    adit_buf_free(&why);
    return fine;
}

static int serve(const struct cli_args *args, struct adit_config *c, int fd, const char *local)
{
    struct server *s = calloc(1, sizeof *s);
    if (!s) return CLI_OUTPUT;
    const char *where = args->files[0];
    bool is_url = strstr(where, "://") != NULL;
    struct adit_str base = {0};
    int status = CLI_INVALID;
    s->config = c;
    s->local = adit_str_z(local);
    s->log = cli_has(args, "quiet") ? NULL : stdout;
    s->origin = is_url ? origin_upstream(where) : origin_dir(where, c);
    if (!s->origin) {
        free(s);
        return CLI_INVALID;
    }
    char here[96];
    snprintf(here, sizeof here, "http://%s", local);
    if (is_url) {
        origin_upstream_base(where, &base);
        s->upstream = adit_str_sub(base, adit_str_find(base, ADIT_STR("//"), 0) + 2, base.len);
    }
    if (!c->origin.len) adit_config_set_origin(c, is_url ? base : adit_str_z(here));
    if (add_local_hosts(c, s->local) && server_init(s)) {
        if (s->log) setvbuf(s->log, NULL, _IOLBF, 1 << 16);
        status = server_run(s, fd);
    }
    server_free(s);
    s->origin->free(s->origin);
    free(s);
    return status;
}

static int run(const struct cli_args *args)
{
    char local[80];
    struct adit_config c;
    const char *listen = cli_get(args, "listen");
    if (args->n_files != 1) return cli_usage(args, "serve takes one folder or upstream URL");
    if (!read_config(cli_get(args, "config"), &c)) return CLI_INVALID;
    int fd = server_listen(listen ? listen : "127.0.0.1:8080", local);
    int status = fd < 0 ? CLI_INVALID : serve(args, &c, fd, local);
    adit_config_free(&c);
    return status;
}

static const struct cli_option options[] = {
    {"listen", "HOST:PORT", CLI_VALUE, "where to listen; port 0 takes a free one (127.0.0.1:8080)"},
    {"config", "FILE", CLI_VALUE, "the site's configuration (adit.json)"},
    {"quiet", NULL, CLI_FLAG, "no access log on standard output"},
    {0},
};

const struct cli_command cmd_serve = {
    .name = "serve",
    .usage = "DIR|URL [--listen HOST:PORT] [--config FILE]",
    .summary = "the edge as a server: a folder or another server, with machine views",
    .details =
        "Serves the files of DIR, or passes requests on to URL (http:// or https:// and a host), "
        "and\n"
        "answers the machine URL of every page: /post/llm/ for /post/. Without a configuration "
        "the\n"
        "site's public origin is the upstream, or the address listened on.\n"
        "http://HOST:PORT/-/ shows both views of a page; /-/metrics counts (both for this machine\n"
        "only). SIGTERM ends the server when the requests under way are answered.\n\n"
        "  adit serve public/ --listen 127.0.0.1:8080\n"
        "  adit serve https://example.com --config adit.json",
    .options = options,
    .run = run,
};
