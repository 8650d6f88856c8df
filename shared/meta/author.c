/* The author: the first source that names somebody. */
#include "meta/meta_impl.h"

#include "tape/tape.h"
#include "text/text.h"

enum {
    NAME_LEN = 100,
    LIST_MAX = 300,
    NEAR_AFTER = 25,
    NEAR_BEFORE = 8,
    NEAR_TEXT = 120,
    LED_MAX = 60,    /* bytes of a line that is a lead and a name */
    STRONG_LEAD = 9, /* bytes of a lead that says nothing else: "posted by" */
    VERY_NEAR = 12,  /* leaves in which "by" tells a name */
    HREF_MAX = 300,
    LINK_ITEMS_MAX = 100
};

/* A Twitter card's line that is labelled "Written by", "Escrito por", "Автор". */
static struct adit_str twitter(const struct adit_meta_candidates *c)
{
    for (size_t i = 0; i < ADIT_COUNT(c->twitter_label); i++)
        if (adit_ends_in_lead(adit_str_trim(c->twitter_label[i]))) return c->twitter_data[i];
    return (struct adit_str){0};
}

/* "By Ann Lee", or "By" and the name in the next leaf. */
static struct adit_str led_by(const struct adit_tape *tape, size_t i)
{
    const struct adit_str none = {0};
    struct adit_str line = tape->leaves[i].text;
    uint16_t tag = tape->els[tape->leaves[i].el].tag;
    bool heading = adit_heading_level(tag) > 0;
    if (line.len > NEAR_TEXT) return none;
    if (adit_lead_len(adit_behind_date(line)) > 0) return line;
    if (heading || !adit_is_lead(line) || i + 1 == tape->n_leaves) return none;
    line = tape->leaves[i + 1].text;
    return line.len <= NEAR_TEXT ? line : none;
}

/* Whether a link leads to a page about an author: "/author/ann-lee". */
static bool leads_to_author(struct adit_str href)
{
    static const struct adit_str words[] = {
        ADIT_STR_INIT("author"),  ADIT_STR_INIT("authors"),     ADIT_STR_INIT("autor"),
        ADIT_STR_INIT("autores"), ADIT_STR_INIT("autoren"),     ADIT_STR_INIT("auteur"),
        ADIT_STR_INIT("auteurs"), ADIT_STR_INIT("autore"),      ADIT_STR_INIT("autori"),
        ADIT_STR_INIT("avtor"),   ADIT_STR_INIT("contributor"), ADIT_STR_INIT("contributors"),
        ADIT_STR_INIT("yazar"),   ADIT_STR_INIT("penulis"),     ADIT_STR_INIT("writer"),
        ADIT_STR_INIT("writers"), ADIT_STR_INIT("reporter"),    ADIT_STR_INIT("journalist"),
    };
    struct adit_str part;
    href = adit_str_sub(href, 0, HREF_MAX);
    bool more = adit_str_split(&href, '/', &part);
    while (more && (more = adit_str_split(&href, '/', &part)))
        for (size_t i = 0; i < ADIT_COUNT(words) && href.len; i++)
            if (adit_str_ieq(part, words[i])) return true;
    return false;
}

/* The text of such a link. */
static struct adit_str linked_to(const struct adit_tape *tape, size_t i, const struct adit_dom *dom,
                                 const struct adit_namer *j)
{
    const struct adit_leaf *leaf = &tape->leaves[i];
    struct adit_str text = {0};
    size_t k = leaf->item0, end = k + LINK_ITEMS_MAX;
    while (k > 0 && tape->items[k - 1].kind == ADIT_ITEM_OPEN && k + 8 > leaf->item0) k--;
    for (; k < leaf->item1 && k < end; k++) {
        const struct adit_item *it = &tape->items[k];
        if (it->kind != ADIT_ITEM_OPEN || it->tag != ADIT_TAG_A) continue;
        if (!leads_to_author(adit_dom_attr(dom, it->node, ADIT_ATTR_HREF))) continue;
        struct adit_str more = adit_dom_text(dom, it->node, NAME_LEN, j->arena, j->ok);
        if (text.len == 0)
            text = more;
        else if (more.len)
            adit_names_join(&text, more, j->arena, j->ok);
    }
    return text;
}

