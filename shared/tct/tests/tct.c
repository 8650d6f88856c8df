/* The payload and its fingerprint, the sitemap, conditional requests, dates. */
#include "http/http.h"
#include "tct/tct.h"
#include "base/base.h"
#include "json/json.h"
#include "tests/tap.h"

#define S(lit) ADIT_STR(lit)

static struct adit_buf b;

static struct adit_block one_text[] = {{.type = ADIT_TEXT, .text = ADIT_STR_INIT("A \"line\"\n")}};

static const struct adit_page plain = {
    .url = ADIT_STR_INIT("https://example.com/post/"),
    .title = ADIT_STR_INIT("T"),
    .language = ADIT_STR_INIT("de"), /* from HTTP: not in the payload */
    .modified = ADIT_STR_INIT("2025-01-01T00:00:00Z"),
    .schema = ADIT_STR_INIT("{\"b\":1.50,\"a\":\"\\u00e9\",\"b\":2.50}"),
    .blocks = one_text,
    .n_blocks = 1,
};

/* The hash is SHA-256 of the payload without it; the canonicaliser, which shares no code with the
 * payload's writer, agrees on both. */
static void check_payload(const struct adit_page *page, bool schema, struct adit_str without_hash)
{
    uint8_t digest[ADIT_SHA256_LEN] = {0}, sha[ADIT_SHA256_LEN];
    struct adit_tct_options options = {.schema = schema, .digest = digest};
    char hash[ADIT_TCT_HASH], again[ADIT_TCT_HASH];
    adit_buf_clear(&b);
    adit_buf_lit(&b, "kept");
    eq_int(adit_tct_payload(page, &options, tap_mem, &b, hash), ADIT_OK, "payload");
    struct adit_str payload = adit_str_sub(adit_buf_str(&b), 4, b.len);
    struct adit_buf canon, bare;
    struct adit_json_rewrite how = adit_json_canonical;
    adit_buf_init(&canon, tap_mem, 1 << 16);
    adit_buf_init(&bare, tap_mem, 1 << 16);
    adit_json_rewrite(payload, &how, tap_mem, &canon, NULL);
    eq_str(payload, adit_buf_str(&canon), "is canonical");
    how.omit = S("hash");
    adit_json_rewrite(payload, &how, tap_mem, &bare, NULL);
    eq_str(adit_buf_str(&bare), without_hash, "members");
    adit_sha256_of(payload, sha);
    ok(memcmp(sha, digest, sizeof sha) == 0, "the hash of all its bytes");
    adit_sha256_of(without_hash, sha);
    adit_buf_clear(&canon);
    adit_sha256_text(&canon, "sha256-", sha);
    eq_str(adit_str_of(hash, sizeof hash), adit_buf_str(&canon), "fingerprint");
    struct adit_json_value v;
    static const struct adit_str key[] = {ADIT_STR_INIT("hash")};
    adit_json_pick(payload, key, 1, &v, NULL);
    eq_str(adit_json_inside(v), adit_str_of(hash, sizeof hash), "stands in it");
    eq_int(adit_tct_method_a(payload, tap_mem, again, NULL), ADIT_OK, "method A");
    ok(memcmp(hash, again, sizeof hash) == 0, "gives the same");
    adit_buf_free(&canon);
    adit_buf_free(&bare);
}

TEST(test_payload)
{
    adit_buf_init(&b, tap_mem, 1 << 20);
    check_payload(&plain, false,
                  S("{\"canonical_url\":\"https://example.com/post/\",\"content\":\"T\\n\\nA "
                    "\\\"line\\\"\\n\",\"profile\":\"tct-1\",\"title\":\"T\"}"));
    check_payload(
        &plain, true,
        S("{\"canonical_url\":\"https://example.com/post/\",\"content\":\"T\\n\\nA "
          "\\\"line\\\"\\n\",\"profile\":\"tct-1\",\"structured_data\":{\"a\":\"\xC3\xA9\","
          "\"b\":2.5},\"title\":\"T\"}"));
    struct adit_page full = plain;
    full.author = S("A. Author");
    full.published = S("2024-01-01T00:00:00Z");
    full.html_language = S("en");
    full.schema = S("[1e400]");
    check_payload(
        &full, true,
        S("{\"author\":\"A. Author\",\"canonical_url\":\"https://example.com/post/\","
          "\"content\":\"T\\n\\nA \\\"line\\\"\\n\",\"language\":\"en\",\"profile\":\"tct-1\","
          "\"published\":\"2024-01-01T00:00:00Z\",\"title\":\"T\"}"));
}

