/* Every rule about lines: an example that breaks it, and that nothing else is said of it. */
#include "scp/scp.h"
#include "tests/tap.h"

struct heard {
    bool rules[ADIT_SCP_RULES];
    char names[400];
};

static void hear(void *ctx, const struct adit_finding *f)
{
    struct heard *h = ctx;
    bool *heard = &h->rules[f->rule - adit_scp_rules];
    if (!*heard && strlen(h->names) < 300) {
        strcat(h->names, h->names[0] ? " " : "");
        strcat(h->names, f->rule->name);
    }
    *heard = true;
}

/* 2025-01-01, so that later times lie in the future. */
static const struct adit_scp_limits limits = {
    .line_max = 4000, .blocks_max = 3, .now = {1735689600, 0}};

/* --- pages ------------------------------------------------------------------------------------ */

#define HEAD                                                                                   \
    "\"title\":\"T\",\"description\":\"\",\"modified\":\"2000-01-01T00:00:00Z\",\"language\":" \
    "\"en\","
#define PAGE(content) "{\"url\":\"https://example.com/\"," HEAD "\"content\":[" content "]}"
#define TEXT          "{\"type\":\"text\",\"text\":\"x\"}"
#define MEDIA(more) \
    PAGE("{\"type\":\"video\",\"name\":\"n\",\"url\":\"https://example.com/v\"" more "}")
#define META_WITH(from, to) from HEAD to

