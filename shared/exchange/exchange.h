/* exchange: the whole edge as a state machine without I/O. Given the configuration, a request, the
 * origin's answer and its body in chunks, it says what to do next. Four hosts drive it: the
 * proxy-wasm filter, the Cloudflare Worker, Fastly Compute and `adit serve`.
 *
 * A host keeps one struct adit_edge a thread (or worker, or VM) and makes one struct adit_exchange
 * a request:
 *
 *   x = adit_exchange_new(edge, user);
 *   action = adit_exchange_request(x, &request);
 *   for (;;) switch (action) {
 *   case ANSWER: send x->answer; if x->remember_key is not empty, keep x->remember_value under it.
 *   case RECALL: look up x->recall_key in the validator memory;
 *                action = adit_exchange_recalled(x, bytes, or empty if there is nothing).
 *   case FETCH:  ask the origin for x->fetch; then
 *                action = adit_exchange_fetched(x, status, headers, n);
 *                while it is BODY: action = adit_exchange_fetched_body(x, chunk) a chunk, and
 *                adit_exchange_fetched_end(x) at the end. Any other action may come at any point:
 *                the rest of the body is then not wanted. No answer at all:
 *                action = adit_exchange_fetch_failed(x, why).
 *   case WAIT:   another exchange is converting the same page. When adit_edge_ready(edge) names x,
 *                action = adit_exchange_resume(x).
 *   case PASS:   let the request go on to the origin with x->request_edits made to its header; when
 *                the answer comes: adit_exchange_response(x, status, headers, n), send it with
 *                x->response_edits made; if x->inject: every body chunk goes through
 *                adit_exchange_inject, and adit_exchange_inject_end at the end. An exchange that
 *                need not see the answer says x->done.
 *   }
 *   adit_exchange_free(x);   — at any time, also in the middle
 *
 * After every call that ends or frees an exchange a host asks adit_edge_ready until it is NULL.
 * The memory is keyed by 64 hexadecimal digits; a host may map them to fewer slots, as the value
 * holds the key and is checked. It may lose values at any time.
 *
 * What the fields of an exchange point to is valid until the next call on it.
 *
 * A host passes on every header field that it was given, or none (adit_exchange_fetch_failed): what
 * it left out might be what makes a page private. More than ADIT_HEADERS_MAX are no error of the
 * host's; the exchange refuses them.
 *
 * Memory: the exchanges of an edge together hold no more than limits.memory, less what converting
 * the largest page among them may take; a page whose next bytes would pass that is answered 503.
 */
#ifndef ADIT_EXCHANGE_H
#define ADIT_EXCHANGE_H

#include "http/http.h"
#include "base/base.h"
#include "tct/tct.h"

enum adit_action {
    ADIT_ANSWER,
    ADIT_PASS,
    ADIT_FETCH,
    ADIT_BODY,
    ADIT_RECALL,
    ADIT_WAIT,
};

/* A request as the host sees it. Field names may be in any case; pseudo fields (":path") in headers
 * are ignored. */
struct adit_request {
    struct adit_str method, authority;
    struct adit_str path; /* origin form: path and query, as received */
    const struct adit_header *headers;
    size_t n_headers;
    struct adit_str client; /* address to append to x-forwarded-for; empty: it is there already */
    struct adit_str
        scheme;  /* used as x-forwarded-proto when there is no such field; may be empty */
    int64_t now; /* Unix seconds */
};

/* What is asked of the origin: a GET without a body. */
struct adit_fetch {
    struct adit_str authority, path;
    struct adit_headers
        headers;       /* without host: complete, nothing of the client's is to be added */
    uint64_t body_max; /* the host may give up a body that is longer */
    uint32_t timeout_ms;
    bool page; /* an M-URL's page: a host may make the client's own request into this one */
};

struct adit_answer {
    unsigned status;
    struct adit_headers headers; /* content-length among them, for HEAD that of GET */
    struct adit_str body;        /* empty for HEAD and 304 */
    /* The body, for HEAD that of GET: for a host that takes Content-Length from the body that it is
     * given, and knows itself not to send it. */
    struct adit_str body_of_get;
};

