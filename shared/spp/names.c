/* Names: UUIDs of pages, keys of objects, paths of the API. */
#include "spp/spp.h"

#include <bearssl_hash.h>
#include <string.h>

void adit_spp_uuid(struct adit_str url, char uuid[ADIT_SPP_UUID])
{
    static const uint8_t namespace_url[16] = {0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1,
                                              0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8};
    uint8_t h[br_sha1_SIZE];
    br_sha1_context c;
    br_sha1_init(&c);
    br_sha1_update(&c, namespace_url, sizeof namespace_url);
    br_sha1_update(&c, url.p, url.len);
    br_sha1_out(&c, h);
    h[6] = (uint8_t)((h[6] & 0x0F) | 0x50);
    h[8] = (uint8_t)((h[8] & 0x3F) | 0x80);
    static const uint8_t groups[] = {4, 2, 2, 2, 6};
    struct adit_buf out = {.p = uuid, .cap = ADIT_SPP_UUID, .max = ADIT_SPP_UUID};
    const uint8_t *p = h;
    for (size_t i = 0; i < sizeof groups; p += groups[i++]) {
        if (i) adit_buf_byte(&out, '-');
        adit_buf_hex(&out, p, groups[i]);
    }
}

bool adit_spp_uuid_read(struct adit_str text, char uuid[ADIT_SPP_UUID])
{
    static const struct adit_str urn = ADIT_STR_INIT(ADIT_SPP_URN);
    if (adit_str_istarts(text, urn)) text = adit_str_sub(text, urn.len, text.len);
    if (text.len != ADIT_SPP_UUID) return false;
    for (size_t i = 0; i < text.len; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text.p[i] != '-' : adit_hex(text.p[i]) < 0) return false;
        uuid[i] = adit_lower(text.p[i]);
    }
    return true;
}

enum { SHARD = 3 };

void adit_spp_object_key(struct adit_buf *out, const uint8_t sha[ADIT_SHA256_LEN],
                         enum adit_spp_coding coding)
{
    char hex[ADIT_SHA256_HEX];
    struct adit_buf h = {.p = hex, .cap = sizeof hex, .max = sizeof hex};
    adit_buf_hex(&h, sha, ADIT_SHA256_LEN);
    adit_buf_lit(out, "objects/");
    adit_buf_add(out, adit_str_of(hex, SHARD));
    adit_buf_byte(out, '/');
    adit_buf_add(out, adit_str_of(hex, sizeof hex));
    adit_buf_lit(out, coding == ADIT_SPP_GZIP ? ".gz" : ".bin");
}

void adit_spp_artifact_key(struct adit_buf *out, const char uuid[ADIT_SPP_UUID])
{
    adit_buf_lit(out, "artifacts/");
    adit_buf_add(out, adit_str_of(uuid, SHARD));
    adit_buf_byte(out, '/');
    adit_buf_add(out, adit_str_of(uuid, ADIT_SPP_UUID));
    adit_buf_byte(out, '/');
}

/* Keys are judged by making them anew from what they seem to name. */
static bool is_object(struct adit_str key, struct adit_str name)
{
    uint8_t sha[ADIT_SHA256_LEN];
    char space[128];
    struct adit_str hex = adit_str_sub(name, 0, ADIT_SHA256_HEX);
    if (!adit_hex_decode(hex, sha, sizeof sha)) return false;
    for (int coding = ADIT_SPP_GZIP; coding <= ADIT_SPP_PLAIN; coding++) {
        struct adit_buf again = {.p = space, .cap = sizeof space, .max = sizeof space};
        adit_spp_object_key(&again, sha, (enum adit_spp_coding)coding);
        if (adit_str_eq(adit_buf_str(&again), key)) return true;
    }
    return false;
}

/* number: of the version, or empty: of the list of versions. */
static bool is_document(struct adit_str key, struct adit_str id, struct adit_str number)
{
    char uuid[ADIT_SPP_UUID], space[160];
    uint64_t n = 0;
    struct adit_buf again = {.p = space, .cap = sizeof space, .max = sizeof space};
    if (!adit_spp_uuid_read(id, uuid) || (number.len && (!adit_str_u64(number, &n) || !n)))
        return false;
    adit_spp_artifact_key(&again, uuid);
    if (n) adit_buf_u64(&again, n);
    adit_buf_lit(&again, n ? "/" ADIT_SPP_MANIFEST : ADIT_SPP_VERSIONS);
    return adit_str_eq(adit_buf_str(&again), key);
}

enum adit_spp_key adit_spp_key(struct adit_str key)
{
    struct adit_str parts[5] = {{0}}, rest = key;
    size_t n = 0;
    while (n < ADIT_COUNT(parts) && adit_str_split(&rest, '/', &parts[n])) n++;
    if (n == 3 && is_object(key, parts[2])) return ADIT_SPP_KEY_OBJECT;
    if (n == 4 && is_document(key, parts[2], (struct adit_str){0})) return ADIT_SPP_KEY_VERSIONS;
    if (n == 5 && parts[3].len && is_document(key, parts[2], parts[3]))
        return ADIT_SPP_KEY_MANIFEST;
    return ADIT_SPP_KEY_NONE;
}

bool adit_spp_route(struct adit_str path, struct adit_buf *file)
{
    struct adit_str parts[6], rest = path;
    size_t n = 0;
    char uuid[ADIT_SPP_UUID];
    while (n < ADIT_COUNT(parts) && adit_str_split(&rest, '/', &parts[n])) n++;
    bool list = n == 4, manifest = n == 6 && !rest.len;
    if ((!list && !manifest) || parts[0].len || !adit_str_eq(parts[1], ADIT_STR("artifacts")) ||
        !adit_spp_uuid_read(parts[2], uuid) || !adit_str_eq(parts[3], ADIT_STR("versions")))
        return false;
    uint64_t number;
    if (manifest && (!adit_str_eq(parts[5], ADIT_STR("manifest")) || parts[4].p[0] == '0' ||
                     !adit_str_u64(parts[4], &number)))
        return false;
    adit_spp_artifact_key(file, uuid);
    if (manifest) adit_buf_add(file, parts[4]);
    adit_buf_lit(file, manifest ? "/" ADIT_SPP_MANIFEST : ADIT_SPP_VERSIONS);
    return !file->err;
}
