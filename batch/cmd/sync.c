/* adit sync: follows a site. */
#include "batch/archive/archive.h"
#include "batch/cli/cli.h"
#include "batch/fetch/fetch.h"
#include "batch/sync/sync.h"
#include "text/text.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    ARENA_MAX = 256 << 20,
    DAY = 24 * 3600,
};

bool sync_is_own(const struct sync *s, struct adit_str url)
{
    return adit_str_eq(adit_url_origin(url), s->origin);
}

static struct progress progress;

void sync_progress(struct sync *s, uint64_t done, uint64_t total)
{
    progress_show(&progress, clock_ms(), done, total, s->report.fetched, s->report.lost);
}

/* --- the command line ------------------------------------------------------------------------- */

/* The first value that is no purpose; NULL: all are. */
static const char *parse_purposes(const struct cli_args *args, unsigned *out)
{
    const char *text;
    for (size_t k = 0; (text = cli_nth(args, "purpose", k)); k++) {
        unsigned i = 0;
        while (i < ADIT_TCT_PURPOSES && strcmp(text, adit_tct_purpose_names[i]) != 0) i++;
        if (i == ADIT_TCT_PURPOSES) return text;
        *out |= 1u << i;
    }
    return NULL;
}

static int parse_options(struct sync *s, const struct cli_args *args)
{
    static struct fetch_cli client;
    static uint8_t key[ADIT_P256_PUBLIC];
    static const char *origins[FETCH_CLI_MANY];
    struct sync_options *o = &s->o;
    uint64_t days = 7, age = 365;
    const char *text;
    o->quota = (uint64_t)10 << 30, o->sample = 20;
    o->check = cli_has(args, "check"), o->head = cli_has(args, "head");
    o->no_guess = cli_has(args, "no-guess"), o->trust_hash = cli_has(args, "trust-hash");
    o->fresh = cli_has(args, "fresh"), o->list = cli_has(args, "list") && !cli_has(args, "json");
    o->via = (enum sync_via)cli_choice(args, "via", SYNC_AUTO);
    if ((text = parse_purposes(args, &o->purposes)))
        return cli_usage(args, "--purpose is ai-input, ai-train or search, not '%s'", text);
    int code = cli_number(args, "snapshot-every", 1, 3650, &days);
    if (!code) code = cli_number(args, "max-age", 1, 36500, &age);
    if (!code) code = cli_number(args, "sample", 1, 1000000, &o->sample);
    if (!code) code = cli_number(args, "quota", 0, CLI_ANY, &o->quota);
    if (!code) code = fetch_cli(args, &client);
    if (code) return code;
    o->max_age_s = (int64_t)age * DAY;
    if ((text = cli_get(args, "key"))) {
        if (!archive_public_key(text, key)) return CLI_USAGE;
        o->key = key;
    }
    o->changes_url = cli_get(args, "changes");
    o->snapshot_every_s = (int64_t)days * DAY;
    o->fetch = client.options;
    if (!o->fetch.run_ms) o->fetch.run_ms = (uint64_t)DAY * 1000;
    o->fetch.origins = origins; /* those, and the site */
    o->fetch.n_origins = fetch_cli_many(args, "allow-origin", origins);
    if (o->fetch.n_origins > FETCH_CLI_MANY)
        return cli_usage(args, "--allow-origin can be given %d times at most", FETCH_CLI_MANY);
    return CLI_OK;
}

static bool parse_site(struct sync *s, const char *text)
{
    struct adit_str url;
    if (adit_url_page(adit_str_z(text), &s->arena, &url)) return false;
    s->site = adit_arena_dup(&s->arena, url, NULL);
    s->origin = adit_url_origin(s->site);
    /* A bare host has the path "/". */
    char *z = adit_arena_alloc(&s->arena, s->site.len + 1);
    if (!z) return false;
    memcpy(z, s->site.p, s->site.len), z[s->site.len] = 0;
    s->o.fetch.site = z;
    return true;
}

/* --- a run ------------------------------------------------------------------------------------ */

static int run_in(struct sync *s, const char *folder)
{
    s->dir = strdup(folder);
    return s->dir ? sync_run(s) : CLI_OUTPUT;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st, (void)kind, (void)ftw;
    return remove(path);
}

/* A check keeps nothing. */
static int run_in_temporary(struct sync *s)
{
    const char *dir = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/adit-check-XXXXXX", dir && *dir ? dir : "/tmp");
    if (!mkdtemp(path)) {
        cli_say(path, "%s", strerror(errno));
        return CLI_OUTPUT;
    }
    int code = run_in(s, path);
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return code;
}

static void begin(struct sync *s, const struct cli_args *args)
{
    struct adit_buf b;
    s->args = args, s->lock = -1;
    s->now = (int64_t)time(NULL);
    s->report.via = "nothing";
    adit_arena_init(&s->arena, cli_mem, ARENA_MAX);
    adit_buf_init(&s->record, cli_mem, 1 << 20);
    adit_buf_init(&b, cli_mem, 64);
    adit_time_write(&b, (struct adit_time){s->now, 0});
    s->now_text = adit_arena_dup(&s->arena, adit_buf_str(&b), NULL);
    adit_buf_free(&b);
    progress_start(&progress, isatty(STDERR_FILENO) && !cli_has(args, "quiet"), clock_ms());
}

static void end(struct sync *s)
{
    progress_end(&progress);
    sorter_free(s->changes);
    adit_buf_free(&s->record);
    adit_arena_free(&s->arena);
    free(s->dir);
    free(s);
}

