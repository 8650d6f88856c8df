/* From a converted page to the objects of a version. */
#include "batch/archive/archive.h"
#include "page/page.h"
#include "http/http.h"
#include "text/text.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum { GZIP_LEVEL = 6, TEXT_MAX = 64 << 20 };

struct archive_builder {
    struct libdeflate_compressor *gzip;
    struct adit_buf text, packed;
};

struct archive_builder *archive_builder_new(void)
{
    struct archive_builder *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    adit_buf_init(&b->text, cli_mem, TEXT_MAX);
    adit_buf_init(&b->packed, cli_mem, TEXT_MAX);
    b->gzip = libdeflate_alloc_compressor(GZIP_LEVEL);
    if (b->gzip) return b;
    archive_builder_free(b);
    return NULL;
}

void archive_builder_free(struct archive_builder *b)
{
    if (!b) return;
    if (b->gzip) libdeflate_free_compressor(b->gzip);
    adit_buf_free(&b->text);
    adit_buf_free(&b->packed);
    free(b);
}

bool archive_gzip(struct archive_builder *b, struct adit_str bytes, struct adit_buf *out)
{
    size_t bound = libdeflate_gzip_compress_bound(b->gzip, bytes.len);
    if (!adit_buf_reserve(out, bound)) return false;
    size_t n = libdeflate_gzip_compress(b->gzip, bytes.len ? bytes.p : "", bytes.len,
                                        out->p + out->len, bound);
    out->len += n;
    return n > 0;
}

/* --- metadata --------------------------------------------------------------------------------- */

static bool same_instant(struct adit_str a, struct adit_str b)
{
    struct adit_time x, y;
    return adit_time_parse(a, &x) && adit_time_parse(b, &y) && adit_time_cmp(x, y) == 0;
}

/* What the page says itself; not the server's date, which stands in the provenance, nor the date of
 * capture. */
static bool said_by_page(struct adit_str modified, const struct adit_page_source *f)
{
    struct adit_time t;
    int64_t server;
    if (!modified.len || same_instant(modified, f->date)) return false;
    return !adit_http_date_parse(f->last_modified, &server) || !adit_time_parse(modified, &t) ||
           t.s != server;
}

void archive_describe(const struct adit_page *page, const struct adit_page_source *source,
                      struct adit_spp_manifest *m)
{
    bool ours = page->canonical.len &&
                adit_str_eq(adit_url_origin(page->canonical), adit_url_origin(page->url));
    m->canonical = ours ? page->canonical : page->url;
    m->type = adit_spp_type(page->schema, page->author.len || page->published.len);
    m->title = page->title;
    m->byline = page->author;
    m->description = page->description;
    m->site_name = page->site_name;
    m->optout = page->optout;
    m->published = page->published;
    if (said_by_page(page->modified, source)) m->updated = page->modified;
    if (!adit_str_eq(page->language, ADIT_STR("und"))) m->language = page->language;
}

/* --- content ---------------------------------------------------------------------------------- */

static bool pack_object(struct archive_builder *b, struct adit_str bytes, struct adit_buf *payload,
                        struct adit_spp_object *o)
{
    size_t before = payload->len;
    adit_sha256_of(bytes, o->sha);
    o->bytes = bytes.len;
    if (!archive_gzip(b, bytes, payload)) return false;
    o->stored = payload->len - before;
    return true;
}

static size_t count_chunks(struct adit_str text)
{
    size_t pos = 0, n = 0;
    struct adit_str chunk;
    while (adit_spp_chunk(text, &pos, &chunk)) n++;
    return n;
}

bool archive_enrich(struct archive_builder *b, const struct adit_page *page,
                    struct adit_arena *arena, struct adit_spp_manifest *m, struct adit_buf *payload)
{
    adit_buf_clear(&b->text);
    if (adit_page_text(page, &b->text) != ADIT_OK) return false;
    struct adit_str text = adit_buf_str(&b->text), chunk;
    if (!pack_object(b, text, payload, &m->clean)) return false;
    m->has_clean = true;
    m->stage = ADIT_SPP_ENRICHED;
    m->n_chunks = count_chunks(text);
    m->chunks = adit_arena_zalloc(arena, m->n_chunks + 1, sizeof *m->chunks);
    if (!m->chunks || m->n_chunks > ADIT_SPP_CHUNKS) return false;
    if (m->n_chunks == 1) {
        m->chunks[0].text = m->clean;
        return true;
    }
    size_t pos = 0;
    for (size_t i = 0; i < m->n_chunks && adit_spp_chunk(text, &pos, &chunk); i++)
        if (!pack_object(b, chunk, payload, &m->chunks[i].text)) return false;
    return true;
}

static bool put_next(struct archive *a, const struct adit_spp_object *o, struct adit_str *payload)
{
    if (o->stored > payload->len) return false;
    struct adit_str stored = adit_str_sub(*payload, 0, (size_t)o->stored);
    *payload = adit_str_sub(*payload, (size_t)o->stored, payload->len);
    return archive_put_object(a, o->sha, ADIT_SPP_GZIP, stored);
}

bool archive_put_payload(struct archive *a, const struct adit_spp_manifest *m, bool with_raw,
                         struct adit_str payload)
{
    if (with_raw && !put_next(a, &m->raw, &payload)) return false;
    if (m->has_clean && !put_next(a, &m->clean, &payload)) return false;
    for (size_t i = 0; m->n_chunks > 1 && i < m->n_chunks; i++)
        if (!put_next(a, &m->chunks[i].text, &payload)) return false;
    return true;
}

static struct adit_str version_name(const char uuid[ADIT_SPP_UUID], uint64_t number,
                                    struct adit_buf *b)
{
    adit_buf_add(b, adit_str_of(uuid, ADIT_SPP_UUID));
    adit_buf_byte(b, '/');
    adit_buf_u64(b, number);
    return adit_buf_str(b);
}

bool archive_diff(struct archive *a, struct archive_builder *b, struct adit_str old_text,
                  struct adit_str new_text, struct adit_spp_manifest *m)
{
    char x[64], y[64];
    struct adit_buf old_name = {.p = x, .cap = sizeof x, .max = sizeof x};
    struct adit_buf new_name = {.p = y, .cap = sizeof y, .max = sizeof y};
    struct adit_buf diff;
    adit_buf_init(&diff, cli_mem, ARCHIVE_FILE_MAX);
    adit_buf_clear(&b->packed);
    m->clean_changed = !adit_str_eq(old_text, new_text);
    m->has_diff = true;
    bool good = adit_spp_diff(old_text, new_text, version_name(m->uuid, m->number - 1, &old_name),
                              version_name(m->uuid, m->number, &new_name), cli_mem, &diff,
                              &m->stats) == ADIT_OK &&
                pack_object(b, adit_buf_str(&diff), &b->packed, &m->diff);
    if (!good)
        cli_say(archive_dir(a), "out of memory");
    else
        good = archive_put_object(a, m->diff.sha, ADIT_SPP_GZIP, adit_buf_str(&b->packed));
    adit_buf_free(&diff);
    return good;
}
