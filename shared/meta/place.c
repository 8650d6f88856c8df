/* Where on the page something stands: how near to the title, and whether it is of this page. */
#include "meta/meta_impl.h"

#include "tape/tape.h"

#define CATEGORY(name) (UINT32_C(1) << ADIT_CAT_##name)
#define KIND(name)     (UINT32_C(1) << ADIT_ANC_##name)

/* Class categories of readers' texts; of links to other pages and of offers. */
static const uint32_t others = CATEGORY(comment) | CATEGORY(review);
static const uint32_t aside = CATEGORY(related) | CATEGORY(nav) | CATEGORY(foot) | CATEGORY(ad) |
                              CATEGORY(modal) | CATEGORY(signup);

enum { UP_MAX = 40 };

uint32_t adit_meta_distance(const struct adit_tape *tape, uint32_t item, size_t title)
{
    size_t leaf = item < tape->n_items ? tape->items[item].leaf : tape->n_leaves;
    if (leaf >= tape->n_leaves) return ADIT_ASIDE;
    uint32_t el = tape->leaves[leaf].el, more = 0;
    for (size_t up = 0; el != ADIT_NONE && up < UP_MAX; up++, el = tape->els[el].parent) {
        const struct adit_el *e = &tape->els[el];
        if (e->leaf0 <= title && title < e->leaf1) break; /* both are in it */
        if (e->categories & others) return ADIT_NOWHERE;
        if (e->categories & aside || e->kinds & (KIND(nav) | KIND(footer))) more = ADIT_ASIDE;
    }
    return (uint32_t)(leaf >= title ? leaf - title : 2 * (title - leaf)) + more;
}
