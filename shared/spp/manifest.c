/* The manifest of a version: rows, by which it is written and read. Keys are in the order of RFC 8785.
 * What is written is checked for contradictions when it is read. */
#include "http/http.h"
#include "spp/spp_impl.h"

#include <string.h>

const char *const adit_spp_stages[] = {"ingested", "enriched", "embedded", NULL};

/* Manifests stand four folders deep, as files ("artifacts/abc/ID/N/semantic.json") and in the API
 * ("/artifacts/ID/versions/N/manifest"): one relative reference serves both. */
#define TO_ROOT "../../../../"

#define ROW(name, member, kind, flags) ADIT_ROW(name, struct adit_spp_manifest, member, kind, flags)

static bool is_tombstone(const void *m)
{
    return ((const struct adit_spp_manifest *)m)->tombstone_at.len > 0;
}

static void put_href(struct adit_json_writer *w, const struct adit_spp_object *o,
                     enum adit_spp_coding coding)
{
    char space[128];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_buf_lit(&b, TO_ROOT);
    adit_spp_object_key(&b, o->sha, coding);
    adit_json_string(w, adit_buf_str(&b));
}

/* --- objects ---------------------------------------------------------------------------------- */

#define OBJECT(name, member, kind, flags) \
    ADIT_ROW(name, struct adit_spp_object, member, kind, flags)

static void put_gzip_href(struct adit_json_writer *w, const void *o)
{
    put_href(w, o, ADIT_SPP_GZIP);
}
static const struct adit_json_row object_rows[] = {
    {OBJECT("bytes", bytes, UINT, ADIT_ROW_NEEDED)},
    {.key = "href", .kind = ADIT_ROW_OWN, .write = put_gzip_href},
    {OBJECT("sha256", sha, SHA256, ADIT_ROW_NEEDED)},
    {OBJECT("stored", stored, UINT, ADIT_ROW_NEEDED)},
    {0},
};
/* A text of `content`: the clean one without its size, which the specification has for the raw one. */
static const struct adit_json_row clean_storage[] = {
    {.key = "encoding", .kind = ADIT_ROW_CONST, .text = "gzip"},
    {.key = "href", .kind = ADIT_ROW_OWN, .write = put_gzip_href},
    {0},
};
static const struct adit_json_row raw_storage[] = {
    {OBJECT("bytes", stored, UINT, 0)},
    {.key = "encoding", .kind = ADIT_ROW_CONST, .text = "gzip"},
    {.key = "href", .kind = ADIT_ROW_OWN, .write = put_gzip_href},
    {0},
};
static const struct adit_json_row clean_rows[] = {
    {OBJECT("sha256", sha, SHA256, ADIT_ROW_NEEDED)},
    {.key = "storage", .kind = ADIT_ROW_PART, .rows = clean_storage},
    {0},
};
static const struct adit_json_row raw_rows[] = {
    {OBJECT("sha256", sha, SHA256, ADIT_ROW_NEEDED)},
    {.key = "storage", .kind = ADIT_ROW_PART, .rows = raw_storage},
    {0},
};

/* --- adit: what the specification has no place for -------------------------------------------- */

/* Raw, clean, chunks, diff: in this order, as far as they are there. A single chunk is the whole
 * text, and not listed again. */
static void put_objects(struct adit_json_writer *w, const void *from)
{
    const struct adit_spp_manifest *m = from;
    adit_json_open(w, '[');
    adit_json_object_write(w, object_rows, &m->raw);
    if (m->has_clean) adit_json_object_write(w, object_rows, &m->clean);
    for (size_t i = 0; m->n_chunks > 1 && i < m->n_chunks; i++)
        adit_json_object_write(w, object_rows, &m->chunks[i].text);
    if (m->has_diff) adit_json_object_write(w, object_rows, &m->diff);
    adit_json_close(w, ']');
}

static bool has_no_text(const void *from)
{
    return !((const struct adit_spp_manifest *)from)->has_clean || is_tombstone(from);
}

static const struct adit_json_row patch_rows[] = {
    {ADIT_ROW("at", struct adit_spp_patched, at, TEXT, ADIT_ROW_NEEDED)},
    {ADIT_ROW("cleanSha256", struct adit_spp_patched, clean, SHA256,
              ADIT_ROW_HAS | ADIT_ROW_STRICT),
     .has_at = offsetof(struct adit_spp_patched, has_clean)},
    {ADIT_ROW("was", struct adit_spp_patched, was, RAW, ADIT_ROW_NEEDED)},
    {0},
};
static const struct adit_json_list patches = {
    .rows = patch_rows,
    .size = sizeof(struct adit_spp_patched),
    .n_at = offsetof(struct adit_spp_manifest, n_patches),
    .max = ADIT_SPP_PATCHES,
};

