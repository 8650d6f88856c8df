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
/* A word behind the name of a month that says which of two it is. */
bool adit_month_number(struct adit_str folded, bool *second);
/* 'y', 'm', 'd' of a word that stands before the number of a year, a month, a day; or 0. */
char adit_date_unit_of_word(struct adit_str folded);
/* The year before the first of the era that a word ends in, or 0: years of an era have units. */
int adit_date_era_of_word(struct adit_str folded);

#endif
