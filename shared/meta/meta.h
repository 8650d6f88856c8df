/* Metadata: what a page says about itself. One pass over the tree collects candidates by tables of
 * sources; resolving picks by trust.
 */
#ifndef ADIT_META_H
#define ADIT_META_H

#include "html/html.h"
#include "page/page.h"
#include "tape/tape.h"

/* A VideoObject or AudioObject of the page's JSON-LD. URLs are as they stand (unresolved). */
struct adit_meta_media {
    bool audio;
    uint32_t node; /* the element that is the object; 0: JSON-LD names it */
    struct adit_str name, description, duration, content_url, embed_url, thumbnail_url, transcript,
        width, height, encoding_format, author, part_of;
    struct adit_media_chapter *chapters;
    size_t n_chapters;
};

/* What the page states. Strings have their white space collapsed, entities decoded, and live in
 * the arena (or the tree); empty: not stated. */
struct adit_meta {
    /* titles */
    struct adit_str title_tag, og_title, twitter_title, ld_title;
    struct adit_str h1[4]; /* the first ones with text */
    size_t n_h1;           /* how many h1 with text the page has in all */
    /* descriptions */
    struct adit_str description, og_description, ld_description;
    /* the page's shape */
    struct adit_str og_type, body_class, body_id, html_class;
    uint32_t kinds; /* ADIT_KIND_… of all JSON-LD types */
    /* as written; resolve against base */
    struct adit_str base_href, canonical_href;
    struct adit_str site_name; /* og:site_name, application-name, JSON-LD publisher or WebSite */
    struct adit_meta_media *media;
    size_t n_media;
    size_t n_scripts; /* all of the page but those of JSON-LD */
    /* candidates of author, published, modified, language, robots: meta.c's own tables */
    struct adit_meta_candidates *candidates;
    struct adit_str schema; /* the main JSON-LD object as strict JSON text */
};

/* ADIT_KIND_… of a schema.org type name ("NewsArticle"); 0 if it tells nothing. */
uint32_t adit_kind_of_type(struct adit_str type);

/* Collects, and writes the tape: both read every element, so one walk does both. ADIT_ENOMEM or
 * ADIT_OK: broken metadata is never an error. url is the page URL, classes are empty. */
enum adit_code adit_meta_collect(struct adit_meta *m, const struct adit_dom *dom,
                                 struct adit_str url, struct adit_classes *classes,
                                 struct adit_tape *tape, struct adit_arena *arena);

/* The text of the page's main JSON-LD object, lines as they stand; empty if it has none. */
struct adit_str adit_jsonld_body(const struct adit_meta *m, struct adit_arena *arena, bool *ok);

/* Scripts that may hold the data of a page, as they stand. */
struct adit_states {
    struct adit_str v[ADIT_LIMIT_state_scripts];
    size_t n;
};
/* Those of the page; their texts are taken now, since few pages are asked for them. */
void adit_meta_states(const struct adit_dom *dom, struct adit_states *states);

/* The text in the data that a framework's scripts build the page from, lines as they stand; empty if
 * there is none. The tree must still be there. */
struct adit_str adit_state_body(const struct adit_states *states, struct adit_arena *arena,
                                bool *ok);

/* Whether a schema.org type is that of a post in a thread. */
bool adit_is_post_type(struct adit_str itemtype);

/* Who speaks in the post that `post` is the element of, and when, as far as it marks them (voice.c);
 * posts inside of it speak for themselves. */
void adit_meta_voice(const struct adit_dom *dom, uint32_t post, struct adit_arena *arena, bool *ok,
                     struct adit_str *name, struct adit_str *date);

/* A line that says who has written what stands below it, and when. */
struct adit_signature {
    uint32_t name_node, date_node;
    struct adit_str name, date; /* the day, or the words of a short text */
    struct adit_str said;       /* the date as the page shows it */
    struct adit_str href;       /* where the date's link leads; may be empty */
};
/* Whether an element states an instant to machines. */
bool adit_meta_is_instant(const struct adit_dom *dom, uint32_t node);
/* Fills out for an element that does; false: nobody is named beside it. */
bool adit_meta_signed(const struct adit_dom *dom, uint32_t node, struct adit_arena *arena, bool *ok,
                      struct adit_signature *out);

/* White space collapsed and trimmed; s itself if there is nothing to do. */
struct adit_str adit_meta_squeeze(struct adit_str s, struct adit_arena *arena, bool *ok);

/* The URL that relative references are resolved against: the first <base href>, else (also if that
 * is longer than ADIT_LIMIT_base_bytes) url. */
enum adit_code adit_meta_base(const struct adit_meta *m, struct adit_str url,
                              struct adit_arena *arena, struct adit_str *base);

/* Fills title, description (may stay empty: the block builder then takes the first text), author,
 * published, modified, language, html_language, canonical, site_name, schema, noindex, noarchive
 * and nofollow of *page. page->url is set already. tape (may be NULL) is searched for a written
 * date near the title. */
enum adit_code adit_meta_resolve(const struct adit_meta *m, const struct adit_page_source *source,
                                 const struct adit_tape *tape, struct adit_arena *arena,
                                 struct adit_page *page);

#endif
