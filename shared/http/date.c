/* HTTP-date (RFC 9110, 5.6.7) and Content-Digest (RFC 9530). */
#include "http/http.h"

#include "base/base.h"
#include "crypto/crypto.h"

static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
static const char days[7][10] = {"Thursday", "Friday",  "Saturday", "Sunday",
                                 "Monday",   "Tuesday", "Wednesday"}; /* 1970-01-01 first */

/* A form is a pattern: a letter stands for what takes() reads, anything else for itself. */
static const char *const forms[] = {
    "A, D M Y T GMT", /* Sun, 06 Nov 1994 08:49:37 GMT */
    "L, D-M-y T GMT", /* Sunday, 06-Nov-94 08:49:37 GMT */
    "A M d T Y",      /* Sun Nov  6 08:49:37 1994 */
};

struct civil {
    unsigned year, month, day, seconds;
};

static bool take_number(struct adit_str *s, size_t n, unsigned *v)
{
    uint64_t u;
    if (s->len < n || !adit_str_u64(adit_str_sub(*s, 0, n), &u)) return false;
    *v = (unsigned)u;
    *s = adit_str_sub(*s, n, s->len);
    return true;
}

static bool take_lit(struct adit_str *s, struct adit_str lit)
{
    if (!adit_str_starts(*s, lit)) return false;
    *s = adit_str_sub(*s, lit.len, s->len);
    return true;
}

static bool take_weekday(struct adit_str *s, bool whole)
{
    for (size_t i = 0; i < 7; i++) {
        struct adit_str name = adit_str_z(days[i]);
        if (take_lit(s, whole ? name : adit_str_sub(name, 0, 3))) return true;
    }
    return false;
}

static bool take_month(struct adit_str *s, unsigned *month)
{
    for (unsigned i = 0; i < 12; i++)
        if (take_lit(s, adit_str_z(months[i]))) {
            *month = i + 1;
            return true;
        }
    return false;
}

static bool take_time(struct adit_str *s, unsigned *seconds)
{
    unsigned h, m, sec;
    if (!take_number(s, 2, &h) || !take_lit(s, ADIT_STR(":")) || !take_number(s, 2, &m) ||
        !take_lit(s, ADIT_STR(":")) || !take_number(s, 2, &sec))
        return false;
    *seconds = h * 3600 + m * 60 + sec;
    return h < 24 && m < 60 && sec <= 60; /* 60: a leap second */
}

static bool takes(struct adit_str *s, char what, struct civil *c)
{
    switch (what) {
    case 'A': return take_weekday(s, false);
    case 'L': return take_weekday(s, true);
    case 'D': return take_number(s, 2, &c->day);
    case 'd':
        return take_lit(s, ADIT_STR(" ")) ? take_number(s, 1, &c->day) : take_number(s, 2, &c->day);
    case 'M': return take_month(s, &c->month);
    case 'Y': return take_number(s, 4, &c->year);
    case 'y':
        if (!take_number(s, 2, &c->year)) return false;
        c->year += c->year < 70 ? 2000 : 1900;
        return true;
    case 'T': return take_time(s, &c->seconds);
    default: return take_lit(s, adit_str_of(&what, 1));
    }
}

static bool matches(struct adit_str s, const char *form, struct civil *c)
{
    bool literal = false; /* from G on it is GMT */
    for (; *form; form++) {
        if (*form == 'G') literal = true;
        if (literal ? !take_lit(&s, adit_str_of(form, 1)) : !takes(&s, *form, c)) return false;
    }
    return s.len == 0;
}

/* Whether the calendar has that day: it comes back as it went in. */
static bool is_day(const struct civil *c, int64_t day_number)
{
    int64_t year;
    unsigned month, day;
    adit_date_from_days(day_number, &year, &month, &day);
    return c->day && year == c->year && month == c->month && day == c->day;
}

bool adit_http_date_parse(struct adit_str s, int64_t *unix_s)
{
    s = adit_str_trim(s);
    for (size_t i = 0; i < ADIT_COUNT(forms); i++) {
        struct civil c = {0};
        if (!matches(s, forms[i], &c)) continue;
        int64_t n = adit_days_from_date(c.year, c.month, c.day);
        if (!is_day(&c, n)) return false;
        *unix_s = n * 86400 + c.seconds;
        return true;
    }
    return false;
}

void adit_http_date(struct adit_buf *out, int64_t unix_s)
{
    int64_t n = unix_s / 86400, rest = unix_s % 86400, year;
    unsigned month, day;
    if (rest < 0) n--, rest += 86400;
    adit_date_from_days(n, &year, &month, &day);
    adit_buf_add(out, adit_str_of(days[((n % 7) + 7) % 7], 3));
    adit_buf_lit(out, ", ");
    adit_buf_pad(out, day, 2);
    adit_buf_byte(out, ' ');
    adit_buf_lit(out, months[month - 1]);
    adit_buf_byte(out, ' ');
    adit_buf_pad(out, (uint64_t)year, 4);
    adit_buf_byte(out, ' ');
    adit_buf_pad(out, (uint64_t)(rest / 3600), 2);
    adit_buf_byte(out, ':');
    adit_buf_pad(out, (uint64_t)(rest / 60 % 60), 2);
    adit_buf_byte(out, ':');
    adit_buf_pad(out, (uint64_t)(rest % 60), 2);
    adit_buf_lit(out, " GMT");
}

void adit_content_digest(struct adit_buf *out, const uint8_t sha256[ADIT_SHA256_LEN])
{
    adit_buf_lit(out, "sha-256=:");
    adit_base64(out, sha256, ADIT_SHA256_LEN);
    adit_buf_byte(out, ':');
}
