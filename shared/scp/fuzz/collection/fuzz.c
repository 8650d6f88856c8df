/* Any bytes as a collection: line 1, its checksum by every rule in parts of any length, then pages.
 */
#include "scp/scp.h"
#include "tests/fuzz.h"

static void touch(void *ctx, const struct adit_finding *f)
{
    (void)ctx;
    MUST(f->rule - adit_scp_rules < ADIT_SCP_RULES && f->rule->name);
}

static enum adit_scp_checksum_rule hash(struct adit_str first, struct adit_str rest, size_t step,
                                        struct adit_scp_range cut, struct adit_str checksum)
{
    struct adit_scp_checksum c;
    MUST(adit_scp_checksum_init(&c, true, first, cut, checksum) == ADIT_OK);
    for (size_t at = 0; at < rest.len; at += step)
        adit_scp_checksum_add(&c, adit_str_sub(rest, at, at + step));
    return adit_scp_checksum_end(&c);
}

/* A verdict. Without memory a line is refused, as a bad one is. */
static bool judged(bool good)
{
    return fuzz_took(good ? ADIT_OK : fuzz.denied ? ADIT_ENOMEM : ADIT_EBAD);
}

/* What is written of good metadata is read as the same. */
static void write_again(const struct adit_scp_meta *meta, struct adit_scp_judge *judge,
                        struct adit_arena *arena)
{
    struct adit_buf b;
    struct adit_scp_meta again;
    struct adit_scp_range cut;
    adit_buf_init(&b, fuzz_mem, 1 << 24);
    adit_scp_meta_write(&b, meta);
    if (fuzz_built(&b)) {
        bool read = adit_scp_meta_read(adit_buf_str(&b), arena, judge, &again, &cut.from, &cut.to);
        MUST(judged(read) || fuzz.denied);
        MUST(!read ||
             (adit_str_eq(meta->id, again.id) && adit_str_eq(meta->checksum, again.checksum) &&
              adit_time_cmp(meta->generated_at, again.generated_at) == 0));
    }
    adit_buf_free(&b);
}

FUZZ_TARGET(all)
{
    struct adit_str line;
    struct adit_str first = adit_str_sub(all, 0, adit_str_chr(all, '\n', 0) + 1);
    struct adit_str rest = adit_str_sub(all, first.len, all.len);
    struct adit_scp_judge judge = {&adit_scp_limits, touch, NULL, 1, true};
    struct adit_scp_meta meta;
    struct adit_scp_range cut;
    struct adit_arena arena;
    struct adit_buf url;
    adit_arena_init(&arena, fuzz_mem, 1 << 24);
    adit_buf_init(&url, fuzz_mem, ADIT_LIMIT_url_bytes);
    if (judged(adit_scp_meta_read(first, &arena, &judge, &meta, &cut.from, &cut.to))) {
        MUST(cut.to <= first.len && cut.from <= cut.to);
        MUST(!meta.checksum.len ||
             hash(first, rest, 1, cut, meta.checksum) == hash(first, rest, 17, cut, meta.checksum));
        write_again(&meta, &judge, &arena);
        while (adit_str_split(&rest, '\n', &line)) {
            struct adit_scp_page page;
            if (judged(adit_scp_page_judge(line, &judge, &url, &page) == ADIT_SCP_GOOD))
                fuzz_tell(page.url);
        }
    }
    adit_arena_free(&arena);
    adit_buf_free(&url);
}
