/* A text as inline Markdown: escapes, links, emphasis, code, formulas, images, notes.
 *
 * CommonMark reads ** only where it stands right to words and signs ("flanking", 6.2). A span of
 * emphasis is therefore narrowed to begin and end with a word wherever its marks would not be read:
 * "**note:**this" becomes "**note**:this". The words that are emphasised stay the same. */
#include "page/page_impl.h"
#include "text/text.h"

#include <string.h>

/* A text of more than SCRIPT_LONG bytes is no exponent. Beyond NARROW_MAX signs, or beyond SPANS_MAX
 * spans in it, an emphasis is not worth the search. */
enum {
    NEST_MAX = 16,
    MATH_REACH = 300,
    NARROW_MAX = 32,
    SPANS_MAX = 256,
    SCRIPT_MAX = 256,
    SCRIPT_LONG = 100
};

/* A span whose end is still to come. */
struct open_span {
    const struct adit_span *span;
    size_t begin, end; /* where its marks stand */
    bool opened;
};

struct writer {
    struct adit_buf *out;
    struct adit_str text;
    const struct adit_span *spans;
    size_t n_spans, next; /* the span that is met next */
    const struct adit_md_place *place;
    struct open_span open[NEST_MAX];
    size_t n_open;
    size_t label;    /* open links */
    size_t line;     /* where the line under way begins in the text; SIZE_MAX: no line begins */
    size_t out_from; /* where this text begins in out */
    size_t out_line; /* where the line under way begins in out */
};

/* --- characters ------------------------------------------------------------------------------- */

enum sort { SPACE, SIGN, WORD };

static enum sort sort_of(uint32_t cp)
{
    if (cp <= ' ' || cp == 0xA0 || (cp >= 0x2000 && cp <= 0x200B) || cp == 0x3000) return SPACE;
    return cp != '_' && adit_cp_is_word(cp) ? WORD : SIGN;
}

/* Of the last character that was written. Marks that follow one another are read as one run: what
 * stands before all of them counts. */
static enum sort sort_before(const struct writer *w)
{
    struct adit_str done = adit_str_sub(adit_buf_str(w->out), w->out_from, w->out->len);
    size_t pos = done.len;
    while (pos && done.p[pos - 1] == '*' && (pos == 1 || done.p[pos - 2] != '\\')) pos--;
    return pos ? sort_of(adit_utf8_prev(done, &pos)) : SPACE;
}

static enum sort sort_at(const struct writer *w, size_t at)
{
    return at < w->text.len ? sort_of(adit_utf8_next(w->text, &at)) : SPACE;
}

static bool is_punct(char c) { return c > ' ' && c < 0x7F && !adit_is_alnum(c); }

static bool begins_entity(struct adit_str s, size_t i)
{
    size_t end = i + 1;
    while (end < s.len && end < i + 40 && (adit_is_alnum(s.p[end]) || s.p[end] == '#')) end++;
    return end > i + 1 && end < s.len && s.p[end] == ';';
}

/* Whether "$" at i and a later one, of the text or of a formula that follows, would be read as the
 * marks of a formula. */
static bool begins_math(const struct writer *w, size_t i)
{
    struct adit_str s = w->text;
    char before = i ? s.p[i - 1] : ' ', after = i + 1 < s.len ? s.p[i + 1] : ' ';
    if (after == '$' || before == '$') return true;
    if (adit_is_space(after) || adit_is_alnum(before)) return false;
    for (size_t k = w->next; k < w->n_spans && w->spans[k].from < i + MATH_REACH; k++)
        if (w->spans[k].kind == ADIT_SPAN_MATH && w->spans[k].from > i) return true;
    for (size_t k = i + 2; k < s.len && k < i + MATH_REACH && s.p[k] != '\n'; k++) {
        char next = k + 1 < s.len ? s.p[k + 1] : ' ';
        if (s.p[k] == '$' && !adit_is_space(s.p[k - 1]) && !adit_is_digit(next)) return true;
    }
    return false;
}

