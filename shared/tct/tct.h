/* tct: the Collaboration Tunnel Protocol (draft 00, and what later drafts do otherwise): the JSON of
 * a machine URL and its fingerprint, the JSON sitemap.
 */
#ifndef ADIT_TCT_H
#define ADIT_TCT_H

#include "base/base.h"
#include "crypto/crypto.h"
#include "page/page.h"
#include "json/json.h"

/* --- profiles (profile.c) --------------------------------------------------------------------- */

enum adit_tct_profile_id { ADIT_TCT_00, ADIT_TCT_01, ADIT_TCT_03, ADIT_TCT_PROFILES };

/* A draft of TCT: a row. */
struct adit_tct_profile {
    const char *name;                      /* in the configuration: "00" */
    const char *source;                    /* what the row was written from */
    const char *media_type;                /* of payloads and sitemaps */
    const char *payload, *sitemap, *index; /* the member `profile` of each */
    uint64_t version, index_version;       /* of sitemaps and their index */
    const char *date;                      /* of an item: the member's name */
    bool hash;   /* payloads have `hash`, the fingerprint by Method A; else it is SHA-256 of
                        * the payload's bytes */
    bool linked; /* answers name the profile: Link, rel="profile" */
    bool digest; /* Content-Digest on every 200, whatever the configuration says */
    bool
        no_transform; /* Cache-Control: no-transform; sent without a content coding, or not at all */
};
extern const struct adit_tct_profile adit_tct_profiles[ADIT_TCT_PROFILES];
/* The first row whose documents have that `profile`; NULL: none. */
const struct adit_tct_profile *adit_tct_profile_of(struct adit_str profile);
/* Whether a `profile` is the URI of a draft after 00. */
bool adit_tct_is_later(struct adit_str profile);

/* --- payload (payload.c) ---------------------------------------------------------------------- */

/* A fingerprint: "sha256-" and 64 hexadecimal digits in lower case. It is the payload's `hash`, the
 * sitemap's `contentHash` and, in quotes, the ETag. */
enum { ADIT_TCT_HASH = 7 + ADIT_SHA256_HEX };

struct adit_tct_options {
    bool schema; /* with `structured_data`: the page's main JSON-LD object */
    enum adit_tct_profile_id profile;
    uint8_t *digest; /* NULL, or gets the SHA-256 of all that is appended, 32 bytes */
};

/* Appends the payload of page, canonical JSON (RFC 8785), and gives its fingerprint: by Method A,
 * SHA-256 of the payload without the member `hash`; where the profile has no such member, of all its
 * bytes. What the page does not say itself, in its HTML, is not in it. */
enum adit_code adit_tct_payload(const struct adit_page *page,
                                const struct adit_tct_options *options, struct adit_mem mem,
                                struct adit_buf *out, char hash[ADIT_TCT_HASH]);

/* Fingerprint by Method A of a payload in any form: a JSON object, whose member `hash`, if there is
 * one, does not count. */
enum adit_code adit_tct_method_a(struct adit_str json, struct adit_mem mem,
                                 char hash[ADIT_TCT_HASH], struct adit_error *err);
/* Fingerprint of a payload's bytes as they are (drafts without `hash`). */
void adit_tct_bytes_hash(struct adit_str json, char hash[ADIT_TCT_HASH]);
/* Fingerprint by Method B of a content string: SHA-256 of its normalisation. */
enum adit_code adit_tct_method_b(struct adit_str content, struct adit_mem mem,
                                 char hash[ADIT_TCT_HASH]);
/* Whether s has the form of a fingerprint. */
bool adit_tct_is_hash(struct adit_str s);

/* File names, and the paths where agents look for them. */
#define ADIT_TCT_SITEMAP_STEM "llm-sitemap" /* of parts, too: llm-sitemap-0001.json */
#define ADIT_TCT_SITEMAP      ADIT_TCT_SITEMAP_STEM ".json"
#define ADIT_TCT_POLICY       "llm-policy.json"
#define ADIT_WELL_KNOWN       "/.well-known/"

/* --- sitemap (sitemap.c) -------------------------------------------------------------------------
 *
 * One file: open, an item a page, close. Items come by URL in byte order, which puts the homepage
 * first, as TCT wants it. Beyond a number of items that is the caller's to watch (TCT: 50,000)
 * there are several files and an index. */
