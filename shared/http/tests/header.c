/* Header fields and their values. */
#include "http/http.h"

#include "tests/tap.h"

TEST(test_lists)
{
    struct adit_str rest = ADIT_STR(" a , \"b,c\" ,, d;x=\"1,\\\"2\" ,"), e;
    static const char *const want[] = {"a", "\"b,c\"", "d;x=\"1,\\\"2\""};
    for (size_t i = 0; i < 3; i++) {
        ok(adit_list_next(&rest, &e), "an element");
        eq_str(e, adit_str_z(want[i]), want[i]);
    }
    ok(!adit_list_next(&rest, &e), "the end");
    struct adit_str arg;
    ok(adit_list_has(ADIT_STR("public, Max-Age=\"60\" , no-transform"), ADIT_STR("max-age"), &arg),
       "a directive");
    eq_str(arg, ADIT_STR("60"), "and its argument");
    ok(!adit_list_has(ADIT_STR("x-private, \"private\""), ADIT_STR("private"), NULL),
       "whole tokens");
    ok(adit_list_has(ADIT_STR("private=\"set-cookie\""), ADIT_STR("private"), NULL),
       "with argument");
    ok(adit_list_has(ADIT_STR("foo, adit; v=1"), ADIT_STR("adit"), NULL), "with parameters");
}

TEST(test_accept)
{
    static const struct {
        const char *accept;
        int identity;
        bool possible;
    } rows[] = {
        {"", -1, true},
        {"gzip", -1, true},
        {"gzip;q=0", -1, true},
        {"identity", 1000, true},
        {"identity;q=0", 0, false},
        {"identity;q=0, gzip", 0, true},
        {"identity;q=0, gzip;q=0", 0, false},
        {"*;q=0", 0, false},
        {"*;q=0, identity;q=0.5", 500, true},
        {"identity; q=0.001", 1, true},
        {"IDENTITY;Q=0.000", 0, false},
        {"br;q=1.0, *;q=0", 0, true},
        {"gzip, *;q=0.1", 100, true},
        {"identity;q=nonsense", 1000, true},
        {"identity;q=1.5", 1000, true},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        eq_int(adit_accept_q(adit_str_z(rows[i].accept), ADIT_STR("identity")), rows[i].identity,
               rows[i].accept);
        eq_int(adit_accept_possible(adit_str_z(rows[i].accept)), rows[i].possible, rows[i].accept);
    }
}

TEST(test_accept_media)
{
    static const struct {
        const char *accept;
        int markdown, html;
        bool named;
    } rows[] = {
        {"", 0, 0, false},
        {"*/*", 1000, 1000, false},
        {"text/*;q=0.4, */*;q=0.1", 400, 400, false},
        {"text/markdown", 1000, 0, true},
        {"TEXT/Markdown ; Q=0.3, text/html;q=0.2", 300, 200, true},
        {"text/markdown, text/html, */*", 1000, 1000, true},
        {"text/markdown,text/plain;q=0.9,*/*;q=0.8", 1000, 800, true},
        {"text/markdown;q=0, */*", 0, 1000, true},
        {"*/*, text/markdown;q=0", 0, 1000, true},
        {"text/markdown;charset=utf-8;q=0.5", 500, 0, true},
        {"text/markdown;variant=GFM, text/markdown;q=0.1", 1000, 0, true},
        {"text/markdown;q=2", 0, 0, false},
        {"text/markdown;q=high, text/html;q=0.2", 0, 200, false},
        {"text/markdown;q=-1", 0, 0, false},
        {"text/markdown;q=", 0, 0, false},
        {"text/markdown text/html", 0, 0, false},
        {",;,q=1,/,*", 0, 0, false},
        {"text/x-markdown, text/markdownx, text/markdow", 0, 0, false},
        {"text/plain", 0, 0, false},
        {"text/html;level=1, text/html;q=0.4", 0, 1000, false},
        {"\"text/markdown\"", 0, 0, false},
        {"application/*, t/*, text/", 0, 0, false},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_str accept = adit_str_z(rows[i].accept);
        bool named = false;
        eq_int(adit_accept_media_q(accept, ADIT_STR("text/markdown"), &named), rows[i].markdown,
               rows[i].accept);
        ok(named == rows[i].named, rows[i].accept);
        eq_int(adit_accept_media_q(accept, ADIT_STR("text/html"), NULL), rows[i].html,
               rows[i].accept);
    }
}

TEST(test_robots)
{
    static const struct {
        const char *value, *forbids; /* i: noindex, a: noarchive, f: nofollow */
    } rows[] = {
        {"noindex", "i"},
        {"NOINDEX, nofollow", "if"},
        {"nofollow, none", "if"},
        {"all", ""},
        {"googlebot: noindex", ""},
        {"googlebot: noindex, nofollow", ""},
        {"googlebot: nofollow, noindex", ""},
        {"googlebot: noarchive, noindex, nofollow", ""},
        {"googlebot: nofollow, *: noarchive, noindex", "ia"},
        {"*: noindex", "i"},
        {"noarchive", "a"},
        {"unavailable_after: 25 Jun 2010 15:00:00 PST, noindex", "i"},
        {"unavailable_after: Fri, 25 Jun 2010 15:00:00 PST, noindex", "i"},
        {"max-snippet: 5, noindex", "i"},
        {"", ""},
        {"noindexed", ""},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_robots_tag tag = {0};
        adit_robots_tag_read(adit_str_z(rows[i].value), &tag);
        bool same = tag.noindex == !!strchr(rows[i].forbids, 'i') &&
                    tag.noarchive == !!strchr(rows[i].forbids, 'a') &&
                    tag.nofollow == !!strchr(rows[i].forbids, 'f');
        ok(same, rows[i].value);
        eq_int(adit_robots_noindex(adit_str_z(rows[i].value)), tag.noindex, rows[i].value);
    }
}

