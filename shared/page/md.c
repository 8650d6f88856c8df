/* The page as CommonMark, with GFM's tables, formulas between dollars and numbered notes: what a
 * person pastes into a language model. Texts are written by md_inline.c. */
#include "page/page_impl.h"

#include <string.h>

enum {
    DEPTH_MAX = 18,
    MARKER_MAX = 12,
    QUOTES_MAX = 20, /* quotes and call-outs around a line */
    PREFIX_MAX = DEPTH_MAX * MARKER_MAX + 2 * QUOTES_MAX,
    ROOM = 1 << 20 /* bytes before lines of blocks that stand in others */
};

static const struct adit_md_place paragraph = {.line_break = "\\\n"};
static const struct adit_md_place one_line = {.line_break = " ", .inside = true};
static const struct adit_md_place cell = {.line_break = "<br>", .cell = true};
static const struct adit_md_place label = {.line_break = " ", .label = true};

/* The text with its structure; where the page has none, the plain string. */
static void put_rich(struct adit_buf *out, const struct adit_rich *rich, struct adit_str plain,
                     const struct adit_md_place *place)
{
    if (rich && rich->n_spans)
        adit_md_inline(out, rich, place);
    else
        adit_md_plain(out, rich && rich->text.len ? rich->text : plain, place);
}

/* --- blocks ----------------------------------------------------------------------------------- */

static void put_text(struct adit_buf *out, const struct adit_block *b)
{
    put_rich(out, b->rich, b->text, &paragraph);
}

static void put_heading_at(struct adit_buf *out, unsigned level, const struct adit_rich *rich,
                           struct adit_str text)
{
    for (unsigned i = 0; i < level; i++) adit_buf_byte(out, '#');
    adit_buf_byte(out, ' ');
    size_t from = out->len;
    put_rich(out, rich, text, &one_line);
    /* A run of # at the end would be taken as the closing one. */
    size_t hashes = 0;
    while (out->len - hashes > from && out->p[out->len - 1 - hashes] == '#') hashes++;
    if (out->err != ADIT_OK || !hashes) return;
    out->len -= hashes;
    while (hashes--) adit_buf_lit(out, "\\#");
}

static void put_heading(struct adit_buf *out, const struct adit_block *b)
{
    put_heading_at(out, adit_page_level(b), b->rich, b->text);
}

static void put_link(struct adit_buf *out, const struct adit_block *b)
{
    if (b->rich) { /* the link is a span of it */
        put_text(out, b);
        return;
    }
    adit_buf_byte(out, '[');
    put_rich(out, b->rich, b->text, &label);
    adit_md_target(out, b->url, (struct adit_str){0});
}

static void put_image(struct adit_buf *out, const struct adit_block *b)
{
    if (!b->inside) {
        adit_buf_lit(out, b->detail.len ? "[![" : "![");
        adit_md_plain(out, b->caption ? b->alt : b->text, &label);
        adit_md_target(out, b->url, (struct adit_str){0});
        if (b->detail.len) adit_md_target(out, b->detail, (struct adit_str){0});
    }
    if (!b->caption) return;
    if (!b->inside) adit_buf_lit(out, "\n\n");
    put_rich(out, b->caption, b->caption->text, &paragraph);
}

/* A fence is longer than any run of its sign in the listing. Where a listing would have a fence as
 * long as itself, twice, tildes may do with less. */
static void put_code(struct adit_buf *out, const struct adit_block *b)
{
    enum { SHORTEST = 3, TICKS_MAX = 80 };
    char sign = '`';
    size_t len = adit_md_run(b->text, sign) + 1;
    if (len > TICKS_MAX && adit_md_run(b->text, '~') + 1 < len)
        sign = '~', len = adit_md_run(b->text, sign) + 1;
    if (len < SHORTEST) len = SHORTEST;
    (void)adit_buf_reserve(out, 2 * len + b->text.len);
    for (size_t i = 0; i < len; i++) adit_buf_byte(out, sign);
    adit_buf_add(out, b->detail);
    adit_buf_byte(out, '\n');
    adit_buf_add(out, b->text);
    adit_buf_byte(out, '\n');
    for (size_t i = 0; i < len; i++) adit_buf_byte(out, sign);
}

