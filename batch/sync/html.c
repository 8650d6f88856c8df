/* When collections cannot be used, pages are fetched as people see them and converted here (SCP,
 * Fallback Strategy). */
#include "batch/sync/sync.h"
#include "http/http.h"
#include "page/page.h"
#include "scp/scp.h"
#include "text/text.h"

static struct adit_converter *converter;

static bool start_page(struct sync_job *job, struct fetch_request *q)
{
    if (!sync_may_ask(job->s)) {
        job->list->stopped = true;
        return false;
    }
    *q = (struct fetch_request){.url = job->task.url,
                                .if_none_match = job->task.etag,
                                .if_modified_since = job->task.last_modified,
                                .accept = ADIT_STR("text/html"),
                                .max_bytes = ADIT_LIMIT_page_bytes};
    return true;
}

static void keep(struct sync_job *job, const char *status, const struct fetch_reply *r,
                 struct adit_str modified, struct adit_str line)
{
    struct copy_page p = {
        .url = job->task.url,
        .via = ADIT_STR("html"),
        .status = adit_str_z(status),
        .etag = r->status == 304 ? job->task.etag : sync_field(r, "etag"),
        .last_modified =
            r->status == 304 ? job->task.last_modified : sync_field(r, "last-modified"),
        .listed = job->task.modified,
        .modified = modified,
        .checked = job->s->now_text,
    };
    sync_change(job->s, SYNC_PUT, true, &p, line);
}

static void take_page(struct sync_job *job, const struct fetch_reply *r,
                      const struct adit_page *page, struct adit_arena *arena)
{
    struct sync *s = job->s;
    struct adit_page copy = *page;
    struct adit_buf line;
    adit_buf_init(&line, cli_mem, ADIT_LIMIT_scp_line);
    copy.modified = sync_modified(s, &page->modified, 1, job->task.held_modified, arena);
    if (adit_scp_page_write(&copy, &line) || line.err) {
        s->report.lost++;
    } else {
        s->report.fetched++;
        keep(job, "held", r, copy.modified, adit_buf_str(&line));
    }
    adit_buf_free(&line);
}

static void convert(struct sync_job *job, const struct fetch_reply *r, struct adit_arena *arena)
{
    struct sync *s = job->s;
    const struct adit_page *page = NULL;
    struct adit_page_source source = {
        .url = job->task.url,
        .content_type = sync_field(r, "content-type"),
        .content_language = sync_field(r, "content-language"),
        .last_modified = sync_field(r, "last-modified"),
        .robots = sync_fields(r, "x-robots-tag", arena),
        .date = s->now_text,
    };
    struct adit_str none = {0};
    s->state.html_pages++, s->state.html_bytes += r->wire;
    bool html = adit_media_is_html(source.content_type);
    if (html && adit_convert(converter, r->body, &source, &page, NULL)) {
        s->report.lost++;
        sync_violation(s, SYNC_FAILED, job->task.url, ADIT_STR("cannot be converted"));
    } else if (html && (page->noindex || page->noarchive || !page->n_blocks)) {
        s->report.noindex++;
        keep(job, "noindex", r, none, none);
    } else if (html && sync_may_keep(s, r, arena)) {
        take_page(job, r, page, arena);
    } else {
        keep(job, "noindex", r, none, none);
    }
}

static bool page_done(struct sync_job *job, const struct fetch_reply *r)
{
    struct adit_arena arena;
    struct adit_str final = {0}, none = {0};
    if (r->error) {
        sync_failed(job->s, r);
        return true;
    }
    adit_arena_init(&arena, cli_mem, 1 << 20);
    /* A page that redirects is another page. */
    bool moved = r->redirects &&
                 (adit_url_page(r->url, &arena, &final) || !adit_str_eq(final, job->task.url));
    if (r->status == 304) {
        job->s->report.not_modified++;
        keep(job, "held", r, job->task.held_modified, none);
    } else if (r->status == 404 || r->status == 410 || moved) {
        job->s->report.gone++;
        keep(job, "gone", r, none, none);
    } else if (r->status == 200) {
        convert(job, r, &arena);
    } else {
        sync_failed(job->s, r);
    }
    adit_arena_free(&arena);
    return true;
}

void sync_html_run(struct sync *s, struct sync_list *list)
{
    static const struct sync_worker worker = {start_page, page_done};
    converter = adit_converter_new(cli_mem);
    if (!converter) {
        cli_say(NULL, "out of memory");
        return;
    }
    s->report.zero_fetch += list->n_zero;
    sync_work(s, list, &worker);
    adit_converter_free(converter);
    converter = NULL;
}
