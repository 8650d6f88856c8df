/* sort: an external sort: any number of records in a fixed amount of memory.
 *
 * Records are added in any order and come out sorted. When the memory is full they are sorted and
 * written to a temporary file (a run), and the runs are merged at the end. The order must be total:
 * then what comes out does not depend on the memory, nor on the order of adding.
 *
 *     while (…) sorter_add(s, parts, n);
 *     sorter_start(s);
 *     while (sorter_next(s, &record)) …
 */
#ifndef ADIT_SORT_H
#define ADIT_SORT_H

#include "base/base.h"

/* Like strcmp; the bytes of a record are aligned to 8. 0 only for records with the same bytes. */
typedef int sorter_cmp(struct adit_str a, struct adit_str b);

struct sorter;

/* Temporary files go to the folder dir; they have no name, so that nothing can stay behind. Memory:
 * of the records under way, with their index; runs under merge take SORTER_FAN x 256 KiB more. */
enum { SORTER_FAN = 64, SORTER_MEMORY_MIN = 1 << 20 };
struct sorter *sorter_new(const char *dir, size_t memory, sorter_cmp *cmp);
void sorter_free(struct sorter *s); /* NULL is fine */

/* Adds a record made of n parts. False (said on stderr): no memory, or no space for a run. */
bool sorter_add(struct sorter *s, const struct adit_str *parts, size_t n);
/* No more records are added. */
bool sorter_start(struct sorter *s);
/* The next record in order, valid until the next call. False at the end and on an error. */
bool sorter_next(struct sorter *s, struct adit_str *record);
bool sorter_failed(const struct sorter *s);
uint64_t sorter_spilled(const struct sorter *s); /* bytes written to runs */

#endif
