/* The pages of a folder's site, for the documents that it has not itself (documents.c). They are as
 * at the moment of the request: each is asked of the origin with its last ETag, and converted only if
 * it has another one. */
#include "batch/serve/site_impl.h"
#include "format/format.h"
#include "page/page.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    LIST_BYTES = 64 << 20,
    WAIT_S = 3 /* seconds that a request waits until the folder has been read; then 503 */
};

/* --- the pages -------------------------------------------------------------------------------- */

static void free_page(struct site_page *p)
{
    char *const all[] = {p->path, p->etag, p->title, p->description, p->modified};
    for (size_t i = 0; i < ADIT_COUNT(all); i++) free(all[i]);
}

static char *copy(struct adit_str s)
{
    char *p = malloc(s.len + 1);
    if (!p) return NULL;
    if (s.len) memcpy(p, s.p, s.len);
    p[s.len] = '\0';
    return p;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct site_page *)a)->path, ((const struct site_page *)b)->path);
}

static bool is_mapped(const struct adit_config *c, struct adit_str path)
{
    struct adit_buf none;
    adit_buf_init(&none, cli_mem, ADIT_LIMIT_url_bytes);
    bool fine = !adit_map_excluded(c, path, cli_mem) &&
                adit_map_path(c, path, &none, NULL) == ADIT_PATH_PAGE;
    adit_buf_free(&none);
    return fine;
}

/* Converts the page that the reply brings, as its machine URL would; NULL: there is nothing to list.
 * It is valid until the next conversion. */
static const struct adit_page *convert(struct site *s, const struct site_page *p,
                                       struct origin_reply *r, struct adit_str html)
{
    struct adit_buf url, date;
    const struct adit_page *page = NULL;
    struct adit_error err;
    int64_t modified = 0;
    struct adit_str last = adit_header_get(r->headers.v, r->headers.n, ADIT_STR("last-modified"));
    adit_buf_init(&url, cli_mem, 64 << 10);
    adit_buf_init(&date, cli_mem, 64);
    adit_map_url(s->config, adit_str_z(p->path), &url);
    if (adit_http_date_parse(last, &modified))
        adit_time_write(&date, (struct adit_time){modified, 0});
    struct adit_page_source source = {
        .url = adit_buf_str(&url),
        .content_type = adit_header_get(r->headers.v, r->headers.n, ADIT_STR("content-type")),
        .last_modified = last,
        .date = adit_buf_str(&date),
        .rich = true,
    };
    if (!s->converter) s->converter = adit_converter_new(cli_mem);
    bool fine = s->converter && adit_media_is_html(source.content_type) &&
                adit_convert(s->converter, html, &source, &page, &err) == ADIT_OK &&
                page->n_blocks && !page->noindex && !page->noarchive;
    adit_buf_free(&url);
    adit_buf_free(&date);
    return fine ? page : NULL;
}

static void note_page(struct site *s, struct site_page *p, const struct adit_page *page)
{
    const struct adit_format *f = &adit_formats[ADIT_FORMAT_TCT];
    struct adit_format_options options = {.schema = s->config->payload_schema,
                                          .profile = s->config->tct_profile};
    struct adit_buf view;
    adit_buf_init(&view, cli_mem, 64u << 20);
    if (f->view(page, &options, cli_mem, &view, p->hash) == ADIT_OK) {
        p->title = copy(page->title);
        p->description = copy(page->description);
        p->modified = copy(page->modified);
        p->mapped = is_mapped(s->config, adit_str_z(p->path));
        p->listed = p->title && p->description && p->modified;
    }
    adit_buf_clear(&view);
    if (adit_formats[ADIT_FORMAT_MD].write(page, cli_mem, &view) == ADIT_OK) p->md_bytes = view.len;
    adit_buf_free(&view);
}

static bool read_body(struct site *s, struct origin_reply *r, struct adit_buf *html)
{
    char part[65536];
    ssize_t got;
    while ((got = r->read(r, part, sizeof part)) > 0 && !atomic_load(&s->stop))
        adit_buf_add(html, adit_str_of(part, (size_t)got));
    return got == 0 && !html->err;
}

/* Asks for a page; etag may be empty. */
static struct origin_reply *ask(struct site *s, const struct site_page *p, const char *etag)
{
    struct adit_header validator = {ADIT_STR("if-none-match"), adit_str_z(etag)};
    struct origin_request q = {
        .method = ADIT_STR("GET"),
        .path = adit_str_z(p->path),
        .headers = &validator,
        .n_headers = validator.value.len ? 1 : 0,
        .timeout_ms = 5000,
        .whole = true,
    };
    enum adit_fetch_failure why;
    return s->origin->open(s->origin, &q, &why);
}

