/* pages: the pages of a collection in the order of their URLs, each URL once (its newest version).
 *
 * Collections are sorted as a rule, and then this is the reader itself. A file that turns out not
 * to be (pages_unsorted) has to be opened again with `sort`: then it is sorted externally.
 */
#ifndef ADIT_PAGES_H
#define ADIT_PAGES_H

#include "batch/collection.h"

struct pages_options {
    bool lenient;
    bool sort;
    size_t memory;    /* for sorting */
    const char *temp; /* folder for sorting */
};

struct pages;

/* NULL: cannot be opened, or line 1 is bad (said on stderr). */
struct pages *pages_open(const char *path, const struct pages_options *options);
/* The next page, valid until the next call. False at the end, or when pages_unsorted or
 * pages_failed. */
bool pages_next(struct pages *p, struct adit_scp_page *page);
bool pages_unsorted(const struct pages *p);
bool pages_failed(const struct pages *p); /* the file is rejected, or sorting failed */
const struct collection *pages_collection(const struct pages *p);
void pages_close(struct pages *p); /* NULL is fine */

/* --- several at once ----------------------------------------------------------------------------
 */

/* Walks over n streams of pages by URL. */
struct join {
    struct pages **inputs;
    size_t n;
    struct adit_scp_page *at; /* the page where each input stands */
    size_t *heap, n_heap;     /* inputs that are not at their end, by URL, then by number */
    size_t *group, n_group;   /* see join_next */
};
/* False: no memory. */
bool join_open(struct join *j, struct pages **inputs, size_t n);
/* Goes on to the next URL; group[0…count) are the inputs that have it, in ascending order, and
 * at[group[i]] the pages. 0: the end of all, or an input stopped before its end: look at them. */
size_t join_next(struct join *j);
void join_close(struct join *j); /* not the inputs */

#endif
