/* The head of an HTTP answer, judged line by line as it came from the wire: by the client
 * (fetch.h), which keeps what it can use, and by `adit serve`, which passes it on and so must know
 * that whoever reads it next reads the same. An answer whose end two readers could see in different
 * places is refused by both: that is how one client's answer becomes another's.
 *
 *   struct answer_head h = {.bytes_max = 32 << 10, .fields_max = 256};
 *   for each line: switch (answer_head_line(&h, line, &field)) …
 *
 * Pure: nothing is copied, nothing is allocated. */
#ifndef ADIT_ANSWER_HEAD_H
#define ADIT_ANSWER_HEAD_H

#include "http/header.h"

/* X(name, text): what can be wrong. The text goes on after "the answer ". */
#define ANSWER_FAULTS(X)                                                  \
    X(STATUS_LINE, "does not begin with a status line")                   \
    X(STATUS, "has a status that nobody asked for")                       \
    X(SIZE, "has a header that is too large")                             \
    X(COUNT, "has too many header fields")                                \
    X(NAME, "has a header field whose name is none")                      \
    X(VALUE, "has a header field with a control character")               \
    X(FOLD, "has a header field on several lines")                        \
    X(LENGTH, "has a Content-Length that is no number, or more than one") \
    X(BOTH, "has Content-Length and Transfer-Encoding")                   \
    X(CODING, "has a Transfer-Encoding other than chunked")

enum answer_fault {
    ANSWER_FINE,
#define ANSWER_FAULT_ENUM(name, text) ANSWER_FAULT_##name,
    ANSWER_FAULTS(ANSWER_FAULT_ENUM)
#undef ANSWER_FAULT_ENUM
};
const char *answer_fault_text(enum answer_fault fault); /* "" for ANSWER_FINE */

/* Zeroed, with the limits set, before the first line. */
struct answer_head {
    /* The caller's. */
    size_t bytes_max;  /* of all heads of the answer, 1xx and trailers included */
    size_t fields_max; /* of one head */
    /* What is not about the body's end is forgiven, as RFC 9112 allows to those who do not pass the
     * answer on: folded lines are ANSWER_FOLDED, lines that are no field ANSWER_NOTHING. */
    bool lenient;
    bool http_1; /* nothing else was offered */
    /* What is known. */
    enum answer_fault fault; /* sticky */
    unsigned status;         /* of the last status line */
    int64_t length;          /* Content-Length; -1: none */
    bool chunked;
    bool done; /* the head of the final answer is complete */
    /* The judge's own. */
    bool begun, http_1_0, framing, coded;
    size_t bytes, n_fields;
};

enum answer_line {
    ANSWER_BAD,     /* see fault */
    ANSWER_BEGINS,  /* a status line: fields before it were of a 1xx answer */
    ANSWER_FIELD,   /* *field is set: slices of the line, the value trimmed and perhaps empty */
    ANSWER_FOLDED,  /* lenient only: field->value goes on with the value of the line before */
    ANSWER_NOTHING, /* to be passed over: the end of a 1xx head, trailers, (lenient) no field */
    ANSWER_ENDS     /* the empty line behind the final head: status, length, chunked hold */
};
/* Takes the next line, with its line end. */
enum answer_line answer_head_line(struct answer_head *h, struct adit_str line,
                                  struct adit_header *field);

#endif
