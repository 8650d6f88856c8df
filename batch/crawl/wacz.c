/* WACZ 1.1: a ZIP file with archives in archive/, what the crawler saw in pages/, and digests of all of
 * it in datapackage.json. */
#include "batch/crawl/inputs_impl.h"
#include "batch/crawl/zip_impl.h"
#include "json/json.h"

#include <stdlib.h>
#include <string.h>

enum {
    PACKAGE_MAX = 16 << 20,  /* bytes of datapackage.json */
    PAGE_LINE_MAX = 16 << 20 /* of a page's line, with its text */
};

/* What datapackage.json says of a file. */
struct said {
    struct adit_str hash;
    uint64_t bytes;
    bool has_bytes;
};

struct resource {
    struct adit_str path;
    struct said said, stats; /* stats: before 1.1 */
    bool has_stats;
};

struct wacz {
    struct input_source *of;
    struct zip zip;
    struct adit_buf package;
    struct resource *resources; /* sorted: a hostile package has a hundred thousand */
    size_t n_resources;
    struct adit_arena strings; /* theirs */
    const char *fault;
    size_t next;                /* member of the zip */
    const struct zip_member *m; /* the archive under way */
    struct input *in;           /* its input: not owned */
    struct input *pages;        /* the list under way */
    struct adit_arena arena;    /* of a page's strings */
    bool archives_done;
};

/* --- datapackage.json ------------------------------------------------------------------------- */

/* Reads a small member whole. */
static bool read_member(const struct zip *z, struct adit_str name, struct adit_buf *to)
{
    const struct zip_member *m = zip_find(z, name);
    const char *why = NULL;
    if (!m || m->size > PACKAGE_MAX) return false;
    struct input_source *s = zip_open(z, m, &why);
    if (!s) return false;
    adit_buf_clear(to);
    while (to->len < m->size && adit_buf_reserve(to, 64 << 10)) {
        size_t n = s->read(s, to->len, to->p + to->len, to->cap - to->len, &why);
        if (!n) break;
        to->len += n;
    }
    source_close(s);
    return !why && !to->err && to->len == m->size;
}

static bool digest_is(struct adit_str text, const uint8_t hash[ADIT_SHA256_LEN])
{
    uint8_t want[ADIT_SHA256_LEN];
    if (adit_str_istarts(text, ADIT_STR("sha256:"))) text = adit_str_sub(text, 7, text.len);
    return adit_hex_decode(text, want, sizeof want) && memcmp(want, hash, sizeof want) == 0;
}

/* datapackage-digest.json: the hash of datapackage.json. */
static bool package_is_whole(struct wacz *w)
{
    struct adit_buf text;
    struct adit_json_value doc;
    uint8_t hash[ADIT_SHA256_LEN];
    adit_buf_init(&text, cli_mem, PACKAGE_MAX);
    bool good = true;
    if (read_member(&w->zip, ADIT_STR("datapackage-digest.json"), &text) &&
        adit_json_check(adit_buf_str(&text), &doc, NULL) == ADIT_OK) {
        adit_sha256_of(adit_buf_str(&w->package), hash);
        good = digest_is(adit_json_inside(adit_json_get(doc, ADIT_STR("hash"))), hash);
    }
    adit_buf_free(&text);
    return good;
}

static int by_path(const void *a, const void *b)
{
    const struct resource *x = a, *y = b;
    return adit_str_cmp(x->path, y->path);
}

static const struct adit_json_row stats_rows[] = {
    {ADIT_ROW("hash", struct said, hash, TEXT, 0)},
    {ADIT_ROW("bytes", struct said, bytes, UINT, ADIT_ROW_HAS),
     .has_at = offsetof(struct said, has_bytes)},
    {0},
};
static const struct adit_json_row resource_rows[] = {
    {ADIT_ROW("path", struct resource, path, TEXT, 0)},
    {ADIT_ROW("hash", struct resource, said.hash, TEXT, 0)},
    {ADIT_ROW("bytes", struct resource, said.bytes, UINT, ADIT_ROW_HAS),
     .has_at = offsetof(struct resource, said.has_bytes)},
    {ADIT_ROW("stats", struct resource, stats, PART, ADIT_ROW_HAS), .rows = stats_rows,
     .has_at = offsetof(struct resource, has_stats)},
    {0},
};
/* What is no entry at all says nothing, and spoils none of the others. */
static enum adit_code read_resource(struct adit_json_value v, void *to, struct adit_arena *arena)
{
    enum adit_code code = adit_json_object_read(v, resource_rows, to, arena, NULL);
    return code == ADIT_EBAD ? ADIT_OK : code;
}
static const struct adit_json_row resource_item = {.kind = ADIT_ROW_OWN, .read = read_resource};
static const struct adit_json_list resources = {.item = &resource_item,
                                                .size = sizeof(struct resource),
                                                .n_at = offsetof(struct wacz, n_resources),
                                                .max = ZIP_MEMBERS_MAX};
static const struct adit_json_row package_rows[] = {
    {ADIT_ROW("resources", struct wacz, resources, LIST, 0), .list = &resources}, {0}};

