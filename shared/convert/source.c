/* What header fields say of a page. */
#include "convert/convert.h"
#include "http/http.h"

static const struct {
    struct adit_str name;
    size_t offset; /* of the fact */
} headers[] = {
    {ADIT_STR_INIT("content-type"), offsetof(struct adit_page_source, content_type)},
    {ADIT_STR_INIT("content-language"), offsetof(struct adit_page_source, content_language)},
    {ADIT_STR_INIT("last-modified"), offsetof(struct adit_page_source, last_modified)},
    {ADIT_STR_INIT("x-robots-tag"), offsetof(struct adit_page_source, robots)},
};

/* A value that stands there twice is one list. */
static void add_value(struct adit_str *fact, struct adit_str value, struct adit_arena *arena)
{
    if (!fact->len) {
        *fact = value;
        return;
    }
    struct adit_buf both;
    adit_buf_init(&both, arena->mem, ADIT_LIMIT_header_value);
    adit_buf_add(&both, *fact);
    adit_buf_lit(&both, ", ");
    adit_buf_add(&both, value);
    if (!both.err) *fact = adit_arena_dup(arena, adit_buf_str(&both), NULL);
    adit_buf_free(&both);
}

void adit_page_source_header(struct adit_page_source *source, struct adit_str name,
                             struct adit_str value, struct adit_arena *arena)
{
    source->optout |= adit_optout(name, value);
    for (size_t i = 0; i < ADIT_COUNT(headers); i++)
        if (adit_str_ieq(name, headers[i].name))
            add_value((struct adit_str *)(void *)((char *)source + headers[i].offset), value,
                      arena);
}
