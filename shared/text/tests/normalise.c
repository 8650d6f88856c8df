/* NFKC, folding, character references and the fingerprint's normalisation. The controls are
 * Unicode's own: NormalizationTest.txt and CaseFolding.txt, where Debian's unicode-data is. */
#include "text/text.h"
#include "tests/tap.h"

#define S(lit) ADIT_STR(lit)

static struct adit_buf out, in, want;

static void init(void)
{
    adit_buf_init(&out, tap_mem, 64 << 20);
    adit_buf_init(&in, tap_mem, 64 << 20);
    adit_buf_init(&want, tap_mem, 64 << 20);
}

static struct adit_str nfkc(struct adit_str s)
{
    adit_buf_clear(&out);
    adit_nfkc(s, tap_mem, &out);
    return adit_buf_str(&out);
}
static struct adit_str fold(struct adit_str s)
{
    adit_buf_clear(&out);
    adit_casefold(s, &out);
    return adit_buf_str(&out);
}
static struct adit_str decoded(struct adit_str s)
{
    adit_buf_clear(&out);
    adit_entities_decode(s, &out);
    return adit_buf_str(&out);
}
static struct adit_str normalised(struct adit_str s)
{
    adit_buf_clear(&out);
    adit_text_normalise(s, tap_mem, &out);
    return adit_buf_str(&out);
}

/* "0041 030A" to UTF-8, appended. */
static void put_code_points(struct adit_buf *b, struct adit_str hex)
{
    struct adit_str part;
    while (adit_str_split(&hex, ' ', &part)) {
        uint32_t cp = 0;
        for (size_t i = 0; i < part.len; i++) cp = cp * 16 + (uint32_t)adit_hex(part.p[i]);
        if (part.len) adit_utf8_put(b, cp);
    }
}

/* NFKC of every column is column 4. Also glued between ASCII, and to itself. */
static int check_line(struct adit_str line)
{
    struct adit_str col[5], rest = line;
    int wrong = 0;
    for (int i = 0; i < 5; i++)
        if (!adit_str_split(&rest, ';', &col[i])) return -1;
    for (int i = 0; i < 5; i++) {
        adit_buf_clear(&in), adit_buf_clear(&want);
        adit_buf_lit(&in, "ab "), put_code_points(&in, col[i]), adit_buf_lit(&in, "yz");
        adit_buf_lit(&want, "ab "), put_code_points(&want, col[3]), adit_buf_lit(&want, "yz");
        if (!adit_str_eq(nfkc(adit_buf_str(&in)), adit_buf_str(&want))) wrong++;
        struct adit_str bare = adit_str_sub(adit_buf_str(&in), 3, in.len - 2);
        struct adit_str good = adit_str_sub(adit_buf_str(&want), 3, want.len - 2);
        if (!adit_str_eq(nfkc(bare), good)) wrong++;
    }
    return wrong;
}

TEST(test_unicode_nfkc)
{
    struct adit_str file = tap_read("build/unicode/NormalizationTest.txt");
    if (!file.p) {
        tap_skip("NormalizationTest.txt", "no unicode-data");
        return;
    }
    struct adit_str rest = file, line;
    int lines = 0, wrong = 0;
    while (adit_str_split(&rest, '\n', &line)) {
        if (line.len == 0 || line.p[0] == '#' || line.p[0] == '@') continue;
        int w = check_line(line);
        if (w > 0 && wrong < 5) tap_show("wrong", line);
        wrong += w != 0;
        lines++;
    }
    eq_int(wrong, 0, "every line of NormalizationTest.txt");
    ok(lines > 18000, "which has all its lines");
    free((void *)file.p);
}

