/* Archived HTTP responses: heads in every shape, bodies in every coding. */
#include "batch/crawl/crawl.h"
#include "batch/io/tests/encode.h"
#include "tests/tap.h"

enum { MAX = 1 << 20 };
static struct http_decoder *decoder;
static const char html[] = "<html><body><p>Hello from the archive</p></body></html>";

static struct adit_str decode(struct adit_str block, enum adit_code *code)
{
    struct http_message m;
    struct adit_str body = {0};
    http_message_split(block, &m);
    *code = http_decode(decoder, &m, &body);
    return *code == ADIT_OK ? body : (struct adit_str){0};
}

TEST(heads)
{
    static const struct {
        const char *name, *block;
        unsigned status;
        const char *type, *body;
    } rows[] = {
        {"CRLF", "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\n\r\nxy", 200, "a/b", "xy"},
        {"LF only", "HTTP/1.0 404 Not\ncontent-type:a/b \n\nxy", 404, "a/b", "xy"},
        {"no reason", "HTTP/1.1 301\r\n\r\n", 301, "", ""},
        {"HTTP/2 line", "HTTP/2 200 \r\nContent-Type: a/b\r\n\r\nxy", 200, "a/b", "xy"},
        {"pseudo-header", ":status: 200\r\ncontent-type: a/b\r\n\r\nxy", 200, "a/b", "xy"},
        {"no blank line", "HTTP/1.0 200 OK\nContent-type: a/b\n<html>", 200, "a/b", "<html>"},
        {"no head", "<html>Title: none\n\nxy", 0, "", "<html>Title: none\n\nxy"},
        {"only a head", "HTTP/1.1 200 OK\r\nContent-Type: a/b", 200, "a/b", ""},
        {"empty", "", 0, "", ""},
        {"no number", "HTTP/1.1 OK\r\nContent-Type: a/b\r\n\r\n", 0, "a/b", ""},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct http_message m;
        http_message_split(adit_str_z(rows[i].block), &m);
        bool same = m.status == rows[i].status && adit_str_eq(m.body, adit_str_z(rows[i].body)) &&
                    adit_str_eq(http_field(&m, ADIT_STR("Content-Type")), adit_str_z(rows[i].type));
        if (!ok(same, rows[i].name)) {
            printf("# status %u\n", m.status);
            tap_show("body", m.body);
        }
    }
    struct http_message m;
    struct adit_buf all;
    adit_buf_init(&all, tap_mem, 100);
    http_message_split(ADIT_STR("HTTP/1.1 200 OK\r\nVary: a\r\nX: y\r\nvary: b, c\r\n\r\n"), &m);
    http_fields(&m, ADIT_STR("Vary"), &all);
    eq_str(adit_buf_str(&all), ADIT_STR("a, b, c"), "fields of one name, joined");
    adit_buf_free(&all);
}

TEST(chunks)
{
#define CHUNKED "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    static const struct {
        const char *name, *block;
        enum adit_code code;
        const char *body;
    } rows[] = {
        {"two chunks", CHUNKED "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n", ADIT_OK,
         "abc0123456789"},
        {"LF only", CHUNKED "3\nabc\n0\n\n", ADIT_OK, "abc"},
        {"no trailer", CHUNKED "3\r\nabc\r\n0", ADIT_OK, "abc"},
        {"empty", CHUNKED "0\r\n\r\n", ADIT_OK, ""},
        {"already unchunked", CHUNKED "<p>abc</p>", ADIT_OK, "<p>abc</p>"},
        {"cut off", CHUNKED "5\r\nabc", ADIT_EBAD, ""},
        {"bad second size", CHUNKED "3\r\nabc\r\nzz\r\n", ADIT_EBAD, ""},
        {"2^60", CHUNKED "FFFFFFFFFFFFFFF\r\nabc\r\n0\r\n\r\n", ADIT_EBAD, ""},
        {"2^64", CHUNKED "10000000000000000\r\nabc\r\n", ADIT_OK, "10000000000000000\r\nabc\r\n"},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        enum adit_code code;
        struct adit_str body = decode(adit_str_z(rows[i].block), &code);
        ok(code == rows[i].code && adit_str_eq(body, adit_str_z(rows[i].body)), rows[i].name);
    }
}

