/* What a folder's site says of itself, where it has no such files: both sitemaps and llms.txt. Made from the pages as they are at the moment of the request: each is asked of the
 * origin with its last ETag, and converted only if it has another one. */
#include "batch/serve/serve.h"
#include "format/format.h"
#include "page/page.h"
#include "tct/tct.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    LIST_BYTES = 64 << 20,
    PART_MAX = 64 << 20, /* bytes of a document */
    WAIT_S = 3           /* that a request waits for the folder to be read; then 503 */
};

/* A page. Strings are its own; those of a page that is not listed are empty. */
struct site_page {
    char *path, *etag, *title, *description, *modified;
    char hash[ADIT_TCT_HASH];
    bool listed; /* it has content, and asks for no index */
    bool mapped; /* it has a machine URL */
};

struct site {
    struct origin *origin;
    const struct adit_config *config;
    struct adit_converter *converter;
    pthread_mutex_t lock; /* of all below */
    pthread_t reader;
    bool reading;
    atomic_bool stop;
    struct site_page *pages; /* by path */
    size_t n;
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

/* Converts the page that the reply brings, as its machine URL would. */
static void convert(struct site *s, struct site_page *p, struct origin_reply *r,
                    struct adit_str html)
{
    const struct adit_format *f = &adit_formats[ADIT_FORMAT_TCT];
    struct adit_format_options options = {.schema = s->config->payload_schema};
    struct adit_buf url, view, date;
    const struct adit_page *page;
    struct adit_error err;
    int64_t modified = 0;
    struct adit_str last = adit_header_get(r->headers.v, r->headers.n, ADIT_STR("last-modified"));
    adit_buf_init(&url, cli_mem, 64 << 10);
    adit_buf_init(&date, cli_mem, 64);
    adit_buf_init(&view, cli_mem, 64u << 20);
    adit_map_url(s->config, adit_str_z(p->path), &url);
    if (adit_http_date_parse(last, &modified))
        adit_time_write(&date, (struct adit_time){modified, 0});
    struct adit_page_source source = {
        .url = adit_buf_str(&url),
        .content_type = adit_header_get(r->headers.v, r->headers.n, ADIT_STR("content-type")),
        .last_modified = last,
        .date = adit_buf_str(&date),
    };
    if (!s->converter) s->converter = adit_converter_new(cli_mem);
    if (s->converter && adit_media_is_html(source.content_type) &&
        adit_convert(s->converter, html, &source, &page, &err) == ADIT_OK && page->n_blocks &&
        !page->noindex && !page->noarchive &&
        f->view(page, &options, cli_mem, &view, p->hash) == ADIT_OK) {
        p->title = copy(page->title);
        p->description = copy(page->description);
        p->modified = copy(page->modified);
        p->mapped = is_mapped(s->config, adit_str_z(p->path));
        p->listed = p->title && p->description && p->modified;
    }
    adit_buf_free(&url);
    adit_buf_free(&date);
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

/* Asks for a page; old is what is known of it, or NULL. False: it is gone. */
static bool look(struct site *s, struct site_page *p, struct site_page *old)
{
    struct adit_header validator = {ADIT_STR("if-none-match"),
                                    adit_str_z(old && old->etag ? old->etag : "")};
    struct origin_request q = {
        .method = ADIT_STR("GET"),
        .path = adit_str_z(p->path),
        .headers = &validator,
        .n_headers = validator.value.len ? 1 : 0,
        .timeout_ms = 5000,
        .whole = true,
    };
    enum adit_fetch_failure why;
    struct origin_reply *r = s->origin->open(s->origin, &q, &why);
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
        if (read_body(s, r, &html)) convert(s, p, r, adit_buf_str(&html));
        adit_buf_free(&html);
    }
    if (r) r->close(r);
    return there;
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

/* --- the documents ---------------------------------------------------------------------------- */

static void add_view_url(const struct site *s, const struct site_page *p, enum adit_format_row row,
                         struct adit_buf *out)
{
    struct adit_buf path;
    adit_buf_init(&path, cli_mem, 64 << 10);
    adit_map_machine(s->config, &adit_formats[row], adit_str_z(p->path), &path);
    if (!path.err) adit_map_url(s->config, adit_buf_str(&path), out);
    adit_buf_free(&path);
}

/* Items first … first + n of those that have a machine URL, as one sitemap. */
static bool write_items(const struct site *s, uint64_t first, uint64_t n, struct adit_buf *out,
                        struct adit_tct_sitemap *map)
{
    struct adit_buf_sink sink;
    struct adit_buf c_url, m_url;
    uint64_t at = 0;
    adit_buf_init(&c_url, cli_mem, 64 << 10);
    adit_buf_init(&m_url, cli_mem, 64 << 10);
    bool fine = adit_tct_sitemap_open(map, adit_buf_sink_init(&sink, out), cli_mem) == ADIT_OK;
    for (size_t i = 0; fine && i < s->n; i++) {
        const struct site_page *p = &s->pages[i];
        if (!p->listed || !p->mapped || at++ < first || at > first + n) continue;
        adit_buf_clear(&c_url);
        adit_buf_clear(&m_url);
        adit_map_url(s->config, adit_str_z(p->path), &c_url);
        add_view_url(s, p, ADIT_FORMAT_TCT, &m_url);
        struct adit_tct_item item = {adit_buf_str(&c_url), adit_buf_str(&m_url),
                                     adit_str_z(p->modified), adit_str_of(p->hash, sizeof p->hash)};
        fine = adit_tct_sitemap_item(map, &item) == ADIT_OK;
    }
    fine = fine && adit_tct_sitemap_close(map) == ADIT_OK && !out->err;
    adit_buf_free(&c_url);
    adit_buf_free(&m_url);
    return fine;
}

static uint64_t count_items(const struct site *s, bool mapped)
{
    uint64_t n = 0;
    for (size_t i = 0; i < s->n; i++) n += s->pages[i].listed && (!mapped || s->pages[i].mapped);
    return n;
}

/* "/name.json" with number 3: "/name-0003.json". */
static void add_part_name(struct adit_str path, struct adit_str ending, uint64_t part,
                          struct adit_buf *out)
{
    struct adit_str stem = path;
    if (adit_str_ends(path, ending)) stem.len -= ending.len;
    adit_buf_add(out, stem);
    adit_buf_byte(out, '-');
    adit_buf_pad(out, part, 4);
    adit_buf_add(out, ending);
}

/* The number of the part that path names; 0: the document itself; -1: neither. */
static int64_t part_of(struct adit_str path, struct adit_str whole, struct adit_str ending)
{
    struct adit_str stem = whole;
    uint64_t n;
    if (adit_str_eq(path, whole)) return 0;
    if (adit_str_ends(whole, ending)) stem.len -= ending.len;
    bool shape = path.len == stem.len + 5 + ending.len && adit_str_starts(path, stem) &&
                 adit_str_ends(path, ending) && path.p[stem.len] == '-' &&
                 adit_str_u64(adit_str_sub(path, stem.len + 1, stem.len + 5), &n);
    return shape && n > 0 ? (int64_t)n : -1;
}

static bool write_index(const struct site *s, uint64_t n_parts, struct adit_buf *out)
{
    const struct adit_config *c = s->config;
    struct adit_tct_part *parts = calloc(n_parts, sizeof *parts);
    struct adit_tct_sitemap *maps = calloc(n_parts, sizeof *maps);
    struct adit_buf text, path, *urls = calloc(n_parts, sizeof *urls);
    bool fine = parts && maps && urls;
    adit_buf_init(&text, cli_mem, PART_MAX);
    adit_buf_init(&path, cli_mem, 64 << 10);
    for (uint64_t i = 0; fine && i < n_parts; i++) {
        adit_buf_clear(&text);
        adit_buf_clear(&path);
        adit_buf_init(&urls[i], cli_mem, 64 << 10);
        fine = write_items(s, i * c->sitemap_max_items, c->sitemap_max_items, &text, &maps[i]);
        add_part_name(c->sitemap_path, ADIT_STR(".json"), i + 1, &path);
        adit_map_url(c, adit_buf_str(&path), &urls[i]);
        parts[i] = (struct adit_tct_part){adit_buf_str(&urls[i]), maps[i].n_items, maps[i].modified,
                                          maps[i].hash};
    }
    if (fine) adit_tct_index(out, parts, n_parts);
    for (uint64_t i = 0; urls && maps && i < n_parts; i++) {
        adit_buf_free(&urls[i]);
        if (maps[i].out) adit_tct_sitemap_free(&maps[i]);
    }
    adit_buf_free(&text);
    adit_buf_free(&path);
    free(urls);
    free(maps);
    free(parts);
    return fine && !out->err;
}

static bool write_json(const struct site *s, struct adit_str path, struct adit_buf *out)
{
    const struct adit_config *c = s->config;
    int64_t part = part_of(path, c->sitemap_path, ADIT_STR(".json"));
    uint64_t n = count_items(s, true), max = c->sitemap_max_items;
    uint64_t parts = n > max ? (n + max - 1) / max : 0;
    struct adit_tct_sitemap map;
    if (part < 0 || (uint64_t)part > parts) return false;
    if (part == 0 && parts) return write_index(s, parts, out);
    bool fine = write_items(s, part ? ((uint64_t)part - 1) * max : 0, max, out, &map);
    adit_tct_sitemap_free(&map);
    return fine;
}

static void write_urls(const struct site *s, uint64_t first, struct adit_buf *out)
{
    struct adit_buf url;
    uint64_t at = 0;
    adit_buf_init(&url, cli_mem, 64 << 10);
    adit_sitemap_begin(out, ADIT_SITEMAP_URLS);
    for (size_t i = 0; i < s->n; i++) {
        const struct site_page *p = &s->pages[i];
        if (!p->listed || at++ < first || at > first + ADIT_LIMIT_sitemap_items) continue;
        adit_buf_clear(&url);
        adit_map_url(s->config, adit_str_z(p->path), &url);
        adit_sitemap_add(out, ADIT_SITEMAP_URLS, adit_buf_str(&url), adit_str_z(p->modified));
    }
    adit_sitemap_end(out, ADIT_SITEMAP_URLS);
    adit_buf_free(&url);
}

static bool write_xml(const struct site *s, struct adit_str path, struct adit_buf *out)
{
    struct adit_str name = ADIT_STR("/sitemap.xml"), ending = ADIT_STR(".xml");
    int64_t part = part_of(path, name, ending);
    uint64_t max = ADIT_LIMIT_sitemap_items, n = count_items(s, false);
    uint64_t parts = n > max ? (n + max - 1) / max : 0;
    if (part < 0 || (uint64_t)part > parts) return false;
    if (part || !parts) {
        write_urls(s, part ? ((uint64_t)part - 1) * max : 0, out);
        return !out->err;
    }
    struct adit_buf url;
    adit_buf_init(&url, cli_mem, 64 << 10);
    adit_sitemap_begin(out, ADIT_SITEMAP_INDEX);
    for (uint64_t i = 1; i <= parts; i++) {
        adit_buf_clear(&url);
        adit_buf_add(&url, s->config->origin);
        add_part_name(name, ending, i, &url);
        adit_sitemap_add(out, ADIT_SITEMAP_INDEX, adit_buf_str(&url), (struct adit_str){0});
    }
    adit_sitemap_end(out, ADIT_SITEMAP_INDEX);
    adit_buf_free(&url);
    return !out->err;
}

static bool write_llms(const struct site *s, struct adit_str path, struct adit_buf *out)
{
    const struct adit_config *c = s->config;
    const struct site_page *home = s->n && !strcmp(s->pages[0].path, "/") ? &s->pages[0] : NULL;
    struct adit_str host =
        adit_str_sub(c->origin, adit_str_find(c->origin, ADIT_STR("//"), 0) + 2, c->origin.len);
    (void)path;
    if (!c->llms) return false;
    bool told = home && home->listed;
    adit_llms_begin(out, told ? adit_str_z(home->title) : host,
                    told ? adit_str_z(home->description) : (struct adit_str){0});
    struct adit_buf url;
    adit_buf_init(&url, cli_mem, 64 << 10);
    for (size_t k = 0; k <= c->sections.n; k++) {
        bool begun = false;
        for (size_t i = 0; i < s->n; i++) {
            const struct site_page *p = &s->pages[i];
            if (!p->listed || !p->mapped || adit_llms_section_of(c, adit_str_z(p->path)) != k)
                continue;
            if (!begun)
                adit_llms_section(out,
                                  k < c->sections.n ? c->sections.v[k].name : ADIT_STR("Pages"));
            begun = true;
            adit_buf_clear(&url);
            add_view_url(s, p, c->markdown ? ADIT_FORMAT_MD : ADIT_FORMAT_TCT, &url);
            adit_llms_page(out, adit_str_z(p->title), adit_buf_str(&url),
                           adit_str_z(p->description));
        }
    }
    adit_buf_free(&url);
    return !out->err;
}

/* --- from path to document -------------------------------------------------------------------- */

static const struct document {
    const char *path; /* NULL: the configuration's sitemap.path */
    const char *ending, *type;
    bool (*write)(const struct site *s, struct adit_str path, struct adit_buf *out);
} documents[] = {
    {NULL, ".json", ADIT_TCT_MEDIA_TYPE, write_json},
    {"/sitemap.xml", ".xml", "application/xml", write_xml},
    {"/llms.txt", ".txt", "text/plain; charset=utf-8", write_llms},
};

static const struct document *document_at(const struct site *s, struct adit_str path)
{
    for (size_t i = 0; i < ADIT_COUNT(documents); i++) {
        const struct document *d = &documents[i];
        struct adit_str whole = d->path ? adit_str_z(d->path) : s->config->sitemap_path;
        if (part_of(path, whole, adit_str_z(d->ending)) >= 0) return d;
    }
    return NULL;
}

enum site_answer site_document(struct site *s, struct adit_str path, struct adit_buf *out,
                               const char **type)
{
    const struct document *d = document_at(s, path);
    struct timespec until;
    if (!d) return SITE_NONE;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += WAIT_S;
    if (pthread_mutex_timedlock(&s->lock, &until) != 0) return SITE_BUSY;
    refresh(s);
    bool made = d->write(s, path, out);
    pthread_mutex_unlock(&s->lock);
    *type = d->type;
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
