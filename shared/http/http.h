/* http: what HTTP says, without an opinion of adit's: header fields and the lists in their values,
 * conditions, ranges, dates, links, robots.txt and X-Robots-Tag, Retry-After and rate limits (RFC 9110,
 * 9111, 8288, 9309, 9530). Decisions that are made with them stand in exchange/. */
#ifndef ADIT_HTTP_H
#define ADIT_HTTP_H

#include "base/base.h"

/* --- header ----------------------------------------------------------------------------------- */

/* Header fields: lists of them, edits to them, and what their values say (RFC 9110, 9111, 8288). */

struct adit_header {
    struct adit_str name, value; /* names in lower case when we write them */
};

/* A growing list in an arena; the first failure sticks in err. */
struct adit_headers {
    struct adit_header *v;
    size_t n, cap;
    struct adit_arena *arena;
    enum adit_code err;
    bool lost; /* a value could not be sent and was left out */
};

enum { ADIT_HEADERS_MAX = 512 };

/* Value of the first field of that name, or an empty slice. */
struct adit_str adit_header_get(const struct adit_header *v, size_t n, struct adit_str name);
bool adit_header_has(const struct adit_header *v, size_t n, struct adit_str name);
/* All values of that name joined with ", " (as RFC 9110, 5.3 allows for list fields); a slice of
 * the only value, or a copy in the arena. Without memory for the copy it is empty and *ok becomes
 * false (and is left alone otherwise). */
struct adit_str adit_header_all(const struct adit_header *v, size_t n, struct adit_str name,
                                struct adit_arena *arena, bool *ok);
/* The same for who need not know all: without memory it is the last value. */
struct adit_str adit_header_joined(const struct adit_header *v, size_t n, struct adit_str name,
                                   struct adit_arena *arena);
/* Whether a value may be sent: not empty, no control characters but TAB, within the limit. */
bool adit_header_sendable(struct adit_str value);
/* A token of RFC 9110, 5.6.2: the form of a method and of a field's name. */
bool adit_is_token(struct adit_str s);
/* No control characters but TAB. */
bool adit_is_field_value(struct adit_str s);
/* Appends a field. The value is copied; a value with CR, LF, NUL or other control characters, or
 * longer than ADIT_LIMIT_header_value, is left out altogether (h->lost), as is an empty one. */
void adit_headers_add(struct adit_headers *h, const char *name, struct adit_str value);

/* --- values --------------------------------------------------------------------------------------
 *
 * Takes the next element of a comma-separated list off *rest; commas inside quotes do not count;
 * empty elements are skipped; white space around is trimmed. False at the end. */
bool adit_list_next(struct adit_str *rest, struct adit_str *element);
/* Whether the list has an element whose token (up to ';' or '=') is that, case folded. *argument
 * (may be NULL) gets what stands behind '=', quotes removed. */
bool adit_list_has(struct adit_str list, struct adit_str token, struct adit_str *argument);
/* The quality of a coding in an Accept-Encoding value, in thousandths, as RFC 9110, 12.5.3 says;
 * -1 if the value does not speak of it, by name or "*". */
int adit_accept_q(struct adit_str accept, struct adit_str coding);
/* Whether a client that sent this Accept-Encoding can be answered at all: unencoded, or by a coding
 * that something between us and it may add. */
bool adit_accept_possible(struct adit_str accept_encoding);
/* The quality of a media type ("text/html") in an Accept value, in thousandths, as RFC 9110, 12.5.1
 * says: of the ranges that fit it, the closest decides, of equal ones the highest; 0 if none does.
 * Parameters of ranges are not compared; a range whose weight is none is passed over. *named (may be
 * NULL): whether a range names the type in full. */
int adit_accept_media_q(struct adit_str accept, struct adit_str type, bool *named);
/* Media type of a Content-Type value without parameters, trimmed. */
struct adit_str adit_media_type(struct adit_str content_type);
bool adit_media_is_html(struct adit_str content_type);
/* X-Robots-Tag values, joined: whether noindex (or none) is among the directives for every robot:
 * "googlebot: noindex" speaks to one only. */
bool adit_robots_noindex(struct adit_str robots);
/* All that it, or the content of <meta name=robots>, forbids to every robot; flags are only ever
 * set. */
struct adit_robots_tag {
    bool noindex, noarchive, nofollow;
    unsigned optout; /* ADIT_OPTOUT_NOAI, ADIT_OPTOUT_NOIMAGEAI */
};
void adit_robots_tag_read(struct adit_str value, struct adit_robots_tag *tag);

/* What a page says against uses by machines that learn, as flags; the names are those of outputs
 * (`optout`). */
#define ADIT_OPTOUTS(X)       \
    X(NOAI, "noai")           \
    X(NOIMAGEAI, "noimageai") \
    X(TDM, "tdm-reservation") \
    X(USAGE, "content-usage") \
    X(SIGNAL, "content-signal")
