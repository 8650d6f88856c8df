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

bool adit_seam_touch(struct adit_str one, struct adit_str two)
{
    if (!one.len || !two.len || adit_is_space(one.p[one.len - 1]) || adit_is_space(two.p[0]))
        return false;
    return adit_str_chr(ADIT_STR(".,;:!?)"), two.p[0], 0) == 7;
}

/* Parts of classes of what is cut off from sight, and read aloud: "opens in a new window". */
static const struct adit_str heard[] = {
    ADIT_STR_INIT("visually-hidden"),
    ADIT_STR_INIT("visuallyhidden"),
    ADIT_STR_INIT("sr-only"),
    ADIT_STR_INIT("screen-reader"),
    ADIT_STR_INIT("screenreader"),
    ADIT_STR_INIT("clipped"),
    ADIT_STR_INIT("a11y"),
    ADIT_STR_INIT("offscreen"),
};

bool adit_seam_heard(const struct adit_dom *d, uint32_t text)
{
    struct adit_str class = adit_dom_attr(d, d->nodes[text].parent, ADIT_ATTR_CLASS);
    for (size_t i = 0; class.len && i < ADIT_COUNT(heard); i++)
        if (adit_str_ifind(class, heard[i], 0) < class.len) return true;
    return false;
}
