/* Slow: codec: gzip, zlib and deflate. The compressor is miniz's, the file in cases/ gzip's own. */
#include "codec/tests/decode.h"

#include <miniz.h>

/* A text that compresses, but not too well. */
static struct adit_str sample(size_t len)
{
    char *p = malloc(len + 1);
    uint32_t r = 1;
    for (size_t i = 0; i < len; i++) {
        r = r * 1664525u + 1013904223u;
        p[i] = (char)("etaoin shrdlu"[(r >> 20) % 13]);
    }
    return adit_str_of(p, len);
}

static struct adit_str deflated(struct adit_str s, bool zlib)
{
    size_t len = 0;
    int flags = (int)tdefl_create_comp_flags_from_zip_params(6, zlib ? 15 : -15, 0);
    char *p = tdefl_compress_mem_to_heap(s.p, s.len, &len, flags);
    return adit_str_of(p, len);
}

static void le32(struct adit_buf *b, uint32_t v)
{
    for (int i = 0; i < 4; i++) adit_buf_byte(b, (char)(v >> 8 * i));
}

struct member {
    unsigned char flags;
    struct adit_str fields; /* what follows the first ten bytes */
    uint32_t crc_xor, len_xor;
};

static void add_member(struct adit_buf *b, struct adit_str text, struct member m)
{
    const char head[10] = {0x1f, (char)0x8b, 8, (char)m.flags, 0, 0, 0, 0, 0, 3};
    struct adit_str raw = deflated(text, false);
    adit_buf_add(b, adit_str_of(head, sizeof head));
    adit_buf_add(b, m.fields);
    adit_buf_add(b, raw);
    le32(b, (uint32_t)mz_crc32(MZ_CRC32_INIT, (const uint8_t *)text.p, text.len) ^ m.crc_xor);
    le32(b, (uint32_t)text.len ^ m.len_xor);
    free((void *)raw.p);
}

static const struct adit_str hello = ADIT_STR_INIT("hello hello hello hello, world\n");

/* One gzip member, changed by m, and then `tail`. */
static void gzip_case(struct member m, struct adit_str tail, enum adit_code code, bool damaged,
                      const char *what)
{
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 1 << 20);
    add_member(&b, hello, m);
    adit_buf_add(&b, tail);
    check(ADIT_CODING_GZIP, adit_buf_str(&b), code, damaged, hello, what);
    adit_buf_free(&b);
}

TEST(gzip_members)
{
    struct adit_str none = ADIT_STR("");
    gzip_case((struct member){0}, none, ADIT_OK, false, "plain member");
    gzip_case((struct member){.flags = 1}, none, ADIT_OK, false, "FTEXT");
    gzip_case((struct member){.flags = 2, .fields = ADIT_STR("xy")}, none, ADIT_OK, false, "FHCRC");
    gzip_case((struct member){.flags = 4, .fields = ADIT_STR("\5\0abcde")}, none, ADIT_OK, false,
              "FEXTRA");
    gzip_case((struct member){.flags = 4, .fields = ADIT_STR("\0\0")}, none, ADIT_OK, false,
              "empty FEXTRA");
    gzip_case((struct member){.flags = 8, .fields = ADIT_STR("name\0")}, none, ADIT_OK, false,
              "FNAME");
    gzip_case((struct member){.flags = 31, .fields = ADIT_STR("\1\0eN\0C\0xy")}, none, ADIT_OK,
              false, "all fields");
    gzip_case((struct member){.crc_xor = 1}, none, ADIT_OK, true, "wrong CRC");
    gzip_case((struct member){.len_xor = 1}, none, ADIT_OK, true, "wrong length");
    gzip_case((struct member){0}, ADIT_STR("\0\0\0\0"), ADIT_OK, false, "zero padding");
    gzip_case((struct member){0}, ADIT_STR("\x1f\x8bxyz"), ADIT_OK, false, "other padding");
    gzip_case((struct member){0}, ADIT_STR("\x1f\x8b\x08"), ADIT_EEOF, false, "cut second header");
    gzip_case((struct member){0}, ADIT_STR("\x1f\x8b\x08\xe0xxxxxxxxxxxx"), ADIT_EBAD, false,
              "reserved flags");
}

