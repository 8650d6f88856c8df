/* UTF-8: every code point, every kind of ill-formed sequence, each at every alignment. */
#include "text/text.h"
#include "tests/tap.h"

#define S(lit) ADIT_STR(lit)

static struct adit_str repaired(struct adit_buf *b, struct adit_str s)
{
    adit_buf_clear(b);
    adit_utf8_repair(s, b);
    return adit_buf_str(b);
}

TEST(test_every_code_point)
{
    int wrong = 0;
    for (uint32_t cp = 0; cp <= 0x10FFFF; cp++) {
        char c[4];
        size_t n = adit_utf8_encode(cp, c), pos = 0, back = n;
        uint32_t want = cp >= 0xD800 && cp < 0xE000 ? 0xFFFD : cp;
        struct adit_str s = adit_str_of(c, n);
        if (!adit_utf8_valid(s) || adit_utf8_next(s, &pos) != want || pos != n) wrong++;
        if (adit_utf8_prev(s, &back) != want || back != 0 || adit_utf8_count(s) != 1) wrong++;
        if (n > 1 && adit_utf8_valid(adit_str_sub(s, 0, n - 1))) wrong++;
    }
    eq_int(wrong, 0, "every code point is written and read back; cut ones are invalid");
    char c[4];
    eq_int(adit_utf8_encode(0x110000, c), 3, "beyond U+10FFFF is U+FFFD");
}

#define FD "\xEF\xBF\xBD"

static const struct {
    struct adit_str in, out;
} repairs[] = {
    {ADIT_STR_INIT("plain"), ADIT_STR_INIT("plain")},
    {ADIT_STR_INIT("\x80"), ADIT_STR_INIT(FD)},
    {ADIT_STR_INIT("a\xBFz"), ADIT_STR_INIT("a" FD "z")},
    {ADIT_STR_INIT("\xC0\x80"), ADIT_STR_INIT(FD FD)},
    {ADIT_STR_INIT("\xC1\xBF"), ADIT_STR_INIT(FD FD)},
    {ADIT_STR_INIT("\xC2"), ADIT_STR_INIT(FD)},
    {ADIT_STR_INIT("\xC3(\xA9"), ADIT_STR_INIT(FD "(" FD)},
    {ADIT_STR_INIT("\xE0\x80\x80"), ADIT_STR_INIT(FD FD FD)},
    {ADIT_STR_INIT("\xE0\xA0"), ADIT_STR_INIT(FD)},
    {ADIT_STR_INIT("\xE2\x82x"), ADIT_STR_INIT(FD "x")},
    {ADIT_STR_INIT("\xED\xA0\x80"), ADIT_STR_INIT(FD FD FD)},
    {ADIT_STR_INIT("\xED\x9F\xBF"), ADIT_STR_INIT("\xED\x9F\xBF")},
    {ADIT_STR_INIT("\xF0\x80\x80\x80"), ADIT_STR_INIT(FD FD FD FD)},
    {ADIT_STR_INIT("\xF0\x9F\x98"), ADIT_STR_INIT(FD)},
    {ADIT_STR_INIT("\xF0\x9F\x98\xF0\x9F\x98\x80"), ADIT_STR_INIT(FD "\xF0\x9F\x98\x80")},
    {ADIT_STR_INIT("\xF4\x8F\xBF\xBF"), ADIT_STR_INIT("\xF4\x8F\xBF\xBF")},
    {ADIT_STR_INIT("\xF4\x90\x80\x80"), ADIT_STR_INIT(FD FD FD FD)},
    {ADIT_STR_INIT("\xF5\x80"), ADIT_STR_INIT(FD FD)},
    {ADIT_STR_INIT("\xFE\xFF"), ADIT_STR_INIT(FD FD)},
    /* Unicode, table 3-8 */
    {ADIT_STR_INIT("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64"),
     ADIT_STR_INIT("a" FD FD FD "b" FD "c" FD FD "d")},
};

