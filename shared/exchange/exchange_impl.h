/* What the files of the exchange share; no header for others.
 *
 *   exchange.c    birth and death, what a request says, whose turn it is
 *   route.c       which route a request takes: the table of routes
 *   fields.c      strings, edits, URLs, the request for the origin
 *   body.c        the body of what was fetched: decoded, counted, kept in memory that is charged
 *   machine.c     the machine view: recall, fetch, convert
 *   share.c       who makes a view, who waits for it
 *   answer.c      from a view to the answer of one request: 200, 206, 304, 416, redirects, problems
 *   memory.c      what the validator memory keeps of a page
 *   negotiate.c   Markdown at the page's own URL
 *   robots_txt.c  /robots.txt with the site's signals
 *   pass.c        pages, sitemaps: requests that go on to the origin
 *   sign.c        signatures of our own answers
 *   sitemap.c     the JSON sitemap, with what is known better by now
 *   collection.c  SCP files and the manifest
 *   problem.c     the table of reasons
 */
#ifndef ADIT_EXCHANGE_IMPL_H
#define ADIT_EXCHANGE_IMPL_H

#include "exchange/exchange.h"
#include "exchange/inject_impl.h"
#include "format/format.h"
#include "scp/scp.h"
#include "codec/codec.h"
#include "crypto/crypto.h"

enum {
    ADIT_EXCHANGE_MEMORY = 1 << 20,           /* header fields of one exchange, both ways */
    ADIT_URL_ROOM = 8 * ADIT_LIMIT_url_bytes, /* a URL, percent-encoded, with suffix and origin */
    ADIT_MEMO_MAX = 2 * ADIT_REMEMBER_BODY,   /* a value of the memory */
};

/* What a page's machine URL has to say to anybody: made once, shared by all who wait for it. */
struct adit_view {
    unsigned refs;
    struct adit_arena arena;
    enum adit_reason reason; /* NONE: a representation, or a redirect */
    unsigned redirect;       /* its status, and */
    struct adit_str location;
    bool is_private;               /* for nobody else's eyes */
    bool is_unlisted;              /* the origin says so of the page itself, not by Vary alone */
    bool bodiless;                 /* the body was not remembered: good for a 304 only */
    bool noindex;                  /* by the page itself or its header fields */
    struct adit_str content_type;  /* of the representation */
    struct adit_str etag;          /* quoted */
    struct adit_str last_modified; /* to be sent; empty if the origin gives none */
    struct adit_str cache_control; /* empty: the configuration's */
    struct adit_str robots;        /* X-Robots-Tag */
    struct adit_str retry_after, www_authenticate;
    struct adit_buf body;
    bool hashed; /* while it was written: sha256 is its hash */
    uint8_t sha256[ADIT_SHA256_LEN];
    uint64_t html_bytes; /* bytes of HTML that the view stands for */
};

/* What the memory keeps, as slices of the value. */
struct adit_memo {
    struct adit_str origin_etag, origin_last_modified; /* validators for the origin; one is set */
    struct adit_str etag, last_modified, robots;
    struct adit_str body; /* empty if it was too large */
    uint64_t html_bytes;
    bool noindex;
};

enum { ADIT_HTML_BLOCK = (32 << 10) - 16 };
struct adit_html_block {
    struct adit_html_block *next;
    char bytes[ADIT_HTML_BLOCK];
};

enum adit_state {
    ADIT_ST_NEW,
    ADIT_ST_RECALL, /* the host looks into its memory */
    ADIT_ST_WAIT,
    ADIT_ST_FETCH, /* what the route asked the origin for is on its way */
    ADIT_ST_PASS,
    ADIT_ST_DONE
};

struct adit_exchange_impl;
struct adit_document; /* a kind of document known by its path (pass.c) */

/* Link fields of a route's answers, where the site has what they lead to. */
enum adit_route_links { ADIT_LINK_SITEMAP = 1, ADIT_LINK_POLICY = 2 };

/* How requests of one kind are treated: a row of the table in route.c. */
struct adit_route_info {
    const char *name; /* for logs, unless the format of the view has another one */
    /* Whether it is for this route; may note what it finds out. */
    bool (*takes)(struct adit_exchange_impl *x);
    enum adit_action (*start)(struct adit_exchange_impl *x, const struct adit_request *r);
    /* What becomes of a fetch that the route asked for (FETCH); NULL on routes that never do. */
    enum adit_action (*fetched)(struct adit_exchange_impl *x, unsigned status,
                                const struct adit_header *h, size_t n);
    enum adit_action (*end)(struct adit_exchange_impl *x); /* its body is there, whole */
    /* The fetch failed, or its body: what is done without it. NULL: that is a problem to answer with. */
    enum adit_action (*give_up)(struct adit_exchange_impl *x, enum adit_reason reason);
    /* The same, and whatever else the host could not do, at any time; NULL: give_up, or a problem. */
    enum adit_action (*failed)(struct adit_exchange_impl *x, enum adit_reason reason);
    /* The origin's answer to a request that was passed on (PASS, not done); may be NULL. */
    void (*response)(struct adit_exchange_impl *x, unsigned status, const struct adit_header *h,
                     size_t n);
    unsigned links; /* of adit_route_links */
};

