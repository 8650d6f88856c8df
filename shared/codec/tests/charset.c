/* codec: which encoding a page is in. The encodings themselves: tests/encodings.c. */
#include "tests/tap.h"
#include "codec/codec.h"

#define E_ACUTE "\xC3\xA9" /* U+00E9 in UTF-8 */
#define NO_URL  ADIT_STR("")
#define HAN     "\xE4\xB8\xAD" /* U+4E2D in UTF-8 */

struct row {
    const char *what;
    struct adit_str body, http;
    const char *name;
    enum adit_charset_source source;
    struct adit_str text;
};
#define S(lit) ADIT_STR_INIT(lit)

static const struct row rows[] = {
    {"nothing", S(""), S(""), "UTF-8", ADIT_CHARSET_BYTES, S("")},
    {"ASCII", S("abc"), S(""), "UTF-8", ADIT_CHARSET_BYTES, S("abc")},
    {"ASCII, declared", S("abc"), S("latin1"), "windows-1252", ADIT_CHARSET_HTTP, S("abc")},
    {"NUL is kept", S("a\0b"), S(""), "UTF-8", ADIT_CHARSET_BYTES, S("a\0b")},
    {"undeclared UTF-8", S(E_ACUTE), S(""), "UTF-8", ADIT_CHARSET_BYTES, S(E_ACUTE)},
    {"undeclared, something else", S("\xE9"), S(""), "windows-1252", ADIT_CHARSET_DETECTED,
     S(E_ACUTE)},
    {"UTF-8 mark", S("\xEF\xBB\xBFx"), S("latin1"), "UTF-8", ADIT_CHARSET_BOM, S("x")},
    {"UTF-8 mark, broken text", S("\xEF\xBB\xBFx\xE9"), S(""), "UTF-8", ADIT_CHARSET_BOM,
     S("x\xEF\xBF\xBD")},
    {"UTF-16LE mark", S("\xFF\xFEx\0\xE9\0"), S("utf-8"), "UTF-16LE", ADIT_CHARSET_BOM,
     S("x" E_ACUTE)},
    {"UTF-16BE mark", S("\xFE\xFF\0x"), S(""), "UTF-16BE", ADIT_CHARSET_BOM, S("x")},
    {"only a mark", S("\xEF\xBB\xBF"), S(""), "UTF-8", ADIT_CHARSET_BOM, S("")},
    {"half a mark", S("\xEF\xBB"), S(""), "windows-1252", ADIT_CHARSET_DETECTED,
     S("\xC3\xAF\xC2\xBB")},
    {"HTTP", S("\xE9"), S("iso-8859-2"), "ISO-8859-2", ADIT_CHARSET_HTTP, S(E_ACUTE)},
    {"HTTP before meta", S("<meta charset=koi8-r>\xE9"), S("iso-8859-2"), "ISO-8859-2",
     ADIT_CHARSET_HTTP, S("<meta charset=koi8-r>" E_ACUTE)},
    {"HTTP without sense", S("<meta charset=koi8-r>\xC1"), S("none"), "KOI8-R", ADIT_CHARSET_META,
     S("<meta charset=koi8-r>\xD0\xB0")},
    {"HTTP says UTF-8, is not", S("a\xE9z"), S("utf-8"), "UTF-8", ADIT_CHARSET_HTTP,
     S("a\xEF\xBF\xBDz")},
    {"HTTP says latin1, is UTF-8", S(E_ACUTE), S("latin1"), "UTF-8", ADIT_CHARSET_BYTES,
     S(E_ACUTE)},
    {"meta says latin1, is UTF-8", S("<meta charset=latin1>" E_ACUTE), S(""), "UTF-8",
     ADIT_CHARSET_BYTES, S("<meta charset=latin1>" E_ACUTE)},
    {"meta says gbk, could be UTF-8", S("<meta charset=gbk>\xC4\xA3"), S(""), "GBK",
     ADIT_CHARSET_META, S("<meta charset=gbk>\xE6\xA8\xA1")},
    {"meta says gbk, is UTF-8", S("<meta charset=gbk>" HAN), S(""), "UTF-8", ADIT_CHARSET_BYTES,
     S("<meta charset=gbk>" HAN)},
    {"UTF-16 by HTTP", S("x\0\xC3\xA9"), S("utf-16"), "UTF-16LE", ADIT_CHARSET_HTTP,
     S("x\xEA\xA7\x83")},
    {"ISO-2022-JP is ASCII bytes", S("\x1B$B0!\x1B(B"), S("iso-2022-jp"), "ISO-2022-JP",
     ADIT_CHARSET_HTTP, S("\xE4\xBA\x9C")},
    {"replacement", S("abc"), S("iso-2022-kr"), "replacement", ADIT_CHARSET_HTTP,
     S("\xEF\xBF\xBD")},
};

