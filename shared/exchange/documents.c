/* Documents about a site: llms.txt (llmstxt.org: a title, a summary, and sections of links with
 * descriptions), and llms-full.txt (the pages themselves). */
#include "exchange/exchange.h"

enum { DESCRIPTION_MAX = 300 };

/* Text of one line: white space collapsed, and nothing that would end the link it stands in. */
static void add_line(struct adit_buf *out, struct adit_str s, bool in_link)
{
    bool space = false, any = false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        if (adit_is_space(c)) {
            space = any;
            continue;
        }
        if (space) adit_buf_byte(out, ' ');
        space = false;
        any = true;
        if (in_link && (c == '[' || c == ']' || c == '\\')) adit_buf_byte(out, '\\');
        adit_buf_byte(out, c);
    }
}

/* At most that many bytes, cut between words. */
static struct adit_str cut(struct adit_str s)
{
    size_t at = DESCRIPTION_MAX;
    if (s.len <= at) return s;
    while (at > 0 && !adit_is_space(s.p[at])) at--;
    return adit_str_sub(s, 0, at);
}

void adit_llms_begin(struct adit_buf *out, struct adit_str title, struct adit_str summary)
{
    adit_buf_lit(out, "# ");
    add_line(out, title, false);
    adit_buf_byte(out, '\n');
    if (summary.len) {
        adit_buf_lit(out, "\n> ");
        add_line(out, summary, false);
        adit_buf_byte(out, '\n');
    }
}

void adit_llms_section(struct adit_buf *out, struct adit_str name)
{
    adit_buf_lit(out, "\n## ");
    add_line(out, name, false);
    adit_buf_lit(out, "\n\n");
}

void adit_llms_page(struct adit_buf *out, struct adit_str title, struct adit_str url,
                    struct adit_str description)
{
    adit_buf_lit(out, "- [");
    add_line(out, title, true);
    adit_buf_lit(out, "](");
    for (size_t i = 0; i < url.len; i++) { /* brackets would end the address */
        if (url.p[i] == '(' || url.p[i] == ')')
            adit_buf_lit(out, url.p[i] == '(' ? "%28" : "%29");
        else
            adit_buf_byte(out, url.p[i]);
    }
    adit_buf_byte(out, ')');
    if (description.len) {
        adit_buf_lit(out, ": ");
        add_line(out, cut(description), false);
    }
    adit_buf_byte(out, '\n');
}

void adit_llms_whole(struct adit_buf *out, struct adit_str url, struct adit_str markdown)
{
    adit_buf_lit(out, "\n---\n\nSource: <");
    adit_buf_add(out, url);
    adit_buf_lit(out, ">\n\n");
    adit_buf_add(out, adit_str_trim(markdown));
    adit_buf_byte(out, '\n');
}

size_t adit_llms_section_of(const struct adit_config *c, struct adit_str path)
{
    size_t best = c->sections.n, len = 0;
    for (size_t i = 0; i < c->sections.n; i++) {
        struct adit_str prefix = c->sections.v[i].value;
        if (prefix.len <= len || !adit_str_starts(path, prefix)) continue;
        best = i;
        len = prefix.len;
    }
    return best;
}