static void put_quote(struct adit_buf *out, const struct adit_block *b)
{
    static const struct adit_md_place quote = {.line_break = "\\\n> ",
                                               .indent = ADIT_STR_INIT("> ")};
    adit_buf_lit(out, "> ");
    put_rich(out, b->rich, b->text, &quote);
    if (!b->detail.len) return;
    adit_buf_lit(out, "\n>\n> \xe2\x80\x94 ");
    adit_md_plain(out, b->detail, &one_line);
}

static void put_media(struct adit_buf *out, const struct adit_block *b)
{
    const struct adit_media *m = b->media;
    adit_buf_lit(out, b->type == ADIT_VIDEO ? "[Video: " : "[Audio: ");
    adit_md_plain(out, m->name, &label);
    adit_md_target(out, m->sources[0].href, (struct adit_str){0});
    const struct adit_str parts[] = {m->summary, m->transcript};
    for (size_t i = 0; i < ADIT_COUNT(parts); i++) {
        if (!parts[i].len) continue;
        adit_buf_lit(out, "\n\n");
        adit_md_plain(out, parts[i], &paragraph);
    }
}

/* --- tables ----------------------------------------------------------------------------------- */

static void put_ruler(struct adit_buf *out, size_t columns)
{
    for (size_t c = 0; c < columns; c++) adit_buf_lit(out, "| --- ");
    adit_buf_byte(out, '|');
}

/* GFM's tables have a header: one without gets an empty one. */
static void put_table(struct adit_buf *out, const struct adit_block *b)
{
    if (b->columns == 0) return;
    if (!b->header) {
        for (size_t c = 0; c < b->columns; c++) adit_buf_lit(out, "|  ");
        adit_buf_lit(out, "|\n");
        put_ruler(out, b->columns);
    }
    for (size_t i = 0; i < b->items.n; i++) {
        adit_buf_lit(out, i % b->columns ? " | " : i || !b->header ? "\n| " : "| ");
        put_rich(out, b->rich ? &b->rich[i] : NULL, b->items.v[i], &cell);
        if ((i + 1) % b->columns) continue;
        adit_buf_lit(out, " |");
        if (i + 1 > b->columns || !b->header) continue;
        adit_buf_byte(out, '\n');
        put_ruler(out, b->columns);
    }
}

/* "[!KIND]" and the title, if that says more. */
static void put_box_name(struct adit_buf *out, const struct adit_box *box,
                         const struct adit_rich *rich, struct adit_str title)
{
    adit_buf_lit(out, "[!");
    adit_buf_add(out, box->kind);
    adit_buf_byte(out, ']');
    if (!title.len || adit_page_says_title(title, box->kind)) return;
    adit_buf_byte(out, ' ');
    put_rich(out, rich, title, &one_line);
}

/* --- lists ------------------------------------------------------------------------------------ */

/* A list under way. Two lists in a row are told apart by their marks: - and *, 1. and 1). */
struct list {
    struct adit_buf *out;
    const struct adit_box *boxes; /* the page's */
    size_t width[DEPTH_MAX];      /* of the indent of each depth's items */
    size_t text[DEPTH_MAX];       /* of the indent of the text of each depth's last item */
    bool other;                   /* the second kind of marks */
    size_t n, depth;              /* items written; how deep the next may stand */
};

/* A call-out in an item, whose lines begin with the indent. */
static void put_item_box(struct list *l, const struct adit_item_part *part, struct adit_str indent)
{
    const struct adit_box *box = &l->boxes[part->box - 1];
    struct adit_buf *out = l->out;
    char line_break[DEPTH_MAX * MARKER_MAX + 8] = "\\\n";
    memcpy(line_break + 2, indent.p, indent.len);
    memcpy(line_break + 2 + indent.len, "> ", 3);
    struct adit_md_place place = {.line_break = line_break, .indent = adit_str_z(line_break + 2)};
    adit_buf_lit(out, "> ");
    put_box_name(out, box, NULL, box->title);
    adit_buf_byte(out, '\n');
    adit_buf_add(out, place.indent);
    put_rich(out, &part->rich, part->rich.text, &place);
}

