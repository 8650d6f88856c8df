/* The configuration: what is read, and what is refused with the key's path. */
#include "exchange/config_impl.h"

#include "tests/tap.h"

static enum adit_code parse(const char *json, struct adit_config *c, struct adit_buf *why)
{
    adit_buf_init(why, tap_mem, 4096);
    return adit_config_parse(c, adit_str_z(json), tap_mem, why);
}

TEST(test_defaults)
{
    struct adit_config c;
    struct adit_buf why;
    eq_int(parse("{}", &c, &why), ADIT_OK, "an empty document gives the defaults");
    eq_str(c.origin, ADIT_STR(""), "origin has none");
    eq_str(c.suffix, ADIT_STR("llm"), "suffix");
    eq_int(c.query, ADIT_QUERY_REFUSE, "query");
    eq_int(c.exclude.n, 7, "exclude");
    eq_str(c.exclude.v[6], ADIT_STR("/[0-9][0-9][0-9][0-9]/[0-9][0-9]/"), "its last pattern");
    eq_int(c.homepage, ADIT_HOME_CONVERT, "homepage");
    eq_int(c.max_page_bytes, 8388608, "max_page_bytes");
    ok(!c.payload_schema && c.markdown && c.content_digest && c.require_https, "switches");
    eq_str(c.cache_control,
           ADIT_STR("max-age=0, must-revalidate, stale-while-revalidate=60, stale-if-error=86400"),
           "cache_control");
    eq_str(c.sitemap_path, ADIT_STR("/llm-sitemap.json"), "sitemap.path");
    eq_int(c.sitemap_max_items, 50000, "sitemap.max_items");
    eq_int(c.policy.len, 0, "policy");
    eq_str(c.scp_manifest, ADIT_STR("/collections/scp-manifest.json"), "scp.manifest");
    eq_int(c.scp_refresh_s, 300, "scp.refresh_s");
    eq_str(c.upstream_cluster, ADIT_STR("origin"), "upstream.cluster");
    eq_int(c.timeout_ms, 5000, "upstream.timeout_ms");
    eq_int(c.mode, ADIT_MODE_SUBREQUEST, "mode");
    eq_int(c.limit_pages, 64, "limits.pages");
    eq_int(c.limit_memory, 100663296, "limits.memory");
    eq_int(c.sections.n + c.update_freq.n + c.hosts.n + c.legacy_suffixes.n, 0, "empty lists");
    adit_config_free(&c);
    adit_buf_free(&why);
}

static const char full[] =
    "{\"origin\":\"https://example.com\",\"hosts\":[\"www.example.com\"],\"suffix\":\"ai\","
    "\"legacy_suffixes\":[\"llm\",\"old\"],\"query\":\"keep\",\"exclude\":[\"/x/*\"],"
    "\"homepage\":\"overview\",\"overview\":{\"title\":\"T\\u00e4\",\"content\":\"C\"},"
    "\"max_page_bytes\":1000,\"payload_schema\":true,\"markdown\":false,\"content_digest\":false,"
    "\"require_https\":false,\"cache_control\":\"no-cache\","
    "\"sitemap\":{\"path\":\"/s.json\",\"max_items\":10},"
    "\"policy\":{\"version\":1,\"profile\":\"tct-policy-1\",\"purposes\":{\"allow_ai_train\":false}"
    ","
    "\"rate_hints\":{\"max_requests_per_second\":null,\"note\":\"n\"}},"
    "\"scp\":{\"manifest\":\"/m.json\",\"refresh_s\":5},"
    "\"upstream\":{\"cluster\":\"c\",\"authority\":\"o.example:8080\",\"timeout_ms\":100,"
    "\"accept_language\":\"en\"},\"mode\":\"inline\","
    "\"sections\":{\"blog\":\"/blog/\",\"news\":\"/news/\"},\"update_freq\":{\"all\":\"weekly\"},"
    "\"limits\":{\"pages\":3,\"memory\":16777216}}";