/* Values that an independent implementation computed. */
TEST(test_methods)
{
    char hash[ADIT_TCT_HASH];
    struct adit_error err = {0};
    eq_int(adit_tct_method_a(S(" {\"profile\":\"tct-1\",\"canonical_url\":\"https://example.com/"
                               "hello-world/\",\"hash\":\"x\","
                               "\"title\":\"Hello World\",\"content\":\"Hello World\"}\n"),
                             tap_mem, hash, &err),
           ADIT_OK, "method A");
    eq_str(adit_str_of(hash, sizeof hash),
           S("sha256-af976cac6d5c89428a724e456311081ddbf3bab73cc4de7c85119b185ffbdab8"),
           "Hello World");
    eq_int(adit_tct_method_a(S("[1]"), tap_mem, hash, &err), ADIT_EBAD, "needs an object");
    eq_int(adit_tct_method_a(S("{\"a\":1,\"a\":2}"), tap_mem, hash, &err), ADIT_EBAD,
           "no duplicates");
    eq_int(adit_tct_method_a(S(""), tap_mem, hash, &err), ADIT_EEOF, "nothing");
    static const struct {
        const char *text, *hash;
    } b_vectors[] = {
        {"Hello  World\n\t\nTesting",
         "sha256-479045cd11cebe841bab15d5ffba3dbac4fed0ca5c4eb74d1102e562a45f4f1f"},
        {"Test &amp; Unicode: caf\xC3\xA9\xE2\x80\x94",
         "sha256-f58639b586fac9cb70d4513c83a6b2954178a80f12f5c1069aad09d124ef7b24"},
        {"Hello\fWorld\fTest",
         "sha256-a869aef68aa3474f125dd9d5b731f6cc1495a6fbafa5de63f55bc79faf75d9f8"},
    };
    for (size_t i = 0; i < ADIT_COUNT(b_vectors); i++) {
        eq_int(adit_tct_method_b(adit_str_z(b_vectors[i].text), tap_mem, hash), ADIT_OK,
               "method B");
        eq_str(adit_str_of(hash, sizeof hash), adit_str_z(b_vectors[i].hash), b_vectors[i].text);
    }
    ok(adit_tct_is_hash(adit_str_of(hash, sizeof hash)), "is a fingerprint");
    ok(!adit_tct_is_hash(S("sha256-abc")), "too short");
    hash[70] = 'A';
    ok(!adit_tct_is_hash(adit_str_of(hash, sizeof hash)), "upper case");
    hash[70] = 'g';
    ok(!adit_tct_is_hash(adit_str_of(hash, sizeof hash)), "no digit");
}

static enum adit_code torture(struct adit_mem mem, void *ctx)
{
    struct adit_tct_options options = {.schema = true};
    char hash[ADIT_TCT_HASH];
    struct adit_buf out;
    adit_buf_init(&out, mem, 1 << 16);
    enum adit_code code = adit_tct_payload(ctx, &options, mem, &out, hash);
    adit_buf_free(&out);
    return code;
}

TEST(test_torture)
{
    tap_torture(torture, (void *)&plain, "a payload survives every failing allocation");
    struct adit_tct_options options = {0};
    char hash[ADIT_TCT_HASH];
    struct adit_buf out;
    adit_buf_clear(&b);
    adit_tct_payload(&plain, &options, tap_mem, &b, hash);
    adit_buf_init(&out, tap_mem, b.len);
    eq_int(adit_tct_payload(&plain, &options, tap_mem, &out, hash), ADIT_OK, "n bytes fit");
    adit_buf_free(&out);
    adit_buf_init(&out, tap_mem, b.len - 1);
    eq_int(adit_tct_payload(&plain, &options, tap_mem, &out, hash), ADIT_ELIMIT, "n + 1 do not");
    adit_buf_free(&out);
}

