/* Dates in the forms found in the wild. */
#include "text/text.h"

#include "tests/tap.h"

static struct adit_str text(bool found, const struct adit_date *d)
{
    static struct adit_buf out;
    if (!found) return ADIT_STR("none");
    if (!out.mem.resize) adit_buf_init(&out, tap_mem, 100);
    adit_buf_free(&out);
    adit_date_write(d, &out);
    return adit_buf_str(&out);
}

TEST(values)
{
    static const struct {
        const char *input, *want;
    } cases[] = {
        {"2024-01-05", "2024-01-05T00:00:00Z"},
        {"2024-1-5", "2024-01-05T00:00:00Z"},
        {"2024/01/05", "2024-01-05T00:00:00Z"},
        {"2024.01.05", "2024-01-05T00:00:00Z"},
        {"20240105", "2024-01-05T00:00:00Z"},
        {"20240105T103015Z", "2024-01-05T10:30:15Z"},
        {"2024-01-05T10:30:15Z", "2024-01-05T10:30:15Z"},
        {"2024-01-05T10:30:15.123456789Z", "2024-01-05T10:30:15Z"},
        {"2024-01-05T10:30:15+02:00", "2024-01-05T08:30:15Z"},
        {"2024-01-05T10:30:15+0200", "2024-01-05T08:30:15Z"},
        {"2024-01-05T10:30:15-05", "2024-01-05T15:30:15Z"},
        {"2024-01-05T10:30Z", "2024-01-05T10:30:00Z"},
        {"2024-01-05 10:30:15", "2024-01-05T10:30:15Z"},
        {"2024-01-05 10:30:15 +0530", "2024-01-05T05:00:15Z"},
        {"2024-01-05T24:00:00Z", "2024-01-06T00:00:00Z"},
        {"Fri, 05 Jan 2024 10:30:15 GMT", "2024-01-05T10:30:15Z"},
        {"Fri, 05 Jan 2024 10:30:15 -0500", "2024-01-05T15:30:15Z"},
        {"Friday, 05-Jan-2024 10:30:15 GMT", "2024-01-05T10:30:15Z"},
        {"Fri Jan  5 10:30:15 2024", "2024-01-05T10:30:15Z"},
        {"Fri Jan 05 10:30:15 EST 2024", "2024-01-05T15:30:15Z"},
        {"Fri Jan 05 2024 10:30:15 GMT+0100 (CET)", "2024-01-05T09:30:15Z"},
        {"1704450615", "2024-01-05T10:30:15Z"},
        {"1704450615123", "2024-01-05T10:30:15Z"},
        {"2024-02-30", "none"},
        {"2023-02-29", "none"},
        {"2024-02-29", "2024-02-29T00:00:00Z"},
        {"2024-13-01", "none"},
        {"0000-00-00", "none"},
        {"0001-01-01T00:00:00", "none"},
        {"2024-01-05T25:00:00Z", "2024-01-05T00:00:00Z"},
        {"2024", "none"},
        {"2024-01", "none"},
        {"", "none"},
        {"yesterday", "none"},
        {"99999999999999999999", "none"},
    };
    for (size_t i = 0; i < ADIT_COUNT(cases); i++) {
        struct adit_date d;
        bool found = adit_date_parse(adit_str_z(cases[i].input), ADIT_MONTH_FIRST, &d);
        eq_str(text(found, &d), adit_str_z(cases[i].want), cases[i].input);
    }
}

