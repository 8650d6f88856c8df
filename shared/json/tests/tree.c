/* Trees: that they say what the text says, where it stands, and that hostile texts stay small; and
 * objects by rows, there and back. */
#include "json/json.h"
#include "tests/tap.h"

#define S(lit) ADIT_STR(lit)

static struct adit_arena arena;

static struct adit_json_value tree_of(struct adit_str text)
{
    struct adit_json_value v = {0};
    if (adit_json_tree(text, &arena, &v, NULL) != ADIT_OK) return (struct adit_json_value){0};
    return v;
}

static struct adit_str text_at(struct adit_json_value v, const char *key)
{
    bool room = true;
    return adit_json_text(adit_json_get(v, adit_str_z(key)), &arena, &room);
}

/* Every value of the text is met in the tree, in the same order, of the same kind, at the same place,
 * and with the same meaning. */
static bool same(struct adit_json_value tree, struct adit_json_value text)
{
    struct adit_json_iter a = adit_json_iter(tree), b = adit_json_iter(text);
    struct adit_json_member x, y;
    bool room = true;
    if (tree.kind != text.kind || tree.raw.p != text.raw.p || tree.raw.len != text.raw.len ||
        !adit_str_eq(adit_json_text(tree, &arena, &room), adit_json_text(text, &arena, &room)))
        return false;
    while (adit_json_next(&b, &y))
        if (!adit_json_next(&a, &x) || !adit_json_is(y.key, x.key) || !same(x.value, y.value))
            return false;
    return !adit_json_next(&a, &x);
}

TEST(trees)
{
    static const char *const texts[] = {
        "0",
        " -1.5e300 ",
        "\"\"",
        " \"a\\\"b\" ",
        "true",
        "null",
        "[]",
        "{}",
        "[ [ ] , { } ]",
        " { \"a\" : [ 1 , \"x\" , { \"b\" : false } ] , \"c\" : \"\\u00e9\" } ",
        "\"\\n\\ud83d\\ude00\\ud800\"",
        "{\"\\u0061\":1,\"a\":2,\"\":[[[\"deep\"]],null,true]}",
        "[123456789012345678901234567890123456789012345678901234567890123456789012345678901234,1]",
    };
    for (size_t i = 0; i < ADIT_COUNT(texts); i++) {
        struct adit_json_value v, t = tree_of(adit_str_z(texts[i]));
        adit_json_check(adit_str_z(texts[i]), &v, NULL);
        ok(t.node && same(t, v), texts[i]);
    }
}

TEST(meanings)
{
    struct adit_json_value v = tree_of(S("{\"a\":1,\"a\":\"last\",\"z\":\"x\\u0000y\","
                                         "\"s\":\"\\ud800!\",\"\\\\u0061\":\"key\",\"n\":42}"));
    uint64_t n = 0;
    eq_str(text_at(v, "a"), S("last"), "of two members with one name the last counts");
    eq_str(text_at(v, "z"), S("xy"), "U+0000 is dropped");
    eq_str(text_at(v, "s"), S("\xEF\xBF\xBD!"), "a lone surrogate is U+FFFD");
    eq_str(text_at(v, "\\u0061"), S("key"), "a key is compared by what it means");
    ok(adit_json_u64(adit_json_get(v, S("n")), &n) && n == 42, "a number is its own text");
    ok(adit_json_get(v, S("N")).kind == ADIT_JSON_NONE, "names are compared with their case");
}

TEST(refused)
{
    static const struct {
        const char *text;
        size_t pos;
    } bad[] = {{"", 0}, {"{\"a\":1,}", 7}, {"[1 2]", 3}, {"nul", 3}, {"{} x", 3}};
    for (size_t i = 0; i < ADIT_COUNT(bad); i++) {
        struct adit_json_value v;
        struct adit_error err = {0};
        ok(adit_json_tree(adit_str_z(bad[i].text), &arena, &v, &err) != ADIT_OK, bad[i].text);
        eq_int(err.pos, bad[i].pos, "at its place");
    }
    char deep[2 * ADIT_LIMIT_json_depth + 2];
    for (size_t i = 0; i < sizeof deep; i++) deep[i] = i < sizeof deep / 2 ? '[' : ']';
    struct adit_json_value v;
    eq_int(adit_json_tree(adit_str_of(deep, sizeof deep), &arena, &v, NULL), ADIT_ELIMIT,
           "too deep");
    eq_int(adit_json_tree(adit_str_of(deep + 1, sizeof deep - 2), &arena, &v, NULL), ADIT_OK,
           "just not too deep");
}