#define HEX "sha256-af976cac6d5c89428a724e456311081ddbf3bab73cc4de7c85119b185ffbdab8"

TEST(test_sitemap)
{
    struct adit_tct_sitemap s;
    struct adit_buf_sink sink;
    static const char hex[] = HEX;
    adit_buf_clear(&b);
    eq_int(adit_tct_sitemap_open(&s, ADIT_TCT_00, adit_buf_sink_init(&sink, &b), tap_mem), ADIT_OK,
           "open");
    const struct adit_tct_item home = {S("https://e.com/"), S("https://e.com/llm/"),
                                       S("2025-01-02T00:00:00Z"), adit_str_z(hex)};
    const struct adit_tct_item page = {S("https://e.com/a"), S("https://e.com/a/llm"),
                                       S("2025-01-01T23:00:00-05:00"), adit_str_z(hex)};
    eq_int(adit_tct_sitemap_item(&s, &home), ADIT_OK, "item");
    eq_int(adit_tct_sitemap_item(&s, &page), ADIT_OK, "item");
    eq_int(adit_tct_sitemap_close(&s), ADIT_OK, "close");
    eq_str(adit_buf_str(&b),
           S("{\"version\":1,\"profile\":\"tct-1\",\"rules\":\"" ADIT_RULES_VERSION
             "\",\"items\":[{\"cUrl\":\"https://"
             "e.com/\",\"mUrl\":\"https://e.com/llm/\","
             "\"modified\":\"2025-01-02T00:00:00Z\",\"contentHash\":\"" HEX "\",\"etag\":\"" HEX
             "\"},"
             "{\"cUrl\":\"https://e.com/a\",\"mUrl\":\"https://e.com/a/"
             "llm\",\"modified\":\"2025-01-01T23:00:00-05:00\",\"contentHash\":\"" HEX
             "\",\"etag\":\"" HEX "\"}]}"),
           "the file");
    uint8_t sha[ADIT_SHA256_LEN];
    char want[ADIT_TCT_HASH];
    struct adit_buf w = {.p = want, .cap = sizeof want, .max = sizeof want};
    adit_sha256_of(adit_buf_str(&b), sha);
    adit_sha256_text(&w, "sha256-", sha);
    ok(memcmp(want, s.hash, sizeof want) == 0, "its hash");
    adit_buf_clear(&b);
    struct adit_tct_part parts[] = {
        {S("https://e.com/llm-sitemap-0001.json"), s.n_items, s.modified, s.hash}};
    adit_tct_index(&b, ADIT_TCT_00, parts, 1);
    ok(adit_str_starts(
           adit_buf_str(&b),
           S("{\"version\":1,\"profile\":\"tct-1\",\"rules\":\"" ADIT_RULES_VERSION
             "\",\"sitemaps\":[{\"url\":\"https:/"
             "/e.com/llm-sitemap-0001.json\","
             "\"modified\":\"2025-01-02T04:00:00Z\",\"items\":2,\"contentHash\":\"sha256-")),
       "the index, with the latest date");
    struct adit_json_value v;
    eq_int(adit_json_check(adit_buf_str(&b), &v, NULL), ADIT_OK, "is JSON");
    adit_tct_sitemap_free(&s);
    adit_buf_clear(&b);
    adit_tct_sitemap_open(&s, ADIT_TCT_00, adit_buf_sink_init(&sink, &b), tap_mem);
    adit_tct_sitemap_close(&s);
    eq_str(adit_buf_str(&b),
           S("{\"version\":1,\"profile\":\"tct-1\",\"rules\":\"" ADIT_RULES_VERSION
             "\",\"items\":[]}"),
           "an empty one");
    adit_tct_sitemap_free(&s);
}

#define URI_03 "https://www.ietf.org/archive/id/draft-jurkovikj-collab-tunnel-03.html"

