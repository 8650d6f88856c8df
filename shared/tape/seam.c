/* What meets where two texts touch. */
#include "tape/tape.h"

#include "text/text.h"

static enum adit_seam kind_of(uint32_t cp)
{
    return adit_cp_is_lower(cp)   ? ADIT_SEAM_SMALL
           : adit_cp_is_upper(cp) ? ADIT_SEAM_CAPITAL
           : adit_cp_is_digit(cp) ? ADIT_SEAM_DIGIT
                                  : ADIT_SEAM_NONE;
}

enum adit_seam adit_seam_begin(struct adit_str text)
{
    size_t pos = 0;
    if (!text.len) return ADIT_SEAM_NONE;
    enum adit_seam first = kind_of(adit_utf8_next(text, &pos));
    if (!first || pos == text.len || !kind_of(adit_utf8_next(text, &pos))) return ADIT_SEAM_NONE;
    return first;
}

enum adit_seam adit_seam_end(struct adit_str text)
{
    size_t pos = text.len;
    if (!text.len) return ADIT_SEAM_NONE;
    enum adit_seam last = kind_of(adit_utf8_prev(text, &pos));
    if (!last || !pos || !kind_of(adit_utf8_prev(text, &pos))) return ADIT_SEAM_NONE;
    return last;
}

bool adit_seam_apart(enum adit_seam end, enum adit_seam begin)
{
    if (!end || !begin) return false;
    return (end == ADIT_SEAM_DIGIT) != (begin == ADIT_SEAM_DIGIT) ||
           (end == ADIT_SEAM_SMALL && begin == ADIT_SEAM_CAPITAL);
}
