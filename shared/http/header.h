/* Header fields: lists of them, edits to them, and what their values say (RFC 9110, 9111, 8288). */
#ifndef ADIT_HTTP_HEADER_H
#define ADIT_HTTP_HEADER_H

#include "base/base.h"

struct adit_header {
    struct adit_str name, value; /* names in lower case when we write them */
};

/* A growing list in an arena; the first failure sticks in err. */
struct adit_headers {
    struct adit_header *v;
    size_t n, cap;
    struct adit_arena *arena;
    enum adit_code err;
    bool lost; /* a value could not be sent and was left out */
};

enum { ADIT_HEADERS_MAX = 512 };

/* Value of the first field of that name, or an empty slice. */
struct adit_str adit_header_get(const struct adit_header *v, size_t n, struct adit_str name);
bool adit_header_has(const struct adit_header *v, size_t n, struct adit_str name);
/* All values of that name joined with ", " (as RFC 9110, 5.3 allows for list fields); a slice of
 * the only value, or a copy in the arena. Without memory for the copy it is empty and *ok becomes
 * false (and is left alone otherwise). */
struct adit_str adit_header_all(const struct adit_header *v, size_t n, struct adit_str name,
                                struct adit_arena *arena, bool *ok);
/* The same for who need not know all: without memory it is the last value. */
struct adit_str adit_header_joined(const struct adit_header *v, size_t n, struct adit_str name,
                                   struct adit_arena *arena);
/* Whether a value may be sent: not empty, no control characters but TAB, within the limit. */
bool adit_header_sendable(struct adit_str value);
/* Appends a field. The value is copied; a value with CR, LF, NUL or other control characters, or
 * longer than ADIT_LIMIT_header_value, is left out altogether (h->lost), as is an empty one. */
void adit_headers_add(struct adit_headers *h, const char *name, struct adit_str value);

/* --- values -----------------------------------------------------------------------------------
 *
 * Takes the next element of a comma-separated list off *rest; commas inside quotes do not count;
 * empty elements are skipped; white space around is trimmed. False at the end. */
bool adit_list_next(struct adit_str *rest, struct adit_str *element);
/* Whether the list has an element whose token (up to ';' or '=') is that, case folded. *argument
 * (may be NULL) gets what stands behind '=', quotes removed. */
bool adit_list_has(struct adit_str list, struct adit_str token, struct adit_str *argument);
/* The quality of a coding in an Accept-Encoding value, in thousandths, as RFC 9110, 12.5.3 says;
 * -1 if the value does not speak of it, by name or "*". */
int adit_accept_q(struct adit_str accept, struct adit_str coding);
/* Whether a client that sent this Accept-Encoding can be answered at all: unencoded, or by a coding
 * that something between us and it may add. */
bool adit_accept_possible(struct adit_str accept_encoding);
/* Media type of a Content-Type value without parameters, trimmed. */
struct adit_str adit_media_type(struct adit_str content_type);
bool adit_media_is_html(struct adit_str content_type);
/* X-Robots-Tag values, joined: whether noindex (or none) is among the directives for every robot:
 * "googlebot: noindex" speaks to one only. */
bool adit_robots_noindex(struct adit_str robots);
/* All that it, or the content of <meta name=robots>, forbids to every robot; flags are only ever
 * set. */
struct adit_robots_tag {
    bool noindex, noarchive, nofollow;
};
void adit_robots_tag_read(struct adit_str value, struct adit_robots_tag *tag);
/* Whether a shared cache must not keep the answer and so nobody but its receiver may see it:
 * Cache-Control private or no-store, or Vary with Cookie, Authorization or "*". */
bool adit_is_private(struct adit_str cache_control, struct adit_str vary);

#endif