static const struct {
    const char *line, *rules;
    enum adit_scp_verdict verdict;
} pages[] = {
    {PAGE(TEXT), "", ADIT_SCP_GOOD},
    {PAGE(TEXT "," TEXT "," TEXT), "", ADIT_SCP_GOOD},
    {PAGE(TEXT "," TEXT "," TEXT "," TEXT), "page-blocks", ADIT_SCP_SKIPPED},
    {PAGE(""), "page-empty", ADIT_SCP_GOOD},
    {PAGE(" "), "page-empty", ADIT_SCP_GOOD},
    /* JSON */
    {"", "page-json", ADIT_SCP_REJECTED},
    {"{", "page-json", ADIT_SCP_REJECTED},
    {"{\"url\":}", "page-json", ADIT_SCP_REJECTED},
    {"{\"url\":\"\x01\"}", "page-json", ADIT_SCP_REJECTED},
    {"{\"url\":\"\xff\"}", "page-json", ADIT_SCP_REJECTED},
    {"{'url':1}", "page-json", ADIT_SCP_REJECTED},
    {PAGE(TEXT) " x", "page-json", ADIT_SCP_REJECTED},
    {"[]", "page-object", ADIT_SCP_REJECTED},
    {"7", "page-object", ADIT_SCP_REJECTED},
    {"{}", "page-missing", ADIT_SCP_REJECTED},
    {"{\"url\":\"https://example.com/\"," HEAD "\"x\":1}", "page-missing", ADIT_SCP_REJECTED},
    {"{\"url\":5," HEAD "\"content\":[]}", "page-type", ADIT_SCP_REJECTED},
    {"{\"url\":null," HEAD "\"content\":[]}", "page-type", ADIT_SCP_REJECTED},
    {"{\"url\":\"https://example.com/\"," HEAD "\"content\":{}}", "page-type", ADIT_SCP_REJECTED},
    /* URLs */
    {"{\"url\":\"javascript:alert(1)\"," HEAD "\"content\":[" TEXT "]}", "page-url",
     ADIT_SCP_SKIPPED},
    {"{\"url\":\"ftp://example.com/\"," HEAD "\"content\":[" TEXT "]}", "page-url",
     ADIT_SCP_SKIPPED},
    {"{\"url\":\"/relative\"," HEAD "\"content\":[" TEXT "]}", "page-url", ADIT_SCP_SKIPPED},
    {"{\"url\":\"https://\"," HEAD "\"content\":[" TEXT "]}", "page-url", ADIT_SCP_SKIPPED},
    {"{\"url\":\"https:///path\"," HEAD "\"content\":[" TEXT "]}", "page-url", ADIT_SCP_SKIPPED},
    {"{\"url\":\"https://:80/\"," HEAD "\"content\":[" TEXT "]}", "page-url", ADIT_SCP_SKIPPED},
    {"{\"url\":\"https://e.com:65536/\"," HEAD "\"content\":[" TEXT "]}", "page-url",
     ADIT_SCP_SKIPPED},
    {"{\"url\":\"https://e.com:8x/\"," HEAD "\"content\":[" TEXT "]}", "page-url",
     ADIT_SCP_SKIPPED},
    {"{\"url\":\"https://e.com:65535/\"," HEAD "\"content\":[" TEXT "]}", "", ADIT_SCP_GOOD},
    {"{\"url\":\"https://u:99999@[::1]:80/\"," HEAD "\"content\":[" TEXT "]}", "", ADIT_SCP_GOOD},
    {"{\"url\":\"https://u@/\"," HEAD "\"content\":[" TEXT "]}", "page-url", ADIT_SCP_SKIPPED},
    {"{\"url\":\"https://example.com/a b\"," HEAD "\"content\":[" TEXT "]}", "page-url",
     ADIT_SCP_SKIPPED},
    {"{\"url\":\"https://example.com/\\u0000\"," HEAD "\"content\":[" TEXT "]}", "page-url",
     ADIT_SCP_SKIPPED},
    {"{\"url\":\"https://example.com/\\n\"," HEAD "\"content\":[" TEXT "]}", "page-url",
     ADIT_SCP_SKIPPED},
    {"{\"url\":\"\"," HEAD "\"content\":[" TEXT "]}", "page-url", ADIT_SCP_SKIPPED},
    {"{\"url\":\"HTTPS://u:p@[::1]:80/a?b#c\"," HEAD "\"content\":[" TEXT "]}", "", ADIT_SCP_GOOD},
    {"{\"url\":\"https:\\/\\/example.com\\/\\u00e9\\u002f\"," HEAD "\"content\":[" TEXT "]}", "",
     ADIT_SCP_GOOD},
    {"{\"\\u0075rl\":\"http://e\"," HEAD "\"content\":[" TEXT "]}", "", ADIT_SCP_GOOD},
    /* times and languages */
    {"{\"url\":\"https://e/\",\"title\":\"\",\"description\":\"\",\"modified\":\"yesterday\","
     "\"language\":\"en\",\"content\":[" TEXT "]}",
     "page-modified", ADIT_SCP_SKIPPED},
    {"{\"url\":\"https://e/\",\"title\":\"\",\"description\":\"\",\"modified\":\"2000-01-01\","
     "\"language\":\"en\",\"content\":[" TEXT "]}",
     "page-modified", ADIT_SCP_SKIPPED},
    {"{\"url\":\"https://e/\",\"title\":\"\",\"description\":\"\",\"modified\":\"2099-01-01T00:00:"
     "00Z\",\"language\":\"en\",\"content\":[" TEXT "]}",
     "page-future", ADIT_SCP_GOOD},
    {"{\"url\":\"https://e/\",\"title\":\"\",\"description\":\"\",\"modified\":\"2000-01-01T00:00:"
     "00Z\",\"language\":\"English\",\"content\":[" TEXT "]}",
     "page-language", ADIT_SCP_GOOD},
    {"{\"url\":\"https://e/\",\"title\":\"\",\"description\":\"\",\"modified\":\"2000-01-01T00:00:"
     "00Z\",\"language\":\"zh-Hans-CN\",\"content\":[" TEXT "]}",
     "", ADIT_SCP_GOOD},
    {"{\"url\":\"https://e/\",\"title\":\"\",\"description\":\"\",\"modified\":\"2000-01-01T00:00:"
     "00Z\",\"language\":\"utf-8\",\"content\":[" TEXT "]}",
     "page-language", ADIT_SCP_GOOD},
    {"{\"url\":\"https://e/\",\"title\":\"\",\"description\":\"\",\"modified\":\"2000-01-01T00:00:"
     "00Z\",\"language\":\"de-x-foo\",\"content\":[" TEXT "]}",
     "", ADIT_SCP_GOOD},
    /* optional members, unknown ones, the older revision's robots */
    {"{\"url\":\"https://e/\"," HEAD "\"author\":1,\"content\":[" TEXT "]}", "page-optional",
     ADIT_SCP_GOOD},
    {"{\"url\":\"https://e/\"," HEAD "\"published\":\"soon\",\"content\":[" TEXT "]}",
     "page-optional", ADIT_SCP_GOOD},
    {"{\"url\":\"https://e/\"," HEAD "\"canonical\":\"data:x\",\"content\":[" TEXT "]}",
     "page-optional", ADIT_SCP_GOOD},
    {"{\"url\":\"https://e/\"," HEAD "\"schema\":[],\"content\":[" TEXT "]}", "page-optional",
     ADIT_SCP_GOOD},
    {"{\"url\":\"https://e/\"," HEAD
     "\"robots\":[\"noarchive\"],\"new\":{\"a\":[1]},\"content\":[" TEXT "]}",
     "", ADIT_SCP_GOOD},
    {"{\"url\":\"https://e/\"," HEAD "\"title\":\"again\",\"content\":[" TEXT "]}", "page-twice",
     ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"text\",\"text\":\"\\ud83d\"}"), "page-surrogate", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"text\",\"text\":\"\\ude00\"}"), "page-surrogate", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"text\",\"text\":\"\\ud83d\\u0041\"}"), "page-surrogate", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"text\",\"text\":\"\\ud83d\\ude00 \\\\ud83d\"}"), "", ADIT_SCP_GOOD},
    /* blocks */
    {PAGE("1"), "block-object", ADIT_SCP_GOOD},
    {PAGE("[]"), "block-object", ADIT_SCP_GOOD},
    {PAGE("{}"), "block-object", ADIT_SCP_GOOD},
    {PAGE("{\"type\":5}"), "block-object", ADIT_SCP_GOOD},
    {PAGE("{\"text\":\"x\"}"), "block-object", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"structured\",\"data\":{\"type\":\"text\"}}"), "block-unknown",
     ADIT_SCP_GOOD},
    {PAGE("{\"text\":\"x\",\"type\":\"text\"}"), "", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"te\\u0078t\",\"text\":\"x\"}"), "", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"text\"}"), "block-missing", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"text\",\"text\":1}"), "block-type", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"heading\",\"level\":2,\"text\":\"x\"}"), "", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"heading\",\"level\":2.0,\"text\":\"x\"}"), "", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"heading\",\"level\":2.5,\"text\":\"x\"}"), "block-type", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"heading\",\"level\":\"2\",\"text\":\"x\"}"), "block-type", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"heading\",\"level\":0,\"text\":\"x\"}"), "block-level", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"heading\",\"level\":7,\"text\":\"x\"}"), "block-level", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"heading\",\"level\":-3,\"text\":\"x\"}"), "block-level", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"heading\",\"text\":\"x\"}"), "block-missing", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"link\",\"url\":\"https://e/\",\"text\":\"x\",\"rel\":[\"nofollow\"]}"), "",
     ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"link\",\"url\":\"https://e/\",\"text\":\"x\",\"rel\":\"nofollow\"}"),
     "block-optional", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"link\",\"url\":\"javascript:x\",\"text\":\"x\"}"), "block-url",
     ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"image\",\"url\":\"data:image/png;base64,x\",\"alt\":\"x\"}"), "block-url",
     ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"image\",\"url\":\"https://e/\"}"), "block-missing", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"list\",\"ordered\":true,\"items\":[\"a\",\"b\"]}"), "", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"list\",\"ordered\":1,\"items\":[]}"), "block-type", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"list\",\"ordered\":true,\"items\":[1]}"), "block-type", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"code\",\"code\":\"x\"}"), "", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"code\",\"code\":\"x\",\"language\":1}"), "block-optional", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"table\",\"rows\":[[\"a\",\"b\"],[\"c\"],[]]}"), "", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"table\",\"rows\":[[1]]}"), "block-type", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"table\",\"rows\":[\"a\"]}"), "block-type", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"quote\",\"text\":\"x\",\"citation\":\"y\"}"), "", ADIT_SCP_GOOD},
    {MEDIA(""), "", ADIT_SCP_GOOD},
    {MEDIA(",\"duration\":\"PT1H5M20.5S\",\"width\":1,\"height\":0,\"icon\":{\"type\":\"Image\","
           "\"url\":\"https://e/i\"}"),
     "", ADIT_SCP_GOOD},
    {MEDIA(",\"duration\":\"PT\""), "block-optional", ADIT_SCP_GOOD},
    {MEDIA(",\"duration\":\"PT5M1H\""), "block-optional", ADIT_SCP_GOOD},
    {MEDIA(",\"duration\":\"PT1.5H\""), "block-optional", ADIT_SCP_GOOD},
    {MEDIA(",\"duration\":\"5 minutes\""), "block-optional", ADIT_SCP_GOOD},
    {MEDIA(",\"width\":-1"), "block-optional", ADIT_SCP_GOOD},
    {MEDIA(",\"icon\":\"https://e/i\""), "block-optional", ADIT_SCP_GOOD},
    {MEDIA(",\"icon\":{\"url\":\"javascript:x\"}"), "block-optional", ADIT_SCP_GOOD},
    {MEDIA(",\"captions\":[{\"language\":\"en\",\"url\":\"https://e/c\",\"label\":\"E\"}]"), "",
     ADIT_SCP_GOOD},
    {MEDIA(",\"captions\":[{\"language\":\"en\"}]"), "block-optional", ADIT_SCP_GOOD},
    {MEDIA(",\"chapters\":[{\"time\":0,\"title\":\"a\"}]"), "", ADIT_SCP_GOOD},
    {MEDIA(",\"chapters\":[{\"time\":\"0\",\"title\":\"a\"}]"), "block-optional", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"audio\",\"name\":\"n\",\"url\":[]}"), "block-type", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"audio\",\"name\":\"n\",\"url\":[{\"href\":\"https://e/\",\"mediaType\":"
          "\"audio/ogg\"}],\"attributedTo\":{\"name\":\"x\"},\"partOf\":\"y\"}"),
     "", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"audio\",\"name\":\"n\",\"url\":[{\"href\":\"file:///etc/passwd\","
          "\"mediaType\":\"audio/ogg\"}]}"),
     "block-url", ADIT_SCP_GOOD},
    {PAGE("{\"type\":\"audio\",\"name\":\"n\",\"url\":[{\"href\":\"https://e/\"}]}"), "block-type",
     ADIT_SCP_GOOD},
};