static void put_item(struct list *l, const struct adit_list_item *item, struct adit_str plain)
{
    char spaces[DEPTH_MAX * MARKER_MAX + 4];
    size_t depth = item->depth < DEPTH_MAX - 1 ? item->depth : DEPTH_MAX - 2;
    if (depth > l->depth) depth = l->depth; /* a level without an item of its own */
    /* A list that does not begin with 1 is no list right below a paragraph (CommonMark, 5.3). */
    bool below = depth && depth == l->depth && item->ordered && item->number != 1;
    l->depth = depth + 1;
    size_t indent = l->width[depth];
    memset(spaces, ' ', sizeof spaces);
    if (l->n++) adit_buf_lit(l->out, item->more || below ? "\n\n" : "\n");
    adit_buf_add(l->out, adit_str_of(spaces, indent));
    size_t from = l->out->len;
    if (item->more)
        adit_buf_add(l->out,
                     adit_str_sub(adit_str_of(spaces, sizeof spaces), indent, l->text[depth]));
    else if (item->ordered)
        adit_buf_u64(l->out, item->number), adit_buf_lit(l->out, l->other ? ") " : ". ");
    else
        adit_buf_lit(l->out, l->other ? "* " : "- ");
    indent += l->out->err == ADIT_OK ? l->out->len - from : 2;
    l->text[depth] = indent;
    /* Four spaces more are enough for every marker of up to two digits, and read by all. */
    size_t nested = l->width[depth] + 4;
    for (size_t d = depth + 1; d < DEPTH_MAX; d++) l->width[d] = nested < indent ? indent : nested;
    char line_break[sizeof spaces + 3] = "\\\n";
    memset(line_break + 2, ' ', indent), line_break[2 + indent] = 0;
    struct adit_md_place place = {.line_break = line_break, .indent = adit_str_of(spaces, indent)};
    if (!item->n_parts) put_rich(l->out, item->rich, plain, &place);
    for (size_t i = 0; i < item->n_parts; i++) {
        const struct adit_item_part *part = &item->parts[i];
        if (i) adit_buf_lit(l->out, "\n\n"), adit_buf_add(l->out, place.indent);
        if (part->box)
            put_item_box(l, part, place.indent);
        else
            put_rich(l->out, &part->rich, part->rich.text, &place);
    }
}

static bool is_note(const struct adit_block *b, size_t i) { return b->list && b->list[i].note; }

static void put_list(struct list *l, const struct adit_block *b)
{
    l->n = 0;
    for (size_t i = 0; i < b->items.n; i++) {
        struct adit_list_item flat = {.ordered = b->ordered, .number = (uint32_t)i + 1};
        if (!is_note(b, i)) put_item(l, b->list ? &b->list[i] : &flat, b->items.v[i]);
    }
}

/* --- the page --------------------------------------------------------------------------------- */

static void (*const writers[ADIT_BLOCK_TYPES])(struct adit_buf *, const struct adit_block *) = {
    [ADIT_TEXT] = put_text,   [ADIT_HEADING] = put_heading, [ADIT_LINK] = put_link,
    [ADIT_IMAGE] = put_image, [ADIT_CODE] = put_code,       [ADIT_TABLE] = put_table,
    [ADIT_QUOTE] = put_quote, [ADIT_VIDEO] = put_media,     [ADIT_AUDIO] = put_media,
};

/* Sets the lines from `from` in by the prefix: the marks of quotes, the spaces of list items. An empty
 * line gets no spaces at its end. *room: bytes that this may take of a page; beyond, lines stay as they
 * are. */
static void set_in(struct adit_buf *out, size_t from, struct adit_str prefix, size_t *room)
{
    size_t blank = prefix.len, more = 0, end = out->len;
    while (blank && prefix.p[blank - 1] == ' ') blank--;
    if (!prefix.len || out->err != ADIT_OK) return;
    for (size_t i = from; i < end; i++)
        if (i == from || out->p[i - 1] == '\n') more += out->p[i] == '\n' ? blank : prefix.len;
    if (more > *room) more = *room = 0;
    if (!more || !adit_buf_reserve(out, more)) return;
    *room -= more;
    out->len = end + more;
    for (size_t to = out->len, i = end; i-- > from;) {
        out->p[--to] = out->p[i];
        if (i > from && out->p[i - 1] != '\n') continue;
        size_t len = out->p[to] == '\n' ? blank : prefix.len;
        memcpy(out->p + (to -= len), prefix.p, len);
    }
}

/* What blocks stand in, one behind the other. */
struct frame {
    struct adit_buf *out;
    struct list list; /* the last one, which may go on */
    bool ordered;     /* of which kind */
    bool listed;      /* the block before was this list, or stood in an item of it */
    size_t room;      /* see set_in */
    bool fresh;       /* the line that names a call-out is the last one */
    uint16_t box;     /* the call-out that the block before stood in */
    char prefix[PREFIX_MAX], before[PREFIX_MAX]; /* of a block's lines, of the one before */
    size_t len_before;
};

