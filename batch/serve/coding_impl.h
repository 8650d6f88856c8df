/* Content codings of `adit serve` (coding.c). */
#ifndef ADIT_SERVE_CODING_IMPL_H
#define ADIT_SERVE_CODING_IMPL_H

#include "exchange/exchange.h"

struct coding;
struct encoder;

/* The coding of an answer of that length (UINT64_MAX: unknown) to that Accept-Encoding; NULL: none.
 * worth: whether its type gains by it. *possible: false if the client takes nothing that we have. */
const struct coding *coding_choose(struct adit_str accept, uint64_t len, bool worth,
                                   bool *possible);
const char *coding_name(const struct coding *c);
/* Whether bodies of that type become smaller. */
bool coding_is_worth(struct adit_str content_type);

/* NULL: no memory. run appends what in becomes; end: it is the last. */
struct encoder *encoder_new(const struct coding *c);
bool encoder_run(struct encoder *e, struct adit_str in, bool end, struct adit_buf *out);
void encoder_free(struct encoder *e);

#endif
