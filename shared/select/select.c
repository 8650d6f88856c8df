/* The selection: score every leaf, twice; then decide. */
#include "select/select.h"
#include "select/context_impl.h"
#include "select/decide_impl.h"
#include "select/kind_impl.h"

#include <string.h>

const char *const adit_select_reason_names[ADIT_SELECT_REASONS] = {
    [ADIT_KEPT] = "kept",
    [ADIT_KEPT_FALLBACK] = "kept: nothing scores, so the whole body",
    [ADIT_KEPT_BESIDE] = "kept: a list, table, listing or heading by kept text, or the lead",
    [ADIT_LOW_SCORE] = "score below the cut",
    [ADIT_HIDDEN] = "hidden",
    [ADIT_TITLE] = "the title, which is told apart",
    [ADIT_REPEATED] = "repeats a kept text",
    [ADIT_BYLINE] = "a short line right before the text",
    [ADIT_CLOSING] = "a short line right behind the text",
    [ADIT_IMPRINT] = "who holds the rights",
    [ADIT_CAPTION] = "a caption: alone with a picture",
    [ADIT_COMMENT] = "a reader's comment below the text",
    [ADIT_TEASER] = "leads to another page, in or below an article",
    [ADIT_CONTENTS] = "a table of contents: links within the page",
};

const char *adit_rule_name(size_t rule) { return adit_select_rules[rule].name; }
const char *adit_rule_sentence(size_t rule) { return adit_select_rules[rule].does; }

enum { N_PAGE = ADIT_N_FIRST_FEATURES - ADIT_N_LEAF_FEATURES };

/* All features of leaf i that the first look is at. */
static void put_row(const struct adit_facts *f, size_t i, int16_t *own, const int16_t *page,
                    int16_t *row)
{
    adit_features_leaf(f, i, own), adit_features_shared(f, i, own);
    for (size_t x = 0; x < ADIT_N_LEAF_FEATURES; x++) row[x] = own[x * ADIT_LANES];
    memcpy(row + ADIT_N_LEAF_FEATURES, page, N_PAGE * sizeof *page);
}

/* Scores all leaves; the features of one group of lanes at a time stay in the cache. */
static enum adit_code score_leaves(const struct adit_facts *f, const int16_t *page,
                                   struct adit_arena *arena, struct adit_verdicts *v)
{
    size_t n = f->tape->n_leaves;
    struct adit_shares shares;
    int16_t *lanes =
        adit_arena_zalloc(arena, (size_t)ADIT_LANES * ADIT_N_LEAF_FEATURES, sizeof *lanes);
    if (!lanes || !adit_shares_begin(&shares, f, lanes, arena)) return ADIT_ENOMEM;
    int32_t base = adit_score_page(page);
    for (size_t i = 0; i < n; i += ADIT_LANES) {
        size_t m = n - i < ADIT_LANES ? n - i : ADIT_LANES;
        int32_t scores[ADIT_LANES];
        for (size_t k = 0; k < m; k++) adit_features_leaf(f, i + k, lanes + k);
        adit_score_leaves(lanes, scores);
        for (size_t k = 0; k < m; k++)
            v->first[i + k] = base + scores[k] + adit_shares_leaf(&shares, i + k);
        for (size_t k = 0; v->features && k < m; k++)
            put_row(f, i + k, lanes + k, page, v->features + (i + k) * ADIT_N_FEATURES);
    }
    return ADIT_OK;
}

static enum adit_code score_all(const struct adit_facts *f, const struct adit_page_hints *hints,
                                struct adit_arena *arena, struct adit_verdicts *v, bool rows)
{
    size_t n = f->tape->n_leaves;
    int16_t page[N_PAGE];
    v->scores = adit_arena_alloc(arena, 2 * n * sizeof *v->scores);
    v->reasons = adit_arena_zalloc(arena, n, 1);
    if (rows) v->features = adit_arena_zalloc(arena, n, ADIT_N_FEATURES * sizeof *v->features);
    if (!v->scores || !v->reasons || (rows && !v->features)) return ADIT_ENOMEM;
    v->first = v->scores + n;
    struct adit_arena_mark mark = adit_arena_mark(arena);
    adit_features_page(f, hints, page);
    ADIT_TRY(score_leaves(f, page, arena, v));
    adit_arena_release(arena, mark);
    return ADIT_OK;
}

/* Scores all leaves again, now beside each other. */
static enum adit_code look_again(const struct adit_facts *f, struct adit_arena *arena,
                                 struct adit_verdicts *v)
{
    enum { N = ADIT_N_FEATURES - ADIT_N_FIRST_FEATURES };
    struct adit_context c;
    size_t n = f->tape->n_leaves;
    int16_t lanes[N * ADIT_LANES] = {0};
    struct adit_arena_mark mark = adit_arena_mark(arena);
    ADIT_TRY(adit_context_build(&c, f, v->first, arena));
    for (size_t i = 0; i < n; i += ADIT_LANES) {
        size_t m = n - i < ADIT_LANES ? n - i : ADIT_LANES;
        int32_t scores[ADIT_LANES];
        for (size_t k = 0; k < m; k++) adit_context_leaf(&c, i + k, lanes + k, ADIT_LANES);
        adit_score_context(lanes, scores);
        for (size_t k = 0; k < m; k++) v->scores[i + k] = scores[k];
        for (size_t k = 0; v->features && k < m; k++) {
            int16_t *row = v->features + (i + k) * ADIT_N_FEATURES + ADIT_N_FIRST_FEATURES;
            for (size_t x = 0; x < N; x++) row[x] = lanes[x * ADIT_LANES + k];
        }
    }
    adit_arena_release(arena, mark);
    return ADIT_OK;
}

static enum adit_code select_leaves(struct adit_tape *t, const struct adit_page_hints *hints,
                                    struct adit_arena *arena, struct adit_verdicts *v, bool rows)
{
    struct adit_facts f;
    *v = (struct adit_verdicts){.without = v->without, .look.kind = ADIT_PAGE_OTHER};
    if (!t->n_leaves) return ADIT_OK;
    ADIT_TRY(adit_facts_build(&f, t, hints, arena));
    adit_hidden_reveal(&f, t);
    ADIT_TRY(score_all(&f, hints, arena, v, rows));
    ADIT_TRY(look_again(&f, arena, v));
    ADIT_TRY(adit_decide(&f, t, arena, v));
    v->page = adit_arena_zalloc(arena, ADIT_N_KIND_FACTS, sizeof *v->page);
    if (!v->page) return ADIT_ENOMEM;
    adit_kind_facts(&f, hints, v, v->page);
    adit_kind_look(v->page, hints, &v->look);
    return ADIT_OK;
}

enum adit_code adit_tape_select(struct adit_tape *t, const struct adit_page_hints *hints,
                                struct adit_arena *arena, struct adit_page_look *look)
{
    struct adit_verdicts v = {0};
    struct adit_arena_mark mark = adit_arena_mark(arena);
    enum adit_code code = select_leaves(t, hints, arena, &v, false);
    if (look) *look = v.look;
    adit_arena_release(arena, mark);
    return code;
}

enum adit_code adit_tape_explain(struct adit_tape *t, const struct adit_page_hints *hints,
                                 struct adit_arena *arena, struct adit_verdicts *v)
{
    return select_leaves(t, hints, arena, v, true);
}
