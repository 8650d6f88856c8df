/* What the files of the client share. Not for others.
 *
 *   fetch.c           the client: hosts, their queues, the loop
 *   url.c       which URLs and origins may be asked; what goes to which
 *   transfer.c  one request on a curl handle: its head, its end
 *   body.c      from the bytes on the wire to the receiver's sink, within limits
 *   answer.c    what an answer means: redirect, ask again, done
 *   address.c   public addresses
 *   robots.c    robots.txt of each origin
 */
#ifndef ADIT_FETCH_IMPL_H
#define ADIT_FETCH_IMPL_H

#include "batch/fetch/fetch.h"
#include "codec/codec.h"
#include "http/http.h"
#include "text/text.h"

#include <curl/curl.h>
#include <sys/socket.h>

enum {
    FETCH_REDIRECTS_MAX = 10,
    FETCH_ROBOTS_REDIRECTS_MAX = 5, /* RFC 9309, 2.3.1.2 */
    FETCH_HEAD_BYTES = 64 << 10,    /* of all heads of an answer, 1xx and trailers included */
    FETCH_HEAD_FIELDS = 200,
    FETCH_DROP_BYTES = 64 << 10, /* bodies that nobody reads: beyond it, the connection ends */
    FETCH_FAIR_BYTES = 8 << 10,  /* a second: what longer answers must come at */
    FETCH_SLOW_BYTES = 32,       /* a second: slower is no progress */
};

/* An origin that is asked: its queue, and when it may be asked again. */
struct fetch_host {
    struct fetch_host *next;
    struct fetch_transfer *first, *last; /* waiting, in order */
    unsigned active;
    int64_t next_ms;  /* not before, by interval */
    int64_t pause_ms; /* not before, because the host said so */
    bool closed;      /* the host asked for a longer wait than the run allows */
    unsigned strikes; /* 429 and 503 without anything else in between */
    struct fetch_robots robots;
    struct adit_robots rules;
    struct adit_arena arena;
    int64_t delay_ms; /* Crawl-delay, capped */
    bool robots_asked;
    enum fetch_error robots_error; /* why it could not be had */
    struct fetch *f;
    bool site; /* the origin that the user named */
    size_t origin_len;
    char origin[]; /* "https://example.com:8443" */
};

/* A request on its way, from fetch_start to done. Small while it waits. */
struct fetch_transfer {
    struct fetch_transfer *next;
    struct fetch *f;
    struct fetch_host *host;
    struct fetch_request q; /* slices point into text */
    fetch_head_fn *head;
    fetch_done_fn *done;
    void *user;
    bool is_robots;
    unsigned attempts, redirects_max;
    /* From the first launch on. */
    CURL *easy;
    struct curl_slist *fields;
    struct adit_arena life;  /* URLs of the chain */
    struct adit_arena heads; /* header fields of the current answer */
    struct adit_str chain[FETCH_REDIRECTS_MAX + 1];
    struct adit_headers headers;
    struct fetch_reply reply;
    int64_t launched_ms;
    struct answer_head judge;
    bool head_done, refused, dropping;
    bool foldable; /* the last line is a field that the next may go on with */
    bool again;    /* 429 or 503 that is asked again */
    uint64_t dropped;
    /* The body: wire → decoder or brotli (if encoded) → limit → receiver. */
    struct adit_sink *receiver, *input;
    struct adit_decoder *decoder;
    struct fetch_limit {
        struct adit_sink sink;
        struct fetch_transfer *t;
        uint64_t max; /* bytes, as sent and as decoded */
    } limit;
    struct fetch_brotli *brotli;
    struct adit_buf_sink body_sink;
    struct adit_buf body;
    char text[];
};

struct fetch {
    struct fetch_options o;
    CURLM *multi;
    struct curl_slist *resolve;
    struct fetch_host *hosts;
    struct fetch_transfer *active; /* by next */
    unsigned n_active, n_waiting;
    int64_t started_ms;
    bool stopped, exhausted, site_loopback;
    struct adit_buf site; /* its origin */
    struct fetch_counts counts;
};

/* Milliseconds to the end of the run; INT64_MAX: no end. */
int64_t fetch_time_left(const struct fetch *f);

/* --- fetch.c ---------------------------------------------------------------------------------- */
/* Puts a transfer into the queue of its host (in front: it was there before). */
void fetch_enqueue(struct fetch_transfer *t, bool front);
struct fetch_transfer *fetch_transfer_new(struct fetch *f, const struct fetch_request *q);
/* Calls done and frees. */
void fetch_finish(struct fetch_transfer *t, enum fetch_error error);
struct fetch_host *fetch_host_of(struct fetch *f, struct adit_str origin);

/* --- url.c ------------------------------------------------------------------------------------ */
/* Parses; out->href is the URL to send, *origin_len the length of its origin. */
enum fetch_error fetch_url_check(const struct fetch *f, struct adit_str url,
                                 const struct adit_url *base, struct adit_arena *arena,
                                 struct adit_str *out, size_t *origin_len);
bool fetch_host_is_loopback(struct adit_str origin);
/* Whether a secret goes to this origin. */
bool fetch_secret_fits(const struct fetch *f, const struct fetch_secret *s, struct adit_str origin);

/* --- transfer.c ------------------------------------------------------------------------------- */
/* Starts the transfer on a handle; the error if it cannot. */
enum fetch_error fetch_launch(struct fetch_transfer *t);
void fetch_land(struct fetch_transfer *t); /* takes it off curl */
void fetch_transfer_free(struct fetch_transfer *t);

/* --- body.c ----------------------------------------------------------------------------------- */
/* Builds the chain for the body of this head. */
enum fetch_error fetch_body_open(struct fetch_transfer *t);
bool fetch_body_write(struct fetch_transfer *t, const char *p, size_t len); /* false: reply.error */
enum fetch_error fetch_body_end(struct fetch_transfer *t);
void fetch_body_close(struct fetch_transfer *t);

/* --- answer.c --------------------------------------------------------------------------------- */
/* Whether the answer is one that is not the caller's: a redirect to follow, a 429 to ask again.
 * Known when the head is complete. */
bool fetch_is_interim(struct fetch_transfer *t);
/* The transfer ended: follows, asks again, or finishes. */
void fetch_answer(struct fetch_transfer *t, CURLcode result);

/* --- address.c -------------------------------------------------------------------------------- */
enum fetch_reach { FETCH_PUBLIC, FETCH_LOOPBACK, FETCH_PRIVATE };
enum fetch_reach fetch_address_reach(const struct sockaddr *a);

/* --- robots.c --------------------------------------------------------------------------------- */
/* FETCH_OK or why the request may not go out. *wait: robots.txt must come first, and stands in
 * front of the queue or is on its way. */
enum fetch_error fetch_robots_ask(struct fetch_transfer *t, bool *wait);

#endif
