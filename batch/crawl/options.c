/* The options that all readers of crawls share, checked before anything is read. */
#include "batch/cli/cli.h"
#include "batch/crawl/crawl.h"
#include "text/text.h"

#include <string.h>
#include <unistd.h>

enum { MEMORY_DEFAULT = 256 << 20, MEMORY_MIN = 8 << 20, JOBS_MAX = 256 };

/* The values of an option that may be given many times, in the arena. */
static struct adit_str *values_of(struct crawl_options *o, const struct cli_args *args,
                                  const char *name, size_t *n)
{
    *n = 0;
    while (cli_nth(args, name, *n)) ++*n;
    struct adit_str *v = adit_arena_zalloc(&o->arena, *n, sizeof *v);
    for (size_t i = 0; v && i < *n; i++) v[i] = adit_str_z(cli_nth(args, name, i));
    if (!v) *n = 0;
    return v;
}

static struct adit_str lower(struct crawl_options *o, struct adit_str s)
{
    char *p = adit_arena_alloc(&o->arena, s.len);
    for (size_t i = 0; p && i < s.len; i++) p[i] = adit_lower(s.p[i]);
    return adit_str_of(p, p ? s.len : 0);
}

bool crawl_config_read(const char *path, struct adit_config *config)
{
    struct adit_buf text, why;
    *config = (struct adit_config){0}; /* may be freed, whatever comes of it */
    adit_buf_init(&text, cli_mem, ADIT_LIMIT_config_bytes);
    adit_buf_init(&why, cli_mem, 4096);
    if (!path) adit_buf_lit(&text, "{}");
    bool ok = !path || cli_read(path, &text);
    if (ok && adit_config_parse(config, adit_buf_str(&text), cli_mem, &why) != ADIT_OK) {
        cli_say(path, "%.*s", (int)why.len, why.p);
        ok = false;
    }
    adit_buf_free(&text);
    adit_buf_free(&why);
    return ok;
}

static bool set_origin(struct crawl_options *o, const char *scheme, struct adit_str rest)
{
    struct adit_buf origin;
    adit_buf_init(&origin, cli_mem, ADIT_LIMIT_url_bytes);
    adit_buf_lit(&origin, scheme);
    adit_buf_add(&origin, rest);
    bool ok = !origin.err && adit_config_set_origin(&o->config, adit_buf_str(&origin));
    adit_buf_free(&origin);
    return ok;
}

/* Without --by-host and --mixed, the first --host is the site and the others are other names of
 * it. */
static bool hosts_are_one_site(struct crawl_options *o)
{
    if (o->by_host || o->mixed || o->n_hosts == 0) return true;
    if (o->config.origin.len == 0 && !set_origin(o, "https://", o->hosts[0])) {
        cli_say(NULL, "--host: '%.*s' is not a host name", (int)o->hosts[0].len, o->hosts[0].p);
        return false;
    }
    struct adit_config_list *list = &o->config.hosts;
    struct adit_str *v = adit_arena_zalloc(&o->arena, list->n + o->n_hosts, sizeof *v);
    if (!v) return false;
    if (list->n) memcpy(v, list->v, list->n * sizeof *v);
    memcpy(v + list->n, o->hosts, o->n_hosts * sizeof *v);
    list->v = v;
    list->n += o->n_hosts;
    return true;
}

static int read_site(struct crawl_options *o, const struct cli_args *args)
{
    if (!crawl_config_read(cli_get(args, "config"), &o->config)) return CLI_USAGE;
    o->base_url = cli_get(args, "base-url");
    o->by_host = cli_has(args, "by-host");
    o->mixed = o->mixed || cli_has(args, "mixed");
    if (o->by_host && o->mixed) return cli_usage(args, "--by-host and --mixed exclude each other");
    o->hosts = values_of(o, args, "host", &o->n_hosts);
    for (size_t i = 0; i < o->n_hosts; i++) o->hosts[i] = lower(o, o->hosts[i]);
    if (o->base_url) {
        struct adit_str origin = adit_url_origin(cli_url(args, "base-url", &o->arena));
        if (o->config.origin.len == 0 && !set_origin(o, "", origin))
            return cli_usage(args, "--base-url '%s' is no site's address", o->base_url);
    }
    return hosts_are_one_site(o) ? CLI_OK : CLI_USAGE;
}

static int read_numbers(struct crawl_options *o, const struct cli_args *args)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t jobs = cores > 0 ? (uint64_t)cores : 1, memory = MEMORY_DEFAULT;
    int code = cli_number(args, "jobs", 1, JOBS_MAX, &jobs);
    if (!code) code = cli_number(args, "memory", MEMORY_MIN, CLI_MEMORY_MAX, &memory);
    o->jobs = (unsigned)(jobs > JOBS_MAX ? JOBS_MAX : jobs);
    o->memory = (size_t)memory;
    return code;
}

static int read_globs(struct crawl_options *o, const struct cli_args *args)
{
    o->include = values_of(o, args, "include", &o->n_include);
    o->exclude = values_of(o, args, "exclude", &o->n_exclude);
    for (size_t i = 0; i < o->n_include + o->n_exclude; i++) {
        struct adit_str g = i < o->n_include ? o->include[i] : o->exclude[i - o->n_include];
        if (!adit_glob_valid(g))
            return cli_usage(args, "the pattern '%.*s' has a [ without ]", (int)g.len, g.p);
    }
    return CLI_OK;
}

int crawl_options_read(struct crawl_options *o, const struct cli_args *args)
{
    *o = (struct crawl_options){.started_ms = clock_ms(),
                                .mixed = o->mixed,
                                .no_inputs = o->no_inputs,
                                .is_mine = o->is_mine};
    adit_arena_init(&o->arena, cli_mem, 16u << 20);
    static int (*const parts[])(struct crawl_options *,
                                const struct cli_args *) = {read_site, read_numbers, read_globs};
    for (size_t i = 0; i < ADIT_COUNT(parts); i++) {
        int code = parts[i](o, args);
        if (code) return code;
    }
    o->json = cli_has(args, "json");
    o->keep_noindex = cli_has(args, "keep-noindex");
    o->keep_noarchive = cli_has(args, "keep-noarchive");
    o->keep_private = cli_has(args, "keep-private");
    o->strict_private = cli_has(args, "strict-private");
    o->respect_optout = cli_has(args, "respect-optout");
    o->strip_html_suffix = cli_has(args, "strip-html-suffix");
    o->charset = cli_get(args, "charset");
    o->language = cli_get(args, "language");
    o->silent = cli_has(args, "quiet");
    o->quiet = o->json || o->silent || !isatty(STDERR_FILENO);
    if (o->keep_private && o->strict_private)
        return cli_usage(args, "--keep-private and --strict-private exclude each other");
    int code = fetch_cli(args, &o->net);
    if (code || !o->no_inputs) return code ? code : crawl_inputs_read(o, args);
    if (args->n_files) return cli_usage(args, "'%s': this step reads no inputs", args->files[0]);
    return CLI_OK;
}

void crawl_options_free(struct crawl_options *o)
{
    crawl_inputs_free(o);
    adit_config_free(&o->config);
    adit_arena_free(&o->arena);
}

bool crawl_origin_known(const struct crawl_options *o) { return o->config.origin.len > 0; }
