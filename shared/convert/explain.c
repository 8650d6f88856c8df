/* Why each leaf of a page stayed or went, for people. */
#include "convert/convert.h"
#include "convert/explain_impl.h"

enum { REASONS_MAX = 4, AGAIN_MAX = 2, TEXT_MAX = 100 };

/* What is being told: the page's leaves, and which features were named. */
struct explanation {
    const struct adit_tape *tape;
    const struct adit_verdicts *v;
    bool *named; /* a feature */
    struct adit_buf *out;
};

static struct adit_str tag_name(const struct adit_tape *t, const struct adit_leaf *leaf)
{
    return adit_dom_name(t->dom, adit_el_node(t, &t->els[leaf->el]));
}

enum adit_code adit_explain_begin(struct adit_converter *c, struct adit_str body,
                                  const struct adit_page_source *source, struct adit_draft *d,
                                  struct adit_explained *e, struct adit_error *err)
{
    *e = (struct adit_explained){0};
    ADIT_TRY(adit_convert_prepare(c, body, source, d, err));
    ADIT_TRY(adit_tape_explain(&d->tape, &d->hints, d->arena, &e->verdicts));
    e->named = adit_arena_zalloc(d->arena, adit_n_features, sizeof *e->named);
    if (!e->named) return ADIT_ENOMEM;
    for (size_t i = 0; i < d->tape.n_leaves; i++) e->kept += d->tape.leaves[i].keep;
    return ADIT_OK;
}

size_t adit_explain_next(const int16_t *row, struct adit_explain_range within, const size_t *taken,
                         size_t n)
{
    int32_t most = 0;
    size_t best = within.end;
    for (size_t f = within.begin; f < within.end; f++) {
        bool used = false;
        for (size_t k = 0; k < n; k++) used |= taken[k] == f;
        int32_t points = adit_feature_points(f, row[f]), size = points < 0 ? -points : points;
        if (!used && size > most) most = size, best = f;
    }
    return best;
}

/* Of the features [begin, end) the n_max that moved the score most, as "name=value (+points)". */
static void put_features(const struct explanation *x, const int16_t *row, size_t begin, size_t end,
                         size_t n_max)
{
    struct adit_buf *out = x->out;
    size_t taken[REASONS_MAX];
    for (size_t n = 0; n < n_max; n++) {
        size_t best = adit_explain_next(row, (struct adit_explain_range){begin, end}, taken, n);
        if (best == end) return;
        taken[n] = best, x->named[best] = true;
        int32_t points = adit_feature_points(best, row[best]);
        if (n) adit_buf_lit(out, ", ");
        adit_buf_lit(out, adit_feature_row(best)->label);
        adit_buf_byte(out, '=');
        adit_buf_i64(out, row[best]);
        adit_buf_lit(out, points < 0 ? " (" : " (+");
        adit_buf_i64(out, points);
        adit_buf_byte(out, ')');
    }
}

/* What the first look said, and what moved the score at the second. */
static void put_looks(const struct explanation *x, const int16_t *row)
{
    struct adit_buf *out = x->out;
    adit_buf_lit(out, "    alone ");
    adit_buf_i64(out, row[adit_own_feature]);
    adit_buf_lit(out, ": ");
    put_features(x, row, 0, adit_own_feature, REASONS_MAX);
    adit_buf_lit(out, "; beside others: ");
    put_features(x, row, adit_own_feature + 1, adit_n_features, AGAIN_MAX);
    adit_buf_byte(out, '\n');
}

static void put_leaf(const struct explanation *x, size_t i)
{
    const struct adit_verdicts *v = x->v;
    struct adit_buf *out = x->out;
    const struct adit_leaf *leaf = &x->tape->leaves[i];
    struct adit_str text = leaf->text;
    if (text.len > TEXT_MAX) {
        text.len = TEXT_MAX;
        while (text.len && ((unsigned char)text.p[text.len] & 0xC0) == 0x80) text.len--;
    }
    adit_buf_lit(out, leaf->keep ? "+ " : "- ");
    adit_buf_i64(out, v->scores[i]);
    adit_buf_lit(out, " <");
    adit_buf_add(out, tag_name(x->tape, leaf));
    adit_buf_lit(out, "> ");
    for (size_t k = 0; k < text.len; k++) adit_buf_byte(out, text.p[k] == '\n' ? ' ' : text.p[k]);
    adit_buf_lit(out, text.len < leaf->text.len ? "...\n" : "\n");
    adit_buf_lit(out, "    ");
    adit_buf_lit(out, adit_select_reason_names[v->reasons[i]]);
    adit_buf_byte(out, '\n');
    if (v->features) put_looks(x, v->features + i * adit_n_features);
}

/* The sentence of every feature that was named, once. */
static void put_sentences(const struct explanation *x)
{
    bool any = false;
    for (size_t f = 0; f < adit_n_features; f++) {
        if (!x->named[f]) continue;
        if (!any) adit_buf_lit(x->out, "\nwhat the names mean:\n");
        any = true;
        adit_buf_lit(x->out, "  ");
        adit_buf_lit(x->out, adit_feature_row(f)->label);
        adit_buf_lit(x->out, ": ");
        adit_buf_lit(x->out, adit_feature_row(f)->does);
        adit_buf_byte(x->out, '\n');
    }
}

enum adit_code adit_explain(struct adit_converter *c, struct adit_str body,
                            const struct adit_page_source *source, struct adit_buf *out,
                            struct adit_error *err)
{
    struct adit_draft d;
    struct adit_explained e;
    ADIT_TRY(adit_explain_begin(c, body, source, &d, &e, err));
    const struct adit_verdicts v = e.verdicts;
    struct explanation x = {&d.tape, &v, e.named, out};
    adit_buf_u64(out, e.kept);
    adit_buf_lit(out, " of ");
    adit_buf_u64(out, d.tape.n_leaves);
    adit_buf_lit(out, " texts kept; a text needs ");
    adit_buf_i64(out, v.cut);
    adit_buf_lit(out, " points (256 points are one logit)\n");
    char number[ADIT_CONFIDENCE_BYTES];
    adit_buf_lit(out, "kind: ");
    adit_buf_lit(out, adit_page_kind_names[v.look.kind]);
    adit_buf_lit(out, "; expected F1 of what is kept: ");
    adit_buf_add(out, adit_page_confidence(v.look, number));
    adit_buf_byte(out, '\n');
    if (!e.kept)
        adit_buf_lit(out,
                     "without a picture or a medium either, what the page tells machines is taken: "
                     "the text of its JSON-LD, or its longest description\n");
    for (size_t i = 0; i < d.tape.n_leaves; i++) put_leaf(&x, i);
    put_sentences(&x);
    return out->err;
}
