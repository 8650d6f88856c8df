/* http: all that adit decides about HTTP: the site's configuration, the mapping between pages and
 * their machine URLs, header values, and the exchange (exchange.h): which answer a request gets.
 *
 * This header: the configuration, one JSON document (adit.json) for the edge filter, the Worker,
 * `adit serve` and `adit pack`; the globs in it; and the URL mapping that it defines.
 */
#ifndef ADIT_HTTP_CONFIG_H
#define ADIT_HTTP_CONFIG_H

#include "base/base.h"

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
    uint64_t hash;                        /* of the document: other settings, other memory */
    struct adit_arena arena;
};

/* Reads a configuration; absent keys have their defaults ("{}" gives them all). An unknown or
 * repeated key, a wrong type and an impossible value are refused: ADIT_EBAD, and why holds a line
 * that begins with the key's path ("sections.blog: must be a path that begins with '/'"). Free c in
 * any case. */
enum adit_code adit_config_parse(struct adit_config *c, struct adit_str json, struct adit_mem mem,
                                 struct adit_buf *why);
void adit_config_free(struct adit_config *c);
/* Puts another origin into c (as after parsing; false if it is none). */
bool adit_config_set_origin(struct adit_config *c, struct adit_str origin);

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
 * "/post/llm/", "/post" and "/post/llm". The Markdown twin: "/post/" and "/post/llm.md", "/post"
 * and
 * "/post.llm.md". Paths begin with '/' and hold no query. */

enum adit_path_kind {
    ADIT_PATH_PAGE,     /* an ordinary path */
    ADIT_PATH_JSON,     /* an M-URL */
    ADIT_PATH_MARKDOWN, /* its Markdown twin */
    ADIT_PATH_LEGACY,   /* an M-URL with a legacy suffix */
    ADIT_PATH_NONE,     /* the shape of an M-URL, but of no page: "/x/llm/llm/" */
};

/* Says what path is; for M-URLs (JSON, MARKDOWN, LEGACY) appends the path of the page to c_path. */
enum adit_path_kind adit_map_path(const struct adit_config *c, struct adit_str path,
                                  struct adit_buf *c_path);
/* Appends the path of the M-URL or of its Markdown twin (kind) of the page c_path. The inverse of
 * adit_map_path for every path that is a PAGE. */
void adit_map_machine(const struct adit_config *c, enum adit_path_kind kind, struct adit_str c_path,
                      struct adit_buf *out);
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
