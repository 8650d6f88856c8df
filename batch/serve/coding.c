/* Content codings of what `adit serve` sends: which one a client gets (RFC 9110, 12.5.3), and the
 * encoders, one row each. */
#include "batch/serve/coding_impl.h"
#include "http/http.h"

#include <brotli/encode.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

enum {
    SMALL = 256,    /* bytes of a body that is not worth coding */
    ZSTD_LEVEL = 3, /* levels at which a core codes some 100 MB/s, and pages become a fifth */
    BROTLI_LEVEL = 4,
    GZIP_LEVEL = 5,
    BLOCK = 32 << 10
};

struct encoder {
    const struct coding *coding;
    union {
        z_stream *gzip;
        BrotliEncoderState *br;
        ZSTD_CCtx *zstd;
    } u;
};

/* --- gzip ------------------------------------------------------------------------------------- */

static bool gzip_begin(struct encoder *e)
{
    e->u.gzip = calloc(1, sizeof *e->u.gzip);
    if (!e->u.gzip) return false;
    if (deflateInit2(e->u.gzip, GZIP_LEVEL, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) ==
        Z_OK)
        return true;
    free(e->u.gzip);
    e->u.gzip = NULL;
    return false;
}

static bool gzip_run(struct encoder *e, struct adit_str in, bool end, struct adit_buf *out)
{
    char part[BLOCK];
    z_stream *z = e->u.gzip;
    z->next_in = (Bytef *)(uintptr_t)in.p;
    z->avail_in = (uInt)in.len;
    for (;;) {
        z->next_out = (Bytef *)part;
        z->avail_out = sizeof part;
        int code = deflate(z, end ? Z_FINISH : Z_NO_FLUSH);
        adit_buf_add(out, adit_str_of(part, sizeof part - z->avail_out));
        if (code == Z_STREAM_END) return !out->err;
        if (code != Z_OK && code != Z_BUF_ERROR) return false;
        if (!end && z->avail_in == 0 && z->avail_out) return !out->err;
    }
}

static void gzip_end(struct encoder *e)
{
    if (e->u.gzip) deflateEnd(e->u.gzip);
    free(e->u.gzip);
}

/* --- br --------------------------------------------------------------------------------------- */

static bool br_begin(struct encoder *e)
{
    e->u.br = BrotliEncoderCreateInstance(NULL, NULL, NULL);
    return e->u.br && BrotliEncoderSetParameter(e->u.br, BROTLI_PARAM_QUALITY, BROTLI_LEVEL) &&
           BrotliEncoderSetParameter(e->u.br, BROTLI_PARAM_LGWIN, 19);
}

static bool br_run(struct encoder *e, struct adit_str in, bool end, struct adit_buf *out)
{
    const uint8_t *next = (const uint8_t *)in.p;
    size_t left = in.len, none = 0;
    BrotliEncoderOperation op = end ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS;
    do {
        if (!BrotliEncoderCompressStream(e->u.br, op, &left, &next, &none, NULL, NULL))
            return false;
        for (size_t n = 0;;) {
            n = 0;
            const uint8_t *p = BrotliEncoderTakeOutput(e->u.br, &n);
            if (n == 0) break;
            adit_buf_add(out, adit_str_of((const char *)p, n));
        }
    } while (left || (end && !BrotliEncoderIsFinished(e->u.br)));
    return !out->err;
}

static void br_end(struct encoder *e)
{
    if (e->u.br) BrotliEncoderDestroyInstance(e->u.br);
}

/* --- zstd ------------------------------------------------------------------------------------- */

static bool zstd_begin(struct encoder *e)
{
    e->u.zstd = ZSTD_createCCtx();
    return e->u.zstd &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(e->u.zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL)) &&
           /* RFC 9659: no window over 8 MB in HTTP; and a checksum costs nothing */
           !ZSTD_isError(ZSTD_CCtx_setParameter(e->u.zstd, ZSTD_c_windowLog, 20)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(e->u.zstd, ZSTD_c_checksumFlag, 1));
}

static bool zstd_run(struct encoder *e, struct adit_str in, bool end, struct adit_buf *out)
{
    char part[BLOCK];
    ZSTD_inBuffer from = {in.p, in.len, 0};
    size_t left;
    do {
        ZSTD_outBuffer to = {part, sizeof part, 0};
        left = ZSTD_compressStream2(e->u.zstd, &to, &from, end ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) return false;
        adit_buf_add(out, adit_str_of(part, to.pos));
    } while (from.pos < from.size || (end && left));
    return !out->err;
}

static void zstd_end(struct encoder *e) { ZSTD_freeCCtx(e->u.zstd); }

/* --- the table, the cheapest first ------------------------------------------------------------ */

static const struct coding {
    const char *name;
    bool (*begin)(struct encoder *e);
    bool (*run)(struct encoder *e, struct adit_str in, bool end, struct adit_buf *out);
    void (*end)(struct encoder *e);
} codings[] = {
    {"zstd", zstd_begin, zstd_run, zstd_end},
    {"br", br_begin, br_run, br_end},
    {"gzip", gzip_begin, gzip_run, gzip_end},
};

const struct coding *coding_choose(struct adit_str accept, uint64_t len, bool worth, bool *possible)
{
    int identity = adit_accept_q(accept, ADIT_STR("identity")), best = 0;
    const struct coding *found = NULL;
    for (size_t i = 0; i < ADIT_COUNT(codings); i++) {
        int q = adit_accept_q(accept, adit_str_z(codings[i].name));
        if (q <= best) continue;
        best = q;
        found = &codings[i];
    }
    *possible = identity != 0 || found;
    if (identity == 0) return found;
    /* Not named, identity is what a client always takes; named, its weight counts. */
    bool preferred = identity > best && adit_list_has(accept, ADIT_STR("identity"), NULL);
    return worth && len >= SMALL && !preferred ? found : NULL;
}

const char *coding_name(const struct coding *c) { return c->name; }

bool coding_is_worth(struct adit_str content_type)
{
    static const char *const types[] = {
        "text/*",          "application/json",          "application/*+json",
        "application/xml", "application/*+xml",         "application/javascript",
        "image/svg+xml",   "application/manifest+json",
    };
    struct adit_str type = adit_media_type(content_type);
    for (size_t i = 0; i < ADIT_COUNT(types); i++)
        if (adit_glob(adit_str_z(types[i]), type)) return true;
    return false;
}

struct encoder *encoder_new(const struct coding *c)
{
    struct encoder *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    e->coding = c;
    if (c->begin(e)) return e;
    encoder_free(e);
    return NULL;
}

bool encoder_run(struct encoder *e, struct adit_str in, bool end, struct adit_buf *out)
{
    return e->coding->run(e, in, end, out);
}

void encoder_free(struct encoder *e)
{
    if (e) e->coding->end(e);
    free(e);
}
