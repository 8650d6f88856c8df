/* gzip, zlib and raw deflate, streaming, on miniz's inflater.
 *
 * A stream is a sequence of small states (header fields, the deflated body, the trailer); each
 * takes what it needs from the input, keeps a part of a field over from one portion to the next,
 * and says what follows. */
#include "codec/decoder_impl.h"

#include <miniz.h>
#include <string.h>

enum state {
    GZIP_HEAD,
    EXTRA_LEN,
    EXTRA,
    NAME,
    COMMENT,
    HEAD_CRC,
    ZLIB_HEAD,
    GUESS,
    BODY,
    GZIP_TAIL,
    ZLIB_TAIL,
    DONE
};
enum flag {
    FLAG_HEAD_CRC = 2,
    FLAG_EXTRA = 4,
    FLAG_NAME = 8,
    FLAG_COMMENT = 16,
    FLAG_RESERVED = 0xe0
};

enum { GRID = 64 << 10 }; /* bytes of input between two looks at the ratio, at most */

struct inflate {
    struct adit_decoder d;
    enum adit_coding coding;
    enum state state;
    unsigned flags;   /* gzip: header fields still to come */
    uint8_t held[16]; /* the begun fixed-length field */
    size_t n_held;
    size_t skip;      /* EXTRA: bytes left */
    bool more;        /* the inflater has output that the window had no room for */
    uint64_t members; /* complete ones */
    uint64_t from;    /* d.out at the start of this member */
    uint32_t check;   /* CRC-32 or Adler-32 of this member so far */
    struct adit_crc32 crc;
    tinfl_decompressor tinfl;
    uint8_t window[TINFL_LZ_DICT_SIZE];
};

/* What is left of the current write. */
struct input {
    const uint8_t *p, *end;
    size_t behind; /* bytes of the same write that follow end */
};

typedef enum adit_code step_fn(struct inflate *f, struct input *in);

/* Collects n bytes in f->held; true when they are all there. */
static bool gather(struct inflate *f, struct input *in, size_t n)
{
    while (f->n_held < n && in->p < in->end) f->held[f->n_held++] = *in->p++;
    if (f->n_held < n) return false;
    f->n_held = 0;
    return true;
}

static uint32_t be32(const uint8_t *p)
{
    return (uint32_t)p[3] | (uint32_t)p[2] << 8 | (uint32_t)p[1] << 16 | (uint32_t)p[0] << 24;
}

static void begin_body(struct inflate *f)
{
    f->from = f->d.out;
    f->check = f->coding == ADIT_CODING_GZIP ? 0 : MZ_ADLER32_INIT;
    tinfl_init(&f->tinfl);
    f->state = BODY;
}

/* --- gzip header (RFC 1952, 2.3) -------------------------------------------------------------- */

/* Optional fields stand in this order. */
static void next_field(struct inflate *f)
{
    static const struct {
        enum flag flag;
        enum state state;
    } fields[] = {{FLAG_EXTRA, EXTRA_LEN},
                  {FLAG_NAME, NAME},
                  {FLAG_COMMENT, COMMENT},
                  {FLAG_HEAD_CRC, HEAD_CRC}};
    for (size_t i = 0; i < ADIT_COUNT(fields); i++) {
        if (!(f->flags & fields[i].flag)) continue;
        f->flags &= ~(unsigned)fields[i].flag;
        f->state = fields[i].state;
        return;
    }
    begin_body(f);
}

static enum adit_code gzip_head(struct inflate *f, struct input *in)
{
    static const uint8_t magic[3] = {0x1f, 0x8b, 8};
    while (f->n_held < sizeof magic) {
        if (in->p == in->end) return ADIT_OK;
        if (*in->p != magic[f->n_held]) {
            if (f->members == 0) return ADIT_EBAD;
            f->state = DONE; /* padding behind the last member */
            return ADIT_OK;
        }
        f->held[f->n_held++] = *in->p++;
    }
    if (!gather(f, in, 10)) return ADIT_OK;
    f->flags = f->held[3];
    if (f->flags & FLAG_RESERVED) return ADIT_EBAD;
    next_field(f);
    return ADIT_OK;
}

