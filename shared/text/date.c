/* Reading dates: patterns over the tokens of a short text find year, month, day and clock. */
#include "text/date_impl.h"

enum { YEAR_MIN = 1400, YEAR_MAX = 2199 };

static const struct adit_date_token none;

static const struct adit_date_token *at(const struct adit_date_tokens *t, size_t i)
{
    return i < t->n ? &t->v[i] : &none;
}
static bool is_sign(const struct adit_date_tokens *t, size_t i, char c)
{
    return at(t, i)->kind == ADIT_TOKEN_SIGN && at(t, i)->value == c;
}

/* --- what a pattern finds --------------------------------------------------------------------- */

struct found {
    int year, month, day;
    int64_t clock; /* seconds of the day */
    uint32_t ns;
    int zone; /* minutes */
    bool has_clock, has_zone;
};

static bool is_number(const struct adit_date_tokens *t, size_t i, unsigned min, unsigned max)
{
    return at(t, i)->kind == ADIT_TOKEN_NUMBER && at(t, i)->digits >= min &&
           at(t, i)->digits <= max;
}
static bool is_year(const struct adit_date_tokens *t, size_t i)
{
    return is_number(t, i, 4, 4) && at(t, i)->value >= YEAR_MIN && at(t, i)->value <= YEAR_MAX;
}
/* The year at i behind a month, or 0. */
static int year_of(const struct adit_date_tokens *t, size_t i, const struct adit_date_token *month)
{
    if (is_year(t, i)) return at(t, i)->value;
    int year = is_number(t, i, 4, 4) && month->buddhist ? at(t, i)->value - 543 : 0;
    return year >= YEAR_MIN && year <= YEAR_MAX ? year : 0;
}
static bool is_small(const struct adit_date_tokens *t, size_t i) { return is_number(t, i, 1, 2); }
static bool is_unit(const struct adit_date_tokens *t, size_t i, char u)
{
    return at(t, i)->kind == ADIT_TOKEN_UNIT && at(t, i)->value == u;
}

static size_t skip_signs(const struct adit_date_tokens *t, size_t i, const char *signs)
{
    while (at(t, i)->kind == ADIT_TOKEN_SIGN) {
        const char *p = signs;
        while (*p && *p != at(t, i)->value) p++;
        if (!*p) break;
        i++;
    }
    return i;
}
static size_t skip_fillers(const struct adit_date_tokens *t, size_t i)
{
    while (at(t, i)->kind == ADIT_TOKEN_FILLER) i++;
    return i;
}

/* +02:00, -0500, +2, Z, EST, "UTC+2" */
static size_t read_zone(const struct adit_date_tokens *t, size_t i, struct found *f)
{
    size_t start = i;
    if (is_sign(t, i, '(')) i++;
    if (at(t, i)->kind == ADIT_TOKEN_ZONE) {
        f->zone = at(t, i)->value;
        f->has_zone = true;
        i++;
        if (f->zone != 0) return i;
    }
    if (!is_sign(t, i, '+') && !is_sign(t, i, '-')) return f->has_zone ? i : start;
    int sign = is_sign(t, i, '-') ? -1 : 1, minutes;
    if (is_number(t, i + 1, 4, 4) && !at(t, i + 1)->gap)
        minutes = at(t, i + 1)->value / 100 * 60 + at(t, i + 1)->value % 100;
    else if (is_small(t, i + 1) && is_sign(t, i + 2, ':') && is_small(t, i + 3))
        minutes = at(t, i + 1)->value * 60 + at(t, i + 3)->value;
    else if (is_number(t, i + 1, 2, 2) && !at(t, i + 1)->gap && !is_sign(t, i + 2, '-'))
        minutes = at(t, i + 1)->value * 60;
    else
        return f->has_zone ? i : start;
    if (minutes > 18 * 60) return start;
    f->zone = sign * minutes;
    f->has_zone = true;
    return i + 2 + (is_sign(t, i + 2, ':') ? 2 : 0);
}

/* Digits of a fraction as nanoseconds. */
static uint32_t nanoseconds(const struct adit_date_token *t)
{
    uint32_t ns = (uint32_t)t->value;
    for (unsigned d = t->digits; d < 9; d++) ns *= 10;
    return ns;
}