/* What the page refuses, by the names that all outputs have for it. */
static void put_optout(struct adit_json_writer *w, const void *from)
{
    const struct adit_spp_manifest *m = from;
    adit_json_open(w, '[');
    for (size_t i = 0; i < ADIT_OPTOUT_KINDS; i++)
        if (m->optout >> i & 1) adit_json_string(w, adit_str_z(adit_optout_names[i]));
    adit_json_close(w, ']');
}
static bool refuses_nothing(const void *from)
{
    return !((const struct adit_spp_manifest *)from)->optout;
}
/* Names of later versions are passed over. */
static enum adit_code read_optout(struct adit_json_value v, void *to, struct adit_arena *arena)
{
    struct adit_spp_manifest *m = to;
    struct adit_json_iter it = adit_json_iter(v);
    struct adit_json_member item;
    bool ok = true;
    if (v.kind != ADIT_JSON_ARRAY) return ADIT_EBAD;
    while (adit_json_next(&it, &item)) {
        struct adit_str name = adit_json_text(item.value, arena, &ok);
        for (size_t i = 0; i < ADIT_OPTOUT_KINDS; i++)
            if (adit_str_eq(name, adit_str_z(adit_optout_names[i]))) m->optout |= 1u << i;
    }
    return ok ? ADIT_OK : ADIT_ENOMEM;
}

static const struct adit_json_row our_rows[] = {
    {ROW("cleanChanged", clean_changed, BOOL, 0), .unless = has_no_text},
    {ROW("contentLanguage", content_language, TEXT, ADIT_ROW_SPARSE)},
    {ROW("contentType", content_type, TEXT, ADIT_ROW_SPARSE)},
    {.key = "objects", .kind = ADIT_ROW_OWN, .write = put_objects, .unless = is_tombstone},
    {.key = "optout",
     .kind = ADIT_ROW_OWN,
     .read = read_optout,
     .write = put_optout,
     .unless = refuses_nothing},
    {ROW("patches", patches, LIST, ADIT_ROW_SPARSE | ADIT_ROW_STRICT), .list = &patches},
    {ROW("robots", robots, TEXT, ADIT_ROW_SPARSE)},
    {ROW("rules", rules, TEXT, ADIT_ROW_NEEDED)},
    {ROW("stage", stage, CHOICE, ADIT_ROW_NEEDED), .names = adit_spp_stages},
    {0},
};

/* --- content ---------------------------------------------------------------------------------- */

static void put_chunk(struct adit_json_writer *w, const struct adit_spp_chunk *c, size_t number)
{
    char space[32];
    struct adit_buf id = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_buf_lit(&id, "chunk-");
    adit_buf_pad(&id, number, 4);
    adit_json_open(w, '{');
    if (c->dims) {
        adit_json_member_open(w, "embedding", '{');
        adit_json_member_uint(w, "dims", c->dims);
        adit_json_key(w, "href"), put_href(w, &c->vector, ADIT_SPP_PLAIN);
        adit_json_member_opt(w, "model", c->model);
        adit_json_close(w, '}');
    }
    adit_json_member(w, "id", adit_buf_str(&id));
    adit_json_member_open(w, "storage", '{');
    adit_json_key(w, "href"), put_href(w, &c->text, ADIT_SPP_GZIP);
    adit_json_close(w, '}');
    adit_json_member_uint(w, "tokenCount", adit_spp_tokens(c->text.bytes));
    adit_json_close(w, '}');
}

static void put_content(struct adit_json_writer *w, const void *from)
{
    const struct adit_spp_manifest *m = from;
    adit_json_open(w, '{');
    if (m->has_clean) {
        adit_json_member_open(w, "chunks", '[');
        for (size_t i = 0; i < m->n_chunks; i++) put_chunk(w, &m->chunks[i], i + 1);
        adit_json_close(w, ']');
        adit_json_key(w, "clean"), adit_json_object_write(w, clean_rows, &m->clean);
    }
    adit_json_key(w, "raw"), adit_json_object_write(w, raw_rows, &m->raw);
    adit_json_close(w, '}');
}

/* --- endorsements ----------------------------------------------------------------------------- */

