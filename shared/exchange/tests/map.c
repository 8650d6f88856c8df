/* Globs and the URL mapping. */
#include "exchange/exchange.h"
#include "format/format.h"
#include "text/text.h"

#include "tests/tap.h"

TEST(test_glob)
{
    static const struct {
        const char *pattern, *text;
        bool hit;
    } rows[] = {
        {"/tag/*", "/tag/", true},
        {"/tag/*", "/tag/a/b/", true},
        {"/tag/*", "/tags/", false},
        {"*", "", true},
        {"", "", true},
        {"", "a", false},
        {"/a?c", "/abc", true},
        {"/a?c", "/ac", false},
        {"/[0-9][0-9]/", "/07/", true},
        {"/[0-9][0-9]/", "/7/", false},
        {"/[!0-9]/", "/a/", true},
        {"/[!0-9]/", "/5/", false},
        {"/[]x]/", "/]/", true},
        {"/[a-]/", "/-/", true},
        {"/*/b*c", "/x/y/bbc", true},
        {"/*.html", "/a.html", true},
        {"/*.html", "/a.htm", false},
        {"a*b*c*d", "a-b-c-c-d", true},
        {"/[", "/[", true}, /* not valid, but harmless */
        {"/search*", "/search", true},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++)
        eq_int(adit_glob(adit_str_z(rows[i].pattern), adit_str_z(rows[i].text)), rows[i].hit,
               rows[i].pattern);
    ok(adit_glob_valid(ADIT_STR("/[a-z]*[!x]")), "classes are closed");
    ok(!adit_glob_valid(ADIT_STR("/[a-z")), "an open class is not valid");

    static char text[20000], pattern[400];
    memset(text, 'a', sizeof text);
    for (size_t i = 0; i < sizeof pattern; i += 2) pattern[i] = '*', pattern[i + 1] = 'a';
    pattern[sizeof pattern - 1] = 'b';
    ok(!adit_glob(adit_str_of(pattern, sizeof pattern), adit_str_of(text, sizeof text)),
       "many stars end in bounded time");
}

static struct adit_config config(const char *json)
{
    struct adit_config c;
    struct adit_buf why;
    adit_buf_init(&why, tap_mem, 4096);
    if (adit_config_parse(&c, adit_str_z(json), tap_mem, &why) != ADIT_OK)
        tap_show("config", adit_buf_str(&why));
    adit_buf_free(&why);
    return c;
}

static const char *name_of(enum adit_path_kind kind, const struct adit_format *format)
{
    static const char *const names[] = {"page", "view", "legacy", "none"};
    return kind == ADIT_PATH_VIEW ? format->name : names[kind];
}

TEST(test_kinds)
{
    static const struct {
        const char *path, *kind, *page;
    } rows[] = {
        {"/llm/", "tct", "/"},
        {"/post/llm/", "tct", "/post/"},
        {"/post/llm", "tct", "/post"},
        {"/a/b/c/llm/", "tct", "/a/b/c/"},
        {"/post/llm.md", "md", "/post/"},
        {"/post.llm.md", "md", "/post"},
        {"/llm.md", "md", "/"},
        {"/post.html/llm", "tct", "/post.html"},
        {"/post.html.llm.md", "md", "/post.html"},
        {"/", "page", ""},
        {"/post/", "page", ""},
        {"/what-is-an-llm/", "page", ""},
        {"/llms/", "page", ""},
        {"/LLM/", "page", ""},
        {"/post/%6clm/", "page", ""},
        {"/llm/post/", "page", ""},
        {"/post/.llm.md", "page", ""},
        {"/post/xllm.md", "page", ""},
        {"/post/llm.md/", "page", ""},
        {"/x/llm/llm/", "none", ""},
        {"/llm/llm", "none", ""},
        {"/llm/llm/", "none", ""},
        {"/x/llm/llm.md", "none", ""},
        {"/x.llm.md/llm", "none", ""},
        {"/x//llm", "none", ""},
        {"//llm/", "tct", "//"},
        {"/llm", "legacy", "/"},
        {"/post/old/", "legacy", "/post/"},
        {"/post/old", "legacy", "/post"},
        {"/old/", "legacy", "/"},
        {"/x/llm/old/", "none", ""},
        {"/topics/llm/", "page", ""},
        {"/topics/llm/llm/", "none", ""},
        {"/tag/x/llm/", "tct", "/tag/x/"},
        {"/wiki/llm", "page", ""},
        {"", "none", ""},
        {"llm/", "none", ""},
    };
    struct adit_config c = config("{\"legacy_suffixes\":[\"old\"],\"exclude\":[\"/topics/llm/\","
                                  "\"/tag/*\",\"/wiki/ll?\"]}");
    struct adit_buf page, back;
    adit_buf_init(&page, tap_mem, 1000);
    adit_buf_init(&back, tap_mem, 1000);
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        adit_buf_clear(&page);
        const struct adit_format *format = NULL;
        enum adit_path_kind kind = adit_map_path(&c, adit_str_z(rows[i].path), &page, &format);
        eq_str(adit_str_z(name_of(kind, format)), adit_str_z(rows[i].kind), rows[i].path);
        eq_str(adit_buf_str(&page), adit_str_z(rows[i].page), rows[i].path);
        if (kind != ADIT_PATH_VIEW) continue;
        adit_buf_clear(&back);
        adit_map_machine(&c, format, adit_buf_str(&page), &back);
        eq_str(adit_buf_str(&back), adit_str_z(rows[i].path), "and back");
    }
    adit_config_free(&c);
    c = config("{\"markdown\":false}");
    eq_int(adit_map_path(&c, ADIT_STR("/post/llm.md"), &page, NULL), ADIT_PATH_PAGE,
           "without Markdown a .md is a page like any other");
    adit_config_free(&c);
    adit_buf_free(&page);
    adit_buf_free(&back);
}

