/* The window over decoded bytes, and the encoded bytes behind it. */
#include "batch/io/input_impl.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void input_fail(struct input *in, enum adit_code code, const char *message)
{
    in->code = code;
    in->message = message;
    in->ended = true;
}

/* --- encoded bytes ---------------------------------------------------------------------------- */

size_t input_read_at(struct input *in, uint64_t offset, char *to, size_t len)
{
    const char *why = NULL;
    size_t n = in->source->read(in->source, offset, to, len, &why);
    if (n == 0 && why) input_fail(in, ADIT_EIO, why);
    return n;
}

static size_t raw_read(struct input *in, char *to, size_t len)
{
    size_t n = input_read_at(in, in->read_at, to, len);
    in->read_at += n;
    return n;
}

/* Most encoded bytes that are looked at before or behind raw_pos. */
static size_t ahead(const struct input *in) { return in->raw_cap / 4; }

/* Drops what lies before raw_pos, except the member under way: if it turns out to be damaged, the
 * search for the next one starts inside it. A member larger than the look-back loses its head. */
static void raw_compact(struct input *in)
{
    size_t keep = in->raw_pos;
    if (in->in_member && in->options.recover)
        keep = in->raw_pos - in->member > ahead(in) ? in->raw_pos - ahead(in) : in->member;
    memmove(in->raw, in->raw + keep, in->raw_len - keep);
    in->raw_len -= keep;
    in->raw_pos -= keep;
    in->member = in->member > keep ? in->member - keep : 0;
}

size_t input_raw_fill(struct input *in, size_t want)
{
    if (want > ahead(in)) want = ahead(in);
    if (in->raw_len - in->raw_pos >= want) return in->raw_len - in->raw_pos;
    if (in->raw_cap - in->raw_pos < want || in->raw_pos > in->raw_cap / 2) raw_compact(in);
    while (in->raw_len - in->raw_pos < want && !in->raw_ended && in->raw_len < in->raw_cap) {
        size_t n = raw_read(in, in->raw + in->raw_len, in->raw_cap - in->raw_len);
        if (n == 0) in->raw_ended = true;
        in->raw_len += n;
    }
    return in->raw_len - in->raw_pos;
}

void input_raw_take(struct input *in, size_t n)
{
    in->raw_pos += n;
    in->raw_offset += n;
}

/* --- the window ------------------------------------------------------------------------------- */

/* Bytes of the bit map for n bytes of the window, and one more that may begin a member. */
static size_t bits(size_t n) { return n / 8 + 1; }

/* Drops bytes that were taken, by whole bytes of the bit map. */
static void compact(struct input *in, size_t drop)
{
    size_t had = bits(in->len);
    memmove(in->win, in->win + drop, in->len - drop);
    in->work += in->len - drop;
    in->len -= drop;
    in->pos -= drop;
    if (!in->starts) return;
    memmove(in->starts, in->starts + drop / 8, bits(in->len));
    memset(in->starts + bits(in->len), 0, had - bits(in->len));
}

/* Enlarges the window and its bit map. */
static bool enlarge(struct input *in, size_t cap)
{
    char *win = realloc(in->win, cap);
    if (win) in->win = win;
    unsigned char *starts = in->options.recover ? realloc(in->starts, bits(cap)) : NULL;
    if (starts) {
        size_t had = in->starts ? bits(in->cap) : 0;
        memset(starts + had, 0, bits(cap) - had);
        in->starts = starts;
    }
    if (!win || (in->options.recover && !starts)) {
        input_fail(in, ADIT_ENOMEM, "out of memory");
        return false;
    }
    in->cap = cap;
    return true;
}

bool input_room(struct input *in, size_t n)
{
    if (in->cap - in->len >= n) return true;
    size_t drop = in->pos & ~(size_t)7;
    if (n > in->max - (in->len - drop)) return false;
    if (drop) compact(in, drop);
    if (in->cap - in->len >= n) return true;
    size_t cap = in->cap ? in->cap : 2 * (size_t)STEP;
    while (cap < in->len + n) cap *= 2;
    return enlarge(in, cap > in->max ? in->max : cap);
}

