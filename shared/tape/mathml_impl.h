/* MathML as TeX, for formulas that bring no source. */
#ifndef ADIT_TAPE_MATHML_IMPL_H
#define ADIT_TAPE_MATHML_IMPL_H

#include "tape/tape.h"

/* Appends all signs below math as TeX; deeper than 48 elements, and beyond 20,000 nodes, nothing is
 * taken. */
void adit_mathml_tex(const struct adit_dom *d, uint32_t math, struct adit_buf *out);

#endif
