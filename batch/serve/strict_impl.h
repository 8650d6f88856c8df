/* Which requests `adit serve` takes. A proxy before it or an upstream behind it may read a doubtful
 * message in another way, and then a part of one request is taken for another one (RFC 9112, 11.2):
 * such messages are refused, and their connections closed. */
#ifndef ADIT_SERVE_STRICT_IMPL_H
#define ADIT_SERVE_STRICT_IMPL_H

#include "http/http.h"

/* The longest method that is passed on; registered ones have up to 17 bytes. */
enum { SERVE_METHOD_MAX = 31 };

/* A request's head, as it was received: names and values may hold any byte. */
struct serve_head {
    struct adit_str method, target, version; /* version: "HTTP/1.1" */
    const struct adit_header *fields;
    size_t n_fields;
};

/* 0, or the status of the refusal (400, 501); *why then gets a line that says what is wrong. */
unsigned serve_request_fault(const struct serve_head *h, const char **why);

#endif
