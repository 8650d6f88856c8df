/* adit feed: feeds from a site's change lists (IFCC-0001, For Feed Generators). */
#include "batch/cli/cli.h"
#include "batch/collection/collection.h"
#include "batch/feed/feed.h"
#include "batch/fetch/fetch.h"
#include "json/json.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_DEFAULT = 50, LIMIT_MAX = 1000 };

/* A feed that this run writes. */
struct target {
    struct feed_collection *collections;
    size_t n;
    struct adit_str id, describedby;
    struct feed_record *record;
    struct feed_news news;
    char *path;
};

struct command {
    const struct cli_args *args;
    struct feed_run run;
    struct fetch_cli fetch;
    struct feed_state state;
    struct adit_str only; /* the collection that is wanted */
    const char *out;
    char *state_path; /* NULL: none is kept */
    char *temp;
    struct feed_place place;
    struct target *targets;
    size_t n_targets;
    bool failed; /* an output */
};

/* --- the command line ------------------------------------------------------------------------- */

static char *zero(struct command *c, struct adit_str s)
{
    char *z = adit_arena_alloc(&c->run.arena, s.len + 1);
    if (z && s.len) memcpy(z, s.p, s.len);
    if (z) z[s.len] = '\0';
    return z;
}

static struct adit_str join_path(struct command *c, struct adit_str a, const char *b)
{
    struct adit_buf both;
    adit_buf_init(&both, cli_mem, ADIT_LIMIT_url_bytes);
    adit_buf_add(&both, a);
    adit_buf_lit(&both, b);
    struct adit_str url = adit_arena_dup(&c->run.arena, adit_buf_str(&both), NULL);
    adit_buf_free(&both);
    return url;
}

/* Of a feed in the folder that is published, its address; else empty. */
static struct adit_str published_at(struct command *c, struct adit_str base)
{
    char *dir = realpath(c->run.dir, NULL), *to = c->temp ? realpath(c->temp, NULL) : NULL;
    struct adit_str in = adit_str_z(dir), at = adit_str_z(to), url = {0};
    struct adit_str below = adit_str_sub(at, in.len, at.len);
    bool inside = in.len && adit_str_starts(at, in) && strcmp(c->out, "-") != 0 &&
                  (!below.len || below.p[0] == '/');
    if (inside) {
        url = join_path(c, base, zero(c, below));
        url = join_path(c, join_path(c, url, "/"), cli_base_name(c->out));
        if (adit_url_page(url, &c->run.arena, &url) != ADIT_OK) url = (struct adit_str){0};
    }
    free(dir), free(to);
    return url;
}

static int read_folder(struct command *c)
{
    c->run.dir = c->args->files[0];
    c->run.base = cli_url(c->args, "base-url", &c->run.arena);
    while (adit_str_ends(c->run.base, ADIT_STR("/"))) c->run.base.len--;
    struct adit_str folder = feed_folder(&c->run);
    if (!folder.len) return CLI_INVALID;
    if (!c->place.url.len) c->place.url = published_at(c, folder);
    if (!c->run.collection && collection_in(c->run.dir)) c->run.collection = c->run.dir;
    c->run.description = join_path(c, folder, "/.well-known/resourcesync");
    return CLI_OK;
}

/* A site, one collection of it, or the description itself. */
static int read_url(struct command *c)
{
    struct adit_str page, origin;
    struct adit_url url;
    if (adit_url_page(adit_str_z(c->args->files[0]), &c->run.arena, &page) != ADIT_OK ||
        adit_url_parse(page, NULL, &c->run.arena, &url) != ADIT_OK)
        return cli_usage(c->args, "'%s' is neither a folder nor an http or https URL",
                         c->args->files[0]);
    origin = adit_str_sub(url.href, 0, (size_t)(url.path.p - url.href.p));
    bool itself = adit_str_ends(url.path, ADIT_STR("/.well-known/resourcesync")) ||
                  adit_str_ends(url.path, ADIT_STR(".xml"));
    c->run.description = itself ? url.href : join_path(c, origin, "/.well-known/resourcesync");
    if (!itself && url.path.len > 1) c->only = url.href;
    c->fetch.options.site = zero(c, url.href);
    c->run.fetch = fetch_open(&c->fetch.options);
    return c->run.fetch ? CLI_OK : CLI_INVALID;
}

static int read_state_path(struct command *c)
{
    const char *given = cli_get(c->args, "state");
    c->state.own = !given;
    if (given)
        c->state_path = strdup(given);
    else if (strcmp(c->out, "-") != 0 && asprintf(&c->state_path, "%s.state.json", c->out) < 0)
        c->state_path = NULL;
    if (!c->state_path && (given || strcmp(c->out, "-") != 0)) return CLI_OUTPUT;
    return feed_state_read(&c->state, c->state_path) ? CLI_OK : CLI_INVALID;
}