TEST(test_private)
{
    static const struct {
        const char *cache_control, *vary;
        bool is_private;
    } rows[] = {
        {"", "", false},         {"public, max-age=60", "accept-encoding", false},
        {"private", "", true},   {"max-age=0, No-Store", "", true},
        {"no-cache", "", false}, {"", "Accept-Encoding, Cookie", true},
        {"", "*", true},         {"", "x-cookie", false},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++)
        eq_int(adit_is_private(adit_str_z(rows[i].cache_control), adit_str_z(rows[i].vary)),
               rows[i].is_private, rows[i].cache_control);
}

TEST(test_cache_seconds)
{
    static const struct {
        const char *cache_control;
        int seconds;
    } rows[] = {
        {"", 0},
        {"max-age=60", 60},
        {"public, Max-Age=\"60\"", 60},
        {"max-age=5, s-maxage=3600", 3600},
        {"no-cache, max-age=60", 0},
        {"max-age=-1", 0},
        {"max-age", 0},
        {"max-age=1e3", 0},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++)
        eq_int((int)adit_cache_seconds(adit_str_z(rows[i].cache_control)), rows[i].seconds,
               rows[i].cache_control);
}

TEST(test_fields)
{
    struct adit_arena a;
    adit_arena_init(&a, tap_mem, 1 << 20);
    struct adit_headers h = {.arena = &a};
    adit_headers_add(&h, "a", ADIT_STR("1"));
    adit_headers_add(&h, "b", ADIT_STR("x\r\ny: z"));
    adit_headers_add(&h, "b", ADIT_STR(""));
    adit_headers_add(&h, "b", ADIT_STR("nul\0"));
    adit_headers_add(&h, "A", ADIT_STR("2"));
    eq_int(h.n, 2, "what could break a header is left out");
    eq_str(adit_header_get(h.v, h.n, ADIT_STR("A")), ADIT_STR("1"), "the first");
    eq_str(adit_header_joined(h.v, h.n, ADIT_STR("a"), &a), ADIT_STR("1, 2"), "all of them");
    ok(!adit_header_has(h.v, h.n, ADIT_STR("b")), "none");
    static char big[ADIT_LIMIT_header_value + 1];
    memset(big, 'x', sizeof big);
    for (size_t extra = 0; extra <= 2; extra++) {
        size_t before = h.n, len = ADIT_LIMIT_header_value - 1 + extra;
        adit_headers_add(&h, "c", adit_str_of(big, len));
        eq_int(h.n - before, len <= ADIT_LIMIT_header_value, "length of a value");
    }
    for (int i = 0; i < ADIT_HEADERS_MAX + 1; i++) adit_headers_add(&h, "d", ADIT_STR("1"));
    eq_int(h.n, ADIT_HEADERS_MAX, "the number of fields is limited");
    eq_int(h.err, ADIT_ELIMIT, "and that sticks");
    ok(adit_media_is_html(ADIT_STR("Text/HTML ; charset=x")), "a media type");
    ok(!adit_media_is_html(ADIT_STR("text/html2")), "another");
    adit_arena_free(&a);
}

TEST(test_optout)
{
    static const struct {
        const char *name, *value;
        unsigned flag;
    } rows[] = {
        {"tdm-reservation", "1", ADIT_OPTOUT_TDM},
        {"TDM-Reservation", " 1 ", ADIT_OPTOUT_TDM},
        {"tdm-reservation", "0", 0},
        {"tdm-reservation", "10", 0},
        {"content-usage", "train-ai=n", ADIT_OPTOUT_USAGE},
        {"Content-Usage", "search=y, train-ai = N ; x=y", ADIT_OPTOUT_USAGE},
        {"content-usage", "train-ai=no", 0},
        {"content-usage", "n", 0},
        {"content-usage", "", 0},
        {"content-signal", "search=yes,ai-train=no", ADIT_OPTOUT_SIGNAL},
        {"content-signal", "ai-train=yes", 0},
        {"other", "1", 0},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++)
        eq_int(adit_optout(adit_str_z(rows[i].name), adit_str_z(rows[i].value)), rows[i].flag,
               rows[i].value);
    struct adit_robots_tag tag = {0};
    adit_robots_tag_read(ADIT_STR("index, NoAI, somebot: noimageai"), &tag);
    eq_int(tag.optout, ADIT_OPTOUT_NOAI, "noai for all, noimageai for one robot");
}

RUN_TESTS(test_lists, test_accept, test_accept_media, test_robots, test_private, test_cache_seconds,
          test_fields, test_optout)
