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

/* --- writing ---------------------------------------------------------------------------------- */

static void put_int(struct adit_json_writer *w, const char *key, int64_t v)
{
    adit_json_key(w, key), adit_json_uint(w, v < 0 ? 0 : (uint64_t)v);
}

static void put_resource(struct adit_json_writer *w, const struct sync_resource *r)
{
    adit_json_open(w, '{');
    adit_json_member(w, "url", r->url);
    put_int(w, "status", (int64_t)r->status);
    put_int(w, "fetched", r->fetched);
    put_int(w, "until", r->until);
    adit_json_member_opt(w, "etag", r->etag);
    adit_json_member_opt(w, "last_modified", r->last_modified);
    adit_json_member_opt(w, "type", r->type);
    adit_json_member_opt(w, "link", r->link);
    adit_json_member_opt(w, "file", r->file);
    adit_json_member_opt(w, "at", r->at);
    adit_json_close(w, '}');
}

void sync_state_write(const struct sync_state *st, struct adit_buf *out)
{
    struct adit_json_writer w = {.out = out};
    adit_json_open(&w, '{');
    adit_json_key(&w, "version"), adit_json_uint(&w, 1);
    adit_json_member(&w, "origin", st->origin);
    adit_json_member(&w, "start", st->start);
    adit_json_member_opt(&w, "via", st->via);
    adit_json_member_opt(&w, "tct", st->tct);
    adit_json_member_opt(&w, "policy", st->policy);
    adit_json_member_opt(&w, "m_url", st->m_url);
    adit_json_member_opt(&w, "m_page", st->m_page);
    put_int(&w, "discovered", st->discovered);
    put_int(&w, "sought_tct", st->sought_tct);
    put_int(&w, "pages", (int64_t)st->pages);
    put_int(&w, "html_pages", (int64_t)st->html_pages);
    put_int(&w, "html_bytes", (int64_t)st->html_bytes);
    put_int(&w, "payload_pages", (int64_t)st->payload_pages);
    put_int(&w, "payload_bytes", (int64_t)st->payload_bytes);
    put_int(&w, "day", st->day);
    put_int(&w, "day_requests", (int64_t)st->day_requests);
    adit_json_key(&w, "xml");
    adit_json_open(&w, '[');
    for (size_t i = 0; i < st->n_xml; i++) adit_json_string(&w, st->xml[i]);
    adit_json_close(&w, ']');
    adit_json_key(&w, "sections");
    adit_json_open(&w, '[');
    for (size_t i = 0; i < st->n_sections; i++) {
        adit_json_open(&w, '{');
        adit_json_member(&w, "name", st->sections[i].name);
        adit_json_member(&w, "generated", st->sections[i].generated);
        put_int(&w, "snapshot", st->sections[i].snapshot);
        adit_json_close(&w, '}');
    }
    adit_json_close(&w, ']');
    adit_json_key(&w, "resources");
    adit_json_open(&w, '[');
    for (size_t i = 0; i < st->n_resources; i++) put_resource(&w, &st->resources[i]);
    adit_json_close(&w, ']');
    adit_json_close(&w, '}');
}

/* --- reading ---------------------------------------------------------------------------------- */

struct reader {
    struct adit_arena *arena;
    bool ok;
};

static struct adit_str text_member(struct reader *r, struct adit_json_value object, const char *key)
{
    struct adit_json_value v = adit_json_get(object, adit_str_z(key));
    return adit_arena_dup(r->arena, adit_json_text(v, r->arena, &r->ok), &r->ok);
}

static struct adit_str take_url(struct reader *r, struct adit_json_value object, const char *key)
{
    struct adit_str url = text_member(r, object, key), page;
    if (url.len && adit_url_page(url, r->arena, &page) != ADIT_OK) r->ok = false;
    return url;
}

static int64_t take_int(struct adit_json_value object, const char *key)
{
    uint64_t v = 0;
    adit_json_u64(adit_json_get(object, adit_str_z(key)), &v);
    return v > INT64_MAX / 4 ? 0 : (int64_t)v;
}

