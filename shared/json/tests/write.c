/* The writer and numbers. The vectors are RFC 8785's, appendix B and its neighbours. */
#include "json/json.h"
#include "tests/tap.h"

#define S(lit) ADIT_STR(lit)

static struct adit_buf b;

static const struct {
    uint64_t bits;
    const char *text;
} numbers[] = {
    {0x0000000000000000, "0"},
    {0x8000000000000000, "0"},
    {0x0000000000000001, "5e-324"},
    {0x8000000000000001, "-5e-324"},
    {0x7fefffffffffffff, "1.7976931348623157e+308"},
    {0xffefffffffffffff, "-1.7976931348623157e+308"},
    {0x4340000000000000, "9007199254740992"},
    {0xc340000000000000, "-9007199254740992"},
    {0x4430000000000000, "295147905179352830000"},
    {0x44b52d02c7e14af5, "9.999999999999997e+22"},
    {0x44b52d02c7e14af6, "1e+23"},
    {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
    {0x444b1ae4d6e2ef4e, "999999999999999700000"},
    {0x444b1ae4d6e2ef4f, "999999999999999900000"},
    {0x444b1ae4d6e2ef50, "1e+21"},
    {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
    {0x3eb0c6f7a0b5ed8d, "0.000001"},
    {0x41b3de4355555553, "333333333.3333332"},
    {0x41b3de4355555554, "333333333.33333325"},
    {0x41b3de4355555555, "333333333.3333333"},
    {0x41b3de4355555556, "333333333.3333334"},
    {0x41b3de4355555557, "333333333.33333343"},
    {0xbecbf647612f3696, "-0.0000033333333333333333"},
    {0x43143ff3c1cb0959, "1424953923781206.2"},
    /* our own: ends of ranges, powers, halves */
    {0x0010000000000000, "2.2250738585072014e-308"},
    {0x000fffffffffffff, "2.225073858507201e-308"},
    {0x3ff0000000000000, "1"},
    {0x3fe0000000000000, "0.5"},
    {0x3fb999999999999a, "0.1"},
    {0x3d30000000000000, "5.684341886080802e-14"},
    {0x433fffffffffffff, "9007199254740991"},
    {0x4059000000000000, "100"},
};

TEST(test_numbers)
{
    adit_buf_init(&b, tap_mem, 1 << 20);
    for (size_t i = 0; i < ADIT_COUNT(numbers); i++) {
        adit_buf_clear(&b);
        adit_json_number(&b, numbers[i].bits);
        eq_str(adit_buf_str(&b), adit_str_z(numbers[i].text), numbers[i].text);
        uint64_t bits = 1;
        adit_json_parse_number(adit_str_z(numbers[i].text), &bits);
        uint64_t want = numbers[i].bits << 1 ? numbers[i].bits : 0;
        ok(bits == want, "and back");
    }
    eq_int(adit_json_number(&b, 0x7ff0000000000000), ADIT_EBAD, "infinity is no JSON");
    eq_int(adit_json_number(&b, 0xfff0000000000000), ADIT_EBAD, "nor is its negative");
    eq_int(adit_json_number(&b, 0x7ff8000000000000), ADIT_EBAD, "nor is NaN");
}

static const struct {
    const char *text;
    uint64_t bits;
} decimals[] = {
    {"-0", 0x8000000000000000},
    {"-0.0e-5", 0x8000000000000000},
    {"0e999999999999999999999", 0},
    {"1e-999999999999999999999", 0},
    {"9007199254740993", 0x4340000000000000},
    {"9007199254740993.00000000000000000000000000000000000001", 0x4340000000000001},
    {"9007199254740995", 0x4340000000000002},
    {"2.4703282292062327e-324", 0},
    {"2.4703282292062328e-324", 1},
    {"4.9406564584124654e-324", 1},
    {"2.2250738585072011e-308", 0x000fffffffffffff},
    {"2.2250738585072012e-308", 0x0010000000000000},
    {"1.7976931348623158e308", 0x7fefffffffffffff},
    {"0.000000000000000000000000000001e30", 0x3ff0000000000000},
    {"100000000000000000000000000000000e-32", 0x3ff0000000000000},
};

TEST(test_decimals)
{
    uint64_t bits;
    for (size_t i = 0; i < ADIT_COUNT(decimals); i++) {
        bits = 99;
        eq_int(adit_json_parse_number(adit_str_z(decimals[i].text), &bits), ADIT_OK, "read");
        if (!ok(bits == decimals[i].bits, decimals[i].text))
            printf("# got %016llx\n", (unsigned long long)bits);
    }
    static const char *const bad[] = {"",
                                      "-",
                                      "+1",
                                      "01",
                                      "1.",
                                      ".1",
                                      "1e",
                                      "1e+",
                                      "1x",
                                      "0x",
                                      "1.x",
                                      "1e5x",
                                      " 1",
                                      "1 ",
                                      "1e309",
                                      "-1e309",
                                      "1.7976931348623159e308",
                                      "1e999999999999999999999"};
    for (size_t i = 0; i < ADIT_COUNT(bad); i++)
        eq_int(adit_json_parse_number(adit_str_z(bad[i]), &bits), ADIT_EBAD, bad[i]);
}

/* A tie that is broken by its 1000th digit, and one that is not. */
TEST(test_long_decimals)
{
    uint64_t bits = 0;
    adit_buf_clear(&b);
    adit_buf_lit(&b, "9007199254740993.");
    for (int i = 0; i < 1000; i++) adit_buf_byte(&b, '0');
    adit_json_parse_number(adit_buf_str(&b), &bits);
    ok(bits == 0x4340000000000000, "a tie goes to even");
    adit_buf_byte(&b, '1');
    adit_json_parse_number(adit_buf_str(&b), &bits);
    ok(bits == 0x4340000000000001, "unless a digit far behind says otherwise");
    adit_buf_clear(&b);
    for (int i = 0; i < 200000; i++) adit_buf_byte(&b, '9');
    eq_int(adit_json_parse_number(adit_buf_str(&b), &bits), ADIT_EBAD, "200000 nines are too many");
    adit_buf_lit(&b, "e-200000");
    eq_int(adit_json_parse_number(adit_buf_str(&b), &bits), ADIT_OK, "scaled they are one");
    ok(bits == 0x3ff0000000000000, "by rounding");
}

TEST(test_writer)
{
    struct adit_json_writer w = {.out = &b};
    adit_buf_clear(&b);
    adit_json_open(&w, '{');
    adit_json_member(&w, "a", S("x\"y\\z\n\x01\x1f\x7f\xC3\xA9/"));
    adit_json_member_opt(&w, "none", S(""));
    adit_json_member_open(&w, "b", '[');
    adit_json_uint(&w, UINT64_MAX);
    adit_json_int(&w, INT64_MIN);
    adit_json_bool(&w, true);
    adit_json_bool(&w, false);
    adit_json_null(&w);
    adit_json_raw(&w, S("{\"r\":1}"));
    adit_json_open(&w, '[');
    adit_json_close(&w, ']');
    adit_json_open(&w, '{');
    adit_json_close(&w, '}');
    adit_json_string(&w, S(""));
    adit_json_close(&w, ']');
    adit_json_member_opt(&w, "c", S("d"));
    adit_json_close(&w, '}');
    eq_str(adit_buf_str(&b),
           S("{\"a\":\"x\\\"y\\\\z\\n\\u0001\\u001f\x7f\xC3\xA9/\",\"b\":[18446744073709551615,"
             "-9223372036854775808,true,false,null,{\"r\":1},[],{},\"\"],\"c\":\"d\"}"),
           "everything the writer writes");
    struct adit_json_value v;
    eq_int(adit_json_check(adit_buf_str(&b), &v, NULL), ADIT_OK, "and the scanner reads");
}

TEST(test_escapes)
{
    char text[40], want[8];
    bool same = true;
    for (int c = 0; c < 128; c++)
        for (size_t at = 0; at < 20; at++) {
            memset(text, 'x', sizeof text);
            text[at] = (char)c;
            adit_buf_clear(&b);
            adit_json_quote(&b, adit_str_of(text, 20));
            snprintf(want, sizeof want, c < 32 ? "\\u%04x" : "%c", c);
            for (const char *const *e = (const char *const[]){"\"\\\"", "\\\\\\", "\b\\b", "\f\\f",
                                                              "\n\\n", "\r\\r", "\t\\t", NULL};
                 *e; e++)
                if ((*e)[0] == c) memcpy(want, *e + 1, 3);
            struct adit_str w = adit_str_of(want, c ? strlen(want) : 6);
            same = same && b.len == 21 + w.len &&
                   adit_str_eq(adit_str_sub(adit_buf_str(&b), at + 1, at + 1 + w.len), w);
        }
    ok(same, "every ASCII character at every alignment");
    adit_buf_free(&b);
    struct adit_buf tiny;
    adit_buf_init(&tiny, tap_mem, 4);
    adit_json_quote(&tiny, S("ab"));
    eq_int(tiny.err, ADIT_OK, "a buffer of n takes n");
    adit_buf_clear(&tiny);
    adit_json_quote(&tiny, S("abc"));
    eq_int(tiny.err, ADIT_ELIMIT, "and refuses n + 1");
    adit_buf_free(&tiny);
}

RUN_TESTS(test_numbers, test_decimals, test_long_decimals, test_writer, test_escapes)
