/* From a judged line back to struct adit_page, so that every format can be made of stored pages. */
#include "scp/scp_impl.h"

enum adit_code adit_scp_page_read(const struct adit_scp_page *line, struct adit_arena *arena,
                                  struct adit_page *page)
{
    const struct adit_json_value *m = line->members;
    struct adit_scp_place place = {NULL, line->line, SIZE_MAX};
    bool ok = true;
    *page = (struct adit_page){
        .url = adit_arena_dup(arena, line->url, &ok),
        .title = adit_json_text(m[ADIT_SCP_TITLE], arena, &ok),
        .description = adit_json_text(m[ADIT_SCP_DESCRIPTION], arena, &ok),
        .author = adit_json_text(m[ADIT_SCP_AUTHOR], arena, &ok),
        .published = adit_json_text(m[ADIT_SCP_PUBLISHED], arena, &ok),
        .modified = adit_json_text(m[ADIT_SCP_MODIFIED], arena, &ok),
        .language = adit_json_text(m[ADIT_SCP_LANGUAGE], arena, &ok),
        .canonical = adit_json_text(m[ADIT_SCP_CANONICAL], arena, &ok),
        .schema = m[ADIT_SCP_SCHEMA].raw,
    };
    /* A collection does not tell where the language came from. */
    if (!adit_str_eq(page->language, ADIT_STR("und"))) page->html_language = page->language;
    page->blocks = adit_arena_zalloc(arena, line->n_blocks + 1, sizeof *page->blocks);
    if (!page->blocks) return ADIT_ENOMEM;
    struct adit_json_iter it = adit_json_iter(m[ADIT_SCP_CONTENT]);
    struct adit_scp_block got;
    while (ok && page->n_blocks < line->n_blocks &&
           adit_scp_next_block(&it, &place, arena, &page->blocks[page->n_blocks], &got)) {
        ok = got.room;
        page->n_blocks += got.keep;
    }
    return ok ? ADIT_OK : ADIT_ENOMEM;
}