static void judge(const char *line, size_t len, struct heard *h, enum adit_scp_verdict *verdict)
{
    struct adit_scp_judge j = {&limits, hear, h, 2, true};
    struct adit_buf scratch;
    struct adit_scp_page page;
    *h = (struct heard){0};
    adit_buf_init(&scratch, tap_mem, 20000);
    *verdict = adit_scp_page_judge(adit_str_of(line, len), &j, &scratch, &page);
    adit_buf_free(&scratch);
}

static bool seen[ADIT_SCP_RULES];

TEST(page_rules)
{
    for (size_t i = 0; i < ADIT_COUNT(pages); i++) {
        struct heard h;
        enum adit_scp_verdict verdict;
        judge(pages[i].line, strlen(pages[i].line), &h, &verdict);
        bool right = tap_ok(strcmp(h.names, pages[i].rules) == 0 && verdict == pages[i].verdict,
                            pages[i].line[0] ? pages[i].line : "an empty line", __FILE__, __LINE__);
        if (!right) printf("# heard \"%s\", expected \"%s\"\n", h.names, pages[i].rules);
        for (size_t k = 0; k < ADIT_SCP_RULES; k++) seen[k] = seen[k] || h.rules[k];
    }
    struct heard h;
    enum adit_scp_verdict verdict;
    judge("{\"url\":\"\0\"}", 11, &h, &verdict);
    ok(verdict == ADIT_SCP_REJECTED && h.rules[ADIT_SCP_PAGE_JSON], "a NUL byte is not JSON");
}

