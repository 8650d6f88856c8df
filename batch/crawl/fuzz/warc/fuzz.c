/* Archives of any kind, and the HTTP messages in them; and intact archives whose bodies are of any
 * kind: they must give exactly their records. */
#include "batch/crawl/crawl.h"
#include "batch/io/tests/encode.h"

#include <stdio.h>

static void read_any(const uint8_t *p, size_t len)
{
    static struct http_decoder *decoder;
    if (!decoder) decoder = http_decoder_new(1u << 20);
    struct input *in =
        input_open_bytes(adit_str_of((const char *)p, len),
                         &(struct input_options){.recover = true, .window_max = WARC_WINDOW});
    struct warc_reader w;
    struct warc_record r;
    warc_init(&w, in);
    while (warc_next(&w, &r)) {
        struct http_message m;
        struct adit_str body;
        http_message_split(r.block, &m);
        http_decode(decoder, &m, &body);
        if (warc_field(&r, ADIT_STR("WARC-Profile")).len > r.header.len) __builtin_trap();
    }
    input_close(in);
}

/* --- intact archives -------------------------------------------------------------------------- */

/* A small window, so that blocks of a few hundred KB end far beyond it. */
enum { WINDOW = 256 << 10, BLOCK = 32 << 10, LARGE = 150000, BODIES = 5 };

struct intact {
    struct adit_buf plain, file;
    size_t at[BODIES], from[BODIES], len[BODIES], n;
    bool arc;
};

static void add_record(struct intact *a, struct adit_str body, bool large)
{
    char head[200];
    size_t times = large && body.len ? LARGE / body.len + 1 : 1, len = body.len * times;
    if (a->arc)
        snprintf(head, sizeof head, "http://a.com/%zu 1.2.3.4 20260101000000 text/html %zu\n", a->n,
                 len);
    else
        snprintf(head, sizeof head,
                 "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.com/%zu\r\n"
                 "Content-Length: %zu\r\n\r\n",
                 a->n, len);
    a->at[a->n] = a->plain.len;
    adit_buf_lit(&a->plain, head);
    a->from[a->n] = a->plain.len;
    a->len[a->n++] = len;
    while (times--) adit_buf_add(&a->plain, body);
    adit_buf_lit(&a->plain, a->arc ? "\n" : "\r\n\r\n");
}

static void encode(struct intact *a, unsigned how)
{
    struct adit_str all = adit_buf_str(&a->plain);
    void (*pack)(struct adit_buf *, struct adit_str) = how & 1 ? gzip_member : zstd_frame;
    if (how % 3 == 0) {
        adit_buf_add(&a->file, all);
    } else if (how % 3 == 1) {
        pack(&a->file, all);
    } else {
        for (size_t i = 0; i < a->n; i++)
            pack(&a->file,
                 adit_str_sub(all, i ? a->at[i] : 0, i + 1 < a->n ? a->at[i + 1] : all.len));
    }
}

static void check(const struct intact *a)
{
    struct input *in = input_open_bytes(
        adit_buf_str(&a->file), &(struct input_options){.recover = true, .window_max = WINDOW});
    struct warc_reader w;
    struct warc_record r;
    warc_init(&w, in);
    w.block_max = BLOCK;
    if (a->arc && (!warc_next(&w, &r) || r.type != WARC_INFO)) __builtin_trap();
    for (size_t i = 0; i < a->n; i++) {
        struct adit_str block = adit_str_of(a->plain.p + a->from[i], a->len[i]);
        if (!warc_next(&w, &r) || r.length != block.len || r.damaged) __builtin_trap();
        if (r.whole != (block.len <= BLOCK)) __builtin_trap();
        if (!adit_str_eq(r.block, adit_str_sub(block, 0, BLOCK))) __builtin_trap();
    }
    if (warc_next(&w, &r)) __builtin_trap();
    for (size_t i = 0; i < WARC_FAULT_COUNT; i++)
        if (w.faults[i]) __builtin_trap();
    input_close(in);
}

/* The input's first bytes say how the archive is made, the others are its bodies. */
static void read_intact(const uint8_t *p, size_t len)
{
    if (len < 3) return;
    struct intact a = {.arc = p[0] & 0x80};
    adit_buf_init(&a.plain, cli_mem, 64u << 20);
    adit_buf_init(&a.file, cli_mem, 64u << 20);
    if (a.arc) adit_buf_lit(&a.plain, "filedesc://a 0.0.0.0 20260101000000 text/plain 2\n1\n\n");
    struct adit_str rest = adit_str_of((const char *)p + 3, len - 3);
    for (size_t i = 0; i < BODIES; i++) {
        size_t part = i + 1 < BODIES ? rest.len * (p[2] % 5u + 1) / 8 : rest.len;
        add_record(&a, adit_str_sub(rest, 0, part), p[1] >> i & 1);
        rest = adit_str_sub(rest, part, rest.len);
    }
    encode(&a, p[0] & 0x7f);
    check(&a);
    adit_buf_free(&a.plain);
    adit_buf_free(&a.file);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
    read_any(p, len);
    read_intact(p, len);
    return 0;
}