enum adit_edit_op {
    ADIT_EDIT_SET,    /* replaces all fields of that name */
    ADIT_EDIT_ADD,    /* one more */
    ADIT_EDIT_REMOVE, /* all of that name */
    ADIT_EDIT_PATH    /* the request's path becomes value */
};
struct adit_edit {
    enum adit_edit_op op;
    struct adit_str name, value;
};
struct adit_edits {
    struct adit_edit *v;
    size_t n, cap;
    bool lost; /* one could not be noted; no host sees such a list: then none is made */
};

/* Why there is no answer to a fetch. */
enum adit_fetch_failure {
    ADIT_FAILED_CONNECT, /* refused, reset, no such host: 502 */
    ADIT_FAILED_TIMEOUT, /* 504 */
    ADIT_FAILED_BUSY     /* the host has no room for another request: 503 */
};

/* --- counters: one table, for every host's metrics -----------------------------------------------
 * X(name, help). Failures have a counter a reason besides (adit_reasons). */
#define ADIT_COUNTERS(X)                                                                          \
    X(requests, "requests seen")                                                                  \
    X(passed, "requests passed to the origin untouched")                                          \
    X(linked, "pages given a link to their machine view")                                         \
    X(injected, "pages with the link written into the HTML")                                      \
    X(machine, "requests for machine views")                                                      \
    X(machine_200, "machine views sent, whole or in part")                                        \
    X(machine_304, "machine views answered 304")                                                  \
    X(conversions, "pages converted")                                                             \
    X(revalidated, "machine views answered without a conversion, after a body-less revalidation") \
    X(coalesced, "requests that shared another one's conversion")                                 \
    X(collections, "requests for SCP files")                                                      \
    X(collections_304, "SCP files answered 304")                                                  \
    X(bytes_in, "bytes of HTML converted or revalidated")                                         \
    X(bytes_out, "bytes of machine views sent")                                                   \
    X(bytes_saved, "bytes of HTML that machine views stood for, less the bytes sent")             \
    X(negotiated, "pages whose own URL was asked for Markdown")

enum adit_counter {
#define ADIT_COUNTER_ENUM(name, help) ADIT_COUNTER_##name,
    ADIT_COUNTERS(ADIT_COUNTER_ENUM)
#undef ADIT_COUNTER_ENUM
        ADIT_COUNTER_COUNT
};
struct adit_counter_info {
    const char *name, *help;
};
extern const struct adit_counter_info adit_counters[ADIT_COUNTER_COUNT];

/* --- reasons: why a machine view is refused, or a page passes without, one row each (problem.c) */