/* 10:30, 10:30:15.123, 103015 (behind T), 1:30 pm, with a zone. Returns where it ends, or i. */
static size_t read_clock(const struct adit_date_tokens *t, size_t i, struct found *f)
{
    int hour, minute, second = 0;
    uint32_t ns = 0;
    size_t k = i;
    bool packed = is_number(t, k, 6, 6) && k > 0 && is_sign(t, k - 1, 'T');
    if (packed) {
        hour = at(t, k)->value / 10000;
        minute = at(t, k)->value / 100 % 100;
        second = at(t, k)->value % 100;
        k++;
    } else {
        if (!is_small(t, k) || !is_sign(t, k + 1, ':') || !is_number(t, k + 2, 2, 2)) return i;
        hour = at(t, k)->value;
        minute = at(t, k + 2)->value;
        k += 3;
        if (is_sign(t, k, ':') && is_number(t, k + 1, 2, 2)) {
            second = at(t, k + 1)->value;
            k += 2;
        }
    }
    if ((is_sign(t, k, '.') || is_sign(t, k, ',')) && is_number(t, k + 1, 1, 9) &&
        !at(t, k + 1)->gap) {
        ns = nanoseconds(at(t, k + 1));
        k += 2;
    }
    if (at(t, k)->kind == ADIT_TOKEN_HALF && hour >= 1 && hour <= 12) {
        hour = hour % 12 + at(t, k)->value;
        k++;
    }
    if (hour > 24 || minute > 59 || second > 60 || (hour == 24 && (minute || second))) return i;
    f->clock = hour * 3600 + minute * 60 + second;
    f->ns = ns;
    f->has_clock = true;
    return read_zone(t, k, f);
}

/* The clock may stand behind a date, after a comma, "T", "at", a dash … */
static void read_clock_after(const struct adit_date_tokens *t, size_t i, struct found *f)
{
    i = skip_signs(t, i, ",T-|*@(");
    for (int words = 0;
         words < 2 && (at(t, i)->kind == ADIT_TOKEN_WORD || at(t, i)->kind == ADIT_TOKEN_FILLER);
         words++) {
        i++;
        i = skip_signs(t, i, ",:");
    }
    read_clock(t, i, f);
}

/* --- patterns: each returns where the date ends, or 0 ----------------------------------------- */

