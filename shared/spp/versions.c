/* The list of an artifact's versions, and events. */
#include "spp/spp.h"
#include "json/json.h"

#include <string.h>

static void put_time(struct adit_json_writer *w, const char *key, struct adit_time t)
{
    char space[40];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_time_write(&b, t);
    adit_json_member(w, key, adit_buf_str(&b));
}

static void put_hex(struct adit_json_writer *w, const char *key, const char *prefix,
                    const uint8_t *p, size_t len)
{
    char space[80];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_buf_lit(&b, prefix);
    adit_buf_hex(&b, p, len);
    adit_json_member(w, key, adit_buf_str(&b));
}

static void big_endian(uint64_t v, uint8_t out[8])
{
    for (int i = 7; i >= 0; i--, v >>= 8) out[i] = (uint8_t)v;
}

static uint64_t from_big_endian(const uint8_t p[8])
{
    uint64_t v = 0;
    for (int i = 0; i < 8; i++) v = v << 8 | p[i];
    return v;
}

void adit_spp_versions_write(const struct adit_spp_version *v, size_t n, struct adit_buf *out)
{
    struct adit_json_writer w = {.out = out};
    adit_json_open(&w, '[');
    for (size_t i = 0; i < n; i++) {
        uint8_t facts[8];
        big_endian(v[i].facts, facts);
        adit_json_open(&w, '{');
        put_time(&w, "createdAt", v[i].created);
        put_hex(&w, "facts", "", facts, sizeof facts);
        put_hex(&w, "rawSha256", "sha256:", v[i].raw, ADIT_SHA256_LEN);
        adit_json_member(&w, "stage", adit_str_z(adit_spp_stages[v[i].stage]));
        if (v[i].tombstone) {
            adit_json_key(&w, "tombstone");
            adit_json_bool(&w, true);
        }
        adit_json_key(&w, "version");
        adit_json_uint(&w, v[i].number);
        adit_json_close(&w, '}');
    }
    adit_json_close(&w, ']');
}

static bool read_one(struct adit_json_value o, struct adit_spp_version *v)
{
    static const struct adit_str prefix = ADIT_STR_INIT("sha256:");
    struct adit_str raw = adit_json_inside(adit_json_get(o, ADIT_STR("rawSha256"))),
                    stage = adit_json_inside(adit_json_get(o, ADIT_STR("stage")));
    uint8_t facts[8];
    v->tombstone = adit_json_get(o, ADIT_STR("tombstone")).kind == ADIT_JSON_TRUE;
    int s = 0;
    while (adit_spp_stages[s] && !adit_str_eq(adit_str_z(adit_spp_stages[s]), stage)) s++;
    v->stage = (enum adit_spp_stage)s;
    bool good =
        adit_spp_stages[s] && adit_str_starts(raw, prefix) &&
        adit_hex_decode(adit_str_sub(raw, prefix.len, raw.len), v->raw, ADIT_SHA256_LEN) &&
        adit_json_u64(adit_json_get(o, ADIT_STR("version")), &v->number) &&
        adit_hex_decode(adit_json_inside(adit_json_get(o, ADIT_STR("facts"))), facts, 8) &&
        adit_time_parse(adit_json_inside(adit_json_get(o, ADIT_STR("createdAt"))), &v->created);
    if (good) v->facts = from_big_endian(facts);
    return good;
}

enum adit_code adit_spp_versions_read(struct adit_str text, struct adit_arena *arena,
                                      struct adit_spp_version **v, size_t *n,
                                      struct adit_error *err)
{
    struct adit_json_value list;
    struct adit_json_member m;
    size_t count = 0;
    *n = 0;
    ADIT_TRY(adit_json_check(text, &list, err));
    if (list.kind != ADIT_JSON_ARRAY) return adit_fail(err, ADIT_EBAD, "not a list", 0);
    for (struct adit_json_iter it = adit_json_iter(list); adit_json_next(&it, &m);) count++;
    if (count > ADIT_SPP_VERSIONS_MAX) return adit_fail(err, ADIT_ELIMIT, "too many versions", 0);
    *v = adit_arena_zalloc(arena, count + 1, sizeof **v);
    if (!*v) return adit_fail(err, ADIT_ENOMEM, "no memory", 0);
    for (struct adit_json_iter it = adit_json_iter(list); adit_json_next(&it, &m); ++*n)
        if (!read_one(m.value, &(*v)[*n]) || (*v)[*n].number != *n + 1)
            return adit_fail(err, ADIT_EBAD, "not a version, or not the next one",
                             (size_t)(m.value.raw.p - text.p));
    return *n ? ADIT_OK : adit_fail(err, ADIT_EBAD, "no version", 0);
}