TEST(written)
{
    static const struct {
        const char *input, *want;
        enum adit_date_order order;
    } cases[] = {
        {"January 5, 2024", "2024-01-05T00:00:00Z", 0},
        {"Jan. 5th, 2024", "2024-01-05T00:00:00Z", 0},
        {"Published on Sept 5 2024 by Ann", "2024-09-05T00:00:00Z", 0},
        {"Posted: May 5, 2024 at 3:45 pm", "2024-05-05T15:45:00Z", 0},
        {"May 5, 2024 12:05 AM EDT", "2024-05-05T04:05:00Z", 0},
        {"5 January 2024", "2024-01-05T00:00:00Z", 0},
        {"the 5th of January, 2024", "2024-01-05T00:00:00Z", 0},
        {"5 janvier 2024", "2024-01-05T00:00:00Z", 0},
        {"Publié le 1er août 2023 à 10:15", "2023-08-01T10:15:00Z", 0},
        {"5. Januar 2024, 10:30 Uhr", "2024-01-05T10:30:00Z", 0},
        {"Freitag, den 5. März 2021", "2021-03-05T00:00:00Z", 0},
        {"5 de enero de 2024", "2024-01-05T00:00:00Z", 0},
        {"5 de março de 2024", "2024-03-05T00:00:00Z", 0},
        {"venerdì 5 maggio 2023", "2023-05-05T00:00:00Z", 0},
        {"5 augustus 2024", "2024-08-05T00:00:00Z", 0},
        {"5 maart 2024", "2024-03-05T00:00:00Z", 0},
        {"5 maja 2024", "2024-05-05T00:00:00Z", 0},
        {"5 lipca 2024", "2024-07-05T00:00:00Z", 0},
        {"5. července 2024", "2024-07-05T00:00:00Z", 0},
        {"5. června 2024", "2024-06-05T00:00:00Z", 0},
        {"2024. január 5.", "2024-01-05T00:00:00Z", 0},
        {"5 января 2024 г.", "2024-01-05T00:00:00Z", 0},
        {"5 травня 2024", "2024-05-05T00:00:00Z", 0},
        {"5 Μαρτίου 2024", "2024-03-05T00:00:00Z", 0},
        {"5 Ocak 2024", "2024-01-05T00:00:00Z", 0},
        {"5. tammikuuta 2024", "2024-01-05T00:00:00Z", 0},
        {"2024年1月5日", "2024-01-05T00:00:00Z", 0},
        {"2024 年 1 月 5 日 10:30", "2024-01-05T10:30:00Z", 0},
        {"2024년 1월 5일", "2024-01-05T00:00:00Z", 0},
        {"２０２４年１月５日", "2024-01-05T00:00:00Z", 0},
        {"٥ يناير ٢٠٢٤", "2024-01-05T00:00:00Z", 0},
        {"05/01/2024", "2024-01-05T00:00:00Z", ADIT_DAY_FIRST},
        {"05/01/2024", "2024-05-01T00:00:00Z", ADIT_MONTH_FIRST},
        {"25/01/2024", "2024-01-25T00:00:00Z", ADIT_MONTH_FIRST},
        {"01/25/2024", "2024-01-25T00:00:00Z", ADIT_DAY_FIRST},
        {"05.01.2024", "2024-01-05T00:00:00Z", ADIT_MONTH_FIRST},
        {"5.1.2024", "2024-01-05T00:00:00Z", ADIT_MONTH_FIRST},
        {"05.01.24", "2024-01-05T00:00:00Z", ADIT_MONTH_FIRST},
        {"5 يناير، 2024", "2024-01-05T00:00:00Z", 0},
        {"5 كانون الثاني 2024", "2024-01-05T00:00:00Z", 0},
        {"7 كانون الأول 2023", "2023-12-07T00:00:00Z", 0},
        {"7 تشرين الثاني 2023", "2023-11-07T00:00:00Z", 0},
        {"15 أيار 2023", "2023-05-15T00:00:00Z", 0},
        {"५ मई २०२३", "2023-05-05T00:00:00Z", 0},
        {"15 जनवरी 2024", "2024-01-15T00:00:00Z", 0},
        {"২০২৪-০১-০৫", "2024-01-05T00:00:00Z", 0},
        {"৫ মে ২০২৩", "2023-05-05T00:00:00Z", 0},
        {"5 בינואר 2024", "2024-01-05T00:00:00Z", 0},
        {"5 ב 2024", "none", 0},
        {"3 ก.พ. 2565", "2022-02-03T00:00:00Z", 0},
        {"3 กุมภาพันธ์ 2022", "2022-02-03T00:00:00Z", 0},
        {"๕ มกราคม ๒๕๖๗", "2024-01-05T00:00:00Z", 0},
        {"ngày 5 tháng 1 năm 2024", "2024-01-05T00:00:00Z", 0},
        {"5 tháng 1, 2024", "2024-01-05T00:00:00Z", 0},
        {"令和6年1月5日", "2024-01-05T00:00:00Z", 0},
        {"公開日：令和６年１月５日", "2024-01-05T00:00:00Z", 0},
        {"民國113年1月5日", "2024-01-05T00:00:00Z", 0},
        {"2024 m. sausio 5 d.", "2024-01-05T00:00:00Z", 0},
        {"2024. gada 5. janvāris", "2024-01-05T00:00:00Z", 0},
        {"5. јануар 2024", "2024-01-05T00:00:00Z", 0},
        {"5 Disember 2024", "2024-12-05T00:00:00Z", 0},
        {"2024／01／05", "2024-01-05T00:00:00Z", 0},
        {"3日前", "none", 0},
        {"3天前", "none", 0},
        {"vor 3 Tagen", "none", 0},
        {"hace 2 horas", "none", 0},
        {"вчера в 14:30", "none", 0},
        {"3 दिन पहले", "none", 0},
        {"منذ 3 أيام", "none", 0},
        {"3 ngày trước", "none", 0},
        {"5 มกราคม 9999", "none", 0},
        {"平成0年", "none", 0},
        {"version 1.2.2024.3", "none", 0},
        {"31/02/2024", "none", 0},
        {"January 2024", "none", 0},
        {"call 555-01-2024", "none", 0},
        {"5 minutes ago", "none", 0},
        {"2024 was a good year, 5 may come", "none", 0},
    };
    for (size_t i = 0; i < ADIT_COUNT(cases); i++) {
        struct adit_date d;
        bool found = adit_date_find(adit_str_z(cases[i].input), cases[i].order, &d);
        eq_str(text(found, &d), adit_str_z(cases[i].want), cases[i].input);
    }
}

