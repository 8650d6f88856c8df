/* serve: the edge as a native HTTP server: libmicrohttpd in front, a directory or an upstream
 * (libcurl) behind, the exchange (exchange/exchange.h) in between.
 *
 *   cmd/serve.c       the command line
 *   serve.c           the server, from listening to stopping
 *   serve/tests/watch.c     who is connected: limits in number and time
 *   serve/tests/strict.c    which requests are taken
 *   upload.c    the body of a request
 *   log.c       the access log
 *   request.c   one request: asks the exchange, passes on what is the origin's
 *   send.c      what it is answered with
 *   host.c      by which names the site is asked for, and what name the upstream hears
 *   drive.c     drives one exchange: fetches, waits, recalls
 *   dir.c       a directory as origin
 *   site.c      the pages of a folder: what is known of each
 *   documents.c the documents that its site has not: sitemaps, llms.txt
 *   memento.c   versions of pages, over the folder of an archive
 *   upstream.c  another server as origin
 *   list.c      the list of another server's pages
 *   memory.c    the validator memory
 *   inspect.c   listeners beside the site's: for the metrics, and for the inspector
 *   page.c      what these say
 *   look.c      what the inspector knows of a page
 *   coding.c    content codings of what is sent
 */
#ifndef ADIT_SERVE_H
#define ADIT_SERVE_H

#include "batch/cli/cli.h"
#include "batch/serve/strict_impl.h"
#include "batch/serve/watch_impl.h"
#include "exchange/exchange.h"
#include "json/json.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/types.h>

/* --- origins ---------------------------------------------------------------------------------- */

struct origin_request {
    struct adit_str method, authority, path;
    const struct adit_header *headers; /* without hop-by-hop fields, Host and Content-Length */
    size_t n_headers;
    FILE *body; /* NULL: none; else read from its start */
    uint64_t body_len;
    unsigned timeout_ms; /* until the header is there */
    bool whole;          /* the timeout holds for the whole answer */
    const char **fault;  /* may be NULL; else gets what is wrong with an answer that came, "" if
                          * nothing is known to be. Goes on after "the answer " */
};

/* An answer under way: status and header are there, the body is read as it is needed. */
struct origin_reply {
    unsigned status;
    struct adit_headers headers; /* without hop-by-hop fields */
    struct adit_arena arena;
    int64_t length; /* of the body; -1: unknown */
    /* Bytes read, 0 at the end, -1 on an error, -2 when the time is over. */
    ssize_t (*read)(struct origin_reply *r, char *p, size_t len);
    void (*close)(struct origin_reply *r); /* frees r */
};

struct origin {
    /* NULL: no answer, and *why says so. */
    struct origin_reply *(*open)(struct origin *o, const struct origin_request *q,
                                 enum adit_fetch_failure *why);
    /* Appends the paths of the site's pages, one a line, as far as the origin knows them. */
    void (*list)(struct origin *o, const struct adit_config *c, struct adit_buf *out);
    void (*free)(struct origin *o);
    void (*start)(struct origin *o); /* the site's origin is known; may be NULL */
    /* Appends an object for each page, with what is known of it; may be NULL. False: not yet. */
    bool (*describe)(struct origin *o, struct adit_json_writer *w);
};

/* NULL after saying why. */
struct origin *origin_dir(const char *dir, const struct adit_config *c, bool strip);
/* The URL is one that origin_upstream_base takes. */
struct origin *origin_upstream(const char *url);
/* The list of an upstream's pages; see struct origin. */
void upstream_list(struct origin *o, const struct adit_config *c, struct adit_buf *out);
/* "https://example.com" of an upstream's URL, without a path; false if it is no such URL. */
bool origin_upstream_base(const char *url, struct adit_str *base);

/* --- documents about a folder's site (site.c) ------------------------------------------------- */