static enum adit_code extra_len(struct inflate *f, struct input *in)
{
    if (!gather(f, in, 2)) return ADIT_OK;
    f->skip = (size_t)f->held[0] | (size_t)f->held[1] << 8;
    f->state = EXTRA;
    if (f->skip == 0) next_field(f);
    return ADIT_OK;
}

static enum adit_code extra(struct inflate *f, struct input *in)
{
    size_t left = (size_t)(in->end - in->p), n = left < f->skip ? left : f->skip;
    in->p += n;
    f->skip -= n;
    if (f->skip == 0) next_field(f);
    return ADIT_OK;
}

static enum adit_code text_field(struct inflate *f, struct input *in)
{
    const uint8_t *nul = memchr(in->p, 0, (size_t)(in->end - in->p));
    in->p = nul ? nul + 1 : in->end;
    if (nul) next_field(f);
    return ADIT_OK;
}

static enum adit_code head_crc(struct inflate *f, struct input *in)
{
    if (gather(f, in, 2)) next_field(f);
    return ADIT_OK;
}

/* --- zlib header (RFC 1950, 2.2) -------------------------------------------------------------- */

static bool is_zlib(const uint8_t *h)
{
    return (h[0] & 15) == 8 && h[0] >> 4 <= 7 && (h[0] * 256u + h[1]) % 31 == 0;
}

static enum adit_code zlib_head(struct inflate *f, struct input *in)
{
    if (!gather(f, in, 2)) return ADIT_OK;
    if (!is_zlib(f->held)) return ADIT_EBAD;
    if (f->held[1] & 0x20) return ADIT_EUNSUP;
    begin_body(f);
    return ADIT_OK;
}

static enum adit_code body(struct inflate *f, struct input *in);
static enum adit_code ignore(struct inflate *f, struct input *in);

/* HTTP's "deflate" means zlib (RFC 9110, 8.4.1.2), but some servers send raw deflate. No raw stream
 * that a compressor makes looks like a zlib header: its first bits would say "stored block". */
static enum adit_code guess(struct inflate *f, struct input *in)
{
    if (!gather(f, in, 2)) return ADIT_OK;
    f->coding = is_zlib(f->held) ? ADIT_CODING_ZLIB : ADIT_CODING_RAW;
    if (f->coding == ADIT_CODING_ZLIB && f->held[1] & 0x20) return ADIT_EUNSUP;
    begin_body(f);
    if (f->coding == ADIT_CODING_ZLIB) return ADIT_OK;
    struct input first = {f->held, f->held + 2, (size_t)(in->end - in->p)};
    while (first.p < first.end || f->more)
        ADIT_TRY(f->state == BODY ? body(f, &first) : ignore(f, &first));
    return ADIT_OK;
}

/* --- body and trailer ------------------------------------------------------------------------- */

static void update_check(struct inflate *f, const uint8_t *p, size_t len)
{
    if (f->coding == ADIT_CODING_GZIP) f->check = adit_crc32(&f->crc, f->check, p, len);
    if (f->coding == ADIT_CODING_ZLIB) f->check = (uint32_t)mz_adler32(f->check, p, len);
}

static enum state after_body(const struct inflate *f)
{
    if (f->coding == ADIT_CODING_GZIP) return GZIP_TAIL;
    return f->coding == ADIT_CODING_ZLIB ? ZLIB_TAIL : DONE;
}

/* Bytes of the stream up to in->p. */
static uint64_t consumed(const struct inflate *f, const struct input *in)
{
    return f->d.in - (uint64_t)(in->end - in->p) - in->behind;
}

/* Inflates until the input is used up (or a multiple of GRID of it), the window is full or the body
 * ends. The window is a ring: at its end it is handed on and written over from its start. */
