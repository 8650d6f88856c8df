/* Runs a decoder over an input in every way in which it may be cut. */
#ifndef ADIT_CODEC_TESTS_DECODE_H
#define ADIT_CODEC_TESTS_DECODE_H

#include "tests/tap.h"
#include "codec/codec.h"

struct outcome {
    enum adit_code code;
    bool damaged;
    struct adit_buf out;
};

/* Feeds input cut at `cut`, then in portions of at most `step`. */
static enum adit_code feed(struct adit_sink *s, struct adit_str input, size_t cut, size_t step)
{
    if (cut) ADIT_TRY(s->write(s, input.p, cut));
    for (size_t i = cut; i < input.len; i += step)
        ADIT_TRY(s->write(s, input.p + i, input.len - i < step ? input.len - i : step));
    return s->end(s);
}

static struct outcome decode(enum adit_coding coding, struct adit_str input, size_t cut,
                             size_t step)
{
    struct outcome o = {0};
    struct adit_buf_sink sink;
    struct adit_decoder *d;
    adit_buf_init(&o.out, tap_mem, 1u << 30);
    o.code = adit_decoder_new(tap_mem, coding, adit_buf_sink_init(&sink, &o.out), &d);
    if (o.code == ADIT_OK) o.code = feed(&d->sink, input, cut, step);
    o.damaged = adit_decoder_damaged(d);
    adit_decoder_free(d);
    return o;
}

/* Checks code, damage and output, fed whole, byte by byte, and cut once at every offset (at some
 * offsets if the input is long). */
static void check(enum adit_coding coding, struct adit_str input, enum adit_code code, bool damaged,
                  struct adit_str want, const char *what)
{
    size_t stride = input.len > 3000 ? input.len / 500 : 1;
    bool same = true;
    struct outcome whole = decode(coding, input, 0, input.len + 1);
    if (whole.code != code || whole.damaged != damaged)
        printf("# code %d (%s), damaged %d\n", whole.code, adit_code_name(whole.code),
               whole.damaged);
    bool right = whole.code == code && whole.damaged == damaged;
    for (size_t cut = 0; cut <= input.len; cut += stride) {
        struct outcome o = decode(coding, input, cut, cut ? input.len + 1 : 1);
        if (o.code != whole.code || o.damaged != whole.damaged ||
            !adit_str_eq(adit_buf_str(&o.out), adit_buf_str(&whole.out))) {
            if (same)
                printf("# differs when cut at %zu: code %d, %zu bytes\n", cut, o.code, o.out.len);
            same = false;
        }
        adit_buf_free(&o.out);
    }
    char title[200];
    snprintf(title, sizeof title, "%s: outcome", what);
    ok(right, title);
    snprintf(title, sizeof title, "%s: output", what);
    eq_str(adit_buf_str(&whole.out), want, title);
    snprintf(title, sizeof title, "%s: the same however it is cut", what);
    ok(same, title);
    adit_buf_free(&whole.out);
}

#endif
