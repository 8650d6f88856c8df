/* rs: what ResourceSync documents look like (ResourceSync 1.1, sections 8, 9, 12; IFCC-0001, For
 * Authors), and the Atom feed that is made of them (RFC 4287, RFC 5005). Writers only.
 *
 * A document is a head, entries, and a tail, appended to a buffer that the caller empties as he
 * likes, so that lists of any length need no memory. Empty slices are left out.
 */
#ifndef ADIT_RS_H
#define ADIT_RS_H

#include "base/base.h"

/* --- ResourceSync (rs.c) -----------------------------------------------------------------------
 */

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

/* --- Atom (atom.c) ------------------------------------------------------------------------------
 */

struct adit_atom_feed {
    struct adit_str id, title, updated; /* required */
    struct adit_str author, author_uri; /* author: required */
    struct adit_str self, alternate;
    struct adit_str generator_version;
    struct adit_str older;   /* the document with the entries before these (RFC 5005) */
    struct adit_str current; /* of an archive: the feed itself; empty: this is it */
};
void adit_atom_head(struct adit_buf *out, const struct adit_atom_feed *feed);

struct adit_atom_entry {
    struct adit_str id, title, updated, link;
    struct adit_str html; /* the content */
};
void adit_atom_entry(struct adit_buf *out, const struct adit_atom_entry *e);
void adit_atom_tail(struct adit_buf *out);

/* --- the text of an entry: changes for people (summary.c) ----------------------------------------
 */

/* How many changes of a kind an entry names, and in how many bytes about; all are counted. */
enum { ADIT_RS_SHOWN = 100, ADIT_RS_SHOWN_BYTES = 128 << 10 };

struct adit_rs_summary {
    uint64_t counts[ADIT_RS_CHANGES];
    struct adit_buf html;
    uint64_t shown;
    enum adit_rs_change kind; /* of the list under way; ADIT_RS_CHANGES: none */
};
void adit_rs_summary_init(struct adit_rs_summary *s, struct adit_mem mem, size_t max);
void adit_rs_summary_free(struct adit_rs_summary *s);
/* One change; those of a kind come one after the other. day: the date for people; may be empty. */
void adit_rs_summary_add(struct adit_rs_summary *s, enum adit_rs_change change, struct adit_str loc,
                         struct adit_str day);
/* Ends s->html. */
void adit_rs_summary_end(struct adit_rs_summary *s);
/* "3 changes: 1 new, 2 updated" */
void adit_rs_summary_title(const struct adit_rs_summary *s, struct adit_buf *out);

#endif
