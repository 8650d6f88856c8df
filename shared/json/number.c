/* Doubles as ECMAScript prints them: the fewest digits that read back as the same double, the
 * nearest of those, the even one of two (Number::toString). Digits by Burger and Dybvig's
 * free-format algorithm, "Printing Floating-Point Numbers Quickly and Accurately" (1996), on exact
 * integers. */
#include "json/json.h"
#include "json/big_impl.h"

enum { DIGITS_MAX = 17, HIDDEN = 52 };

struct decimal {
    char digit[DIGITS_MAX + 1];
    int n;
    int point; /* value = 0.DIGITS × 10^point */
};

/* The double is r / s; everything nearer than low / s below and high / s above reads back as it. */
struct ratio {
    struct adit_big r, s, low, high;
    bool even; /* the ends of that interval read back too (ties to even) */
};

static void make_ratio(struct ratio *q, uint64_t mantissa, int exponent)
{
    /* Below a power of two the doubles are twice as dense, but for the least one. */
    unsigned half = mantissa == (uint64_t)1 << HIDDEN && exponent > -1074;
    unsigned up = exponent > 0 ? (unsigned)exponent : 0, down = (unsigned)((int)up - exponent);
    q->even = mantissa % 2 == 0;
    adit_big_set(&q->r, mantissa);
    adit_big_shift(&q->r, up + 1 + half);
    adit_big_set(&q->s, 1);
    adit_big_shift(&q->s, down + 1 + half);
    adit_big_set(&q->low, 1);
    adit_big_shift(&q->low, up);
    adit_big_set(&q->high, 1);
    adit_big_shift(&q->high, up + half);
}

static bool reaches_next(const struct ratio *q) /* r + high over s? */
{
    struct adit_big sum = q->r;
    adit_big_add(&sum, &q->high);
    int c = adit_big_cmp(&sum, &q->s);
    return q->even ? c >= 0 : c > 0;
}

static void times_ten(struct ratio *q)
{
    adit_big_mul_add(&q->r, 10, 0);
    adit_big_mul_add(&q->low, 10, 0);
    adit_big_mul_add(&q->high, 10, 0);
}

/* Scales so that 0.1 <= r / s < 1, roughly: the first digit is that of 10 r / s. */
static int scale(struct ratio *q, int log2)
{
    /* floor(log2 × log10 2) + 1, or one less than the answer. */
    int point = (int)(((int64_t)log2 * 1292913986 + ((int64_t)2000 << 32)) >> 32) - 2000 + 1;
    if (point >= 0) {
        adit_big_mul_pow10(&q->s, (unsigned)point);
    } else {
        adit_big_mul_pow10(&q->r, (unsigned)-point);
        adit_big_mul_pow10(&q->low, (unsigned)-point);
        adit_big_mul_pow10(&q->high, (unsigned)-point);
    }
    if (reaches_next(q)) return point + 1;
    times_ten(q);
    return point;
}

static void make_digits(struct ratio *q, struct decimal *d)
{
    for (d->n = 0; d->n < DIGITS_MAX; times_ten(q)) {
        int digit = 0;
        for (; adit_big_cmp(&q->r, &q->s) >= 0; digit++) adit_big_sub(&q->r, &q->s);
        int c = adit_big_cmp(&q->r, &q->low);
        bool down = q->even ? c <= 0 : c < 0, up = reaches_next(q);
        if (down && up) {
            adit_big_shift(&q->r, 1);
            int half = adit_big_cmp(&q->r, &q->s);
            up = half > 0 || (half == 0 && digit % 2);
        }
        d->digit[d->n++] = (char)('0' + digit + (up ? 1 : 0));
        if (down || up) return;
    }
}

static void shortest(uint64_t mantissa, int exponent, struct decimal *d)
{
    struct ratio q;
    int log2 = exponent;
    for (uint64_t m = mantissa >> 1; m; m >>= 1) log2++;
    make_ratio(&q, mantissa, exponent);
    d->point = scale(&q, log2);
    make_digits(&q, d);
}

static void zeros(struct adit_buf *out, int n)
{
    for (; n > 0; n--) adit_buf_byte(out, '0');
}

/* Number::toString, steps 6 to 12. */
static void layout(struct adit_buf *out, const struct decimal *d)
{
    struct adit_str digits = adit_str_of(d->digit, (size_t)d->n);
    if (d->point > 0 && d->point <= 21) {
        size_t whole = d->point < d->n ? (size_t)d->point : digits.len;
        adit_buf_add(out, adit_str_sub(digits, 0, whole));
        zeros(out, d->point - d->n);
        if (whole < digits.len) adit_buf_byte(out, '.');
        adit_buf_add(out, adit_str_sub(digits, whole, digits.len));
        return;
    }
    if (d->point > -6 && d->point <= 0) {
        adit_buf_lit(out, "0.");
        zeros(out, -d->point);
        adit_buf_add(out, digits);
        return;
    }
    adit_buf_byte(out, digits.p[0]);
    if (digits.len > 1) adit_buf_byte(out, '.');
    adit_buf_add(out, adit_str_sub(digits, 1, digits.len));
    adit_buf_lit(out, d->point > 0 ? "e+" : "e");
    adit_buf_i64(out, d->point - 1);
}

enum adit_code adit_json_number(struct adit_buf *out, uint64_t bits)
{
    uint64_t fraction = bits & (((uint64_t)1 << HIDDEN) - 1);
    int biased = (int)(bits >> HIDDEN & 0x7FF);
    if (biased == 0x7FF) return ADIT_EBAD;
    if (bits << 1 == 0) {
        adit_buf_byte(out, '0'); /* −0 too */
        return out->err;
    }
    if (bits >> 63) adit_buf_byte(out, '-');
    uint64_t mantissa = biased ? fraction | (uint64_t)1 << HIDDEN : fraction;
    int exponent = (biased ? biased : 1) - 1075;
    /* Whole numbers below 2^53 are their own digits. */
    if (exponent <= 0 && exponent > -53 && !(mantissa & (((uint64_t)1 << -exponent) - 1))) {
        adit_buf_u64(out, mantissa >> -exponent);
        return out->err;
    }
    struct decimal d;
    shortest(mantissa, exponent, &d);
    layout(out, &d);
    return out->err;
}
