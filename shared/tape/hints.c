/* Class names that say: this is the author, this is a date. All words are found in one pass. */
#include "tape/tape.h"

enum { CLASS_MAX = 200, SHORTEST = 4 }; /* bytes of a class attribute, of a word */

#define PAIR(a, b) (((unsigned)(a) & 31) << 5 | ((unsigned)(b) & 31))

/* Where a word counts: anywhere, or (whole) only if no letter continues it. */
enum { ANYWHERE, WHOLE };
/* Not a hint: the word is another one. */
enum { NO_AUTHOR = 128 };

struct word {
    struct adit_str word;
    uint8_t bits, where;
};

/* Class names are English wherever the page is from, but the words for an author are often not. A
 * list for each two letters that words begin with. */
static const struct word au[] = {
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
};
static const struct word by[] = {
    {ADIT_STR_INIT("byline-name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("byline__name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("byline-author"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("byline"), ADIT_HINT_AUTHOR, ANYWHERE},
};
static const struct word cf[] = {{ADIT_STR_INIT("cf_email"), ADIT_HINT_MATH, ANYWHERE}};
static const struct word da[] = {{ADIT_STR_INIT("date"), ADIT_HINT_DATE, ANYWHERE}};
static const struct word em[] = {{ADIT_STR_INIT("emoji"), ADIT_HINT_EMOJI, ANYWHERE}};
static const struct word en[] = {
    {ADIT_STR_INIT("entry-author"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE}};
static const struct word ka[] = {{ADIT_STR_INIT("katex"), ADIT_HINT_MATH, ANYWHERE}};
static const struct word la[] = {{ADIT_STR_INIT("latex"), ADIT_HINT_MATH, ANYWHERE}};
static const struct word ma[] = {{ADIT_STR_INIT("math"), ADIT_HINT_MATH, ANYWHERE}};
static const struct word no[] = {{ADIT_STR_INIT("note"), ADIT_HINT_NOTE, ANYWHERE}};
static const struct word pe[] = {{ADIT_STR_INIT("penulis"), ADIT_HINT_AUTHOR, WHOLE}};
static const struct word po[] = {
    {ADIT_STR_INIT("post-author"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("posted"), ADIT_HINT_DATE, ANYWHERE},
};
static const struct word pu[] = {{ADIT_STR_INIT("publish"), ADIT_HINT_DATE, ANYWHERE}};
static const struct word sm[] = {{ADIT_STR_INIT("smiley"), ADIT_HINT_EMOJI, ANYWHERE}};
static const struct word ti[] = {{ADIT_STR_INIT("timestamp"), ADIT_HINT_DATE, ANYWHERE}};
static const struct word us[] = {{ADIT_STR_INIT("username"), ADIT_HINT_AUTHOR, ANYWHERE}};
static const struct word wr[] = {{ADIT_STR_INIT("writer"), ADIT_HINT_AUTHOR, WHOLE}};
static const struct word ya[] = {{ADIT_STR_INIT("yazar"), ADIT_HINT_AUTHOR, WHOLE}};

/* The lists above behind an empty one, and the fourth letters of their words; of several none is told.
 */
#define LIST(name) name, ADIT_COUNT(name)
static const struct {
    char fourth;
    const struct word *words;
    size_t n;
} lists[] = {
    {0},
    {0, LIST(au)},
    {'i', LIST(by)},
    {'e', LIST(cf)},
    {'e', LIST(da)},
    {'j', LIST(em)},
    {'r', LIST(en)},
    {'e', LIST(ka)},
    {'e', LIST(la)},
    {'h', LIST(ma)},
    {'e', LIST(no)},
    {'u', LIST(pe)},
    {'t', LIST(po)},
    {'l', LIST(pu)},
    {'l', LIST(sm)},
    {'e', LIST(ti)},
    {'r', LIST(us)},
    {'t', LIST(wr)},
    {'a', LIST(ya)},
};

/* The third letters of the lists' words, with the bit that makes letters small. */
static const char thirds[] = {0,   't', 'l', '_' | 0x20, 't', 'o', 't', 't', 't', 't',
                              't', 'n', 's', 'b',        'i', 'm', 'e', 'i', 'z'};

/* The number of the list of two letters, five bits each: two look-ups a byte, and a branch that is
 * rarely taken. */
static const uint8_t list_of[1024] = {
    [PAIR('a', 'u')] = 1,  [PAIR('b', 'y')] = 2,  [PAIR('c', 'f')] = 3,  [PAIR('d', 'a')] = 4,
    [PAIR('e', 'm')] = 5,  [PAIR('e', 'n')] = 6,  [PAIR('k', 'a')] = 7,  [PAIR('l', 'a')] = 8,
    [PAIR('m', 'a')] = 9,  [PAIR('n', 'o')] = 10, [PAIR('p', 'e')] = 11, [PAIR('p', 'o')] = 12,
    [PAIR('p', 'u')] = 13, [PAIR('s', 'm')] = 14, [PAIR('t', 'i')] = 15, [PAIR('u', 's')] = 16,
    [PAIR('w', 'r')] = 17, [PAIR('y', 'a')] = 18,
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

/* What the words of a list say that stand at class.p[i]. */
static uint8_t hints_at(struct adit_str class, size_t i, const struct word *words, size_t n)
{
    struct adit_str rest = adit_str_sub(class, i, class.len);
    bool inside = i > 0 && adit_is_alpha(class.p[i - 1]);
    uint8_t bits = 0;
    for (size_t k = 0; k < n; k++) {
        struct adit_str w = words[k].word;
        if (!adit_str_istarts(rest, w)) continue;
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
        uint8_t k = list_of[PAIR(class.p[i], class.p[i + 1])];
        if (thirds[k] != (char)(class.p[i + 2] | 0x20)) continue;
        if (!lists[k].fourth || lists[k].fourth == adit_lower(class.p[i + 3]))
            bits |= hints_at(class, i, lists[k].words, lists[k].n);
    }
    if (class.len > CLASS_MAX) bits |= ADIT_HINT_LONG;
    if (bits & ADIT_HINT_AUTHOR && is_other(class, bits))
        bits &= (uint8_t)~(ADIT_HINT_AUTHOR | ADIT_HINT_NAME);
    return bits;
}
