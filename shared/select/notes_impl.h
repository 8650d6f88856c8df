/* Notes that the text points to. */
#ifndef ADIT_SELECT_NOTES_IMPL_H
#define ADIT_SELECT_NOTES_IMPL_H

#include "select/features_impl.h"

/* Marks the leaves of lists of notes: kept text points to several of their items. */
enum adit_code adit_notes_find(const struct adit_facts *f, struct adit_arena *arena,
                               uint8_t *is_note);

#endif