/* The name that leaf i gives, by its words or by a link to a page about the author. */
static struct adit_str name_at(const struct adit_tape *tape, size_t i, size_t title, bool by_words,
                               const struct adit_dom *dom, const struct adit_namer *j)
{
    const struct adit_str none = {0};
    struct adit_str line = by_words ? led_by(tape, i) : linked_to(tape, i, dom, j);
    if (!line.len) return none; /* most */
    struct adit_str name = adit_name_in_line(line, j->arena, j->ok);
    if (by_words && name.len && !adit_is_name_like(name, j)) /* "Ann Lee View In Print" */
        name = adit_name_in_line(linked_to(tape, i, dom, j), j->arena, j->ok);
    bool lower =
        name.len && name.p[0] >= 'a' && name.p[0] <= 'z' && adit_str_chr(name, ' ', 0) < name.len;
    if (lower || !adit_is_name_like(name, j)) return none;
    if (adit_naming(j, name, NAME_LEN) < ADIT_NAMES_SITE) return none;
    return adit_meta_distance(tape, tape->leaves[i].item0, title) == ADIT_NOWHERE ? none : name;
}

/* A short line near the title that says whose the page is: "by" tells it where a link to an author
 * may be a photographer's. */
static struct adit_str near_title(const struct adit_tape *tape, size_t title, bool by_words,
                                  const struct adit_dom *dom, const struct adit_namer *j)
{
    struct adit_str name = {0};
    for (size_t k = 0; tape && k < NEAR_AFTER + NEAR_BEFORE && !name.len; k++) {
        if (k >= NEAR_AFTER && title < k - NEAR_AFTER + 1) break;
        size_t i = k < NEAR_AFTER ? title + k : title - (k - NEAR_AFTER + 1);
        if (i >= tape->n_leaves) continue;
        bool very = k < VERY_NEAR || (k >= NEAR_AFTER && k < NEAR_AFTER + VERY_NEAR / 4);
        if (very || !by_words) name = name_at(tape, i, title, by_words, dom, j);
    }
    return name;
}

/* "Written by Ann Lee" alone in a line, or in two, below the title and no farther than behind the
 * text. */
static struct adit_str below_title(const struct adit_tape *tape, size_t title,
                                   const struct adit_namer *j)
{
    size_t end = tape ? tape->n_leaves : 0, behind = 0;
    while (end > 0 && !tape->leaves[end - 1].keep) end--;
    for (size_t i = title; tape && i < tape->n_leaves && behind < NEAR_AFTER; i++) {
        struct adit_str line = tape->leaves[i].text;
        behind += i >= end;
        if (line.len > NEAR_TEXT) continue;
        size_t lead = adit_lead_len(line);
        bool alone = !lead && i + 1 < tape->n_leaves && adit_is_lead(line);
        if (alone) line = tape->leaves[i + 1].text, lead = 1;
        bool strong = lead >= STRONG_LEAD; /* "Posted by Ann on May 5 in News" */
        if (!lead || line.len > (strong ? NEAR_TEXT : LED_MAX)) continue;
        if (!alone && adit_heading_level(tape->els[tape->leaves[i].el].tag)) continue;
        struct adit_str name = adit_name_in_line(line, j->arena, j->ok);
        name = adit_name_alone(name, j);
        enum adit_naming v = adit_naming(j, name, NAME_LEN);
        if (!adit_is_full_name(name) && !(strong && v == ADIT_NAMES_WORD)) continue;
        if (v < ADIT_NAMES_WORD) continue;
        if (adit_meta_distance(tape, tape->leaves[i].item0, title) != ADIT_NOWHERE) return name;
    }
    return (struct adit_str){0};
}

/* --- names of the body ------------------------------------------------------------------------ */

/* The name of a source that is nearest to the title, of those that are (not) aside; in a thread of
 * all sources, since the next post's author may be marked better than the first one's. */
