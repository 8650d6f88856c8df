/* Canonical form and mended copies. */
#include "json/json.h"
#include "json/tree_impl.h"
#include "tests/tap.h"

#define S(lit) ADIT_STR(lit)

static struct adit_buf b;
static struct adit_error err;

static enum adit_code rewrite(struct adit_str s, const struct adit_json_rewrite *how)
{
    adit_buf_clear(&b);
    err = (struct adit_error){0};
    return adit_json_rewrite(s, how, tap_mem, &b, &err);
}

static const struct {
    const char *in, *out;
} canonical[] = {
    {" { } ", "{}"},
    {"[ ]", "[]"},
    {"[ 1 , [ 2 , { } ] , \"x\" ]", "[1,[2,{}],\"x\"]"},
    {"{\"b\":1,\"a\":{\"d\":1,\"c\":[{\"z\":0,\"y\":0}]}}",
     "{\"a\":{\"c\":[{\"y\":0,\"z\":0}],\"d\":1},\"b\":1}"},
    {"{\"a\":1,\"\":2,\"aa\":3,\"A\":4}", "{\"\":2,\"A\":4,\"a\":1,\"aa\":3}"},
    /* RFC 8785, 3.2.3 */
    {"{\"\\u20ac\":\"Euro Sign\",\"\\r\":\"Carriage Return\",\"\\ufb33\":\"Hebrew Letter Dalet "
     "With "
     "Dagesh\",\"1\":\"One\",\"\\ud83d\\ude00\":\"Emoji: Grinning "
     "Face\",\"\\u0080\":\"Control\",\"\\u00f6\":\"Latin "
     "Small Letter O With Diaeresis\"}",
     "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\xC2\x80\":\"Control\",\"\xC3\xB6\":\"Latin "
     "Small Letter O With "
     "Diaeresis\",\"\xE2\x82\xAC\":\"Euro Sign\",\"\xF0\x9F\x98\x80\":\"Emoji: Grinning "
     "Face\",\"\xEF\xAC\xB3\":\"Hebrew Letter Dalet With Dagesh\"}"},
    /* RFC 8785, 3.2.2 */
    {"{\"numbers\":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"
     "\"string\":\"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/"
     "\",\"literals\":[null,true,false]}",
     "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
     "\"string\":\"\xE2\x82\xAC$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}"},
    {"-0", "0"},
    {"\"\\u007f\\u2028\"", "\"\x7f\xE2\x80\xA8\""},
};

TEST(test_canonical)
{
    adit_buf_init(&b, tap_mem, 4 << 20);
    for (size_t i = 0; i < ADIT_COUNT(canonical); i++) {
        eq_int(rewrite(adit_str_z(canonical[i].in), &adit_json_canonical), ADIT_OK, "canonical");
        eq_str(adit_buf_str(&b), adit_str_z(canonical[i].out), canonical[i].in);
    }
    eq_int(rewrite(S("{\"a\":1,\"b\":2,\"\\u0061\":3}"), &adit_json_canonical), ADIT_EBAD, "twice");
    eq_int(err.pos, 22, "at the second");
    eq_int(rewrite(S("[\"x\\ud800\"]"), &adit_json_canonical), ADIT_EBAD, "lone surrogate");
    eq_int(err.pos, 3, "its place");
    eq_int(rewrite(S("[\"\\udc00\\ud800\"]"), &adit_json_canonical), ADIT_EBAD, "wrong order");
    eq_int(rewrite(S("[\"\\uD800\\uDBFF\"]"), &adit_json_canonical), ADIT_EBAD, "two high ones");
    eq_int(rewrite(S("{\"\\ud800\":1}"), &adit_json_canonical), ADIT_EBAD, "in a key");
    eq_int(rewrite(S("[\"\\uD83D\\uDE00\\\\ud800\"]"), &adit_json_canonical), ADIT_OK,
           "a pair is fine");
    eq_int(rewrite(S("[1e400]"), &adit_json_canonical), ADIT_EBAD, "too large a number");
    eq_int(rewrite(S("[1] x"), &adit_json_canonical), ADIT_EBAD, "text behind");
    eq_int(rewrite(S("[1"), &adit_json_canonical), ADIT_EEOF, "cut");
    eq_int(rewrite(S("\xEF\xBB\xBF[1]"), &adit_json_canonical), ADIT_EBAD, "byte order mark");
    eq_int(rewrite(S("[\"\xFF\"]"), &adit_json_canonical), ADIT_EBAD, "ill-formed UTF-8");
    eq_int(rewrite((struct adit_str){0}, &adit_json_canonical), ADIT_EEOF, "nothing");
}

