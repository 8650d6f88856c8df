/* pack's command line, checked before anything is read. */
#include "batch/below.h"
#include "batch/changes.h"
#include "batch/clock.h"
#include "batch/pack.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SITEMAP_NAME_MAX = BELOW_NAME_MAX - 16 }; /* "-0001" must fit in */
enum { MEMORY_DEFAULT = 256 << 20, MEMORY_MIN = 8 << 20, JOBS_MAX = 256, ZSTD_JOBS = 4 };

static const struct pack_freq freqs[] = {
    {"hourly", 3600},
    {"daily", 86400},
    {"weekly", 7 * 86400},
    {"monthly", 30 * 86400},
};

static const struct pack_freq *find_freq(struct adit_str name)
{
    for (size_t i = 0; i < ADIT_COUNT(freqs); i++)
        if (adit_str_eq(adit_str_z(freqs[i].name), name)) return &freqs[i];
    return NULL;
}

static struct adit_str *values(struct pack_options *o, const struct cli_args *args,
                               const char *name, size_t *n)
{
    *n = 0;
    while (cli_nth(args, name, *n)) ++*n;
    struct adit_str *v = adit_arena_zalloc(&o->arena, *n, sizeof *v);
    for (size_t i = 0; v && i < *n; i++) v[i] = adit_str_z(cli_nth(args, name, i));
    if (!v) *n = 0;
    return v;
}

static struct adit_str lower(struct pack_options *o, struct adit_str s)
{
    char *p = adit_arena_alloc(&o->arena, s.len);
    for (size_t i = 0; p && i < s.len; i++) p[i] = adit_lower(s.p[i]);
    return adit_str_of(p, p ? s.len : 0);
}

/* --- configuration and site --------------------------------------------------------------------
 */

static bool read_config(struct pack_options *o, const char *path)
{
    struct adit_buf text, why;
    adit_buf_init(&text, cli_mem, ADIT_LIMIT_config_bytes);
    adit_buf_init(&why, cli_mem, 4096);
    if (!path) adit_buf_lit(&text, "{}");
    bool ok = !path || cli_read(path, &text);
    if (ok && adit_config_parse(&o->config, adit_buf_str(&text), cli_mem, &why) != ADIT_OK) {
        cli_say(path, "%.*s", (int)why.len, why.p);
        ok = false;
    }
    adit_buf_free(&text);
    adit_buf_free(&why);
    return ok;
}

static bool set_origin(struct pack_options *o, const char *scheme, struct adit_str rest)
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
static bool hosts_are_one_site(struct pack_options *o)
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

/* The origin of an absolute URL: "https://example.com/blog/" gives "https://example.com". */
static struct adit_str origin_of(struct adit_str url)
{
    size_t host = adit_str_find(url, ADIT_STR("://"), 0);
    if (host == url.len) return (struct adit_str){0};
    return adit_str_sub(url, 0, adit_str_chr(url, '/', host + 3));
}

/* The last part of sitemap.path becomes a file's name. */
static int check_sitemap_name(const struct pack_options *o, const struct cli_args *args)
{
    static const char *const others[] = {"scp-manifest.json", "report.json", NULL};
    struct adit_str path = o->config.sitemap_path, name;
    size_t slash = path.len;
    while (slash > 0 && path.p[slash - 1] != '/') slash--;
    name = adit_str_sub(path, slash, path.len);
    const char *fault = below_name_fault(name, others);
    if (!fault && !adit_str_ends(name, ADIT_STR(".json"))) fault = "does not end with .json";
    if (!fault && name.len > SITEMAP_NAME_MAX) fault = "is too long for a file name";
    if (!fault) return CLI_OK;
    return cli_usage(args, "sitemap.path: '%.*s' %s", (int)name.len, name.p, fault);
}

static int read_site(struct pack_options *o, const struct cli_args *args)
{
    if (!read_config(o, cli_get(args, "config"))) return CLI_USAGE;
    o->base_url = cli_get(args, "base-url");
    o->by_host = cli_has(args, "by-host");
    o->mixed = cli_has(args, "mixed");
    if (o->by_host && o->mixed) return cli_usage(args, "--by-host and --mixed exclude each other");
    o->hosts = values(o, args, "host", &o->n_hosts);
    for (size_t i = 0; i < o->n_hosts; i++) o->hosts[i] = lower(o, o->hosts[i]);
    int code = o->mixed ? CLI_OK : check_sitemap_name(o, args);
    if (code) return code;
    if (o->base_url) {
        struct adit_str url = adit_str_z(o->base_url), origin = origin_of(url);
        if (!origin.len || (o->config.origin.len == 0 && !set_origin(o, "", origin)))
            return cli_usage(args, "--base-url '%s' is not an http or https URL", o->base_url);
    }
    return hosts_are_one_site(o) ? CLI_OK : CLI_USAGE;
}

/* --- sections ------------------------------------------------------------------------------------
 */

static bool valid_name(struct adit_str s)
{
    return changes_section_name(s) && adit_str_chr(s, '.', 0) == s.len;
}

static bool add_section(struct pack_options *o, struct adit_str name, struct adit_str prefix)
{
    if (!valid_name(name) || prefix.len == 0 || prefix.p[0] != '/') return false;
    size_t i = 0;
    while (i < o->n_sections && !adit_str_eq(o->sections[i].name, name)) i++;
    if (i == 0 && o->n_sections) return adit_str_eq(prefix, ADIT_STR("/")); /* all */
    o->sections[i] = (struct pack_section){name, prefix, &freqs[1]};
    if (i == o->n_sections) o->n_sections++;
    return true;
}

