/* The "in body" insertion mode (13.2.6.4.7): text and start tags. */
#include "html/dom_impl.h"
#include "html/modes_impl.h"

void adit_body_text(struct adit_html *p, struct text t)
{
    uint8_t first = p->in[t.at];
    if ((first == 0 || first == '<') && adit_text_is_nothing(p, t)) return;
    formatting_reconstruct(p);
    if (p->frameset_ok && !adit_text_is_blank(p, t)) p->frameset_ok = false;
    adit_tree_insert_text(p, t);
}

bool adit_in_body_text(struct adit_html *p, struct text *t)
{
    adit_body_text(p, *t);
    return true;
}

void adit_body_close_p(struct adit_html *p)
{
    if (current_is(p, ADIT_TAG_P)) {
        open_pop(p);
        return;
    }
    if (!is_open(p, ADIT_TAG_P) || !adit_open_in_scope(p, ADIT_TAG_P, IS_BUTTON_SCOPE)) return;
    adit_open_implied(p, ADIT_TAG_P);
    adit_open_pop_until(p, ADIT_TAG_P);
}

static void insert(struct adit_html *p, uint16_t tag) { adit_tree_insert(p, tag, ADIT_NS_HTML); }

static void insert_raw(struct adit_html *p, uint16_t tag)
{
    insert(p, tag);
    p->raw = tag;
}

static bool body_is_second(const struct adit_html *p)
{
    return p->n_open > 1 && p->open[1].tag == ADIT_TAG_BODY && p->open[1].ns == ADIT_NS_HTML;
}

static void start_root(struct adit_html *p, uint16_t tag)
{
    if (is_open(p, ADIT_TAG_TEMPLATE)) return;
    if (tag == ADIT_TAG_HTML) {
        adit_tree_merge_attributes(p, p->open[0].node);
    } else if (body_is_second(p)) {
        p->frameset_ok = false;
        adit_tree_merge_attributes(p, p->open[1].node);
    }
}

static void start_frameset(struct adit_html *p)
{
    if (!body_is_second(p) || !p->frameset_ok) return;
    adit_dom_detach(&p->dom, p->open[1].node);
    adit_open_pop_to(p, 1);
    p->dom.body = adit_tree_insert(p, ADIT_TAG_FRAMESET, ADIT_NS_HTML);
    p->mode = MODE_IN_FRAMESET;
}

static void start_form(struct adit_html *p)
{
    bool template = is_open(p, ADIT_TAG_TEMPLATE);
    if (p->form && !template) return;
    adit_body_close_p(p);
    uint32_t made = adit_tree_insert(p, ADIT_TAG_FORM, ADIT_NS_HTML);
    if (!template) p->form = made;
}

/* <li>, and <dd> <dt>, which end each other: an open one ends unless a special element that is no
 * <address>, <div> or <p> stands above it. */
static void start_item(struct adit_html *p, uint16_t tag, uint16_t other)
{
    p->frameset_ok = false;
    bool any = is_open(p, tag) || is_open(p, other);
    for (uint32_t i = p->n_open; any && i-- > 0; p->work++) {
        const struct open_element *e = &p->open[i];
        bool html = e->ns == ADIT_NS_HTML;
        if (html && (e->tag == tag || e->tag == other)) {
            uint16_t found = e->tag;
            adit_open_implied(p, found);
            adit_open_pop_until(p, found);
            break;
        }
        bool passed =
            html && (e->tag == ADIT_TAG_ADDRESS || e->tag == ADIT_TAG_DIV || e->tag == ADIT_TAG_P);
        if (!passed && adit_open_is_special(e)) break;
    }
    adit_body_close_p(p);
    insert(p, tag);
}

static void start_button(struct adit_html *p)
{
    if (adit_open_in_scope(p, ADIT_TAG_BUTTON, IS_SCOPE)) {
        adit_open_implied(p, ADIT_TAG_NONE);
        adit_open_pop_until(p, ADIT_TAG_BUTTON);
    }
    formatting_reconstruct(p);
    insert(p, ADIT_TAG_BUTTON);
    p->frameset_ok = false;
}

