/* codec: which encoding a page is in that declares none. cases/detect/LABEL.html is a page in an
 * encoding, LABEL.txt the same page in UTF-8. scripts/score-charsets measures on many more. */
#include "tests/tap.h"
#include "codec/codec.h"

static struct {
    const char *label, *name;
    struct adit_str html, txt; /* the files, read by TEST(begin) */
} pages[] = {
    {"windows-1252", "windows-1252", {0}, {0}},
    {"macintosh", "macintosh", {0}, {0}},
    {"iso-8859-15", "ISO-8859-15", {0}, {0}},
    {"windows-1250", "windows-1250", {0}, {0}},
    {"iso-8859-2", "ISO-8859-2", {0}, {0}},
    {"windows-1254", "windows-1254", {0}, {0}},
    {"windows-1257", "windows-1257", {0}, {0}},
    {"iso-8859-4", "ISO-8859-4", {0}, {0}},
    {"iso-8859-3", "ISO-8859-3", {0}, {0}},
    {"windows-1251", "windows-1251", {0}, {0}},
    {"koi8-r", "KOI8-R", {0}, {0}},
    {"koi8-u", "KOI8-U", {0}, {0}},
    {"iso-8859-5", "ISO-8859-5", {0}, {0}},
    {"ibm866", "IBM866", {0}, {0}},
    {"windows-1253", "windows-1253", {0}, {0}},
    {"iso-8859-7", "ISO-8859-7", {0}, {0}},
    {"windows-1255", "windows-1255", {0}, {0}},
    {"windows-1256", "windows-1256", {0}, {0}},
    {"iso-8859-6", "ISO-8859-6", {0}, {0}},
    {"windows-874", "windows-874", {0}, {0}},
    {"windows-1258", "windows-1258", {0}, {0}},
    {"gb18030", "gb18030", {0}, {0}},
    {"big5", "Big5", {0}, {0}},
    {"shift_jis", "Shift_JIS", {0}, {0}},
    {"euc-jp", "EUC-JP", {0}, {0}},
    {"iso-2022-jp", "ISO-2022-JP", {0}, {0}},
    {"euc-kr", "EUC-KR", {0}, {0}},
};

static struct adit_str read_case(const char *label, const char *ending)
{
    char path[128];
    snprintf(path, sizeof path, "shared/codec/cases/detect/%s.%s", label, ending);
    return tap_read(path);
}

TEST(begin)
{
    for (size_t i = 0; i < ADIT_COUNT(pages); i++) {
        pages[i].html = read_case(pages[i].label, "html");
        pages[i].txt = read_case(pages[i].label, "txt");
    }
}

TEST(finish)
{
    for (size_t i = 0; i < ADIT_COUNT(pages); i++) {
        free((void *)pages[i].html.p);
        free((void *)pages[i].txt.p);
    }
}

static struct adit_str case_of(const char *label, bool utf8)
{
    size_t i = 0;
    while (i + 1 < ADIT_COUNT(pages) && strcmp(pages[i].label, label) != 0) i++;
    return utf8 ? pages[i].txt : pages[i].html;
}

static struct adit_charset found_in(struct adit_str body, const char *url)
{
    return adit_charset_detect(body, ADIT_STR(""), adit_str_z(url));
}

static bool is_found(struct adit_str body, const char *url, const char *name,
                     enum adit_charset_source source)
{
    struct adit_charset c = found_in(body, url);
    bool right = !strcmp(c.name, name) && c.source == source;
    if (!right) printf("# %s, %s\n", c.name, adit_charset_source_name(c.source));
    return right;
}

TEST(cases)
{
    for (size_t i = 0; i < ADIT_COUNT(pages); i++) {
        struct adit_str body = pages[i].html, text;
        struct adit_charset used;
        struct adit_buf out;
        adit_buf_init(&out, tap_mem, 3 * body.len);
        adit_charset_decode(body, ADIT_STR(""), ADIT_STR(""), &out, &text, &used);
        ok(!strcmp(used.name, pages[i].name) && used.source == ADIT_CHARSET_DETECTED,
           pages[i].label);
        eq_str(text, pages[i].txt, "its text");
        adit_buf_free(&out);
    }
}

/* A declaration, a mark or whole UTF-8 is never outweighed. */
TEST(declared)
{
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 1 << 16);
    for (size_t i = 0; i < ADIT_COUNT(pages); i++) {
        struct adit_str body = pages[i].html;
        struct adit_charset c = adit_charset_detect(body, ADIT_STR("iso-8859-10"), ADIT_STR(""));
        ok(!strcmp(c.name, "ISO-8859-10") && c.source == ADIT_CHARSET_HTTP, "HTTP's is taken");
        adit_buf_clear(&b);
        adit_buf_lit(&b, "<meta charset=iso-8859-10>");
        adit_buf_add(&b, body);
        ok(is_found(adit_buf_str(&b), "", "ISO-8859-10", ADIT_CHARSET_META), "the page's, too");
        adit_buf_clear(&b);
        adit_buf_lit(&b, "\xEF\xBB\xBF");
        adit_buf_add(&b, body);
        ok(is_found(adit_buf_str(&b), "", "UTF-8", ADIT_CHARSET_BOM), "and a mark");
        ok(is_found(pages[i].txt, "", "UTF-8", ADIT_CHARSET_BYTES), "UTF-8 stays UTF-8");
    }
    adit_buf_free(&b);
}