/* Whether text.p[i] would be read as markup inside a line. edge: a mark of ours stands beside it. */
static bool is_markup(const struct writer *w, size_t i, bool edge)
{
    struct adit_str s = w->text;
    char before = i ? s.p[i - 1] : ' ', after = i + 1 < s.len ? s.p[i + 1] : ' ';
    bool in_label = w->label || w->place->label;
    switch (s.p[i]) {
    case '`': return true;
    case '*': return edge || !(adit_is_space(before) && adit_is_space(after));
    case '_':
        return edge || (!(adit_is_alnum(before) && adit_is_alnum(after)) &&
                        !(adit_is_space(before) && adit_is_space(after)));
    case '~': return edge || before == '~' || after == '~';
    case '\\': return edge || is_punct(after) || after == '\n' || i + 1 == s.len;
    case '[': return in_label || after == '^';
    case ']': return in_label || edge || after == '(' || after == '[' || after == ':';
    case '!': return edge || after == '[';
    case ':':
    case '(': return w->out->len > w->out_from && w->out->p[w->out->len - 1] == ']' && edge;
    case '<': return adit_is_alpha(after) || after == '/' || after == '!' || after == '?';
    case '&': return begins_entity(s, i);
    case '$': return begins_math(w, i);
    case '|': return w->place->cell;
    default: return false;
    }
}

/* Whether the character at i is the dot of "12." or "12)" at the beginning of a line. A mark of ours
 * before or among them makes them harmless. */
static bool ends_number(const struct writer *w, size_t i)
{
    enum { DIGITS_MAX = 9 };
    struct adit_str s = w->text;
    if ((s.p[i] != '.' && s.p[i] != ')') || w->line >= i || i - w->line > DIGITS_MAX) return false;
    if (i + 1 < s.len && !adit_is_space(s.p[i + 1])) return false;
    for (size_t k = w->line; k < i; k++)
        if (!adit_is_digit(s.p[k])) return false;
    return w->out->len - w->out_line == i - w->line;
}

/* Whether the character at i, the first of a line, would begin another kind of block. */
static bool is_marker(struct adit_str s, size_t i)
{
    char after = i + 1 < s.len ? s.p[i + 1] : '\n';
    size_t n = 0;
    switch (s.p[i]) {
    case '>':
    case '|':
    case '=': return true;
    case '#':
        while (i + n < s.len && s.p[i + n] == '#') n++;
        return n <= 6 && (i + n == s.len || adit_is_space(s.p[i + n]));
    case '*':
    case '_':
    case '~':
    case '+': return s.p[i] == '+' ? adit_is_space(after) : true;
    case '-': return adit_is_space(after) || after == '-' || after == '|' || after == ':';
    case ':': return after == '-';
    default: return false;
    }
}

/* --- spans without others in them ------------------------------------------------------------- */

size_t adit_md_run(struct adit_str s, char c)
{
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < s.len; i++) {
        run = s.p[i] == c ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    return longest;
}

/* Raw bytes in one line. In tables a pipe is escaped even in code (GFM). */
static void put_raw(const struct writer *w, struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.p[i] == '|' && w->place->cell) adit_buf_byte(w->out, '\\');
        adit_buf_byte(w->out, s.p[i] == '\n' ? ' ' : s.p[i]);
    }
}

static void put_code(const struct writer *w, struct adit_str code)
{
    size_t ticks = adit_md_run(code, '`') + 1;
    if (!adit_str_trim(code).len) return;
    /* Fewer than the longest run will do if no run has that length; one is usual. */
    bool pad = code.p[0] == '`' || code.p[code.len - 1] == '`' ||
               (code.p[0] == ' ' && code.p[code.len - 1] == ' ');
    for (size_t i = 0; i < ticks; i++) adit_buf_byte(w->out, '`');
    if (pad) adit_buf_byte(w->out, ' ');
    put_raw(w, code);
    if (pad) adit_buf_byte(w->out, ' ');
    for (size_t i = 0; i < ticks; i++) adit_buf_byte(w->out, '`');
}

static void put_math(const struct writer *w, struct adit_str tex, bool display)
{
    const char *mark = display && !w->place->cell ? "$$" : "$";
    tex = adit_str_trim(tex);
    if (!tex.len) return;
    adit_buf_lit(w->out, mark);
    put_raw(w, tex);
    adit_buf_lit(w->out, mark);
}

/* A destination may hold parentheses in pairs, to a depth that all parsers read (CommonMark, 6.3). */
static bool is_balanced(struct adit_str url)
{
    enum { DEEP = 3 };
    int depth = 0;
    for (size_t i = 0; i < url.len && depth >= 0 && depth <= DEEP; i++)
        depth += (url.p[i] == '(') - (url.p[i] == ')');
    return depth == 0;
}

