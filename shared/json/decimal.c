/* Decimal text to the nearest double, ties to even, on exact integers.
 *
 * The number is a fraction of two big ones, scaled by the power of two that makes its quotient the
 * mantissa; long division gives the bits, and the remainder says how to round. 800 digits decide:
 * no tie between doubles has more than 767, so any further digits only say "a little more". */
#include "json/json.h"
#include "json/big_impl.h"

enum { DIGITS_MAX = 800, EXPONENT_MAX = 310, EXPONENT_MIN = -330, LEAST = -1074 };

#define INFINITE ((uint64_t)0x7FF << 52)

/* value = digits × 10^exponent. 800 digits have 2658 bits, 10^(800 + 330) has 3754. */
struct parsed {
    struct adit_big digits;
    int64_t n_digits; /* in digits, without leading zeros */
    int64_t exponent;
    bool negative;
};

static void take_digit(struct parsed *d, char c, bool *more)
{
    if (d->n_digits == 0 && c == '0') return;
    if (d->n_digits < DIGITS_MAX) {
        adit_big_mul_add(&d->digits, 10, (uint32_t)(c - '0'));
        d->n_digits++;
        return;
    }
    if (c != '0') *more = true;
    d->exponent++;
}

/* JSON's grammar is checked on the way; false if it is not a number. */
static bool parse(struct adit_str s, struct parsed *d)
{
    size_t i = 0, from;
    bool more = false;
    *d = (struct parsed){.negative = s.len > 0 && s.p[0] == '-'};
    from = i = d->negative;
    for (; i < s.len && adit_is_digit(s.p[i]); i++) take_digit(d, s.p[i], &more);
    if (i == from || (s.p[from] == '0' && i > from + 1)) return false;
    if (i < s.len && s.p[i] == '.') {
        for (from = ++i; i < s.len && adit_is_digit(s.p[i]); i++, d->exponent--)
            take_digit(d, s.p[i], &more);
        if (i == from) return false;
    }
    if (more) { /* a last digit that stands for all that follow */
        adit_big_mul_add(&d->digits, 10, 1);
        d->exponent--;
    }
    if (i == s.len) return true;
    if (s.p[i] != 'e' && s.p[i] != 'E') return false;
    i++;
    bool down = i < s.len && s.p[i] == '-';
    if (i < s.len && (s.p[i] == '-' || s.p[i] == '+')) i++;
    int64_t e = 0;
    for (from = i; i < s.len && adit_is_digit(s.p[i]); i++)
        if (e < (int64_t)1 << 40) e = e * 10 + (s.p[i] - '0');
    d->exponent += down ? -e : e;
    return i == s.len && i > from;
}

/* Whether n / m >= 2^power. */
static bool at_least(const struct adit_big *n, const struct adit_big *m, int power)
{
    struct adit_big a = *n, b = *m;
    if (power > 0)
        adit_big_shift(&b, (unsigned)power);
    else
        adit_big_shift(&a, (unsigned)-power);
    return adit_big_cmp(&a, &b) >= 0;
}

/* floor(n / m), below 2^54, then rounded by the remainder. Both are used up. */
static uint64_t divide(struct adit_big *n, struct adit_big *m)
{
    uint64_t q = 0;
    adit_big_shift(m, 53);
    for (int i = 0; i < 54; i++) {
        q *= 2;
        if (adit_big_cmp(n, m) >= 0) {
            adit_big_sub(n, m);
            q++;
        }
        adit_big_shift(n, 1);
    }
    int half = adit_big_cmp(n, m);
    return q + (half > 0 || (half == 0 && q % 2));
}

static uint64_t nearest(struct parsed *d)
{
    struct adit_big *n = &d->digits, m;
    adit_big_set(&m, 1);
    if (d->exponent >= 0)
        adit_big_mul_pow10(n, (unsigned)d->exponent);
    else
        adit_big_mul_pow10(&m, (unsigned)-d->exponent);
    int log2 = (int)adit_big_bits(n) - (int)adit_big_bits(&m);
    if (!at_least(n, &m, log2)) log2--;
    if (log2 > 1023) return INFINITE;
    int unit = log2 - 52 < LEAST ? LEAST : log2 - 52; /* exponent of the last bit */
    if (unit > 0)
        adit_big_shift(&m, (unsigned)unit);
    else
        adit_big_shift(n, (unsigned)-unit);
    /* The hidden bit adds one to the exponent, and so does a mantissa that rounds up to 2^53. */
    return ((uint64_t)(unit - LEAST) << 52) + divide(n, &m);
}

enum adit_code adit_json_parse_number(struct adit_str number, uint64_t *bits)
{
    struct parsed d;
    if (!parse(number, &d)) return ADIT_EBAD;
    uint64_t sign = (uint64_t)d.negative << 63;
    *bits = sign;
    int64_t magnitude = d.n_digits + d.exponent; /* value < 10^magnitude */
    if (d.n_digits == 0 || magnitude < EXPONENT_MIN) return ADIT_OK;
    if (magnitude > EXPONENT_MAX) return ADIT_EBAD;
    *bits = sign | nearest(&d);
    return (*bits & INFINITE) == INFINITE ? ADIT_EBAD : ADIT_OK;
}
