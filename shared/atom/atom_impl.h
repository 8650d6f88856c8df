/* The writers of a feed's two formats. */
#ifndef ADIT_ATOM_IMPL_H
#define ADIT_ATOM_IMPL_H

#include "atom/atom.h"

void adit_atom_head(struct adit_feed_writer *w, const struct adit_atom_feed *feed);
void adit_atom_entry(struct adit_feed_writer *w, const struct adit_atom_entry *e);
void adit_atom_tail(struct adit_feed_writer *w);

void adit_jsonfeed_head(struct adit_feed_writer *w, const struct adit_atom_feed *feed);
void adit_jsonfeed_entry(struct adit_feed_writer *w, const struct adit_atom_entry *e);
void adit_jsonfeed_tail(struct adit_feed_writer *w);

#endif
