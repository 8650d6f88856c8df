/* How long a server asks to be left alone: Retry-After (RFC 9110, 10.2.3) and the RateLimit fields
 * in the forms that are met. */
#ifndef ADIT_HTTP_PACE_H
#define ADIT_HTTP_PACE_H

#include "http/header.h"

/* Value of Retry-After, seconds or HTTP-date, as seconds from now (Unix seconds). False: neither.
 */
bool adit_retry_after(struct adit_str value, int64_t now, uint64_t *seconds);

/* Whether the fields of an answer say that the quota is used up, and for how many seconds:
 *   RateLimit: "default";r=0;t=30              (draft-ietf-httpapi-ratelimit-headers-08 and later)
 *   RateLimit: limit=10, remaining=0, reset=30 (-03 to -07)
 *   RateLimit-Remaining: 0 + RateLimit-Reset: 30, and both with X- in front, where the reset may be
 *   Unix time instead (more than a year of seconds). */
bool adit_rate_limit(const struct adit_header *v, size_t n, int64_t now, uint64_t *seconds);

#endif
