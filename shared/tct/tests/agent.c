/* Reading what others publish. */
#include "tct/tct.h"
#include "tests/tap.h"

#define HASH "sha256-2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"

struct seen {
    size_t items, parts, bad, stop_at, later;
    char c_url[200], modified[100];
    const char *why;
};

static bool on_item(void *ctx, const struct adit_tct_item *item)
{
    struct seen *s = ctx;
    s->items++;
    snprintf(s->c_url, sizeof s->c_url, "%.*s", (int)item->c_url.len, item->c_url.p);
    snprintf(s->modified, sizeof s->modified, "%.*s", (int)item->modified.len, item->modified.p);
    return s->items != s->stop_at;
}
static bool on_part(void *ctx, const struct adit_tct_item *part)
{
    struct seen *s = ctx;
    s->parts++;
    snprintf(s->c_url, sizeof s->c_url, "%.*s", (int)part->c_url.len, part->c_url.p);
    return true;
}
static void on_bad(void *ctx, size_t index, const char *why, struct adit_str value)
{
    (void)index, (void)value;
    ((struct seen *)ctx)->bad++, ((struct seen *)ctx)->why = why;
}

static void on_later(void *ctx) { ((struct seen *)ctx)->later++; }

static struct seen read_text(const char *json, enum adit_code want)
{
    struct seen s = {0};
    struct adit_tct_sitemap_handler h = {&s, on_item, on_part, on_bad, on_later};
    eq_int(adit_tct_sitemap_read(adit_str_z(json), tap_mem, &h, NULL), want, json);
    return s;
}

TEST(test_sitemap)
{
    struct seen s = read_text("{\"version\":1,\"x\":[],\"items\":[{\"cUrl\":\"HTTPS:\\/\\/Ex.com\","
                              "\"mUrl\":\"https://ex.com/llm/\",\"new\":{},\"contentHash\":\"" HASH
                              "\",\"modified\":\"2025-10-01T12:34:56Z\"}]}",
                              ADIT_OK);
    eq_int(s.items, 1, "an item");
    eq_str(adit_str_z(s.c_url), ADIT_STR("https://ex.com/"), "its URL in normal form");
    eq_str(adit_str_z(s.modified), ADIT_STR("2025-10-01T12:34:56Z"), "its time");
    eq_int(s.bad, 0, "nothing wrong");
    s = read_text(
        "{\"version\":1,\"items\":[7,{},{\"cUrl\":\"x\"},{\"cUrl\":\"https://a/\"},"
        "{\"cUrl\":\"https://a/\",\"mUrl\":\"https://a/llm/\",\"contentHash\":\"sha256-X\"},"
        "{\"cUrl\":\"https://a/\",\"mUrl\":\"https://a/\",\"contentHash\":\"" HASH "\"},"
        "{\"cUrl\":\"https://a/\",\"mUrl\":\"https://a/llm/\",\"contentHash\":\"" HASH
        "\",\"modified\":\"soon\"}]}",
        ADIT_OK);
    eq_int(s.items, 1, "malformed entries are passed over");
    eq_int(s.bad, 7, "and told, a malformed time too");
    eq_int(s.later, 0, "all of draft 00");
    eq_str(adit_str_z(s.modified), ADIT_STR(""), "which counts as none");
    s = read_text(
        "{\"version\":1,\"sitemaps\":[{\"url\":\"https://a/1.json\",\"contentHash\":\"" HASH
        "\"},{\"url\":7}]}",
        ADIT_OK);
    eq_int(s.parts, 1, "an index");
    eq_int(s.bad, 1, "with a bad part");
    eq_int(read_text("{\"version\":3,\"items\":[]}", ADIT_OK).bad, 1, "another version is told");
    read_text("[]", ADIT_EBAD);
    read_text("{\"items\":{}}", ADIT_EBAD);
    read_text("{\"items\":[", ADIT_EEOF);
}

