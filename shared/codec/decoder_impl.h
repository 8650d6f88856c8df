/* What the decoders of this folder share. Not for other folders. */
#ifndef ADIT_CODEC_DECODER_IMPL_H
#define ADIT_CODEC_DECODER_IMPL_H

#include "codec/codec.h"

/* Constructors, one a family of formats; adit_decoder_new fills in the rest. */
enum adit_code adit_inflate_new(struct adit_mem mem, enum adit_coding coding,
                                struct adit_decoder **out);
enum adit_code adit_unzstd_new(struct adit_mem mem, enum adit_coding coding,
                               struct adit_decoder **out);

/* Passes decoded bytes on. */
enum adit_code adit_decoder_emit(struct adit_decoder *d, const uint8_t *p, size_t len);

/* The guard against input made to cost much: too much output for the input (ADIT_LIMIT_ratio), or
 * too little: no compressor makes a page longer, but empty blocks take a decoder as long as full
 * ones. So beyond 64 KiB there must be 8 bytes out for 9 bytes in. A decoder calls it at points
 * that depend on the stream alone, with the bytes of input that it needed to get there: so the
 * verdict is the same however the input is split. */
enum adit_code adit_decoder_guard(const struct adit_decoder *d, uint64_t consumed);

struct adit_crc32 {
    uint32_t table[8][256];
};
void adit_crc32_init(struct adit_crc32 *c);
/* The CRC-32 of what crc is the CRC-32 of (0: nothing), and p. */
uint32_t adit_crc32(const struct adit_crc32 *c, uint32_t crc, const uint8_t *p, size_t len);

static inline uint32_t adit_le32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

#endif
