/* rs: what ResourceSync documents look like (ResourceSync 1.1, sections 8, 9, 12; IFCC-0001, For
 * Authors). Writers only.
 *
 * A document is a head, entries, and a tail, appended to a buffer that the caller empties as he
 * likes, so that lists of any length need no memory. Empty slices are left out.
 */
#ifndef ADIT_RS_H
#define ADIT_RS_H

#include "base/base.h"

/* --- ResourceSync (rs.c) ---------------------------------------------------------------------- */

enum adit_rs_kind {
    ADIT_RS_DESCRIPTION,
    ADIT_RS_CAPABILITYLIST,
    ADIT_RS_CHANGELIST,
    ADIT_RS_CHANGELIST_INDEX
};

enum adit_rs_change { ADIT_RS_CREATED, ADIT_RS_UPDATED, ADIT_RS_DELETED, ADIT_RS_CHANGES };
extern const char *const adit_rs_change_names[ADIT_RS_CHANGES];
/* "created", "updated", "deleted"; ADIT_RS_CHANGES for anything else. */
enum adit_rs_change adit_rs_change_of(struct adit_str name);

struct adit_rs_head {
    enum adit_rs_kind kind;
    struct adit_str up;          /* the description, or the capability list */
    struct adit_str index;       /* the index that a change list belongs to */
    struct adit_str describes;   /* what identifies the collection */
    struct adit_str describedby; /* metadata of it */
    struct adit_str from, until; /* RFC 3339 */
};
void adit_rs_head(struct adit_buf *out, const struct adit_rs_head *head);

/* An entry: a capability list of a description, a list of a capability list, a change of a change
 * list, a list of an index. */
struct adit_rs_entry {
    struct adit_str loc;
    struct adit_str lastmod;    /* of a page, its own date */
    struct adit_str capability; /* of lists */
    enum adit_rs_change change; /* of changes */
    struct adit_str datetime;
    struct adit_str from, until;
    struct adit_str describes, describedby;
};
void adit_rs_entry(struct adit_buf *out, enum adit_rs_kind kind, const struct adit_rs_entry *e);
void adit_rs_tail(struct adit_buf *out, enum adit_rs_kind kind);

#endif
