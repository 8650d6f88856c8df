/* Instants on the UTC time line: what RFC 3339 texts mean, so that they can be compared. */
#ifndef ADIT_TIME_H
#define ADIT_TIME_H

#include "base/base.h"

/* Seconds since 1970-01-01T00:00:00Z (before it: negative) and nanoseconds, 0…999999999. Digits of
 * a fraction beyond the ninth are dropped. Years 0000…9999. */
struct adit_time {
    int64_t s;
    uint32_t ns;
};

/* RFC 3339 date-time: T or a space in the middle, Z or an offset, any case; a leap second (:60)
 * is the second after it. False for anything else (2001-02-29, 24:00, no offset). */
bool adit_time_parse(struct adit_str s, struct adit_time *t);
/* The same, or a date alone, which is its midnight in UTC. */
bool adit_time_parse_date(struct adit_str s, struct adit_time *t);
int adit_time_cmp(struct adit_time a, struct adit_time b);
/* 2000-01-15T10:30:00Z; with a fraction, as many digits as it needs. */
void adit_time_write(struct adit_buf *out, struct adit_time t);
/* 20000115T103000Z, for names of files. */
void adit_time_stamp(struct adit_buf *out, struct adit_time t);

/* Days since 1970-01-01 of a date of the Gregorian calendar (month 1…12, day 1…31, not checked),
 * and back. */
int64_t adit_days_from_date(int64_t year, unsigned month, unsigned day);
void adit_date_from_days(int64_t days, int64_t *year, unsigned *month, unsigned *day);

#endif
