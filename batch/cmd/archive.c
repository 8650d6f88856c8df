/* adit archive: the versioned archive: writing (ingest, enrich, embed) and reading. */
#include "batch/archive/archive.h"
#include "batch/cli/cli.h"
#include "batch/crawl/crawl.h"
#include "text/text.h"

#include <string.h>
#include <unistd.h>

static bool is_stored(struct archive *a, const char uuid[ADIT_SPP_UUID])
{
    struct adit_buf key, file;
    adit_buf_init(&key, cli_mem, 256);
    adit_buf_init(&file, cli_mem, ARCHIVE_FILE_MAX);
    adit_spp_artifact_key(&key, uuid);
    adit_buf_lit(&key, ADIT_SPP_VERSIONS);
    bool there = archive_read(a, adit_buf_str(&key), &file) == ARCHIVE_FOUND;
    adit_buf_free(&key);
    adit_buf_free(&file);
    return there;
}

/* Pages are archived under the URL that they have in public, which is https without a port unless
 * --base-url or --config says something else: both are looked for. */
static void uuid_of_url(struct archive *a, struct adit_str url, char uuid[ADIT_SPP_UUID])
{
    struct adit_buf b;
    adit_spp_uuid(url, uuid);
    if (is_stored(a, uuid)) return;
    adit_buf_init(&b, cli_mem, 2 * (size_t)ADIT_LIMIT_url_bytes);
    adit_buf_lit(&b, "https://");
    adit_buf_add(&b, crawl_url_host(url));
    adit_buf_add(&b, crawl_url_path(url));
    adit_spp_uuid(adit_buf_str(&b), uuid);
    adit_buf_free(&b);
}

bool archive_which(struct archive *a, const char *operand, char uuid[ADIT_SPP_UUID])
{
    if (adit_spp_uuid_read(adit_str_z(operand), uuid)) return true;
    struct adit_arena arena;
    struct adit_str url;
    adit_arena_init(&arena, cli_mem, 1 << 20);
    bool good = adit_url_page(adit_str_z(operand), &arena, &url) == ADIT_OK;
    if (good)
        uuid_of_url(a, url, uuid);
    else
        cli_say(operand, "is not a URL, nor the id of an artifact");
    adit_arena_free(&arena);
    return good;
}

/* --- reading: adit archive ls [DIR] … --------------------------------------------------------- */

static const struct {
    const char *name;
    int (*run)(const struct archive_question *q);
    size_t least, most; /* operands behind DIR */
    const char *operands;
} questions[] = {
    {"ls", archive_ls, 0, 1, "[URL]"},
    {"show", archive_show, 1, 2, "URL [VERSION]"},
    {"diff", archive_diff_command, 1, 3, "URL [OLD [NEW]]"},
    {"get", archive_get, 1, 2, "URL [VERSION]"},
    {"verify", archive_verify, 0, 0, ""},
};

/* -o DIR, or the first operand if it is a folder, or the folder that we are in. */
static const char *find_dir(const struct cli_args *args, size_t *first)
{
    const char *dir = cli_get(args, "o");
    if (dir) return dir;
    if (*first < args->n_files && cli_is_folder(args->files[*first]))
        return args->files[(*first)++];
    return ".";
}

static int ask(const struct cli_args *args, size_t which)
{
    size_t first = 1;
    const char *dir = find_dir(args, &first);
    size_t n = args->n_files - first;
    if (n < questions[which].least || n > questions[which].most)
        return cli_usage(args, "what is asked: adit archive %s [DIR] %s", questions[which].name,
                         questions[which].operands);
    struct archive *a = archive_open(dir);
    if (!a) return CLI_INVALID;
    struct archive_question q = {args, a, args->files + first, n};
    int code = questions[which].run(&q);
    archive_close(a);
    return code;
}

static int tombstone(const struct cli_args *args)
{
    size_t first = 1;
    const char *dir = find_dir(args, &first);
    if (args->n_files - first != 1)
        return cli_usage(args, "one page at a time: adit archive tombstone [DIR] URL");
    return archive_tombstone(args, dir, args->files[first]);
}

/* --- writing ---------------------------------------------------------------------------------- */

static int read_stages(const struct cli_args *args, struct archive_options *o)
{
    static const unsigned stages[] = {ARCHIVE_INGEST, ARCHIVE_ENRICH, ARCHIVE_EMBED};
    o->stages = ARCHIVE_INGEST | ARCHIVE_ENRICH | (o->embed ? ARCHIVE_EMBED : 0u);
    if (cli_has(args, "stage")) o->stages = stages[cli_choice(args, "stage", 0)];
    if (o->stages == ARCHIVE_EMBED && !o->embed)
        return cli_usage(args, "--stage embed needs --embed COMMAND");
    return CLI_OK;
}

static int write_archive(const struct cli_args *args)
{
    struct archive_options o = {
        .args = args,
        .dir = cli_get(args, "o"),
        .embed = cli_get(args, "embed"),
        .model = cli_get(args, "model"),
        .crawler = cli_get(args, "crawler"),
        .robots = cli_has(args, "robots") ? cli_get(args, "robots") : "adit",
        .events = cli_has(args, "events") || cli_has(args, "stage"),
        .json = cli_has(args, "json"),
    };
    const char *key = cli_get(args, "sign");
    if (cli_has(args, "ignore-robots")) o.robots = NULL;
    if (!o.dir) return cli_usage(args, "no archive: give -o DIR");
    int code = read_stages(args, &o);
    if (code) return code;
    if (key && !archive_private_key(key, o.key)) return CLI_USAGE;
    o.sign = key != NULL;
    return o.stages & ARCHIVE_INGEST ? archive_ingest(&o) : archive_stages(&o);
}

