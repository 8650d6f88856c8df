/* The page as CommonMark: what a person pastes into a language model. Characters are escaped only
 * where they would mean something. */
#include "page/page.h"

#include <string.h>

/* --- escaping --------------------------------------------------------------------------------- */

static bool is_punct(char c) { return c > ' ' && c < 0x7F && !adit_is_alnum(c); }

static bool begins_entity(struct adit_str s, size_t i)
{
    size_t end = i + 1;
    while (end < s.len && (adit_is_alnum(s.p[end]) || s.p[end] == '#')) end++;
    return end > i + 1 && end < s.len && s.p[end] == ';';
}

/* Whether s.p[i] would be read as markup inside a line. */
static bool is_markup(struct adit_str s, size_t i)
{
    char before = i ? s.p[i - 1] : ' ', after = i + 1 < s.len ? s.p[i + 1] : ' ';
    switch (s.p[i]) {
    case '`': return true;
    case '*': return !(adit_is_space(before) && adit_is_space(after));
    case '_':
        return !(adit_is_alnum(before) && adit_is_alnum(after)) &&
               !(adit_is_space(before) && adit_is_space(after));
    case '~': return before == '~' || after == '~';
    case '\\': return is_punct(after) || after == '\n' || i + 1 == s.len;
    case ']': return after == '(' || after == '[' || after == ':';
    case '<': return adit_is_alpha(after) || after == '/' || after == '!' || after == '?';
    case '&': return begins_entity(s, i);
    default: return false;
    }
}

/* How many bytes of "12." or "12)" begin at i, up to the dot; 0 if none. */
static size_t number_len(struct adit_str s, size_t i)
{
    size_t n = 0;
    while (i + n < s.len && n < 10 && adit_is_digit(s.p[i + n])) n++;
    if (!n || i + n >= s.len || (s.p[i + n] != '.' && s.p[i + n] != ')')) return 0;
    return i + n + 1 == s.len || adit_is_space(s.p[i + n + 1]) ? n : 0;
}

/* Whether s.p[i], the first of a line, would begin another kind of block. */
static bool is_marker(struct adit_str s, size_t i)
{
    char after = i + 1 < s.len ? s.p[i + 1] : '\n';
    switch (s.p[i]) {
    case '>':
    case '|':
    case '=':
    case '#':
    case '[':
    case '*':
    case '_': return true;
    case '+': return adit_is_space(after);
    case '-': return adit_is_space(after) || after == '-' || after == '|' || after == ':';
    case ':': return after == '-';
    default: return false;
    }
}

/* Escapes text. A line break inside it becomes `line_break`. */
static void put_escaped(struct adit_buf *out, struct adit_str s, const char *line_break, bool cell)
{
    bool start = !cell;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        if (c == '\n') {
            adit_buf_lit(out, line_break);
            start = !cell;
            continue;
        }
        size_t digits = start ? number_len(s, i) : 0;
        if (digits) {
            adit_buf_add(out, adit_str_sub(s, i, i + digits));
            adit_buf_byte(out, '\\');
            i += digits, c = s.p[i];
        } else if ((start && is_marker(s, i)) || (cell && c == '|') || is_markup(s, i)) {
            adit_buf_byte(out, '\\');
        }
        adit_buf_byte(out, c);
        start = false;
    }
}

/* Text in the brackets of a link or image. */
static void put_label(struct adit_buf *out, struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        if (c == '[' || c == ']' || is_markup(s, i)) adit_buf_byte(out, '\\');
        adit_buf_byte(out, c == '\n' ? ' ' : c);
    }
}

static void put_link(struct adit_buf *out, const char *open, struct adit_str label,
                     struct adit_str url)
{
    bool angle = adit_str_chr(url, '(', 0) < url.len || adit_str_chr(url, ')', 0) < url.len;
    adit_buf_lit(out, open);
    put_label(out, label);
    adit_buf_lit(out, angle ? "](<" : "](");
    adit_buf_add(out, url);
    adit_buf_lit(out, angle ? ">)" : ")");
}

/* --- blocks ----------------------------------------------------------------------------------- */

static void put_text(struct adit_buf *out, const struct adit_block *b)
{
    put_escaped(out, b->text, "\\\n", false);
}

static void put_heading_at(struct adit_buf *out, unsigned level, struct adit_str text)
{
    for (unsigned i = 0; i < level; i++) adit_buf_byte(out, '#');
    adit_buf_byte(out, ' ');
    /* A run of # at the end would be taken as the closing one. */
    size_t end = text.len;
    while (end && text.p[end - 1] == '#') end--;
    put_escaped(out, adit_str_sub(text, 0, end), " ", false);
    for (; end < text.len; end++) adit_buf_lit(out, "\\#");
}