TEST(test_repair)
{
    struct adit_buf b, text;
    adit_buf_init(&b, tap_mem, 4096);
    adit_buf_init(&text, tap_mem, 4096);
    for (size_t k = 0; k < ADIT_COUNT(repairs); k++) {
        bool same = true;
        for (size_t before = 0; before < 17; before++) {
            adit_buf_clear(&text);
            for (size_t i = 0; i < before; i++) adit_buf_byte(&text, 'x');
            adit_buf_add(&text, repairs[k].in);
            struct adit_str got = repaired(&b, adit_buf_str(&text));
            if (!adit_str_eq(adit_str_sub(got, before, got.len), repairs[k].out)) same = false;
            bool good = adit_str_eq(repairs[k].in, repairs[k].out);
            if (adit_utf8_valid(adit_buf_str(&text)) != good) same = false;
        }
        if (!ok(same, "repair, at every alignment")) tap_show("input", repairs[k].in);
        size_t pos = 0;
        adit_buf_clear(&b);
        while (pos < repairs[k].in.len) adit_utf8_put(&b, adit_utf8_next(repairs[k].in, &pos));
        eq_str(adit_buf_str(&b), repairs[k].out, "iteration sees the same");
    }
    adit_buf_free(&b);
    adit_buf_free(&text);
}

TEST(test_cut_and_classes)
{
    struct adit_str s = S("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    static const size_t lens[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
    bool same = true;
    for (size_t max = 0; max < ADIT_COUNT(lens); max++)
        same = same && adit_utf8_cut(s, max).len == lens[max];
    ok(same, "cut ends between code points");
    eq_int(adit_utf8_count(s), 4, "four code points");
    ok(adit_cp_is_letter(0xE9) && adit_cp_is_letter('z') && !adit_cp_is_letter('1'), "letters");
    ok(adit_cp_is_upper(0xC9) && !adit_cp_is_upper(0xE9) && adit_cp_is_upper(0x1C5),
       "upper, title");
    ok(adit_cp_is_lower(0xE9) && adit_cp_is_lower('a') && !adit_cp_is_lower('A'), "lower");
    ok(adit_cp_is_digit(0x663) && adit_cp_is_digit('7') && !adit_cp_is_digit(0xBD), "digits");
    ok(adit_cp_is_word('_') && adit_cp_is_word(0xBD) && adit_cp_is_word(0x4E2D), "word");
    ok(!adit_cp_is_word(' ') && !adit_cp_is_word(0x301) && !adit_cp_is_word(0x2014), "not word");
    ok(adit_cp_is_space(0xA0) && adit_cp_is_space(0x85) && adit_cp_is_space(11), "space");
    ok(!adit_cp_is_space(0x200B) && !adit_cp_is_space('a'), "not space");
    ok(adit_cp_is_punct(0x2014) && adit_cp_is_punct('!') && !adit_cp_is_punct('a'), "punctuation");
    ok(adit_cp_is_mark(0x301) && !adit_cp_is_mark('a'), "marks");
    ok(adit_cp_is_cjk(0x4E2D) && adit_cp_is_cjk(0x3042) && adit_cp_is_cjk(0x20000), "CJK");
    ok(!adit_cp_is_cjk(0xAC00) && !adit_cp_is_cjk('a') && !adit_cp_is_cjk(0x3001), "not CJK");
}

/* What is known without utf8proc's table is what the table says. */
TEST(test_shortcuts)
{
    uint32_t differs = 0, n = 0;
    for (uint32_t cp = 0; cp <= 0x10FFFF; cp++) {
        const utf8proc_property_t *p = utf8proc_get_property((utf8proc_int32_t)cp);
        bool same = adit_cp_category(cp) == (unsigned)p->category &&
                    adit_cp_lower(cp) == (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp);
        if (!same && !n++) differs = cp;
    }
    eq_int(n, 0, "categories and small letters of all code points");
    eq_int(differs, 0, "the first that differs");
}

RUN_TESTS(test_every_code_point, test_repair, test_cut_and_classes, test_shortcuts)