struct adit_tct_item {
    struct adit_str c_url, m_url;
    struct adit_str modified; /* RFC 3339 */
    struct adit_str hash;     /* fingerprint of the payload: `contentHash` and `etag` */
};

struct adit_tct_sitemap {
    struct adit_sink *out;
    const struct adit_tct_profile *profile;
    struct adit_buf text;
    struct adit_sha256 sha;
    /* What an index says of the file, complete after close. */
    uint64_t n_items;
    struct adit_time modified; /* the latest of its items */
    char hash[ADIT_TCT_HASH];  /* of the file's bytes */
};

enum adit_code adit_tct_sitemap_open(struct adit_tct_sitemap *s, enum adit_tct_profile_id profile,
                                     struct adit_sink *out, struct adit_mem mem);
enum adit_code adit_tct_sitemap_item(struct adit_tct_sitemap *s, const struct adit_tct_item *item);
/* Writes the end (out->end is the caller's to call). */
enum adit_code adit_tct_sitemap_close(struct adit_tct_sitemap *s);
void adit_tct_sitemap_free(struct adit_tct_sitemap *s); /* at any time after open */

struct adit_tct_part {
    struct adit_str url;
    uint64_t n_items;
    struct adit_time modified;
    const char *hash; /* ADIT_TCT_HASH bytes */
};
/* The sitemap of sitemaps. Appends. */
void adit_tct_index(struct adit_buf *out, enum adit_tct_profile_id profile,
                    const struct adit_tct_part *parts, size_t n);

/* What somebody knows of a page that a sitemap lists. */
struct adit_tct_news {
    bool gone;
    const uint8_t *sha; /* its fingerprint by now; NULL: nothing is known */
};
/* Appends a sitemap, or a part of an index, with what is known by now (sitemap_renew.c): items of pages that are gone are left
 * out, fingerprints become those of now, an index loses those of its parts, which are told anew themselves. False:
 * it is no sitemap. */
bool adit_tct_sitemap_renew(struct adit_str text,
                            struct adit_tct_news (*news)(void *ctx, struct adit_str c_url),
                            void *ctx, struct adit_buf *out);

/* --- agent ------------------------------------------------------------------------------------ */

/* The agent's side of TCT: reading what others publish. Everything here comes from strangers:
 * entries that are malformed are passed over and told of, nothing is believed without its form.
 */

/* --- sitemap (sitemap_read.c) ------------------------------------------------------------ */

/* Bytes of a sitemap that agents read (TCT, Sitemap Abuse). */
enum { ADIT_TCT_SITEMAP_MAX = 100000000 };

struct adit_tct_sitemap_handler {
    void *ctx;
    /* A page. URLs are absolute http(s) in the form of adit_url_page, hash is a fingerprint (empty
     * where version 2 gives none), modified RFC 3339 or empty. Slices are valid during the call.
     * False ends the reading. */
    bool (*item)(void *ctx, const struct adit_tct_item *item);
    /* A further sitemap, of an index; hash and modified may be empty. May be NULL. */
    bool (*part)(void *ctx, const struct adit_tct_item *part);
    /* An entry that was passed over (index from 0; SIZE_MAX: the document itself), and why. */
    void (*bad)(void *ctx, size_t index, const char *why, struct adit_str value);
    /* The document is of a draft after 00: by its version, its profile, or items without
     * `contentHash`. Perhaps called more than once; may be NULL. */
    void (*later)(void *ctx);
};

/* Reads a sitemap or an index of sitemaps, of any draft; unknown members are ignored. ADIT_EBAD, ADIT_EEOF,
 * ADIT_ELIMIT: it is no JSON object, or has neither list. ADIT_ENOMEM: entries are missing.
 * ADIT_ESTOP: a handler ended it. */
enum adit_code adit_tct_sitemap_read(struct adit_str json, struct adit_mem mem,
                                     const struct adit_tct_sitemap_handler *handler,
                                     struct adit_error *err);

/* --- payload (payload_read.c) ----------------------------------------------------------------- */

/* What a payload says; absent members are empty. */
struct adit_tct_view {
    struct adit_str canonical_url, title, content, hash, profile, language, author, published,
        modified;
};

/* Reads a payload of any draft; strings lie in json or in the arena. ADIT_EBAD with a message: not a
 * JSON object, or a member that all drafts require (canonical_url, title, content) is missing, or a
 * known one no string. Where hash is empty, the fingerprint is that of all bytes. */
