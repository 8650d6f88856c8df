/* Merging: a page may have at most 1000 blocks (SCP, Resource Exhaustion). Neighbours are merged,
 * kind by kind, until few enough are left; no text is dropped. */
#include "blocks/blocks_impl.h"

#include <string.h>

/* The text that a block leaves behind when it becomes part of a text block. */
static struct adit_str as_text(struct adit_builder *b, const struct adit_block *block)
{
    if (block->type != ADIT_IMAGE || !block->text.len) return block->text;
    struct adit_str parts[3] = {ADIT_STR("[Image: "), block->text, ADIT_STR("]")};
    return adit_block_join(b, parts, 3, ADIT_STR(""));
}

/* A step: two neighbours of these kinds become one, of the first kind. */
static const struct step {
    uint16_t first, second; /* bit sets of kinds */
    enum adit_block_type result;
} steps[] = {
    {1u << ADIT_TEXT, 1u << ADIT_TEXT, ADIT_TEXT},
    {1u << ADIT_LIST, 1u << ADIT_LIST, ADIT_LIST},
    {1u << ADIT_TEXT | 1u << ADIT_LINK | 1u << ADIT_IMAGE,
     1u << ADIT_TEXT | 1u << ADIT_LINK | 1u << ADIT_IMAGE, ADIT_TEXT},
    {1u << ADIT_QUOTE, 1u << ADIT_QUOTE, ADIT_QUOTE},
    {1u << ADIT_CODE, 1u << ADIT_CODE, ADIT_CODE},
    /* The last resort: everything with text. */
    {(1u << ADIT_BLOCK_TYPES) - 1, (1u << ADIT_BLOCK_TYPES) - 1, ADIT_TEXT},
};

/* --- inline structure ------------------------------------------------------------------------- */

/* Texts with their structure, one behind the other as paragraphs. */
struct chain {
    char *text;
    struct adit_span *spans;
    size_t len, n_spans;
};

static void chain_add(struct chain *c, struct adit_str text, const struct adit_span *spans,
                      size_t n)
{
    if (!text.len && !n) return;
    if (c->len) c->text[c->len++] = '\n', c->text[c->len++] = '\n';
    for (size_t i = 0; i < n; i++) {
        struct adit_span *s = &c->spans[c->n_spans++];
        *s = spans[i];
        s->from += (uint32_t)c->len, s->to += (uint32_t)c->len;
    }
    if (text.len) memcpy(c->text + c->len, text.p, text.len), c->len += text.len;
}

static void chain_block(struct chain *c, const struct adit_block *b)
{
    bool link = b->type == ADIT_LINK, image = b->type == ADIT_IMAGE;
    struct adit_span whole = {.to = (uint32_t)b->text.len,
                              .kind = link ? ADIT_SPAN_LINK : ADIT_SPAN_IMAGE,
                              .url = b->url};
    if (b->type == ADIT_LIST || b->type == ADIT_TABLE) {
        for (size_t i = 0; i < b->items.n; i++) {
            const struct adit_rich *r = b->type == ADIT_TABLE
                                            ? (b->rich && b->rich[i].text.len ? &b->rich[i] : NULL)
                                            : (b->list ? b->list[i].rich : NULL);
            chain_add(c, r ? r->text : b->items.v[i], r ? r->spans : NULL, r ? r->n_spans : 0);
        }
    } else if (b->rich) {
        chain_add(c, b->rich->text, b->rich->spans, b->rich->n_spans);
    } else if (!image || !b->inside) {
        chain_add(c, b->text, &whole, link || image);
    }
}

/* What chain_block takes of c at most. */
static void chain_measure(struct chain *c, const struct adit_block *b)
{
    c->len += b->text.len + 2, c->n_spans++;
    for (size_t i = 0; i < b->items.n; i++) c->len += b->items.v[i].len + 2;
    size_t n = b->type == ADIT_TABLE ? b->items.n : 1;
    for (size_t i = 0; b->rich && i < n; i++)
        c->len += b->rich[i].text.len, c->n_spans += b->rich[i].n_spans;
    for (size_t i = 0; b->list && i < b->items.n; i++)
        if (b->list[i].rich)
            c->len += b->list[i].rich->text.len, c->n_spans += b->list[i].rich->n_spans;
}

static const struct adit_rich *join_rich(struct adit_builder *b, size_t from, size_t to)
{
    struct chain all = {0}, c = {0};
    for (size_t i = from; i < to; i++) chain_measure(&all, &b->v[i]);
    if (!adit_rich_room(b, all.len)) return NULL;
    struct adit_rich *rich = adit_block_alloc(b, 1, sizeof *rich);
    c.spans = adit_block_alloc(b, all.n_spans, sizeof *c.spans);
    c.text = adit_block_alloc(b, all.len, 1);
    if (!rich || !c.spans || !c.text) return NULL;
    for (size_t i = from; i < to; i++) chain_block(&c, &b->v[i]);
    *rich = (struct adit_rich){adit_str_of(c.text, c.len), c.spans, c.n_spans};
    return rich;
}

