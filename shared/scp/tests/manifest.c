/* The manifest: which files it lists, with which fields, and what it passes over. */
#include "scp/scp.h"

#include "tests/tap.h"

#define HEX               "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define ENTRY(file, rest) "{\"file\":\"" file "\",\"generated\":\"2026-11-16T00:00:00Z\"," rest "}"

static enum adit_code parse(struct adit_manifest *m, const char *json)
{
    struct adit_error err;
    return adit_manifest_parse(m, adit_str_z(json), ADIT_STR("/c/scp-manifest.json"), tap_mem,
                               &err);
}

TEST(test_fields)
{
    static const struct {
        const char *entry, *cache_control, *coding;
    } rows[] = {
        {ENTRY("a.scp.zst", "\"type\":\"snapshot\",\"size\":1,\"content_encoding\":\"zstd\","
                            "\"update_freq\":\"daily\""),
         "public, max-age=86400, stale-while-revalidate=3600", "zstd"},
        {ENTRY("a.scp.zst", "\"type\":\"snapshot\",\"size\":1,\"content_encoding\":\"zstd\","
                            "\"update_freq\":\"monthly\""),
         "public, max-age=2592000, stale-while-revalidate=3600", "zstd"},
        {ENTRY("a.scp.zst", "\"type\":\"delta\",\"size\":1,\"content_encoding\":\"gzip\","
                            "\"update_freq\":\"daily\""),
         "public, max-age=3600, must-revalidate", "gzip"},
        {ENTRY("a.scp.zst", "\"type\":\"delta\",\"size\":1,\"content_encoding\":\"identity\","
                            "\"update_freq\":\"hourly\""),
         "public, max-age=300, must-revalidate", ""},
        {ENTRY("a.scp.zst", "\"type\":\"delta\",\"size\":1,\"update_freq\":\"weekly\""),
         "public, max-age=25200, must-revalidate", ""},
        {ENTRY("a.scp.zst", "\"size\":1"), "public, max-age=86400, stale-while-revalidate=3600",
         ""},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        char json[1000];
        struct adit_manifest m;
        snprintf(json, sizeof json, "{\"collections\":[%s]}", rows[i].entry);
        eq_int(parse(&m, json), ADIT_OK, rows[i].entry);
        const struct adit_scp_file *f = adit_manifest_find(&m, ADIT_STR("/c/a.scp.zst"));
        if (ok(f != NULL, "it is listed")) {
            eq_str(f->cache_control, adit_str_z(rows[i].cache_control), "freshness");
            eq_str(f->content_encoding, adit_str_z(rows[i].coding), "encoding");
            eq_str(f->last_modified, ADIT_STR("Mon, 16 Nov 2026 00:00:00 GMT"), "date");
        }
        adit_manifest_free(&m);
    }
}

TEST(test_passed_over)
{
    static const char *const entries[] = {
        ENTRY("../a.scp", "\"size\":1"),
        ENTRY("a/b.scp", "\"size\":1"),
        ENTRY(".scp", "\"size\":1"),
        ENTRY("a.json", "\"size\":1"),
        ENTRY("a\\r\\n.scp", "\"size\":1"),
        ENTRY("a.scp", "\"size\":-1"),
        ENTRY("a.scp", "\"size\":\"1\""),
        ENTRY("a.scp", "\"pages\":1"),
        "{\"file\":\"a.scp\",\"size\":1}",
        "{\"file\":1,\"size\":1}",
        "[]",
        "null",
        ENTRY("a.scp", "\"size\":1,\"content_encoding\":\"br\""),
    };
    for (size_t i = 0; i < ADIT_COUNT(entries); i++) {
        char json[1000];
        struct adit_manifest m;
        snprintf(json, sizeof json, "{\"collections\":[%s,%s]}", entries[i],
                 ENTRY("good.scp", "\"size\":7,\"checksum\":\"sha256:" HEX "\""));
        eq_int(parse(&m, json), ADIT_OK, entries[i]);
        eq_int(m.n, 1, "is passed over, the next is not");
        const struct adit_scp_file *f = adit_manifest_find(&m, ADIT_STR("/c/good.scp"));
        ok(f && f->size == 7, "which has its size");
        eq_str(f ? f->etag : ADIT_STR(""), ADIT_STR("\"sha256:" HEX "\""), "and its tag");
        adit_manifest_free(&m);
    }
}