TEST(gzip_many_members)
{
    struct adit_buf b, want;
    adit_buf_init(&b, tap_mem, 1 << 20);
    adit_buf_init(&want, tap_mem, 1 << 20);
    for (size_t i = 0; i < 5; i++) {
        struct adit_str text = sample(i * i * 100);
        add_member(&b, text, (struct member){.crc_xor = i == 2});
        adit_buf_add(&want, text);
        free((void *)text.p);
    }
    check(ADIT_CODING_GZIP, adit_buf_str(&b), ADIT_OK, true, adit_buf_str(&want),
          "five members, one damaged");
    adit_buf_free(&b);
    adit_buf_free(&want);
}

TEST(gzip_file)
{
    struct adit_str gz = tap_read("shared/codec/cases/gettysburg.txt.gz");
    struct adit_str txt = tap_read("shared/codec/cases/gettysburg.txt");
    check(ADIT_CODING_GZIP, gz, ADIT_OK, false, txt, "a file made by gzip");
    free((void *)gz.p);
    free((void *)txt.p);
}

TEST(zlib_and_raw)
{
    static const struct {
        enum adit_coding coding;
        bool zlib;
        enum adit_code code;
        const char *what;
    } rows[] = {
        {ADIT_CODING_ZLIB, true, ADIT_OK, "zlib"},
        {ADIT_CODING_RAW, false, ADIT_OK, "raw"},
        {ADIT_CODING_DEFLATE, true, ADIT_OK, "deflate, zlib"},
        {ADIT_CODING_DEFLATE, false, ADIT_OK, "deflate, raw"},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_str text = sample(100000), z = deflated(text, rows[i].zlib);
        struct adit_str small = deflated(ADIT_STR(""), rows[i].zlib);
        check(rows[i].coding, z, rows[i].code, false, text, rows[i].what);
        check(rows[i].coding, small, rows[i].code, false, ADIT_STR(""), "the same, of nothing");
        free((void *)text.p);
        free((void *)z.p);
        free((void *)small.p);
    }
}

TEST(zlib_details)
{
    struct adit_str z = deflated(hello, true);
    char *p = (char *)z.p;
    p[z.len - 1] ^= 1;
    check(ADIT_CODING_ZLIB, z, ADIT_OK, true, hello, "wrong Adler-32");
    p[z.len - 1] ^= 1;
    check(ADIT_CODING_GZIP, z, ADIT_EBAD, false, ADIT_STR(""), "zlib is not gzip");
    check(ADIT_CODING_ZLIB, ADIT_STR("<html>"), ADIT_EBAD, false, ADIT_STR(""), "HTML is not zlib");
    check(ADIT_CODING_ZLIB, ADIT_STR("\x78\xbb\0\0\0\0"), ADIT_EUNSUP, false, ADIT_STR(""),
          "preset dictionary");
    check(ADIT_CODING_DEFLATE, ADIT_STR("\x78\xbb\0\0\0\0"), ADIT_EUNSUP, false, ADIT_STR(""),
          "preset dictionary in HTTP");
    check(ADIT_CODING_DEFLATE, ADIT_STR("x"), ADIT_EEOF, false, ADIT_STR(""), "one byte");
    /* A final stored block of one byte, and something behind it. */
    check(ADIT_CODING_RAW,
          ADIT_STR("\1\1\0\xfe\xff"
                   "A"
                   "tail"),
          ADIT_OK, false, ADIT_STR("A"), "bytes behind a raw stream");
    for (int c = 0; c < ADIT_CODINGS; c++)
        check((enum adit_coding)c, ADIT_STR(""), ADIT_OK, false, ADIT_STR(""), "an empty body");
    free(p);
}

