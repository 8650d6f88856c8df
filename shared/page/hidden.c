/* Hidden, or only not opened yet? Two kinds of hidden elements are content all the same: panels of
 * tabs and accordions, which a reader opens, and an element that holds most of the page and waits
 * for a script to show it. */
#include "page/features.h"

enum { UNSEEN = ADIT_HIDDEN_ATTR | ADIT_HIDDEN_STYLE, PANEL_LEVELS = 2 };

static bool is_panel(const struct adit_facts *f, uint32_t el)
{
    return f->els[el].distance[(int)ADIT_N_ANCESTORS + (int)ADIT_CAT_accordion] <= PANEL_LEVELS;
}

static bool holds_the_page(const struct adit_facts *f, uint32_t el)
{
    const uint32_t *sum = f->sum_good[f->tape->n_leaves] ? f->sum_good : f->sum_len;
    return 3 * (uint64_t)adit_el_sum(f, sum, el) >= 2 * (uint64_t)sum[f->tape->n_leaves];
}

void adit_hidden_reveal(const struct adit_facts *f, struct adit_tape *t)
{
    bool any = false;
    for (size_t i = 0; i < t->n_leaves && !any; i++) any = t->leaves[i].hidden & UNSEEN;
    if (!any) return;
    for (uint32_t e = 1; e < t->n_els; e++) {
        struct adit_el *el = &t->els[e];
        if (el->hidden & UNSEEN && (is_panel(f, e) || holds_the_page(f, e)))
            el->hidden = (uint8_t)(el->hidden & ~UNSEEN);
        el->hidden_up = el->hidden | t->els[el->parent].hidden_up;
    }
    for (size_t i = 0; i < t->n_leaves; i++)
        t->leaves[i].hidden = t->els[t->leaves[i].el].hidden_up;
}