TEST(test_full)
{
    struct adit_config c;
    struct adit_buf why;
    if (!eq_int(parse(full, &c, &why), ADIT_OK, "every key")) tap_show("why", adit_buf_str(&why));
    eq_str(c.origin, ADIT_STR("https://example.com"), "origin");
    eq_str(c.hosts.v[0], ADIT_STR("www.example.com"), "hosts");
    eq_int(c.legacy_suffixes.n, 2, "legacy_suffixes");
    eq_int(c.query, ADIT_QUERY_KEEP, "query");
    eq_int(c.exclude.n, 1, "exclude replaces the default");
    eq_int(c.homepage, ADIT_HOME_OVERVIEW, "homepage");
    eq_str(c.overview_title, ADIT_STR("T\xc3\xa4"), "escapes are decoded");
    eq_int(c.max_page_bytes, 1000, "max_page_bytes");
    ok(c.payload_schema && !c.markdown && !c.content_digest && !c.require_https, "switches");
    eq_str(c.sitemap_path, ADIT_STR("/s.json"), "sitemap.path");
    eq_str(c.policy,
           ADIT_STR("{\"profile\":\"tct-policy-1\",\"purposes\":{\"allow_ai_train\":false},\"rate_"
                    "hints\":{\"max_requests_per_second\":null,\"note\":\"n\"},\"version\":1}"),
           "the policy in canonical form");
    eq_str(c.upstream_authority, ADIT_STR("o.example:8080"), "upstream.authority");
    eq_int(c.mode, ADIT_MODE_INLINE, "mode");
    eq_str(c.sections.v[1].name, ADIT_STR("news"), "sections keep their order");
    eq_str(c.sections.v[1].value, ADIT_STR("/news/"), "and their prefixes");
    eq_str(c.update_freq.v[0].value, ADIT_STR("weekly"), "update_freq");
    eq_int(c.limit_pages, 3, "limits.pages");
    eq_int(c.limit_memory, 16777216, "limits.memory, the least that it may be");
    adit_config_free(&c);
    adit_buf_free(&why);
    parse("{\"markdown\":{\"negotiate\":false,\"agents\":[\"*Bot*\"]}}", &c, &why);
    ok(c.markdown && !c.negotiate && c.agents.n == 1, "markdown as an object");
    adit_config_free(&c);
    adit_buf_free(&why);
}

/* The example that is shipped has every key, and says of none but the site's own anything else than
 * the default. */
TEST(test_example)
{
    struct adit_config c, d;
    struct adit_buf why, none;
    struct adit_str json = tap_read("shared/exchange/adit.json");
    adit_buf_init(&why, tap_mem, 4096);
    eq_int(adit_config_parse(&c, json, tap_mem, &why), ADIT_OK, "the example is valid");
    parse("{}", &d, &none);
    eq_int(c.exclude.n, d.exclude.n, "exclude");
    for (size_t i = 0; i < d.exclude.n; i++) eq_str(c.exclude.v[i], d.exclude.v[i], "a pattern");
    eq_str(c.suffix, d.suffix, "suffix");
    eq_str(c.cache_control, d.cache_control, "cache_control");
    eq_str(c.sitemap_path, d.sitemap_path, "sitemap.path");
    eq_str(c.scp_manifest, d.scp_manifest, "scp.manifest");
    eq_str(c.upstream_cluster, d.upstream_cluster, "upstream.cluster");
    eq_int(c.max_page_bytes, (long long)d.max_page_bytes, "max_page_bytes");
    eq_int(c.timeout_ms, (long long)d.timeout_ms, "upstream.timeout_ms");
    eq_int(c.scp_refresh_s, (long long)d.scp_refresh_s, "scp.refresh_s");
    eq_int(c.sitemap_max_items, (long long)d.sitemap_max_items, "sitemap.max_items");
    eq_int(c.limit_pages, (long long)d.limit_pages, "limits.pages");
    eq_int(c.limit_memory, (long long)d.limit_memory, "limits.memory");
    ok(c.query == d.query && c.homepage == d.homepage && c.mode == d.mode, "choices");
    ok(c.negotiate == d.negotiate && c.markdown_noindex == d.markdown_noindex &&
           c.tokens == d.tokens && c.robots == d.robots && c.content_signal.len == 0 &&
           c.agents.n == d.agents.n,
       "markdown");
    ok(c.markdown == d.markdown && c.content_digest == d.content_digest &&
           c.require_https == d.require_https && c.payload_schema == d.payload_schema,
       "switches");
    adit_config_free(&c);
    adit_config_free(&d);
    adit_buf_free(&why);
    adit_buf_free(&none);
    free((void *)(uintptr_t)json.p);
}