/* Draft 03: no `hash`, the fingerprint of all bytes, another profile; 01 has draft 00's payload. */
TEST(test_profiles)
{
    struct adit_block text = {.type = ADIT_TEXT, .text = S("Words.")};
    const struct adit_page page = {.url = S("https://e.com/"),
                                   .title = S("T"),
                                   .author = S("A"),
                                   .html_language = S("en"),
                                   .blocks = &text,
                                   .n_blocks = 1};
    char first[ADIT_TCT_HASH], second[ADIT_TCT_HASH], bytes[ADIT_TCT_HASH];
    struct adit_tct_options options = {.profile = ADIT_TCT_00};
    adit_buf_clear(&b);
    adit_tct_payload(&page, &options, tap_mem, &b, first);
    options.profile = ADIT_TCT_01;
    adit_buf_clear(&b);
    adit_tct_payload(&page, &options, tap_mem, &b, second);
    ok(memcmp(first, second, sizeof first) == 0, "01: the payload of 00");
    options.profile = ADIT_TCT_03;
    adit_buf_clear(&b);
    adit_tct_payload(&page, &options, tap_mem, &b, first);
    eq_str(adit_buf_str(&b),
           S("{\"canonical_url\":\"https://e.com/\",\"content\":\"T\\n\\nWords.\","
             "\"content_media_type\":\"text/plain\",\"language\":\"en\",\"profile\":\"" URI_03
             "#tct-m-url-profile\",\"title\":\"T\"}"),
           "03: the payload");
    adit_tct_bytes_hash(adit_buf_str(&b), bytes);
    ok(memcmp(first, bytes, sizeof first) == 0, "03: the hash of its bytes");
    struct adit_tct_sitemap s;
    struct adit_buf_sink sink;
    adit_buf_clear(&b);
    adit_tct_sitemap_open(&s, ADIT_TCT_03, adit_buf_sink_init(&sink, &b), tap_mem);
    const struct adit_tct_item item = {S("https://e.com/"), S("https://e.com/llm/"),
                                       S("2025-01-02T00:00:00Z"), S(HEX)};
    adit_tct_sitemap_item(&s, &item);
    adit_tct_sitemap_close(&s);
    eq_str(adit_buf_str(&b),
           S("{\"version\":2,\"profile\":\"" URI_03
             "#tct-m-sitemap-profile\",\"rules\":\"" ADIT_RULES_VERSION
             "\",\"items\":[{\"cUrl\":\"https://e.com/\",\"mUrl\":\"https://e.com/llm/\","
             "\"lastModified\":\"2025-01-02T00:00:00Z\",\"contentHash\":\"" HEX "\",\"etag\":\"" HEX
             "\"}]}"),
           "03: the sitemap");
    adit_tct_sitemap_free(&s);
    adit_buf_clear(&b);
    struct adit_tct_part part = {S("https://e.com/1.json"), 1, {0, 0}, HEX};
    adit_tct_index(&b, ADIT_TCT_03, &part, 1);
    ok(adit_str_starts(adit_buf_str(&b), S("{\"version\":1,\"profile\":\"" URI_03
                                           "#tct-m-sitemap-index-profile\",\"rules\":\"")),
       "03: the index");
}

