/* Tables: spans are expanded and rows padded, so that every row has the same cells. Tables that
 * only lay out the page are passed through. */
#include "blocks/blocks_impl.h"

#include <string.h>

enum {
    COLUMNS_MAX = ADIT_LIMIT_table_columns,
    REPEAT_MAX = 200,     /* bytes: longer text is not repeated in spanned cells */
    CELL_TEXT_MAX = 1500, /* letters: a longer cell is a column of a page */
    RICH_COST = 16        /* bytes that a cell counts towards ADIT_LIMIT_page_rich */
};

/* --- data or layout --------------------------------------------------------------------------- */

struct shape {
    size_t rows, cells, headers, texts;       /* texts: cells with text */
    size_t most;                              /* cells of the longest row */
    bool caption, structure, long_cell, code; /* structure: headings, code, tables inside */
};

static bool in_kept(const struct adit_builder *b, const struct adit_el *e)
{
    return adit_block_any_kept(b, e->leaf0, e->leaf1);
}

static struct shape measure(const struct adit_builder *b, const struct adit_el *table)
{
    struct shape s = {0};
    size_t row = 0;
    const struct adit_tape *t = b->t;
    for (uint32_t i = (uint32_t)(table - t->els) + 1;
         i < t->n_els && t->els[i].item0 < table->item1; i++) {
        const struct adit_el *e = &t->els[i];
        switch (e->tag) {
        case ADIT_TAG_TR: s.rows++, row = 0; break;
        case ADIT_TAG_TH: s.headers++; /* fall through */
        case ADIT_TAG_TD:
            s.cells++, s.texts += e->leaf1 > e->leaf0;
            if (++row > s.most) s.most = row;
            if (b->letters[e->leaf1] - b->letters[e->leaf0] > CELL_TEXT_MAX) s.long_cell = true;
            break;
        case ADIT_TAG_CAPTION: s.caption = e->leaf1 > e->leaf0; break;
        case ADIT_TAG_TABLE:
        case ADIT_TAG_H1:
        case ADIT_TAG_H2:
        case ADIT_TAG_H3:
        case ADIT_TAG_H4: s.structure |= in_kept(b, e); break;
        case ADIT_TAG_PRE: s.code |= in_kept(b, e); break;
        default: break;
        }
    }
    return s;
}

static bool is_data(const struct adit_builder *b, const struct adit_el *el, const struct shape *s)
{
    struct adit_str role = adit_el_attr(b, el, ADIT_ATTR_ROLE);
    if (adit_str_ieq(role, ADIT_STR("presentation")) || adit_str_ieq(role, ADIT_STR("none")))
        return false;
    if (s->rows == 0 || s->most < 2 || s->most > COLUMNS_MAX || s->long_cell || s->code)
        return false;
    if (s->caption || s->headers) return !s->structure || s->headers > 2;
    return s->rows >= 2 && s->texts >= 3 && !s->structure;
}

/* --- cells ------------------------------------------------------------------------------------ */

static size_t span(const struct adit_builder *b, const struct adit_el *cell, enum adit_attr attr,
                   size_t max)
{
    uint64_t n;
    if (!adit_str_u64(adit_str_trim(adit_el_attr(b, cell, attr)), &n) || n == 0) return 1;
    return n > max ? max : (size_t)n;
}

static struct adit_str cell_text(struct adit_builder *b, const struct adit_el *cell)
{
    return adit_block_line(b, adit_block_leaves(b, cell->leaf0, cell->leaf1, true));
}

/* The same with its structure, lines instead of paragraphs; empty: it is plain. */
static struct adit_rich cell_rich(struct adit_builder *b, const struct adit_el *cell)
{
    struct adit_rich rich = {0};
    if (!b->rich || cell->leaf0 == cell->leaf1) return rich;
    const struct adit_leaf *leaves = b->t->leaves;
    struct adit_rich_range range = {.item0 = leaves[cell->leaf0].item0,
                                    .item1 = leaves[cell->leaf1 - 1].item1,
                                    .leaf0 = cell->leaf0,
                                    .leaf1 = cell->leaf1,
                                    .all = true,
                                    .between = "\n"};
    adit_rich_build(b, &range, &rich);
    return rich;
}

/* A table under way: rows of `cap` cells; rows_left[c]: rows that still belong to the cell above.
 */
struct grid {
    struct adit_builder *b;
    struct adit_str *cells; /* n_rows × width */
    struct adit_rich *rich; /* as many, or NULL */
    bool header;            /* the first row has nothing but headers */
    size_t n_rows, width, max_rows;
    size_t rows_left[COLUMNS_MAX];
    struct adit_str above[COLUMNS_MAX];
    struct adit_rich rich_above[COLUMNS_MAX];
};

