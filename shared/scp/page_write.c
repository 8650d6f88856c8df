/* A page as one line of a collection: members in the order of the schema (SCP, Page Schema). */
#include "http/http.h"
#include "scp/scp.h"

static void put_text(struct adit_json_writer *w, const struct adit_block *b)
{
    adit_json_member(w, "text", b->text);
}

static void put_heading(struct adit_json_writer *w, const struct adit_block *b)
{
    adit_json_member_uint(w, "level", b->level);
    adit_json_member(w, "text", b->text);
}

static void put_strings(struct adit_json_writer *w, const struct adit_str *v, size_t n)
{
    adit_json_open(w, '[');
    for (size_t i = 0; i < n; i++) adit_json_string(w, v[i]);
    adit_json_close(w, ']');
}

static void put_link(struct adit_json_writer *w, const struct adit_block *b)
{
    adit_json_member(w, "url", b->url);
    adit_json_member(w, "text", b->text);
    if (!b->items.n) return;
    adit_json_key(w, "rel");
    put_strings(w, b->items.v, b->items.n);
}

static void put_image(struct adit_json_writer *w, const struct adit_block *b)
{
    adit_json_member(w, "url", b->url);
    adit_json_member(w, "alt", b->text);
}

static void put_list(struct adit_json_writer *w, const struct adit_block *b)
{
    adit_json_member_bool(w, "ordered", b->ordered);
    adit_json_key(w, "items");
    put_strings(w, b->items.v, b->items.n);
}

static void put_code(struct adit_json_writer *w, const struct adit_block *b)
{
    adit_json_member_opt(w, "language", b->detail);
    adit_json_member(w, "code", b->text);
}

static void put_table(struct adit_json_writer *w, const struct adit_block *b)
{
    adit_json_member_open(w, "rows", '[');
    for (size_t i = 0; i + b->columns <= b->items.n; i += b->columns)
        put_strings(w, b->items.v + i, b->columns);
    adit_json_close(w, ']');
}

static void put_quote(struct adit_json_writer *w, const struct adit_block *b)
{
    adit_json_member(w, "text", b->text);
    adit_json_member_opt(w, "citation", b->detail);
}

/* --- video and audio -------------------------------------------------------------------------- */

static void put_sources(struct adit_json_writer *w, const struct adit_media *m)
{
    adit_json_member_open(w, "url", '[');
    for (size_t i = 0; i < m->n_sources; i++) {
        adit_json_open(w, '{');
        adit_json_member(w, "href", m->sources[i].href);
        adit_json_member(w, "mediaType", m->sources[i].media_type);
        adit_json_member_opt(w, "rel", m->sources[i].rel);
        adit_json_close(w, '}');
    }
    adit_json_close(w, ']');
}

static void put_size(struct adit_json_writer *w, const char *key, uint64_t n)
{
    if (!n) return;
    adit_json_member_uint(w, key, n);
}

static void put_icon(struct adit_json_writer *w, struct adit_str url)
{
    if (!url.len) return;
    adit_json_member_open(w, "icon", '{');
    adit_json_member(w, "type", ADIT_STR("Image"));
    adit_json_member(w, "url", url);
    adit_json_close(w, '}');
}

static void put_captions(struct adit_json_writer *w, const struct adit_media *m)
{
    if (!m->n_captions) return;
    adit_json_member_open(w, "captions", '[');
    for (size_t i = 0; i < m->n_captions; i++) {
        adit_json_open(w, '{');
        adit_json_member(w, "language", m->captions[i].language);
        adit_json_member(w, "url", m->captions[i].url);
        adit_json_member(w, "label", m->captions[i].label);
        adit_json_close(w, '}');
    }
    adit_json_close(w, ']');
}

static void put_chapters(struct adit_json_writer *w, const struct adit_media *m)
{
    if (!m->n_chapters) return;
    adit_json_member_open(w, "chapters", '[');
    for (size_t i = 0; i < m->n_chapters; i++) {
        adit_json_open(w, '{');
        adit_json_member_uint(w, "time", m->chapters[i].time);
        adit_json_member(w, "title", m->chapters[i].title);
        adit_json_close(w, '}');
    }
    adit_json_close(w, ']');
}

