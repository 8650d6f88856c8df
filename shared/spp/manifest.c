/* Writing the manifest of a version. Keys are in the order of RFC 8785. */
#include "spp/spp.h"
#include "json/json.h"

const char *const adit_spp_stages[] = {"ingested", "enriched", "embedded", NULL};

/* Manifests stand four folders deep, as files ("artifacts/abc/ID/N/semantic.json") and in the API
 * ("/artifacts/ID/versions/N/manifest"): one relative reference serves both. */
#define TO_ROOT "../../../../"

static void put_href(struct adit_json_writer *w, const struct adit_spp_object *o,
                     enum adit_spp_coding coding)
{
    char space[128];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_buf_lit(&b, TO_ROOT);
    adit_spp_object_key(&b, o->sha, coding);
    adit_json_member(w, "href", adit_buf_str(&b));
}

static void put_hash(struct adit_json_writer *w, const char *key,
                     const uint8_t sha[ADIT_SHA256_LEN])
{
    char space[80];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_sha256_text(&b, "sha256:", sha);
    adit_json_member(w, key, adit_buf_str(&b));
}

static void put_number(struct adit_json_writer *w, const char *key, uint64_t v)
{
    adit_json_key(w, key);
    adit_json_uint(w, v);
}

static void open_object(struct adit_json_writer *w, const char *key)
{
    adit_json_key(w, key);
    adit_json_open(w, '{');
}

/* --- adit: what the specification has no place for -------------------------------------------- */

static void put_object(struct adit_json_writer *w, const struct adit_spp_object *o)
{
    adit_json_open(w, '{');
    put_number(w, "bytes", o->bytes);
    put_href(w, o, ADIT_SPP_GZIP);
    put_hash(w, "sha256", o->sha);
    put_number(w, "stored", o->stored);
    adit_json_close(w, '}');
}

/* Raw, clean, chunks, diff: in this order, as far as they are there. A single chunk is the whole
 * text, and not listed again. */
static void put_objects(struct adit_json_writer *w, const struct adit_spp_manifest *m)
{
    adit_json_key(w, "objects");
    adit_json_open(w, '[');
    put_object(w, &m->raw);
    if (m->has_clean) put_object(w, &m->clean);
    for (size_t i = 0; m->n_chunks > 1 && i < m->n_chunks; i++) put_object(w, &m->chunks[i].text);
    if (m->has_diff) put_object(w, &m->diff);
    adit_json_close(w, ']');
}

static void put_patches(struct adit_json_writer *w, const struct adit_spp_manifest *m)
{
    if (!m->n_patches) return;
    adit_json_key(w, "patches");
    adit_json_open(w, '[');
    for (size_t i = 0; i < m->n_patches; i++) {
        const struct adit_spp_patched *p = &m->patches[i];
        adit_json_open(w, '{');
        adit_json_member(w, "at", p->at);
        if (p->has_clean) put_hash(w, "cleanSha256", p->clean);
        adit_json_key(w, "was");
        adit_json_raw(w, p->was);
        adit_json_close(w, '}');
    }
    adit_json_close(w, ']');
}

static void put_adit(struct adit_json_writer *w, const struct adit_spp_manifest *m)
{
    open_object(w, "adit");
    if (m->has_clean && !m->tombstone_at.len) {
        adit_json_key(w, "cleanChanged");
        adit_json_bool(w, m->clean_changed);
    }
    adit_json_member_opt(w, "contentLanguage", m->content_language);
    adit_json_member_opt(w, "contentType", m->content_type);
    if (!m->tombstone_at.len) put_objects(w, m);
    put_patches(w, m);
    adit_json_member_opt(w, "robots", m->robots);
    adit_json_member(w, "rules", m->rules);
    adit_json_member(w, "stage", adit_str_z(adit_spp_stages[m->stage]));
    adit_json_close(w, '}');
}

/* --- content ---------------------------------------------------------------------------------- */

static void put_chunk(struct adit_json_writer *w, const struct adit_spp_chunk *c, size_t number)
{
    char space[32];
    struct adit_buf id = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_buf_lit(&id, "chunk-");
    adit_buf_pad(&id, number, 4);
    adit_json_open(w, '{');
    if (c->dims) {
        open_object(w, "embedding");
        put_number(w, "dims", c->dims);
        put_href(w, &c->vector, ADIT_SPP_PLAIN);
        adit_json_member_opt(w, "model", c->model);
        adit_json_close(w, '}');
    }
    adit_json_member(w, "id", adit_buf_str(&id));
    open_object(w, "storage");
    put_href(w, &c->text, ADIT_SPP_GZIP);
    adit_json_close(w, '}');
    put_number(w, "tokenCount", adit_spp_tokens(c->text.bytes));
    adit_json_close(w, '}');
}

