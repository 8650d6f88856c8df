/* The second look at a leaf: what its score is worth beside the scores of its kin. Leaves of the
 * same kind belong together, whatever each of them looks like alone. */
#include "select/context_impl.h"

#include <string.h>

enum {
    NEAR = 3,       /* leaves on each side */
    WORDS_MAX = 40, /* a leaf counts no more: one long listing is not most of its kin */
    LIKELY = 256,   /* the score of what is probably content: odds of about 3 : 1 */
    FAR = 20        /* leaves to look for it */
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

/* A mean of many leaves, worked out once: no score is as high as NOBODY. */
enum { NOBODY = INT16_MAX };
static int32_t mean_or(int32_t known, int32_t own) { return known == NOBODY ? own : known; }

static uint8_t one_further(uint8_t leaves) { return (uint8_t)(leaves + (leaves < FAR)); }

/* Where the page's content is, as far as the scores know it, and its mean score. */
static bool find_core(struct adit_context *c, const struct adit_facts *f, struct adit_arena *arena)
{
    size_t n = f->tape->n_leaves;
    int64_t points = 0;
    c->right = adit_arena_alloc(arena, (n + 1) * sizeof *c->right);
    c->since = adit_arena_alloc(arena, 2 * n);
    if (!c->right || !c->since) return false;
    c->until = c->since + n, c->right[0] = 0;
    uint8_t since = FAR, until = FAR;
    for (size_t i = 0; i < n; i++) {
        int32_t z = c->scores[i];
        int64_t words = c->words[i + 1] - c->words[i];
        int64_t p = (int64_t)adit_probability(adit_bucket(z)) * words;
        points += p * z, c->right[i + 1] = c->right[i] + p;
        c->since[i] = since;
        since = z >= LIKELY && words ? 0 : one_further(since);
    }
    for (size_t i = n; i-- > 0;) {
        c->until[i] = until;
        bool likely = c->scores[i] >= LIKELY && c->words[i + 1] > c->words[i];
        until = likely ? 0 : one_further(until);
    }
    c->core = c->right[n] ? (int32_t)(points / c->right[n]) : 0;
    return true;
}

static bool is_list(uint16_t tag)
{
    return tag == ADIT_TAG_UL || tag == ADIT_TAG_OL || tag == ADIT_TAG_DL || tag == ADIT_TAG_TABLE;
}

/* The box: the element whose leaves, if it were kept whole, would bring most right words beyond the
 * wrong ones. And which elements are lists or tables, or below one. */
static bool find_box(struct adit_context *c, const struct adit_facts *f, struct adit_arena *arena)
{
    enum { EVEN = 512 }; /* of 1024 */
    const struct adit_tape *t = f->tape;
    c->to_box = adit_arena_alloc(arena, 2 * t->n_els);
    if (!c->to_box) return false;
    c->lists = (bool *)c->to_box + t->n_els;
    int64_t most = INT64_MIN;
    for (uint32_t e = 0; e < t->n_els; e++) {
        uint32_t a = f->places[e].leaf0, z = f->places[e].leaf1;
        int64_t g = c->right[z] - c->right[a] - EVEN * (int64_t)(c->words[z] - c->words[a]);
        if (g >= most) most = g, c->box = e;
        c->lists[e] = is_list(t->els[e].tag) || (e && c->lists[f->places[e].parent]);
    }
    memset(c->to_box, ADIT_UNKNOWN, t->n_els);
    uint8_t d = 0;
    for (uint32_t e = c->box; e != ADIT_NONE; e = f->places[e].parent) {
        c->to_box[e] = d;
        d = (uint8_t)(d + (d < ADIT_FAR));
    }
    for (uint32_t e = 1; e < t->n_els; e++)
        if (c->to_box[e] == ADIT_UNKNOWN) c->to_box[e] = c->to_box[f->places[e].parent];
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
    c->scores = adit_arena_alloc(arena, n * sizeof *c->scores);
    c->points = adit_arena_alloc(arena, (n + 1) * sizeof *c->points);
    c->words = adit_arena_alloc(arena, (n + 1) * sizeof *c->words);
    size_t n_groups = f->n_class_groups + f->n_path_groups;
    struct adit_tally *classes = adit_arena_zalloc(arena, n_groups, sizeof *classes);
    c->class_means = adit_arena_alloc(arena, n_groups * sizeof *c->class_means);
    if (!c->scores || !c->points || !c->words || !classes || !c->class_means) return ADIT_ENOMEM;
    struct adit_tally *paths = classes + f->n_class_groups;
    c->path_means = c->class_means + f->n_class_groups;
    c->points[0] = 0, c->words[0] = 0;
    for (size_t i = 0; i < n; i++) {
        int32_t z = clamp(scores[i]);
        uint32_t words = weight_of(f, i);
        c->scores[i] = (int16_t)z;
        c->points[i + 1] = c->points[i] + (int64_t)z * words;
        c->words[i + 1] = c->words[i] + words;
        add(&classes[f->class_group[i]], words, z);
        add(&paths[f->path_group[i]], words, z);
    }
    for (size_t k = 0; k < n_groups; k++) c->class_means[k] = (int16_t)mean(classes[k], NOBODY);
    return find_core(c, f, arena) && find_box(c, f, arena) ? ADIT_OK : ADIT_ENOMEM;
}

static struct adit_tally between(const struct adit_context *c, size_t a, size_t z)
{
    return (struct adit_tally){c->points[z] - c->points[a], c->words[z] - c->words[a]};
}

/* The mean of one leaf. */
static int32_t score_of(const struct adit_context *c, size_t i, int32_t own)
{
    return c->words[i + 1] > c->words[i] ? c->scores[i] : own;
}

#define SET(name, value) out[(ADIT_F_##name - ADIT_F_z_own) * stride] = (int16_t)(value)

/* The leaves [begin, end) of the list or table around leaf i: of the nearest ancestors the highest
 * that is one, and holds no more than half of the page's words; leaf i itself if there is none. */
static struct adit_section list_around(const struct adit_context *c, size_t i)
{
    enum { LEVELS = 8 };
    const struct adit_tape *t = c->facts->tape;
    struct adit_section s = {.begin = (uint32_t)i, .end = (uint32_t)i + 1};
    uint32_t e = t->leaves[i].el;
    for (int k = 0; k < LEVELS && e != ADIT_NONE && c->lists[e]; k++, e = t->els[e].parent) {
        const struct adit_place *at = &c->facts->places[e];
        if (2 * between(c, at->leaf0, at->leaf1).words > c->words[t->n_leaves]) break;
        if (is_list(t->els[e].tag)) s.begin = at->leaf0, s.end = at->leaf1;
    }
    return s;
}

/* The greatest score of the leaves [a, z); the lowest there is if none of them is seen. */
static int32_t best_of(const struct adit_context *c, size_t a, size_t z)
{
    int32_t best = -ADIT_SCORE_MAX;
    for (; a < z; a++)
        if (c->scores[a] > best && c->words[a + 1] > c->words[a]) best = c->scores[a];
    return best;
}

/* What stands around a leaf, or around the list that it is in. */
static void set_around(const struct adit_context *c, size_t i, int16_t *out, size_t stride)
{
    enum { BESIDE = 2 };
    size_t n = c->facts->tape->n_leaves;
    struct adit_section s = list_around(c, i);
    int32_t before = best_of(c, s.begin > BESIDE ? s.begin - BESIDE : 0, s.begin);
    int32_t after = best_of(c, s.end, s.end + BESIDE < n ? s.end + BESIDE : n);
    SET(z_before, adit_pm((uint64_t)c->right[i], (uint64_t)c->right[n]));
    SET(z_after, adit_pm((uint64_t)(c->right[n] - c->right[i + 1]), (uint64_t)c->right[n]));
    SET(z_since, c->since[i]);
    SET(z_until, c->until[i]);
    SET(z_around, before < after ? before : after);
    SET(z_list, mean(between(c, s.begin, s.end), c->scores[i]));
}

static int count_bits(uint32_t v)
{
    int n = 0;
    for (; v; v &= v - 1) n++;
    return n;
}

/* What of the head a text says: words of the description, in it and around it; JSON-LD's text. */
static void set_head(const struct adit_facts *f, size_t i, int16_t *out, size_t stride)
{
    enum { OWN_MAX = 12, NEAR_MAX = 16, MATCH_MIN = 3 };
    size_t n = f->tape->n_leaves, a = i > NEAR ? i - NEAR : 0, z = i + NEAR < n ? i + NEAR + 1 : n;
    uint32_t all = f->n_description, own = 6 * adit_leaf_weight(&f->leaves[i]) / 10, near = 0;
    for (; all && a < z; a++) near |= f->topics[a].description;
    uint32_t most = own < all ? own : all;
    int said = all ? count_bits(f->topics[i].description) : -1,
        beside = all ? count_bits(near) : -1;
    int32_t share = all ? adit_pm((uint32_t)said, all) : -1;
    bool whole = said >= MATCH_MIN && (uint32_t)said >= most;
    int32_t match = said < MATCH_MIN ? 0 : whole ? 1000 : adit_pm((uint32_t)said, most);
    SET(z_dw, said < OWN_MAX ? said : OWN_MAX);
    SET(z_dww, beside < NEAR_MAX ? beside : NEAR_MAX);
    SET(z_ds, share);
    SET(z_dm, all ? match : -1);
    SET(z_sd, f->is_stated ? f->topics[i].stated : -1);
}

void adit_context_leaf(const struct adit_context *c, size_t i, int16_t *out, size_t stride)
{
    const struct adit_facts *f = c->facts;
    const struct adit_place *els = f->places;
    size_t n = f->tape->n_leaves;
    int32_t own = c->scores[i];
    uint32_t up = f->tape->leaves[i].el;
    struct adit_tally above[3];
    for (int k = 0; k < 3; k++) {
        for (int level = 0; level < 2; level++)
            if (els[up].parent != ADIT_NONE) up = els[up].parent;
        above[k] = between(c, els[up].leaf0, els[up].leaf1);
    }
    SET(z_own, own);
    SET(z_class, mean_or(c->class_means[f->class_group[i]], own));
    SET(z_path, mean_or(c->path_means[f->path_group[i]], own));
    SET(z_near, mean(between(c, i > NEAR ? i - NEAR : 0, i + NEAR < n ? i + NEAR + 1 : n), own));
    SET(z_up2, mean(above[0], own));
    SET(z_up4, mean(above[1], own));
    SET(z_core, own - c->core);
    const struct adit_section *s = &f->sections[f->section_of[i]];
    const struct adit_place *box = &els[c->box];
    SET(z_prev, i ? score_of(c, i - 1, own) : own);
    SET(z_next, i + 1 < n ? score_of(c, i + 1, own) : own);
    SET(z_sec, mean(between(c, s->begin, s->end), own));
    SET(z_up6, mean(above[2], own));
    SET(z_box, c->to_box[f->tape->leaves[i].el]);
    SET(z_side, i < box->leaf0    ? -(int64_t)(box->leaf0 - i < 99 ? box->leaf0 - i : 99)
                : i >= box->leaf1 ? (int64_t)(i - box->leaf1 < 99 ? i - box->leaf1 + 1 : 99)
                                  : 0);
    set_head(f, i, out, stride);
    set_around(c, i, out, stride);
}
#undef SET

/* Whether the owner of leaf i or one of the three elements above it has a class. */
static bool has_class(const struct adit_tape *t, size_t i)
{
    uint32_t none = t->els[0].class_hash, e = t->leaves[i].el;
    for (int k = 0; k < 4 && e != ADIT_NONE; k++, e = t->els[e].parent)
        if (t->els[e].class_hash && t->els[e].class_hash != none) return true;
    return false;
}

enum adit_code adit_even_out(const struct adit_facts *f, int32_t *scores, struct adit_arena *arena)
{
    struct adit_tally *classes = adit_arena_zalloc(arena, f->n_class_groups, sizeof *classes);
    if (!classes) return ADIT_ENOMEM;
    for (size_t i = 0; i < f->tape->n_leaves; i++)
        add(&classes[f->class_group[i]], weight_of(f, i), scores[i]);
    for (size_t i = 0; i < f->tape->n_leaves; i++)
        if (has_class(f->tape, i)) scores[i] = mean(classes[f->class_group[i]], scores[i]);
    return ADIT_OK;
}
