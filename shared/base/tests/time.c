/* Instants: what RFC 3339 texts mean, and back. */
#include "base/base.h"
#include "tests/tap.h"

static const struct {
    const char *text;
    int64_t s;
    uint32_t ns;
} good[] = {
    {"1970-01-01T00:00:00Z", 0, 0},
    {"1969-12-31T23:59:59Z", -1, 0},
    {"2000-02-29T12:00:00Z", 951825600, 0},
    {"2000-01-15T10:30:00+01:30", 947926800, 0},
    {"2000-01-15T10:30:00-00:00", 947932200, 0},
    {"2000-01-15t10:30:00z", 947932200, 0},
    {"2000-01-15 10:30:00Z", 947932200, 0},
    {"2000-01-15T10:30:00.5Z", 947932200, 500000000},
    {"2000-01-15T10:30:00.123456789987Z", 947932200, 123456789},
    {"2016-12-31T23:59:60Z", 1483228800, 0},
    {"0000-01-01T00:00:00Z", -62167219200, 0},
    {"9999-12-31T23:59:59Z", 253402300799, 0},
};
static const char *const bad[] = {
    "",
    "2000-01-15",
    "2000-01-15T10:30:00",
    "2000-01-15T10:30Z",
    "2001-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2000-13-01T00:00:00Z",
    "2000-00-01T00:00:00Z",
    "2000-01-00T00:00:00Z",
    "2000-01-32T00:00:00Z",
    "2000-01-15T24:00:00Z",
    "2000-01-15T10:60:00Z",
    "2000-01-15T10:30:61Z",
    "2000-01-15T10:30:00.Z",
    "2000-01-15T10:30:00+24:00",
    "2000-01-15T10:30:00+0100",
    "2000-01-15T10:30:00Zx",
    " 2000-01-15T10:30:00Z",
    "20000115T103000Z",
    "2000-1-15T10:30:00Z",
    "-200-01-15T10:30:00Z",
};

TEST(parses)
{
    for (size_t i = 0; i < ADIT_COUNT(good); i++) {
        struct adit_time t = {0};
        bool is = adit_time_parse(adit_str_z(good[i].text), &t);
        ok(is && t.s == good[i].s && t.ns == good[i].ns, good[i].text);
    }
    for (size_t i = 0; i < ADIT_COUNT(bad); i++) {
        struct adit_time t;
        ok(!adit_time_parse(adit_str_z(bad[i]), &t), bad[i][0] ? bad[i] : "nothing");
    }
}

TEST(dates)
{
    struct adit_time t = {1, 1};
    ok(adit_time_parse_date(ADIT_STR("2000-01-15"), &t) && t.s == 947894400 && t.ns == 0,
       "a date is its midnight");
    ok(adit_time_parse_date(ADIT_STR("2000-01-15T00:00:01Z"), &t) && t.s == 947894401,
       "or a date-time");
    ok(!adit_time_parse_date(ADIT_STR("2000-01-1"), &t), "nothing else");
    bool same = true;
    for (int64_t day = -719528; day <= 2932896; day += 17) {
        int64_t y;
        unsigned m, d;
        adit_date_from_days(day, &y, &m, &d);
        same = same && adit_days_from_date(y, m, d) == day;
    }
    ok(same, "days to dates and back, years 0 to 9999");
}

static void writes_as(struct adit_time t, const char *want, const char *stamp)
{
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 100);
    adit_time_write(&b, t);
    eq_str(adit_buf_str(&b), adit_str_z(want), want);
    adit_buf_clear(&b);
    adit_time_stamp(&b, t);
    eq_str(adit_buf_str(&b), adit_str_z(stamp), stamp);
    adit_buf_free(&b);
}

TEST(writes)
{
    writes_as((struct adit_time){947932200, 0}, "2000-01-15T10:30:00Z", "20000115T103000Z");
    writes_as((struct adit_time){-1, 500000000}, "1969-12-31T23:59:59.5Z", "19691231T235959Z");
    writes_as((struct adit_time){-62167219200, 1}, "0000-01-01T00:00:00.000000001Z",
              "00000101T000000Z");
}

TEST(compares)
{
    struct adit_time a = {5, 1}, b = {5, 2}, c = {-6, 9};
    ok(adit_time_cmp(a, b) < 0 && adit_time_cmp(b, a) > 0 && adit_time_cmp(a, a) == 0,
       "by fraction");
    ok(adit_time_cmp(c, a) < 0 && adit_time_cmp(a, c) > 0, "by seconds, before 1970 too");
}

RUN_TESTS(parses, dates, writes, compares)