/* What entries look like. The format: by --format, else by how the file's name ends; Atom where neither says. */
static int read_entries(struct command *c)
{
    const struct cli_args *args = c->args;
    uint64_t pages = FEED_PAGES;
    int format = 0;
    for (int i = 0; adit_feed_formats[i].name; i++)
        if (adit_str_ends(adit_str_z(c->out), adit_str_z(adit_feed_formats[i].ending))) format = i;
    c->place.format = &adit_feed_formats[cli_choice(args, "format", format)];
    c->run.by_page = cli_choice(args, "entries", 0) == 1;
    c->place.hub = cli_url(args, "hub", &c->run.arena);
    c->run.collection = cli_get(args, "collection");
    c->run.min_change = 1;
    int code = cli_number(args, "pages", 0, ADIT_RS_SHOWN, &pages);
    if (!code) code = cli_number(args, "min-change", 0, CLI_ANY, &c->run.min_change);
    c->run.pages_max = (size_t)pages;
    return code;
}

static int read_args(struct command *c)
{
    const struct cli_args *args = c->args;
    uint64_t n = LIMIT_DEFAULT;
    c->out = cli_get(args, "o");
    if (args->n_files != 1) return cli_usage(args, "one URL or folder is needed");
    if (!c->out) return cli_usage(args, "-o FILE says where the feed goes");
    int code = cli_number(args, "limit", 1, LIMIT_MAX, &n);
    if (!code) code = fetch_cli(args, &c->fetch);
    if (!code) code = read_entries(c);
    if (code) return code;
    c->place.limit = (size_t)n;
    c->place.url = cli_url(args, "feed-url", &c->run.arena);
    const char *temp = getenv("TMPDIR");
    c->temp =
        strcmp(c->out, "-") != 0 ? output_folder(c->out) : strdup(temp && *temp ? temp : "/tmp");
    c->run.temp = c->temp;
    code = c->temp ? clock_generated(args, &c->run.now) : CLI_OUTPUT;
    if (!code) code = read_state_path(c);
    if (code) return code;
    return cli_is_folder(args->files[0]) ? read_folder(c) : read_url(c);
}

/* --- which feeds ------------------------------------------------------------------------------ */

/* feed.xml, or of several feed-NAME.xml; NAME is the path that the collection is at. */
static char *target_path(const struct command *c, size_t i)
{
    const char *slash = strrchr(c->out, '/'), *dot = strrchr(c->out, '.');
    size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - c->out) : strlen(c->out);
    struct adit_str id = c->targets[i].id;
    struct adit_buf b;
    char *path;
    if (c->n_targets == 1) return strdup(c->out);
    adit_buf_init(&b, cli_mem, 256);
    for (size_t at = adit_url_origin(id).len; at < id.len && b.len < 64; at++) {
        bool plain = adit_is_alnum(id.p[at]) || id.p[at] == '_';
        if (plain)
            adit_buf_byte(&b, id.p[at]);
        else if (b.len && b.p[b.len - 1] != '-')
            adit_buf_byte(&b, '-');
    }
    if (b.len && b.p[b.len - 1] == '-') b.len--;
    if (!b.len) adit_buf_lit(&b, "root");
    int n = asprintf(&path, "%.*s-%.*s%s", (int)stem, c->out, (int)b.len, b.p, c->out + stem);
    for (size_t k = 0, turn = 2; n >= 0 && k < i; k++) { /* two may look alike */
        if (!c->targets[k].path || strcmp(c->targets[k].path, path) != 0) continue;
        free(path);
        n = asprintf(&path, "%.*s-%.*s-%zu%s", (int)stem, c->out, (int)b.len, b.p, turn++,
                     c->out + stem);
        k = (size_t)-1;
    }
    adit_buf_free(&b);
    return n < 0 ? NULL : path;
}

static struct adit_str source_id(struct command *c)
{
    struct adit_str url = c->run.description;
    size_t at = adit_str_find(url, ADIT_STR("/.well-known/"), 0);
    return at < url.len ? join_path(c, adit_str_sub(url, 0, at), "/") : url;
}