TEST(test_omit)
{
    struct adit_json_rewrite how = adit_json_canonical;
    how.omit = S("hash");
    rewrite(S("{\"z\":{\"hash\":1},\"hash\":\"x\",\"a\":1}"), &how);
    eq_str(adit_buf_str(&b), S("{\"a\":1,\"z\":{\"hash\":1}}"), "only at the top");
    rewrite(S("{\"hash\":\"x\"}"), &how);
    eq_str(adit_buf_str(&b), S("{}"), "the only member");
    rewrite(S("{\"a\":1,\"hash\":\"x\"}"), &how);
    eq_str(adit_buf_str(&b), S("{\"a\":1}"), "the last member");
    rewrite(S("[{\"hash\":\"x\"}]"), &how);
    eq_str(adit_buf_str(&b), S("[{\"hash\":\"x\"}]"), "not in an array");
}

static const struct {
    struct adit_str in, out;
} copies[] = {
    {ADIT_STR_INIT("{\"b\":1.50,\"a\":-0,\"c\":1E5}"),
     ADIT_STR_INIT("{\"b\":1.50,\"a\":-0,\"c\":1E5}")},
    {ADIT_STR_INIT("{\"a\":1,\"b\":2,\"a\":3}"), ADIT_STR_INIT("{\"b\":2,\"a\":3}")},
    {ADIT_STR_INIT("{\"a\":{\"x\":1},\"b\":2,\"\\u0061\":3,\"a\":4}"),
     ADIT_STR_INIT("{\"b\":2,\"a\":4}")},
    {ADIT_STR_INIT("[\"\\ud800\",\"\\udc00x\"]"),
     ADIT_STR_INIT("[\"\xEF\xBF\xBD\",\"\xEF\xBF\xBDx\"]")},
    {ADIT_STR_INIT("[\"line\nbreak\ttab\"]"), ADIT_STR_INIT("[\"line\\nbreak\\ttab\"]")},
    {ADIT_STR_INIT("\xEF\xBB\xBF {\"a\":\"\xFF\"} trailing"),
     ADIT_STR_INIT("{\"a\":\"\xEF\xBF\xBD\"}")},
    {ADIT_STR_INIT("\f\v[1,\x01 2]"), ADIT_STR_INIT("[1,2]")},
    {ADIT_STR_INIT("[1e400,123456789012345678901234567890]"),
     ADIT_STR_INIT("[1e400,123456789012345678901234567890]")},
};

TEST(test_copy)
{
    struct adit_json_value v;
    for (size_t i = 0; i < ADIT_COUNT(copies); i++) {
        eq_int(rewrite(copies[i].in, &adit_json_copy), ADIT_OK, "copied");
        eq_str(adit_buf_str(&b), copies[i].out, "mended");
        eq_int(adit_json_check(adit_buf_str(&b), &v, NULL), ADIT_OK, "strict now");
    }
    eq_int(rewrite(S("[1,]"), &adit_json_copy), ADIT_EBAD, "what cannot be mended is refused");
    eq_int(rewrite(S("{a:1}"), &adit_json_copy), ADIT_EBAD, "bare key");
}

/* Of the same kinds, at the same places, with the same texts. */
static bool same_trees(struct adit_json_value v, struct adit_json_value w, size_t *values)
{
    struct adit_json_iter x = adit_json_iter(v), y = adit_json_iter(w);
    struct adit_json_member m, n;
    ++*values;
    if (v.kind != w.kind || !v.node || !w.node || !adit_str_eq(v.raw, w.raw) ||
        v.node->valueint != w.node->valueint ||
        !adit_str_eq(adit_json_inside(v), adit_json_inside(w)))
        return false;
    while (adit_json_next(&x, &m))
        if (!adit_json_next(&y, &n) || !adit_str_eq(m.key, n.key) ||
            !same_trees(m.value, n.value, values))
            return false;
    return !adit_json_next(&y, &n);
}

/* The tree of a copy is the one that reading the copy gives, and has the same limit of values. */
TEST(test_copy_tree)
{
    static const char *const more[] = {
        "7",
        "\"\"",
        " [ ] ",
        "{}",
        "[[],{},[[{}]],null,true,false]",
        "{\"a\":[1,{\"b\":\"x\\u0000y\",\"c\\\"\":{}}],\"a\":[[2]],\"\":-1e5}",
        "{\"d\":\"\\ud83d\\ude00\",\"\\ud83d\":3}",
        "[\"a\\\\\", \"b]}\" ,\"\\\"\"\n,\t{ \"k\" : 1 , \"l\":[ ] }]"};
    struct adit_arena arena;
    adit_arena_init(&arena, tap_mem, 1 << 20);
    for (size_t i = 0; i < ADIT_COUNT(copies) + ADIT_COUNT(more); i++) {
        struct adit_str in =
            i < ADIT_COUNT(copies) ? copies[i].in : adit_str_z(more[i - ADIT_COUNT(copies)]);
        struct adit_json_value made = {0}, read = {0};
        size_t left = 100, n = 0;
        rewrite(in, &adit_json_copy);
        adit_json_tree(adit_buf_str(&b), &arena, &read, NULL);
        eq_int(adit_json_rewrite_tree(in, &adit_json_copy, &left, 1000, &arena, &made, NULL),
               ADIT_OK, "a tree of a copy");
        ok(same_trees(made, read, &n), in.p);
        eq_int(left, 100 - n, "values that are left");
        left = n - 1;
        eq_int(adit_json_rewrite_tree(in, &adit_json_copy, &left, 1000, &arena, &made, NULL),
               ADIT_ELIMIT, "a value too many");
        eq_int(left, n - 1, "none is taken");
        left = n;
        eq_int(adit_json_rewrite_tree(in, &adit_json_copy, &left, b.len, &arena, &made, NULL),
               ADIT_OK, "just as many, and as long");
        left = n;
        eq_int(adit_json_rewrite_tree(in, &adit_json_copy, &left, b.len - 1, &arena, &made, NULL),
               ADIT_ELIMIT, "a byte too long");
    }
    size_t left = 100;
    struct adit_json_value none = {0};
    eq_int(adit_json_rewrite_tree(S("[1,]"), &adit_json_copy, &left, 1000, &arena, &none, NULL),
           ADIT_EBAD, "no tree of what cannot be mended");
    ok(none.kind == ADIT_JSON_NONE && left == 100, "and nothing taken");
    adit_arena_free(&arena);
}

