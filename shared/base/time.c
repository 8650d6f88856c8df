/* RFC 3339 to seconds and back, by the proleptic Gregorian calendar. */
#include "base/base.h"

int64_t adit_days_from_date(int64_t year, unsigned month, unsigned day)
{
    /* Years begin in March, so that the leap day is their last. */
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t yoe = y - era * 400;
    int64_t doy = (153 * ((int64_t)month + (month > 2 ? -3 : 9)) + 2) / 5 + (int64_t)day - 1;
    return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

void adit_date_from_days(int64_t days, int64_t *year, unsigned *month, unsigned *day)
{
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t doe = days - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int64_t mp = (5 * doy + 2) / 153;
    *day = (unsigned)(doy - (153 * mp + 2) / 5 + 1);
    *month = (unsigned)(mp < 10 ? mp + 3 : mp - 9);
    *year = yoe + era * 400 + (*month <= 2);
}

static unsigned days_of_month(unsigned year, unsigned month)
{
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return (unsigned)days[month - 1] + (month == 2 && leap ? 1u : 0u);
}

/* n digits at *pos, which moves behind them. */
static bool take(struct adit_str s, size_t *pos, size_t n, unsigned *out)
{
    if (s.len - *pos < n) return false;
    unsigned v = 0;
    for (size_t i = 0; i < n; i++) {
        char c = s.p[*pos + i];
        if (!adit_is_digit(c)) return false;
        v = v * 10 + (unsigned)(c - '0');
    }
    *pos += n;
    *out = v;
    return true;
}

static bool take_char(struct adit_str s, size_t *pos, char c)
{
    if (*pos >= s.len || adit_lower(s.p[*pos]) != c) return false;
    ++*pos;
    return true;
}

static bool take_date(struct adit_str s, size_t *pos, int64_t *days)
{
    unsigned y, m, d;
    if (!take(s, pos, 4, &y) || !take_char(s, pos, '-') || !take(s, pos, 2, &m) ||
        !take_char(s, pos, '-') || !take(s, pos, 2, &d))
        return false;
    if (m < 1 || m > 12 || d < 1 || d > days_of_month(y, m)) return false;
    *days = adit_days_from_date(y, m, d);
    return true;
}

static bool take_fraction(struct adit_str s, size_t *pos, uint32_t *ns)
{
    size_t start = *pos;
    uint32_t unit = 100000000;
    for (*ns = 0; *pos < s.len && adit_is_digit(s.p[*pos]); ++*pos, unit /= 10)
        *ns += (uint32_t)(s.p[*pos] - '0') * unit;
    return *pos > start;
}

/* Z, or the seconds that local time is ahead of UTC. */
static bool take_offset(struct adit_str s, size_t *pos, int64_t *offset)
{
    *offset = 0;
    if (take_char(s, pos, 'z')) return true;
    bool west = take_char(s, pos, '-');
    unsigned h, m;
    if (!west && !take_char(s, pos, '+')) return false;
    if (!take(s, pos, 2, &h) || !take_char(s, pos, ':') || !take(s, pos, 2, &m)) return false;
    if (h > 23 || m > 59) return false;
    *offset = (int64_t)(h * 3600 + m * 60) * (west ? -1 : 1);
    return true;
}

bool adit_time_parse(struct adit_str s, struct adit_time *t)
{
    size_t pos = 0;
    int64_t days, offset;
    unsigned h, m, sec;
    uint32_t ns = 0;
    if (!take_date(s, &pos, &days)) return false;
    if (!take_char(s, &pos, 't') && !take_char(s, &pos, ' ')) return false;
    if (!take(s, &pos, 2, &h) || !take_char(s, &pos, ':') || !take(s, &pos, 2, &m) ||
        !take_char(s, &pos, ':') || !take(s, &pos, 2, &sec))
        return false;
    if (h > 23 || m > 59 || sec > 60) return false;
    if (take_char(s, &pos, '.') && !take_fraction(s, &pos, &ns)) return false;
    if (!take_offset(s, &pos, &offset) || pos != s.len) return false;
    *t = (struct adit_time){days * 86400 + (int64_t)(h * 3600 + m * 60 + sec) - offset, ns};
    return true;
}

bool adit_is_time(struct adit_str text)
{
    struct adit_time t;
    return adit_time_parse(text, &t);
}

bool adit_time_parse_date(struct adit_str s, struct adit_time *t)
{
    size_t pos = 0;
    int64_t days;
    if (s.len != 10) return adit_time_parse(s, t);
    if (!take_date(s, &pos, &days)) return false;
    *t = (struct adit_time){days * 86400, 0};
    return true;
}

int adit_time_cmp(struct adit_time a, struct adit_time b)
{
    if (a.s != b.s) return a.s < b.s ? -1 : 1;
    return a.ns == b.ns ? 0 : a.ns < b.ns ? -1 : 1;
}

struct clock {
    int64_t year;
    unsigned month, day, h, m, s;
};

static struct clock clock_of(struct adit_time t)
{
    struct clock c;
    int64_t days = (t.s >= 0 ? t.s : t.s - 86399) / 86400;
    unsigned rest = (unsigned)(t.s - days * 86400);
    adit_date_from_days(days, &c.year, &c.month, &c.day);
    c.h = rest / 3600, c.m = rest / 60 % 60, c.s = rest % 60;
    return c;
}

static void write_fraction(struct adit_buf *out, uint32_t ns)
{
    int width = 9;
    for (; ns % 10 == 0; ns /= 10) width--;
    adit_buf_byte(out, '.');
    adit_buf_pad(out, ns, width);
}

static void write_parts(struct adit_buf *out, struct clock c, const char *dash, const char *colon)
{
    adit_buf_pad(out, (uint64_t)c.year, 4), adit_buf_lit(out, dash);
    adit_buf_pad(out, c.month, 2), adit_buf_lit(out, dash);
    adit_buf_pad(out, c.day, 2), adit_buf_byte(out, 'T');
    adit_buf_pad(out, c.h, 2), adit_buf_lit(out, colon);
    adit_buf_pad(out, c.m, 2), adit_buf_lit(out, colon);
    adit_buf_pad(out, c.s, 2);
}

void adit_time_write(struct adit_buf *out, struct adit_time t)
{
    write_parts(out, clock_of(t), "-", ":");
    if (t.ns) write_fraction(out, t.ns);
    adit_buf_byte(out, 'Z');
}

void adit_time_stamp(struct adit_buf *out, struct adit_time t)
{
    write_parts(out, clock_of(t), "", "");
    adit_buf_byte(out, 'Z');
}
