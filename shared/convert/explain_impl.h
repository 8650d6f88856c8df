/* What the forms of an explanation have in common. */
#ifndef ADIT_CONVERT_EXPLAIN_IMPL_H
#define ADIT_CONVERT_EXPLAIN_IMPL_H

#include "convert/convert.h"

struct adit_explained {
    struct adit_verdicts verdicts;
    size_t kept; /* texts */
    bool *named; /* a feature: it was, so the legend has it */
};
/* A page as far as its selection, with the reasons. */
enum adit_code adit_explain_begin(struct adit_converter *c, struct adit_str body,
                                  const struct adit_page_source *source, struct adit_draft *d,
                                  struct adit_explained *e, struct adit_error *err);

struct adit_explain_range {
    size_t begin, end; /* features */
};
/* Of the features in the range, without the n that are taken, the one that moved the score most;
 * within.end: none did. */
size_t adit_explain_next(const int16_t *row, struct adit_explain_range within, const size_t *taken,
                         size_t n);

#endif
