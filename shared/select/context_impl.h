/* What the scores of other leaves say about a leaf: the features of the second look. Means are by words, over what is seen. */
#ifndef ADIT_SELECT_CONTEXT_IMPL_H
#define ADIT_SELECT_CONTEXT_IMPL_H

#include "select/score_impl.h"

enum {
    ADIT_SCORE_MAX = 2047
}; /* scores are clamped here (8 logits), so that no leaf dominates a mean */

struct adit_tally {
    int64_t points; /* scores by words */
    int64_t words;
};

struct adit_context {
    const struct adit_facts *facts;
    int16_t *scores;                   /* of the first look, clamped */
    int64_t *points;                   /* tallies, as prefix sums over leaves */
    uint32_t *words;                   /* the same */
    int16_t *class_means, *path_means; /* mean scores of the leaf's groups */
    int32_t core;                      /* mean score of what is probably content */
    uint32_t box;    /* the element that holds most of what is probably content, and little else */
    uint8_t *to_box; /* an element: levels from the box up to the common ancestor */
    bool *lists;     /* an element: it is a list or a table, or below one */
    int64_t *right;  /* prefix sums over leaves: words that are probably content, times 1024 */
    uint8_t *since, *until; /* a leaf: leaves since the last and until the next probable content */
};

/* For the scores of the first look; in the arena. */
enum adit_code adit_context_build(struct adit_context *c, const struct adit_facts *f,
                                  const int32_t *scores, struct adit_arena *arena);
/* The context features of leaf i, value k at out[k * stride]. */
void adit_context_leaf(const struct adit_context *c, size_t i, int16_t *out, size_t stride);
/* Leaves of the same kind stay or go together: each gets the mean score of its kind. */
enum adit_code adit_even_out(const struct adit_facts *f, int32_t *scores, struct adit_arena *arena);

#endif
