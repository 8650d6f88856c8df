/* Insertion modes up to the body: "initial" (13.2.6.4.1), "before html", "before head", "in head",
 * "in head noscript", "after head" (13.2.6.4.6). */
#include "html/modes_impl.h"

/* Takes the white space at the beginning of a text off it; whether nothing is left. */
static bool drop_space(struct adit_html *p, struct text *t)
{
    uint32_t n = adit_text_leading_space(p, *t);
    t->at += n, t->len -= n;
    return !t->len;
}

/* The same, but the white space goes into the tree. */
static bool keep_space(struct adit_html *p, struct text *t)
{
    struct text space = *t;
    space.len = adit_text_leading_space(p, *t);
    adit_tree_insert_text(p, space);
    t->at += space.len, t->len -= space.len;
    return !t->len;
}

/* End tags that have a meaning before there is a body. */
static bool is_head_end(uint16_t tag)
{
    return tag == ADIT_TAG_HEAD || tag == ADIT_TAG_BODY || tag == ADIT_TAG_HTML ||
           tag == ADIT_TAG_BR;
}

/* --- the "initial" insertion mode --------------------------------------------------------------- */

static bool leave_initial(struct adit_html *p)
{
    p->quirks = true; /* no DOCTYPE */
    p->mode = MODE_BEFORE_HTML;
    return false;
}

bool adit_initial_start(struct adit_html *p, uint16_t tag) { return (void)tag, leave_initial(p); }
bool adit_initial_end(struct adit_html *p, uint16_t tag) { return (void)tag, leave_initial(p); }

bool adit_initial_text(struct adit_html *p, struct text *t)
{
    return drop_space(p, t) || leave_initial(p);
}

/* --- the "before html" insertion mode ----------------------------------------------------------- */

static bool leave_before_html(struct adit_html *p)
{
    p->dom.html = adit_tree_node(p, ADIT_NODE_ELEMENT, ADIT_TAG_HTML, ADIT_NS_HTML);
    adit_tree_append(p, 0, p->dom.html);
    open_push(p, p->dom.html, ADIT_TAG_HTML, ADIT_NS_HTML);
    p->mode = MODE_BEFORE_HEAD;
    return false;
}

bool adit_before_html_start(struct adit_html *p, uint16_t tag)
{
    leave_before_html(p);
    if (tag != ADIT_TAG_HTML) return false;
    adit_tree_merge_attributes(p, p->dom.html);
    return true;
}

bool adit_before_html_end(struct adit_html *p, uint16_t tag)
{
    return !is_head_end(tag) || leave_before_html(p);
}

bool adit_before_html_text(struct adit_html *p, struct text *t)
{
    return drop_space(p, t) || leave_before_html(p);
}

/* --- the "before head" insertion mode ----------------------------------------------------------- */

static bool leave_before_head(struct adit_html *p)
{
    p->dom.head = adit_tree_insert_implied(p, ADIT_TAG_HEAD);
    p->mode = MODE_IN_HEAD;
    return false;
}

bool adit_before_head_start(struct adit_html *p, uint16_t tag)
{
    if (tag == ADIT_TAG_HTML) return adit_in_body_start(p, tag);
    if (tag != ADIT_TAG_HEAD) return leave_before_head(p);
    p->dom.head = adit_tree_insert(p, tag, ADIT_NS_HTML);
    p->mode = MODE_IN_HEAD;
    return true;
}

bool adit_before_head_end(struct adit_html *p, uint16_t tag)
{
    return !is_head_end(tag) || leave_before_head(p);
}

bool adit_before_head_text(struct adit_html *p, struct text *t)
{
    return drop_space(p, t) || leave_before_head(p);
}

/* --- the "in head" insertion mode --------------------------------------------------------------- */

static bool leave_in_head(struct adit_html *p)
{
    open_pop(p);
    p->mode = MODE_AFTER_HEAD;
    return false;
}

static void insert_template(struct adit_html *p)
{
    adit_tree_insert(p, ADIT_TAG_TEMPLATE, ADIT_NS_HTML);
    adit_tree_node(p, ADIT_NODE_DOCUMENT, ADIT_TAG_NONE, ADIT_NS_HTML); /* its content */
    adit_formatting_marker(p);
    p->frameset_ok = false;
    p->mode = MODE_IN_TEMPLATE;
    p->template_modes[p->n_modes++] = MODE_IN_TEMPLATE;
    p->templates = true;
}

void adit_head_element(struct adit_html *p, uint16_t tag)
{
    if (tag == ADIT_TAG_TEMPLATE) {
        insert_template(p);
    } else if (tag_flags(tag) & IS_RAW) {
        adit_tree_insert(p, tag, ADIT_NS_HTML);
        p->raw = tag;
    } else {
        adit_tree_insert_void(p, tag, ADIT_NS_HTML);
    }
}

