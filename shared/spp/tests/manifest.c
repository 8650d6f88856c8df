/* Names, manifests, lists of versions, events, endorsements. */
#include "http/http.h"
#include "spp/spp.h"
#include "json/json.h"
#include "shared/tests/tap.h"

static struct adit_str uuid_of(const char *url, char uuid[ADIT_SPP_UUID])
{
    adit_spp_uuid(adit_str_z(url), uuid);
    return adit_str_of(uuid, ADIT_SPP_UUID);
}

TEST(names)
{
    char u[ADIT_SPP_UUID];
    eq_str(uuid_of("https://example.com/post/", u),
           ADIT_STR("bd796fb6-152f-5d26-a548-99758cd4d481"), "UUIDv5 of a URL");
    eq_str(uuid_of("", u), ADIT_STR("1b4db7eb-4057-5ddf-91e0-36dec72071f5"), "of nothing");
    ok(adit_spp_uuid_read(ADIT_STR("urn:spp:artifact:1B4DB7EB-4057-5DDF-91E0-36DEC72071F5"), u) &&
           u[0] == '1' && u[1] == 'b',
       "a URN in capitals");
    ok(!adit_spp_uuid_read(ADIT_STR("1b4db7eb-4057-5ddf-91e0-36dec72071f"), u), "too short");
    ok(!adit_spp_uuid_read(ADIT_STR("1b4db7eb/4057-5ddf-91e0-36dec72071f5"), u), "no dash");
}