enum {
    ADIT_OPTOUT_NOAI = 1,
    ADIT_OPTOUT_NOIMAGEAI = 2,
    ADIT_OPTOUT_TDM = 4,
    ADIT_OPTOUT_USAGE = 8,
    ADIT_OPTOUT_SIGNAL = 16,
    ADIT_OPTOUT_KINDS = 5
};
extern const char *const adit_optout_names[]; /* of flag 1, 2, 4 ... */
/* The flag of a header field, or of a <meta> of that name, whose value says no: "tdm-reservation: 1",
 * a Content-Usage with "=n", a Content-Signal with "=no"; else 0. */
unsigned adit_optout(struct adit_str name, struct adit_str value);
/* Whether a shared cache must not keep the answer and so nobody but its receiver may see it:
 * Cache-Control private or no-store, or Vary with Cookie, Authorization or "*". */
bool adit_is_private(struct adit_str cache_control, struct adit_str vary);
/* How many seconds a shared cache may use the answer without asking: s-maxage, else max-age; 0 where
 * neither is there, or is no number, and with no-cache (RFC 9111, 4.2.1). */
uint64_t adit_cache_seconds(struct adit_str cache_control);

/* --- forwarding (forward.c) ------------------------------------------------------------------- */

/* Whether a field is about one connection only (RFC 9110, 7.6.1), by its name. */
bool adit_is_hop_by_hop(struct adit_str name);
/* The same, or named by any of the message's Connection fields. */
bool adit_is_of_connection(const struct adit_header *v, size_t n, struct adit_str name);

/* The fields that tell a request's way, one element per intermediary: X-Forwarded-For, Via (RFC
 * 9110, 7.6.3), CDN-Loop (RFC 8586). */
#define ADIT_FIELD_CLIENT "x-forwarded-for"
#define ADIT_FIELD_VIA    "via"
#define ADIT_FIELD_LOOP   "cdn-loop"
enum adit_trace { ADIT_TRACE_CLIENT, ADIT_TRACE_VIA, ADIT_TRACE_LOOP, ADIT_TRACES };
extern const char *const adit_trace_names[ADIT_TRACES]; /* in lower case */
bool adit_is_trace(struct adit_str name);
/* The value to send on: the list that came, all fields joined, and adit's own element behind it; of
 * X-Forwarded-For the client's address (empty: it is in the list already). Where both are longer
 * than a field may be, or without memory, the element alone, and *cut (may be NULL) is set. */
struct adit_str adit_trace_extend(enum adit_trace which, struct adit_str list,
                                  struct adit_str client, struct adit_arena *arena, bool *cut);
/* How often a request with this CDN-Loop has been here. */
unsigned adit_trace_hops(struct adit_str cdn_loop);

/* --- conditional requests and ranges (condition.c) ----------------------------------------------
 *
 * (RFC 9110.) Field values as received, several fields of one name joined with ", ". etag is ours, quoted. */

/* Whether If-Match names it: "*", or a list of tags, compared strongly. What is not a list of tags
 * names nothing. */
bool adit_if_match(struct adit_str value, struct adit_str etag);
/* Whether If-None-Match names it: "*", or a list of tags, compared weakly (proxies weaken tags).
 * What is not a list of tags names nothing. */
bool adit_if_none_match(struct adit_str value, struct adit_str etag);
/* Whether If-Range lets the range through: the same tag, both strong. Dates do not. */
bool adit_if_range(struct adit_str value, struct adit_str etag);

struct adit_range {
    uint64_t first, last; /* offsets of the first and the last byte */
};
enum adit_range_answer {
    ADIT_RANGE_NONE,  /* no range, not understood, or several: the whole is sent */
    ADIT_RANGE_ONE,   /* *r, inside of size */
    ADIT_RANGE_BEYOND /* 416 */
};
enum adit_range_answer adit_range_parse(struct adit_str value, uint64_t size, struct adit_range *r);

/* --- dates and digests (date.c) --------------------------------------------------------------- */

/* HTTP-date in any of its three forms (RFC 9110, 5.6.7) to Unix seconds. Two digits of a year are
 * 1970…2069. */
bool adit_http_date_parse(struct adit_str s, int64_t *unix_s);
/* IMF-fixdate. Years 0000…9999. */
void adit_http_date(struct adit_buf *out, int64_t unix_s);
/* Value of Content-Digest: sha-256=:…: (RFC 9530). */
void adit_content_digest(struct adit_buf *out, const uint8_t sha256[32]);

/* --- link ------------------------------------------------------------------------------------- */

/* Web links (RFC 8288) in Link fields; html/ finds the same in <link> elements. */

struct adit_link {
    struct adit_str href; /* as written, perhaps relative */
    struct adit_str rel;  /* relation types, separated by spaces */
    struct adit_str type; /* media type, a hint; may be empty */
    bool anchored;        /* speaks of another resource than the one it came with */
};

/* Takes the next link off the value of a Link field (several fields joined with ", "). What is
 * malformed is passed over up to the next comma. False at the end. */
bool adit_link_next(struct adit_str *rest, struct adit_link *link);

/* Whether it has that relation, and (type not empty) that media type, parameters aside. */
bool adit_link_is(const struct adit_link *link, const char *rel, const char *type);