enum adit_reason {
    ADIT_REASON_NONE,
    ADIT_REASON_NOT_MAPPED, /* "/x/llm/llm/", a path that is not in normal form */
    ADIT_REASON_EXCLUDED,
    ADIT_REASON_QUERY,
    ADIT_REASON_NOT_HTML,
    ADIT_REASON_NO_CONTENT,
    ADIT_REASON_METHOD,
    ADIT_REASON_ENCODING,
    ADIT_REASON_ORIGIN_401,
    ADIT_REASON_ORIGIN_402,
    ADIT_REASON_ORIGIN_403,
    ADIT_REASON_ORIGIN_404,
    ADIT_REASON_ORIGIN_410,
    ADIT_REASON_ORIGIN_429,
    ADIT_REASON_ORIGIN_451,
    ADIT_REASON_ORIGIN_503,
    ADIT_REASON_ORIGIN_4XX,
    ADIT_REASON_ORIGIN_5XX,
    ADIT_REASON_ORIGIN_ODD, /* 1xx, 206, a redirect to nowhere, 304 unasked */
    ADIT_REASON_TOO_LARGE,
    ADIT_REASON_UNDECODABLE,   /* also a wrong checksum, a stream that ends early */
    ADIT_REASON_LENGTH,        /* another one than Content-Length says */
    ADIT_REASON_HEADER,        /* fields that we cannot keep: what they say would be lost */
    ADIT_REASON_UNCONVERTIBLE, /* a limit of the converter */
    ADIT_REASON_CONNECT,
    ADIT_REASON_TIMEOUT,
    ADIT_REASON_BUSY,
    ADIT_REASON_LOOP,
    ADIT_REASON_NO_MEMORY,
    ADIT_REASON_RANGE,
    ADIT_REASON_CONDITION, /* If-Match */
    /* The rest are reasons of passing only: why a page is sent as the origin has it. */
    ADIT_REASON_HOST,        /* another site's */
    ADIT_REASON_CREDENTIALS, /* the request is a known person's */
    ADIT_REASON_HTTPS,       /* asked for over http, where machine views are not sent */
    ADIT_REASON_REDIRECT,
    ADIT_REASON_PRIVATE,
    ADIT_REASON_NOINDEX,
    ADIT_REASON_NO_VIEW, /* known from its last conversion */
    ADIT_REASON_NO_TRANSFORM,
    ADIT_REASON_SIGNED,
    ADIT_REASON_STATUS, /* other than 200 */
    ADIT_REASON_CODED,  /* linked by a header field only */
    ADIT_REASONS
};
struct adit_reason_info {
    const char *name; /* of the counter: "not_html" */
    unsigned status;
    const char *title, *detail; /* of the problem document (RFC 9457) */
};
extern const struct adit_reason_info adit_reasons[ADIT_REASONS];

/* --- the edge --------------------------------------------------------------------------------- */

struct adit_converter;
struct adit_exchange;
struct adit_exchange_impl;

enum {
    ADIT_REMEMBER_BODY = 64 << 10, /* machine views up to this size are kept whole in the memory */
    ADIT_LAST_MODIFIED_AGE = 60,   /* seconds that a Last-Modified must be older than its Date */
    ADIT_RETRY_AFTER = 2,          /* seconds, with our own 503 */
    ADIT_VIEWLESS_SLOTS = 512,     /* pages known to have no view, or to ask for no index */
    ADIT_KNOWN_SLOTS = 1024        /* pages whose fingerprint is known */
};

/* What an edge knows of a page since it last saw it: for the JSON sitemap. */
struct adit_known_page {
    uint8_t path[16]; /* of its hash */
    uint8_t sha[32];  /* the fingerprint of its view */
    int64_t at;       /* Unix seconds: since when */
    bool gone, known; /* known: the slot is in use */
};

/* Must stay where it is from adit_edge_init on. */
struct adit_edge {
    const struct adit_config *config; /* the caller's; must have an origin */
    /* For whatever belongs to one exchange, a host's buffers for it too: what is taken from it
     * counts against limits.memory. It never refuses by itself. */
    struct adit_mem mem;
    uint64_t counters[ADIT_COUNTER_COUNT];
    uint64_t failures[ADIT_REASONS]; /* machine views refused */
    uint64_t passes
        [ADIT_REASONS]; /* pages sent without a link, or as HTML where Markdown was asked for */
    /* The rest is private to the exchange. */
    struct adit_mem host; /* the caller's: for the converter and the manifest */
    size_t held;          /* bytes taken from mem */
    struct adit_converter *converter, **converter_slot; /* slot: the caller's, or converter */
    struct adit_exchange_impl *leaders, *ready;
    size_t n_leaders;
    uint64_t viewless[ADIT_VIEWLESS_SLOTS]; /* hashes of their paths; the newest of a slot stays */
    struct adit_known_page
        *known; /* ADIT_KNOWN_SLOTS, the newest of a slot stays; NULL: none yet */
    struct adit_manifest *manifest;
    int64_t manifest_time;
};

/* ADIT_EBAD if the configuration has no origin. */
enum adit_code adit_edge_init(struct adit_edge *e, const struct adit_config *config,
                              struct adit_mem mem);