static bool set(struct found *f, int year, int month, int day)
{
    f->year = year;
    f->month = month;
    f->day = day;
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* 2024-01-05, 2024/1/5, 2024.01.05 */
static size_t year_first(const struct adit_date_tokens *t, size_t i, struct found *f)
{
    if (!is_year(t, i) || at(t, i + 1)->kind != ADIT_TOKEN_SIGN) return 0;
    char sep = (char)at(t, i + 1)->value;
    if (sep != '-' && sep != '/' && sep != '.') return 0;
    if (!is_small(t, i + 2) || !is_sign(t, i + 3, sep) || !is_small(t, i + 4)) return 0;
    return set(f, at(t, i)->value, at(t, i + 2)->value, at(t, i + 4)->value) ? i + 5 : 0;
}

/* 2024年1月5日, 令和6年1月5日 */
static size_t with_units(const struct adit_date_tokens *t, size_t i, struct found *f)
{
    int before = at(t, i)->kind == ADIT_TOKEN_ERA ? at(t, i)->value : 0;
    if (before) i++;
    if (!(before ? is_number(t, i, 1, 3) : is_year(t, i)) || !is_unit(t, i + 1, 'y')) return 0;
    if (!is_small(t, i + 2) || !is_unit(t, i + 3, 'm') || !is_small(t, i + 4)) return 0;
    if (!is_unit(t, i + 5, 'd')) return 0;
    return set(f, before + at(t, i)->value, at(t, i + 2)->value, at(t, i + 4)->value) ? i + 6 : 0;
}

static bool is_lead(const struct adit_date_tokens *t, size_t i, char unit)
{
    return at(t, i)->kind == ADIT_TOKEN_LEAD && at(t, i)->value == unit;
}

/* 5 tháng 1 năm 2024, 5 tháng 1, 2024 */
static size_t with_leads(const struct adit_date_tokens *t, size_t i, struct found *f)
{
    if (!is_small(t, i) || !is_lead(t, i + 1, 'm') || !is_small(t, i + 2)) return 0;
    size_t k = skip_signs(t, i + 3, ",");
    if (is_lead(t, k, 'y')) k++;
    if (!is_year(t, k)) return 0;
    return set(f, at(t, k)->value, at(t, i + 2)->value, at(t, i)->value) ? k + 1 : 0;
}

/* 20240105 */
static size_t packed(const struct adit_date_tokens *t, size_t i, struct found *f)
{
    if (!is_number(t, i, 8, 8)) return 0;
    int v = at(t, i)->value, year = v / 10000;
    if (year < 1900 || year > YEAR_MAX) return 0;
    return set(f, year, v / 100 % 100, v % 100) ? i + 1 : 0;
}

/* January 5th, 2024; Jan 05 10:30:00 EST 2024 */
static size_t month_day_year(const struct adit_date_tokens *t, size_t i, struct found *f)
{
    if (at(t, i)->kind != ADIT_TOKEN_MONTH) return 0;
    size_t k = skip_signs(t, i + 1, ".");
    k = skip_fillers(t, k);
    if (!is_small(t, k)) return 0;
    int day = at(t, k)->value;
    k = skip_fillers(t, k + 1);
    k = skip_signs(t, k, ",.");
    k = skip_fillers(t, k);
    size_t clock = read_clock(t, k, f);
    k = skip_signs(t, clock, ",");
    if (!is_year(t, k)) {
        f->has_clock = f->has_zone = false;
        return 0;
    }
    return set(f, at(t, k)->value, at(t, i)->value, day) ? k + 1 : 0;
}

/* 5 January 2024; 5. Januar 2024; 5 de enero de 2024; 05-Jan-2024; 5 Jan 24 is too vague */
static size_t day_month_year(const struct adit_date_tokens *t, size_t i, struct found *f)
{
    if (!is_small(t, i)) return 0;
    size_t k = skip_fillers(t, i + 1);
    k = skip_signs(t, k, ".-/,");
    k = skip_fillers(t, k);
    if (at(t, k)->kind != ADIT_TOKEN_MONTH) return 0;
    const struct adit_date_token *month = at(t, k);
    k = skip_signs(t, k + 1, ".-/,");
    k = skip_fillers(t, k);
    k = skip_signs(t, k, ",");
    int year = year_of(t, k, month);
    return year && set(f, year, month->value, at(t, i)->value) ? k + 1 : 0;
}

/* 2024. gada 5. janvāris */
static size_t day_behind(const struct adit_date_tokens *t, size_t year, size_t day, struct found *f)
{
    size_t k = skip_signs(t, day + 1, ".");
    if (at(t, k)->kind != ADIT_TOKEN_MONTH) return 0;
    return set(f, at(t, year)->value, at(t, k)->value, at(t, day)->value) ? k + 1 : 0;
}

/* 2024. január 5.; 2024 January 5; 2024 m. sausio 5 d. */
static size_t year_month_day(const struct adit_date_tokens *t, size_t i, struct found *f)
{
    if (!is_year(t, i)) return 0;
    size_t k = skip_signs(t, i + 1, ".,-/");
    k = skip_signs(t, skip_fillers(t, k), ".");
    if (is_small(t, k) && k > i + 1 && at(t, k - 1)->kind != ADIT_TOKEN_SIGN)
        return at(t, i + 1)->kind == ADIT_TOKEN_SIGN ? day_behind(t, i, k, f) : 0;
    if (at(t, k)->kind != ADIT_TOKEN_MONTH) return 0;
    int month = at(t, k)->value;
    k = skip_signs(t, k + 1, ".,-/");
    if (!is_small(t, k) || is_sign(t, k + 1, ':')) return 0;
    return set(f, at(t, i)->value, month, at(t, k)->value) ? k + 1 : 0;
}

/* 5.1.2024, 05/01/2024, 05-01-2024; two-digit years only between two-digit numbers */
static size_t numbers(const struct adit_date_tokens *t, size_t i, struct found *f,
                      enum adit_date_order order)
{
    if (!is_small(t, i) || at(t, i + 1)->kind != ADIT_TOKEN_SIGN) return 0;
    char sep = (char)at(t, i + 1)->value;
    if (sep != '-' && sep != '/' && sep != '.') return 0;
    if (!is_small(t, i + 2) || !is_sign(t, i + 3, sep)) return 0;
    if (is_sign(t, i + 5, sep) && at(t, i + 6)->kind == ADIT_TOKEN_NUMBER && !at(t, i + 6)->gap)
        return 0;
    int a = at(t, i)->value, b = at(t, i + 2)->value, year = at(t, i + 4)->value;
    bool two = is_number(t, i + 4, 2, 2) && at(t, i)->digits == 2 && at(t, i + 2)->digits == 2 &&
               sep != '-';
    if (two)
        year += year < 70 ? 2000 : 1900;
    else if (!is_year(t, i + 4))
        return 0;
    bool month_first = sep != '.' && order == ADIT_MONTH_FIRST;
    if (a > 12) month_first = false;
    if (b > 12) month_first = true;
    return set(f, year, month_first ? a : b, month_first ? b : a) ? i + 5 : 0;
}

static size_t match(const struct adit_date_tokens *t, size_t i, enum adit_date_order order,
                    struct found *f)
{
    static size_t (*const patterns[])(const struct adit_date_tokens *, size_t, struct found *) = {
        year_first, with_units, with_leads, packed, month_day_year, day_month_year, year_month_day,
    };
    size_t end = 0;
    for (size_t k = 0; k < ADIT_COUNT(patterns) && !end; k++) end = patterns[k](t, i, f);
    return end ? end : numbers(t, i, f, order);
}

/* --- results ---------------------------------------------------------------------------------- */

static bool finish_date(const struct found *f, struct adit_date *d)
{
    int64_t year, days = adit_days_from_date(f->year, (unsigned)f->month, (unsigned)f->day);
    unsigned month, day;
    adit_date_from_days(days, &year, &month, &day);
    if (year != f->year || (int)month != f->month || (int)day != f->day) return false;
    *d = (struct adit_date){
        .time = {.s = days * 86400 + (f->has_clock ? f->clock - (int64_t)f->zone * 60 : 0),
                 .ns = f->has_clock ? f->ns : 0},
        .offset = (int16_t)(f->has_clock ? f->zone : 0),
        .has_clock = f->has_clock,
    };
    return true;
}

/* A number must not be the tail of something else: "v1.2024", "a2024". */
static bool stands_alone(const struct adit_date_tokens *t, size_t i)
{
    if (i == 0 || at(t, i)->gap || at(t, i)->kind != ADIT_TOKEN_NUMBER) return true;
    const struct adit_date_token *before = at(t, i - 1);
    if (before->kind == ADIT_TOKEN_NUMBER) return false;
    return !(i > 1 && before->kind == ADIT_TOKEN_SIGN && !before->gap &&
             at(t, i - 2)->kind == ADIT_TOKEN_NUMBER &&
             (before->value == '.' || before->value == '/' || before->value == '-'));
}

/* Most texts have too few digits: a date has five at least, or three and the name of an era. */
static bool may_hold_date(struct adit_str s)
{
    size_t n = s.len < ADIT_DATE_TEXT_MAX ? s.len : ADIT_DATE_TEXT_MAX, digits = 0, least = 5;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        digits += adit_is_digit(s.p[i]);
        if (c < 0x80) continue;
        if (c == 0xEF || c == 0xD9 || c == 0xDB) return true; /* digits of other scripts */
        if (c == 0xE0 || c == 0xE1) return true; /* the scripts of South and South-East Asia */
        least = 3;
    }
    return digits >= least;
}