static bool set_freq(struct pack_options *o, struct adit_str name, struct adit_str value)
{
    const struct pack_freq *freq = find_freq(value);
    bool found = name.len == 0;
    for (size_t i = 0; i < o->n_sections && freq; i++) {
        if (name.len && !adit_str_eq(o->sections[i].name, name)) continue;
        o->sections[i].freq = freq;
        found = true;
    }
    return freq && found;
}

static int read_sections(struct pack_options *o, const struct cli_args *args)
{
    size_t n_cli = 0;
    while (cli_nth(args, "section", n_cli)) n_cli++;
    o->sections =
        adit_arena_zalloc(&o->arena, n_cli + o->config.sections.n + 1, sizeof *o->sections);
    if (!o->sections) return CLI_OUTPUT;
    add_section(o, ADIT_STR("all"), ADIT_STR("/"));
    for (size_t i = 0; i < o->config.sections.n; i++) {
        struct adit_str name = o->config.sections.v[i].name;
        if (!add_section(o, name, o->config.sections.v[i].value))
            return cli_usage(args,
                             "sections: '%.*s' cannot be a section's name: letters, digits, "
                             "- and _, at most 128; 'all' is always /",
                             (int)name.len, name.p);
    }
    for (size_t i = 0; i < n_cli; i++) {
        struct adit_str text = adit_str_z(cli_nth(args, "section", i));
        size_t eq = adit_str_chr(text, '=', 0);
        if (!add_section(o, adit_str_sub(text, 0, eq), adit_str_sub(text, eq + 1, text.len)))
            return cli_usage(args, "--section '%s' is not NAME=/PATH/",
                             cli_nth(args, "section", i));
    }
    for (size_t i = 0; i < o->config.update_freq.n; i++)
        set_freq(o, o->config.update_freq.v[i].name, o->config.update_freq.v[i].value);
    const char *text;
    for (size_t i = 0; (text = cli_nth(args, "update-freq", i)); i++) {
        struct adit_str s = adit_str_z(text);
        size_t eq = adit_str_chr(s, '=', 0);
        bool named = eq < s.len;
        if (!set_freq(o, adit_str_sub(s, 0, named ? eq : 0),
                      adit_str_sub(s, named ? eq + 1 : 0, s.len)))
            return cli_usage(
                args, "--update-freq '%s' is not [SECTION=]hourly|daily|weekly|monthly", text);
    }
    return CLI_OK;
}

/* --- the rest ------------------------------------------------------------------------------------
 */

static int read_numbers(struct pack_options *o, const struct cli_args *args)
{
    const char *jobs = cli_get(args, "jobs"), *memory = cli_get(args, "memory");
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t n = cores > 0 ? (uint64_t)cores : 1;
    if (jobs && (!adit_str_u64(adit_str_z(jobs), &n) || n == 0 || n > JOBS_MAX))
        return cli_usage(args, "--jobs '%s' is not a number from 1 to %d", jobs, JOBS_MAX);
    o->jobs = (unsigned)(n > JOBS_MAX ? JOBS_MAX : n);
    n = MEMORY_DEFAULT;
    if (memory && (!cli_size(memory, &n) || n < MEMORY_MIN || n > SIZE_MAX / 2))
        return cli_usage(args, "--memory '%s' is not a size of at least 8M", memory);
    o->memory = (size_t)n;
    return CLI_OK;
}

static int read_generated(struct pack_options *o, const struct cli_args *args)
{
    return clock_generated(args, &o->generated);
}

static int read_globs(struct pack_options *o, const struct cli_args *args)
{
    o->include = values(o, args, "include", &o->n_include);
    o->exclude = values(o, args, "exclude", &o->n_exclude);
    for (size_t i = 0; i < o->n_include + o->n_exclude; i++) {
        struct adit_str g = i < o->n_include ? o->include[i] : o->exclude[i - o->n_include];
        if (!adit_glob_valid(g))
            return cli_usage(args, "the pattern '%.*s' has a [ without ]", (int)g.len, g.p);
    }
    return CLI_OK;
}

int pack_options_read(struct pack_options *o, const struct cli_args *args)
{
    *o = (struct pack_options){.started_ms = clock_ms()};
    adit_arena_init(&o->arena, cli_mem, 16u << 20);
    static int (*const parts[])(struct pack_options *, const struct cli_args *) = {
        read_site, read_sections, read_numbers, read_generated, read_globs,
    };
    for (size_t i = 0; i < ADIT_COUNT(parts); i++) {
        int code = parts[i](o, args);
        if (code) return code;
    }
    o->out = cli_get(args, "o");
    o->previous = cli_get(args, "previous");
    o->inputs = args->files;
    o->n_inputs = args->n_files;
    o->complete = cli_has(args, "complete");
    o->dry_run = cli_has(args, "dry-run");
    o->json = cli_has(args, "json");
    o->keep_noindex = cli_has(args, "keep-noindex");
    o->keep_noarchive = cli_has(args, "keep-noarchive");
    o->strip_html_suffix = cli_has(args, "strip-html-suffix");
    o->no_checksum = cli_has(args, "no-checksum");
    o->charset = cli_get(args, "charset");
    o->language = cli_get(args, "language");
    o->quiet = o->json || !isatty(STDERR_FILENO);
    if (o->n_inputs == 0) return cli_usage(args, "no input: give WARC files or folders of HTML");
    if (!o->out && !o->dry_run) return cli_usage(args, "no output: give -o DIR");
    if (!output_cli(args, "x.zst", &o->output)) return CLI_USAGE;
    o->output.jobs = o->jobs > 1 ? (int)(o->jobs < ZSTD_JOBS ? o->jobs : ZSTD_JOBS) : 0;
    return CLI_OK;
}

void pack_options_free(struct pack_options *o)
{
    adit_config_free(&o->config);
    adit_arena_free(&o->arena);
}

bool pack_origin_known(const struct pack_options *o) { return o->config.origin.len > 0; }
