/* The codings of output: none, gzip (zlib), zstd. Both compressed formats consist of blocks, and
 * both allow a block that is stored as it is: that is where a head stands, and an empty one of them
 * is what output pads with. */
#include "batch/io/output_impl.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

/* --- none ------------------------------------------------------------------------------------- */

static bool none_begin(struct output *out, const struct output_options *options)
{
    (void)out, (void)options;
    return true;
}
static bool none_head(struct output *out) { return output_emit(out, out->head, out->head_len); }
static bool none_encode(struct output *out, struct adit_str part)
{
    return output_emit(out, part.p, part.len);
}
static bool none_end(struct output *out)
{
    (void)out;
    return true;
}
static void none_release(struct output *out) { (void)out; }

/* --- gzip: header and trailer are ours, because the CRC is that of the final head and the rest --- */

struct gzip {
    z_stream z;
    uLong crc; /* of all but the head */
    uint64_t len;
    Bytef buf[1 << 16];
};

static bool gzip_begin(struct output *out, const struct output_options *options)
{
    static const unsigned char header[10] = {0x1f, 0x8b, Z_DEFLATED, 0, 0, 0, 0, 0, 0, 0xff};
    struct gzip *g = calloc(1, sizeof *g);
    if (!g) return output_fail(out, "out of memory");
    int level = options->level ? options->level : 6;
    if (deflateInit2(&g->z, level, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(g);
        return output_fail(out, "out of memory");
    }
    g->crc = crc32(0, NULL, 0);
    out->state = g;
    return output_emit(out, header, sizeof header);
}

static bool gzip_head(struct output *out)
{
    unsigned len = (unsigned)out->head_len, not_len = ~len;
    unsigned char block[5] = {0, (unsigned char)len, (unsigned char)(len >> 8),
                              (unsigned char)not_len, (unsigned char)(not_len >> 8)};
    output_emit(out, block, sizeof block);
    out->head_at = out->out;
    return output_emit(out, out->head, out->head_len);
}

static bool gzip_run(struct output *out, int flush)
{
    struct gzip *g = out->state;
    do {
        g->z.next_out = g->buf, g->z.avail_out = sizeof g->buf;
        int status = deflate(&g->z, flush);
        if (status == Z_STREAM_ERROR) return output_fail(out, "zlib failed");
        if (!output_emit(out, g->buf, sizeof g->buf - g->z.avail_out)) return false;
    } while (g->z.avail_out == 0);
    return true;
}

static bool gzip_encode(struct output *out, struct adit_str part)
{
    struct gzip *g = out->state;
    g->crc = crc32_z(g->crc, (const Bytef *)part.p, part.len);
    g->len += part.len;
    g->z.next_in = (Bytef *)(uintptr_t)part.p, g->z.avail_in = (uInt)part.len;
    return gzip_run(out, Z_NO_FLUSH);
}

static bool gzip_flush(struct output *out) { return gzip_run(out, Z_SYNC_FLUSH); }

static bool gzip_end(struct output *out)
{
    struct gzip *g = out->state;
    if (!gzip_run(out, Z_FINISH)) return false;
    uLong crc = crc32_z(crc32(0, NULL, 0), (const Bytef *)out->head, out->head_len);
    crc = out->head ? crc32_combine(crc, g->crc, (z_off_t)g->len) : g->crc;
    unsigned char trailer[8];
    uint64_t both = (uint64_t)crc | (uint64_t)(uint32_t)(g->len + out->head_len) << 32;
    for (int i = 0; i < 8; i++) trailer[i] = (unsigned char)(both >> (8 * i));
    return output_emit(out, trailer, sizeof trailer);
}

static void gzip_release(struct output *out)
{
    struct gzip *g = out->state;
    deflateEnd(&g->z);
    free(g);
}

/* --- zstd ------------------------------------------------------------------------------------- */

/* The specification's readers need not have more window than this (RFC 8878, 3.1.1.1.2). */
enum { WINDOW_LOG_MAX = 23, FRAME_HEADER = 6 };
/* Threads get jobs of this size, where the level's window is small: by itself the library makes jobs of
 * 8 MB, so that of 20 MB one thread compresses the last part while all others wait. Costs .1 % of size. */
enum { FAST_LEVEL_MAX = 5, FAST_JOB = 1 << 20 };

struct zstd {
    ZSTD_CCtx *cctx;
    bool head_waits; /* to be put behind the frame header */
    size_t size;
    char buf[];
};

static bool zstd_set_up(ZSTD_CCtx *c, const struct output_options *options)
{
    int level = options->level ? options->level : 3;
    size_t bad = ZSTD_isError(ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, level));
    ZSTD_bounds window = ZSTD_cParam_getBounds(ZSTD_c_windowLog);
    bad |= ZSTD_isError(ZSTD_CCtx_setParameter(c, ZSTD_c_contentSizeFlag, 0));
    if (level > 19 && window.upperBound > WINDOW_LOG_MAX) /* lower levels stay at or below it */
        bad |= ZSTD_isError(ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, WINDOW_LOG_MAX));
    /* A library without threads refuses; one thread gives a good file too. */
    if (options->jobs > 0) ZSTD_CCtx_setParameter(c, ZSTD_c_nbWorkers, options->jobs);
    if (options->jobs > 0 && level <= FAST_LEVEL_MAX)
        ZSTD_CCtx_setParameter(c, ZSTD_c_jobSize, FAST_JOB);
    return !bad;
}

