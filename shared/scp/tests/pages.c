/* Pages as structures and back, versions compared, metadata written, checksums by every rule. */
#include "scp/scp.h"
#include "tests/tap.h"

static enum adit_scp_verdict judge(struct adit_str line, struct adit_buf *scratch,
                                   struct adit_scp_page *page)
{
    struct adit_scp_judge j = {.limits = &adit_scp_limits};
    return adit_scp_page_judge(line, &j, scratch, page);
}

#define HEAD                                                                                      \
    "{\"url\":\"https://example.com/a\",\"title\":\"T \\\" é\",\"description\":\"D\",\"author\":" \
    "\"A\",\"published\":\"1999-01-01T00:00:00Z\",\"modified\":\"2000-01-01T00:00:00Z\","         \
    "\"language\":\"en\",\"canonical\":\"https://example.com/c\",\"schema\":{\"@type\":\"X\"},"   \
    "\"content\":["

/* Lines in the form that we write: reading and writing gives them back. */
static const char *const round_trips[] = {
    HEAD "{\"type\":\"text\",\"text\":\"x\\ny\"}]}",
    HEAD "{\"type\":\"heading\",\"level\":3,\"text\":\"x\"},{\"type\":\"link\",\"url\":"
         "\"https://e/\",\"text\":\"x\",\"rel\":[\"nofollow\",\"me\"]},{\"type\":\"image\",\"url\":"
         "\"https://e/i\",\"alt\":\"\"}]}",
    HEAD "{\"type\":\"list\",\"ordered\":true,\"items\":[\"a\",\"b\\\\\"]},{\"type\":\"code\","
         "\"language\":\"c\",\"code\":\"int\\tx;\"},{\"type\":\"code\",\"code\":\"y\"}]}",
    HEAD "{\"type\":\"table\",\"rows\":[[\"a\",\"b\"],[\"c\",\"\"]]},{\"type\":\"quote\",\"text\":"
         "\"q\",\"citation\":\"c\"}]}",
    HEAD "{\"type\":\"video\",\"name\":\"n\",\"url\":[{\"href\":\"https://e/v\",\"mediaType\":"
         "\"video/mp4\"},{\"href\":\"https://e/w\",\"mediaType\":\"text/html\",\"rel\":"
         "\"alternate\"}],\"duration\":\"PT5M\",\"width\":2,\"height\":1,\"icon\":{\"type\":"
         "\"Image\",\"url\":\"https://e/i\"},\"summary\":\"s\",\"captions\":[{\"language\":\"en\","
         "\"url\":\"https://e/c\",\"label\":\"l\"}],\"chapters\":[{\"time\":0,\"title\":\"t\"},{"
         "\"time\":60,\"title\":\"u\"}],\"transcript\":\"r\"}]}",
    HEAD "{\"type\":\"audio\",\"name\":\"n\",\"url\":[{\"href\":\"https://e/a\",\"mediaType\":"
         "\"audio/ogg\"}],\"duration\":\"PT1H\",\"summary\":\"s\",\"attributedTo\":\"b\","
         "\"partOf\":\"p\",\"transcript\":\"r\"}]}",
};

static enum adit_code read_and_write(struct adit_str line, struct adit_mem mem,
                                     struct adit_buf *out)
{
    struct adit_buf scratch;
    struct adit_arena arena;
    struct adit_scp_page judged;
    struct adit_page page;
    adit_buf_init(&scratch, mem, 20000);
    adit_arena_init(&arena, mem, 1 << 20);
    enum adit_code code = judge(line, &scratch, &judged) == ADIT_SCP_GOOD ? ADIT_OK : ADIT_EBAD;
    if (scratch.err) code = scratch.err;
    if (code == ADIT_OK) code = adit_scp_page_read(&judged, &arena, &page);
    if (code == ADIT_OK) code = adit_scp_page_write(&page, out);
    if (code == ADIT_OK) code = out->err;
    adit_arena_free(&arena);
    adit_buf_free(&scratch);
    return code;
}

