/* Moving the nodes of a tree. */
#ifndef ADIT_HTML_DOM_IMPL_H
#define ADIT_HTML_DOM_IMPL_H

#include "html/html.h"

/* Takes a node, with all below it, from its place. */
void adit_dom_detach(const struct adit_dom *d, uint32_t node);
/* Puts a node that has no place right before another one. */
void adit_dom_insert_before(const struct adit_dom *d, uint32_t place, uint32_t node);

#endif
