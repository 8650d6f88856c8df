/* Conditional requests, ranges, dates and digests: the values of their fields (RFC 9110, 9530). */
#ifndef ADIT_HTTP_CONDITION_H
#define ADIT_HTTP_CONDITION_H

#include "base/base.h"

/* --- conditional requests (condition.c)
 * ------------------------------------------------------------
 *
 * Field values as received, several fields of one name joined with ", ". etag is ours, quoted. */

/* Whether If-Match names it: "*", or a list of tags, compared strongly. What is not a list of tags
 * names nothing. */
bool adit_if_match(struct adit_str value, struct adit_str etag);
/* Whether If-None-Match names it: "*", or a list of tags, compared weakly (proxies weaken tags).
 * What is not a list of tags names nothing. */
bool adit_if_none_match(struct adit_str value, struct adit_str etag);
/* Whether If-Range lets the range through: the same tag, both strong. Dates do not. */
bool adit_if_range(struct adit_str value, struct adit_str etag);

struct adit_range {
    uint64_t first, last; /* offsets of the first and the last byte */
};
enum adit_range_answer {
    ADIT_RANGE_NONE,  /* no range, not understood, or several: the whole is sent */
    ADIT_RANGE_ONE,   /* *r, inside of size */
    ADIT_RANGE_BEYOND /* 416 */
};
enum adit_range_answer adit_range_parse(struct adit_str value, uint64_t size, struct adit_range *r);

/* --- dates and digests (date.c)
 * ----------------------------------------------------------------- */

/* HTTP-date in any of its three forms (RFC 9110, 5.6.7) to Unix seconds. Two digits of a year are
 * 1970…2069. */
bool adit_http_date_parse(struct adit_str s, int64_t *unix_s);
/* IMF-fixdate. Years 0000…9999. */
void adit_http_date(struct adit_buf *out, int64_t unix_s);
/* Value of Content-Digest: sha-256=:…: (RFC 9530). */
void adit_content_digest(struct adit_buf *out, struct adit_str body);

#endif
