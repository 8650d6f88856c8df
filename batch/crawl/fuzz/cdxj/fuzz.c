/* Lines of CDXJ indexes of any kind: what is read of one is a name, a place and a length that can be. */
#include "batch/crawl/inputs_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
    struct adit_str rest = adit_str_of((const char *)p, len), text;
    struct adit_arena arena;
    struct cdxj_line line;
    adit_arena_init(&arena, cli_mem, 4u << 20);
    cdxj_starts(rest);
    crawl_not_readable(rest);
    while (adit_str_split(&rest, '\n', &text)) {
        adit_arena_reset(&arena);
        if (cdxj_line(text, &arena, &line) || !line.file.len) continue;
        if (!line.length || line.offset > INT64_MAX ||
            adit_str_chr(line.file, '\0', 0) < line.file.len)
            __builtin_trap();
    }
    adit_arena_free(&arena);
    return 0;
}