/* The text of a cell once more; nothing when the page has repeated enough. */
static struct adit_str repeated(struct grid *g, struct adit_str text)
{
    if (g->b->repeated_len > g->b->repeated_max) return (struct adit_str){0};
    g->b->repeated_len += text.len;
    return text;
}

/* Fills the cells that spans of earlier rows claim, from column c on; returns the first free one.
 */
static size_t skip_spanned(struct grid *g, struct adit_str *row, size_t c)
{
    for (; c < g->width && g->rows_left[c]; c++) {
        row[c] = repeated(g, g->above[c]);
        if (g->rich && row[c].len) g->rich[row + c - g->cells] = g->rich_above[c];
        g->rows_left[c]--;
    }
    return c;
}

static size_t put_cell(struct grid *g, struct adit_str *row, size_t c, const struct adit_el *cell,
                       bool alone)
{
    struct adit_str text = cell_text(g->b, cell);
    size_t cols = span(g->b, cell, ADIT_ATTR_COLSPAN, g->width - c);
    size_t rows = span(g->b, cell, ADIT_ATTR_ROWSPAN, g->max_rows);
    /* A row of one cell is a title: once is enough. */
    struct adit_str again = alone || text.len > REPEAT_MAX ? (struct adit_str){0} : text;
    struct adit_rich rich = cell_rich(g->b, cell);
    for (size_t k = 0; k < cols && c + k < g->width; k++) {
        row[c + k] = k ? repeated(g, again) : text;
        if (g->rich && row[c + k].len) g->rich[row + c + k - g->cells] = rich;
        g->rich_above[c + k] = rich;
        g->rows_left[c + k] = rows - 1;
        g->above[c + k] = again;
    }
    return c + cols;
}

/* The row el: its cells are the els up to its end whose row it is. */
static void put_row(struct grid *g, const struct adit_el *tr)
{
    const struct adit_tape *t = g->b->t;
    uint32_t id = (uint32_t)(tr - t->els);
    size_t n = 0, c = 0;
    bool header = true;
    if (g->n_rows == g->max_rows) return;
    struct adit_str *row = g->cells + g->n_rows * g->width;
    for (uint32_t i = id + 1; i < t->n_els && t->els[i].item0 < tr->item1; i++)
        n += t->els[i].parent == id;
    for (uint32_t i = id + 1; i < t->n_els && t->els[i].item0 < tr->item1; i++) {
        const struct adit_el *e = &t->els[i];
        if (e->parent != id || (e->tag != ADIT_TAG_TD && e->tag != ADIT_TAG_TH)) continue;
        c = skip_spanned(g, row, c);
        if (c >= g->width) break;
        header &= e->tag == ADIT_TAG_TH || e->leaf0 == e->leaf1;
        c = put_cell(g, row, c, e, n == 1);
    }
    while (c < g->width) c = g->rows_left[c] ? skip_spanned(g, row, c) : c + 1;
    for (size_t k = 0; k < g->width; k++)
        if (row[k].len) {
            if (!g->n_rows) g->header = header || t->els[tr->parent].tag == ADIT_TAG_THEAD;
            g->n_rows++;
            return;
        }
    memset(row, 0, g->width * sizeof *row); /* an empty row */
}

/* Rows of the table itself (not of tables inside), those of <thead> first, of <tfoot> last. */
static void put_rows(struct grid *g, const struct adit_el *table)
{
    static const uint16_t order[] = {ADIT_TAG_THEAD, ADIT_TAG_TBODY, ADIT_TAG_TFOOT};
    const struct adit_el *els = g->b->t->els;
    uint32_t id = (uint32_t)(table - els);
    for (size_t k = 0; k < ADIT_COUNT(order); k++) {
        memset(g->rows_left, 0, sizeof g->rows_left);
        for (uint32_t i = id + 1; i < g->b->t->n_els && els[i].item0 < table->item1; i++)
            if (els[i].tag == ADIT_TAG_TR && els[i].parent != ADIT_NONE &&
                els[els[i].parent].tag == order[k] && els[els[i].parent].parent == id)
                put_row(g, &els[i]);
    }
}

