/* base: slices, arenas, buffers, sinks, limits. */
#include "tests/tap.h"

TEST(slices)
{
    ok(adit_str_eq(ADIT_STR("abc"), adit_str_z("abc")), "equal");
    ok(!adit_str_eq(ADIT_STR("abc"), ADIT_STR("abd")), "not equal");
    ok(adit_str_eq(ADIT_STR(""), (struct adit_str){0}), "empty equals {NULL, 0}");
    ok(adit_str_ieq(ADIT_STR("AbC"), ADIT_STR("aBc")), "folded equal");
    ok(adit_str_cmp(ADIT_STR("a"), ADIT_STR("ab")) < 0, "a prefix sorts first");
    ok(adit_str_cmp(ADIT_STR("\xff"), ADIT_STR("a")) > 0, "bytes are unsigned");
    ok(adit_str_starts(ADIT_STR("abc"), ADIT_STR("ab")), "starts");
    ok(adit_str_ends(ADIT_STR("abc"), ADIT_STR("bc")), "ends");
    ok(!adit_str_ends(ADIT_STR("c"), ADIT_STR("bc")), "too short to end so");
    ok(adit_str_in(ADIT_STR("b c"), "a,b c,d") && adit_str_in(ADIT_STR("d"), "a,b c,d"),
       "in a list");
    ok(!adit_str_in(ADIT_STR("b"), "a,b c,d") && !adit_str_in(ADIT_STR("a,b"), "a,b") &&
           !adit_str_in(ADIT_STR(""), "a,,b"),
       "a part, two words or nothing is not");
    eq_str(adit_str_trim(ADIT_STR(" \t a b \r\n\f")), ADIT_STR("a b"), "trim");
    eq_int(adit_str_find(ADIT_STR("ababc"), ADIT_STR("abc"), 0), 2, "find");
    eq_int(adit_str_find(ADIT_STR("abab"), ADIT_STR("abc"), 0), 4, "find nothing");
    eq_int(adit_str_ifind(ADIT_STR("xxHEAD"), ADIT_STR("head"), 1), 2, "find folded");
    eq_str(adit_str_sub(ADIT_STR("abc"), 1, 99), ADIT_STR("bc"), "sub is clamped");
    eq_int(adit_str_sub(ADIT_STR("abc"), 5, 9).len, 0, "sub outside");
    struct adit_str rest = ADIT_STR("a,,b"), part;
    ok(adit_str_split(&rest, ',', &part) && adit_str_eq(part, ADIT_STR("a")), "split 1");
    ok(adit_str_split(&rest, ',', &part) && part.len == 0, "split 2");
    ok(adit_str_split(&rest, ',', &part) && adit_str_eq(part, ADIT_STR("b")), "split 3");
    ok(!adit_str_split(&rest, ',', &part), "split ends");
}

/* Eight bytes at a time: at every place, behind what only begins alike, and up to the last byte. */
TEST(folded_places)
{
    char text[48];
    size_t wrong = 0;
    for (size_t len = 3; len <= 40; len++)
        for (size_t at = 0; at + 3 <= len; at++) {
            memset(text, at % 2 ? 'n' : '.', len);
            memcpy(text + at, "nEe", 3);
            struct adit_str s = adit_str_of(text, len);
            wrong += adit_str_ifind(s, ADIT_STR("NeE"), 0) != at;
            wrong += adit_str_ifind(s, ADIT_STR("nee"), at + 1) != len;
        }
    eq_int(wrong, 0, "found where it stands, and only there");
    eq_int(adit_str_ifind(ADIT_STR("........@\x60........"), ADIT_STR("@"), 0), 8,
           "signs do not fold");
}

TEST(numbers)
{
    uint64_t v = 0;
    ok(adit_str_u64(ADIT_STR("18446744073709551615"), &v) && v == UINT64_MAX, "largest");
    ok(!adit_str_u64(ADIT_STR("18446744073709551616"), &v), "one more");
    ok(!adit_str_u64(ADIT_STR(""), &v) && !adit_str_u64(ADIT_STR("-1"), &v) &&
           !adit_str_u64(ADIT_STR("1 "), &v),
       "not numbers");
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 200);
    adit_buf_i64(&b, INT64_MIN);
    adit_buf_byte(&b, ' ');
    adit_buf_u64(&b, 0);
    adit_buf_byte(&b, ' ');
    adit_buf_pad(&b, 7, 4);
    adit_buf_byte(&b, ' ');
    adit_buf_hex(&b, (const uint8_t *)"\x00\xfe", 2);
    eq_str(adit_buf_str(&b), ADIT_STR("-9223372036854775808 0 0007 00fe"), "printed");
    adit_buf_clear(&b);
    adit_buf_escape(&b, ADIT_STR("/a b\0%\xff.~"), ADIT_PATH_PLAIN);
    eq_str(adit_buf_str(&b), ADIT_STR("/a%20b%00%25%FF.~"), "percent-encoded");
    adit_buf_free(&b);
}