static bool zstd_begin(struct output *out, const struct output_options *options)
{
    size_t size = ZSTD_CStreamOutSize();
    struct zstd *z = calloc(1, sizeof *z + size);
    if (!z) return output_fail(out, "out of memory");
    z->size = size;
    z->cctx = ZSTD_createCCtx();
    out->state = z;
    if (!z->cctx || !zstd_set_up(z->cctx, options))
        return output_fail(out, "zstd refuses to begin");
    return true;
}

static bool zstd_head(struct output *out)
{
    struct zstd *z = out->state;
    z->head_waits = true;
    return true;
}

/* A raw block in front of the library's blocks: these refer to nothing before themselves, and a raw
 * block changes no state of a decoder, so that the frame stays valid (RFC 8878, 3.1.1.2). */
static bool zstd_emit(struct output *out, size_t len)
{
    struct zstd *z = out->state;
    if (!z->head_waits || len == 0) return output_emit(out, z->buf, len);
    if (len < FRAME_HEADER || z->buf[4] != 0) return output_fail(out, "unexpected zstd header");
    unsigned block = (unsigned)out->head_len << 3;
    unsigned char header[3] = {(unsigned char)block, (unsigned char)(block >> 8),
                               (unsigned char)(block >> 16)};
    z->head_waits = false;
    output_emit(out, z->buf, FRAME_HEADER);
    output_emit(out, header, sizeof header);
    out->head_at = out->out;
    output_emit(out, out->head, out->head_len);
    return output_emit(out, z->buf + FRAME_HEADER, len - FRAME_HEADER);
}

static bool zstd_run(struct output *out, struct adit_str part, ZSTD_EndDirective how)
{
    struct zstd *z = out->state;
    ZSTD_inBuffer in = {part.p, part.len, 0};
    for (size_t left = 1; in.pos < in.size || (how != ZSTD_e_continue && left > 0);) {
        ZSTD_outBuffer to = {z->buf, z->size, 0};
        left = ZSTD_compressStream2(z->cctx, &to, &in, how);
        if (ZSTD_isError(left)) return output_fail(out, ZSTD_getErrorName(left));
        if (!zstd_emit(out, to.pos)) return false;
    }
    return true;
}

static bool zstd_encode(struct output *out, struct adit_str part)
{
    struct zstd *z = out->state;
    /* The library's own checksum would not cover the head. */
    if (!out->head && out->in == 0) ZSTD_CCtx_setParameter(z->cctx, ZSTD_c_checksumFlag, 1);
    /* All that the file will have: no threads are started for so little. */
    if (out->in == out->head_len && part.len < OUTPUT_CHUNK)
        ZSTD_CCtx_setParameter(z->cctx, ZSTD_c_nbWorkers, 0);
    return zstd_run(out, part, ZSTD_e_continue);
}
static bool zstd_flush(struct output *out)
{
    return zstd_run(out, (struct adit_str){0}, ZSTD_e_flush);
}
static bool zstd_end(struct output *out) { return zstd_run(out, (struct adit_str){0}, ZSTD_e_end); }

static void zstd_release(struct output *out)
{
    struct zstd *z = out->state;
    ZSTD_freeCCtx(z->cctx);
    free(z);
}

const struct output_coder output_coders[] = {
    [OUTPUT_NONE] = {none_begin, none_head, none_encode, none_end, none_end, none_release, {0}},
    [OUTPUT_GZIP] = {gzip_begin, gzip_head, gzip_encode, gzip_flush, gzip_end, gzip_release,
                     ADIT_STR_INIT("\0\0\0\xff\xff")},
    [OUTPUT_ZSTD] = {zstd_begin, zstd_head, zstd_encode, zstd_flush, zstd_end, zstd_release,
                     ADIT_STR_INIT("\0\0\0")},
};