static void put_text(struct adit_json_writer *w, const char *key, const struct adit_spp_object *o,
                     bool with_bytes)
{
    open_object(w, key);
    put_hash(w, "sha256", o->sha);
    open_object(w, "storage");
    if (with_bytes) put_number(w, "bytes", o->stored);
    adit_json_member(w, "encoding", ADIT_STR("gzip"));
    put_href(w, o, ADIT_SPP_GZIP);
    adit_json_close(w, '}');
    adit_json_close(w, '}');
}

static void put_content(struct adit_json_writer *w, const struct adit_spp_manifest *m)
{
    if (m->tombstone_at.len) return;
    open_object(w, "content");
    if (m->has_clean) {
        adit_json_key(w, "chunks");
        adit_json_open(w, '[');
        for (size_t i = 0; i < m->n_chunks; i++) put_chunk(w, &m->chunks[i], i + 1);
        adit_json_close(w, ']');
        put_text(w, "clean", &m->clean, false);
    }
    put_text(w, "raw", &m->raw, true);
    adit_json_close(w, '}');
}

/* --- the rest --------------------------------------------------------------------------------- */

static void put_endorsements(struct adit_json_writer *w, const struct adit_spp_manifest *m)
{
    if (!m->n_endorsements) return;
    adit_json_key(w, "endorsements");
    adit_json_open(w, '[');
    for (size_t i = 0; i < m->n_endorsements; i++) {
        char space[256];
        struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
        adit_json_open(w, '{');
        adit_json_member(w, "alg", ADIT_STR("ES256"));
        adit_base64url(&b, m->endorsements[i].key, ADIT_P256_PUBLIC);
        adit_json_member(w, "publicKey", adit_buf_str(&b));
        adit_buf_clear(&b);
        adit_base64url(&b, m->endorsements[i].signature, ADIT_P256_SIG);
        adit_json_member(w, "signature", adit_buf_str(&b));
        adit_json_close(w, '}');
    }
    adit_json_close(w, ']');
}

static struct adit_str media_type(struct adit_str content_type)
{
    return adit_str_trim(adit_str_sub(content_type, 0, adit_str_chr(content_type, ';', 0)));
}

static void put_metadata(struct adit_json_writer *w, const struct adit_spp_manifest *m)
{
    adit_json_open(w, '{');
    adit_json_member_opt(w, "byline", m->byline);
    adit_json_member_opt(w, "contentType", media_type(m->content_type));
    adit_json_member_opt(w, "description", m->description);
    adit_json_member_opt(w, "language", m->language);
    adit_json_member_opt(w, "published", m->published);
    adit_json_member_opt(w, "siteName", m->site_name);
    adit_json_member_opt(w, "title", m->title);
    adit_json_member_opt(w, "updated", m->updated);
    adit_json_close(w, '}');
}

void adit_spp_metadata_write(const struct adit_spp_manifest *m, struct adit_buf *out)
{
    struct adit_json_writer w = {.out = out};
    put_metadata(&w, m);
}

static void put_provenance(struct adit_json_writer *w, const struct adit_spp_manifest *m)
{
    open_object(w, "provenance");
    adit_json_member_opt(w, "crawler", m->crawler);
    adit_json_member_opt(w, "etag", m->etag);
    adit_json_member(w, "firstSeen", m->first_seen);
    adit_json_member_opt(w, "lastModified", m->last_modified);
    adit_json_member(w, "lastSeen", m->last_seen);
    put_hash(w, "rawHash", m->raw.sha);
    adit_json_member(w, "url", m->url);
    adit_json_close(w, '}');
}

static void put_pct(struct adit_buf *out, uint32_t tenths)
{
    adit_buf_u64(out, tenths / 10);
    if (tenths % 10 == 0) return;
    adit_buf_byte(out, '.');
    adit_buf_u64(out, tenths % 10);
}

static void put_diff(struct adit_json_writer *w, const struct adit_spp_manifest *m)
{
    if (!m->has_diff || m->tombstone_at.len) return;
    char space[16];
    struct adit_buf pct = {.p = space, .cap = sizeof space, .max = sizeof space};
    put_pct(&pct, m->stats.tenths);
    open_object(w, "diff");
    open_object(w, "changeStats");
    put_number(w, "deleted", m->stats.deleted);
    put_number(w, "inserted", m->stats.inserted);
    adit_json_key(w, "pct");
    adit_json_raw(w, adit_buf_str(&pct));
    adit_json_close(w, '}');
    adit_json_member(w, "format", ADIT_STR("unified"));
    put_href(w, &m->diff, ADIT_SPP_GZIP);
    adit_json_close(w, '}');
}

static void put_version(struct adit_json_writer *w, const struct adit_spp_manifest *m)
{
    open_object(w, "version");
    adit_json_member(w, "createdAt", m->created);
    put_diff(w, m);
    put_number(w, "number", m->number);
    if (m->number > 1) put_number(w, "previous", m->number - 1);
    adit_json_close(w, '}');
}

