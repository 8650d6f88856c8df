/* Records that are compressed one by one, as WARC files have them: a gzip member or zstd frame each, so
 * that an index can lead to every one. */
#include "batch/extract/extract_impl.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <zstd.h>

enum { GZIP_LEVEL = 6, ZSTD_LEVEL = 3 };

struct extract_coder {
    struct libdeflate_compressor *gzip;
    ZSTD_CCtx *zstd;
    int level;
};

struct extract_coder *extract_coder_new(const struct output_options *options)
{
    struct extract_coder *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    bool gzip = options->coding == OUTPUT_GZIP;
    c->level = options->level ? options->level : gzip ? GZIP_LEVEL : ZSTD_LEVEL;
    if (gzip)
        c->gzip = libdeflate_alloc_compressor(c->level);
    else
        c->zstd = ZSTD_createCCtx();
    if (c->gzip || c->zstd) return c;
    extract_coder_free(c);
    return NULL;
}

void extract_coder_free(struct extract_coder *c)
{
    if (!c) return;
    if (c->gzip) libdeflate_free_compressor(c->gzip);
    ZSTD_freeCCtx(c->zstd);
    free(c);
}

bool extract_coder_add(struct extract_coder *c, struct adit_str record, struct adit_buf *out)
{
    size_t room = c->gzip ? libdeflate_gzip_compress_bound(c->gzip, record.len)
                          : ZSTD_compressBound(record.len);
    if (!adit_buf_reserve(out, room)) return false;
    char *to = out->p + out->len;
    size_t n = c->gzip ? libdeflate_gzip_compress(c->gzip, record.p, record.len, to, room)
                       : ZSTD_compressCCtx(c->zstd, to, room, record.p, record.len, c->level);
    if (c->gzip ? n == 0 : ZSTD_isError(n)) return false;
    out->len += n;
    return true;
}