/* A page of exactly len bytes. */
static void long_page(char *to, size_t len)
{
    const char *start =
        "{\"url\":\"https://example.com/\"," HEAD "\"content\":[{\"type\":\"text\",\"text\":\"";
    memset(to, 'x', len);
    memcpy(to, start, strlen(start));
    memcpy(to + len - 4, "\"}]}", 4);
}

TEST(length)
{
    static char line[4001];
    for (size_t len = 3999; len <= 4001; len++) {
        struct heard h;
        enum adit_scp_verdict verdict;
        long_page(line, len);
        judge(line, len, &h, &verdict);
        seen[ADIT_SCP_PAGE_LONG] = seen[ADIT_SCP_PAGE_LONG] || h.rules[ADIT_SCP_PAGE_LONG];
        eq_int(verdict, len <= 4000 ? ADIT_SCP_GOOD : ADIT_SCP_SKIPPED, "length of a line");
    }
}

/* --- line 1 ----------------------------------------------------------------------------------- */

#define HEX "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
#define META(more)                                                                         \
    "{\"collection\":{\"id\":\"a\",\"section\":\"s\",\"type\":\"snapshot\",\"generated\":" \
    "\"2000-01-01T00:00:00Z\"" more "}}"
#define SUM ",\"checksum\":\"sha256:" HEX "\""
#define V   ",\"version\":\"0.1\""