TEST(test_unicode_folding)
{
    struct adit_str file = tap_read("/usr/share/unicode/CaseFolding.txt");
    if (!file.p) {
        tap_skip("CaseFolding.txt", "no unicode-data");
        return;
    }
    struct adit_str rest = file, line, code, status, mapping;
    static uint8_t folds[0x110000];
    int lines = 0, wrong = 0, moved = 0;
    while (adit_str_split(&rest, '\n', &line)) {
        if (line.len == 0 || line.p[0] == '#') continue;
        adit_str_split(&line, ';', &code), adit_str_split(&line, ';', &status);
        adit_str_split(&line, ';', &mapping);
        status = adit_str_trim(status);
        if (status.p[0] != 'C' && status.p[0] != 'F') continue;
        adit_buf_clear(&in), adit_buf_clear(&want);
        put_code_points(&in, code), put_code_points(&want, adit_str_trim(mapping));
        size_t pos = 0;
        folds[adit_utf8_next(adit_buf_str(&in), &pos)] = 1;
        if (!adit_str_eq(fold(adit_buf_str(&in)), adit_buf_str(&want))) wrong++;
        lines++;
    }
    for (uint32_t cp = 0; cp < 0x110000; cp++) {
        char c[4];
        if (folds[cp] || (cp >= 0xD800 && cp < 0xE000)) continue;
        struct adit_str s = adit_str_of(c, adit_utf8_encode(cp, c));
        if (!adit_str_eq(fold(s), s)) moved++;
    }
    eq_int(wrong, 0, "every C and F line of CaseFolding.txt");
    eq_int(moved, 0, "no other code point changes");
    ok(lines > 1500, "which has all its lines");
    free((void *)file.p);
}

TEST(test_nfkc_by_hand)
{
    eq_str(nfkc(S("")), S(""), "nothing");
    eq_str(nfkc(S("caf\x65\xCC\x81")), S("caf\xC3\xA9"), "a mark on an ASCII letter");
    eq_str(nfkc(S("\xEF\xBC\xA1\xCC\x8A")), S("\xC3\x85"), "fullwidth A + ring");
    eq_str(nfkc(S("\xEF\xAC\x81x")), S("fix"), "ligature");
    eq_str(nfkc(S("a\xCC\x81\xCC\xA3")), S("\xE1\xBA\xA1\xCC\x81"), "marks are ordered");
    eq_str(nfkc(S("\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8")), S("\xEA\xB0\x81"), "jamo L V T");
    eq_str(nfkc(S("\xEA\xB0\x80\xE1\x86\xA8")), S("\xEA\xB0\x81"), "syllable + T");
    eq_str(nfkc(S("\xEA\xB0\x80\xE1\x86\xA7")), S("\xEA\xB0\x80\xE1\x86\xA7"),
           "U+11A7 is no T and stays");
    eq_str(nfkc(S("x\xFFy")), S("x\xEF\xBF\xBDy"), "ill-formed is U+FFFD");
    eq_str(nfkc(S("\xCC\x81")), S("\xCC\x81"), "a mark alone");
    eq_str(nfkc(S("\xEF\xB7\xBA")),
           S("\xD8\xB5\xD9\x84\xD9\x89 \xD8\xA7\xD9\x84\xD9\x84\xD9\x87 "
             "\xD8\xB9\xD9\x84\xD9\x8A\xD9\x87 \xD9\x88\xD8\xB3\xD9\x84\xD9\x85"),
           "the longest decomposition");
}

