/* Reading payloads of others, and making pages of them. */
#include "tct/tct.h"

enum adit_code adit_tct_payload_read(struct adit_str json, struct adit_arena *arena,
                                     struct adit_tct_view *view, struct adit_error *err)
{
    static const struct adit_str keys[] = {
        ADIT_STR_INIT("canonical_url"), ADIT_STR_INIT("title"),     ADIT_STR_INIT("content"),
        ADIT_STR_INIT("hash"),          ADIT_STR_INIT("profile"),   ADIT_STR_INIT("language"),
        ADIT_STR_INIT("author"),        ADIT_STR_INIT("published"), ADIT_STR_INIT("modified"),
    };
    static const char *const missing[] = {
        "canonical_url is missing or no string",
        "title is missing or no string",
        "content is missing or no string",
    };
    enum { HASH = 3 };
    struct adit_json_value values[ADIT_COUNT(keys)];
    *view = (struct adit_tct_view){0};
    struct adit_str *const out[] = {
        &view->canonical_url, &view->title,  &view->content,   &view->hash,     &view->profile,
        &view->language,      &view->author, &view->published, &view->modified,
    };
    bool ok = true;
    ADIT_TRY(adit_json_pick(json, keys, ADIT_COUNT(keys), values, err));
    for (size_t i = 0; i < ADIT_COUNT(keys); i++) {
        if (i < ADIT_COUNT(missing) && values[i].kind != ADIT_JSON_STRING)
            return adit_fail(err, ADIT_EBAD, missing[i], 0);
        *out[i] = adit_json_text(values[i], arena, &ok);
    }
    if (values[HASH].kind != ADIT_JSON_NONE && values[HASH].kind != ADIT_JSON_STRING)
        return adit_fail(err, ADIT_EBAD, "hash is no string", 0);
    return ok ? ADIT_OK : adit_fail(err, ADIT_ENOMEM, "out of memory", 0);
}

/* The part of *rest up to the next blank line, trimmed; false at the end. */
static bool next_paragraph(struct adit_str *rest, struct adit_str *out)
{
    while (rest->len) {
        size_t end = adit_str_find(*rest, ADIT_STR("\n\n"), 0);
        *out = adit_str_trim(adit_str_sub(*rest, 0, end));
        *rest = adit_str_sub(*rest, end + 2, rest->len);
        if (out->len) return true;
    }
    return false;
}

enum adit_code adit_tct_page(const struct adit_tct_view *view, struct adit_arena *arena,
                             struct adit_page *page)
{
    struct adit_str rest = view->content, part;
    struct adit_time t;
    *page = (struct adit_page){
        .title = view->title,
        .author = view->author,
        .language = view->language.len ? view->language : ADIT_STR("und"),
    };
    if (adit_time_parse(view->published, &t)) page->published = view->published;
    page->blocks = adit_arena_zalloc(arena, ADIT_LIMIT_page_blocks, sizeof *page->blocks);
    if (!page->blocks) return ADIT_ENOMEM;
    while (page->n_blocks < ADIT_LIMIT_page_blocks - 1 && next_paragraph(&rest, &part)) {
        bool heading = page->n_blocks == 0 && adit_str_eq(part, adit_str_trim(view->title));
        page->blocks[page->n_blocks++] = (struct adit_block){
            .type = heading ? ADIT_HEADING : ADIT_TEXT, .level = heading, .text = part};
    }
    rest = adit_str_trim(rest);
    if (rest.len)
        page->blocks[page->n_blocks++] = (struct adit_block){.type = ADIT_TEXT, .text = rest};
    return ADIT_OK;
}