TEST(test_refused)
{
    static const struct {
        const char *json, *why;
    } rows[] = {
        {"", "not valid JSON at byte 0, in line 1: "},
        {"{\"a\":}", "not valid JSON at byte 5, in line 1: "},
        {"[]", "configuration: must be an object"},
        {"{\"a\":1}", "a: is no known key"},
        {"{\"scp\":{\"a\":1}}", "scp.a: is no known key"},
        {"{\"scp\":1}", "scp: must be an object"},
        {"{\"limits\":64}", "limits: must be an object"},
        {"{\"limits\":{\"pages\":0}}", "limits.pages: "},
        {"{\"limits\":{\"memory\":16777215}}", "limits.memory: "},
        {"{\"limits\":{\"memory\":\"1G\"}}", "limits.memory: "},
        {"{\"suffix\":1}", "suffix: must be a string"},
        {"{\"suffix\":\"a/b\"}", "suffix: must be a path segment"},
        {"{\"suffix\":\"\"}", "suffix: must be a path segment"},
        {"{\"suffix\":\"..\"}", "suffix: must be a path segment"},
        {"{\"suffix\":\"a\",\"suffix\":\"b\"}", "suffix: is given twice"},
        {"{\"origin\":\"example.com\"}", "origin: must be http:// or https://"},
        {"{\"origin\":\"https://example.com/a\"}", "origin: must be http:// or https://"},
        {"{\"origin\":\"https://\"}", "origin: must be http:// or https://"},
        {"{\"origin\":\"https://a b\"}", "origin: must be http:// or https://"},
        {"{\"origin\":\"https://u@h\"}", "origin: must be http:// or https://"},
        {"{\"hosts\":\"a\"}", "hosts: must be a list of strings"},
        {"{\"hosts\":[\"a\",2]}", "hosts[1]: must be a string"},
        {"{\"hosts\":[\"a:80\"]}", "hosts[0]: must be a host name"},
        {"{\"exclude\":[\"x\"]}", "exclude[0]: must be a pattern"},
        {"{\"exclude\":[\"/a\",\"/[\"]}", "exclude[1]: has a '[' without its ']'"},
        {"{\"query\":\"drop\"}", "query: must be refuse or keep"},
        {"{\"homepage\":true}", "homepage: must be convert, overview or omit"},
        {"{\"homepage\":\"overview\"}", "overview: needs title and content"},
        {"{\"max_page_bytes\":0}", "max_page_bytes: must be a whole number from 1 to 8388608"},
        {"{\"max_page_bytes\":8388609}", "max_page_bytes: must be a whole number"},
        {"{\"max_page_bytes\":1.5}", "max_page_bytes: must be a whole number"},
        {"{\"max_page_bytes\":\"1\"}", "max_page_bytes: must be a whole number"},
        {"{\"signals\":true}", "signals: must be an object"},
        {"{\"signals\":{\"content_signal\":\"a\\nb\"}}",
         "signals.content_signal: must be printable"},
        {"{\"signals\":{\"license\":\"a b\"}}", "signals.license: must be a URL"},
        {"{\"signals\":{\"license\":\"/a>\"}}", "signals.license: has a character that must be"},
        {"{\"robots\":\"yes\"}", "robots: must be true or false"},
        {"{\"markdown\":1}", "markdown: must be true, false or an object"},
        {"{\"markdown\":{\"twin\":1}}", "markdown.twin: must be true or false"},
        {"{\"markdown\":{\"agents\":\"a\"}}", "markdown.agents: must be a list"},
        {"{\"markdown\":{\"agents\":[\"\"]}}", "markdown.agents[0]: must be a pattern"},
        {"{\"markdown\":true,\"markdown\":false}", "markdown.twin: is given twice"},
        {"{\"cache_control\":\"a\\nb\"}", "cache_control: must be printable"},
        {"{\"cache_control\":\"\"}", "cache_control: must be printable and not empty"},
        {"{\"sitemap\":{\"path\":\"a\"}}", "sitemap.path: must be a path"},
        {"{\"sitemap\":{\"path\":\"/a?b\"}}", "sitemap.path: has a character that must be"},
        {"{\"sitemap\":{\"max_items\":50001}}", "sitemap.max_items: must be a whole number"},
        {"{\"policy\":[]}", "policy: must be an object"},
        {"{\"policy\":{\"purposes\":{\"allow_ai_train\":\"no\"}}}",
         "policy.purposes.allow_ai_train: must be true or false"},
        {"{\"policy\":{\"purposes\":1}}", "policy.purposes: must be an object"},
        {"{\"policy\":{\"profile\":1}}", "policy.profile: must be a string"},
        {"{\"scp\":{\"refresh_s\":0}}", "scp.refresh_s: must be a whole number"},
        {"{\"upstream\":{\"authority\":\"a/b\"}}", "upstream.authority: must be empty or a host"},
        {"{\"mode\":\"both\"}", "mode: must be subrequest or inline"},
        {"{\"sections\":{\"blog\":\"blog\"}}",
         "sections.blog: must be a path that begins with '/'"},
        {"{\"sections\":{\"a/b\":\"/\"}}", "sections.a/b: is no section name"},
        {"{\"sections\":{\"a\":\"/\",\"a\":\"/\"}}", "sections.a: is given twice"},
        {"{\"sections\":{\"a\":1}}", "sections.a: must be a string"},
        {"{\"update_freq\":{\"all\":\"often\"}}", "update_freq.all: must be hourly, daily"},
        {"{\"legacy_suffixes\":[\"llm\"]}", "legacy_suffixes: holds the suffix itself"},
        {"// comment", "not valid JSON at byte 0, in line 1: "},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_config c;
        struct adit_buf why;
        enum adit_code code = parse(rows[i].json, &c, &why);
        if (!ok(code == ADIT_EBAD && adit_str_starts(adit_buf_str(&why), adit_str_z(rows[i].why)),
                rows[i].json[0] ? rows[i].json : "nothing"))
            tap_show("got", adit_buf_str(&why));
        adit_config_free(&c);
        adit_buf_free(&why);
    }
}

