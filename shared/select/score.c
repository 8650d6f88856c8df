/* Adding up the scorecards, and choosing the cut. Integers only: the same on every machine. */
#include "select/score_impl.h"
#include "select/weights_impl.h"

#include <string.h>

const size_t adit_n_features = ADIT_N_FEATURES;
const size_t adit_own_feature = ADIT_F_z_own;

static const struct adit_feature_row rows[ADIT_N_FEATURES] = {
#define GIVES  1
#define TAKES  (-1)
#define EITHER 0
#define ROW(name, label, group, direction, does) \
    [ADIT_F_##name] = {#name, label, #group, does, direction},
    ADIT_LEAF_FEATURES(ROW) ADIT_PAGE_FEATURES(ROW) ADIT_CONTEXT_FEATURES(ROW)
#undef ROW
};

const struct adit_feature_row *adit_feature_row(size_t feature) { return &rows[feature]; }

int32_t adit_points(size_t feature, int16_t value)
{
    int32_t points = 0;
    const struct adit_step *step = &adit_step_table[adit_steps[feature].first];
    const struct adit_step *end = step + adit_steps[feature].n;
    for (; step < end && step->threshold < value; step++) points += step->delta;
    return points;
}

int32_t adit_feature_points(size_t feature, int16_t value)
{
    return adit_points(feature, value) - adit_steps[feature].usual;
}

int32_t adit_score_page(const int16_t *values)
{
    int32_t score = ADIT_SCORE_BASE;
    for (size_t k = ADIT_N_LEAF_FEATURES; k < ADIT_N_FIRST_FEATURES; k++)
        score += adit_points(k, values[k - ADIT_N_LEAF_FEATURES]);
    return score;
}

/* Without a branch or a load under a condition, compilers make vectors of these two. */
static void add_step(int16_t *restrict sums, const int16_t *restrict values, struct adit_step step)
{
    for (size_t i = 0; i < ADIT_LANES; i++)
        sums[i] = (int16_t)(sums[i] + (-(values[i] > step.threshold) & step.delta));
}

static bool are_equal(const int16_t *values)
{
    uint64_t first, word, differ = 0;
    memcpy(&first, values, sizeof first);
    for (size_t i = 4; i < ADIT_LANES; i += 4) {
        memcpy(&word, values + i, sizeof word);
        differ |= word ^ first;
    }
    return !(differ | (first ^ (first >> 16 | first << 48)));
}

static void find_range(const int16_t *values, int16_t *least, int16_t *most)
{
    int16_t low = values[0], high = values[0];
    *least = *most = low;
    if (are_equal(values)) return;
    for (size_t i = 1; i < ADIT_LANES; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    *least = low, *most = high;
}

/* Sums of points under way: of each lane, and of all lanes at once. */
struct sums {
    int16_t lanes[ADIT_LANES]; /* the script that learns checks that they cannot overflow */
    int32_t all;
};

/* Neighbouring leaves are much alike: a step below the least value of the lanes is taken by all of
 * them at once, one from the greatest on by none. */
static inline void add_feature(struct sums *sums, const int16_t *values, size_t f)
{
    int16_t least, most;
    const struct adit_step *step = &adit_step_table[adit_steps[f].first];
    const struct adit_step *last = step + adit_steps[f].n;
    find_range(values, &least, &most);
    for (; step < last && step->threshold < least; step++) sums->all += step->delta;
    for (; step < last && step->threshold < most; step++) add_step(sums->lanes, values, *step);
}

static void put_sums(const struct sums *sums, int32_t base, int32_t scores[ADIT_LANES])
{
    for (size_t i = 0; i < ADIT_LANES; i++) scores[i] = base + sums->all + sums->lanes[i];
}

void adit_score_leaves(const int16_t *values, int32_t scores[ADIT_LANES])
{
    struct sums sums = {{0}, 0};
    for (size_t f = 0; f < ADIT_N_LEAF_FEATURES; f++)
        if (!adit_is_shared[f]) add_feature(&sums, values + f * (size_t)ADIT_LANES, f);
    put_sums(&sums, 0, scores);
}

void adit_score_some(const int16_t *values, struct adit_some some, int32_t scores[ADIT_LANES])
{
    struct sums sums = {{0}, 0};
    for (size_t k = 0; k < some.n; k++)
        add_feature(&sums, values + some.features[k] * (size_t)ADIT_LANES, some.features[k]);
    put_sums(&sums, 0, scores);
}

void adit_score_context(const int16_t *values, int32_t scores[ADIT_LANES])
{
    struct sums sums = {{0}, 0};
    for (size_t f = ADIT_N_FIRST_FEATURES; f < ADIT_N_FEATURES; f++, values += ADIT_LANES)
        add_feature(&sums, values, f);
    put_sums(&sums, ADIT_CONTEXT_BASE, scores);
}

/* 1024 / (1 + exp(-z)) at the middle of each bucket, z in logits. */
static const uint16_t probability[ADIT_BUCKETS] = {
    0,    0,    0,    0,    0,    0,    1,    1,    1,    1,    1,    1,    1,    1,    1,    1,
    1,    1,    1,    1,    1,    1,    1,    1,    2,    2,    2,    2,    2,    2,    2,    2,
    3,    3,    3,    3,    3,    4,    4,    4,    4,    5,    5,    5,    6,    6,    6,    7,
    7,    8,    8,    9,    9,    10,   10,   11,   12,   12,   13,   14,   15,   16,   17,   18,
    19,   20,   21,   23,   24,   26,   27,   29,   31,   33,   35,   37,   39,   42,   44,   47,
    50,   53,   56,   60,   63,   67,   71,   75,   80,   85,   90,   95,   100,  106,  112,  119,
    125,  133,  140,  148,  156,  164,  173,  182,  192,  202,  212,  223,  234,  245,  257,  269,
    282,  295,  308,  322,  336,  350,  364,  379,  394,  409,  425,  440,  456,  472,  488,  504,
    520,  536,  552,  568,  584,  599,  615,  630,  645,  660,  674,  688,  702,  716,  729,  742,
    755,  767,  779,  790,  801,  812,  822,  832,  842,  851,  860,  868,  876,  884,  891,  899,
    905,  912,  918,  924,  929,  934,  939,  944,  949,  953,  957,  961,  964,  968,  971,  974,
    977,  980,  982,  985,  987,  989,  991,  993,  995,  997,  998,  1000, 1001, 1003, 1004, 1005,
    1006, 1007, 1008, 1009, 1010, 1011, 1012, 1012, 1013, 1014, 1014, 1015, 1015, 1016, 1016, 1017,
    1017, 1018, 1018, 1018, 1019, 1019, 1019, 1020, 1020, 1020, 1020, 1021, 1021, 1021, 1021, 1021,
    1022, 1022, 1022, 1022, 1022, 1022, 1022, 1022, 1023, 1023, 1023, 1023, 1023, 1023, 1023, 1023,
    1023, 1023, 1023, 1023, 1023, 1023, 1023, 1023, 1023, 1023, 1024, 1024, 1024, 1024, 1024, 1024,
};

uint32_t adit_probability(uint8_t bucket) { return probability[bucket]; }

/* Keeping all words at or above bucket k, of which sum(w * p) are expected to be right, gives an
 * expected F1 of 2 sum(w p) / (sum(w) + all w p). Never above even odds, never below ADIT_CUT_MIN.
 */
enum { CUT_MAX = 128 };

uint8_t adit_best_cut(const uint64_t words[ADIT_BUCKETS])
{
    uint64_t all = 0, kept = 0, right = 0, best_num = 0, best_den = 1;
    int best = ADIT_BUCKETS - 1;
    for (int k = 0; k < ADIT_BUCKETS; k++) all += words[k] * probability[k];
    for (int k = ADIT_BUCKETS - 1; k >= 0; k--) {
        if (!words[k]) continue;
        kept += words[k], right += words[k] * probability[k];
        uint64_t den = 1024 * kept + all;
        if (right * best_den > best_num * den) best_num = right, best_den = den, best = k;
    }
    return (uint8_t)(best < ADIT_CUT_MIN ? ADIT_CUT_MIN : best > CUT_MAX ? CUT_MAX : best);
}
