/* Decodes an input whole and in portions, and compares. */
#ifndef ADIT_CODEC_FUZZ_DECODE_H
#define ADIT_CODEC_FUZZ_DECODE_H

/* Windows of decoders, and two copies of what comes out. */
#define FUZZ_FIXED ((size_t)96 << 20)

#include "codec/codec.h"
#include "tests/fuzz.h"

struct outcome {
    enum adit_code code;
    bool damaged;
    struct adit_buf out;
};

static struct outcome decode(enum adit_coding coding, struct adit_str input, size_t step)
{
    struct outcome o = {0};
    struct adit_buf_sink sink;
    struct adit_decoder *d = NULL;
    adit_buf_init(&o.out, fuzz_mem, 16 << 20);
    o.code = adit_decoder_new(fuzz_mem, coding, adit_buf_sink_init(&sink, &o.out), &d);
    if (!fuzz_fine(o.code)) return o;
    for (size_t i = 0; i < input.len && o.code == ADIT_OK; i += step)
        o.code = d->sink.write(&d->sink, input.p + i, input.len - i < step ? input.len - i : step);
    if (o.code == ADIT_OK) o.code = d->sink.end(&d->sink);
    o.damaged = adit_decoder_damaged(d);
    adit_decoder_free(d);
    if (fuzz_took(o.code)) fuzz_tell(adit_buf_str(&o.out));
    return o;
}

/* The same outcome and, unless the input is bad, the same bytes. */
static void compare(enum adit_coding coding, struct adit_str input, size_t step)
{
    struct outcome a = decode(coding, input, input.len + 1), b = decode(coding, input, step);
    bool whole = a.code != ADIT_EBAD && a.code != ADIT_ELIMIT;
    if (!fuzz.denied) {
        MUST(a.code == b.code && a.damaged == b.damaged);
        MUST(!whole || adit_str_eq(adit_buf_str(&a.out), adit_buf_str(&b.out)));
    }
    adit_buf_free(&a.out);
    adit_buf_free(&b.out);
}

#endif
