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
    return adit_sink_end(s);
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
    if (o.code == ADIT_OK && (d->out != o.out.len || d->in != input.len)) o.code = ADIT_EIO;
    o.damaged = adit_decoder_damaged(d);
    adit_decoder_free(d);
    return o;
}

/* How the decoding of what b holds ends, with `want` bytes if well; b is emptied. */
static enum adit_code ending(enum adit_coding coding, struct adit_buf *b, size_t want, size_t step)
{
    struct outcome o = decode(coding, adit_buf_str(b), 0, step);
    bool right = o.code != ADIT_OK || o.out.len == want;
    adit_buf_free(&o.out);
    adit_buf_free(b);
    return right ? o.code : ADIT_EIO;
}

/* Each bit of b wrong in turn: some outcome, the same for each way of cutting, never a silent change
 * of the text. With `portions`, how much of bad input comes out may depend on the cutting. */
static void corrupted(enum adit_coding coding, struct adit_buf *b, struct adit_str text,
                      bool portions)
{
    bool told = true, same = true;
    for (size_t bit = 0; bit < b->len * 8; bit++) {
        b->p[bit / 8] ^= (char)(1 << bit % 8);
        struct outcome w = decode(coding, adit_buf_str(b), 0, b->len);
        struct outcome s = decode(coding, adit_buf_str(b), 0, 1);
        bool as_much = adit_str_eq(adit_buf_str(&w.out), adit_buf_str(&s.out));
        if (w.code == ADIT_OK && !w.damaged && !adit_str_eq(adit_buf_str(&w.out), text))
            told = false;
        if (w.code != s.code || w.damaged != s.damaged) same = false;
        if (!as_much && !(portions && w.code == ADIT_EBAD)) same = false;
        b->p[bit / 8] ^= (char)(1 << bit % 8);
        adit_buf_free(&w.out);
        adit_buf_free(&s.out);
    }
    ok(told, "no bit error changes the text unnoticed");
    ok(same, "bit errors have the same effect in portions");
    adit_buf_free(b);
}

/* A body to be decoded with every allocation failing in turn: tap_torture's ctx. */
struct body {
    const char *codings; /* Content-Encoding */
    struct adit_str input, want;
};

static enum adit_code decode_body(struct adit_mem mem, void *ctx)
{
    const struct body *c = ctx;
    struct adit_buf out;
    struct adit_buf_sink sink;
    struct adit_decoder *d;
    adit_buf_init(&out, mem, 1 << 20);
    enum adit_code code =
        adit_decoder_chain(mem, adit_str_z(c->codings), adit_buf_sink_init(&sink, &out), &d);
    if (code == ADIT_OK) code = feed(&d->sink, c->input, 0, 3);
    if (code == ADIT_OK && !adit_str_eq(adit_buf_str(&out), c->want)) code = ADIT_EBAD;
    adit_decoder_free(d);
    adit_buf_free(&out);
    return code;
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
