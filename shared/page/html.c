/* The page as an HTML5 document of its own: the model and nothing else, for readers and tests. */
#include "page/page_impl.h"

enum { NEST_MAX = 24, DEPTH_MAX = 16 };

/* --- text ------------------------------------------------------------------------------------- */

static void put_escaped(struct adit_buf *out, struct adit_str s, bool attribute)
{
    for (size_t i = 0; i < s.len; i++) {
        switch (s.p[i]) {
        case '&': adit_buf_lit(out, "&amp;"); break;
        case '<': adit_buf_lit(out, "&lt;"); break;
        case '>': adit_buf_lit(out, "&gt;"); break;
        case '"': adit_buf_lit(out, attribute ? "&quot;" : "\""); break;
        default: adit_buf_byte(out, s.p[i]);
        }
    }
}

/* Nothing is written for an empty value. */
static void put_attr(struct adit_buf *out, const char *name, struct adit_str value)
{
    if (!value.len) return;
    adit_buf_byte(out, ' ');
    adit_buf_lit(out, name);
    adit_buf_lit(out, "=\"");
    put_escaped(out, value, true);
    adit_buf_byte(out, '"');
}

/* Line breaks are <br>; two are the end of a paragraph, where `between` stands. */
static void put_lines(struct adit_buf *out, struct adit_str s, const char *between)
{
    for (size_t at = 0; at < s.len;) {
        size_t end = adit_str_chr(s, '\n', at);
        put_escaped(out, adit_str_sub(s, at, end), false);
        if (end == s.len) return;
        at = end + 1;
        bool paragraph = between && at < s.len && s.p[at] == '\n';
        adit_buf_lit(out, paragraph ? between : "<br>");
        while (at < s.len && s.p[at] == '\n') at++;
    }
}

static const char *const elements[ADIT_SPAN_KINDS] = {
    [ADIT_SPAN_LINK] = "a",     [ADIT_SPAN_EMPH] = "em",   [ADIT_SPAN_STRONG] = "strong",
    [ADIT_SPAN_STRUCK] = "del", [ADIT_SPAN_SUP] = "sup",   [ADIT_SPAN_SUB] = "sub",
    [ADIT_SPAN_CODE] = "code",  [ADIT_SPAN_MATH] = "math",
};

static void put_note_mark(struct adit_buf *out, uint64_t number)
{
    adit_buf_lit(out, "<sup><a role=\"doc-noteref\" href=\"#adit-note-");
    adit_buf_u64(out, number);
    adit_buf_lit(out, "\">[");
    adit_buf_u64(out, number);
    adit_buf_lit(out, "]</a></sup>");
}

/* Spans that are written at once; false: the span is an element around its bytes. */
static bool put_whole(struct adit_buf *out, const struct adit_span *s, struct adit_str text)
{
    if (s->kind == ADIT_SPAN_NOTE) {
        put_note_mark(out, s->number);
    } else if (s->kind == ADIT_SPAN_IMAGE) {
        adit_buf_lit(out, "<img");
        put_attr(out, "src", s->url);
        put_attr(out, "alt", text);
        put_attr(out, "title", s->title);
        adit_buf_byte(out, '>');
    } else if (s->kind == ADIT_SPAN_MATH) {
        adit_buf_lit(out, s->display ? "<math display=\"block\">" : "<math>");
        adit_buf_lit(out, "<semantics><mtext>");
        put_escaped(out, text, false);
        adit_buf_lit(out, "</mtext><annotation encoding=\"application/x-tex\">");
        put_escaped(out, text, false);
        adit_buf_lit(out, "</annotation></semantics></math>");
    } else {
        return false;
    }
    return true;
}

static void open_element(struct adit_buf *out, const struct adit_span *s)
{
    adit_buf_byte(out, '<');
    adit_buf_lit(out, elements[s->kind]);
    if (s->kind == ADIT_SPAN_LINK) {
        put_attr(out, "href", s->url);
        put_attr(out, "title", s->title);
    }
    adit_buf_byte(out, '>');
}

static void close_element(struct adit_buf *out, const struct adit_span *s)
{
    adit_buf_lit(out, "</");
    adit_buf_lit(out, elements[s->kind]);
    adit_buf_byte(out, '>');
}