/* For edges of one thread: they then convert by the converter in *slot, which is the larger part of
 * the memory of an edge that is idle; conversions run one at a time. *slot is NULL at first; the
 * converter that is put there is the caller's, and must outlive the edges. Right after init. */
void adit_edge_share_converter(struct adit_edge *e, struct adit_converter **slot);
/* Every exchange must have been freed. */
void adit_edge_free(struct adit_edge *e);
/* Tells an edge what another one of the same site learned (adit_exchange.learned). */
void adit_edge_learn(struct adit_edge *e, const struct adit_known_page *p);
/* Takes an exchange whose waiting is over off the list; NULL if there is none. */
struct adit_exchange *adit_edge_ready(struct adit_edge *e);
/* Whether adit_edge_ready would name one: for a host that cannot go on with it at once. */
bool adit_edge_has_ready(const struct adit_edge *e);

/* --- an exchange ------------------------------------------------------------------------------ */

/* The part that hosts read. */
struct adit_exchange {
    void *user; /* the host's */
    struct adit_answer answer;
    struct adit_fetch fetch;
    struct adit_str recall_key;
    struct adit_str remember_key, remember_value;
    struct adit_edits request_edits, response_edits;
    bool done;   /* PASS: the host need not call adit_exchange_response */
    bool inject; /* after adit_exchange_response: the body goes through adit_exchange_inject */
    /* After adit_exchange_inject: bytes were kept back until the link's place is known; more chunks
     * are wanted (else the rest of the body may pass as it is). */
    bool inject_held, inject_more;
    const char
        *route; /* what it was taken for, for logs: "page", "machine", "markdown", "scp", … */
    enum adit_reason reason;        /* why it failed, or was passed without a link; for logs */
    struct adit_known_page learned; /* at its end: news, if it is known */
};

/* NULL: no memory. */
struct adit_exchange *adit_exchange_new(struct adit_edge *e, void *user);
void adit_exchange_free(struct adit_exchange *x);

/* Never fails: without memory a page is passed and a machine view is answered 503. */
enum adit_action adit_exchange_request(struct adit_exchange *x, const struct adit_request *request);
enum adit_action adit_exchange_recalled(struct adit_exchange *x, struct adit_str value);
enum adit_action adit_exchange_resume(struct adit_exchange *x);
enum adit_action adit_exchange_fetched(struct adit_exchange *x, unsigned status,
                                       const struct adit_header *headers, size_t n);
enum adit_action adit_exchange_fetched_body(struct adit_exchange *x, struct adit_str chunk);
enum adit_action adit_exchange_fetched_end(struct adit_exchange *x);
enum adit_action adit_exchange_fetch_failed(struct adit_exchange *x, enum adit_fetch_failure why);

/* After PASS: fills response_edits and inject. More than ADIT_HEADERS_MAX fields: neither. */
void adit_exchange_response(struct adit_exchange *x, unsigned status,
                            const struct adit_header *headers, size_t n);
/* The bytes to send in place of chunk: out is cleared first. Whatever happens, the bytes of the
 * page come through, unless out has no memory for them (out->err): the host must not send the rest.
 */
void adit_exchange_inject(struct adit_exchange *x, struct adit_str chunk, struct adit_buf *out);
void adit_exchange_inject_end(struct adit_exchange *x, struct adit_buf *out);

/* --- config ----------------------------------------------------------------------------------- */

/* http: all that adit decides about HTTP: the site's configuration, the mapping between pages and
 * their machine URLs, header values, and the exchange (exchange.h): which answer a request gets.
 *
 * This header: the configuration, one JSON document (adit.json) for the edge filter, the Worker,
 * `adit serve` and `adit pack`; the globs in it; and the URL mapping that it defines.
 */

enum adit_query { ADIT_QUERY_REFUSE, ADIT_QUERY_KEEP };
enum adit_homepage { ADIT_HOME_CONVERT, ADIT_HOME_OVERVIEW, ADIT_HOME_OMIT };
enum adit_mode { ADIT_MODE_SUBREQUEST, ADIT_MODE_INLINE };