/* Forgets members that end before what is to be taken next. */
static void drop_places(struct input *in)
{
    size_t drop = 0;
    while (in->places && drop + 1 < in->n_places && in->places[drop + 1].decoded <= in->taken)
        drop++;
    if (!drop) return;
    in->n_places -= drop;
    memmove(in->places, in->places + drop, in->n_places * sizeof *in->places);
}

/* Of members without a byte in them only the last one is of interest. */
static void note_place(struct input *in)
{
    struct input_place here = {in->decoded, in->raw_offset};
    struct input_place *last = in->n_places ? &in->places[in->n_places - 1] : NULL;
    if (last && last->decoded == here.decoded) {
        *last = here;
        return;
    }
    if (in->n_places == in->cap_places && in->n_places > PLACES_MAX / 2) drop_places(in);
    last = in->n_places ? &in->places[in->n_places - 1] : NULL;
    if (in->n_places == in->cap_places) {
        size_t cap = in->cap_places ? in->cap_places * 2 : 16;
        struct input_place *v = cap <= PLACES_MAX ? realloc(in->places, cap * sizeof *v) : NULL;
        if (!v) {
            if (last && last->raw != UINT64_MAX) last->raw = UINT64_MAX;
            return;
        }
        in->places = v;
        in->cap_places = cap;
    }
    if (in->places) in->places[in->n_places++] = here;
}

uint64_t input_stored(struct input *in, size_t at)
{
    uint64_t decoded = in->taken + at, raw = UINT64_MAX;
    if (in->coding == INPUT_PLAIN) return decoded;
    drop_places(in);
    for (size_t i = 0; i < in->n_places && in->places[i].decoded <= decoded; i++)
        raw = in->places[i].raw;
    return raw;
}

uint64_t input_stored_end(struct input *in)
{
    drop_places(in);
    if (in->n_places > 1) return in->places[1].raw == UINT64_MAX ? 0 : in->places[1].raw;
    return in->ended && !in->in_member && !in->code ? in->raw_offset : 0;
}

void input_begin_member(struct input *in)
{
    if (in->options.recover) note_place(in);
    in->member = in->raw_pos;
    in->member_raw = in->raw_offset;
    in->member_decoded = in->decoded;
    in->member_parts = in->parts;
    in->in_member = true;
    if (in->starts) in->starts[in->len / 8] |= (unsigned char)(1u << in->len % 8);
}

bool input_starts_member(const struct input *in, size_t at)
{
    size_t i = in->pos + at;
    return in->starts && i <= in->len && (in->starts[i / 8] >> i % 8 & 1);
}

static void step_plain(struct input *in)
{
    if (!input_room(in, STEP)) return;
    size_t n = in->raw_len - in->raw_pos, room = in->cap - in->len;
    if (n) { /* what was read for the sniffing */
        if (n > room) n = room;
        memcpy(in->win + in->len, in->raw + in->raw_pos, n);
        input_raw_take(in, n);
    } else {
        n = raw_read(in, in->win + in->len, room);
        in->raw_offset += n;
        if (n == 0) in->ended = true;
    }
    in->len += n;
    in->decoded += n;
}

static void check_ratio(struct input *in)
{
    if (in->options.guard_ratio && in->coding != INPUT_PLAIN &&
        in->decoded >= ADIT_LIMIT_ratio_from && in->decoded / ADIT_LIMIT_ratio > in->raw_offset)
        input_fail(in, ADIT_ELIMIT, "decompresses to more than 100 times its size");
}

static void (*const steps[])(struct input *) = {
    [INPUT_PLAIN] = step_plain,
    [INPUT_GZIP] = input_decode_gzip,
    [INPUT_ZSTD] = input_decode_zstd,
};

struct adit_str input_peek(struct input *in, size_t want)
{
    if (want > in->max) want = in->max;
    while (in->len - in->pos < want && !in->ended) {
        size_t before = in->len - in->pos;
        steps[in->coding](in);
        in->work += in->len - in->pos - before;
        check_ratio(in);
        /* A full window (compact leaves up to 7 bytes): what is there must do. */
        if (in->len - in->pos == before && !in->ended && in->max - before < STEP + 8) break;
    }
    return adit_str_of(in->win + in->pos, in->len - in->pos);
}