/* The line that names a call-out, and its title if that says more. Returns whether b was the title. */
static bool put_box(struct frame *f, const struct adit_page *page, const struct adit_block *b)
{
    const struct adit_box *box = &page->boxes[b->box - 1];
    struct adit_str title = b->heads ? b->text : box->title;
    adit_buf_lit(f->out, "\n\n> ");
    put_box_name(f->out, box, b->heads ? b->rich : NULL, title);
    f->box = b->box, f->fresh = true, f->listed = false;
    return b->heads;
}

static size_t put_marks(char *p, unsigned n)
{
    for (unsigned i = 0; i < n; i++) *p++ = '>', *p++ = ' ';
    return 2 * (size_t)n;
}

/* What the lines of b begin with; a quote's own mark is the last. */
static struct adit_str prefix_of(struct frame *f, const struct adit_block *b)
{
    if (!f->room) return (struct adit_str){0};
    size_t len = put_marks(f->prefix, (b->box != 0) + (unsigned)b->around);
    if (b->item && f->listed && b->type != ADIT_LIST) {
        size_t indent = f->list.text[b->item - 1 < DEPTH_MAX ? b->item - 1 : DEPTH_MAX - 1];
        memset(f->prefix + len, ' ', indent), len += indent;
    }
    len += put_marks(f->prefix + len, (unsigned)b->quoted + (b->type == ADIT_QUOTE));
    return adit_str_of(f->prefix, len);
}

/* An empty line of what b and the block before stand in both. */
static void put_empty_line(struct frame *f, const struct adit_block *b, struct adit_str prefix)
{
    size_t n = 0;
    while (b->same_quote && n < prefix.len && n < f->len_before && prefix.p[n] == f->before[n]) n++;
    if (!b->same_quote && b->box && b->box == f->box) n = 1;
    while (n && prefix.p[n - 1] == ' ') n--;
    adit_buf_add(f->out, adit_str_sub(prefix, 0, n));
}

/* What stands between the block before and b. */
static void put_gap(struct frame *f, const struct adit_block *b, struct adit_str prefix)
{
    if (b->apart) {
        adit_buf_lit(f->out, "\n\n---\n\n");
    } else {
        adit_buf_byte(f->out, '\n');
        /* GitHub wants the text of a call-out on the next line. */
        if (!(f->fresh && b->type == ADIT_TEXT)) {
            put_empty_line(f, b, prefix);
            adit_buf_byte(f->out, '\n');
        }
    }
    f->len_before = prefix.len;
    memcpy(f->before, prefix.p ? prefix.p : "", prefix.len);
    if (!b->voice) return;
    put_rich(f->out, b->voice, b->voice->text, &paragraph);
    adit_buf_lit(f->out, "\n\n");
}

static void put_block(struct frame *f, const struct adit_block *b, struct adit_str prefix)
{
    bool is_list = b->type == ADIT_LIST, in_item = f->listed && b->item && !is_list;
    size_t from = f->out->len;
    if (is_list && !(b->goes_on && f->listed)) {
        bool beside = f->listed && f->ordered == b->ordered && b->box == f->box && !b->apart;
        f->list.other = beside && !f->list.other;
        f->list = (struct list){.out = f->out, .boxes = f->list.boxes, .other = f->list.other};
        f->ordered = b->ordered;
    }
    if (is_list)
        put_list(&f->list, b);
    else
        writers[b->type](f->out, b);
    if (b->type == ADIT_QUOTE && prefix.len) prefix.len -= 2; /* it has its own mark */
    set_in(f->out, from, prefix, &f->room);
    f->listed = is_list || (in_item && f->room), f->fresh = false, f->box = b->box;
}

/* The notes at the end of the page. */
struct notes {
    struct adit_buf *out;
    struct list list; /* in the note under way */
    uint16_t last;    /* the note under way */
    uint8_t depth;    /* of the item that it is */
    bool listed;      /* its last part was an item of the list */
    size_t room;      /* see set_in */
};

