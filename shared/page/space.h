/* White space as a browser renders it. Internal to page/.
 *
 * Runs of white space (also no-break and other Unicode spaces: a reader of text sees no
 * difference) become one space, or one LF where the caller saw a line break; none stands at the
 * ends. Soft hyphens, zero-width spaces and control characters vanish. */
#ifndef ADIT_SPACE_H
#define ADIT_SPACE_H

#include "base/base.h"

/* A text under way. out has room for all bytes that are added, one more for each break, and eight
 * more. */
struct adit_space {
    char *out;
    size_t len;
    char pending;        /* separator that stands before the next visible character, or 0 */
    uint32_t chars, cjk; /* visible code points; those of Chinese, Japanese and Korean among them */
};

void adit_space_add(struct adit_space *s, struct adit_str raw);
void adit_space_break(struct adit_space *s); /* a <br> */
bool adit_space_blank(struct adit_str raw);  /* nothing visible in it */

/* raw, collapsed, in the arena; {NULL, 0} and *ok false if there is no memory. */
struct adit_str adit_space_text(struct adit_arena *arena, struct adit_str raw, bool *ok);

/* Only what a browser never shows and no program should see in code: control characters but TAB
 * and LF, zero-width spaces, soft hyphens; CR LF and CR become LF, no-break spaces become spaces.
 * Writes at most raw.len bytes to out; returns how many. */
size_t adit_space_code(char *out, struct adit_str raw);

#endif
