/* What the files of the URL parser share. */
#ifndef ADIT_TEXT_URL_IMPL_H
#define ADIT_TEXT_URL_IMPL_H

#include "text/text.h"

/* Percent-encode sets (WHATWG URL, 1.3), from small to large; each also holds C0 controls and
 * everything from 0x7F on. PAGE is what RFC 3986 does not allow in path and query. */
enum {
    ADIT_SET_C0 = 1,
    ADIT_SET_FRAGMENT = 2,
    ADIT_SET_QUERY = 4,
    ADIT_SET_SPECIAL_QUERY = 8,
    ADIT_SET_PATH = 16,
    ADIT_SET_USERINFO = 32,
    ADIT_SET_PAGE = 64
};
bool adit_url_must_encode(char c, unsigned set);

/* Whether c is one of the characters of a constant (never NUL). */
static inline bool adit_url_is_one_of(char c, const char *set)
{
    while (*set && *set != c) set++;
    return *set != 0;
}

/* A part that is being written into room that suffices (three bytes for each of the input). */
struct adit_url_part {
    char *p;
    size_t len;
};
void adit_url_encode(struct adit_url_part *out, struct adit_str s, unsigned set);
/* Percent-decodes into out; the result may be ill-formed UTF-8. */
void adit_url_decode(struct adit_url_part *out, struct adit_str s);

/* Parses a host (WHATWG URL, 3.5); brackets and all. */
enum adit_code adit_url_host(struct adit_str s, bool special, struct adit_arena *arena,
                             struct adit_str *out);

/* Default port of a special scheme, "" for file; NULL if the scheme is not special. */
const char *adit_url_default_port(struct adit_str scheme);

#endif
