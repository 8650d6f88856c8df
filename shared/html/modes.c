/* Tree construction (13.2.6): which rules a token is for, the table of insertion modes, and the end
 * of the page. */
#include "html/modes_impl.h"

const struct mode_rules adit_modes[] = {
    [MODE_INITIAL] = {adit_initial_start, adit_initial_end, adit_initial_text},
    [MODE_BEFORE_HTML] = {adit_before_html_start, adit_before_html_end, adit_before_html_text},
    [MODE_BEFORE_HEAD] = {adit_before_head_start, adit_before_head_end, adit_before_head_text},
    [MODE_IN_HEAD] = {adit_in_head_start, adit_in_head_end, adit_in_head_text},
    [MODE_IN_HEAD_NOSCRIPT] = {adit_noscript_start, adit_noscript_end, adit_noscript_text},
    [MODE_AFTER_HEAD] = {adit_after_head_start, adit_after_head_end, adit_after_head_text},
    [MODE_IN_BODY] = {adit_in_body_start, adit_in_body_end, adit_in_body_text},
    [MODE_IN_TABLE] = {adit_in_table_start, adit_in_table_end, adit_in_table_text},
    [MODE_IN_CAPTION] = {adit_in_caption_start, adit_in_caption_end, adit_in_body_text},
    [MODE_IN_COLUMN_GROUP] = {adit_in_colgroup_start, adit_in_colgroup_end, adit_in_colgroup_text},
    [MODE_IN_TABLE_BODY] = {adit_in_tbody_start, adit_in_tbody_end, adit_in_table_text},
    [MODE_IN_ROW] = {adit_in_row_start, adit_in_row_end, adit_in_table_text},
    [MODE_IN_CELL] = {adit_in_cell_start, adit_in_cell_end, adit_in_body_text},
    [MODE_IN_TEMPLATE] = {adit_in_template_start, adit_in_template_end, adit_in_body_text},
    [MODE_AFTER_BODY] = {adit_after_body_start, adit_after_body_end, adit_after_body_text},
    [MODE_IN_FRAMESET] = {adit_in_frameset_start, adit_in_frameset_end, adit_in_frameset_text},
    [MODE_AFTER_FRAMESET] = {adit_after_frameset_start, adit_after_frameset_end,
                             adit_in_frameset_text},
    [MODE_AFTER_AFTER_BODY] = {adit_after_body_start, adit_after_after_body_end,
                               adit_after_body_text},
    [MODE_AFTER_AFTER_FRAMESET] = {adit_after_frameset_start, adit_after_after_frameset_end,
                                   adit_after_after_frameset_text},
};

/* "Tree construction dispatcher". */

static bool is_foreign(const struct adit_html *p)
{
    return p->n_open && current(p)->ns != ADIT_NS_HTML;
}

void adit_mode_start(struct adit_html *p, uint16_t tag)
{
    bool done = false;
    while (!done)
        done = is_foreign(p) && adit_foreign_takes_start(p, tag)
                   ? adit_foreign_start(p, tag)
                   : adit_modes[p->mode].start(p, tag);
}

void adit_mode_end(struct adit_html *p, uint16_t tag)
{
    bool done = false;
    while (!done) done = is_foreign(p) ? adit_foreign_end(p, tag) : adit_modes[p->mode].end(p, tag);
}

void adit_mode_text(struct adit_html *p, struct text t)
{
    bool done = false;
    while (!done && t.len) {
        if (is_foreign(p) && adit_foreign_takes_text(p)) {
            t.flags |= TEXT_NUL;
            if (p->frameset_ok && !adit_text_is_blank(p, t)) p->frameset_ok = false;
            adit_tree_insert_text(p, t);
            return;
        }
        done = adit_modes[p->mode].text(p, &t);
    }
}

void adit_mode_comment(struct adit_html *p, struct text t)
{
    uint32_t parent = TREE_CURRENT;
    switch (is_foreign(p) ? MODE_IN_BODY : p->mode) {
    case MODE_INITIAL:
    case MODE_BEFORE_HTML:
    case MODE_AFTER_AFTER_BODY:
    case MODE_AFTER_AFTER_FRAMESET: parent = 0; break;
    case MODE_AFTER_BODY: parent = p->open[0].node; break;
    default: break;
    }
    adit_tree_insert_comment(p, parent, t);
}

/* Only the first token of a page can be its DOCTYPE. */
void adit_mode_doctype(struct adit_html *p, struct text t, bool closed)
{
    if (p->mode != MODE_INITIAL) return;
    struct doctype d = adit_doctype_read(adit_str_of((const char *)p->in + t.at, t.len), closed);
    uint32_t made = adit_tree_node(p, ADIT_NODE_DOCTYPE, ADIT_TAG_NONE, TEXT_TAKEN);
    node_of(p, made)->at = t.at, node_of(p, made)->len = t.len;
    adit_tree_append(p, 0, made);
    p->quirks = adit_doctype_is_quirks(&d);
    p->mode = MODE_BEFORE_HTML;
}

/* End of file: what must be there is made, as if </body></html> stood there. */
void adit_mode_finish(struct adit_html *p)
{
    while (is_open(p, ADIT_TAG_TEMPLATE)) {
        adit_open_pop_until(p, ADIT_TAG_TEMPLATE);
        adit_formatting_clear(p);
        p->n_modes--;
        adit_open_reset_mode(p);
    }
    p->tag = (struct tag){.attrs = p->dom.n_attrs};
    while (p->mode < MODE_IN_BODY) adit_modes[p->mode].end(p, ADIT_TAG_BR);
}