static void put_rich(struct adit_buf *out, const struct adit_rich *r, struct adit_str plain,
                     const char *between)
{
    const struct adit_span *open[NEST_MAX];
    size_t n_open = 0, at = 0;
    if (!r || !r->text.len) {
        put_lines(out, plain, between);
        return;
    }
    for (size_t i = 0; i <= r->n_spans; i++) {
        const struct adit_span *s = i < r->n_spans ? &r->spans[i] : NULL;
        size_t from = s ? s->from : r->text.len;
        while (n_open && open[n_open - 1]->to <= from) {
            const struct adit_span *top = open[--n_open];
            if (top->to > at) put_lines(out, adit_str_sub(r->text, at, top->to), between);
            if (top->to > at) at = top->to;
            close_element(out, top);
        }
        if (from > at) put_lines(out, adit_str_sub(r->text, at, from), between);
        if (from > at) at = from;
        if (!s || s->from < at) continue;
        if (put_whole(out, s, adit_str_sub(r->text, s->from, s->to))) {
            at = s->to;
        } else if (n_open < NEST_MAX) {
            open[n_open++] = s;
            open_element(out, s);
        }
    }
}

/* --- blocks ----------------------------------------------------------------------------------- */

static void put_text(struct adit_buf *out, const struct adit_block *b)
{
    adit_buf_lit(out, "<p>");
    put_rich(out, b->rich, b->text, "</p>\n<p>");
    adit_buf_lit(out, "</p>");
}

static void put_heading(struct adit_buf *out, const struct adit_block *b)
{
    char tag[] = "<h2>";
    char end[] = "</h2>";
    tag[2] = end[3] = (char)('0' + adit_page_level(b));
    adit_buf_lit(out, tag);
    put_rich(out, b->rich, b->text, NULL);
    adit_buf_lit(out, end);
}

static void put_link(struct adit_buf *out, const struct adit_block *b)
{
    if (b->rich) { /* the link is a span of it */
        put_text(out, b);
        return;
    }
    adit_buf_lit(out, "<p><a");
    put_attr(out, "href", b->url);
    adit_buf_byte(out, '>');
    put_lines(out, b->text, NULL);
    adit_buf_lit(out, "</a></p>");
}

static void put_image(struct adit_buf *out, const struct adit_block *b)
{
    if (b->inside) { /* the image stands in its text: only the caption is left */
        adit_buf_lit(out, "<p>");
        put_rich(out, b->caption, b->caption->text, "</p>\n<p>");
        adit_buf_lit(out, "</p>");
        return;
    }
    adit_buf_lit(out, "<figure>");
    if (b->detail.len) {
        adit_buf_lit(out, "<a");
        put_attr(out, "href", b->detail);
        adit_buf_byte(out, '>');
    }
    adit_buf_lit(out, "<img");
    put_attr(out, "src", b->url);
    put_attr(out, "alt", b->caption ? b->alt : b->text);
    adit_buf_lit(out, b->detail.len ? "></a>" : ">");
    if (b->caption) {
        adit_buf_lit(out, "\n<figcaption>");
        put_rich(out, b->caption, b->caption->text, "<br><br>");
        adit_buf_lit(out, "</figcaption>");
    }
    adit_buf_lit(out, "</figure>");
}

static void put_code(struct adit_buf *out, const struct adit_block *b)
{
    adit_buf_lit(out, "<pre><code");
    if (b->detail.len) {
        adit_buf_lit(out, " class=\"language-");
        put_escaped(out, b->detail, true);
        adit_buf_byte(out, '"');
    }
    adit_buf_byte(out, '>');
    put_escaped(out, b->text, false);
    adit_buf_lit(out, "</code></pre>");
}

static void put_table(struct adit_buf *out, const struct adit_block *b)
{
    if (b->columns == 0) return;
    adit_buf_lit(out, "<table>");
    for (size_t i = 0; i < b->items.n; i++) {
        bool head = b->header && i < b->columns;
        if (i % b->columns == 0) adit_buf_lit(out, "\n<tr>");
        adit_buf_lit(out, head ? "<th>" : "<td>");
        put_rich(out, b->rich ? &b->rich[i] : NULL, b->items.v[i], "<br>");
        adit_buf_lit(out, head ? "</th>" : "</td>");
        if ((i + 1) % b->columns == 0) adit_buf_lit(out, "</tr>");
    }
    adit_buf_lit(out, "\n</table>");
}