TEST(routes)
{
    static const struct {
        const char *path, *file;
    } rows[] = {
        {"/artifacts/1b4db7eb-4057-5ddf-91e0-36dec72071f5/versions",
         "artifacts/1b4/1b4db7eb-4057-5ddf-91e0-36dec72071f5/versions.json"},
        {"/artifacts/urn:spp:artifact:1b4db7eb-4057-5ddf-91e0-36dec72071f5/versions/12/manifest",
         "artifacts/1b4/1b4db7eb-4057-5ddf-91e0-36dec72071f5/12/semantic.json"},
        {"/artifacts/1b4db7eb-4057-5ddf-91e0-36dec72071f5/versions/", NULL},
        {"/artifacts/1b4db7eb-4057-5ddf-91e0-36dec72071f5/versions/0/manifest", NULL},
        {"/artifacts/1b4db7eb-4057-5ddf-91e0-36dec72071f5/versions//manifest", NULL},
        {"/artifacts/1b4db7eb-4057-5ddf-91e0-36dec72071f5/versions/1x/manifest", NULL},
        {"/artifacts/1b4db7eb-4057-5ddf-91e0-36dec72071f5/versions/1/manifest/x", NULL},
        {"/artifacts/1b4db7eb-4057-5ddf-91e0-36dec72071f5/versions/1/other", NULL},
        {"/artifacts/../../etc/versions", NULL},
        {"/other/1b4db7eb-4057-5ddf-91e0-36dec72071f5/versions", NULL},
        {"/", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_buf b;
        adit_buf_init(&b, tap_mem, 4096);
        bool found = adit_spp_route(adit_str_z(rows[i].path), &b);
        if (rows[i].file)
            eq_str(adit_buf_str(&b), adit_str_z(rows[i].file), rows[i].path);
        else
            ok(!found, rows[i].path);
        adit_buf_free(&b);
    }
}

/* A manifest with everything. */
static struct adit_spp_manifest full(struct adit_spp_chunk chunks[2],
                                     struct adit_spp_patched patches[1])
{
    struct adit_spp_manifest m = {
        .type = ADIT_STR("article"),
        .canonical = ADIT_STR("https://example.com/post/"),
        .title = ADIT_STR("A \"title\"\n\xc3\xa4"),
        .byline = ADIT_STR("Jo"),
        .language = ADIT_STR("en"),
        .published = ADIT_STR("2025-10-15T07:00:00+02:00"),
        .updated = ADIT_STR("2025-10-15T08:12:00Z"),
        .description = ADIT_STR("d"),
        .site_name = ADIT_STR("s"),
        .content_type = ADIT_STR("text/html; charset=utf-8"),
        .content_language = ADIT_STR("en"),
        .robots = ADIT_STR("nofollow"),
        .optout = ADIT_OPTOUT_NOAI | ADIT_OPTOUT_TDM,
        .raw = {.bytes = 10000, .stored = 3000},
        .clean = {.bytes = 5000, .stored = 2000},
        .diff = {.bytes = 100, .stored = 90},
        .chunks = chunks,
        .n_chunks = 2,
        .has_clean = true,
        .has_diff = true,
        .clean_changed = true,
        .stats = {12, 3, 18},
        .number = 4,
        .created = ADIT_STR("2025-10-15T08:13:00Z"),
        .stage = ADIT_SPP_EMBEDDED,
        .url = ADIT_STR("https://example.com/post/?a=1"),
        .first_seen = ADIT_STR("2025-10-12T06:31:00Z"),
        .last_seen = ADIT_STR("2025-10-15T08:31:00Z"),
        .crawler = ADIT_STR("Crawler/1.0"),
        .etag = ADIT_STR("W/\"abc\""),
        .last_modified = ADIT_STR("Wed, 15 Oct 2025 08:31:00 GMT"),
        .rules = ADIT_STR("3"),
        .patches = patches,
        .n_patches = 1,
    };
    uuid_of("https://example.com/post/?a=1", m.uuid);
    memset(m.raw.sha, 1, sizeof m.raw.sha);
    memset(m.clean.sha, 2, sizeof m.clean.sha);
    memset(m.diff.sha, 3, sizeof m.diff.sha);
    memset(chunks, 0, 2 * sizeof *chunks);
    for (size_t i = 0; i < 2; i++) {
        memset(chunks[i].text.sha, (int)(10 + i), ADIT_SHA256_LEN);
        memset(chunks[i].vector.sha, (int)(20 + i), ADIT_SHA256_LEN);
        chunks[i].text.bytes = chunks[i].text.stored = 2500;
        chunks[i].dims = 3;
        chunks[i].vector.bytes = 12;
        chunks[i].model = ADIT_STR("m");
    }
    memset(patches, 0, sizeof *patches);
    patches->at = ADIT_STR("2025-10-15T08:20:00Z");
    patches->was = ADIT_STR("{\"language\":\"de\"}");
    patches->has_clean = true;
    memset(patches->clean, 7, sizeof patches->clean);
    return m;
}

static bool same_again(const struct adit_spp_manifest *m, struct adit_buf *first)
{
    struct adit_buf second;
    struct adit_arena arena;
    struct adit_spp_manifest r;
    adit_arena_init(&arena, tap_mem, 1 << 20);
    adit_buf_init(&second, tap_mem, 1 << 20);
    adit_spp_manifest_write(m, first);
    bool same = adit_spp_manifest_read(adit_buf_str(first), &arena, &r, NULL) == ADIT_OK &&
                adit_spp_manifest_write(&r, &second) == ADIT_OK &&
                adit_str_eq(adit_buf_str(first), adit_buf_str(&second));
    adit_buf_free(&second);
    adit_arena_free(&arena);
    return same;
}

static bool canonical(struct adit_str json)
{
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 1 << 20);
    bool same = adit_json_rewrite(json, &adit_json_canonical, tap_mem, &b, NULL) == ADIT_OK &&
                adit_str_eq(adit_buf_str(&b), json);
    adit_buf_free(&b);
    return same;
}

#define HEX64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define UUID  "0a1b2c3d-0000-5000-8000-0123456789ab"

TEST(keys)
{
    static const struct {
        const char *key;
        enum adit_spp_key kind;
    } rows[] = {
        {"objects/012/" HEX64 ".gz", ADIT_SPP_KEY_OBJECT},
        {"objects/012/" HEX64 ".bin", ADIT_SPP_KEY_OBJECT},
        {"artifacts/0a1/" UUID "/versions.json", ADIT_SPP_KEY_VERSIONS},
        {"artifacts/0a1/" UUID "/1/semantic.json", ADIT_SPP_KEY_MANIFEST},
        {"artifacts/0a1/" UUID "/18446744073709551615/semantic.json", ADIT_SPP_KEY_MANIFEST},
        {"", 0},
        {"objects", 0},
        {"objects/012/" HEX64, 0},
        {"objects/012/" HEX64 ".sh", 0},
        {"objects/012/" HEX64 ".gz/", 0},
        {"objects/012/" HEX64 ".gz/x", 0},
        {"objects/013/" HEX64 ".gz", 0},
        {"objects/../" HEX64 ".gz", 0},
        {"/objects/012/" HEX64 ".gz", 0},
        {"./objects/012/" HEX64 ".gz", 0},
        {"objects//012/" HEX64 ".gz", 0},
        {"../objects/012/" HEX64 ".gz", 0},
        {"objects/012/0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef.gz", 0},
        {"artifacts/0a1/" UUID "/", 0},
        {"artifacts/0a1/" UUID "/semantic.json", 0},
        {"artifacts/0a1/" UUID "/0/semantic.json", 0},
        {"artifacts/0a1/" UUID "/01/semantic.json", 0},
        {"artifacts/0a1/" UUID "/../semantic.json", 0},
        {"artifacts/0a1/" UUID "//semantic.json", 0},
        {"artifacts/0a1/" UUID "/1/versions.json", 0},
        {"artifacts/0a1/" UUID "/1/semantic.json/x", 0},
        {"artifacts/0a1/" UUID "/18446744073709551616/semantic.json", 0},
        {"artifacts/0a2/" UUID "/versions.json", 0},
        {"artifacts/0a1/urn:spp:artifact:" UUID "/versions.json", 0},
        {"artifacts/0A1/0A1b2c3d-0000-5000-8000-0123456789ab/versions.json", 0},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++)
        eq_int(adit_spp_key(adit_str_z(rows[i].key)), rows[i].kind, rows[i].key);
    ok(!adit_spp_key(ADIT_STR("objects/012/" HEX64 ".gz\0")), "a NUL behind it");
}

