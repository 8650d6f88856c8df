/* Reading JSON sitemaps of others (TCT, Sitemap-First Verification), of every draft: versions 1 and
 * 2, the fingerprint as `contentHash` or `etag`, the date as `modified` or `lastModified`. */
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
    uint64_t version;
    bool no_memory;
};

static void tell_later(struct reader *r)
{
    if (r->handler->later) r->handler->later(r->handler->ctx);
}

/* The entry's member under the first of two names that it has. */
static struct adit_json_value either(const struct reader *r, const char *name, const char *other)
{
    struct adit_json_value v = adit_json_get(r->entry, adit_str_z(name));
    return v.kind == ADIT_JSON_NONE ? adit_json_get(r->entry, adit_str_z(other)) : v;
}

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
    struct adit_json_value v = either(r, "modified", "lastModified");
    struct adit_time t;
    *out = (struct adit_str){0};
    if (v.kind == ADIT_JSON_NONE) return;
    if (v.kind == ADIT_JSON_STRING && adit_time_parse(adit_json_inside(v), &t))
        *out = adit_json_inside(v);
    else
        bad(r, "modified is not an RFC 3339 date-time", v);
}

/* The fingerprint, perhaps written as an ETag with its quotes. Version 2 has it as a hint only. */
static bool take_hash(struct reader *r, struct adit_str *out)
{
    static const struct adit_str quote = ADIT_STR_INIT("\\\"");
    struct adit_json_value v = adit_json_get(r->entry, ADIT_STR("contentHash"));
    struct adit_json_value etag = adit_json_get(r->entry, ADIT_STR("etag"));
    if (v.kind == ADIT_JSON_NONE) {
        v = etag;
        if (etag.kind != ADIT_JSON_NONE) tell_later(r);
    }
    struct adit_str hash = adit_json_inside(v);
    if (adit_str_starts(hash, quote) && adit_str_ends(hash, quote) && hash.len > 4)
        hash = adit_str_sub(hash, 2, hash.len - 2);
    bool good = adit_tct_is_hash(hash);
    *out = good ? hash : (struct adit_str){0};
    return good || (v.kind == ADIT_JSON_NONE && r->version == 2);
}

static bool read_item(struct reader *r, bool *stop)
{
    struct adit_tct_item item = {0};
    if (!take_url(r, "cUrl", "cUrl is missing or no http(s) URL", &item.c_url)) return false;
    if (!take_url(r, "mUrl", "mUrl is missing or no http(s) URL", &item.m_url)) return false;
    if (!take_hash(r, &item.hash))
        return bad(r, "contentHash is missing or malformed", either(r, "contentHash", "etag"));
    if (adit_str_eq(item.c_url, item.m_url)) return bad(r, "cUrl and mUrl are the same", r->entry);
    take_modified(r, &item.modified);
    *stop = !r->handler->item(r->handler->ctx, &item);
    return true;
}

static bool read_part(struct reader *r, bool *stop)
{
    struct adit_tct_item part = {0};
    if (!take_url(r, "url", "url is missing or no http(s) URL", &part.c_url)) return false;
    take_hash(r, &part.hash);
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
    if (!adit_json_u64(v, &r.version) || r.version < 1 || r.version > 2)
        bad(&r, "version is not 1 or 2", v);
    if (r.version == 2 ||
        adit_tct_is_later(adit_json_inside(adit_json_get(doc, ADIT_STR("profile")))))
        tell_later(&r);
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
