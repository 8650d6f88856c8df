/* compare: two states of a site, page by page: two collections, or two folders of HTML files. */
#ifndef ADIT_COMPARE_H
#define ADIT_COMPARE_H

#include "batch/changes.h"

struct compare {
    const char *old, *new;
    struct adit_str base_url; /* of folders */
    bool strip;               /* as tree_open's */
    bool sort;                /* collections: sort them first */
    const char *temp;
    size_t memory;
    struct changes *changes;
    /* Results: */
    uint64_t counts[ADIT_RS_CHANGES], unchanged;
    uint64_t hidden;  /* pages that ask not to be indexed: never listed */
    uint64_t skipped; /* that could not be read */
    bool unsorted;    /* collections: to be done again with sort, and new changes */
};

/* What is read of two collections before they are compared. */
struct compare_times {
    struct adit_time old, new;
    char section[128];
};
/* False: said on stderr why they cannot be compared. */
bool compare_look(const struct compare *c, struct compare_times *times);

/* By the content of the pages: everything but `modified`. CLI_OK, or the exit code. */
int compare_collections(struct compare *c);
/* By what the pages say: their blocks and metadata, not by their bytes or dates. Constant memory.
 */
int compare_trees(struct compare *c);

#endif
