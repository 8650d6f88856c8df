/* The copy of a site that sync keeps in a folder: the names of its files, and the line of a page. */
#ifndef ADIT_COPY_STATE_H
#define ADIT_COPY_STATE_H

#include "base/base.h"

/* In the folder: the collection, the file of pages, the state. */
extern const char copy_collection_name[], copy_pages_name[], copy_state_name[];

/* One line of the file of pages, sorted by url. */
struct copy_page {
    struct adit_str url;
    struct adit_str via;           /* "tct", "scp", "html" */
    struct adit_str status;        /* "held", "noindex", "gone" */
    struct adit_str m_url;         /* tct */
    struct adit_str etag;          /* tct, html: of the body that the held page was made of */
    struct adit_str last_modified; /* html */
    struct adit_str listed;        /* contentHash or lastmod under which it was last looked at */
    struct adit_str modified;      /* of the held page */
    struct adit_str section;       /* scp */
    struct adit_str checked;       /* RFC 3339: the last answer */
};

/* Strings lie in line or in the arena. */
bool copy_page_read(struct copy_page *p, struct adit_str line, struct adit_arena *arena);
void copy_page_write(const struct copy_page *p, struct adit_buf *out);

#endif
