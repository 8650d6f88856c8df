/* Looking ahead of the window: in a plain file by reading there, in a compressed one by a second
 * reader of the same file, which decodes ahead.
 *
 * The second reader starts at the member that the first one is in and only goes forward. When the
 * first one skips to the place where the second one is, the two change places: the one ahead reads
 * on, the one behind becomes the second. So a file of one member is decoded twice at most, and one
 * with a member a record once, but for the parts that were looked at in vain. */
#include "batch/io/input_impl.h"

#include <stdlib.h>
#include <string.h>

enum {
    FAR_WINDOW = 2 * STEP,
    FAR_RAW = 2 * STEP,
    FAR_ZSTD_LOG = 23, /* 8 MB of history, what zstd -19 uses: a second decoder must stay small */
    /* Room in the window beyond what is looked at: without it, every few bytes that are taken would
     * cost a move of the whole window. */
    SLACK = ROOM + ROOM / 2
};

/* --- the second reader ------------------------------------------------------------------------ */

static void free_reader(struct input *far)
{
    input_decode_free(far);
    free(far->places);
    free(far->raw);
    free(far->win);
    free(far->starts);
    free(far);
}

void input_far_free(struct input *in)
{
    if (in->far) free_reader(in->far);
    in->far = NULL;
}

static void empty_window(struct input *in)
{
    if (in->starts) memset(in->starts, 0, in->len / 8 + 1);
    in->pos = in->len = in->n_places = 0;
    in->taken = in->decoded;
}

/* Puts far at the start of the member that in is in. */
static void start_over(struct input *far, const struct input *in)
{
    far->read_at = in->member_raw;
    far->raw_offset = far->member_raw = in->member_raw;
    far->raw_pos = far->raw_len = far->member = 0;
    far->raw_ended = far->in_member = far->ended = false;
    far->decoded = far->member_decoded = in->member_decoded;
    far->parts = far->member_parts = in->member_parts;
    far->code = ADIT_OK;
    far->message = "";
    if (far->zstd) ZSTD_DCtx_reset(far->zstd, ZSTD_reset_session_only);
    empty_window(far);
}

/* A reader of in's file, not yet at any place. NULL: out of memory. */
static struct input *new_reader(const struct input *in)
{
    struct input *far = calloc(1, sizeof *far);
    if (!far) return NULL;
    far->options = in->options;
    far->coding = in->coding;
    far->source = in->source;
    far->max = FAR_WINDOW;
    bool fine = input_room(far, STEP);
    if (fine && in->coding != INPUT_PLAIN) fine = (far->raw = malloc(FAR_RAW)) != NULL;
    far->raw_cap = FAR_RAW;
    if (fine && in->zstd) {
        far->zstd = ZSTD_createDCtx();
        far->zstd_log_max = FAR_ZSTD_LOG;
        fine = far->zstd &&
               (!in->dictionary || !ZSTD_isError(ZSTD_DCtx_refDDict(far->zstd, in->dictionary)));
    }
    if (fine) start_over(far, in);
    if (fine) return far;
    free_reader(far);
    return NULL;
}

/* What belongs to a reader wherever it is. */
static void keep_own(struct input *to, const struct input *from)
{
    to->options = from->options;
    to->size = from->size;
    to->raw = from->raw;
    to->raw_cap = from->raw_cap;
    to->win = from->win;
    to->starts = from->starts;
    to->cap = from->cap;
    to->max = from->max;
    to->work = from->work;
    to->far = from->far;
    to->far_again = from->far_again;
    to->deflate = from->deflate;
    to->zstd_log_max = from->zstd_log_max;
    to->dictionary = from->dictionary;
}

bool input_far_jump(struct input *in, uint64_t to)
{
    struct input *far = in->far;
    if (in->coding == INPUT_PLAIN || far->taken != to || to <= in->decoded) return false;
    empty_window(in);
    in->read_at = in->raw_offset;
    in->raw_pos = in->raw_len = in->member = 0;
    in->raw_ended = false;
    struct input here = *in, there = *far;
    *in = there;
    *far = here;
    keep_own(in, &here);
    keep_own(far, &there);
    /* far's buffers are the smaller ones, so what is in them fits. */
    memcpy(in->raw, far->raw, in->raw_len);
    memcpy(in->win, far->win, in->len);
    if (in->starts) {
        memcpy(in->starts, far->starts, in->len / 8 + 1);
        memset(far->starts, 0, in->len / 8 + 1);
    }
    return true;
}

/* --- looking ---------------------------------------------------------------------------------- */

static struct input_view shown(const struct input *in, struct adit_str s, size_t from, size_t want)
{
    struct input_view v = {INPUT_SHOWN, adit_str_sub(s, from, from + want), SIZE_MAX};
    for (size_t i = 0; in->starts && i <= v.bytes.len && v.member == SIZE_MAX; i++)
        if (input_starts_member(in, from + i)) v.member = i;
    return v;
}

static struct input_view not_reached(const struct input *in)
{
    bool unable = in->code == ADIT_ELIMIT || in->code == ADIT_ENOMEM;
    return (struct input_view){.state = unable     ? INPUT_UNKNOWN
                                        : in->code ? INPUT_DAMAGED
                                                   : INPUT_BEYOND};
}

/* The byte before that place must be there, too: it tells the end from what lies beyond. */
static struct input_view look_plain(struct input *in, uint64_t at, size_t want)
{
    struct input *far = in->far;
    if (want > far->cap - 1) want = far->cap - 1;
    size_t n = 0, got;
    far->code = ADIT_OK;
    while (n < want + 1 && (got = input_read_at(far, at - 1 + n, far->win + n, want + 1 - n)))
        n += got;
    in->work += n;
    return n ? shown(far, adit_str_of(far->win, n), 1, want) : not_reached(far);
}

static struct input_view look_decoded(struct input *in, uint64_t at, size_t want)
{
    struct input *far = in->far;
    bool past = at < far->taken;
    if (past && in->far_again > in->decoded + AGAIN_FREE)
        return (struct input_view){.state = INPUT_UNKNOWN};
    if (past || far->member_raw < in->member_raw) start_over(far, in);
    if (past) in->far_again += at - far->taken;
    if (!input_skip(far, at - far->taken)) return not_reached(far);
    return shown(far, input_peek(far, want), 0, want);
}

struct input_view input_ahead(struct input *in, uint64_t distance, size_t want)
{
    size_t reach = in->max - (in->max > 2 * (size_t)SLACK ? SLACK : in->max / 2);
    uint64_t at = in->taken + distance;
    /* A member that began behind that place is in the window, and so is that place. */
    bool near = (want <= reach && distance <= reach - want) || at < in->member_decoded;
    if (at >= distance && near) {
        struct adit_str s = input_peek(in, (size_t)distance + want);
        return s.len < distance ? not_reached(in) : shown(in, s, (size_t)distance, want);
    }
    if (!in->source->seekable) input_peek(in, reach); /* perhaps the end is near */
    if (at < distance || (in->ended && at > in->decoded)) return not_reached(in);
    if (!in->far && in->source->seekable) in->far = new_reader(in);
    if (!in->far) return (struct input_view){.state = INPUT_UNKNOWN};
    return in->coding == INPUT_PLAIN ? look_plain(in, at, want) : look_decoded(in, at, want);
}

uint64_t input_work(const struct input *in) { return in->work + (in->far ? in->far->work : 0); }
