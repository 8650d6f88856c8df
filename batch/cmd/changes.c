/* adit changes: ResourceSync lists from two states of a site (IFCC-0001, For Authors). */
#include "batch/cli/cli.h"
#include "batch/changes/changes.h"
#include "json/json.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MEMORY = 64 << 20, SECTIONS_MAX = 1000, INDEXNOW_MAX = 256 << 20 };

struct run {
    const struct cli_args *args;
    struct compare compare;
    struct changes_options o;
    struct changes_section *sections;
    struct adit_arena arena;
    struct adit_url base;
    bool trees, path; /* path: the base is not the root of its host */
    struct adit_indexnow engines;
    struct adit_buf documents; /* of IndexNow */
};

/* --- the command line ------------------------------------------------------------------------- */

static struct adit_str join_two(struct run *r, struct adit_str a, struct adit_str b)
{
    char *p = adit_arena_alloc(&r->arena, a.len + b.len);
    if (!p) return (struct adit_str){0};
    if (a.len) memcpy(p, a.p, a.len);
    if (b.len) memcpy(p + a.len, b.p, b.len);
    return adit_str_of(p, a.len + b.len);
}

/* https://example.com, or https://example.com/path: no slash at the end. */
static int read_base(struct run *r)
{
    struct adit_str page = cli_url(r->args, "base-url", &r->arena);
    if (!page.len)
        return cli_usage(r->args, "--base-url is needed: the address at which DIR is published");
    if (adit_url_parse(page, NULL, &r->arena, &r->base) != ADIT_OK || r->base.has_query)
        return cli_usage(r->args, "--base-url '%s' is no folder: it has a query",
                         cli_get(r->args, "base-url"));
    r->o.base = r->base.href;
    while (adit_str_ends(r->o.base, ADIT_STR("/"))) r->o.base.len--;
    r->path = r->base.path.len > 1;
    return CLI_OK;
}

static struct changes_section *find_section(struct run *r, struct adit_str name)
{
    for (size_t i = 0; i < r->o.n_sections; i++)
        if (adit_str_eq(r->sections[i].name, name)) return &r->sections[i];
    return NULL;
}

static int read_sections(struct run *r, struct adit_str name)
{
    const char *text;
    struct adit_str folder = r->base.path;
    while (adit_str_ends(folder, ADIT_STR("/"))) folder.len--;
    struct adit_str origin = adit_str_sub(r->o.base, 0, r->o.base.len - folder.len);
    r->sections = adit_arena_zalloc(&r->arena, SECTIONS_MAX, sizeof *r->sections);
    if (!r->sections) return CLI_OUTPUT;
    r->sections[r->o.n_sections++] = (struct changes_section){
        .name = name,
        .prefix = join_two(r, folder, ADIT_STR("/")),
        .describes = join_two(r, r->o.base, ADIT_STR("/")),
    };
    for (size_t i = 0; (text = cli_nth(r->args, "section", i)); i++) {
        struct adit_str s = adit_str_z(text), prefix;
        size_t eq = adit_str_chr(s, '=', 0);
        prefix = adit_str_sub(s, eq + 1, s.len);
        if (!changes_section_name(adit_str_sub(s, 0, eq)) ||
            !adit_str_starts(prefix, ADIT_STR("/")) || find_section(r, adit_str_sub(s, 0, eq)) ||
            r->o.n_sections == SECTIONS_MAX)
            return cli_usage(r->args, "--section '%s' is not NAME=/PATH/, each name once", text);
        r->sections[r->o.n_sections++] = (struct changes_section){
            .name = adit_str_sub(s, 0, eq),
            .prefix = prefix,
            .describes = join_two(r, origin, prefix),
        };
    }
    r->o.sections = r->sections;
    return CLI_OK;
}

/* [NAME=]URL */
static int read_describedby(struct run *r)
{
    const char *text;
    for (size_t i = 0; (text = cli_nth(r->args, "describedby", i)); i++) {
        struct adit_str s = adit_str_z(text), url;
        size_t eq = adit_str_chr(s, '=', 0), scheme = adit_str_find(s, ADIT_STR("://"), 0);
        struct changes_section *section = &r->sections[0];
        if (eq < scheme) section = find_section(r, adit_str_sub(s, 0, eq));
        if (eq < scheme) s = adit_str_sub(s, eq + 1, s.len);
        if (!section || adit_url_page(s, &r->arena, &url) != ADIT_OK)
            return cli_usage(r->args, "--describedby '%s' is not [SECTION=]URL", text);
        section->describedby = url;
    }
    return CLI_OK;
}

static int read_times(struct run *r, struct compare_times *times)
{
    bool given = cli_has(r->args, "generated");
    if (!r->trees && !compare_look(&r->compare, times)) return CLI_INVALID;
    r->o.from = times->old;
    if (!r->trees && !given) {
        r->o.generated = times->new;
        return CLI_OK;
    }
    return clock_generated(r->args, &r->o.generated);
}

