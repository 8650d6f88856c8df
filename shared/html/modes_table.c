/* Insertion modes of tables: "in table" (13.2.6.4.9), "in table text", "in caption",
 * "in column group", "in table body", "in row", "in cell" (13.2.6.4.15). */
#include "html/modes_impl.h"

/* "Clear the stack back to a table (body, row) context". */
static void clear_to(struct adit_html *p, uint16_t a, uint16_t b, uint16_t c)
{
    while (p->n_open > 1) {
        const struct open_element *e = current(p);
        if (e->ns == ADIT_NS_HTML && (e->tag == a || e->tag == b || e->tag == c ||
                                      e->tag == ADIT_TAG_TEMPLATE || e->tag == ADIT_TAG_HTML))
            return;
        open_pop(p);
    }
}
static void clear_to_table(struct adit_html *p)
{
    clear_to(p, ADIT_TAG_TABLE, ADIT_TAG_TABLE, ADIT_TAG_TABLE);
}
static void clear_to_body(struct adit_html *p)
{
    clear_to(p, ADIT_TAG_TBODY, ADIT_TAG_TFOOT, ADIT_TAG_THEAD);
}
static void clear_to_row(struct adit_html *p)
{
    clear_to(p, ADIT_TAG_TR, ADIT_TAG_TR, ADIT_TAG_TR);
}

static bool in_table_scope(struct adit_html *p, uint16_t tag)
{
    return adit_open_in_scope(p, tag, IS_TABLE_SCOPE);
}

static void insert_in_mode(struct adit_html *p, uint16_t tag, enum mode mode)
{
    adit_tree_insert(p, tag, ADIT_NS_HTML);
    p->mode = (uint8_t)mode;
}

/* Parts of a table whose start tags end a caption, a cell, a row, a body. */
static bool is_table_tag(uint16_t tag)
{
    switch (tag) {
    case ADIT_TAG_CAPTION:
    case ADIT_TAG_COL:
    case ADIT_TAG_COLGROUP:
    case ADIT_TAG_TBODY:
    case ADIT_TAG_TD:
    case ADIT_TAG_TFOOT:
    case ADIT_TAG_TH:
    case ADIT_TAG_THEAD:
    case ADIT_TAG_TR: return true;
    default: return false;
    }
}

/* --- the "in table" insertion mode -------------------------------------------------------------- */

/* "Anything else": by the rules of "in body", before the table. */
static bool foster(struct adit_html *p, uint16_t tag,
                   bool (*rules)(struct adit_html *p, uint16_t tag))
{
    p->fostering = true;
    bool done = rules(p, tag);
    p->fostering = false;
    return done;
}

static bool end_table(struct adit_html *p)
{
    if (!in_table_scope(p, ADIT_TAG_TABLE)) return false;
    adit_open_pop_until(p, ADIT_TAG_TABLE);
    adit_open_reset_mode(p);
    return true;
}

static void start_form(struct adit_html *p)
{
    if (p->form || is_open(p, ADIT_TAG_TEMPLATE)) return;
    p->form = adit_tree_insert_void(p, ADIT_TAG_FORM, ADIT_NS_HTML);
}

bool adit_in_table_start(struct adit_html *p, uint16_t tag)
{
    switch (tag) {
    case ADIT_TAG_CAPTION:
        clear_to_table(p);
        adit_formatting_marker(p);
        insert_in_mode(p, tag, MODE_IN_CAPTION);
        return true;
    case ADIT_TAG_COLGROUP:
        clear_to_table(p);
        insert_in_mode(p, tag, MODE_IN_COLUMN_GROUP);
        return true;
    case ADIT_TAG_COL:
        clear_to_table(p);
        adit_tree_insert_implied(p, ADIT_TAG_COLGROUP);
        p->mode = MODE_IN_COLUMN_GROUP;
        return false;
    case ADIT_TAG_TBODY:
    case ADIT_TAG_TFOOT:
    case ADIT_TAG_THEAD:
        clear_to_table(p);
        insert_in_mode(p, tag, MODE_IN_TABLE_BODY);
        return true;
    case ADIT_TAG_TD:
    case ADIT_TAG_TH:
    case ADIT_TAG_TR:
        clear_to_table(p);
        adit_tree_insert_implied(p, ADIT_TAG_TBODY);
        p->mode = MODE_IN_TABLE_BODY;
        return false;
    case ADIT_TAG_TABLE: return !end_table(p);
    case ADIT_TAG_STYLE:
    case ADIT_TAG_SCRIPT:
    case ADIT_TAG_TEMPLATE: adit_head_element(p, tag); return true;
    case ADIT_TAG_INPUT:
        if (!adit_parse_value_is(p, adit_tag_attr(p, ADIT_ATTR_TYPE), ADIT_STR("hidden"))) break;
        adit_tree_insert_void(p, tag, ADIT_NS_HTML);
        return true;
    case ADIT_TAG_FORM: start_form(p); return true;
    default: break;
    }
    return foster(p, tag, adit_in_body_start);
}

