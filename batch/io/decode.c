/* Decoders behind an input: gzip by libdeflate when a member fits (twice as fast), by zlib when it
 * does not; zstd; and finding the next member after a damaged one. */
#include "batch/io/input_impl.h"

#include <stdlib.h>
#include <string.h>
#include <zstd_errors.h>

enum {
    GZIP_HEADER = 10,
    GZIP_SAMPLE = 1 << 10, /* encoded bytes that must show a member's header and its first text */
    AGAIN_RATIO = 16,      /* bytes decoded in vain per encoded byte, beside AGAIN_FREE */
    ZSTD_HEADER = 8,
    DICTIONARY_MAX = 16 << 20 /* a trained dictionary has about 100 KB */
};

static const char gzip_magic[] = {'\x1f', '\x8b', '\x08'};
static const char zstd_magic[] = {'\x28', '\xb5', '\x2f', '\xfd'};
/* "Zstandard Compression of WARC files": a skippable frame 0x184D2A5D at the file's start holds the
 * dictionary of all later frames. */
static const char dict_magic[] = {'\x5d', '\x2a', '\x4d', '\x18'};

static bool starts(const char *p, size_t len, const char *magic, size_t n)
{
    return len >= n && memcmp(p, magic, n) == 0;
}

/* A skippable frame: 0x184D2A50 … 0x184D2A5F (RFC 8878, 3.1.2). */
static bool is_skippable(const char *p, size_t len)
{
    return len >= 4 && ((unsigned char)p[0] & 0xf0) == 0x50 &&
           memcmp(p + 1, dict_magic + 1, 3) == 0;
}

static uint32_t le32(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    return u[0] | (uint32_t)u[1] << 8 | (uint32_t)u[2] << 16 | (uint32_t)u[3] << 24;
}

/* --- gzip ------------------------------------------------------------------------------------- */

/* The whole member at once. False: it does not fit, is cut off, or is damaged; zlib will tell. */
static bool gzip_at_once(struct input *in)
{
    for (size_t room = ROOM; input_room(in, room); room *= 2) {
        size_t used, got;
        enum libdeflate_result r = libdeflate_gzip_decompress_ex(
            in->deflate, in->raw + in->raw_pos, in->raw_len - in->raw_pos, in->win + in->len,
            in->cap - in->len, &used, &got);
        if (r == LIBDEFLATE_SUCCESS) {
            in->len += got;
            in->decoded += got;
            input_raw_take(in, used);
            return true;
        }
        if (r != LIBDEFLATE_INSUFFICIENT_SPACE) return false;
    }
    return false;
}

/* zlib at the start of a member. Its state lives apart from the input: it must not move. */
static bool reset_inflate(struct input *in)
{
    if (in->z) return inflateReset(in->z) == Z_OK;
    z_stream *z = calloc(1, sizeof *z);
    if (!z || inflateInit2(z, 16 + MAX_WBITS) != Z_OK) {
        free(z);
        return false;
    }
    in->z = z;
    return true;
}

static void gzip_stream(struct input *in)
{
    if (!input_room(in, STEP)) return;
    input_raw_fill(in, 1);
    in->z->next_in = (Bytef *)(in->raw + in->raw_pos);
    in->z->avail_in = (uInt)(in->raw_len - in->raw_pos);
    in->z->next_out = (Bytef *)(in->win + in->len);
    in->z->avail_out = (uInt)STEP;
    uInt had = in->z->avail_in;
    int r = inflate(in->z, Z_NO_FLUSH);
    size_t got = STEP - in->z->avail_out;
    input_raw_take(in, had - in->z->avail_in);
    in->len += got;
    in->decoded += got;
    if (r == Z_STREAM_END)
        in->in_member = false;
    else if (r == Z_BUF_ERROR && had == 0)
        input_fail(in, ADIT_EEOF, "the gzip data is cut off");
    else if (r != Z_OK && r != Z_BUF_ERROR)
        input_fail(in, r == Z_MEM_ERROR ? ADIT_ENOMEM : ADIT_EBAD, "damaged gzip data");
}

/* Padding with zeros after the last member is usual on tapes and in some object stores. */
static bool gzip_padding(struct input *in)
{
    while (input_raw_fill(in, 1)) {
        if (in->raw[in->raw_pos]) return false;
        input_raw_take(in, 1);
    }
    return true;
}