/* What utf8proc alone makes of the text in `in`, to `want`. */
static void by_utf8proc(void)
{
    int32_t d[1024];
    utf8proc_option_t opt =
        (utf8proc_option_t)(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
    utf8proc_ssize_t from = 0, n = utf8proc_decompose((const uint8_t *)in.p,
                                                      (utf8proc_ssize_t)in.len, d, 1024, opt);
    adit_buf_clear(&want);
    for (utf8proc_ssize_t i = 0; i <= n; i++) {
        /* utf8proc swallows U+11A7 behind an LV syllable: keep it from doing so. */
        if (i < n && (d[i] != 0x11A7 || i == 0)) continue;
        utf8proc_ssize_t m = utf8proc_normalize_utf32(d + from, i - from, opt);
        for (utf8proc_ssize_t k = 0; k < m; k++) adit_utf8_put(&want, (uint32_t)d[from + k]);
        from = i;
    }
}

TEST(test_nfkc_every)
{
    int wrong = 0;
    for (uint32_t cp = 0x80; cp < 0x30000; cp++) {
        if (cp >= 0xD800 && cp < 0xE000) continue;
        for (int marks = 0; marks < 3; marks++) {
            adit_buf_clear(&in);
            adit_buf_byte(&in, 'e');
            adit_utf8_put(&in, cp);
            if (marks) adit_utf8_put(&in, marks == 1 ? 0x301 : 0x323);
            by_utf8proc();
            if (!adit_str_eq(nfkc(adit_buf_str(&in)), adit_buf_str(&want))) wrong++;
        }
    }
    eq_int(wrong, 0, "every code point, alone and under a mark, as utf8proc alone");
}

/* Normalising the whole text is normalising it piece by piece as utf8proc alone would: compare
 * random mixtures of the code points that interact. */
TEST(test_nfkc_random)
{
    static const uint32_t pick[] = {'a',    'e',    ' ',    0x301,  0x323,  0x327,  0x344, 0xE9,
                                    0x1EA5, 0xAC00, 0x1100, 0x1161, 0x11A8, 0x11A7, 0xF71, 0xF72,
                                    0x9C7,  0x9BE,  0xFB01, 0xFF21, 0x212B, 0x4E2D, 0x385, 0x1FEE,
                                    0x2126, 0xFDFA, 0xA8,   0x338,  0x3D,   0x302,  0xF73, 0x1D15E};
    uint32_t seed = 1;
    int wrong = 0;
    for (int round = 0; round < 20000; round++) {
        adit_buf_clear(&in);
        for (int i = 0; i < 12; i++) {
            seed = seed * 1664525 + 1013904223;
            adit_utf8_put(&in, pick[(seed >> 16) % ADIT_COUNT(pick)]);
        }
        by_utf8proc();
        if (!adit_str_eq(nfkc(adit_buf_str(&in)), adit_buf_str(&want))) wrong++;
    }
    eq_int(wrong, 0, "20000 random texts as utf8proc alone");
}

TEST(test_nfkc_hostile)
{
    adit_buf_clear(&in);
    adit_buf_byte(&in, 'a');
    for (int i = 0; i < 500000; i++) adit_buf_lit(&in, i & 1 ? "\xCC\x81" : "\xCC\xA3");
    struct adit_str got = nfkc(adit_buf_str(&in));
    eq_int(got.len, 3 + 249999u * 2 + 250000u * 2, "a megabyte of marks is sorted");
    ok(got.len > 3 && memcmp(got.p, "\xE1\xBA\xA1\xCC\xA3", 5) == 0 &&
           memcmp(got.p + got.len - 4, "\xCC\x81\xCC\x81", 4) == 0,
       "in order");
}

static enum adit_code torture_nfkc(struct adit_mem mem, void *ctx)
{
    (void)ctx;
    struct adit_buf b;
    adit_buf_init(&b, mem, 1 << 20);
    enum adit_code code = adit_text_normalise(adit_buf_str(&in), mem, &b);
    adit_buf_free(&b);
    return code;
}

TEST(test_torture)
{
    adit_buf_clear(&in);
    adit_buf_lit(&in, "x &amp; ");
    for (int i = 0; i < 200; i++) adit_buf_lit(&in, i & 1 ? "\xCC\x81" : "\xCC\xA3");
    tap_torture(torture_nfkc, NULL, "normalise survives every failing allocation");
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 4);
    eq_int(adit_text_normalise(S("abcd"), tap_mem, &b), ADIT_OK, "a buffer of n takes n");
    adit_buf_clear(&b);
    eq_int(adit_text_normalise(S("abcde"), tap_mem, &b), ADIT_ELIMIT, "and refuses n + 1");
    adit_buf_free(&b);
}

TEST(test_folding_by_hand)
{
    eq_str(fold(S("Hello WORLD [@`{] aZ")), S("hello world [@`{] az"), "ASCII");
    eq_str(fold(S("Stra\xC3\x9F"
                  "e")),
           S("strasse"), "sharp s");
    eq_str(fold(S("\xC4\xB0")), S("i\xCC\x87"), "dotted I");
}

