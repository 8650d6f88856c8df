/* One page, as the inspector shows it (look.c). */
#ifndef ADIT_SERVE_LOOK_IMPL_H
#define ADIT_SERVE_LOOK_IMPL_H

#include "batch/serve/serve.h"

struct look {
    struct server *server;
    struct origin *site; /* the server itself, as its clients see it */
};

/* Answers "page/PATH" (all that is known of it, JSON), "marked/PATH" (the page with its texts marked)
 * and "content/PATH" (the content alone), both HTML for a frame; false: another name. */
bool look_answer(struct look *l, struct adit_str name, struct own_page *out);

#endif
