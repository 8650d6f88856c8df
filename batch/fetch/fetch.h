/* fetch: the HTTP client of `sync` and `feed`: many requests at once on one thread (libcurl),
 * polite to hosts, suspicious of everything that they answer.
 *
 *   struct fetch *f = fetch_open(&options);
 *   fetch_start(f, &request, NULL, done, ctx);    // any number, also from inside done
 *   fetch_run(f);                                 // until nothing is left to do
 *   fetch_close(f);
 *
 * What holds for every request, without the caller's doing:
 * - https only, verified; http only with allow_http, or to the site itself when that is loopback.
 * - Every address is checked when its socket is made, whatever name led to it: only public ones,
 *   unless allow_private, or loopback when the site itself is loopback (that host and port alone).
 * - Redirects are followed here, each hop checked as the first request was. Fields and netrc are
 *   sent to their own origin only.
 * - robots.txt is fetched before the first request to an origin, and obeyed (options.robots).
 * - Bodies are decoded (gzip, deflate, br, zstd) within size and ratio; a body that was cut off, or
 *   does not decode, is an error. Heads are bounded. Where the status is not 2xx it says all that
 *   matters: faults of such a body only leave it empty.
 * - A host gets at most `parallel` requests at a time, one an `interval_ms`; Retry-After, RateLimit
 *   fields and Crawl-delay make it wait longer. 429 and 503 are asked again `retries` times.
 * - The run ends by itself: deadline (run_ms) and bytes_max.
 */
#ifndef ADIT_FETCH_H
#define ADIT_FETCH_H

#include "batch/cli/cli.h"
#include "http/http.h"

/* --- options: {0} members take the default in brackets ---------------------------------------- */

/* A header field that goes to one origin and nowhere else: "Authorization: Bearer …". */
struct fetch_secret {
    const char *origin; /* "https://example.com"; NULL: the site */
    const char *line;   /* "Name: value" */
};

struct fetch_options {
    const char *user_agent; /* "name/1.0 (+https://…)"; its name is the product token for robots.txt
                             */
    const char *site;       /* any URL of the site that the user named; NULL: none. Only its origin
                             * counts:       netrc and secrets belong to it, and it may be loopback. */
    const char *const *origins; /* further origins that may be asked; NULL: any */
    size_t n_origins;           /* with origins, everything but these and the site is refused */
    bool allow_http, allow_private;
    bool robots;                        /* obey robots.txt */
    const struct fetch_secret *secrets; /* must outlive the client, as all strings here */
    size_t n_secrets;
    const char *netrc;   /* a file; NULL: none */
    const char *ca_file; /* certificates to trust instead of the system's; NULL */
    /* Requests to the site are signed for S3 (AWS Signature Version 4) by curl. */
    const char *s3_region, *s3_key, *s3_secret, *s3_token;
    const char *proxy; /* never taken from the environment. Address checks are then its task */
    const char *const *resolve; /* "host:port:address", as curl's --resolve; the checks remain */
    size_t n_resolve;
    unsigned parallel;          /* requests under way a host [2] */
    unsigned parallel_total;    /* and in all [16] */
    unsigned interval_ms;       /* between two requests to a host [0] */
    unsigned crawl_delay_max_s; /* a longer Crawl-delay counts as this much [10] */
    unsigned connect_ms;        /* [10 s] */
    unsigned stall_ms;          /* without progress to speak of [30 s] */
    unsigned request_ms;        /* a whole answer; longer at 8 KiB a second and more [120 s] */
    unsigned retries;           /* of 429 and 503 [2; FETCH_NONE: none] */
    unsigned retry_after_max_s; /* told to wait longer: the host is left alone [120] */
    uint64_t run_ms;            /* all of it, from fetch_open [none] */
    uint64_t bytes_max;         /* all bodies as sent [none] */
    uint64_t body_max;          /* default of a request's max_bytes [64 MiB] */
};
#define FETCH_NONE 0xFFFFFFFFu