struct adit_config_list {
    struct adit_str *v;
    size_t n;
};
struct adit_config_pair {
    struct adit_str name, value;
};
struct adit_config_pairs {
    struct adit_config_pair *v;
    size_t n;
};

/* Strings live in the configuration's arena. */
struct adit_config {
    struct adit_str origin; /* "https://example.com": scheme, host, port; empty if not given */
    struct adit_config_list hosts; /* other names of the same site, lower case, without port */
    struct adit_str suffix;        /* the path segment of M-URLs */
    struct adit_config_list legacy_suffixes;
    enum adit_query query;
    struct adit_config_list exclude; /* globs on the C-URL's path */
    enum adit_homepage homepage;
    struct adit_str overview_title, overview_content;
    uint64_t max_page_bytes;
    bool payload_schema, markdown, content_digest, require_https;
    struct adit_str cache_control;
    struct adit_str sitemap_path;
    uint64_t sitemap_max_items;
    struct adit_str policy; /* canonical JSON of the policy descriptor; empty if there is none */
    struct adit_str scp_manifest;
    uint64_t scp_refresh_s;
    struct adit_str upstream_cluster, upstream_authority, accept_language;
    uint64_t timeout_ms;
    enum adit_mode mode;
    struct adit_config_pairs sections;    /* name → path prefix, in the order of the document */
    struct adit_config_pairs update_freq; /* section or "all" → hourly, daily, weekly, monthly */
    uint64_t limit_pages, limit_memory;   /* of all exchanges of one edge */
    /* markdown is the twin; the page's own URL gives it as well to who asks by Accept, or is one of
     * the agents (globs on User-Agent). */
    bool negotiate;
    bool markdown_noindex;                                /* X-Robots-Tag of twins */
    bool tokens;                                          /* x-markdown-tokens */
    enum { ADIT_LINKS_STANDALONE, ADIT_LINKS_ALL } links; /* which are blocks of collections */
    bool front_matter; /* Markdown begins with title, url and more, as YAML */
    struct adit_config_list agents;
    /* Signals, sent as they are. license is a URL or a path. */
    struct adit_str content_signal, content_usage, tdm_reservation, tdm_policy, license;
    bool robots;    /* they go into /robots.txt, too */
    bool llms;      /* llms.txt is made */
    bool llms_full; /* llms-full.txt is, too */
    enum adit_tct_profile_id tct_profile;
    /* Answers of our own are signed: the key as it was given, and what came of it. */
    struct adit_str signature_key, signature_keyid;
    bool signs;
    uint8_t signing_key[ADIT_P256_KEY], public_key[ADIT_P256_PUBLIC];
    uint64_t hash; /* of the document: other settings, other memory */
    struct adit_arena arena;
};

/* Reads a configuration; absent keys have their defaults ("{}" gives them all). An unknown or
 * repeated key, a wrong type and an impossible value are refused: ADIT_EBAD, and why holds a line
 * that begins with the key's path ("sections.blog: must be a path that begins with '/'"). Free c in
 * any case. */
enum adit_code adit_config_parse(struct adit_config *c, struct adit_str json, struct adit_mem mem,
                                 struct adit_buf *why);
void adit_config_free(struct adit_config *c);
/* Reads a configuration and makes the edge of it; without an origin it is refused. */
enum adit_code adit_edge_configure(struct adit_edge *e, struct adit_config *c, struct adit_str json,
                                   struct adit_mem mem, struct adit_buf *why);
/* Judges a configuration whole: why gets a line for every fault. An unknown key names the known one
 * that is nearest. */
