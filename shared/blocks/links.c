/* Links within texts as blocks of their own behind the block that they stand in: a crawler's graph, for
 * who asks (adit_page_source.links). Only SCP writes them; other formats have them in their texts. */
#include "blocks/blocks_impl.h"

enum { TEXT_MAX = 500 }; /* bytes of a link's text; what is beyond stands in the text alone */

/* The kept text of the link that begins at items[i], and the item that ends it. */
static struct adit_str link_text(struct adit_builder *b, uint32_t i, uint32_t *end)
{
    const struct adit_tape *t = b->t;
    struct adit_space s = {.out = adit_block_alloc(b, TEXT_MAX + 64, 1)};
    uint32_t node = t->items[i].node;
    for (*end = i + 1; s.out && *end < t->n_items; ++*end) {
        const struct adit_item *item = &t->items[*end];
        if (item->kind == ADIT_ITEM_CLOSE && item->node == node) break;
        uint32_t leaf = adit_item_leaf(item);
        if (item->block || item->kind == ADIT_ITEM_BREAK) adit_space_add(&s, ADIT_STR(" "));
        if (leaf == ADIT_NONE || !t->leaves[leaf].keep) continue;
        if (item->kind == ADIT_ITEM_TEXT && item->tag & ADIT_APART)
            adit_space_add(&s, ADIT_STR(" "));
        struct adit_str said = adit_item_said(t, item);
        if (said.len <= TEXT_MAX - s.len) adit_space_add(&s, said);
    }
    return adit_str_of(s.out, s.len);
}

void adit_build_links(struct adit_builder *b, uint32_t item0, uint32_t item1)
{
    const struct adit_item *items = b->t->items;
    if (!b->links) return;
    while (item0 && items[item0 - 1].kind == ADIT_ITEM_OPEN && !items[item0 - 1].block) item0--;
    for (uint32_t i = item0, end; i < item1 && b->n_inner < ADIT_LIMIT_page_blocks; i++) {
        if (items[i].kind != ADIT_ITEM_OPEN || items[i].tag != ADIT_TAG_A) continue;
        struct adit_arena_mark mark = adit_arena_mark(b->arena);
        struct adit_str text = link_text(b, i, &end);
        struct adit_str url =
            adit_block_url(b, adit_dom_attr(b->dom, items[i].node, ADIT_ATTR_HREF));
        const struct adit_block *last = b->n ? &b->v[b->n - 1] : NULL;
        bool said = last && last->type == ADIT_LINK && adit_str_eq(last->url, url);
        i = end;
        if (!text.len || !url.len || said || adit_block_same_page(b, url)) {
            adit_arena_release(b->arena, mark);
            continue;
        }
        struct adit_block *block = adit_block_add(b, ADIT_LINK);
        block->text = text, block->url = url, block->inside = true;
        b->n_inner++;
    }
}

void adit_blocks_fit_links(struct adit_builder *b, size_t max)
{
    size_t others = b->n - b->n_inner, n = 0;
    size_t room = others < max ? max - others : 0;
    for (size_t i = 0; i < b->n; i++) {
        bool inner = b->v[i].type == ADIT_LINK && b->v[i].inside;
        if (inner && !room) continue;
        room -= inner;
        b->v[n++] = b->v[i];
    }
    b->n = n;
}
