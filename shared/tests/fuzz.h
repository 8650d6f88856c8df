/* For fuzz targets: memory that is counted and can be denied, and conditions that must hold.
 *
 * A target is FUZZ_TARGET(input) { … } with all memory from fuzz_mem. Beside what it checks itself:
 * - Peak memory is at most FUZZ_FACTOR × input + FUZZ_FIXED bytes. A target may define them before
 *   it includes this header.
 * - One input in eight, as its hash says, is run twice more with objects made anew (fuzz_fresh):
 * the second time one allocation, which one is up to the hash, fails. Then either a call says so
 *   (fuzz_fine, fuzz_took, fuzz_built), or the results (fuzz_tell) are those of the first time.
 * - Nothing is left allocated after such runs, and resize is always told the true old length.
 */
#ifndef ADIT_FUZZ_H
#define ADIT_FUZZ_H

#include "tests/mem.h"

#include <sanitizer/allocator_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FUZZ_FACTOR
#define FUZZ_FACTOR 64
#endif
#ifndef FUZZ_FIXED
#define FUZZ_FIXED ((size_t)8 << 20)
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Where and what is printed: a trap alone says neither in optimised code. */
#define MUST(cond)                                                                   \
    do {                                                                             \
        if (!(cond)) {                                                               \
            fprintf(stderr, "fuzz: %s:%d: not so: %s\n", __FILE__, __LINE__, #cond); \
            __builtin_trap();                                                        \
        }                                                                            \
    } while (0)

/* The run that is under way. */
static struct {
    size_t held;         /* bytes allocated now */
    size_t start, limit; /* held when the run began; what may be held beyond it; 0: anything */
    size_t calls;        /* that asked for more memory */
    size_t deny;         /* the number of the call that fails; 0: none */
    bool fresh, denied, gave_up;
    uint64_t told;
} fuzz;

static inline void *fuzz_resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    (void)ctx;
    MUST(p ? __sanitizer_get_allocated_size(p) == old_len : !old_len);
    if (!new_len) {
        free(p);
        fuzz.held -= old_len;
        return NULL;
    }
    if (new_len > old_len && ++fuzz.calls == fuzz.deny) {
        fuzz.denied = true;
        return NULL;
    }
    void *q = realloc(p, new_len);
    MUST(q);
    fuzz.held += new_len - old_len;
    if (fuzz.limit && fuzz.held > fuzz.start && fuzz.held - fuzz.start > fuzz.limit) {
        fprintf(stderr, "fuzz: more than %zu bytes of memory for this input\n", fuzz.limit);
        __builtin_trap();
    }
    return q;
}
static const struct adit_mem fuzz_mem = {fuzz_resize, NULL};

/* Memory of the host's own, neither counted nor denied. */
static const struct adit_mem fuzz_sure_mem __attribute__((unused)) = {libc_resize, NULL};

/* Whether objects that usually live from run to run are to be made for this one, and freed. */
static inline bool fuzz_fresh(void) { return fuzz.fresh; }

/* With FUZZ_TELL set, results are printed: to see where two runs part. */
static inline bool fuzz_prints(void)
{
    static int prints;
    if (!prints) prints = getenv("FUZZ_TELL") ? 1 : 2;
    return prints == 1;
}

/* A result; the same input must always give the same ones. */
static inline void fuzz_tell(struct adit_str s)
{
    if (fuzz_prints())
        fprintf(stderr, "fuzz: call %zu%s: %.*s\n", fuzz.calls, fuzz.denied ? ", denied" : "",
                s.len < 2000 ? (int)s.len : 2000, s.p ? s.p : "");
    fuzz.told = (fuzz.told * 31) ^ adit_str_hash(s) ^ s.len;
}

/* Whether a call has taken the input; its code is a result, unless memory was denied. */
static inline bool fuzz_took(enum adit_code code)
{
    if (fuzz_prints() && code) fprintf(stderr, "fuzz: %s\n", adit_code_name(code));
    if (fuzz.denied && (code == ADIT_ENOMEM || code == ADIT_ELIMIT))
        fuzz.gave_up = true;
    else
        fuzz.told = fuzz.told * 31 + (uint64_t)code;
    return code == ADIT_OK;
}

/* Whether a call went well, which can only fail for want of memory. */
static inline bool fuzz_fine(enum adit_code code)
{
    MUST(code == ADIT_OK || (fuzz.denied && (code == ADIT_ENOMEM || code == ADIT_ELIMIT)));
    return fuzz_took(code);
}

/* The same of what was appended to a buffer; what is in it is a result. */
static inline bool fuzz_built(const struct adit_buf *b)
{
    if (!fuzz_fine(b->err)) return false;
    fuzz_tell(adit_buf_str(b));
    return true;
}

static inline void fuzz_pass(struct adit_str input, void (*one)(struct adit_str), size_t deny)
{
    fuzz.start = fuzz.held;
    fuzz.limit = FUZZ_FACTOR * input.len + FUZZ_FIXED;
    fuzz.calls = 0, fuzz.told = 0, fuzz.deny = deny;
    fuzz.denied = fuzz.gave_up = false;
    one(input);
    MUST(!fuzz.fresh || fuzz.held == fuzz.start);
}

static inline int fuzz_run(const uint8_t *data, size_t size, void (*one)(struct adit_str))
{
    struct adit_str input = adit_str_of((const char *)data, size);
    uint64_t hash = adit_str_hash(input) ^ size;
    fuzz.fresh = false;
    fuzz_pass(input, one, 0);
    if (hash % 8) return 0;
    uint64_t told = fuzz.told;
    fuzz.fresh = true;
    fuzz_pass(input, one, 0);
    MUST(fuzz.told == told);
    if (!fuzz.calls) return 0;
    fuzz_pass(input, one, 1 + (size_t)(hash >> 8) % fuzz.calls);
    MUST(fuzz.gave_up || fuzz.told == told);
    fuzz.limit = 0, fuzz.deny = 0;
    return 0;
}

#define FUZZ_TARGET(input)                                      \
    static void fuzz_one(struct adit_str input);                \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) \
    {                                                           \
        return fuzz_run(data, len, fuzz_one);                   \
    }                                                           \
    static void fuzz_one(struct adit_str input)

#endif
