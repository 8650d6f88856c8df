/* Pages that arrive in pieces. */
#ifndef ADIT_PIECES_H
#define ADIT_PIECES_H

#include "html/html.h"

/* Moves the pieces of a streamed page to their places. Only pages with a <template> have any. */
void adit_pieces_place(const struct adit_dom *d);

#endif
