/* URLs by the WHATWG URL standard: parsing, resolving against a base, serialising; and the form in
 * which adit writes the URL of a page.
 *
 * Hosts of special schemes are ASCII after parsing: percent-decoded, NFKC, case-folded, Punycode.
 * URLs longer than ADIT_LIMIT_url_bytes are refused. Nothing recurses.
 */
#ifndef ADIT_URL_H
#define ADIT_URL_H

#include "base/base.h"

/* A parsed URL. All parts are slices of href, which lives in the arena. */
struct adit_url {
    struct adit_str href;
    struct adit_str scheme; /* without ':' */
    struct adit_str username, password;
    struct adit_str host; /* an IPv6 address in its brackets */
    struct adit_str port; /* digits; empty if none or the scheme's default */
    struct adit_str path;
    struct adit_str query;    /* without '?' */
    struct adit_str fragment; /* without '#' */
    bool has_host, has_query, has_fragment;
    bool special; /* http, https, ws, wss, ftp, file */
    bool opaque;  /* the path is no list of segments (mailto:…) */
};

/* Parses input, relative to base (NULL: input must be absolute). ADIT_EBAD: no URL; ADIT_ELIMIT;
 * ADIT_ENOMEM. White space around and line breaks inside are removed; ill-formed UTF-8 counts as
 * U+FFFD. */
enum adit_code adit_url_parse(struct adit_str input, const struct adit_url *base,
                              struct adit_arena *arena, struct adit_url *out);

/* The URL of a page: absolute http or https, without fragment and credentials, and RFC 3986-clean:
 * what WHATWG leaves as it is in path and query (| ^ { } [ ] \ ` ") is percent-encoded. A URL
 * that is in this form already costs one scan and no memory: *out is then input itself.
 * ADIT_EBAD: not http(s), or no URL. */
enum adit_code adit_url_page(struct adit_str input, struct adit_arena *arena, struct adit_str *out);

/* A reference in a page (href, src, …) as an absolute URL of the same form, but with its fragment.
 * ADIT_EBAD: not http(s) (mailto:, javascript:, data:), or no URL. */
enum adit_code adit_url_resolve(struct adit_str reference, const struct adit_url *base,
                                struct adit_arena *arena, struct adit_str *out);

/* Punycode and the rest of a domain name's way to ASCII: NFKC, case folding, labels "xn--…".
 * ADIT_EBAD: characters that no host may have. */
enum adit_code adit_domain_to_ascii(struct adit_str domain, struct adit_arena *arena,
                                    struct adit_str *out);

#endif
