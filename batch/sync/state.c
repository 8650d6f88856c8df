/* The state of a site, as JSON. It is our own file, but may have been edited or damaged: nothing in
 * it is used without a look at its form. */
#include "batch/sync/sync.h"
#include "json/json.h"
#include "text/text.h"

struct sync_resource *sync_state_resource(struct sync_state *st, struct adit_str url)
{
    for (size_t i = 0; i < st->n_resources; i++)
        if (adit_str_eq(st->resources[i].url, url)) return &st->resources[i];
    return NULL;
}

struct sync_resource *sync_state_add_resource(struct sync_state *st, struct adit_str url,
                                              struct adit_arena *arena)
{
    bool ok = true;
    struct sync_resource *r = sync_state_resource(st, url);
    if (r) return r;
    if (!st->resources)
        st->resources = adit_arena_zalloc(arena, SYNC_RESOURCES_MAX, sizeof *st->resources);
    if (!st->resources || st->n_resources == SYNC_RESOURCES_MAX) return NULL;
    r = &st->resources[st->n_resources];
    *r = (struct sync_resource){.url = adit_arena_dup(arena, url, &ok)};
    if (!ok) return NULL;
    st->n_resources++;
    return r;
}

struct sync_section *sync_state_section(struct sync_state *st, struct adit_str name, bool add,
                                        struct adit_arena *arena)
{
    bool ok = true;
    for (size_t i = 0; i < st->n_sections; i++)
        if (adit_str_eq(st->sections[i].name, name)) return &st->sections[i];
    if (!add) return NULL;
    if (!st->sections)
        st->sections = adit_arena_zalloc(arena, SYNC_SECTIONS_MAX, sizeof *st->sections);
    if (!st->sections || st->n_sections == SYNC_SECTIONS_MAX) return NULL;
    struct sync_section *c = &st->sections[st->n_sections];
    *c = (struct sync_section){.name = adit_arena_dup(arena, name, &ok)};
    if (!ok) return NULL;
    st->n_sections++;
    return c;
}

/* --- the file --------------------------------------------------------------------------------- */

static bool is_url(struct adit_str s)
{
    struct adit_arena arena;
    struct adit_str page;
    adit_arena_init(&arena, cli_mem, 1 << 20);
    bool good = !s.len || adit_url_page(s, &arena, &page) == ADIT_OK;
    adit_arena_free(&arena);
    return good;
}

/* A file of ours: 64 hexadecimal digits, so that no other file can be meant. */
static bool is_file(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (adit_hex(s.p[i]) < 0) return false;
    return s.len == 0 || s.len == ADIT_SHA256_HEX;
}

static bool is_time_or_none(struct adit_str s) { return !s.len || adit_is_time(s); }

enum { STRICT = ADIT_ROW_STRICT, SPARSE = ADIT_ROW_SPARSE };

#define RESOURCE(name, kind, flags) ADIT_ROW(#name, struct sync_resource, name, kind, flags)
static const struct adit_json_row resource_rows[] = {
    {RESOURCE(url, TEXT, ADIT_ROW_NEEDED), .fits = is_url},
    {RESOURCE(status, UINT, 0)},
    {RESOURCE(fetched, UINT, 0)},
    {RESOURCE(until, UINT, 0)},
    {RESOURCE(etag, TEXT, SPARSE)},
    {RESOURCE(last_modified, TEXT, SPARSE)},
    {RESOURCE(type, TEXT, SPARSE)},
    {RESOURCE(link, TEXT, SPARSE)},
    {RESOURCE(file, TEXT, STRICT | SPARSE), .fits = is_file},
    {RESOURCE(at, TEXT, STRICT | SPARSE), .fits = is_url},
    {0},
};
static const struct adit_json_row section_rows[] = {
    {ADIT_ROW("name", struct sync_section, name, TEXT, 0)},
    {ADIT_ROW("generated", struct sync_section, generated, TEXT, STRICT), .fits = is_time_or_none},
    {ADIT_ROW("snapshot", struct sync_section, snapshot, UINT, 0)},
    {0},
};
static const struct adit_json_row text = {.kind = ADIT_ROW_TEXT};

#define LIST(name, most, ...) \
    {.n_at = offsetof(struct sync_state, n_##name), .max = most, .room = true, __VA_ARGS__}
static const struct adit_json_list xml = LIST(xml, SYNC_XML_MAX, .item = &text,
                                              .size = sizeof(struct adit_str), .inside = true),
                                   sections =
                                       LIST(sections, SYNC_SECTIONS_MAX, .rows = section_rows,
                                            .size = sizeof(struct sync_section)),
                                   resources =
                                       LIST(resources, SYNC_RESOURCES_MAX, .rows = resource_rows,
                                            .size = sizeof(struct sync_resource));

#define STATE(name, kind, flags) ADIT_ROW(#name, struct sync_state, name, kind, flags)
static const struct adit_json_row state_rows[] = {
    {.key = "version", .kind = ADIT_ROW_FIXED, .flags = ADIT_ROW_NEEDED, .number = 1},
    {STATE(origin, TEXT, STRICT), .fits = is_url},
    {STATE(start, TEXT, STRICT), .fits = is_url},
    {STATE(via, TEXT, SPARSE)},
    {STATE(tct, TEXT, STRICT | SPARSE), .fits = is_url},
    {STATE(policy, TEXT, STRICT | SPARSE), .fits = is_url},
    {STATE(m_url, TEXT, STRICT | SPARSE), .fits = is_url},
    {STATE(m_page, TEXT, STRICT | SPARSE), .fits = is_url},
    {STATE(discovered, UINT, 0)},
    {STATE(sought_tct, UINT, 0)},
    {STATE(later, UINT, 0)},
    {STATE(is_signed, UINT, 0)},
    {STATE(pages, UINT, 0)},
    {STATE(html_pages, UINT, 0)},
    {STATE(html_bytes, UINT, 0)},
    {STATE(payload_pages, UINT, 0)},
    {STATE(payload_bytes, UINT, 0)},
    {STATE(day, UINT, 0)},
    {STATE(day_requests, UINT, 0)},
    {STATE(xml, LIST, STRICT), .list = &xml},
    {STATE(sections, LIST, STRICT), .list = &sections},
    {STATE(resources, LIST, STRICT), .list = &resources},
    {0},
};

void sync_state_write(const struct sync_state *st, struct adit_buf *out)
{
    struct adit_json_writer w = {.out = out};
    adit_json_object_write(&w, state_rows, st);
}

bool sync_state_read(struct sync_state *st, struct adit_str json, struct adit_arena *arena,
                     struct adit_error *err)
{
    struct adit_json_value doc;
    *st = (struct sync_state){0};
    return adit_json_tree(json, arena, &doc, err) == ADIT_OK &&
           adit_json_object_read(doc, state_rows, st, arena, err) == ADIT_OK;
}
