/* The scanner: what is JSON, what is not and where it stops being, and what can be read from it. */
#include "json/json.h"
#include "text/text.h"
#include "tests/tap.h"

#define S(lit) ADIT_STR(lit)

static enum adit_code check(struct adit_str s, struct adit_error *err)
{
    struct adit_json_value v;
    return adit_json_check(s, &v, err);
}

static const char *const good[] = {
    "0",
    "-0",
    "1",
    "10",
    "1.5",
    "-1.25e+10",
    "1E5",
    "0e1",
    "0.0",
    "1e-7",
    "\"\"",
    "\"a\"",
    "true",
    "false",
    "null",
    "[]",
    "{}",
    "[[]]",
    "[{}]",
    "{\"a\":{}}",
    "[1,2,3]",
    "[ 1 , 2 ]",
    " 1 ",
    "\t\n\r 1\n",
    "{\"a\":1,\"b\":2}",
    "{\"a\":1,\"a\":2}",
    "{\"\":0}",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
    "\"\\u0041\"",
    "\"\\uABCD\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud800\"",
    "\"\\udc00\\ud800\"",
    "\"\x7f\"",
    "\"\xC3\xA9\"",
    "\"\xE2\x82\xAC\"",
    "\"\xF0\x9F\x98\x80\"",
    "\"\xEF\xBF\xBF\"",
    "[1,[2,[3]],{\"a\":[]}]",
    "{\"a\":[{\"b\":null}]}",
    "123456789012345678901234567890",
    "\"01234567\\\"89abcdef\"",
    "\"0123456789abcdef\xC3\xA9ghijklmnop\"",
};

