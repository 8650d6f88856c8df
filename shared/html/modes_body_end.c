/* The "in body" insertion mode (13.2.6.4.7): end tags. */
#include "html/modes_impl.h"

/* "Any other end tag". */
void adit_body_any_other_end(struct adit_html *p, uint16_t tag)
{
    if (!is_open(p, tag)) return;
    for (uint32_t i = p->n_open; i-- > 1; p->work++) {
        const struct open_element *e = &p->open[i];
        if (e->tag == tag && e->ns == ADIT_NS_HTML) {
            adit_open_implied(p, tag);
            adit_open_pop_to(p, i);
            return;
        }
        if (adit_open_is_special(e)) return;
    }
}

/* Ends the element if it is in scope, with the elements of implied end tags but `except`. */
static bool end_in_scope(struct adit_html *p, uint16_t tag, unsigned scope, uint16_t except)
{
    if (!adit_open_in_scope(p, tag, scope)) return false;
    adit_open_implied(p, except);
    adit_open_pop_until(p, tag);
    return true;
}

static void end_p(struct adit_html *p)
{
    if (!adit_open_in_scope(p, ADIT_TAG_P, IS_BUTTON_SCOPE))
        adit_tree_insert_implied(p, ADIT_TAG_P);
    adit_open_implied(p, ADIT_TAG_P);
    adit_open_pop_until(p, ADIT_TAG_P);
}

static void end_heading(struct adit_html *p)
{
    uint32_t i = adit_open_scope_of(p, IS_HEADING, IS_SCOPE);
    if (!i) return;
    adit_open_implied(p, ADIT_TAG_NONE);
    adit_open_pop_to(p, i);
}

/* A form that is no template's leaves the stack alone: what is open in it stays open. */
static void end_form(struct adit_html *p)
{
    if (is_open(p, ADIT_TAG_TEMPLATE)) {
        end_in_scope(p, ADIT_TAG_FORM, IS_SCOPE, ADIT_TAG_NONE);
        return;
    }
    uint32_t form = p->form, i = form ? adit_open_index(p, form) : 0;
    p->form = 0;
    if (!i) return;
    for (uint32_t k = p->n_open; k-- > i + 1; p->work++)
        if (adit_open_ends_scope(&p->open[k], IS_SCOPE)) return;
    adit_open_implied(p, ADIT_TAG_NONE);
    adit_open_remove(p, i);
}

/* </body>, and </html>, which is then processed again. */
static bool end_body(struct adit_html *p, uint16_t tag)
{
    if (!adit_open_in_scope(p, ADIT_TAG_BODY, IS_SCOPE)) return true;
    p->mode = MODE_AFTER_BODY;
    return tag == ADIT_TAG_BODY;
}

bool adit_in_body_end(struct adit_html *p, uint16_t tag)
{
    unsigned flags = tag_flags(tag);
    if (flags & IS_FORMATTING) {
        if (!adit_adopt(p, tag)) adit_body_any_other_end(p, tag);
        return true;
    }
    if (flags & IS_HEADING) return end_heading(p), true;
    switch (tag) {
    case ADIT_TAG_TEMPLATE: adit_head_end_template(p); return true;
    case ADIT_TAG_BODY:
    case ADIT_TAG_HTML: return end_body(p, tag);
    case ADIT_TAG_FORM: end_form(p); return true;
    case ADIT_TAG_P: end_p(p); return true;
    case ADIT_TAG_LI: end_in_scope(p, tag, IS_LIST_SCOPE, tag); return true;
    case ADIT_TAG_DD:
    case ADIT_TAG_DT: end_in_scope(p, tag, IS_SCOPE, tag); return true;
    case ADIT_TAG_APPLET:
    case ADIT_TAG_MARQUEE:
    case ADIT_TAG_OBJECT:
        if (end_in_scope(p, tag, IS_SCOPE, ADIT_TAG_NONE)) adit_formatting_clear(p);
        return true;
    case ADIT_TAG_BR: adit_in_body_start(p, tag); return true;
    case ADIT_TAG_BUTTON:
    case ADIT_TAG_LISTING:
    case ADIT_TAG_PRE:
    case ADIT_TAG_SELECT: end_in_scope(p, tag, IS_SCOPE, ADIT_TAG_NONE); return true;
    default: break;
    }
    if (flags & IS_BLOCK)
        end_in_scope(p, tag, IS_SCOPE, ADIT_TAG_NONE);
    else
        adit_body_any_other_end(p, tag);
    return true;
}