/* UTF-8 that a byte breaks, or that is cut off at any point. */
TEST(nearly_utf8)
{
    static const char *const labels[] = {"windows-1252", "koi8-r", "big5", "windows-874"};
    for (size_t i = 0; i < ADIT_COUNT(labels); i++) {
        struct adit_str text = case_of(labels[i], true);
        size_t first = text.len, wrong = 0;
        for (size_t k = text.len; k-- > 0;)
            if ((unsigned char)text.p[k] >= 0x80) first = k;
        for (size_t end = first + 4; end <= text.len; end++)
            wrong += !is_found(adit_str_sub(text, 0, end), "", "UTF-8", ADIT_CHARSET_BYTES);
        eq_int(wrong, 0, "cut off");
        struct adit_buf b;
        adit_buf_init(&b, tap_mem, 1 << 16);
        adit_buf_add(&b, text);
        adit_buf_byte(&b, '\xE9');
        adit_buf_lit(&b, " and more, which is ASCII");
        ok(is_found(adit_buf_str(&b), "", "UTF-8", ADIT_CHARSET_BYTES), "a byte of latin1 in it");
        adit_buf_free(&b);
    }
    ok(found_in(ADIT_STR("a \xC3\xA9 b \xE9 c"), "").source == ADIT_CHARSET_DETECTED,
       "half of it is not nearly");
}

TEST(hints)
{
    /* one letter: in windows-1252, in windows-1250, in windows-1251 */
    struct adit_str few = ADIT_STR("<p>Xa\xE8 b</p>");
    ok(is_found(few, "https://example.com/", "windows-1252", ADIT_CHARSET_DETECTED), "no hint");
    ok(is_found(few, "https://example.si:8080/", "windows-1250", ADIT_CHARSET_DETECTED),
       "by the domain");
    ok(is_found(ADIT_STR("<html LANG='sl-SI' class=x><p>Xa\xE8 b</p>"), "https://example.com/",
                "windows-1250", ADIT_CHARSET_DETECTED),
       "by the page's language");
    ok(is_found(ADIT_STR("<html xml:lang=sl><p>Xa\xE8 b</p>"), "", "windows-1250",
                ADIT_CHARSET_DETECTED),
       "xml:lang");
}

/* What lies behind 64 KiB is not looked at, markup is not text, and bytes there decide only if the
 * text has none. */
TEST(where)
{
    struct adit_str page = case_of("windows-1251", false);
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 1 << 20);
    for (size_t end = 65535; end <= 65537; end++) {
        adit_buf_clear(&b);
        while (b.len < end - 1) adit_buf_byte(&b, ' ');
        adit_buf_byte(&b, '\xE9');
        adit_buf_add(&b, page);
        ok(is_found(adit_buf_str(&b), "", "windows-1252",
                    end <= 65536 ? ADIT_CHARSET_DETECTED : ADIT_CHARSET_DEFAULT),
           "the last byte that is looked at");
    }
    ok(is_found(adit_buf_str(&b), "http://example.ru/", "windows-1251", ADIT_CHARSET_DEFAULT),
       "without any byte, the domain's");
    adit_buf_clear(&b);
    adit_buf_lit(&b, "<!-- ");
    adit_buf_add(&b, case_of("big5", false));
    adit_buf_lit(&b, " --><STYLE>");
    adit_buf_add(&b, page);
    adit_buf_lit(&b, "</style>");
    adit_buf_add(&b, case_of("koi8-r", false));
    ok(is_found(adit_buf_str(&b), "", "KOI8-R", ADIT_CHARSET_DETECTED),
       "not of comments and styles");
    adit_buf_clear(&b);
    adit_buf_lit(&b, "<img alt='");
    adit_buf_add(&b, ADIT_STR("\xCF\xF0\xE8\xE2\xE5\xF2"));
    adit_buf_lit(&b, "'>");
    ok(is_found(adit_buf_str(&b), "", "windows-1251", ADIT_CHARSET_DETECTED), "of an attribute");
    adit_buf_free(&b);
}

TEST(escapes)
{
    ok(is_found(ADIT_STR("\x1B$B0!\x1B(B"), "", "ISO-2022-JP", ADIT_CHARSET_DETECTED),
       "a character");
    ok(is_found(ADIT_STR("\x1B$B0!"), "", "ISO-2022-JP", ADIT_CHARSET_DETECTED), "cut off");
    ok(is_found(ADIT_STR("\x1B$B\x1B(B"), "", "UTF-8", ADIT_CHARSET_BYTES), "none");
    ok(is_found(ADIT_STR("\x1B[1mx\x1B$ y"), "", "UTF-8", ADIT_CHARSET_BYTES), "of a terminal");
    ok(is_found(ADIT_STR("\x1B$B0!\x1B(B\xC3\xA9"), "", "UTF-8", ADIT_CHARSET_BYTES),
       "UTF-8 is no ASCII");
}

TEST(names)
{
    static const char *const names[] = {"bom", "http", "meta", "bytes", "default", "detected"};
    for (size_t i = 0; i < ADIT_COUNT(names); i++)
        ok(!strcmp(adit_charset_source_name((enum adit_charset_source)i), names[i]), names[i]);
}

RUN_TESTS(begin, cases, declared, nearly_utf8, hints, where, escapes, names, finish)
