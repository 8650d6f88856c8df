/* Reading the manifest of a version, as manifest.c writes it. */
#include "spp/spp.h"
#include "json/json.h"
#include "text/text.h"

#include <string.h>

/* Errors stick: the first one stays, and reading goes on without effect. */
struct reader {
    struct adit_arena *arena;
    const char *why;
    bool no_memory;
};

static void fail(struct reader *r, const char *why)
{
    if (!r->why) r->why = why;
}

static struct adit_json_value get(struct adit_json_value object, const char *key)
{
    return adit_json_get(object, adit_str_z(key));
}

static struct adit_str text_member(struct reader *r, struct adit_json_value object, const char *key)
{
    bool ok = true;
    struct adit_str s = adit_json_text(get(object, key), r->arena, &ok);
    if (!ok) r->no_memory = true;
    return s;
}

static uint64_t number_member(struct reader *r, struct adit_json_value object, const char *key)
{
    uint64_t v = 0;
    if (!adit_json_u64(get(object, key), &v) || v > (uint64_t)1 << 53)
        fail(r, "a number is missing");
    return v;
}

static bool hash_text(struct adit_str s, uint8_t sha[ADIT_SHA256_LEN])
{
    static const struct adit_str prefix = ADIT_STR_INIT("sha256:");
    return adit_str_starts(s, prefix) &&
           adit_hex_decode(adit_str_sub(s, prefix.len, s.len), sha, ADIT_SHA256_LEN);
}

static void hash(struct reader *r, struct adit_json_value object, const char *key,
                 uint8_t sha[ADIT_SHA256_LEN])
{
    if (!hash_text(adit_json_inside(get(object, key)), sha)) fail(r, "a hash is missing");
}

static void *list(struct reader *r, struct adit_json_value array, size_t size, size_t max,
                  size_t *n)
{
    struct adit_json_iter it = adit_json_iter(array);
    struct adit_json_member m;
    *n = 0;
    while (adit_json_next(&it, &m)) ++*n;
    if (*n > max) {
        fail(r, "a list is too long");
        *n = 0;
    }
    void *v = adit_arena_zalloc(r->arena, *n + 1, size);
    if (!v) r->no_memory = true, *n = 0;
    return v;
}

/* --- content: the list of objects, in its order ----------------------------------------------- */

static void object(struct reader *r, struct adit_json_iter *it, struct adit_spp_object *o)
{
    struct adit_json_member m;
    if (!adit_json_next(it, &m)) {
        fail(r, "the list of objects is too short");
        return;
    }
    o->bytes = number_member(r, m.value, "bytes");
    o->stored = number_member(r, m.value, "stored");
    hash(r, m.value, "sha256", o->sha);
}

static void vector(struct reader *r, struct adit_json_value embedding, struct adit_spp_chunk *c)
{
    if (embedding.kind != ADIT_JSON_OBJECT) return;
    c->dims = number_member(r, embedding, "dims");
    c->model = text_member(r, embedding, "model");
    /* Its hash is in its name: …/64 digits.bin */
    struct adit_str href = adit_json_inside(get(embedding, "href"));
    size_t end = href.len < 4 ? 0 : href.len - 4;
    struct adit_str hex =
        adit_str_sub(href, end < ADIT_SHA256_HEX ? end : end - ADIT_SHA256_HEX, end);
    if (!c->dims || !adit_hex_decode(hex, c->vector.sha, ADIT_SHA256_LEN))
        fail(r, "an embedding without vector");
    c->vector.bytes = 4 * c->dims;
}

/* The hash that stands at another place, too. */
static void same_hash(struct reader *r, struct adit_json_value object_value, const char *key,
                      const uint8_t sha[ADIT_SHA256_LEN])
{
    uint8_t other[ADIT_SHA256_LEN];
    hash(r, object_value, key, other);
    if (!r->why && memcmp(other, sha, sizeof other) != 0) fail(r, "two hashes contradict");
}

static void stats(struct reader *r, struct adit_json_value diff, struct adit_spp_stats *out)
{
    struct adit_json_value v = get(diff, "changeStats");
    struct adit_str pct = get(v, "pct").raw;
    uint64_t whole = 0, tenth = 0;
    size_t dot = adit_str_chr(pct, '.', 0);
    out->inserted = number_member(r, v, "inserted");
    out->deleted = number_member(r, v, "deleted");
    if (!adit_str_u64(adit_str_sub(pct, 0, dot), &whole) || whole > 100 || pct.len - dot > 2 ||
        (dot < pct.len && !adit_str_u64(adit_str_sub(pct, dot + 1, pct.len), &tenth)))
        fail(r, "pct is not a percentage with one digit");
    out->tenths = (uint32_t)(whole * 10 + tenth);
}

