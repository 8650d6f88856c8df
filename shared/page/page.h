/* page: from the bytes of an HTML page to what it says: metadata and content blocks.
 *
 * One call converts a page; the result lives in the converter's arena until the next call. The
 * formats (format/format.h) are made from struct adit_page alone.
 */
#ifndef ADIT_PAGE_H
#define ADIT_PAGE_H

#include "base/base.h"
#include "codec/codec.h"

/* What HTTP (or a WARC record) says about a page. Every member may be empty. */
struct adit_page_source {
    struct adit_str url;              /* absolute; normalised by the converter (adit_url_page) */
    struct adit_str content_type;     /* header value: only its charset counts */
    struct adit_str content_language; /* header value */
    struct adit_str last_modified;    /* header value */
    struct adit_str robots;           /* X-Robots-Tag, all values joined with ", " */
    struct adit_str date;             /* capture instant, RFC 3339; bounds `modified` */
    struct adit_str language;         /* last resort of the language (--language) */
    unsigned optout; /* what header fields say against uses by machines: see adit_optout */
    bool whole;      /* take the whole visible body, not the main content only */
    bool links;      /* links within texts are blocks, too, which only SCP writes */
    bool rich;       /* with inline structure, for formats that ask for it (adit_format.rich) */
};

/* What a page is. */
enum adit_page_kind {
    ADIT_PAGE_ARTICLE,
    ADIT_PAGE_DOCUMENTATION,
    ADIT_PAGE_PRODUCT,
    ADIT_PAGE_FORUM, /* threads, questions with answers */
    ADIT_PAGE_RECIPE,
    ADIT_PAGE_LISTING, /* entries that lead to other pages */
    ADIT_PAGE_SERVICE, /* what somebody offers: a company's, an institution's page */
    ADIT_PAGE_OTHER,
    ADIT_PAGE_KINDS
};
extern const char *const adit_page_kind_names[ADIT_PAGE_KINDS];

/* What the selection says of the page as a whole. */
struct adit_page_look {
    uint8_t kind;        /* enum adit_page_kind */
    uint16_t confidence; /* the F1 that the content may be expected to have, per mille */
    bool needs_script; /* its text is brought by a script: what is here is little, or was read from
                            the script's data */
};
/* The confidence as a number of JSON: 0 to 1, three digits behind the point at most. */
enum { ADIT_CONFIDENCE_BYTES = 8 };
struct adit_str adit_page_confidence(struct adit_page_look look, char out[ADIT_CONFIDENCE_BYTES]);

enum adit_block_type {
    ADIT_TEXT,
    ADIT_HEADING,
    ADIT_LINK,
    ADIT_IMAGE,
    ADIT_LIST,
    ADIT_CODE,
    ADIT_TABLE,
    ADIT_QUOTE,
    ADIT_VIDEO,
    ADIT_AUDIO,
    ADIT_BLOCK_TYPES
};

/* --- inline structure ------------------------------------------------------------------------- */

/* What a part of a text is. */
enum adit_span_kind {
    ADIT_SPAN_LINK,   /* url (absolute), title */
    ADIT_SPAN_EMPH,   /* em, i, cite, dfn, var */
    ADIT_SPAN_STRONG, /* strong, b */
    ADIT_SPAN_STRUCK, /* del, s, strike */
    ADIT_SPAN_SUP,
    ADIT_SPAN_SUB,
    ADIT_SPAN_CODE,  /* every character counts; nothing nests in it */
    ADIT_SPAN_MATH,  /* TeX; nothing nests in it */
    ADIT_SPAN_NOTE,  /* the mark of a note: number; the span is the page's own, in brackets */
    ADIT_SPAN_IMAGE, /* url, title; the span is its alt text */
    ADIT_SPAN_KINDS
};

/* The bytes [from, to) of a text. */
struct adit_span {
    uint32_t from, to;
    uint8_t kind;    /* enum adit_span_kind */
    bool display;    /* MATH: set on a line of its own */
    uint16_t number; /* NOTE: its number, from 1 */
    struct adit_str url, title;
};

/* A text with its inline structure. Spans are sorted by where they begin, longer ones first, and
 * nest: of two that share bytes one lies within the other. LF is a line break, two are the end of a
 * paragraph. Without spans the text is its own plain string. */
struct adit_rich {
    struct adit_str text;
    const struct adit_span *spans;
    size_t n_spans;
};

/* The plain string of a text (TCT, SCP and text have no other): struck-out parts are left out,
 * exponents and indices become signs of their own, or x^(n+1) and a_(ij), images and marks of notes
 * stand in brackets, formulas are their TeX. Appends. */
