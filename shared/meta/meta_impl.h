/* What the files of metadata share: the candidates that collecting leaves for resolving. Internal
 * to meta*.c and jsonld.c.
 */
#ifndef ADIT_META_IMPL_H
#define ADIT_META_IMPL_H

#include "http/http.h"
#include "json/json.h"
#include "meta/meta.h"
#include "text/text.h"

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

/* A name in the body, in document order. */
struct adit_name {
    struct adit_str text;
    uint32_t node;
    uint32_t item; /* its place on the tape */
    uint8_t source;
};

/* What the body names (names.c). */
enum { ADIT_NAMES_MAX = 200 };
struct adit_names {
    const struct adit_dom *dom;
    const struct adit_tape *tape;
    struct adit_arena *arena;
    bool *ok;
    struct adit_name *v;
    size_t n;
};

/* How far an item is from the title, in leaves (place.c); ADIT_ASIDE more if it stands where
 * the page speaks of other pages, ADIT_NOWHERE where other people speak. What is above the title
 * counts twice: bylines stand below it. */
#define ADIT_ASIDE   UINT32_C(100000000)
#define ADIT_NOWHERE UINT32_MAX
uint32_t adit_meta_distance(const struct adit_tape *tape, uint32_t item, size_t title);

/* The part of an element's text that is the name or names of a byline. */
struct adit_str adit_names_line(const struct adit_names *names, uint32_t node);
void adit_names_add(struct adit_names *names, enum adit_author_source source, uint32_t node,
                    struct adit_str text);
/* Adds one more name to others. */
void adit_names_join(struct adit_str *to, struct adit_str more, struct adit_arena *arena, bool *ok);

/* Bylines (byline.c): the length of a lead ("by", "作者：") that s begins with, or 0; whether
 * s is one, ends in one; s without it; s from the lead behind a date on. */
size_t adit_lead_len(struct adit_str s);
bool adit_is_lead(struct adit_str s);
bool adit_ends_in_lead(struct adit_str s);
struct adit_str adit_without_lead(struct adit_str s);
struct adit_str adit_behind_date(struct adit_str s);
/* The name in a line such as "By Ann Lee | May 5, 2024 | 3 comments". */
struct adit_str adit_name_in_line(struct adit_str s, struct adit_arena *arena, bool *ok);
/* "Ann Lee, CNN" at cnn.com: site are the letters of its name. */
struct adit_str adit_without_site(struct adit_str s, struct adit_str host, struct adit_str site,
                                  struct adit_arena *arena, bool *ok);

/* What a text in a name's place is (person.c), the least trusted first. */
enum adit_naming {
    ADIT_NAMES_NOBODY,
    ADIT_NAMES_SITE,  /* the site, its publisher, an office */
    ADIT_NAMES_LOGIN, /* a word that programs make */
    ADIT_NAMES_WORD,  /* a single word */
    ADIT_NAMES_PERSON
};
struct adit_namer {
    struct adit_str site, holder; /* the site's name, who holds the rights, as letters */
    struct adit_str host;
    bool thread; /* the page is a thread: its author wrote the first post */
    struct adit_arena *arena;
    bool *ok;
};
enum adit_naming adit_naming(const struct adit_namer *j, struct adit_str s, size_t max);
/* What a line says may be anything: a name is short, no sentence, no button. */
bool adit_is_name_like(struct adit_str s, const struct adit_namer *j);
/* Several words, of which the first has no small letter to begin with: a name, or several. */
bool adit_is_full_name(struct adit_str s);
/* A name without the role or house behind it. */
struct adit_str adit_name_alone(struct adit_str s, const struct adit_namer *j);

/* "Ann Lee and Bob Poe" as "Ann Lee, Bob Poe". */
struct adit_str adit_names_tidy(struct adit_str s, struct adit_arena *arena, bool *ok);

/* The Chinese characters that names are made of. */
static inline bool adit_is_han(uint32_t cp) { return cp >= 0x4E00 && cp <= 0x9FFF; }

/* The reporter whom Chinese papers name in the text: "（记者 王小明）" (reporter.c). */
struct adit_str adit_reporter(const struct adit_tape *tape, size_t title);

/* Dates in the body, in document order. */
enum { ADIT_DATES_MAX = 40 };
struct adit_dates {
    struct adit_dated {
        struct adit_str text;
        uint32_t item;
        uint8_t source;
    } v[ADIT_DATES_MAX];
    size_t n;
};