/* --- rows ------------------------------------------------------------------------------------- */

struct part {
    struct adit_str name;
    uint64_t size;
};
struct thing {
    struct adit_str title, note, raw;
    uint64_t count, mask;
    bool flag;
    enum { RED, GREEN } colour;
    struct adit_time at;
    uint8_t sha[32];
    struct part *parts;
    size_t n_parts;
    struct adit_str words[3];
    size_t n_words;
    uint64_t sum;
    uint8_t key[3];
    bool has_key;
};
static const char *const colours[] = {"red", "green", NULL};
static const struct adit_json_row part_rows[] = {
    {ADIT_ROW("name", struct part, name, TEXT, ADIT_ROW_NEEDED)},
    {ADIT_ROW("size", struct part, size, UINT, 0)},
    {0}};
static const struct adit_json_list parts = {.rows = part_rows,
                                            .size = sizeof(struct part),
                                            .n_at = offsetof(struct thing, n_parts),
                                            .max = 2};
static const struct adit_json_row word = {.kind = ADIT_ROW_TEXT};
static const struct adit_json_list words = {.item = &word,
                                            .size = sizeof(struct adit_str),
                                            .n_at = offsetof(struct thing, n_words),
                                            .max = 3,
                                            .inside = true};
static const struct adit_json_row inner_rows[] = {
    {ADIT_ROW("mask", struct thing, mask, HEX, 0)},
    {ADIT_ROW("sha", struct thing, sha, SHA256, ADIT_ROW_NEEDED)},
    {0}};
static void write_sum(struct adit_json_writer *w, const void *from)
{
    adit_json_uint(w, ((const struct thing *)from)->sum + 1);
}
static enum adit_code read_sum(struct adit_json_value v, void *to, struct adit_arena *a)
{
    struct thing *t = to;
    (void)a;
    if (!adit_json_u64(v, &t->sum)) return ADIT_EBAD;
    t->sum--;
    return ADIT_OK;
}
static bool is_short(struct adit_str s) { return s.len < 10; }
static const struct adit_json_row rows[] = {
    {ADIT_ROW("at", struct thing, at, TIME, ADIT_ROW_STRICT)},
    {ADIT_ROW("colour", struct thing, colour, CHOICE, ADIT_ROW_STRICT), .names = colours},
    {ADIT_ROW("count", struct thing, count, UINT, ADIT_ROW_SPARSE)},
    {ADIT_ROW("flag", struct thing, flag, BOOL, ADIT_ROW_SPARSE)},
    {.key = "inner", .kind = ADIT_ROW_PART, .flags = ADIT_ROW_NEEDED, .rows = inner_rows},
    {ADIT_ROW("key", struct thing, key, BYTES, ADIT_ROW_HAS | ADIT_ROW_STRICT), .size = 3,
     .has_at = offsetof(struct thing, has_key)},
    {.key = "kind", .kind = ADIT_ROW_CONST, .text = "thing"},
    {ADIT_ROW("note", struct thing, note, TEXT, ADIT_ROW_SPARSE), .fits = is_short},
    {ADIT_ROW("parts", struct thing, parts, LIST, ADIT_ROW_STRICT), .list = &parts},
    {ADIT_ROW("raw", struct thing, raw, RAW, ADIT_ROW_SPARSE)},
    {.key = "sum", .kind = ADIT_ROW_OWN, .read = read_sum, .write = write_sum},
    {ADIT_ROW("title", struct thing, title, TEXT, ADIT_ROW_NEEDED)},
    {ADIT_ROW("words", struct thing, words, LIST, 0), .list = &words},
    {0}};

#define INNER                                                    \
    "\"inner\":{\"mask\":\"00000000000000ff\",\"sha\":\"sha256:" \
    "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20\"}"
#define FULL                                                                                       \
    "{\"at\":\"2000-01-15T10:30:00Z\",\"colour\":\"green\",\"count\":7,\"flag\":true," INNER       \
    ",\"key\":\"AQL_\",\"kind\":\"thing\",\"note\":\"n\\\"\",\"parts\":[{\"name\":\"p\",\"size\":" \
    "1},"                                                                                          \
    "{\"name\":\"q\",\"size\":0}],\"raw\":{\"a\": 1},\"sum\":5,\"title\":\"t\","                   \
    "\"words\":[\"x\",\"\"]}"

