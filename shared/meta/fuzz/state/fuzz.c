/* The data that scripts build a page from: any script; what comes out is UTF-8. */
#include "meta/meta.h"
#include "text/text.h"
#include "tests/fuzz.h"

FUZZ_TARGET(script)
{
    struct adit_states states = {.v = {script}, .n = 1};
    struct adit_arena arena;
    bool ok = true;
    if (!adit_utf8_valid(script)) return; /* pages are UTF-8 when scripts are read */
    adit_arena_init(&arena, fuzz_mem, 64 << 20);
    struct adit_str body = adit_state_body(&states, &arena, &ok);
    if (fuzz_fine(ok ? ADIT_OK : ADIT_ENOMEM)) {
        MUST(adit_utf8_valid(body));
        fuzz_tell(body);
    }
    adit_arena_free(&arena);
}