struct adit_exchange_impl {
    struct adit_exchange pub; /* first: a pointer to one is a pointer to the other */
    struct adit_edge *edge;
    struct adit_arena arena;
    enum adit_state state;
    const struct adit_route_info *route;
    bool get, head; /* the request's method */
    /* which header fields it has, whatever their values */
    bool has_if_match, has_if_none_match, has_if_modified_since, has_if_range, has_range;
    bool has_authorization, has_cookie, has_loop;
    bool wants_markdown, by_agent; /* by Accept; by the configuration's agents */
    bool negotiated;               /* the page's own URL is answered with its Markdown */
    bool negotiable;               /* the request passes, but could have been negotiated */
    bool is_sitemap;               /* the JSON sitemap, or a part of it */
    enum adit_reason page_doubt;   /* why it is not taken for a page of ours */
    bool leads, is_ready;          /* among those who ask for one page */
    bool asked_conditionally, last_modified_settled; /* of the conversion */

    /* the request */
    struct adit_str path, query;      /* query with its '?' */
    struct adit_str c_path;           /* of the page; for a page its own path */
    const struct adit_format *format; /* of the machine view; NULL if none is asked for */
    struct adit_str accept, if_match, if_none_match, if_modified_since, if_range, range;
    struct adit_str user_agent, via, forwarded_for, forwarded_proto, cdn_loop;
    struct adit_str authority, accept_signature; /* where answers are signed */
    unsigned hops;                               /* how often it has been here */
    enum adit_path_kind path_kind;
    int64_t now;

    /* the conversion */
    char key[ADIT_SHA256_HEX];
    struct adit_exchange_impl *next;    /* among the leaders, or the waiters of one */
    struct adit_exchange_impl *leader;  /* whom it waits for */
    struct adit_exchange_impl *waiters; /* who waits for it */
    struct adit_exchange_impl *next_ready;
    struct adit_str memo_bytes;
    struct adit_memo memo;
    struct adit_str content_type, origin_etag, origin_last_modified;
    /* What has arrived of the page, or of the manifest: in html if its length was announced or all
     * is there, else in blocks. */
    struct adit_buf html;
    struct adit_html_block *blocks, *last_block;
    size_t n_blocks, html_len;
    struct adit_sink html_sink;
    struct adit_decoder *decoder;
    size_t decoder_held;          /* bytes of memory that the decoder takes */
    uint64_t announced, received; /* bytes of the body as sent; announced is NO_LENGTH if not */
    struct adit_view *view;
    struct adit_buf remember;

    /* a request passed on */
    struct adit_inject inject;
    struct adit_buf_sink injected;
    const struct adit_scp_file *file; /* a copy in the arena */
    const struct adit_document *document;
};

/* fields.c */
struct adit_str adit_exchange_dup(struct adit_exchange_impl *x, struct adit_str s);
/* A string that a buffer was filled with, in the arena; empty without memory. Frees the buffer. */
struct adit_str adit_exchange_settle(struct adit_exchange_impl *x, struct adit_buf *b);
/* "list, element". Where that would be too long to be sent, or there is no memory, the element
 * alone: it is ours, the list is what others say. */
struct adit_str adit_exchange_append(struct adit_exchange_impl *x, struct adit_str list,
                                     struct adit_str element);
void adit_exchange_count(struct adit_exchange_impl *x, enum adit_counter counter, uint64_t n);
/* Lets the request go on; untouched (done) as well if an edit of it was lost. */
enum adit_action adit_exchange_pass(struct adit_exchange_impl *x, bool done);
void adit_exchange_edit(struct adit_exchange_impl *x, struct adit_edits *e, enum adit_edit_op op,
                        const char *name, struct adit_str value);
/* Removes a field that is there. */
void adit_exchange_remove_field(struct adit_exchange_impl *x, struct adit_edits *e,
                                const char *name, bool is_there);
/* Notes why a page is sent as the origin has it. */
void adit_exchange_note(struct adit_exchange_impl *x, enum adit_reason reason);
void adit_exchange_ask(struct adit_exchange_impl *x, struct adit_str path, const char *accept,
                       uint64_t max);
