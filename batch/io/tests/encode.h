/* Compressed bytes for tests: whole buffers, appended. */
#ifndef ADIT_TESTS_ENCODE_H
#define ADIT_TESTS_ENCODE_H

#include "base/base.h"

#include <zlib.h>
#include <zstd.h>

/* window_bits as zlib wants them: 16 + MAX_WBITS gzip, MAX_WBITS zlib, -MAX_WBITS raw. */
static inline void encode_deflate(struct adit_buf *out, struct adit_str in, int window_bits)
{
    z_stream z = {.next_in = (Bytef *)in.p, .avail_in = (uInt)in.len};
    deflateInit2(&z, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
    adit_buf_reserve(out, deflateBound(&z, in.len));
    z.next_out = (Bytef *)out->p + out->len;
    z.avail_out = (uInt)(out->cap - out->len);
    deflate(&z, Z_FINISH);
    out->len += z.total_out;
    deflateEnd(&z);
}

static inline void gzip_member(struct adit_buf *out, struct adit_str in)
{
    encode_deflate(out, in, 16 + MAX_WBITS);
}

/* With a checksum, so that damage shows. */
static inline void zstd_frame(struct adit_buf *out, struct adit_str in)
{
    ZSTD_CCtx *z = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
    adit_buf_reserve(out, ZSTD_compressBound(in.len));
    out->len += ZSTD_compress2(z, out->p + out->len, out->cap - out->len, in.p, in.len);
    ZSTD_freeCCtx(z);
}

#endif