bool adit_spp_versions_know(const struct adit_spp_version *v, size_t n,
                            const uint8_t raw[ADIT_SHA256_LEN], struct adit_time at)
{
    for (size_t i = 0; i < n && adit_time_cmp(v[i].created, at) <= 0; i++) {
        bool lasts = adit_time_cmp(at, v[i].created) == 0 ||
                     (i + 1 < n && adit_time_cmp(at, v[i + 1].created) < 0);
        if (lasts && memcmp(v[i].raw, raw, ADIT_SHA256_LEN) == 0) return true;
    }
    return false;
}

uint64_t adit_spp_facts(struct adit_str content_type, struct adit_str content_language,
                        struct adit_str robots)
{
    struct adit_sha256 h;
    uint8_t sha[ADIT_SHA256_LEN];
    const struct adit_str parts[] = {content_type, content_language, robots};
    adit_sha256_init(&h);
    for (size_t i = 0; i < ADIT_COUNT(parts); i++) {
        adit_sha256_update(&h, parts[i].p, parts[i].len);
        adit_sha256_update(&h, "\n", 1); /* no header value holds one */
    }
    adit_sha256_final(&h, sha);
    return from_big_endian(sha);
}

/* --- events ----------------------------------------------------------------------------------- */

/* What happened, and the stage that comes next: the job is named after that. */
static const struct {
    const char *event, *job;
} events[] = {
    [ADIT_SPP_CREATED] = {"version-created", "spp-enrich-"},
    [ADIT_SPP_ENRICHMENT] = {"version-enriched", "spp-embed-"},
    [ADIT_SPP_EMBEDDING] = {"version-embedded", "spp-done-"},
};

void adit_spp_event_write(enum adit_spp_event event, const struct adit_spp_manifest *m,
                          struct adit_buf *out)
{
    struct adit_json_writer w = {.out = out};
    char space[160];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_json_open(&w, '{');
    adit_buf_lit(&b, ADIT_SPP_URN);
    adit_buf_add(&b, adit_str_of(m->uuid, ADIT_SPP_UUID));
    adit_json_member(&w, "artifactId", adit_buf_str(&b));
    adit_json_member(&w, "event", adit_str_z(events[event].event));
    adit_buf_clear(&b);
    /* No colons: some queues do not take them in a job's id. */
    adit_buf_lit(&b, events[event].job);
    adit_buf_add(&b, adit_str_of(m->uuid, ADIT_SPP_UUID));
    adit_buf_byte(&b, '-');
    adit_buf_u64(&b, m->number);
    adit_buf_byte(&b, '-');
    adit_buf_hex(&b, m->raw.sha, 8);
    adit_json_member(&w, "jobId", adit_buf_str(&b));
    put_hex(&w, "rawSha256", "sha256:", m->raw.sha, ADIT_SHA256_LEN);
    adit_buf_clear(&b);
    adit_spp_object_key(&b, m->raw.sha, ADIT_SPP_GZIP);
    adit_json_member(&w, "s3RawKey", adit_buf_str(&b));
    adit_json_key(&w, "version");
    adit_json_uint(&w, m->number);
    adit_json_close(&w, '}');
    adit_buf_byte(out, '\n');
}

bool adit_spp_event_read(struct adit_str line, char uuid[ADIT_SPP_UUID])
{
    static const struct adit_str key = ADIT_STR_INIT("artifactId");
    struct adit_json_value id;
    return adit_json_pick(line, &key, 1, &id, NULL) == ADIT_OK &&
           adit_spp_uuid_read(adit_json_inside(id), uuid);
}