void adit_md_target(struct adit_buf *out, struct adit_str url, struct adit_str title)
{
    bool angle = !url.len || !is_balanced(url);
    adit_buf_lit(out, angle ? "](<" : "](");
    for (size_t from = 0, amp; from < url.len; from = amp) {
        amp = adit_str_chr(url, '&', from + 1);
        if (url.p[from] == '&' && begins_entity(url, from)) adit_buf_byte(out, '\\');
        adit_buf_add(out, adit_str_sub(url, from, amp));
    }
    if (angle) adit_buf_byte(out, '>');
    if (title.len) {
        adit_buf_lit(out, " \"");
        for (size_t i = 0; i < title.len; i++) {
            char c = title.p[i];
            if (c == '"' || c == '\\' || (c == '&' && begins_entity(title, i)))
                adit_buf_byte(out, '\\');
            adit_buf_byte(out, c == '\n' ? ' ' : c);
        }
        adit_buf_byte(out, '"');
    }
    adit_buf_byte(out, ')');
}

static void put_image(const struct writer *w, const struct adit_span *s, struct adit_str alt)
{
    const struct adit_md_place place = {.line_break = " ", .cell = w->place->cell, .label = true};
    adit_buf_lit(w->out, "![");
    adit_md_plain(w->out, alt, &place);
    adit_md_target(w->out, s->url, s->title);
}

static const char *const marks[ADIT_SPAN_KINDS] = {
    [ADIT_SPAN_EMPH] = "*", [ADIT_SPAN_STRONG] = "**", [ADIT_SPAN_STRUCK] = "~~"};

static void open_mark(struct writer *w, struct open_span *o)
{
    o->opened = true;
    adit_buf_lit(w->out, o->span->kind == ADIT_SPAN_LINK ? "[" : marks[o->span->kind]);
}

/* An exponent or index as signs, or as HTML where it has none; a link in it stands around them. */
static void put_script(struct writer *w, const struct adit_span *s, struct adit_str text)
{
    const struct adit_span *link = NULL;
    for (size_t i = w->next; i < w->n_spans && w->spans[i].from < s->to && !link; i++)
        if (w->spans[i].kind == ADIT_SPAN_LINK && !w->label && !w->place->label)
            link = &w->spans[i];
    if (link) adit_buf_byte(w->out, '[');
    struct adit_md_place place = *w->place;
    place.label |= link != NULL;
    bool sup = s->kind == ADIT_SPAN_SUP;
    char signs[SCRIPT_MAX];
    struct adit_buf plain = {.p = signs, .cap = sizeof signs, .max = sizeof signs};
    if (adit_script_signs(text, sup, &plain)) {
        adit_md_plain(w->out, plain.err == ADIT_OK ? adit_buf_str(&plain) : text, &place);
    } else {
        adit_buf_lit(w->out, sup ? "<sup>" : "<sub>");
        adit_md_plain(w->out, adit_str_trim(text), &place);
        adit_buf_lit(w->out, sup ? "</sup>" : "</sub>");
    }
    if (link) adit_md_target(w->out, link->url, link->title);
}

/* Whether an "exponent" is only a text in small type: a long one, or one with several links. */
static bool is_small_print(const struct writer *w, const struct adit_span *s)
{
    size_t links = 0;
    if (s->to - s->from > SCRIPT_LONG) return true;
    for (size_t i = w->next; i < w->n_spans && w->spans[i].from < s->to; i++) {
        links += w->spans[i].kind == ADIT_SPAN_LINK;
        if (links > 1 || i == w->next + SPANS_MAX) return true;
    }
    return false;
}

static void open_marks(struct writer *w, size_t at)
{
    for (size_t i = 0; i < w->n_open; i++)
        if (!w->open[i].opened && w->open[i].begin <= at) open_mark(w, &w->open[i]);
}

static bool holds_others(enum adit_span_kind kind) { return kind == ADIT_SPAN_LINK || marks[kind]; }