TEST(arena_limit)
{
    struct adit_arena a;
    adit_arena_init(&a, tap_mem, 100);
    ok(adit_arena_alloc(&a, 99), "n - 1");
    ok(adit_arena_alloc(&a, 1), "n");
    ok(!adit_arena_alloc(&a, 1), "n + 1");
    ok(adit_arena_alloc(&a, 0), "nothing always fits");
    adit_arena_reset(&a);
    char *p = adit_arena_alloc(&a, 100);
    ok(p && ((uintptr_t)p & 15) == 0, "after reset, all of it, aligned");
    ok(!adit_arena_alloc(&a, SIZE_MAX), "absurd size");
    ok(!adit_arena_zalloc(&a, SIZE_MAX / 2, 16), "overflowing product");
    adit_arena_free(&a);
}

TEST(arena_chunks)
{
    struct adit_arena a;
    adit_arena_init(&a, tap_mem, 64 << 20);
    bool same = true;
    for (int round = 0; round < 3; round++) {
        unsigned char *parts[500];
        for (int i = 0; i < 500; i++) {
            size_t len = (size_t)(i * 37 % 5000);
            parts[i] = adit_arena_alloc(&a, len);
            memset(parts[i], i, len);
        }
        for (int i = 0; i < 500; i++)
            for (size_t k = 0; k < (size_t)(i * 37 % 5000); k++)
                if (parts[i][k] != (unsigned char)i) same = false;
        adit_arena_reset(&a);
    }
    ok(same, "allocations do not overlap, also when chunks are used again");
    adit_arena_free(&a);
}

/* Memory that the arenas of a test hold. */
static size_t held;

static void *count_resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    void *made = tap_mem.resize(ctx, p, old_len, new_len);
    if (made || !new_len) held += new_len - old_len;
    return made;
}

TEST(arena_arrays)
{
    enum { FIRST = 1000, LAST = 16 << 20 };
    struct adit_arena a;
    adit_arena_init(&a, (struct adit_mem){count_resize, tap_mem.ctx}, 64 << 20);
    unsigned char *grown[2] = {NULL, NULL};
    size_t len = 0;
    held = 0;
    for (size_t next = FIRST; next <= LAST; len = next, next *= 2)
        for (int k = 0; k < 2; k++) {
            grown[k] = adit_arena_resize(&a, grown[k], len, next);
            memset(grown[k] + len, 7 + k, next - len);
        }
    bool same = true;
    for (size_t i = 0; i < len; i++) same = same && grown[0][i] == 7 && grown[1][i] == 8;
    ok(same, "arrays that grow by turns keep their bytes");
    ok(held < 2 * len + (2 << 20), "large ones leave nothing behind");
    ok(!adit_arena_resize(&a, grown[0], len, 64 << 20), "not beyond the maximum");
    grown[0] = adit_arena_resize(&a, grown[0], len, len / 2);
    ok(held < len + len / 2 + (2 << 20), "and shrink");
    size_t before = held, used = a.used;
    struct adit_arena_mark mark = adit_arena_mark(&a);
    for (int i = 0; i < 3; i++) {
        char *large = adit_arena_alloc(&a, 3 << 20), *small = adit_arena_alloc(&a, 40);
        memset(large, 1, 3 << 20), memset(small, 2, 40);
        adit_arena_resize(&a, large, 3 << 20, 20 << 20);
        adit_arena_release(&a, mark);
    }
    eq_int((long long)a.used, (long long)used, "a mark brings back what was used");
    ok(held <= before + (1 << 20), "and huge blocks are the host's again");
    same = true;
    for (size_t i = 0; i < len; i++) same = same && grown[1][i] == 8;
    ok(same, "what came before the mark is untouched");
    adit_arena_reset(&a);
    ok(held <= 9 << 20, "an arena without a page holds little");
    adit_arena_free(&a);
    eq_int((long long)held, 0, "a freed one nothing");
}

TEST(arena_lists)
{
    struct adit_arena a;
    size_t cap = 0, n = 0;
    uint64_t *v = NULL, *more;
    bool kept = true;
    adit_arena_init(&a, tap_mem, 1 << 20);
    for (; (more = adit_arena_grow(&a, v, n, &cap, sizeof *v)); n++) v = more, v[n] = n;
    for (size_t i = 0; i < n; i++) kept = kept && v[i] == i;
    ok(kept && n == cap && n >= 16384, "a list grows until the arena is full, and stays as it was");
    cap = 3;
    ok(adit_arena_grow(&a, v, 2, &cap, sizeof *v) == v && cap == 3, "where there is room it stays");
    adit_arena_free(&a);
}

