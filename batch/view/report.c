/* What a report says of a site: collected from its collections, its manifest and pack's own report. */
#include "batch/collection/collection.h"
#include "batch/view/view_impl.h"
#include "format/format.h"
#include "spp/spp.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REPORT_BYTES = 64 << 20, PAGE_MEMORY = 512 << 20 };

void view_report_init(struct view_report *r) { *r = (struct view_report){.kind = "folder"}; }

static void free_top(struct view_top top[VIEW_TOP])
{
    for (size_t i = 0; i < VIEW_TOP; i++) free(top[i].url), free(top[i].title);
}

void view_report_free(struct view_report *r)
{
    struct view_tally *const tallies[] = {&r->languages, &r->kinds,    &r->types,
                                          &r->sections,  &r->left_out, &r->years};
    for (size_t i = 0; i < ADIT_COUNT(tallies); i++) view_tally_free(tallies[i]);
    free_top(r->largest), free_top(r->slowest);
    for (size_t i = 0; i < r->n_losses; i++) {
        free(r->losses[i].reason);
        for (size_t k = 0; k < r->losses[i].n_examples; k++) free(r->losses[i].examples[k]);
    }
    free(r->name);
}

void view_report_loss(struct view_report *r, struct adit_str reason, struct adit_str where)
{
    size_t i = 0;
    while (i < r->n_losses && !adit_str_eq(adit_str_z(r->losses[i].reason), reason)) i++;
    if (i == r->n_losses) {
        char *name = i < VIEW_REASONS ? strndup(reason.p, reason.len) : NULL;
        if (!name) {
            r->losses_more++;
            return;
        }
        r->losses[r->n_losses++] = (struct view_loss){.reason = name};
    }
    struct view_loss *l = &r->losses[i];
    l->n++;
    if (!where.len || l->n_examples == VIEW_EXAMPLES) return;
    l->examples[l->n_examples] = strndup(where.p, where.len);
    l->n_examples += l->examples[l->n_examples] != NULL;
}

/* --- pages ------------------------------------------------------------------------------------ */

/* What only the page itself tells: its kind, its text. */
static void read_page(struct view_report *r, const struct adit_scp_page *line,
                      struct adit_str *title)
{
    static struct adit_arena arena; /* one report a run */
    static struct adit_buf text;
    struct adit_page page;
    if (!arena.mem.resize) {
        adit_arena_init(&arena, cli_mem, PAGE_MEMORY);
        adit_buf_init(&text, cli_mem, PAGE_MEMORY);
    }
    adit_arena_reset(&arena);
    adit_buf_clear(&text);
    if (adit_scp_page_read(line, &arena, &page) != ADIT_OK) return;
    *title = page.title;
    view_tally_add(&r->languages, page.language, 1, line->line.len);
    view_tally_add(&r->kinds, adit_spp_type(page.schema, page.author.len || page.published.len), 1,
                   line->line.len);
    view_tally_add(&r->years, adit_str_sub(page.modified, 0, 4), 1, line->line.len);
    if (adit_formats[ADIT_FORMAT_MD].write(&page, cli_mem, &text) != ADIT_OK) return;
    r->bytes_text += text.len;
    r->words += adit_word_count(adit_buf_str(&text));
}

void view_report_page(struct view_report *r, const struct adit_scp_page *page)
{
    struct adit_str title = {0};
    r->pages++;
    r->blocks += page->n_blocks;
    r->bytes_scp += page->line.len + 1;
    for (size_t i = 0; i < (ADIT_BLOCK_TYPES + 1); i++)
        if (page->blocks[i])
            view_tally_add(&r->types, adit_str_z(adit_scp_block_names[i]), page->blocks[i], 0);
    read_page(r, page, &title);
    view_top_add(r->largest, page->url, title, page->line.len);
}

static bool take_pages(struct view_report *r, const char *path)
{
    struct collection *c = collection_open(path, NULL);
    struct adit_scp_page page;
    while (c && collection_next(c, &page)) view_report_page(r, &page);
    bool good = c && !collection_failed(c);
    if (good) r->bytes_stored = collection_counts(c)->bytes_encoded;
    if (good && !r->generated[0])
        snprintf(r->generated, sizeof r->generated, "%.*s", (int)collection_meta(c)->generated.len,
                 collection_meta(c)->generated.p);
    collection_close(c);
    return good;
}

