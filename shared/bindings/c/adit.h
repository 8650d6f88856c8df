/* libadit: HTML pages to what they say, as bytes that are the same on every machine.
 *
 *     struct libadit_converter *c = libadit_alloc_converter();
 *     struct libadit_source source = {.sizeof_source = sizeof source, .url = "https://example.com/"};
 *     const char *md;
 *     size_t len;
 *     if (libadit_convert(c, html, html_len, &source) == LIBADIT_SUCCESS &&
 *         libadit_write(c, "md", 0, &md, &len) == LIBADIT_SUCCESS)
 *         fwrite(md, 1, len, stdout);
 *     libadit_free_converter(c);
 *
 * - A converter is used by one thread at a time; different converters need no lock. Make one a thread and
 *   keep it: it reuses its memory.
 * - What a function hands out lives in the converter until the next call with the same converter, is
 *   UTF-8, and is not NUL-terminated unless it says so.
 * - Input may be hostile. A page has at most LIBADIT_PAGE_MAX bytes; converting it takes at most some
 *   70 MB and time linear in its size.
 * - No file, clock, environment, locale or network is read. Nothing is printed.
 * - Structs begin with their size, which the caller sets: members are added at the end only. Symbols are
 *   versioned; within a major version nothing is taken away.
 *
 * The bytes are those of `adit page` (which ends a format without LF with one), of the edge modules and of
 * the other bindings, as long as the rules version is the same.
 */
#ifndef ADIT_H
#define ADIT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LIBADIT_PAGE_MAX      (8u << 20)
#define LIBADIT_FINGERPRINT_Z 72 /* bytes of "sha256-", 64 hexadecimal digits and a NUL */

#ifndef LIBADIT_API
#define LIBADIT_API
#endif

/* --- converters ------------------------------------------------------------------------------- */

struct libadit_converter;

/* Where memory comes from; both functions or neither. free_func takes NULL. */
struct libadit_options {
    size_t sizeof_options;
    void *(*malloc_func)(size_t size);
    void (*free_func)(void *p);
};

/* NULL: out of memory. Free it with libadit_free_converter, which takes NULL. */
LIBADIT_API struct libadit_converter *libadit_alloc_converter(void);
/* The same with an allocator of the caller's; options may be NULL. */
LIBADIT_API struct libadit_converter *libadit_alloc_converter_ex(
    const struct libadit_options *options);
LIBADIT_API void libadit_free_converter(struct libadit_converter *c);

/* --- converting ------------------------------------------------------------------------------- */

enum libadit_result {
    LIBADIT_SUCCESS = 0,
    LIBADIT_NO_MEMORY = 1,
    LIBADIT_TOO_LARGE = 2,  /* the page or what comes of it is beyond a limit */
    LIBADIT_BAD_URL = 3,    /* no absolute http or https URL is given, nor stated by the page */
    LIBADIT_NOT_HTML = 4,   /* the bytes are a PDF, an image or the like: libadit_error names it */
    LIBADIT_NO_CONTENT = 5, /* the page was read and says nothing */
    LIBADIT_BAD_INPUT = 6,  /* a document is not what it should be */
    LIBADIT_UNKNOWN = 7,    /* no such format; no such kind of document */
    LIBADIT_NO_PAGE = 8     /* nothing was converted yet, or the last conversion failed */
};

enum {                    /* flags of a source */
       LIBADIT_WHOLE = 1, /* everything that is visible, not the main content only */
       LIBADIT_PLAIN =
           2 /* without links, emphasis and nested lists inside texts: a little faster, for
                           formats that have no place for them (scp, tct, text) */
};

/* What is known of a page besides its bytes. Strings are NUL-terminated; NULL: not known. */
struct libadit_source {
    size_t sizeof_source;
    const char *url;      /* absolute; NULL: what the page states (canonical, og:url) */
    const char *headers;  /* of its response, a line each, "Name: value", ended by LF or CR LF:
                             Content-Type, Content-Language, Last-Modified, X-Robots-Tag count */
    const char *date;     /* when it was fetched, RFC 3339: bounds what it says of its own dates */
    const char *language; /* last resort: BCP 47 */
    unsigned flags;
};

