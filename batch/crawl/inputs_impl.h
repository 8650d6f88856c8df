/* What an operand is made of: archives that stand for themselves, WACZ files that hold several, indexes
 * that name captures of others. reader.c goes through them. */
#ifndef ADIT_CRAWL_INPUTS_IMPL_H
#define ADIT_CRAWL_INPUTS_IMPL_H

#include "batch/crawl/crawl.h"

/* --- inputs.c: operands to inputs -------------------------------------------------------------- */

/* A source for a file or URL that the user named; NULL: said on stderr. */
struct input_source *crawl_source(const struct crawl_options *o, const char *name);
/* What the first bytes, decompressed, are, if they are nothing that is read here: what it is and what to
 * do. NULL: it may be an archive. */
const char *crawl_not_readable(struct adit_str head);

/* --- wacz.c ----------------------------------------------------------------------------------- */

struct wacz;
/* Takes of. NULL, and *why. */
struct wacz *wacz_open(struct input_source *of, const char **why);
void wacz_close(struct wacz *w); /* NULL is fine */
/* The next archive in it: its name, and an input that is to be closed before the next call. False: there
 * is none left. *in NULL: it cannot be read, *why tells. */
bool wacz_next(struct wacz *w, struct adit_str *member, struct input **in, const char **why);
/* After an archive was read: NULL, or how it differs from what datapackage.json says. */
const char *wacz_verify(struct wacz *w);
/* What is wrong with the file as a whole (no datapackage.json, another hash of it); NULL: nothing. */
const char *wacz_fault(const struct wacz *w);
/* The text that the crawler saw on a page, from pages/: valid until the next call. False at the end. */
struct wacz_page {
    struct adit_str url, date, title, text;
};
bool wacz_page(struct wacz *w, struct wacz_page *page);

/* --- cdxj.c ----------------------------------------------------------------------------------- */

struct cdxj_line {
    struct adit_str file;
    uint64_t offset, length;
};
/* Whether s begins as a CDXJ index does: "com,example)/ 20260101000000 {". */
bool cdxj_starts(struct adit_str s);
/* Reads a line. NULL, or what is wrong with it; a line of no capture ("!meta") gives an empty file. */
const char *cdxj_line(struct adit_str text, struct adit_arena *arena, struct cdxj_line *line);

struct cdxj;
/* Takes in. name: of the index, beside which its files are. NULL: out of memory. */
struct cdxj *cdxj_open(const struct crawl_options *o, const char *name, struct input *in);
void cdxj_close(struct cdxj *c); /* NULL is fine */
/* The next capture: the name of its file, where it is in it, and an input over it that is to be closed
 * before the next call. False at the end. *in NULL: *why tells. */
bool cdxj_next(struct cdxj *c, const char **file, uint64_t *offset, struct input **in,
               const char **why);

/* --- text.c ----------------------------------------------------------------------------------- */

/* A page made of plain text: paragraphs, no structure. NULL: no text, bad UTF-8 or no memory. */
const struct adit_page *crawl_text_page(struct adit_str text, struct adit_str title,
                                        const struct adit_page_source *source,
                                        struct adit_arena *arena);

#endif
