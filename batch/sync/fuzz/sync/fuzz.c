/* Files of sync's folder, which may be damaged: the state, a page's line, a line of the journal.
 * What is read is written and read again the same. */
#include "batch/sync/sync.h"
#include "tests/fuzz.h"

/* Whether something was read; without memory it is refused like what is damaged. */
static bool taken(bool read)
{
    return fuzz_took(read ? ADIT_OK : fuzz.denied ? ADIT_ENOMEM : ADIT_EBAD);
}

static void check_state(struct adit_str s, struct adit_arena *a)
{
    struct sync_state st, again;
    struct adit_buf one, two;
    adit_buf_init(&one, fuzz_mem, 16 << 20);
    adit_buf_init(&two, fuzz_mem, 16 << 20);
    if (taken(sync_state_read(&st, s, a, NULL))) {
        sync_state_write(&st, &one);
        if (fuzz_built(&one)) {
            bool read = taken(sync_state_read(&again, adit_buf_str(&one), a, NULL));
            MUST(read || fuzz.denied);
            if (read) sync_state_write(&again, &two);
            if (read && fuzz_built(&two)) MUST(adit_str_eq(adit_buf_str(&one), adit_buf_str(&two)));
        }
    }
    adit_buf_free(&one);
    adit_buf_free(&two);
}

static void check_page(struct adit_str s, struct adit_arena *a)
{
    struct copy_page p, again;
    struct adit_buf one;
    adit_buf_init(&one, fuzz_mem, 16 << 20);
    if (taken(copy_page_read(&p, s, a))) {
        copy_page_write(&p, &one);
        if (fuzz_built(&one)) {
            bool read = taken(copy_page_read(&again, adit_buf_str(&one), a));
            MUST(read ? adit_str_eq(p.url, again.url) && adit_str_eq(p.etag, again.etag)
                      : fuzz.denied);
        }
    }
    adit_buf_free(&one);
}

FUZZ_TARGET(s)
{
    struct adit_arena a;
    struct adit_buf scratch;
    struct copy_page page;
    struct sync_record r;
    adit_arena_init(&a, fuzz_mem, 16 << 20);
    adit_buf_init(&scratch, fuzz_mem, ADIT_LIMIT_url_bytes);
    check_state(s, &a);
    adit_arena_reset(&a);
    check_page(s, &a);
    if (taken(sync_journal_line(s, &a, &scratch, &page, &r))) MUST(r.url.len && r.state.len);
    sync_record_read(s, &r);
    adit_buf_free(&scratch);
    adit_arena_free(&a);
}
