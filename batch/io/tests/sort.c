/* Slow: The external sort: the same order whatever the memory. */
#include "batch/io/io.h"
#include "tests/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

/* --- run files as sources ---------------------------------------------------------------------- */

static const char *no_fault(void *ctx, struct adit_str record, struct adit_str before)
{
    (void)ctx;
    return before.len && cmp(before, record) > 0 ? "is not sorted" : NULL;
}

/* A file with every n-th number from i on, in two segments, the even ones and the odd ones. */
static bool write_numbers(const char *path, int i, int n, int most)
{
    char text[16];
    uint64_t size;
    struct runfile_writer *w = runfile_create(path);
    bool ok = w != NULL;
    for (int odd = 0; odd < 2; odd++) {
        for (int k = i; ok && k < most; k += n)
            if (k % 2 == odd) {
                snprintf(text, sizeof text, "%08d", k);
                ok = runfile_add(w, &(struct adit_str){text, 8}, 1);
            }
        if (odd == 0) ok = ok && runfile_next_segment(w);
    }
    return ok && runfile_commit(w, ADIT_STR("{}"), &size);
}

TEST(many_files)
{
    enum { FILES = 150, NUMBERS = 9000 }; /* more than are open at once */
    char dir[] = "/tmp/adit-runs-XXXXXX", path[64];
    struct adit_str r;
    int count = 0;
    bool ok_all = mkdtemp(dir) != NULL, ordered = true;
    struct sorter *s = sorter_new("/tmp", 0, cmp);
    for (int i = 0; ok_all && i < FILES; i++) {
        snprintf(path, sizeof path, "%s/%d", dir, i);
        ok_all = write_numbers(path, i, FILES, NUMBERS);
        struct runfile *f = ok_all ? runfile_open(path, false) : NULL;
        ok_all = f && runfile_segments(f) == 2 && adit_str_eq(runfile_text(f), ADIT_STR("{}"));
        struct sorter_source *source = f ? runfile_segment(f, 1, no_fault, NULL) : NULL;
        ok_all = ok_all && source && sorter_add_source(s, source);
        unlink(path);
    }
    rmdir(dir);
    ok(ok_all && sorter_start(s), "150 run files");
    while (sorter_next(s, &r)) {
        char text[16];
        snprintf(text, sizeof text, "%08d", 2 * count + 1);
        ordered = ordered && adit_str_eq(r, adit_str_of(text, 8));
        count++;
    }
    ok(ordered && count == NUMBERS / 2 && !sorter_failed(s), "one segment of each, in order");
    sorter_free(s);
}

static const char *fault_at_5(void *ctx, struct adit_str record, struct adit_str before)
{
    (void)record, (void)before;
    return ++*(int *)ctx == 5 ? "is refused by the test" : NULL;
}

TEST(bad_file)
{
    char path[] = "/tmp/adit-run-XXXXXX";
    int fd = mkstemp(path), seen = 0, got = 0;
    struct adit_str r;
    struct sorter *s = sorter_new("/tmp", 0, cmp);
    bool written = fd >= 0 && write_numbers(path, 0, 1, 100);
    struct runfile *f = written ? runfile_open(path, false) : NULL;
    struct sorter_source *source = f ? runfile_segment(f, 0, fault_at_5, &seen) : NULL;
    ok(source && sorter_add_source(s, source) && sorter_start(s), "a run with a bad record");
    while (sorter_next(s, &r)) got++;
    ok(got == 4 && sorter_failed(s), "is an error where it is met");
    sorter_free(s);
    close(fd);
    unlink(path);
    ok(!runfile_open(path, true), "a file that is not there");
}

RUN_TESTS(any_memory, many_runs, nothing, no_space, many_files, bad_file)