enum adit_code adit_config_check(struct adit_str json, struct adit_mem mem, struct adit_buf *why);
/* Appends the configuration as a document that gives it, every key in it (config_describe.c). */
void adit_config_print(const struct adit_config *c, struct adit_buf *out);
/* Appends a JSON schema of such documents, with the defaults that are given. */
void adit_config_schema(const struct adit_config *defaults, struct adit_buf *out);
/* Puts another origin into c (as after parsing; false if it is none). */
bool adit_config_set_origin(struct adit_config *c, struct adit_str origin);

/* --- documents about a site (documents.c) ---------------------------------------------------------------------------
 * llms.txt: begin, then for each section that has pages its name and its pages. Whatever is in the texts, each
 * stays on its line. */
void adit_llms_begin(struct adit_buf *out, struct adit_str title, struct adit_str summary);
void adit_llms_section(struct adit_buf *out, struct adit_str name);
void adit_llms_page(struct adit_buf *out, struct adit_str title, struct adit_str url,
                    struct adit_str description);
/* llms-full.txt: begin, then each page whole. */
void adit_llms_whole(struct adit_buf *out, struct adit_str url, struct adit_str markdown);
/* The configuration's section with the longest prefix of the path; sections.n: none has one. */
size_t adit_llms_section_of(const struct adit_config *c, struct adit_str path);

/* --- globs (glob.c) ------------------------------------------------------------------------------
 * `*` any run of characters ('/' too), `?` one character, `[a-z]` and `[!a-z]` one character of
 * (not of) a class, everything else itself. Characters are bytes. At most |pattern| x |text| steps.
 */
bool adit_glob(struct adit_str pattern, struct adit_str text);
/* Whether every '[' has its ']'. */
bool adit_glob_valid(struct adit_str pattern);

/* --- URL mapping (map.c) -------------------------------------------------------------------------
 *
 * C-URL and M-URL differ by one path segment, the suffix: "/" and "/llm/", "/post/" and
 * "/post/llm/", "/post" and "/post/llm". A twin of the M-URL is another format of the same view and
 * has that format's ending: "/post/" and "/post/llm.md", "/post" and "/post.llm.md". Paths begin
 * with '/' and hold no query. */

struct adit_format;

enum adit_path_kind {
    ADIT_PATH_PAGE,   /* an ordinary path */
    ADIT_PATH_VIEW,   /* an M-URL, or a twin of it */
    ADIT_PATH_LEGACY, /* an M-URL with a legacy suffix */
    ADIT_PATH_NONE,   /* the shape of an M-URL, but of no page: "/x/llm/llm/" */
};

/* Says what path is; for VIEW and LEGACY appends the path of the page to c_path and gives the
 * view's format (format may be NULL). */
enum adit_path_kind adit_map_path(const struct adit_config *c, struct adit_str path,
                                  struct adit_buf *c_path, const struct adit_format **format);
/* Appends the path of the M-URL, or of its twin in that format, of the page c_path. The inverse of
 * adit_map_path for every path that is a PAGE. */
void adit_map_machine(const struct adit_config *c, const struct adit_format *format,
                      struct adit_str c_path, struct adit_buf *out);
/* Whether the site has machine URLs for the format. */
bool adit_map_offers(const struct adit_config *c, const struct adit_format *format);
/* Whether M-URL, injection and sitemap leave out the page: by `exclude`, and "/" by homepage: omit.
 * The path is also tried with percent-encoding, double slashes and dot segments resolved, so that
 * an encoded letter is no way around a pattern. */
bool adit_map_excluded(const struct adit_config *c, struct adit_str c_path, struct adit_mem mem);
/* Whether an authority ("Example.com:443") names our site; the port does not count. */
bool adit_map_ours(const struct adit_config *c, struct adit_str authority);
/* The same for an absolute http(s) URL; *path gets path and query ("/" if empty). */
bool adit_map_our_url(const struct adit_config *c, struct adit_str url, struct adit_str *path);
/* Appends origin + path, with every byte that may not stand in a URL percent-encoded: the result
 * can be put into a header or an attribute. */
void adit_map_url(const struct adit_config *c, struct adit_str path, struct adit_buf *out);

#endif
