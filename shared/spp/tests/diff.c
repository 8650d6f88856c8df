/* Chunks, and differences: small texts by hand; random ones against a slow sure method. */
#include "spp/spp.h"
#include "shared/tests/tap.h"

static struct adit_buf buf(void)
{
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 64u << 20);
    return b;
}

static struct adit_str diff_of(struct adit_buf *out, const char *a, const char *b,
                               struct adit_spp_stats *s)
{
    adit_buf_clear(out);
    adit_spp_diff(adit_str_z(a), adit_str_z(b), ADIT_STR("x/1"), ADIT_STR("x/2"), tap_mem, out, s);
    return adit_buf_str(out);
}

TEST(by_hand)
{
    static const struct {
        const char *a, *b, *diff;
        unsigned tenths;
    } rows[] = {
        {"", "", "", 0},
        {"same\n", "same\n", "", 0},
        {"", "a", "--- x/1\n+++ x/2\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n", 1000},
        {"a\nb\n", "", "--- x/1\n+++ x/2\n@@ -1,2 +0,0 @@\n-a\n-b\n", 1000},
        {"a\nb\nc\n", "a\nB\nc\n", "--- x/1\n+++ x/2\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", 333},
        {"a\nb", "a\nb\n",
         "--- x/1\n+++ x/2\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n", 500},
        {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n2\n3\n4\n5\n6\n7\n8\ny\n",
         "--- x/1\n+++ x/2\n@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n "
         "8\n-9\n+y\n",
         222},
        {"1\n2\n3\n4\n5\n6\n7\n8\n", "x\n2\n3\n4\n5\n6\n7\ny\n",
         "--- x/1\n+++ x/2\n@@ -1,8 +1,8 @@\n-1\n+x\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+y\n", 250},
    };
    struct adit_buf out = buf();
    struct adit_spp_stats s;
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        eq_str(diff_of(&out, rows[i].a, rows[i].b, &s), adit_str_z(rows[i].diff), "a diff by hand");
        eq_int(s.tenths, rows[i].tenths, "share of changed lines");
    }
    adit_buf_free(&out);
}

/* Lines changed by the best possible script. */
static unsigned least(const char *a, unsigned n, const char *b, unsigned m)
{
    static unsigned lcs[40][40];
    for (unsigned i = 0; i <= n; i++)
        for (unsigned j = 0; j <= m; j++) {
            unsigned *v = &lcs[i][j];
            if (!i || !j)
                *v = 0;
            else if (a[2 * (i - 1)] == b[2 * (j - 1)])
                *v = lcs[i - 1][j - 1] + 1;
            else
                *v = lcs[i - 1][j] > lcs[i][j - 1] ? lcs[i - 1][j] : lcs[i][j - 1];
        }
    return n + m - 2 * lcs[n][m];
}

static unsigned random_text(char *s, unsigned letters)
{
    unsigned n = tap_dice(32);
    for (unsigned i = 0; i < n; i++)
        s[2 * i] = (char)('a' + tap_dice(letters)), s[2 * i + 1] = '\n';
    s[2 * n] = '\0';
    return n;
}

TEST(random_texts)
{
    struct adit_buf out = buf(), again = buf();
    struct adit_spp_stats s;
    bool applies = true, shortest = true;
    for (unsigned i = 0; i < 20000; i++) {
        char a[80], b[80];
        unsigned letters = 1 + tap_dice(6), n = random_text(a, letters),
                 m = random_text(b, letters);
        if (n && tap_dice(3) == 0) a[2 * n - 1] = '\0'; /* no LF at the end */
        diff_of(&out, a, b, &s);
        adit_buf_clear(&again);
        if (adit_spp_patch(adit_str_z(a), adit_buf_str(&out), &again, NULL) != ADIT_OK ||
            !adit_str_eq(adit_buf_str(&again), adit_str_z(b)))
            applies = false;
        if (strlen(a) == 2 * n && s.inserted + s.deleted != least(a, n, b, m)) shortest = false;
    }
    ok(applies, "every diff gives the new text");
    ok(shortest, "no shorter one exists");
    adit_buf_free(&out), adit_buf_free(&again);
}