static void start_formatting(struct adit_html *p, uint16_t tag)
{
    uint32_t entry = tag == ADIT_TAG_A ? adit_formatting_find(p, tag) : 0;
    if (entry) {
        uint32_t node = p->active[entry - 1].node;
        if (!adit_adopt(p, tag)) adit_body_any_other_end(p, tag);
        adit_formatting_forget(p, node);
        uint32_t i = adit_open_index(p, node);
        if (i) adit_open_remove(p, i);
    }
    formatting_reconstruct(p);
    if (tag == ADIT_TAG_NOBR && adit_open_in_scope(p, tag, IS_SCOPE)) {
        if (!adit_adopt(p, tag)) adit_body_any_other_end(p, tag);
        formatting_reconstruct(p);
    }
    uint32_t made = adit_tree_insert(p, tag, ADIT_NS_HTML);
    adit_formatting_push(p, made, tag);
}

static void start_void(struct adit_html *p, uint16_t tag)
{
    formatting_reconstruct(p);
    adit_tree_insert_void(p, tag, ADIT_NS_HTML);
    p->frameset_ok = false;
}

static bool select_in_scope(struct adit_html *p)
{
    return adit_open_in_scope(p, ADIT_TAG_SELECT, IS_SCOPE);
}

static void start_input(struct adit_html *p)
{
    if (select_in_scope(p)) adit_open_pop_until(p, ADIT_TAG_SELECT);
    bool frameset_ok = p->frameset_ok;
    start_void(p, ADIT_TAG_INPUT);
    if (adit_parse_value_is(p, adit_tag_attr(p, ADIT_ATTR_TYPE), ADIT_STR("hidden")))
        p->frameset_ok = frameset_ok;
}

static void start_hr(struct adit_html *p)
{
    adit_body_close_p(p);
    if (select_in_scope(p)) adit_open_implied(p, ADIT_TAG_NONE);
    adit_tree_insert_void(p, ADIT_TAG_HR, ADIT_NS_HTML);
    p->frameset_ok = false;
}

static void start_select(struct adit_html *p)
{
    if (select_in_scope(p)) {
        adit_open_pop_until(p, ADIT_TAG_SELECT);
        return;
    }
    formatting_reconstruct(p);
    insert(p, ADIT_TAG_SELECT);
    p->frameset_ok = false;
}

/* <option>, <optgroup> */
static void start_option(struct adit_html *p, uint16_t tag)
{
    if (select_in_scope(p))
        adit_open_implied(p, tag == ADIT_TAG_OPTION ? ADIT_TAG_OPTGROUP : ADIT_TAG_NONE);
    else if (current_is(p, ADIT_TAG_OPTION))
        open_pop(p);
    formatting_reconstruct(p);
    insert(p, tag);
}

static void start_ruby_part(struct adit_html *p, uint16_t tag)
{
    bool inner = tag == ADIT_TAG_RP || tag == ADIT_TAG_RT;
    if (adit_open_in_scope(p, ADIT_TAG_RUBY, IS_SCOPE))
        adit_open_implied(p, inner ? ADIT_TAG_RTC : ADIT_TAG_NONE);
    insert(p, tag);
}

static void start_foreign(struct adit_html *p, uint16_t tag)
{
    uint8_t ns = tag == ADIT_TAG_SVG ? ADIT_NS_SVG : ADIT_NS_MATH;
    formatting_reconstruct(p);
    if (p->tag.self_closing)
        adit_tree_insert_void(p, tag, ns);
    else
        adit_tree_insert(p, tag, ns);
}

