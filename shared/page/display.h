/* How elements are displayed, as far as tags and inline styles say. Internal to page/. */
#ifndef ADIT_DISPLAY_H
#define ADIT_DISPLAY_H

#include "page/tape.h"

/* What each tag is to the walk. */
enum {
    ADIT_TAG_BLOCK = 1,    /* ends the running leaf */
    ADIT_TAG_SKIP = 2,     /* nothing of it is content */
    ADIT_TAG_OBJECT = 4,   /* one item; children are not walked */
    ADIT_TAG_LINK = 8,     /* text inside counts as link text */
    ADIT_TAG_EMPH = 16,    /* … as emphasised */
    ADIT_TAG_PRE = 32,     /* white space is kept */
    ADIT_TAG_CLOSED = 64,  /* hidden unless it has the attribute `open` */
    ADIT_TAG_VOID = 128,   /* no item */
    ADIT_TAG_CODE = 256,   /* every character of it counts */
    ADIT_TAG_SCRIPT = 512, /* set higher or lower, part of the word it touches */
    ADIT_TAG_NOT_WALKED = ADIT_TAG_SKIP | ADIT_TAG_OBJECT | ADIT_TAG_VOID
};

extern const uint16_t adit_tag_kinds[LXB_TAG__LAST_ENTRY];

/* What a style attribute may say, beside ADIT_HIDDEN_STYLE. */
enum {
    ADIT_STYLE_BLOCK = 64,
    ADIT_STYLE_INLINE = 128,
    ADIT_STYLE_BITS = ADIT_STYLE_BLOCK | ADIT_STYLE_INLINE
};

/* What a style attribute says: ADIT_HIDDEN_STYLE, ADIT_STYLE_…. */
uint8_t adit_style_bits(struct adit_str style);

#endif
