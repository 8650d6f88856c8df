/* changes: what a publication tells followers (ResourceSync; IFCC-0001, For Authors):
 *
 *   DIR/.well-known/resourcesync                 the source description
 *   DIR/resourcesync/SECTION/capabilitylist.xml  leads to the change list, or to its index
 *                           /changelist.xml      the newest changes
 *                           /changelist-STAMP.xml, changelist-index.xml
 *                           /resourcelist.xml    all pages, for whoever begins
 *                           /resourcelist-NNNN.xml, resourcelist-index.xml
 *
 * A run adds its changes to changelist.xml. When that would have more than list_max entries, the
 * list as it was is kept as changelist-STAMP.xml (STAMP: the time up to which it goes), never to
 * change again, and a new list begins; the index leads to all of them.
 *
 * The datetime of a change is the time of the run that found it, not the page's own date (which is
 * its lastmod): followers ask for what is later than their last look, and a page that is found late
 * must not be missed. So lists are in the order of time, as ResourceSync wants them.
 */
#ifndef ADIT_CHANGES_H
#define ADIT_CHANGES_H

#include "base/base.h"
#include "batch/io/io.h"
#include "rs/rs.h"

enum { CHANGES_LIST_MAX = 10000 }; /* entries a list; about 1.5 MB for whoever looks every hour */

struct changes_section {
    struct adit_str name;
    struct adit_str prefix;      /* of the paths of its pages: "/blog/" */
    struct adit_str describes;   /* the URL that identifies it */
    struct adit_str describedby; /* empty: its home page, if it has one */
};

/* All strings must outlive the changes. */
struct changes_options {
    const char *dir;
    struct publish *to;   /* of dir; NULL: changes_open opens it, and changes_free closes it */
    const char *previous; /* the folder with the lists of before; NULL: none */
    struct adit_str base; /* URL of dir, without the slash at the end */
    struct adit_time generated;
    struct adit_time from;  /* where the first list begins; {0}: at generated */
    struct adit_time since; /* of the state before; what is listed later belongs to a run that did
                               not end, and is dropped. {0}: keep all */
    size_t list_max;        /* entries a list, of changes and of resources */
    const struct changes_section *sections;
    size_t n_sections;
    bool extend; /* keep what the previous description says of other collections */
};

/* The names of a publication, of pack and of changes, for publish_open (publication.c). */
extern const struct publish_names publication_names;

struct changes;
/* NULL: said on stderr. */
struct changes *changes_open(const struct changes_options *options);
void changes_free(struct changes *c); /* NULL is fine */
/* The time up to which the lists of before go; {0} if there are none. */
struct adit_time changes_until(const struct changes *c);
/* A page that is listed now, changed or not: it is a resource, and may be a home page. In the order
 * in which the resource list shall have them. */
bool changes_page(struct changes *c, struct adit_str url, struct adit_str lastmod);
/* lastmod: RFC 3339, or empty. In any order. */
bool changes_add(struct changes *c, struct adit_str url, enum adit_rs_change change,
                 struct adit_str lastmod);
/* All files, in the order in which they may appear: whoever reads meanwhile misses nothing. */
bool changes_finish(struct changes *c, struct file_set *to);
/* After the commit: what the lists of before had, and nothing leads to any more, is removed. */
void changes_tidy(struct changes *c);
/* The same, and they take their places. */
bool changes_commit(struct changes *c);
/* Whether a section may have that name, which is a part of file names and URLs. */
bool changes_section_name(struct adit_str name);

/* --- compare ---------------------------------------------------------------------------------- */

/* compare: two states of a site, page by page: two collections, or two folders of HTML files. */

struct compare {
    const char *old, *new;
    struct adit_str base_url; /* of folders */
    bool strip;               /* as tree_open's */
    bool sort;                /* collections: sort them first */
    const char *temp;
    size_t memory;
    struct changes *changes;       /* NULL: no lists */
    struct adit_indexnow *engines; /* NULL: not told */
    struct cli_told *told;         /* the pages that --verbose names */
    /* Results: */
    uint64_t counts[ADIT_RS_CHANGES], unchanged;
    uint64_t hidden;  /* pages that ask not to be indexed: never listed */
    uint64_t skipped; /* pages that could not be read */
    bool unsorted;    /* collections: to be done again with sort, and new changes */
};

/* How --verbose marks each kind of change. */
extern const char compare_signs[ADIT_RS_CHANGES];

/* What is read of two collections before they are compared. */
struct compare_times {
    struct adit_time old, new;
    char section[128];
};
/* False: said on stderr why they cannot be compared. */
bool compare_look(const struct compare *c, struct compare_times *times);

/* Notes what happened to a page, in all of these. */
bool compare_note(struct compare *c, enum adit_rs_change change, struct adit_str url,
                  struct adit_str lastmod);
/* By the content of the pages: everything but `modified`. CLI_OK, or the exit code. */
int compare_collections(struct compare *c);
/* By what the pages say: their blocks and metadata, not by their bytes or dates. Constant memory.
 */
int compare_trees(struct compare *c);

#endif