void input_decode_gzip(struct input *in)
{
    if (in->in_member) {
        gzip_stream(in);
        return;
    }
    if (input_raw_fill(in, RAW_AHEAD) == 0 || gzip_padding(in)) {
        if (!in->code) in->ended = true;
        return;
    }
    input_begin_member(in);
    in->parts++;
    if (!starts(in->raw + in->raw_pos, in->raw_len - in->raw_pos, gzip_magic, sizeof gzip_magic)) {
        input_fail(in, ADIT_EBAD, "something that is not gzip follows a gzip member");
        return;
    }
    if (gzip_at_once(in)) {
        in->in_member = false;
        return;
    }
    if (in->code) return;
    if (!reset_inflate(in)) input_fail(in, ADIT_ENOMEM, "out of memory");
}

/* --- zstd ------------------------------------------------------------------------------------- */

/* Loads the dictionary frame, whose content may itself be a zstd frame. */
static void load_dictionary(struct input *in)
{
    uint32_t len = le32(in->raw + in->raw_pos + 4);
    input_raw_take(in, ZSTD_HEADER);
    char *dict = len <= DICTIONARY_MAX ? malloc(len + 1) : NULL;
    if (!dict) {
        input_fail(in, ADIT_ELIMIT, "the zstd dictionary is too large");
        return;
    }
    size_t have = 0;
    while (have < len && input_raw_fill(in, 1)) {
        size_t n = in->raw_len - in->raw_pos;
        if (n > len - have) n = len - have;
        memcpy(dict + have, in->raw + in->raw_pos, n);
        input_raw_take(in, n);
        have += n;
    }
    if (starts(dict, have, zstd_magic, sizeof zstd_magic)) {
        unsigned long long plain = ZSTD_getFrameContentSize(dict, have);
        if (plain > DICTIONARY_MAX) plain = DICTIONARY_MAX; /* unknown, too */
        char *out = malloc((size_t)plain + 1);
        size_t n = out ? ZSTD_decompress(out, (size_t)plain, dict, have) : 0;
        if (out && !ZSTD_isError(n)) in->dictionary = ZSTD_createDDict(out, n);
        free(out);
    } else {
        in->dictionary = ZSTD_createDDict(dict, have);
    }
    free(dict);
    if (have < len || !in->dictionary || ZSTD_isError(ZSTD_DCtx_refDDict(in->zstd, in->dictionary)))
        input_fail(in, ADIT_EBAD, "damaged zstd dictionary");
}

void input_decode_zstd(struct input *in)
{
    if (!input_room(in, STEP)) return;
    size_t had = input_raw_fill(in, 1);
    if (!in->in_member) {
        if (had == 0) {
            if (!in->code) in->ended = true;
            return;
        }
        had = input_raw_fill(in, ZSTD_HEADER);
        const char *p = in->raw + in->raw_pos;
        input_begin_member(in);
        ZSTD_DCtx_setParameter(in->zstd, ZSTD_d_windowLogMax, in->zstd_log_max);
        in->parts += starts(p, had, zstd_magic, sizeof zstd_magic);
        if (!starts(p, had, zstd_magic, sizeof zstd_magic) && !is_skippable(p, had)) {
            input_fail(in, ADIT_EBAD, "something that is not zstd follows a zstd frame");
            return;
        }
    }
    ZSTD_inBuffer src = {in->raw + in->raw_pos, had, 0};
    ZSTD_outBuffer dst = {in->win + in->len, STEP, 0};
    size_t r = ZSTD_decompressStream(in->zstd, &dst, &src);
    input_raw_take(in, src.pos);
    in->len += dst.pos;
    in->decoded += dst.pos;
    if (ZSTD_isError(r) && in->zstd_log_max &&
        ZSTD_getErrorCode(r) == ZSTD_error_frameParameter_windowTooLarge)
        input_fail(in, ADIT_ELIMIT, "the zstd frame needs too much memory");
    else if (ZSTD_isError(r))
        input_fail(in, ADIT_EBAD, "damaged zstd data");
    else if (r == 0)
        in->in_member = false;
    else if (had == 0 && dst.pos == 0)
        input_fail(in, ADIT_EEOF, "the zstd data is cut off");
}