bool adit_date_find(struct adit_str text, enum adit_date_order order, struct adit_date *d)
{
    struct adit_date_tokens t;
    if (!may_hold_date(text)) return false;
    adit_date_tokenize(text, &t);
    for (size_t i = 0; i < t.n; i++) {
        struct found f = {0};
        if (!stands_alone(&t, i)) continue;
        size_t end = match(&t, i, order, &f);
        if (!end) continue;
        if (!f.has_clock) read_clock_after(&t, end, &f);
        if (finish_date(&f, d)) return true;
    }
    return false;
}

/* Ten digits: seconds; thirteen: milliseconds. */
static bool since_1970(struct adit_str s, struct adit_date *d)
{
    uint64_t v;
    if ((s.len != 10 && s.len != 13) || !adit_str_u64(s, &v)) return false;
    uint64_t ms = s.len == 10 ? v * 1000 : v;
    if (ms < 100000000000u || ms >= 7258118400000u) return false;
    *d = (struct adit_date){
        .time = {.s = (int64_t)(ms / 1000), .ns = (uint32_t)(ms % 1000) * 1000000},
        .has_clock = true};
    return true;
}

bool adit_date_parse(struct adit_str value, enum adit_date_order order, struct adit_date *d)
{
    value = adit_str_trim(value);
    return since_1970(value, d) || adit_date_find(value, order, d);
}

