/* What meets where two texts touch. */
#include "tape/tape.h"

#include "text/text.h"

static enum adit_joint kind_of(uint32_t cp)
{
    return adit_cp_is_lower(cp)   ? ADIT_JOINT_SMALL
           : adit_cp_is_upper(cp) ? ADIT_JOINT_CAPITAL
           : adit_cp_is_digit(cp) ? ADIT_JOINT_DIGIT
                                  : ADIT_JOINT_NONE;
}

enum adit_joint adit_joint_begin(struct adit_str text)
{
    size_t pos = 0;
    if (!text.len) return ADIT_JOINT_NONE;
    enum adit_joint first = kind_of(adit_utf8_next(text, &pos));
    if (!first || pos == text.len || !kind_of(adit_utf8_next(text, &pos))) return ADIT_JOINT_NONE;
    return first;
}

enum adit_joint adit_joint_end(struct adit_str text)
{
    size_t pos = text.len;
    if (!text.len) return ADIT_JOINT_NONE;
    enum adit_joint last = kind_of(adit_utf8_prev(text, &pos));
    if (!last || !pos || !kind_of(adit_utf8_prev(text, &pos))) return ADIT_JOINT_NONE;
    return last;
}

bool adit_joint_apart(enum adit_joint end, enum adit_joint begin)
{
    if (!end || !begin) return false;
    return (end == ADIT_JOINT_DIGIT) != (begin == ADIT_JOINT_DIGIT) ||
           (end == ADIT_JOINT_SMALL && begin == ADIT_JOINT_CAPITAL);
}