/* Every prefix says that it is one, and has passed on what can be known. */
TEST(truncated)
{
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 1 << 20);
    add_member(&b, hello, (struct member){.flags = 31, .fields = ADIT_STR("\1\0eN\0C\0xy")});
    struct adit_str all = adit_buf_str(&b), z = deflated(hello, true);
    bool eof = true, prefix = true;
    for (size_t n = 1; n < all.len; n++) {
        struct outcome o = decode(ADIT_CODING_GZIP, adit_str_sub(all, 0, n), 0, n);
        if (o.code != ADIT_EEOF) eof = false;
        if (!adit_str_starts(hello, adit_buf_str(&o.out))) prefix = false;
        if (n + 8 >= all.len && o.out.len != hello.len) prefix = false;
        adit_buf_free(&o.out);
    }
    for (size_t n = 1; n < z.len; n++) {
        struct outcome o = decode(ADIT_CODING_DEFLATE, adit_str_sub(z, 0, n), 0, n);
        if (o.code != ADIT_EEOF) eof = false;
        adit_buf_free(&o.out);
    }
    ok(eof, "every prefix is cut off");
    ok(prefix, "what came before is passed on");
    adit_buf_free(&b);
    free((void *)z.p);
}

TEST(corrupt)
{
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 1 << 20);
    add_member(&b, hello, (struct member){0});
    corrupted(ADIT_CODING_GZIP, &b, hello, false);
}

/* A stream of `len` zeros behind `stored` bytes of stored blocks; how it ends. */
static enum adit_code ratio_case(size_t len, size_t padding, size_t step)
{
    struct adit_buf b;
    char *zeros = calloc(1, len);
    adit_buf_init(&b, tap_mem, 1 << 30);
    /* Empty stored blocks are bytes of input without output. */
    for (size_t i = 0; i < padding; i++) adit_buf_add(&b, ADIT_STR("\0\0\0\xff\xff"));
    struct adit_str z = deflated(adit_str_of(zeros, len), false);
    adit_buf_add(&b, z);
    free((void *)z.p);
    free(zeros);
    return ending(ADIT_CODING_RAW, &b, len, step);
}

TEST(ratio)
{
    size_t from = ADIT_LIMIT_ratio_from;
    eq_int(ratio_case(from - 1, 0, 1 << 20), ADIT_OK, "any ratio before the threshold");
    eq_int(ratio_case(from, 0, 1 << 20), ADIT_ELIMIT, "a bomb at the threshold");
    eq_int(ratio_case(from + 1, 0, 1 << 20), ADIT_ELIMIT, "a bomb beyond it");
    /* Find the exact amount of padding that makes the ratio permissible, and see that portions do
     * not move it. */
    size_t low = 0, n = 4000;
    while (n - low > 1) {
        size_t mid = (low + n) / 2;
        if (ratio_case(from, mid, 1 << 20) == ADIT_OK)
            n = mid;
        else
            low = mid;
    }
    ok(n > 1000 && n < 2200, "enough input makes it permissible");
    eq_int(ratio_case(from, n - 1, 1), ADIT_ELIMIT, "n - 1, byte by byte");
    eq_int(ratio_case(from, n, 1), ADIT_OK, "n, byte by byte");
    eq_int(ratio_case(from, n + 1, 7), ADIT_OK, "n + 1, in sevens");
}

/* n empty blocks (five bytes each) and an end: what they cost must not depend on what they hold. */
static enum adit_code idle_case(size_t n, size_t step)
{
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 1 << 24);
    for (size_t i = 0; i < n; i++) adit_buf_add(&b, ADIT_STR("\0\0\0\xff\xff"));
    adit_buf_add(&b, ADIT_STR("\3\0"));
    return ending(ADIT_CODING_RAW, &b, 0, step);
}

