/* Pages that arrive in pieces. */
#ifndef ADIT_HTML_PIECES_IMPL_H
#define ADIT_HTML_PIECES_IMPL_H

#include "html/html.h"

/* Moves the pieces of a streamed page to their places. Only pages with a <template> have any. */
void adit_pieces_place(const struct adit_dom *d);

#endif