TEST(test_if_none_match)
{
    static const char *const yes[] = {"*",
                                      " * ",
                                      "\"sha256-current\"",
                                      "W/\"sha256-current\"",
                                      "\"other\", W/\"sha256-current\"",
                                      "\"other,tag\", \"sha256-current\"",
                                      "\"sha256-current\" \t",
                                      ",, \"sha256-current\",,",
                                      "\"a\"\t,\t\"sha256-current\",\"b\"",
                                      "\"a\",\"sha256-current\""};
    static const char *const no[] = {"",
                                     " ",
                                     ",",
                                     "\"different\"",
                                     "sha256-current",
                                     "\"unterminated",
                                     "w/\"sha256-current\"",
                                     "\"sha256-current",
                                     "\"SHA256-CURRENT\"",
                                     "*, \"x\"",
                                     "\"x\" \"sha256-current\"",
                                     "W/",
                                     "W/ \"sha256-current\"",
                                     "\"a, \"sha256-current\"",
                                     "\"sha256-current\" x",
                                     "x, \"sha256-current\""};
    struct adit_str etag = S("\"sha256-current\"");
    for (size_t i = 0; i < ADIT_COUNT(yes); i++)
        ok(adit_if_none_match(adit_str_z(yes[i]), etag), yes[i]);
    for (size_t i = 0; i < ADIT_COUNT(no); i++)
        ok(!adit_if_none_match(adit_str_z(no[i]), etag), no[i]);
    ok(adit_if_none_match(S("\"x\""), S("W/\"x\"")), "ours may be weak");
    ok(!adit_if_none_match(S("*"), S("")), "no tag, no match");
    ok(adit_if_match(S("*"), S("\"x\"")) && adit_if_match(S("\"a,b\" , \"x\""), S("\"x\"")),
       "If-Match: anything, lists");
    ok(!adit_if_match(S("W/\"x\""), S("\"x\"")) && !adit_if_match(S("\"x\""), S("W/\"x\"")),
       "If-Match: weak tags are not the same");
    ok(!adit_if_match(S("\"y\""), S("\"x\"")) && !adit_if_match(S(""), S("\"x\"")) &&
           !adit_if_match(S("x"), S("\"x\"")) && !adit_if_match(S("\"x\" y"), S("\"x\"")),
       "If-Match: others, none, what is no list");
    ok(!adit_if_match(S("*"), S("")), "If-Match: no tag, no match");
    ok(adit_if_range(S(" \"x\" "), S("\"x\"")), "If-Range: the same");
    ok(!adit_if_range(S("W/\"x\""), S("\"x\"")) && !adit_if_range(S("\"x\""), S("W/\"x\"")),
       "weak tags do not count");
    ok(!adit_if_range(S("\"y\""), S("\"x\"")) && !adit_if_range(S("*"), S("\"x\"")),
       "others neither");
    ok(!adit_if_range(S("Sun, 06 Nov 1994 08:49:37 GMT"), S("\"x\"")), "nor dates");
    ok(!adit_if_range(S("\"x\", \"x\""), S("\"x\"")), "nor lists");
}

static const struct {
    const char *value;
    uint64_t size;
    enum adit_range_answer answer;
    uint64_t first, last;
} ranges[] = {
    {"bytes=0-99", 1000, ADIT_RANGE_ONE, 0, 99},
    {"bytes=0-", 1000, ADIT_RANGE_ONE, 0, 999},
    {"Bytes=10-20", 1000, ADIT_RANGE_ONE, 10, 20},
    {" bytes= 10-20 ", 1000, ADIT_RANGE_ONE, 10, 20},
    {"bytes=999-", 1000, ADIT_RANGE_ONE, 999, 999},
    {"bytes=998-999", 1000, ADIT_RANGE_ONE, 998, 999},
    {"bytes=998-1000", 1000, ADIT_RANGE_ONE, 998, 999},
    {"bytes=0-99999999999999999999999", 1000, ADIT_RANGE_ONE, 0, 999},
    {"bytes=-1", 1000, ADIT_RANGE_ONE, 999, 999},
    {"bytes=-1000", 1000, ADIT_RANGE_ONE, 0, 999},
    {"bytes=-5000", 1000, ADIT_RANGE_ONE, 0, 999},
    {"bytes=1000-", 1000, ADIT_RANGE_BEYOND, 0, 0},
    {"bytes=1000-2000", 1000, ADIT_RANGE_BEYOND, 0, 0},
    {"bytes=99999999999999999999999-", 1000, ADIT_RANGE_BEYOND, 0, 0},
    {"bytes=-0", 1000, ADIT_RANGE_BEYOND, 0, 0},
    {"bytes=0-", 0, ADIT_RANGE_BEYOND, 0, 0},
    {"bytes=-5", 0, ADIT_RANGE_BEYOND, 0, 0},
    {"bytes=5-4", 1000, ADIT_RANGE_NONE, 0, 0},
    {"bytes=-", 1000, ADIT_RANGE_NONE, 0, 0},
    {"bytes=", 1000, ADIT_RANGE_NONE, 0, 0},
    {"bytes=5", 1000, ADIT_RANGE_NONE, 0, 0},
    {"bytes=0-1,5-6", 1000, ADIT_RANGE_NONE, 0, 0},
    {"bytes=a-b", 1000, ADIT_RANGE_NONE, 0, 0},
    {"bytes=1-2-3", 1000, ADIT_RANGE_NONE, 0, 0},
    {"bytes=+1-2", 1000, ADIT_RANGE_NONE, 0, 0},
    {"lines=0-1", 1000, ADIT_RANGE_NONE, 0, 0},
    {"", 1000, ADIT_RANGE_NONE, 0, 0},
};