/* Many members: not quadratic, and in order. */
TEST(test_many)
{
    struct adit_buf in;
    adit_buf_init(&in, tap_mem, 4 << 20);
    adit_buf_byte(&in, '{');
    for (unsigned i = 0; i < 50000; i++) {
        if (i) adit_buf_byte(&in, ',');
        adit_buf_byte(&in, '"');
        adit_buf_pad(&in, (i * 7919u) % 50000, 6);
        adit_buf_lit(&in, "\":");
        adit_buf_u64(&in, i);
    }
    adit_buf_byte(&in, '}');
    eq_int(rewrite(adit_buf_str(&in), &adit_json_canonical), ADIT_OK, "50000 members");
    bool sorted = true;
    struct adit_json_value v;
    struct adit_json_member m;
    adit_json_check(adit_buf_str(&b), &v, NULL);
    struct adit_json_iter it = adit_json_iter(v);
    struct adit_str last = S("");
    size_t n = 0;
    for (; adit_json_next(&it, &m); n++, last = m.key)
        sorted = sorted && adit_str_cmp(last, m.key) < 0;
    ok(sorted && n == 50000, "sorted");
    adit_buf_free(&in);
}

TEST(test_depth)
{
    struct adit_buf in;
    adit_buf_init(&in, tap_mem, 1 << 20);
    for (int d = ADIT_LIMIT_json_depth - 1; d <= ADIT_LIMIT_json_depth + 1; d++) {
        adit_buf_clear(&in);
        for (int i = 0; i < d; i++) adit_buf_lit(&in, i % 2 ? "[" : "{\"k\":");
        adit_buf_lit(&in, "1");
        for (int i = d; i-- > 0;) adit_buf_byte(&in, i % 2 ? ']' : '}');
        enum adit_code want = d <= ADIT_LIMIT_json_depth ? ADIT_OK : ADIT_ELIMIT;
        eq_int(rewrite(adit_buf_str(&in), &adit_json_canonical), want, "depth");
        if (want == ADIT_OK) eq_str(adit_buf_str(&b), adit_buf_str(&in), "as it was");
    }
    adit_buf_free(&in);
}

static enum adit_code torture(struct adit_mem mem, void *ctx)
{
    struct adit_buf out;
    adit_buf_init(&out, mem, 1 << 16);
    enum adit_code code = adit_json_rewrite(
        S("{\"b\\n\":[1,\"\\u00e9\",{\"x\":\"\xFF\"}],\"a\":{}}"), ctx, mem, &out, NULL);
    adit_buf_free(&out);
    return code;
}

static enum adit_code torture_tree(struct adit_mem mem, void *ctx)
{
    struct adit_arena arena;
    struct adit_json_value v;
    size_t values = 100;
    adit_arena_init(&arena, mem, 1 << 16);
    enum adit_code code =
        adit_json_rewrite_tree(S("{\"b\\n\":[1,\"\\u00e9\",{\"x\":\"\xFF\"}],\"a\":{}}"), ctx,
                               &values, 1000, &arena, &v, NULL);
    adit_arena_free(&arena);
    return code;
}

TEST(test_memory)
{
    struct adit_json_rewrite how = adit_json_canonical;
    how.repair = true;
    tap_torture(torture, &how, "rewriting survives every failing allocation");
    tap_torture(torture_tree, &how, "with a tree, too");
    struct adit_buf tiny;
    adit_buf_init(&tiny, tap_mem, 5);
    eq_int(adit_json_rewrite(S("[1, 2]"), &how, tap_mem, &tiny, NULL), ADIT_OK, "n fits");
    adit_buf_free(&tiny);
    adit_buf_init(&tiny, tap_mem, 4);
    eq_int(adit_json_rewrite(S("[1, 2]"), &how, tap_mem, &tiny, NULL), ADIT_ELIMIT, "n + 1 not");
    adit_buf_free(&tiny);
    adit_buf_free(&b);
}

RUN_TESTS(test_canonical, test_omit, test_copy, test_copy_tree, test_many, test_depth, test_memory)
