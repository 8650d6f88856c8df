/* Differences between texts: what diff.c, units.c and words.c share. */
#ifndef ADIT_TEXT_DIFF_IMPL_H
#define ADIT_TEXT_DIFF_IMPL_H

#include "text/text.h"

/* A text as units; units are neither empty nor do they overlap, and make up the text. */
struct adit_units {
    struct adit_str text; /* at most UINT32_MAX bytes for adit_units_number */
    enum adit_diff_unit unit;
    size_t n;
};

size_t adit_units_count(enum adit_diff_unit unit, struct adit_str text);
/* Numbers for the units of two texts, in the arena: units of the same bytes have the same one. */
enum adit_code adit_units_number(const struct adit_units u[2], struct adit_arena *arena,
                                 uint32_t *numbers[2]);

/* Steps of the search: about a tenth of a second. */
enum { ADIT_DIFF_BUDGET = 1 << 25 };

/* adit_diff_edits with what is left of a budget for several searches. */
enum adit_code adit_diff_search(struct adit_str a, struct adit_str b, enum adit_diff_unit unit,
                                int64_t *budget, struct adit_arena *arena,
                                struct adit_diff_edits *edits);

#endif