TEST(reads_what_is_written)
{
    for (size_t i = 0; i < ADIT_COUNT(round_trips); i++) {
        struct adit_buf out;
        adit_buf_init(&out, tap_mem, 1 << 20);
        eq_int(read_and_write(adit_str_z(round_trips[i]), tap_mem, &out), ADIT_OK, "read, write");
        eq_str(adit_buf_str(&out), adit_str_z(round_trips[i]), "the same line comes back");
        adit_buf_free(&out);
    }
}

static void reads_as(const char *content, const char *want, const char *what)
{
    char line[2000], expected[2000];
    struct adit_buf out;
    snprintf(line, sizeof line, "%s%s]}", HEAD, content);
    snprintf(expected, sizeof expected, "%s%s]}", HEAD, want);
    adit_buf_init(&out, tap_mem, 1 << 20);
    read_and_write(adit_str_z(line), tap_mem, &out);
    eq_str(adit_buf_str(&out), adit_str_z(expected), what);
    adit_buf_free(&out);
}

#define TEXT "{\"type\":\"text\",\"text\":\"x\"}"

TEST(mends)
{
    reads_as(TEXT ",{\"type\":\"heading\",\"level\":9,\"text\":\"h\"}",
             TEXT ",{\"type\":\"heading\",\"level\":6,\"text\":\"h\"}", "levels are clamped");
    reads_as(TEXT ",{\"type\":\"new\",\"x\":[{}]},7," TEXT, TEXT "," TEXT,
             "unknown blocks are passed over");
    reads_as(TEXT ",{\"type\":\"link\",\"text\":\"x\",\"url\":\"javascript:x\"}", TEXT,
             "bad URLs go with their block");
    reads_as("{\"type\":\"table\",\"rows\":[[\"a\"],[\"b\",\"c\"]]}",
             "{\"type\":\"table\",\"rows\":[[\"a\",\"\"],[\"b\",\"c\"]]}",
             "rows get the width of the widest");
    reads_as("{\"text\":\"\\ud800\",\"type\":\"text\"}",
             "{\"type\":\"text\",\"text\":\"\xEF\xBF\xBD\"}", "half a pair is U+FFFD");
    reads_as("{\"type\":\"code\",\"code\":\"x\",\"language\":5}",
             "{\"type\":\"code\",\"code\":\"x\"}", "malformed and optional: left out");
}

static enum adit_code torture(struct adit_mem mem, void *ctx)
{
    struct adit_buf out;
    adit_buf_init(&out, mem, 1 << 20);
    enum adit_code code = read_and_write(adit_str_z(ctx), mem, &out);
    adit_buf_free(&out);
    return code;
}

TEST(without_memory)
{
    static char line[4000];
    for (size_t i = 0; i < ADIT_COUNT(round_trips); i++) {
        snprintf(line, sizeof line, "%s", round_trips[i]);
        tap_torture(torture, line, "every allocation failing");
    }
}

/* --- versions --------------------------------------------------------------------------------- */

static struct adit_scp_page page_of(const char *line)
{
    static struct adit_buf scratch;
    struct adit_scp_page page;
    if (!scratch.max) adit_buf_init(&scratch, tap_mem, 20000);
    judge(adit_str_z(line), &scratch, &page);
    return page;
}

static void pieces_are(const char *line, bool without_modified, const char *want, const char *what)
{
    struct adit_scp_page page = page_of(line);
    struct adit_str pieces[3];
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 4000);
    size_t n = adit_scp_page_pieces(&page, without_modified, pieces);
    for (size_t i = 0; i < n; i++) adit_buf_add(&b, pieces[i]);
    eq_str(adit_buf_str(&b), adit_str_z(want), what);
    adit_buf_free(&b);
}

#define REST "\"title\":\"\",\"description\":\"\",\"language\":\"en\",\"content\":[]}"
#define M    "\"modified\":\"2000-01-01T00:00:00Z\""

