/* Inside of shared/json: natural numbers of fixed size, enough for any double and any 800 decimal
 * digits at its scale. Speed does not matter here; being exact does. */
#ifndef ADIT_JSON_BIG_IMPL_H
#define ADIT_JSON_BIG_IMPL_H

#include "base/base.h"

enum { ADIT_BIG_LIMBS = 160 }; /* 5120 bits; decimal.c and number.c say why they need less */

struct adit_big {
    uint32_t limb[ADIT_BIG_LIMBS]; /* least significant first */
    unsigned n;                    /* used; limb[n - 1] != 0 */
};

void adit_big_set(struct adit_big *b, uint64_t v);
void adit_big_mul_add(struct adit_big *b, uint32_t factor, uint32_t plus);
void adit_big_mul_pow10(struct adit_big *b, unsigned power);
void adit_big_shift(struct adit_big *b, unsigned bits); /* left */
unsigned adit_big_bits(const struct adit_big *b);       /* 0 has none */
int adit_big_cmp(const struct adit_big *a, const struct adit_big *b);
void adit_big_add(struct adit_big *a, const struct adit_big *b);
void adit_big_sub(struct adit_big *a, const struct adit_big *b); /* a >= b */

#endif