static const struct {
    struct adit_str text;
    enum adit_code code;
    size_t pos;
} bad[] = {
    {ADIT_STR_INIT(""), ADIT_EEOF, 0},
    {ADIT_STR_INIT("  "), ADIT_EEOF, 2},
    {ADIT_STR_INIT("+1"), ADIT_EBAD, 0},
    {ADIT_STR_INIT("01"), ADIT_EBAD, 1},
    {ADIT_STR_INIT("-01"), ADIT_EBAD, 2},
    {ADIT_STR_INIT("-"), ADIT_EEOF, 1},
    {ADIT_STR_INIT("-a"), ADIT_EBAD, 1},
    {ADIT_STR_INIT(".5"), ADIT_EBAD, 0},
    {ADIT_STR_INIT("1."), ADIT_EEOF, 2},
    {ADIT_STR_INIT("1.e5"), ADIT_EBAD, 2},
    {ADIT_STR_INIT("1e"), ADIT_EEOF, 2},
    {ADIT_STR_INIT("1e+"), ADIT_EEOF, 3},
    {ADIT_STR_INIT("1ex"), ADIT_EBAD, 2},
    {ADIT_STR_INIT("0x1"), ADIT_EBAD, 1},
    {ADIT_STR_INIT("1 2"), ADIT_EBAD, 2},
    {ADIT_STR_INIT("NaN"), ADIT_EBAD, 0},
    {ADIT_STR_INIT("Infinity"), ADIT_EBAD, 0},
    {ADIT_STR_INIT("tru"), ADIT_EEOF, 3},
    {ADIT_STR_INIT("trux"), ADIT_EBAD, 3},
    {ADIT_STR_INIT("True"), ADIT_EBAD, 0},
    {ADIT_STR_INIT("nullx"), ADIT_EBAD, 4},
    {ADIT_STR_INIT("'a'"), ADIT_EBAD, 0},
    {ADIT_STR_INIT("\""), ADIT_EEOF, 1},
    {ADIT_STR_INIT("\"a"), ADIT_EEOF, 2},
    {ADIT_STR_INIT("\"a\n\""), ADIT_EBAD, 2},
    {ADIT_STR_INIT("\"a\0\""), ADIT_EBAD, 2},
    {ADIT_STR_INIT("\"0123456\t789abc\""), ADIT_EBAD, 8},
    {ADIT_STR_INIT("\"\\x\""), ADIT_EBAD, 2},
    {ADIT_STR_INIT("\"\\0\""), ADIT_EBAD, 2},
    {ADIT_STR_INIT("\"\\\0\""), ADIT_EBAD, 2},
    {ADIT_STR_INIT("\"\\"), ADIT_EEOF, 2},
    {ADIT_STR_INIT("\"\\u12"), ADIT_EEOF, 5},
    {ADIT_STR_INIT("\"\\u12g4\""), ADIT_EBAD, 5},
    {ADIT_STR_INIT("\"\\U0041\""), ADIT_EBAD, 2},
    {ADIT_STR_INIT("\"\x80\""), ADIT_EBAD, 1},
    {ADIT_STR_INIT("\"\xC0\x80\""), ADIT_EBAD, 1},
    {ADIT_STR_INIT("\"\xED\xA0\x80\""), ADIT_EBAD, 1},
    {ADIT_STR_INIT("\"\xF4\x90\x80\x80\""), ADIT_EBAD, 1},
    {ADIT_STR_INIT("\"abcdefgh\xE2\x82\""), ADIT_EBAD, 9},
    {ADIT_STR_INIT("\xEF\xBB\xBF{}"), ADIT_EBAD, 0},
    {ADIT_STR_INIT("["), ADIT_EEOF, 1},
    {ADIT_STR_INIT("[1"), ADIT_EEOF, 2},
    {ADIT_STR_INIT("[1,"), ADIT_EEOF, 3},
    {ADIT_STR_INIT("[1,]"), ADIT_EBAD, 3},
    {ADIT_STR_INIT("[,1]"), ADIT_EBAD, 1},
    {ADIT_STR_INIT("[1 2]"), ADIT_EBAD, 3},
    {ADIT_STR_INIT("[1}"), ADIT_EBAD, 2},
    {ADIT_STR_INIT("[]]"), ADIT_EBAD, 2},
    {ADIT_STR_INIT("[1,,2]"), ADIT_EBAD, 3},
    {ADIT_STR_INIT("{"), ADIT_EEOF, 1},
    {ADIT_STR_INIT("{\"a\""), ADIT_EEOF, 4},
    {ADIT_STR_INIT("{\"a\":"), ADIT_EEOF, 5},
    {ADIT_STR_INIT("{\"a\":}"), ADIT_EBAD, 5},
    {ADIT_STR_INIT("{\"a\" 1}"), ADIT_EBAD, 5},
    {ADIT_STR_INIT("{\"a\":1,}"), ADIT_EBAD, 7},
    {ADIT_STR_INIT("{\"a\":1 \"b\":2}"), ADIT_EBAD, 7},
    {ADIT_STR_INIT("{a:1}"), ADIT_EBAD, 1},
    {ADIT_STR_INIT("{1:1}"), ADIT_EBAD, 1},
    {ADIT_STR_INIT("{\"a\":1]"), ADIT_EBAD, 6},
    {ADIT_STR_INIT("{\"a\":1}}"), ADIT_EBAD, 7},
    {ADIT_STR_INIT("{\"a\":[1}"), ADIT_EBAD, 7},
    {ADIT_STR_INIT("{} // x"), ADIT_EBAD, 3},
    {ADIT_STR_INIT("/**/1"), ADIT_EBAD, 0},
    {ADIT_STR_INIT("[1,\v2]"), ADIT_EBAD, 3},
    {ADIT_STR_INIT("[1,\f2]"), ADIT_EBAD, 3},
    {ADIT_STR_INIT("\xC2\xA0"
                   "1"),
     ADIT_EBAD, 0},
};

