/* The page's own title, without the name of its site. */
#include "page/meta_parts.h"

#include "page/tape.h"
#include "text/text.h"

#include <string.h>

enum { SEGMENTS_MAX = 16, ONLY_H1_MAX = 200 };

/* The signs that part a title from the name of a site: with spaces around, or (the last row) even
 * without. */
static bool is_separator(uint32_t c)
{
    switch (c) {
    case '|':
    case '-':
    case '/':
    case '~':
    case '<':
    case '>':
    case ':':
    case 0xB7:
    case 0xAB:
    case 0xBB:
    case 0x2013:
    case 0x2014:
    case 0x2022:
    case 0x203A:
    case 0x2039:
    case 0x2212:
    case 0xFF5C: return true;
    default: return false;
    }
}
static bool parts_alone(uint32_t c)
{
    return c == '|' || c == 0xAB || c == 0xBB || c == 0x2022 || c == 0xFF5C;
}

/* Segments of a title: from[i] to to[i]. */
struct segments {
    size_t from[SEGMENTS_MAX], to[SEGMENTS_MAX], n;
};

/* The separator at pos: its end if there is one, else pos. A single colon parts nothing. */
static size_t separator_end(struct adit_str s, size_t pos)
{
    bool alone = false, spaced = pos > 0 && s.p[pos - 1] == ' ';
    size_t end = pos, signs = 0;
    uint32_t only = 0;
    while (end < s.len) {
        size_t next = end;
        uint32_t c = adit_utf8_next(s, &next);
        if (!is_separator(c)) break;
        alone = alone || parts_alone(c);
        only = c;
        end = next;
        signs++;
    }
    if (signs == 0 || end == s.len || pos == 0) return pos;
    if (signs == 1 && only == ':') return pos;
    return alone || (spaced && s.p[end] == ' ') ? end : pos;
}

static void split(struct adit_str s, struct segments *g)
{
    g->n = 0;
    size_t from = 0;
    for (size_t pos = 0; pos < s.len && g->n + 1 < SEGMENTS_MAX;) {
        size_t end = separator_end(s, pos);
        if (end == pos) {
            adit_utf8_next(s, &pos);
            continue;
        }
        g->from[g->n] = from;
        g->to[g->n++] = pos;
        from = pos = end;
    }
    g->from[g->n] = from;
    g->to[g->n++] = s.len;
}

static bool contains(struct adit_str s, struct adit_str part)
{
    return part.len && part.len <= s.len && adit_str_find(s, part, 0) < s.len;
}

/* What is known of the site's name, as letters. */
struct site {
    struct adit_str name, host;
};

static bool is_site(struct adit_str letters, const struct site *site)
{
    struct adit_str n = site->name, h = site->host;
    if (letters.len == 0) return true;
    if (n.len && (contains(n, letters) || (contains(letters, n) && letters.len < n.len + 8)))
        return true;
    return h.len && (contains(h, letters) || contains(letters, h));
}

/* Cuts segments that are the site's name off both ends. */
static struct adit_str strip(struct adit_str title, const struct site *site,
                             struct adit_arena *arena, bool *ok)
{
    struct segments g;
    split(title, &g);
    size_t lo = 0, hi = g.n;
    bool named[SEGMENTS_MAX];
    for (size_t i = 0; i < g.n; i++) {
        struct adit_str part = adit_str_sub(title, g.from[i], g.to[i]);
        named[i] = is_site(adit_meta_letters(part, arena, ok), site);
    }
    while (hi - lo > 1 && named[hi - 1]) hi--;
    while (hi - lo > 1 && named[lo]) lo++;
    return adit_str_trim(adit_str_sub(title, g.from[lo], g.to[hi - 1]));
}

struct adit_str adit_meta_host(struct adit_str url)
{
    size_t from = adit_str_find(url, ADIT_STR("//"), 0) + 2;
    struct adit_str host = adit_str_sub(url, from, adit_str_chr(url, '/', from));
    host = adit_str_sub(host, 0, adit_str_chr(host, ':', 0));
    if (adit_str_starts(host, ADIT_STR("www."))) host = adit_str_sub(host, 4, host.len);
    size_t dot = host.len;
    while (dot > 0 && host.p[dot - 1] != '.') dot--;
    return dot > 1 ? adit_str_sub(host, 0, dot - 1) : host;
}