bool adit_date_w3c(struct adit_str s, struct adit_time *t)
{
    char full[] = "0000-01-01";
    if (s.len != 4 && s.len != 7) {
        if (adit_time_parse_date(s, t)) return true;
        /* RFC 3339 wants seconds and a zone; W3C's profile lets the seconds go, others the zone. */
        char text[48];
        if (s.len < 16 || s.len > 40) return false;
        size_t zone = s.len;
        for (size_t i = 11; i < s.len && zone == s.len; i++)
            if (s.p[i] == 'Z' || s.p[i] == '+' || s.p[i] == '-') zone = i;
        size_t n = 0;
        for (size_t i = 0; i < zone; i++) text[n++] = s.p[i];
        for (const char *p = zone == 16 ? ":00" : ""; *p; p++) text[n++] = *p;
        if (zone == s.len) text[n++] = 'Z';
        for (size_t i = zone; i < s.len; i++) text[n++] = s.p[i];
        return adit_time_parse(adit_str_of(text, n), t);
    }
    for (size_t i = 0; i < s.len; i++) full[i] = s.p[i];
    return adit_time_parse_date(adit_str_of(full, 10), t);
}

/* /2024/01/05/, /2024-01-05-title; in /2024/01/05-reasons a number begins the title. */
static bool url_digits(const struct adit_date_tokens *t, struct found *f)
{
    size_t end = year_first(t, 0, f);
    return end && !(is_sign(t, 1, '/') && is_sign(t, end, '-'));
}

/* /2024/jan/05/ */
static bool url_month(const struct adit_date_tokens *t, struct found *f)
{
    size_t end = is_sign(t, 1, '/') && is_sign(t, 3, '/') ? year_month_day(t, 0, f) : 0;
    return end && (at(t, end)->kind == ADIT_TOKEN_END || is_sign(t, end, '/'));
}

bool adit_date_in_url(struct adit_str url, struct adit_date *d)
{
    enum { LONGEST = 20 }; /* "2024/september/05/" */
    size_t path = adit_str_chr(url, '/', adit_str_find(url, ADIT_STR("//"), 0) + 2);
    size_t end = adit_str_chr(url, '?', path);
    for (size_t i = path; i + 8 < end; i++) {
        if (url.p[i] != '/' || !adit_is_digit(url.p[i + 1])) continue;
        struct adit_date_tokens t;
        struct found f = {0};
        adit_date_tokenize(adit_str_sub(url, i + 1, i + 12 < end ? i + 12 : end), &t);
        if (at(&t, 0)->value < 1990 || at(&t, 1)->value == '.') continue;
        if (url_digits(&t, &f) && finish_date(&f, d)) return true;
        adit_date_tokenize(adit_str_sub(url, i + 1, i + LONGEST < end ? i + LONGEST : end), &t);
        if (url_month(&t, &f) && finish_date(&f, d)) return true;
    }
    return false;
}

void adit_date_write(const struct adit_date *d, struct adit_buf *out)
{
    adit_time_write(out, (struct adit_time){.s = d->time.s});
}

void adit_date_write_local(const struct adit_date *d, struct adit_buf *out)
{
    adit_time_write(out, (struct adit_time){.s = d->time.s + (int64_t)d->offset * 60});
    if (d->offset == 0 || out->err) return;
    unsigned minutes = (unsigned)(d->offset < 0 ? -d->offset : d->offset);
    out->len--; /* the Z */
    adit_buf_byte(out, d->offset < 0 ? '-' : '+');
    adit_buf_pad(out, minutes / 60, 2);
    adit_buf_byte(out, ':');
    adit_buf_pad(out, minutes % 60, 2);
}