TEST(test_grammar)
{
    struct adit_error err;
    for (size_t i = 0; i < ADIT_COUNT(good); i++)
        eq_int(check(adit_str_z(good[i]), &err), ADIT_OK, good[i]);
    for (size_t i = 0; i < ADIT_COUNT(bad); i++) {
        bool right = check(bad[i].text, &err) == bad[i].code && err.code == bad[i].code &&
                     err.pos == bad[i].pos && err.msg;
        if (!ok(right, "refused, at the right place")) {
            tap_show("text", bad[i].text);
            printf("# code %d pos %zu\n", err.code, err.pos);
        }
    }
    eq_int(check((struct adit_str){0}, NULL), ADIT_EEOF, "no text, no error struct");
}

static const char document[] =
    " {\"url\" : \"https://example.com/\",\"title\":\"A \\\"title\\\" \xC3\xA9\\u00e9\\n\","
    "\"list\":[1, 2.5 ,[],{\"x\":[true,false,null]}] , \"o\":{\"a\":{}, "
    "\"b\":\"}]\\\\\"},\"n\":42} ";

TEST(test_truncation)
{
    struct adit_str s = adit_str_z(document);
    bool all = true;
    for (size_t len = 0; len < s.len - 1; len++) {
        /* in exact memory, so that a step too far is seen */
        char *p = malloc(len + 1);
        if (!p) return;
        memcpy(p, s.p, len);
        p = realloc(p, len ? len : 1);
        struct adit_error err = {0};
        if (check(adit_str_of(p, len), &err) != ADIT_EEOF || err.pos != len) all = false;
        free(p);
    }
    ok(all, "cut at every offset: the text ends inside a value");
    eq_int(check(s, NULL), ADIT_OK, "whole");
}

static void nested(struct adit_buf *b, size_t depth, bool objects)
{
    adit_buf_clear(b);
    for (size_t i = 0; i < depth; i++) adit_buf_lit(b, objects ? "{\"a\":" : "[");
    adit_buf_lit(b, objects ? "1" : "");
    for (size_t i = 0; i < depth; i++) adit_buf_byte(b, objects ? '}' : ']');
}

static enum adit_code ignore(void *ctx, const struct adit_json_member *m)
{
    (void)ctx, (void)m;
    return ADIT_OK;
}

TEST(test_depth)
{
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 4 << 20);
    for (int objects = 0; objects < 2; objects++)
        for (size_t d = ADIT_LIMIT_json_depth - 1; d <= ADIT_LIMIT_json_depth + 1; d++) {
            struct adit_error err = {0};
            nested(&b, d, objects);
            enum adit_code want = d <= ADIT_LIMIT_json_depth ? ADIT_OK : ADIT_ELIMIT;
            eq_int(check(adit_buf_str(&b), &err), want, "depth");
            if (objects) eq_int(adit_json_scan(adit_buf_str(&b), ignore, NULL, &err), want, "scan");
        }
    nested(&b, 1000000, false);
    eq_int(check(adit_buf_str(&b), NULL), ADIT_ELIMIT, "a million brackets");
    adit_buf_free(&b);
}

