/* Chinese papers name the author inside the text: "（记者 王小明）", "责任编辑：王小明". */
#include "meta/meta_impl.h"

#include "tape/tape.h"

enum {
    CHARS_MIN = 2, /* characters of a name */
    CHARS_MAX = 4,
    BEHIND_MAX = 10, /* leaves behind the text that are looked at */
    NAMES_MAX = 4
};

/* What stands before a name, the best first; a sign must follow, since "记者" also tells what the
 * reporter did. */
static const struct adit_str marks[] = {
    ADIT_STR_INIT("记者"), ADIT_STR_INIT("記者"),     ADIT_STR_INIT("责任编辑"),
    ADIT_STR_INIT("责编"), ADIT_STR_INIT("責任編輯"),
};

/* The sign between a mark and a name, or between two names: its length, or 0. */
static size_t sign_len(struct adit_str s)
{
    static const struct adit_str signs[] = {
        ADIT_STR_INIT(" "),
        ADIT_STR_INIT(":"),
        ADIT_STR_INIT("："),
        ADIT_STR_INIT("、"),
        ADIT_STR_INIT("\xE3\x80\x80"),
        ADIT_STR_INIT("\xC2\xA0"),
    };
    size_t n = 0;
    for (size_t i = 0; i < ADIT_COUNT(signs); i++) {
        if (!adit_str_starts(adit_str_sub(s, n, s.len), signs[i])) continue;
        n += signs[i].len;
        i = SIZE_MAX; /* once more from the start */
    }
    return n;
}

/* Bytes of the name that s begins with; 0 if it is none: too short, or a sentence goes on. */
static size_t name_len(struct adit_str s)
{
    size_t pos = 0, n = 0;
    while (pos < s.len) {
        size_t next = pos;
        uint32_t c = adit_utf8_next(s, &next);
        if (!adit_is_han(c)) break;
        pos = next;
        n++;
    }
    return n >= CHARS_MIN && n <= CHARS_MAX ? pos : 0;
}

/* The names behind a mark, as they stand. */
static struct adit_str names_behind(struct adit_str s, struct adit_str mark)
{
    for (size_t at = 0; (at = adit_str_find(s, mark, at)) < s.len; at += mark.len) {
        struct adit_str rest = adit_str_sub(s, at + mark.len, s.len);
        size_t from = sign_len(rest), end = from;
        for (size_t n = 0, gap = from; n < NAMES_MAX && gap; n++) {
            size_t len = name_len(adit_str_sub(rest, end + (n ? gap : 0), rest.len));
            if (len == 0) break;
            end += (n ? gap : 0) + len;
            gap = sign_len(adit_str_sub(rest, end, rest.len));
        }
        if (end > from) return adit_str_sub(rest, from, end);
    }
    return (struct adit_str){0};
}

struct adit_str adit_reporter(const struct adit_tape *tape, size_t title)
{
    struct adit_str name = {0};
    size_t end = tape ? tape->n_leaves : 0;
    while (end > 0 && !tape->leaves[end - 1].keep) end--;
    for (size_t k = 0; tape && k < ADIT_COUNT(marks) && !name.len; k++)
        for (size_t i = title; i < tape->n_leaves && i < end + BEHIND_MAX && !name.len; i++)
            if (tape->leaves[i].cjk) name = names_behind(tape->leaves[i].text, marks[k]);
    return name;
}