static enum adit_code body(struct inflate *f, struct input *in)
{
    size_t at = (size_t)(f->d.out % sizeof f->window), n_out = sizeof f->window - at;
    size_t n_in = (size_t)(in->end - in->p), to_grid = GRID - (size_t)(consumed(f, in) % GRID);
    if (n_in > to_grid) n_in = to_grid;
    tinfl_status status = tinfl_decompress(&f->tinfl, in->p, &n_in, f->window, f->window + at,
                                           &n_out, TINFL_FLAG_HAS_MORE_INPUT);
    in->p += n_in;
    f->more = status == TINFL_STATUS_HAS_MORE_OUTPUT;
    update_check(f, f->window + at, n_out);
    ADIT_TRY(adit_decoder_emit(&f->d, f->window + at, n_out));
    if (status < TINFL_STATUS_DONE) return ADIT_EBAD;
    if (status == TINFL_STATUS_DONE) f->state = after_body(f);
    /* The ends of window, body and grid are points of the stream; the end of the input is not. What
     * the inflater holds in whole bytes it has read but not needed. */
    uint64_t here = consumed(f, in);
    if (status == TINFL_STATUS_NEEDS_MORE_INPUT)
        return here % GRID == 0 ? adit_decoder_guard(&f->d, here) : ADIT_OK;
    return adit_decoder_guard(&f->d, here - f->tinfl.m_num_bits / 8);
}

static enum adit_code gzip_tail(struct inflate *f, struct input *in)
{
    if (!gather(f, in, 8)) return ADIT_OK;
    uint32_t len = (uint32_t)(f->d.out - f->from); /* modulo 2^32, as the format says */
    if (adit_le32(f->held) != f->check || adit_le32(f->held + 4) != len) f->d.damaged = true;
    f->members++;
    f->state = GZIP_HEAD;
    return ADIT_OK;
}

static enum adit_code zlib_tail(struct inflate *f, struct input *in)
{
    if (!gather(f, in, 4)) return ADIT_OK;
    if (be32(f->held) != f->check) f->d.damaged = true;
    f->state = DONE;
    return ADIT_OK;
}

static enum adit_code ignore(struct inflate *f, struct input *in)
{
    (void)f;
    in->p = in->end;
    return ADIT_OK;
}

/* --- the stage -------------------------------------------------------------------------------- */

static step_fn *const steps[] = {
    [GZIP_HEAD] = gzip_head, [EXTRA_LEN] = extra_len, [EXTRA] = extra,         [NAME] = text_field,
    [COMMENT] = text_field,  [HEAD_CRC] = head_crc,   [ZLIB_HEAD] = zlib_head, [GUESS] = guess,
    [BODY] = body,           [GZIP_TAIL] = gzip_tail, [ZLIB_TAIL] = zlib_tail, [DONE] = ignore,
};

static enum adit_code inflate_write(struct adit_sink *s, const char *p, size_t len)
{
    struct inflate *f = (struct inflate *)s;
    struct input in = {(const uint8_t *)p, (const uint8_t *)p + len, 0};
    f->d.in += len;
    while (in.p < in.end || f->more) ADIT_TRY(steps[f->state](f, &in));
    return ADIT_OK;
}

static enum adit_code inflate_end(struct adit_sink *s)
{
    struct inflate *f = (struct inflate *)s;
    bool between = f->state == GZIP_HEAD && f->members > 0 && f->n_held == 0;
    if (f->state != DONE && !between && f->d.in > 0) return ADIT_EEOF;
    return adit_sink_end(f->d.next);
}

static void inflate_release(struct adit_decoder *d)
{
    d->mem.resize(d->mem.ctx, d, sizeof(struct inflate), 0);
}

enum adit_code adit_inflate_new(struct adit_mem mem, enum adit_coding coding,
                                struct adit_decoder **out)
{
    static const enum state start[] = {
        [ADIT_CODING_GZIP] = GZIP_HEAD,
        [ADIT_CODING_ZLIB] = ZLIB_HEAD,
        [ADIT_CODING_RAW] = BODY,
        [ADIT_CODING_DEFLATE] = GUESS,
    };
    struct inflate *f = mem.resize(mem.ctx, NULL, 0, sizeof *f);
    if (!f) return ADIT_ENOMEM;
    memset(f, 0, sizeof *f);
    f->d.sink = (struct adit_sink){inflate_write, inflate_end};
    f->d.release = inflate_release;
    f->d.mem = mem;
    if (coding == ADIT_CODING_GZIP) adit_crc32_init(&f->crc);
    f->coding = coding;
    f->state = start[coding];
    *out = &f->d;
    return ADIT_OK;
}
