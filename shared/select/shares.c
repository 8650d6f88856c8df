/* Features that leaves share: of what stands around them, of their section, of their kind, of the records
 * they are in. The points of these are added up once for what they are about, and not once a leaf. */
#include "select/score_impl.h"

#include <string.h>

/* --- the features, by what they are about ------------------------------------------------------ */

/* clang-format off */
#define OF_DISTANCE(X) \
    X(a_nav) X(a_header) X(a_footer) X(a_aside) X(a_form) X(a_main) X(a_article) \
    X(a_blockquote) X(a_button) X(a_dialog) X(a_body_prop) X(c_body) X(c_product) X(c_comment) \
    X(c_nav) X(c_foot) X(c_side) X(c_related) X(c_share) X(c_ad) X(c_meta) X(c_caption) \
    X(c_signup) X(c_modal) X(c_code) X(c_accordion) X(c_review) X(c_unseen)
#define OF_REGION(X) X(arts) X(mainlk) X(artI) X(artA)
#define OF_PARENT(X) X(pgs1) X(pgs2) X(ps3) X(pG4) X(plk1) X(plk2) X(plk3) X(pG2) X(sib2)
#define OF_ITEM(X) X(rN) X(rL) X(rPs) X(rPlk) X(rM)
#define OF_SECTION(X) X(hlv) X(hsn) X(hslk) X(hsL) X(hslkA)
#define OF_CLASS(X) X(gN) X(gL) X(gen) X(gRel)
#define OF_PATH(X) X(tN) X(tL) X(tse)
#define OF_RECORD(X) X(rcE) X(rcB) X(rcP) X(rcN) X(rtN) X(rtL)
/* clang-format on */

#define INDEX(name) ADIT_F_##name,
#define MARK(name)  [ADIT_F_##name] = true,
static const uint8_t of_region[] = {OF_REGION(INDEX)}, of_parent[] = {OF_PARENT(INDEX)},
                     of_item[] = {OF_ITEM(INDEX)}, of_section[] = {OF_SECTION(INDEX)},
                     of_class[] = {OF_CLASS(INDEX)}, of_path[] = {OF_PATH(INDEX)},
                     of_record[] = {OF_RECORD(INDEX)};
const bool adit_is_shared[ADIT_N_LEAF_FEATURES] = {OF_DISTANCE(MARK) OF_REGION(MARK) OF_PARENT(
    MARK) OF_ITEM(MARK) OF_SECTION(MARK) OF_CLASS(MARK) OF_PATH(MARK) OF_RECORD(MARK)};
#undef INDEX
#undef MARK

/* --- their values ------------------------------------------------------------------------------ */

enum { STRIDE = ADIT_LANES };
#define SET(name, value) out[(size_t)ADIT_F_##name * STRIDE] = adit_saturate((int64_t)(value))
/* A value that fits: a part of a whole, a flag, a distance. */
#define PUT(name, value) out[(size_t)ADIT_F_##name * STRIDE] = (int16_t)(value)

enum { N_DISTANCES = (int)ADIT_N_ANCESTORS + (int)ADIT_N_SCORED_CATEGORIES };
_Static_assert((int)ADIT_F_c_unseen - (int)ADIT_F_a_nav + 1 == (int)N_DISTANCES,
               "distances are in the order of their kinds");

/* How far the nearest ancestor of each kind is. */
static void set_distances(const struct adit_facts *f, uint32_t el, int16_t *out)
{
    for (size_t k = 0; k < N_DISTANCES; k++)
        out[(ADIT_F_a_nav + k) * STRIDE] = f->els[el].distance[k];
}

/* The nearest article and main. */
static void set_region(const struct adit_facts *f, uint32_t el, int16_t *out)
{
    const struct adit_el_stats *x = &f->els[el];
    uint32_t article = x->article, main = x->main;
    uint32_t art_len = article == ADIT_NONE ? 0 : adit_el_sum(f, f->sum_len, article);
    uint32_t main_len = main == ADIT_NONE ? 0 : adit_el_sum(f, f->sum_len, main);
    PUT(arts, art_len ? adit_pm(art_len, f->sum_len[f->tape->n_leaves]) : -1);
    PUT(mainlk, main_len ? adit_pm(adit_el_sum(f, f->sum_link, main), main_len) : -1);
    PUT(artI, x->article_rank);
    PUT(artA, f->claims_article ? x->article_rank : -1);
}

