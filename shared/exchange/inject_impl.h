/* Writes a link into the head of an HTML page while the page streams through: a sink stage of
 * constant memory. The page is tokenized as far as its head, never searched: comments, scripts and
 * attributes that contain "<head>" are no trap. Behind the insertion chunks are passed on as they
 * are.
 *
 * The link goes
 *   - directly behind the tag that declares the charset, when HTTP gives none and the tag ends
 * within the first 1024 bytes (there browsers look for it: it must not move);
 *   - else directly behind <head>;
 *   - without such a tag, to where the HTML parser begins the head of its own accord: before the
 *     first thing that is not white space, a comment, a doctype, <html> or a stray end tag.
 * Apart from it the page keeps its bytes. It is not touched at all where there is doubt:
 *   - UTF-16, ISO-2022-JP, or a NUL byte before the place;
 *   - nothing says that it is a document: no doctype, <html> or <head>, and it does not begin with
 *     what belongs into a head, or <body> (much that is served as text/html is JSON, or a
 * fragment);
 *   - HTTP gives no charset, and a declaration that is no tag of the head (a browser also takes one
 *     from a script, or from the body) would be pushed out of the first 1024 bytes;
 *   - no place within the first 64 KiB. */
#ifndef ADIT_EXCHANGE_INJECT_IMPL_H
#define ADIT_EXCHANGE_INJECT_IMPL_H

#include "base/base.h"

enum { ADIT_INJECT_HELD = 1024 + 32, ADIT_INJECT_NAME = 12 };

/* Read `inserted`; the rest is private to it. Nothing to free. */
struct adit_inject {
    struct adit_sink sink;
    bool inserted;
    struct adit_sink *next;
    struct adit_str link;
    int state, after;           /* of the tokenizer; state to go to behind the current tag */
    bool done;                  /* inserted or given up: chunks pass through */
    bool watch;                 /* HTTP gives no charset: look for the tag that does */
    bool document;              /* something said that this is one */
    bool found;                 /* `place` is known */
    bool escaped;               /* a script's text has had "<!" */
    uint32_t pos, place, token; /* offsets in the page: read so far, insertion, current token */
    uint32_t dashes, n_name, n_raw, n_held;
    char name[ADIT_INJECT_NAME], raw[ADIT_INJECT_NAME]; /* tag; element whose text is raw */
    char held[ADIT_INJECT_HELD];                        /* read, but not passed on */
};

/* Makes *in a stage before next. link, one or several already escaped (adit_inject_link), must stay until the end.
 * http_charset is the charset of Content-Type, or empty. */
struct adit_sink *adit_inject_init(struct adit_inject *in, struct adit_str link,
                                   struct adit_str http_charset, struct adit_sink *next);

/* Appends <link rel="alternate" type="TYPE" href="HREF">; type is ours, and plain. Whatever is in href, it stays
 * within the attribute, and the tag is ASCII: quotes, < > and & become character references,
 * control characters, spaces and bytes over 0x7F are percent-encoded. */
void adit_inject_link(struct adit_buf *out, struct adit_str type, struct adit_str href);

#endif