/* Every path of up to six of these letters: a page's machine paths lead back to it, and no two
 * pages share one. */
TEST(test_bijection)
{
    static const char *const parts[] = {"/", "a", "llm", ".", "md", "//"};
    struct adit_config c = config("{\"exclude\":[]}");
    struct adit_buf path, machine, back;
    adit_buf_init(&path, tap_mem, 1000);
    adit_buf_init(&machine, tap_mem, 1000);
    adit_buf_init(&back, tap_mem, 1000);
    size_t pages = 0, wrong = 0, second = 0;
    for (unsigned n = 0; n < 6 * 6 * 6 * 6 * 6 * 6; n++) {
        adit_buf_clear(&path);
        adit_buf_byte(&path, '/');
        for (unsigned k = 0, v = n; k < 6; k++, v /= 6) adit_buf_lit(&path, parts[v % 6]);
        adit_buf_clear(&back);
        const struct adit_format *format = NULL;
        enum adit_path_kind kind = adit_map_path(&c, adit_buf_str(&path), &back, &format);
        if (kind == ADIT_PATH_VIEW) {
            adit_buf_clear(&machine);
            adit_map_machine(&c, format, adit_buf_str(&back), &machine);
            second += !adit_str_eq(adit_buf_str(&machine), adit_buf_str(&path));
        }
        if (kind != ADIT_PATH_PAGE) continue;
        pages++;
        for (const struct adit_format *f = adit_formats; f->name; f++) {
            if (!adit_map_offers(&c, f)) continue;
            adit_buf_clear(&machine);
            adit_buf_clear(&back);
            adit_map_machine(&c, f, adit_buf_str(&path), &machine);
            wrong += adit_map_path(&c, adit_buf_str(&machine), &back, &format) != ADIT_PATH_VIEW ||
                     format != f || !adit_str_eq(adit_buf_str(&back), adit_buf_str(&path));
        }
    }
    ok(pages > 10000, "there are pages among the paths");
    eq_int(wrong, 0, "every page has an M-URL and a twin that lead back to it");
    eq_int(second, 0, "no page has a second M-URL");
    adit_config_free(&c);
    adit_buf_free(&path);
    adit_buf_free(&machine);
    adit_buf_free(&back);
}

TEST(test_excluded)
{
    static const struct {
        const char *path;
        bool out;
    } rows[] = {
        {"/tag/x/", true},       {"/%74ag/x/", true},       {"/a/../tag/x/", true},
        {"//tag/x/", true},      {"/./tag/x", true},        {"/tag%2Fx", true},
        {"/%2e%2e/tag/x", true}, {"/a/%2e%2e/tag/x", true}, {"/a\\..\\tag/", true},
        {"/tags/", false},       {"/post/", false},         {"/", false},
        {"/2024/", true},        {"/2024/05/", true},       {"/2024/05/post/", false},
        {"/x/tag/y", false},     {"/search", true},         {"/search/a", true},
        {"/%zz/", false},
    };
    struct adit_config c = config("{}");
    for (size_t i = 0; i < ADIT_COUNT(rows); i++)
        eq_int(adit_map_excluded(&c, adit_str_z(rows[i].path), tap_mem), rows[i].out, rows[i].path);
    adit_config_free(&c);
    c = config("{\"homepage\":\"omit\"}");
    ok(adit_map_excluded(&c, ADIT_STR("/"), tap_mem), "homepage: omit");
    ok(adit_map_excluded(&c, ADIT_STR("//"), tap_mem), "the home page by another name");
    ok(!adit_map_excluded(&c, ADIT_STR("/a"), tap_mem), "other pages stay");
    adit_config_free(&c);
}

