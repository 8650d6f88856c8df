/* adit stat: what is in collections: numbers, small bar charts, the largest pages. */
#include "batch/collection/collection.h"
#include "batch/cli/cli.h"
#include "batch/view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 5, BAR = 30, LABEL = 14 };

/* Bounds are exclusive; the last row takes the rest. */
struct bucket {
    const char *name;
    uint64_t below;
};
static const struct bucket sizes[] = {
    {"under 1 KB", 1000},     {"1-3 KB", 3000},          {"3-10 KB", 10000},
    {"10-30 KB", 30000},      {"30-100 KB", 100000},     {"100-300 KB", 300000},
    {"300 KB-1 MB", 1000000}, {"over 1 MB", UINT64_MAX},
};
enum { DAY = 86400 };
static const struct bucket ages[] = {
    /* seconds before the collection was generated */
    {"a day", DAY},
    {"a week", UINT64_C(7) * DAY},
    {"a month", UINT64_C(30) * DAY},
    {"a year", UINT64_C(365) * DAY},
    {"5 years", UINT64_C(1826) * DAY},
    {"older", UINT64_MAX},
};
enum { BLOCK_NAMES = ADIT_BLOCK_TYPES + 1 }; /* the last: unknown */

struct large {
    size_t len;
    char *url;
};

struct stat_of {
    uint64_t blocks[BLOCK_NAMES], n_blocks;
    uint64_t sizes[ADIT_COUNT(sizes)], ages[ADIT_COUNT(ages)];
    struct view_tally languages;
    struct large largest[LARGEST];
    struct adit_time oldest, newest;
};

/* --- counting --------------------------------------------------------------------------------- */

static size_t bucket_of(const struct bucket *b, uint64_t v)
{
    size_t i = 0;
    while (b[i].below <= v && b[i].below != UINT64_MAX) i++;
    return i;
}

static void count_large(struct stat_of *s, const struct adit_scp_page *page)
{
    struct large *last = &s->largest[LARGEST - 1];
    if (page->line.len <= last->len) return;
    char *url = strndup(page->url.p, page->url.len);
    if (!url) return;
    free(last->url);
    *last = (struct large){page->line.len, url};
    for (size_t i = LARGEST - 1; i > 0 && s->largest[i].len > s->largest[i - 1].len; i--) {
        struct large t = s->largest[i];
        s->largest[i] = s->largest[i - 1], s->largest[i - 1] = t;
    }
}

static void count_page(struct stat_of *s, const struct adit_scp_page *page, struct adit_time now)
{
    for (size_t i = 0; i < BLOCK_NAMES; i++) s->blocks[i] += page->blocks[i];
    s->n_blocks += page->n_blocks;
    s->sizes[bucket_of(sizes, page->line.len)]++;
    int64_t age = now.s - page->modified.s;
    s->ages[bucket_of(ages, age > 0 ? (uint64_t)age : 0)]++;
    view_tally_add(&s->languages, adit_json_inside(page->members[ADIT_SCP_LANGUAGE]), 1, 0);
    count_large(s, page);
    if (!s->newest.s || adit_time_cmp(page->modified, s->newest) > 0) s->newest = page->modified;
    if (!s->oldest.s || adit_time_cmp(page->modified, s->oldest) < 0) s->oldest = page->modified;
}

/* --- for people ------------------------------------------------------------------------------- */

static bool terminal_has_utf8(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < ADIT_COUNT(variables); i++) {
        struct adit_str v = adit_str_z(getenv(variables[i]));
        if (v.len)
            return adit_str_ifind(v, ADIT_STR("UTF-8"), 0) < v.len ||
                   adit_str_ifind(v, ADIT_STR("utf8"), 0) < v.len;
    }
    return false;
}

static void print_bar(const char *label, uint64_t n, uint64_t most)
{
    const char *block = terminal_has_utf8() ? "\xE2\x96\x88" : "#";
    if (n == 0) return;
    cli_print("    %-*s %10llu ", LABEL, label, (unsigned long long)n);
    for (uint64_t i = 0; i < (n * BAR + most - 1) / most; i++) cli_print("%s", block);
    cli_print("\n");
}

