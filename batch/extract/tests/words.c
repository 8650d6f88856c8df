/* The count of words: eight bytes at once give what a byte after the other does. */
#include "batch/extract/extract_impl.h"
#include "tests/tap.h"

#include <string.h>

#define S(lit) ADIT_STR(lit)

/* The rule, of ASCII alone. */
static uint64_t plain_words(struct adit_str s)
{
    uint64_t n = 0;
    bool inside = false;
    for (size_t i = 0; i < s.len; i++) {
        bool word = adit_is_alnum(s.p[i]) || s.p[i] == '_';
        n += word && !inside;
        inside = word;
    }
    return n;
}

TEST(ascii)
{
    char text[64];
    uint32_t random = 1;
    bool same = true, each = true;
    for (int c = 0; c < 128; c++) {
        memset(text, c, sizeof text);
        each = each && extract_words(adit_str_of(text, 20)) == plain_words(adit_str_of(text, 20));
    }
    ok(each, "each character of ASCII is of a word, or not, as the rule says");
    for (int round = 0; round < 20000; round++) {
        for (size_t i = 0; i < sizeof text; i++) {
            random = random * 1664525u + 1013904223u;
            text[i] = random >> 29 ? (char)(random >> 16 & 127) : ' ';
        }
        struct adit_str s = {text, random >> 26};
        same = same && extract_words(s) == plain_words(s);
    }
    ok(same, "texts of any length, with words across any border");
}

TEST(others)
{
    eq_int((int)extract_words(S("")), 0, "nothing");
    eq_int((int)extract_words(S("Gr\xC3\xBC\xC3\x9F"
                                "e aus M\xC3\xBCnchen")),
           3, "letters beyond ASCII go on with the word");
    eq_int((int)extract_words(S("12345678\xC3\xA9")), 1, "also behind eight bytes of it");
    eq_int((int)extract_words(S("\xC3\xA9"
                                "12345678 x")),
           2, "and before");
    eq_int((int)extract_words(S("e\xCC\x81t")), 1, "a mark is part of its word");
    eq_int((int)extract_words(S("abcdefgh\xE6\x9D\xB1\xE4\xBA\xAC"
                                "abc")),
           4, "characters that are words by themselves");
}

RUN_TESTS(ascii, others)
