/* Rules that give: texts that do not score, and belong to what does: listings, headings, tables,
 * notes; and all of the body where nothing else is left. */
#include "select/decide_impl.h"
#include "select/notes_impl.h"

/* Whether the page around a leaf is its frame: navigation, header, footer, aside, form. */
static bool in_frame(const struct adit_facts *f, size_t i)
{
    const uint8_t *d = f->els[f->tape->leaves[i].el].distance;
    return d[ADIT_ANC_nav] < ADIT_FAR || d[ADIT_ANC_header] < ADIT_FAR ||
           d[ADIT_ANC_footer] < ADIT_FAR || d[ADIT_ANC_aside] < ADIT_FAR ||
           d[ADIT_ANC_form] < ADIT_FAR;
}

/* Nothing passed: the visible body without its frame; if that is nothing, with it. */
void adit_fall_back(struct adit_decision *d)
{
    struct adit_tape *t = d->t;
    size_t kept = 0;
    for (int with_frame = 0; with_frame < 2 && !kept; with_frame++)
        for (size_t i = 0; i < t->n_leaves; i++) {
            if (adit_leaf_unseen(&t->leaves[i]) || (!with_frame && in_frame(d->f, i))) continue;
            t->leaves[i].keep = true, kept++;
            d->v->reasons[i] = ADIT_KEPT_FALLBACK;
        }
}

static void keep(struct adit_decision *d, size_t i)
{
    d->t->leaves[i].keep = true;
    d->v->reasons[i] = ADIT_KEPT_BESIDE;
}

static void keep_beside(struct adit_decision *d, size_t i)
{
    const struct adit_verdicts *v = d->v;
    if (v->reasons[i] == ADIT_LOW_SCORE && adit_bucket(v->scores[i]) >= ADIT_CUT_MIN) keep(d, i);
}

/* Listings look like nothing else on their page, so their scores say little: unless they are
 * hopeless, they stay with the text that leads to them. */
enum adit_code adit_rule_listings(struct adit_decision *d)
{
    const struct adit_facts *f = d->f;
    const struct adit_tape *t = d->t;
    bool led = false; /* the text before is kept */
    for (size_t i = 0; i < t->n_leaves; i++) {
        if (adit_leaf_unseen(&t->leaves[i])) continue;
        if (f->leaves[i].tag != ADIT_TC_PRE)
            led = t->leaves[i].keep;
        else if (led)
            keep_beside(d, i);
    }
    return ADIT_OK;
}

/* On pages that are no article a heading stays with the text that it heads, unless it is hopeless.
 */
enum adit_code adit_rule_headings(struct adit_decision *d)
{
    const struct adit_facts *f = d->f;
    const struct adit_tape *t = d->t;
    bool heads = false; /* the text after it is kept */
    if (f->claims_article) return ADIT_OK;
    for (size_t i = t->n_leaves; i-- > 0;) {
        if (adit_leaf_unseen(&t->leaves[i])) continue;
        if (heads && i != f->title && f->leaves[i].heading) keep_beside(d, i);
        heads = t->leaves[i].keep;
    }
    return ADIT_OK;
}

/* Whether the leaves [a, z) of a table are data: many short cells, and not nearly all links. */
static bool is_data(const struct adit_facts *f, size_t a, size_t z)
{
    enum { CELLS_MIN = 4, WORDS_MAX = 12 };
    uint64_t cells = 0, words = 0, link = 0, len = 0;
    for (size_t i = a; i < z; i++) {
        const struct adit_leaf_stats *x = &f->leaves[i];
        if (adit_leaf_unseen(&f->tape->leaves[i])) continue;
        cells++, words += x->words, link += x->link, len += x->len;
    }
    return cells >= CELLS_MIN && words <= WORDS_MAX * cells && 10 * link <= 7 * len;
}

/* Whether the texts before and after the leaves [a, z) are kept. */
static bool is_between(const struct adit_tape *t, size_t a, size_t z)
{
    while (a > 0 && adit_leaf_unseen(&t->leaves[a - 1])) a--;
    while (z < t->n_leaves && adit_leaf_unseen(&t->leaves[z])) z++;
    return a > 0 && t->leaves[a - 1].keep && z < t->n_leaves && t->leaves[z].keep;
}

/* A table of data between kept texts stays, whole. From the end: of tables within tables only the
 * innermost are looked at, so that every leaf is looked at once. */
enum adit_code adit_rule_tables(struct adit_decision *d)
{
    const struct adit_facts *f = d->f;
    const struct adit_tape *t = d->t;
    size_t next = SIZE_MAX; /* where the table after it begins */
    for (size_t e = t->n_els; e-- > 0;) {
        size_t a = t->els[e].leaf0, z = t->els[e].leaf1;
        if (t->els[e].tag != ADIT_TAG_TABLE || a == z) continue;
        bool innermost = next >= z;
        next = a;
        if (!innermost || !is_data(f, a, z) || !is_between(t, a, z)) continue;
        for (size_t i = a; i < z; i++) keep_beside(d, i);
    }
    return ADIT_OK;
}

/* Notes stay with the text that points to them. */
enum adit_code adit_rule_notes(struct adit_decision *d)
{
    const struct adit_facts *f = d->f;
    size_t n = d->t->n_leaves;
    if (!f->claims_article) return ADIT_OK;
    uint8_t *is_note = adit_arena_zalloc(d->arena, n, 1);
    if (!is_note) return ADIT_ENOMEM;
    ADIT_TRY(adit_notes_find(f, d->arena, is_note));
    for (size_t i = 0; i < n; i++)
        if (is_note[i] && d->v->reasons[i] == ADIT_LOW_SCORE && !adit_leaf_is_comment(f, i))
            keep(d, i);
    return ADIT_OK;
}
