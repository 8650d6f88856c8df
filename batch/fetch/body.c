/* The body of an answer: decoded, counted, passed on. gzip, deflate and zstd are the core's; br is
 * here. The limit stands behind the decoders, so that it counts what they give. */
#include "batch/fetch/fetch_impl.h"

#include <brotli/decode.h>
#include <stdlib.h>

/* --- the last stage: what the receiver gets --------------------------------------------------- */

static enum adit_code limit_write(struct adit_sink *s, const char *p, size_t len)
{
    struct fetch_transfer *t = ((struct fetch_limit *)s)->t;
    if (len > t->limit.max - t->reply.decoded) {
        t->reply.error = FETCH_TOO_LARGE;
        return ADIT_ELIMIT;
    }
    t->reply.decoded += len;
    enum adit_code code = t->receiver->write(t->receiver, p, len);
    if (code != ADIT_OK) t->reply.error = code == ADIT_ESTOP ? FETCH_STOPPED : FETCH_SINK;
    return code;
}

static enum adit_code limit_end(struct adit_sink *s)
{
    struct fetch_transfer *t = ((struct fetch_limit *)s)->t;
    enum adit_code code = adit_sink_end(t->receiver);
    if (code != ADIT_OK) t->reply.error = code == ADIT_ESTOP ? FETCH_STOPPED : FETCH_SINK;
    return code;
}

/* --- br --------------------------------------------------------------------------------------- */

struct fetch_brotli {
    struct adit_sink sink;
    struct adit_sink *next;
    BrotliDecoderState *state;
    uint64_t in, out;
};

static enum adit_code brotli_write(struct adit_sink *s, const char *p, size_t len)
{
    struct fetch_brotli *b = (struct fetch_brotli *)s;
    const uint8_t *in = (const uint8_t *)p;
    BrotliDecoderResult r;
    b->in += len;
    do {
        size_t room = 0, got = 0;
        uint8_t *none = NULL;
        r = BrotliDecoderDecompressStream(b->state, &len, &in, &room, &none, NULL);
        if (r == BROTLI_DECODER_RESULT_ERROR) return ADIT_EBAD;
        const uint8_t *out = BrotliDecoderTakeOutput(b->state, &got);
        b->out += got;
        if (b->out >= ADIT_LIMIT_ratio_from && b->out / ADIT_LIMIT_ratio > b->in)
            return ADIT_ELIMIT;
        if (got) ADIT_TRY(b->next->write(b->next, (const char *)out, got));
    } while (r == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT || BrotliDecoderHasMoreOutput(b->state));
    return len ? ADIT_EBAD : ADIT_OK; /* bytes behind the end */
}

static enum adit_code brotli_end(struct adit_sink *s)
{
    struct fetch_brotli *b = (struct fetch_brotli *)s;
    if (b->in && !BrotliDecoderIsFinished(b->state)) return ADIT_EEOF;
    return adit_sink_end(b->next);
}

static struct fetch_brotli *brotli_new(struct adit_sink *next)
{
    struct fetch_brotli *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    *b = (struct fetch_brotli){
        {brotli_write, brotli_end}, next, BrotliDecoderCreateInstance(NULL, NULL, NULL), 0, 0};
    if (b->state) return b;
    free(b);
    return NULL;
}

/* --- the chain -------------------------------------------------------------------------------- */

static enum fetch_error error_of(const struct fetch_transfer *t, enum adit_code code)
{
    if (t->reply.error) return t->reply.error;
    switch (code) {
    case ADIT_OK: return FETCH_OK;
    case ADIT_ENOMEM: return FETCH_MEMORY;
    case ADIT_ELIMIT: return FETCH_RATIO;
    case ADIT_EEOF: return FETCH_CUT_OFF;
    default: return FETCH_CODING;
    }
}

/* br stands alone or not at all: nobody applies two codings. */
static enum fetch_error open_decoder(struct fetch_transfer *t, struct adit_str coding)
{
    if (adit_str_ieq(adit_str_trim(coding), ADIT_STR("br"))) {
        t->brotli = brotli_new(&t->limit.sink);
        if (!t->brotli) return FETCH_MEMORY;
        t->input = &t->brotli->sink;
        return FETCH_OK;
    }
    enum adit_code code = adit_decoder_chain(cli_mem, coding, &t->limit.sink, &t->decoder);
    if (t->decoder) t->input = &t->decoder->sink;
    return error_of(t, code);
}

enum fetch_error fetch_body_open(struct fetch_transfer *t)
{
    const struct fetch_reply *r = &t->reply;
    uint64_t max = t->q.max_bytes;
    if (r->status >= 300 && max > FETCH_DROP_BYTES) max = FETCH_DROP_BYTES;
    t->limit = (struct fetch_limit){{limit_write, limit_end}, t, max};
    t->input = &t->limit.sink;
    adit_buf_init(&t->body, cli_mem, max > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size_t)max);
    t->receiver = adit_buf_sink_init(&t->body_sink, &t->body);
    bool bodiless = t->q.head || r->status == 304 || r->status == 204;
    if (!bodiless && r->length >= 0 && (uint64_t)r->length > max) return FETCH_TOO_LARGE;
    struct adit_sink *own = t->head ? t->head(t->user, r) : NULL;
    if (own && r->status < 300) t->receiver = own;
    if (bodiless || t->q.raw) return FETCH_OK;
    return open_decoder(
        t, adit_header_joined(r->headers, r->n_headers, ADIT_STR("content-encoding"), &t->heads));
}

bool fetch_body_write(struct fetch_transfer *t, const char *p, size_t len)
{
    struct fetch *f = t->f;
    t->reply.wire += len;
    f->counts.bytes += len;
    if (f->o.bytes_max && f->counts.bytes > f->o.bytes_max) {
        f->exhausted = true;
        t->reply.error = FETCH_BUDGET;
        return false;
    }
    if (t->dropping) return (t->dropped += len) <= FETCH_DROP_BYTES;
    if (t->reply.wire > t->limit.max) {
        t->reply.error = FETCH_TOO_LARGE;
        return false;
    }
    t->reply.error = error_of(t, t->input->write(t->input, p, len));
    return t->reply.error == FETCH_OK;
}

enum fetch_error fetch_body_end(struct fetch_transfer *t)
{
    if (adit_decoder_damaged(t->decoder)) return FETCH_CODING;
    enum fetch_error error = error_of(t, adit_sink_end(t->input));
    if (error == FETCH_OK && adit_decoder_damaged(t->decoder)) error = FETCH_CODING;
    return error;
}

void fetch_body_close(struct fetch_transfer *t)
{
    adit_decoder_free(t->decoder);
    t->decoder = NULL;
    if (t->brotli) BrotliDecoderDestroyInstance(t->brotli->state);
    free(t->brotli);
    t->brotli = NULL;
    t->input = t->receiver = NULL;
    adit_buf_free(&t->body);
}
