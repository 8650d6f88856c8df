/* Elements whose content is text up to their end tag: RCDATA, RAWTEXT and script data (13.2.5.2 to
 * 13.2.5.4, 13.2.5.9 to 13.2.5.31). */
#include "html/parse_impl.h"

/* Whether the name of a tag stands at s, and ends there. */
static bool has_name(const uint8_t *s, const uint8_t *end, struct adit_str name)
{
    if ((size_t)(end - s) <= name.len || !scan_is(s[name.len], SCAN_TAG_END)) return false;
    for (size_t i = 0; i < name.len; i++)
        if (adit_scan_lower[s[i]] != (uint8_t)name.p[i]) return false;
    return true;
}

static bool has_end_tag(const uint8_t *s, const uint8_t *end, struct adit_str name)
{
    return end - s > 2 && s[1] == '/' && has_name(s + 2, end, name);
}

static const uint8_t *find_end_tag(const uint8_t *s, const uint8_t *end, struct adit_str name)
{
    for (;; s++) {
        s = scan_for(s, end, '<');
        if (s == end || has_end_tag(s, end, name)) return s;
    }
}

/* Script data: <!-- begins a part where <script> … </script> is text, up to -->. */
static const uint8_t *find_script_end(const uint8_t *s, const uint8_t *end)
{
    const struct adit_str name = adit_tag_names[ADIT_TAG_SCRIPT];
    enum { DATA, ESCAPED, DOUBLE_ESCAPED } state = DATA;
    for (;; s++) {
        s = state == DATA ? scan_for(s, end, '<') : scan_for_two(s, end, '<', '-');
        if (s == end) return end;
        size_t left = (size_t)(end - s);
        if (*s == '-') {
            if (left > 2 && s[1] == '-' && s[2] == '>') state = DATA;
        } else if (has_end_tag(s, end, name)) {
            if (state != DOUBLE_ESCAPED) return s;
            state = ESCAPED;
        } else if (state == DATA) {
            /* The dashes count for -->, too: <!--> is a whole one. */
            if (left > 3 && s[1] == '!' && s[2] == '-' && s[3] == '-') state = ESCAPED, s++;
        } else if (state == ESCAPED && has_name(s + 1, end, name)) {
            state = DOUBLE_ESCAPED;
        }
    }
}

const uint8_t *adit_raw_read(struct adit_html *p, uint16_t tag, const uint8_t *s,
                             const uint8_t *end, const uint8_t **after)
{
    const uint8_t *text_end = tag == ADIT_TAG_SCRIPT ? find_script_end(s, end)
                                                     : find_end_tag(s, end, adit_tag_names[tag]);
    *after = end;
    if (text_end == end) return end;
    const uint8_t *behind = adit_tag_pass(p, text_end + 2, end);
    if (behind) *after = behind;
    return text_end;
}