/* A file of ours: 64 hexadecimal digits, so that no other file can be meant. */
static bool is_file(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (adit_hex(s.p[i]) < 0) return false;
    return s.len == 0 || s.len == ADIT_SHA256_HEX;
}

static void read_resource(struct sync_state *st, struct reader *r, struct adit_json_value v)
{
    struct sync_resource *e = sync_state_add_resource(st, take_url(r, v, "url"), r->arena);
    if (!e) { /* what is beyond the limit is forgotten; what finds no memory is not */
        r->ok = r->ok && st->n_resources == SYNC_RESOURCES_MAX;
        return;
    }
    e->status = (uint64_t)take_int(v, "status");
    e->fetched = take_int(v, "fetched");
    e->until = take_int(v, "until");
    e->etag = text_member(r, v, "etag");
    e->last_modified = text_member(r, v, "last_modified");
    e->type = text_member(r, v, "type");
    e->link = text_member(r, v, "link");
    e->file = text_member(r, v, "file");
    e->at = take_url(r, v, "at");
    if (!is_file(e->file)) r->ok = false;
}

static void read_section(struct sync_state *st, struct reader *r, struct adit_json_value v)
{
    struct adit_time t;
    struct sync_section *c = sync_state_section(st, text_member(r, v, "name"), true, r->arena);
    if (!c) {
        r->ok = r->ok && st->n_sections == SYNC_SECTIONS_MAX;
        return;
    }
    c->generated = text_member(r, v, "generated");
    c->snapshot = take_int(v, "snapshot");
    if (c->generated.len && !adit_time_parse(c->generated, &t)) r->ok = false;
}

bool sync_state_read(struct sync_state *st, struct adit_str json, struct adit_arena *arena,
                     struct adit_error *err)
{
    struct reader r = {.arena = arena, .ok = true};
    struct adit_json_value doc;
    struct adit_json_member m;
    uint64_t version = 0;
    *st = (struct sync_state){0};
    if (adit_json_check(json, &doc, err)) return false;
    if (doc.kind != ADIT_JSON_OBJECT ||
        !adit_json_u64(adit_json_get(doc, ADIT_STR("version")), &version) || version != 1)
        return adit_fail(err, ADIT_EBAD, "not a state of version 1", 0) == ADIT_OK;
    st->origin = take_url(&r, doc, "origin");
    st->start = take_url(&r, doc, "start");
    st->via = text_member(&r, doc, "via");
    st->tct = take_url(&r, doc, "tct");
    st->policy = take_url(&r, doc, "policy");
    st->m_url = take_url(&r, doc, "m_url");
    st->m_page = take_url(&r, doc, "m_page");
    st->discovered = take_int(doc, "discovered");
    st->sought_tct = take_int(doc, "sought_tct") != 0;
    st->pages = (uint64_t)take_int(doc, "pages");
    st->html_pages = (uint64_t)take_int(doc, "html_pages");
    st->html_bytes = (uint64_t)take_int(doc, "html_bytes");
    st->payload_pages = (uint64_t)take_int(doc, "payload_pages");
    st->payload_bytes = (uint64_t)take_int(doc, "payload_bytes");
    st->day = take_int(doc, "day");
    st->day_requests = (uint64_t)take_int(doc, "day_requests");
    struct adit_json_iter it = adit_json_iter(adit_json_get(doc, ADIT_STR("xml")));
    while (st->n_xml < SYNC_XML_MAX && adit_json_next(&it, &m))
        st->xml[st->n_xml++] = adit_arena_dup(arena, adit_json_text(m.value, arena, &r.ok), &r.ok);
    it = adit_json_iter(adit_json_get(doc, ADIT_STR("sections")));
    while (adit_json_next(&it, &m))
        if (m.value.kind == ADIT_JSON_OBJECT) read_section(st, &r, m.value);
    it = adit_json_iter(adit_json_get(doc, ADIT_STR("resources")));
    while (adit_json_next(&it, &m))
        if (m.value.kind == ADIT_JSON_OBJECT) read_resource(st, &r, m.value);
    return r.ok || adit_fail(err, ADIT_EBAD, "a member is malformed", 0) == ADIT_OK;
}
