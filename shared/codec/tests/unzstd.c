/* codec: zstd. Files in cases/ are made by the zstd command; frames at the limits are written here
 * by hand (RFC 8878, 3.1.1). */
#include "codec/tests/decode.h"

#define MAGIC "\x28\xb5\x2f\xfd"

static struct adit_str txt, zst, nocheck;

static void read_cases(void)
{
    txt = tap_read("shared/codec/cases/gettysburg.txt");
    zst = tap_read("shared/codec/cases/gettysburg.zst");
    nocheck = tap_read("shared/codec/cases/gettysburg.nocheck.zst");
}

static void free_cases(void)
{
    free((void *)txt.p);
    free((void *)zst.p);
    free((void *)nocheck.p);
}

TEST(files)
{
    read_cases();
    check(ADIT_CODING_ZSTD, zst, ADIT_OK, false, txt, "with checksum");
    check(ADIT_CODING_ZSTD, nocheck, ADIT_OK, false, txt, "without checksum");
    check(ADIT_CODING_ZSTD, ADIT_STR("<html>"), ADIT_EBAD, false, ADIT_STR(""), "HTML");
    check(ADIT_CODING_ZSTD, ADIT_STR("\x1f\x8b\x08\0\0\0\0\0"), ADIT_EBAD, false, ADIT_STR(""),
          "gzip");
}

TEST(frames)
{
    struct adit_buf b, want;
    adit_buf_init(&b, tap_mem, 1 << 20);
    adit_buf_init(&want, tap_mem, 1 << 20);
    adit_buf_add(&b, zst);
    adit_buf_add(&b, ADIT_STR("\x50\x2a\x4d\x18\3\0\0\0abc")); /* skippable */
    adit_buf_add(&b, nocheck);
    adit_buf_add(&want, txt);
    adit_buf_add(&want, txt);
    check(ADIT_CODING_ZSTD, adit_buf_str(&b), ADIT_OK, false, adit_buf_str(&want),
          "two frames and one to skip");
    adit_buf_add(&b, ADIT_STR("padding"));
    check(ADIT_CODING_ZSTD, adit_buf_str(&b), ADIT_EBAD, false, adit_buf_str(&want),
          "something else behind them");
    adit_buf_clear(&b);
    adit_buf_add(&b, zst);
    b.p[b.len - 1] ^= 1;
    check(ADIT_CODING_ZSTD, adit_buf_str(&b), ADIT_OK, true, txt, "wrong checksum");
    adit_buf_add(&b, nocheck);
    check(ADIT_CODING_ZSTD, adit_buf_str(&b), ADIT_OK, true, adit_buf_str(&want),
          "a frame behind a wrong checksum");
    adit_buf_free(&b);
    adit_buf_free(&want);
}

TEST(headers)
{
    /* Descriptor 0: a window descriptor follows; exponent e gives 1 KiB << e. Then a last, raw
     * block of one byte. */
    check(ADIT_CODING_ZSTD, ADIT_STR(MAGIC "\0\x68\x09\0\0A"), ADIT_OK, false, ADIT_STR("A"),
          "a window of 8 MiB");
    check(ADIT_CODING_ZSTD, ADIT_STR(MAGIC "\0\x69\x09\0\0A"), ADIT_ELIMIT, false, ADIT_STR(""),
          "a window of 9 MiB");
    check(ADIT_CODING_ZSTD, ADIT_STR(MAGIC "\0\x60\x09\0\0A"), ADIT_OK, false, ADIT_STR("A"),
          "a window of 4 MiB");
    check(ADIT_CODING_ZSTD, ADIT_STR(MAGIC "\1\x50\7\x09\0\0A"), ADIT_EUNSUP, false, ADIT_STR(""),
          "a dictionary");
    /* A header (with a dictionary's id and a length) whose end looks like an empty frame. */
    check(ADIT_CODING_ZSTD, ADIT_STR(MAGIC "\x57\1" MAGIC "\0\x50\1\0\0\0\0\0"), ADIT_EUNSUP, false,
          ADIT_STR(""), "a frame within a header");
    check(ADIT_CODING_ZSTD, ADIT_STR(MAGIC "\0\x50\x07\0\0A"), ADIT_EBAD, false, ADIT_STR(""),
          "a reserved block type");
}