TEST(test_pick)
{
    static const struct adit_str keys[] = {ADIT_STR_INIT("url"), ADIT_STR_INIT("list"),
                                           ADIT_STR_INIT("absent"), ADIT_STR_INIT("n"),
                                           ADIT_STR_INIT("o")};
    struct adit_json_value v[5];
    uint64_t n = 0;
    eq_int(adit_json_pick(adit_str_z(document), keys, 5, v, NULL), ADIT_OK, "pick");
    eq_str(v[0].raw, S("\"https://example.com/\""), "url");
    eq_str(adit_json_inside(v[0]), S("https://example.com/"), "inside");
    eq_int(v[1].kind, ADIT_JSON_ARRAY, "list is an array");
    eq_str(v[1].raw, S("[1, 2.5 ,[],{\"x\":[true,false,null]}]"), "as it stands");
    eq_int(v[2].kind, ADIT_JSON_NONE, "absent");
    ok(adit_json_u64(v[3], &n) && n == 42, "number");
    ok(!adit_json_u64(v[0], &n), "no number");
    eq_str(v[4].raw, S("{\"a\":{}, \"b\":\"}]\\\\\"}"), "brackets in strings do not count");
    adit_json_pick(S("{\"n\":1,\"\\u006e\":2}"), keys, 5, v, NULL);
    eq_str(v[3].raw, S("2"), "escaped keys count; the last wins");
    eq_int(adit_json_pick(S("{}"), keys, 5, v, NULL), ADIT_OK, "empty object");
    eq_int(adit_json_pick(S(" { } "), keys, 5, v, NULL), ADIT_OK, "with space");
    eq_int(adit_json_pick(S("[]"), keys, 5, v, NULL), ADIT_EBAD, "not an object");
    eq_int(adit_json_pick(S("{\"a\":1,}"), keys, 5, v, NULL), ADIT_EBAD, "comma at the end");
    eq_int(adit_json_pick(S("{\"a\":1}x"), keys, 5, v, NULL), ADIT_EBAD, "text behind");
    eq_int(adit_json_pick(S("{\"a\":1"), keys, 5, v, NULL), ADIT_EEOF, "cut");
    eq_int(adit_json_pick(S("{\"a\":1;"), keys, 5, v, NULL), ADIT_EBAD, "no comma");
    eq_int(adit_json_pick(S("{,}"), keys, 5, v, NULL), ADIT_EBAD, "no key");
}

static enum adit_code stop(void *ctx, const struct adit_json_member *m)
{
    (void)m;
    ++*(int *)ctx;
    return ADIT_ESTOP;
}

TEST(test_iterate)
{
    struct adit_json_value v;
    adit_json_check(adit_str_z(document), &v, NULL);
    struct adit_json_iter it = adit_json_iter(v);
    struct adit_json_member m;
    static const char *const names[] = {"url", "title", "list", "o", "n"};
    size_t i = 0;
    bool same = true;
    for (; adit_json_next(&it, &m); i++)
        same = same && i < 5 && adit_json_is(m.key, adit_str_z(names[i]));
    ok(same && i == 5, "members in order");
    it = adit_json_iter(adit_json_get(v, S("list")));
    static const char *const raw[] = {"1", "2.5", "[]", "{\"x\":[true,false,null]}"};
    for (i = 0, same = true; adit_json_next(&it, &m); i++)
        same = same && i < 4 && adit_str_eq(m.value.raw, adit_str_z(raw[i])) && m.key.len == 0;
    ok(same && i == 4, "elements in order");
    it = adit_json_iter(adit_json_get(m.value, S("x")));
    for (i = 0, same = true; adit_json_next(&it, &m); i++)
        same = same && m.value.kind == (enum adit_json_kind[]){ADIT_JSON_TRUE, ADIT_JSON_FALSE,
                                                               ADIT_JSON_NULL}[i];
    ok(same && i == 3, "words");
    it = adit_json_iter(adit_json_get(v, S("n")));
    ok(!adit_json_next(&it, &m), "a number has no elements");
    eq_int(adit_json_get(v, S("nope")).kind, ADIT_JSON_NONE, "no such member");
    eq_int(adit_json_get(adit_json_get(v, S("list")), S("x")).kind, ADIT_JSON_NONE, "no object");
    int calls = 0;
    eq_int(adit_json_scan(S("{\"a\":1,\"b\":2}"), stop, &calls, NULL), ADIT_ESTOP, "stops");
    eq_int(calls, 1, "at once");
}

