/* Why each leaf of a page stayed or went, as data: for programs, and for pages that show it. */
#include "convert/convert.h"
#include "convert/explain_impl.h"
#include "json/json.h"

enum { REASONS_MAX = 6 };

static void put_features(struct adit_json_writer *w, const int16_t *row, bool *named)
{
    size_t taken[REASONS_MAX];
    adit_json_member_open(w, "features", '[');
    for (size_t n = 0; n < REASONS_MAX; n++) {
        taken[n] =
            adit_explain_next(row, (struct adit_explain_range){0, adit_n_features}, taken, n);
        if (taken[n] == adit_n_features) break;
        named[taken[n]] = true;
        adit_json_open(w, '{');
        adit_json_member(w, "name", adit_str_z(adit_feature_row(taken[n])->label));
        adit_json_key(w, "points");
        adit_json_int(w, adit_feature_points(taken[n], row[taken[n]]));
        adit_json_key(w, "value");
        adit_json_int(w, row[taken[n]]);
        adit_json_close(w, '}');
    }
    adit_json_close(w, ']');
}

/* "at": where the pieces of the text stand, [from, to) each. */
static void put_places(struct adit_json_writer *w, const struct adit_draft *d,
                       const struct adit_leaf *leaf, uint32_t number)
{
    adit_json_member_open(w, "at", '[');
    for (uint32_t k = leaf->item0; k < leaf->item1; k++) {
        const struct adit_item *item = &d->tape.items[k];
        if (item->kind != ADIT_ITEM_TEXT || item->leaf != number) continue;
        struct adit_str place = adit_dom_place(d->dom, item->node, d->text);
        if (!place.len) continue;
        adit_json_open(w, '[');
        adit_json_uint(w, (uint64_t)(place.p - d->text.p));
        adit_json_uint(w, (uint64_t)(place.p - d->text.p) + place.len);
        adit_json_close(w, ']');
    }
    adit_json_close(w, ']');
}

static void put_leaf(struct adit_json_writer *w, const struct adit_draft *d,
                     const struct adit_verdicts *v, uint32_t i, bool *named)
{
    const struct adit_tape *t = &d->tape;
    const struct adit_leaf *leaf = &t->leaves[i];
    adit_json_open(w, '{');
    put_places(w, d, leaf, i);
    adit_json_member(w, "element", adit_dom_name(t->dom, adit_el_node(t, &t->els[leaf->el])));
    if (v->features) put_features(w, v->features + i * adit_n_features, named);
    adit_json_member_bool(w, "kept", leaf->keep);
    adit_json_member(w, "reason", adit_str_z(adit_select_reason_names[v->reasons[i]]));
    adit_json_key(w, "score");
    adit_json_int(w, v->scores[i]);
    adit_json_member(w, "text", leaf->text);
    adit_json_close(w, '}');
}

/* What the words and numbers mean; of the features those that were named. */
static void put_legend(struct adit_json_writer *w, const bool *named)
{
    adit_json_member_open(w, "legend", '{');
    adit_json_member(w, "at", ADIT_STR("bytes of the page in UTF-8, from and up to"));
    adit_json_member(w, "confidence",
                     ADIT_STR("the F1 that the kept texts may be expected to have"));
    adit_json_member(w, "cut", ADIT_STR("a text with at least so many points is kept"));
    adit_json_member_open(w, "features", '{');
    for (size_t f = 0; f < adit_n_features; f++)
        if (named[f])
            adit_json_member(w, adit_feature_row(f)->label, adit_str_z(adit_feature_row(f)->does));
    adit_json_close(w, '}');
    adit_json_member(w, "points",
                     ADIT_STR("above or below what the feature usually gives; 256 points are one "
                              "logit, so 256 more make keeping 2.7 times as likely"));
    adit_json_member(w, "reason", ADIT_STR("what decided: the score, or a rule behind it"));
    adit_json_close(w, '}');
}

enum adit_code adit_explain_json(struct adit_converter *c, struct adit_str body,
                                 const struct adit_page_source *source, struct adit_buf *out,
                                 struct adit_error *err)
{
    struct adit_draft d;
    struct adit_explained e;
    ADIT_TRY(adit_explain_begin(c, body, source, &d, &e, err));
    const struct adit_verdicts v = e.verdicts;
    struct adit_json_writer w = {.out = out};
    adit_json_open(&w, '{');
    char number[ADIT_CONFIDENCE_BYTES];
    adit_json_member(&w, "charset", adit_str_z(d.charset.name));
    adit_json_key(&w, "confidence");
    adit_json_raw(&w, adit_page_confidence(v.look, number));
    adit_json_key(&w, "cut");
    adit_json_int(&w, v.cut);
    adit_json_member_uint(&w, "kept", e.kept);
    adit_json_member(&w, "kind", adit_str_z(adit_page_kind_names[v.look.kind]));
    adit_json_member_open(&w, "texts", '[');
    for (uint32_t i = 0; i < d.tape.n_leaves && !out->err; i++) put_leaf(&w, &d, &v, i, e.named);
    adit_json_close(&w, ']');
    put_legend(&w, e.named);
    adit_json_member(&w, "url", d.url);
    adit_json_close(&w, '}');
    return out->err;
}
