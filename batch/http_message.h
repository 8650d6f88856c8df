/* http_message: an HTTP/1.x response as archives hold it: head, body, and the body decoded.
 *
 * Archives hold what servers sent and what crawlers made of it: bodies already decoded under
 * headers that say otherwise, missing blank lines, HTTP/2 written as text. All of that is read.
 */
#ifndef ADIT_HTTP_MESSAGE_H
#define ADIT_HTTP_MESSAGE_H

#include "batch/cli.h"

struct http_message {
    unsigned status; /* 0: there is none */
    struct adit_str head, body;
};

/* Splits a block. Without any HTTP head the whole block is the body. */
void http_message_split(struct adit_str block, struct http_message *m);
/* The first field of that name, trimmed; empty if none. */
struct adit_str http_field(const struct http_message *m, struct adit_str name);
/* All fields of that name, joined with ", ", appended to out. */
void http_fields(const struct http_message *m, struct adit_str name, struct adit_buf *out);

/* Decodes bodies; keeps its buffers between calls. One a thread. */
struct http_decoder;
struct http_decoder *http_decoder_new(size_t body_max);
void http_decoder_free(struct http_decoder *d); /* NULL is fine */

/* Undoes Transfer-Encoding: chunked and Content-Encoding: gzip, deflate, br, zstd (and lists of
 * them). *body points into m or into the decoder, valid until the next call. ADIT_EBAD: the body is
 * damaged; ADIT_ELIMIT: longer than body_max; ADIT_EUNSUP: a coding that nobody uses; ADIT_ENOMEM.
 */
enum adit_code http_decode(struct http_decoder *d, const struct http_message *m,
                           struct adit_str *body);

#endif
