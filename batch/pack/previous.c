/* The publication before this one: its manifest, the snapshot of all pages, and the fingerprints of
 * its JSON sitemap. */
#include "batch/pack/pack_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANIFEST_MAX = 16 << 20, SITEMAP_MAX = 128 << 20 };

/* The items of llm-sitemap.json, part by part, in the order of URLs. */
struct hashes {
    struct adit_buf text;
    struct adit_json_iter items, parts;
    struct adit_buf index;
    struct adit_arena arena;
    struct adit_str url, hash; /* the item at hand; url empty: the end */
};

struct pack_previous {
    char *dir;
    struct adit_buf manifest;
    struct adit_json_value root;
    struct adit_arena arena;
    struct adit_str generated, origin;
    struct collection *collection;
    struct adit_scp_page page;
    bool more;
    struct hashes hashes;
};

static struct adit_str text_of(struct adit_json_value object, const char *name,
                               struct adit_arena *arena)
{
    return adit_json_text(adit_json_get(object, adit_str_z(name)), arena, NULL);
}

static char *file_in(const char *dir, struct adit_str name)
{
    char *path;
    if (name.len == 0 || adit_str_chr(name, '/', 0) < name.len) return NULL;
    return asprintf(&path, "%s/%.*s", dir, (int)name.len, name.p) < 0 ? NULL : path;
}

/* --- fingerprints ----------------------------------------------------------------------------- */

/* Reads a JSON file of the folder; false (silently): there is none that can be used. */
static bool read_json(const char *dir, struct adit_str name, struct adit_buf *text,
                      struct adit_json_value *value)
{
    char *path = file_in(dir, name);
    FILE *f = path ? fopen(path, "rb") : NULL;
    adit_buf_clear(text);
    if (f) fclose(f);
    bool ok =
        f && cli_read(path, text) && adit_json_check(adit_buf_str(text), value, NULL) == ADIT_OK;
    free(path);
    return ok;
}

static struct adit_str last_segment(struct adit_str url)
{
    size_t slash = url.len;
    while (slash > 0 && url.p[slash - 1] != '/') slash--;
    return adit_str_sub(url, slash, url.len);
}

static void next_hash(struct pack_previous *p)
{
    struct hashes *h = &p->hashes;
    struct adit_json_member m;
    h->url = h->hash = (struct adit_str){0};
    for (;;) {
        if (h->items.p && adit_json_next(&h->items, &m)) {
            adit_arena_reset(&h->arena);
            h->url = text_of(m.value, "cUrl", &h->arena);
            h->hash = text_of(m.value, "contentHash", &h->arena);
            if (h->url.len && adit_tct_is_hash(h->hash)) return;
            continue;
        }
        struct adit_json_value part;
        h->items = (struct adit_json_iter){0};
        h->url = h->hash = (struct adit_str){0};
        if (!h->parts.p || !adit_json_next(&h->parts, &m)) return;
        adit_arena_reset(&h->arena);
        struct adit_str name = last_segment(text_of(m.value, "url", &h->arena));
        if (read_json(p->dir, name, &h->text, &part))
            h->items = adit_json_iter(adit_json_get(part, ADIT_STR("items")));
    }
}

static void open_hashes(struct pack_previous *p)
{
    struct hashes *h = &p->hashes;
    struct adit_json_value root;
    adit_buf_init(&h->text, cli_mem, SITEMAP_MAX);
    adit_buf_init(&h->index, cli_mem, SITEMAP_MAX);
    adit_arena_init(&h->arena, cli_mem, 1u << 20);
    if (!read_json(p->dir, ADIT_STR("llm-sitemap.json"), &h->index, &root)) return;
    h->parts = adit_json_iter(adit_json_get(root, ADIT_STR("sitemaps")));
    h->items = adit_json_iter(adit_json_get(root, ADIT_STR("items")));
    next_hash(p);
}

