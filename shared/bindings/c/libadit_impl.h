/* What the files of libadit share: the converter behind the public header. */
#ifndef LIBADIT_IMPL_H
#define LIBADIT_IMPL_H

/* All else is hidden by the compiler's option and by the version script. */
#define LIBADIT_API __attribute__((visibility("default")))
#include "bindings/c/adit.h"
#include "convert/convert.h"

struct libadit_converter {
    struct adit_mem mem;
    struct libadit_options options;
    struct adit_converter *converter;
    const struct adit_page *page; /* NULL: none */
    struct adit_arena arena;      /* of one call: header fields, documents */
    struct adit_buf url, out;
    const char *error;
};

/* Notes why the call failed; the code's own name if message is NULL. */
enum libadit_result libadit_fail(struct libadit_converter *c, enum adit_code code,
                                 const char *message);

#endif
