/* The converter's steps, for adit_convert, for explaining and for measuring it.
 */
#ifndef ADIT_CONVERT_H
#define ADIT_CONVERT_H

#include "html/html.h"
#include "meta/meta.h"
#include "page/page.h"
#include "select/select.h"
#include "tape/tape.h"
#include "text/text.h"

/* A page on its way through the steps. Lives in the converter until its next page. */
struct adit_draft {
    struct adit_converter *converter;
    struct adit_str body;
    struct adit_page_source source;
    struct adit_error *err; /* may be NULL */
    struct adit_arena *arena;
    struct adit_str url;
    struct adit_url base;        /* what references are resolved against */
    struct adit_str text;        /* body in UTF-8 */
    struct adit_charset charset; /* that the body is in */
    const struct adit_dom *dom;
    struct adit_meta meta;
    struct adit_tape tape;
    struct adit_page_hints hints;
    struct adit_page_look look;
    struct adit_page *page;
};

enum adit_step_name {
    ADIT_STEP_CHARSET,
    ADIT_STEP_PARSE,
    ADIT_STEP_WALK,
    ADIT_STEP_SELECTION,
    ADIT_STEP_TITLE,
    ADIT_STEP_BLOCKS,
    ADIT_STEPS
};

/* The steps of a conversion, to be run in this order. */
extern const struct adit_convert_step {
    const char *name;
    enum adit_code (*run)(struct adit_draft *d);
} adit_convert_steps[ADIT_STEPS];

/* A draft before its first step. */
void adit_convert_begin(struct adit_converter *c, struct adit_str body,
                        const struct adit_page_source *source, struct adit_draft *d,
                        struct adit_error *err);
/* Runs the steps before the selection. */
enum adit_code adit_convert_prepare(struct adit_converter *c, struct adit_str body,
                                    const struct adit_page_source *source, struct adit_draft *d,
                                    struct adit_error *err);

/* Notes what a header field says of a page (source.c). Strings must outlive the source. */
void adit_page_source_header(struct adit_page_source *source, struct adit_str name,
                             struct adit_str value, struct adit_arena *arena);

/* The absolute URL that a page states of itself: <link rel=canonical>, else og:url; empty: none. Lives
 * until the converter's next page; source->url does not count. */
enum adit_code adit_convert_own_url(struct adit_converter *c, struct adit_str body,
                                    const struct adit_page_source *source, struct adit_str *url);

/* Moves all that a page says into another arena. After ADIT_ENOMEM there is no page. */
enum adit_code adit_page_move(struct adit_page *page, struct adit_arena *to);
/* Copies the strings of a page that lie in body, which the page is to outlive, into its arena. */
enum adit_code adit_page_own(struct adit_page *page, struct adit_arena *arena,
                             struct adit_str body);

#endif
