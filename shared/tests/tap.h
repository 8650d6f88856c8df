/* A small TAP harness. A test program defines tests with TEST(name) { … }, checks with the ok/eq
 * macros and ends with RUN_TESTS(test_a, test_b); output is read by prove. The same program runs
 * natively and as a WASI command. main returns 0 or 1 without calling exit (some runtimes turn any
 * exit into an error). */
#ifndef ADIT_TAP_H
#define ADIT_TAP_H

#include "tests/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int tap_count, tap_failed;

#define TEST(name) static void name(void)

static inline bool tap_ok(bool pass, const char *what, const char *file, int line)
{
    tap_count++;
    printf("%sok %d - %s\n", pass ? "" : "not ", tap_count, what);
    if (!pass) {
        tap_failed++;
        printf("# failed at %s:%d\n", file, line);
    }
    return pass;
}
#define ok(cond, what) tap_ok((cond), (what), __FILE__, __LINE__)

static inline bool tap_eq_int(long long got, long long want, const char *what, const char *file,
                              int line)
{
    bool pass = tap_ok(got == want, what, file, line);
    if (!pass) printf("#      got: %lld\n# expected: %lld\n", got, want);
    return pass;
}
#define eq_int(got, want, what) \
    tap_eq_int((long long)(got), (long long)(want), (what), __FILE__, __LINE__)

static inline void tap_show(const char *label, struct adit_str s)
{
    printf("# %s: (%zu) \"", label, s.len);
    for (size_t i = 0; i < s.len && i < 400; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c >= 32 && c < 127 && c != '"' && c != '\\')
            putchar(c);
        else
            printf("\\x%02x", c);
    }
    printf("\"%s\n", s.len > 400 ? "..." : "");
}
static inline bool tap_eq_str(struct adit_str got, struct adit_str want, const char *what,
                              const char *file, int line)
{
    bool pass = tap_ok(adit_str_eq(got, want), what, file, line);
    if (!pass) tap_show("     got", got), tap_show("expected", want);
    return pass;
}
#define eq_str(got, want, what) tap_eq_str((got), (want), (what), __FILE__, __LINE__)

static inline void tap_skip(const char *what, const char *why)
{
    tap_count++;
    printf("ok %d - %s # SKIP %s\n", tap_count, what, why);
}

/* --- memory for tests: the C library's, and one that fails on purpose ------------------------- */

static const struct adit_mem tap_mem = {libc_resize, NULL};

/* Fails the allocation number `fail_at` (counting from 1) and every later one; counts what is
 * outstanding, so that a test can see that a failure leaks nothing. */
struct tap_failing {
    long calls, fail_at, live;
};
static inline void *tap_failing_resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    struct tap_failing *f = ctx;
    if (new_len && ++f->calls >= f->fail_at) return NULL;
    if (!p && new_len) f->live++;
    if (p && !new_len) f->live--;
    return libc_resize(NULL, p, old_len, new_len);
}
/* Bytes that the core holds, and held at most: counted where it asks for them, so that the figures
 * are the same on every machine with pointers of the same size. */
struct tap_meter {
    size_t held, most;
};

static inline void *tap_measured(void *ctx, void *p, size_t old_len, size_t new_len)
{
    struct tap_meter *m = ctx;
    void *made = libc_resize(NULL, p, old_len, new_len);
    if (made || !new_len) m->held += new_len - old_len;
    if (m->held > m->most) m->most = m->held;
    return made;
}

/* Runs body(mem, ctx) with the first allocation failing, then the second, … until it returns
 * ADIT_OK; checks that every failure says ADIT_ENOMEM and that nothing stays allocated. */
static inline void tap_torture(enum adit_code (*body)(struct adit_mem mem, void *ctx), void *ctx,
                               const char *what)
{
    bool clean = true, right = true, done = false;
    long n = 1;
    for (; !done && n < 100000; n++) {
        struct tap_failing f = {.fail_at = n};
        enum adit_code code = body((struct adit_mem){tap_failing_resize, &f}, ctx);
        done = code == ADIT_OK;
        if (!done && code != ADIT_ENOMEM) right = false;
        if (f.live) clean = false;
    }
    if (!tap_ok(done && clean && right, what, __FILE__, __LINE__))
        printf("# allocation %ld: finished %d, no leak %d, right code %d\n", n - 1, done, clean,
               right);
}

/* --- chance, the same in every run ------------------------------------------------------------ */

static uint32_t tap_seed = 1;
static inline uint32_t tap_dice(uint32_t n)
{
    tap_seed = tap_seed * 1664525u + 1013904223u;
    return (tap_seed >> 8) % n;
}

/* --- the clock -------------------------------------------------------------------------------- */

/* Seconds of processor time, which other programs on the machine do not lengthen; WASI has wall-clock
 * time only. */
static inline double tap_seconds(void)
{
#ifdef __wasi__
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
#else
    return (double)clock() / CLOCKS_PER_SEC;
#endif
}

/* --- whole files, relative to the repository's root ------------------------------------------- */

/* Reads a file; {NULL, 0} if it cannot be read. The caller frees p. */
static inline struct adit_str tap_read(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) return (struct adit_str){0};
    char *p = malloc(1);
    size_t len = 0, cap = 1, got;
    while (p && (got = fread(p + len, 1, cap - len, f)) > 0) {
        len += got;
        if (len == cap) {
            cap *= 2;
            char *q = realloc(p, cap);
            if (!q) free(p);
            p = q;
        }
    }
    fclose(f);
    return p ? adit_str_of(p, len) : (struct adit_str){0};
}

#define RUN_TESTS(...)                                                          \
    int main(void)                                                              \
    {                                                                           \
        void (*const tests[])(void) = {__VA_ARGS__};                            \
        for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) tests[i](); \
        printf("1..%d\n", tap_count);                                           \
        return tap_failed != 0;                                                 \
    }

#endif
