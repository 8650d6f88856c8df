/* Words in class and id attributes that hint at what an element is for. They are evidence among
 * other evidence: the scorecard weighs them, no word decides alone. Internal to page/.
 */
#ifndef ADIT_CLASSWORDS_H
#define ADIT_CLASSWORDS_H

#include "base/base.h"

#define ADIT_CATEGORIES(X) \
    X(body)                \
    X(product)             \
    X(comment)             \
    X(nav)                 \
    X(foot)                \
    X(side)                \
    X(related)             \
    X(share)               \
    X(ad)                  \
    X(meta)                \
    X(caption)             \
    X(signup)              \
    X(modal)               \
    X(list)                \
    X(code)                \
    X(accordion)           \
    X(review)              \
    X(unseen)              \
    X(forum)               \
    X(article)

/* From forum on: asked about the whole page only. */
enum adit_category {
#define ADIT_CATEGORY_ENUM(name) ADIT_CAT_##name,
    ADIT_CATEGORIES(ADIT_CATEGORY_ENUM)
#undef ADIT_CATEGORY_ENUM
        ADIT_N_CATEGORIES,
    ADIT_N_SCORED_CATEGORIES = ADIT_CAT_forum
};

/* The word table indexed by the first three letters of the words, five bits a letter: whether any
 * begins so (a bit each), and which is the first (a hash table). */
enum { ADIT_CLASSWORDS_MAX = 255, ADIT_CLASSWORD_SLOTS = 512 };
struct adit_classwords {
    uint32_t begins[32 * 32 * 32 / 32];
    uint8_t first[ADIT_CLASSWORD_SLOTS]; /* 1 + the word; 0: none */
    uint16_t begin[ADIT_CLASSWORDS_MAX]; /* of each word */
};
void adit_classwords_init(struct adit_classwords *w);

/* Bit mask of the categories that the first 200 bytes of a class or id value hit. */
uint32_t adit_classwords_match(const struct adit_classwords *w, struct adit_str value);

#endif
