/* For tests, benches and tools: memory of the C library's allocator. */
#ifndef ADIT_TESTS_MEM_H
#define ADIT_TESTS_MEM_H

#include "base/base.h"

#include <stdlib.h>

static inline void *libc_resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    (void)ctx, (void)old_len;
    if (new_len) return realloc(p, new_len);
    free(p);
    return NULL;
}
static const struct adit_mem libc_mem __attribute__((unused)) = {libc_resize, NULL};

#endif
