/* Two texts, divided by the first NUL: the diff, applied to the one, gives the other; the chunks of
 * a text make it up again. */
#include "spp/spp.h"
#include "shared/tests/fuzz.h"

static void chunks(struct adit_str text)
{
    size_t pos = 0, joined = 0;
    struct adit_str chunk;
    while (adit_spp_chunk(text, &pos, &chunk)) {
        MUST(chunk.p == text.p + joined && chunk.len > 0 && chunk.len <= ADIT_SPP_CHUNK_MAX);
        joined += chunk.len;
        MUST(pos == joined);
    }
    MUST(joined == text.len);
}

FUZZ_TARGET(all)
{
    size_t nul = adit_str_chr(all, '\0', 0);
    struct adit_str a = adit_str_sub(all, 0, nul), b = adit_str_sub(all, nul + 1, all.len);
    struct adit_spp_stats stats;
    struct adit_buf diff, again;
    adit_buf_init(&diff, fuzz_mem, 64 << 20);
    adit_buf_init(&again, fuzz_mem, 64 << 20);
    if (fuzz_fine(adit_spp_diff(a, b, ADIT_STR("a"), ADIT_STR("b"), fuzz_mem, &diff, &stats))) {
        MUST((diff.len == 0) == adit_str_eq(a, b));
        MUST(stats.tenths <= 1000 && (stats.tenths == 0) == (diff.len == 0));
        fuzz_tell(adit_buf_str(&diff));
        if (fuzz_fine(adit_spp_patch(a, adit_buf_str(&diff), &again, NULL)))
            MUST(adit_str_eq(adit_buf_str(&again), b));
    }
    chunks(b);
    adit_buf_free(&diff);
    adit_buf_free(&again);
}