static const struct adit_json_row endorsement_rows[] = {
    {.key = "alg", .kind = ADIT_ROW_CONST, .text = "ES256"},
    {ADIT_ROW("publicKey", struct adit_spp_endorsement, key, BYTES, ADIT_ROW_NEEDED),
     .size = ADIT_P256_PUBLIC},
    {ADIT_ROW("signature", struct adit_spp_endorsement, signature, BYTES, ADIT_ROW_NEEDED),
     .size = ADIT_P256_SIG},
    {0},
};
static const struct adit_json_list endorsements = {
    .rows = endorsement_rows,
    .size = sizeof(struct adit_spp_endorsement),
    .n_at = offsetof(struct adit_spp_manifest, n_endorsements),
    .max = ADIT_SPP_ENDORSEMENTS,
};

/* --- the rest --------------------------------------------------------------------------------- */

/* The media type alone: `adit` has the whole value. */
static struct adit_str media_type(const void *from)
{
    struct adit_str value = ((const struct adit_spp_manifest *)from)->content_type;
    return adit_str_trim(adit_str_sub(value, 0, adit_str_chr(value, ';', 0)));
}
static void put_media_type(struct adit_json_writer *w, const void *m)
{
    adit_json_string(w, media_type(m));
}
static bool has_no_type(const void *m) { return media_type(m).len == 0; }

static const struct adit_json_row metadata_rows[] = {
    {ROW("byline", byline, TEXT, ADIT_ROW_SPARSE)},
    {.key = "contentType", .kind = ADIT_ROW_OWN, .write = put_media_type, .unless = has_no_type},
    {ROW("description", description, TEXT, ADIT_ROW_SPARSE)},
    {ROW("language", language, TEXT, ADIT_ROW_SPARSE)},
    {ROW("published", published, TEXT, ADIT_ROW_SPARSE)},
    {ROW("siteName", site_name, TEXT, ADIT_ROW_SPARSE)},
    {ROW("title", title, TEXT, ADIT_ROW_SPARSE)},
    {ROW("updated", updated, TEXT, ADIT_ROW_SPARSE)},
    {0},
};
static const struct adit_json_row provenance_rows[] = {
    {ROW("crawler", crawler, TEXT, ADIT_ROW_SPARSE)},
    {ROW("etag", etag, TEXT, ADIT_ROW_SPARSE)},
    {ROW("firstSeen", first_seen, TEXT, ADIT_ROW_NEEDED)},
    {ROW("lastModified", last_modified, TEXT, ADIT_ROW_SPARSE)},
    {ROW("lastSeen", last_seen, TEXT, ADIT_ROW_NEEDED)},
    {ROW("rawHash", raw.sha, SHA256, ADIT_ROW_NEEDED)},
    {ROW("url", url, TEXT, ADIT_ROW_NEEDED)},
    {0},
};
static const struct adit_json_row tombstone_rows[] = {
    {ROW("at", tombstone_at, TEXT, 0)},
    {ROW("reason", tombstone_reason, TEXT, ADIT_ROW_SPARSE)},
    {0},
};

static void put_percent(struct adit_json_writer *w, const void *from)
{
    const struct adit_spp_stats *s = from;
    char space[16];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_buf_u64(&b, s->tenths / 10);
    if (s->tenths % 10) adit_buf_byte(&b, '.'), adit_buf_u64(&b, s->tenths % 10);
    adit_json_raw(w, adit_buf_str(&b));
}
/* A percentage with one digit at the most behind the point. */
static enum adit_code read_percent(struct adit_json_value v, void *to, struct adit_arena *arena)
{
    uint64_t whole = 0, tenth = 0;
    size_t dot = adit_str_chr(v.raw, '.', 0);
    (void)arena;
    if (!adit_str_u64(adit_str_sub(v.raw, 0, dot), &whole) || whole > 100 || v.raw.len - dot > 2 ||
        (dot < v.raw.len && !adit_str_u64(adit_str_sub(v.raw, dot + 1, v.raw.len), &tenth)))
        return ADIT_EBAD;
    ((struct adit_spp_stats *)to)->tenths = (uint32_t)(whole * 10 + tenth);
    return ADIT_OK;
}
static const struct adit_json_row stats_rows[] = {
    {ADIT_ROW("deleted", struct adit_spp_stats, deleted, UINT, ADIT_ROW_NEEDED)},
    {ADIT_ROW("inserted", struct adit_spp_stats, inserted, UINT, ADIT_ROW_NEEDED)},
    {.key = "pct",
     .kind = ADIT_ROW_OWN,
     .flags = ADIT_ROW_NEEDED,
     .read = read_percent,
     .write = put_percent},
    {0},
};