static bool set_targets(struct command *c)
{
    struct feed_run *f = &c->run;
    bool all = cli_has(c->args, "all");
    c->n_targets = all ? 1 : f->n_collections;
    c->targets = calloc(c->n_targets, sizeof *c->targets);
    bool ok = c->targets != NULL;
    for (size_t i = 0; ok && i < c->n_targets; i++) {
        struct target *t = &c->targets[i];
        struct feed_collection *one = &f->collections[i];
        *t = (struct target){.collections = one, .n = 1, .id = one->describes};
        if (all)
            *t = (struct target){.collections = f->collections,
                                 .n = f->n_collections,
                                 .id = source_id(c),
                                 .describedby = f->describedby};
        /* The source and a collection may have one URL, but not one history. */
        t->record = feed_state_record(&c->state, all ? join_path(c, t->id, "#all") : t->id);
        t->path = target_path(c, i);
        ok = t->record && t->path;
    }
    if (ok && c->n_targets > 1 && strcmp(c->out, "-") == 0) {
        cli_say(NULL, "there are several feeds: give -o a file name, or --all");
        ok = false;
    }
    return ok;
}

/* --- running ---------------------------------------------------------------------------------- */

static int write_target(struct command *c, struct target *t)
{
    struct file_set files = {0};
    struct feed_place place = c->place;
    bool fresh = t->news.added || !t->record->title.len;
    if (fresh) {
        struct adit_str by = t->describedby.len ? t->describedby : t->collections[0].describedby;
        feed_about(&c->run, by, &c->state, t->record);
    }
    if (cli_has(c->args, "title")) t->record->title = adit_str_z(cli_get(c->args, "title"));
    place.path = t->path;
    place.own = c->n_targets > 1;
    bool ok = feed_write(t->record, &place, &files) && files_commit(&files);
    if (!ok) files_discard(&files);
    return ok ? CLI_OK : CLI_OUTPUT;
}

static int feeds(struct command *c)
{
    int code = CLI_OK;
    for (size_t i = 0; i < c->n_targets && code != CLI_OUTPUT; i++) {
        struct target *t = &c->targets[i];
        enum feed_outcome outcome =
            feed_collect(&c->run, t->collections, t->n, &c->state, t->record, &t->news);
        if (outcome == FEED_LATER) {
            cli_say(NULL, "%.*s: left as it was; the next run tries again", (int)t->id.len,
                    t->id.p);
            continue;
        }
        code = write_target(c, t);
    }
    /* Last: a run that is killed before says the same again, with the same id. */
    if (!code && c->state_path && !feed_state_write(&c->state, c->state_path)) code = CLI_OUTPUT;
    return code;
}

static void report_json(const struct command *c)
{
    struct cli_json j;
    cli_json_begin(&j);
    adit_json_member_open(&j.w, "feeds", '[');
    for (size_t i = 0; i < c->n_targets; i++) {
        const struct target *t = &c->targets[i];
        adit_json_open(&j.w, '{');
        adit_json_member(&j.w, "id", t->id);
        adit_json_member(&j.w, "file", adit_str_z(t->path));
        adit_json_member_opt(&j.w, "title", t->record->title);
        adit_json_member_uint(&j.w, "entries", t->record->n_entries);
        for (size_t k = 0; k < ADIT_RS_CHANGES; k++)
            adit_json_member_uint(&j.w, adit_rs_change_names[k], t->news.counts[k]);
        adit_json_close(&j.w, '}');
    }
    adit_json_close(&j.w, ']');
    const struct {
        const char *name;
        uint64_t n;
    } counts[] = {{"documents", c->run.documents}, {"lists_skipped", c->run.lists_skipped},
                  {"ignored", c->run.ignored},     {"future", c->run.future},
                  {"minor", c->run.minor},         {"hollow", c->run.hollow},
                  {"broken", c->run.broken}};
    for (size_t i = 0; i < ADIT_COUNT(counts); i++)
        adit_json_member_uint(&j.w, counts[i].name, counts[i].n);
    cli_json_end(&j);
}

static void report(const struct command *c)
{
    const struct feed_run *f = &c->run;
    if (f->ignored)
        cli_say(NULL, "%llu change%s without a date or of an unknown kind %s ignored",
                (unsigned long long)f->ignored, f->ignored == 1 ? "" : "s",
                f->ignored == 1 ? "was" : "were");
    if (f->future)
        cli_say(NULL, "changes dated in the future, which wait until then: %llu",
                (unsigned long long)f->future);
    if (f->minor)
        cli_say(NULL, "updates of fewer than %llu words, which are left out (--min-change): %llu",
                (unsigned long long)f->min_change, (unsigned long long)f->minor);
    if (f->hollow)
        cli_say(
            NULL,
            "pages that say almost nothing, or \"not found\", or test who is asking, which are left out: %llu",
            (unsigned long long)f->hollow);
    if (strcmp(c->out, "-") == 0) return;
    if (cli_has(c->args, "json")) {
        report_json(c);
        return;
    }
    for (size_t i = 0; i < c->n_targets && !cli_has(c->args, "quiet"); i++) {
        const struct target *t = &c->targets[i];
        const char *entries = c->run.by_page ? "new entries, " : "a new entry, ";
        cli_print("%s: %s%s", t->path, t->news.added ? entries : "nothing new, ",
                  cli_count(t->record->n_entries, "entry").p);
        for (size_t k = 0; k < ADIT_RS_CHANGES; k++)
            if (t->news.counts[k])
                cli_print(", %llu %s", (unsigned long long)t->news.counts[k],
                          adit_rs_change_names[k]);
        cli_print("\n");
    }
}

