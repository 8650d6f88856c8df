/* Bodies of archived responses: chunked, gzip, deflate, br, zstd. Whole bodies at once, by the
 * fastest decoders; sizes are bounded by body_max before anything is allocated. */
#include "batch/crawl/crawl.h"

#include <brotli/decode.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <zstd.h>

enum { CODINGS_MAX = 4, GUESS = 5, FLOOR = 64 << 10 };

struct http_decoder {
    size_t max;
    struct adit_buf bufs[2]; /* each step reads from one and writes to the other */
    struct libdeflate_decompressor *deflate;
    ZSTD_DCtx *zstd;
};

struct http_decoder *http_decoder_new(size_t body_max)
{
    struct http_decoder *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    d->max = body_max;
    for (size_t i = 0; i < ADIT_COUNT(d->bufs); i++)
        adit_buf_init(&d->bufs[i], cli_mem, body_max + 1);
    d->deflate = libdeflate_alloc_decompressor();
    d->zstd = ZSTD_createDCtx();
    if (d->deflate && d->zstd) return d;
    http_decoder_free(d);
    return NULL;
}

void http_decoder_free(struct http_decoder *d)
{
    if (!d) return;
    for (size_t i = 0; i < ADIT_COUNT(d->bufs); i++) adit_buf_free(&d->bufs[i]);
    if (d->deflate) libdeflate_free_decompressor(d->deflate);
    ZSTD_freeDCtx(d->zstd);
    free(d);
}

/* --- chunked (RFC 9112, 7.1) ------------------------------------------------------------------ */

static bool chunk_size(struct adit_str line, uint64_t *size)
{
    line = adit_str_trim(adit_str_sub(line, 0, adit_str_chr(line, ';', 0)));
    if (!line.len || line.len > 15) return false;
    *size = 0;
    for (size_t i = 0; i < line.len; i++) {
        int digit = adit_hex(line.p[i]);
        if (digit < 0) return false;
        *size = *size << 4 | (unsigned)digit;
    }
    return true;
}

/* A body whose first line is no chunk size was unchunked by the crawler: it stays as it is. */
static enum adit_code unchunk(struct adit_buf *out, struct adit_str in, struct adit_str *body)
{
    adit_buf_clear(out);
    for (size_t at = 0;;) {
        size_t lf = adit_str_chr(in, '\n', at);
        uint64_t size;
        if (!chunk_size(adit_str_sub(in, at, lf), &size)) {
            if (at == 0) return ADIT_OK;
            return ADIT_EBAD;
        }
        if (size == 0) break;
        if (lf == in.len || size > in.len - lf - 1) return ADIT_EBAD;
        adit_buf_add(out, adit_str_of(in.p + lf + 1, (size_t)size));
        if (out->err) return out->err;
        at = lf + 1 + (size_t)size;
        if (at < in.len && in.p[at] == '\r') at++;
        if (at < in.len && in.p[at] == '\n') at++;
    }
    *body = adit_buf_str(out);
    return ADIT_OK;
}

/* --- content codings -------------------------------------------------------------------------- */

/* A one-shot decoder: fills out->p up to out->cap. ADIT_ELIMIT: more room is needed. */
typedef enum adit_code decode_fn(struct http_decoder *d, struct adit_str in, struct adit_buf *out);

static enum adit_code from_deflate(enum libdeflate_result r)
{
    return r == LIBDEFLATE_SUCCESS              ? ADIT_OK
           : r == LIBDEFLATE_INSUFFICIENT_SPACE ? ADIT_ELIMIT
                                                : ADIT_EBAD;
}

static enum adit_code decode_gzip(struct http_decoder *d, struct adit_str in, struct adit_buf *out)
{
    size_t used;
    return from_deflate(libdeflate_gzip_decompress_ex(d->deflate, in.p, in.len, out->p, out->cap,
                                                      &used, &out->len));
}

/* "deflate" is zlib's format by the standard, the raw one by what some servers send. */
static enum adit_code decode_deflate(struct http_decoder *d, struct adit_str in,
                                     struct adit_buf *out)
{
    size_t used;
    enum adit_code code = from_deflate(libdeflate_zlib_decompress_ex(
        d->deflate, in.p, in.len, out->p, out->cap, &used, &out->len));
    if (code != ADIT_EBAD) return code;
    return from_deflate(libdeflate_deflate_decompress_ex(d->deflate, in.p, in.len, out->p, out->cap,
                                                         &used, &out->len));
}

static enum adit_code decode_br(struct http_decoder *d, struct adit_str in, struct adit_buf *out)
{
    (void)d;
    BrotliDecoderState *s = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (!s) return ADIT_ENOMEM;
    size_t in_len = in.len, room = out->cap;
    const uint8_t *src = (const uint8_t *)in.p;
    uint8_t *dst = (uint8_t *)out->p;
    BrotliDecoderResult r = BrotliDecoderDecompressStream(s, &in_len, &src, &room, &dst, NULL);
    BrotliDecoderDestroyInstance(s);
    out->len = out->cap - room;
    return r == BROTLI_DECODER_RESULT_SUCCESS             ? ADIT_OK
           : r == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT ? ADIT_ELIMIT
                                                          : ADIT_EBAD;
}

