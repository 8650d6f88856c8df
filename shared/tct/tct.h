/* tct: the Collaboration Tunnel Protocol (draft 00): the JSON of a machine URL and its fingerprint,
 * the JSON sitemap.
 */
#ifndef ADIT_TCT_H
#define ADIT_TCT_H

#include "base/base.h"
#include "base/time.h"
#include "crypto/crypto.h"
#include "page/page.h"

/* --- payload (payload.c) -------------------------------------------------------------------------
 */

/* A fingerprint: "sha256-" and 64 hexadecimal digits in lower case. It is the payload's `hash`, the
 * sitemap's `contentHash` and, in quotes, the ETag. */
enum { ADIT_TCT_HASH = 7 + ADIT_SHA256_HEX };

struct adit_tct_options {
    bool schema; /* with `structured_data`: the page's main JSON-LD object */
};

/* Appends the payload of page, canonical JSON (RFC 8785), and gives its fingerprint by Method A:
 * SHA-256 of the payload without the member `hash`. What the page does not say itself, in its HTML,
 * is not in it. */
enum adit_code adit_tct_payload(const struct adit_page *page,
                                const struct adit_tct_options *options, struct adit_mem mem,
                                struct adit_buf *out, char hash[ADIT_TCT_HASH]);

/* Fingerprint by Method A of a payload in any form: a JSON object, whose member `hash`, if there is
 * one, does not count. */
enum adit_code adit_tct_method_a(struct adit_str json, struct adit_mem mem,
                                 char hash[ADIT_TCT_HASH], struct adit_error *err);
/* Fingerprint by Method B of a content string: SHA-256 of its normalisation. */
enum adit_code adit_tct_method_b(struct adit_str content, struct adit_mem mem,
                                 char hash[ADIT_TCT_HASH]);
/* Whether s has the form of a fingerprint. */
bool adit_tct_is_hash(struct adit_str s);

/* --- sitemap (sitemap.c)
 * ---------------------------------------------------------------------------
 *
 * One file: open, an item a page, close. Items come by URL in byte order, which puts the homepage
 * first, as TCT wants it. Beyond a number of items that is the caller's to watch (TCT: 50,000)
 * there are several files and an index. */
struct adit_tct_item {
    struct adit_str c_url, m_url;
    struct adit_str modified; /* RFC 3339 */
    struct adit_str hash;     /* fingerprint of the payload */
};

struct adit_tct_sitemap {
    struct adit_sink *out;
    struct adit_buf text;
    struct adit_sha256 sha;
    /* What an index says of the file, complete after close. */
    uint64_t n_items;
    struct adit_time modified; /* the latest of its items */
    char hash[ADIT_TCT_HASH];  /* of the file's bytes */
};

enum adit_code adit_tct_sitemap_open(struct adit_tct_sitemap *s, struct adit_sink *out,
                                     struct adit_mem mem);
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
void adit_tct_index(struct adit_buf *out, const struct adit_tct_part *parts, size_t n);

#endif
