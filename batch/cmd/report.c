/* adit report: a publication, a copy or an archive as one page to look at. */
#include "batch/archive/archive.h"
#include "batch/collection/collection.h"
#include "batch/view/view.h"
#include "json/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct walk {
    struct archive *a;
    struct view_report *r;
    struct adit_arena arena;
    struct view_tally days; /* versions by the day they were first seen on */
};

/* A page of an archive, by its newest version; versions count by their days. */
static bool take_artifact(void *ctx, const char uuid[ADIT_SPP_UUID])
{
    struct walk *w = ctx;
    struct adit_spp_version *v;
    struct adit_spp_manifest m;
    size_t n;
    adit_arena_reset(&w->arena);
    if (archive_versions(w->a, uuid, &w->arena, &v, &n) != ARCHIVE_FOUND) return true;
    for (size_t i = 1; i <= n; i++) {
        if (archive_manifest(w->a, uuid, i, &w->arena, &m) != ARCHIVE_FOUND) continue;
        view_tally_add(&w->days, adit_str_sub(m.first_seen, 0, 10), 1, 0);
        w->r->bytes_html += m.raw.bytes;
        w->r->bytes_text += m.clean.bytes;
        w->r->bytes_stored += m.raw.stored + m.clean.stored + m.diff.stored;
        w->r->captures++;
        if (i < n) continue;
        w->r->pages++;
        view_tally_add(&w->r->languages, m.language, 1, 0);
        view_tally_add(&w->r->kinds, m.type, 1, 0);
        view_top_add(w->r->largest, m.url, m.title, m.raw.bytes);
        if (m.tombstone_at.len) view_report_loss(w->r, ADIT_STR("tombstone"), m.url);
    }
    return true;
}

static bool take_archive(struct view_report *r, const char *dir)
{
    struct walk w = {.a = archive_open(dir), .r = r};
    if (!w.a) return false;
    r->kind = "archive";
    r->name = strdup(dir);
    adit_arena_init(&w.arena, cli_mem, ARCHIVE_ARENA_MAX);
    archive_each(w.a, take_artifact, &w);
    for (size_t i = 0; i < w.days.n; i++)
        view_moment_add(&r->deltas, adit_str_z(w.days.v[i].name), w.days.v[i].n);
    view_tally_free(&w.days);
    adit_arena_free(&w.arena);
    return archive_close(w.a);
}

static bool has(const char *dir, const char *name)
{
    char *path = NULL;
    bool there = asprintf(&path, "%s/%s", dir, name) >= 0 && access(path, F_OK) == 0;
    free(path);
    return there;
}

static void tell(const struct cli_args *args, const struct view_report *r, const char *file)
{
    if (cli_has(args, "json")) {
        struct cli_json j;
        cli_json_begin(&j);
        adit_json_member(&j.w, "file", adit_str_z(file));
        adit_json_member(&j.w, "of", adit_str_z(r->name));
        adit_json_member_uint(&j.w, "pages", r->pages);
        cli_json_end(&j);
    } else if (!cli_has(args, "quiet")) {
        cli_print("%s: %s of %s\n", file, cli_count(r->pages, "page").p, r->name);
    }
}

static int run_report(const struct cli_args *args)
{
    const char *file = cli_get(args, "o");
    if (args->n_files != 1) return cli_usage(args, "which folder?");
    if (!file) return cli_usage(args, "-o FILE says where the page goes");
    const char *dir = args->files[0];
    struct view_report *r = malloc(sizeof *r);
    bool good;
    if (!r) return CLI_OUTPUT;
    view_report_init(r);
    if (has(dir, ADIT_SCP_MANIFEST))
        good = view_report_publication(r, dir);
    else if (has(dir, copy_collection_name))
        good = view_report_copy(r, dir);
    else
        good = take_archive(r, dir);
    int code = !good ? CLI_INVALID : view_report_write(r, file) ? CLI_OK : CLI_OUTPUT;
    if (!code) tell(args, r, file);
    view_report_free(r);
    free(r);
    return code;
}

static const struct cli_option options[] = {
    {"o", "FILE", CLI_VALUE, "where the page goes; - is standard output"},
    CLI_QUIET,
    {0},
};

const struct cli_command cmd_report = {
    .name = "report",
    .usage = "DIR -o FILE",
    .summary = "a publication, a copy of a site or an archive as one page to look at",
    .details =
        "DIR is what pack, sync or archive wrote. The page says how many pages there are, in which\n"
        "sections, languages, kinds and blocks; how large they are as HTML, SCP and compressed, and\n"
        "what readers save; what was lost, by reason and place; which pages are largest and slowest;\n"
        "and what changed from delta to delta. It is one HTML file: nothing is loaded, no script\n"
        "runs; light and dark, on paper and on a phone.\n\n"
        "  adit report public -o report.html",
    .options = options,
    .run = run_report,
};
