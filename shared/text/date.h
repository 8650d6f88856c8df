/* Dates as people and programs write them, in many languages, to instants.
 *
 * Integers only. Impossible dates (30 February) are no dates. Years 1400 to 2199.
 */
#ifndef ADIT_DATE_H
#define ADIT_DATE_H

#include "base/base.h"
#include "base/time.h"

/* A date that was read. Without a stated zone the clock's time counts as UTC. */
struct adit_date {
    struct adit_time time; /* the instant */
    int16_t offset;        /* minutes east of UTC that were stated; 0 if none */
    bool has_clock;        /* more than a day was stated */
};

/* How to read 05/01/2024: day first (most of the world), or month first (en-US and unmarked
 * English). Dots and a first number over 12 always mean day first. */
enum adit_date_order { ADIT_DAY_FIRST, ADIT_MONTH_FIRST };

/* A value that should be a date (an attribute, a JSON member): ISO 8601 in its variants, RFC 2822,
 * HTTP, seconds or milliseconds since 1970, or anything that adit_date_find finds in it. */
bool adit_date_parse(struct adit_str value, enum adit_date_order order, struct adit_date *d);

/* The first complete date (day, month, year) in a short text; text beyond 400 bytes is not read. */
bool adit_date_find(struct adit_str text, enum adit_date_order order, struct adit_date *d);

/* W3C date-time at any precision: 2024, 2024-01, 2024-01-05, 2024-01-05T10:00Z, …; strict. */
bool adit_date_w3c(struct adit_str s, struct adit_time *t);

/* A date in the path of a URL: /2024/01/05/, /2024/jan/05/, /2024-01-05-slug. */
bool adit_date_in_url(struct adit_str url, struct adit_date *d);

/* RFC 3339 in UTC. */
void adit_date_write(const struct adit_date *d, struct adit_buf *out);
/* RFC 3339 with the stated offset, so that the day is the one on the page. */
void adit_date_write_local(const struct adit_date *d, struct adit_buf *out);

#endif
