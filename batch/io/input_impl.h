/* The inside of an input, shared by input.c (window, raw bytes) and decode.c (decoders). */
#ifndef ADIT_IO_INPUT_IMPL_H
#define ADIT_IO_INPUT_IMPL_H

#include "batch/io/io.h"

#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>

enum {
    RAW_CAP = 4 << 20,   /* encoded bytes held */
    RAW_AHEAD = 1 << 20, /* encoded bytes wanted at the start of a member, so that it fits whole */
    ROOM = 1 << 20,      /* free window before a member is decoded at once */
    STEP = 128 << 10,    /* decoded bytes a step of the streaming decoders */
    AGAIN_FREE = 64 << 20, /* bytes that may be decoded once more, however small the file is */
    PLACES_MAX = 1 << 16   /* members whose places are held */
};

struct input {
    struct input_options options;
    enum input_coding coding;
    enum adit_code code;
    const char *message;
    bool ended; /* nothing more will enter the window */

    struct input_source *source; /* shared with far */
    uint64_t read_at;            /* where it is read next */
    bool raw_ended;
    uint64_t size, raw_offset; /* raw_offset: of raw[raw_pos] */
    char *raw;
    size_t raw_cap, raw_pos, raw_len, member; /* raw[member]: start of the member under way */
    bool in_member;

    char *win;
    unsigned char *starts; /* a bit for each byte of win: a member begins here. options.recover */
    size_t pos, len, cap, max;
    uint64_t parts; /* members or frames begun */
    uint64_t taken, decoded;
    uint64_t work; /* bytes decoded, moved and searched so far */
    /* The member begun last: decoded and encoded offset of its first byte, parts before it. */
    uint64_t member_decoded, member_raw, member_parts;
    uint64_t raw_furthest, damaged; /* encoded bytes ever taken; bytes that damaged members gave */

    /* Members that were begun at or before what is in the window and after, with options.recover. Where
     * there are too many, the last one says from where on their places are not known. */
    struct input_place {
        uint64_t decoded, raw; /* raw UINT64_MAX: unknown */
    } *places;
    size_t n_places, cap_places;

    struct input *far;  /* a second reader, somewhere else in the same file; see far.c */
    uint64_t far_again; /* bytes that far decoded a second time */

    struct libdeflate_decompressor *deflate;
    z_stream *z; /* once a member needed it */
    ZSTD_DCtx *zstd;
    int zstd_log_max;       /* of a frame's history; 0: libzstd's own limit, 27 */
    ZSTD_DDict *dictionary; /* of the file's zstd frames; far has the same one */
};

/* Reads until at least want encoded bytes are at hand, or the end. */
size_t input_raw_fill(struct input *in, size_t want);
void input_raw_take(struct input *in, size_t n);
size_t input_read_at(struct input *in, uint64_t offset, char *to, size_t len);
/* Makes room for n more bytes in the window; false: the window is full (window_max). */
bool input_room(struct input *in, size_t n);
void input_fail(struct input *in, enum adit_code code, const char *message);

/* Finds out what the encoded bytes are, and sets up the decoder. */
void input_sniff(struct input *in);
/* Notes that a member begins at the window's end, and at the encoded bytes' position. */
void input_begin_member(struct input *in);
/* One step: adds to the window, or sets ended. */
void input_decode_gzip(struct input *in);
void input_decode_zstd(struct input *in);
/* Moves raw_pos to the next plausible member or frame after the damaged one. */
bool input_resync(struct input *in);
void input_decode_free(struct input *in);

/* Goes to the decoded offset `to`, if the second reader is there already. */
bool input_far_jump(struct input *in, uint64_t to);
void input_far_free(struct input *in);

#endif
