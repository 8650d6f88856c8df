/* The order in which writers gather notes at the end of a page. */
#include "page/page_impl.h"

#include <string.h>

/* A part of a note: a block, or an item of a list. */
struct part {
    uint32_t block, item;
};

struct parts {
    struct part *v;
    size_t n, bytes;
};

/* How many parts of notes the block may have. */
static size_t n_parts(const struct adit_block *b)
{
    if (b->type == ADIT_LIST) return b->list ? b->items.n : 0;
    return b->note ? 1 : 0;
}

/* The note that part k of the block belongs to; 0: none. */
static uint16_t note_of(const struct adit_block *b, size_t k)
{
    return b->type == ADIT_LIST ? b->list[k].note : b->note;
}

/* In the order in which they are written. */
static enum adit_code gather(struct parts *parts, const struct adit_page *page, struct adit_mem mem)
{
    size_t n = 0, last = 0;
    for (size_t i = 0; i < page->n_blocks; i++)
        for (size_t k = 0; k < n_parts(&page->blocks[i]); k++) {
            uint16_t note = note_of(&page->blocks[i], k);
            n += note != 0;
            if (note > last) last = note;
        }
    *parts = (struct parts){.n = n};
    if (!n) return ADIT_OK;
    /* The parts, and behind them where those of each note go: sorted by counting. */
    size_t bytes = n * sizeof *parts->v + (last + 2) * sizeof(uint32_t);
    if (!(parts->v = mem.resize(mem.ctx, NULL, 0, bytes))) return ADIT_ENOMEM;
    parts->bytes = bytes;
    uint32_t *at = (uint32_t *)(parts->v + n);
    memset(at, 0, (last + 2) * sizeof *at);
    for (size_t i = 0; i < page->n_blocks; i++)
        for (size_t k = 0; k < n_parts(&page->blocks[i]); k++) {
            uint16_t note = note_of(&page->blocks[i], k);
            if (note) at[note + 1]++;
        }
    for (size_t note = 1; note <= last; note++) at[note + 1] += at[note];
    for (size_t i = 0; i < page->n_blocks; i++)
        for (size_t k = 0; k < n_parts(&page->blocks[i]); k++) {
            uint16_t note = note_of(&page->blocks[i], k);
            if (note)
                parts->v[at[note]++] = (struct part){.block = (uint32_t)i, .item = (uint32_t)k};
        }
    return ADIT_OK;
}

enum adit_code adit_page_notes(const struct adit_page *page, const struct adit_note_writer *writer,
                               void *ctx, struct adit_mem mem)
{
    struct parts parts;
    ADIT_TRY(gather(&parts, page, mem));
    for (size_t i = 0; i < parts.n; i++) {
        const struct adit_block *b = &page->blocks[parts.v[i].block];
        size_t k = parts.v[i].item;
        if (b->type == ADIT_LIST)
            writer->item(ctx, &b->list[k], b->items.v[k]);
        else if (b->type == ADIT_CODE)
            writer->code(ctx, b);
        else
            writer->text(ctx, b->note, b->rich, b->text);
    }
    if (parts.v) mem.resize(mem.ctx, parts.v, parts.bytes, 0);
    return ADIT_OK;
}
