/* What the two modules, the filter and the core, have in common: where their memory comes from. */
#ifndef ADIT_EDGE_MODULE_H
#define ADIT_EDGE_MODULE_H

#include "base/base.h"

#include <stdlib.h>

static void *module_resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    (void)ctx, (void)old_len;
    if (new_len) return realloc(p, new_len);
    free(p);
    return NULL;
}
static const struct adit_mem mem = {module_resize, NULL};

#endif