/* A page says in its HTML whether it wants to be indexed, and only its conversion shows whether there
 * is a view of it; from then on it gets no link. */
void adit_exchange_learn_viewless(struct adit_exchange_impl *x, bool viewless);
bool adit_exchange_is_viewless(const struct adit_exchange_impl *x);
/* "origin + path", or the machine URL of the page, in the arena. */
struct adit_str adit_exchange_url(struct adit_exchange_impl *x, struct adit_str path);
struct adit_str adit_exchange_machine_url(struct adit_exchange_impl *x,
                                          const struct adit_format *format);

/* body.c */
void adit_budget_init(struct adit_edge *e, struct adit_mem host);
/* Bytes that a page may have: max_page_bytes, or what limits.memory can convert if nothing else is
 * under way. */
size_t adit_budget_page_max(const struct adit_edge *e);
/* The body of an answer: begin with its header, add in any pieces, end. Anything but NONE says why
 * it is of no use. free gives its memory back, at any time. */
enum adit_reason adit_body_begin(struct adit_exchange_impl *x, const struct adit_header *h,
                                 size_t n);
enum adit_reason adit_body_add(struct adit_exchange_impl *x, struct adit_str chunk);
enum adit_reason adit_body_end(struct adit_exchange_impl *x);
void adit_body_free(struct adit_exchange_impl *x);

/* route.c */
/* Before anything is known of the request. */
void adit_route_init(struct adit_exchange_impl *x);
/* Finds the route of the request that was read, and takes its first step. */
enum adit_action adit_route_start(struct adit_exchange_impl *x, const struct adit_request *r);
/* The request goes on as that of a page. */
enum adit_action adit_route_page(struct adit_exchange_impl *x);
/* The host could not do what it was told to: at any time, on every route. */
enum adit_action adit_route_failed(struct adit_exchange_impl *x, enum adit_reason reason);
/* Whether it came over http, and machine views of the site are sent over https only. */
bool adit_route_wants_https(const struct adit_exchange_impl *x);
enum adit_action adit_route_to_https(struct adit_exchange_impl *x);
/* Whether the client takes what we send, by its Accept-Encoding. */
bool adit_route_takes_plain(struct adit_exchange_impl *x, const struct adit_request *r);
/* Whether no server could understand the path in another way than we write it into URLs: no dot
 * segments, no empty ones, no control characters. */
bool adit_route_is_plain(struct adit_str path);

/* negotiate.c */
bool adit_negotiate_offers(const struct adit_config *c);
/* Notes whether the request asks for Markdown. */
void adit_negotiate_read(struct adit_exchange_impl *x);
bool adit_negotiate_takes(struct adit_exchange_impl *x);
enum adit_action adit_negotiate_start(struct adit_exchange_impl *x, const struct adit_request *r);
/* Why the view must not be sent in the place of the page; NONE: it may. */
enum adit_reason adit_negotiate_doubt(const struct adit_view *v);
/* The page is sent as HTML after all. */
enum adit_action adit_negotiate_give_up(struct adit_exchange_impl *x, enum adit_reason reason);

/* machine.c */
enum adit_action adit_machine_start(struct adit_exchange_impl *x);
enum adit_action adit_machine_recalled(struct adit_exchange_impl *x, struct adit_str value);
enum adit_action adit_machine_fetched(struct adit_exchange_impl *x, unsigned status,
                                      const struct adit_header *h, size_t n);
enum adit_action adit_machine_end(struct adit_exchange_impl *x);
enum adit_action adit_machine_failed(struct adit_exchange_impl *x, enum adit_reason reason);

/* The waiting for another exchange's view is over. */
enum adit_action adit_machine_resume(struct adit_exchange_impl *x);

/* share.c */
/* The key of the memory, and of who waits for whom: which view of which page, under which rules and
 * settings. */
void adit_share_key(struct adit_exchange_impl *x, struct adit_str url);
/* Whether somebody is about to make the view already; x then waits. */
bool adit_share_wait(struct adit_exchange_impl *x);
/* x will make the view; false if as many pages as limits.pages are under way. */
bool adit_share_lead(struct adit_exchange_impl *x);
/* x's view is there: who waited gets it, or, if it is not for others, has to begin anew. */
void adit_share_view(struct adit_exchange_impl *x);
/* Gives up leading or waiting; someone who waits is made the leader. */
void adit_share_leave(struct adit_exchange_impl *x);