TEST(test_strings)
{
    struct adit_arena a;
    struct adit_json_value v;
    bool room = true;
    adit_arena_init(&a, tap_mem, 1 << 16);
    adit_json_check(
        S("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20AC\\ud83d\\ude00|\\ud800|\\udc00|"
          "\\ud800\\u0041|\\ud800\\ud83d\\ude00\""),
        &v, NULL);
    eq_str(adit_json_text(v, &a, &room),
           S("\"\\/\b\f\n\r\tA\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80|\xEF\xBF\xBD|\xEF\xBF\xBD|"
             "\xEF\xBF\xBD"
             "A|\xEF\xBF\xBD\xF0\x9F\x98\x80"),
           "every escape");
    adit_json_check(S("\"plain\""), &v, NULL);
    ok(adit_json_text(v, &a, &room).p == v.raw.p + 1, "no escape, no copy");
    ok(room, "there was room");
    adit_arena_free(&a);
    adit_arena_init(&a, tap_mem, 3);
    adit_json_check(S("\"\\n\\n\""), &v, NULL);
    adit_json_text(v, &a, &room);
    ok(!room, "no room is said");
    adit_arena_free(&a);
    ok(adit_json_is(S("\\u0075rl"), S("url")) && adit_json_is(S("url"), S("url")), "same key");
    ok(!adit_json_is(S("\\u0075r"), S("url")) && !adit_json_is(S("\\u0075rls"), S("url")), "other");
    ok(adit_json_is(S("\\u00e9\xC3\xA9"), S("\xC3\xA9\xC3\xA9")), "not ASCII");
    ok(adit_json_is(S("\\ud83d\\ude00"), S("\xF0\x9F\x98\x80")), "a pair");
    adit_json_check(S("1"), &v, NULL);
    eq_str(adit_json_inside(v), S(""), "a number has no inside");
}

/* An escape at every place of a word of eight bytes, with room for the source and with room for its meaning
 * alone, which are two ways. */
TEST(test_unescape)
{
    static const struct {
        struct adit_str escape, meaning;
    } rows[] = {
        {ADIT_STR_INIT("\\n"), ADIT_STR_INIT("\n")},
        {ADIT_STR_INIT("\\\\"), ADIT_STR_INIT("\\")},
        {ADIT_STR_INIT("\\u20AC"), ADIT_STR_INIT("\xE2\x82\xAC")},
        {ADIT_STR_INIT("\\ud83d\\ude00"), ADIT_STR_INIT("\xF0\x9F\x98\x80")},
        {ADIT_STR_INIT("\\\"\\/"), ADIT_STR_INIT("\"/")},
    };
    const struct adit_str plain = S("0123456789abcdefghijklmnopq");
    struct adit_buf source, want, got;
    adit_buf_init(&source, tap_mem, 256);
    adit_buf_init(&want, tap_mem, 256);
    for (size_t row = 0; row < ADIT_COUNT(rows); row++) {
        bool same = true, tight = true, refused = true;
        for (size_t n = 0; n <= plain.len; n++) {
            adit_buf_clear(&source), adit_buf_clear(&want);
            for (int part = 0; part < 2; part++) {
                struct adit_str text = adit_str_sub(plain, part ? n : 0, part ? plain.len : n);
                adit_buf_add(&source, text), adit_buf_add(&want, text);
                if (part) break;
                adit_buf_add(&source, rows[row].escape), adit_buf_add(&want, rows[row].meaning);
            }
            const size_t rooms[] = {256, want.len, want.len - 1};
            for (size_t i = 0; i < ADIT_COUNT(rooms); i++) {
                adit_buf_init(&got, tap_mem, rooms[i]);
                adit_json_unescape(adit_buf_str(&source), &got);
                bool fits = !got.err && adit_str_eq(adit_buf_str(&got), adit_buf_str(&want));
                if (i == 0) same = same && fits;
                if (i == 1) tight = tight && fits;
                if (i == 2) refused = refused && got.err == ADIT_ELIMIT;
                adit_buf_free(&got);
            }
        }
        ok(same, "at every place");
        ok(tight, "with room for the meaning alone");
        ok(refused, "with less room: refused");
    }
    adit_buf_free(&source);
    adit_buf_free(&want);
}

RUN_TESTS(test_grammar, test_truncation, test_depth, test_pick, test_iterate, test_strings,
          test_unescape)