/* Writes a span that holds no others; false: it may hold some. */
static bool put_whole(struct writer *w, const struct adit_span *s)
{
    struct adit_str text = adit_str_sub(w->text, s->from, s->to);
    if (!holds_others(s->kind)) open_marks(w, s->from);
    switch (s->kind) {
    case ADIT_SPAN_CODE: put_code(w, text); return true;
    case ADIT_SPAN_MATH: put_math(w, text, s->display); return true;
    case ADIT_SPAN_IMAGE: put_image(w, s, text); return true;
    case ADIT_SPAN_NOTE:
        adit_buf_lit(w->out, "[^");
        adit_buf_u64(w->out, s->number);
        adit_buf_byte(w->out, ']');
        return true;
    case ADIT_SPAN_SUP:
    case ADIT_SPAN_SUB:
        if (is_small_print(w, s)) return false;
        put_script(w, s, text);
        return true;
    default: return false;
    }
}

/* --- spans around others ---------------------------------------------------------------------- */

/* Whether a span of a kind with marks of its own, other than emphasis, begins at `at` within s. */
static bool begins_inside(const struct writer *w, const struct adit_span *s, size_t at)
{
    for (size_t i = w->next; i < w->n_spans && i < w->next + SPANS_MAX; i++)
        if (w->spans[i].from == at && &w->spans[i] != s && !marks[w->spans[i].kind]) return true;
    return false;
}

/* Whether a span of a kind with marks of its own, other than emphasis, ends at `at` within s. */
static bool ends_inside(const struct writer *w, const struct adit_span *s, size_t at)
{
    for (size_t i = w->next; i < w->n_spans && w->spans[i].from < s->to; i++)
        if (i == w->next + SPANS_MAX || (w->spans[i].to == at && !marks[w->spans[i].kind]))
            return true;
    return false;
}

/* Narrows [*begin, *end) of an emphasis until its marks would be read; false: nothing is left. */
static bool narrow(const struct writer *w, const struct adit_span *s, size_t *begin, size_t *end)
{
    enum sort before = sort_before(w), after;
    size_t steps = 0;
    while (*begin < *end) {
        if (++steps > NARROW_MAX) return false;
        bool mark = begins_inside(w, s, *begin);
        enum sort here = mark ? SIGN : sort_at(w, *begin);
        if (mark && before == WORD) return false;
        if (here == WORD || (here == SIGN && before != WORD)) break;
        before = here;
        adit_utf8_next(w->text, begin);
        if (ends_inside(w, s, *begin)) return false;
    }
    bool edge = w->next < w->n_spans && w->spans[w->next].from == *end;
    after = edge ? SIGN : sort_at(w, *end);
    while (*end > *begin && ++steps <= (size_t)2 * NARROW_MAX) {
        size_t at = *end;
        enum sort here = ends_inside(w, s, *end) ? SIGN : sort_of(adit_utf8_prev(w->text, &at));
        if (here == WORD || (here == SIGN && after != WORD)) return true;
        if (ends_inside(w, s, *end)) return false;
        after = here;
        *end = at;
    }
    return false;
}

static void close_span(struct writer *w)
{
    const struct open_span *o = &w->open[--w->n_open];
    if (!o->opened) return;
    if (o->span->kind != ADIT_SPAN_LINK) {
        adit_buf_lit(w->out, marks[o->span->kind]);
        return;
    }
    w->label--;
    adit_md_target(w->out, o->span->url, o->span->title);
}

/* A link whose text is its address, with nothing else to say of it. */
static bool put_address(struct writer *w, const struct adit_span *s)
{
    struct adit_str text = adit_str_sub(w->text, s->from, s->to);
    if (s->title.len || !adit_str_eq(text, s->url) || !adit_str_starts(text, ADIT_STR("http")))
        return false;
    if (w->next < w->n_spans && w->spans[w->next].from < s->to) return false;
    if (adit_str_chr(text, '<', 0) < text.len || adit_str_chr(text, '>', 0) < text.len)
        return false;
    open_marks(w, s->from);
    adit_buf_byte(w->out, '<');
    put_raw(w, text);
    adit_buf_byte(w->out, '>');
    return true;
}

static bool crosses_paragraphs(const struct writer *w, const struct adit_span *s)
{
    struct adit_str text = adit_str_sub(w->text, s->from, s->to);
    return adit_str_find(text, ADIT_STR("\n\n"), 0) < text.len;
}