TEST(test_range)
{
    for (size_t i = 0; i < ADIT_COUNT(ranges); i++) {
        struct adit_range r = {0};
        enum adit_range_answer a =
            adit_range_parse(adit_str_z(ranges[i].value), ranges[i].size, &r);
        ok(a == ranges[i].answer && r.first == ranges[i].first && r.last == ranges[i].last,
           ranges[i].value);
    }
}

TEST(test_dates)
{
    static const char *const same[] = {"Sun, 06 Nov 1994 08:49:37 GMT",
                                       "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
                                       " Sun, 06 Nov 1994 08:49:37 GMT "};
    int64_t t = 0;
    for (size_t i = 0; i < ADIT_COUNT(same); i++)
        ok(adit_http_date_parse(adit_str_z(same[i]), &t) && t == 784111777, same[i]);
    static const char *const bad[] = {"",
                                      "Sun, 06 Nov 1994 08:49:37",
                                      "Sun, 06 Nov 1994 08:49:37 UTC",
                                      "Sun, 6 Nov 1994 08:49:37 GMT",
                                      "Sun, 31 Feb 1994 08:49:37 GMT",
                                      "Sun, 00 Nov 1994 08:49:37 GMT",
                                      "Sun, 06 Nov 1994 24:00:00 GMT",
                                      "Sun, 06 Nov 1994 08:60:37 GMT",
                                      "sun, 06 Nov 1994 08:49:37 GMT",
                                      "Sun, 06 nov 1994 08:49:37 GMT",
                                      "Sun, 06 Nov 1994 08:49:37 GMTx",
                                      "784111777",
                                      "1994-11-06T08:49:37Z",
                                      "Sun, 06 Nov 94 08:49:37 GMT"};
    for (size_t i = 0; i < ADIT_COUNT(bad); i++)
        ok(!adit_http_date_parse(adit_str_z(bad[i]), &t), bad[i]);
    ok(adit_http_date_parse(S("Tuesday, 19-Jan-38 03:14:08 GMT"), &t) && t == 2147483648,
       "two digits: 2038");
    ok(adit_http_date_parse(S("Thursday, 01-Jan-70 00:00:00 GMT"), &t) && t == 0,
       "two digits: 1970");
    ok(adit_http_date_parse(S("Wed Nov 16 08:49:37 2026"), &t) && t == 1794818977,
       "asctime, two digits of a day");
    adit_buf_clear(&b);
    adit_http_date(&b, 784111777);
    eq_str(adit_buf_str(&b), S("Sun, 06 Nov 1994 08:49:37 GMT"), "written");
    bool back = true;
    for (int64_t s = -86400 * 365; s < (int64_t)86400 * 365 * 200; s += 86400 * 9 + 3601) {
        adit_buf_clear(&b);
        adit_http_date(&b, s);
        back = back && b.len == 29 && adit_http_date_parse(adit_buf_str(&b), &t) && t == s;
    }
    ok(back, "two centuries come back");
}

TEST(test_digest)
{
    adit_buf_clear(&b);
    uint8_t sha[ADIT_SHA256_LEN];
    adit_sha256_of(
        S("{\"canonical_url\":\"https://example.com/post/"
          "\",\"content\":\"Hello\",\"profile\":\"https://www.ietf.org/archive/id/"
          "draft-jurkovikj-collab-tunnel-03.html#tct-m-url-profile\",\"title\":\"Example\"}"),
        sha);
    adit_content_digest(&b, sha);
    eq_str(adit_buf_str(&b), S("sha-256=:1aVKbiou4PC4RZLU1sn1NhrupB5MsjVQ9IBOPqKeqiw=:"),
           "Content-Digest");
    adit_buf_free(&b);
}

RUN_TESTS(test_payload, test_methods, test_torture, test_sitemap, test_profiles, test_if_none_match,
          test_range, test_dates, test_digest)
