/* Words of dates: months, zones, fillers. Internal to text/. */
#ifndef ADIT_DATE_WORDS_H
#define ADIT_DATE_WORDS_H

#include "base/base.h"

/* Month 1…12 of a case-folded word, or 0. */
unsigned adit_month_of_word(struct adit_str folded);
/* Minutes east of UTC of an abbreviation ("est", "cet"). */
bool adit_zone_of_word(struct adit_str folded, int *minutes);
/* Words between the numbers of a date: ordinals ("th"), prepositions ("de", "of"). */
bool adit_is_date_filler(struct adit_str folded);

#endif
