/* What the files of metadata share: the candidates that collecting leaves for resolving. Internal
 * to meta*.c and jsonld.c.
 */
#ifndef ADIT_META_PARTS_H
#define ADIT_META_PARTS_H

#include "json/json.h"
#include "page/meta.h"
#include "text/date.h"

/* Sources of an author, most trusted first (measured: how often the source names the author). */
enum adit_author_source {
    ADIT_AUTHOR_TWITTER, /* twitter:data1 labelled "Written by" */
    ADIT_AUTHOR_LD,
    ADIT_AUTHOR_META,
    ADIT_AUTHOR_OTHER,      /* parsely, sailthru, Dublin Core, citation … */
    ADIT_AUTHOR_ARTICLE,    /* article:author that is no URL */
    ADIT_AUTHOR_CLASS_NAME, /* class author-name and the like */
    ADIT_AUTHOR_REL,
    ADIT_AUTHOR_ITEMPROP,
    ADIT_AUTHOR_CLASS, /* class byline, author */
    ADIT_AUTHOR_SOURCES
};

/* Sources of a date of publication, most trusted first. */
enum adit_date_source {
    ADIT_DATE_URL,
    ADIT_DATE_OG, /* article:published_time */
    ADIT_DATE_LD,
    ADIT_DATE_META,
    ADIT_DATE_TIME_PUB, /* <time pubdate>, <time class="published"> */
    ADIT_DATE_TIME,
    ADIT_DATE_ITEMPROP,
    ADIT_DATE_CLASS, /* class "date"; after a date written near the title */
    ADIT_DATE_SOURCES
};

/* Sources of a date of modification, most trusted first. */
enum adit_modified_source {
    ADIT_MODIFIED_LD,
    ADIT_MODIFIED_META, /* article:modified_time, og:updated_time, itemprop */
    ADIT_MODIFIED_SOURCES
};

struct adit_meta_candidates {
    struct adit_str author[ADIT_AUTHOR_SOURCES];
    struct adit_str date[ADIT_DATE_SOURCES];
    struct adit_str modified[ADIT_MODIFIED_SOURCES];
    struct adit_str html_lang, meta_lang, og_locale;
    struct adit_str twitter_label[2], twitter_data[2];
    bool noindex, noarchive, nofollow;
};

/* Reads all JSON-LD scripts of the page (jsonld.c): fills ld_title, ld_description, site_name if
 * empty, media, kinds, schema, and the ADIT_…_LD candidates. scripts are the texts as they stand.
 */
enum adit_code adit_jsonld_read(struct adit_meta *m, const struct adit_str *scripts, size_t n,
                                struct adit_arena *arena);

/* What <meta name=robots> or X-Robots-Tag forbid; flags are only ever set. */
void adit_meta_robots(struct adit_str value, bool *noindex, bool *noarchive, bool *nofollow);

/* What a class value says about the element's text (meta_class.c). */
enum { ADIT_HINT_AUTHOR = 1, ADIT_HINT_NAME = 2, ADIT_HINT_DATE = 4 };
uint8_t adit_meta_hints(struct adit_str class);

/* White space collapsed and trimmed; s itself if there is nothing to do. */
struct adit_str adit_meta_squeeze(struct adit_str s, struct adit_arena *arena, bool *ok);

/* Letters and digits of s, case-folded: what titles are compared by. */
struct adit_str adit_meta_letters(struct adit_str s, struct adit_arena *arena, bool *ok);

/* The page's title (meta_title.c), author (meta_author.c), dates (meta_date.c). */
struct adit_str adit_meta_title(const struct adit_meta *m, struct adit_str url,
                                struct adit_arena *arena, bool *ok);
struct adit_str adit_meta_author(const struct adit_meta *m, struct adit_str url,
                                 const struct adit_tape *tape, size_t title,
                                 struct adit_arena *arena, bool *ok);
/* The leaf of the title's heading; 0 if there is none. */
size_t adit_meta_title_leaf(const struct adit_tape *tape, struct adit_str title);
void adit_meta_dates(const struct adit_meta *m, const struct adit_page_facts *facts,
                     const struct adit_tape *tape, size_t title, struct adit_arena *arena,
                     struct adit_page *page, bool *ok);

/* The host of a URL without "www." and without its last label: "www.example.com" → "example". */
struct adit_str adit_meta_host(struct adit_str url);

#endif