static enum adit_code decode_zstd(struct http_decoder *d, struct adit_str in, struct adit_buf *out)
{
    ZSTD_DCtx_reset(d->zstd, ZSTD_reset_session_only);
    ZSTD_inBuffer src = {in.p, in.len, 0};
    ZSTD_outBuffer dst = {out->p, out->cap, 0};
    size_t r = 1;
    while (src.pos < src.size && dst.pos < dst.size) {
        size_t before = src.pos + dst.pos;
        r = ZSTD_decompressStream(d->zstd, &dst, &src);
        if (ZSTD_isError(r)) return ADIT_EBAD;
        if (src.pos + dst.pos == before) break;
    }
    out->len = dst.pos;
    if (r == 0 && src.pos == src.size) return ADIT_OK;
    return dst.pos == dst.size ? ADIT_ELIMIT : ADIT_EBAD;
}

static const struct {
    struct adit_str name;
    decode_fn *decode; /* NULL: nothing to do */
} codings[] = {
    {ADIT_STR_INIT("gzip"), decode_gzip},
    {ADIT_STR_INIT("x-gzip"), decode_gzip},
    {ADIT_STR_INIT("deflate"), decode_deflate},
    {ADIT_STR_INIT("br"), decode_br},
    {ADIT_STR_INIT("zstd"), decode_zstd},
    {ADIT_STR_INIT("identity"), NULL},
    {ADIT_STR_INIT("none"), NULL},
    {ADIT_STR_INIT("utf-8"), NULL},
    {ADIT_STR_INIT(""), NULL},
};

/* Decodes with a buffer that doubles until it suffices. */
static enum adit_code decode_growing(struct http_decoder *d, decode_fn *decode, struct adit_str in,
                                     struct adit_buf *out)
{
    size_t room = in.len < d->max / GUESS ? in.len * GUESS : d->max;
    if (room < FLOOR) room = FLOOR;
    for (;; room *= 2) {
        if (room > d->max) room = d->max;
        adit_buf_clear(out);
        if (!adit_buf_reserve(out, room)) return out->err;
        enum adit_code code = decode(d, in, out);
        if (code == ADIT_OK && out->len > d->max) return ADIT_ELIMIT;
        if (code != ADIT_ELIMIT || out->cap >= d->max) return code;
    }
}

/* Text where compressed bytes should be: the crawler has decoded the body and kept the header. */
static bool looks_decoded(struct adit_str body)
{
    size_t n = body.len < 256 ? body.len : 256, i = 0;
    while (i < n && ((unsigned char)body.p[i] >= 32 || adit_is_space(body.p[i]))) i++;
    return i == n && adit_str_chr(adit_str_sub(body, 0, n), '<', 0) < n;
}

static decode_fn *find_coding(struct adit_str name, bool *known)
{
    *known = true;
    for (size_t i = 0; i < ADIT_COUNT(codings); i++)
        if (adit_str_ieq(name, codings[i].name)) return codings[i].decode;
    *known = false;
    return NULL;
}

/* The header lists codings in the order in which they were applied: undo them from the end. */
static enum adit_code decode_list(struct http_decoder *d, struct adit_str list, size_t which,
                                  struct adit_str *body)
{
    for (size_t step = 0; list.len; step++) {
        if (step == CODINGS_MAX) return ADIT_EUNSUP;
        size_t comma = list.len;
        while (comma > 0 && list.p[comma - 1] != ',') comma--;
        bool known;
        decode_fn *decode = find_coding(adit_str_trim(adit_str_sub(list, comma, list.len)), &known);
        list.len = comma ? comma - 1 : 0;
        if (!known && !looks_decoded(*body)) return ADIT_EUNSUP;
        if (!decode) continue;
        struct adit_buf *out = &d->bufs[which];
        enum adit_code code = decode_growing(d, decode, *body, out);
        if (code == ADIT_EBAD && looks_decoded(*body)) continue;
        ADIT_TRY(code);
        *body = adit_buf_str(out);
        which = !which;
    }
    return ADIT_OK;
}

enum adit_code http_decode(struct http_decoder *d, const struct http_message *m,
                           struct adit_str *body)
{
    *body = m->body;
    struct adit_str transfer = http_field(m, ADIT_STR("Transfer-Encoding"));
    if (adit_str_ifind(transfer, ADIT_STR("chunked"), 0) < transfer.len)
        ADIT_TRY(unchunk(&d->bufs[0], m->body, body));
    struct adit_str coding = http_field(m, ADIT_STR("Content-Encoding"));
    if (coding.len && body->len) ADIT_TRY(decode_list(d, coding, body->p == d->bufs[0].p, body));
    return body->len > d->max ? ADIT_ELIMIT : ADIT_OK;
}

enum adit_code http_unchunk(struct adit_str in, struct adit_buf *out, struct adit_str *body)
{
    return unchunk(out, in, body);
}
