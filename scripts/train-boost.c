/* For scripts/train: boosted stumps with logistic loss, over features cut into at most 256 bins.
 * A sum of stumps is a scorecard. Built as a shared library. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

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

struct split {
    double gain;
    int32_t feature, bin;
    float left, right;
};

static void try_feature(const struct boost *b, const uint8_t *bins, int n, int f, const float *g,
                        const float *h, double all_g, double all_h, struct split *best)
{
    float bin_g[256] = {0}, bin_h[256] = {0};
    double left_g = 0, left_h = 0, l = b->lambda;
    for (int k = 0; k < n; k++) bin_g[bins[k]] += g[k], bin_h[bins[k]] += h[k];
    for (int bin = 0; bin < 255; bin++) {
        if (bin_h[bin] == 0) continue;
        left_g += bin_g[bin], left_h += bin_h[bin];
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

/* Learns from the rows with a weight. Each round gives feature (-1: none), bin, and the points of
 * rows up to the bin and above it. */
int boost(const struct boost *b, int32_t *feature, int32_t *bin, float *left, float *right)
{
    int n = 0;
    size_t rows = (size_t)b->rows, features = (size_t)b->features;
    int *row = malloc(rows * sizeof *row);
    for (int i = 0; i < b->rows; i++)
        if (b->weight[i] > 0) row[n++] = i;
    uint8_t *bins = malloc((size_t)n * features);
    float *z = calloc((size_t)n, sizeof *z), *g = malloc((size_t)n * sizeof *g),
          *h = malloc((size_t)n * sizeof *h);
    if (!row || !bins || !z || !g || !h) return -1;
    for (size_t f = 0; f < features; f++)
        for (int k = 0; k < n; k++)
            bins[f * (size_t)n + (size_t)k] = b->bins[f * rows + (size_t)row[k]];
    uint64_t random = b->seed * 2654435761u + 88172645463325252u;
    uint32_t row_limit = (uint32_t)(b->row_share * 4294967040.0f);
    uint32_t feature_limit = (uint32_t)(b->feature_share * 4294967040.0f);
    for (int r = 0; r < b->rounds; r++) {
        double all_g = 0, all_h = 0;
        for (int k = 0; k < n; k++) {
            float p = 1 / (1 + expf(-z[k])), w = draw(&random) < row_limit ? b->weight[row[k]] : 0;
            g[k] = w * (p - b->truth[row[k]]), h[k] = w * p * (1 - p);
            all_g += g[k], all_h += h[k];
        }
        struct split best = {.gain = 0, .feature = -1};
        for (int f = 0; f < b->features; f++)
            if (draw(&random) < feature_limit)
                try_feature(b, bins + (size_t)f * (size_t)n, n, f, g, h, all_g, all_h, &best);
        feature[r] = best.feature, bin[r] = best.bin, left[r] = best.left, right[r] = best.right;
        if (best.feature < 0) continue;
        const uint8_t *x = bins + (size_t)best.feature * (size_t)n;
        for (int k = 0; k < n; k++) z[k] += x[k] <= best.bin ? best.left : best.right;
    }
    free(row), free(bins), free(z), free(g), free(h);
    return 0;
}