TEST(w3c)
{
    static const struct {
        const char *input;
        long long want;
    } cases[] = {
        {"2024", 1704067200},
        {"2024-02", 1706745600},
        {"2024-01-05", 1704412800},
        {"2024-01-05T10:30Z", 1704450600},
        {"2024-01-05T10:30+02:00", 1704443400},
        {"2024-01-05T10:30:15Z", 1704450615},
        {"2024-01-05T10:30:15.5-01:00", 1704454215},
        {"2024-01-05T10:30:15", 1704450615},
        {"2024-01-05T10:30", 1704450600},
        {"2024-1", -1},
        {"20240105", -1},
        {"2024-01-05T", -1},
        {"2024-01-05T10", -1},
        {"2024-02-30", -1},
        {"2024-01-05T10:30:15.5-01:00 and more text behind it", -1},
        {"abcd", -1},
        {"", -1},
    };
    for (size_t i = 0; i < ADIT_COUNT(cases); i++) {
        struct adit_time t = {0};
        bool found = adit_date_w3c(adit_str_z(cases[i].input), &t);
        eq_int(found ? t.s : -1, cases[i].want, cases[i].input);
    }
}

TEST(urls)
{
    static const struct {
        const char *input, *want;
    } cases[] = {
        {"https://example.com/2024/01/05/slug", "2024-01-05T00:00:00Z"},
        {"https://example.com/news/2024-01-05-slug", "2024-01-05T00:00:00Z"},
        {"https://example.com/2024/1/5", "2024-01-05T00:00:00Z"},
        {"https://example.com/2024/jan/05/slug", "2024-01-05T00:00:00Z"},
        {"https://example.com/a/2024/september/05", "2024-09-05T00:00:00Z"},
        {"https://example.com/2024/may/5-reasons", "none"},
        {"https://example.com/2024/01/05-reasons", "none"},
        {"https://example.com/2024-01-05/reasons", "2024-01-05T00:00:00Z"},
        {"https://example.com/2024/01/slug", "none"},
        {"https://example.com/1234/01/05/", "none"},
        {"https://example.com/?d=/2024/01/05/", "none"},
        {"https://example.com/2024/13/05/", "none"},
        {"", "none"},
    };
    for (size_t i = 0; i < ADIT_COUNT(cases); i++) {
        struct adit_date d;
        bool found = adit_date_in_url(adit_str_z(cases[i].input), &d);
        eq_str(text(found, &d), adit_str_z(cases[i].want), cases[i].input);
    }
}

TEST(local)
{
    struct adit_date d;
    struct adit_buf out;
    adit_buf_init(&out, tap_mem, 100);
    adit_date_parse(ADIT_STR("2024-01-05T23:30:00-05:30"), 0, &d);
    adit_date_write_local(&d, &out);
    eq_str(adit_buf_str(&out), ADIT_STR("2024-01-05T23:30:00-05:30"), "keeps the offset");
    adit_buf_clear(&out);
    adit_date_write(&d, &out);
    eq_str(adit_buf_str(&out), ADIT_STR("2024-01-06T05:00:00Z"), "UTC");
    adit_buf_free(&out);
    char long_text[600];
    memset(long_text, ' ', sizeof long_text);
    for (size_t k = 0; k < 3; k++) { /* the date ends at byte 399, 400, 401 */
        memset(long_text, ' ', sizeof long_text);
        memcpy(long_text + 389 + k, "2024-01-05", 10);
        ok(adit_date_find(adit_str_of(long_text, sizeof long_text), 0, &d) == (k < 2), "reach");
    }
    memset(long_text, '-', sizeof long_text);
    ok(!adit_date_find(adit_str_of(long_text, sizeof long_text), 0, &d), "many tokens");
}

/* All stems of date_words.c that begin with an ASCII letter: those are looked up by it. */
TEST(stems)
{
    static const char *const stems[12] = {
        "jan jän jaan ian ene gen gener sty led sij sau tammi oca",
        "feb fev fév féb febr veebr lut velj vas helmi",
        "mar mär mrz maa maart marec bře ožu kov maalis",
        "apr avr abr kwi dub tra balan huhti nis abril",
        "may mai maj mei mag maí máj maig kvě svi geg touko mayıs",
        "jun jui jún jūn juin giu juu juun iun lipanj lipnja cze czerw birž kesä haz",
        "jul júl jūl juil lug juul iul lip lie heinä tem srpanj srpnja julai",
        "aug aoû aou ago avg agu sie srp kol rugp elo ağu ogos",
        "sep set sept wrz zář ruj rugs syys eyl",
        "oct okt ott out paź spa loka eki",
        "nov lis lap stu marras kas",
        "dec dez dic dég des déc detsember gru pro groud joulu ara disember",
    };
    for (unsigned m = 0; m < ADIT_COUNT(stems); m++) {
        struct adit_str rest = adit_str_z(stems[m]), stem;
        while (adit_str_split(&rest, ' ', &stem)) eq_int(adit_month_of_word(stem), m + 1, stems[m]);
    }
}

RUN_TESTS(values, written, w3c, urls, local, stems)