TEST(test_refused)
{
    static const char *const documents[] = {"", "{", "[]", "{}", "{\"collections\":{}}"};
    for (size_t i = 0; i < ADIT_COUNT(documents); i++) {
        struct adit_manifest m;
        ok(parse(&m, documents[i]) != ADIT_OK, "is no manifest");
        adit_manifest_free(&m);
    }
    struct adit_manifest m;
    eq_int(parse(&m, "{\"collections\":[" ENTRY("a.scp", "\"size\":1,\"checksum\":\"md5:x\"") "]}"),
           ADIT_OK, "a checksum of another kind");
    ok(m.n == 1 && m.files[0].etag.len == 0, "is no tag");
    adit_manifest_free(&m);
    struct adit_buf big;
    adit_buf_init(&big, tap_mem, 8u << 20);
    for (int n = ADIT_MANIFEST_FILES - 1; n <= ADIT_MANIFEST_FILES + 1; n++) {
        adit_buf_clear(&big);
        adit_buf_lit(&big, "{\"collections\":[");
        for (int i = 0; i < n; i++) adit_buf_lit(&big, i ? ",{}" : "{}");
        adit_buf_lit(&big, "]}");
        adit_buf_byte(&big, '\0');
        eq_int(parse(&m, big.p), n > ADIT_MANIFEST_FILES ? ADIT_ELIMIT : ADIT_OK,
               "the number of files");
        adit_manifest_free(&m);
    }
    adit_buf_free(&big);
}

static enum adit_code torture(struct adit_mem mem, void *ctx)
{
    struct adit_manifest m;
    enum adit_code code =
        adit_manifest_parse(&m, adit_str_z(ctx), ADIT_STR("/m"), mem, &(struct adit_error){0});
    adit_manifest_free(&m);
    return code;
}

TEST(test_torture)
{
    tap_torture(torture,
                (void *)(uintptr_t)"{\"collections\":[" ENTRY(
                    "a.scp", "\"size\":1,\"checksum\":\"sha256:" HEX "\"") "]}",
                "every allocation failing");
}

/* --- entries: written, read and judged by the same rows ---------------------------------------- */

static const struct adit_manifest_entry delta = {
    .id = ADIT_STR_INIT("blog-delta-20260102T000000Z"),
    .section = ADIT_STR_INIT("blog"),
    .type = ADIT_STR_INIT("delta"),
    .file = ADIT_STR_INIT("a&b.scp"),
    .generated = ADIT_STR_INIT("2026-01-02T03:00:00Z"),
    .since = ADIT_STR_INIT("2026-01-01T00:00:00Z"),
    .expires = ADIT_STR_INIT("2026-01-04T00:00:00Z"),
    .sha256 = ADIT_STR_INIT(HEX),
    .checksum = ADIT_STR_INIT("sha256:" HEX),
    .update_freq = ADIT_STR_INIT("hourly"),
    .pages = 3,
    .size = 42,
};
#define DELTA                                                                               \
    "{\"checksum\":\"sha256:" HEX "\",\"content_encoding\":\"\",\"expires\":"               \
    "\"2026-01-04T00:00:00Z\",\"file\":\"a&b.scp\",\"generated\":\"2026-01-02T03:00:00Z\"," \
    "\"id\":\"blog-delta-20260102T000000Z\",\"pages\":3,\"section\":\"blog\",\"sha256\":"   \
    "\"" HEX "\",\"since\":\"2026-01-01T00:00:00Z\",\"size\":42,\"type\":\"delta\","        \
    "\"update_freq\":\"hourly\"}"