TEST(manifests)
{
    struct adit_spp_chunk chunks[2];
    struct adit_spp_patched patches[1];
    struct adit_spp_manifest m = full(chunks, patches);
    struct adit_buf b;
    struct adit_arena arena;
    uint8_t key[ADIT_P256_KEY] = {1, 2, 3};
    adit_buf_init(&b, tap_mem, 1 << 20);
    adit_arena_init(&arena, tap_mem, 1 << 20);
    ok(same_again(&m, &b), "read and written again");
    ok(canonical(adit_buf_str(&b)), "canonical JSON");
    eq_int(adit_spp_endorse(&m, key, tap_mem, &arena), ADIT_OK, "endorsed");
    eq_int(adit_spp_endorse(&m, key, tap_mem, &arena), ADIT_OK, "again");
    eq_int(m.n_endorsements, 1, "by one key once");
    adit_buf_clear(&b);
    ok(same_again(&m, &b) && canonical(adit_buf_str(&b)), "an endorsed manifest too");
    ok(adit_spp_endorsed(&m, &m.endorsements[0], tap_mem), "the signature is good");
    m.number = 5;
    ok(!adit_spp_endorsed(&m, &m.endorsements[0], tap_mem), "for this version only");
    m.number = 4;
    m.raw.sha[0] ^= 1;
    ok(!adit_spp_endorsed(&m, &m.endorsements[0], tap_mem), "and these bytes");
    m.raw.sha[0] ^= 1;
    m.tombstone_at = ADIT_STR("2026-01-01T00:00:00Z");
    adit_buf_clear(&b);
    ok(same_again(&m, &b) && canonical(adit_buf_str(&b)), "a tombstone");
    ok(adit_str_find(adit_buf_str(&b), ADIT_STR("objects/"), 0) == b.len, "has no content");
    ok(adit_str_find(adit_buf_str(&b), ADIT_STR("sha256:0101"), 0) < b.len, "but its hash");
    memset(key, 0, sizeof key);
    eq_int(adit_spp_endorse(&m, key, tap_mem, &arena), ADIT_EBAD, "0 is no key");
    adit_buf_free(&b);
    adit_arena_free(&arena);
}

