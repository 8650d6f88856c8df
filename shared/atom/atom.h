/* atom: the feed of a site's changes (RFC 4287, RFC 5005; JSON Feed 1.1; IFCC-0001): documents, and
 * the text of an entry. Writers only; a document is a head, entries and a tail, as in rs/. */
#ifndef ADIT_ATOM_H
#define ADIT_ATOM_H

#include "rs/rs.h"
#include "text/text.h"

/* --- documents (atom.c, json.c) --------------------------------------------------------------- */

struct adit_atom_feed {
    struct adit_str id, title, updated; /* required */
    struct adit_str author, author_uri; /* author: required */
    struct adit_str self, alternate;
    struct adit_str generator_version;
    struct adit_str older;   /* the document with the entries before these (RFC 5005) */
    struct adit_str current; /* of an archive: the feed itself; empty: this is it */
    struct adit_str hub;     /* WebSub: who is asked to tell of new entries */
};

struct adit_atom_entry {
    struct adit_str id, title, updated, link;
    struct adit_str html; /* the content */
};

/* A document under way: {.out = …}. */
struct adit_feed_writer {
    struct adit_buf *out;
    bool comma;
};

/* What a feed can be written as. */
struct adit_feed_format {
    const char *name;
    const char *ending; /* of files that are in it as a rule */
    void (*head)(struct adit_feed_writer *w, const struct adit_atom_feed *feed);
    void (*entry)(struct adit_feed_writer *w, const struct adit_atom_entry *e);
    void (*tail)(struct adit_feed_writer *w);
};
extern const struct adit_feed_format adit_feed_formats[]; /* Atom first; ends with a NULL name */

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
/* A change for people. Only loc must be there. */
struct adit_rs_shown {
    enum adit_rs_change change;
    struct adit_str loc;
    struct adit_str day, title;
    struct adit_str excerpt;      /* what the page says, where there is no diff */
    const struct adit_diff *diff; /* from the text before to the one now */
};
/* One change; those of a kind come one after the other. */
void adit_rs_summary_add(struct adit_rs_summary *s, const struct adit_rs_shown *change);
/* One that is only counted. */
void adit_rs_summary_count(struct adit_rs_summary *s, enum adit_rs_change change);
/* Ends s->html. */
void adit_rs_summary_end(struct adit_rs_summary *s);
/* "3 changes: 1 new, 2 updated" */
void adit_rs_summary_title(const struct adit_rs_summary *s, struct adit_buf *out);

/* A change as an entry of its own: "Updated: TITLE", and what changed. Append. */
void adit_rs_shown_title(const struct adit_rs_shown *change, struct adit_buf *out);
void adit_rs_shown_html(const struct adit_rs_shown *change, struct adit_buf *out);

/* --- what changed in a page, as HTML (change.c) ----------------------------------------------- */

/* Removed and added words in <del> and <ins>, with some words around them; long runs and what is
 * beyond some changes are cut. Appends a few kilobytes at most. */
void adit_diff_html(const struct adit_diff *diff, struct adit_buf *out);
/* The beginning of a text, cut between words. */
enum { ADIT_EXCERPT = 300 }; /* bytes */
struct adit_str adit_excerpt(struct adit_str text);

#endif