TEST(test_hosts)
{
    struct adit_config c = config("{\"origin\":\"https://Example.com:443/\",\"hosts\":[\"WWW."
                                  "example.com\",\"[::1]\"]}");
    eq_str(c.origin, ADIT_STR("https://example.com"), "the origin in its normal form");
    static const struct {
        const char *authority;
        bool ours;
    } rows[] = {
        {"example.com", true},
        {"EXAMPLE.com:8443", true},
        {"www.example.com", true},
        {"example.com.", true},
        {"evil-example.com", false},
        {"example.com.evil.net", false},
        {"", false},
        {"[::1]:80", true},
        {"[::2]:80", false},
        {"example.com@x", false},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++)
        eq_int(adit_map_ours(&c, adit_str_z(rows[i].authority)), rows[i].ours, rows[i].authority);
    struct adit_str path;
    ok(adit_map_our_url(&c, ADIT_STR("HTTP://www.example.com:80/a?b#c"), &path), "a URL of ours");
    eq_str(path, ADIT_STR("/a?b"), "its path and query");
    ok(adit_map_our_url(&c, ADIT_STR("https://example.com"), &path), "without a path");
    eq_str(path, ADIT_STR("/"), "is the home page");
    ok(!adit_map_our_url(&c, ADIT_STR("https://example.com@evil.net/"), &path), "user info");
    ok(!adit_map_our_url(&c, ADIT_STR("ftp://example.com/"), &path), "another scheme");
    ok(!adit_map_our_url(&c, ADIT_STR("/a"), &path), "no URL");
    struct adit_buf out;
    adit_buf_init(&out, tap_mem, 1000);
    adit_map_url(&c, ADIT_STR("/a\"b<c>&'d\r\n e\\f%20[|^{}`]\xc3\xa4?q='x"), &out);
    eq_str(adit_buf_str(&out),
           ADIT_STR("https://example.com/a%22b%3Cc%3E&'d%0D%0A%20e%5Cf%20%5B%7C%5E%7B%7D%60%5D%C3%"
                    "A4?q=%27x"),
           "nothing that could leave a header or an attribute");
    adit_buf_free(&out);
    adit_config_free(&c);
}

/* The URL in our header fields is the page URL of the payload: for every byte that a path may have.
 */
TEST(test_same_url)
{
    struct adit_config c = config("{\"origin\":\"https://example.com\"}");
    struct adit_arena a;
    struct adit_buf url, input;
    adit_arena_init(&a, tap_mem, 1 << 20);
    adit_buf_init(&url, tap_mem, 1000);
    adit_buf_init(&input, tap_mem, 1000);
    size_t wrong = 0;
    for (int query = 0; query < 2; query++) {
        for (unsigned b = 33; b < 256; b++) {
            if (b == 127 || b == '\\' || b == '#' || (b == '?' && !query)) continue;
            char path[] = {'/', 'a', query ? '?' : '/', (char)b, 'b', '%', 'z', '%', 'c', '3', '/'};
            /* Bytes over 0x7F as they come in UTF-8. */
            char wide[] = {'/', query ? '?' : 'x', (char)(0xC0 | b >> 6), (char)(0x80 | (b & 63))};
            struct adit_str p = b < 128 ? adit_str_of(path, sizeof path)
                                        : adit_str_of(wide, sizeof wide),
                            page = {0};
            adit_buf_clear(&url);
            adit_buf_clear(&input);
            adit_map_url(&c, p, &url);
            adit_buf_add(&input, c.origin);
            adit_buf_add(&input, p);
            adit_url_page(adit_buf_str(&input), &a, &page);
            if (adit_str_eq(page, adit_buf_str(&url))) continue;
            wrong++;
            tap_show("header ", adit_buf_str(&url));
            tap_show("payload", page);
        }
    }
    eq_int(wrong, 0, "header fields and payload write a URL alike");
    adit_arena_free(&a);
    adit_buf_free(&url);
    adit_buf_free(&input);
    adit_config_free(&c);
}

RUN_TESTS(test_same_url, test_glob, test_kinds, test_bijection, test_excluded, test_hosts)
