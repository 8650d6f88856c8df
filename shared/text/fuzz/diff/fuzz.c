/* Two texts, divided by the first NUL: the runs of their difference make up both again, no unit is
 * empty, and the fewest edits leave equal units equal. */
#include "text/text.h"
#include "shared/tests/fuzz.h"

static void runs(struct adit_str a, struct adit_str b, struct adit_arena *arena)
{
    struct adit_diff d;
    size_t at[2] = {0, 0};
    uint64_t words = 0;
    if (!fuzz_fine(adit_diff_words(a, b, arena, &d))) return;
    for (size_t i = 0; i < d.n; i++) {
        struct adit_diff_run r = d.runs[i];
        MUST(r.text.len && (!i || r.kind != d.runs[i - 1].kind));
        MUST(!i || r.kind != ADIT_DIFF_REMOVED || d.runs[i - 1].kind == ADIT_DIFF_EQUAL);
        for (unsigned side = 0; side < 2; side++) {
            if (r.kind == (side ? ADIT_DIFF_REMOVED : ADIT_DIFF_ADDED)) continue;
            MUST(adit_str_eq(adit_str_sub(side ? b : a, at[side], at[side] + r.text.len), r.text));
            at[side] += r.text.len;
        }
        words += adit_word_count(r.text);
        fuzz_tell(r.text);
    }
    MUST(at[0] == a.len && at[1] == b.len);
    MUST(words == d.equal + d.removed + d.added);
    MUST(adit_str_eq(a, b) == (d.n == (a.len > 0) && (!d.n || d.runs[0].kind == ADIT_DIFF_EQUAL)));
}

static void edits(struct adit_str a, struct adit_str b, struct adit_arena *arena)
{
    struct adit_diff_edits e;
    if (!fuzz_fine(adit_diff_edits(a, b, ADIT_DIFF_WORDS, arena, &e))) return;
    size_t i = 0, j = 0, at_a = 0, at_b = 0;
    while (i < e.n_a || j < e.n_b) {
        bool goes = i < e.n_a && e.a[i], comes = j < e.n_b && e.b[j];
        size_t end_a = i < e.n_a ? adit_unit_end(ADIT_DIFF_WORDS, a, at_a) : at_a;
        size_t end_b = j < e.n_b ? adit_unit_end(ADIT_DIFF_WORDS, b, at_b) : at_b;
        if (!goes && !comes) {
            MUST(end_a > at_a &&
                 adit_str_eq(adit_str_sub(a, at_a, end_a), adit_str_sub(b, at_b, end_b)));
            i++, j++, at_a = end_a, at_b = end_b;
        }
        if (goes) i++, at_a = end_a;
        if (comes) j++, at_b = end_b;
    }
    MUST(at_a == a.len && at_b == b.len);
}

FUZZ_TARGET(all)
{
    size_t nul = adit_str_chr(all, '\0', 0);
    struct adit_str a = adit_str_sub(all, 0, nul), b = adit_str_sub(all, nul + 1, all.len);
    struct adit_arena arena;
    adit_arena_init(&arena, fuzz_mem, 64 << 20);
    runs(a, b, &arena);
    edits(a, b, &arena);
    adit_arena_free(&arena);
}
