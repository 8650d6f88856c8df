/* The lists of a run under way, and its records: what the files of changes/ share. */
#ifndef ADIT_CHANGES_IMPL_H
#define ADIT_CHANGES_IMPL_H

#include "batch/changes/read_impl.h"
#include "batch/io/io.h"

/* The resource list of a section. Its first part is held back, since only its successor shows that
 * there is an index, which the head of each part names. */
struct resources {
    struct adit_buf first; /* entries */
    struct output *out;    /* a later part */
    uint64_t n, parts;     /* entries of the part under way; parts begun */
};

struct section {
    const struct changes_section *is;
    struct changes_old old;
    uint64_t n_new;
    bool home; /* its home page is listed */
    /* The list under way: */
    struct output *out;
    uint64_t n, parts;
    struct adit_str from;
    bool archiving;
    struct resources resources;
};

struct changes {
    struct changes_options o;
    struct publish *own; /* opened here */
    struct section *v;
    struct sorter *sorter;
    struct adit_arena arena;
    struct adit_str generated, stamp;
    struct adit_buf b, url; /* scratch */
    bool failed;
};

/* A file of a section, by its name; its URL, in the arena. */
struct output *changes_open_file(struct changes *c, const struct section *s, const char *name);
struct adit_str changes_file_url(struct changes *c, const struct section *s, const char *name);
/* Removes a file that stood there before, after the commit. False: there was none, or it cannot be
 * removed, which is said. */
bool changes_drop_file(struct changes *c, const struct section *s, const char *name);
/* Writes out c->b, and empties it. */
bool changes_flush(struct changes *c, struct output *out);

/* --- resources.c ------------------------------------------------------------------------------ */

void resources_open(struct section *s);
bool resources_add(struct changes *c, struct section *s, struct adit_str url,
                   struct adit_str lastmod);
bool resources_finish(struct changes *c, struct section *s, struct file_set *to);
/* After the commit: parts of a longer list of before, which nothing leads to any more, go. */
void resources_tidy(struct changes *c, const struct section *s);
/* The file that leads to all of it: the list, or its index. */
const char *resources_name(const struct section *s);
void resources_free(struct section *s);

/* Records that are sorted by URL: a byte, URL, NUL, and what else there is. */
struct adit_str changes_record_url(struct adit_str r);
int changes_record_cmp(struct adit_str a, struct adit_str b);

#endif