static uint64_t most_of(const uint64_t *n, size_t count)
{
    uint64_t most = 1;
    for (size_t i = 0; i < count; i++)
        if (n[i] > most) most = n[i];
    return most;
}

static void print_buckets(const char *title, const struct bucket *b, const uint64_t *n,
                          size_t count)
{
    cli_print("  %s\n", title);
    for (size_t i = 0; i < count; i++) print_bar(b[i].name, n[i], most_of(n, count));
}

static void print_head(const char *path, const struct collection *file, const struct stat_of *s)
{
    const struct adit_scp_meta *m = collection_meta(file);
    const struct collection_counts *n = collection_counts(file);
    struct adit_buf b;
    cli_print("%s\n", path);
    cli_print("  %s of section %.*s, generated %.*s, version %.*s\n",
              m->delta ? "delta" : "snapshot", (int)m->section.len, m->section.p,
              (int)m->generated.len, m->generated.p, (int)m->version.len, m->version.p);
    cli_print("  %s, %s, %s", cli_count(n->pages, "page").p, cli_count(s->n_blocks, "block").p,
              cli_size(n->bytes).p);
    if (strcmp(n->coding, "none") != 0) {
        uint64_t ratio = n->bytes_encoded ? n->bytes * 10 / n->bytes_encoded : 0;
        cli_print(" in %s of %s (%llu.%llu:1)", cli_size(n->bytes_encoded).p, n->coding,
                  (unsigned long long)ratio / 10, (unsigned long long)ratio % 10);
    }
    cli_print(", checksum: %s\n", !m->checksum.len   ? "none"
                                  : n->checksum_rule ? n->checksum_rule
                                                     : "wrong");
    if (n->skipped) cli_print("  %s skipped\n", cli_count(n->skipped, "page").p);
    adit_buf_init(&b, cli_mem, 256);
    adit_time_write(&b, s->oldest), adit_buf_lit(&b, " to "), adit_time_write(&b, s->newest);
    if (n->pages) cli_print("  modified %.*s\n", (int)b.len, b.p);
    adit_buf_free(&b);
}

static void print_text(const char *path, const struct collection *file, const struct stat_of *s)
{
    print_head(path, file, s);
    cli_print("  blocks\n");
    for (size_t i = 0; i < BLOCK_NAMES; i++)
        print_bar(adit_scp_block_names[i], s->blocks[i], most_of(s->blocks, BLOCK_NAMES));
    cli_print("  languages\n");
    for (size_t i = 0; i < s->languages.n && i < 8; i++)
        print_bar(s->languages.v[i].name, s->languages.v[i].n, s->languages.v[0].n);
    if (s->languages.n > 8) cli_print("    and %zu more\n", s->languages.n - 8);
    print_buckets("sizes of pages", sizes, s->sizes, ADIT_COUNT(sizes));
    print_buckets("ages at the time of the collection: up to", ages, s->ages, ADIT_COUNT(ages));
    cli_print("  largest pages\n");
    for (size_t i = 0; i < LARGEST && s->largest[i].url; i++)
        cli_print("    %s %s\n", cli_size(s->largest[i].len).p, s->largest[i].url);
}

/* --- for programs ----------------------------------------------------------------------------- */

static void json_buckets(struct adit_json_writer *w, const char *key, const struct bucket *b,
                         const uint64_t *n, size_t count)
{
    adit_json_member_open(w, key, '{');
    for (size_t i = 0; i < count; i++) adit_json_member_uint(w, b[i].name, n[i]);
    adit_json_close(w, '}');
}

static void json_time(struct adit_json_writer *w, const char *key, struct adit_time t)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 64);
    adit_time_write(&b, t);
    adit_json_member(w, key, adit_buf_str(&b));
    adit_buf_free(&b);
}