/* --- why there is no answer, or no whole one -------------------------------------------------- */

#define FETCH_ERRORS(X)                                                                     \
    X(OK, "ok")                                                                             \
    X(URL, "is no URL that can be fetched")                                                 \
    X(HTTP, "is not https (--allow-http lets it pass)")                                     \
    X(ORIGIN, "belongs to an origin that is not allowed")                                   \
    X(ROBOTS, "robots.txt does not allow it")                                               \
    X(ROBOTS_DOWN, "robots.txt could not be had, so nothing may be fetched")                \
    X(DNS, "the name of the host is not known")                                             \
    X(ADDRESS, "the host has an address that is not public (--allow-private lets it pass)") \
    X(CONNECT, "no connection to the host")                                                 \
    X(TLS, "the host could not prove who it is (TLS; see --cacert)")                        \
    X(TIMEOUT, "the host took too long")                                                    \
    X(REPLY, "the answer is not HTTP")                                                      \
    X(HEAD_SIZE, "the answer has too many or too long header fields")                       \
    X(TOO_LARGE, "the answer is too large")                                                 \
    X(RATIO, "the answer decompresses to more than a hundred times its size")               \
    X(CODING, "the answer's content coding is unknown or damaged")                          \
    X(CUT_OFF, "the answer was cut off")                                                    \
    X(RANGE, "the answer has another range than was asked for")                             \
    X(REDIRECT_LOOP, "redirects go round in circles")                                       \
    X(REDIRECTS, "too many redirects")                                                      \
    X(REDIRECT_ORIGIN, "redirects to another origin")                                       \
    X(REDIRECT_BAD, "redirects to nowhere")                                                 \
    X(BUSY, "the host asked to be left alone for longer than we wait")                      \
    X(BUDGET, "the run's time or bytes are used up (--max-time, --max-bytes)")              \
    X(STOPPED, "was stopped")                                                               \
    X(SINK, "could not be kept")                                                            \
    X(MEMORY, "out of memory")

enum fetch_error {
#define FETCH_ERROR_ENUM(name, text) FETCH_##name,
    FETCH_ERRORS(FETCH_ERROR_ENUM)
#undef FETCH_ERROR_ENUM
};
const char *fetch_error_text(enum fetch_error error);
const char *fetch_error_name(enum fetch_error error); /* "TIMEOUT", for reports */

/* --- a request and its answer ----------------------------------------------------------------- */

enum fetch_follow {
    FETCH_FOLLOW_SAME, /* redirects inside the origin of the request */
    FETCH_FOLLOW_ANY,  /* and to any other that the options allow */
    FETCH_FOLLOW_NEVER /* a redirect is an answer as any other */
};

/* Slices are copied by fetch_start. */
struct fetch_request {
    struct adit_str url;                              /* absolute; a fragment is dropped */
    bool head;                                        /* HEAD */
    struct adit_str if_none_match, if_modified_since; /* as they are sent; empty: none */
    bool no_cache;            /* Cache-Control: no-cache: revalidated end to end */
    uint64_t resume_from;     /* Range: bytes=N-; 0: none. Use raw with it */
    uint64_t range_len;       /* so many bytes from there, from 0 too; 0: to the end */
    struct adit_str if_range; /* a strong ETag; sent with resume_from */
    struct adit_str accept;   /* empty: any */
    bool raw; /* the body stays as it is encoded; codings are accepted all the same */
    enum fetch_follow follow;
    uint64_t max_bytes; /* of the body, as sent and as decoded; 0: options.body_max */
};