/* Nothing is held, and nothing is left for the next run: somebody expected pages. */
static bool is_empty(const struct sync *s)
{
    const struct sync_report *r = &s->report;
    if (s->state.pages || r->left) return false;
    const char *why = r->unusable                 ? r->unusable
                      : r->noindex || r->personal ? "none of its pages is to be kept"
                      : r->robots                 ? "robots.txt refuses all of them"
                      : r->gone                   ? "what it lists is not there"
                      : r->lost                   ? "none could be taken"
                                                  : "it lists none";
    cli_say(NULL, "%.*s: no page: %s", (int)s->site.len, s->site.p, why);
    return true;
}

/* Another site's sitemap lies there, or the address is not the one that the site calls itself by. */
static bool is_foreign(const struct sync *s)
{
    if (!s->report.unusable || !s->report.foreign) return false;
    if (s->state.pages) cli_say(NULL, "%.*s: %s", (int)s->site.len, s->site.p, s->report.unusable);
    return true;
}

static int run_sync(const struct cli_args *args)
{
    if (cli_has(args, "rules")) {
        sync_rules_print();
        return CLI_OK;
    }
    bool check = cli_has(args, "check");
    if (args->n_files != (check ? 1u : 2u))
        return cli_usage(args,
                         check ? "--check takes a URL alone" : "a URL and a folder are needed");
    struct sync *s = calloc(1, sizeof *s);
    if (!s) return CLI_OUTPUT;
    begin(s, args);
    int code = parse_options(s, args);
    if (code == CLI_OK && !parse_site(s, args->files[0]))
        code = cli_usage(args, "'%s' is not an http or https URL", args->files[0]);
    if (code == CLI_OK) {
        code = check ? run_in_temporary(s) : run_in(s, args->files[1]);
        progress_end(&progress);
        if (code == CLI_OK) sync_report_print(s);
        bool bad =
            check ? sync_has_violations(s) : s->report.lost > 0 || is_empty(s) || is_foreign(s);
        if (code == CLI_OK && bad) code = CLI_INVALID;
    }
    end(s);
    return code;
}

static const struct cli_option options[] = {
    CLI_GROUP("What to do"),
    {"via", "auto|tct|scp|html", CLI_CHOICE,
     "how to follow (default auto: what costs fewer bytes)"},
    {"check", NULL, CLI_FLAG,
     "keep nothing; say whether the site conforms to TCT and SCP, and suits agents"},
    {"sample", "N", CLI_VALUE, "with --check: pages that are looked at (20)"},
    {"head", NULL, CLI_FLAG, "TCT: ask with HEAD before GET"},
    {"fresh", NULL, CLI_FLAG, "ask again for robots.txt, policy and discovery"},
    {"rules", NULL, CLI_FLAG, "list the rules that a site can break"},
    CLI_GROUP("Output"),
    {"quota", "SIZE", CLI_VALUE, "most bytes that the folder may hold (10G)"},
    {"snapshot-every", "DAYS", CLI_VALUE, "SCP: a whole snapshot at least that often (7)"},
    {"changes", "URL", CLI_VALUE,
     "also keep ResourceSync change lists in DIR, which is published at URL (see adit feed)"},
    {"list", NULL, CLI_FLAG, "name every page that is new, updated or deleted (not with --json)"},
    CLI_QUIET,
    CLI_GROUP("Network and safety"),
    {"purpose", "ai-input|ai-train|search", CLI_MANY,
     "what the pages are for (default: all of these)"},
    {"allow-origin", "URL", CLI_MANY, "SCP: another origin that collections may come from"},
    {"max-age", "DAYS", CLI_VALUE, "SCP: older collections are not used (365)"},
    {"no-guess", NULL, CLI_FLAG,
     "TCT: ask only for what the site names, never at well-known paths"},
    {"key", "FILE", CLI_VALUE,
     "TCT: take only what is signed by this key (P-256: PEM, or hex digits)"},
    {"trust-hash", NULL, CLI_FLAG,
     "TCT: take payloads, too, whose hash is not the one that they state"},
    FETCH_CLI_OPTIONS,
    {0},
};

const struct cli_command cmd_sync = {
    .name = "sync",
    .usage = "URL DIR | --check URL",
    .summary = "follow a site: keep a local collection of its pages up to date",
    .details =
        "Finds out what the site offers (Link fields, <link> elements, robots.txt, well-known\n"
        "places), obeys its robots.txt and its policy, and fetches only what has changed: by TCT\n"
        "(a JSON sitemap, and a machine view of each page) the pages whose contentHash in the\n"
        "sitemap is not that of the page held, by SCP (collections of many pages in one file) the\n"
        "snapshot or the deltas since the last run. What fails its checks is not used: a payload\n"
        "whose hash is not the one that it states, a collection of long ago. A JSON sitemap of\n"
        "any draft is read; if none of its items can be used, collections are tried, then HTML,\n"
        "and a line says so. No page at all is exit code 1.\n\n"
        "DIR gets site.scp.zst (all pages, sorted by URL), pages.jsonl (what is known of each)\n"
        "and state.json; a killed run loses nothing, the next one goes on. A page by TCT becomes\n"
        "blocks of text cut at blank lines, with the sitemap's time as modified; description is\n"
        "empty and language und where the payload does not say. With --header or --netrc all is\n"
        "kept in a folder of its own in DIR, for its owner alone; other fields, or other bytes in\n"
        "the netrc file, mean another folder.\n\n"
        "With --check nothing is kept: every rule that the site breaks is named, and the exit\n"
        "code is 1 if one of them is a must. Rates of the site's policy, Retry-After and\n"
        "RateLimit fields are kept in any case.\n\n"
        "  adit sync https://example.com/ example --purpose search\n"
        "  adit sync https://example.com/ example --via scp --allow-origin https://cdn.example\n"
        "  adit sync --check https://example.com/ --sample 100",
    .options = options,
    .run = run_sync,
};
