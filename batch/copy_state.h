/* The copy of a site that sync keeps in a folder: the names of its files, and the line of a page. */
#ifndef ADIT_COPY_STATE_H
#define ADIT_COPY_STATE_H

#include "base/base.h"

/* In the folder: the collection, the file of pages, the state. */
extern const char sync_collection_name[], sync_pages_name[], sync_state_name[];

/* One line of the file of pages, sorted by url. */
struct sync_page {
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
bool sync_page_read(struct sync_page *p, struct adit_str line, struct adit_arena *arena);
void sync_page_write(const struct sync_page *p, struct adit_buf *out);

#endif
