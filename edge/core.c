/* adit-core.wasm: the core as a module without imports, for hosts with a JavaScript (or other)
 * side of their own. Memory is passed by offset into the module's memory. */
#include "base/base.h"
#include "base/rules.h"

#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name)))

EXPORT(adit_alloc) void *adit_core_alloc(size_t len) { return malloc(len); }
EXPORT(adit_free) void adit_core_free(void *p) { free(p); }
EXPORT(adit_rules_version) const char *adit_core_rules(void) { return ADIT_RULES_VERSION; }
