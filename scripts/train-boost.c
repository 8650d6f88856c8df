/* For scripts/train: boosted stumps with logistic loss, over features cut into at most 256 bins.
 * A sum of stumps is a scorecard. Built as a shared library. The same bytes come out on every
 * machine: all sums have a fixed order, nothing is contracted (-ffp-contract=off), and the only
 * function that libraries round differently, exp, stands here. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct boost {
    const uint8_t *bins; /* feature-major: bins[feature * rows + row] */
    const float *truth, *weight;
    const int8_t *sign; /* a feature: 1 if more of it can only add points, -1 only take, 0 either */
    int32_t rows, features, rounds;
    float rate, lambda, child_min, row_share, feature_share;
    uint64_t seed;
};

static uint32_t draw(uint64_t *s) /* xorshift */
{
    *s ^= *s << 13, *s ^= *s >> 7, *s ^= *s << 17;
    return (uint32_t)(*s >> 32);
}

/* e to the x, to some 7 digits: 2^n, where n is x / ln 2 rounded by adding 1.5 * 2^23, times the
 * power series of what is left. */
static float exp_of(float x)
{
    const float magic = 12582912.0f;
    x = x < -80 ? -80 : x > 80 ? 80 : x;
    float t = x * 1.44269504f + magic, n = t - magic;
    float r = x - n * 0.693145752f - n * 1.42860677e-6f;
    float p =
        1 + r * (1 + r * (0.5f + r * (0.16666667f + r * (0.041666668f + r * (0.0083333333f +
                                                                             r * 0.0013888889f)))));
    uint32_t power, bits;
    memcpy(&power, &t, sizeof power), memcpy(&bits, &p, sizeof bits);
    bits += power << 23;
    memcpy(&p, &bits, sizeof p);
    return p;
}

struct split {
    double gain;
    int32_t feature, bin;
    float left, right;
};

/* What a leaf of the tree would be made of: sums of gradients and of their slopes. */
struct sums {
    float g, h;
};

static void try_feature(const struct boost *b, const uint8_t *bins, int n, int f,
                        const struct sums *row, double all_g, double all_h, struct split *best)
{
    struct sums even[256] = {0}, odd[256] = {0}; /* two, so that equal bins do not wait */
    double left_g = 0, left_h = 0, l = b->lambda;
    for (int k = 0; k + 1 < n; k += 2) {
        struct sums *e = &even[bins[k]], *o = &odd[bins[k + 1]];
        e->g += row[k].g, e->h += row[k].h;
        o->g += row[k + 1].g, o->h += row[k + 1].h;
    }
    if (n % 2) even[bins[n - 1]].g += row[n - 1].g, even[bins[n - 1]].h += row[n - 1].h;
    for (int bin = 0; bin < 255; bin++) {
        double g = (double)even[bin].g + odd[bin].g, h = (double)even[bin].h + odd[bin].h;
        if (h == 0) continue;
        left_g += g, left_h += h;
        double right_g = all_g - left_g, right_h = all_h - left_h;
        if (left_h < b->child_min || right_h < b->child_min) continue;
        double gain = left_g * left_g / (left_h + l) + right_g * right_g / (right_h + l) -
                      all_g * all_g / (all_h + l);
        double rise = left_g / (left_h + l) - right_g / (right_h + l);
        if (gain > best->gain && rise * b->sign[f] >= 0)
            *best = (struct split){gain, f, bin, (float)(-b->rate * left_g / (left_h + l)),
                                   (float)(-b->rate * right_g / (right_h + l))};
    }
}

/* The rows with a weight, their bins beside each other. */
struct table {
    int n;
    uint8_t *bins;
    float *z, *p, *weight, *truth;
    struct sums *row;
};

static int gather(const struct boost *b, struct table *t)
{
    size_t rows = (size_t)b->rows, features = (size_t)b->features;
    int *row = malloc(rows * sizeof *row);
    if (!row) return -1;
    t->n = 0;
    for (int i = 0; i < b->rows; i++)
        if (b->weight[i] > 0) row[t->n++] = i;
    size_t n = (size_t)t->n;
    t->bins = malloc(n * features + 1);
    t->z = calloc(4 * n + 1, sizeof *t->z);
    t->row = malloc(n * sizeof *t->row + 1);
    if (!t->bins || !t->z || !t->row) return -1;
    t->p = t->z + n, t->weight = t->p + n, t->truth = t->weight + n;
    for (size_t f = 0; f < features; f++)
        for (size_t k = 0; k < n; k++) t->bins[f * n + k] = b->bins[f * rows + (size_t)row[k]];
    for (size_t k = 0; k < n; k++) t->weight[k] = b->weight[row[k]], t->truth[k] = b->truth[row[k]];
    free(row);
    return 0;
}

/* Learns from the rows with a weight. Each round gives feature (-1: none), bin, and the points of
 * rows up to the bin and above it. */
int boost(const struct boost *b, int32_t *feature, int32_t *bin, float *left, float *right)
{
    struct table t;
    if (gather(b, &t)) return -1;
    int n = t.n;
    uint64_t random = b->seed * 2654435761u + 88172645463325252u;
    uint32_t row_limit = (uint32_t)(b->row_share * 4294967040.0f);
    uint32_t feature_limit = (uint32_t)(b->feature_share * 4294967040.0f);
    for (int r = 0; r < b->rounds; r++) {
        double all_g = 0, all_h = 0;
        for (int k = 0; k < n; k++) t.p[k] = 1 / (1 + exp_of(-t.z[k]));
        for (int k = 0; k < n; k++) {
            float p = t.p[k], w = draw(&random) < row_limit ? t.weight[k] : 0;
            t.row[k] = (struct sums){w * (p - t.truth[k]), w * p * (1 - p)};
            all_g += t.row[k].g, all_h += t.row[k].h;
        }
        struct split best = {.gain = 0, .feature = -1};
        for (int f = 0; f < b->features; f++)
            if (draw(&random) < feature_limit)
                try_feature(b, t.bins + (size_t)f * (size_t)n, n, f, t.row, all_g, all_h, &best);
        feature[r] = best.feature, bin[r] = best.bin, left[r] = best.left, right[r] = best.right;
        if (best.feature < 0) continue;
        const uint8_t *x = t.bins + (size_t)best.feature * (size_t)n;
        for (int k = 0; k < n; k++) t.z[k] += x[k] <= best.bin ? best.left : best.right;
    }
    free(t.bins), free(t.z), free(t.row);
    return 0;
}
