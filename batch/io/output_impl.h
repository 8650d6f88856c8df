/* What output.c and the coders behind it (coder.c) share. */
#ifndef ADIT_IO_OUTPUT_IMPL_H
#define ADIT_IO_OUTPUT_IMPL_H

#include "batch/io/io.h"

enum { OUTPUT_HEAD_MAX = 65535, OUTPUT_CHUNK = 1 << 18 };

struct output {
    const struct output_coder *coder;
    char *path, *temp; /* temp: NULL while the file has no name */
    int fd;
    bool special; /* the target is no regular file: bytes are copied to it at the end */
    bool failed, finished, padded;
    uint64_t in, out;
    char *chunk; /* bytes on their way to the coder */
    size_t chunk_len;
    char *head; /* as it will be */
    size_t head_len;
    uint64_t head_at;
    void *state; /* the coder's */
};

/* A way to encode: begin may write what stands before the head; encode takes all of part and may
 * keep some; flush writes everything taken so far up to the end of a block; end completes. All
 * write with output_emit and return false on failure (after output_fail). */
struct output_coder {
    bool (*begin)(struct output *out, const struct output_options *options);
    bool (*head)(struct output *out); /* stores out->head, sets out->head_at */
    bool (*encode)(struct output *out, struct adit_str part);
    bool (*flush)(struct output *out);
    bool (*end)(struct output *out);
    void (*release)(struct output *out);
    struct adit_str empty_block; /* decodes to nothing; may stand after flush */
};
extern const struct output_coder output_coders[]; /* by enum output_coding */

bool output_emit(struct output *out, const void *p, size_t len);
/* Another name for what is not in place yet. */
bool output_rename(struct output *out, const char *path);
/* Says why, once; always false. */
bool output_fail(struct output *out, const char *why);

#endif
