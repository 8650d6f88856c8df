/* input: the bytes of a file or a pipe, decompressed by what they are (magic bytes), never by name.
 *
 * A pull interface with a window: input_peek shows the next bytes without taking them, input_skip
 * takes them. Plain, gzip (any number of members) and zstd (any number of frames, skippable ones
 * included, a WARC dictionary frame in front too) look the same to the caller.
 *
 *     struct input *in = input_open(path, NULL);
 *     while (input_line(in, max, &line)) …
 *     if (input_code(in)) cli_say(path, "%s", input_message(in));
 */
#ifndef ADIT_INPUT_H
#define ADIT_INPUT_H

#include "batch/cli.h"

enum input_coding { INPUT_PLAIN, INPUT_GZIP, INPUT_ZSTD };

struct input_options {
    size_t window_max; /* most bytes that input_peek and input_line can show; 0: 16 MiB */
    bool guard_ratio;  /* stop with ADIT_ELIMIT beyond 100:1 (SCP, Resource Exhaustion) */
    bool recover;      /* go on after damaged members: see input_recover */
};

struct input;

/* path "-" is stdin. Says on stderr what is wrong and returns NULL if it cannot be opened or there
 * is no memory; options may be NULL (all zero). */
struct input *input_open(const char *path, const struct input_options *options);
/* The same over bytes in memory, which must outlive the input. */
struct input *input_open_bytes(struct adit_str bytes, const struct input_options *options);
void input_close(struct input *in); /* NULL is fine */

/* The next bytes: at least `want` of them (capped at window_max) unless the input ends, is damaged
 * or fails before. Shows all that is at hand, so it may be more. Valid until the next call. */
struct adit_str input_peek(struct input *in, size_t want);
/* Takes n bytes, which may be more than the window. False if the input ended before. */
bool input_skip(struct input *in, uint64_t n);
/* Takes a line without its LF; the last one may lack it. False at the end, on an error, or when
 * the line is longer than max (then input_code is ADIT_ELIMIT). */
bool input_line(struct input *in, size_t max, struct adit_str *line);

/* ADIT_OK at a proper end. ADIT_EBAD: undecodable; ADIT_EEOF: compressed stream cut off;
 * ADIT_ELIMIT: ratio, or line too long; ADIT_EIO: read error; ADIT_ENOMEM. */
enum adit_code input_code(const struct input *in);
const char *input_message(const struct input *in); /* says why; "" when all is well */

/* With options.recover, damage ends the window: input_peek shows what came before it, and
 * input_code is ADIT_EBAD or ADIT_EEOF. Once the caller has used that, input_recover searches for
 * the next member or frame, clears the error and returns true; false: there is none. Bytes on
 * the two sides do not belong together. */
bool input_recover(struct input *in);

/* What stands `distance` bytes ahead, however far that is, without taking anything. A window's
 * reach is looked at in the window, more of a plain file by reading there; for more of a compressed
 * file a second decoder goes ahead, and input_skip to that place takes over its work. Distances
 * that grow cost no more than one more reading of the file; for those that go back there is a
 * budget. */
enum input_view_state {
    INPUT_SHOWN,   /* bytes: `want` of them, unless the input ends or is damaged before */
    INPUT_BEYOND,  /* the input ends before that place */
    INPUT_DAMAGED, /* or cannot be read up to there */
    INPUT_UNKNOWN  /* a pipe, and too far away; a frame that needs much memory; no budget left */
};
struct input_view {
    enum input_view_state state;
    struct adit_str bytes; /* `want` of them at most; valid until the next call */
    size_t member;         /* the first of bytes that begins a gzip member or zstd frame; SIZE_MAX:
                              none does. Known with options.recover only */
};
struct input_view input_ahead(struct input *in, uint64_t distance, size_t want);
/* Whether a member begins at byte `at` of what input_peek shows. */
bool input_starts_member(const struct input *in, size_t at);
/* Bytes decoded, moved and searched so far, the second decoder's too: noise-free, for tests. */
uint64_t input_work(const struct input *in);

enum input_coding input_coding(const struct input *in);
uint64_t input_offset(const struct input *in);        /* decoded bytes taken so far */
uint64_t input_member_offset(const struct input *in); /* decoded offset where the member that is
                                                         decoded now (the damaged one) begins */
uint64_t input_consumed(const struct input *in);      /* encoded bytes read so far */
uint64_t input_size(const struct input *in);          /* encoded size of a regular file, else 0 */
uint64_t input_parts(const struct input *in);         /* gzip members or zstd frames begun so far */

#endif
