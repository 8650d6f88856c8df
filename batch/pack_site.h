/* The publication of one site, file by file. Internal to pack. */
#ifndef ADIT_PACK_SITE_H
#define ADIT_PACK_SITE_H

#include "batch/changes.h"
#include "batch/pack.h"
#include "batch/pack_worker.h"

/* --- the previous publication (pack_previous.c)
 * --------------------------------------------------- */

struct pack_previous;
/* Opens DIR/scp-manifest.json and the snapshot of "all". NULL (said on stderr): there is none. */
struct pack_previous *pack_previous_open(const char *dir);
void pack_previous_close(struct pack_previous *p); /* NULL is fine */
const char *pack_previous_dir(const struct pack_previous *p);
struct adit_str pack_previous_generated(const struct pack_previous *p);
struct adit_str pack_previous_origin(const struct pack_previous *p);
bool pack_previous_has_section(const struct pack_previous *p, struct adit_str name);
/* The page at hand, in the order of URLs; NULL at the end. */
const struct adit_scp_page *pack_previous_page(const struct pack_previous *p);
void pack_previous_advance(struct pack_previous *p);
bool pack_previous_failed(const struct pack_previous *p);
/* The fingerprint that the previous llm-sitemap.json had for url ("sha256-…"), or an empty slice.
 * URLs must be asked for in ascending order. */
struct adit_str pack_previous_hash(struct pack_previous *p, struct adit_str url);
/* Its collections, as they stand in the manifest. */
struct adit_json_value pack_previous_collections(const struct pack_previous *p);

/* --- sitemaps (pack_sitemap.c, pack_llm.c)
 * -------------------------------------------------------- */

struct pack_sitemap { /* sitemap.xml */
    struct publish *to;
    const struct adit_config *config;
    struct adit_buf first;  /* entries of the first file, written last */
    struct output *current; /* the file under way; NULL: the first one */
    struct pack_files files;
    uint64_t entries, bytes, parts;
};
void pack_sitemap_init(struct pack_sitemap *s, struct publish *to,
                       const struct adit_config *config);
bool pack_sitemap_add(struct pack_sitemap *s, struct adit_str url, struct adit_str modified);
/* scp: the elements that stand before the entries. Moves all files to `to`. */
bool pack_sitemap_end(struct pack_sitemap *s, struct adit_str scp, struct pack_files *to);
void pack_sitemap_free(struct pack_sitemap *s);

struct pack_llm { /* llm-sitemap.json */
    struct publish *to;
    const struct adit_config *config;
    struct adit_tct_sitemap part; /* under way, in text */
    struct adit_buf text, scratch;
    struct adit_buf_sink sink;
    struct adit_tct_part *parts; /* those that are done, for the index */
    size_t n_parts;
    struct adit_arena arena; /* their strings */
    struct pack_files files;
};
void pack_llm_init(struct pack_llm *l, struct publish *to, const struct adit_config *config);
/* hash: "sha256-…". Pages without an M-URL (exclude, query) are passed over. */
bool pack_llm_add(struct pack_llm *l, struct adit_str url, struct adit_str modified,
                  struct adit_str hash);
bool pack_llm_end(struct pack_llm *l, struct pack_files *to);
void pack_llm_free(struct pack_llm *l);

/* --- the site (pack_site.c)
 * ------------------------------------------------------------------------ */

struct pack_site;
/* Whether --previous holds a publication of host. */
bool pack_site_known(const struct pack_options *o, struct adit_str host);
/* to: the folder of -o (NULL: a dry run); host: of --by-host, its folder there, else empty. NULL:
 * said on stderr, *code is the exit code. */
struct pack_site *pack_site_open(const struct pack_options *o, struct publish *to,
                                 struct adit_str host, struct pack_counts *counts, int *code);
/* What the crawl says of url, in ascending order. c: PACK_PAGE, PACK_NEWS, or PACK_SAME (only
 * revisits were met). */
bool pack_site_url(struct pack_site *s, const struct pack_capture_view *c);
/* Publishes. Returns the exit code; frees s. */
int pack_site_close(struct pack_site *s);
void pack_site_discard(struct pack_site *s);

#endif