static void put_quote(struct adit_buf *out, const struct adit_block *b)
{
    adit_buf_lit(out, "<p>");
    put_rich(out, b->rich, b->text, "</p>\n<p>");
    adit_buf_lit(out, "</p>");
    if (b->detail.len) {
        adit_buf_lit(out, "\n<footer>\xe2\x80\x94 ");
        put_escaped(out, b->detail, false);
        adit_buf_lit(out, "</footer>");
    }
}

static void put_media(struct adit_buf *out, const struct adit_block *b)
{
    const struct adit_media *m = b->media;
    adit_buf_lit(out, b->type == ADIT_VIDEO ? "<figure><a rel=\"enclosure\" class=\"video\""
                                            : "<figure><a rel=\"enclosure\" class=\"audio\"");
    put_attr(out, "href", m->sources[0].href);
    adit_buf_lit(out, b->type == ADIT_VIDEO ? ">Video: " : ">Audio: ");
    put_escaped(out, m->name, false);
    adit_buf_lit(out, "</a>");
    const struct adit_str parts[] = {m->summary, m->transcript};
    for (size_t i = 0; i < ADIT_COUNT(parts); i++) {
        if (!parts[i].len) continue;
        adit_buf_lit(out, "\n<p>");
        put_lines(out, parts[i], "</p>\n<p>");
        adit_buf_lit(out, "</p>");
    }
    adit_buf_lit(out, "</figure>");
}

/* --- lists ------------------------------------------------------------------------------------ */

static void open_list(struct adit_buf *out, const struct adit_list_item *item)
{
    adit_buf_lit(out, item->ordered ? "<ol" : "<ul");
    if (item->ordered && item->number != 1) {
        adit_buf_lit(out, " start=\"");
        adit_buf_u64(out, item->number);
        adit_buf_byte(out, '"');
    }
    adit_buf_lit(out, ">\n");
}

/* The lists that are open, from the outermost in: whether each is ordered. */
struct list {
    struct adit_buf *out;
    const struct adit_box *boxes; /* the page's */
    bool ordered[DEPTH_MAX];
    size_t n;
};

static void close_lists(struct list *l, size_t depth)
{
    while (l->n > depth) adit_buf_lit(l->out, l->ordered[--l->n] ? "</li>\n</ol>" : "</li>\n</ul>");
}

/* A call-out in an item. */
static void put_part_box(const struct list *l, const struct adit_item_part *part)
{
    const struct adit_box *box = &l->boxes[part->box - 1];
    adit_buf_lit(l->out, "\n<aside>\n<p>");
    put_escaped(l->out, box->title.len ? box->title : box->kind, false);
    adit_buf_lit(l->out, "</p>\n<p>");
    put_rich(l->out, &part->rich, part->rich.text, "</p>\n<p>");
    adit_buf_lit(l->out, "</p></aside>\n");
}

/* The texts of an item; those that go on are paragraphs. */
static void put_parts(const struct list *l, const struct adit_list_item *item,
                      struct adit_str plain)
{
    const struct adit_item_part whole = {.rich = item->rich ? *item->rich
                                                            : (struct adit_rich){.text = plain}};
    const struct adit_item_part *parts = item->n_parts ? item->parts : &whole;
    size_t n = item->n_parts ? item->n_parts : 1;
    for (size_t i = 0; i < n; i++) {
        bool below = item->more || i;
        if (parts[i].box) {
            put_part_box(l, &parts[i]);
            continue;
        }
        if (below) adit_buf_lit(l->out, "\n<p>");
        put_rich(l->out, &parts[i].rich, plain, below ? "</p>\n<p>" : "<br><br>");
        if (below) adit_buf_lit(l->out, "</p>");
    }
}