static void content(struct reader *r, struct adit_json_value root, struct adit_spp_manifest *m)
{
    struct adit_json_value ours = get(root, "adit"), c = get(root, "content"),
                           diff = get(get(root, "version"), "diff");
    struct adit_json_iter it = adit_json_iter(get(ours, "objects"));
    m->has_clean = get(c, "clean").kind == ADIT_JSON_OBJECT;
    m->has_diff = diff.kind == ADIT_JSON_OBJECT;
    m->clean_changed = get(ours, "cleanChanged").kind == ADIT_JSON_TRUE;
    object(r, &it, &m->raw);
    same_hash(r, get(c, "raw"), "sha256", m->raw.sha);
    same_hash(r, get(root, "provenance"), "rawHash", m->raw.sha);
    if (m->has_clean) {
        object(r, &it, &m->clean);
        same_hash(r, get(c, "clean"), "sha256", m->clean.sha);
    }
    struct adit_json_value chunks = get(c, "chunks");
    struct adit_json_iter ic = adit_json_iter(chunks);
    struct adit_json_member e;
    m->chunks = list(r, chunks, sizeof *m->chunks, ADIT_SPP_CHUNKS, &m->n_chunks);
    if (!m->has_clean && (m->n_chunks || m->has_diff)) fail(r, "chunks or a diff without a text");
    for (size_t i = 0; i < m->n_chunks && adit_json_next(&ic, &e); i++) {
        if (m->n_chunks > 1)
            object(r, &it, &m->chunks[i].text);
        else
            m->chunks[i].text = m->clean;
        vector(r, get(e.value, "embedding"), &m->chunks[i]);
    }
    if (m->has_diff) {
        object(r, &it, &m->diff);
        stats(r, diff, &m->stats);
    }
    if (adit_json_next(&it, &e)) fail(r, "the list of objects is too long");
}

/* --- lists of ours ---------------------------------------------------------------------------- */

static void patches(struct reader *r, struct adit_json_value ours, struct adit_spp_manifest *m)
{
    struct adit_json_value v = get(ours, "patches");
    struct adit_json_iter it = adit_json_iter(v);
    struct adit_json_member e;
    m->patches = list(r, v, sizeof *m->patches, ADIT_SPP_PATCHES, &m->n_patches);
    for (size_t i = 0; i < m->n_patches && adit_json_next(&it, &e); i++) {
        struct adit_spp_patched *p = &m->patches[i];
        p->at = text_member(r, e.value, "at");
        struct adit_json_value was = get(e.value, "was");
        p->was = was.raw;
        if (was.kind != ADIT_JSON_OBJECT || !p->at.len)
            fail(r, "a patch without what was before, or without its time");
        p->has_clean = get(e.value, "cleanSha256").kind == ADIT_JSON_STRING;
        if (p->has_clean) hash(r, e.value, "cleanSha256", p->clean);
    }
}

static void bytes(struct reader *r, struct adit_json_value object_value, const char *key,
                  uint8_t *out, size_t len)
{
    char space[128];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    struct adit_str s = adit_json_inside(get(object_value, key));
    if (s.len > sizeof space || adit_base64_decode(s, &b) != ADIT_OK || b.len != len)
        fail(r, "an endorsement is damaged");
    else
        memcpy(out, b.p, len);
}

static void endorsements(struct reader *r, struct adit_json_value root, struct adit_spp_manifest *m)
{
    struct adit_json_value v = get(root, "endorsements");
    struct adit_json_iter it = adit_json_iter(v);
    struct adit_json_member e;
    m->endorsements =
        list(r, v, sizeof *m->endorsements, ADIT_SPP_ENDORSEMENTS, &m->n_endorsements);
    for (size_t i = 0; i < m->n_endorsements && adit_json_next(&it, &e); i++) {
        bytes(r, e.value, "publicKey", m->endorsements[i].key, ADIT_P256_PUBLIC);
        bytes(r, e.value, "signature", m->endorsements[i].signature, ADIT_P256_SIG);
    }
}

static enum adit_spp_stage stage(struct reader *r, struct adit_json_value ours)
{
    struct adit_str name = adit_json_inside(get(ours, "stage"));
    for (size_t i = 0; adit_spp_stages[i]; i++)
        if (adit_str_eq(adit_str_z(adit_spp_stages[i]), name)) return (enum adit_spp_stage)i;
    fail(r, "no known stage");
    return ADIT_SPP_INGESTED;
}

/* --- the whole -------------------------------------------------------------------------------- */

