/* Class names that say: this is the author, this is a date. All words are found in one pass. */
#include "page/meta_parts.h"

enum { CLASS_MAX = 200, SHORTEST = 4 }; /* bytes of a class attribute, of a word */

#define PAIR(a, b) (((unsigned)(a)&31) << 5 | ((unsigned)(b)&31))

uint8_t adit_meta_hints(struct adit_str class)
{
    static const struct {
        struct adit_str word;
        uint8_t bits;
    } words[] = {
        {ADIT_STR_INIT("author-name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME},
        {ADIT_STR_INIT("author_name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME},
        {ADIT_STR_INIT("authorname"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME},
        {ADIT_STR_INIT("author__name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME},
        {ADIT_STR_INIT("author"), ADIT_HINT_AUTHOR},
        {ADIT_STR_INIT("byline-name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME},
        {ADIT_STR_INIT("byline__name"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME},
        {ADIT_STR_INIT("byline-author"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME},
        {ADIT_STR_INIT("byline"), ADIT_HINT_AUTHOR},
        {ADIT_STR_INIT("post-author"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME},
        {ADIT_STR_INIT("posted"), ADIT_HINT_DATE},
        {ADIT_STR_INIT("publish"), ADIT_HINT_DATE},
        {ADIT_STR_INIT("entry-author"), ADIT_HINT_AUTHOR | ADIT_HINT_NAME},
        {ADIT_STR_INIT("date"), ADIT_HINT_DATE},
        {ADIT_STR_INIT("timestamp"), ADIT_HINT_DATE},
    };
    /* The first two letters of the words above, five bits each: one look-up a byte. */
    static const bool pairs[1024] = {
        [PAIR('a', 'u')] = true, [PAIR('b', 'y')] = true, [PAIR('d', 'a')] = true,
        [PAIR('e', 'n')] = true, [PAIR('p', 'o')] = true, [PAIR('p', 'u')] = true,
        [PAIR('t', 'i')] = true,
    };
    uint8_t bits = 0;
    size_t n = class.len < SHORTEST ? 0 : class.len - SHORTEST + 1; /* places to look at */
    if (n > CLASS_MAX) n = CLASS_MAX;
    for (size_t i = 0; i < n; i++) {
        if (!pairs[PAIR(class.p[i], class.p[i + 1])]) continue;
        struct adit_str rest = adit_str_sub(class, i, class.len);
        for (size_t k = 0; k < ADIT_COUNT(words); k++)
            if (adit_lower(rest.p[0]) == words[k].word.p[0] &&
                adit_str_istarts(rest, words[k].word))
                bits |= words[k].bits;
    }
    return bits;
}
