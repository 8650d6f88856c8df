/* Class names that say: this is the author, this is a date. All words are found in one pass. */
#include "tape/tape.h"

enum { CLASS_MAX = 200, SHORTEST = 4 }; /* bytes of a class attribute, of a word */

#define PAIR(a, b) (((unsigned)(a) & 31) << 5 | ((unsigned)(b) & 31))

/* Where a word counts: anywhere, or (whole) only if no letter continues it. */
enum { ANYWHERE, WHOLE };
/* Not a hint: the word is another one. */
enum { NO_AUTHOR = 128 };

/* Class names are English wherever the page is from, but the words for an author are often not. */
static const struct {
    struct adit_str word;
    uint8_t bits, where;
} words[] = {
    {ADIT_STR_INIT("author-name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("author_name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("authorname"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("author__name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("authoris"), NO_AUTHOR, ANYWHERE}, /* authorised, authorization, authority */
    {ADIT_STR_INIT("authorit"), NO_AUTHOR, ANYWHERE},
    {ADIT_STR_INIT("authoriz"), NO_AUTHOR, ANYWHERE},
    {ADIT_STR_INIT("author"), ADIT_HINT_AUTHOR, ANYWHERE},
    {ADIT_STR_INIT("auteur"), ADIT_HINT_AUTHOR, WHOLE},
    {ADIT_STR_INIT("auteurs"), ADIT_HINT_AUTHOR, WHOLE},
    {ADIT_STR_INIT("autor"), ADIT_HINT_AUTHOR, WHOLE},
    {ADIT_STR_INIT("autore"), ADIT_HINT_AUTHOR, WHOLE},
    {ADIT_STR_INIT("autoren"), ADIT_HINT_AUTHOR, WHOLE},
    {ADIT_STR_INIT("autores"), ADIT_HINT_AUTHOR, WHOLE},
    {ADIT_STR_INIT("byline-name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("byline__name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("byline-author"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("byline"), ADIT_HINT_AUTHOR, ANYWHERE},
    {ADIT_STR_INIT("date"), ADIT_HINT_DATE, ANYWHERE},
    {ADIT_STR_INIT("entry-author"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("penulis"), ADIT_HINT_AUTHOR, WHOLE},
    {ADIT_STR_INIT("post-author"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("posted"), ADIT_HINT_DATE, ANYWHERE},
    {ADIT_STR_INIT("publish"), ADIT_HINT_DATE, ANYWHERE},
    {ADIT_STR_INIT("timestamp"), ADIT_HINT_DATE, ANYWHERE},
    {ADIT_STR_INIT("username"), ADIT_HINT_AUTHOR, ANYWHERE},
    {ADIT_STR_INIT("writer"), ADIT_HINT_AUTHOR, WHOLE},
    {ADIT_STR_INIT("katex"), ADIT_HINT_MATH, ANYWHERE},
    {ADIT_STR_INIT("latex"), ADIT_HINT_MATH, ANYWHERE},
    {ADIT_STR_INIT("math"), ADIT_HINT_MATH, ANYWHERE},
    {ADIT_STR_INIT("cf_email"), ADIT_HINT_MATH, ANYWHERE},
    {ADIT_STR_INIT("note"), ADIT_HINT_NOTE, ANYWHERE},
    {ADIT_STR_INIT("emoji"), ADIT_HINT_EMOJI, ANYWHERE},
    {ADIT_STR_INIT("smiley"), ADIT_HINT_EMOJI, ANYWHERE},
    {ADIT_STR_INIT("yazar"), ADIT_HINT_AUTHOR, WHOLE},
};

/* The third and fourth letters of the words above by their first two, five bits each: one look-up a
 * byte. Of several fourth letters none is told. */
static const char next[1024][2] = {
    [PAIR('a', 'u')] = {'t'},      [PAIR('b', 'y')] = {'l', 'i'}, [PAIR('d', 'a')] = {'t', 'e'},
    [PAIR('e', 'n')] = {'t', 'r'}, [PAIR('p', 'e')] = {'n', 'u'}, [PAIR('p', 'o')] = {'s', 't'},
    [PAIR('p', 'u')] = {'b', 'l'}, [PAIR('t', 'i')] = {'m', 'e'}, [PAIR('w', 'r')] = {'i', 't'},
    [PAIR('y', 'a')] = {'z', 'a'}, [PAIR('k', 'a')] = {'t', 'e'}, [PAIR('l', 'a')] = {'t', 'e'},
    [PAIR('m', 'a')] = {'t', 'h'}, [PAIR('c', 'f')] = {'_', 'e'}, [PAIR('u', 's')] = {'e', 'r'},
    [PAIR('n', 'o')] = {'t', 'e'}, [PAIR('e', 'm')] = {'o', 'j'}, [PAIR('s', 'm')] = {'i', 'l'},
};

/* Whether "note" at class.p[i] is a note beside or below the text. */
static bool is_beside(struct adit_str class, size_t i)
{
    static const struct adit_str places[] = {ADIT_STR_INIT("side"), ADIT_STR_INIT("margin"),
                                             ADIT_STR_INIT("foot"), ADIT_STR_INIT("end")};
    size_t end = i && class.p[i - 1] == '-' ? i - 1 : i;
    for (size_t k = 0; k < ADIT_COUNT(places); k++)
        if (end >= places[k].len &&
            adit_str_ieq(adit_str_sub(class, end - places[k].len, end), places[k]))
            return true;
    return false;
}

static uint8_t hints_at(struct adit_str class, size_t i)
{
    struct adit_str rest = adit_str_sub(class, i, class.len);
    bool inside = i > 0 && adit_is_alpha(class.p[i - 1]);
    unsigned pair = PAIR(rest.p[0], rest.p[1]);
    uint8_t bits = 0;
    for (size_t k = 0; k < ADIT_COUNT(words); k++) {
        struct adit_str w = words[k].word;
        if (PAIR(w.p[0], w.p[1]) != pair || !adit_str_istarts(rest, w)) continue;
        bool letter = rest.len > w.len && rest.p[w.len] >= 'a' && rest.p[w.len] <= 'z';
        if (words[k].where == WHOLE && (letter || (inside && rest.p[0] >= 'a'))) continue;
        if (words[k].bits == NO_AUTHOR) return 0;
        if (words[k].bits == ADIT_HINT_NOTE && !is_beside(class, i)) continue;
        bits |= words[k].bits;
    }
    return bits;
}

/* Whether a class that speaks of an author means somebody else than the page's; what is about the
 * author's accounts holds no name unless it says so. */
static bool is_other(struct adit_str class, uint8_t bits)
{
    static const struct adit_str others[] = {
        ADIT_STR_INIT("comment"), ADIT_STR_INIT("quote"), ADIT_STR_INIT("reply"),
        ADIT_STR_INIT("review"),  ADIT_STR_INIT("tease"), ADIT_STR_INIT("testimonial"),
        ADIT_STR_INIT("tweet"),
    };
    class = adit_str_sub(class, 0, CLASS_MAX);
    for (size_t i = 0; i < ADIT_COUNT(others); i++)
        if (adit_str_ifind(class, others[i], 0) < class.len) return true;
    return !(bits & ADIT_HINT_NAME) && adit_str_ifind(class, ADIT_STR("twitter"), 0) < class.len;
}

uint8_t adit_class_hints(struct adit_str class)
{
    uint8_t bits = 0;
    size_t n = class.len < SHORTEST ? 0 : class.len - SHORTEST + 1; /* places to look at */
    if (n > CLASS_MAX) n = CLASS_MAX;
    for (size_t i = 0; i < n; i++) {
        const char *c = next[PAIR(class.p[i], class.p[i + 1])];
        if (!c[0] || c[0] != adit_lower(class.p[i + 2])) continue;
        if (!c[1] || c[1] == adit_lower(class.p[i + 3])) bits |= hints_at(class, i);
    }
    if (class.len > CLASS_MAX) bits |= ADIT_HINT_LONG;
    if (bits & ADIT_HINT_AUTHOR && is_other(class, bits))
        bits &= (uint8_t)~(ADIT_HINT_AUTHOR | ADIT_HINT_NAME);
    return bits;
}