static int32_t link_share(const struct adit_facts *f, uint32_t el)
{
    return adit_pm(adit_el_sum(f, f->sum_link, el), adit_el_sum(f, f->sum_len, el));
}

static uint32_t parent_of(const struct adit_facts *f, uint32_t el)
{
    uint32_t up = f->places[el].parent;
    return up == ADIT_NONE ? el : up;
}

/* The subtrees around a leaf whose owner stands in el: share of the page's text, of its running text. */
static void set_parent(const struct adit_facts *f, uint32_t el, int16_t *out)
{
    size_t n = f->tape->n_leaves;
    uint32_t up2 = parent_of(f, el), up3 = parent_of(f, up2), up4 = parent_of(f, up3);
    PUT(pgs1, adit_pm(adit_el_sum(f, f->sum_good, el), f->sum_good[n]));
    PUT(pgs2, adit_pm(adit_el_sum(f, f->sum_good, up2), f->sum_good[n]));
    PUT(ps3, adit_pm(adit_el_sum(f, f->sum_len, up3), f->sum_len[n]));
    PUT(plk1, link_share(f, el));
    PUT(plk2, link_share(f, up2));
    PUT(plk3, link_share(f, up3));
    PUT(pG2, adit_pm(adit_el_sum(f, f->sum_good, up2), adit_el_sum(f, f->sum_len, up2)));
    PUT(pG4, adit_pm(adit_el_sum(f, f->sum_good, up4), adit_el_sum(f, f->sum_len, up4)));
    SET(sib2, f->places[el].parent == ADIT_NONE ? 0 : f->els[up2].siblings);
}

/* A row of sisters of the same kind, of which el is one; ADIT_NONE: there is no such row. */
static void set_item(const struct adit_facts *f, uint32_t el, int16_t *out)
{
    bool some = el != ADIT_NONE;
    uint32_t up = some ? f->places[el].parent : 0, n = some ? f->els[el].siblings : 0;
    uint32_t len = some ? adit_el_sum(f, f->sum_len, up) : 0;
    SET(rN, n);
    SET(rL, some ? (int64_t)adit_el_sum(f, f->sum_len, el) : -1);
    PUT(rPs, some ? adit_pm(len, f->sum_len[f->tape->n_leaves]) : -1);
    PUT(rPlk, some ? adit_pm(adit_el_sum(f, f->sum_link, up), len) : -1);
    SET(rM, some ? (int64_t)(len / n) : -1);
}

/* From a heading to the next. */
static void set_section(const struct adit_facts *f, uint32_t k, int16_t *out)
{
    const struct adit_section *s = &f->sections[k];
    uint32_t len = f->sum_len[s->end] - f->sum_len[s->begin];
    int32_t link = adit_pm(f->sum_link[s->end] - f->sum_link[s->begin], len);
    PUT(hlv, s->level);
    SET(hsn, s->end - s->begin);
    SET(hsL, len);
    PUT(hslk, link);
    PUT(hslkA, f->claims_article ? link : -1);
}

/* Leaves of the same kind by the classes around them. */
static void set_class(const struct adit_facts *f, uint32_t k, int16_t *out)
{
    const struct adit_group *g = &f->class_groups[k], *most = &f->class_groups[f->biggest_group];
    SET(gN, g->n);
    PUT(gL, g->share);
    PUT(gen, g->ends_pm);
    SET(gRel, adit_pm(g->len - g->link, most->len - most->link));
}

/* The same by the tags above. */
static void set_path(const struct adit_facts *f, uint32_t k, int16_t *out)
{
    const struct adit_group *t = &f->path_groups[k];
    SET(tN, t->n);
    PUT(tL, t->share);
    SET(tse, 10 * (uint64_t)t->sentences / t->n);
}

/* What the records around look like: comments (readers' texts below another), teasers. k: their kind, or
 * ADIT_NONE. */
