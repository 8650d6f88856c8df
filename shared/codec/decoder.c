/* Decoders as such: the table of codings, chains for Content-Encoding, the ratio guard. */
#include "codec/decoder_impl.h"

enum { IDLE_FROM = 64 << 10 };

struct coding {
    struct adit_str name; /* in Content-Encoding; empty: not to be found there */
    enum adit_coding coding;
    enum adit_code (*make)(struct adit_mem mem, enum adit_coding coding, struct adit_decoder **out);
};

static const struct coding codings[] = {
    {ADIT_STR_INIT("gzip"), ADIT_CODING_GZIP, adit_inflate_new},
    {ADIT_STR_INIT("x-gzip"), ADIT_CODING_GZIP, adit_inflate_new},
    {ADIT_STR_INIT("deflate"), ADIT_CODING_DEFLATE, adit_inflate_new},
    {ADIT_STR_INIT("x-deflate"), ADIT_CODING_DEFLATE, adit_inflate_new},
    {ADIT_STR_INIT("zstd"), ADIT_CODING_ZSTD, adit_unzstd_new},
    {ADIT_STR_INIT(""), ADIT_CODING_ZLIB, adit_inflate_new},
    {ADIT_STR_INIT(""), ADIT_CODING_RAW, adit_inflate_new},
};

enum adit_code adit_decoder_emit(struct adit_decoder *d, const uint8_t *p, size_t len)
{
    if (len == 0) return ADIT_OK;
    d->out += len;
    return d->next->write(d->next, (const char *)p, len);
}

enum adit_code adit_decoder_guard(const struct adit_decoder *d, uint64_t consumed)
{
    bool bomb = d->out >= ADIT_LIMIT_ratio_from && d->out / ADIT_LIMIT_ratio >= consumed &&
                d->out > consumed * ADIT_LIMIT_ratio;
    bool idle = consumed > IDLE_FROM && consumed - IDLE_FROM > d->out + d->out / 8;
    return bomb || idle ? ADIT_ELIMIT : ADIT_OK;
}

enum adit_code adit_decoder_new(struct adit_mem mem, enum adit_coding coding,
                                struct adit_sink *next, struct adit_decoder **out)
{
    *out = NULL;
    for (size_t i = 0; i < ADIT_COUNT(codings); i++) {
        if (codings[i].coding != coding) continue;
        ADIT_TRY(codings[i].make(mem, coding, out));
        (*out)->next = next;
        return ADIT_OK;
    }
    return ADIT_EUNSUP;
}

/* Reads the list into which[], in its order; n becomes their number. */
static enum adit_code read_codings(struct adit_str list, enum adit_coding *which, size_t *n)
{
    struct adit_str part;
    while (adit_str_split(&list, ',', &part)) {
        part = adit_str_trim(part);
        if (part.len == 0 || adit_str_ieq(part, ADIT_STR("identity"))) continue;
        size_t i = 0;
        while (i < ADIT_COUNT(codings) && !adit_str_ieq(part, codings[i].name)) i++;
        if (i == ADIT_COUNT(codings) || *n == ADIT_CODING_CHAIN_MAX) return ADIT_EUNSUP;
        which[(*n)++] = codings[i].coding;
    }
    return ADIT_OK;
}

enum adit_code adit_decoder_chain(struct adit_mem mem, struct adit_str content_encoding,
                                  struct adit_sink *next, struct adit_decoder **out)
{
    enum adit_coding which[ADIT_CODING_CHAIN_MAX];
    size_t n = 0;
    struct adit_decoder *first = NULL;
    *out = NULL;
    ADIT_TRY(read_codings(content_encoding, which, &n));
    /* The coding applied last is undone first. */
    for (size_t i = 0; i < n; i++) {
        struct adit_decoder *d;
        enum adit_code code = adit_decoder_new(mem, which[i], first ? &first->sink : next, &d);
        if (code != ADIT_OK) {
            adit_decoder_free(first);
            return code;
        }
        d->inner = first;
        first = d;
    }
    *out = first;
    return ADIT_OK;
}

bool adit_decoder_damaged(const struct adit_decoder *d)
{
    while (d && !d->damaged) d = d->inner;
    return d != NULL;
}

void adit_decoder_free(struct adit_decoder *d)
{
    while (d) {
        struct adit_decoder *inner = d->inner;
        d->release(d);
        d = inner;
    }
}