TEST(pieces)
{
    pieces_are("{\"url\":\"https://e/\"," M "," REST, false, "{\"url\":\"https://e/\"," M "," REST,
               "the line itself");
    pieces_are("{\"url\":\"https://e/\"," M "," REST, true, "{\"url\":\"https://e/\"," REST,
               "without modified");
    pieces_are("{" M ",\"url\":\"https://e/\"," REST, true, "{\"url\":\"https://e/\"," REST,
               "modified as the first member");
    pieces_are("{\"robots\":[\"x\"],\"url\":\"https://e/\"," M "," REST, false,
               "{\"url\":\"https://e/\"," M "," REST, "without robots");
    pieces_are("{\"url\":\"https://e/\" , \"robots\" : [ ] , " M "," REST, true,
               "{\"url\":\"https://e/\"  ," REST, "both, one behind the other");
}

TEST(compares)
{
    struct adit_scp_page a = page_of("{\"url\":\"https://e/\"," M "," REST);
    struct adit_scp_page b =
        page_of("{\"url\":\"https://e/\",\"modified\":\"2001-01-01T00:00:00+01:00\"," REST);
    struct adit_scp_page c =
        page_of("{\"robots\":[\"noindex\"],\"url\":\"https://e/\"," M "," REST);
    struct adit_scp_page d = page_of("{\"url\":\"https://f/\"," M "," REST);
    ok(adit_scp_page_same(&a, &b), "the same but for modified");
    ok(adit_scp_page_same(&a, &c), "the same but for robots");
    ok(!adit_scp_page_same(&a, &d), "not the same");
    struct adit_time old = {1, 0}, new = {2, 0};
    ok(adit_scp_page_cmp(&b, old, &a, new) > 0, "the later modified wins");
    ok(adit_scp_page_cmp(&a, new, &d, old) > 0, "then the later collection");
    ok(adit_scp_page_cmp(&d, old, &a, old) > 0, "then the greater line");
}

/* --- metadata and checksum -------------------------------------------------------------------- */

#define L1A                                                                                      \
    "{\"collection\":{\"id\":\"test\",\"section\":\"blog\",\"type\":\"snapshot\",\"generated\":" \
    "\"2025-01-15T10:00:00Z\",\"version\":\"0.1\""
#define SUM \
    ",\"checksum\":\"sha256:06014f64ce16c7a449a9e434370cb93f3acea9f27c0464670949e32a6e9bbdde\""
#define PAGES                                                                                   \
    "{\"url\":\"https://example.com/"                                                           \
    "\",\"title\":\"Home\",\"description\":\"Homepage\",\"modified\":\"2025-01-15T10:00:00Z\"," \
    "\"language\":\"en\",\"content\":[{\"type\":\"text\",\"text\":\"Welcome\"}]}"

TEST(metadata)
{
    struct adit_scp_meta m = {.id = ADIT_STR("test"),
                              .section = ADIT_STR("blog"),
                              .generated = ADIT_STR("2025-01-15T10:00:00Z")};
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 4000);
    adit_scp_meta_write(&b, &m);
    eq_str(adit_buf_str(&b), ADIT_STR(L1A "}}"), "a snapshot without checksum");
    adit_buf_clear(&b);
    m.checksum = ADIT_STR("sha256:x"), m.delta = true, m.since = ADIT_STR("S");
    adit_scp_meta_write(&b, &m);
    eq_str(adit_buf_str(&b),
           ADIT_STR("{\"collection\":{\"id\":\"test\",\"section\":\"blog\",\"type\":\"delta\","
                    "\"generated\":\"2025-01-15T10:00:00Z\",\"since\":\"S\",\"version\":\"0.1\","
                    "\"checksum\":\"sha256:x\"}}"),
           "a delta, its checksum last");
    adit_buf_free(&b);
}