static enum adit_code read_thing(struct adit_str text, bool tree, struct thing *t)
{
    struct adit_json_value v;
    *t = (struct thing){0};
    ADIT_TRY(tree ? adit_json_tree(text, &arena, &v, NULL) : adit_json_check(text, &v, NULL));
    return adit_json_object_read(v, rows, t, &arena, NULL);
}

TEST(there_and_back)
{
    for (int tree = 0; tree < 2; tree++) {
        struct thing t;
        struct adit_buf out;
        struct adit_json_writer w = {.out = &out};
        adit_buf_init(&out, tap_mem, 4096);
        eq_int(read_thing(S(FULL), tree, &t), ADIT_OK, tree ? "read as a tree" : "read as text");
        ok(t.count == 7 && t.flag && t.colour == GREEN && t.mask == 255 && t.sha[31] == 32 &&
               t.sum == 4 && t.has_key && t.key[2] == 255 && t.n_parts == 2 && t.n_words == 2 &&
               t.at.s == 947932200,
           "every member has arrived");
        eq_str(t.note, S("n\""), "escapes are read");
        adit_json_object_write(&w, rows, &t);
        eq_str(adit_buf_str(&out), S(FULL), "what is written is what was read");
        adit_buf_free(&out);
    }
}

TEST(faults)
{
    static const struct {
        const char *text;
        enum adit_code code;
        const char *what;
    } cases[] = {
        {"{" INNER ",\"title\":\"t\"}", ADIT_OK, "what is not needed may be absent"},
        {"{" INNER ",\"title\":\"\"}", ADIT_EBAD, "a needed text is not empty"},
        {"{" INNER "}", ADIT_EBAD, "a needed text is there"},
        {"{\"title\":\"t\"}", ADIT_EBAD, "a needed part is there"},
        {"{\"inner\":{\"sha\":\"sha256:12\"},\"title\":\"t\"}", ADIT_EBAD, "a hash has 64 digits"},
        {"{" INNER ",\"title\":\"t\",\"count\":-1}", ADIT_OK, "malformed: as if it were not there"},
        {"{" INNER ",\"title\":\"t\",\"count\":1e3}", ADIT_OK, "digits only"},
        {"{" INNER ",\"title\":\"t\",\"colour\":\"blue\"}", ADIT_EBAD, "but not if it is strict"},
        {"{" INNER ",\"title\":\"t\",\"at\":\"yesterday\"}", ADIT_EBAD, "nor for a time"},
        {"{" INNER ",\"title\":\"t\",\"parts\":[{}]}", ADIT_EBAD, "an element lacks its member"},
        {"{" INNER
         ",\"title\":\"t\",\"parts\":[{\"name\":\"a\"},{\"name\":\"a\"},{\"name\":\"a\"}]}",
         ADIT_ELIMIT, "a list has its limit"},
        {"{" INNER ",\"title\":\"t\",\"key\":\"AQI\"}", ADIT_EBAD, "bytes have their number"},
        {"[]", ADIT_EBAD, "only objects have members"},
    };
    struct thing t;
    for (size_t i = 0; i < ADIT_COUNT(cases); i++)
        eq_int(read_thing(adit_str_z(cases[i].text), true, &t), cases[i].code, cases[i].what);
    eq_int(read_thing(S("{" INNER ",\"title\":\"t\",\"note\":\"0123456789\"}"), true, &t), ADIT_OK,
           "a text that does not fit is passed over");
}

static enum adit_code read_all(struct adit_mem mem, void *ctx)
{
    struct adit_arena a;
    struct adit_json_value v;
    struct thing t = {0};
    (void)ctx;
    adit_arena_init(&a, mem, 1 << 20);
    enum adit_code code = adit_json_tree(S(FULL), &a, &v, NULL);
    if (code == ADIT_OK) code = adit_json_object_read(v, rows, &t, &a, NULL);
    adit_arena_free(&a);
    return code;
}

TEST(memory)
{
    tap_torture(read_all, NULL, "every allocation fails once, and nothing leaks");
    struct adit_arena small;
    struct adit_json_value v;
    adit_arena_init(&small, tap_mem, 200);
    eq_int(adit_json_tree(S(FULL), &small, &v, NULL), ADIT_ENOMEM, "a full arena is no memory");
    adit_arena_free(&small);
}

TEST(begin) { adit_arena_init(&arena, tap_mem, 1 << 20); }
TEST(end) { adit_arena_free(&arena); }

RUN_TESTS(begin, trees, meanings, refused, there_and_back, faults, memory, end)