static void check(const struct row *r)
{
    struct adit_buf out;
    struct adit_str text;
    struct adit_charset used;
    adit_buf_init(&out, tap_mem, r->body.len * 3);
    enum adit_code code = adit_charset_decode(r->body, r->http, NO_URL, &out, &text, &used);
    if (!ok(code == ADIT_OK && !strcmp(used.name, r->name) && used.source == r->source, r->what))
        printf("# code %d, %s, source %d\n", code, used.name, used.source);
    eq_str(text, r->text, "its text");
    struct adit_charset seen = adit_charset_detect(r->body, r->http, NO_URL);
    ok(!strcmp(seen.name, used.name) && seen.source == used.source, "detected alike");
    adit_buf_free(&out);
}

TEST(decisions)
{
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) check(&rows[i]);
}

/* What the prescan finds; NULL: nothing. Each is tried with a byte behind it that is not UTF-8. */
static const struct {
    const char *html, *name;
} prescans[] = {
    {"<meta charset=koi8-r>", "KOI8-R"},
    {"<META CHARSET = 'KOI8-R' >", "KOI8-R"},
    {"<meta charset=\" koi8-r \">", "KOI8-R"},
    {"<meta/charset=koi8-r>", "KOI8-R"},
    {"<meta\fcharset=koi8-r>", "KOI8-R"},
    {"<metacharset=koi8-r>", NULL},
    {"<meta name=x charset=koi8-r>", "KOI8-R"},
    {"<meta charset=none><meta charset=koi8-r>", "KOI8-R"},
    {"<meta charset=none charset=koi8-r>", NULL},
    {"<meta charset=koi8-r charset=latin2>", "KOI8-R"},
    {"<meta charset=utf-16>", "UTF-8"},
    {"<meta charset=utf-16be>", "UTF-8"},
    {"<meta charset=x-user-defined>", "windows-1252"},
    {"<meta charset>", NULL},
    {"<meta charset=>", NULL},
    {"<meta charset=koi8-r", NULL},
    {"<meta charset='koi8-r>", NULL},
    {"<meta http-equiv=content-type content='text/html; charset=koi8-r'>", "KOI8-R"},
    {"<meta content='text/html; charset=koi8-r' http-equiv=Content-Type>", "KOI8-R"},
    {"<meta content='text/html; charset=koi8-r'>", NULL},
    {"<meta http-equiv=refresh content='0; charset=koi8-r'>", NULL},
    {"<meta http-equiv=content-type content='charset'>", NULL},
    {"<meta http-equiv=content-type content='charset='>", NULL},
    {"<meta http-equiv=content-type content='charset charset = koi8-r'>", "KOI8-R"},
    {"<meta http-equiv=content-type content='charset=\"koi8-r\"'>", "KOI8-R"},
    {"<meta http-equiv=content-type content='charset=\"koi8-r'>", NULL},
    {"<meta http-equiv=content-type content='xcharset=koi8-r;x'>", "KOI8-R"},
    {"<meta http-equiv=content-type content='charset=koi8-r' charset=latin2>", "ISO-8859-2"},
    {"<meta charset=latin2 content='charset=koi8-r'>", "ISO-8859-2"},
    {"<meta charset=none http-equiv=content-type content='charset=koi8-r'>", NULL},
    {"<!-- <meta charset=koi8-r> -->", NULL},
    {"<!-- <meta charset=koi8-r> --><meta charset=latin2>", "ISO-8859-2"},
    {"<!--><meta charset=koi8-r>", "KOI8-R"},
    {"<!---><meta charset=koi8-r>", "KOI8-R"},
    {"<!-- > <meta charset=koi8-r>", NULL},
    {"<!doctype <meta charset=latin2><meta charset=koi8-r>", "KOI8-R"},
    {"<?php <meta charset=latin2><meta charset=koi8-r>", "KOI8-R"},
    {"</ <meta charset=latin2><meta charset=koi8-r>", "KOI8-R"},
    {"<div title='<meta charset=latin2>'><meta charset=koi8-r>", "KOI8-R"},
    {"<div title=<meta charset=latin2><meta charset=koi8-r>", "KOI8-R"},
    {"</div title='<meta charset=latin2>'><meta charset=koi8-r>", "KOI8-R"},
    {"<<meta charset=koi8-r>", "KOI8-R"},
    {"< meta charset=koi8-r>", NULL},
    {"<script>'<meta charset=koi8-r>'</script>", "KOI8-R"}, /* by the letter of the standard */
    {"<?xml version='1.0' encoding='koi8-r'?>", "KOI8-R"},
    {"<?xml version='1.0' encoding = \"koi8-r\"?><p>", "KOI8-R"},
    {"<?xml version='1.0' encoding='koi8-r'?><meta charset=latin2>", "ISO-8859-2"},
    {"<?xml encoding='utf-16'?>", "UTF-8"},
    {"<?xml encoding='koi8-r '?>", NULL},
    {"<?xml encoding=koi8-r?>", NULL},
    {"<?xml encoding='koi8-r", NULL},
    {" <?xml encoding='koi8-r'?>", NULL},
};

