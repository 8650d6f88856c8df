/* The external sort: the same order whatever the memory. */
#include "batch/io/io.h"
#include "tests/tap.h"

static int cmp(struct adit_str a, struct adit_str b) { return adit_str_cmp(a, b); }

static uint32_t state;
static uint32_t next_random(void) { return state = state * 1664525u + 1013904223u; }

/* Sorts n records of changing length; returns a hash of what comes out. */
static uint64_t sorted(size_t n, size_t memory, uint32_t seed, size_t huge, bool *ordered,
                       uint64_t *spilled, size_t *count)
{
    struct sorter *s = sorter_new("/tmp", memory, cmp);
    size_t step = seed; /* another order of adding, the same records */
    for (size_t i = 0; i < n; i++) {
        size_t k = (i * 7919 + step) % n;
        state = (uint32_t)k;
        char bytes[3000];
        size_t len = next_random() % 2500 + 8;
        for (size_t j = 0; j < len; j++) bytes[j] = (char)('a' + (next_random() >> 20) % 26);
        struct adit_str parts[2] = {adit_str_of(bytes, len / 2),
                                    adit_str_of(bytes + len / 2, len - len / 2)};
        if (!sorter_add(s, parts, 2)) return 0;
    }
    if (huge) {
        char *big = malloc(huge);
        memset(big, 'm', huge);
        sorter_add(s, &(struct adit_str){big, huge}, 1);
        free(big);
    }
    sorter_start(s);
    uint64_t hash = 0;
    struct adit_str r;
    char last[3000] = "";
    size_t last_len = 0;
    *ordered = true;
    *count = 0;
    while (sorter_next(s, &r)) {
        if (*count && adit_str_cmp(adit_str_of(last, last_len), r) > 0) *ordered = false;
        last_len = r.len < sizeof last ? r.len : sizeof last;
        memcpy(last, r.p, last_len);
        hash = hash * 31 + adit_str_hash(r);
        ++*count;
    }
    *spilled = sorter_spilled(s);
    if (sorter_failed(s)) *ordered = false;
    sorter_free(s);
    return hash;
}

TEST(any_memory)
{
    static const size_t memories[] = {64u << 20, 4u << 20, 1u << 20, 0};
    uint64_t first = 0, spilled;
    for (size_t i = 0; i < ADIT_COUNT(memories); i++) {
        bool ordered;
        size_t count;
        uint64_t hash =
            sorted(20000, memories[i], (uint32_t)i * 17, 5u << 20, &ordered, &spilled, &count);
        if (i == 0) first = hash;
        ok(ordered && count == 20001, "sorted and complete");
        ok(hash == first, "the same for any memory and order of adding");
        ok((spilled > 0) == (i > 0), "spills when it must");
    }
}

TEST(many_runs)
{
    /* About 70 MB in 1 MiB: more runs than are merged at once. */
    bool ordered;
    size_t count;
    uint64_t spilled, a = sorted(55000, 1u << 20, 1, 0, &ordered, &spilled, &count);
    ok(ordered && count == 55000 && spilled > 85u << 20, "runs are merged in stages");
    uint64_t b = sorted(55000, 128u << 20, 2, 0, &ordered, &spilled, &count);
    ok(a == b && spilled == 0, "with the same result");
}

TEST(nothing)
{
    struct sorter *s = sorter_new("/tmp", 0, cmp);
    struct adit_str r;
    ok(sorter_start(s) && !sorter_next(s, &r) && !sorter_failed(s), "no record at all");
    sorter_free(s);
}

TEST(no_space)
{
    struct sorter *s = sorter_new("/nowhere/at/all", 0, cmp);
    char bytes[4096] = {0};
    bool added = true;
    for (int i = 0; i < 1000 && added; i++)
        added = sorter_add(s, &(struct adit_str){bytes, sizeof bytes}, 1);
    ok(!added && sorter_failed(s), "a run that cannot be written is an error");
    sorter_free(s);
}

RUN_TESTS(any_memory, many_runs, nothing, no_space)