/* Begins a part of a note: the first one names it, others are set in. Returns whether it is another. */
static bool begin_note(struct notes *n, uint16_t note)
{
    bool goes_on = note == n->last;
    n->last = note, n->listed = false;
    adit_buf_lit(n->out, "\n\n");
    if (goes_on) return true;
    adit_buf_lit(n->out, "[^");
    adit_buf_u64(n->out, note);
    adit_buf_lit(n->out, "]:");
    return false;
}

static void put_note(void *ctx, uint16_t note, const struct adit_rich *rich, struct adit_str plain)
{
    struct notes *n = ctx;
    static const struct adit_md_place place = {.line_break = "\\\n    ",
                                               .indent = ADIT_STR_INIT("    ")};
    adit_buf_lit(n->out, begin_note(n, note) ? "    " : " ");
    put_rich(n->out, rich, plain, &place);
}

static void put_note_code(void *ctx, const struct adit_block *b)
{
    struct notes *n = ctx;
    if (!begin_note(n, b->note)) adit_buf_lit(n->out, "\n\n");
    size_t from = n->out->len;
    put_code(n->out, b);
    set_in(n->out, from, ADIT_STR("    "), &n->room);
}

/* An item of a list in a note. */
static void put_note_item(struct notes *n, const struct adit_list_item *row, struct adit_str plain)
{
    struct adit_list_item item = *row;
    if (!n->listed) n->list = (struct list){.out = n->out, .boxes = n->list.boxes};
    adit_buf_lit(n->out, n->listed && !row->more ? "\n" : "\n\n");
    size_t from = n->out->len;
    item.depth = (uint8_t)(row->depth - n->depth - 1);
    n->list.n = 0, n->listed = true;
    put_item(&n->list, &item, plain);
    set_in(n->out, from, ADIT_STR("    "), &n->room);
}

/* An item that is a note, or one of a list in a note. */
static void put_note_row(void *ctx, const struct adit_list_item *row, struct adit_str plain)
{
    struct notes *n = ctx;
    if (row->note == n->last && row->depth > n->depth) {
        put_note_item(n, row, plain);
        return;
    }
    if (row->note != n->last) n->depth = row->depth;
    put_note(n, row->note, row->rich, plain);
}

static void put_notes(struct adit_buf *out, const struct adit_page *page)
{
    struct notes n = {.out = out, .list.boxes = page->boxes, .room = ROOM};
    static const struct adit_note_writer writer = {put_note, put_note_row, put_note_code};
    if (adit_page_notes(page, &writer, &n, out->mem) != ADIT_OK) out->err = ADIT_ENOMEM;
}

enum adit_code adit_page_md(const struct adit_page *page, struct adit_buf *out)
{
    struct frame f = {.out = out, .list.boxes = page->boxes, .room = ROOM};
    put_heading_at(out, 1, NULL, page->title);
    for (size_t i = 0; i < page->n_blocks; i++) {
        const struct adit_block *b = &page->blocks[i];
        if (!adit_page_in_place(page, i)) continue;
        if (b->box && b->box != f.box && put_box(&f, page, b)) continue;
        struct adit_str prefix = prefix_of(&f, b);
        put_gap(&f, b, prefix);
        put_block(&f, b, prefix);
    }
    put_notes(out, page);
    adit_buf_byte(out, '\n');
    return out->err;
}

/* --- front matter ----------------------------------------------------------------------------- */

/* A double-quoted scalar of YAML, which is nearly a string of JSON. */
static void put_scalar(struct adit_buf *out, const char *key, struct adit_str value)
{
    static const char hex[] = "0123456789abcdef";
    if (!value.len) return;
    adit_buf_lit(out, key);
    adit_buf_lit(out, ": \"");
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.p[i];
        if (c == '"' || c == '\\') adit_buf_byte(out, '\\');
        if (c >= 32 && c != 127) {
            adit_buf_byte(out, (char)c);
            continue;
        }
        adit_buf_lit(out, "\\x");
        adit_buf_byte(out, hex[c >> 4]);
        adit_buf_byte(out, hex[c & 15]);
    }
    adit_buf_lit(out, "\"\n");
}

enum adit_code adit_page_front_matter(const struct adit_page *page, struct adit_buf *out)
{
    adit_buf_lit(out, "---\n");
    put_scalar(out, "title", page->title);
    put_scalar(out, "url", page->url);
    put_scalar(out, "description", page->description);
    put_scalar(out, "author", page->author);
    put_scalar(out, "published", page->published);
    put_scalar(out, "language", page->html_language);
    adit_buf_lit(out, "---\n\n");
    return out->err;
}