TEST(prescan)
{
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 4096);
    for (size_t i = 0; i < ADIT_COUNT(prescans); i++) {
        adit_buf_clear(&b);
        adit_buf_lit(&b, prescans[i].html);
        adit_buf_byte(&b, '\xC1');
        struct adit_charset c = adit_charset_detect(adit_buf_str(&b), ADIT_STR(""), NO_URL);
        const char *want = prescans[i].name;
        if (!ok(want ? c.source == ADIT_CHARSET_META && !strcmp(c.name, want)
                     : c.source == ADIT_CHARSET_DETECTED,
                prescans[i].html))
            printf("# %s, source %d\n", c.name, c.source);
    }
    adit_buf_free(&b);
}

/* What is found when the tag ends at byte `end` of the page. */
static const char *found_at(size_t end, const char **prescan)
{
    struct adit_str tag = ADIT_STR("<meta charset=koi8-r>");
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 1 << 20);
    while (b.len < end - tag.len) adit_buf_byte(&b, ' ');
    adit_buf_add(&b, tag);
    adit_buf_byte(&b, '\xC1');
    *prescan = adit_charset_prescan(adit_buf_str(&b));
    const char *name = adit_charset_detect(adit_buf_str(&b), ADIT_STR(""), NO_URL).name;
    adit_buf_free(&b);
    return name;
}

TEST(prescan_limit)
{
    const char *prescan;
    for (size_t end = 1023; end <= 1025; end++) {
        ok(!strcmp(found_at(end, &prescan), "KOI8-R"), "a tag that ends around byte 1024");
        eq_int(prescan != NULL, end <= 1024, "and the prescan");
    }
    for (size_t end = 65535; end <= 65537; end++)
        ok(!strcmp(found_at(end, &prescan), end <= 65536 ? "KOI8-R" : "windows-1252"),
           "a late tag, around 64 KiB");
    ok(adit_charset_detect(ADIT_STR("<\0?\0x\0"), ADIT_STR(""), NO_URL).source == ADIT_CHARSET_META,
       "an XML declaration in UTF-16LE");
    ok(!strcmp(adit_charset_detect(ADIT_STR("\0<\0?\0x"), ADIT_STR(""), NO_URL).name, "UTF-16BE"),
       "an XML declaration in UTF-16BE");
}

TEST(meta_tag)
{
    ok(!strcmp(adit_charset_of_meta(ADIT_STR(" charset='koi8-r'>")), "KOI8-R"), "of a tag");
    ok(!adit_charset_of_meta(ADIT_STR(" name='koi8-r'>")), "of another tag");
    ok(!adit_charset_of_meta(ADIT_STR("")), "of nothing");
}