static struct adit_str nearest(const struct adit_names *names, size_t source, bool from_aside,
                               bool thread, const struct adit_tape *tape, size_t title)
{
    struct adit_str best = {0};
    uint32_t least = ADIT_NOWHERE;
    for (size_t i = 0; i < names->n; i++) {
        if (names->v[i].source != source && !thread) continue;
        uint32_t d = tape ? adit_meta_distance(tape, names->v[i].item, title) : 0;
        if (d >= least || (d >= ADIT_ASIDE) != from_aside) continue;
        least = d;
        best = names->v[i].text;
    }
    return best;
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Where to look, most trusted first. weak: what names somebody else as often as the author (a
 * commenter, a related post's) is not asked if there is anything better, even a login. */
enum how { HEAD, CARD, BODY, BODY_ASIDE, LED, LINKED, BELOW, REPORTER };
static const struct place {
    uint8_t source, how;
    bool weak;
} places[] = {
    {ADIT_AUTHOR_TWITTER, CARD, false},
    {ADIT_AUTHOR_LD, HEAD, false},
    {ADIT_AUTHOR_META, HEAD, false},
    {ADIT_AUTHOR_OTHER, HEAD, false},
    {ADIT_AUTHOR_ARTICLE, HEAD, false},
    {ADIT_AUTHOR_CLASS_NAME, BODY, false},
    {ADIT_AUTHOR_REL, BODY, false},
    {ADIT_AUTHOR_ITEMPROP, BODY, true},
    {ADIT_AUTHOR_CLASS, BODY, true},
    {0, LED, true},
    {0, LINKED, true},
    {0, BELOW, true},
    {0, REPORTER, true},
    {ADIT_AUTHOR_CLASS_NAME, BODY_ASIDE, true},
    {ADIT_AUTHOR_REL, BODY_ASIDE, true},
    {ADIT_AUTHOR_ITEMPROP, BODY_ASIDE, true},
    {ADIT_AUTHOR_CLASS, BODY_ASIDE, true},
};

static struct adit_str look(const struct place *p, const struct adit_meta_candidates *c,
                            const struct adit_tape *tape, size_t title, const struct adit_namer *j)
{
    switch (p->how) {
    case CARD: return twitter(c);
    case HEAD: return c->author[p->source];
    case LED: return near_title(tape, title, true, c->names.dom, j);
    case LINKED: return near_title(tape, title, false, c->names.dom, j);
    case BELOW: return below_title(tape, title, j);
    case REPORTER: return adit_reporter(tape, title);
    default: return nearest(&c->names, p->source, p->how == BODY_ASIDE, j->thread, tape, title);
    }
}

/* Whether a name is to be read on the page. */
static bool is_shown(struct adit_str name, const struct adit_tape *tape)
{
    name = adit_str_sub(name, 0, adit_str_chr(name, ',', 0));
    for (size_t i = 0; i < tape->n_leaves; i++)
        if (adit_str_ifind(tape->leaves[i].text, name, 0) < tape->leaves[i].text.len) return true;
    return false;
}

/* The head may name whoever put the page there: if nobody reads that name, and the page itself
 * says "by Ann Lee", she is the author. */
static struct adit_str as_shown(struct adit_str name, const struct adit_meta_candidates *c,
                                const struct adit_tape *tape, size_t title,
                                const struct adit_namer *j)
{
    static const struct place shown[] = {
        {0, LED, true}, {ADIT_AUTHOR_CLASS_NAME, BODY, true}, {ADIT_AUTHOR_CLASS, BODY, true}};
    if (!tape || is_shown(name, tape)) return name;
    for (size_t i = 0; i < ADIT_COUNT(shown); i++) {
        struct adit_str s = look(&shown[i], c, tape, title, j);
        s = adit_name_alone(adit_name_in_line(s, j->arena, j->ok), j);
        if (!adit_is_full_name(s) || !adit_is_name_like(s, j)) continue;
        if (adit_naming(j, s, NAME_LEN) < ADIT_NAMES_PERSON) continue;
        return adit_str_starts(name, s) ? name : s;
    }
    return name;
}

/* Whether two texts begin with the same name, of one or of several people. */
static bool same_first(struct adit_str a, struct adit_str b)
{
    size_t n = a.len < b.len ? a.len : b.len, i = 0;
    while (i < n && a.p[i] == b.p[i] && a.p[i] != ',') i++;
    bool a_ends = i == a.len || a.p[i] == ',', b_ends = i == b.len || b.p[i] == ',';
    return i > 0 && a_ends && b_ends;
}

/* Lists that begin with the same name may be shorter or longer: with those who helped, or without
 * those who wrote, too. What most of the head's sources and the byline say counts. */
static struct adit_str as_most_say(struct adit_str name, const struct adit_meta_candidates *c,
                                   const struct adit_tape *tape, size_t title,
                                   const struct adit_namer *j)
{
    static const struct place asked[] = {
        {ADIT_AUTHOR_LD, HEAD, false},
        {ADIT_AUTHOR_META, HEAD, false},
        {ADIT_AUTHOR_OTHER, HEAD, false},
        {ADIT_AUTHOR_ARTICLE, HEAD, false},
        {0, LED, true},
    };
    struct adit_str said[ADIT_COUNT(asked)] = {{0}}, best = name;
    uint8_t votes[ADIT_COUNT(asked)] = {0}, most = 0;
    struct adit_str mine = adit_meta_letters(name, j->arena, j->ok);
    for (size_t i = 0; i < ADIT_COUNT(asked); i++) {
        struct adit_str s = look(&asked[i], c, tape, title, j);
        if (!s.len) continue;
        s = adit_name_alone(adit_meta_squeeze(s, j->arena, j->ok), j);
        if (!same_first(s, name)) continue;
        said[i] = adit_meta_letters(s, j->arena, j->ok);
        for (size_t k = 0; k <= i; k++) votes[i] += adit_str_eq(said[k], said[i]);
        bool other = !adit_str_eq(said[i], mine);
        if (votes[i] > most || (votes[i] == most && !other))
            most = votes[i], best = other ? s : name;
    }
    return most > 1 ? best : name;
}

/* Whether a place may still be asked, when there is a name already. */
static bool is_asked(const struct place *p, enum adit_naming best, size_t from)
{
    if (!p->weak || best == ADIT_NAMES_NOBODY) return true;
    if (p->how == BODY_ASIDE) return false;
    return best == ADIT_NAMES_SITE || (best == ADIT_NAMES_LOGIN && from != ADIT_AUTHOR_LD);
}

/* The first place that names a person; else the best there is. */
static struct adit_str choose(const struct adit_meta_candidates *c, const struct adit_tape *tape,
                              size_t title, const struct adit_namer *j)
{
    struct adit_str best = {0};
    enum adit_naming best_naming = ADIT_NAMES_NOBODY;
    size_t from = 0;
    for (const struct place *p = places; p < places + ADIT_COUNT(places); p++) {
        bool line = p->how == BODY || p->how == BODY_ASIDE, head = p->how <= CARD;
        if (!is_asked(p, best_naming, from)) continue;
        struct adit_str s = adit_meta_squeeze(look(p, c, tape, title, j), j->arena, j->ok);
        if (!s.len) continue;
        s = line ? adit_name_in_line(s, j->arena, j->ok) : adit_without_lead(s);
        s = adit_name_alone(adit_without_site(s, j->host, j->site, j->arena, j->ok), j);
        enum adit_naming v = adit_naming(j, s, line ? NAME_LEN : LIST_MAX);
        if (line && !adit_is_name_like(s, j)) v = ADIT_NAMES_NOBODY;
        if (p->weak && best_naming > ADIT_NAMES_NOBODY && v < ADIT_NAMES_PERSON) continue;
        if (v == ADIT_NAMES_PERSON)
            return !head ? s : as_shown(as_most_say(s, c, tape, title, j), c, tape, title, j);
        if (v > best_naming) best = s, best_naming = v, from = p->source;
    }
    bool word = best_naming == ADIT_NAMES_WORD && from <= ADIT_AUTHOR_ARTICLE;
    return word ? as_shown(best, c, tape, title, j) : best;
}

struct adit_str adit_meta_author(const struct adit_meta *m, const struct adit_page *page,
                                 const struct adit_tape *tape, size_t title,
                                 struct adit_arena *arena, bool *ok)
{
    const struct adit_namer j = {.site = adit_meta_letters(m->site_name, arena, ok),
                                 .host = adit_meta_host(page->url),
                                 .thread = page->look.kind == ADIT_PAGE_FORUM,
                                 .holder = adit_meta_letters(m->candidates->holder, arena, ok),
                                 .arena = arena,
                                 .ok = ok};
    return adit_names_tidy(choose(m->candidates, tape, title, &j), arena, ok);
}
