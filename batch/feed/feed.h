/* feed: Atom feeds from what a site says of its changes (IFCC-0001, For Feed Generators).
 *
 *   description (or index) ─▶ capability lists ─▶ change lists (or index) ─▶ sort ─▶ what is shown
 *   ─▶ titles, texts, differences of the pages ─▶ one new entry, or one a page
 *
 * A run is: feed_discover, then for each feed feed_collect, feed_about, feed_write. What was seen
 * is kept in the state, so that the next run's entry has what is new.
 */
#ifndef ADIT_FEED_H
#define ADIT_FEED_H

#include "base/base.h"
#include "batch/cli/cli.h"
#include "batch/fetch/fetch.h"
#include "batch/io/io.h"
#include "batch/xml/xml.h"
#include "atom/atom.h"

enum {
    FEED_DOCUMENTS_MAX = 10000,  /* read in a run */
    FEED_COLLECTIONS_MAX = 1000, /* of a source */
    FEED_DEPTH_MAX = 4,          /* index in index */
    FEED_SEEN_MAX = 100000,      /* changes that are remembered one by one */
    FEED_VALIDATORS_MAX = 64,    /* documents of a feed that are asked for with conditions */
    FEED_ABOUT_MAX = 8 << 20,
    FEED_PAGES = 20,          /* pages of each kind of change that a run looks at, by default */
    FEED_PAGES_MAX = 1000,    /* whose text is kept, to tell what changed */
    FEED_TEXT_MAX = 32 << 10, /* bytes of it */
    FEED_TITLE_MAX = 300,
};

struct feed_collection {
    struct adit_str list; /* URL of its capability list */
    struct adit_str describes, describedby;
};

/* A document as it was read, for If-None-Match and If-Modified-Since. */
struct feed_validator {
    struct adit_str url, etag, last_modified;
};

struct feed_run {
    /* Where documents come from: the network, or a folder that stands for the URLs below base. */
    struct fetch *fetch;
    const char *dir;
    struct adit_str base;       /* without the slash at the end; empty until it is known */
    const char *temp;           /* folder for sorting */
    struct feed_validator last; /* of the document that was read last */
    struct adit_time now;       /* changes of the future are not believed */
    const char *collection;     /* with titles and texts of pages; NULL: the pages themselves */
    size_t pages_max;           /* of a kind that are looked at */
    uint64_t min_change;        /* words that an updated page must differ in */
    bool by_page;               /* an entry a page, not one a run */
    struct adit_arena arena;
    struct adit_str description; /* its URL */
    struct adit_str describedby; /* of the whole source */
    struct feed_collection *collections;
    size_t n_collections;
    /* Counts of the run: */
    uint64_t documents, broken, lists_skipped;
    uint64_t ignored; /* entries without a date or a known change */
    uint64_t future;
    uint64_t minor, hollow; /* updates that are left out: too small; no page behind them */
};

/* --- documents (get.c) ------------------------------------------------------------------------ */

enum feed_outcome {
    FEED_READ,
    FEED_BROKEN, /* not there, or not what it should be: said, counted, skipped */
    FEED_LATER   /* could not be had this time */
};
enum feed_outcome feed_document(struct feed_run *f, struct adit_str url, struct sitemap_reading *r);
/* Whether the server says that it is still as it was. */
bool feed_unchanged(struct feed_run *f, const struct feed_validator *v);
/* The whole body, and its type (empty: unknown). False: said. */
bool feed_text(struct feed_run *f, struct adit_str url, struct adit_buf *body,
               struct adit_str *type);
/* The same of pages, all at once; what cannot be had is not said: its body is empty. */
struct feed_page {
    struct adit_str url, type;
    struct adit_buf body;
};
void feed_pages_get(struct feed_run *f, struct feed_page *v, size_t n);
/* A reference as an absolute URL in the arena; empty if it is none. */
struct adit_str feed_resolve(struct feed_run *f, struct adit_str reference, struct adit_str base);
/* Says what is wrong with a part, and counts it. */
void feed_fault(struct feed_run *f, struct adit_str url, const char *what);

/* URLs still to be read; each once. */
struct feed_queue {
    struct feed_run *f;
    struct feed_item {
        struct adit_str url;
        unsigned depth;
        bool has_until;
        struct adit_time until; /* up to which the list goes, by its index */
    } *v;
    size_t n, next, cap;
};
bool feed_push(struct feed_queue *q, struct feed_item item);

/* --- the source (source.c) -------------------------------------------------------------------- */

/* A folder stands for a URL: that of its description, which is read for it. Empty: there is none.
 */
struct adit_str feed_folder(struct feed_run *f);
/* Fills f->collections. only: the collection that is wanted; empty: all. */
enum feed_outcome feed_discover(struct feed_run *f, struct adit_str only);

/* --- the state (state.c) ---------------------------------------------------------------------- */

/* A page as it was when a change of it was shown. */
struct feed_text {
    struct adit_str url, title, text;
};