static void put_id(struct adit_json_writer *w, const struct adit_spp_manifest *m)
{
    char space[sizeof ADIT_SPP_URN + ADIT_SPP_UUID];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_buf_lit(&b, ADIT_SPP_URN);
    adit_buf_add(&b, adit_str_of(m->uuid, ADIT_SPP_UUID));
    adit_json_member(w, "id", adit_buf_str(&b));
}

enum adit_code adit_spp_manifest_write(const struct adit_spp_manifest *m, struct adit_buf *out)
{
    struct adit_json_writer w = {.out = out};
    adit_json_open(&w, '{');
    put_adit(&w, m);
    adit_json_member(&w, "canonical", m->canonical);
    put_content(&w, m);
    put_endorsements(&w, m);
    put_id(&w, m);
    adit_json_key(&w, "metadata");
    put_metadata(&w, m);
    put_provenance(&w, m);
    if (m->tombstone_at.len) {
        open_object(&w, "tombstone");
        adit_json_member(&w, "at", m->tombstone_at);
        adit_json_member_opt(&w, "reason", m->tombstone_reason);
        adit_json_close(&w, '}');
    }
    adit_json_member(&w, "type", m->type);
    put_version(&w, m);
    adit_json_close(&w, '}');
    return out->err;
}

/* --- endorsements ----------------------------------------------------------------------------- */

void adit_spp_signed(const struct adit_spp_manifest *m, struct adit_buf *out)
{
    struct adit_json_writer w = {.out = out};
    adit_json_open(&w, '{');
    adit_json_member(&w, "canonical", m->canonical);
    open_object(&w, "content");
    open_object(&w, "raw");
    put_hash(&w, "sha256", m->raw.sha);
    adit_json_close(&w, '}');
    adit_json_close(&w, '}');
    put_id(&w, m);
    open_object(&w, "version");
    put_number(&w, "number", m->number);
    adit_json_close(&w, '}');
    adit_json_close(&w, '}');
}

/* --- types of pages --------------------------------------------------------------------------- */

/* By schema.org's types; the first that occurs among the page's own decides. */
static const struct {
    struct adit_str schema, type;
} types[] = {
    {ADIT_STR_INIT("NewsArticle"), ADIT_STR_INIT("article")},
    {ADIT_STR_INIT("BlogPosting"), ADIT_STR_INIT("article")},
    {ADIT_STR_INIT("ScholarlyArticle"), ADIT_STR_INIT("article")},
    {ADIT_STR_INIT("TechArticle"), ADIT_STR_INIT("article")},
    {ADIT_STR_INIT("Report"), ADIT_STR_INIT("article")},
    {ADIT_STR_INIT("Article"), ADIT_STR_INIT("article")},
    {ADIT_STR_INIT("Product"), ADIT_STR_INIT("product")},
    {ADIT_STR_INIT("Recipe"), ADIT_STR_INIT("recipe")},
    {ADIT_STR_INIT("Event"), ADIT_STR_INIT("event")},
    {ADIT_STR_INIT("VideoObject"), ADIT_STR_INIT("video")},
    {ADIT_STR_INIT("AudioObject"), ADIT_STR_INIT("audio")},
    {ADIT_STR_INIT("FAQPage"), ADIT_STR_INIT("faq")},
    {ADIT_STR_INIT("QAPage"), ADIT_STR_INIT("faq")},
    {ADIT_STR_INIT("DiscussionForumPosting"), ADIT_STR_INIT("discussion")},
    {ADIT_STR_INIT("Person"), ADIT_STR_INIT("profile")},
    {ADIT_STR_INIT("ProfilePage"), ADIT_STR_INIT("profile")},
    {ADIT_STR_INIT("Organization"), ADIT_STR_INIT("organization")},
};

static struct adit_str type_of(struct adit_str schema_type)
{
    for (size_t i = 0; i < ADIT_COUNT(types); i++)
        if (adit_str_eq(types[i].schema, schema_type)) return types[i].type;
    return (struct adit_str){0};
}

struct adit_str adit_spp_type(struct adit_str schema, bool authored)
{
    struct adit_json_value object, type;
    struct adit_str found = {0};
    if (schema.len && adit_json_check(schema, &object, NULL) == ADIT_OK) {
        type = adit_json_get(object, ADIT_STR("@type"));
        found = type_of(adit_json_inside(type));
        struct adit_json_iter it = adit_json_iter(type);
        struct adit_json_member m;
        while (!found.len && adit_json_next(&it, &m)) found = type_of(adit_json_inside(m.value));
    }
    if (found.len) return found;
    return authored ? ADIT_STR("article") : ADIT_STR("webpage");
}