TEST(idle)
{
    for (size_t step = 1; step < 1 << 20; step = step * 31 + 6) {
        eq_int(idle_case((64 << 10) / 5 - 1, step), ADIT_OK, "empty blocks, n - 1");
        eq_int(idle_case((64 << 10) / 5, step), ADIT_ELIMIT, "empty blocks, n");
        eq_int(idle_case(1 << 20, step), ADIT_ELIMIT, "a million empty blocks");
    }
    /* What cannot be compressed is not meant. */
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 1 << 20);
    for (int i = 0; i < 10; i++) {
        adit_buf_add(&b, ADIT_STR("\0\0\x80\xff\x7f"));
        for (int k = 0; k < 0x8000; k++) adit_buf_byte(&b, (char)(k * k));
    }
    adit_buf_add(&b, ADIT_STR("\3\0"));
    struct outcome o = decode(ADIT_CODING_RAW, adit_buf_str(&b), 0, 1000);
    ok(o.code == ADIT_OK && o.out.len == 10 * 0x8000, "stored blocks");
    adit_buf_free(&o.out);
    adit_buf_free(&b);
}

struct chain_case {
    const char *value;
    enum adit_code code;
    int n; /* decoders */
};

TEST(chains)
{
    static const struct chain_case rows[] = {
        {"", ADIT_OK, 0},
        {"identity", ADIT_OK, 0},
        {" Identity , ", ADIT_OK, 0},
        {"gzip", ADIT_OK, 1},
        {"GZip", ADIT_OK, 1},
        {"x-gzip", ADIT_OK, 1},
        {"deflate", ADIT_OK, 1},
        {"zstd", ADIT_OK, 1},
        {"\tgzip ,identity", ADIT_OK, 1},
        {"gzip, zstd", ADIT_OK, 2},
        {"gzip,,deflate", ADIT_OK, 2},
        {"br", ADIT_EUNSUP, 0},
        {"gzip, br", ADIT_EUNSUP, 0},
        {"compress", ADIT_EUNSUP, 0},
        {"gzip;q=1", ADIT_EUNSUP, 0},
        {"gzip,gzip,gzip", ADIT_EUNSUP, 0},
        {"gzip gzip", ADIT_EUNSUP, 0},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_sink none = {0};
        struct adit_decoder *d;
        enum adit_code code = adit_decoder_chain(tap_mem, adit_str_z(rows[i].value), &none, &d);
        int n = 0;
        for (struct adit_decoder *k = d; k; k = k->inner) n++;
        ok(code == rows[i].code && n == rows[i].n, rows[i].value);
        adit_decoder_free(d);
    }
}

TEST(chain_works)
{
    struct adit_buf b;
    struct adit_str z = deflated(hello, true);
    adit_buf_init(&b, tap_mem, 1 << 20);
    add_member(&b, z, (struct member){0});
    struct body chained = {"deflate, gzip", adit_buf_str(&b), hello};
    eq_int(decode_body(tap_mem, &chained), ADIT_OK, "deflate, then gzip");
    tap_torture(decode_body, &chained, "every allocation of a chain failing");
    adit_buf_free(&b);
    free((void *)z.p);
}

/* A sink that has seen enough ends the decoding with its own code. */
static enum adit_code stop_write(struct adit_sink *s, const char *p, size_t len)
{
    (void)s, (void)p, (void)len;
    return ADIT_ESTOP;
}

TEST(next_sink_decides)
{
    struct adit_sink stop = {stop_write, NULL};
    struct adit_decoder *d;
    struct adit_str z = deflated(hello, true);
    adit_decoder_new(tap_mem, ADIT_CODING_ZLIB, &stop, &d);
    eq_int(feed(&d->sink, z, 0, z.len), ADIT_ESTOP, "the next sink's code comes back");
    adit_decoder_free(d);
    free((void *)z.p);
}

RUN_TESTS(gzip_members, gzip_many_members, gzip_file, zlib_and_raw, zlib_details, truncated,
          corrupt, ratio, idle, chains, chain_works, next_sink_decides)