static void put_item(struct list *l, const struct adit_list_item *item, struct adit_str plain)
{
    size_t depth = item->depth < l->n ? item->depth : l->n;
    if (depth >= DEPTH_MAX) depth = DEPTH_MAX - 1;
    close_lists(l, depth + 1);
    if (l->n == depth + 1 && l->ordered[depth] != item->ordered) close_lists(l, depth);
    if (l->n == depth) {
        if (depth) adit_buf_byte(l->out, '\n');
        open_list(l->out, item);
        l->ordered[l->n++] = item->ordered;
    } else if (item->more) {
        put_parts(l, item, plain);
        return;
    } else {
        adit_buf_lit(l->out, "</li>\n");
    }
    adit_buf_lit(l->out, "<li>");
    put_parts(l, item, plain);
}

/* The list stays open: blocks may stand in its items. */
static void put_list(struct list *l, const struct adit_block *b)
{
    for (size_t i = 0; i < b->items.n; i++) {
        struct adit_list_item flat = {.ordered = b->ordered, .number = (uint32_t)i + 1};
        if (!b->list || !b->list[i].note) put_item(l, b->list ? &b->list[i] : &flat, b->items.v[i]);
    }
}

/* --- notes ------------------------------------------------------------------------------------ */

struct notes {
    struct list list; /* in the note under way */
    uint16_t last;    /* the note under way */
    uint8_t depth;    /* of the item that it is */
};

static void begin_note(struct notes *n, uint16_t note)
{
    struct adit_buf *out = n->list.out;
    close_lists(&n->list, 0);
    if (note == n->last) return;
    adit_buf_lit(out, n->last ? "</li>\n<li id=\"adit-note-"
                              : "\n<section class=\"notes\">\n<ol>\n<li id=\"adit-note-");
    adit_buf_u64(out, note);
    adit_buf_lit(out, "\" value=\"");
    adit_buf_u64(out, note);
    adit_buf_lit(out, "\">");
    n->last = note;
}

static void put_note(void *ctx, uint16_t note, const struct adit_rich *rich, struct adit_str plain)
{
    struct notes *n = ctx;
    begin_note(n, note);
    adit_buf_lit(n->list.out, "<p>");
    put_rich(n->list.out, rich, plain, "</p>\n<p>");
    adit_buf_lit(n->list.out, "</p>");
}

/* An item that is a note, or one of a list in a note. */
static void put_note_item(void *ctx, const struct adit_list_item *row, struct adit_str plain)
{
    struct notes *n = ctx;
    struct adit_list_item item = *row;
    if (row->note != n->last) n->depth = row->depth;
    if (row->note != n->last || row->depth == n->depth) {
        put_note(n, row->note, row->rich, plain);
        return;
    }
    item.depth = (uint8_t)(row->depth - n->depth - 1);
    put_item(&n->list, &item, plain);
}

static void put_note_code(void *ctx, const struct adit_block *b)
{
    struct notes *n = ctx;
    begin_note(n, b->note);
    put_code(n->list.out, b);
}

static void put_notes(struct adit_buf *out, const struct adit_page *page)
{
    struct notes n = {.list = {.out = out, .boxes = page->boxes}};
    static const struct adit_note_writer writer = {put_note, put_note_item, put_note_code};
    if (adit_page_notes(page, &writer, &n, out->mem) != ADIT_OK) out->err = ADIT_ENOMEM;
    close_lists(&n.list, 0);
    if (n.last) adit_buf_lit(out, "</li>\n</ol>\n</section>");
}

/* --- the page --------------------------------------------------------------------------------- */

static void (*const writers[ADIT_BLOCK_TYPES])(struct adit_buf *, const struct adit_block *) = {
    [ADIT_TEXT] = put_text,   [ADIT_HEADING] = put_heading, [ADIT_LINK] = put_link,
    [ADIT_IMAGE] = put_image, [ADIT_CODE] = put_code,       [ADIT_TABLE] = put_table,
    [ADIT_QUOTE] = put_quote, [ADIT_VIDEO] = put_media,     [ADIT_AUDIO] = put_media,
};

/* What is open around the next block. */
struct frame {
    struct list list;
    unsigned around, quotes; /* quotes around the list; quotes in its item */
    uint16_t box;            /* a call-out */
};

