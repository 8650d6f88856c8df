/* zstd, streaming, on the single-file decoder. */
#include "codec/decoder_impl.h"

#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>
#include <zstd_errors.h>
#include <string.h>

/* 8 MiB is what RFC 8878, 3.1.1.1.2 asks of every decoder, and all that HTTP allows (RFC 9659). */
enum { WINDOW_LOG_MAX = 23, BLOCK_HEADER = 3, OUT_LEN = 32 << 10 };

struct unzstd {
    struct adit_decoder d;
    ZSTD_DCtx *ctx;
    size_t left;  /* bytes until the decoder has what it waits for: a header, a block, a checksum */
    bool between; /* the last frame is complete */
    uint8_t out[OUT_LEN];
};

/* --- its memory: ours, with the length in front ----------------------------------------------- */

enum { PREFIX = 16 };

static void *zstd_alloc(void *opaque, size_t len)
{
    struct unzstd *z = opaque;
    if (len > SIZE_MAX - PREFIX) return NULL;
    char *p = z->d.mem.resize(z->d.mem.ctx, NULL, 0, PREFIX + len);
    if (!p) return NULL;
    memcpy(p, &len, sizeof len);
    return p + PREFIX;
}

static void zstd_free(void *opaque, void *address)
{
    struct unzstd *z = opaque;
    if (!address) return;
    char *p = (char *)address - PREFIX;
    size_t len;
    memcpy(&len, p, sizeof len);
    z->d.mem.resize(z->d.mem.ctx, p, PREFIX + len, 0);
}

/* --- the stage -------------------------------------------------------------------------------- */

static enum adit_code code_of(size_t result)
{
    switch (ZSTD_getErrorCode(result)) {
    case ZSTD_error_memory_allocation: return ADIT_ENOMEM;
    case ZSTD_error_frameParameter_windowTooLarge: return ADIT_ELIMIT;
    case ZSTD_error_dictionary_wrong: return ADIT_EUNSUP;
    default: return ADIT_EBAD;
    }
}

static size_t begin(struct unzstd *z)
{
    ZSTD_DCtx_reset(z->ctx, ZSTD_reset_session_only);
    return ZSTD_decompressBegin(z->ctx);
}

/* What to feed next, of what it asks for. A frame's header goes in byte by byte: the decoder
 * (1.5.4) may otherwise take the rest of a header for a whole frame, if it looks like one. In a
 * frame the decoder asks for the next block's header, too. */
static size_t portion(const struct unzstd *z, size_t want)
{
    ZSTD_nextInputType_e type = ZSTD_nextInputType(z->ctx);
    if (want == 0 || type == ZSTDnit_frameHeader) return 1;
    return type == ZSTDnit_block && want > BLOCK_HEADER ? want - BLOCK_HEADER : want;
}

/* Gives the decoder n bytes and passes on all that comes of them; *want is what it asks for next.
 */
static enum adit_code feed(struct unzstd *z, const char *p, size_t n, size_t *want)
{
    ZSTD_inBuffer in = {p, n, 0};
    ZSTD_outBuffer out;
    do {
        out = (ZSTD_outBuffer){z->out, sizeof z->out, 0};
        *want = ZSTD_decompressStream(z->ctx, &out, &in);
        if (ZSTD_getErrorCode(*want) == ZSTD_error_checksum_wrong) {
            z->d.damaged = true;
            *want = begin(z);
            in.pos = n;
        }
        if (ZSTD_isError(*want)) return code_of(*want);
        ADIT_TRY(adit_decoder_emit(&z->d, z->out, out.pos));
    } while (in.pos < n || (out.pos == out.size && *want));
    return ADIT_OK;
}

/* The decoder is fed exactly what it waits for. So a checksum comes alone, and a wrong one costs no
 * output; and the ratio is looked at after each block. */
static enum adit_code unzstd_write(struct adit_sink *s, const char *p, size_t len)
{
    struct unzstd *z = (struct unzstd *)s;
    while (len > 0) {
        size_t n = len < z->left ? len : z->left, want = 0;
        z->d.in += n;
        ADIT_TRY(feed(z, p, n, &want));
        p += n;
        len -= n;
        z->left -= n;
        z->between = want == 0;
        if (z->left > 0) continue;
        ADIT_TRY(adit_decoder_guard(&z->d, z->d.in));
        z->left = portion(z, want);
    }
    return ADIT_OK;
}

static enum adit_code unzstd_end(struct adit_sink *s)
{
    struct unzstd *z = (struct unzstd *)s;
    if (!z->between && z->d.in > 0) return ADIT_EEOF;
    return adit_sink_end(z->d.next);
}

static void unzstd_release(struct adit_decoder *d)
{
    struct unzstd *z = (struct unzstd *)d;
    ZSTD_freeDCtx(z->ctx);
    d->mem.resize(d->mem.ctx, z, sizeof *z, 0);
}

enum adit_code adit_unzstd_new(struct adit_mem mem, enum adit_coding coding,
                               struct adit_decoder **out)
{
    (void)coding;
    struct unzstd *z = mem.resize(mem.ctx, NULL, 0, sizeof *z);
    if (!z) return ADIT_ENOMEM;
    memset(z, 0, sizeof *z);
    z->d.sink = (struct adit_sink){unzstd_write, unzstd_end};
    z->d.release = unzstd_release;
    z->d.mem = mem;
    z->left = 1;
    z->ctx = ZSTD_createDCtx_advanced((ZSTD_customMem){zstd_alloc, zstd_free, z});
    if (!z->ctx) {
        unzstd_release(&z->d);
        return ADIT_ENOMEM;
    }
    begin(z);
    ZSTD_DCtx_setParameter(z->ctx, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    *out = &z->d;
    return ADIT_OK;
}