/* Converts the decoded body of a response, in any charset. */
LIBADIT_API enum libadit_result libadit_convert(struct libadit_converter *c, const void *html,
                                                size_t html_len,
                                                const struct libadit_source *source);

/* Why the last call with this converter failed, NUL-terminated; "" if it did not. */
LIBADIT_API const char *libadit_error(const struct libadit_converter *c);

/* --- what came of it -------------------------------------------------------------------------- */

enum {                          /* flags of writing */
       LIBADIT_FRONT_MATTER = 1 /* Markdown begins with title, url, author and more, as YAML */
};

/* Writes the page that was converted last: "scp", "tct", "text", "md", "html". */
LIBADIT_API enum libadit_result libadit_write(struct libadit_converter *c, const char *format,
                                              unsigned flags, const char **bytes, size_t *len);
/* The i-th format's name, NUL-terminated and constant; NULL: there are no more. */
LIBADIT_API const char *libadit_format(size_t i);

enum libadit_field {
    LIBADIT_URL = 0,
    LIBADIT_TITLE = 1,
    LIBADIT_DESCRIPTION = 2,
    LIBADIT_AUTHOR = 3,
    LIBADIT_PUBLISHED = 4, /* RFC 3339 */
    LIBADIT_MODIFIED = 5,
    LIBADIT_LANGUAGE = 6, /* BCP 47; "und": unknown */
    LIBADIT_CANONICAL = 7,
    LIBADIT_SITE_NAME = 8,
    LIBADIT_CHARSET = 9 /* that the HTML was in */
};
/* What the page says of itself. *len 0: nothing, or there is no page. */
LIBADIT_API const char *libadit_get(const struct libadit_converter *c, enum libadit_field field,
                                    size_t *len);

enum { /* what a page refuses, by its HTML and its header fields */
       LIBADIT_NOINDEX = 1,
       LIBADIT_NOARCHIVE = 2,
       LIBADIT_NOFOLLOW = 4,
       LIBADIT_OPTOUT = 8 /* some use by machines: noai, tdm-reservation and the like */
};
LIBADIT_API unsigned libadit_refusals(const struct libadit_converter *c);

/* --- fingerprints and checks ------------------------------------------------------------------ */

/* The fingerprint of the page that was converted last: the ETag of its machine view (TCT). */
LIBADIT_API enum libadit_result libadit_fingerprint(struct libadit_converter *c,
                                                    char fingerprint[LIBADIT_FINGERPRINT_Z]);
/* Of a JSON payload in any form (Method A), and of a content string (Method B). */
LIBADIT_API enum libadit_result libadit_fingerprint_payload(
    struct libadit_converter *c, const void *json, size_t json_len,
    char fingerprint[LIBADIT_FINGERPRINT_Z]);
LIBADIT_API enum libadit_result libadit_fingerprint_text(struct libadit_converter *c,
                                                         const void *text, size_t text_len,
                                                         char fingerprint[LIBADIT_FINGERPRINT_Z]);

/* Judges a document by its specification: a TCT payload or sitemap, an SCP collection (not compressed) or
 * one page of it, a manifest. Writes a report, {"kind":…,"valid":…,"findings":[{"rule":…,"severity":…,
 * "what":…,"advice":…}, …]}: the first 100 findings, as `adit check --json` has them. LIBADIT_SUCCESS: valid,
 * perhaps with warnings; LIBADIT_BAD_INPUT: not valid; LIBADIT_UNKNOWN: no such document, no report. */
LIBADIT_API enum libadit_result libadit_check(struct libadit_converter *c, const void *document,
                                              size_t document_len, const char **report,
                                              size_t *report_len);

/* --- versions --------------------------------------------------------------------------------- */

/* Of the library that is linked; NUL-terminated and constant. */
LIBADIT_API const char *libadit_version(void);
/* Of the rules of conversion: the same rules give the same bytes. */
LIBADIT_API const char *libadit_rules_version(void);

#ifdef __cplusplus
}
#endif

#endif
