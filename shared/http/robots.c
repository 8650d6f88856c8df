/* robots.txt: lines, groups, patterns. Parsing runs over the text twice: to count the rules that
 * are for us, and to keep them. */
#include "http/http.h"

enum { WORK_MAX = 4 << 20 }; /* comparisons for one path; ordinary files need some thousands */

enum key { KEY_NONE, KEY_AGENT, KEY_ALLOW, KEY_DISALLOW, KEY_DELAY, KEY_SITEMAP };

static const struct {
    struct adit_str name;
    enum key key;
} keys[] = {
    {ADIT_STR_INIT("user-agent"), KEY_AGENT},  {ADIT_STR_INIT("allow"), KEY_ALLOW},
    {ADIT_STR_INIT("disallow"), KEY_DISALLOW}, {ADIT_STR_INIT("crawl-delay"), KEY_DELAY},
    {ADIT_STR_INIT("sitemap"), KEY_SITEMAP},
};

static size_t line_end(struct adit_str text, size_t at)
{
    while (at < text.len && text.p[at] != '\n' && text.p[at] != '\r') at++;
    return at;
}

/* The next line that says something; *pos moves behind it. */
static enum key next_line(struct adit_str text, size_t *pos, struct adit_str *value)
{
    if (text.len > ADIT_ROBOTS_BYTES) text.len = ADIT_ROBOTS_BYTES;
    if (*pos == 0 && adit_str_starts(text, ADIT_STR("\xEF\xBB\xBF"))) *pos = 3;
    while (*pos < text.len) {
        size_t end = line_end(text, *pos);
        struct adit_str line = adit_str_sub(text, *pos, end);
        *pos = end + 1;
        /* The last line may be cut off by the limit: half a rule is no rule. */
        if (end == ADIT_ROBOTS_BYTES) break;
        line = adit_str_sub(line, 0, adit_str_chr(line, '#', 0));
        size_t colon = adit_str_chr(line, ':', 0);
        if (colon == line.len) continue;
        struct adit_str name = adit_str_trim(adit_str_sub(line, 0, colon));
        *value = adit_str_trim(adit_str_sub(line, colon + 1, line.len));
        for (size_t i = 0; i < ADIT_COUNT(keys); i++)
            if (adit_str_ieq(name, keys[i].name)) return keys[i].key;
    }
    return KEY_NONE;
}

/* --- groups ----------------------------------------------------------------------------------- */

static struct adit_str token_of(struct adit_str s)
{
    size_t n = 0;
    while (n < s.len && (adit_is_alpha(s.p[n]) || s.p[n] == '-' || s.p[n] == '_')) n++;
    return adit_str_sub(s, 0, n);
}

/* product empty: the groups for everyone. */
static bool is_for(struct adit_str value, struct adit_str product)
{
    if (product.len) return adit_str_ieq(token_of(value), product);
    return value.len && value.p[0] == '*' && (value.len == 1 || adit_is_space(value.p[1]));
}

/* Seconds with a fraction, to milliseconds; -1: no number. Capped at a day. */
static int64_t delay_ms(struct adit_str s)
{
    const int64_t day = 86400000;
    int64_t ms = 0, unit = 0;
    if (!s.len || !adit_is_digit(s.p[0])) return -1;
    for (size_t i = 0; i < s.len; i++) {
        if (s.p[i] == '.' && !unit) {
            unit = 1000;
        } else if (!adit_is_digit(s.p[i])) {
            return -1;
        } else if (unit) {
            unit /= 10;
            ms += (s.p[i] - '0') * unit;
            if (!unit) unit = 1; /* digits beyond are read and dropped */
        } else if (ms < day) {
            ms = ms * 10 + (int64_t)(s.p[i] - '0') * 1000;
        }
    }
    return ms < day ? ms : day;
}

struct found {
    bool group; /* there is one */
    size_t n;
    int64_t delay_ms;
};

