/* Any bytes as a manifest, a list of versions, an event, a path: what is read, written and read
 * again is the same. */
#include "spp/spp.h"
#include "shared/tests/fuzz.h"

static void manifest(struct adit_str text, struct adit_arena *arena)
{
    struct adit_spp_manifest m, again;
    struct adit_error err = {0};
    struct adit_buf first, second, sign;
    adit_buf_init(&first, fuzz_mem, 64 << 20);
    adit_buf_init(&second, fuzz_mem, 64 << 20);
    adit_buf_init(&sign, fuzz_mem, 64 << 20);
    if (!fuzz_took(adit_spp_manifest_read(text, arena, &m, &err))) {
        MUST(err.msg || fuzz.denied);
    } else if (fuzz_fine(adit_spp_manifest_write(&m, &first)) && fuzz_built(&first) &&
               fuzz_fine(adit_spp_manifest_read(adit_buf_str(&first), arena, &again, &err)) &&
               fuzz_fine(adit_spp_manifest_write(&again, &second))) {
        MUST(adit_str_eq(adit_buf_str(&first), adit_buf_str(&second)));
        adit_spp_signed(&m, &sign);
        adit_spp_event_write(ADIT_SPP_CREATED, &m, &sign);
        fuzz_built(&sign);
    }
    adit_buf_free(&first), adit_buf_free(&second), adit_buf_free(&sign);
}

static void versions(struct adit_str text, struct adit_arena *arena)
{
    struct adit_spp_version *v;
    size_t n, again;
    struct adit_buf first, second;
    adit_buf_init(&first, fuzz_mem, 64 << 20);
    adit_buf_init(&second, fuzz_mem, 64 << 20);
    if (fuzz_took(adit_spp_versions_read(text, arena, &v, &n, NULL))) {
        adit_spp_versions_write(v, n, &first);
        if (fuzz_built(&first) &&
            fuzz_fine(adit_spp_versions_read(adit_buf_str(&first), arena, &v, &again, NULL))) {
            adit_spp_versions_write(v, again, &second);
            if (fuzz_built(&second))
                MUST(n == again && adit_str_eq(adit_buf_str(&first), adit_buf_str(&second)));
        }
    }
    adit_buf_free(&first), adit_buf_free(&second);
}

FUZZ_TARGET(text)
{
    struct adit_arena arena;
    struct adit_buf file;
    char uuid[ADIT_SPP_UUID];
    adit_arena_init(&arena, fuzz_mem, 256 << 20);
    adit_buf_init(&file, fuzz_mem, 1 << 16);
    manifest(text, &arena);
    versions(text, &arena);
    adit_spp_event_read(text, uuid);
    adit_spp_route(text, &file);
    if (fuzz_built(&file)) MUST(adit_str_find(adit_buf_str(&file), ADIT_STR(".."), 0) == file.len);
    struct adit_str url;
    struct adit_time at;
    if (adit_memento_route(text, &url, &at))
        MUST(url.len < text.len && url.p + url.len == text.p + text.len);
    adit_spp_type(text, false);
    adit_buf_free(&file);
    adit_arena_free(&arena);
}