#define ITEM "{\"version\":%s,\"items\":[{\"cUrl\":\"https://a/\",\"mUrl\":\"https://a/m\"%s}]}"

/* What later drafts write, each in its own words. */
TEST(test_drafts)
{
    static const struct {
        const char *name, *version, *members;
        size_t items, bad, later;
        const char *modified;
    } rows[] = {
        {"00", "1", ",\"contentHash\":\"" HASH "\"", 1, 0, 0, ""},
        {"ours", "1", ",\"contentHash\":\"" HASH "\",\"etag\":\"" HASH "\"", 1, 0, 0, ""},
        {"01", "1", ",\"etag\":\"" HASH "\"", 1, 0, 1, ""},
        {"01, quoted", "1", ",\"etag\":\"\\\"" HASH "\\\"\"", 1, 0, 1, ""},
        {"no hash in version 1", "1", "", 0, 1, 0, ""},
        {"02", "2", ",\"etag\":\"" HASH "\",\"modified\":\"2026-01-01T00:00:00Z\"", 1, 0, 2,
         "2026-01-01T00:00:00Z"},
        {"03", "2", ",\"lastModified\":\"2026-01-01T00:00:00Z\"", 1, 0, 1, "2026-01-01T00:00:00Z"},
        {"a hash that is none", "2", ",\"etag\":\"x\"", 0, 1, 2, ""},
        {"a profile of its own", "1,\"profile\":\"https://x/draft-jurkovikj-collab-tunnel-04\"",
         ",\"contentHash\":\"" HASH "\"", 1, 0, 1, ""},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        char json[1000];
        snprintf(json, sizeof json, ITEM, rows[i].version, rows[i].members);
        struct seen s = read_text(json, ADIT_OK);
        eq_int(s.items, rows[i].items, rows[i].name);
        eq_int(s.bad, rows[i].bad, "what is told");
        eq_int(s.later, rows[i].later, "as a later draft");
        eq_str(adit_str_z(s.modified), adit_str_z(rows[i].modified), "its date");
    }
}

/* Without memory an entry is neither bad nor left out unseen: the reading ends. */
TEST(test_no_memory)
{
    static const struct adit_str json = ADIT_STR_INIT(
        "{\"version\":1,\"items\":[{\"cUrl\":\"https:\\/\\/a/%\",\"mUrl\":\"https:\\/\\/a/"
        "llm/%\",\"contentHash\":\"" HASH "\"}]}");
    bool done = false;
    for (long fail_at = 1; !done && fail_at < 100; fail_at++) {
        struct tap_failing f = {.fail_at = fail_at};
        struct seen s = {0};
        struct adit_tct_sitemap_handler h = {&s, on_item, on_part, on_bad, on_later};
        enum adit_code code =
            adit_tct_sitemap_read(json, (struct adit_mem){tap_failing_resize, &f}, &h, NULL);
        done = code == ADIT_OK;
        eq_int(code, done ? ADIT_OK : ADIT_ENOMEM, "an error for want of memory");
        eq_int(s.bad, 0, "no entry is called bad");
        eq_int(s.items, done ? 1 : 0, "all or none");
        eq_int(f.live, 0, "nothing leaks");
    }
    ok(done, "with enough of it all is well");
}