static void put_diff_href(struct adit_json_writer *w, const void *m)
{
    put_href(w, &((const struct adit_spp_manifest *)m)->diff, ADIT_SPP_GZIP);
}
static const struct adit_json_row diff_rows[] = {
    {ROW("changeStats", stats, PART, ADIT_ROW_NEEDED), .rows = stats_rows},
    {.key = "format", .kind = ADIT_ROW_CONST, .text = "unified"},
    {.key = "href", .kind = ADIT_ROW_OWN, .write = put_diff_href},
    {0},
};
static void put_previous(struct adit_json_writer *w, const void *m)
{
    adit_json_uint(w, ((const struct adit_spp_manifest *)m)->number - 1);
}
static bool is_first(const void *m) { return ((const struct adit_spp_manifest *)m)->number <= 1; }

static const struct adit_json_row version_rows[] = {
    {ROW("createdAt", created, TEXT, ADIT_ROW_NEEDED)},
    {.key = "diff",
     .kind = ADIT_ROW_PART,
     .flags = ADIT_ROW_HAS | ADIT_ROW_STRICT,
     .rows = diff_rows,
     .has_at = offsetof(struct adit_spp_manifest, has_diff),
     .unless = is_tombstone},
    {ROW("number", number, UINT, ADIT_ROW_NEEDED)},
    {.key = "previous", .kind = ADIT_ROW_OWN, .write = put_previous, .unless = is_first},
    {0},
};

void adit_spp_put_id(struct adit_json_writer *w, const void *from)
{
    char space[sizeof ADIT_SPP_URN + ADIT_SPP_UUID];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_buf_lit(&b, ADIT_SPP_URN);
    adit_buf_add(&b, adit_str_of(((const struct adit_spp_manifest *)from)->uuid, ADIT_SPP_UUID));
    adit_json_string(w, adit_buf_str(&b));
}
static enum adit_code read_id(struct adit_json_value v, void *to, struct adit_arena *arena)
{
    (void)arena;
    bool good = adit_spp_uuid_read(adit_json_inside(v), ((struct adit_spp_manifest *)to)->uuid);
    return good ? ADIT_OK : ADIT_EBAD;
}

static const struct adit_json_row rows[] = {
    {.key = "adit", .kind = ADIT_ROW_PART, .flags = ADIT_ROW_NEEDED, .rows = our_rows},
    {ROW("canonical", canonical, TEXT, ADIT_ROW_NEEDED)},
    {.key = "content", .kind = ADIT_ROW_OWN, .write = put_content, .unless = is_tombstone},
    {ROW("endorsements", endorsements, LIST, ADIT_ROW_SPARSE | ADIT_ROW_STRICT),
     .list = &endorsements},
    {.key = "id",
     .kind = ADIT_ROW_OWN,
     .flags = ADIT_ROW_NEEDED,
     .read = read_id,
     .write = adit_spp_put_id},
    {.key = "metadata", .kind = ADIT_ROW_PART, .rows = metadata_rows},
    {.key = "provenance", .kind = ADIT_ROW_PART, .flags = ADIT_ROW_NEEDED, .rows = provenance_rows},
    {.key = "tombstone", .kind = ADIT_ROW_PART, .flags = ADIT_ROW_SPARSE, .rows = tombstone_rows},
    {ROW("type", type, TEXT, ADIT_ROW_NEEDED)},
    {.key = "version", .kind = ADIT_ROW_PART, .flags = ADIT_ROW_NEEDED, .rows = version_rows},
    {0},
};

enum adit_code adit_spp_manifest_write(const struct adit_spp_manifest *m, struct adit_buf *out)
{
    struct adit_json_writer w = {.out = out};
    adit_json_object_write(&w, rows, m);
    return out->err;
}

void adit_spp_metadata_write(const struct adit_spp_manifest *m, struct adit_buf *out)
{
    struct adit_json_writer w = {.out = out};
    adit_json_object_write(&w, metadata_rows, m);
}

/* --- reading: what stands at two places must be the same --------------------------------------- */

static struct adit_json_value get(struct adit_json_value object, const char *key)
{
    return adit_json_get(object, adit_str_z(key));
}

/* Errors stick: the first one stays, and reading goes on without effect. */
struct reader {
    struct adit_arena *arena;
    struct adit_json_iter objects; /* of the list in `adit`, in its order */
    const char *why;
};

static void fail(struct reader *r, const char *why)
{
    if (!r->why) r->why = why;
}

