/* The list of an artifact's versions, and events. */
#include "spp/spp_impl.h"

#include <string.h>

static const struct adit_json_row version_rows[] = {
#define ROW(name, member, kind, flags) \
    {ADIT_ROW(name, struct adit_spp_version, member, kind, flags)}
    ROW("createdAt", created, TIME, ADIT_ROW_NEEDED),
    ROW("facts", facts, HEX, ADIT_ROW_NEEDED),
    ROW("rawSha256", raw, SHA256, ADIT_ROW_NEEDED),
    {ADIT_ROW("stage", struct adit_spp_version, stage, CHOICE, ADIT_ROW_NEEDED),
     .names = adit_spp_stages},
    ROW("tombstone", tombstone, BOOL, ADIT_ROW_SPARSE),
    ROW("version", number, UINT, ADIT_ROW_NEEDED),
    {0},
#undef ROW
};

void adit_spp_versions_write(const struct adit_spp_version *v, size_t n, struct adit_buf *out)
{
    struct adit_json_writer w = {.out = out};
    adit_json_open(&w, '[');
    for (size_t i = 0; i < n; i++) adit_json_object_write(&w, version_rows, &v[i]);
    adit_json_close(&w, ']');
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
    if (!*v) return adit_fail(err, ADIT_ENOMEM, "out of memory", 0);
    for (struct adit_json_iter it = adit_json_iter(list); adit_json_next(&it, &m); ++*n)
        if (adit_json_object_read(m.value, version_rows, &(*v)[*n], arena, NULL) != ADIT_OK ||
            (*v)[*n].number != *n + 1)
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
    uint64_t facts = 0;
    for (size_t i = 0; i < sizeof facts; i++) facts = facts << 8 | sha[i];
    return facts;
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
    adit_json_key(&w, "artifactId"), adit_spp_put_id(&w, m);
    adit_json_member(&w, "event", adit_str_z(events[event].event));
    /* No colons: some queues do not take them in a job's id. */
    adit_buf_lit(&b, events[event].job);
    adit_buf_add(&b, adit_str_of(m->uuid, ADIT_SPP_UUID));
    adit_buf_byte(&b, '-');
    adit_buf_u64(&b, m->number);
    adit_buf_byte(&b, '-');
    adit_buf_hex(&b, m->raw.sha, 8);
    adit_json_member(&w, "jobId", adit_buf_str(&b));
    adit_buf_clear(&b);
    adit_sha256_text(&b, "sha256:", m->raw.sha);
    adit_json_member(&w, "rawSha256", adit_buf_str(&b));
    adit_buf_clear(&b);
    adit_spp_object_key(&b, m->raw.sha, ADIT_SPP_GZIP);
    adit_json_member(&w, "s3RawKey", adit_buf_str(&b));
    adit_json_member_uint(&w, "version", m->number);
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
