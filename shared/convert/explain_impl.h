/* What the forms of an explanation have in common. */
#ifndef ADIT_CONVERT_EXPLAIN_IMPL_H
#define ADIT_CONVERT_EXPLAIN_IMPL_H

#include "base/base.h"

struct adit_explain_range {
    size_t begin, end; /* features */
};
/* Of the features in the range, without the n that are taken, the one that moved the score most;
 * within.end: none did. */
size_t adit_explain_next(const int16_t *row, struct adit_explain_range within, const size_t *taken,
                         size_t n);

#endif
