/* Insertion modes "in template" (13.2.6.4.16), "after body", "in frameset", "after frameset",
 * "after after body", "after after frameset" (13.2.6.4.21). */
#include "html/modes_impl.h"

/* --- the "in template" insertion mode ----------------------------------------------------------- */

static uint8_t template_mode(uint16_t tag)
{
    switch (tag) {
    case ADIT_TAG_CAPTION:
    case ADIT_TAG_COLGROUP:
    case ADIT_TAG_TBODY:
    case ADIT_TAG_TFOOT:
    case ADIT_TAG_THEAD: return MODE_IN_TABLE;
    case ADIT_TAG_COL: return MODE_IN_COLUMN_GROUP;
    case ADIT_TAG_TR: return MODE_IN_TABLE_BODY;
    case ADIT_TAG_TD:
    case ADIT_TAG_TH: return MODE_IN_ROW;
    default: return MODE_IN_BODY;
    }
}

bool adit_in_template_start(struct adit_html *p, uint16_t tag)
{
    if (tag_flags(tag) & IS_HEAD) return adit_head_element(p, tag), true;
    p->mode = p->template_modes[p->n_modes - 1] = template_mode(tag);
    return false;
}

bool adit_in_template_end(struct adit_html *p, uint16_t tag)
{
    if (tag == ADIT_TAG_TEMPLATE) adit_head_end_template(p);
    return true;
}

/* --- the "after body" and "after after body" insertion modes ------------------------------------ */

static bool return_to_body(struct adit_html *p)
{
    p->mode = MODE_IN_BODY;
    return false;
}

bool adit_after_body_start(struct adit_html *p, uint16_t tag)
{
    return tag == ADIT_TAG_HTML ? adit_in_body_start(p, tag) : return_to_body(p);
}

bool adit_after_body_end(struct adit_html *p, uint16_t tag)
{
    if (tag != ADIT_TAG_HTML) return return_to_body(p);
    p->mode = MODE_AFTER_AFTER_BODY;
    return true;
}

bool adit_after_after_body_end(struct adit_html *p, uint16_t tag)
{
    return (void)tag, return_to_body(p);
}

/* White space belongs to the body and does not open it again. */
bool adit_after_body_text(struct adit_html *p, struct text *t)
{
    struct text space = *t;
    space.len = adit_text_leading_space(p, *t);
    if (space.len) adit_in_body_text(p, &space);
    t->at += space.len, t->len -= space.len;
    return !t->len || return_to_body(p);
}

/* --- the "in frameset", "after frameset" and "after after frameset" insertion modes ------------- */

bool adit_in_frameset_start(struct adit_html *p, uint16_t tag)
{
    switch (tag) {
    case ADIT_TAG_HTML: return adit_in_body_start(p, tag);
    case ADIT_TAG_FRAMESET: adit_tree_insert(p, tag, ADIT_NS_HTML); return true;
    case ADIT_TAG_FRAME: adit_tree_insert_void(p, tag, ADIT_NS_HTML); return true;
    case ADIT_TAG_NOFRAMES: adit_head_element(p, tag); return true;
    default: return true;
    }
}

bool adit_in_frameset_end(struct adit_html *p, uint16_t tag)
{
    if (tag != ADIT_TAG_FRAMESET || p->n_open == 1) return true;
    open_pop(p);
    if (!current_is(p, ADIT_TAG_FRAMESET)) p->mode = MODE_AFTER_FRAMESET;
    return true;
}

/* Of text only the white space stays, also that between other characters. */
static bool take_space(struct adit_html *p, struct text *t, bool body)
{
    struct text space = *t;
    space.len = adit_text_leading_space(p, *t);
    if (space.len && body)
        adit_in_body_text(p, &space);
    else if (space.len)
        adit_tree_insert_text(p, space);
    t->at += space.len, t->len -= space.len;
    if (t->len) adit_text_skip_other(p, t);
    return !t->len;
}

bool adit_in_frameset_text(struct adit_html *p, struct text *t)
{
    while (!take_space(p, t, false)) {}
    return true;
}

bool adit_after_after_frameset_text(struct adit_html *p, struct text *t)
{
    while (!take_space(p, t, true)) {}
    return true;
}

bool adit_after_frameset_start(struct adit_html *p, uint16_t tag)
{
    if (tag == ADIT_TAG_HTML) return adit_in_body_start(p, tag);
    if (tag == ADIT_TAG_NOFRAMES) adit_head_element(p, tag);
    return true;
}

bool adit_after_frameset_end(struct adit_html *p, uint16_t tag)
{
    if (tag == ADIT_TAG_HTML) p->mode = MODE_AFTER_AFTER_FRAMESET;
    return true;
}

bool adit_after_after_frameset_end(struct adit_html *p, uint16_t tag)
{
    return (void)p, (void)tag, true;
}