/* The rule by which a file (whose digits are replaced by those of `hashed`) is found right. */
static enum adit_scp_checksum_rule rule_of(const char *file, size_t step)
{
    struct adit_scp_judge j = {.limits = &adit_scp_limits};
    struct adit_arena arena;
    struct adit_str all = adit_str_z(file), first, line;
    struct adit_scp_meta meta;
    struct adit_scp_range cut;
    struct adit_scp_checksum c;
    adit_arena_init(&arena, tap_mem, 10000);
    first = adit_str_sub(all, 0, adit_str_chr(all, '\n', 0) + 1);
    line = adit_str_trim(first);
    enum adit_scp_checksum_rule rule = ADIT_SCP_CHECKSUM_RULES;
    if (adit_scp_meta_read(line, &arena, &j, &meta, &cut.from, &cut.to) &&
        adit_scp_checksum_init(&c, true, first, cut, meta.checksum) == ADIT_OK) {
        for (size_t at = first.len; at < all.len; at += step)
            adit_scp_checksum_add(&c, adit_str_sub(all, at, at + step));
        rule = adit_scp_checksum_end(&c);
    }
    adit_arena_free(&arena);
    return rule;
}

/* Puts the hash of `hashed` into the file's digits. */
static const char *with_hash_of(const char *file, const char *hashed)
{
    static char out[4000];
    uint8_t hash[ADIT_SHA256_LEN];
    char *digits;
    snprintf(out, sizeof out, "%s", file);
    adit_sha256_of(adit_str_z(hashed), hash);
    digits = strstr(out, "sha256:");
    for (size_t i = 0; digits && i < sizeof hash; i++) {
        char two[3];
        snprintf(two, sizeof two, "%02x", hash[i]);
        memcpy(digits + 7 + 2 * i, two, 2);
    }
    return out;
}

TEST(checksum)
{
    static const char file[] = L1A SUM "}}\n" PAGES;
    eq_int(rule_of(file, 1000), ADIT_SCP_DETACHED, "the known file");
    for (size_t step = 1; step < 9; step++)
        eq_int(rule_of(file, step), ADIT_SCP_DETACHED, "in parts");
    eq_int(rule_of(L1A SUM "}}\n" PAGES "\n", 7), ADIT_SCP_DETACHED_LF, "one LF more");
    eq_int(rule_of(with_hash_of(L1A SUM "}}\n" PAGES, L1A "}}\n" PAGES "\n"), 7),
           ADIT_SCP_DETACHED_LF, "one LF less");
    eq_int(rule_of(with_hash_of(file, PAGES), 7), ADIT_SCP_PAGES, "pages only");
    eq_int(rule_of(with_hash_of(file, L1A ",\"checksum\":\"sha256:00000000000000000000000000000000"
                                          "00000000000000000000000000000000\"}}\n" PAGES),
                   7),
           ADIT_SCP_ZEROED, "digits zeroed");
    eq_int(rule_of(with_hash_of(file, "something else"), 7), ADIT_SCP_CHECKSUM_RULES, "none fits");
    /* The member as the first, with white space, alone on its line, and in capitals. */
    eq_int(rule_of(with_hash_of("{\"collection\":{ \"checksum\" : \"sha256:"
                                "0601000000000000000000000000000000000000000000000000000000000000"
                                "\" , \"id\":\"t\",\"section\":\"s\",\"type\":\"snapshot\","
                                "\"generated\":\"2025-01-15T10:00:00Z\",\"version\":\"0.1\"}}\r\n",
                                "{\"collection\":{  \"id\":\"t\",\"section\":\"s\",\"type\":"
                                "\"snapshot\",\"generated\":\"2025-01-15T10:00:00Z\",\"version\":"
                                "\"0.1\"}}\r\n"),
                   7),
           ADIT_SCP_DETACHED, "the first member, white space, CRLF, no page");
}

RUN_TESTS(reads_what_is_written, mends, without_memory, pieces, compares, metadata, checksum)
