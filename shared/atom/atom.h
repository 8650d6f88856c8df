/* atom: the feed of a site's changes (RFC 4287, RFC 5005; IFCC-0001): documents, and the text of an
 * entry. Writers only; a document is a head, entries and a tail, as in rs/. */
#ifndef ADIT_ATOM_H
#define ADIT_ATOM_H

#include "rs/rs.h"

/* --- Atom (atom.c) ---------------------------------------------------------------------------- */

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

/* --- the text of an entry: changes for people (summary.c) ------------------------------------- */

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