/* Valid while the callback runs. */
struct fetch_reply {
    enum fetch_error error; /* FETCH_OK: a whole answer, whatever its status */
    unsigned status;        /* 0: none came. May be set although there is an error */
    struct adit_str asked;  /* URL of the request, normalised (as given, if it is no URL) */
    struct adit_str url; /* where the answer is from, after redirects; on errors, the last tried */
    struct adit_str
        location;       /* where a redirect pointed that was not followed; absolute, or empty */
    unsigned redirects; /* followed */
    bool permanent;     /* all of them were 301 or 308, and there was at least one */
    const struct adit_header *headers; /* names as sent; see fetch_field */
    size_t n_headers;
    struct adit_str body; /* decoded (unless raw); empty when it went to a sink */
    uint64_t wire;        /* bytes of the body as sent, last hop */
    uint64_t decoded;     /* bytes of the body as passed on */
    int64_t length;       /* Content-Length, -1: none */
    uint64_t range_first; /* 206: offset of the first byte, = resume_from */
    int64_t range_total;  /* 206, 416: size of the whole, -1: not said */
    bool secret;          /* credentials were sent: the answer is for nobody else */
    int64_t unix_s;       /* the clock when the head came */
};

/* First value of that field (any case), empty if none. */
struct adit_str fetch_field(const struct fetch_reply *r, const char *name);
static inline bool fetch_fine(const struct fetch_reply *r, unsigned status)
{
    return r->error == FETCH_OK && r->status == status;
}

/* Called once a request with the head of the final answer (no redirect that is followed, no 429 or
 * 503 that is asked again): where the body of a 2xx goes, as it comes. NULL: into reply.body. The
 * sink's end is called when the body is whole; after that, or instead on errors, comes done. A sink
 * that returns ADIT_ESTOP ends the transfer (FETCH_STOPPED), with anything else it is FETCH_SINK.
 */
typedef struct adit_sink *fetch_head_fn(void *user, const struct fetch_reply *r);
typedef void fetch_done_fn(void *user, const struct fetch_reply *r);

/* --- the client ------------------------------------------------------------------------------- */

struct fetch;

/* NULL: said on stderr (no memory; site is no URL; a secret is no header field). */
struct fetch *fetch_open(const struct fetch_options *options);
/* Requests that are left get FETCH_STOPPED. NULL is fine. */
void fetch_close(struct fetch *f);

/* Queues a request, behind those of the same host. done comes exactly once, from fetch_run, never
 * from here; what is wrong with a request is told there, too. False: no memory, and no done. head
 * may be NULL. */
bool fetch_start(struct fetch *f, const struct fetch_request *q, fetch_head_fn *head,
                 fetch_done_fn *done, void *user);
/* Drives all requests, and those that callbacks start, until none is left. */
void fetch_run(struct fetch *f);
/* From now on at least so long between two requests to a host. */
void fetch_slow_down(struct fetch *f, unsigned interval_ms);
/* From a callback: everything under way or queued ends with FETCH_STOPPED. */
void fetch_stop(struct fetch *f);

struct fetch_counts {
    uint64_t requests; /* sent, with redirects, retries and robots.txt */
    uint64_t not_modified, redirects, retries, failed;
    uint64_t bytes;     /* bodies, as sent */
    uint64_t wire;      /* the same and heads */
    uint64_t waited_ms; /* time that requests were held back although there was room */
};
const struct fetch_counts *fetch_counts(const struct fetch *f);
/* Whether the time or the bytes of the run are used up. */
bool fetch_exhausted(const struct fetch *f);

/* --- remote ----------------------------------------------------------------------------------- */

/* A file on a server as a source: http, https and s3 URLs, read by ranges, tried again when a
 * connection breaks. Servers without ranges must send all of it at once. */
enum { REMOTE_WHOLE_MAX = 64 << 20 };
struct input_source;
bool remote_is_url(const char *name);
struct remote_options {
    bool
        named; /* by the user, not by a file of a stranger: only then may it be on this machine, and
                      are secrets sent to it */
    uint64_t at;   /* where it will be read first */
    size_t window; /* bytes that are asked for at once; 0: as many as are useful */
};
/* NULL: said on stderr. */
struct input_source *remote_open(const char *url, const struct fetch_options *options,
                                 const struct remote_options *how);