static void zstd(struct adit_buf *out, struct adit_str in, int unused)
{
    (void)unused;
    zstd_frame(out, in);
}

TEST(codings)
{
    static const struct {
        const char *name, *value;
        void (*encode)(struct adit_buf *out, struct adit_str in, int how);
        int how;
    } rows[] = {
        {"gzip", "gzip", encode_deflate, 16 + MAX_WBITS},
        {"x-gzip", "X-GZIP", encode_deflate, 16 + MAX_WBITS},
        {"deflate as zlib", "deflate", encode_deflate, MAX_WBITS},
        {"deflate raw", "deflate", encode_deflate, -MAX_WBITS},
        {"zstd", "zstd", zstd, 3},
        {"identity in front", "identity, gzip", encode_deflate, 16 + MAX_WBITS},
    };
    struct adit_buf block, big;
    adit_buf_init(&block, tap_mem, 16 << 20);
    adit_buf_init(&big, tap_mem, 16 << 20);
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        for (int over = -1; over <= 1; over++) { /* around the limit of a body */
            adit_buf_clear(&big);
            adit_buf_clear(&block);
            adit_buf_reserve(&big, MAX + 1);
            big.len = (size_t)(MAX + over);
            for (size_t k = 0; k < big.len; k++) big.p[k] = html[k % (sizeof html - 1)];
            adit_buf_lit(&block, "HTTP/1.1 200 OK\r\nContent-Encoding: ");
            adit_buf_lit(&block, rows[i].value);
            adit_buf_lit(&block, "\r\n\r\n");
            rows[i].encode(&block, adit_buf_str(&big), rows[i].how);
            enum adit_code code;
            struct adit_str body = decode(adit_buf_str(&block), &code);
            ok(over <= 0 ? code == ADIT_OK && adit_str_eq(body, adit_buf_str(&big))
                         : code == ADIT_ELIMIT,
               rows[i].name);
            block.len -= block.len / 50;
            decode(adit_buf_str(&block), &code);
            ok(code == ADIT_EBAD || code == ADIT_ELIMIT, "cut off");
        }
    }
    static const char *const plain[] = {"gzip", "br", "deflate", "zstd", "nonsense", "gzip, br"};
    for (size_t i = 0; i < ADIT_COUNT(plain); i++) {
        enum adit_code code;
        adit_buf_clear(&block);
        adit_buf_lit(&block, "HTTP/1.1 200 OK\r\nContent-Encoding: ");
        adit_buf_lit(&block, plain[i]);
        adit_buf_lit(&block, "\r\n\r\n");
        adit_buf_lit(&block, html);
        eq_str(decode(adit_buf_str(&block), &code), adit_str_z(html), "a coding that was undone");
    }
    enum adit_code code;
    decode(ADIT_STR("HTTP/1.1 200 OK\r\nContent-Encoding: lzma\r\n\r\n\x01\x02\x03"), &code);
    eq_int(code, ADIT_EUNSUP, "an unknown coding");
    adit_buf_free(&block);
    adit_buf_free(&big);
}

/* Every body of the corpus's file of codings is the same page. */
TEST(corpus)
{
    const char *dir = getenv("ADIT_CORPUS");
    char path[512];
    snprintf(path, sizeof path, "%s/warc/synthetic/chunked-gzip-br.warc",
             dir ? dir : "../shared/corpus");
    FILE *f = fopen(path, "rb");
    if (!f) {
        tap_skip("bodies in every coding", "no corpus");
        return;
    }
    fclose(f);
    struct input *in =
        input_open(path, &(struct input_options){.recover = true, .window_max = WARC_WINDOW});
    struct warc_reader w;
    struct warc_record r;
    warc_init(&w, in);
    while (warc_next(&w, &r)) {
        enum adit_code code;
        struct adit_str body = decode(r.block, &code);
        struct adit_str end = ADIT_STR("</html>");
        if (!ok(code == ADIT_OK && adit_str_ifind(body, end, 0) < body.len, "decoded to HTML"))
            tap_show("record", r.uri);
    }
    input_close(in);
}

TEST(begin) { decoder = http_decoder_new(MAX); }
TEST(end) { http_decoder_free(decoder); }
RUN_TESTS(begin, heads, chunks, codings, corpus, end)