bool adit_in_table_end(struct adit_html *p, uint16_t tag)
{
    if (tag == ADIT_TAG_TABLE) return end_table(p), true;
    if (tag == ADIT_TAG_TEMPLATE) return adit_head_end_template(p), true;
    if (is_table_tag(tag) || tag == ADIT_TAG_BODY || tag == ADIT_TAG_HTML) return true;
    return foster(p, tag, adit_in_body_end);
}

/* "In table text": white space stays, other text goes before the table. */
bool adit_in_table_text(struct adit_html *p, struct text *t)
{
    bool table = current_has(p, IS_TABLE_PART) || current_is(p, ADIT_TAG_TEMPLATE);
    if (table && adit_text_is_blank(p, *t)) {
        if (!adit_text_is_nothing(p, *t)) adit_tree_insert_text(p, *t);
        return true;
    }
    p->fostering = true;
    adit_in_body_text(p, t);
    p->fostering = false;
    return true;
}

/* --- the "in caption" insertion mode ------------------------------------------------------------ */

static bool end_caption(struct adit_html *p)
{
    if (!in_table_scope(p, ADIT_TAG_CAPTION)) return false;
    adit_open_implied(p, ADIT_TAG_NONE);
    adit_open_pop_until(p, ADIT_TAG_CAPTION);
    adit_formatting_clear(p);
    p->mode = MODE_IN_TABLE;
    return true;
}

bool adit_in_caption_start(struct adit_html *p, uint16_t tag)
{
    return is_table_tag(tag) ? !end_caption(p) : adit_in_body_start(p, tag);
}

bool adit_in_caption_end(struct adit_html *p, uint16_t tag)
{
    if (tag == ADIT_TAG_CAPTION) return end_caption(p), true;
    if (tag == ADIT_TAG_TABLE) return !end_caption(p);
    if (is_table_tag(tag) || tag == ADIT_TAG_BODY || tag == ADIT_TAG_HTML) return true;
    return adit_in_body_end(p, tag);
}

/* --- the "in column group" insertion mode ------------------------------------------------------- */

static bool end_colgroup(struct adit_html *p)
{
    if (!current_is(p, ADIT_TAG_COLGROUP)) return false;
    open_pop(p);
    p->mode = MODE_IN_TABLE;
    return true;
}

bool adit_in_colgroup_start(struct adit_html *p, uint16_t tag)
{
    switch (tag) {
    case ADIT_TAG_HTML: return adit_in_body_start(p, tag);
    case ADIT_TAG_COL: adit_tree_insert_void(p, tag, ADIT_NS_HTML); return true;
    case ADIT_TAG_TEMPLATE: adit_head_element(p, tag); return true;
    default: return !end_colgroup(p);
    }
}

bool adit_in_colgroup_end(struct adit_html *p, uint16_t tag)
{
    switch (tag) {
    case ADIT_TAG_COLGROUP: end_colgroup(p); return true;
    case ADIT_TAG_COL: return true;
    case ADIT_TAG_TEMPLATE: adit_head_end_template(p); return true;
    default: return !end_colgroup(p);
    }
}

bool adit_in_colgroup_text(struct adit_html *p, struct text *t)
{
    struct text space = *t;
    space.len = adit_text_leading_space(p, *t);
    adit_tree_insert_text(p, space);
    t->at += space.len, t->len -= space.len;
    if (!t->len || end_colgroup(p)) return !t->len;
    /* In a <template>: characters go, but white space between them stays. */
    adit_text_skip_other(p, t);
    return !t->len;
}

/* --- the "in table body" insertion mode --------------------------------------------------------- */

