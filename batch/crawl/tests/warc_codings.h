/* The ways in which archives are compressed, for tests. */
#ifndef ADIT_TESTS_WARC_CODINGS_H
#define ADIT_TESTS_WARC_CODINGS_H

#include "batch/io/tests/encode.h"

static const char dictionary[] = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://";

static inline void dictionary_frame(struct adit_buf *out, struct adit_str in)
{
    ZSTD_CCtx *z = ZSTD_createCCtx();
    adit_buf_reserve(out, ZSTD_compressBound(in.len));
    out->len += ZSTD_compress_usingDict(z, out->p + out->len, out->cap - out->len, in.p, in.len,
                                        dictionary, sizeof dictionary - 1, 1);
    ZSTD_freeCCtx(z);
}

/* A history of 32 MB, which a second decoder does not get: the length is believed without a look.
 */
static inline void long_frame(struct adit_buf *out, struct adit_str in)
{
    ZSTD_CCtx *z = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(z, ZSTD_c_windowLog, 25);
    adit_buf_reserve(out, ZSTD_compressBound(in.len) + 1000);
    ZSTD_inBuffer src = {in.p, in.len, 0}, none = {0};
    ZSTD_outBuffer dst = {out->p + out->len, out->cap - out->len, 0};
    ZSTD_compressStream2(z, &dst, &src, ZSTD_e_flush); /* so that the size is not known before */
    ZSTD_compressStream2(z, &dst, &none, ZSTD_e_end);
    out->len += dst.pos;
    ZSTD_freeCCtx(z);
}

static inline void add_dictionary(struct adit_buf *out)
{
    size_t n = sizeof dictionary - 1;
    char head[8] = {0x5d, 0x2a, 0x4d, 0x18, (char)(n & 0xff), (char)(n >> 8)};
    adit_buf_add(out, adit_str_of(head, sizeof head));
    adit_buf_add(out, adit_str_of(dictionary, n));
}

enum cut { WHOLE, BY_RECORD, BY_SIZE };
enum { PIECE = 64000 };

static const struct coding {
    const char *name;
    void (*pack)(struct adit_buf *out, struct adit_str in);
    enum cut cut;
} codings[] = {
    {"plain", NULL, WHOLE},
    {"gzip, a member a record", gzip_member, BY_RECORD},
    {"gzip, one member", gzip_member, WHOLE},
    {"gzip, members of one size", gzip_member, BY_SIZE},
    {"zstd, a frame a record", zstd_frame, BY_RECORD},
    {"zstd, one frame", zstd_frame, WHOLE},
    {"zstd, frames of one size", zstd_frame, BY_SIZE},
    {"zstd, with a dictionary", dictionary_frame, BY_RECORD},
    {"zstd, a long history", long_frame, WHOLE},
};

/* Appends an archive, coded, to file. cuts: where each of its n records begins. */
static inline void encode_archive(struct adit_buf *file, const struct coding *c,
                                  struct adit_str all, const size_t *cuts, size_t n)
{
    if (c->pack == dictionary_frame) add_dictionary(file);
    if (!c->pack) adit_buf_add(file, all);
    if (c->pack && c->cut == WHOLE) c->pack(file, all);
    for (size_t at = 0; c->cut == BY_SIZE && at < all.len; at += PIECE)
        c->pack(file, adit_str_sub(all, at, at + PIECE));
    for (size_t i = 0; c->cut == BY_RECORD && i < n; i++)
        c->pack(file, adit_str_sub(all, cuts[i], i + 1 < n ? cuts[i + 1] : all.len));
}

#endif