TEST(content_type)
{
    static const struct {
        const char *value, *charset;
    } types[] = {
        {"text/html", ""},
        {"text/html; charset=utf-8", "utf-8"},
        {"text/html;charset=\"utf-8\"", "utf-8"},
        {"text/html; CHARSET = utf-8", ""}, /* "charset " is another name */
        {"text/html; Charset=UTF-8 ; x=y", "UTF-8"},
        {"text/html; a=\"; charset=x\"; charset=y", "y"},
        {"text/html; a=\"\\\"; charset=x\"; charset=y", "y"},
        {"text/html; charset=; charset=y", "y"},
        {"text/html; charset; charset=y", "y"},
        {"text/html; charset=x; charset=y", "x"},
        {"text/html; charset=\"x", "x"},
        {"text/html; charset=\"", ""},
        {"text/html; charset=\"x\\", "x\\"},
        {";charset=x", "x"},
        {";", ""},
        {"", ""},
    };
    for (size_t i = 0; i < ADIT_COUNT(types); i++)
        eq_str(adit_content_type_charset(adit_str_z(types[i].value)), adit_str_z(types[i].charset),
               types[i].value);
}

TEST(no_copy)
{
    struct adit_buf out;
    struct adit_str text, body = ADIT_STR("\xEF\xBB\xBF" E_ACUTE);
    adit_buf_init(&out, tap_mem, 0);
    adit_charset_decode(body, ADIT_STR(""), NO_URL, &out, &text, NULL);
    ok(text.p == body.p + 3, "valid UTF-8 stays where it is");
    body = ADIT_STR("abc");
    adit_charset_decode(body, ADIT_STR("shift_jis"), NO_URL, &out, &text, NULL);
    ok(text.p == body.p, "and so does ASCII");
    adit_buf_free(&out);
}

TEST(no_bytes)
{
    static const char *const labels[] = {"utf-8",       "koi8-r", "euc-jp",
                                         "iso-2022-jp", "utf-16", "hz-gb-2312"};
    struct adit_str nothing = {0}, text;
    struct adit_buf out;
    adit_buf_init(&out, tap_mem, 0);
    for (size_t i = 0; i < ADIT_COUNT(labels); i++)
        ok(adit_charset_decode(nothing, adit_str_z(labels[i]), NO_URL, &out, &text, NULL) ==
                   ADIT_OK &&
               text.len == 0,
           "no bytes, not even a pointer");
    adit_buf_free(&out);
}

TEST(limits)
{
    static const char *const labels[] = {"windows-1251", "x-user-defined", "shift_jis",
                                         "utf-16le",     "iso-2022-jp",    "utf-8"};
    char bad[5000];
    memset(bad, 0xFF, sizeof bad);
    for (size_t i = 0; i < ADIT_COUNT(labels); i++) {
        struct adit_buf out;
        adit_buf_init(&out, tap_mem, sizeof bad * 3);
        eq_int(adit_charset_decode_as(adit_str_of(bad, sizeof bad), adit_str_z(labels[i]), &out),
               ADIT_OK, "three bytes a byte suffice");
        adit_buf_free(&out);
        adit_buf_init(&out, tap_mem, 1000);
        eq_int(adit_charset_decode_as(adit_str_of(bad, sizeof bad), adit_str_z(labels[i]), &out),
               ADIT_ELIMIT, "and less is a limit");
        adit_buf_free(&out);
    }
}

static enum adit_code decode_body(struct adit_mem mem, void *ctx)
{
    struct adit_buf out;
    struct adit_str text, *label = ctx;
    adit_buf_init(&out, mem, 1000);
    enum adit_code code =
        adit_charset_decode(ADIT_STR("\xE9\xA0x"), *label, NO_URL, &out, &text, NULL);
    adit_buf_free(&out);
    return code;
}

TEST(torture)
{
    struct adit_str labels[] = {ADIT_STR("koi8-r"), ADIT_STR("utf-8"), ADIT_STR("gbk"),
                                ADIT_STR("replacement"), ADIT_STR("iso-2022-jp")};
    for (size_t i = 0; i < ADIT_COUNT(labels); i++)
        tap_torture(decode_body, &labels[i], "every allocation failing");
}

RUN_TESTS(decisions, prescan, prescan_limit, meta_tag, content_type, no_copy, no_bytes, limits,
          torture)
