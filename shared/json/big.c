/* Schoolbook arithmetic. */
#include "json/big_impl.h"

static void push(struct adit_big *b, uint32_t limb)
{
    if (limb && b->n < ADIT_BIG_LIMBS) b->limb[b->n++] = limb;
}

static void trim(struct adit_big *b)
{
    while (b->n > 0 && b->limb[b->n - 1] == 0) b->n--;
}

void adit_big_set(struct adit_big *b, uint64_t v)
{
    b->limb[0] = (uint32_t)v;
    b->limb[1] = (uint32_t)(v >> 32);
    b->n = 2;
    trim(b);
}

void adit_big_mul_add(struct adit_big *b, uint32_t factor, uint32_t plus)
{
    uint64_t carry = plus;
    for (unsigned i = 0; i < b->n; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    push(b, (uint32_t)carry);
}

void adit_big_mul_pow10(struct adit_big *b, unsigned power)
{
    for (; power >= 9; power -= 9) adit_big_mul_add(b, 1000000000, 0);
    for (; power > 0; power--) adit_big_mul_add(b, 10, 0);
}

void adit_big_shift(struct adit_big *b, unsigned bits)
{
    unsigned whole = bits / 32;
    if (b->n == 0) return;
    adit_big_mul_add(b, 1u << (bits % 32), 0);
    if (whole > ADIT_BIG_LIMBS - b->n)
        whole = ADIT_BIG_LIMBS - b->n; /* cannot be, see big_impl.h */
    for (unsigned i = b->n; i-- > 0;) b->limb[i + whole] = b->limb[i];
    for (unsigned i = 0; i < whole; i++) b->limb[i] = 0;
    b->n += whole;
}

unsigned adit_big_bits(const struct adit_big *b)
{
    if (b->n == 0) return 0;
    unsigned bits = 32 * (b->n - 1);
    for (uint32_t top = b->limb[b->n - 1]; top; top >>= 1) bits++;
    return bits;
}

int adit_big_cmp(const struct adit_big *a, const struct adit_big *b)
{
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    for (unsigned i = a->n; i-- > 0;)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

void adit_big_add(struct adit_big *a, const struct adit_big *b)
{
    uint64_t carry = 0;
    while (a->n < b->n) a->limb[a->n++] = 0;
    for (unsigned i = 0; i < a->n; i++) {
        carry += (uint64_t)a->limb[i] + (i < b->n ? b->limb[i] : 0);
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    push(a, (uint32_t)carry);
    trim(a);
}

void adit_big_sub(struct adit_big *a, const struct adit_big *b)
{
    uint64_t borrow = 0;
    for (unsigned i = 0; i < a->n; i++) {
        uint64_t take = borrow + (i < b->n ? b->limb[i] : 0);
        borrow = take > a->limb[i];
        a->limb[i] = (uint32_t)(a->limb[i] - take);
    }
    trim(a);
}