/* The rows beside n items. */
static const struct adit_list_item *join_rows(struct adit_builder *b, size_t from, size_t to,
                                              size_t n)
{
    struct adit_list_item *rows = adit_block_alloc(b, n, sizeof *rows);
    size_t at = 0;
    for (size_t i = from; i < to && rows; i++)
        for (size_t k = 0; b->v[i].type == ADIT_LIST && k < b->v[i].items.n; k++)
            rows[at++] = b->v[i].list ? b->v[i].list[k]
                                      : (struct adit_list_item){.ordered = b->v[i].ordered,
                                                                .number = (uint32_t)k + 1};
    return rows;
}

/* --- joining ---------------------------------------------------------------------------------- */

/* Joins blocks [from, to) into one of the kind `type`. */
static struct adit_block join(struct adit_builder *b, size_t from, size_t to,
                              enum adit_block_type type)
{
    struct adit_block out = b->v[from];
    size_t n = 0, strings = 0;
    out.type = type;
    out.heads = out.goes_on = out.same_quote = false;
    out.quoted = out.around = 0;
    for (size_t i = from; i < to; i++) strings += b->v[i].items.n + 1;
    struct adit_str *v = adit_block_alloc(b, strings, sizeof *v);
    if (!v) return out;
    for (size_t i = from; i < to; i++) {
        if (type == ADIT_TEXT) v[n++] = as_text(b, &b->v[i]);
        bool items = b->v[i].type == ADIT_LIST || b->v[i].type == ADIT_TABLE;
        for (size_t k = 0; items && k < b->v[i].items.n; k++) v[n++] = b->v[i].items.v[k];
        if (type == ADIT_QUOTE || type == ADIT_CODE) v[n++] = b->v[i].text;
        if (b->v[i].box != out.box) out.box = 0;
        if (b->v[i].item != out.item) out.item = 0;
    }
    if (type == ADIT_LIST) {
        out.items = (struct adit_strs){v, n};
        out.list = join_rows(b, from, to, n);
    } else {
        out.rich = type == ADIT_CODE ? NULL : join_rich(b, from, to);
        out.list = NULL;
        out.inside = out.said = false;
        out.items = (struct adit_strs){0};
        out.url = (struct adit_str){0};
        out.media = NULL;
        out.text = adit_block_join(b, v, n, ADIT_STR("\n"));
    }
    return out;
}

/* Blocks [from, to) of the builder, which are to become one: joined in the end, so that every text
 * is copied once. */
struct span {
    uint32_t from, to;
    enum adit_block_type type;
};

struct spans {
    struct span *v;
    size_t n;
};

/* Texts of notes become items of a list: writers can still tell them apart. */
static void list_notes(struct adit_builder *b)
{
    size_t n = 0, end;
    for (size_t i = 0; i < b->n; i = end) {
        for (end = i; end < b->n && b->v[end].note;) end++;
        struct adit_str *items = end > i + 1 ? adit_block_alloc(b, end - i, sizeof *items) : NULL;
        struct adit_list_item *rows = items ? adit_block_alloc(b, end - i, sizeof *rows) : NULL;
        if (!rows) {
            if (end == i) end++;
            for (size_t k = i; k < end; k++) b->v[n++] = b->v[k];
            continue;
        }
        for (size_t k = i; k < end; k++) {
            items[k - i] = b->v[k].text;
            rows[k - i] = (struct adit_list_item){.rich = b->v[k].rich, .note = b->v[k].note};
        }
        b->v[n++] = (struct adit_block){.type = ADIT_LIST, .items = {items, end - i}, .list = rows};
    }
    b->n = n;
}

static bool fits(const struct step *s, const struct span *first, const struct span *second)
{
    return s->first >> first->type & 1 && s->second >> second->type & 1;
}

/* One pass with one step: neighbours that fit become one, two by two, until max blocks are left;
 * so the whole page is merged evenly. */
static void pass(struct spans *all, const struct step *s, size_t max)
{
    size_t n = 0, surplus = all->n - max;
    for (size_t i = 0; i < all->n;) {
        struct span x = all->v[i++];
        if (surplus && i < all->n && fits(s, &x, &all->v[i])) {
            x.to = all->v[i++].to, x.type = s->result;
            surplus--;
        }
        all->v[n++] = x;
    }
    all->n = n;
}

void adit_blocks_merge(struct adit_builder *b, size_t max)
{
    list_notes(b);
    struct spans all = {adit_block_alloc(b, b->n, sizeof *all.v), b->n};
    if (!all.v || b->n <= max) return;
    for (uint32_t i = 0; i < b->n; i++) all.v[i] = (struct span){i, i + 1, b->v[i].type};
    for (size_t i = 0; i < ADIT_COUNT(steps); i++)
        for (size_t before = all.n + 1; all.n > max && all.n < before;) {
            before = all.n;
            pass(&all, &steps[i], max);
        }
    for (size_t i = 0; i < all.n; i++) {
        const struct span *x = &all.v[i];
        b->v[i] = x->to - x->from == 1 ? b->v[x->from] : join(b, x->from, x->to, x->type);
    }
    b->n = all.n;
}
