/* Names in the body of a page: elements that say by class, rel or itemprop that they hold one. */
#include "meta/meta_impl.h"

#include "tape/tape.h"
#include "text/text.h"

#include <string.h>

enum {
    NAME_BYTES_MAX = 120, /* bytes of a name, and of several names together */
    LINE_BYTES_MAX = 400, /* bytes of text that are searched for the name */
    BELOW_MAX = 1000      /* nodes below an author that are searched for the name */
};

/* --- the line that holds the name ------------------------------------------------------------- */

/* Text of an element with its lines, and which parts of it are links. */
enum { LINK_BEGINS = 1, LINK_ENDS = 2 };
struct line {
    char text[LINE_BYTES_MAX];
    size_t len;
};

static void put(struct line *l, char c)
{
    if (c == ' ' && (l->len == 0 || l->text[l->len - 1] == ' ' || l->text[l->len - 1] == '\n'))
        return;
    if (c == '\n') {
        while (l->len && l->text[l->len - 1] == ' ') l->len--;
        if (l->len == 0 || l->text[l->len - 1] == '\n') return;
    }
    if (l->len < LINE_BYTES_MAX) l->text[l->len++] = c;
}

/* What neither is white space nor controls anything is copied as it stands. */
static void put_text(struct line *l, struct adit_str s)
{
    for (size_t i = 0, n; i < s.len && l->len < LINE_BYTES_MAX; i += n) {
        for (n = 0; i + n < s.len && (unsigned char)s.p[i + n] > ' ';) n++;
        size_t room = LINE_BYTES_MAX - l->len, fits = n < room ? n : room;
        memcpy(l->text + l->len, s.p + i, fits);
        l->len += fits;
        if (!n) put(l, ' '), n = 1;
    }
}

/* Words in the class of an element that stands beside a name and holds none; which letters they
 * begin with. */
static const struct adit_str beside[] = {
    ADIT_STR_INIT("role"),   ADIT_STR_INIT("position"), ADIT_STR_INIT("job"),
    ADIT_STR_INIT("bio"),    ADIT_STR_INIT("desc"),     ADIT_STR_INIT("title"),
    ADIT_STR_INIT("date"),   ADIT_STR_INIT("time"),     ADIT_STR_INIT("social"),
    ADIT_STR_INIT("statis"),
};
#define BIT(letter) (UINT32_C(1) << ((letter) & 31))
static const uint32_t beside_begin =
    BIT('r') | BIT('p') | BIT('j') | BIT('b') | BIT('d') | BIT('t') | BIT('s');

/* Whether one of the words beside a name begins at class.p[at]. */
static bool begins_beside(struct adit_str class, size_t at)
{
    if (!(beside_begin >> (class.p[at] & 31) & 1)) return false;
    struct adit_str rest = adit_str_sub(class, at, class.len);
    for (size_t i = 0; i < ADIT_COUNT(beside); i++)
        if (BIT(rest.p[0]) == BIT(beside[i].p[0]) && adit_str_istarts(rest, beside[i])) return true;
    return false;
}

static bool is_beside(struct adit_str class)
{
    for (size_t at = 0; at < class.len; at++)
        if ((at == 0 || !adit_is_alpha(class.p[at - 1])) && begins_beside(class, at))
            return adit_str_ifind(class, ADIT_STR("name"), 0) == class.len;
    return false;
}

static bool holds_no_name(const struct adit_names *names, uint32_t node)
{
    uint16_t tag = adit_dom_tag(names->dom, node);
    if (tag == ADIT_TAG_BUTTON || tag == ADIT_TAG_TIME) return true;
    if (adit_tag_kinds[tag] & ADIT_TAGKIND_NOT_WALKED) return true;
    return is_beside(adit_dom_attr(names->dom, node, ADIT_ATTR_CLASS));
}

static void mark(struct line *l, const struct adit_dom *d, uint32_t node, char link)
{
    if (!adit_dom_is_element(d, node)) return;
    if (adit_dom_is(d, node, ADIT_TAG_SPAN)) put(l, ' ');
    if (adit_dom_is(d, node, ADIT_TAG_A))
        put(l, link);
    else if (adit_tag_kinds[adit_dom_tag(d, node)] & ADIT_TAGKIND_BLOCK ||
             adit_dom_is(d, node, ADIT_TAG_BR))
        put(l, '\n');
}

/* Everything below an element that may be part of a name. */
static void read_line(const struct adit_names *names, uint32_t root, struct line *l)
{
    const struct adit_dom *d = names->dom;
    uint32_t n = adit_dom_first(d, root);
    for (size_t left = BELOW_MAX; n && left > 0 && l->len < LINE_BYTES_MAX; left--) {
        bool skipped = adit_dom_is_element(d, n) && holds_no_name(names, n);
        if (adit_dom_is_text(d, n)) put_text(l, adit_dom_data(d, n));
        if (!skipped) mark(l, d, n, LINK_BEGINS);
        if (adit_dom_first(d, n) && !skipped) {
            n = adit_dom_first(d, n);
            continue;
        }
        if (skipped) put(l, '\n');
        for (;; n = d->nodes[n].parent) {
            if (!skipped) mark(l, d, n, LINK_ENDS);
            skipped = false;
            if (d->nodes[n].next || d->nodes[n].parent == root) break;
        }
        n = d->nodes[n].next;
    }
}