struct adit_str pack_previous_hash(struct pack_previous *p, struct adit_str url)
{
    while (p->hashes.url.len && adit_str_cmp(p->hashes.url, url) < 0) next_hash(p);
    return adit_str_eq(p->hashes.url, url) ? p->hashes.hash : (struct adit_str){0};
}

/* --- manifest and snapshot -------------------------------------------------------------------- */

struct adit_json_value pack_previous_collections(const struct pack_previous *p)
{
    return adit_json_get(p->root, ADIT_STR("collections"));
}

static bool member_is(struct adit_json_value object, const char *name, struct adit_str text)
{
    return adit_json_is(adit_json_inside(adit_json_get(object, adit_str_z(name))), text);
}

/* The name of the section's snapshot file; empty if there is none. */
static struct adit_str snapshot_of(struct pack_previous *p, struct adit_str section)
{
    struct adit_json_iter it = adit_json_iter(pack_previous_collections(p));
    struct adit_json_member m;
    while (adit_json_next(&it, &m))
        if (member_is(m.value, "section", section) &&
            member_is(m.value, "type", ADIT_STR("snapshot")))
            return text_of(m.value, "file", &p->arena);
    return (struct adit_str){0};
}

static bool read_manifest(struct pack_previous *p)
{
    char *path = file_in(p->dir, ADIT_STR("scp-manifest.json"));
    struct adit_error err = {0};
    bool ok = path && cli_read(path, &p->manifest);
    if (ok && (adit_json_check(adit_buf_str(&p->manifest), &p->root, &err) != ADIT_OK ||
               p->root.kind != ADIT_JSON_OBJECT)) {
        cli_say(path, "is not a manifest: %s", err.msg ? err.msg : "no JSON object");
        ok = false;
    }
    free(path);
    if (!ok) return false;
    p->generated = text_of(p->root, "generated", &p->arena);
    p->origin = text_of(p->root, "origin", &p->arena);
    return true;
}

struct pack_previous *pack_previous_open(const char *dir)
{
    struct pack_previous *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->dir = strdup(dir);
    adit_buf_init(&p->manifest, cli_mem, MANIFEST_MAX);
    adit_arena_init(&p->arena, cli_mem, MANIFEST_MAX);
    open_hashes(p);
    char *path = NULL;
    if (p->dir && read_manifest(p)) {
        path = file_in(p->dir, snapshot_of(p, ADIT_STR("all")));
        if (!path) cli_say(dir, "the manifest names no snapshot of all pages");
    }
    p->collection = path ? collection_open(path, NULL) : NULL;
    free(path);
    if (!p->collection || collection_failed(p->collection)) {
        pack_previous_close(p);
        return NULL;
    }
    pack_previous_advance(p);
    return p;
}

void pack_previous_close(struct pack_previous *p)
{
    if (!p) return;
    collection_close(p->collection);
    adit_buf_free(&p->manifest);
    adit_arena_free(&p->arena);
    adit_buf_free(&p->hashes.text);
    adit_buf_free(&p->hashes.index);
    adit_arena_free(&p->hashes.arena);
    free(p->dir);
    free(p);
}

const char *pack_previous_dir(const struct pack_previous *p) { return p->dir; }
struct adit_str pack_previous_generated(const struct pack_previous *p) { return p->generated; }
struct adit_str pack_previous_origin(const struct pack_previous *p) { return p->origin; }

bool pack_previous_has_section(const struct pack_previous *p, struct adit_str name)
{
    return snapshot_of((struct pack_previous *)p, name).len > 0;
}

const struct adit_scp_page *pack_previous_page(const struct pack_previous *p)
{
    return p->more ? &p->page : NULL;
}

void pack_previous_advance(struct pack_previous *p)
{
    p->more = collection_next(p->collection, &p->page);
}

bool pack_previous_failed(const struct pack_previous *p)
{
    return collection_failed(p->collection) || !collection_counts(p->collection)->sorted;
}
