/* Pages of SCP collections as captures: files, and the folders of `adit sync`. */
#include "batch/archive/ingest_impl.h"
#include "batch/io/io.h"
#include "batch/collection/collection.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* --- which inputs ----------------------------------------------------------------------------- */

static bool has(const char *dir, const char *name)
{
    char path[4096];
    struct stat st;
    return snprintf(path, sizeof path, "%s/%s", dir, name) < (int)sizeof path &&
           lstat(path, &st) == 0 && S_ISREG(st.st_mode); /* sync makes no links */
}

static bool is_sync_folder(const char *path)
{
    return has(path, copy_state_name) && has(path, copy_collection_name);
}

bool archive_is_collection(const char *path)
{
    return cli_is_folder(path) ? is_sync_folder(path) : adit_scp_path(adit_str_z(path));
}

/* --- a page ----------------------------------------------------------------------------------- */

struct reading {
    const struct crawl_options *o;
    const struct capture_sink *sink;
    void *ctx;
    struct collection *pages;
    struct input *states; /* what sync knows of the pages, sorted like them; NULL: nothing */
    struct copy_page state;
    bool has_state;
    struct adit_arena arena, state_arena;
    struct adit_buf url, line, date, head;
};

/* The state of the page with this URL, if there is one. */
static const struct copy_page *state_of(struct reading *r, struct adit_str url)
{
    struct adit_str line;
    while (r->states && (!r->has_state || adit_str_cmp(r->state.url, url) < 0)) {
        adit_arena_reset(&r->state_arena);
        adit_buf_clear(&r->line);
        r->has_state = input_line(r->states, 1 << 20, &line);
        if (!r->has_state) return NULL;
        adit_buf_add(&r->line, line);
        r->has_state = copy_page_read(&r->state, adit_buf_str(&r->line), &r->state_arena);
    }
    return r->has_state && adit_str_eq(r->state.url, url) ? &r->state : NULL;
}

static void add_field(struct adit_buf *head, const char *name, struct adit_str value)
{
    if (!value.len) return;
    adit_buf_lit(head, name);
    adit_buf_add(head, value);
    adit_buf_lit(head, "\r\n");
}

static bool show(struct reading *r, const struct adit_scp_page *line)
{
    const struct copy_page *state = state_of(r, line->url);
    struct crawl_capture s = {.at = collection_meta(r->pages)->generated_at,
                              .content_type = ADIT_STR(ARCHIVE_SCP_TYPE),
                              .body = line->line};
    adit_buf_clear(&r->head);
    adit_buf_clear(&r->date);
    adit_arena_reset(&r->arena);
    int why = crawl_public_url(r->o, line->url, &r->arena, &r->url);
    s.url = adit_buf_str(&r->url);
    if (why >= 0) return r->sink->verdict(r->ctx, &s, CRAWL_GONE, (enum crawl_skip)why);
    if (state) {
        s.file = true;
        struct adit_time checked;
        if (adit_time_parse(state->checked, &checked)) s.at = checked;
        add_field(&r->head, "ETag: ", state->etag);
        add_field(&r->head, "Last-Modified: ", state->last_modified);
    }
    s.http.head = adit_buf_str(&r->head);
    adit_time_write(&r->date, s.at);
    s.source = (struct adit_page_source){
        .url = s.url, .content_type = s.content_type, .date = adit_buf_str(&r->date)};
    struct adit_page page;
    bool ok = true;
    if (r->sink->known(r->ctx, &s, &ok)) return ok;
    if (adit_scp_page_read(line, &r->arena, &page) != ADIT_OK)
        return r->sink->verdict(r->ctx, &s, CRAWL_GONE, CRAWL_SKIP_limit);
    page.url = s.url;
    return r->sink->page(r->ctx, &s, &page);
}

bool archive_collection(const char *path, const struct crawl_options *o,
                        const struct capture_sink *sink, void *ctx, struct crawl_counts *counts)
{
    char pages[4096], states[4096];
    struct reading r = {.o = o, .sink = sink, .ctx = ctx};
    struct adit_scp_page line;
    bool folder = is_sync_folder(path), ok = true;
    snprintf(pages, sizeof pages, folder ? "%s/%s" : "%s", path, copy_collection_name);
    snprintf(states, sizeof states, "%s/%s", path, copy_pages_name);
    adit_arena_init(&r.arena, cli_mem, ARCHIVE_ARENA_MAX);
    adit_arena_init(&r.state_arena, cli_mem, 16 << 20);
    struct adit_buf *const bufs[] = {&r.url, &r.line, &r.date, &r.head};
    for (size_t i = 0; i < ADIT_COUNT(bufs); i++) adit_buf_init(bufs[i], cli_mem, 2 << 20);
    r.pages = collection_open(pages, NULL);
    if (folder && has(path, copy_pages_name)) r.states = input_open(states, NULL);
    while (ok && r.pages && !cli_interrupted() && collection_next(r.pages, &line)) {
        counts->captures++;
        ok = show(&r, &line);
    }
    if (!r.pages || collection_failed(r.pages)) counts->inputs_failed++;
    collection_close(r.pages);
    input_close(r.states);
    adit_arena_free(&r.arena);
    adit_arena_free(&r.state_arena);
    for (size_t i = 0; i < ADIT_COUNT(bufs); i++) adit_buf_free(bufs[i]);
    return ok;
}

/* --- raw bytes back to a page ----------------------------------------------------------------- */

static enum adit_code page_of_line(struct adit_str raw, struct adit_str page_url,
                                   struct adit_arena *arena, const struct adit_page **page)
{
    struct adit_scp_judge judge = {.limits = &adit_scp_limits, .line = 1};
    struct adit_scp_page line;
    struct adit_buf url;
    adit_buf_init(&url, cli_mem, 2 * (size_t)ADIT_LIMIT_url_bytes);
    struct adit_page *p = adit_arena_zalloc(arena, 1, sizeof *p);
    enum adit_code code = p ? ADIT_OK : ADIT_ENOMEM;
    if (p && adit_scp_page_judge(raw, &judge, &url, &line) != ADIT_SCP_GOOD) code = ADIT_EBAD;
    if (code == ADIT_OK) code = adit_scp_page_read(&line, arena, p);
    if (code == ADIT_OK) p->url = page_url;
    adit_buf_free(&url);
    *page = p;
    return code;
}

enum adit_code archive_page(struct adit_converter *converter, struct adit_str raw,
                            const struct adit_page_source *source, struct adit_arena *arena,
                            const struct adit_page **page)
{
    if (adit_str_eq(source->content_type, ADIT_STR(ARCHIVE_SCP_TYPE)))
        return page_of_line(raw, source->url, arena, page);
    return adit_convert(converter, raw, source, page, NULL);
}
