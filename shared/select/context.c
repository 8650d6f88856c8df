/* The second look at a leaf: what its score is worth beside the scores of its kin. Leaves of the
 * same kind belong together, whatever each of them looks like alone. */
#include "select/context_impl.h"

#include <string.h>

enum {
    NEAR = 3,      /* leaves on each side */
    WORDS_MAX = 40 /* a leaf counts no more: one long listing is not most of its kin */
};

static int32_t clamp(int32_t score)
{
    return score > ADIT_SCORE_MAX    ? ADIT_SCORE_MAX
           : score < -ADIT_SCORE_MAX ? -ADIT_SCORE_MAX
                                     : score;
}

static void add(struct adit_tally *t, uint32_t words, int32_t score)
{
    t->words += words, t->points += (int64_t)score * words;
}

/* The mean score of a tally; what is hidden has no kin. */
static int32_t mean(struct adit_tally t, int32_t own)
{
    return t.words ? (int32_t)(t.points / t.words) : own;
}

/* The mean score of the page's content, as far as the scores know it. */
static int32_t core_of(const struct adit_context *c, const struct adit_facts *f)
{
    int64_t points = 0, right = 0;
    for (size_t i = 0; i < f->tape->n_leaves; i++) {
        int32_t z = clamp(c->scores[i]);
        int64_t p =
            (int64_t)adit_probability(adit_bucket(z)) * (c->sums[i + 1].words - c->sums[i].words);
        points += p * z, right += p;
    }
    return right ? (int32_t)(points / right) : 0;
}

/* The box: the element whose leaves, if it were kept whole, would bring most right words beyond the
 * wrong ones. */
static bool find_box(struct adit_context *c, const struct adit_facts *f, struct adit_arena *arena)
{
    enum { EVEN = 512 }; /* of 1024 */
    const struct adit_tape *t = f->tape;
    struct adit_arena_mark mark = adit_arena_mark(arena);
    int64_t *gain = adit_arena_zalloc(arena, t->n_leaves + 1, sizeof *gain), most = INT64_MIN;
    if (!gain) return false;
    for (size_t i = 0; i < t->n_leaves; i++) {
        int64_t p = (int64_t)adit_probability(adit_bucket(clamp(c->scores[i]))) - EVEN;
        gain[i + 1] = gain[i] + p * (c->sums[i + 1].words - c->sums[i].words);
    }
    for (uint32_t e = 0; e < t->n_els; e++) {
        int64_t g = gain[t->els[e].leaf1] - gain[t->els[e].leaf0];
        if (g >= most) most = g, c->box = e;
    }
    adit_arena_release(arena, mark);
    c->to_box = adit_arena_alloc(arena, t->n_els);
    if (!c->to_box) return false;
    memset(c->to_box, ADIT_UNKNOWN, t->n_els);
    uint8_t d = 0;
    for (uint32_t e = c->box; e != ADIT_NONE; e = t->els[e].parent) {
        c->to_box[e] = d;
        d = (uint8_t)(d + (d < ADIT_FAR));
    }
    for (uint32_t e = 1; e < t->n_els; e++)
        if (c->to_box[e] == ADIT_UNKNOWN) c->to_box[e] = c->to_box[t->els[e].parent];
    return true;
}

/* What leaf i weighs among its kin. */
static uint32_t weight_of(const struct adit_facts *f, size_t i)
{
    uint32_t words = adit_leaf_weight(&f->leaves[i]);
    if (adit_leaf_unseen(&f->tape->leaves[i])) return 0;
    return words < WORDS_MAX ? words : WORDS_MAX;
}

enum adit_code adit_context_build(struct adit_context *c, const struct adit_facts *f,
                                  const int32_t *scores, struct adit_arena *arena)
{
    size_t n = f->tape->n_leaves;
    c->facts = f;
    c->scores = scores;
    c->sums = adit_arena_alloc(arena, (n + 1) * sizeof *c->sums);
    c->classes = adit_arena_zalloc(arena, f->n_class_groups + f->n_path_groups, sizeof *c->classes);
    if (!c->sums || !c->classes) return ADIT_ENOMEM;
    c->paths = c->classes + f->n_class_groups;
    c->sums[0] = (struct adit_tally){0};
    for (size_t i = 0; i < n; i++) {
        int32_t z = clamp(scores[i]);
        uint32_t words = weight_of(f, i);
        c->sums[i + 1] = c->sums[i];
        add(&c->sums[i + 1], words, z);
        add(&c->classes[f->class_group[i]], words, z);
        add(&c->paths[f->path_group[i]], words, z);
    }
    c->core = core_of(c, f);
    return find_box(c, f, arena) ? ADIT_OK : ADIT_ENOMEM;
}

static struct adit_tally between(const struct adit_context *c, size_t a, size_t z)
{
    return (struct adit_tally){c->sums[z].points - c->sums[a].points,
                               c->sums[z].words - c->sums[a].words};
}

void adit_context_leaf(const struct adit_context *c, size_t i, int16_t *out, size_t stride)
{
    const struct adit_facts *f = c->facts;
    const struct adit_el *els = f->tape->els;
    size_t n = f->tape->n_leaves;
    int32_t own = clamp(c->scores[i]);
    uint32_t up = f->tape->leaves[i].el;
    struct adit_tally above[3];
    for (int k = 0; k < 6; k++) {
        if (els[up].parent != ADIT_NONE) up = els[up].parent;
        above[k / 2] = between(c, els[up].leaf0, els[up].leaf1);
    }
#define SET(name, value) out[(ADIT_F_##name - ADIT_F_z_own) * stride] = (int16_t)(value)
    SET(z_own, own);
    SET(z_class, mean(c->classes[f->class_group[i]], own));
    SET(z_path, mean(c->paths[f->path_group[i]], own));
    SET(z_near, mean(between(c, i > NEAR ? i - NEAR : 0, i + NEAR < n ? i + NEAR + 1 : n), own));
    SET(z_up2, mean(above[0], own));
    SET(z_up4, mean(above[1], own));
    SET(z_core, own - c->core);
    const struct adit_section *s = &f->sections[f->section_of[i]];
    const struct adit_el *box = &els[c->box];
    SET(z_prev, mean(between(c, i ? i - 1 : 0, i), own));
    SET(z_next, mean(between(c, i + 1, i + 2 <= n ? i + 2 : n), own));
    SET(z_sec, mean(between(c, s->begin, s->end), own));
    SET(z_up6, mean(above[2], own));
    SET(z_box, c->to_box[f->tape->leaves[i].el]);
    SET(z_side, i < box->leaf0    ? -(int64_t)(box->leaf0 - i < 99 ? box->leaf0 - i : 99)
                : i >= box->leaf1 ? (int64_t)(i - box->leaf1 < 99 ? i - box->leaf1 + 1 : 99)
                                  : 0);
#undef SET
}

enum adit_code adit_even_out(const struct adit_facts *f, int32_t *scores, struct adit_arena *arena)
{
    struct adit_tally *classes = adit_arena_zalloc(arena, f->n_class_groups, sizeof *classes);
    if (!classes) return ADIT_ENOMEM;
    for (size_t i = 0; i < f->tape->n_leaves; i++)
        add(&classes[f->class_group[i]], weight_of(f, i), scores[i]);
    for (size_t i = 0; i < f->tape->n_leaves; i++)
        scores[i] = mean(classes[f->class_group[i]], scores[i]);
    return ADIT_OK;
}
