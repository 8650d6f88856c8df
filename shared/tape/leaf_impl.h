/* What the walk shares with the writing of leaves. */
#ifndef ADIT_TAPE_LEAF_IMPL_H
#define ADIT_TAPE_LEAF_IMPL_H

#include "tape/tape.h"

/* Room for the texts of leaves, which stand side by side. */
struct leaf_room {
    char *p;
    size_t len;
};

/* Writes what a leaf's items say into its text, and the counts that belong to it. raw_len: at least the
 * bytes of its items; struck: some of them are struck out. */
enum adit_code adit_leaf_write(const struct adit_tape *t, struct adit_leaf *leaf, size_t raw_len,
                               bool struck, struct leaf_room *room);

#endif