/* --- folders ---------------------------------------------------------------------------------- */

static char *file_in(const char *dir, const char *name)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s", dir, name) < 0 ? NULL : path;
}

static void take_manifest(struct view_report *r, struct adit_str json, struct adit_arena *arena)
{
    struct adit_manifest_head head;
    struct adit_manifest_entry *v;
    size_t n;
    if (adit_manifest_read(json, arena, &head, &v, &n, NULL) != ADIT_OK) return;
    if (head.origin.len) free(r->name), r->name = strndup(head.origin.p, head.origin.len);
    snprintf(r->generated, sizeof r->generated, "%.*s", (int)head.generated.len,
             head.generated.len ? head.generated.p : "");
    for (size_t i = 0; i < n; i++) {
        bool delta = adit_manifest_is_delta(&v[i]),
             all = adit_str_eq(v[i].section, ADIT_STR("all"));
        if (!all && !delta && adit_str_eq(v[i].generated, head.generated))
            view_tally_add(&r->sections, v[i].section, v[i].pages, v[i].size);
    }
}

/* A collection of all pages: one moment of the site's history. Those of earlier runs stay in the
 * folder, and no manifest lists them. */
static void take_moment(struct view_report *r, const char *path)
{
    struct collection *c = collection_open(path, NULL);
    struct adit_scp_page page;
    const struct adit_scp_meta *m = c ? collection_meta(c) : NULL;
    if (c && !collection_failed(c) && adit_str_eq(m->section, ADIT_STR("all"))) {
        while (collection_next(c, &page)) {}
        if (!collection_failed(c))
            view_moment_add(m->delta ? &r->deltas : &r->snapshots, m->generated,
                            collection_counts(c)->pages);
    }
    collection_close(c);
}

static void take_history(struct view_report *r, const char *dir)
{
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d));) {
        char *path = adit_scp_path(adit_str_z(e->d_name)) ? file_in(dir, e->d_name) : NULL;
        if (path) take_moment(r, path);
        free(path);
    }
    if (d) closedir(d);
}

bool view_report_publication(struct view_report *r, const char *dir)
{
    char *manifest = file_in(dir, ADIT_SCP_MANIFEST), *report = file_in(dir, "report.json"),
         *pages = collection_path(dir);
    struct adit_buf text;
    struct adit_arena arena;
    adit_buf_init(&text, cli_mem, REPORT_BYTES);
    adit_arena_init(&arena, cli_mem, ADIT_MANIFEST_MEMORY);
    r->kind = "publication";
    r->name = strdup(dir);
    bool good = manifest && report && pages && cli_read(manifest, &text);
    if (good) take_manifest(r, adit_buf_str(&text), &arena);
    good = good && take_pages(r, pages);
    if (good) take_history(r, dir);
    adit_buf_clear(&text);
    if (good && access(report, R_OK) == 0 && cli_read(report, &text))
        view_report_json(r, adit_buf_str(&text));
    adit_arena_free(&arena);
    adit_buf_free(&text);
    free(manifest), free(report), free(pages);
    return good;
}

/* A line of the copy's list of pages: how it is followed, and what became of it. */
static void take_followed(struct view_report *r, const char *path)
{
    struct input *in = input_open(path, NULL);
    struct adit_arena arena;
    struct adit_str line;
    struct copy_page page;
    adit_arena_init(&arena, cli_mem, 16 << 20);
    while (in && input_line(in, 1 << 20, &line)) {
        adit_arena_reset(&arena);
        if (!copy_page_read(&page, line, &arena)) continue;
        if (adit_str_eq(page.status, ADIT_STR("held")))
            view_tally_add(&r->sections, page.via, 1, 0);
        else
            view_report_loss(r, page.status, page.url);
    }
    input_close(in);
    adit_arena_free(&arena);
}

bool view_report_copy(struct view_report *r, const char *dir)
{
    char *pages = collection_path(dir), *list = file_in(dir, copy_pages_name);
    r->kind = "copy";
    r->name = strdup(dir);
    bool good = pages && list && take_pages(r, pages);
    if (good && access(list, R_OK) == 0) take_followed(r, list);
    free(pages), free(list);
    return good;
}