static void set_quotes(struct adit_buf *out, unsigned *open, unsigned wanted)
{
    for (; *open > wanted; --*open) adit_buf_lit(out, "</blockquote>");
    for (; *open < wanted; ++*open) adit_buf_lit(out, "\n<blockquote>");
}

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* Ends the lists and quotes that b does not stand in, and begins the quotes that it does. within: it
 * stands in the same call-out as the block before. */
static void put_quotes(struct frame *f, const struct adit_block *b, bool within)
{
    struct adit_buf *out = f->list.out;
    bool is_list = b->type == ADIT_LIST, in_item = b->item && !is_list;
    unsigned own = (unsigned)b->quoted + (b->type == ADIT_QUOTE);
    unsigned around = is_list || in_item ? b->around : own;
    bool on = within && b->same_quote, listed = within && around == f->around && (!around || on);
    set_quotes(out, &f->quotes, listed && in_item && on ? least(own, f->quotes) : 0);
    close_lists(&f->list, !listed ? 0 : is_list ? b->goes_on * DEPTH_MAX : b->item);
    set_quotes(out, &f->around, on ? least(around, f->around) : 0);
    set_quotes(out, &f->around, around);
    if (in_item) set_quotes(out, &f->quotes, own);
}

/* Ends what b does not stand in, and begins its call-out. Returns whether b was the title of that. */
static bool put_frame(struct frame *f, const struct adit_page *page, const struct adit_block *b)
{
    struct adit_buf *out = f->list.out;
    bool within = b->box == f->box && !b->apart;
    if (!within) put_quotes(f, &(struct adit_block){0}, false);
    if (f->box && !within) adit_buf_lit(out, "\n</aside>");
    if (b->apart) adit_buf_lit(out, "\n<hr>");
    if (b->voice) {
        adit_buf_lit(out, "\n<p>");
        put_rich(out, b->voice, b->voice->text, NULL);
        adit_buf_lit(out, "</p>");
    }
    f->box = b->box;
    if (b->box && !within) {
        const struct adit_box *box = &page->boxes[b->box - 1];
        adit_buf_lit(out, "\n<aside>\n<p>");
        if (b->heads)
            put_rich(out, b->rich, b->text, NULL);
        else
            put_escaped(out, box->title.len ? box->title : box->kind, false);
        adit_buf_lit(out, "</p>");
        if (b->heads) return true;
    }
    put_quotes(f, b, within);
    return false;
}

static void put_head(struct adit_buf *out, const struct adit_page *page)
{
    static const struct {
        const char *name;
        size_t offset;
    } rows[] = {
        {"description", offsetof(struct adit_page, description)},
        {"author", offsetof(struct adit_page, author)},
    };
    adit_buf_lit(out, "<!doctype html>\n<html");
    put_attr(out, "lang", page->html_language);
    adit_buf_lit(out, ">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    put_escaped(out, page->title, false);
    adit_buf_lit(out, "</title>\n");
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        const struct adit_str *value = (const void *)((const char *)page + rows[i].offset);
        if (!value->len) continue;
        adit_buf_lit(out, "<meta");
        put_attr(out, "name", adit_str_z(rows[i].name));
        put_attr(out, "content", *value);
        adit_buf_lit(out, ">\n");
    }
    adit_buf_lit(out, "<link rel=\"canonical\"");
    put_attr(out, "href", page->url);
    adit_buf_lit(out, ">\n</head>\n<body>\n<article>\n<h1>");
    put_escaped(out, page->title, false);
    adit_buf_lit(out, "</h1>");
}

enum adit_code adit_page_html(const struct adit_page *page, struct adit_buf *out)
{
    struct frame f = {.list = {.out = out, .boxes = page->boxes}};
    put_head(out, page);
    for (size_t i = 0; i < page->n_blocks; i++) {
        const struct adit_block *b = &page->blocks[i];
        if (!adit_page_in_place(page, i) || put_frame(&f, page, b)) continue;
        adit_buf_byte(out, '\n');
        if (b->type == ADIT_LIST)
            put_list(&f.list, b);
        else
            writers[b->type](out, b);
    }
    put_frame(&f, page, &(struct adit_block){0});
    put_notes(out, page);
    adit_buf_lit(out, "\n</article>\n</body>\n</html>\n");
    return out->err;
}