/* --- robots ----------------------------------------------------------------------------------- */

/* robots.txt (RFC 9309): which rules are for us, and whether they allow a path. */

enum { ADIT_ROBOTS_BYTES = 500 << 10 }; /* what is behind it is not read (RFC 9309, 2.5) */

struct adit_robots_rule {
    struct adit_str pattern; /* a slice of the text */
    bool allow;
};

/* The rules for one robot. Zeroed: everything is allowed. */
struct adit_robots {
    const struct adit_robots_rule *rules;
    size_t n;
    int64_t crawl_delay_ms; /* the longest that is asked for; -1: none */
};

/* Reads text (slices of it stay in *out) for the robot of that product token: the groups that name
 * it, together; if there are none, those for "*". Only letters, '-' and '_' at the beginning of the
 * token count, in any case. ADIT_ENOMEM, ADIT_ELIMIT of the arena. */
enum adit_code adit_robots_parse(struct adit_str text, struct adit_str product,
                                 struct adit_arena *arena, struct adit_robots *out);

/* Whether path (with "?query") may be fetched: the longest pattern that matches decides, Allow
 * before Disallow; /robots.txt always may. Percent-encoding makes no difference. A file made to
 * cost too much work allows nothing. */
bool adit_robots_allows(const struct adit_robots *r, struct adit_str path);

/* The next "Sitemap:" line at or after *pos (start with 0), which moves behind it. */
bool adit_robots_sitemap(struct adit_str text, size_t *pos, struct adit_str *url);

/* A line to be added to a robots.txt: to every group, or once (Sitemap). Empty values are passed
 * over. */
struct adit_robots_line {
    const char *name;
    struct adit_str value;
    bool global;
};
/* Appends text with the lines in it. A group gets a line, before its first rule, unless it has one
 * of that name; robots that no group names get a group of their own, since groups do not inherit
 * (RFC 9309, 2.2.1). Everything else keeps its bytes, and every robot its rules. */
void adit_robots_add(struct adit_str text, const struct adit_robots_line *lines, size_t n,
                     struct adit_buf *out);

/* --- pace ------------------------------------------------------------------------------------- */

/* How long a server asks to be left alone: Retry-After (RFC 9110, 10.2.3) and the RateLimit fields
 * in the forms that are met. */

/* Value of Retry-After, seconds or HTTP-date, as seconds from now (Unix seconds). False: neither.
 */
bool adit_retry_after(struct adit_str value, int64_t now, uint64_t *seconds);

/* Whether the fields of an answer say that the quota is used up, and for how many seconds:
 *   RateLimit: "default";r=0;t=30              (draft-ietf-httpapi-ratelimit-headers-08 and later)
 *   RateLimit: limit=10, remaining=0, reset=30 (-03 to -07)
 *   RateLimit-Remaining: 0 + RateLimit-Reset: 30, and both with X- in front, where the reset may be
 *   Unix time instead (more than a year of seconds). */
bool adit_rate_limit(const struct adit_header *v, size_t n, int64_t now, uint64_t *seconds);

/* --- message signatures (signature.c) -------------------------------------------------------------
 *
 * RFC 9421, of responses, with ECDSA on P-256 (ecdsa-p256-sha256). A list of components is the text
 * behind "label=" in Signature-Input: ("@status" "content-digest");created=1;keyid="k". */

/* What a signature may speak of. */
struct adit_signed {
    unsigned status;
    struct adit_str method, authority, path, query; /* of the request; query with its '?' */
    const struct adit_header *headers;              /* of the response */
    size_t n;
};

struct adit_signature_params {
    int64_t created; /* Unix seconds */
    struct adit_str keyid, nonce, tag;
};
/* Appends the parameters of a list, behind its closing parenthesis. */
void adit_signature_params(struct adit_buf *out, const struct adit_signature_params *p);
/* Appends the signature base. ADIT_EBAD: the list is malformed, or names what is not there. */
enum adit_code adit_signature_base(const struct adit_signed *m, struct adit_str inner,
                                   struct adit_buf *out);
/* Appends label=:signature:, the value of a Signature field. key: 32 bytes. */
enum adit_code adit_signature_sign(const struct adit_signed *m, struct adit_str label,
                                   struct adit_str inner, const uint8_t *key, struct adit_mem mem,
                                   struct adit_buf *out);
/* Whether one of the signatures is by that key (65 bytes: an uncompressed point); *inner gets its
 * list. What it must cover is the caller's to ask. */
bool adit_signature_verify(const struct adit_signed *m, struct adit_str input,
                           struct adit_str signature, const uint8_t *key, struct adit_mem mem,
                           struct adit_str *inner);
/* The next member of Signature-Input or Accept-Signature. */
bool adit_signature_next(struct adit_str *rest, struct adit_str *label, struct adit_str *inner);
/* Whether a list names that field or component of the response. */
bool adit_signature_covers(struct adit_str inner, const char *name);
/* A parameter of a list, without quotes; empty: there is none. */
struct adit_str adit_signature_param(struct adit_str inner, const char *name);

#endif
