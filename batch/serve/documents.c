/* The documents about a folder's site: both sitemaps, llms.txt and llms-full.txt, a row each. */
#include "batch/serve/site_impl.h"
#include "format/format.h"
#include "scp/scp.h"

#include <stdlib.h>
#include <string.h>

enum { PART_MAX = 64 << 20 }; /* bytes of a document */

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
    bool fine = adit_tct_sitemap_open(map, s->config->tct_profile, adit_buf_sink_init(&sink, out),
                                      cli_mem) == ADIT_OK;
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
    if (fine) adit_tct_index(out, c->tct_profile, parts, n_parts);
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

static bool write_json(struct site *s, struct adit_str path, struct adit_buf *out)
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

/* As pack names them (sitemap.xml is the first part, sitemap-0002.xml the next), with
 * sitemap-index.xml where there are several. */
static bool write_xml(struct site *s, struct adit_str path, struct adit_buf *out)
{
    uint64_t max = ADIT_LIMIT_sitemap_items, n = count_items(s, false), at = 0;
    uint64_t parts = n > max ? (n + max - 1) / max : 1;
    int64_t part = part_of(path, ADIT_STR("/sitemap.xml"), ADIT_STR(".xml"));
    struct adit_buf url;
    if (adit_str_eq(path, ADIT_STR("/sitemap-index.xml"))) {
        if (parts > 1) adit_scp_sitemap_index(out, s->config->origin, parts);
        return parts > 1 && !out->err;
    }
    if (part < 0 || part == 1 || (uint64_t)part > parts) return false;
    uint64_t first = part ? ((uint64_t)part - 1) * max : 0;
    adit_buf_init(&url, cli_mem, 64 << 10);
    adit_scp_sitemap_open(out);
    for (size_t i = 0; i < s->n; i++) {
        const struct site_page *p = &s->pages[i];
        if (!p->listed || at++ < first || at > first + max) continue;
        adit_buf_clear(&url);
        adit_map_url(s->config, adit_str_z(p->path), &url);
        adit_scp_sitemap_page(out, adit_buf_str(&url), adit_str_z(p->modified));
    }
    adit_scp_sitemap_close(out);
    adit_buf_free(&url);
    return !out->err;
}

/* The title and the summary are the home page's. */
static void begin_llms(const struct site *s, struct adit_buf *out)
{
    struct adit_str origin = s->config->origin;
    const struct site_page *home = s->n && !strcmp(s->pages[0].path, "/") ? &s->pages[0] : NULL;
    struct adit_str host =
        adit_str_sub(origin, adit_str_find(origin, ADIT_STR("//"), 0) + 2, origin.len);
    bool told = home && home->listed;
    adit_llms_begin(out, told ? adit_str_z(home->title) : host,
                    told ? adit_str_z(home->description) : (struct adit_str){0});
}

static bool write_llms(struct site *s, struct adit_str path, struct adit_buf *out)
{
    const struct adit_config *c = s->config;
    (void)path;
    if (!c->llms) return false;
    begin_llms(s, out);
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

/* Every page whole. Its Markdown is made anew for each request: who wants this asks seldom, and it is
 * not worth the memory of holding it. */
static bool write_llms_full(struct site *s, struct adit_str path, struct adit_buf *out)
{
    struct adit_buf url, text;
    (void)path;
    if (!s->config->llms_full) return false;
    begin_llms(s, out);
    adit_buf_init(&url, cli_mem, 64 << 10);
    adit_buf_init(&text, cli_mem, PART_MAX);
    for (size_t i = 0; i < s->n && !out->err; i++) {
        const struct site_page *p = &s->pages[i];
        if (!p->listed || !p->mapped) continue;
        adit_buf_clear(&url);
        adit_buf_clear(&text);
        adit_map_url(s->config, adit_str_z(p->path), &url);
        if (site_markdown(s, p, &text))
            adit_llms_whole(out, adit_buf_str(&url), adit_buf_str(&text));
    }
    adit_buf_free(&url);
    adit_buf_free(&text);
    return !out->err;
}

/* --- from path to document -------------------------------------------------------------------- */

static const struct site_row rows[] = {
    {NULL, ".json", NULL, write_json},
    {"/sitemap.xml", ".xml", "application/xml", write_xml},
    {"/sitemap-index.xml", "", "application/xml", write_xml},
    {"/llms.txt", "", "text/plain; charset=utf-8", write_llms},
    {"/llms-full.txt", "", "text/plain; charset=utf-8", write_llms_full},
};

const struct site_row *site_row_at(const struct site *s, struct adit_str path)
{
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_str whole = rows[i].path ? adit_str_z(rows[i].path) : s->config->sitemap_path;
        struct adit_str ending = adit_str_z(rows[i].ending);
        if (adit_str_eq(path, whole) || (ending.len && part_of(path, whole, ending) > 0))
            return &rows[i];
    }
    return NULL;
}