/* The first line that says more than "by"; its length, from *at on. */
static struct adit_str first_line(struct adit_str text)
{
    struct adit_str line, plain;
    char copy[LINE_BYTES_MAX];
    while (adit_str_split(&text, '\n', &line)) {
        size_t n = 0;
        for (size_t i = 0; i < line.len; i++)
            if (line.p[i] > LINK_ENDS || line.p[i] < 0) copy[n++] = line.p[i];
        plain = adit_str_trim(adit_str_of(copy, n));
        if (plain.len && !adit_is_lead(plain)) return line;
    }
    return (struct adit_str){0};
}

/* What may stand between two names: a comma, "and". */
enum { BETWEEN_MAX = 5 };
static bool is_between(struct adit_str s)
{
    s = adit_str_trim(s);
    return s.len > 0 && s.len <= BETWEEN_MAX && s.p[0] != '|' && s.p[0] != '/';
}

static bool has_digit(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (adit_is_digit(s.p[i])) return true;
    return false;
}

/* "By <a>Ann Lee</a> and <a>Bob Poe</a>, editors": the links, if they come first. The whole line
 * if they do not. */
static struct adit_str linked(struct adit_str line)
{
    size_t from = 0, to = 0; /* of the names */
    for (size_t at = 0; at < line.len;) {
        size_t open = adit_str_chr(line, LINK_BEGINS, at),
               close = adit_str_chr(line, LINK_ENDS, open);
        struct adit_str before = adit_str_sub(line, at, open),
                        link = adit_str_trim(adit_str_sub(line, open + 1, close));
        if (open == line.len) break;
        at = close + 1;
        if (link.len < 2) continue;
        if (to && !is_between(before)) break;
        if (!to && has_digit(link)) continue;
        if (!to && adit_str_trim(before).len && !adit_ends_in_lead(adit_str_trim(before))) break;
        if (!to) from = open + 1;
        to = close;
    }
    return to ? adit_str_sub(line, from, to) : line;
}

/* A copy without marks. */
static struct adit_str plain(const struct adit_names *names, struct adit_str s)
{
    char *p = adit_arena_alloc(names->arena, s.len);
    size_t n = 0;
    if (!p) {
        *names->ok = false;
        return (struct adit_str){0};
    }
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] > LINK_ENDS || s.p[i] < 0) p[n++] = s.p[i];
    return adit_str_trim(adit_str_of(p, n));
}

struct adit_str adit_names_line(const struct adit_names *names, uint32_t node)
{
    struct line l;
    l.len = 0;
    read_line(names, node, &l);
    struct adit_str line = adit_utf8_cut(adit_str_of(l.text, l.len), LINE_BYTES_MAX);
    line = linked(first_line(line));
    if (line.len) return plain(names, line);
    return adit_dom_text(names->dom, node, NAME_BYTES_MAX, names->arena, names->ok);
}

/* --- the list --------------------------------------------------------------------------------- */

/* Several names are several authors: "Ann Lee, Bob Poe", "Lee, Ann; Poe, Bob". */
void adit_names_join(struct adit_str *to, struct adit_str more, struct adit_arena *arena, bool *ok)
{
    if (to->len + more.len > NAME_BYTES_MAX) return;
    const struct adit_str parts[] = {
        *to, adit_str_chr(more, ',', 0) < more.len ? ADIT_STR("; ") : ADIT_STR(", "), more};
    char *text = adit_arena_alloc(arena, to->len + more.len + 2);
    if (!text) {
        *ok = false;
        return;
    }
    size_t len = 0;
    for (size_t i = 0; i < ADIT_COUNT(parts); len += parts[i++].len)
        memcpy(text + len, parts[i].p, parts[i].len);
    *to = adit_str_of(text, len);
}

/* Whether a name stands beside another one: several authors of one page. Posts of a forum stand
 * side by side, too: names of weak sources must be in one line. */
static bool is_beside_name(const struct adit_dom *d, const struct adit_name *name, uint32_t node)
{
    uint32_t a = d->nodes[name->node].parent, b = d->nodes[node].parent;
    if (a == b) return true;
    if (name->source == ADIT_AUTHOR_ITEMPROP || name->source == ADIT_AUTHOR_CLASS) return false;
    return a && b && d->nodes[a].parent && d->nodes[a].parent == d->nodes[b].parent;
}

static bool holds_part(struct adit_str s, struct adit_str part)
{
    return adit_str_find(s, part, 0) < s.len;
}

void adit_names_add(struct adit_names *names, enum adit_author_source source, uint32_t node,
                    struct adit_str text)
{
    if (text.len == 0) return;
    for (size_t i = names->n; i-- > 0;) {
        struct adit_name *name = &names->v[i];
        if (name->source != source) continue;
        if (!is_beside_name(names->dom, name, node)) break;
        if (!holds_part(name->text, text) && !holds_part(text, name->text))
            adit_names_join(&name->text, text, names->arena, names->ok);
        return;
    }
    if (names->n == ADIT_NAMES_MAX) return;
    if (!names->v) names->v = adit_arena_zalloc(names->arena, ADIT_NAMES_MAX, sizeof *names->v);
    if (!names->v) {
        *names->ok = false;
        return;
    }
    names->v[names->n++] = (struct adit_name){.text = text,
                                              .node = node,
                                              .item = (uint32_t)names->tape->n_items,
                                              .source = (uint8_t)source};
}