/* answer.c */
struct adit_view *adit_view_new(struct adit_mem mem, size_t body_max);
/* Sets the ETag from a hash text, or from the body's bytes; false without memory. */
bool adit_view_etag(struct adit_view *v, struct adit_str hash);
bool adit_view_hash(struct adit_view *v);
void adit_view_release(struct adit_view *v, struct adit_mem mem);
enum adit_action adit_answer_view(struct adit_exchange_impl *x, const struct adit_view *v);
enum adit_action adit_answer_problem(struct adit_exchange_impl *x, enum adit_reason reason);
enum adit_action adit_answer_redirect(struct adit_exchange_impl *x, unsigned status,
                                      struct adit_str url);
/* Whether the request has an If-Match that does not name etag: 412, whatever else it asks. */
bool adit_answer_precluded(const struct adit_exchange_impl *x, struct adit_str etag);
/* Whether the request's conditions say that the client has it already. */
bool adit_answer_unchanged(const struct adit_exchange_impl *x, struct adit_str etag,
                           struct adit_str last_modified);
/* The site's signals, as edits of a response, of which n fields are there already: the origin's own
 * stay. */
void adit_answer_signal_edits(struct adit_exchange_impl *x, const struct adit_header *there,
                              size_t n);
/* Link fields: to the sitemap and the policy; to the machine view at that URL, in that format. */
void adit_answer_index_links(struct adit_exchange_impl *x, struct adit_headers *h);
void adit_answer_alternate(struct adit_exchange_impl *x, struct adit_headers *h,
                           const struct adit_format *format, struct adit_str url);

/* memory.c */
void adit_memo_write(struct adit_buf *out, const char key[ADIT_SHA256_HEX],
                     const struct adit_memo *m);
bool adit_memo_read(struct adit_str value, const char key[ADIT_SHA256_HEX], struct adit_memo *m);

/* pass.c */
bool adit_pass_takes_page(struct adit_exchange_impl *x);
/* Whether the path is a page's by its looks: it has no extension, or that of a page. */
bool adit_pass_is_page_path(struct adit_str path);
enum adit_action adit_pass_page(struct adit_exchange_impl *x, const struct adit_request *r);
void adit_pass_page_response(struct adit_exchange_impl *x, unsigned status,
                             const struct adit_header *h, size_t n);
bool adit_pass_takes_document(struct adit_exchange_impl *x);
enum adit_action adit_pass_document(struct adit_exchange_impl *x, const struct adit_request *r);
void adit_pass_document_response(struct adit_exchange_impl *x, unsigned status,
                                 const struct adit_header *h, size_t n);
void adit_pass_sitemap_response(struct adit_exchange_impl *x, unsigned status,
                                const struct adit_header *h, size_t n);

/* sitemap.c */
/* The fingerprint of a page's view by now, or that there is none any more. */
void adit_sitemap_learn(struct adit_exchange_impl *x, struct adit_str etag, bool gone);
bool adit_sitemap_takes(struct adit_exchange_impl *x);
enum adit_action adit_sitemap_start(struct adit_exchange_impl *x, const struct adit_request *r);
enum adit_action adit_sitemap_fetched(struct adit_exchange_impl *x, unsigned status,
                                      const struct adit_header *h, size_t n);
enum adit_action adit_sitemap_end(struct adit_exchange_impl *x);
enum adit_action adit_sitemap_give_up(struct adit_exchange_impl *x, enum adit_reason reason);

/* sign.c */
/* Adds the signature, where answers are signed: the last of its fields. */
void adit_sign_answer(struct adit_exchange_impl *x);
bool adit_sign_takes(struct adit_exchange_impl *x);
enum adit_action adit_sign_start(struct adit_exchange_impl *x, const struct adit_request *r);

/* robots_txt.c */
bool adit_robots_txt_takes(struct adit_exchange_impl *x);
enum adit_action adit_robots_txt_start(struct adit_exchange_impl *x, const struct adit_request *r);
enum adit_action adit_robots_txt_fetched(struct adit_exchange_impl *x, unsigned status,
                                         const struct adit_header *h, size_t n);
enum adit_action adit_robots_txt_end(struct adit_exchange_impl *x);
enum adit_action adit_robots_txt_give_up(struct adit_exchange_impl *x, enum adit_reason reason);

/* collection.c */
bool adit_collection_takes(struct adit_exchange_impl *x);
enum adit_action adit_collection_start(struct adit_exchange_impl *x, const struct adit_request *r);
enum adit_action adit_collection_fetched(struct adit_exchange_impl *x, unsigned status,
                                         const struct adit_header *h, size_t n);
enum adit_action adit_collection_end(struct adit_exchange_impl *x);
enum adit_action adit_collection_give_up(struct adit_exchange_impl *x, enum adit_reason reason);
void adit_collection_response(struct adit_exchange_impl *x, unsigned status,
                              const struct adit_header *h, size_t n);

#endif