/* --- robots.txt ----------------------------------------------------------------------------------
 * RFC 9309: kept for a run; give what an earlier run fetched (at most 24 hours ago) to save the
 * request. */

enum fetch_robots_state {
    FETCH_ROBOTS_UNKNOWN,  /* not fetched */
    FETCH_ROBOTS_RULES,    /* text says */
    FETCH_ROBOTS_ALLOW,    /* there is none (4xx) */
    FETCH_ROBOTS_DISALLOW, /* no robots.txt was to be had (5xx, no connection): fetch nothing */
};
struct fetch_robots {
    enum fetch_robots_state state;
    struct adit_str text; /* at most 500 KiB */
    int64_t fetched;      /* Unix seconds */
};
/* url: any of the origin. The text belongs to the client. */
struct fetch_robots fetch_robots(const struct fetch *f, struct adit_str url);
bool fetch_robots_seed(struct fetch *f, struct adit_str url, const struct fetch_robots *robots);

/* --- fetch_cli -------------------------------------------------------------------------------- */

/* The options of commands that go to the network. */

#define FETCH_CLI_OPTIONS                                                                         \
    {"rate", "N", CLI_VALUE, "requests a second and host (default: as --parallel allows)"},       \
        {"parallel", "N", CLI_VALUE, "requests under way a host (4)"},                            \
        {"max-time", "S", CLI_VALUE, "seconds after which the run ends (86400)"},                 \
        {"max-bytes", "SIZE", CLI_VALUE, "bytes of answers after which the run ends (no limit)"}, \
        FETCH_CLI_FILES

/* Those of commands that read files by URL. */
#define FETCH_CLI_FILES                                                                 \
    {"header", "'NAME: VALUE'", CLI_MANY, "sent to the site alone"},                    \
        {"netrc", "FILE", CLI_VALUE, "user and password of the site"},                  \
        {"user-agent", "TEXT", CLI_VALUE,                                               \
         "product/version (default adit/VERSION); robots.txt is obeyed by its name"},   \
        {"cacert", "FILE", CLI_VALUE, "certificates to trust instead of the system's"}, \
        {"resolve", "HOST:PORT:ADDR", CLI_MANY, "use this address for the host"},       \
        {"proxy", "PROXY", CLI_VALUE,                                                   \
         "ask by way of it; which addresses may be asked is then its task"},            \
        {"allow-http", NULL, CLI_FLAG, "let plain http pass"},                          \
        {"allow-private", NULL, CLI_FLAG, "let addresses pass that are not public"}

/* Room for what can be given many times. */
enum { FETCH_CLI_MANY = 64 };
struct fetch_cli {
    struct fetch_options options;
    struct fetch_secret secrets[FETCH_CLI_MANY];
    const char *resolve[FETCH_CLI_MANY];
};
/* Fills c->options; CLI_OK, or says what is wrong and returns the exit code. */
int fetch_cli(const struct cli_args *args, struct fetch_cli *c);
/* The values of an option that can be given many times, the first FETCH_CLI_MANY of them; how many
 * there are. */
size_t fetch_cli_many(const struct cli_args *args, const char *name, const char **to);

/* --- head ------------------------------------------------------------------------------------- */

/* The head of an HTTP answer, judged line by line as it came from the wire: by the client
 * (fetch.h), which keeps what it can use, and by `adit serve`, which passes it on and so must know
 * that whoever reads it next reads the same. An answer whose end two readers could see in different
 * places is refused by both: that is how one client's answer becomes another's.
 *
 *   struct answer_head h = {.bytes_max = 32 << 10, .fields_max = 256};
 *   for each line: switch (answer_head_line(&h, line, &field)) …
 *
 * Pure: nothing is copied, nothing is allocated. */

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
