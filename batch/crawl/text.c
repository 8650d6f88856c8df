/* Pages made of plain text: what crawlers and converters have made of a page, where there is no HTML
 * that says more. A line is a paragraph. */
#include "batch/crawl/inputs_impl.h"
#include "text/text.h"

enum { TITLE_MAX = 200 };

/* Slices of the text, each of `lines` lines that are not empty; counts them if blocks is NULL. */
static size_t cut(struct adit_str text, size_t lines, struct adit_block *blocks)
{
    size_t n = 0, in_block = 0, from = 0, to = 0;
    for (size_t at = 0; at < text.len;) {
        size_t lf = adit_str_chr(text, '\n', at);
        struct adit_str line = adit_str_trim(adit_str_sub(text, at, lf));
        at = lf + 1;
        if (!line.len) continue;
        if (in_block == 0) from = (size_t)(line.p - text.p);
        to = (size_t)(line.p - text.p) + line.len;
        if (++in_block < lines) continue;
        if (blocks) blocks[n] = (struct adit_block){.text = adit_str_sub(text, from, to)};
        n++;
        in_block = 0;
    }
    if (in_block && blocks) blocks[n] = (struct adit_block){.text = adit_str_sub(text, from, to)};
    return n + (in_block > 0);
}

static struct adit_str title_of(struct adit_str title, struct adit_str text)
{
    title = adit_str_trim(title);
    if (!title.len) title = adit_str_sub(text, 0, adit_str_chr(text, '\n', 0));
    return adit_utf8_cut(adit_str_trim(title), TITLE_MAX);
}

const struct adit_page *crawl_text_page(struct adit_str text, struct adit_str title,
                                        const struct adit_page_source *source,
                                        struct adit_arena *arena)
{
    text = adit_str_trim(text);
    size_t lines = cut(text, 1, NULL);
    struct adit_page *page = adit_arena_zalloc(arena, 1, sizeof *page);
    if (!page || !lines || !adit_utf8_valid(text) || !adit_utf8_valid(title)) return NULL;
    size_t each = (lines + ADIT_LIMIT_page_blocks - 1) / ADIT_LIMIT_page_blocks;
    page->blocks = adit_arena_zalloc(arena, ADIT_LIMIT_page_blocks, sizeof *page->blocks);
    if (!page->blocks) return NULL;
    page->n_blocks = cut(text, each, page->blocks);
    page->url = source->url;
    page->title = title_of(title, text);
    page->modified = source->date;
    page->language = source->language.len ? source->language : ADIT_STR("und");
    return page;
}