static int read_limits(struct run *r)
{
    uint64_t n = CHANGES_LIST_MAX;
    int code = cli_number(r->args, "list-max", 1, ADIT_LIMIT_sitemap_items, &n);
    r->o.list_max = (size_t)n;
    return code;
}

/* The lists of before: those in DIR; else those of the old folder, if the new one was made afresh.
 */
static const char *previous_lists(const struct run *r)
{
    const char *const places[] = {r->o.dir, r->trees ? r->compare.old : NULL};
    const char *found = NULL;
    for (size_t i = 0; r->o.dir && i < ADIT_COUNT(places) && places[i] && !found; i++) {
        char *path;
        if (asprintf(&path, "%s/.well-known/resourcesync", places[i]) < 0) break;
        if (access(path, F_OK) == 0) found = places[i];
        free(path);
    }
    return found;
}

/* Search engines are told of changes on one host, with a key that the site shows. */
static int read_indexnow(struct run *r)
{
    struct adit_str key = adit_str_z(cli_get(r->args, "indexnow"));
    if (!cli_has(r->args, "indexnow")) return CLI_OK;
    if (!adit_indexnow_key(key))
        return cli_usage(r->args,
                         "--indexnow: '%.*s' is not a key: 8 to 128 letters, digits and hyphens",
                         (int)key.len, key.p);
    r->engines = (struct adit_indexnow){
        .json.out = &r->documents, .host = adit_url_authority(r->o.base), .key = key};
    r->engines.key_location = cli_url(r->args, "key-location", &r->arena);
    r->compare.engines = &r->engines;
    return CLI_OK;
}

static int read_args(struct run *r)
{
    const struct cli_args *args = r->args;
    struct compare_times times = {.section = "all"};
    r->o.dir = cli_get(args, "o");
    if (args->n_files != 2)
        return cli_usage(args, "two collections or two folders are needed, the old one first");
    if (!r->o.dir && !cli_has(args, "indexnow"))
        return cli_usage(args, "-o DIR says where the lists go");
    if (cli_has(args, "json") && cli_has(args, "indexnow"))
        return cli_usage(args, "--json and --indexnow both write to standard output");
    const char *temp = getenv("TMPDIR");
    r->compare = (struct compare){.old = args->files[0],
                                  .new = args->files[1],
                                  .memory = MEMORY,
                                  .temp = r->o.dir        ? r->o.dir
                                          : temp && *temp ? temp
                                                          : "/tmp",
                                  .strip = cli_has(args, "strip-html-suffix")};
    r->trees = cli_is_folder(r->compare.old);
    if (r->trees != cli_is_folder(r->compare.new))
        return cli_usage(args, "both must be collections, or both folders");
    int code = read_base(r);
    if (!code) code = read_limits(r);
    if (!code) code = read_times(r, &times);
    struct adit_str name = adit_arena_dup(&r->arena, adit_str_z(times.section), NULL);
    if (!code) code = read_sections(r, changes_section_name(name) ? name : ADIT_STR("all"));
    if (!code) code = read_describedby(r);
    if (!code) code = read_indexnow(r);
    r->compare.base_url = r->o.base;
    r->o.extend = true;
    r->o.previous = previous_lists(r);
    return code;
}

/* --- running ---------------------------------------------------------------------------------- */

static int compare(struct run *r)
{
    r->compare.changes = r->o.dir ? changes_open(&r->o) : NULL;
    if (r->o.dir && !r->compare.changes) return CLI_OUTPUT;
    struct adit_time until = {0};
    if (r->o.dir) until = changes_until(r->compare.changes);
    if (r->o.dir && adit_time_cmp(until, r->o.generated) >= 0) {
        cli_say(r->o.dir, "the lists already go up to this time; nothing to do (see --generated)");
        return CLI_OK;
    }
    int code = r->trees ? compare_trees(&r->compare) : compare_collections(&r->compare);
    /* A page that could not be read must not look deleted. */
    if (code || r->compare.unsorted || !r->o.dir) return code;
    return changes_commit(r->compare.changes) ? CLI_OK : CLI_OUTPUT;
}

static int attempts(struct run *r)
{
    int code = compare(r);
    if (!code && r->compare.unsorted) {
        struct compare *c = &r->compare;
        changes_free(c->changes);
        c->sort = true, c->unsorted = false;
        cli_told_again(c->told);
        adit_buf_clear(&r->documents);
        r->engines.n = 0, r->engines.json.comma = false;
        c->unchanged = c->skipped = c->hidden = 0;
        memset(c->counts, 0, sizeof c->counts);
        code = compare(r);
    }
    changes_free(r->compare.changes);
    return code;
}

