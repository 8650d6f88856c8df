/* Class names that say: this is the author, this is a date. All words are found in one pass. */
#include "tape/tape.h"

enum { CLASS_MAX = 200, SHORTEST = 4 }; /* bytes of a class attribute, of a word */

/* Where a word counts: anywhere, or (whole) only if no letter continues it. */
enum { ANYWHERE, WHOLE };
/* Not a hint: the word is another one. */
enum { NO_AUTHOR = 128 };

struct word {
    struct adit_str word;
    uint8_t bits, where;
};

/* Class names are English wherever the page is from, but the words for an author are often not. A
 * list for each four letters that words begin with. */
static const struct word auth[] = {
    {ADIT_STR_INIT("author-name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("author_name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("authorname"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("author__name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("authoris"), NO_AUTHOR, ANYWHERE}, /* authorised, authorization, authority */
    {ADIT_STR_INIT("authorit"), NO_AUTHOR, ANYWHERE},
    {ADIT_STR_INIT("authoriz"), NO_AUTHOR, ANYWHERE},
    {ADIT_STR_INIT("author"), ADIT_HINT_AUTHOR, ANYWHERE},
};
static const struct word aute[] = {
    {ADIT_STR_INIT("auteur"), ADIT_HINT_AUTHOR, WHOLE},
    {ADIT_STR_INIT("auteurs"), ADIT_HINT_AUTHOR, WHOLE},
};
static const struct word auto_[] = {
    {ADIT_STR_INIT("autor"), ADIT_HINT_AUTHOR, WHOLE},
    {ADIT_STR_INIT("autore"), ADIT_HINT_AUTHOR, WHOLE},
    {ADIT_STR_INIT("autoren"), ADIT_HINT_AUTHOR, WHOLE},
    {ADIT_STR_INIT("autores"), ADIT_HINT_AUTHOR, WHOLE},
};
static const struct word byli[] = {
    {ADIT_STR_INIT("byline-name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("byline__name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("byline-author"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("byline"), ADIT_HINT_AUTHOR, ANYWHERE},
};
static const struct word cf_e[] = {{ADIT_STR_INIT("cf_email"), ADIT_HINT_MATH, ANYWHERE}};
static const struct word date[] = {{ADIT_STR_INIT("date"), ADIT_HINT_DATE, ANYWHERE}};
static const struct word emoj[] = {{ADIT_STR_INIT("emoji"), ADIT_HINT_EMOJI, ANYWHERE}};
static const struct word entr[] = {
    {ADIT_STR_INIT("entry-author"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE}};
static const struct word kate[] = {{ADIT_STR_INIT("katex"), ADIT_HINT_MATH, ANYWHERE}};
static const struct word late[] = {{ADIT_STR_INIT("latex"), ADIT_HINT_MATH, ANYWHERE}};
static const struct word math[] = {{ADIT_STR_INIT("math"), ADIT_HINT_MATH, ANYWHERE}};
static const struct word note[] = {{ADIT_STR_INIT("note"), ADIT_HINT_NOTE, ANYWHERE}};
static const struct word penu[] = {{ADIT_STR_INIT("penulis"), ADIT_HINT_AUTHOR, WHOLE}};
static const struct word post[] = {
    {ADIT_STR_INIT("post-author"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME, ANYWHERE},
    {ADIT_STR_INIT("posted"), ADIT_HINT_DATE, ANYWHERE},
};
static const struct word publ[] = {{ADIT_STR_INIT("publish"), ADIT_HINT_DATE, ANYWHERE}};
static const struct word smil[] = {{ADIT_STR_INIT("smiley"), ADIT_HINT_EMOJI, ANYWHERE}};
static const struct word time[] = {{ADIT_STR_INIT("timestamp"), ADIT_HINT_DATE, ANYWHERE}};
static const struct word user[] = {{ADIT_STR_INIT("username"), ADIT_HINT_AUTHOR, ANYWHERE}};
static const struct word writ[] = {{ADIT_STR_INIT("writer"), ADIT_HINT_AUTHOR, WHOLE}};
static const struct word yaza[] = {{ADIT_STR_INIT("yazar"), ADIT_HINT_AUTHOR, WHOLE}};

/* Four bytes as a number, letters in lower case (and some signs as others). */
#define FOLDED(a, b, c, d)                                                                  \
    (((uint32_t)(uint8_t)(a) | (uint32_t)(uint8_t)(b) << 8 | (uint32_t)(uint8_t)(c) << 16 | \
      (uint32_t)(uint8_t)(d) << 24) |                                                       \
     UINT32_C(0x20202020))
/* Where such a number is looked up. */
enum { SLOT_BITS = 10 };
#define SLOT(four) ((four) * UINT32_C(0x9E3779B1) >> (32 - SLOT_BITS))

/* The lists above, each with what its words begin with. */
#define LISTS(X)                 \
    X(auth, 'a', 'u', 't', 'h')  \
    X(aute, 'a', 'u', 't', 'e')  \
    X(auto_, 'a', 'u', 't', 'o') \
    X(byli, 'b', 'y', 'l', 'i')  \
    X(cf_e, 'c', 'f', '_', 'e')  \
    X(date, 'd', 'a', 't', 'e')  \
    X(emoj, 'e', 'm', 'o', 'j')  \
    X(entr, 'e', 'n', 't', 'r')  \
    X(kate, 'k', 'a', 't', 'e')  \
    X(late, 'l', 'a', 't', 'e')  \
    X(math, 'm', 'a', 't', 'h')  \
    X(note, 'n', 'o', 't', 'e')  \
    X(penu, 'p', 'e', 'n', 'u')  \
    X(post, 'p', 'o', 's', 't')  \
    X(publ, 'p', 'u', 'b', 'l')  \
    X(smil, 's', 'm', 'i', 'l')  \
    X(time, 't', 'i', 'm', 'e')  \
    X(user, 'u', 's', 'e', 'r')  \
    X(writ, 'w', 'r', 'i', 't')  \
    X(yaza, 'y', 'a', 'z', 'a')

enum {
    NO_LIST,
#define LIST_NUMBER(name, a, b, c, d) LIST_##name,
    LISTS(LIST_NUMBER)
#undef LIST_NUMBER
};

static const struct {
    uint32_t four;
    const struct word *words;
    size_t n;
} lists[] = {
#define LIST_ROW(name, a, b, c, d) [LIST_##name] = {FOLDED(a, b, c, d), name, ADIT_COUNT(name)},
    LISTS(LIST_ROW)
#undef LIST_ROW
};

/* The number of the list by its slot, of which no two lists have the same: one look-up a byte, and a
 * branch that is rarely taken. */
static const uint8_t list_of[1 << SLOT_BITS] = {
#define LIST_SLOT(name, a, b, c, d) [SLOT(FOLDED(a, b, c, d))] = LIST_##name,
    LISTS(LIST_SLOT)
#undef LIST_SLOT
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
        const char *p = class.p + i;
        uint32_t four = FOLDED(p[0], p[1], p[2], p[3]);
        uint8_t k = list_of[SLOT(four)];
        if (k && lists[k].four == four) bits |= hints_at(class, i, lists[k].words, lists[k].n);
    }
    if (class.len > CLASS_MAX) bits |= ADIT_HINT_LONG;
    if (bits & ADIT_HINT_AUTHOR && is_other(class, bits))
        bits &= (uint8_t)~(ADIT_HINT_AUTHOR | ADIT_HINT_NAME);
    return bits;
}
