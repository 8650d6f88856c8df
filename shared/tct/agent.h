/* The agent's side of TCT: reading what others publish. Everything here comes from strangers:
 * entries that are malformed are passed over and told of, nothing is believed without its form.
 */
#ifndef ADIT_TCT_AGENT_H
#define ADIT_TCT_AGENT_H

#include "json/json.h"
#include "tct/tct.h"

/* --- sitemap (sitemap_read.c) --------------------------------------------------------------------
 */

/* Bytes of a sitemap that agents read (TCT, Sitemap Abuse). */
enum { ADIT_TCT_SITEMAP_MAX = 100000000 };

struct adit_tct_sitemap_handler {
    void *ctx;
    /* A page. URLs are absolute http(s) in the form of adit_url_page, hash is a fingerprint,
     * modified RFC 3339 or empty. Slices are valid during the call. False ends the reading. */
    bool (*item)(void *ctx, const struct adit_tct_item *item);
    /* A further sitemap, of an index; hash and modified may be empty. May be NULL. */
    bool (*part)(void *ctx, const struct adit_tct_item *part);
    /* An entry that was passed over (index from 0; SIZE_MAX: the document itself), and why. */
    void (*bad)(void *ctx, size_t index, const char *why, struct adit_str value);
};

/* Reads a sitemap or an index of sitemaps; unknown members are ignored. ADIT_EBAD, ADIT_EEOF,
 * ADIT_ELIMIT: it is no JSON object, or has neither list. ADIT_ENOMEM: entries are missing.
 * ADIT_ESTOP: a handler ended it. */
enum adit_code adit_tct_sitemap_read(struct adit_str json, struct adit_mem mem,
                                     const struct adit_tct_sitemap_handler *handler,
                                     struct adit_error *err);

/* --- payload (payload_read.c) -------------------------------------------------------------------
 */

/* What a payload says; absent members are empty. */
struct adit_tct_view {
    struct adit_str canonical_url, title, content, hash, profile, language, author, published,
        modified;
};

/* Reads a payload; strings lie in json or in the arena. ADIT_EBAD with a message: not a JSON
 * object, or a required member (canonical_url, title, content, hash) is missing or no string. */
enum adit_code adit_tct_payload_read(struct adit_str json, struct adit_arena *arena,
                                     struct adit_tct_view *view, struct adit_error *err);

/* The page that a payload stands for, as far as it can be told: its content is cut at blank lines
 * into blocks of text, a first one that repeats the title becomes a heading, and beyond
 * ADIT_LIMIT_page_blocks the rest is one block. What the payload lacks is empty ("und" for the
 * language); url and modified are the caller's. */
enum adit_code adit_tct_page(const struct adit_tct_view *view, struct adit_arena *arena,
                             struct adit_page *page);

/* --- policy descriptor (policy_read.c) ----------------------------------------------------------
 */

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