void adit_rich_plain(const struct adit_rich *rich, struct adit_buf *out);
/* The same for one exponent (or index) alone. */
void adit_plain_script(struct adit_str text, bool sup, struct adit_buf *out);
/* Appends an exponent or index as signs of its own, or as the part of a word that it is (1st); false:
 * it has no such signs. */
bool adit_script_signs(struct adit_str text, bool sup, struct adit_buf *out);

/* Strings in an array, in the page's arena. */
struct adit_strs {
    struct adit_str *v;
    size_t n;
};

struct adit_media_source {
    struct adit_str href, media_type, rel;
};
struct adit_media_caption {
    struct adit_str language, url, label;
};
struct adit_media_chapter {
    uint64_t time; /* seconds */
    struct adit_str title;
};

/* The extra members of video and audio blocks (SCP, Content Block Types). */
struct adit_media {
    struct adit_str name, duration, icon, summary, transcript, attributed_to, part_of;
    uint64_t width, height; /* 0 = unknown */
    struct adit_media_source *sources;
    struct adit_media_caption *captions;
    struct adit_media_chapter *chapters;
    size_t n_sources, n_captions, n_chapters;
};

/* A part of an item of a list: its text, or a call-out in it. */
struct adit_item_part {
    struct adit_rich rich;
    uint16_t box; /* its number, from 1; 0: none */
};

/* What the plain string of a list's item does not say. */
struct adit_list_item {
    const struct adit_rich *rich;       /* NULL: the item is plain */
    const struct adit_item_part *parts; /* instead, of an item with call-outs; else NULL */
    size_t n_parts;
    uint32_t number; /* ordered */
    uint16_t note;   /* the item is the text of this note; 0: it is none */
    uint8_t depth;   /* 0: of the list itself, 1: of a list in one of its items … */
    bool ordered : 1;
    bool more : 1; /* goes on with the last item of its depth, behind a list in that item */
};

/* One content block. Which members count depends on the type; the others are empty. All text is
 * valid UTF-8, white space as a browser would render it (code: as it stands). */
struct adit_block {
    enum adit_block_type type;
    uint8_t level;    /* heading 1…6 */
    bool ordered;     /* list */
    bool header : 1;  /* table: the first row is one */
    bool inside : 1;  /* image, link: it stands in the text of another block, too (images:
                         with rich) */
    bool said : 1;    /* the voice of the next block says it: formats with structure leave it out */
    uint16_t note;    /* text, link, quote: part of this note; 0: of none */
    bool apart : 1;   /* another voice begins here: a post, an answer */
    bool goes_on : 1; /* list: with the one before */
    bool same_quote : 1; /* it stands in the quote that the block before is or stands in */
    bool heads : 1;      /* the first of a call-out: its title */
    uint8_t quoted;      /* quotes around it; not its own, nor those around a list */
    uint8_t around;      /* quotes around the list that it is, or that the item is in */
    uint8_t item;        /* 1 + the depth of the list item that the block stands in; 0: none */
    uint16_t box;        /* the call-out that the block stands in, from 1; 0: none */
    const struct adit_rich *voice; /* apart: who speaks, and when, for formats with structure */
    struct adit_str text;          /* text, heading, link, quote; image: alt; code: the code */
    struct adit_str url;           /* link, image: absolute http(s) */
    struct adit_str detail;   /* code: language; quote: citation; image: where its link leads */
    struct adit_strs items;   /* list: items; link: rel; table: cells, row by row */
    size_t columns;           /* table: cells a row (rows are padded to the same width) */
    struct adit_media *media; /* video, audio */

    /* What plain strings do not say. */
    const struct adit_rich *rich;      /* text, heading, link, quote: its text; table: a row a cell.
                                          NULL: all is plain, or the source did not ask */
    const struct adit_rich *caption;   /* image: what stands below it, which text has behind alt.
                                          NULL: nothing, or the source did not ask */
    struct adit_str alt;               /* image with a caption: alt text alone */
    const struct adit_list_item *list; /* list: a row an item; NULL: as `ordered` says */
};

/* A note, tip or warning in a box of its own, which blocks stand in. */
struct adit_box {
    struct adit_str kind;  /* NOTE, WARNING … */
    struct adit_str title; /* where no block has it */
};

/* The page. Empty strings mean: the page does not say. Times are RFC 3339, in UTC but for
 * published. */
