/* format: what a page can be written as: one table, a row a format. Adding one is a function and a
 * row; edge/, batch/ and the exchange only know rows from here. */
#ifndef ADIT_FORMAT_H
#define ADIT_FORMAT_H

#include "page/page.h"
#include "tct/tct.h"

/* How the path of a page's machine URL ends. */
enum adit_suffix {
    ADIT_SUFFIX_NONE,    /* there is no machine URL for the format */
    ADIT_SUFFIX_SEGMENT, /* the site's suffix as a segment: "/post/llm/", "/post/llm" */
    ADIT_SUFFIX_ENDING,  /* the suffix and the format's ending: "/post/llm.md", "/post.llm.md" */
};

/* What a site's configuration may ask of a machine view. */
struct adit_format_options {
    bool schema; /* with the page's main JSON-LD object, where the format has a place for it */
    bool front_matter; /* with what the format has for its beginning (front_matter below) */
    enum adit_tct_profile_id profile; /* of TCT's JSON */
    uint8_t *digest; /* NULL, or gets the SHA-256 of all that is appended, 32 bytes */
};

struct adit_format {
    const char *name, *media_type;
    const char *summary; /* for help texts */
    /* Appends the page to out; work memory comes from mem. */
    enum adit_code (*write)(const struct adit_page *page, struct adit_mem mem,
                            struct adit_buf *out);
    /* NULL, or appends what may stand before the page, if asked for: what its HTML says about it. */
    enum adit_code (*front_matter)(const struct adit_page *page, struct adit_buf *out);

    /* The rest is about machine views: not set where suffix is NONE. */
    enum adit_suffix suffix;
    bool rich;   /* of every format: it asks for inline structure (adit_page_source.rich) */
    bool tokens; /* answers say how many tokens the view, and its HTML, may cost */
    struct adit_str ending; /* for ADIT_SUFFIX_ENDING */
    const char *route;      /* what logs call a request for such a view */
    struct adit_str key;    /* tells the format's keys of the validator memory from others' */
    /* Appends the view to out and gives the fingerprint that its ETag is made of. */
    enum adit_code (*view)(const struct adit_page *page, const struct adit_format_options *options,
                           struct adit_mem mem, struct adit_buf *out, char hash[ADIT_TCT_HASH]);
};

/* In the order of adit_formats. */
enum adit_format_row {
    ADIT_FORMAT_SCP,
    ADIT_FORMAT_TCT, /* the one that pages, sitemaps and redirects of old URLs lead to */
    ADIT_FORMAT_TEXT,
    ADIT_FORMAT_MD,
    ADIT_FORMAT_HTML,
    ADIT_FORMATS
};
extern const struct adit_format adit_formats[ADIT_FORMATS + 1]; /* ends with a NULL name */

/* The media type of TCT's documents: payloads, sitemaps, policies (profiles may have another). */
#define ADIT_TCT_MEDIA_TYPE "application/json; charset=utf-8"

/* NULL: there is no such format. */
const struct adit_format *adit_format_find(struct adit_str name);

#endif