static const struct {
    const char *in, *out;
} references[] = {
    {"a &amp; b", "a & b"},
    {"&lt;&gt;&quot;", "<>\""},
    {"&amp", "&"},
    {"&ampx;", "&x;"},
    {"&notit;", "\xC2\xACit;"},
    {"&notin;", "\xE2\x88\x89"},
    {"&nope;", "&nope;"},
    {"&", "&"},
    {"&;", "&;"},
    {"&&amp;", "&&"},
    {"&#x2014;", "\xE2\x80\x94"},
    {"&#8212 x", "\xE2\x80\x94 x"},
    {"&#X41;&#65", "AA"},
    {"&#0;", "\xEF\xBF\xBD"},
    {"&#xD800;", "\xEF\xBF\xBD"},
    {"&#x110000;", "\xEF\xBF\xBD"},
    {"&#99999999999999999999;", "\xEF\xBF\xBD"},
    {"&#128;", "\xE2\x82\xAC"},
    {"&#x81;", "\xC2\x81"},
    {"&#;", "&#;"},
    {"&#x;", "&#x;"},
    {"&#xg", "&#xg"},
    {"&#", "&#"},
    {"&amp;lt;", "&lt;"},
    {"&nGt;", "\xE2\x89\xAB\xE2\x83\x92"},
    {"&CounterClockwiseContourIntegral;", "\xE2\x88\xB3"},
    {"&AMP;&Eacute;&eacute", "&\xC3\x89\xC3\xA9"},
};

TEST(test_references)
{
    for (size_t i = 0; i < ADIT_COUNT(references); i++)
        eq_str(decoded(adit_str_z(references[i].in)), adit_str_z(references[i].out),
               references[i].in);
}

TEST(test_normalise)
{
    eq_str(normalised(S("Hello  World\n\t\nTesting")), S("hello world testing"), "collapse");
    eq_str(normalised(S("Test &amp; Unicode: caf\xC3\xA9\xE2\x80\x94")),
           S("test & unicode: caf\xC3\xA9\xE2\x80\x94"), "reference");
    eq_str(normalised(S("Hello\fWorld\fTest")), S("helloworldtest"), "FF is removed");
    eq_str(normalised(S("&section")), S("\xC2\xA7ion"), "beyond ASCII at the very beginning");
    eq_str(normalised(S(" \t a\r\n b \n")), S("a b"), "trim");
    eq_str(normalised(S("")), S(""), "nothing");
    eq_str(normalised(S(" \n ")), S(""), "only space");
    eq_str(normalised(S("a\x01 \x02 b\x7F")), S("a b"), "controls go first, then runs collapse");
    eq_str(normalised(S("a\xC2\x85 \xC2\xA0 b")), S("a b"), "NEL goes, NBSP is a space by NFKC");
    eq_str(normalised(S("\xEF\xBC\xA1\xE2\x84\xAB")), S("a\xC3\xA5"),
           "compatibility, then folding");
    eq_str(normalised(S("&#x41;&#x301;")), S("\xC3\xA1"), "references before composition");
    eq_str(normalised(S("&amp;amp;")), S("&amp;"), "references once");
}

/* The fast path over words against the plain definition, at every offset. */
TEST(test_normalise_words)
{
    static const char alphabet[] = "aZ  \n\t\f~x. ";
    uint32_t seed = 7;
    int wrong = 0;
    for (int round = 0; round < 50000; round++) {
        char text[40], expect[40];
        size_t n = (size_t)round % sizeof text, m = 0;
        for (size_t i = 0; i < n; i++) {
            seed = seed * 1664525 + 1013904223;
            text[i] = alphabet[(seed >> 20) % (sizeof alphabet - 1)];
        }
        for (size_t i = 0; i < n; i++) {
            char c = adit_lower(text[i]);
            if (c == '\f') continue;
            if (c == '\n' || c == '\t') c = ' ';
            if (c == ' ' && (m == 0 || expect[m - 1] == ' ')) continue;
            expect[m++] = c;
        }
        if (m && expect[m - 1] == ' ') m--;
        if (!adit_str_eq(normalised(adit_str_of(text, n)), adit_str_of(expect, m))) wrong++;
    }
    eq_int(wrong, 0, "words as bytes");
    adit_buf_free(&in), adit_buf_free(&out), adit_buf_free(&want);
}

RUN_TESTS(init, test_unicode_nfkc, test_unicode_folding, test_nfkc_by_hand, test_nfkc_every,
          test_nfkc_random, test_nfkc_hostile, test_torture, test_folding_by_hand, test_references,
          test_normalise, test_normalise_words)