static bool end_tbody(struct adit_html *p)
{
    if (!in_table_scope(p, ADIT_TAG_TBODY) && !in_table_scope(p, ADIT_TAG_THEAD) &&
        !in_table_scope(p, ADIT_TAG_TFOOT))
        return false;
    clear_to_body(p);
    open_pop(p);
    p->mode = MODE_IN_TABLE;
    return true;
}

bool adit_in_tbody_start(struct adit_html *p, uint16_t tag)
{
    switch (tag) {
    case ADIT_TAG_TR:
        clear_to_body(p);
        insert_in_mode(p, tag, MODE_IN_ROW);
        return true;
    case ADIT_TAG_TD:
    case ADIT_TAG_TH:
        clear_to_body(p);
        adit_tree_insert_implied(p, ADIT_TAG_TR);
        p->mode = MODE_IN_ROW;
        return false;
    default: return is_table_tag(tag) ? !end_tbody(p) : adit_in_table_start(p, tag);
    }
}

bool adit_in_tbody_end(struct adit_html *p, uint16_t tag)
{
    switch (tag) {
    case ADIT_TAG_TBODY:
    case ADIT_TAG_TFOOT:
    case ADIT_TAG_THEAD:
        if (in_table_scope(p, tag)) end_tbody(p);
        return true;
    case ADIT_TAG_TABLE: return !end_tbody(p);
    default: return adit_in_table_end(p, tag);
    }
}

/* --- the "in row" insertion mode ---------------------------------------------------------------- */

static bool end_row(struct adit_html *p)
{
    if (!in_table_scope(p, ADIT_TAG_TR)) return false;
    clear_to_row(p);
    open_pop(p);
    p->mode = MODE_IN_TABLE_BODY;
    return true;
}

bool adit_in_row_start(struct adit_html *p, uint16_t tag)
{
    if (tag == ADIT_TAG_TD || tag == ADIT_TAG_TH) {
        clear_to_row(p);
        insert_in_mode(p, tag, MODE_IN_CELL);
        adit_formatting_marker(p);
        return true;
    }
    return is_table_tag(tag) ? !end_row(p) : adit_in_table_start(p, tag);
}

bool adit_in_row_end(struct adit_html *p, uint16_t tag)
{
    switch (tag) {
    case ADIT_TAG_TR: end_row(p); return true;
    case ADIT_TAG_TABLE: return !end_row(p);
    case ADIT_TAG_TBODY:
    case ADIT_TAG_TFOOT:
    case ADIT_TAG_THEAD: return !in_table_scope(p, tag) || !end_row(p);
    default: return adit_in_table_end(p, tag);
    }
}

/* --- the "in cell" insertion mode --------------------------------------------------------------- */

static void leave_cell(struct adit_html *p)
{
    adit_formatting_clear(p);
    p->mode = MODE_IN_ROW;
}

/* "Close the cell". */
static void close_cell(struct adit_html *p)
{
    adit_open_implied(p, ADIT_TAG_NONE);
    while (p->n_open > 1) {
        bool cell = current_is(p, ADIT_TAG_TD) || current_is(p, ADIT_TAG_TH);
        open_pop(p);
        if (cell) break;
    }
    leave_cell(p);
}

bool adit_in_cell_start(struct adit_html *p, uint16_t tag)
{
    if (!is_table_tag(tag)) return adit_in_body_start(p, tag);
    if (!in_table_scope(p, ADIT_TAG_TD) && !in_table_scope(p, ADIT_TAG_TH)) return true;
    close_cell(p);
    return false;
}

bool adit_in_cell_end(struct adit_html *p, uint16_t tag)
{
    switch (tag) {
    case ADIT_TAG_TD:
    case ADIT_TAG_TH:
        if (!in_table_scope(p, tag)) return true;
        adit_open_implied(p, ADIT_TAG_NONE);
        adit_open_pop_until(p, tag);
        leave_cell(p);
        return true;
    case ADIT_TAG_BODY:
    case ADIT_TAG_CAPTION:
    case ADIT_TAG_COL:
    case ADIT_TAG_COLGROUP:
    case ADIT_TAG_HTML: return true;
    case ADIT_TAG_TABLE:
    case ADIT_TAG_TBODY:
    case ADIT_TAG_TFOOT:
    case ADIT_TAG_THEAD:
    case ADIT_TAG_TR:
        if (!in_table_scope(p, tag)) return true;
        close_cell(p);
        return false;
    default: return adit_in_body_end(p, tag);
    }
}
