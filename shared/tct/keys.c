/* The key directory: a JSON Web Key Set (RFC 7517) at a well-known place, with the P-256 key that
 * answers are signed with. */
#include "tct/tct.h"

enum { COORDINATE = 32 };

static void put_key(struct adit_json_writer *w, const uint8_t key[ADIT_P256_PUBLIC])
{
    char text[64];
    adit_json_member(w, "crv", ADIT_STR("P-256"));
    adit_json_member(w, "kty", ADIT_STR("EC"));
    for (size_t i = 0; i < 2; i++) {
        struct adit_buf b = {.p = text, .cap = sizeof text, .max = sizeof text};
        adit_base64url(&b, key + 1 + i * COORDINATE, COORDINATE);
        adit_json_member(w, i ? "y" : "x", adit_buf_str(&b));
    }
}

/* RFC 7638: SHA-256 of the required members alone. */
void adit_key_thumbprint(struct adit_buf *out, const uint8_t key[ADIT_P256_PUBLIC])
{
    char text[256];
    uint8_t hash[ADIT_SHA256_LEN];
    struct adit_buf b = {.p = text, .cap = sizeof text, .max = sizeof text};
    struct adit_json_writer w = {.out = &b};
    adit_json_open(&w, '{');
    put_key(&w, key);
    adit_json_close(&w, '}');
    adit_sha256_of(adit_buf_str(&b), hash);
    adit_base64url(out, hash, sizeof hash);
}

void adit_key_directory(struct adit_buf *out, const uint8_t key[ADIT_P256_PUBLIC],
                        struct adit_str keyid)
{
    struct adit_json_writer w = {.out = out};
    adit_json_open(&w, '{');
    adit_json_member_open(&w, "keys", '[');
    adit_json_open(&w, '{');
    adit_json_member(&w, "alg", ADIT_STR("ES256"));
    put_key(&w, key);
    adit_json_member(&w, "kid", keyid);
    adit_json_member(&w, "use", ADIT_STR("sig"));
    adit_json_close(&w, '}');
    adit_json_close(&w, ']');
    adit_json_close(&w, '}');
}

static bool is(struct adit_json_value key, const char *name, struct adit_str value)
{
    return adit_str_eq(adit_json_inside(adit_json_get(key, adit_str_z(name))), value);
}

static bool read_point(struct adit_json_value v, uint8_t out[ADIT_P256_PUBLIC])
{
    static const char *const names[] = {"x", "y"};
    out[0] = 4;
    for (size_t i = 0; i < ADIT_COUNT(names); i++) {
        struct adit_buf b = {
            .p = (char *)out + 1 + i * COORDINATE, .cap = COORDINATE, .max = COORDINATE};
        struct adit_str text = adit_json_inside(adit_json_get(v, adit_str_z(names[i])));
        if (adit_base64_decode(text, &b) != ADIT_OK || b.len != COORDINATE) return false;
    }
    return true;
}

bool adit_key_directory_read(struct adit_str json, struct adit_str keyid,
                             uint8_t key[ADIT_P256_PUBLIC])
{
    struct adit_json_value doc;
    struct adit_json_member m;
    if (adit_json_check(json, &doc, NULL) || doc.kind != ADIT_JSON_OBJECT) return false;
    struct adit_json_iter it = adit_json_iter(adit_json_get(doc, ADIT_STR("keys")));
    while (adit_json_next(&it, &m)) {
        if (m.value.kind != ADIT_JSON_OBJECT || !is(m.value, "kty", ADIT_STR("EC")) ||
            !is(m.value, "crv", ADIT_STR("P-256")) || !read_point(m.value, key))
            continue;
        char text[64];
        struct adit_buf b = {.p = text, .cap = sizeof text, .max = sizeof text};
        adit_key_thumbprint(&b, key);
        if (is(m.value, "kid", keyid) || adit_str_eq(adit_buf_str(&b), keyid)) return true;
    }
    return false;
}