/* Tags that start like nothing else, first half: those that end a <p>. */
static bool start_block(struct adit_html *p, uint16_t tag)
{
    switch (tag) {
    case ADIT_TAG_PRE:
    case ADIT_TAG_LISTING:
        adit_body_close_p(p);
        insert(p, tag);
        p->skip_newline = true;
        p->frameset_ok = false;
        return true;
    case ADIT_TAG_FORM: start_form(p); return true;
    case ADIT_TAG_LI: start_item(p, tag, tag); return true;
    case ADIT_TAG_DD: start_item(p, tag, ADIT_TAG_DT); return true;
    case ADIT_TAG_DT: start_item(p, tag, ADIT_TAG_DD); return true;
    case ADIT_TAG_PLAINTEXT:
        adit_body_close_p(p);
        insert(p, tag);
        p->plaintext = true;
        return true;
    case ADIT_TAG_TABLE:
        if (!p->quirks) adit_body_close_p(p);
        insert(p, tag);
        p->frameset_ok = false;
        p->mode = MODE_IN_TABLE;
        return true;
    case ADIT_TAG_HR: start_hr(p); return true;
    case ADIT_TAG_XMP:
        adit_body_close_p(p);
        formatting_reconstruct(p);
        p->frameset_ok = false;
        insert_raw(p, tag);
        return true;
    default: return false;
    }
}

/* Second half: form controls and text. */
static bool start_control(struct adit_html *p, uint16_t tag)
{
    switch (tag) {
    case ADIT_TAG_BUTTON: start_button(p); return true;
    case ADIT_TAG_INPUT: start_input(p); return true;
    case ADIT_TAG_TEXTAREA:
        insert_raw(p, tag);
        p->skip_newline = true;
        p->frameset_ok = false;
        return true;
    case ADIT_TAG_SELECT: start_select(p); return true;
    case ADIT_TAG_OPTION:
    case ADIT_TAG_OPTGROUP: start_option(p, tag); return true;
    case ADIT_TAG_IFRAME:
        p->frameset_ok = false;
        insert_raw(p, tag);
        return true;
    case ADIT_TAG_NOEMBED: insert_raw(p, tag); return true;
    case ADIT_TAG_APPLET:
    case ADIT_TAG_MARQUEE:
    case ADIT_TAG_OBJECT:
        formatting_reconstruct(p);
        insert(p, tag);
        adit_formatting_marker(p);
        p->frameset_ok = false;
        return true;
    default: return false;
    }
}

static void start_other(struct adit_html *p, uint16_t tag)
{
    switch (tag) {
    case ADIT_TAG_HTML:
    case ADIT_TAG_BODY: start_root(p, tag); return;
    case ADIT_TAG_FRAMESET: start_frameset(p); return;
    case ADIT_TAG_AREA:
    case ADIT_TAG_BR:
    case ADIT_TAG_EMBED:
    case ADIT_TAG_IMG:
    case ADIT_TAG_KEYGEN:
    case ADIT_TAG_WBR: start_void(p, tag); return;
    case ADIT_TAG_IMAGE: start_void(p, ADIT_TAG_IMG); return;
    case ADIT_TAG_PARAM:
    case ADIT_TAG_SOURCE:
    case ADIT_TAG_TRACK: adit_tree_insert_void(p, tag, ADIT_NS_HTML); return;
    case ADIT_TAG_RB:
    case ADIT_TAG_RTC:
    case ADIT_TAG_RP:
    case ADIT_TAG_RT: start_ruby_part(p, tag); return;
    case ADIT_TAG_MATH:
    case ADIT_TAG_SVG: start_foreign(p, tag); return;
    case ADIT_TAG_CAPTION:
    case ADIT_TAG_COL:
    case ADIT_TAG_COLGROUP:
    case ADIT_TAG_FRAME:
    case ADIT_TAG_HEAD:
    case ADIT_TAG_TBODY:
    case ADIT_TAG_TD:
    case ADIT_TAG_TFOOT:
    case ADIT_TAG_TH:
    case ADIT_TAG_THEAD:
    case ADIT_TAG_TR: return;
    default: break;
    }
    if (start_block(p, tag) || start_control(p, tag)) return;
    formatting_reconstruct(p);
    insert(p, tag);
}

bool adit_in_body_start(struct adit_html *p, uint16_t tag)
{
    unsigned flags = tag_flags(tag);
    if (flags & (IS_BLOCK | IS_HEADING)) {
        adit_body_close_p(p);
        if ((flags & IS_HEADING) && current_has(p, IS_HEADING)) open_pop(p);
        insert(p, tag);
    } else if (flags & IS_FORMATTING) {
        start_formatting(p, tag);
    } else if (flags & IS_HEAD) {
        adit_head_element(p, tag);
    } else {
        start_other(p, tag);
    }
    return true;
}
