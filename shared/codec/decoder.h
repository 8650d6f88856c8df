/* What the decoders of this folder share. Not for other folders. */
#ifndef ADIT_CODEC_DECODER_H
#define ADIT_CODEC_DECODER_H

#include "codec/codec.h"

/* Constructors, one a family of formats; adit_decoder_new fills in the rest. */
enum adit_code adit_inflate_new(struct adit_mem mem, enum adit_coding coding,
                                struct adit_decoder **out);
enum adit_code adit_unzstd_new(struct adit_mem mem, enum adit_coding coding,
                               struct adit_decoder **out);

/* Passes decoded bytes on. */
enum adit_code adit_decoder_emit(struct adit_decoder *d, const uint8_t *p, size_t len);

/* The ratio guard. A decoder calls it at points that depend on the stream alone, with the bytes of
 * input that it needed to get there: so the verdict is the same however the input is split. */
enum adit_code adit_decoder_guard(const struct adit_decoder *d, uint64_t consumed);

#endif