static int run_archive(const struct cli_args *args)
{
    const char *what = args->n_files ? args->files[0] : "";
    for (size_t i = 0; i < ADIT_COUNT(questions); i++)
        if (strcmp(what, questions[i].name) == 0) return ask(args, i);
    if (strcmp(what, "tombstone") == 0) return tombstone(args);
    /* A word that is no file may be one of these, misspelt. */
    struct cli_near near = {.wanted = what};
    for (size_t i = 0; *what && i < ADIT_COUNT(questions); i++)
        cli_near_try(&near, questions[i].name);
    cli_near_try(&near, "tombstone");
    if (near.best && access(what, F_OK) != 0)
        return cli_usage(args, "no file '%s', and nothing that archive does: is it %s?", what,
                         near.best);
    return write_archive(args);
}

static const struct cli_option options[] = {
    CLI_GROUP("Input"),
    CRAWL_CLI_FOLDER,
    {"config", "FILE", CLI_VALUE, "adit.json: origin and other host names of the site"},
    {"crawler", "NAME", CLI_VALUE, "who fetched the pages (default: what the WARC says)"},
    CRAWL_CLI_INPUTS,
    CLI_GROUP("Which pages"),
    {"host", "HOST", CLI_MANY, "take pages of this host only"},
    CRAWL_CLI_PATHS,
    CRAWL_CLI_PRIVACY,
    {"robots", "NAME", CLI_VALUE,
     "whose rules in the input's robots.txt count (default adit, or those for all)"},
    {"ignore-robots", NULL, CLI_FLAG, "archive what the input's robots.txt disallows, too"},
    CLI_GROUP("Output"),
    {"o", "DIR", CLI_VALUE, "the archive; made if it is not there"},
    {"stage", "ingest|enrich|embed", CLI_CHOICE,
     "this one alone; the latter two read event lines, or take all"},
    {"events", NULL, CLI_FLAG, "an event line on stdout for every version; the report to stderr"},
    {"embed", "COMMAND", CLI_VALUE, "turns a chunk's text (stdin) into a vector (stdout)"},
    {"model", "NAME", CLI_VALUE, "the model that --embed stands for (default: its program's name)"},
    {"sign", "FILE", CLI_VALUE, "endorse new versions with this private key on P-256 (PEM or hex)"},
    CLI_QUIET,
    CLI_GROUP("Questions to an archive"),
    {"key", "FILE", CLI_VALUE, "verify: every version must be endorsed by this key"},
    {"what", "PART", CLI_VALUE, "get: raw (default), clean, diff, or a chunk, e.g. chunk-0001"},
    {"reason", "TEXT", CLI_VALUE, "tombstone: why, for its manifests"},
    CLI_GROUP("Resources"),
    CRAWL_CLI_JOBS,
    CRAWL_CLI_SORTING,
    CLI_GROUP("Network"),
    FETCH_CLI_FILES,
    {0},
};

const struct cli_command cmd_archive = {
    .name = "archive",
    .usage = "INPUT... -o DIR [options] | ls|show|diff|get|verify|tombstone [DIR] ...",
    .summary = "every version of every page: raw bytes, clean text, chunks, diffs, provenance",
    .details =
        "INPUT is all that pack reads (WARC, ARC, WACZ, CDXJ, folders of these, URLs, folders of HTML),\n"
        "an SCP collection (.scp, .scp.gz, .scp.zst), or the folder of adit sync. A page whose bytes\n"
        "differ from its latest version becomes a new version; if they are the same, the archive only\n"
        "notes that it was seen. Captures are taken in the order of their dates, whatever the order of\n"
        "the input; those older than what is archived are passed over. Left out are pages that ask not\n"
        "to be archived or indexed, private ones, and what a robots.txt in the input disallows.\n"
        "A run that is killed is finished or forgotten by the next one; two at once wait for each\n"
        "other. Links inside DIR are not followed, and a journal that adit has not written is\n"
        "refused. DIR can be served as it is: adit serve DIR answers /artifacts/ID/versions and\n"
        "/artifacts/ID/versions/N/manifest.\n"
        "\n"
        "  ls [DIR] [URL]               the pages, or the versions of one\n"
        "  show [DIR] URL [N]           the manifest (semantic.json) of a version\n"
        "  diff [DIR] URL [OLD [NEW]]   what changed in the text (default: in the latest version)\n"
        "  get [DIR] URL [N]            the raw bytes; --what clean, diff or chunk-0001\n"
        "  verify [DIR]                 checks every file, hash, diff and signature\n"
        "  tombstone [DIR] URL          removes the contents for good; hashes and dates stay\n"
        "\n"
        "URL may be an id (urn:spp:artifact:...). DIR may also be given with -o; without, it is the\n"
        "current folder.\n"
        "\n"
        "Exit status: 0 fine; 1 damaged input or archive, or nothing found; 2 wrong usage;\n"
        "3 nothing could be written.\n"
        "\n"
        "examples:\n"
        "  adit archive crawl-*.warc.gz -o store\n"
        "  adit archive site/ --base-url https://example.com/ -o store\n"
        "  adit archive diff store https://example.com/post/\n"
        "  adit archive get store https://example.com/post/ 3 > post-3.html\n"
        "  adit archive crawl.warc.gz -o store --stage ingest | adit archive - -o store --stage enrich\n"
        "  adit archive tombstone https://example.com/post/ -o store --reason 'court order'",
    .options = options,
    .run = run_archive,
};
