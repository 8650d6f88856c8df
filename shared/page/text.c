/* The page as plain text. */
#include "page/page_impl.h"
#include "text/text.h"

bool adit_page_says_title(struct adit_str text, struct adit_str title)
{
    size_t i = 0, k = 0, n = 0;
    for (;; n++) {
        uint32_t a = 0, b = 0;
        while (i < text.len && !adit_cp_is_word(a = adit_utf8_next(text, &i))) a = 0;
        while (k < title.len && !adit_cp_is_word(b = adit_utf8_next(title, &k))) b = 0;
        if (a < 0x80) a = (uint32_t)(unsigned char)adit_lower((char)a);
        if (b < 0x80) b = (uint32_t)(unsigned char)adit_lower((char)b);
        if (a != b) return false;
        if (!a) return n || adit_str_eq(text, title);
    }
}

bool adit_page_is_title(const struct adit_page *page, const struct adit_block *block)
{
    return block->type == ADIT_HEADING && adit_page_says_title(block->text, page->title);
}

static bool is_all_notes(const struct adit_block *b)
{
    for (size_t i = 0; b->type == ADIT_LIST && i < b->items.n; i++)
        if (!b->list || !b->list[i].note) return false;
    return b->note || (b->type == ADIT_LIST && b->items.n);
}

/* Notes and nothing else stand below the heading. */
static bool heads_notes(const struct adit_page *page, size_t i)
{
    size_t k = i + 1;
    while (k < page->n_blocks && is_all_notes(&page->blocks[k])) k++;
    if (k == i + 1) return false;
    return k == page->n_blocks ||
           (page->blocks[k].type == ADIT_HEADING && page->blocks[k].level <= page->blocks[i].level);
}

bool adit_page_in_place(const struct adit_page *page, size_t i)
{
    const struct adit_block *b = &page->blocks[i];
    bool elsewhere = b->inside && !b->caption; /* as a whole in the text of another block */
    if (adit_page_is_title(page, b) || elsewhere || b->said) return false;
    return !is_all_notes(b) && !(b->type == ADIT_HEADING && heads_notes(page, i));
}

static void put_lines(struct adit_buf *out, const struct adit_strs *items)
{
    for (size_t i = 0; i < items->n; i++) {
        if (i) adit_buf_byte(out, '\n');
        adit_buf_add(out, items->v[i]);
    }
}

static void put_plain(struct adit_buf *out, const struct adit_block *b)
{
    adit_buf_add(out, b->text);
}

static void put_named(struct adit_buf *out, const char *kind, struct adit_str name)
{
    if (!name.len) return;
    adit_buf_byte(out, '[');
    adit_buf_lit(out, kind);
    adit_buf_lit(out, ": ");
    adit_buf_add(out, name);
    adit_buf_byte(out, ']');
}

static void put_image(struct adit_buf *out, const struct adit_block *b)
{
    put_named(out, "Image", b->text);
}

static void put_list(struct adit_buf *out, const struct adit_block *b)
{
    put_lines(out, &b->items);
}

static void put_table(struct adit_buf *out, const struct adit_block *b)
{
    for (size_t i = 0; i < b->items.n; i++) {
        if (i) adit_buf_byte(out, i % b->columns ? '\t' : '\n');
        adit_buf_add(out, b->items.v[i]);
    }
}

static void put_quote(struct adit_buf *out, const struct adit_block *b)
{
    adit_buf_add(out, b->text);
    if (!b->detail.len) return;
    adit_buf_lit(out, "\n\xe2\x80\x94 ");
    adit_buf_add(out, b->detail);
}

static void put_media(struct adit_buf *out, const struct adit_block *b)
{
    put_named(out, b->type == ADIT_VIDEO ? "Video" : "Audio", b->media->name);
    const struct adit_str parts[] = {b->media->summary, b->media->transcript};
    for (size_t i = 0; i < ADIT_COUNT(parts); i++) {
        if (!parts[i].len) continue;
        adit_buf_byte(out, '\n');
        adit_buf_add(out, parts[i]);
    }
}

static void (*const writers[ADIT_BLOCK_TYPES])(struct adit_buf *, const struct adit_block *) = {
    [ADIT_TEXT] = put_plain,  [ADIT_HEADING] = put_plain, [ADIT_LINK] = put_plain,
    [ADIT_IMAGE] = put_image, [ADIT_LIST] = put_list,     [ADIT_CODE] = put_plain,
    [ADIT_TABLE] = put_table, [ADIT_QUOTE] = put_quote,   [ADIT_VIDEO] = put_media,
    [ADIT_AUDIO] = put_media,
};

/* Bytes of the texts and items of all blocks. */
static size_t text_len(const struct adit_page *page)
{
    size_t len = page->title.len;
    for (size_t i = 0; i < page->n_blocks; i++) {
        const struct adit_block *b = &page->blocks[i];
        len += b->text.len + 2;
        for (size_t k = 0; k < b->items.n; k++) len += b->items.v[k].len + 1;
    }
    return len;
}

enum adit_code adit_page_text(const struct adit_page *page, struct adit_buf *out)
{
    enum { LONG = 256 << 10 };
    size_t end, len = text_len(page);
    /* Once for all: a buffer that grows block by block would be up to twice as large. */
    if (len > LONG) (void)adit_buf_reserve(out, len < out->max - out->len ? len : 0);
    adit_buf_add(out, page->title);
    for (size_t i = 0; i < page->n_blocks; i++) {
        const struct adit_block *b = &page->blocks[i];
        if (adit_page_is_title(page, b) || (b->type == ADIT_LINK && b->inside)) continue;
        end = out->len;
        adit_buf_lit(out, "\n\n");
        size_t start = out->len;
        writers[b->type](out, b);
        if (out->len == start) out->len = end; /* an image without a name */
    }
    return out->err;
}