bool input_skip(struct input *in, uint64_t n)
{
    if (in->far && n > in->len - in->pos && input_far_jump(in, in->taken + n)) return true;
    while (n) {
        size_t have = in->len - in->pos;
        if (!have) {
            have = input_peek(in, 1).len;
            if (!have) return false;
        }
        size_t part = n < have ? (size_t)n : have;
        in->pos += part;
        in->taken += part;
        n -= part;
    }
    return true;
}

bool input_line(struct input *in, size_t max, struct adit_str *line)
{
    size_t want = 1, seen = 0;
    for (;;) {
        struct adit_str s = input_peek(in, want);
        size_t lf = adit_str_chr(s, '\n', seen);
        bool last = lf == s.len && s.len < want;
        if (last && (s.len == 0 || in->code)) return false;
        if (lf > max || (lf == s.len && !last && s.len >= in->max)) {
            input_fail(in, ADIT_ELIMIT, "a line is too long");
            return false;
        }
        if (lf < s.len || last) {
            *line = adit_str_of(s.p, lf);
            in->pos += lf + !last;
            in->taken += lf + !last;
            return true;
        }
        seen = s.len;
        want = s.len + 1;
    }
}

bool input_recover(struct input *in)
{
    if (!in->options.recover || (in->code != ADIT_EBAD && in->code != ADIT_EEOF)) return false;
    input_skip(in, in->len - in->pos);
    if (!input_resync(in)) return false;
    in->code = ADIT_OK;
    in->message = "";
    in->ended = false;
    return true;
}

/* --- opening and closing ---------------------------------------------------------------------- */

struct input *input_open_source(struct input_source *source, const struct input_options *options)
{
    struct input *in = source ? calloc(1, sizeof *in) : NULL;
    if (!in) {
        source_close(source);
        return NULL;
    }
    if (options) in->options = *options;
    in->max = in->options.window_max ? in->options.window_max : 16u << 20;
    if (in->max < 2 * (size_t)STEP) in->max = 2 * (size_t)STEP;
    in->source = source;
    in->size = source->size;
    in->zstd_log_max = in->options.zstd_log_max;
    in->message = "";
    in->raw_cap = in->options.raw_max ? in->options.raw_max : RAW_CAP;
    in->raw = malloc(in->raw_cap);
    if (!in->raw || !input_room(in, STEP)) {
        input_close(in);
        return NULL;
    }
    input_sniff(in);
    return in;
}

struct input *input_open(const char *path, const struct input_options *options)
{
    const char *why = NULL;
    int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct input_source *source = source_file(fd, &why);
    if (!source) {
        cli_say(path, fd < 0 ? "cannot open: %s" : "%s", why);
        return NULL;
    }
    struct input *in = input_open_source(source, options);
    if (!in) cli_say(path, "out of memory");
    return in;
}

struct input *input_open_bytes(struct adit_str bytes, const struct input_options *options)
{
    return input_open_source(source_bytes(bytes), options);
}

struct input_source *input_source(struct input *in) { return in->source; }

void input_close(struct input *in)
{
    if (!in) return;
    input_far_free(in);
    input_decode_free(in);
    source_close(in->source);
    free(in->places);
    free(in->raw);
    free(in->win);
    free(in->starts);
    free(in);
}

enum adit_code input_code(const struct input *in) { return in->code; }
const char *input_message(const struct input *in) { return in->message; }
enum input_coding input_coding(const struct input *in) { return in->coding; }
uint64_t input_offset(const struct input *in) { return in->taken; }
uint64_t input_member_offset(const struct input *in) { return in->member_decoded; }
uint64_t input_consumed(const struct input *in) { return in->raw_offset; }
uint64_t input_size(const struct input *in) { return in->size; }
uint64_t input_parts(const struct input *in) { return in->parts; }