/* Counts the rules for product and, with rules, keeps them. */
static struct found collect(struct adit_str text, struct adit_str product,
                            struct adit_robots_rule *rules)
{
    struct found f = {.delay_ms = -1};
    bool ours = false, agents = false; /* agents: still in the lines that name robots */
    struct adit_str value;
    enum key key;
    for (size_t pos = 0; (key = next_line(text, &pos, &value)) != KEY_NONE;) {
        if (key == KEY_AGENT) {
            ours = (agents && ours) || is_for(value, product);
            agents = true;
            f.group = f.group || ours;
        } else if (key == KEY_DELAY) {
            int64_t ms = ours ? delay_ms(value) : -1;
            if (ms > f.delay_ms) f.delay_ms = ms;
        } else if (key == KEY_ALLOW || key == KEY_DISALLOW) {
            agents = false;
            if (!ours || !value.len) continue; /* an empty pattern matches nothing */
            if (rules) rules[f.n] = (struct adit_robots_rule){value, key == KEY_ALLOW};
            f.n++;
        }
    }
    return f;
}

enum adit_code adit_robots_parse(struct adit_str text, struct adit_str product,
                                 struct adit_arena *arena, struct adit_robots *out)
{
    product = token_of(product);
    struct found f = {.delay_ms = -1};
    *out = (struct adit_robots){.crawl_delay_ms = -1};
    if (product.len) f = collect(text, product, NULL);
    if (!f.group) {
        product = (struct adit_str){0};
        f = collect(text, product, NULL);
    }
    struct adit_robots_rule *rules = adit_arena_zalloc(arena, f.n, sizeof *rules);
    if (!rules) return arena->max - arena->used < f.n * sizeof *rules ? ADIT_ELIMIT : ADIT_ENOMEM;
    collect(text, product, rules);
    *out = (struct adit_robots){rules, f.n, f.delay_ms};
    return ADIT_OK;
}

/* --- patterns --------------------------------------------------------------------------------- */

/* The byte at *pos, which moves behind it; %41 is 'A' (RFC 9309, 2.2.2: both sides are compared in
 * the same encoding). */
static unsigned char next_byte(struct adit_str s, size_t *pos)
{
    size_t i = *pos;
    if (s.p[i] == '%' && i + 2 < s.len) {
        int high = adit_hex(s.p[i + 1]), low = adit_hex(s.p[i + 2]);
        if (high >= 0 && low >= 0) {
            *pos = i + 3;
            return (unsigned char)(high << 4 | low);
        }
    }
    *pos = i + 1;
    return (unsigned char)s.p[i];
}

/* Length of the pattern in bytes after decoding if it matches the beginning of path, else 0. The
 * last '*' is the only one that need be gone back to. */
static size_t match(struct adit_str pattern, struct adit_str path, unsigned *work)
{
    bool anchored = pattern.p[pattern.len - 1] == '$';
    struct adit_str p = adit_str_sub(pattern, 0, pattern.len - anchored);
    size_t i = 0, k = 0, len = anchored, star = p.len + 1, star_path = 0, star_len = 0;
    for (;;) {
        if (++*work > WORK_MAX) return 0;
        if (i == p.len && (!anchored || k == path.len)) return len;
        if (i < p.len && p.p[i] == '*') {
            star = ++i, star_path = k, star_len = ++len;
            continue;
        }
        size_t next_i = i, next_k = k;
        if (i < p.len && k < path.len && next_byte(p, &next_i) == next_byte(path, &next_k)) {
            i = next_i, k = next_k, len++;
            continue;
        }
        if (star > p.len || star_path == path.len) return 0;
        next_byte(path, &star_path);
        i = star, k = star_path, len = star_len;
    }
}

bool adit_robots_allows(const struct adit_robots *r, struct adit_str path)
{
    size_t best = 0;
    bool allow = true;
    unsigned work = 0;
    if (adit_str_eq(path, ADIT_STR("/robots.txt"))) return true;
    for (size_t i = 0; i < r->n; i++) {
        size_t len = match(r->rules[i].pattern, path, &work);
        if (work > WORK_MAX) return false;
        if (len < best || len == 0) continue;
        allow = r->rules[i].allow || (len == best && allow);
        best = len;
    }
    return allow;
}

bool adit_robots_sitemap(struct adit_str text, size_t *pos, struct adit_str *url)
{
    enum key key;
    while ((key = next_line(text, pos, url)) != KEY_NONE)
        if (key == KEY_SITEMAP && url->len) return true;
    return false;
}