TEST(test_write)
{
    const struct adit_manifest_head head = {.generated = ADIT_STR("2026-01-02T03:00:00Z"),
                                            .origin = ADIT_STR("https://example.com")};
    struct adit_manifest_head read_head;
    struct adit_manifest_entry *entries;
    struct adit_arena arena;
    struct adit_buf text, again;
    size_t n;
    adit_buf_init(&text, tap_mem, 1 << 16);
    adit_buf_init(&again, tap_mem, 1 << 16);
    adit_arena_init(&arena, tap_mem, 1 << 16);
    adit_manifest_write(&text, &head, &delta, 1);
    eq_str(adit_buf_str(&text),
           ADIT_STR("{\"collections\":[" DELTA "],\"generated\":\"2026-01-02T03:00:00Z\","
                    "\"generator\":\"adit/" ADIT_VERSION "\",\"origin\":\"https://example.com\","
                    "\"previous\":null,\"rules\":\"" ADIT_RULES_VERSION "\",\"version\":1}"),
           "canonical JSON");
    eq_int(adit_manifest_read(adit_buf_str(&text), &arena, &read_head, &entries, &n, NULL), ADIT_OK,
           "it can be read");
    eq_int(n, 1, "one entry");
    eq_str(read_head.rules, ADIT_STR(ADIT_RULES_VERSION), "and by which rules it was made");
    eq_str(entries[0].raw, ADIT_STR(DELTA), "its JSON");
    entries[0].raw = (struct adit_str){0};
    adit_manifest_write(&again, &read_head, entries, n);
    eq_str(adit_buf_str(&again), adit_buf_str(&text), "every member that is written is read");
    adit_buf_clear(&again);
    adit_scp_sitemap_collection(&again, ADIT_STR("https://example.com/c/"), &entries[0]);
    eq_str(adit_buf_str(&again),
           ADIT_STR("  <scp:delta section=\"blog\" period=\"2026-01-02T03\" "
                    "url=\"https://example.com/c/a&amp;b.scp\" generated=\"2026-01-02T03:00:00Z\" "
                    "expires=\"2026-01-04T00:00:00Z\" pages=\"3\" size=\"42\" "
                    "since=\"2026-01-01T00:00:00Z\"/>\n"),
           "its element of the sitemap");
    adit_buf_free(&text), adit_buf_free(&again), adit_arena_free(&arena);
}

static void note_bad(void *ctx, const struct adit_finding *f)
{
    adit_buf_lit(ctx, f->member ? f->member : f->rule->name), adit_buf_byte(ctx, ' ');
    adit_buf_lit(ctx, f->detail ? f->detail : f->rule->name), adit_buf_byte(ctx, ';');
}

static void judge_lost(void *ctx, const struct adit_manifest_entry *e, size_t i)
{
    adit_manifest_judge_file(e, i, ADIT_MANIFEST_SIZE, ctx);
}

TEST(test_judge)
{
    static const struct {
        const char *json, *want;
    } rows[] = {
        {DELTA, "size other size;"},
        {"{}", "expires missing;file missing;generated missing;id missing;pages missing;section "
               "missing;sha256 missing;size missing;type missing;"},
        {"{\"type\":\"weekly\",\"pages\":-1,\"size\":\"1\",\"id\":\"\",\"file\":1,\"section\":"
         "\"s\",\"generated\":\"now\",\"expires\":\"2026-01-04T00:00:00Z\",\"sha256\":\"sha256:" HEX
         "\",\"update_freq\":\"often\"}",
         "file malformed;generated malformed;id malformed;pages malformed;size malformed;type "
         "malformed;update_freq malformed;"},
    };
    struct adit_buf got, text;
    struct adit_judge judge = {note_bad, &got};
    adit_buf_init(&got, tap_mem, 4096);
    adit_buf_init(&text, tap_mem, 4096);
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_json_value v;
        adit_buf_clear(&got), adit_buf_clear(&text);
        adit_buf_lit(&text, "{\"collections\":["), adit_buf_lit(&text, rows[i].json);
        adit_buf_lit(&text, "],\"version\":1}");
        adit_json_check(adit_buf_str(&text), &v, NULL);
        ok(adit_manifest_is(v), "a manifest");
        eq_int(adit_manifest_judge(adit_buf_str(&text), v, tap_mem, judge_lost, &judge, &judge), 1,
               "one entry");
        struct adit_str said = adit_buf_str(&got),
                        canonical = ADIT_STR("tct-canonical tct-canonical;");
        if (adit_str_ends(said, canonical)) said.len -= canonical.len;
        eq_str(said, adit_str_z(rows[i].want), "what is wrong");
    }
    adit_buf_free(&got), adit_buf_free(&text);
}

RUN_TESTS(test_write, test_judge, test_fields, test_passed_over, test_refused, test_torture)