void adit_head_end_template(struct adit_html *p)
{
    if (!is_open(p, ADIT_TAG_TEMPLATE)) return;
    adit_open_implied_thorough(p);
    adit_open_pop_until(p, ADIT_TAG_TEMPLATE);
    adit_formatting_clear(p);
    p->n_modes--;
    adit_open_reset_mode(p);
}

bool adit_in_head_start(struct adit_html *p, uint16_t tag)
{
    if (tag == ADIT_TAG_HTML) return adit_in_body_start(p, tag);
    if (tag_flags(tag) & IS_HEAD) {
        adit_head_element(p, tag);
    } else if (tag == ADIT_TAG_NOSCRIPT) {
        adit_tree_insert(p, tag, ADIT_NS_HTML);
        p->mode = MODE_IN_HEAD_NOSCRIPT;
    } else if (tag != ADIT_TAG_HEAD) {
        return leave_in_head(p);
    }
    return true;
}

bool adit_in_head_end(struct adit_html *p, uint16_t tag)
{
    if (tag == ADIT_TAG_TEMPLATE) {
        adit_head_end_template(p);
    } else if (tag == ADIT_TAG_HEAD) {
        leave_in_head(p);
    } else if (is_head_end(tag)) {
        return leave_in_head(p);
    }
    return true;
}

bool adit_in_head_text(struct adit_html *p, struct text *t)
{
    return keep_space(p, t) || leave_in_head(p);
}

/* --- the "in head noscript" insertion mode ------------------------------------------------------ */

static bool leave_noscript(struct adit_html *p)
{
    open_pop(p);
    p->mode = MODE_IN_HEAD;
    return false;
}

bool adit_noscript_start(struct adit_html *p, uint16_t tag)
{
    switch (tag) {
    case ADIT_TAG_HTML: return adit_in_body_start(p, tag);
    case ADIT_TAG_BASEFONT:
    case ADIT_TAG_BGSOUND:
    case ADIT_TAG_LINK:
    case ADIT_TAG_META:
    case ADIT_TAG_NOFRAMES:
    case ADIT_TAG_STYLE: adit_head_element(p, tag); return true;
    case ADIT_TAG_HEAD:
    case ADIT_TAG_NOSCRIPT: return true;
    default: return leave_noscript(p);
    }
}

bool adit_noscript_end(struct adit_html *p, uint16_t tag)
{
    if (tag == ADIT_TAG_NOSCRIPT) return leave_noscript(p), true;
    return tag != ADIT_TAG_BR || leave_noscript(p);
}

bool adit_noscript_text(struct adit_html *p, struct text *t)
{
    return keep_space(p, t) || leave_noscript(p);
}

/* --- the "after head" insertion mode ------------------------------------------------------------ */

static bool leave_after_head(struct adit_html *p)
{
    p->dom.body = adit_tree_insert_implied(p, ADIT_TAG_BODY);
    p->mode = MODE_IN_BODY;
    return false;
}

/* Elements that belong into the head go there, even now. */
static void insert_into_head(struct adit_html *p, uint16_t tag)
{
    open_push(p, p->dom.head, ADIT_TAG_HEAD, ADIT_NS_HTML);
    adit_head_element(p, tag);
    adit_open_remove(p, adit_open_index(p, p->dom.head));
}

bool adit_after_head_start(struct adit_html *p, uint16_t tag)
{
    if (tag == ADIT_TAG_HTML) return adit_in_body_start(p, tag);
    if (tag == ADIT_TAG_BODY || tag == ADIT_TAG_FRAMESET) {
        p->dom.body = adit_tree_insert(p, tag, ADIT_NS_HTML);
        if (tag == ADIT_TAG_BODY) p->frameset_ok = false;
        p->mode = tag == ADIT_TAG_BODY ? MODE_IN_BODY : MODE_IN_FRAMESET;
    } else if (tag_flags(tag) & IS_HEAD) {
        insert_into_head(p, tag);
    } else if (tag != ADIT_TAG_HEAD) {
        return leave_after_head(p);
    }
    return true;
}

bool adit_after_head_end(struct adit_html *p, uint16_t tag)
{
    if (tag == ADIT_TAG_TEMPLATE) adit_head_end_template(p);
    if (tag == ADIT_TAG_HEAD || !is_head_end(tag)) return true;
    return leave_after_head(p);
}

bool adit_after_head_text(struct adit_html *p, struct text *t)
{
    return keep_space(p, t) || leave_after_head(p);
}