TEST(test_payload)
{
    struct adit_arena a;
    struct adit_tct_view v;
    struct adit_page page;
    struct adit_error err = {0};
    adit_arena_init(&a, tap_mem, 1 << 22);
    struct adit_str json = ADIT_STR(
        "{\"canonical_url\":\"https://a/\",\"content\":\"T\\n\\nOne\\nline.\\n\\n\\n\\n Two. \","
        "\"hash\":\"h\",\"title\":\"T\",\"author\":\"A\",\"published\":\"bad\",\"more\":1}");
    eq_int(adit_tct_payload_read(json, &a, &v, &err), ADIT_OK, "a payload");
    eq_int(adit_tct_page(&v, &a, &page), ADIT_OK, "as a page");
    eq_int(page.n_blocks, 3, "blocks");
    eq_int(page.blocks[0].type, ADIT_HEADING, "the title is a heading");
    eq_str(page.blocks[1].text, ADIT_STR("One\nline."), "a paragraph");
    eq_str(page.blocks[2].text, ADIT_STR("Two."), "trimmed");
    eq_str(page.language, ADIT_STR("und"), "no language");
    eq_str(page.published, ADIT_STR(""), "a time that is none");
    eq_str(page.author, ADIT_STR("A"), "the author");
    eq_int(adit_tct_payload_read(ADIT_STR("{\"title\":\"x\"}"), &a, &v, &err), ADIT_EBAD,
           "too little");
    eq_int(adit_tct_payload_read(ADIT_STR("{\"canonical_url\":\"https://a/\",\"content\":\"c\","
                                          "\"title\":\"x\"}"),
                                 &a, &v, &err),
           ADIT_OK, "without a hash");
    eq_str(v.hash, ADIT_STR(""), "which is empty then");
    eq_int(adit_tct_payload_read(ADIT_STR("{\"canonical_url\":\"https://a/\",\"content\":\"c\","
                                          "\"title\":\"x\",\"hash\":7}"),
                                 &a, &v, &err),
           ADIT_EBAD, "a hash that is a number");
    eq_int(adit_tct_payload_read(ADIT_STR("{\"title\":\"x\"}"), &a, &v, &err), ADIT_EBAD,
           "too little again");
    eq_str(adit_str_z(err.msg), ADIT_STR("canonical_url is missing or no string"), "is told");
    struct adit_buf many;
    adit_buf_init(&many, tap_mem, 1 << 20);
    for (int i = 0; i < 3000; i++) adit_buf_lit(&many, "x\n\n");
    v = (struct adit_tct_view){.title = ADIT_STR("T"), .content = adit_buf_str(&many)};
    adit_tct_page(&v, &a, &page);
    eq_int(page.n_blocks, ADIT_LIMIT_page_blocks, "never more blocks than allowed");
    adit_buf_free(&many);
    adit_arena_free(&a);
}

TEST(test_policy)
{
    struct adit_tct_policy p;
    eq_int(adit_tct_policy_read(
               ADIT_STR("{\"purposes\":{\"allow_ai_train\":false,\"allow_ai_input\":true,"
                        "\"allow_search_indexing\":0},\"rate_hints\":{\"max_requests_per_second\":"
                        "0.5,\"max_requests_per_day\":10000}}"),
               tap_mem, &p, NULL),
           ADIT_OK, "a policy");
    ok(p.forbids[ADIT_TCT_AI_TRAIN] && !p.forbids[ADIT_TCT_AI_INPUT] && !p.forbids[ADIT_TCT_SEARCH],
       "only false forbids");
    eq_int(p.interval_ms, 2000, "a rate");
    eq_int(p.per_day, 10000, "a number a day");
    static const struct {
        const char *rate;
        uint64_t ms;
    } rates[] = {{"null", 0}, {"\"5\"", 0}, {"10", 100},        {"3", 334},        {"0", 0},
                 {"1e3", 0},  {"-1", 0},    {"0.001", 1000000}, {"99999999999", 0}};
    for (size_t i = 0; i < ADIT_COUNT(rates); i++) {
        char text[200];
        snprintf(text, sizeof text, "{\"rate_hints\":{\"max_requests_per_second\":%s}}",
                 rates[i].rate);
        adit_tct_policy_read(adit_str_z(text), tap_mem, &p, NULL);
        eq_int(p.interval_ms, rates[i].ms, rates[i].rate);
    }
    eq_int(adit_tct_policy_read(ADIT_STR("[]"), tap_mem, &p, NULL), ADIT_EBAD, "no object");
}

RUN_TESTS(test_sitemap, test_drafts, test_no_memory, test_payload, test_policy)
