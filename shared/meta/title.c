/* The page's own title, without the name of its site. */
#include "meta/meta_impl.h"

#include "tape/tape.h"
#include "text/text.h"

#include <string.h>

enum { SEGMENTS_MAX = 16, ONLY_H1_MAX = 200, TELLING_MIN = 10 };
/* Per cent of the words of the only h1 that the line which says part of <title> must have, or else
 * <title> and og:title together. */
enum { SHARED_WITH_LINE = 34, SHARED_WITH_TITLES = 17, PIECE_MAX = 60 };

/* The signs that part a title from the name of a site: with spaces around, or (the last row) even
 * without. */
static bool is_separator(uint32_t c)
{
    switch (c) {
    case '|':
    case '-':
    case '_':
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

static bool is_cjk(uint32_t c)
{
    return adit_cp_is_cjk(c) || (c >= 0x3000 && c < 0x3040) || c >= 0xFF00;
}

/* Whether the character before from or the one at end is of a script without spaces. */
static bool is_among_cjk(struct adit_str s, size_t from, size_t end)
{
    if (end < s.len && is_cjk(adit_utf8_next(s, &end))) return true;
    while (from > 0 && (s.p[from - 1] & 0xC0) == 0x80) from--;
    if (from > 0) from--;
    return is_cjk(adit_utf8_next(s, &from));
}

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
    /* Scripts without spaces need none: "标题_栏目_网站". */
    if (signs == 1 && (only == '_' || only == '-') && is_among_cjk(s, pos, end)) return end;
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

static struct adit_str first_segment(struct adit_str s)
{
    struct segments g;
    split(s, &g);
    return adit_str_sub(s, g.from[0], g.to[0]);
}

static bool contains(struct adit_str s, struct adit_str part)
{
    return part.len && part.len <= s.len && adit_str_find(s, part, 0) < s.len;
}

enum { LABEL_MIN = 4, LABEL_MORE = 8 };

static struct adit_site site_of(struct adit_str name, struct adit_str url, struct adit_arena *arena,
                                bool *ok)
{
    struct adit_str host = adit_meta_host(url), label;
    struct adit_site site = {.name = adit_meta_letters(name, arena, ok),
                             .host = adit_meta_letters(host, arena, ok)};
    for (size_t i = 0; i < ADIT_LABELS_MAX && adit_str_split(&host, '.', &label); i++)
        site.label[i] = adit_meta_letters(label, arena, ok);
    return site;
}

bool adit_is_site(struct adit_str letters, const struct adit_site *site)
{
    struct adit_str n = site->name, h = site->host;
    if (letters.len == 0) return true;
    if (n.len && (contains(n, letters) || (contains(letters, n) && letters.len < n.len + 8)))
        return true;
    if (h.len && (contains(h, letters) || contains(letters, h))) return true;
    for (size_t i = 0; i < ADIT_LABELS_MAX; i++) { /* "Example's Forum" */
        struct adit_str l = site->label[i];
        if (l.len >= LABEL_MIN && contains(letters, l) && letters.len < l.len + LABEL_MORE)
            return true;
    }
    return false;
}

/* Cuts segments that are the site's name off both ends. */
static struct adit_str strip(struct adit_str title, const struct adit_site *site,
                             struct adit_arena *arena, bool *ok)
{
    struct segments g;
    split(title, &g);
    size_t lo = 0, hi = g.n;
    bool named[SEGMENTS_MAX];
    for (size_t i = 0; i < g.n; i++) {
        struct adit_str part = adit_str_sub(title, g.from[i], g.to[i]);
        named[i] = adit_is_site(adit_meta_letters(part, arena, ok), site);
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

/* Marks that anchors leave behind a heading; icons come from private planes. */
static bool is_mark(uint32_t c)
{
    return c == 0xB6 || c == '#' || c == 0xA7 || c == ' ' || c == 0xA0 || c == 0x1F517 ||
           (c >= 0xE000 && c <= 0xF8FF);
}

static struct adit_str without_marks(struct adit_str s)
{
    size_t end = 0;
    for (size_t pos = 0; pos < s.len;)
        if (!is_mark(adit_utf8_next(s, &pos))) end = pos;
    return end ? adit_str_sub(s, 0, end) : s;
}

/* What an h1 is compared with, as letters. */
struct context {
    struct adit_site site;
    bool website; /* the page calls itself no article, and looks like none */
    struct adit_str title, og, stripped;
    struct adit_str first; /* segment of title */
};

/* Whether an h1 is the name of the site: it is called so; it is little more than the site's address
 * and the title says something else; <title> is og:title and this; or it stands behind a much
 * longer title. */
static bool is_sites_name(const struct context *c, struct adit_str h1)
{
    const struct adit_site *site = &c->site;
    if (adit_str_eq(h1, site->name) || adit_str_eq(h1, site->host)) return true;
    bool like = site->host.len >= LABEL_MIN && contains(h1, site->host) &&
                h1.len <= site->host.len + LABEL_MORE / 2;
    if (like && c->stripped.len >= TELLING_MIN && !contains(c->stripped, h1)) return true;
    if (!contains(c->title, h1)) return false;
    if (c->og.len >= TELLING_MIN && !contains(c->og, h1) && contains(c->title, c->og))
        return !contains(h1, c->og);
    return c->og.len == 0 && adit_str_ends(c->title, h1) && c->title.len > 3 * h1.len &&
           !contains(c->first, h1) && !adit_is_site(c->first, site);
}

/* Where an h1 stands in <title> or og:title, if it says what they say; SIZE_MAX if it does not. */
static size_t agrees(const struct context *c, struct adit_str h1)
{
    if (h1.len < 3 || is_sites_name(c, h1)) return SIZE_MAX;
    if (contains(c->title, h1)) return adit_str_find(c->title, h1, 0);
    if (contains(c->og, h1)) return adit_str_find(c->og, h1, 0);
    bool longer = c->stripped.len > 8 && contains(h1, c->stripped) && h1.len < 2 * c->stripped.len;
    return longer ? 0 : SIZE_MAX;
}

/* Per cent of an h1's words that are in one or other (letters); none if it has no words. Words of
 * one to three bytes do not count; of scripts without spaces each character does. */
static size_t shared_words(struct adit_str h1, struct adit_str one, struct adit_str other,
                           size_t none, struct adit_arena *arena, bool *ok)
{
    size_t words = 0, shared = 0;
    for (size_t pos = 0; pos < h1.len;) {
        size_t from = pos, to = pos;
        bool cjk = false;
        while (pos < h1.len && !cjk) {
            uint32_t cp = adit_utf8_next(h1, &pos);
            if (!adit_cp_is_word(cp)) break;
            cjk = adit_cp_is_cjk(cp);
            if (cjk && to > from) {
                pos = to; /* the word before it comes first */
                cjk = false;
                break;
            }
            to = pos;
        }
        if (to - from < (cjk ? 1u : 4u)) continue;
        struct adit_str word = adit_meta_letters(adit_str_sub(h1, from, to), arena, ok);
        words++;
        shared += contains(one, word) || contains(other, word);
    }
    return words ? 100 * shared / words : none;
}

/* Whether the page's only h1, which says something else than <title> and og:title, is the title
 * nevertheless: it has something to do with them, and with the line of the body (letters) that says
 * part of <title>. Of pages where an h1 has a quarter of its words from them and differs, the truths
 * that were counted call the h1 the title in 113 and the others in 77. */
static bool is_only_title(const struct context *c, const struct adit_meta *m, struct adit_str h1,
                          struct adit_str line, struct adit_str og, struct adit_arena *arena,
                          bool *ok)
{
    if (m->n_h1 != 1 || h1.len < 3 || h1.len > ONLY_H1_MAX) return false;
    if (is_sites_name(c, adit_meta_letters(h1, arena, ok))) return false;
    /* "Home" and the like tell nothing against a heading. */
    if (c->stripped.len < TELLING_MIN && adit_meta_letters(og, arena, ok).len < TELLING_MIN)
        return true;
    if (c->website && og.len) return false; /* a slogan: <title> and og:title name the page */
    if (line.len) return shared_words(h1, line, line, 0, arena, ok) >= SHARED_WITH_LINE;
    return shared_words(h1, c->title, c->og, 100, arena, ok) >= SHARED_WITH_TITLES;
}

/* Whether an h1 is but a piece of a longer name that <title> and og:title agree on, "Tumbler" of
 * "Example Tumbler with a Lid": not how the name begins, no part of it by punctuation, and at most
 * PIECE_MAX per cent of it. */
static bool is_piece(const struct context *c, struct adit_str h1, struct adit_str og,
                     struct adit_arena *arena, bool *ok)
{
    struct adit_str piece = adit_meta_letters(h1, arena, ok);
    struct segments g;
    if (!contains(c->title, c->og)) return false;
    split(og, &g);
    for (size_t i = 0; i < g.n; i++) {
        struct adit_str part = adit_str_sub(og, g.from[i], g.to[i]);
        part = adit_meta_letters(part, arena, ok);
        if (!contains(part, piece)) continue;
        return !adit_str_starts(part, piece) && 100 * piece.len <= PIECE_MAX * part.len;
    }
    return false;
}

/* "Question: How to …", "Dec 18 How to …": what the others call the title, if the h1 puts something
 * before it. */
static struct adit_str without_label(const struct context *c, struct adit_str h1,
                                     struct adit_str og, struct adit_str title, struct adit_str ld,
                                     struct adit_arena *arena, bool *ok)
{
    const struct adit_str others[] = {ld, og, title};
    struct adit_str all = adit_meta_letters(h1, arena, ok);
    for (size_t i = 0; i < ADIT_COUNT(others); i++) {
        struct adit_str part = adit_meta_letters(others[i], arena, ok);
        if (part.len >= TELLING_MIN && part.len < all.len && adit_str_ends(all, part) &&
            (contains(c->title, part) || contains(c->og, part)))
            return others[i];
    }
    return h1;
}

/* Where the h1 is the site's, the title is a heading below it: the first one that is most of
 * what <title> or og:title say. */
enum { HEADINGS_MAX = 30 };
static struct adit_str lower_heading(const struct context *c, const struct adit_tape *tape,
                                     struct adit_arena *arena, bool *ok)
{
    for (size_t i = 0, seen = 0; tape && i < tape->n_els && seen < HEADINGS_MAX; i++) {
        const struct adit_el *el = &tape->els[i];
        if (el->tag < ADIT_TAG_H2 || el->tag > ADIT_TAG_H4 || el->leaf1 != el->leaf0 + 1) continue;
        seen++;
        struct adit_str text = without_marks(tape->leaves[el->leaf0].text);
        struct adit_str letters = adit_meta_letters(text, arena, ok);
        struct adit_str whole = c->og.len ? c->og : c->stripped;
        bool part = contains(c->title, letters) || contains(c->og, letters);
        if (part && letters.len >= TELLING_MIN && 5 * letters.len >= 3 * whole.len &&
            !is_sites_name(c, letters))
            return text;
    }
    return (struct adit_str){0};
}

/* An h1 that agrees with <title> or og:title (of several, the one that stands first there), unless a
 * longer heading below it is the other part of <title> (then the h1 is a section's or the site's);
 * else the only h1 if it has something to do with them; else the line of the body that is a part of
 * <title>; else og:title, <title> and the rest, unless the text says no word of that, and says those of
 * the line above it. */
struct adit_str adit_meta_title(const struct adit_meta *m, const struct adit_page *page,
                                const struct adit_tape *tape, struct adit_arena *arena, bool *ok)
{
    struct adit_str url = page->url;
    struct adit_site site = site_of(m->site_name, url, arena, ok);
    struct adit_str og = strip(m->og_title, &site, arena, ok);
    struct adit_str title = strip(m->title_tag, &site, arena, ok);
    struct context c = {.site = site,
                        .website = page->look.kind != ADIT_PAGE_ARTICLE &&
                                   adit_str_ieq(m->og_type, ADIT_STR("website")),
                        .title = adit_meta_letters(m->title_tag, arena, ok),
                        .og = adit_meta_letters(m->og_title, arena, ok),
                        .stripped = adit_meta_letters(title, arena, ok),
                        .first = adit_meta_letters(first_segment(m->title_tag), arena, ok)};
    struct adit_str h1[ADIT_COUNT(m->h1)], best = {0};
    size_t n = m->n_h1 < ADIT_COUNT(m->h1) ? m->n_h1 : ADIT_COUNT(m->h1), best_at = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        bool quoted = contains(m->title_tag, m->h1[i]); /* "C#" */
        h1[i] = quoted ? m->h1[i] : without_marks(m->h1[i]);
        size_t at = agrees(&c, adit_meta_letters(h1[i], arena, ok));
        if (at < best_at) best = h1[i], best_at = at;
    }
    if (best.len) {
        struct adit_str below = adit_meta_headline(m->title_tag, best, &site, tape, arena, ok);
        if (below.len) return strip(below, &site, arena, ok);
        if (is_piece(&c, best, og, arena, ok)) return og;
        return without_label(&c, best, og, title, m->ld_title, arena, ok);
    }
    struct adit_str line = adit_meta_headline(m->title_tag, best, &site, tape, arena, ok);
    if (!line.len) line = lower_heading(&c, tape, arena, ok);
    line = strip(line, &site, arena, ok);
    struct adit_str letters = adit_meta_letters(line, arena, ok);
    for (size_t i = 0; i < n && line.len; i++)
        if (adit_str_eq(line, h1[i]) && is_sites_name(&c, letters)) line.len = letters.len = 0;
    if (n == 1 && is_only_title(&c, m, h1[0], letters, og, arena, ok)) return h1[0];
    const struct adit_str rest[] = {line,
                                    og,
                                    title,
                                    strip(m->twitter_title, &site, arena, ok),
                                    m->ld_title,
                                    n ? h1[0] : (struct adit_str){0},
                                    adit_meta_above_text(tape, arena, ok)};
    size_t first = 0;
    while (first < ADIT_COUNT(rest) && !rest[first].len) first++;
    if (first == ADIT_COUNT(rest)) return from_url(url, arena, ok);
    /* The head may name no more than the site or a section. */
    struct adit_str told = {0};
    if (!line.len) told = adit_meta_told_above(rest[first], tape, arena, ok);
    return told.len ? told : rest[first];
}

size_t adit_meta_title_leaf(const struct adit_tape *tape, struct adit_str title)
{
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < tape->n_els; i++) {
        const struct adit_el *el = &tape->els[i];
        if (!adit_heading_level(el->tag) || el->leaf1 == el->leaf0) continue;
        if (adit_page_says_title(tape->leaves[el->leaf0].text, title)) return el->leaf0;
        if (first == SIZE_MAX && el->tag == ADIT_TAG_H1) first = el->leaf0;
    }
    for (size_t i = 0; i < tape->n_leaves; i++)
        if (adit_page_says_title(tape->leaves[i].text, title)) return i;
    return first == SIZE_MAX ? 0 : first;
}