TEST(test_line)
{
    struct adit_config c;
    struct adit_buf why;
    eq_int(parse("{\n\"a\": 1,\n}", &c, &why), ADIT_EBAD, "a comma before the end");
    eq_str(adit_buf_str(&why), ADIT_STR("not valid JSON at byte 10, in line 3: key expected"),
           "is told with its line");
    adit_config_free(&c);
    adit_buf_free(&why);
}

/* All faults at once, and the nearest key. */
TEST(test_check)
{
    static const struct {
        const char *json, *why;
    } rows[] = {
        {"{\"exlude\":[],\"sufix\":\"a\",\"query\":1,\"scp\":{\"manifes\":\"/a\"},\"limits\":{"
         "\"pages\":0}}",
         "exlude: is no known key; is it exclude?\nsufix: is no known key; is it suffix?\n"
         "query: must be refuse or keep\nscp.manifes: is no known key; is it scp.manifest?\n"
         "limits.pages: must be a whole number from 1 to 100000"},
        {"{\"Markdwn\":true}", "Markdwn: is no known key; is it markdown?"},
        {"{\"completely_other\":1}", "completely_other: is no known key"},
        {"{\"homepage\":\"overview\",\"x\":1}",
         "x: is no known key\noverview: needs title and content, as homepage is overview"},
        {"{\"suffix\":\"\",\"hosts\":[1,2]}",
         "suffix: must be a path segment of letters, digits, '-', '_' and '~', at most 64\n"
         "hosts[0]: must be a string"},
        {"{}", ""},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_buf why;
        adit_buf_init(&why, tap_mem, 64 << 10);
        enum adit_code code = adit_config_check(adit_str_z(rows[i].json), tap_mem, &why);
        eq_int(code, rows[i].why[0] ? ADIT_EBAD : ADIT_OK, rows[i].json);
        eq_str(adit_buf_str(&why), adit_str_z(rows[i].why), rows[i].json);
        adit_buf_free(&why);
    }
}

