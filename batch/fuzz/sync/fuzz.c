/* Files of sync's folder, which may be damaged: the state, a page's line, a line of the journal.
 * What is read is written and read again the same. */
#include "batch/sync.h"
#include "tests/fuzz.h"

static void check_state(struct adit_str s, struct adit_arena *a)
{
    struct sync_state st, again;
    struct adit_buf one, two;
    adit_buf_init(&one, fuzz_mem, 16 << 20);
    adit_buf_init(&two, fuzz_mem, 16 << 20);
    if (sync_state_read(&st, s, a, NULL)) {
        sync_state_write(&st, &one);
        MUST(one.err || sync_state_read(&again, adit_buf_str(&one), a, NULL));
        if (!one.err) sync_state_write(&again, &two);
        MUST(adit_str_eq(adit_buf_str(&one), adit_buf_str(&two)));
    }
    adit_buf_free(&one);
    adit_buf_free(&two);
}

static void check_page(struct adit_str s, struct adit_arena *a)
{
    struct sync_page p, again;
    struct adit_buf one;
    adit_buf_init(&one, fuzz_mem, 16 << 20);
    if (sync_page_read(&p, s, a)) {
        sync_page_write(&p, &one);
        MUST(sync_page_read(&again, adit_buf_str(&one), a));
        MUST(adit_str_eq(p.url, again.url) && adit_str_eq(p.etag, again.etag));
    }
    adit_buf_free(&one);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct adit_str s = adit_str_of((const char *)data, size);
    struct adit_arena a;
    struct adit_buf scratch;
    struct sync_page page;
    struct sync_record r;
    adit_arena_init(&a, fuzz_mem, 16 << 20);
    adit_buf_init(&scratch, fuzz_mem, ADIT_LIMIT_url_bytes);
    check_state(s, &a);
    adit_arena_reset(&a);
    check_page(s, &a);
    if (sync_journal_line(s, &a, &scratch, &page, &r)) MUST(r.url.len && r.state.len);
    sync_record_read(s, &r);
    adit_buf_free(&scratch);
    adit_arena_free(&a);
    return 0;
}