TEST(truncated)
{
    bool eof = true, prefix = true;
    for (size_t n = 1; n < zst.len; n++) {
        struct outcome o = decode(ADIT_CODING_ZSTD, adit_str_sub(zst, 0, n), 0, n);
        if (o.code != ADIT_EEOF) eof = false;
        if (!adit_str_starts(txt, adit_buf_str(&o.out))) prefix = false;
        if (n + 4 >= zst.len && o.out.len != txt.len) prefix = false;
        adit_buf_free(&o.out);
    }
    ok(eof, "every prefix is cut off");
    ok(prefix, "what came before is passed on");
}

TEST(corrupt)
{
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 1 << 20);
    adit_buf_add(&b, zst);
    corrupted(ADIT_CODING_ZSTD, &b, txt, true);
}

/* `raw` bytes in raw blocks of one, then blocks of 128 KiB of one repeated byte. */
static enum adit_code ratio_case(size_t raw, size_t rle, size_t step)
{
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 1 << 20);
    adit_buf_add(&b, ADIT_STR(MAGIC "\0\x50")); /* 1 MiB window */
    for (size_t i = 0; i < raw; i++) adit_buf_add(&b, ADIT_STR("\x08\0\0r"));
    for (size_t i = 0; i < rle; i++) adit_buf_add(&b, ADIT_STR("\x02\0\x10z"));
    adit_buf_add(&b, ADIT_STR("\1\0\0"));
    return ending(ADIT_CODING_ZSTD, &b, raw + rle * (128 << 10), step);
}

TEST(ratio)
{
    eq_int(ratio_case(0, 7, 1 << 20), ADIT_OK, "any ratio before the threshold");
    eq_int(ratio_case(0, 8, 1 << 20), ADIT_ELIMIT, "a bomb at the threshold");
    size_t n = 2000; /* each raw block is four bytes of input */
    while (n < 4000 && ratio_case(n, 8, 1 << 20) != ADIT_OK) n++;
    ok(n > 2000 && n < 3000, "enough input makes it permissible");
    eq_int(ratio_case(n - 1, 8, 1), ADIT_ELIMIT, "n - 1, byte by byte");
    eq_int(ratio_case(n, 8, 1), ADIT_OK, "n, byte by byte");
    eq_int(ratio_case(n + 1, 8, 7), ADIT_OK, "n + 1, in sevens");
}

/* Blocks of three bytes that hold nothing. The last one and the header are 9 bytes. */
static enum adit_code idle_case(size_t n, size_t step)
{
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 1 << 20);
    adit_buf_add(&b, ADIT_STR(MAGIC "\0\x50"));
    for (size_t i = 0; i < n; i++) adit_buf_add(&b, ADIT_STR("\0\0\0"));
    adit_buf_add(&b, ADIT_STR("\1\0\0"));
    return ending(ADIT_CODING_ZSTD, &b, 0, step);
}

TEST(idle)
{
    size_t n = ((64 << 10) - 9) / 3;
    for (size_t step = 1; step < 1 << 20; step = step * 31 + 6) {
        eq_int(idle_case(n, step), ADIT_OK, "empty blocks, n");
        eq_int(idle_case(n + 1, step), ADIT_ELIMIT, "empty blocks, n + 1");
    }
}

TEST(torture)
{
    struct body whole = {"zstd", zst, txt};
    tap_torture(decode_body, &whole, "every allocation failing");
    free_cases();
}

RUN_TESTS(files, frames, headers, truncated, corrupt, ratio, idle, torture)
