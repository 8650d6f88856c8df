/* The stack of open elements (13.2.4.2): scopes, implied end tags, which insertion mode it means.
 *
 * Counts of the open elements of each tag answer most questions without a walk; the steps of those
 * walks that remain are counted as work. */
#include "html/parse_impl.h"

void adit_open_remove(struct adit_html *p, uint32_t index)
{
    struct open_element *e = &p->open[index];
    if (e->ns == ADIT_NS_HTML) p->open_count[tag_slot(e->tag)]--;
    p->n_open--;
    memmove(e, e + 1, (p->n_open - index) * sizeof *e);
    p->work += p->n_open - index;
}

uint32_t adit_open_index(struct adit_html *p, uint32_t node)
{
    if (!is_open(p, node_of(p, node)->tag)) return 0;
    uint32_t i = p->n_open - 1;
    while (i > 0 && p->open[i].node != node) i--;
    p->work += p->n_open - i;
    return i;
}

bool adit_open_in_scope(struct adit_html *p, uint16_t tag, unsigned scope)
{
    if (!is_open(p, tag)) return false;
    for (uint32_t i = p->n_open; i-- > 0; p->work++) {
        const struct open_element *e = &p->open[i];
        if (e->tag == tag && e->ns == ADIT_NS_HTML) return true;
        if (adit_open_ends_scope(e, scope)) return false;
    }
    return false;
}

uint32_t adit_open_scope_of(struct adit_html *p, unsigned flags, unsigned scope)
{
    for (uint32_t i = p->n_open; i-- > 0; p->work++) {
        const struct open_element *e = &p->open[i];
        if (e->ns == ADIT_NS_HTML && (tag_flags(e->tag) & flags)) return i;
        if (adit_open_ends_scope(e, scope)) return 0;
    }
    return 0;
}

void adit_open_pop_to(struct adit_html *p, uint32_t index)
{
    while (p->n_open > index) open_pop(p);
}

void adit_open_pop_until(struct adit_html *p, uint16_t tag)
{
    while (p->n_open > 1) {
        bool last = current_is(p, tag);
        open_pop(p);
        if (last) return;
    }
}

void adit_open_implied(struct adit_html *p, uint16_t except)
{
    while (current_has(p, IS_IMPLIED) && current(p)->tag != except) open_pop(p);
}

void adit_open_implied_thorough(struct adit_html *p)
{
    while (current_has(p, IS_IMPLIED_THOROUGH)) open_pop(p);
}

/* The mode that an open element means; MODE_INITIAL: none. */
static uint8_t mode_of(const struct adit_html *p, uint32_t index)
{
    switch (p->open[index].tag) {
    case ADIT_TAG_TD:
    case ADIT_TAG_TH: return MODE_IN_CELL;
    case ADIT_TAG_TR: return MODE_IN_ROW;
    case ADIT_TAG_TBODY:
    case ADIT_TAG_THEAD:
    case ADIT_TAG_TFOOT: return MODE_IN_TABLE_BODY;
    case ADIT_TAG_CAPTION: return MODE_IN_CAPTION;
    case ADIT_TAG_COLGROUP: return MODE_IN_COLUMN_GROUP;
    case ADIT_TAG_TABLE: return MODE_IN_TABLE;
    case ADIT_TAG_TEMPLATE: return p->template_modes[p->n_modes - 1];
    case ADIT_TAG_HEAD: return MODE_IN_HEAD;
    case ADIT_TAG_BODY: return MODE_IN_BODY;
    case ADIT_TAG_FRAMESET: return MODE_IN_FRAMESET;
    case ADIT_TAG_HTML: return p->dom.head ? MODE_AFTER_HEAD : MODE_BEFORE_HEAD;
    default: return MODE_INITIAL;
    }
}

/* "Reset the insertion mode appropriately". */
void adit_open_reset_mode(struct adit_html *p)
{
    for (uint32_t i = p->n_open; i-- > 0; p->work++) {
        uint8_t mode = p->open[i].ns == ADIT_NS_HTML ? mode_of(p, i) : MODE_INITIAL;
        if (mode == MODE_INITIAL) continue;
        p->mode = mode;
        return;
    }
    p->mode = MODE_IN_BODY;
}
