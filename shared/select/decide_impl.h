/* The rules behind the score: what they share. */
#ifndef ADIT_SELECT_DECIDE_IMPL_H
#define ADIT_SELECT_DECIDE_IMPL_H

#include "select/score_impl.h"

/* A page under decision. */
struct adit_decision {
    const struct adit_facts *f;
    struct adit_tape *t;
    struct adit_arena *arena;
    struct adit_verdicts *v;
};

typedef enum adit_code adit_rule_run(struct adit_decision *d);

static inline void adit_drop(struct adit_decision *d, size_t i, enum adit_select_reason why)
{
    d->t->leaves[i].keep = false;
    d->v->reasons[i] = (uint8_t)why;
}

/* The first running text that is kept; n_leaves: there is none. */
static inline size_t adit_first_text(const struct adit_decision *d)
{
    size_t i = 0;
    while (i < d->t->n_leaves && !(d->t->leaves[i].keep && d->f->leaves[i].good)) i++;
    return i;
}

/* A rule: a row of the table in decide.c. */
struct adit_select_rule {
    const char *name, *does;
    adit_rule_run *run;
    bool before; /* the cut is made */
};
extern const struct adit_select_rule adit_select_rules[];

/* What goes although it scores (leave.c). */
adit_rule_run adit_rule_repeats, adit_rule_teasers, adit_rule_pointers, adit_rule_bylines,
    adit_rule_captions, adit_rule_imprint, adit_rule_closing, adit_rule_title, adit_rule_contents;
/* What stays although it does not (stay.c). */
adit_rule_run adit_rule_tables, adit_rule_lists, adit_rule_nested, adit_rule_headings,
    adit_rule_lead;
/* Nothing is kept: the visible body without its frame; if that is nothing, with it. */
void adit_fall_back(struct adit_decision *d);

#endif
