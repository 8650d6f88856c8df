/* The scorecards and the cut. */
#ifndef ADIT_SELECT_SCORE_IMPL_H
#define ADIT_SELECT_SCORE_IMPL_H

#include "select/features_impl.h"

/* A step: values above the threshold add delta. */
struct adit_step {
    int16_t threshold, delta;
};
/* Steps of one feature: [first, first + n) of the table; and the points that it usually gives. */
struct adit_steps {
    uint16_t first, n;
    int16_t usual;
};

enum {
    ADIT_LANES = 32
}; /* leaves scored per step: 32 int16 fill 4 SSE or 2 AVX2 registers; compilers vectorise it */

/* Sets scores to the points of the leaf features that are not shared; values[f * ADIT_LANES + lane]. */
void adit_score_leaves(const int16_t *values, int32_t scores[ADIT_LANES]);
/* Sets scores to the points of some leaf features. */
struct adit_some {
    const uint8_t *features;
    size_t n;
};
void adit_score_some(const int16_t *values, struct adit_some some, int32_t scores[ADIT_LANES]);
/* Points of one value. */
int32_t adit_points(size_t feature, int16_t value);
/* Points of the page's features, and the constant. */
int32_t adit_score_page(const int16_t *values);
/* Sets scores to the points of the context features, and their constant; values as above. */
void adit_score_context(const int16_t *values, int32_t scores[ADIT_LANES]);

/* --- features that leaves share (shares.c) ----------------------------------------------------- */

/* The points of what leaves share, by its number. */
struct adit_shares {
    const struct adit_facts *facts;
    int16_t *lanes;
    int32_t *classes, *paths, *sections, *records, *parents, *items;
    uint32_t *parent_of, *item_of;                /* an element: 1 + its number, or 0 */
    uint32_t *above;                              /* a parent: the item around it, or ADIT_NONE */
    int32_t far[ADIT_KINDS_OF_DISTANCE], all_far; /* of no ancestor of a kind, of any kind */
    uint32_t article, main;                       /* elements whose points are known */
    int32_t region;
};
/* Before the first leaf; arrays in the arena; lanes: as adit_features_leaf has them. false: no memory. */
bool adit_shares_begin(struct adit_shares *s, const struct adit_facts *f, int16_t *lanes,
                       struct adit_arena *arena);
/* The points of all features that leaf i shares with others. */
int32_t adit_shares_leaf(struct adit_shares *s, size_t i);

/* --- the cut ----------------------------------------------------------------------------------- */

enum { ADIT_BUCKETS = 256, ADIT_CUT_MIN = 94 /* odds of about 1 : 10 */ };

/* The bucket of a score: 16 units each, 128 begins at even odds. */
static inline uint8_t adit_bucket(int32_t score)
{
    int32_t b = (score + 2048) >> 4;
    return (uint8_t)(b < 0 ? 0 : b > ADIT_BUCKETS - 1 ? ADIT_BUCKETS - 1 : b);
}

/* How probable it is that a leaf of this bucket is content, in 1/1024. */
uint32_t adit_probability(uint8_t bucket);

/* The lowest bucket to keep, given how many words fall into each: the cut that makes the expected
 * F1 of the kept words greatest, within bounds. */
uint8_t adit_best_cut(const uint64_t words[ADIT_BUCKETS]);

#endif