enum adit_code adit_tct_payload_read(struct adit_str json, struct adit_arena *arena,
                                     struct adit_tct_view *view, struct adit_error *err);

/* The page that a payload stands for, as far as it can be told: its content is cut at blank lines
 * into blocks of text, a first one that repeats the title becomes a heading, and beyond
 * ADIT_LIMIT_page_blocks the rest is one block. What the payload lacks is empty ("und" for the
 * language); url and modified are the caller's. */
enum adit_code adit_tct_page(const struct adit_tct_view *view, struct adit_arena *arena,
                             struct adit_page *page);

/* --- judging (judge.c) ------------------------------------------------------------------------ */

extern const struct adit_rule adit_tct_rules[]; /* of payloads and sitemaps */
/* text: the whole document, doc: what it is. Whether the hash is right by Method A. */
bool adit_tct_payload_judge(struct adit_str text, struct adit_json_value doc, struct adit_mem mem,
                            const struct adit_judge *judge);
/* A sitemap, or an index of sitemaps; how many items it has. */
size_t adit_tct_sitemap_judge(struct adit_json_value doc, const struct adit_judge *judge);
bool adit_tct_is_index(struct adit_json_value doc);
/* What kind of document an object is, by a member that no other kind has. */
enum adit_tct_kind { ADIT_TCT_IS_NONE, ADIT_TCT_IS_PAYLOAD, ADIT_TCT_IS_SITEMAP };
enum adit_tct_kind adit_tct_kind(struct adit_json_value doc);

/* --- policy descriptor (policy_read.c) -------------------------------------------------------- */

enum adit_tct_purpose { ADIT_TCT_AI_INPUT, ADIT_TCT_AI_TRAIN, ADIT_TCT_SEARCH, ADIT_TCT_PURPOSES };
extern const char *const adit_tct_purpose_names[ADIT_TCT_PURPOSES]; /* "ai-input", … */

struct adit_tct_policy {
    bool forbids[ADIT_TCT_PURPOSES]; /* said to be false; silence forbids nothing */
    uint64_t interval_ms;            /* between requests, from max_requests_per_second; 0: none */
    uint64_t per_day;                /* 0: no limit */
};

/* ADIT_EBAD: not a JSON object; ADIT_ENOMEM. Members of another kind than expected count as absent. */
enum adit_code adit_tct_policy_read(struct adit_str json, struct adit_mem mem,
                                    struct adit_tct_policy *policy, struct adit_error *err);

/* --- rules that a site can break, as an agent sees them ---------------------------------------- */