struct site;
enum site_answer { SITE_NONE, SITE_MADE, SITE_BUSY };
/* NULL: no memory. */
struct site *site_new(struct origin *o, const struct adit_config *c);
/* Reads the folder in the background. The configuration must have its origin by then. */
void site_start(struct site *s);
void site_free(struct site *s);
/* Appends an object for each page: path, title, sizes. False: the folder is still being read. */
bool site_describe(struct site *s, struct adit_json_writer *w);
/* Appends the document at path, as the site is now. BUSY: the folder is still being read. */
enum site_answer site_document(struct site *s, struct adit_str path, struct adit_buf *out,
                               const char **type);

/* --- the validator memory: a bounded table; the newest value of a slot stays ------------------ */

struct memory;
struct memory *memory_new(size_t slots, size_t bytes_max);
void memory_free(struct memory *m);
struct adit_str memory_get(const struct memory *m, struct adit_str key);
void memory_put(struct memory *m, struct adit_str key, struct adit_str value);

/* --- the server ------------------------------------------------------------------------------- */

/* An edge, its memory, and the lock that both need. Requests for one page meet in one shard. */
struct shard {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    struct adit_edge edge;
    struct memory *memory;
};

/* A page under conversion holds the lock of its shard, and so up the pages that share it: one in
 * this many, however few cores there are. Each shard has the configuration's limits for itself. */
enum { SHARDS = 16 };

struct server {
    struct adit_config *config;
    struct origin *origin;
    struct adit_str local;    /* authority we listen on: "127.0.0.1:8080" */
    struct adit_str upstream; /* authority of the upstream's URL; empty for a directory */
    bool named;               /* the configuration says what the site's origin is */
    struct shard shards[SHARDS];
    size_t n_shards;
    FILE *log; /* NULL: none */
    bool log_json;
    struct watch_limits limits;
    struct watch_range *trusted; /* proxies; freed by server_free */
    size_t n_trusted;
    struct watch *watch;
    uint64_t max_body;    /* bytes of a request's body */
    bool takes_bodies;    /* false: requests with a body are answered before it is read */
    atomic_ulong spooled; /* bytes of bodies that are stored now */
    atomic_ulong requests, active, bytes;
};

/* Listens on addr ("8080", ":8080", "127.0.0.1:8080", "[::1]:0"); the socket, or -1 after saying why,
 * or, silently, SERVER_NO_ADDRESS if it is none. *local gets the address with its real port. */
enum { SERVER_NO_ADDRESS = -2 };
int server_listen(const char *addr, char local[80]);
bool server_is_address(const char *addr);
/* Serves until SIGTERM or SIGINT; what is under way is finished first. */
int server_run(struct server *s, int fd);
bool server_init(struct server *s);
void server_free(struct server *s);

/* The authority for the upstream, for a request that asks for `host` (the Host field) on the
 * connection fd: the name of the site that was asked for; the upstream's own for names of this
 * machine, or if nobody said what the site's names are. False if it is another site's name. */
bool server_authority(const struct server *s, int fd, struct adit_str host, struct adit_str *out);

/* --- one exchange ----------------------------------------------------------------------------- */

struct drive {
    struct server *server;
    struct shard *shard;
    struct adit_exchange *x;
    bool ready; /* its waiting is over */
};

/* Asks the exchange until it is ANSWER or PASS. */
enum adit_action drive_request(struct drive *d, struct server *s, const struct adit_request *r);
/* The exchange's view of a passed request's answer. */
void drive_response(struct drive *d, const struct origin_reply *r);
void drive_end(struct drive *d);

/* --- what the server says about itself -------------------------------------------------------- */

struct inspect;
/* Starts what is asked for, and prints where: with page, the inspector, on a free
 * port of the loopback address; with metrics ("HOST:PORT"), the counters. NULL after saying why
 * not. SIGTERM and SIGINT are blocked from here on. */
struct inspect *inspect_start(struct server *s, bool page, const char *metrics);
void inspect_stop(struct inspect *i);

struct own_page {
    unsigned status;
    const char *type;
    char link[4096], etag[256]; /* fields that are sent if they are not empty */
    char policy[1024];          /* Content-Security-Policy; empty: the inspector's own */
    struct adit_buf body;
};
/* Answers "" (the page), "pages.json", "totals.json" and "metrics". */
void own_page(struct server *s, struct adit_str name, struct own_page *out);

#endif
