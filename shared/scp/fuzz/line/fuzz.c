/* Any bytes as the line of a page: judged; if good, read as a structure and written again, which
 * must be a good line with the same URL, and whose second reading gives the same line. */
#include "scp/scp.h"
#include "tests/fuzz.h"

static void touch(void *ctx, const struct adit_finding *f)
{
    size_t *n = ctx;
    for (size_t i = 0; i < f->value.len; i++) *n += (unsigned char)f->value.p[i];
    MUST(f->rule - adit_scp_rules < ADIT_SCP_RULES);
}

/* Reads line as a page and appends what is written of it; false: it is not good. */
static bool pass(struct adit_str line, struct adit_buf *out, struct adit_buf *url)
{
    size_t n = 0;
    struct adit_scp_judge judge = {&adit_scp_limits, touch, &n, 2, true};
    struct adit_scp_page judged;
    struct adit_page page;
    struct adit_arena arena;
    struct adit_str pieces[3];
    adit_buf_clear(out);
    bool good = adit_scp_page_judge(line, &judge, url, &judged) == ADIT_SCP_GOOD;
    if (!fuzz_took(good ? ADIT_OK : fuzz.denied ? ADIT_ENOMEM : ADIT_EBAD)) return false;
    MUST(adit_scp_page_same(&judged, &judged));
    MUST(adit_scp_page_pieces(&judged, true, pieces) <= 3);
    adit_arena_init(&arena, fuzz_mem, 64 << 20);
    bool written = fuzz_fine(adit_scp_page_read(&judged, &arena, &page)) &&
                   fuzz_took(adit_scp_page_write(&page, out));
    MUST(!written || page.n_blocks <= judged.n_blocks);
    adit_arena_free(&arena);
    return written;
}

FUZZ_TARGET(line)
{
    struct adit_buf first, second, url;
    adit_buf_init(&first, fuzz_mem, 64 << 20);
    adit_buf_init(&second, fuzz_mem, 64 << 20);
    adit_buf_init(&url, fuzz_mem, ADIT_LIMIT_url_bytes);
    if (pass(line, &first, &url)) {
        fuzz_tell(adit_buf_str(&first));
        bool again = pass(adit_buf_str(&first), &second, &url);
        MUST(again ? adit_str_eq(adit_buf_str(&first), adit_buf_str(&second)) : fuzz.denied);
    }
    adit_buf_free(&first), adit_buf_free(&second), adit_buf_free(&url);
}
