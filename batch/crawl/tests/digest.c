/* SHA-1 with and without the processor's instructions, in pieces, and the digests of WARC records. */
#include "batch/crawl/crawl.h"
#include "tests/tap.h"

static void hash(struct adit_str s, bool plain, size_t step, uint8_t out[SHA1_LEN])
{
    struct sha1 h;
    sha1_init(&h, plain);
    for (size_t i = 0; i < s.len; i += step) sha1_update(&h, adit_str_sub(s, i, i + step));
    sha1_final(&h, out);
}

TEST(test_known)
{
    static const struct {
        const char *text, *digest;
    } rows[] = {
        {"", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"},
        {"abc", "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5"},
        {"abc", "SHA1:a9993e364706816aba3e25717850c26c9cd0d89d"},
        {"abc", "sha-1: A9993E364706816ABA3E25717850C26C9CD0D89D"},
        {"abc", "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abc", "sha256:XJ4BNP4PAHH6UQKBIDPF3LRCEOYAGYNDSYLXVHFUCD7WD4QACWWQ===="},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct digest d;
        eq_int(digest_begin(&d, adit_str_z(rows[i].digest)), DIGEST_READY, rows[i].digest);
        digest_add(&d, adit_str_z(rows[i].text));
        ok(digest_fits(&d), "fits");
        digest_begin(&d, adit_str_z(rows[i].digest));
        digest_add(&d, adit_str_z("abd"));
        ok(!digest_fits(&d), "and only that");
    }
    struct digest d;
    eq_int(digest_begin(&d, ADIT_STR("md5:x")), DIGEST_UNKNOWN, "another algorithm");
    eq_int(digest_begin(&d, ADIT_STR("")), DIGEST_UNKNOWN, "nothing");
    eq_int(digest_begin(&d, ADIT_STR("sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5A")), DIGEST_MALFORMED,
           "too long");
    eq_int(digest_begin(&d, ADIT_STR("sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE1")), DIGEST_MALFORMED,
           "no base32");
}

TEST(test_same)
{
    static char text[4096];
    uint8_t a[SHA1_LEN], b[SHA1_LEN];
    bool same = true;
    for (size_t i = 0; i < sizeof text; i++) text[i] = (char)(i * i + i / 7);
    for (size_t n = 0; n < 700; n++) {
        struct adit_str s = adit_str_of(text + n % 13, n * 5);
        hash(s, true, 4096, a);
        hash(s, false, n % 97 + 1, b);
        same = same && memcmp(a, b, sizeof a) == 0;
    }
    ok(same, "accelerated SHA-1 in pieces is SHA-1");
    struct adit_buf out;
    adit_buf_init(&out, cli_mem, 100);
    hash(ADIT_STR("abc"), false, 9, a);
    digest_base32(a, sizeof a, &out);
    eq_str(adit_buf_str(&out), ADIT_STR("VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5"), "base32");
    adit_buf_clear(&out);
    digest_base32((const uint8_t *)"foob", 4, &out);
    eq_str(adit_buf_str(&out), ADIT_STR("MZXW6YQ"), "a length that is no multiple of five");
    adit_buf_free(&out);
}

TEST(test_keys)
{
    static const struct {
        const char *url, *key;
    } rows[] = {
        {"https://www.Example.com/A/b/?z=1&a=2", "com,example)/a/b?a=2&z=1"},
        {"http://example.com", "com,example)/"},
        {"http://www2.example.co.uk:8080/x", "uk,co,example:8080)/x"},
        {"http://127.0.0.1:80/x?", "127.0.0.1)/x"},
        {"http://[::1]/", "[::1])/"},
        {"http://www.de/", "de)/"},
    };
    struct adit_arena arena;
    struct adit_buf out;
    adit_arena_init(&arena, cli_mem, 1 << 20);
    adit_buf_init(&out, cli_mem, 1 << 16);
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        adit_buf_clear(&out);
        crawl_index_key(adit_str_z(rows[i].url), &arena, &out);
        eq_str(adit_buf_str(&out), adit_str_z(rows[i].key), rows[i].url);
    }
    ok(!crawl_index_key(ADIT_STR("nonsense"), &arena, &out), "no URL");
    adit_arena_free(&arena);
    adit_buf_free(&out);
}

TEST(test_binaries)
{
    static const struct {
        struct adit_str body;
        int kind;
    } rows[] = {
        {ADIT_STR_INIT("%PDF-1.7"), ADIT_BINARY_pdf},
        {ADIT_STR_INIT("\x89PNG\r\n\x1a\n"), ADIT_BINARY_png},
        {ADIT_STR_INIT("RIFF\1\2\3\4WEBPVP8 "), ADIT_BINARY_riff},
        {ADIT_STR_INIT("\0\0\0\x20"
                       "ftypisom"),
         ADIT_BINARY_mp4},
        {ADIT_STR_INIT("<html>\0</html>, and a page that is longer than its one stray zero"), -1},
        {ADIT_STR_INIT("<!doctype html><p>\1\2\3\4\5\6\16\17"), -1},
        {ADIT_STR_INIT("<\0h\0t\0m\0l\0>\0 \0 \0"), -1},
        {ADIT_STR_INIT("\0<\0h\0t\0m\0l\0>"), -1},
        {ADIT_STR_INIT("\x1b$B%F%9%H\x1b(B in ISO-2022-JP"), -1},
        {ADIT_STR_INIT("\1\2\3\4\5\6 some bytes of a stream"), ADIT_BINARY_other},
        {ADIT_STR_INIT(""), -1},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++)
        eq_int(adit_binary(rows[i].body), rows[i].kind, "what the bytes are");
    eq_str(crawl_payload_type(ADIT_STR("text/html; charset=x"), ADIT_STR("application/xhtml+xml")),
           ADIT_STR("text/html; charset=x"), "both say HTML");
    eq_str(crawl_payload_type(ADIT_STR("text/html"), ADIT_STR("application/pdf")),
           ADIT_STR("application/pdf"), "the crawler looked closer");
    eq_str(crawl_payload_type(ADIT_STR("application/octet-stream"), ADIT_STR("text/html")),
           ADIT_STR("text/html"), "what the server did not know");
    eq_str(crawl_payload_type(ADIT_STR("text/html"), ADIT_STR("text/plain")), ADIT_STR("text/html"),
           "a guess that says nothing");
    eq_str(crawl_payload_type(ADIT_STR("text/html"), ADIT_STR("")), ADIT_STR("text/html"), "none");
}

RUN_TESTS(test_known, test_same, test_keys, test_binaries)
