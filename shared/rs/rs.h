/* rs: what ResourceSync documents look like (ResourceSync 1.1, sections 8, 9, 10, 12; IFCC-0001, For
 * Authors): writers, and the judge of what a reader of XML has found.
 *
 * A document is a head, entries, and a tail, appended to a buffer that the caller empties as he
 * likes, so that lists of any length need no memory. Empty slices are left out.
 */
#ifndef ADIT_RS_H
#define ADIT_RS_H

#include "base/base.h"
#include "json/json.h"

/* --- ResourceSync (rs.c) ---------------------------------------------------------------------- */

enum adit_rs_kind {
    ADIT_RS_DESCRIPTION,
    ADIT_RS_CAPABILITYLIST,
    ADIT_RS_CHANGELIST,
    ADIT_RS_CHANGELIST_INDEX,
    ADIT_RS_RESOURCELIST,
    ADIT_RS_RESOURCELIST_INDEX
};

enum adit_rs_change { ADIT_RS_CREATED, ADIT_RS_UPDATED, ADIT_RS_DELETED, ADIT_RS_CHANGES };
extern const char *const adit_rs_change_names[ADIT_RS_CHANGES];
/* "created", "updated", "deleted"; ADIT_RS_CHANGES for anything else. */
enum adit_rs_change adit_rs_change_of(struct adit_str name);

struct adit_rs_head {
    enum adit_rs_kind kind;
    struct adit_str up;          /* the description, or the capability list */
    struct adit_str index;       /* the index that a list belongs to */
    struct adit_str describes;   /* what identifies the collection */
    struct adit_str describedby; /* metadata of it */
    struct adit_str from, until; /* RFC 3339 */
    struct adit_str at;          /* of a resource list: when all of this was so */
};
void adit_rs_head(struct adit_buf *out, const struct adit_rs_head *head);

/* An entry: a capability list of a description, a list of a capability list, a change of a change
 * list, a page of a resource list, a list of an index. */
struct adit_rs_entry {
    struct adit_str loc;
    struct adit_str lastmod;    /* of a page, its own date */
    struct adit_str capability; /* of lists */
    enum adit_rs_change change; /* of changes */
    struct adit_str datetime;
    struct adit_str from, until, at;
    struct adit_str describes, describedby;
};
void adit_rs_entry(struct adit_buf *out, enum adit_rs_kind kind, const struct adit_rs_entry *e);
void adit_rs_tail(struct adit_buf *out, enum adit_rs_kind kind);

/* --- IndexNow (indexnow.c) -------------------------------------------------------------------- */

enum { ADIT_INDEXNOW_URLS = 10000 }; /* in a document, as the protocol says */
/* Documents under way: {.json.out = …, .host = …, .key = …}. Each is a line of JSON: what is sent by
 * POST to one engine, which tells the others. */
struct adit_indexnow {
    struct adit_json_writer json;
    struct adit_str host;         /* whose URLs these are */
    struct adit_str key;          /* key that a file of the site shows: adit_indexnow_key */
    struct adit_str key_location; /* of that file; empty: /KEY.txt */
    size_t n;
};
/* 8 to 128 letters, digits and hyphens. */
bool adit_indexnow_key(struct adit_str key);
void adit_indexnow_add(struct adit_indexnow *d, struct adit_str url);
void adit_indexnow_end(struct adit_indexnow *d); /* without a URL there is no document */

/* --- as read, and judging (judge.c) ----------------------------------------------------------- */

extern const char adit_rs_namespace[];
/* Values as they stand, not checked; p is NULL where an attribute is absent. */
#define ADIT_RS_MD_ATTRIBUTES(X) \
    X(capability)                \
    X(change) X(datetime) X(from) X(until) X(at) X(completed) X(hash) X(length) X(type)
#define ADIT_RS_LINK_ATTRIBUTES(X) X(rel) X(href) X(type)
#define ADIT_RS_ATTRIBUTE(name)    struct adit_str name;
struct adit_rs_md { /* rs:md */
    bool present;
    ADIT_RS_MD_ATTRIBUTES(ADIT_RS_ATTRIBUTE)
};
struct adit_rs_link { /* rs:ln */
    ADIT_RS_LINK_ATTRIBUTES(ADIT_RS_ATTRIBUTE)
};

/* Judges a document whose elements come in their order: {.judge = …}, md and links at the top,
 * entries, end. */
struct adit_rs_document {
    struct adit_judge judge;
    bool is_index;
    enum adit_rs_capability {
        ADIT_RS_IS_NONE, /* a sitemap */
        ADIT_RS_IS_OTHER,
        ADIT_RS_IS_DESCRIPTION,
        ADIT_RS_IS_CAPABILITYLIST,
        ADIT_RS_IS_CHANGELIST,
        ADIT_RS_IS_RESOURCELIST
    } capability;
    uint64_t n_changelists, n_resourcelists;
    bool up, describes; /* links at the top */
};
extern const struct adit_rule adit_rs_rules[];
extern const char *const adit_rs_document_names[]; /* by capability: "sitemap", … */
void adit_rs_judge_md(struct adit_rs_document *d, const struct adit_rs_md *md);
void adit_rs_judge_link(struct adit_rs_document *d, const struct adit_rs_link *link);
void adit_rs_judge_entry(struct adit_rs_document *d, const struct adit_rs_md *md,
                         const struct adit_rs_link *links, size_t n_links);
void adit_rs_judge_end(const struct adit_rs_document *d);

#endif
