/* For fuzz targets: the C library's memory, and a condition that must hold. */
#ifndef ADIT_FUZZ_H
#define ADIT_FUZZ_H

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void *fuzz_resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    (void)ctx, (void)old_len;
    if (new_len) return realloc(p, new_len);
    free(p);
    return NULL;
}
static const struct adit_mem fuzz_mem = {fuzz_resize, NULL};

#define MUST(cond)                     \
    do {                               \
        if (!(cond)) __builtin_trap(); \
    } while (0)

#endif