/* What is printed gives the same configuration again; the schema's file and the operators' document
 * know every key. */
TEST(test_described)
{
    struct adit_config c, again;
    struct adit_buf why, one, two, schema;
    adit_buf_init(&one, tap_mem, 1 << 20);
    adit_buf_init(&two, tap_mem, 1 << 20);
    adit_buf_init(&schema, tap_mem, 1 << 20);
    parse(full, &c, &why);
    adit_config_print(&c, &one);
    adit_buf_free(&why);
    adit_buf_init(&why, tap_mem, 4096);
    eq_int(adit_config_parse(&again, adit_buf_str(&one), tap_mem, &why), ADIT_OK,
           "it is read again");
    adit_config_print(&again, &two);
    eq_str(adit_buf_str(&two), adit_buf_str(&one), "and says the same");
    adit_config_free(&c);
    adit_config_free(&again);
    adit_buf_free(&why);
    parse("{}", &c, &why);
    adit_config_schema(&c, &schema);
    adit_buf_byte(&schema, '\n');
    struct adit_str file = tap_read("shared/exchange/adit.schema.json");
    if (!eq_str(adit_buf_str(&schema), file, "adit.schema.json is current") &&
        getenv("ADIT_UPDATE")) {
        FILE *f = fopen("shared/exchange/adit.schema.json", "wb");
        if (f) fwrite(schema.p, 1, schema.len, f), fclose(f);
    }
    struct adit_str doc = tap_read("edge/CONFIGURATION.md");
    for (size_t i = 0; i < ADIT_CONFIG_ROWS; i++) {
        char cell[80];
        snprintf(cell, sizeof cell, "`%s`", adit_config_rows[i].key);
        ok(adit_str_find(doc, adit_str_z(cell), 0) < doc.len, cell);
    }
    free((void *)(uintptr_t)file.p);
    free((void *)(uintptr_t)doc.p);
    adit_config_free(&c);
    adit_buf_free(&why);
    adit_buf_free(&one);
    adit_buf_free(&two);
    adit_buf_free(&schema);
}

TEST(test_limits)
{
    struct adit_config c;
    struct adit_buf why, json;
    adit_buf_init(&json, tap_mem, 4u << 20);
    adit_buf_init(&why, tap_mem, 4096);
    for (int extra = -1; extra <= 1; extra++) {
        adit_buf_clear(&json);
        adit_buf_lit(&json, "{}");
        while (json.len < (size_t)(ADIT_LIMIT_config_bytes + extra)) adit_buf_byte(&json, ' ');
        eq_int(adit_config_parse(&c, adit_buf_str(&json), tap_mem, &why),
               extra > 0 ? ADIT_EBAD : ADIT_OK, "size of the document");
        adit_config_free(&c);
    }
    for (int n = 999; n <= 1001; n++) {
        adit_buf_clear(&json);
        adit_buf_lit(&json, "{\"exclude\":[");
        for (int i = 0; i < n; i++) adit_buf_lit(&json, i ? ",\"/a\"" : "\"/a\"");
        adit_buf_lit(&json, "]}");
        eq_int(adit_config_parse(&c, adit_buf_str(&json), tap_mem, &why),
               n > 1000 ? ADIT_EBAD : ADIT_OK, "entries of a list");
        adit_config_free(&c);
    }
    adit_buf_free(&json);
    adit_buf_free(&why);
}

static enum adit_code torture(struct adit_mem mem, void *ctx)
{
    struct adit_config c;
    struct adit_buf why;
    adit_buf_init(&why, mem, 4096);
    enum adit_code code = adit_config_parse(&c, adit_str_z(ctx), mem, &why);
    if (code == ADIT_OK && !adit_config_set_origin(&c, ADIT_STR("https://b.example")))
        code = ADIT_ENOMEM;
    adit_config_free(&c);
    adit_buf_free(&why);
    return code;
}

TEST(test_torture) { tap_torture(torture, (void *)(uintptr_t)full, "every allocation failing"); }

RUN_TESTS(test_defaults, test_full, test_example, test_refused, test_line, test_check,
          test_described, test_limits, test_torture)