static void json_head(struct adit_json_writer *w, const char *path, const struct collection *file)
{
    const struct adit_scp_meta *m = collection_meta(file);
    const struct collection_counts *n = collection_counts(file);
    adit_json_member(w, "file", adit_str_z(path));
    adit_json_member(w, "id", m->id);
    adit_json_member(w, "section", m->section);
    adit_json_member(w, "type", m->delta ? ADIT_STR("delta") : ADIT_STR("snapshot"));
    adit_json_member(w, "generated", m->generated);
    adit_json_member_opt(w, "since", m->since);
    adit_json_member(w, "version", m->version);
    adit_json_member_opt(w, "checksum", m->checksum);
    adit_json_member_opt(w, "checksum_rule", adit_str_z(n->checksum_rule));
    adit_json_member(w, "compression", adit_str_z(n->coding));
    adit_json_member_uint(w, "bytes", n->bytes);
    adit_json_member_uint(w, "size", n->bytes_encoded);
    adit_json_member_uint(w, "pages", n->pages);
    adit_json_member_uint(w, "skipped", n->skipped);
}

static void print_json(const char *path, const struct collection *file, const struct stat_of *s)
{
    struct cli_json j;
    cli_json_begin(&j);
    json_head(&j.w, path, file);
    adit_json_member_uint(&j.w, "blocks", s->n_blocks);
    adit_json_member_open(&j.w, "block_types", '{');
    for (size_t i = 0; i < BLOCK_NAMES; i++)
        adit_json_member_uint(&j.w, adit_scp_block_names[i], s->blocks[i]);
    adit_json_close(&j.w, '}');
    adit_json_member_open(&j.w, "languages", '{');
    for (size_t i = 0; i < s->languages.n; i++)
        adit_json_member_uint(&j.w, s->languages.v[i].name, s->languages.v[i].n);
    if (s->languages.other) adit_json_member_uint(&j.w, "other", s->languages.other);
    adit_json_close(&j.w, '}');
    json_buckets(&j.w, "sizes", sizes, s->sizes, ADIT_COUNT(sizes));
    json_buckets(&j.w, "ages", ages, s->ages, ADIT_COUNT(ages));
    json_time(&j.w, "oldest", s->oldest), json_time(&j.w, "newest", s->newest);
    adit_json_member_open(&j.w, "largest", '[');
    for (size_t i = 0; i < LARGEST && s->largest[i].url; i++) {
        adit_json_open(&j.w, '{');
        adit_json_member(&j.w, "url", adit_str_z(s->largest[i].url));
        adit_json_member_uint(&j.w, "bytes", s->largest[i].len);
        adit_json_close(&j.w, '}');
    }
    adit_json_close(&j.w, ']');
    cli_json_end(&j);
}

/* --- running ---------------------------------------------------------------------------------- */

static bool stat_file(const struct cli_args *args, const char *path)
{
    struct collection_options how = {.lenient = cli_has(args, "lenient")};
    struct collection *file = collection_open(path, &how);
    struct stat_of *s = calloc(1, sizeof *s);
    struct adit_scp_page page;
    bool good = file && s && !collection_failed(file);
    if (!s) cli_say(path, "out of memory");
    while (good && collection_next(file, &page))
        count_page(s, &page, collection_meta(file)->generated_at);
    good = good && !collection_failed(file);
    if (good) {
        view_tally_sort(&s->languages);
        if (cli_has(args, "json"))
            print_json(path, file, s);
        else
            print_text(path, file, s);
        good = collection_counts(file)->skipped == 0;
    }
    for (size_t i = 0; s && i < LARGEST; i++) free(s->largest[i].url);
    if (s) view_tally_free(&s->languages);
    free(s);
    collection_close(file);
    return good;
}

static int run_stat(const struct cli_args *args)
{
    int code = CLI_OK;
    if (args->n_files == 0) return cli_usage(args, "which collections?");
    for (size_t i = 0; i < args->n_files; i++)
        if (!stat_file(args, args->files[i])) code = CLI_INVALID;
    return code;
}

static const struct cli_option options[] = {
    COLLECTION_CLI_LENIENT,
    {0},
};

const struct cli_command cmd_stat = {
    .name = "stat",
    .usage = "FILE|DIR…",
    .summary = "show what is in collections: pages, blocks, languages, sizes, ages",
    .details = "Of DIR, a publication or a copy of sync, all pages are shown.\n\n"
               "  adit stat blog.scp.zst\n"
               "  adit stat public",
    .options = options,
    .run = run_stat,
};
