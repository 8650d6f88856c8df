/* The table of a folder's pages, for the files that keep it and write documents of it. */
#ifndef ADIT_SERVE_SITE_IMPL_H
#define ADIT_SERVE_SITE_IMPL_H

#include "batch/serve/serve.h"
#include "tct/tct.h"

/* A page. Strings are its own; those of a page that is not listed are empty. */
struct site_page {
    char *path, *etag, *title, *description, *modified;
    char hash[ADIT_TCT_HASH];
    bool listed;                   /* the page has content, and does not say noindex */
    bool mapped;                   /* the page has a machine URL */
    uint64_t html_bytes, md_bytes; /* of the page, and of its Markdown */
};

struct site {
    struct origin *origin;
    const struct adit_config *config;
    struct adit_converter *converter;
    pthread_mutex_t lock; /* of all below */
    pthread_t reader;
    bool reading;
    atomic_bool stop;
    struct site_page *pages; /* by path */
    size_t n;
};

struct site_row {
    const char *path;   /* NULL: the configuration's sitemap.path */
    const char *ending; /* of the path, where numbered parts may stand beside it; else empty */
    const char *type;   /* NULL: that of the profile */
    bool (*write)(struct site *s, struct adit_str path, struct adit_buf *out);
};
/* The document at path; NULL: none is made there. */
const struct site_row *site_row_at(const struct site *s, struct adit_str path);
/* Appends a page's Markdown, as its twin has it now; false: it is gone. The lock is held. */
bool site_markdown(struct site *s, const struct site_page *p, struct adit_buf *out);

#endif
