/* Class names that say: this is the author, this is a date. All words are found in one pass. */
#include "page/meta_parts.h"

enum { CLASS_MAX = 200, SHORTEST = 4 }; /* bytes of a class attribute, of a word */

#define PAIR(a, b) (((unsigned)(a)&31) << 5 | ((unsigned)(b)&31))

/* Where a word counts: anywhere, or (whole) only if no letter continues it. */
enum { ANYWHERE, WHOLE };
/* Not hints of their own: the element speaks of somebody else than the page's author, of no author
 * at all, of the author only if it says that it holds the name. */
enum { SOMEBODY_ELSE = 128, NO_AUTHOR = 64, DOUBTFUL = 32 };

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
    {ADIT_STR_INIT("avtor"), ADIT_HINT_AUTHOR, WHOLE},
    {ADIT_STR_INIT("byline-name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("byline__name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("byline-author"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("byline"), ADIT_HINT_AUTHOR, ANYWHERE},
    {ADIT_STR_INIT("comment"), SOMEBODY_ELSE, ANYWHERE},
    {ADIT_STR_INIT("date"), ADIT_HINT_DATE, ANYWHERE},
    {ADIT_STR_INIT("entry-author"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("penulis"), ADIT_HINT_AUTHOR, WHOLE},
    {ADIT_STR_INIT("post-author"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("posted"), ADIT_HINT_DATE, ANYWHERE},
    {ADIT_STR_INIT("publish"), ADIT_HINT_DATE, ANYWHERE},
    {ADIT_STR_INIT("quote"), SOMEBODY_ELSE, ANYWHERE},
    {ADIT_STR_INIT("reply"), SOMEBODY_ELSE, ANYWHERE},
    {ADIT_STR_INIT("reporter"), ADIT_HINT_AUTHOR, WHOLE},
    {ADIT_STR_INIT("review"), SOMEBODY_ELSE, ANYWHERE},
    {ADIT_STR_INIT("tease"), SOMEBODY_ELSE, ANYWHERE},
    {ADIT_STR_INIT("testimonial"), SOMEBODY_ELSE, ANYWHERE},
    {ADIT_STR_INIT("timestamp"), ADIT_HINT_DATE, ANYWHERE},
    {ADIT_STR_INIT("tweet"), SOMEBODY_ELSE, ANYWHERE},
    {ADIT_STR_INIT("twitter"), DOUBTFUL, ANYWHERE},
    {ADIT_STR_INIT("verfasser"), ADIT_HINT_AUTHOR, WHOLE},
    {ADIT_STR_INIT("writer"), ADIT_HINT_AUTHOR, WHOLE},
    {ADIT_STR_INIT("yazar"), ADIT_HINT_AUTHOR, WHOLE},
};

/* The first two letters of the words above, five bits each: one look-up a byte. */
static const bool pairs[1024] = {
    [PAIR('a', 'u')] = true, [PAIR('a', 'v')] = true, [PAIR('b', 'y')] = true,
    [PAIR('c', 'o')] = true, [PAIR('d', 'a')] = true, [PAIR('e', 'n')] = true,
    [PAIR('p', 'e')] = true, [PAIR('p', 'o')] = true, [PAIR('p', 'u')] = true,
    [PAIR('q', 'u')] = true, [PAIR('r', 'e')] = true, [PAIR('t', 'e')] = true,
    [PAIR('t', 'i')] = true, [PAIR('t', 'w')] = true, [PAIR('v', 'e')] = true,
    [PAIR('w', 'r')] = true, [PAIR('y', 'a')] = true,
};

static uint8_t hints_at(struct adit_str class, size_t i)
{
    struct adit_str rest = adit_str_sub(class, i, class.len);
    bool inside = i > 0 && adit_is_alpha(class.p[i - 1]);
    uint8_t bits = 0;
    for (size_t k = 0; k < ADIT_COUNT(words); k++) {
        struct adit_str w = words[k].word;
        if (adit_lower(rest.p[0]) != w.p[0] || !adit_str_istarts(rest, w)) continue;
        bool letter = rest.len > w.len && rest.p[w.len] >= 'a' && rest.p[w.len] <= 'z';
        if (words[k].where == WHOLE && (letter || (inside && rest.p[0] >= 'a'))) continue;
        if (words[k].bits == NO_AUTHOR) return 0;
        bits |= words[k].bits;
    }
    return bits;
}

uint8_t adit_meta_hints(struct adit_str class)
{
    uint8_t bits = 0;
    size_t n = class.len < SHORTEST ? 0 : class.len - SHORTEST + 1; /* places to look at */
    if (n > CLASS_MAX) n = CLASS_MAX;
    for (size_t i = 0; i < n; i++)
        if (pairs[PAIR(class.p[i], class.p[i + 1])]) bits |= hints_at(class, i);
    bool named = bits & ADIT_HINT_NAME || !(bits & DOUBTFUL);
    return bits & SOMEBODY_ELSE || !named ? bits & ADIT_HINT_DATE : bits;
}
