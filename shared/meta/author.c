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
    LED_MAX = 60,   /* bytes of a line that is a lead and a name */
    VERY_NEAR = 12, /* leaves in which "by" tells a name */
    NAME_WORDS_MAX = 8,
    LIST_WORDS_MAX = 24,
    HREF_MAX = 300,
    LINK_ITEMS_MAX = 100
};

/* What stands in a name's place and is none. */
static const char nobody[] =
    "admin,administrator,author,theauthor,editor,webmaster,guest,anonymous,unknown,null,"
    "undefined,none,user,abouttheauthor";

/* --- judging ---------------------------------------------------------------------------------- */

struct judge {
    struct adit_str site; /* as letters */
    struct adit_str host;
    struct adit_arena *arena;
    bool *ok;
};

enum verdict { REFUSED, SITE, LOGIN, NAME };

/* Whether s is one word that programs make: "jsmith2", "ann.lee", "example.com", "L_104485". */
static bool is_login(struct adit_str s)
{
    bool made = false, upper = false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        if (c == ' ' || c < 0) return false;
        made = made || adit_is_digit(c) || c == '_' || (c == '.' && i + 1 < s.len);
        upper = upper || !(adit_is_digit(c) || c == '_' || c == '.' || (c >= 'a' && c <= 'z'));
    }
    return made || !upper;
}

/* A login and the site itself are taken only if there is no better name. A list that begins with a
 * comma has lost its names. */
static enum verdict judge(const struct judge *j, struct adit_str s, size_t max)
{
    if (s.len == 0 || s.len > max || s.p[0] == ',' || adit_str_istarts(s, ADIT_STR("http")))
        return REFUSED;
    if (adit_str_chr(s, '@', 0) < s.len) return REFUSED;
    struct adit_str letters = adit_meta_letters(s, j->arena, j->ok);
    if (letters.len < 2 || adit_str_in(letters, nobody)) return REFUSED;
    if (adit_str_eq(letters, j->site)) return SITE;
    return is_login(s) ? LOGIN : NAME;
}

/* A Twitter card's line that is labelled "Written by", "Escrito por", "Автор". */
static struct adit_str twitter(const struct adit_meta_candidates *c)
{
    for (size_t i = 0; i < ADIT_COUNT(c->twitter_label); i++)
        if (adit_ends_in_lead(adit_str_trim(c->twitter_label[i]))) return c->twitter_data[i];
    return (struct adit_str){0};
}

static size_t count_words(struct adit_str s)
{
    size_t n = 1;
    for (size_t i = 0; i < s.len; i++) n += s.p[i] == ' ';
    return n;
}

/* What a line says may be anything: a name is short and no sentence. */
static bool is_name_like(struct adit_str s)
{
    if (s.len == 0 || adit_str_chr(s, ':', 0) < s.len) return false;
    if (s.p[s.len - 1] == '!' || s.p[s.len - 1] == '?') return false;
    return count_words(s) <= (adit_str_chr(s, ',', 0) < s.len ? LIST_WORDS_MAX : NAME_WORDS_MAX);
}

/* Whether a word in small letters stands in s that no name has: "officer of the council". */
static bool tells_role(struct adit_str s)
{
    static const char in_names[] = "della,avec,with";
    struct adit_str word;
    while (adit_str_split(&s, ' ', &word)) {
        word = adit_str_sub(word, 0, adit_str_chr(word, ',', 0));
        if (word.len < 4 || word.p[0] < 'a' || word.p[0] > 'z') continue;
        if (!adit_str_in(word, in_names)) return true;
    }
    return false;
}

/* Several words, of which the first has no small letter to begin with: a name, or several. */
static bool is_full_name(struct adit_str s)
{
    size_t words = count_words(s);
    if (s.len == 0 || words < 2 || words > NAME_WORDS_MAX) return false;
    return !(s.p[0] >= 'a' && s.p[0] <= 'z') && !adit_is_digit(s.p[0]) && !tells_role(s);
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
                                 const struct judge *j)
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

/* A short line near the title that says whose the page is. */
static struct adit_str near_title(const struct adit_tape *tape, size_t title,
                                  const struct adit_dom *dom, const struct judge *j)
{
    for (size_t k = 0; tape && k < NEAR_AFTER + NEAR_BEFORE; k++) {
        if (k >= NEAR_AFTER && title < k - NEAR_AFTER + 1) break;
        size_t i = k < NEAR_AFTER ? title + k : title - (k - NEAR_AFTER + 1);
        if (i >= tape->n_leaves) continue;
        bool very = k < VERY_NEAR || (k >= NEAR_AFTER && k < NEAR_AFTER + VERY_NEAR / 4);
        struct adit_str line = very ? led_by(tape, i) : (struct adit_str){0};
        if (line.len == 0) line = linked_to(tape, i, dom, j);
        struct adit_str name = adit_name_in_line(line, j->arena, j->ok);
        bool lower = name.len && name.p[0] >= 'a' && name.p[0] <= 'z' &&
                     adit_str_chr(name, ' ', 0) < name.len;
        if (lower || !is_name_like(name) || judge(j, name, NAME_LEN) < SITE) continue;
        if (adit_meta_distance(tape, tape->leaves[i].item0, title) != ADIT_NOWHERE) return name;
    }
    return (struct adit_str){0};
}