/* --- what it is ------------------------------------------------------------------------------- */

void input_sniff(struct input *in)
{
    size_t len = input_raw_fill(in, GZIP_HEADER);
    const char *p = in->raw;
    if (starts(p, len, gzip_magic, sizeof gzip_magic)) {
        in->coding = INPUT_GZIP;
        in->deflate = libdeflate_alloc_decompressor();
        if (!in->deflate) input_fail(in, ADIT_ENOMEM, "out of memory");
    } else if (starts(p, len, zstd_magic, sizeof zstd_magic) || is_skippable(p, len)) {
        in->coding = INPUT_ZSTD;
        in->zstd = ZSTD_createDCtx();
        if (!in->zstd)
            input_fail(in, ADIT_ENOMEM, "out of memory");
        else if (starts(p, len, dict_magic, sizeof dict_magic) && len >= ZSTD_HEADER)
            load_dictionary(in);
    }
}

/* --- after damage ----------------------------------------------------------------------------- */

/* Whether a gzip member begins here whose content begins as text: what a WARC or ARC record, or a
 * JSON line does. Three magic bytes alone are met by chance every 16 MB. */
static bool plausible_gzip(struct input *in, const char *p, size_t len)
{
    if (len < GZIP_HEADER || ((unsigned char)p[3] & 0xe0) || !reset_inflate(in)) return false;
    char text[32];
    in->z->next_in = (Bytef *)p;
    in->z->avail_in = (uInt)(len < GZIP_SAMPLE ? len : GZIP_SAMPLE);
    in->z->next_out = (Bytef *)text;
    in->z->avail_out = sizeof text;
    int r = inflate(in->z, Z_SYNC_FLUSH);
    size_t got = sizeof text - in->z->avail_out;
    in->work += (size_t)((const char *)in->z->next_in - p);
    if (r != Z_OK && r != Z_STREAM_END) return false;
    for (size_t i = 0; i < got; i++)
        if ((text[i] < 32 || text[i] > 126) && text[i] != '\r' && text[i] != '\n') return false;
    return got > 0;
}

/* Back to the start of the damaged member, as far as it is still here: it may have run on over
 * the next one. Where members that begin inside of others keep failing, on to what nobody has read:
 * a few KB could be decoded to a GB again and again. */
static void leave_damaged(struct input *in)
{
    if (in->raw_furthest < in->raw_offset) in->raw_furthest = in->raw_offset;
    in->damaged += in->decoded - in->member_decoded;
    size_t back = in->in_member ? in->raw_pos - in->member : 0, on = 0;
    if (in->damaged > AGAIN_FREE + AGAIN_RATIO * in->raw_furthest) {
        back = 0;
        on = (size_t)(in->raw_furthest - in->raw_offset); /* was read, so it is still here */
    }
    in->raw_pos = in->raw_pos - back + on;
    in->raw_offset = in->raw_offset - back + on;
    in->in_member = false;
}

bool input_resync(struct input *in)
{
    leave_damaged(in);
    bool gzip = in->coding == INPUT_GZIP;
    const char *magic = gzip ? gzip_magic : zstd_magic;
    size_t magic_len = gzip ? sizeof gzip_magic : sizeof zstd_magic;
    if (in->zstd) ZSTD_DCtx_reset(in->zstd, ZSTD_reset_session_only);
    for (size_t from = in->raw_offset == in->member_raw;; from = 0) {
        size_t len = input_raw_fill(in, RAW_AHEAD);
        if (len < GZIP_HEADER) return false;
        const char *p = in->raw + in->raw_pos;
        size_t at = adit_str_find(adit_str_of(p, len), adit_str_of(magic, magic_len), from);
        in->work += at;
        if (at < len && (!gzip || plausible_gzip(in, p + at, len - at))) {
            input_raw_take(in, at);
            return true;
        }
        /* Keep a magic that may be cut in two by the end of what is at hand. */
        input_raw_take(in, at < len ? at + 1 : len - (magic_len - 1));
        if (at >= len && in->raw_ended) return false;
    }
}

void input_decode_free(struct input *in)
{
    libdeflate_free_decompressor(in->deflate);
    if (in->z) inflateEnd(in->z);
    free(in->z);
    ZSTD_freeDCtx(in->zstd);
    ZSTD_freeDDict(in->dictionary);
}