static const struct {
    const char *line, *rules;
    bool good;
} metas[] = {
    {META(V SUM), "", true},
    {META(SUM V), "", true},
    {META(V), "checksum-none", true},
    {META(V ",\"x\":{\"y\":1}" SUM), "", true},
    {"{\"x\":1,\"collection\":{\"id\":\"a\",\"section\":\"s\",\"type\":\"delta\",\"generated\":"
     "\"2000-01-02T00:00:00Z\",\"since\":\"2000-01-01T00:00:00Z\"" V SUM "},\"y\":2}",
     "", true},
    {"", "meta-json", false},
    {"{\"collection\":", "meta-json", false},
    {"[]", "meta-object", false},
    {"{}", "meta-object", false},
    {"{\"collection\":1}", "meta-object", false},
    {PAGE(TEXT), "meta-object", false},
    {"{\"collection\":{}}", "meta-missing checksum-none", false},
    {META(SUM), "meta-missing", false},
    {META(SUM ",\"version\":0.1"), "meta-string", false},
    {META(SUM ",\"version\":\"1\""), "meta-version", false},
    {META(SUM ",\"version\":\"0.1.2\""), "meta-version", false},
    {META(SUM ",\"version\":\"v0.1\""), "meta-version", false},
    {META(SUM ",\"version\":\"0.\""), "meta-version", false},
    {META(SUM ",\"version\":\"1.0\""), "meta-major", false},
    {META(SUM ",\"version\":\"99999999999999999999.0\""), "meta-major", false},
    {META(SUM ",\"version\":\"0.2\""), "meta-minor", true},
    {META(SUM ",\"version\":\"0.99999999999999999999\""), "meta-minor", true},
    {META(V V SUM), "meta-twice", true},
    {META(V SUM SUM), "checksum-twice", false},
    {META(V ",\"checksum\":\"sha256:" HEX "00\""), "checksum-form", false},
    {META(V ",\"checksum\":\"" HEX "\""), "checksum-form", false},
    {META(V ",\"checksum\":\"md5:" HEX "\""), "checksum-form", false},
    {META(V ",\"checksum\":null"), "meta-string", false},
    {"{\"collection\":{\"id\":\"a/b\",\"section\":\"\",\"type\":\"snapshot\",\"generated\":"
     "\"2000-01-01T00:00:00Z\"" V SUM "}}",
     "meta-name", true},
    {"{\"collection\":{\"id\":\"a\",\"section\":\"s\",\"type\":\"full\",\"generated\":"
     "\"2000-01-01T00:00:00Z\"" V SUM "}}",
     "meta-type", false},
    {"{\"collection\":{\"id\":\"a\",\"section\":\"s\",\"type\":\"delta\",\"generated\":"
     "\"2000-01-01T00:00:00Z\"" V SUM "}}",
     "meta-missing", false},
    {"{\"collection\":{\"id\":\"a\",\"section\":\"s\",\"type\":\"delta\",\"generated\":"
     "\"2000-01-01T00:00:00Z\",\"since\":\"2000-01-02T00:00:00Z\"" V SUM "}}",
     "meta-order", true},
    {"{\"collection\":{\"id\":\"a\",\"section\":\"s\",\"type\":\"snapshot\",\"generated\":"
     "\"2000-01-01\"" V SUM "}}",
     "meta-time", false},
    {"{\"collection\":{\"id\":\"a\",\"section\":\"s\",\"type\":\"snapshot\",\"generated\":"
     "\"2099-01-01T00:00:00Z\"" V SUM "}}",
     "meta-future", true},
};