/* Looks at a page; old is what is known of it, or NULL. False: it is gone. */
static bool look(struct site *s, struct site_page *p, struct site_page *old)
{
    struct origin_reply *r = ask(s, p, old && old->etag ? old->etag : "");
    bool there = r && (r->status == 200 || (r->status == 304 && old));
    if (there && old && r->status == 304) {
        char *path = p->path;
        *p = *old;
        p->path = path;
        old->etag = old->title = old->description = old->modified = NULL; /* moved */
    } else if (there) {
        struct adit_buf html;
        adit_buf_init(&html, cli_mem, (size_t)s->config->max_page_bytes);
        p->etag = copy(adit_header_get(r->headers.v, r->headers.n, ADIT_STR("etag")));
        const struct adit_page *page =
            read_body(s, r, &html) ? convert(s, p, r, adit_buf_str(&html)) : NULL;
        p->html_bytes = html.len;
        if (page) note_page(s, p, page);
        adit_buf_free(&html);
    }
    if (r) r->close(r);
    return there;
}

bool site_markdown(struct site *s, const struct site_page *p, struct adit_buf *out)
{
    const struct adit_format *f = &adit_formats[ADIT_FORMAT_MD];
    struct origin_reply *r = ask(s, p, "");
    struct adit_buf html;
    adit_buf_init(&html, cli_mem, (size_t)s->config->max_page_bytes);
    const struct adit_page *page = r && r->status == 200 && read_body(s, r, &html)
                                       ? convert(s, p, r, adit_buf_str(&html))
                                       : NULL;
    bool fine = page && f->write(page, cli_mem, out) == ADIT_OK;
    adit_buf_free(&html);
    if (r) r->close(r);
    return fine;
}

/* Brings the table up to date; the lock is held. */
static void refresh(struct site *s)
{
    struct adit_buf lines;
    adit_buf_init(&lines, cli_mem, LIST_BYTES);
    s->origin->list(s->origin, s->config, &lines);
    size_t cap = 0, n = 0, at = 0;
    for (size_t i = 0; i < lines.len; i++) cap += lines.p[i] == '\n';
    struct site_page *pages = calloc(cap + 1, sizeof *pages);
    struct adit_str rest = adit_buf_str(&lines), line;
    while (pages && n < cap && rest.len && adit_str_split(&rest, '\n', &line))
        if (line.len && (pages[n].path = copy(line))) n++;
    adit_buf_free(&lines);
    if (!pages) return;
    qsort(pages, n, sizeof *pages, by_path); /* paths are distinct: the order is total */
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        while (at < s->n && strcmp(s->pages[at].path, pages[i].path) < 0) at++;
        bool known = at < s->n && strcmp(s->pages[at].path, pages[i].path) == 0;
        if (!atomic_load(&s->stop) && look(s, &pages[i], known ? &s->pages[at] : NULL))
            pages[kept++] = pages[i];
        else
            free_page(&pages[i]);
    }
    for (size_t i = 0; i < s->n; i++) free_page(&s->pages[i]);
    free(s->pages);
    s->pages = pages;
    s->n = kept;
}

/* --- requests and the reader in the background ------------------------------------------------ */

/* Waits a little for the folder to be read, and brings the table up to date. */
static bool take_table(struct site *s)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += WAIT_S;
    if (pthread_mutex_timedlock(&s->lock, &until) != 0) return false;
    refresh(s);
    return true;
}

bool site_describe(struct site *s, struct adit_json_writer *w)
{
    if (!take_table(s)) return false;
    for (size_t i = 0; i < s->n; i++) {
        const struct site_page *p = &s->pages[i];
        adit_json_open(w, '{');
        adit_json_member_uint(w, "html", p->html_bytes);
        adit_json_member_uint(w, "markdown", p->mapped ? p->md_bytes : 0);
        adit_json_member(w, "path", adit_str_z(p->path));
        adit_json_member_opt(w, "title", adit_str_z(p->title ? p->title : ""));
        adit_json_close(w, '}');
    }
    pthread_mutex_unlock(&s->lock);
    return true;
}

enum site_answer site_document(struct site *s, struct adit_str path, struct adit_buf *out,
                               const char **type)
{
    const struct site_row *d = site_row_at(s, path);
    if (!d) return SITE_NONE;
    if (!take_table(s)) return SITE_BUSY;
    bool made = d->write(s, path, out);
    pthread_mutex_unlock(&s->lock);
    *type = d->type ? d->type : adit_tct_profiles[s->config->tct_profile].media_type;
    return made ? SITE_MADE : SITE_NONE;
}

static void *read_ahead(void *ctx)
{
    struct site *s = ctx;
    pthread_mutex_lock(&s->lock);
    refresh(s);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

struct site *site_new(struct origin *o, const struct adit_config *c)
{
    struct site *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->origin = o;
    s->config = c;
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

void site_start(struct site *s)
{
    s->reading = pthread_create(&s->reader, NULL, read_ahead, s) == 0;
}

void site_free(struct site *s)
{
    if (!s) return;
    atomic_store(&s->stop, true);
    if (s->reading) pthread_join(s->reader, NULL);
    for (size_t i = 0; i < s->n; i++) free_page(&s->pages[i]);
    free(s->pages);
    if (s->converter) adit_converter_free(s->converter);
    pthread_mutex_destroy(&s->lock);
    free(s);
}
