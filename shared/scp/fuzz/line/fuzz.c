/* Any bytes as the line of a page: judged; if good, read as a structure and written again, which
 * must be a good line with the same URL, and whose second reading gives the same line. */
#include "scp/scp.h"

#include <stdlib.h>
#include <string.h>

static void *resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    (void)ctx, (void)old_len;
    if (new_len) return realloc(p, new_len);
    free(p);
    return NULL;
}
static const struct adit_mem mem = {resize, NULL};

static void touch(void *ctx, const struct adit_scp_finding *f)
{
    size_t *n = ctx;
    for (size_t i = 0; i < f->value.len; i++) *n += (unsigned char)f->value.p[i];
    if (f->rule >= ADIT_SCP_RULES) abort();
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
    if (adit_scp_page_judge(line, &judge, url, &judged) != ADIT_SCP_GOOD) return false;
    if (!adit_scp_page_same(&judged, &judged)) abort();
    if (adit_scp_page_pieces(&judged, true, pieces) > 3) abort();
    adit_arena_init(&arena, mem, 64 << 20);
    if (adit_scp_page_read(&judged, &arena, &page) != ADIT_OK) abort();
    if (page.n_blocks > judged.n_blocks) abort();
    bool written = adit_scp_page_write(&page, out) == ADIT_OK;
    adit_arena_free(&arena);
    return written;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct adit_buf first, second, url;
    adit_buf_init(&first, mem, 64 << 20);
    adit_buf_init(&second, mem, 64 << 20);
    adit_buf_init(&url, mem, ADIT_LIMIT_url_bytes);
    if (pass(adit_str_of((const char *)data, size), &first, &url)) {
        if (!pass(adit_buf_str(&first), &second, &url)) abort();
        if (!adit_str_eq(adit_buf_str(&first), adit_buf_str(&second))) abort();
    }
    adit_buf_free(&first), adit_buf_free(&second), adit_buf_free(&url);
    return 0;
}
