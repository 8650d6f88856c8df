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
/* Whether a `profile` is the URI of a draft after 00. */
bool adit_tct_is_later(struct adit_str profile);

/* --- payload (payload.c) ---------------------------------------------------------------------- */

/* A fingerprint: "sha256-" and 64 hexadecimal digits in lower case. It is the payload's `hash`, the
 * sitemap's `contentHash` and, in quotes, the ETag. */
enum { ADIT_TCT_HASH = 7 + ADIT_SHA256_HEX };

struct adit_tct_options {
    bool schema; /* with `structured_data`: the page's main JSON-LD object */
    enum adit_tct_profile_id profile;
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

/* --- policy descriptor (policy_read.c) -------------------------------------------------------- */

enum adit_tct_purpose { ADIT_TCT_AI_INPUT, ADIT_TCT_AI_TRAIN, ADIT_TCT_SEARCH, ADIT_TCT_PURPOSES };
extern const char *const adit_tct_purpose_names[ADIT_TCT_PURPOSES]; /* "ai-input", … */

struct adit_tct_policy {
    bool forbids[ADIT_TCT_PURPOSES]; /* said to be false; silence forbids nothing */
    uint64_t interval_ms;            /* between requests, from max_requests_per_second; 0: none */
    uint64_t per_day;                /* 0: no limit */
};

/* ADIT_EBAD: not a JSON object. Members of another kind than expected count as absent. */
enum adit_code adit_tct_policy_read(struct adit_str json, struct adit_tct_policy *policy,
                                    struct adit_error *err);

#endif
