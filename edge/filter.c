/* adit-edge.wasm: the proxy-wasm filter (ABI 0.2.1). For now it lets every request pass. */
#include "base/base.h"

#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name)))

EXPORT(proxy_abi_version_0_2_1) void abi_version(void) {}
EXPORT(proxy_on_memory_allocate) void *memory_allocate(size_t len) { return malloc(len); }
EXPORT(proxy_on_context_create) void context_create(uint32_t id, uint32_t parent)
{
    (void)id, (void)parent;
}
EXPORT(proxy_on_vm_start) uint32_t vm_start(uint32_t root, uint32_t len)
{
    (void)root, (void)len;
    return 1;
}
EXPORT(proxy_on_configure) uint32_t configure(uint32_t root, uint32_t len)
{
    (void)root, (void)len;
    return 1;
}