/* What contradicts itself is refused. */
TEST(contradictions)
{
    static const struct {
        const char *from, *to;
    } rows[] = {
        {"\"rawHash\":\"sha256:01", "\"rawHash\":\"sha256:02"},
        {"\"clean\":{\"sha256\":\"sha256:02", "\"clean\":{\"sha256\":\"sha256:03"},
        {"\"clean\":{\"sha256\"", "\"cleen\":{\"sha256\""},
        {"\"objects\":[{", "\"objects\":[{\"x\":1},{"},
        {"\"stage\":\"embedded\"", "\"stage\":\"finished\""},
        {"\"number\":4", "\"number\":1"},
        {"\"number\":4", "\"number\":0"},
        {"\"pct\":1.8", "\"pct\":1.85"},
        {"\"pct\":1.8", "\"pct\":101"},
        {"\"at\":\"2025", "\"it\":\"2025"},
        {"urn:spp:artifact:", "urn:spp:artefact:"},
        {"\"lastSeen\"", "\"lostSeen\""},
    };
    struct adit_spp_chunk chunks[2];
    struct adit_spp_patched patches[1];
    struct adit_spp_manifest m = full(chunks, patches), r;
    struct adit_buf text, changed;
    struct adit_arena arena;
    adit_buf_init(&text, tap_mem, 1 << 20);
    adit_buf_init(&changed, tap_mem, 1 << 20);
    adit_arena_init(&arena, tap_mem, 1 << 20);
    adit_spp_manifest_write(&m, &text);
    struct adit_str all = adit_buf_str(&text);
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_str from = adit_str_z(rows[i].from);
        size_t at = adit_str_find(all, from, 0);
        adit_buf_clear(&changed);
        adit_buf_add(&changed, adit_str_sub(all, 0, at));
        adit_buf_lit(&changed, rows[i].to);
        adit_buf_add(&changed, adit_str_sub(all, at + from.len, all.len));
        ok(at < all.len &&
               adit_spp_manifest_read(adit_buf_str(&changed), &arena, &r, NULL) == ADIT_EBAD,
           rows[i].to);
    }
    adit_buf_free(&text), adit_buf_free(&changed), adit_arena_free(&arena);
}

TEST(signed_text)
{
    struct adit_spp_manifest m = {.canonical = ADIT_STR("https://example.com/"), .number = 2};
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 4096);
    uuid_of("https://example.com/", m.uuid);
    adit_spp_signed(&m, &b);
    ok(canonical(adit_buf_str(&b)), "what is signed is canonical JSON");
    ok(adit_str_starts(adit_buf_str(&b),
                       ADIT_STR("{\"canonical\":\"https://example.com/\",\"content\":{\"raw\":{"
                                "\"sha256\":\"sha256:0000")),
       "with the members of the specification");
    adit_buf_free(&b);
}

TEST(versions)
{
    struct adit_spp_version v[2] = {
        {.number = 1, .created = {100, 0}, .facts = 1},
        {.number = 2,
         .created = {300, 0},
         .facts = UINT64_MAX,
         .stage = ADIT_SPP_ENRICHED,
         .tombstone = true},
    };
    struct adit_buf b, again;
    struct adit_arena arena;
    struct adit_spp_version *r;
    size_t n;
    adit_buf_init(&b, tap_mem, 1 << 20);
    adit_buf_init(&again, tap_mem, 1 << 20);
    adit_arena_init(&arena, tap_mem, 1 << 20);
    adit_spp_versions_write(v, 2, &b);
    ok(canonical(adit_buf_str(&b)), "canonical JSON");
    eq_int(adit_spp_versions_read(adit_buf_str(&b), &arena, &r, &n, NULL), ADIT_OK, "read");
    adit_spp_versions_write(r, n, &again);
    eq_str(adit_buf_str(&again), adit_buf_str(&b), "and written again");
    static const uint8_t zero[ADIT_SHA256_LEN];
    ok(adit_spp_versions_know(v, 2, zero, v[0].created), "the first capture is history");
    ok(adit_spp_versions_know(v, 2, zero, (struct adit_time){299, 0}), "and all before the next");
    ok(!adit_spp_versions_know(v, 2, zero, (struct adit_time){99, 0}), "but nothing before");
    ok(!adit_spp_versions_know(v, 2, zero, (struct adit_time){301, 0}), "nor after the last");
    static const char *const bad[] = {"", "{}", "[]", "[{}]", "[{\"version\":2}]"};
    for (size_t i = 0; i < ADIT_COUNT(bad); i++)
        ok(adit_spp_versions_read(adit_str_z(bad[i]), &arena, &r, &n, NULL) != ADIT_OK, bad[i]);
    ok(adit_spp_facts(ADIT_STR("a"), ADIT_STR("b"), ADIT_STR("")) !=
           adit_spp_facts(ADIT_STR("a"), ADIT_STR(""), ADIT_STR("b")),
       "facts are told apart");
    adit_buf_free(&b), adit_buf_free(&again), adit_arena_free(&arena);
}

TEST(events)
{
    struct adit_spp_manifest m = {.number = 3};
    struct adit_buf b;
    char u[ADIT_SPP_UUID];
    adit_buf_init(&b, tap_mem, 4096);
    uuid_of("https://example.com/", m.uuid);
    adit_spp_event_write(ADIT_SPP_CREATED, &m, &b);
    struct adit_str line = adit_str_sub(adit_buf_str(&b), 0, b.len - 1);
    ok(canonical(line), "an event is canonical JSON");
    ok(adit_spp_event_read(line, u) && memcmp(u, m.uuid, sizeof u) == 0, "and names its artifact");
    ok(!adit_spp_event_read(ADIT_STR("{\"artifactId\":7}"), u), "another line does not");
    adit_buf_free(&b);
}

