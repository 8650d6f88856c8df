/* Hidden, or only not opened yet? Three kinds of hidden elements are content all the same: panels
 * of tabs and accordions, which a reader opens; an element that holds most of the page and waits
 * for a script to show it; a <noscript> that holds most of the page, if it is more than a notice.
 */
#include "select/features_impl.h"

enum {
    UNSEEN = ADIT_HIDDEN_ATTR | ADIT_HIDDEN_STYLE,
    PANEL_LEVELS = 2,
    NOTICE_MAX = 400 /* letters of "please enable JavaScript", and how */
};

static bool is_panel(const struct adit_facts *f, uint32_t el)
{
    return f->els[el].distance[(int)ADIT_N_ANCESTORS + (int)ADIT_CAT_accordion] <= PANEL_LEVELS;
}

static bool holds_the_page(const struct adit_facts *f, uint32_t el)
{
    const uint32_t *sum = f->sum_good[f->tape->n_leaves] ? f->sum_good : f->sum_len;
    return 3 * (uint64_t)adit_el_sum(f, sum, el) >= 2 * (uint64_t)sum[f->tape->n_leaves];
}

/* The reasons for hiding el that do not count. */
static uint8_t revealed(const struct adit_facts *f, uint32_t el)
{
    uint8_t hidden = f->tape->els[el].hidden, none = 0;
    if (hidden & UNSEEN && (is_panel(f, el) || holds_the_page(f, el))) none |= UNSEEN;
    if (hidden & ADIT_HIDDEN_NOSCRIPT && holds_the_page(f, el) &&
        adit_el_sum(f, f->sum_len, el) > NOTICE_MAX)
        none |= ADIT_HIDDEN_NOSCRIPT;
    return none;
}

void adit_hidden_reveal(const struct adit_facts *f, struct adit_tape *t)
{
    bool any = false;
    for (size_t i = 0; i < t->n_leaves && !any; i++) any = adit_leaf_unseen(&t->leaves[i]);
    if (!any) return;
    for (uint32_t e = 1; e < t->n_els; e++) {
        struct adit_el *el = &t->els[e];
        el->hidden = (uint8_t)(el->hidden & ~revealed(f, e));
        el->hidden_up = el->hidden | t->els[el->parent].hidden_up;
    }
    for (size_t i = 0; i < t->n_leaves; i++)
        t->leaves[i].hidden = t->els[t->leaves[i].el].hidden_up & (unsigned)ADIT_HIDDEN_ALL;
}