static void put_media(struct adit_json_writer *w, const struct adit_block *b)
{
    const struct adit_media *m = b->media;
    adit_json_member(w, "name", m->name);
    put_sources(w, m);
    adit_json_member_opt(w, "duration", m->duration);
    put_size(w, "width", m->width);
    put_size(w, "height", m->height);
    put_icon(w, m->icon);
    adit_json_member_opt(w, "summary", m->summary);
    adit_json_member_opt(w, "attributedTo", m->attributed_to);
    adit_json_member_opt(w, "partOf", m->part_of);
    put_captions(w, m);
    put_chapters(w, m);
    adit_json_member_opt(w, "transcript", m->transcript);
}

/* --- blocks and the page ---------------------------------------------------------------------- */

const char *const adit_scp_block_names[ADIT_BLOCK_TYPES + 1] = {
    [ADIT_TEXT] = "text",   [ADIT_HEADING] = "heading",     [ADIT_LINK] = "link",
    [ADIT_IMAGE] = "image", [ADIT_LIST] = "list",           [ADIT_CODE] = "code",
    [ADIT_TABLE] = "table", [ADIT_QUOTE] = "quote",         [ADIT_VIDEO] = "video",
    [ADIT_AUDIO] = "audio", [ADIT_BLOCK_TYPES] = "unknown",
};
static void (*const writers[ADIT_BLOCK_TYPES])(struct adit_json_writer *,
                                               const struct adit_block *) = {
    [ADIT_TEXT] = put_text,   [ADIT_HEADING] = put_heading, [ADIT_LINK] = put_link,
    [ADIT_IMAGE] = put_image, [ADIT_LIST] = put_list,       [ADIT_CODE] = put_code,
    [ADIT_TABLE] = put_table, [ADIT_QUOTE] = put_quote,     [ADIT_VIDEO] = put_media,
    [ADIT_AUDIO] = put_media,
};

/* No member of the schema, whose readers pass over what they do not know; pages that refuse nothing
 * are as they were. */
static void put_optout(struct adit_json_writer *w, unsigned flags)
{
    adit_json_member_open(w, "optout", '[');
    for (size_t i = 0; i < ADIT_OPTOUT_KINDS; i++)
        if (flags >> i & 1) adit_json_string(w, adit_str_z(adit_optout_names[i]));
    adit_json_close(w, ']');
}

enum adit_code adit_scp_page_write(const struct adit_page *page, struct adit_buf *out)
{
    struct adit_json_writer w = {.out = out};
    adit_json_open(&w, '{');
    adit_json_member(&w, "url", page->url);
    adit_json_member(&w, "title", page->title);
    adit_json_member(&w, "description", page->description);
    adit_json_member_opt(&w, "author", page->author);
    adit_json_member_opt(&w, "published", page->published);
    /* Required; without any date the oldest one says that every other version is newer. */
    adit_json_member(&w, "modified",
                     page->modified.len ? page->modified : ADIT_STR("1970-01-01T00:00:00Z"));
    adit_json_member(&w, "language", page->language);
    adit_json_member_opt(&w, "canonical", page->canonical);
    if (page->schema.len) {
        adit_json_key(&w, "schema");
        adit_json_raw(&w, page->schema);
    }
    adit_json_member_open(&w, "content", '[');
    for (size_t i = 0; i < page->n_blocks; i++) {
        const struct adit_block *b = &page->blocks[i];
        adit_json_open(&w, '{');
        adit_json_member(&w, "type", adit_str_z(adit_scp_block_names[b->type]));
        writers[b->type](&w, b);
        adit_json_close(&w, '}');
    }
    adit_json_close(&w, ']');
    if (page->optout) put_optout(&w, page->optout);
    adit_json_close(&w, '}');
    return out->err;
}