TEST(types)
{
    eq_str(adit_spp_type(ADIT_STR("{\"@type\":[\"X\",\"NewsArticle\"]}"), false),
           ADIT_STR("article"), "by JSON-LD");
    eq_str(adit_spp_type(ADIT_STR("{\"@type\":\"Product\"}"), true), ADIT_STR("product"),
           "product");
    eq_str(adit_spp_type(ADIT_STR("{\"@type\":\"Article\"}"), false), ADIT_STR("article"),
           "which ends other names");
    eq_str(adit_spp_type(ADIT_STR("{\"@type\":\"Page\"}"), false), ADIT_STR("webpage"),
           "a part of a name is none");
    eq_str(adit_spp_type(ADIT_STR(""), true), ADIT_STR("article"), "with an author or a date");
    eq_str(adit_spp_type(ADIT_STR("{"), false), ADIT_STR("webpage"), "anything else");
}

TEST(mementos)
{
    static const struct {
        const char *path;
        enum adit_memento kind;
        const char *url;
    } rows[] = {
        {"/timemap/link/https://a.example/?x", ADIT_MEMENTO_TIMEMAP, "https://a.example/?x"},
        {"/timegate/https://a.example/", ADIT_MEMENTO_TIMEGATE, "https://a.example/"},
        {"/memento/20260102030405/https://a.example/", ADIT_MEMENTO_VERSION, "https://a.example/"},
        {"/memento/20260230000000/https://a.example/", ADIT_MEMENTO_NONE, ""},
        {"/memento/2026010203040x/https://a.example/", ADIT_MEMENTO_NONE, ""},
        {"/memento/20260102030405", ADIT_MEMENTO_VERSION, ""},
        {"/timemap/json/https://a.example/", ADIT_MEMENTO_NONE, ""},
        {"/", ADIT_MEMENTO_NONE, ""},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_str url = {0};
        struct adit_time at = {0};
        eq_int(adit_memento_route(adit_str_z(rows[i].path), &url, &at), rows[i].kind, rows[i].path);
        if (rows[i].kind) eq_str(url, adit_str_z(rows[i].url), "its URL");
        if (rows[i].kind == ADIT_MEMENTO_VERSION) eq_int(at.s, 1767323045, "its time");
    }
    const struct adit_spp_version v[] = {{.number = 1, .created = {.s = 100}},
                                         {.number = 2, .created = {.s = 200}, .tombstone = true},
                                         {.number = 3, .created = {.s = 300}}};
    eq_int(adit_memento_pick(v, 3, (struct adit_time){.s = 50}), 0, "before all: the first");
    eq_int(adit_memento_pick(v, 3, (struct adit_time){.s = 250}), 0, "never one without content");
    eq_int(adit_memento_pick(v, 3, (struct adit_time){.s = 300}), 2, "at the second");
    eq_int(adit_memento_pick(v + 1, 1, (struct adit_time){.s = 300}), 1, "none has content");
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 1 << 16);
    adit_memento_timemap(&b, ADIT_STR("https://h"), ADIT_STR("https://a.example/"), v, 3);
    eq_str(adit_buf_str(&b),
           ADIT_STR("<https://a.example/>; rel=\"original\",\n"
                    "<https://h/timemap/link/https://a.example/>; rel=\"self\"; "
                    "type=\"application/link-format\"; from=\"Thu, 01 Jan 1970 00:01:40 GMT\"; "
                    "until=\"Thu, 01 Jan 1970 00:05:00 GMT\",\n"
                    "<https://h/timegate/https://a.example/>; rel=\"timegate\",\n"
                    "<https://h/memento/19700101000140/https://a.example/>; rel=\"first memento\"; "
                    "datetime=\"Thu, 01 Jan 1970 00:01:40 GMT\",\n"
                    "<https://h/memento/19700101000500/https://a.example/>; rel=\"last memento\"; "
                    "datetime=\"Thu, 01 Jan 1970 00:05:00 GMT\"\n"),
           "a TimeMap, without what is gone");
    adit_buf_free(&b);
}

RUN_TESTS(names, routes, keys, manifests, contradictions, signed_text, versions, events, types,
          mementos)