static void put_heading(struct adit_buf *out, const struct adit_block *b)
{
    put_heading_at(out, b->level, b->text);
}

static void put_link_block(struct adit_buf *out, const struct adit_block *b)
{
    put_link(out, "[", b->text, b->url);
}

static void put_image(struct adit_buf *out, const struct adit_block *b)
{
    put_link(out, "![", b->text, b->url);
}

static void put_list(struct adit_buf *out, const struct adit_block *b)
{
    for (size_t i = 0; i < b->items.n; i++) {
        char indent[24] = "\\\n  ";
        size_t from = out->len;
        if (i) adit_buf_byte(out, '\n'), from++;
        if (b->ordered)
            adit_buf_u64(out, i + 1), adit_buf_byte(out, '.');
        else
            adit_buf_byte(out, '-');
        adit_buf_byte(out, ' ');
        size_t width = out->err == ADIT_OK ? out->len - from : 2;
        memset(indent + 2, ' ', width);
        indent[2 + width] = 0;
        put_escaped(out, b->items.v[i], indent, false);
    }
}

static void put_code(struct adit_buf *out, const struct adit_block *b)
{
    size_t longest = 2, run = 0;
    for (size_t i = 0; i < b->text.len; i++) {
        run = b->text.p[i] == '`' ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    for (size_t i = 0; i <= longest; i++) adit_buf_byte(out, '`');
    adit_buf_add(out, b->detail);
    adit_buf_byte(out, '\n');
    adit_buf_add(out, b->text);
    adit_buf_byte(out, '\n');
    for (size_t i = 0; i <= longest; i++) adit_buf_byte(out, '`');
}

static void put_table(struct adit_buf *out, const struct adit_block *b)
{
    for (size_t i = 0; i < b->items.n; i++) {
        adit_buf_lit(out, i % b->columns ? " | " : i ? "\n| " : "| ");
        put_escaped(out, b->items.v[i], " ", true);
        if ((i + 1) % b->columns) continue;
        adit_buf_lit(out, " |");
        if (i + 1 > b->columns) continue;
        adit_buf_byte(out, '\n');
        for (size_t c = 0; c < b->columns; c++) adit_buf_lit(out, "| --- ");
        adit_buf_byte(out, '|');
    }
}

static void put_quote(struct adit_buf *out, const struct adit_block *b)
{
    adit_buf_lit(out, "> ");
    put_escaped(out, b->text, "\\\n> ", false);
    if (!b->detail.len) return;
    adit_buf_lit(out, "\n>\n> \xe2\x80\x94 ");
    put_escaped(out, b->detail, " ", false);
}

static void put_media(struct adit_buf *out, const struct adit_block *b)
{
    const struct adit_media *m = b->media;
    put_link(out, b->type == ADIT_VIDEO ? "[Video: " : "[Audio: ", m->name, m->sources[0].href);
    const struct adit_str parts[] = {m->summary, m->transcript};
    for (size_t i = 0; i < ADIT_COUNT(parts); i++) {
        if (!parts[i].len) continue;
        adit_buf_lit(out, "\n\n");
        put_escaped(out, parts[i], "\\\n", false);
    }
}

static void (*const writers[ADIT_BLOCK_TYPES])(struct adit_buf *, const struct adit_block *) = {
    [ADIT_TEXT] = put_text,   [ADIT_HEADING] = put_heading, [ADIT_LINK] = put_link_block,
    [ADIT_IMAGE] = put_image, [ADIT_LIST] = put_list,       [ADIT_CODE] = put_code,
    [ADIT_TABLE] = put_table, [ADIT_QUOTE] = put_quote,     [ADIT_VIDEO] = put_media,
    [ADIT_AUDIO] = put_media,
};

enum adit_code adit_page_md(const struct adit_page *page, struct adit_buf *out)
{
    const struct adit_block *before = NULL;
    put_heading_at(out, 1, page->title);
    for (size_t i = 0; i < page->n_blocks; i++) {
        const struct adit_block *b = &page->blocks[i];
        if (adit_page_is_title(page, b)) continue;
        adit_buf_lit(out, "\n\n");
        /* Two lists in a row would be one: a comment keeps them apart. */
        if (before && before->type == ADIT_LIST && b->type == ADIT_LIST)
            adit_buf_lit(out, "<!-- -->\n\n");
        writers[b->type](out, b);
        before = b;
    }
    adit_buf_byte(out, '\n');
    return out->err;
}
