/* The rules of the insertion modes (13.2.6.4), for the table in modes.c. Each says whether the token
 * is done; if not, it is to be processed again by the mode that is then set. A text that is not done
 * has lost what was taken of it. */
#ifndef ADIT_HTML_MODES_IMPL_H
#define ADIT_HTML_MODES_IMPL_H

#include "html/parse_impl.h"

/* modes_head.c */
bool adit_initial_start(struct adit_html *p, uint16_t tag);
bool adit_initial_end(struct adit_html *p, uint16_t tag);
bool adit_initial_text(struct adit_html *p, struct text *t);
bool adit_before_html_start(struct adit_html *p, uint16_t tag);
bool adit_before_html_end(struct adit_html *p, uint16_t tag);
bool adit_before_html_text(struct adit_html *p, struct text *t);
bool adit_before_head_start(struct adit_html *p, uint16_t tag);
bool adit_before_head_end(struct adit_html *p, uint16_t tag);
bool adit_before_head_text(struct adit_html *p, struct text *t);
bool adit_in_head_start(struct adit_html *p, uint16_t tag);
bool adit_in_head_end(struct adit_html *p, uint16_t tag);
bool adit_in_head_text(struct adit_html *p, struct text *t);
bool adit_noscript_start(struct adit_html *p, uint16_t tag);
bool adit_noscript_end(struct adit_html *p, uint16_t tag);
bool adit_noscript_text(struct adit_html *p, struct text *t);
bool adit_after_head_start(struct adit_html *p, uint16_t tag);
bool adit_after_head_end(struct adit_html *p, uint16_t tag);
bool adit_after_head_text(struct adit_html *p, struct text *t);
/* Start tags that other modes leave to "in head", and the end tag of <template>. */
void adit_head_element(struct adit_html *p, uint16_t tag);
void adit_head_end_template(struct adit_html *p);

/* modes_body.c, modes_body_end.c */
bool adit_in_body_start(struct adit_html *p, uint16_t tag);
bool adit_in_body_text(struct adit_html *p, struct text *t);
bool adit_in_body_end(struct adit_html *p, uint16_t tag);
void adit_body_text(struct adit_html *p, struct text t); /* adit_in_body_text, by value */
void adit_body_close_p(struct adit_html *p);             /* if one is in button scope */
void adit_body_any_other_end(struct adit_html *p, uint16_t tag);

/* modes_table.c */
bool adit_in_table_start(struct adit_html *p, uint16_t tag);
bool adit_in_table_end(struct adit_html *p, uint16_t tag);
bool adit_in_table_text(struct adit_html *p, struct text *t);
bool adit_in_caption_start(struct adit_html *p, uint16_t tag);
bool adit_in_caption_end(struct adit_html *p, uint16_t tag);
bool adit_in_colgroup_start(struct adit_html *p, uint16_t tag);
bool adit_in_colgroup_end(struct adit_html *p, uint16_t tag);
bool adit_in_colgroup_text(struct adit_html *p, struct text *t);
bool adit_in_tbody_start(struct adit_html *p, uint16_t tag);
bool adit_in_tbody_end(struct adit_html *p, uint16_t tag);
bool adit_in_row_start(struct adit_html *p, uint16_t tag);
bool adit_in_row_end(struct adit_html *p, uint16_t tag);
bool adit_in_cell_start(struct adit_html *p, uint16_t tag);
bool adit_in_cell_end(struct adit_html *p, uint16_t tag);

/* modes_after.c */
bool adit_in_template_start(struct adit_html *p, uint16_t tag);
bool adit_in_template_end(struct adit_html *p, uint16_t tag);
bool adit_after_body_start(struct adit_html *p, uint16_t tag);
bool adit_after_body_end(struct adit_html *p, uint16_t tag);
bool adit_after_body_text(struct adit_html *p, struct text *t);
bool adit_after_after_body_end(struct adit_html *p, uint16_t tag);
bool adit_in_frameset_start(struct adit_html *p, uint16_t tag);
bool adit_in_frameset_end(struct adit_html *p, uint16_t tag);
bool adit_in_frameset_text(struct adit_html *p, struct text *t);
bool adit_after_frameset_start(struct adit_html *p, uint16_t tag);
bool adit_after_frameset_end(struct adit_html *p, uint16_t tag);
bool adit_after_after_frameset_end(struct adit_html *p, uint16_t tag);
bool adit_after_after_frameset_text(struct adit_html *p, struct text *t);

#endif
