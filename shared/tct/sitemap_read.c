/* Reading JSON sitemaps of others (TCT, Sitemap-First Verification). */
#include "tct/tct.h"
#include "text/text.h"

/* Room for two URLs of the longest kind, every character of them escaped, and for parsing them: an
 * entry that finds none is not too long, there is no memory. */
enum { ITEM_MEMORY = 64 * ADIT_LIMIT_url_bytes, ESCAPED_MAX = 6 * ADIT_LIMIT_url_bytes + 2 };

struct reader {
    const struct adit_tct_sitemap_handler *handler;
    struct adit_arena arena; /* of one entry */
    size_t index;
    struct adit_json_value entry;
    bool no_memory;
};

static bool bad(struct reader *r, const char *why, struct adit_json_value v)
{
    if (r->handler->bad) r->handler->bad(r->handler->ctx, r->index, why, v.raw);
    return false;
}

/* A member that must be a URL; what is wrong is told as `why`. */
static bool take_url(struct reader *r, const char *key, const char *why, struct adit_str *out)
{
    struct adit_json_value v = adit_json_get(r->entry, adit_str_z(key));
    if (v.kind != ADIT_JSON_STRING || v.raw.len > ESCAPED_MAX) return bad(r, why, v);
    bool ok = true;
    struct adit_str text = adit_json_text(v, &r->arena, &ok);
    enum adit_code code = ok ? adit_url_page(text, &r->arena, out) : ADIT_ENOMEM;
    if (code == ADIT_ENOMEM) r->no_memory = true;
    return code == ADIT_OK || (!r->no_memory && bad(r, why, v));
}

/* A malformed time is told of, but costs the entry nothing: it is no required member. */
static void take_modified(struct reader *r, struct adit_str *out)
{
    struct adit_json_value v = adit_json_get(r->entry, ADIT_STR("modified"));
    struct adit_time t;
    *out = (struct adit_str){0};
    if (v.kind == ADIT_JSON_NONE) return;
    if (v.kind == ADIT_JSON_STRING && adit_time_parse(adit_json_inside(v), &t))
        *out = adit_json_inside(v);
    else
        bad(r, "modified is not an RFC 3339 date-time", v);
}

static bool read_item(struct reader *r, bool *stop)
{
    struct adit_tct_item item = {0};
    struct adit_json_value hash = adit_json_get(r->entry, ADIT_STR("contentHash"));
    if (!take_url(r, "cUrl", "cUrl is missing or no http(s) URL", &item.c_url)) return false;
    if (!take_url(r, "mUrl", "mUrl is missing or no http(s) URL", &item.m_url)) return false;
    item.hash = adit_json_inside(hash);
    if (!adit_tct_is_hash(item.hash)) return bad(r, "contentHash is missing or malformed", hash);
    if (adit_str_eq(item.c_url, item.m_url)) return bad(r, "cUrl and mUrl are the same", r->entry);
    take_modified(r, &item.modified);
    *stop = !r->handler->item(r->handler->ctx, &item);
    return true;
}

static bool read_part(struct reader *r, bool *stop)
{
    struct adit_tct_item part = {0};
    if (!take_url(r, "url", "url is missing or no http(s) URL", &part.c_url)) return false;
    part.hash = adit_json_inside(adit_json_get(r->entry, ADIT_STR("contentHash")));
    if (!adit_tct_is_hash(part.hash)) part.hash = (struct adit_str){0};
    take_modified(r, &part.modified);
    *stop = r->handler->part && !r->handler->part(r->handler->ctx, &part);
    return true;
}

enum adit_code adit_tct_sitemap_read(struct adit_str json, struct adit_mem mem,
                                     const struct adit_tct_sitemap_handler *handler,
                                     struct adit_error *err)
{
    struct reader r = {.handler = handler};
    struct adit_json_value doc, list;
    uint64_t version = 0;
    bool stop = false;
    if (json.len > ADIT_TCT_SITEMAP_MAX)
        return adit_fail(err, ADIT_ELIMIT, "more than 100 MB", json.len);
    ADIT_TRY(adit_json_check(json, &doc, err));
    if (doc.kind != ADIT_JSON_OBJECT) return adit_fail(err, ADIT_EBAD, "not an object", 0);
    list = adit_json_get(doc, ADIT_STR("items"));
    bool index = list.kind != ADIT_JSON_ARRAY;
    if (index) list = adit_json_get(doc, ADIT_STR("sitemaps"));
    if (list.kind != ADIT_JSON_ARRAY)
        return adit_fail(err, ADIT_EBAD, "neither items nor sitemaps is a list", 0);
    struct adit_json_value v = adit_json_get(doc, ADIT_STR("version"));
    r.index = SIZE_MAX;
    if (!adit_json_u64(v, &version) || version != 1) bad(&r, "version is not 1", v);
    adit_arena_init(&r.arena, mem, ITEM_MEMORY);
    struct adit_json_iter it = adit_json_iter(list);
    r.index = 0;
    for (struct adit_json_member m; !stop && !r.no_memory && adit_json_next(&it, &m); r.index++) {
        adit_arena_reset(&r.arena);
        r.entry = m.value;
        if (m.value.kind != ADIT_JSON_OBJECT)
            bad(&r, "is not an object", m.value);
        else if (index)
            read_part(&r, &stop);
        else
            read_item(&r, &stop);
    }
    adit_arena_free(&r.arena);
    if (r.no_memory) return adit_fail(err, ADIT_ENOMEM, "out of memory", 0);
    return stop ? ADIT_ESTOP : ADIT_OK;
}
