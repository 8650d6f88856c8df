/* Slow: The byte source: codings, lines, limits, damage. */
#include "batch/io/io.h"
#include "batch/io/tests/encode.h"
#include "tests/tap.h"

#include <unistd.h>

static struct adit_buf file, plain;

static void as_is(struct adit_buf *out, struct adit_str in) { adit_buf_add(out, in); }

static const struct {
    const char *name;
    void (*pack)(struct adit_buf *out, struct adit_str in);
    enum input_coding coding;
} codings[] = {{"plain", as_is, INPUT_PLAIN},
               {"gzip", gzip_member, INPUT_GZIP},
               {"zstd", zstd_frame, INPUT_ZSTD}};

static uint32_t state = 1;
static char noise(void) { return (char)('a' + (state = state * 1664525u + 1013904223u) % 26); }

/* n bytes that hardly compress, with a line end every `line` bytes. */
static void fill(size_t n, size_t line)
{
    adit_buf_clear(&plain);
    adit_buf_reserve(&plain, n);
    for (size_t i = 0; i < n; i++) plain.p[plain.len++] = (i + 1) % line ? noise() : '\n';
}

/* Reads everything by input_peek and input_skip in odd steps. */
static bool reads_back(struct input *in)
{
    size_t at = 0, want = 1;
    for (;;) {
        struct adit_str s = input_peek(in, want);
        if (!s.len) break;
        size_t take = s.len < want ? s.len : want;
        if (at + take > plain.len || memcmp(plain.p + at, s.p, take) != 0) return false;
        input_skip(in, take);
        at += take;
        want = want * 3 % 300007 + 1;
    }
    return at == plain.len && input_code(in) == ADIT_OK && input_offset(in) == at;
}

TEST(whole)
{
    static const size_t sizes[] = {0, 1, 100, 131072, 5000000, 20000000};
    for (size_t c = 0; c < ADIT_COUNT(codings); c++) {
        for (size_t i = 0; i < ADIT_COUNT(sizes); i++) {
            fill(sizes[i], 80);
            adit_buf_clear(&file);
            codings[c].pack(&file, adit_buf_str(&plain));
            struct input *in = input_open_bytes(adit_buf_str(&file), NULL);
            ok(input_coding(in) == codings[c].coding && reads_back(in), codings[c].name);
            eq_int(input_consumed(in), file.len, "all of it is consumed");
            input_close(in);
        }
    }
}

TEST(members)
{
    for (size_t c = 1; c < ADIT_COUNT(codings); c++) {
        fill(1000000, 80);
        adit_buf_clear(&file);
        for (size_t at = 0; at < plain.len; at += 999)
            codings[c].pack(&file, adit_str_sub(adit_buf_str(&plain), at, at + 999));
        if (c == 1) adit_buf_add(&file, adit_str_of("\0\0\0\0\0", 5)); /* padding */
        struct input *in = input_open_bytes(adit_buf_str(&file), NULL);
        ok(reads_back(in), "many members are one stream");
        input_close(in);
    }
}

TEST(pipe_input)
{
    fill(3000000, 80);
    adit_buf_clear(&file);
    gzip_member(&file, adit_buf_str(&plain));
    char path[] = "/tmp/adit-input-XXXXXX";
    int fd = mkstemp(path);
    bool written = fd >= 0 && write(fd, file.p, file.len) == (ssize_t)file.len;
    if (fd >= 0) close(fd);
    struct input *in = written ? input_open(path, NULL) : NULL;
    ok(in && reads_back(in) && input_size(in) == file.len, "a file");
    input_close(in);
    unlink(path);
    ok(input_open("/nowhere/at/all", NULL) == NULL, "a file that is not there");
    ok(input_open("/tmp", NULL) == NULL, "a folder");
}

TEST(lines)
{
    for (size_t c = 0; c < ADIT_COUNT(codings); c++) {
        fill(1000000, 997);
        adit_buf_clear(&file);
        codings[c].pack(&file, adit_buf_str(&plain));
        for (size_t max = 995; max <= 997; max++) {
            struct input *in = input_open_bytes(adit_buf_str(&file), NULL);
            struct adit_str line;
            size_t n = 0, bytes = 0;
            while (input_line(in, max, &line)) n++, bytes += line.len;
            if (max < 996)
                ok(n == 0 && input_code(in) == ADIT_ELIMIT, "a line longer than the limit");
            else
                ok(n == 1004 && bytes == 1000000 - 1003 && !input_code(in), "lines");
            input_close(in);
        }
    }
    struct input *in = input_open_bytes(ADIT_STR("a\n\nb"), NULL);
    struct adit_str line;
    ok(input_line(in, 9, &line) && line.len == 1 && input_line(in, 9, &line) && line.len == 0 &&
           input_line(in, 9, &line) && line.len == 1 && !input_line(in, 9, &line) &&
           !input_code(in),
       "an empty line; a last line without LF");
    input_close(in);
}