static void set_record(const struct adit_facts *f, uint32_t k, int16_t *out)
{
    const struct adit_record_kind *kind = k == ADIT_NONE ? NULL : &f->record_kinds[k];
    size_t from = f->title != SIZE_MAX && kind && f->title < kind->first ? f->title : 0;
    uint32_t before = kind ? f->sum_good[kind->first] - f->sum_good[from] : 0;
    bool some = kind && kind->evidence >= 2;
    PUT(rcE, kind ? kind->evidence : -1);
    SET(rcB, some ? (int64_t)before : -1);
    PUT(rcP, some ? adit_pm(before, (uint64_t)before + kind->len) : -1);
    SET(rcN, kind ? kind->n : 0);
    PUT(rtN, kind ? adit_pm(kind->leading, kind->n) : -1);
    SET(rtL, kind ? (int64_t)(kind->len / kind->n) : -1);
}

/* --- what stands around a leaf ----------------------------------------------------------------- */

/* Whether el is one of a row: it has at least two sisters of the same kind. */
static bool is_item(const struct adit_facts *f, uint32_t el)
{
    return el && f->els[el].siblings >= 3 && f->tape->els[el].tag != ADIT_TAG_P;
}

static uint32_t row_len(const struct adit_facts *f, uint32_t item)
{
    return adit_el_sum(f, f->sum_len, f->places[item].parent);
}

/* The strongest repetition around: of el and its ancestors, n in all, the one whose row has most letters;
 * of two the nearer. */
static uint32_t find_item(const struct adit_facts *f, uint32_t el, int n)
{
    uint32_t best = ADIT_NONE, most = 0;
    for (; n > 0 && el != 0; n--, el = f->places[el].parent) {
        if (!is_item(f, el)) continue;
        uint32_t len = row_len(f, el);
        if (best == ADIT_NONE || len > most) best = el, most = len;
    }
    return best;
}

enum { LEVELS = 9 };

/* The item of the strongest repetition around a leaf of el; above: around the element above. */
static uint32_t item_around(const struct adit_facts *f, uint32_t el, uint32_t above)
{
    if (!is_item(f, el)) return above;
    return above == ADIT_NONE || row_len(f, above) <= row_len(f, el) ? el : above;
}

void adit_features_shared(const struct adit_facts *f, size_t i, int16_t *out)
{
    uint32_t el = f->tape->leaves[i].el;
    set_distances(f, el, out);
    set_region(f, el, out);
    set_parent(f, parent_of(f, el), out);
    set_item(f, find_item(f, el, LEVELS), out);
    set_section(f, f->section_of[i], out);
    set_class(f, f->class_group[i], out);
    set_path(f, f->path_group[i], out);
    set_record(f, f->els[el].record, out);
}

/* --- their points ------------------------------------------------------------------------------ */

typedef void set_values(const struct adit_facts *f, uint32_t subject, int16_t *out);

/* The points of n subjects: of those that are listed, or of all from 0 on. */
static void score_subjects(struct adit_shares *s, set_values *set, struct adit_some some,
                           const uint32_t *subjects, size_t n, int32_t *points)
{
    for (size_t i = 0; i < n; i += ADIT_LANES) {
        size_t m = n - i < ADIT_LANES ? n - i : ADIT_LANES;
        int32_t scores[ADIT_LANES];
        for (size_t k = 0; k < m; k++)
            set(s->facts, subjects ? subjects[i + k] : (uint32_t)(i + k), s->lanes + k);
        adit_score_some(s->lanes, some, scores);
        memcpy(points + i, scores, m * sizeof *scores);
    }
}
#define SOME(features) ((struct adit_some){features, ADIT_COUNT(features)})

/* The number of an element in a list, to which it is added if it is not there. numbers: 1 + the number
 * of each element, or 0. */
static uint32_t number_of(uint32_t *numbers, uint32_t *list, uint32_t *n, uint32_t el)
{
    if (!numbers[el]) list[*n] = el, numbers[el] = ++*n;
    return numbers[el] - 1;
}

/* Lists the elements above leaves, and the items of the rows that they stand in. Their points take
 * the place of the lists. */
