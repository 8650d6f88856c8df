/* From scores to what is kept: the page's cut, then the rules, each a row of a table with a name: what
 * goes or stays for another reason than its score. */
#include "select/decide_impl.h"
#include "select/context_impl.h"

/* A row of links. Its kin cannot save it: bars of links are often dressed like the text. */
static bool is_link_row(const struct adit_facts *f, size_t i)
{
    const struct adit_leaf_stats *x = &f->leaves[i];
    return f->tape->leaves[i].n_links >= 2 && 10 * (uint64_t)x->link >= 9 * (uint64_t)x->len;
}

static enum adit_code even_out(struct adit_decision *d)
{
    return adit_even_out(d->f, d->v->scores, d->arena);
}

static enum adit_code limit_link_rows(struct adit_decision *d)
{
    struct adit_verdicts *v = d->v;
    for (size_t i = 0; i < d->t->n_leaves; i++)
        if (v->first[i] < v->scores[i] && is_link_row(d->f, i)) v->scores[i] = v->first[i];
    return ADIT_OK;
}

/* The number of comments must not move the page's cut: below an article they are kept only above
 * this score, odds of about 7 : 1 that they are content. */
enum { COMMENT_MIN = 512 };

static enum adit_code drop_comments(struct adit_decision *d)
{
    for (size_t i = 0; i < d->t->n_leaves; i++)
        if (d->f->comments_apart && d->v->scores[i] < COMMENT_MIN && adit_leaf_is_comment(d->f, i))
            d->v->reasons[i] = ADIT_COMMENT;
    return ADIT_OK;
}

/* The rules in their order, and what each is for. "before" the cut they change scores, after it what is kept. */
const struct adit_select_rule adit_select_rules[] = {
    {"even", "texts of the same kind get their mean score", even_out, true},
    {"link rows", "a row of links scores no more than alone", limit_link_rows, true},
    {"comments", "readers' comments below a text need odds of 7 : 1", drop_comments, true},
    {"repeats", "texts that were kept before in another place go", adit_rule_repeats, false},
    {"tables", "tables of data between kept texts stay", adit_rule_tables, false},
    {"lists", "lists, listings and tables among paragraphs of kept text stay", adit_rule_lists,
     false},
    {"nested", "lists in an item of a list stay with the item's text", adit_rule_nested, false},
    {"headings", "headings right before kept text of their element stay", adit_rule_headings,
     false},
    {"contents", "lists of nothing but links within the page go", adit_rule_contents, false},
    {"teasers", "records with linked headings below an article go", adit_rule_teasers, false},
    {"pointers", "lines of links alone among an article's text go", adit_rule_pointers, false},
    {"title", "the title's own heading goes, and the title right before the text", adit_rule_title,
     false},
    {"by-lines", "short lines right before the text go", adit_rule_bylines, false},
    {"captions", "short texts alone with a picture go, among running text", adit_rule_captions,
     false},
    {"imprint", "short texts that begin with the sign or the word of copyright go",
     adit_rule_imprint, false},
    {"closing lines", "short lines right behind the text go", adit_rule_closing, false},
    {"lead", "the text above an article that is the page's description stays", adit_rule_lead,
     false},
};
const size_t adit_n_rules = ADIT_COUNT(adit_select_rules);

static enum adit_code run_rules(struct adit_decision *d, bool before)
{
    struct adit_arena_mark mark = adit_arena_mark(d->arena);
    for (size_t k = 0; k < adit_n_rules; k++)
        if (adit_select_rules[k].before == before && !(d->v->without >> k & 1)) {
            ADIT_TRY(adit_select_rules[k].run(d));
            adit_arena_release(d->arena, mark);
        }
    return ADIT_OK;
}

static uint8_t find_cut(const struct adit_decision *d)
{
    uint64_t words[ADIT_BUCKETS] = {0};
    for (size_t i = 0; i < d->t->n_leaves; i++)
        if (d->v->reasons[i] == ADIT_KEPT)
            words[adit_bucket(d->v->scores[i])] += adit_leaf_weight(&d->f->leaves[i]);
    return adit_best_cut(words);
}

enum adit_code adit_decide(const struct adit_facts *f, struct adit_tape *t,
                           struct adit_arena *arena, struct adit_verdicts *v)
{
    struct adit_decision d = {f, t, arena, v};
    size_t kept = 0;
    for (size_t i = 0; i < t->n_leaves; i++) v->reasons[i] = ADIT_KEPT;
    ADIT_TRY(run_rules(&d, true));
    for (size_t i = 0; i < t->n_leaves; i++)
        if (adit_leaf_unseen(&t->leaves[i])) v->reasons[i] = ADIT_HIDDEN;
    uint8_t cut = find_cut(&d);
    v->cut = cut * 16 - 2048;
    for (size_t i = 0; i < t->n_leaves; i++) {
        if (v->reasons[i] == ADIT_KEPT && adit_bucket(v->scores[i]) < cut)
            v->reasons[i] = ADIT_LOW_SCORE;
        t->leaves[i].keep = v->reasons[i] == ADIT_KEPT;
    }
    ADIT_TRY(run_rules(&d, false));
    for (size_t i = 0; i < t->n_leaves; i++) kept += t->leaves[i].keep;
    if (!kept) adit_fall_back(&d);
    return ADIT_OK;
}