/* "Written by Ann Lee" alone in a line, below the title and no farther than behind the text. */
static struct adit_str below_title(const struct adit_tape *tape, size_t title,
                                   const struct judge *j)
{
    size_t end = tape ? tape->n_leaves : 0, behind = 0;
    while (end > 0 && !tape->leaves[end - 1].keep) end--;
    for (size_t i = title; tape && i < tape->n_leaves && behind < NEAR_AFTER; i++) {
        struct adit_str line = tape->leaves[i].text;
        behind += i >= end;
        size_t lead = line.len <= LED_MAX ? adit_lead_len(line) : 0;
        if (!lead || adit_heading_level(tape->els[tape->leaves[i].el].tag)) continue;
        struct adit_str name = adit_name_in_line(line, j->arena, j->ok);
        if (!is_full_name(name) || judge(j, name, NAME_LEN) < NAME) continue;
        if (adit_meta_distance(tape, tape->leaves[i].item0, title) != ADIT_NOWHERE) return name;
    }
    return (struct adit_str){0};
}

/* --- names of the body ------------------------------------------------------------------------ */

/* The name of a source that is nearest to the title, of those that are (not) aside. */
static struct adit_str nearest(const struct adit_names *names, size_t source, bool from_aside,
                               const struct adit_tape *tape, size_t title)
{
    struct adit_str best = {0};
    uint32_t least = ADIT_NOWHERE;
    for (size_t i = 0; i < names->n; i++) {
        if (names->v[i].source != source) continue;
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
enum how { HEAD, CARD, BODY, BODY_ASIDE, NEAR, BELOW };
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
    {0, NEAR, true},
    {0, BELOW, true},
    {ADIT_AUTHOR_CLASS_NAME, BODY_ASIDE, true},
    {ADIT_AUTHOR_REL, BODY_ASIDE, true},
    {ADIT_AUTHOR_ITEMPROP, BODY_ASIDE, true},
    {ADIT_AUTHOR_CLASS, BODY_ASIDE, true},
};

static struct adit_str look(const struct place *p, const struct adit_meta_candidates *c,
                            const struct adit_tape *tape, size_t title, const struct judge *j)
{
    switch (p->how) {
    case CARD: return twitter(c);
    case HEAD: return c->author[p->source];
    case NEAR: return near_title(tape, title, c->names.dom, j);
    case BELOW: return below_title(tape, title, j);
    default: return nearest(&c->names, p->source, p->how == BODY_ASIDE, tape, title);
    }
}

/* "Ann Lee | Example News", "Ann Lee, head of news": what stands before the sign. */
static struct adit_str before_sign(struct adit_str s)
{
    size_t comma = adit_str_find(s, ADIT_STR(", "), 0);
    if (is_full_name(adit_str_sub(s, 0, comma)) && tells_role(adit_str_sub(s, comma, s.len)))
        s = adit_str_sub(s, 0, comma);
    static const struct adit_str signs[] = {ADIT_STR_INIT(" | "), ADIT_STR_INIT(" - "),
                                            ADIT_STR_INIT(" – "), ADIT_STR_INIT(" — "),
                                            ADIT_STR_INIT(" • ")};
    for (size_t i = 0; i < ADIT_COUNT(signs); i++)
        s = adit_str_sub(s, 0, adit_str_find(s, signs[i], 0));
    return s;
}

struct adit_str adit_meta_author(const struct adit_meta *m, struct adit_str url,
                                 const struct adit_tape *tape, size_t title,
                                 struct adit_arena *arena, bool *ok)
{
    struct judge j = {.site = adit_meta_letters(m->site_name, arena, ok),
                      .host = adit_meta_host(url),
                      .arena = arena,
                      .ok = ok};
    struct adit_str best = {0};
    enum verdict best_verdict = REFUSED;
    for (const struct place *p = places; p < places + ADIT_COUNT(places); p++) {
        if (p->weak && best_verdict > (p->how == BODY_ASIDE ? REFUSED : SITE)) break;
        bool line = p->how == BODY || p->how == BODY_ASIDE;
        struct adit_str s = adit_meta_squeeze(look(p, m->candidates, tape, title, &j), arena, ok);
        s = line ? adit_name_in_line(s, arena, ok) : before_sign(adit_without_lead(s));
        s = adit_without_site(s, j.host, j.site, arena, ok);
        enum verdict v = judge(&j, s, line ? NAME_LEN : LIST_MAX);
        if (line && !is_name_like(s)) v = REFUSED;
        if (v == NAME) return s;
        if (v > best_verdict) best = s, best_verdict = v;
    }
    return best;
}
