/* Selection: which leaves of the tape are the page's main content.
 *
 * Every leaf gets integer features (features_impl.h), an additive scorecard turns them into a score
 * (weights_impl.h, learned; unit 1/256 logit), and the leaves above a cut that depends on the page's own
 * scores are kept. adit_tape_select (tape.h) does all of it.
 */
#ifndef ADIT_SELECT_H
#define ADIT_SELECT_H

#include "page/page.h"
#include "tape/tape.h"

/* Sets keep of every leaf by the scorecard, and *look (unless NULL). */
enum adit_code adit_tape_select(struct adit_tape *t, const struct adit_page_hints *hints,
                                struct adit_arena *arena, struct adit_page_look *look);

/* Why a leaf stayed or went. */
enum adit_select_reason {
    ADIT_KEPT,
    ADIT_KEPT_FALLBACK, /* nothing passed the cut: the whole visible body is taken */
    ADIT_KEPT_BESIDE,   /* a list, table, listing or heading by kept text, or the lead */
    ADIT_LOW_SCORE,
    ADIT_HIDDEN,
    ADIT_TITLE,    /* the heading that is the page's title */
    ADIT_REPEATED, /* the same text was kept before */
    ADIT_BYLINE,   /* a short line right before the text */
    ADIT_CLOSING,  /* a short line right behind the text */
    ADIT_IMPRINT,  /* who holds the rights */
    ADIT_CAPTION,  /* alone with a picture, outside of a figcaption */
    ADIT_TEASER,   /* leads to another page, in or below an article */
    ADIT_CONTENTS, /* links to places of the page itself, and nothing else */
    ADIT_COMMENT,  /* a reader's, below a text */
    ADIT_SELECT_REASONS
};
extern const char *const adit_select_reason_names[ADIT_SELECT_REASONS];

/* What the selection saw and did, for people and for learning. All arrays in the arena. */
struct adit_verdicts {
    uint32_t without;  /* rules that are left out, a bit each: to learn what they are worth */
    int32_t *first;    /* a leaf: what it scores alone */
    int32_t *scores;   /* a leaf: beside the others */
    uint8_t *reasons;  /* a leaf: enum adit_select_reason */
    int16_t *features; /* a leaf: adit_n_features values */
    int32_t cut;       /* scores at or above it pass */
    struct adit_page_look look;
    int16_t *page; /* the facts that the look was made from (kind_impl.h) */
};
/* The features of a leaf, those of the page, what it scores alone (own_feature), and what the leaves
 * around it score. */
extern const size_t adit_n_features, adit_own_feature;
struct adit_feature_row {
    const char *name;  /* in the code and to scripts/train */
    const char *label; /* for people */
    const char *group, *does;
    int8_t direction; /* more of it: 1 only gives points, -1 only takes, 0 either */
};
const struct adit_feature_row *adit_feature_row(size_t feature);
/* What the value adds to the score, above or below what the feature usually gives. */
int32_t adit_feature_points(size_t feature, int16_t value);

/* The rules behind the score (decide.c): their number, and the short name of each. */
extern const size_t adit_n_rules;
const char *adit_rule_name(size_t rule);
const char *adit_rule_sentence(size_t rule);

/* adit_tape_select, with its reasons in *v; v->without counts. */
enum adit_code adit_tape_explain(struct adit_tape *t, const struct adit_page_hints *hints,
                                 struct adit_arena *arena, struct adit_verdicts *v);

/* Its last step: sets keep of every leaf, and its reason, by the scores in v (decide.c). */
struct adit_facts;
enum adit_code adit_decide(const struct adit_facts *f, struct adit_tape *t,
                           struct adit_arena *arena, struct adit_verdicts *v);

#endif