static const char *read_package(struct wacz *w)
{
    struct adit_json_value doc;
    if (!read_member(&w->zip, ADIT_STR("datapackage.json"), &w->package))
        return "has no datapackage.json that can be read: nothing in it can be verified";
    if (adit_json_check(adit_buf_str(&w->package), &doc, NULL) != ADIT_OK ||
        doc.kind != ADIT_JSON_OBJECT)
        return "datapackage.json is no JSON object: nothing can be verified";
    if (adit_json_object_read(doc, package_rows, w, &w->strings, NULL) != ADIT_OK)
        return "datapackage.json lists too many files: nothing can be verified";
    if (w->n_resources) qsort(w->resources, w->n_resources, sizeof *w->resources, by_path);
    return package_is_whole(w) ? NULL : "datapackage.json has another hash than its digest says";
}

/* The entry of a member; NULL if there is none. */
static const struct resource *resource_of(const struct wacz *w, struct adit_str path)
{
    struct resource key = {.path = path};
    if (!w->n_resources) return NULL;
    return bsearch(&key, w->resources, w->n_resources, sizeof key, by_path);
}

/* --- archives --------------------------------------------------------------------------------- */

struct wacz *wacz_open(struct input_source *of, const char **why)
{
    struct wacz *w = calloc(1, sizeof *w);
    if (!w) {
        source_close(of);
        *why = "out of memory";
        return NULL;
    }
    w->of = of;
    adit_buf_init(&w->package, cli_mem, PACKAGE_MAX);
    adit_arena_init(&w->arena, cli_mem, 2 * (size_t)PAGE_LINE_MAX);
    adit_arena_init(&w->strings, cli_mem, 2 * (size_t)PACKAGE_MAX);
    *why = zip_read(&w->zip, of);
    size_t archives = 0;
    for (size_t i = 0; i < w->zip.n; i++)
        archives += adit_str_starts(w->zip.v[i].name, ADIT_STR("archive/"));
    if (!*why && !archives) *why = "is a ZIP file, but no WACZ: there is no archive/ in it";
    if (*why) {
        wacz_close(w);
        return NULL;
    }
    w->fault = read_package(w);
    return w;
}

void wacz_close(struct wacz *w)
{
    if (!w) return;
    input_close(w->pages);
    adit_buf_free(&w->package);
    adit_arena_free(&w->arena);
    adit_arena_free(&w->strings);
    zip_free(&w->zip);
    source_close(w->of);
    free(w);
}

const char *wacz_fault(const struct wacz *w) { return w->fault; }

bool wacz_next(struct wacz *w, struct adit_str *member, struct input **in, const char **why)
{
    w->m = NULL;
    w->in = *in = NULL;
    for (; !w->archives_done && w->next < w->zip.n; w->next++) {
        const struct zip_member *m = &w->zip.v[w->next];
        if (!adit_str_starts(m->name, ADIT_STR("archive/")) ||
            adit_str_ends(m->name, ADIT_STR("/")))
            continue;
        w->next++;
        *member = m->name;
        struct input_source *s = zip_open(&w->zip, m, why), *hashed = s ? source_hash(s) : NULL;
        if (s && !hashed) {
            source_close(s);
            *why = "out of memory";
        }
        if (!hashed) return true;
        *in = input_open_source(
            hashed, &(struct input_options){.recover = true, .window_max = WARC_WINDOW});
        if (!*in) *why = "out of memory";
        w->m = m;
        w->in = *in;
        return true;
    }
    if (!w->archives_done) w->next = 0;
    w->archives_done = true;
    return false;
}

const char *wacz_verify(struct wacz *w)
{
    uint8_t hash[ADIT_SHA256_LEN];
    if (!w->m || !w->in) return NULL;
    const struct resource *entry = resource_of(w, w->m->name);
    if (!entry) return w->fault ? NULL : "datapackage.json does not list it";
    const struct said *said = entry->has_stats ? &entry->stats : &entry->said;
    if (said->has_bytes && said->bytes != w->m->size)
        return "has another size than datapackage.json says";
    if (!said->hash.p) return NULL; /* "" is another hash */
    if (!source_hash_end(input_source(w->in), hash)) return "cannot be read to its end";
    return digest_is(said->hash, hash) ? NULL : "has another hash than datapackage.json says";
}

/* --- pages ------------------------------------------------------------------------------------ */

static bool next_list(struct wacz *w)
{
    input_close(w->pages);
    w->pages = NULL;
    for (const char *why; !w->pages && w->next < w->zip.n; w->next++) {
        const struct zip_member *m = &w->zip.v[w->next];
        if (!adit_str_starts(m->name, ADIT_STR("pages/")) ||
            !adit_str_ends(m->name, ADIT_STR(".jsonl")))
            continue;
        struct input_source *s = zip_open(&w->zip, m, &why);
        if (s)
            w->pages = input_open_source(
                s, &(struct input_options){.window_max = PAGE_LINE_MAX + (1 << 20)});
    }
    return w->pages != NULL;
}

#define PAGE(key, member) {ADIT_ROW(key, struct wacz_page, member, TEXT, 0)}
static const struct adit_json_row page_rows[] = {
    PAGE("url", url), PAGE("ts", date), PAGE("title", title), PAGE("text", text), {0}};

bool wacz_page(struct wacz *w, struct wacz_page *page)
{
    struct adit_str line;
    for (;;) {
        if (!w->pages || !input_line(w->pages, PAGE_LINE_MAX, &line)) {
            if (!next_list(w)) return false;
            continue;
        }
        struct adit_json_value doc;
        if (adit_json_check(adit_str_trim(line), &doc, NULL) != ADIT_OK) continue;
        adit_arena_reset(&w->arena);
        *page = (struct wacz_page){0};
        if (adit_json_object_read(doc, page_rows, page, &w->arena, NULL) == ADIT_OK &&
            page->url.len && page->text.len)
            return true;
    }
}