TEST(window)
{
    fill(3000000, 80);
    struct input_options o = {.window_max = 1000000};
    struct input *in = input_open_bytes(adit_buf_str(&plain), &o);
    ok(input_peek(in, 3000000).len >= 1000000 - 131072, "a window that is full shows what it has");
    ok(input_skip(in, 2999999) && input_peek(in, 10).len == 1, "skips beyond the window");
    ok(!input_skip(in, 2), "but not beyond the end");
    input_close(in);
}

TEST(ratio)
{
    for (size_t c = 1; c < ADIT_COUNT(codings); c++) {
        adit_buf_clear(&plain);
        adit_buf_reserve(&plain, 30 << 20);
        memset(plain.p, 'x', 30 << 20);
        for (int large = 0; large < 2; large++) {
            plain.len = large ? 30u << 20 : (1u << 20) - 1;
            adit_buf_clear(&file);
            codings[c].pack(&file, adit_buf_str(&plain));
            struct input *in =
                input_open_bytes(adit_buf_str(&file), &(struct input_options){.guard_ratio = true});
            input_skip(in, plain.len);
            eq_int(input_code(in), large ? ADIT_ELIMIT : ADIT_OK, "the ratio counts from 1 MiB on");
            input_close(in);
            in = input_open_bytes(adit_buf_str(&file), NULL);
            ok(input_skip(in, plain.len) && !input_code(in), "and only if asked for");
            input_close(in);
        }
    }
}

TEST(damage)
{
    for (size_t c = 1; c < ADIT_COUNT(codings); c++) {
        fill(100000, 80);
        adit_buf_clear(&file);
        codings[c].pack(&file, adit_buf_str(&plain));
        size_t len = file.len;
        file.len = len - 3;
        struct input *in = input_open_bytes(adit_buf_str(&file), NULL);
        input_skip(in, plain.len + 1);
        eq_int(input_code(in), ADIT_EEOF, "cut off");
        ok(*input_message(in) != '\0', "with a message");
        input_close(in);
        file.len = len;
        file.p[len / 2] ^= 1;
        file.p[len / 2 + 1] ^= 0x7f;
        codings[c].pack(&file, ADIT_STR("second member"));
        in = input_open_bytes(adit_buf_str(&file), &(struct input_options){.recover = true});
        input_skip(in, UINT64_MAX);
        bool damaged = input_code(in) != ADIT_OK;
        bool back = input_recover(in);
        struct adit_str s = input_peek(in, 100);
        ok(damaged && back, "damaged, and found again");
        eq_str(s, ADIT_STR("second member"), "at the next member");
        ok(input_skip(in, s.len) && input_peek(in, 1).len == 0 && !input_code(in), "a proper end");
        input_close(in);
    }
}

/* n headers of members, each the name of the file in the one before it, all with the same content,
 * whose checksum is wrong; then a sound member. Returns the work of finding that one; 0: lost. */
static uint64_t members_in_members(int n, size_t content)
{
    struct adit_buf stream;
    adit_buf_init(&stream, tap_mem, 64 << 20);
    adit_buf_clear(&plain);
    while (plain.len < content) adit_buf_lit(&plain, "text of the content\n");
    encode_deflate(&stream, adit_buf_str(&plain), -MAX_WBITS);
    adit_buf_clear(&file);
    for (int i = 0; i < n; i++)
        adit_buf_add(&file, adit_str_of("\x1f\x8b\x08\x08\1\1\1\1\1\1", 10));
    adit_buf_add(&file, adit_str_of("x\0", 2));
    adit_buf_add(&file, adit_buf_str(&stream));
    adit_buf_add(&file, adit_str_of("\1\1\1\1\1\1\1\1", 8));
    gzip_member(&file, ADIT_STR("sound"));
    adit_buf_free(&stream);
    struct input *in =
        input_open_bytes(adit_buf_str(&file), &(struct input_options){.recover = true});
    bool found = false;
    do {
        struct adit_str s = input_peek(in, 1);
        found = adit_str_eq(adit_str_sub(s, 0, 5), ADIT_STR("sound"));
        input_skip(in, UINT64_MAX);
    } while (input_recover(in));
    uint64_t work = input_work(in);
    input_close(in);
    return found ? work : 0;
}

TEST(members_inside_members)
{
    uint64_t one = members_in_members(90, 2000000), two = members_in_members(180, 4000000);
    ok(one && two && two <= 2 * one + one / 2, "decoding in vain has a limit, and loses nothing");
    one = members_in_members(20000, 100), two = members_in_members(40000, 100);
    ok(one && two && two <= 2 * one + one / 2, "headers that name each other");
}

TEST(begin)
{
    adit_buf_init(&file, tap_mem, 64 << 20);
    adit_buf_init(&plain, tap_mem, 64 << 20);
}
TEST(end)
{
    adit_buf_free(&file);
    adit_buf_free(&plain);
}
RUN_TESTS(begin, whole, members, pipe_input, lines, window, ratio, damage, members_inside_members,
          end)
