/* Rules that give: texts that do not score, and belong to what does: tables, lists, headings;
 * and all of the body where nothing else is left. */
#include "select/decide_impl.h"
#include "text/text.h"

/* Nothing passed: the visible body without its frame; if that is nothing, with it. */
void adit_fall_back(struct adit_decision *d)
{
    struct adit_tape *t = d->t;
    size_t kept = 0;
    for (int with_frame = 0; with_frame < 2 && !kept; with_frame++)
        for (size_t i = 0; i < t->n_leaves; i++) {
            if (adit_leaf_unseen(&t->leaves[i]) || (!with_frame && adit_leaf_in_frame(d->f, i)))
                continue;
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

/* A list, a listing of code, a table. */
static bool is_list(const struct adit_el *el)
{
    return el->tag == ADIT_TAG_UL || el->tag == ADIT_TAG_OL || el->tag == ADIT_TAG_DL ||
           el->tag == ADIT_TAG_PRE || el->tag == ADIT_TAG_TABLE;
}

/* The element around e in which other texts stand, too, if it is near. */
static uint32_t outside(const struct adit_tape *t, uint32_t e)
{
    enum { LEVELS = 6 };
    uint32_t up = t->els[e].parent;
    for (int k = 0; k < LEVELS && up != ADIT_NONE && t->els[up].leaf0 == t->els[e].leaf0 &&
                    t->els[up].leaf1 == t->els[e].leaf1;
         k++)
        up = t->els[up].parent;
    return up;
}

/* Whether leaf i stands in element e, or in a child of it. */
static bool stands_in(const struct adit_tape *t, size_t i, uint32_t e)
{
    uint32_t own = t->leaves[i].el;
    return own == e || t->els[own].parent == e;
}

/* Whether most of the letters [a, z) are outside of links. */
static bool is_text(const struct adit_facts *f, size_t a, size_t z)
{
    return 2 * (f->sum_link[z] - f->sum_link[a]) < f->sum_len[z] - f->sum_len[a];
}

/* Whether leaf i is kept text of element e: running text, or, beside code, any. */
static bool is_kept_text(const struct adit_decision *d, size_t i, uint32_t e, bool code)
{
    const struct adit_leaf_stats *x = &d->f->leaves[i];
    return d->t->leaves[i].keep && (x->good || (code && x->tag == ADIT_TC_P)) &&
           stands_in(d->t, i, e);
}

/* Whether a list [a, z) between kept texts is one of their kind: it says more than it links, and one of
 * them is running text of the same element. */
static bool is_among_text(const struct adit_decision *d, uint32_t e, size_t a, size_t z)
{
    uint32_t up = outside(d->t, e);
    bool code = d->f->leaves[a].tag == ADIT_TC_PRE;
    return is_text(d->f, a, z) &&
           (is_kept_text(d, a - 1, up, code) || is_kept_text(d, z, up, code));
}

/* Before each leaf: those that are kept, n_leaves + 1 of them; NULL without memory. */
static uint32_t *count_kept(const struct adit_tape *t, struct adit_arena *arena)
{
    uint32_t *kept = adit_arena_alloc(arena, (t->n_leaves + 1) * sizeof *kept);
    if (!kept) return NULL;
    kept[0] = 0;
    for (size_t i = 0; i < t->n_leaves; i++) kept[i + 1] = kept[i] + t->leaves[i].keep;
    return kept;
}

/* Between kept texts a list, a listing or a table stays, whole, if it is one of their kind, or a part
 * of it stays. Those in one that stays are not looked at again. */
enum adit_code adit_rule_lists(struct adit_decision *d)
{
    const struct adit_tape *t = d->t;
    const uint32_t *kept = count_kept(t, d->arena);
    size_t done = 0; /* where the last list that stays ends */
    if (!kept) return ADIT_ENOMEM;
    for (uint32_t e = 1; e < t->n_els; e++) {
        size_t a = t->els[e].leaf0, z = t->els[e].leaf1;
        if (!is_list(&t->els[e]) || a < done || a == 0 || a == z || z == t->n_leaves) continue;
        if (!t->leaves[z].keep || !t->leaves[a - 1].keep) continue;
        if (kept[z] == kept[a] && !is_among_text(d, e, a, z)) continue;
        for (size_t i = a; i < z; i++) keep_beside(d, i);
        done = z;
    }
    return ADIT_OK;
}

/* Whether the text right before list e in the item that holds e is kept: no link, as in menus, no
 * heading, as in a column of boxes, and the item's own, not a comment's that the list answers. */
static bool hangs_on_kept(const struct adit_decision *d, uint32_t e)
{
    const struct adit_tape *t = d->t;
    uint32_t item = t->els[e].parent;
    size_t above = t->els[e].leaf0;
    if (t->els[item].tag != ADIT_TAG_LI || above-- == t->els[item].leaf0) return false;
    return t->leaves[above].keep && !d->f->leaves[above].heading && stands_in(t, above, item) &&
           is_text(d->f, above, above + 1);
}

/* A list in an item of a list stays, whole, if the text of the item right before it does. Those in one
 * that stays are not looked at again. */
enum adit_code adit_rule_nested(struct adit_decision *d)
{
    const struct adit_tape *t = d->t;
    size_t done = 0; /* where the last list that stays ends */
    for (uint32_t e = 1; e < t->n_els; e++) {
        size_t a = t->els[e].leaf0, z = t->els[e].leaf1;
        if (t->els[e].tag != ADIT_TAG_UL && t->els[e].tag != ADIT_TAG_OL) continue;
        if (a < done || a == z || !hangs_on_kept(d, e)) continue;
        for (size_t i = a; i < z; i++)
            if (d->v->reasons[i] == ADIT_LOW_SCORE) keep(d, i);
        done = z;
    }
    return ADIT_OK;
}

/* Whether leaf i is a heading of text that is not the title's, a link or a date. */
static bool heads_text(const struct adit_decision *d, size_t i)
{
    const struct adit_leaf_stats *x = &d->f->leaves[i];
    struct adit_date date;
    if (!x->heading || i == d->f->title || 2 * x->link > x->len) return false;
    return !x->digits || !adit_date_find(d->t->leaves[i].text, ADIT_DAY_FIRST, &date);
}

/* A heading right before kept text of the same element stays, too. From the end: of headings that
 * follow one another, each stays for the next. */
enum adit_code adit_rule_headings(struct adit_decision *d)
{
    const struct adit_tape *t = d->t;
    size_t below = SIZE_MAX; /* the text behind */
    for (size_t i = t->n_leaves; i-- > 0;) {
        if (adit_leaf_unseen(&t->leaves[i])) continue;
        uint32_t up = t->els[t->leaves[i].el].parent;
        if (below != SIZE_MAX && t->leaves[below].keep && !t->leaves[i].keep &&
            stands_in(t, below, up) && heads_text(d, i))
            keep_beside(d, i);
        below = i;
    }
    return ADIT_OK;
}

/* Whether leaf i says the page's description, no more and no less. */
static bool is_description(const struct adit_facts *f, size_t i)
{
    return f->leaves[i].hash == f->description;
}

/* What stands above an article and is its description is the lead, unless kept text says the same, or
 * it is a picture's caption. */
enum adit_code adit_rule_lead(struct adit_decision *d)
{
    enum { ABOVE_MAX = 30, WORDS_MIN = 8, CAPTION_LEVELS = 2 };
    const struct adit_facts *f = d->f;
    const struct adit_leaf *leaves = d->t->leaves;
    size_t text = adit_first_text(d), lead = SIZE_MAX;
    if (!f->n_description || text == d->t->n_leaves) return ADIT_OK;
    for (size_t i = 0; i < d->t->n_leaves; i++) {
        if (!is_description(f, i)) continue;
        if (leaves[i].keep) return ADIT_OK;
        const uint8_t *far = f->els[leaves[i].el].distance + ADIT_N_ANCESTORS;
        bool above = i < text && i + ABOVE_MAX >= text && (f->title == SIZE_MAX || i > f->title);
        bool may = d->v->reasons[i] == ADIT_LOW_SCORE && f->leaves[i].words >= WORDS_MIN &&
                   far[ADIT_CAT_caption] > CAPTION_LEVELS;
        if (above && may) lead = i;
    }
    if (lead != SIZE_MAX) keep(d, lead);
    return ADIT_OK;
}
