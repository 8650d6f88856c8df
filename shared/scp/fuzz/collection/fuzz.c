/* Any bytes as a collection: line 1, its checksum by every rule in parts of any length, then pages.
 */
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
    (void)ctx;
    if (f->rule >= ADIT_SCP_RULES || !adit_scp_rules[f->rule].name) abort();
}

static enum adit_scp_checksum_rule hash(struct adit_str first, struct adit_str rest, size_t step,
                                        struct adit_scp_range cut, struct adit_str checksum)
{
    struct adit_scp_checksum c;
    if (adit_scp_checksum_init(&c, true, first, cut, checksum) != ADIT_OK) abort();
    for (size_t at = 0; at < rest.len; at += step)
        adit_scp_checksum_add(&c, adit_str_sub(rest, at, at + step));
    return adit_scp_checksum_end(&c);
}

/* What is written of good metadata is read as the same. */
static void write_again(const struct adit_scp_meta *meta, struct adit_scp_judge *judge,
                        struct adit_arena *arena)
{
    struct adit_buf b;
    struct adit_scp_meta again;
    struct adit_scp_range cut;
    adit_buf_init(&b, mem, 1 << 24);
    adit_scp_meta_write(&b, meta);
    if (!adit_scp_meta_read(adit_buf_str(&b), arena, judge, &again, &cut.from, &cut.to)) abort();
    if (!adit_str_eq(meta->id, again.id) || !adit_str_eq(meta->checksum, again.checksum)) abort();
    if (adit_time_cmp(meta->generated_at, again.generated_at) != 0) abort();
    adit_buf_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct adit_str all = adit_str_of((const char *)data, size), line;
    struct adit_str first = adit_str_sub(all, 0, adit_str_chr(all, '\n', 0) + 1);
    struct adit_str rest = adit_str_sub(all, first.len, all.len);
    struct adit_scp_judge judge = {&adit_scp_limits, touch, NULL, 1, true};
    struct adit_scp_meta meta;
    struct adit_scp_range cut;
    struct adit_arena arena;
    struct adit_buf url;
    adit_arena_init(&arena, mem, 1 << 24);
    adit_buf_init(&url, mem, ADIT_LIMIT_url_bytes);
    if (adit_scp_meta_read(first, &arena, &judge, &meta, &cut.from, &cut.to)) {
        if (cut.to > first.len || cut.from > cut.to) abort();
        if (meta.checksum.len &&
            hash(first, rest, 1, cut, meta.checksum) != hash(first, rest, 17, cut, meta.checksum))
            abort();
        write_again(&meta, &judge, &arena);
        while (adit_str_split(&rest, '\n', &line)) {
            struct adit_scp_page page;
            adit_scp_page_judge(line, &judge, &url, &page);
        }
    }
    adit_arena_free(&arena);
    adit_buf_free(&url);
    return 0;
}