struct adit_meta_candidates {
    struct adit_str author[ADIT_AUTHOR_SOURCES]; /* those of the head */
    struct adit_names names;                     /* those of the body */
    struct adit_str date[ADIT_DATE_SOURCES];     /* those of the head and the URL */
    struct adit_dates dates;                     /* those of the body */
    struct adit_str modified[ADIT_MODIFIED_SOURCES];
    struct adit_str holder; /* of the rights: copyright, publisher */
    struct adit_str html_lang, meta_lang, og_locale;
    struct adit_str twitter_label[2], twitter_data[2];
    struct adit_robots_tag robots;
};

/* Reads all JSON-LD scripts of the page (jsonld.c): fills ld_title, ld_description, site_name if
 * empty, media, kinds, schema, and the ADIT_…_LD candidates. scripts are the texts as they stand.
 */
enum adit_code adit_jsonld_read(struct adit_meta *m, const struct adit_str *scripts, size_t n,
                                struct adit_arena *arena);

/* Microdata (microdata.c): whether a property gives a video or audio its address; and the object that
 * such a property at `node` belongs to, as one of m->media. */
bool adit_microdata_names_media(struct adit_str prop);
/* Whose property it is: its nearest object is the page, a video that may be all of the page, or a thing
 * on the page (a comment, a video in an article). */
enum adit_microdata_whose { ADIT_MICRODATA_PAGE, ADIT_MICRODATA_MEDIUM, ADIT_MICRODATA_OTHER };
enum adit_microdata_whose adit_microdata_whose(const struct adit_dom *d, uint32_t node);
void adit_microdata_media(struct adit_meta *m, const struct adit_dom *d, uint32_t node,
                          struct adit_arena *arena, bool *ok);

/* With HTML's character references decoded, for text that is not HTML, or was escaped twice. */
struct adit_str adit_meta_decode(struct adit_str s, struct adit_arena *arena, bool *ok);

/* Letters and digits of s, case-folded: what titles are compared by. */
struct adit_str adit_meta_letters(struct adit_str s, struct adit_arena *arena, bool *ok);

/* What is known of the site's name, as letters. */
enum { ADIT_LABELS_MAX = 4 };
struct adit_site {
    struct adit_str name, host;
    struct adit_str label[ADIT_LABELS_MAX]; /* of the host: "forum", "example" */
};
/* Whether letters are the site's name, or part of it. */
bool adit_is_site(struct adit_str letters, const struct adit_site *site);
/* The longest line of the body that is a whole part of title, and not the site's name; behind an h1
 * (unless that is empty): of the headings, one that is longer (headline.c). Empty: none. */
struct adit_str adit_meta_headline(struct adit_str title, struct adit_str h1,
                                   const struct adit_site *site, const struct adit_tape *tape,
                                   struct adit_arena *arena, bool *ok);
/* The heading, or line in bold letters, right above the page's text; empty if there is none. */
struct adit_str adit_meta_above_text(const struct adit_tape *tape, struct adit_arena *arena,
                                     bool *ok);

/* Where the text says no word of title: the line above the text of which it says half of the words,
 * three or more; empty if there is none. */
struct adit_str adit_meta_told_above(struct adit_str title, const struct adit_tape *tape,
                                     struct adit_arena *arena, bool *ok);

/* The page's title (title.c; the page's URL and kind are known), author (author.c), dates (date.c). */
struct adit_str adit_meta_title(const struct adit_meta *m, const struct adit_page *page,
                                const struct adit_tape *tape, struct adit_arena *arena, bool *ok);
struct adit_str adit_meta_author(const struct adit_meta *m, const struct adit_page *page,
                                 const struct adit_tape *tape, size_t title,
                                 struct adit_arena *arena, bool *ok);
/* The leaf of the title's heading; 0 if there is none. */
size_t adit_meta_title_leaf(const struct adit_tape *tape, struct adit_str title);
void adit_meta_dates(const struct adit_meta *m, const struct adit_page_source *source,
                     const struct adit_tape *tape, size_t title, struct adit_arena *arena,
                     struct adit_page *page, bool *ok);

/* The host of a URL without "www." and without its last label: "www.example.com" → "example". */
struct adit_str adit_meta_host(struct adit_str url);

#endif