static void summary(struct run *r)
{
    const struct compare *c = &r->compare;
    if (c->engines) {
        adit_indexnow_end(&r->engines);
        if (r->documents.err) cli_say(NULL, "too many changes to tell search engines of");
        cli_data(adit_buf_str(&r->documents));
        return;
    }
    if (cli_has(r->args, "json")) {
        struct cli_json j;
        cli_json_begin(&j);
        for (size_t i = 0; i < ADIT_RS_CHANGES; i++)
            adit_json_member_uint(&j.w, adit_rs_change_names[i], c->counts[i]);
        adit_json_member_uint(&j.w, "unchanged", c->unchanged);
        adit_json_member_uint(&j.w, "hidden", c->hidden);
        adit_json_member_uint(&j.w, "skipped", c->skipped);
        cli_json_end(&j);
        return;
    }
    if (cli_has(r->args, "quiet")) return;
    cli_told_print(c->told);
    cli_print("%s: ", r->o.dir);
    for (size_t i = 0; i < ADIT_RS_CHANGES; i++)
        cli_print("%llu %s, ", (unsigned long long)c->counts[i], adit_rs_change_names[i]);
    cli_print("%llu unchanged", (unsigned long long)c->unchanged);
    if (c->hidden)
        cli_print(", %llu not listed (noindex, noarchive)", (unsigned long long)c->hidden);
    cli_print("\n");
    if (r->path)
        cli_say(
            NULL,
            "feed generators look at /.well-known/resourcesync of the host: publish .well-known/resourcesync there, or list it there");
}

static int run_changes(const struct cli_args *args)
{
    struct run r = {.args = args};
    adit_arena_init(&r.arena, cli_mem, 4u << 20);
    adit_buf_init(&r.documents, cli_mem, INDEXNOW_MAX);
    int code = read_args(&r);
    if (!code) {
        r.compare.told = cli_told_new(args);
        code = attempts(&r);
        if (!code) summary(&r);
        if (!code && r.documents.err) code = CLI_OUTPUT;
        cli_told_free(r.compare.told);
    }
    adit_arena_free(&r.arena);
    adit_buf_free(&r.documents);
    return code;
}

static const struct cli_option options[] = {
    {"o", "DIR", CLI_VALUE, "where the lists go: the folder that is published"},
    {"base-url", "URL", CLI_VALUE, "the address at which DIR is published (needed)"},
    {"section", "NAME=/PATH/", CLI_MANY, "a part of the site with lists of its own"},
    {"describedby", "[NAME=]URL", CLI_MANY,
     "a page or XML file with title and author (default: the home page)"},
    {"generated", "TIME", CLI_VALUE, "the time of the changes (default: of NEW, or now)"},
    {"list-max", "N", CLI_VALUE, "entries a list (default 10000, at most 50000)"},
    {"strip-html-suffix", NULL, CLI_FLAG, "a.html is published as /a"},
    {"indexnow", "KEY", CLI_VALUE,
     "print what tells search engines of the changes; nothing is sent (-o is not needed)"},
    {"key-location", "URL", CLI_VALUE, "where the site shows KEY (default: /KEY.txt)"},
    CLI_VERBOSE,
    CLI_QUIET,
    {0},
};

const struct cli_command cmd_changes = {
    .name = "changes",
    .usage = "OLD NEW -o DIR --base-url URL [--section NAME=/PATH/]...",
    .summary = "tell followers what changed between two states of a site (ResourceSync)",
    .details =
        "Compares two snapshots, or two folders of HTML files, page by page and by content, and\n"
        "writes .well-known/resourcesync and resourcesync/ into DIR, from which feed generators\n"
        "make Atom feeds (see adit feed). Lists that are there already (in DIR, else in the old\n"
        "folder) are continued; full ones are kept as changelist-STAMP.xml behind an index.\n"
        "resourcelist.xml lists all pages of NEW, for clients that begin.\n"
        "Pages with noindex or noarchive are never listed.\n\n"
        "The owner of a hand-written site keeps a copy of what is published, and before\n"
        "publishing the next state says:\n\n"
        "  adit changes published/ site/ -o site/ --base-url https://example.com/\n"
        "  adit changes monday.scp.zst tuesday.scp.zst -o public/ --base-url https://example.com/\n\n"
        "--indexnow prints IndexNow's documents (10,000 URLs each, a line each) with the pages whose\n"
        "content changed, came or went, to be sent to an engine:\n\n"
        "  adit changes old/ site/ --base-url https://example.com/ --indexnow KEY |\n"
        "    curl -H 'Content-Type: application/json' --data-binary @- https://ENGINE/indexnow\n\n"
        "adit sync --changes writes such lists for a site that tells nobody of its changes.",
    .options = options,
    .run = run_changes,
};
