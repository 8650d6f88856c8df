/* What an element's tag and attributes say: read once, for everything that asks. Internal to page/.
 */
#ifndef ADIT_MARKS_H
#define ADIT_MARKS_H

#include "html/html.h"

struct adit_marks {
    uint8_t hidden; /* ADIT_HIDDEN_…, and ADIT_STYLE_… of display.h */
    bool heading;   /* role=heading */
    bool aria_hidden;
    bool tab_panel, region; /* roles */
    bool labelled;          /* by another element */
    uint32_t kinds;         /* a bit for each enum adit_ancestor that it is */
    struct adit_str class, id, itemprop, rel;
};

void adit_marks_read(const struct adit_dom *dom, const lxb_dom_node_t *node, uint16_t tag,
                     struct adit_marks *m);

#endif