/* Width of the widest row, spans included. */
static size_t width(const struct adit_builder *b, const struct adit_el *table)
{
    const struct adit_tape *t = b->t;
    size_t row = 0, most = 0;
    for (uint32_t i = (uint32_t)(table - t->els) + 1;
         i < t->n_els && t->els[i].item0 < table->item1; i++) {
        const struct adit_el *e = &t->els[i];
        if (e->tag == ADIT_TAG_TR) row = 0;
        if (e->tag == ADIT_TAG_TD || e->tag == ADIT_TAG_TH)
            row += span(b, e, ADIT_ATTR_COLSPAN, COLUMNS_MAX);
        if (row > most) most = row;
    }
    return most > COLUMNS_MAX ? COLUMNS_MAX : most;
}

/* Columns at the right that no row fills come from spans that claim too much. */
static void trim_columns(struct grid *g, struct adit_block *block)
{
    size_t used = 0;
    for (size_t r = 0; r < g->n_rows; r++)
        for (size_t c = g->width; c > used; c--)
            if (g->cells[r * g->width + c - 1].len) {
                used = c;
                break;
            }
    struct adit_str *to = g->cells;
    for (size_t r = 0; r < g->n_rows; r++, to += used) {
        memmove(to, g->cells + r * g->width, used * sizeof *to);
        if (g->rich) memmove(g->rich + r * used, g->rich + r * g->width, used * sizeof *g->rich);
    }
    block->rich = g->rich;
    block->header = g->header;
    block->items = (struct adit_strs){g->cells, g->n_rows * used};
    block->columns = used;
}

static void add_caption(struct adit_builder *b, const struct adit_el *table)
{
    const struct adit_el *els = b->t->els;
    for (uint32_t i = (uint32_t)(table - els) + 1; i < b->t->n_els && els[i].item0 < table->item1;
         i++)
        if (els[i].tag == ADIT_TAG_CAPTION && els[i].leaf1 > els[i].leaf0) {
            struct adit_block *caption = adit_block_add(b, ADIT_TEXT);
            caption->text = adit_block_leaves(b, els[i].leaf0, els[i].leaf1, true);
            caption->rich = adit_block_rich(b, els[i].leaf0, els[i].leaf1, true);
            return;
        }
}

/* Most of the table's text must be kept; else its kept leaves are text of their own. */
static bool is_kept(const struct adit_builder *b, const struct adit_el *el)
{
    uint32_t all = b->letters[el->leaf1] - b->letters[el->leaf0];
    uint32_t kept = b->kept[el->leaf1] - b->kept[el->leaf0];
    return kept && kept >= all - kept;
}

/* A listing of code, a row a line: every row has a cell whose class says so; a single one also has a cell
 * for its number. */
static bool is_listing(const struct adit_builder *b, const struct adit_el *table, size_t rows)
{
    const struct adit_el *els = b->t->els;
    size_t lines = 0, numbers = 0;
    for (uint32_t i = (uint32_t)(table - els) + 1; i < b->t->n_els && els[i].item0 < table->item1;
         i++) {
        if (els[i].tag == ADIT_TAG_PRE || els[i].tag == ADIT_TAG_TABLE) return false;
        if (els[i].tag != ADIT_TAG_TD) continue;
        struct adit_str class = adit_el_attr(b, &els[i], ADIT_ATTR_CLASS);
        lines += class.len && adit_str_ifind(class, ADIT_STR("code"), 0) < class.len;
        numbers += class.len && adit_str_ifind(class, ADIT_STR("num"), 0) < class.len;
    }
    return rows && lines == rows && (rows > 1 || numbers);
}

bool adit_build_table(struct adit_builder *b, const struct adit_el *el)
{
    struct shape s = measure(b, el);
    if (is_kept(b, el) && is_listing(b, el, s.rows)) return adit_build_code(b, el);
    if (!is_kept(b, el) || !is_data(b, el, &s) || adit_notes_in(b, el->leaf0, el->leaf1) ||
        adit_posts_in(b, el->item0, el->item1))
        return false;
    struct grid g = {.b = b, .width = width(b, el), .max_rows = s.rows};
    if (!g.width || g.max_rows > ADIT_LIMIT_table_cells / g.width) return false;
    if ((b->n_cells += g.max_rows * g.width) > b->cells_max) return false;
    g.cells = adit_block_alloc(b, g.max_rows * g.width, sizeof *g.cells);
    if (adit_rich_room(b, g.max_rows * g.width * RICH_COST))
        g.rich = adit_block_alloc(b, g.max_rows * g.width, sizeof *g.rich);
    if (!g.cells || b->code != ADIT_OK) return true;
    put_rows(&g, el);
    add_caption(b, el);
    if (g.n_rows) trim_columns(&g, adit_block_add(b, ADIT_TABLE));
    adit_build_objects(b, el->item0, el->item1);
    return true;
}
