/* What changed in a page, as HTML that feed readers show. */
#include "atom/atom.h"

enum {
    AROUND = 80,      /* bytes of equal text that stand beside a change */
    RUN_MAX = 1000,   /* bytes of one removed or added run */
    CHANGES_MAX = 30, /* runs */
    HTML_MAX = 8000   /* bytes, about */
};

/* From a place near `at` on or up to it, no word is cut. */
static size_t word_edge(struct adit_str s, size_t at)
{
    struct adit_str head = adit_utf8_cut(s, at);
    size_t edge = head.len;
    while (edge > 0 && !adit_is_space(s.p[edge - 1])) edge--;
    return edge ? edge : head.len; /* a text without spaces is cut between characters */
}

static void put(struct adit_buf *out, const char *element, struct adit_str text)
{
    struct adit_str part = text;
    if (part.len > RUN_MAX) part.len = word_edge(part, RUN_MAX);
    if (element) adit_buf_byte(out, '<'), adit_buf_lit(out, element), adit_buf_byte(out, '>');
    adit_xml(out, part);
    if (part.len < text.len) adit_buf_lit(out, " \xe2\x80\xa6");
    if (element) adit_buf_lit(out, "</"), adit_buf_lit(out, element), adit_buf_byte(out, '>');
}

/* Equal text: what is near a change, on the side where there is one. */
static void put_equal(struct adit_buf *out, struct adit_str text, bool before, bool behind)
{
    size_t keep = (size_t)(before + behind) * AROUND;
    if (text.len <= keep + AROUND) {
        put(out, NULL, text);
        return;
    }
    if (before) adit_xml(out, adit_str_sub(text, 0, word_edge(text, AROUND)));
    adit_buf_lit(out, before && behind ? " \xe2\x80\xa6 "
                      : before         ? " \xe2\x80\xa6"
                                       : "\xe2\x80\xa6 ");
    if (behind) adit_xml(out, adit_str_sub(text, word_edge(text, text.len - AROUND), text.len));
}

void adit_diff_html(const struct adit_diff *d, struct adit_buf *out)
{
    size_t from = out->len, changes = 0, i = 0;
    adit_buf_lit(out, "<p>");
    for (; i < d->n && changes < CHANGES_MAX && out->len - from < HTML_MAX; i++) {
        const struct adit_diff_run *r = &d->runs[i];
        if (r->kind == ADIT_DIFF_EQUAL) {
            put_equal(out, r->text, i > 0, i + 1 < d->n);
        } else {
            put(out, r->kind == ADIT_DIFF_REMOVED ? "del" : "ins", r->text);
            changes++;
        }
    }
    if (i < d->n) adit_buf_lit(out, " \xe2\x80\xa6");
    adit_buf_lit(out, "</p>");
}

struct adit_str adit_excerpt(struct adit_str text)
{
    text = adit_str_trim(text);
    if (text.len > ADIT_EXCERPT) text.len = word_edge(text, ADIT_EXCERPT);
    return adit_str_trim(text);
}