static int follow(struct command *c)
{
    if (feed_discover(&c->run, c->only) != FEED_READ) {
        cli_say(NULL, "%s: no collection to follow was found", c->args->files[0]);
        return CLI_INVALID;
    }
    if (!set_targets(c)) return CLI_OUTPUT;
    int code = feeds(c);
    if (!code) report(c);
    return code || !c->run.broken ? code : CLI_INVALID;
}

static int run_feed(const struct cli_args *args)
{
    struct command *c = calloc(1, sizeof *c);
    if (!c) return CLI_OUTPUT;
    c->args = args;
    adit_arena_init(&c->run.arena, cli_mem, 256u << 20);
    int code = read_args(c);
    if (!code) code = follow(c);
    fetch_close(c->run.fetch);
    for (size_t i = 0; c->targets && i < c->n_targets; i++) free(c->targets[i].path);
    free(c->targets);
    feed_state_free(&c->state);
    adit_arena_free(&c->run.arena);
    free(c->state_path);
    free(c->temp);
    free(c);
    return code;
}

static const struct cli_option options[] = {
    CLI_GROUP("Input and output"),
    {"o", "FILE", CLI_VALUE, "the feed; of several collections FILE-NAME.xml each"},
    {"state", "FILE", CLI_VALUE, "what was seen before (default: FILE.state.json beside the feed)"},
    {"all", NULL, CLI_FLAG, "one feed for the whole source"},
    {"limit", "N", CLI_VALUE, "entries a document (default 50); older ones go to archives"},
    {"feed-url", "URL", CLI_VALUE,
     "where FILE is published, for the links in it (default: by its place in DIR)"},
    {"base-url", "URL", CLI_VALUE, "what the folder is on the web (default: as it says)"},
    {"generated", "TIME", CLI_VALUE,
     "the time of the run (default: now); changes dated more than a day later wait"},
    CLI_QUIET,
    CLI_GROUP("Entries"),
    {"entries", "run|page", CLI_CHOICE, "one entry a run (default), or one a page"},
    {"format", "atom|json", CLI_CHOICE, "Atom, or JSON Feed (default: by the ending of FILE)"},
    {"title", "TEXT", CLI_VALUE, "of the feed (default: of what describes it, or its home page)"},
    {"pages", "N", CLI_VALUE,
     "new and updated pages each that are looked at for titles and texts (default 20)"},
    {"collection", "FILE|DIR", CLI_VALUE,
     "titles and texts from a collection (default: that of DIR), else the pages themselves, else titles from the lists"},
    {"min-change", "N", CLI_VALUE,
     "words that an updated page must differ in (default 1; 0: tell all)"},
    {"hub", "URL", CLI_VALUE, "a WebSub hub that tells subscribers of new entries"},
    CLI_GROUP("Network and safety"),
    FETCH_CLI_OPTIONS,
    {0},
};

const struct cli_command cmd_feed = {
    .name = "feed",
    .usage = "URL|DIR -o FILE [--state FILE] [--all]",
    .summary = "a feed (Atom, JSON Feed) of what changes on a site, from its ResourceSync lists",
    .details =
        "Reads /.well-known/resourcesync of the site (or of a folder that is to be published),\n"
        "its capability lists and change lists, and adds one entry to the feed that sums up what\n"
        "is new since the last run. What was seen is kept in the state, so run it once a day or\n"
        "an hour. A site may have several collections, each with a feed of its own; a URL below\n"
        "the root picks one. Documents that are broken are reported and skipped (exit code 1);\n"
        "when a list cannot be had, the feed stays as it was and the next run tries again.\n\n"
        "The first pages of each kind are looked at: entries have their titles and how they begin,\n"
        "and of pages that the feed has told of before which words changed. Updates in which no\n"
        "word changed (--min-change) are left out, as are pages that suddenly say almost nothing:\n"
        "\"not found\", tests whether a person is asking. The report counts both.\n\n"
        "  adit feed https://example.com/ -o feed.xml --feed-url https://feeds.example/feed.xml\n"
        "  adit feed https://example.com/my-shrine/ -o shrine.xml\n"
        "  adit feed public/ -o public/feed.xml\n"
        "  adit feed https://example.com/ -o feed.json --entries page --min-change 10",
    .options = options,
    .run = run_feed,
};