/* What is dropped goes back to the host at once, and what stands around it stays. */
TEST(arena_drop)
{
    enum { LEN = 1 << 20 };
    struct adit_arena a;
    adit_arena_init(&a, (struct adit_mem){count_resize, tap_mem.ctx}, 64 << 20);
    char *v[3];
    held = 0;
    for (size_t i = 0; i < ADIT_COUNT(v); i++) {
        v[i] = adit_arena_alloc(&a, LEN);
        if (v[i]) memset(v[i], (int)i + 1, LEN);
    }
    size_t before = held;
    adit_arena_drop(&a, v[1], LEN);
    ok(held <= before - LEN && a.used == 2 * LEN, "one in the middle");
    adit_arena_drop(&a, v[2], LEN);
    ok(held <= before - 2 * LEN && v[0][LEN - 1] == 1, "the newest");
    char *small = adit_arena_alloc(&a, 100);
    adit_arena_drop(&a, small, 100);
    ok(small && a.used == LEN + 100, "a small one stays");
    v[1] = adit_arena_alloc(&a, LEN);
    struct adit_arena_mark mark = adit_arena_mark(&a);
    for (size_t i = 0; i < 20; i++) adit_arena_alloc(&a, LEN);
    before = held;
    adit_arena_release(&a, mark);
    ok(held <= before - 20 * LEN, "of a page that has much, all goes back");
    adit_arena_drop(&a, v[0], LEN);
    adit_arena_free(&a);
    eq_int((long long)held, 0, "all of it in the end");
}

TEST(buffer_limit)
{
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 10);
    adit_buf_lit(&b, "123456789");
    eq_int(b.err, ADIT_OK, "n - 1");
    adit_buf_byte(&b, '0');
    eq_int(b.err, ADIT_OK, "n");
    adit_buf_byte(&b, '1');
    eq_int(b.err, ADIT_ELIMIT, "n + 1");
    adit_buf_byte(&b, '1');
    eq_str(adit_buf_str(&b), ADIT_STR("1234567890"), "the error sticks, nothing is half written");
    adit_buf_clear(&b);
    adit_buf_lit(&b, "x");
    eq_str(adit_buf_str(&b), ADIT_STR("x"), "usable after clear");
    adit_buf_free(&b);
}

static enum adit_code build(struct adit_mem mem, void *ctx)
{
    (void)ctx;
    struct adit_arena a;
    struct adit_buf b;
    adit_arena_init(&a, mem, 1 << 20);
    adit_buf_init(&b, mem, 1 << 20);
    bool fine = true;
    for (int i = 0; i < 100; i++) {
        struct adit_str s = adit_arena_dup(&a, ADIT_STR("some text that is copied"), &fine);
        adit_buf_add(&b, s);
        if (!adit_arena_zalloc(&a, 100, 10)) fine = false;
    }
    void *array = adit_arena_alloc(&a, 200000);
    if (!array || !adit_arena_resize(&a, array, 200000, 300000)) fine = false;
    enum adit_code code = fine ? b.err : ADIT_ENOMEM;
    adit_arena_free(&a);
    adit_buf_free(&b);
    return code;
}

TEST(torture) { tap_torture(build, NULL, "every allocation fails in turn"); }

TEST(sinks)
{
    struct adit_buf b;
    struct adit_buf_sink bs;
    adit_buf_init(&b, tap_mem, 5);
    struct adit_sink *s = adit_buf_sink_init(&bs, &b);
    eq_int(adit_sink_write(s, ADIT_STR("abc")), ADIT_OK, "write");
    eq_int(adit_sink_write(s, ADIT_STR("def")), ADIT_ELIMIT, "a full buffer refuses");
    eq_int(adit_sink_end(s), ADIT_ELIMIT, "and says so at the end");
    s->end = NULL;
    eq_int(adit_sink_end(s), ADIT_OK, "a sink without an end");
    adit_buf_free(&b);
}

TEST(tables)
{
    size_t n = 0;
    bool all = true;
    for (; adit_limits[n].name; n++)
        if (adit_limits[n].value == 0 || !adit_limits[n].why[0]) all = false;
    ok(n > 10 && all, "every limit has a value and a reason");
    for (int c = ADIT_OK; c <= ADIT_ESTOP; c++)
        if (!adit_code_name((enum adit_code)c)[0]) all = false;
    ok(all, "every code has a name");
    struct adit_error e;
    eq_int(adit_fail(&e, ADIT_EBAD, "odd", 7), ADIT_EBAD, "fail returns its code");
    eq_int(e.pos, 7, "and keeps the position");
    eq_int(adit_fail(NULL, ADIT_EBAD, "odd", 7), ADIT_EBAD, "without a place for it, too");
}

RUN_TESTS(slices, folded_places, numbers, arena_limit, arena_chunks, arena_arrays, arena_lists,
          arena_drop, buffer_limit, torture, sinks, tables)
