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

/* Every page is about something: where nothing reaches even odds, all scores rise until the best
 * does. */
static enum adit_code lift_scores(struct adit_decision *d)
{
    size_t n = d->t->n_leaves;
    struct adit_verdicts *v = d->v;
    int32_t best = INT32_MIN;
    for (size_t i = 0; i < n; i++)
        if (!adit_leaf_unseen(&d->t->leaves[i]) && v->scores[i] > best) best = v->scores[i];
    for (size_t i = 0; i < n && best < 0 && best != INT32_MIN; i++) v->scores[i] -= best;
    return ADIT_OK;
}

/* A row of links before the title leads away from the page. */
static enum adit_code drop_navigation(struct adit_decision *d)
{
    for (size_t i = 0; d->f->title != SIZE_MAX && i < d->f->title; i++)
        if (d->t->leaves[i].keep && is_link_row(d->f, i)) adit_drop(d, i, ADIT_NAVIGATION);
    return ADIT_OK;
}

/* Reads "3/50" at the begin of a text. */
static bool read_slide(struct adit_str text, uint32_t *number, uint32_t *of)
{
    uint32_t v[2] = {0};
    size_t at = 0;
    for (size_t k = 0; k < 2; k++) {
        size_t from = at;
        for (; at < text.len && at - from < 3 && adit_is_digit(text.p[at]); at++)
            v[k] = v[k] * 10 + (uint32_t)(text.p[at] - '0');
        if (at == from || (k == 0 && (at == text.len || text.p[at++] != '/'))) return false;
    }
    *number = v[0], *of = v[1];
    return v[0] <= v[1];
}

/* Leaves [begin, end). */
struct slides {
    size_t begin, end;
};

/* A slide show beside the text: cards whose headings count "1/50", "2/50" … They are captions of
 * pictures, however many: what they score must not count either. On a page with little else they
 * stay. */
static struct slides find_slides(const struct adit_facts *f)
{
    enum { SLIDES_MIN = 3, WORDS_MIN = 100 };
    const struct adit_tape *t = f->tape;
    uint32_t slides = 0, all = 0, number, of;
    struct slides s = {0};
    uint64_t beside = 0;
    for (size_t i = 0; i < t->n_leaves; i++) {
        if (!f->leaves[i].heading || !read_slide(t->leaves[i].text, &number, &of)) continue;
        uint32_t card = t->els[t->leaves[i].el].parent;
        if (number != slides + 1 || (slides && of != all) || f->els[card].siblings < SLIDES_MIN)
            continue;
        if (!slides++) s.begin = t->els[card].leaf0;
        all = of, s.end = t->els[card].leaf1;
    }
    for (size_t i = 0; i < t->n_leaves && slides; i++)
        if (f->leaves[i].good && (i < s.begin || i >= s.end)) beside += f->leaves[i].words;
    return slides >= SLIDES_MIN && beside >= WORDS_MIN ? s : (struct slides){0};
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

static enum adit_code drop_slides(struct adit_decision *d)
{
    struct slides s = find_slides(d->f);
    for (size_t i = s.begin; i < s.end; i++) d->v->reasons[i] = ADIT_SLIDE;
    return ADIT_OK;
}

/* The rules in their order, and what each is for. "before" the cut they change scores, after it what is kept. */
const struct adit_select_rule adit_select_rules[] = {
    {"even", "texts of the same kind get their mean score", even_out, true},
    {"link rows", "a row of links scores no more than alone", limit_link_rows, true},
    {"lift", "where nothing reaches even odds, all scores rise", lift_scores, true},
    {"comments", "readers' comments below a text need odds of 7 : 1", drop_comments, true},
    {"slides", "slides of a show beside the text go", drop_slides, true},
    {"navigation", "rows of links before the title go", drop_navigation, false},
    {"repeats", "texts that were kept before in another place go", adit_rule_repeats, false},
    {"copies", "rows of short texts that were kept before go", adit_rule_copies, false},
    {"headings", "on pages that are no article, headings stay with their text", adit_rule_headings,
     false},
    {"listings", "listings stay with the text before them", adit_rule_listings, false},
    {"tables", "tables of data between kept texts stay", adit_rule_tables, false},
    {"notes", "notes that kept text points to stay", adit_rule_notes, false},
    {"teasers", "records with linked headings below an article go", adit_rule_teasers, false},
    {"by-lines", "short lines between title and text go", adit_rule_bylines, false},
    {"bare headings", "headings with nothing kept below them go", adit_rule_bare_headings, false},
    {"title", "the title's own heading goes", adit_rule_title, false},
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
