/* Merging: a page may have at most 1000 blocks (SCP, Resource Exhaustion). Neighbours are merged,
 * kind by kind, until few enough are left; no text is dropped. */
#include "page/blocks.h"

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

/* Joins blocks [from, to) into one of the kind `type`. */
static struct adit_block join(struct adit_builder *b, size_t from, size_t to,
                              enum adit_block_type type)
{
    struct adit_block out = b->v[from];
    struct adit_str few[4]; /* enough for two texts: the arena need not keep them */
    size_t n = 0, strings = 0;
    out.type = type;
    for (size_t i = from; i < to; i++) strings += b->v[i].items.n + 1;
    bool local = strings <= ADIT_COUNT(few) && type != ADIT_LIST;
    struct adit_str *v = local ? few : adit_block_alloc(b, strings, sizeof *v);
    if (!v) return out;
    for (size_t i = from; i < to; i++) {
        if (type == ADIT_TEXT) v[n++] = as_text(b, &b->v[i]);
        bool items = b->v[i].type == ADIT_LIST || b->v[i].type == ADIT_TABLE;
        for (size_t k = 0; items && k < b->v[i].items.n; k++) v[n++] = b->v[i].items.v[k];
        if (type == ADIT_QUOTE || type == ADIT_CODE) v[n++] = b->v[i].text;
    }
    if (type == ADIT_LIST) {
        out.items = (struct adit_strs){v, n};
    } else {
        out.items = (struct adit_strs){0};
        out.url = (struct adit_str){0};
        out.media = NULL;
        out.text = adit_block_join(b, v, n, ADIT_STR("\n"));
    }
    return out;
}

static bool fits(const struct step *s, const struct adit_block *first,
                 const struct adit_block *second)
{
    return s->first >> first->type & 1 && s->second >> second->type & 1;
}

/* One pass with one step: neighbours that fit become one, two by two, until max blocks are left;
 * so the whole page is merged evenly. */
static void pass(struct adit_builder *b, const struct step *s, size_t max)
{
    size_t n = 0, surplus = b->n - max;
    for (size_t i = 0; i < b->n;) {
        if (surplus && i + 1 < b->n && fits(s, &b->v[i], &b->v[i + 1])) {
            b->v[n++] = join(b, i, i + 2, s->result);
            i += 2, surplus--;
        } else {
            b->v[n++] = b->v[i++];
        }
    }
    b->n = n;
}

void adit_blocks_merge(struct adit_builder *b, size_t max)
{
    for (size_t i = 0; i < ADIT_COUNT(steps); i++)
        for (size_t before = b->n + 1; b->n > max && b->n < before;) {
            before = b->n;
            pass(b, &steps[i], max);
        }
}