/* Stable name, level, what is wrong, what to do. */
#define ADIT_SITE_RULES(X)                                                                        \
    X(SITEMAP, "tct-sitemap", MUST, "the JSON sitemap cannot be read",                            \
      "publish one JSON object with version, profile and items")                                  \
    X(ENTRY, "tct-sitemap-entry", MUST, "an entry of the JSON sitemap is malformed",              \
      "give every item cUrl, mUrl and contentHash (later drafts: etag)")                          \
    X(EMPTY, "tct-sitemap-empty", SHOULD, "the JSON sitemap lists nothing",                       \
      "list the content pages; what is held is kept")                                             \
    X(TWICE, "tct-sitemap-twice", SHOULD, "the JSON sitemap lists a page twice", "list it once")  \
    X(FOREIGN, "tct-origin", MUST, "an entry is of another origin than the site",                 \
      "list only pages of the site itself")                                                       \
    X(CANONICAL, "tct-canonical", MUST, "the machine URL names no canonical page",                \
      "send Link: <page>; rel=\"canonical\"")                                                     \
    X(CANONICAL_OTHER, "tct-canonical-other", MUST, "the machine URL is that of another page",    \
      "name the page that the sitemap or the link names")                                         \
    X(PAYLOAD, "tct-payload", MUST, "the payload is not what TCT asks for",                       \
      "send one JSON object with canonical_url, title and content")                               \
    X(TYPE, "tct-content-type", MUST, "the payload is not sent as application/json",              \
      "send Content-Type: application/json")                                                      \
    X(ETAG, "tct-etag", MUST, "there is no ETag", "send the fingerprint as ETag")                 \
    X(ETAG_FORM, "tct-etag-form", MUST, "the ETag is not strong, or no fingerprint",              \
      "send \"sha256-<64 lower-case hex>\" without W/")                                           \
    X(PARITY, "tct-parity", MUST, "hash and ETag differ", "send the payload's hash as ETag")      \
    X(PARITY_LIST, "tct-parity-sitemap", MUST, "contentHash and ETag differ",                     \
      "publish the sitemap together with the pages")                                              \
    X(FINGERPRINT, "tct-fingerprint", MUST, "the hash is not that of the payload",                \
      "hash the canonical JSON without its hash member; it was not used (see --trust-hash)")      \
    X(SIGNATURE, "tct-signature", MUST, "the signature is not by the key, or not of this answer", \
      "sign what is sent, content-digest included (RFC 9421); it was not used")                   \
    X(UNSIGNED, "tct-unsigned", MUST, "the answer is not signed, though a key was given",         \
      "sign it, or leave --key out; it was not used")                                             \
    X(NO_KEY, "tct-signature-key", SHOULD, "the key of the signature is not published",           \
      "list it in /.well-known/http-message-signatures-directory")                                \
    X(MISSING, "tct-status", SHOULD, "a page that is listed has no machine view",                 \
      "list only pages that there are")                                                           \
    X(NOT_304, "tct-304", MUST, "If-None-Match with the current ETag does not give 304",          \
      "honour If-None-Match")                                                                     \
    X(ETAG_304, "tct-304-etag", MUST, "a 304 comes without the ETag", "send it with 304, too")    \
    X(PRECEDENCE, "tct-precedence", MUST,                                                         \
      "If-Modified-Since is looked at although there is If-None-Match",                           \
      "give If-None-Match precedence (RFC 9110, 13.2.2)")                                         \
    X(HEAD, "tct-head", SHOULD, "HEAD is not answered", "answer HEAD on machine URLs")            \
    X(HEAD_FIELDS, "tct-head-fields", MUST, "HEAD gives other validators than GET",               \
      "send the same header fields")                                                              \
    X(ALTERNATE, "tct-alternate", MUST, "the page does not link to its machine URL",              \
      "add <link rel=\"alternate\" type=\"application/json\" href=…> to its head")                \
    X(CACHE, "tct-cache-control", SHOULD,                                                         \
      "Cache-Control is missing or does not ask to revalidate",                                   \
      "send max-age=0, must-revalidate, stale-while-revalidate=60, stale-if-error=86400")         \
    X(VARY, "tct-vary", SHOULD, "Vary is not Accept-Encoding", "send Vary: Accept-Encoding")      \
    X(JSON, "tct-json", MUST, "the payload's bytes are not canonical JSON",                       \
      "write RFC 8785: sorted members, no white space, nothing behind the object")                \
    X(MARKUP, "tct-markup", SHOULD, "the content seems to contain HTML tags", "write plain text") \
    X(PROFILE, "tct-profile", SHOULD, "the profile is missing or of no known draft",              \
      "write \"profile\":\"tct-1\"")                                                              \
    X(HOME, "tct-sitemap-home", SHOULD, "the homepage is not the sitemap's first item",           \
      "list it first")                                                                            \
    X(MANY, "tct-sitemap-many", SHOULD, "the sitemap has more than 50000 items",                  \
      "split it and publish an index")                                                            \
    X(POLICY, "tct-policy", SHOULD, "the policy descriptor cannot be read",                       \
      "publish one JSON object")                                                                  \
    X(XML, "scp-sitemap", MUST, "the XML sitemap cannot be read", "publish well-formed XML")      \
    X(ELEMENT, "scp-element", MUST, "an SCP element of the sitemap is malformed",                 \
      "give every collection its section, url, generated, pages and size")                        \
    X(COLLECTION, "scp-collection", MUST, "the collection is rejected",                           \
      "see adit check; its pages were not used")                                                  \
    X(PAGES, "scp-page", MUST, "pages or blocks of the collection are not as they must be",       \
      "see adit check")                                                                           \
    X(DIFFERS, "scp-differs", MUST, "the collection is another one than the sitemap says",        \
      "publish sitemap and collections together")                                                 \
    X(REPLAY, "scp-replay", MUST, "the collection is older than the one that is held",            \
      "publish newer ones only; it was not used")                                                 \
    X(FUTURE, "scp-future", MUST, "the collection's time lies in the future",                     \
      "check the clock of the machine that made it; it was not used")                             \
    X(STALE, "scp-stale", MUST, "the collection's time lies far in the past",                     \
      "generate it anew; it was not used (see --max-age)")                                        \
    X(EXPIRED, "scp-expired", SHOULD, "the collection is past its expires",                       \
      "publish a newer one in time")                                                              \
    X(GAP, "scp-gap", SHOULD, "the deltas do not reach back to what is held",                     \
      "keep deltas for as long as snapshots; the snapshot was taken")                             \
    X(SCP_TYPE, "scp-content-type", MUST, "the collection is not sent as application/scp",        \
      "send Content-Type: application/scp")                                                       \
    X(SCP_ETAG, "scp-validator", SHOULD, "the collection has no ETag and no Last-Modified",       \
      "send its checksum as ETag, its time as Last-Modified")                                     \
    X(SCP_304, "scp-304", MUST, "If-None-Match with the current ETag does not give 304",          \
      "answer conditional requests")                                                              \
    X(SCP_ORIGIN, "scp-origin", SHOULD, "the collection lies on an origin that was not allowed",  \
      "keep it on the site, or name the origin with --allow-origin")                              \
    X(SCP_FOREIGN, "scp-page-origin", MUST, "the collection has pages of another origin",         \
      "list only pages of the site itself")                                                       \
    X(MARKDOWN, "agent-markdown", SHOULD,                                                         \
      "Accept: text/markdown on the page does not give Markdown",                                 \
      "answer it with the page's Markdown (markdown.negotiate)")                                  \
    X(MARKDOWN_BODY, "agent-body", MUST, "HTML is sent under the type of Markdown",               \
      "send the HTML as text/html where a page cannot be converted")                              \
    X(MARKDOWN_WILD, "agent-wildcard", MUST, "Accept: */* gives Markdown",                        \
      "send HTML unless text/markdown is named: browsers and search engines send wildcards")      \
    X(MARKDOWN_VARY, "agent-vary", MUST, "Vary lacks Accept, although the answer depends on it",  \
      "send Vary: Accept with both answers, or caches mix them")                                  \
    X(MARKDOWN_HEAD, "agent-head", SHOULD, "HEAD with Accept: text/markdown differs from GET",    \
      "send the same header fields")                                                              \
    X(MARKDOWN_304, "agent-304", SHOULD, "Markdown has no ETag, or If-None-Match gives no 304",   \
      "send a validator: agents that ask again then need no body")                                \
    X(TWIN_LINK, "agent-alternate", SHOULD, "the page names no Markdown alternate",               \
      "add <link rel=\"alternate\" type=\"text/markdown\" href=…> to its head")                   \
    X(TWIN_MISSING, "agent-alternate-status", MUST,                                               \
      "the Markdown alternate that the page names is not there", "name only what answers 200")    \
    X(TWIN_CANONICAL, "agent-canonical", SHOULD,                                                  \
      "the Markdown alternate names no canonical page, nor noindex",                              \
      "send Link: <page>; rel=\"canonical\", or search engines list it as a duplicate")           \
    X(SIGNALS, "agent-signals", SHOULD, "nothing says what the pages may be used for",            \
      "send Content-Signal or Content-Usage, or write them into robots.txt (signals, robots)")    \
    X(ROBOTS, "agent-robots", SHOULD, "robots.txt is missing, or is an HTML page",                \
      "publish one: robots: true makes it")                                                       \
    X(LLMS, "agent-llms", SHOULD, "llms.txt is missing, or does not begin with a title",          \
      "publish one (llmstxt.org); adit serve and adit pack make it")                              \
    X(FALLTHROUGH, "agent-fallthrough", MUST, "a path that cannot be there answers 200",          \
      "answer 404: agents take such pages for what they asked for")                               \
    X(FAILED, "fetch", SHOULD, "something that is listed could not be fetched", "see the message")

/* --- the key directory (keys.c) --------------------------------------------------------------- */

#define ADIT_KEY_DIRECTORY      ADIT_WELL_KNOWN "http-message-signatures-directory"
#define ADIT_KEY_DIRECTORY_TYPE "application/http-message-signatures-directory+json"

/* The name of a key that has none: its thumbprint (RFC 7638). Appends. */
void adit_key_thumbprint(struct adit_buf *out, const uint8_t key[ADIT_P256_PUBLIC]);
void adit_key_directory(struct adit_buf *out, const uint8_t key[ADIT_P256_PUBLIC],
                        struct adit_str keyid);
/* The P-256 key of that name, by `kid` or thumbprint; false: there is none. */
bool adit_key_directory_read(struct adit_str json, struct adit_str keyid,
                             uint8_t key[ADIT_P256_PUBLIC]);

#endif
