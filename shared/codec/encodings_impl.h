/* The table of encodings. Not for other folders. */
#ifndef ADIT_CODEC_ENCODINGS_IMPL_H
#define ADIT_CODEC_ENCODINGS_IMPL_H

#include "codec/codec.h"

#include <lexbor/encoding/base.h>

enum adit_encoding_kind {
    ADIT_ENCODING_UTF8,
    ADIT_ENCODING_SINGLE, /* a byte is a character */
    ADIT_ENCODING_MULTI,  /* several bytes a character; an ASCII byte at a boundary is itself */
    ADIT_ENCODING_STATE,  /* escape sequences (ISO-2022-JP) */
    ADIT_ENCODING_UTF16,
    ADIT_ENCODING_NONE, /* "replacement": not to be decoded, for safety */
};

struct adit_encoding {
    const char *name;
    enum adit_encoding_kind kind;
    lxb_encoding_decode_single_f decode; /* of one code point */
    const char *labels;                  /* separated by spaces, lower case */
};

/* The row for a label, white space around it and case ignored; NULL if there is none. */
const struct adit_encoding *adit_encoding_find(struct adit_str label);

/* Appends body decoded with e. */
enum adit_code adit_encoding_decode(const struct adit_encoding *e, struct adit_str body,
                                    struct adit_buf *out);

/* The encoding that an HTML page declares in its first bytes; NULL if none (prescan.c). */
const struct adit_encoding *adit_prescan(struct adit_str body);

/* The value of lang, else of xml:lang, of a tag; tag begins with its name. */
struct adit_str adit_tag_lang(struct adit_str tag);

#endif