struct feed_record {
    struct adit_str id; /* what the collection is identified by */
    struct adit_str title, author;
    bool has_mark;
    struct adit_time mark; /* the newest change that was seen */
    bool seen_all;         /* more than FEED_SEEN_MAX: what is not later than mark counts as seen */
    uint64_t *seen;        /* hashes of changes whose time is not over at mark; sorted */
    size_t n_seen;
    struct feed_validator *documents; /* lists read last time; none: read all */
    size_t n_documents;
    uint64_t archives;               /* documents of older entries */
    struct adit_atom_entry *entries; /* newest first */
    size_t n_entries, cap;
    struct feed_text *texts; /* the one that changed last first */
    size_t n_texts;
};

struct feed_state {
    struct adit_arena arena;
    struct feed_record *v;
    size_t n, cap;
    bool own; /* adit has chosen the file's name, not the user: no link is followed there */
};
/* A file that is not there is an empty state. False: said. */
bool feed_state_read(struct feed_state *s, const char *path);
struct feed_record *feed_state_record(struct feed_state *s, struct adit_str id);
bool feed_state_write(const struct feed_state *s, const char *path);
void feed_state_free(struct feed_state *s);
/* In front of the others. */
bool feed_record_add(struct feed_state *s, struct feed_record *r, const struct adit_atom_entry *e);
/* NULL: none is kept. */
const struct feed_text *feed_record_text(const struct feed_record *r, struct adit_str url);
/* In front of the others; in place of the one with its URL. Without a text it is forgotten. */
bool feed_record_keep(struct feed_state *s, struct feed_record *r, const struct feed_text *text);
bool feed_record_documents(struct feed_state *s, struct feed_record *r,
                           const struct feed_validator *v, size_t n);

/* --- changes (changes.c) ---------------------------------------------------------------------- */

struct feed_news {
    uint64_t counts[ADIT_RS_CHANGES];
    bool added;     /* there is a new entry */
    bool unchanged; /* the server says that no document has changed */
};

/* A change that an entry names. */
struct feed_shown {
    enum adit_rs_change change;
    struct adit_str loc;
    struct adit_time at;
    uint64_t hash; /* of the three */
    /* What is known of the page, by its list (title), by the page (pages.c): */
    struct adit_str title, text, description;
    struct adit_str before; /* its text when it was shown last */
    bool left_out;
};
struct feed_news_list {
    struct feed_shown *v; /* by kind, then URL: at most ADIT_RS_SHOWN of a kind */
    size_t n;
    uint64_t counts[ADIT_RS_CHANGES]; /* all, also those that are not in v */
    char hash[64];                    /* hexadecimal; of all */
    struct adit_time newest;
};

struct feed_changes;
/* NULL: said on stderr, or no memory. */
struct feed_changes *feed_changes_open(struct feed_run *f, struct feed_state *s,
                                       struct feed_record *r);
struct feed_change {
    enum adit_rs_change change;
    struct adit_str loc, title; /* title: if the list has it; it may be empty */
    struct adit_time at, end;   /* end: of the time that the date covers */
};
bool feed_changes_add(struct feed_changes *c, const struct feed_change *change);
/* What is new, in the run's arena; moves the record's mark. */
bool feed_changes_finish(struct feed_changes *c, struct feed_news_list *news);
void feed_changes_free(struct feed_changes *c); /* NULL is fine */

/* --- pages (pages.c), entries (entries.c) ----------------------------------------------------- */

/* Titles and texts of the pages, by the collection or by the pages themselves; what is no change
 * for people is marked, and leaves the counts. The record's texts are those of now then. */
bool feed_pages_look(struct feed_run *f, struct feed_state *s, struct feed_record *r,
                     struct feed_news_list *news);
/* Adds the entries to the record. */
bool feed_entries_add(struct feed_run *f, struct feed_state *s, struct feed_record *r,
                      const struct feed_news_list *news);

/* --- lists (collect.c) ------------------------------------------------------------------------ */

/* Reads the change lists of n collections and adds what is new as an entry to r. FEED_LATER: r is
 * as it was. */
enum feed_outcome feed_collect(struct feed_run *f, struct feed_collection *v, size_t n,
                               struct feed_state *s, struct feed_record *r, struct feed_news *news);

/* --- title and author (about.c) --------------------------------------------------------------- */

/* From describedby where it can be understood; else as they were; else from the collection's home
 * page; else from the URL. */
void feed_about(struct feed_run *f, struct adit_str describedby, struct feed_state *s,
                struct feed_record *r);

/* --- files (write.c) -------------------------------------------------------------------------- */

struct feed_place {
    const char *path;    /* of the feed */
    bool own;            /* adit has chosen its name, not the user */
    struct adit_str url; /* of the feed; empty: unknown, links are relative, there is no self */
    size_t limit;        /* entries a document */
    const struct adit_feed_format *format;
    struct adit_str hub; /* may be empty */
};
/* For a file whose name adit has chosen: a link in its place is removed. False: said. */
bool feed_own(const char *path);
/* Older entries go to archive documents and leave r. */
bool feed_write(struct feed_record *r, const struct feed_place *place, struct file_set *to);

#endif
