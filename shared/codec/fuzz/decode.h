/* Decodes an input whole and in portions, and compares. */
#ifndef ADIT_CODEC_FUZZ_DECODE_H
#define ADIT_CODEC_FUZZ_DECODE_H

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
    struct adit_decoder *d;
    adit_buf_init(&o.out, fuzz_mem, 16 << 20);
    o.code = adit_decoder_new(fuzz_mem, coding, adit_buf_sink_init(&sink, &o.out), &d);
    for (size_t i = 0; i < input.len && o.code == ADIT_OK; i += step)
        o.code = d->sink.write(&d->sink, input.p + i, input.len - i < step ? input.len - i : step);
    if (o.code == ADIT_OK) o.code = d->sink.end(&d->sink);
    o.damaged = adit_decoder_damaged(d);
    adit_decoder_free(d);
    return o;
}

/* The same outcome and, unless the input is bad, the same bytes. */
static void compare(enum adit_coding coding, struct adit_str input, size_t step)
{
    struct outcome a = decode(coding, input, input.len + 1), b = decode(coding, input, step);
    MUST(a.code == b.code && a.damaged == b.damaged);
    bool whole = a.code != ADIT_EBAD && a.code != ADIT_ELIMIT;
    MUST(!whole || adit_str_eq(adit_buf_str(&a.out), adit_buf_str(&b.out)));
    adit_buf_free(&a.out);
    adit_buf_free(&b.out);
}

#endif