/* The span at w->next begins at the text's byte `at`: where to go on. */
static size_t open_next(struct writer *w, size_t at)
{
    const struct adit_span *s = &w->spans[w->next++];
    if (put_whole(w, s) || (s->kind == ADIT_SPAN_LINK && !w->label && put_address(w, s))) {
        while (w->next < w->n_spans && w->spans[w->next].from < s->to) w->next++;
        return s->to;
    }
    if (!holds_others(s->kind)) return at;
    bool link = s->kind == ADIT_SPAN_LINK;
    struct open_span o = {.span = s, .begin = s->from, .end = s->to};
    if (w->n_open == NEST_MAX || crosses_paragraphs(w, s) || s->from == s->to) return at;
    if (link ? w->label > 0 || w->place->label || !s->url.len : !narrow(w, s, &o.begin, &o.end))
        return at;
    for (size_t i = 0; i < w->n_open; i++) /* the same emphasis twice */
        if (w->open[i].span->kind == s->kind) return at;
    if (w->n_open && o.end > w->open[w->n_open - 1].end) o.end = w->open[w->n_open - 1].end;
    if (o.begin >= o.end) return at;
    w->label += link;
    w->open[w->n_open++] = o;
    return at;
}

/* --- the text --------------------------------------------------------------------------------- */

/* Whether an LF stands at `at` that nothing parts from the LF before: no picture without words. */
static bool breaks_again(const struct writer *w, size_t at)
{
    bool parted = w->next < w->n_spans && w->spans[w->next].from == at &&
                  w->spans[w->next].kind == ADIT_SPAN_IMAGE;
    return at < w->text.len && w->text.p[at] == '\n' && !parted;
}

static size_t put_break(struct writer *w, size_t at)
{
    bool paragraph = breaks_again(w, at + 1);
    if (paragraph && !w->place->cell && !w->label && !w->place->label) {
        struct adit_str empty = w->place->indent;
        while (empty.len && empty.p[empty.len - 1] == ' ') empty.len--;
        adit_buf_lit(w->out, "\n");
        adit_buf_add(w->out, empty);
        adit_buf_byte(w->out, '\n');
        adit_buf_add(w->out, w->place->indent);
        at++;
    } else {
        adit_buf_lit(w->out, w->label || w->place->label ? " " : w->place->line_break);
    }
    at++;
    while (breaks_again(w, at)) at++;
    if (w->line != SIZE_MAX) w->line = at, w->out_line = w->out->len;
    return at;
}

static size_t put_char(struct writer *w, size_t at, bool edge)
{
    struct adit_str s = w->text;
    if (s.p[at] == '\n') return put_break(w, at);
    bool start = w->line == at && w->out_line == w->out->len;
    if ((start && is_marker(s, at)) || is_markup(w, at, edge) || ends_number(w, at))
        adit_buf_byte(w->out, '\\');
    size_t to = at;
    adit_utf8_next(s, &to);
    adit_buf_add(w->out, adit_str_sub(s, at, to));
    return to;
}

/* Whether a mark of ours stands before or behind the character at `at`. */
static bool at_edge(const struct writer *w, size_t at)
{
    if (w->next && (w->spans[w->next - 1].from == at || w->spans[w->next - 1].to == at))
        return true;
    if (w->next < w->n_spans && w->spans[w->next].from == at + 1) return true;
    return w->n_open &&
           (w->open[w->n_open - 1].end == at + 1 || w->open[w->n_open - 1].begin == at);
}

void adit_md_inline(struct adit_buf *out, const struct adit_rich *rich,
                    const struct adit_md_place *place)
{
    struct writer w = {.out = out,
                       .text = rich->text,
                       .spans = rich->spans,
                       .n_spans = rich->n_spans,
                       .place = place,
                       .line = place->cell || place->label || place->inside ? SIZE_MAX : 0,
                       .out_from = out->len,
                       .out_line = out->len};
    for (size_t at = 0; out->err == ADIT_OK;) {
        while (w.n_open && w.open[w.n_open - 1].end <= at) close_span(&w);
        size_t here = at;
        while (w.next < w.n_spans && w.spans[w.next].from <= at && here == at) {
            if (w.spans[w.next].from == at)
                here = open_next(&w, at);
            else
                w.next++;
        }
        if (here > at) {
            at = here;
            continue;
        }
        if (at >= w.text.len) break;
        open_marks(&w, at);
        at = put_char(&w, at, at_edge(&w, at));
    }
    while (w.n_open) close_span(&w);
}

void adit_md_plain(struct adit_buf *out, struct adit_str text, const struct adit_md_place *place)
{
    const struct adit_rich rich = {.text = text};
    adit_md_inline(out, &rich, place);
}