static void next_object(struct reader *r, struct adit_spp_object *o)
{
    struct adit_json_member m;
    if (!adit_json_next(&r->objects, &m) ||
        adit_json_object_read(m.value, object_rows, o, r->arena, NULL) != ADIT_OK)
        fail(r, "the list of objects is too short, or has something else in it");
}

/* The hash that `content` has, too. */
static void same_hash(struct reader *r, struct adit_json_value text, const uint8_t *sha)
{
    struct adit_spp_object other;
    if (adit_json_object_read(text, raw_rows, &other, r->arena, NULL) != ADIT_OK ||
        memcmp(other.sha, sha, sizeof other.sha) != 0)
        fail(r, "two hashes contradict, or one is missing");
}

static void read_vector(struct reader *r, struct adit_json_value embedding,
                        struct adit_spp_chunk *c)
{
    if (embedding.kind != ADIT_JSON_OBJECT) return;
    if (!adit_json_u64(get(embedding, "dims"), &c->dims) || c->dims > UINT32_MAX) c->dims = 0;
    c->model = adit_json_inside(get(embedding, "model"));
    /* Its hash is in its name: …/64 digits.bin */
    struct adit_str href = adit_json_inside(get(embedding, "href"));
    size_t end = href.len < 4 ? 0 : href.len - 4;
    struct adit_str hex =
        adit_str_sub(href, end < ADIT_SHA256_HEX ? end : end - ADIT_SHA256_HEX, end);
    if (!c->dims || !adit_hex_decode(hex, c->vector.sha, ADIT_SHA256_LEN))
        fail(r, "an embedding without vector");
    c->vector.bytes = 4 * c->dims;
}

static enum adit_code read_chunks(struct reader *r, struct adit_json_value list,
                                  struct adit_spp_manifest *m)
{
    struct adit_json_member e;
    for (struct adit_json_iter it = adit_json_iter(list); adit_json_next(&it, &e);) m->n_chunks++;
    if (m->n_chunks > ADIT_SPP_CHUNKS) return ADIT_ELIMIT;
    m->chunks = adit_arena_zalloc(r->arena, m->n_chunks + 1, sizeof *m->chunks);
    if (!m->chunks) return ADIT_ENOMEM;
    if (!m->has_clean && (m->n_chunks || m->has_diff)) fail(r, "chunks or a diff without a text");
    size_t i = 0;
    for (struct adit_json_iter it = adit_json_iter(list); adit_json_next(&it, &e); i++) {
        m->chunks[i].text = m->clean;
        if (m->n_chunks > 1) next_object(r, &m->chunks[i].text);
        read_vector(r, get(e.value, "embedding"), &m->chunks[i]);
    }
    return ADIT_OK;
}

static enum adit_code read_content(struct reader *r, struct adit_json_value root,
                                   struct adit_spp_manifest *m)
{
    struct adit_json_value content = get(root, "content"), clean = get(content, "clean");
    struct adit_json_member more;
    uint8_t sha[ADIT_SHA256_LEN];
    memcpy(sha, m->raw.sha, sizeof sha); /* of the provenance */
    r->objects = adit_json_iter(get(get(root, "adit"), "objects"));
    m->has_clean = clean.kind == ADIT_JSON_OBJECT;
    next_object(r, &m->raw);
    same_hash(r, get(content, "raw"), m->raw.sha);
    if (memcmp(sha, m->raw.sha, sizeof sha) != 0) fail(r, "two hashes contradict");
    if (m->has_clean) {
        next_object(r, &m->clean);
        same_hash(r, clean, m->clean.sha);
    }
    ADIT_TRY(read_chunks(r, get(content, "chunks"), m));
    if (m->has_diff) next_object(r, &m->diff);
    if (adit_json_next(&r->objects, &more)) fail(r, "the list of objects is too long");
    return ADIT_OK;
}

enum adit_code adit_spp_manifest_read(struct adit_str json, struct adit_arena *arena,
                                      struct adit_spp_manifest *m, struct adit_error *err)
{
    struct adit_json_value root;
    struct reader r = {.arena = arena};
    memset(m, 0, sizeof *m);
    ADIT_TRY(adit_json_tree(json, arena, &root, err));
    ADIT_TRY(adit_json_object_read(root, rows, m, arena, err));
    if (!m->number || (m->number == 1 && m->has_diff))
        fail(&r, "version 0, or a first with a diff");
    enum adit_code code = m->tombstone_at.len ? ADIT_OK : read_content(&r, root, m);
    if (code != ADIT_OK) return adit_fail(err, code, "out of memory, or a list is too long", 0);
    return r.why ? adit_fail(err, ADIT_EBAD, r.why, 0) : ADIT_OK;
}
