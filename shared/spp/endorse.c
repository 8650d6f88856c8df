/* Endorsements: what they sign (SPP, 5), signing and verifying. */
#include "spp/spp_impl.h"

#include <string.h>

static const struct adit_json_row raw_rows[] = {
    {ADIT_ROW("sha256", struct adit_spp_manifest, raw.sha, SHA256, 0)}, {0}};
static const struct adit_json_row content_rows[] = {
    {.key = "raw", .kind = ADIT_ROW_PART, .rows = raw_rows}, {0}};
static const struct adit_json_row version_rows[] = {
    {ADIT_ROW("number", struct adit_spp_manifest, number, UINT, 0)}, {0}};
static const struct adit_json_row signed_rows[] = {
    {ADIT_ROW("canonical", struct adit_spp_manifest, canonical, TEXT, 0)},
    {.key = "content", .kind = ADIT_ROW_PART, .rows = content_rows},
    {.key = "id", .kind = ADIT_ROW_OWN, .write = adit_spp_put_id},
    {.key = "version", .kind = ADIT_ROW_PART, .rows = version_rows},
    {0},
};

void adit_spp_signed(const struct adit_spp_manifest *m, struct adit_buf *out)
{
    struct adit_json_writer w = {.out = out};
    adit_json_object_write(&w, signed_rows, m);
}

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