static bool read_meta(struct adit_str line, struct heard *h, struct adit_scp_meta *meta,
                      struct adit_arena *arena, struct adit_scp_range *cut)
{
    struct adit_scp_judge j = {&limits, hear, h, 1, true};
    *h = (struct heard){0};
    return adit_scp_meta_read(line, arena, &j, meta, &cut->from, &cut->to);
}

TEST(meta_rules)
{
    struct adit_arena arena;
    adit_arena_init(&arena, tap_mem, 100000);
    for (size_t i = 0; i < ADIT_COUNT(metas); i++) {
        struct heard h;
        struct adit_scp_meta meta;
        struct adit_scp_range cut;
        bool good = read_meta(adit_str_z(metas[i].line), &h, &meta, &arena, &cut);
        bool right =
            tap_ok(strcmp(h.names, metas[i].rules) == 0 && good == metas[i].good,
                   metas[i].line[0] ? metas[i].line : "an empty line 1", __FILE__, __LINE__);
        if (!right) printf("# heard \"%s\", expected \"%s\"\n", h.names, metas[i].rules);
        for (size_t k = 0; k < ADIT_SCP_RULES; k++) seen[k] = seen[k] || h.rules[k];
    }
    adit_arena_free(&arena);
}

/* Rules that files break, not lines: the tests of the program have them. */
static bool is_of_file(size_t rule)
{
    return rule <= ADIT_SCP_FILE_BOM || rule == ADIT_SCP_META_LONG || rule == ADIT_SCP_CHECKSUM ||
           rule == ADIT_SCP_CHECKSUM_RULE || rule == ADIT_SCP_PAGE_URL_AGAIN;
}

TEST(table)
{
    bool full = true, unique = true;
    for (size_t i = 0; i < ADIT_SCP_RULES; i++) {
        const struct adit_rule *r = &adit_scp_rules[i];
        full = full && r->name && r->what && r->advice && strlen(r->advice) > 5;
        for (size_t k = 0; k < i; k++) unique = unique && strcmp(r->name, adit_scp_rules[k].name);
        if (!is_of_file(i)) ok(seen[i], r->name);
    }
    ok(full && unique, "every rule has a name of its own, says what is wrong and what to do");
}

RUN_TESTS(page_rules, length, meta_rules, table)
