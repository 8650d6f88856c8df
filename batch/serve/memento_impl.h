/* What a folder that is an archive answers to Memento's requests (memento.c). */
#ifndef ADIT_SERVE_MEMENTO_IMPL_H
#define ADIT_SERVE_MEMENTO_IMPL_H

#include "batch/serve/serve.h"

/* {0} before; fields that are empty are not sent. */
struct memento_answer {
    unsigned status;
    struct adit_buf body, type, link, location, datetime;
    bool vary; /* by Accept-Datetime */
};
/* False: nothing of the archive is at that path (with its query). Free it in any case. */
bool memento_answer(int folder, struct adit_str origin, struct adit_str path,
                    struct adit_str accept_datetime, struct memento_answer *out);
void memento_free(struct memento_answer *a);

#endif