/* Nothing in common, and much of it: the budget ends the search. */
TEST(hostile_texts)
{
    struct adit_buf a = buf(), b = buf(), out = buf(), again = buf();
    struct adit_spp_stats s;
    for (unsigned i = 0; i < 60000; i++) {
        adit_buf_u64(&a, tap_dice(40000)), adit_buf_byte(&a, '\n');
        adit_buf_u64(&b, tap_dice(40000)), adit_buf_byte(&b, '\n');
    }
    eq_int(adit_spp_diff(adit_buf_str(&a), adit_buf_str(&b), ADIT_STR("1"), ADIT_STR("2"), tap_mem,
                         &out, &s),
           ADIT_OK, "a hopeless pair of texts ends");
    adit_spp_patch(adit_buf_str(&a), adit_buf_str(&out), &again, NULL);
    ok(adit_str_eq(adit_buf_str(&again), adit_buf_str(&b)), "and its diff gives the new text");
    adit_buf_clear(&a), adit_buf_clear(&b), adit_buf_clear(&out), adit_buf_clear(&again);
    for (unsigned i = 0; i < 500000; i++) adit_buf_lit(&a, "\n"), adit_buf_lit(&b, "\n");
    adit_buf_lit(&b, "end");
    adit_spp_diff(adit_buf_str(&a), adit_buf_str(&b), ADIT_STR("1"), ADIT_STR("2"), tap_mem, &out,
                  &s);
    adit_spp_patch(adit_buf_str(&a), adit_buf_str(&out), &again, NULL);
    ok(adit_str_eq(adit_buf_str(&again), adit_buf_str(&b)), "more lines than are numbered");
    eq_int(s.inserted, 1, "whose equal beginning stays");
    adit_buf_free(&a), adit_buf_free(&b), adit_buf_free(&out), adit_buf_free(&again);
}

TEST(bad_diffs)
{
    static const char *const bad[] = {
        "x",
        "--- a\n",
        "--- a\n+++ b\nhello\n",
        "--- a\n+++ b\n@@ -1 +1 @@\n",
        "--- a\n+++ b\n@@ -1 +1 @@\n-other\n+c\n",
        "--- a\n+++ b\n@@ -0 +1 @@\n-old\n+c\n",
        "--- a\n+++ b\n@@ -9 +9 @@\n-old\n+c\n",
        "--- a\n+++ b\n@@ -1,99999999999999999999 +1 @@\n-old\n+c\n",
    };
    struct adit_buf out = buf();
    for (size_t i = 0; i < ADIT_COUNT(bad); i++)
        eq_int(adit_spp_patch(ADIT_STR("old\n"), adit_str_z(bad[i]), &out, NULL), ADIT_EBAD,
               "a diff that does not fit");
    adit_buf_free(&out);
}

static enum adit_code torture(struct adit_mem mem, void *ctx)
{
    (void)ctx;
    struct adit_buf out;
    struct adit_spp_stats s;
    adit_buf_init(&out, mem, 1 << 20);
    enum adit_code code = adit_spp_diff(ADIT_STR("a\nb\nc\n"), ADIT_STR("a\nx\nc\ny"),
                                        ADIT_STR("1"), ADIT_STR("2"), mem, &out, &s);
    adit_buf_free(&out);
    return code;
}
TEST(no_memory) { tap_torture(torture, NULL, "every allocation may fail"); }

TEST(chunks)
{
    struct adit_buf text = buf();
    for (unsigned i = 0; i < 200; i++) {
        unsigned words = tap_dice(i % 17 == 0 ? 1500 : 60);
        for (unsigned w = 0; w < words; w++)
            adit_buf_lit(&text, tap_dice(9) ? "w\xc3\xb6rter " : "end. ");
        adit_buf_lit(&text, "\n\n");
    }
    for (unsigned i = 0; i < 4000; i++) adit_buf_lit(&text, "\xe6\x97\xa5"); /* no place to cut */
    struct adit_str all = adit_buf_str(&text), chunk = {0};
    size_t pos = 0, joined = 0, n = 0;
    bool right = true, characters = true;
    while (adit_spp_chunk(all, &pos, &chunk)) {
        right = right && chunk.p == all.p + joined && chunk.len <= ADIT_SPP_CHUNK_MAX &&
                (chunk.len >= ADIT_SPP_CHUNK_MIN || pos == all.len);
        characters = characters && ((unsigned char)chunk.p[0] & 0xC0) != 0x80;
        joined += chunk.len;
        n++;
    }
    ok(right && joined == all.len, "chunks have their size and make up the text");
    ok(characters, "no character is cut");
    ok(n > 10, "there are many");
    pos = 0;
    ok(!adit_spp_chunk(ADIT_STR(""), &pos, &chunk), "an empty text has none");
    ok(adit_spp_chunk(ADIT_STR("short"), &pos, &chunk) && chunk.len == 5, "a short one is one");
    adit_buf_free(&text);
}

TEST(chunks_at_blocks)
{
    struct adit_buf text = buf();
    for (unsigned i = 0; i < 9; i++) {
        for (unsigned k = 0; k < 999; k++) adit_buf_byte(&text, k % 10 == 9 ? ' ' : 'x');
        adit_buf_lit(&text, ".\n\n");
    }
    size_t pos = 0;
    struct adit_str chunk;
    adit_spp_chunk(adit_buf_str(&text), &pos, &chunk);
    eq_int(chunk.len, 4 * 1002, "a chunk holds whole blocks");
    ok(adit_str_ends(chunk, ADIT_STR(".\n\n")), "and ends behind one");
    adit_buf_free(&text);
}

RUN_TESTS(by_hand, random_texts, hostile_texts, bad_diffs, no_memory, chunks, chunks_at_blocks)
