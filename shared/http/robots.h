/* robots.txt (RFC 9309): which rules are for us, and whether they allow a path. */
#ifndef ADIT_HTTP_ROBOTS_H
#define ADIT_HTTP_ROBOTS_H

#include "base/base.h"

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

#endif