/* Last resort: the last word of the path, or the host. */
static struct adit_str from_url(struct adit_str url, struct adit_arena *arena, bool *ok)
{
    size_t path = adit_str_chr(url, '/', adit_str_find(url, ADIT_STR("//"), 0) + 2);
    struct adit_str p = adit_str_sub(url, path, adit_str_chr(url, '?', path));
    while (p.len && p.p[p.len - 1] == '/') p.len--;
    size_t slash = p.len;
    while (slash > 0 && p.p[slash - 1] != '/') slash--;
    struct adit_str name = adit_str_sub(p, slash, p.len);
    size_t dot = adit_str_chr(name, '.', 1);
    name = adit_str_sub(name, 0, dot);
    if (name.len == 0) return adit_meta_host(url);
    char *text = adit_arena_alloc(arena, name.len);
    if (!text) {
        *ok = false;
        return name;
    }
    for (size_t i = 0; i < name.len; i++)
        text[i] = name.p[i] == '-' || name.p[i] == '_' || name.p[i] == '+' ? ' ' : name.p[i];
    struct adit_str words = adit_str_trim(adit_str_of(text, name.len));
    return words.len ? words : adit_meta_host(url);
}

/* Whether an h1 says what <title> or og:title say. */
static bool agrees(struct adit_str h1, struct adit_str title, struct adit_str og,
                   struct adit_str stripped)
{
    if (h1.len < 3) return false;
    if (contains(title, h1) || contains(og, h1)) return true;
    return stripped.len > 8 && contains(h1, stripped) && h1.len < 2 * stripped.len;
}

struct adit_str adit_meta_title(const struct adit_meta *m, struct adit_str url,
                                struct adit_arena *arena, bool *ok)
{
    struct site site = {.name = adit_meta_letters(m->site_name, arena, ok),
                        .host = adit_meta_letters(adit_meta_host(url), arena, ok)};
    struct adit_str og = strip(m->og_title, &site, arena, ok);
    struct adit_str title = strip(m->title_tag, &site, arena, ok);
    struct adit_str title_letters = adit_meta_letters(m->title_tag, arena, ok);
    struct adit_str og_letters = adit_meta_letters(m->og_title, arena, ok);
    struct adit_str short_letters = adit_meta_letters(title, arena, ok);
    size_t n = m->n_h1 < ADIT_COUNT(m->h1) ? m->n_h1 : ADIT_COUNT(m->h1);
    for (size_t i = 0; i < n; i++)
        if (agrees(adit_meta_letters(m->h1[i], arena, ok), title_letters, og_letters,
                   short_letters))
            return m->h1[i];
    if (m->n_h1 == 1 && m->h1[0].len >= 3 && m->h1[0].len <= ONLY_H1_MAX) return m->h1[0];
    const struct adit_str rest[] = {og, title, strip(m->twitter_title, &site, arena, ok),
                                    m->ld_title, m->h1[0]};
    for (size_t i = 0; i < ADIT_COUNT(rest); i++)
        if (rest[i].len) return rest[i];
    return from_url(url, arena, ok);
}

size_t adit_meta_title_leaf(const struct adit_tape *tape, struct adit_str title)
{
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < tape->n_els; i++) {
        const struct adit_el *el = &tape->els[i];
        if (el->tag < LXB_TAG_H1 || el->tag > LXB_TAG_H6 || el->leaf1 == el->leaf0) continue;
        if (adit_str_eq(tape->leaves[el->leaf0].text, title)) return el->leaf0;
        if (first == SIZE_MAX && el->tag == LXB_TAG_H1) first = el->leaf0;
    }
    for (size_t i = 0; i < tape->n_leaves; i++)
        if (adit_str_eq(tape->leaves[i].text, title)) return i;
    return first == SIZE_MAX ? 0 : first;
}