static bool score_around(struct adit_shares *s, struct adit_arena *arena)
{
    const struct adit_facts *f = s->facts;
    size_t n = f->tape->n_leaves, n_els = f->tape->n_els;
    uint32_t n_parents = 0, n_items = 1;
    uint32_t *parents = adit_arena_alloc(arena, (3 * n + 1) * sizeof *parents);
    s->parent_of = adit_arena_zalloc(arena, 2 * n_els, sizeof *s->parent_of);
    if (!parents || !s->parent_of) return false;
    uint32_t *above = parents + n, *items = parents + 2 * n;
    s->item_of = s->parent_of + n_els;
    items[0] = ADIT_NONE;
    for (size_t i = 0; i < n; i++) {
        uint32_t el = f->tape->leaves[i].el, up = parent_of(f, el), known = n_parents;
        uint32_t p = number_of(s->parent_of, parents, &n_parents, up);
        if (p == known) above[p] = find_item(f, up, LEVELS - 1);
        uint32_t item = item_around(f, el, above[p]);
        if (item != ADIT_NONE) number_of(s->item_of, items, &n_items, item);
    }
    s->parents = (int32_t *)parents, s->items = (int32_t *)items, s->above = above;
    score_subjects(s, set_parent, SOME(of_parent), parents, n_parents, s->parents);
    score_subjects(s, set_item, SOME(of_item), items, n_items, s->items);
    return true;
}

bool adit_shares_begin(struct adit_shares *s, const struct adit_facts *f, int16_t *lanes,
                       struct adit_arena *arena)
{
    size_t n_sections = f->section_of[f->tape->n_leaves - 1] + (size_t)1;
    size_t n_groups = f->n_class_groups + f->n_path_groups;
    *s = (struct adit_shares){.facts = f, .lanes = lanes, .article = ADIT_NONE - 1};
    s->classes = adit_arena_alloc(arena, (n_groups + n_sections + f->n_record_kinds + 1) *
                                             sizeof *s->classes);
    if (!s->classes) return false;
    s->paths = s->classes + f->n_class_groups, s->sections = s->classes + n_groups;
    s->records = s->sections + n_sections;
    score_subjects(s, set_class, SOME(of_class), NULL, f->n_class_groups, s->classes);
    score_subjects(s, set_path, SOME(of_path), NULL, f->n_path_groups, s->paths);
    score_subjects(s, set_section, SOME(of_section), NULL, n_sections, s->sections);
    for (size_t k = 0; k <= f->n_record_kinds; k++) s->records[k] = ADIT_UNSCORED;
    for (size_t k = 0; k < N_DISTANCES; k++)
        s->all_far += s->far[k] = adit_points(ADIT_F_a_nav + k, ADIT_FAR);
    return score_around(s, arena);
}

/* The points of a row of distances: of most kinds there is no ancestor. */
static int32_t row_points(const struct adit_shares *s, struct adit_row *row)
{
    if (row->points != ADIT_UNSCORED) return row->points;
    uint32_t seen = row->seen & ((UINT32_C(1) << N_DISTANCES) - 1);
    int32_t points = s->all_far;
    for (; seen; seen &= seen - 1) {
        size_t k = (size_t)__builtin_ctz(seen);
        points += adit_points(ADIT_F_a_nav + k, row->distance[k]) - s->far[k];
    }
    return row->points = points;
}

/* Neighbouring leaves are in the same article and main. */
static int32_t region_points(struct adit_shares *s, uint32_t el)
{
    const struct adit_el_stats *x = &s->facts->els[el];
    if (x->article != s->article || x->main != s->main)
        score_subjects(s, set_region, SOME(of_region), &el, 1, &s->region);
    s->article = x->article, s->main = x->main;
    return s->region;
}

/* Most kinds of records have another around them, and so no leaf. */
static int32_t record_points(struct adit_shares *s, uint32_t kind)
{
    int32_t *points = &s->records[kind == ADIT_NONE ? s->facts->n_record_kinds : kind];
    if (*points == ADIT_UNSCORED) score_subjects(s, set_record, SOME(of_record), &kind, 1, points);
    return *points;
}

int32_t adit_shares_leaf(struct adit_shares *s, size_t i)
{
    const struct adit_facts *f = s->facts;
    uint32_t el = f->tape->leaves[i].el, p = s->parent_of[parent_of(f, el)] - 1;
    uint32_t item = item_around(f, el, s->above[p]);
    return row_points(s, adit_row_of(&f->els[el])) + region_points(s, el) + s->parents[p] +
           s->items[item == ADIT_NONE ? 0 : s->item_of[item] - 1] + s->sections[f->section_of[i]] +
           s->classes[f->class_group[i]] + s->paths[f->path_group[i]] +
           record_points(s, f->els[el].record);
}