struct adit_page {
    struct adit_str url;         /* page URL: normalised, fragment dropped */
    struct adit_str title;       /* never empty */
    struct adit_str description; /* may be empty */
    struct adit_str author;
    struct adit_str published; /* by HTML and URL alone; with the offset that the page states, so
                                  that the day is the page's own */
    struct adit_str modified;  /* by HTML, HTTP and capture date, in that order of trust */
    struct adit_str language;  /* canonical BCP 47, by HTML, HTTP, option; "und" if unknown */
    struct adit_str canonical, site_name;
    struct adit_str schema; /* main JSON-LD object as canonical-ready JSON text, or empty */
    /* What the HTML alone states: the M-URL payload uses only these. */
    struct adit_str html_language;
    bool noindex, noarchive, nofollow;
    unsigned optout;           /* ADIT_OPTOUT_… of HTML and HTTP; no part of the payload */
    struct adit_block *blocks; /* at most ADIT_LIMIT_page_blocks */
    size_t n_blocks;
    struct adit_box *boxes; /* the call-outs that blocks stand in; with rich only */
    size_t n_boxes;
    struct adit_page_look look;  /* no part of any payload */
    struct adit_charset charset; /* that the HTML is in; of pages made of text: no name */
};

/* Keeps the parser and the arenas between pages: one a thread. */
struct adit_converter;

struct adit_converter *adit_converter_new(struct adit_mem mem);
void adit_converter_free(struct adit_converter *c);

/* Converts body (the decoded HTTP body, any charset). ADIT_OK: *page is filled, possibly without
 * blocks. ADIT_ELIMIT, ADIT_ENOMEM: no page. ADIT_EBAD: source->url is not an http(s) URL. */
enum adit_code adit_convert(struct adit_converter *c, struct adit_str body,
                            const struct adit_page_source *source, const struct adit_page **page,
                            struct adit_error *err);

/* Appends, a text of the page after the other, whether it is taken as content and why. */
enum adit_code adit_explain(struct adit_converter *c, struct adit_str body,
                            const struct adit_page_source *source, struct adit_buf *out,
                            struct adit_error *err);

/* The same as a JSON object: each text with its places in the page (offsets into its UTF-8), its element,
 * score and reason, the features that moved the score most, and a legend of these. */
enum adit_code adit_explain_json(struct adit_converter *c, struct adit_str body,
                                 const struct adit_page_source *source, struct adit_buf *out,
                                 struct adit_error *err);
/* The page itself, in UTF-8, with each text marked as kept or dropped and the reason beside it; for a
 * browser that runs none of its scripts. base: what its references are resolved against; may be empty. */
enum adit_code adit_explain_html(struct adit_converter *c, struct adit_str body,
                                 const struct adit_page_source *source, struct adit_str base,
                                 struct adit_buf *out, struct adit_error *err);

/* --- pages that stand in another's place (hollow.c) -------------------------------------------- */

enum adit_page_hollow {
    ADIT_HOLLOW_NOT,       /* a page like any */
    ADIT_HOLLOW_MISSING,   /* "not found", though the status may be 200 */
    ADIT_HOLLOW_CHALLENGE, /* a test whether a person is asking, a refusal */
    ADIT_HOLLOW_EMPTY      /* next to nothing, where there was a text */
};
extern const char *const adit_hollow_names[]; /* "page", "not found", … */
/* By shape: few words, and what its title or text says. words_before: of the text that was there
 * before (adit_word_count); 0: unknown. */
enum adit_page_hollow adit_page_hollow(struct adit_str title, struct adit_str text,
                                       uint64_t words_before, struct adit_mem mem);

/* --- format ----------------------------------------------------------------------------------- */

/* Formats that are made from a page alone and need no other folder: plain text, Markdown, HTML. */

/* The content as plain text: the title, then the blocks, separated by blank lines. No markup;
 * images and media are named in brackets. This is the `content` of a TCT payload. Appends. */
enum adit_code adit_page_text(const struct adit_page *page, struct adit_buf *out);

/* The page as CommonMark with GFM's tables, formulas and notes; ends with LF. Appends. */
enum adit_code adit_page_md(const struct adit_page *page, struct adit_buf *out);
/* What the HTML states about the page, as YAML between two lines of hyphens, and a blank line. */
enum adit_code adit_page_front_matter(const struct adit_page *page, struct adit_buf *out);

/* The page as an HTML5 document without style or script: the model alone. Appends. */
enum adit_code adit_page_html(const struct adit_page *page, struct adit_buf *out);

/* Whether a text says the title: the same letters and digits, in any case. Everything that looks for the
 * title in a page asks this. */
bool adit_page_says_title(struct adit_str text, struct adit_str title);
/* Whether block is the page's title as a heading: formats that begin with the title leave it out.
 */
bool adit_page_is_title(const struct adit_page *page, const struct adit_block *block);

#endif