static void read_all(struct reader *r, struct adit_json_value root, struct adit_spp_manifest *m)
{
    struct adit_json_value ours = get(root, "adit"), meta = get(root, "metadata"),
                           version = get(root, "version"), seen = get(root, "provenance"),
                           grave = get(root, "tombstone");
    const struct {
        struct adit_str *to;
        struct adit_json_value from;
        const char *key;
        bool needed;
    } texts[] = {
        {&m->type, root, "type", true},
        {&m->canonical, root, "canonical", true},
        {&m->title, meta, "title", false},
        {&m->byline, meta, "byline", false},
        {&m->language, meta, "language", false},
        {&m->published, meta, "published", false},
        {&m->updated, meta, "updated", false},
        {&m->description, meta, "description", false},
        {&m->site_name, meta, "siteName", false},
        {&m->content_type, ours, "contentType", false},
        {&m->content_language, ours, "contentLanguage", false},
        {&m->robots, ours, "robots", false},
        {&m->rules, ours, "rules", true},
        {&m->created, version, "createdAt", true},
        {&m->url, seen, "url", true},
        {&m->first_seen, seen, "firstSeen", true},
        {&m->last_seen, seen, "lastSeen", true},
        {&m->crawler, seen, "crawler", false},
        {&m->etag, seen, "etag", false},
        {&m->last_modified, seen, "lastModified", false},
        {&m->tombstone_at, grave, "at", false},
        {&m->tombstone_reason, grave, "reason", false},
    };
    for (size_t i = 0; i < ADIT_COUNT(texts); i++) {
        *texts[i].to = text_member(r, texts[i].from, texts[i].key);
        if (texts[i].needed && !texts[i].to->len) fail(r, "a member is missing");
    }
    if (!adit_spp_uuid_read(adit_json_inside(get(root, "id")), m->uuid)) fail(r, "no artifact id");
    m->number = number_member(r, version, "number");
    if (!m->number) fail(r, "version 0");
    if (m->number == 1 && get(version, "diff").kind != ADIT_JSON_NONE)
        fail(r, "a first version with a diff");
    m->stage = stage(r, ours);
    patches(r, ours, m);
    endorsements(r, root, m);
    if (m->tombstone_at.len)
        hash(r, seen, "rawHash", m->raw.sha);
    else
        content(r, root, m);
}

enum adit_code adit_spp_manifest_read(struct adit_str json, struct adit_arena *arena,
                                      struct adit_spp_manifest *m, struct adit_error *err)
{
    struct adit_json_value root;
    struct reader r = {.arena = arena};
    memset(m, 0, sizeof *m);
    ADIT_TRY(adit_json_check(json, &root, err));
    if (root.kind != ADIT_JSON_OBJECT) return adit_fail(err, ADIT_EBAD, "not an object", 0);
    read_all(&r, root, m);
    if (r.no_memory) return adit_fail(err, ADIT_ENOMEM, "no memory", 0);
    return r.why ? adit_fail(err, ADIT_EBAD, r.why, 0) : ADIT_OK;
}

/* --- endorsing -------------------------------------------------------------------------------- */

static enum adit_code signed_hash(const struct adit_spp_manifest *m, struct adit_mem mem,
                                  uint8_t sha[ADIT_SHA256_LEN])
{
    struct adit_buf b;
    adit_buf_init(&b, mem, 4 * (size_t)ADIT_LIMIT_url_bytes);
    adit_spp_signed(m, &b);
    adit_sha256_of(adit_buf_str(&b), sha);
    enum adit_code code = b.err;
    adit_buf_free(&b);
    return code;
}

enum adit_code adit_spp_endorse(struct adit_spp_manifest *m, const uint8_t key[ADIT_P256_KEY],
                                struct adit_mem mem, struct adit_arena *arena)
{
    struct adit_spp_endorsement e, *v;
    uint8_t sha[ADIT_SHA256_LEN];
    ADIT_TRY(adit_p256_public(key, e.key));
    ADIT_TRY(signed_hash(m, mem, sha));
    ADIT_TRY(adit_p256_sign(key, sha, e.signature));
    size_t i = 0;
    while (i < m->n_endorsements && memcmp(m->endorsements[i].key, e.key, sizeof e.key) != 0) i++;
    if (i == ADIT_SPP_ENDORSEMENTS) return ADIT_ELIMIT;
    if (i == m->n_endorsements) {
        v = adit_arena_zalloc(arena, i + 1, sizeof *v);
        if (!v) return ADIT_ENOMEM;
        if (i) memcpy(v, m->endorsements, i * sizeof *v);
        m->endorsements = v;
        m->n_endorsements = i + 1;
    }
    m->endorsements[i] = e;
    return ADIT_OK;
}

bool adit_spp_endorsed(const struct adit_spp_manifest *m, const struct adit_spp_endorsement *e,
                       struct adit_mem mem)
{
    uint8_t sha[ADIT_SHA256_LEN];
    return signed_hash(m, mem, sha) == ADIT_OK && adit_p256_verify(e->key, sha, e->signature);
}
