/* The publication before this one: its manifest, the snapshot of all pages, and the fingerprints of
 * its JSON sitemap. */
#include "batch/pack/pack_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MANIFEST_MAX = 16 << 20, SITEMAP_MAX = 128 << 20 };

/* The fingerprints of llm-sitemap.json, one part at a time, in the order of URLs. */
struct hashes {
    struct hash {
        struct adit_str url, hash;
    } *v; /* of the part at hand */
    size_t n, max, at;
    struct adit_arena texts; /* of v */
    struct adit_str *parts;  /* file names, if there is an index */
    size_t n_parts, at_part;
};

struct pack_previous {
    const struct pack_options *o; /* once it is started */
    char *dir;
    struct adit_buf text; /* of the manifest */
    struct adit_arena arena;
    struct adit_manifest_head head;
    struct adit_manifest_entry *entries;
    size_t n_entries;
    struct collection *collection;
    struct adit_scp_page page;
    bool more;
    struct hashes hashes;
};

static char *file_in(const char *dir, struct adit_str name)
{
    char *path;
    if (name.len == 0 || adit_str_chr(name, '/', 0) < name.len) return NULL;
    return asprintf(&path, "%s/%.*s", dir, (int)name.len, name.p) < 0 ? NULL : path;
}

/* --- fingerprints ----------------------------------------------------------------------------- */

static struct adit_str last_segment(struct adit_str url)
{
    size_t slash = url.len;
    while (slash > 0 && url.p[slash - 1] != '/') slash--;
    return adit_str_sub(url, slash, url.len);
}

static bool add_hash(void *ctx, const struct adit_tct_item *item)
{
    struct hashes *h = &((struct pack_previous *)ctx)->hashes;
    bool ok = true;
    struct hash *grown = cli_grow(h->v, h->n, &h->max, sizeof *grown);
    if (!grown) return false;
    h->v = grown;
    h->v[h->n++] = (struct hash){adit_arena_dup(&h->texts, item->c_url, &ok),
                                 adit_arena_dup(&h->texts, item->hash, &ok)};
    return ok;
}

static bool add_part(void *ctx, const struct adit_tct_item *part)
{
    struct pack_previous *p = ctx;
    struct hashes *h = &p->hashes;
    struct adit_str *grown = realloc(h->parts, (h->n_parts + 1) * sizeof *grown);
    bool ok = grown != NULL;
    if (!ok) return false;
    h->parts = grown;
    h->parts[h->n_parts++] = adit_arena_dup(&p->arena, last_segment(part->c_url), &ok);
    return ok;
}

/* The items of one file of the folder. A file that is not there, or is no sitemap, has none: its
 * pages are hashed again. Only the first file may name others. */
static void read_part(struct pack_previous *p, struct adit_str name, bool first)
{
    struct hashes *h = &p->hashes;
    const struct adit_tct_sitemap_handler handler = {
        .ctx = p, .item = add_hash, .part = first ? add_part : NULL};
    struct adit_buf text;
    char *path = file_in(p->dir, name);
    h->n = h->at = 0;
    adit_arena_reset(&h->texts);
    adit_buf_init(&text, cli_mem, SITEMAP_MAX);
    if (path && access(path, R_OK) == 0 && cli_read(path, &text))
        adit_tct_sitemap_read(adit_buf_str(&text), cli_mem, &handler, NULL);
    adit_buf_free(&text);
    free(path);
}

struct adit_str pack_previous_hash(struct pack_previous *p, struct adit_str url)
{
    struct hashes *h = &p->hashes;
    for (;; h->at++) {
        while (h->at >= h->n && h->at_part < h->n_parts)
            read_part(p, h->parts[h->at_part++], false);
        if (h->at >= h->n) return (struct adit_str){0};
        int order = adit_str_cmp(h->v[h->at].url, url);
        if (order >= 0) return order ? (struct adit_str){0} : h->v[h->at].hash;
    }
}

/* --- where it is ------------------------------------------------------------------------------ */

/* The folder below base for host, or base itself; the caller frees it. */
static char *site_dir(const char *base, struct adit_str host)
{
    char *dir;
    if (!host.len) return strdup(base);
    return asprintf(&dir, "%s/%.*s", base, (int)host.len, host.p) < 0 ? NULL : dir;
}

/* A manifest that cannot be read is there, too: then what is wrong with it is said. */
bool pack_previous_known(const struct pack_options *o, struct adit_str host)
{
    char *dir = o->previous ? site_dir(o->previous, host) : NULL, *path = NULL;
    bool there = dir && asprintf(&path, "%s/" ADIT_SCP_MANIFEST, dir) >= 0 &&
                 (access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR));
    free(dir);
    free(path);
    return there;
}

/* --- manifest and snapshot -------------------------------------------------------------------- */

const struct adit_manifest_entry *pack_previous_collections(const struct pack_previous *p,
                                                            size_t *n)
{
    *n = p->n_entries;
    return p->entries;
}

/* The name of the section's snapshot file; empty if there is none. */
static struct adit_str snapshot_of(const struct pack_previous *p, struct adit_str section)
{
    for (size_t i = 0; i < p->n_entries; i++)
        if (adit_str_eq(p->entries[i].section, section) && !adit_manifest_is_delta(&p->entries[i]))
            return p->entries[i].file;
    return (struct adit_str){0};
}

static bool read_manifest(struct pack_previous *p)
{
    char *path = file_in(p->dir, ADIT_STR(ADIT_SCP_MANIFEST));
    struct adit_error err = {0};
    bool ok = path && cli_read(path, &p->text);
    if (ok && adit_manifest_read(adit_buf_str(&p->text), &p->arena, &p->head, &p->entries,
                                 &p->n_entries, &err) != ADIT_OK) {
        cli_say(path, "is not a manifest: %s", err.msg ? err.msg : "out of memory");
        ok = false;
    }
    free(path);
    return ok;
}

static struct pack_previous *open_manifest(const char *dir)
{
    struct pack_previous *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->dir = strdup(dir);
    adit_buf_init(&p->text, cli_mem, MANIFEST_MAX);
    adit_arena_init(&p->arena, cli_mem, (size_t)4 * MANIFEST_MAX);
    adit_arena_init(&p->hashes.texts, cli_mem, (size_t)2 * SITEMAP_MAX);
    if (p->dir && read_manifest(p)) return p;
    pack_previous_close(p);
    return NULL;
}

/* Whether the time of the one before lies before this run's: as pack_previous_open. */
static int check_time(const struct pack_options *o, const struct pack_previous *p, bool finished)
{
    struct adit_time since;
    struct adit_str text = p->head.generated;
    bool good = adit_time_parse(text, &since);
    int order = good ? adit_time_cmp(since, o->generated) : 1;
    if (order < 0) return CLI_OK;
    if (order == 0 && finished) return -1;
    cli_say(p->dir, "was generated at %.*s, which is not before this run's time; see --generated",
            (int)text.len, text.p);
    return CLI_INVALID;
}

int pack_previous_open(const struct pack_options *o, struct adit_str host, struct adit_str origin,
                       bool finished, struct pack_previous **p)
{
    *p = NULL;
    /* With --by-host, a host may be new. */
    if (!o->previous || (host.len && !pack_previous_known(o, host))) return CLI_OK;
    char *dir = site_dir(o->previous, host);
    if (dir && !o->dry_run && publish_unfinished(dir))
        cli_say(dir, "a run was killed while it published here: first run it again");
    else
        *p = dir ? open_manifest(dir) : NULL;
    free(dir);
    if (!*p) return CLI_INVALID;
    int code = check_time(o, *p, finished);
    if (code == CLI_OK && !o->crawl.mixed && !adit_str_eq((*p)->head.origin, origin)) {
        cli_say((*p)->dir, "is the publication of another site: %.*s", (int)(*p)->head.origin.len,
                (*p)->head.origin.p);
        code = CLI_INVALID;
    }
    return code;
}

bool pack_previous_start(struct pack_previous *p, const struct pack_options *o)
{
    char *path = file_in(p->dir, snapshot_of(p, ADIT_STR("all")));
    if (!path) cli_say(p->dir, "the manifest names no snapshot of all pages");
    p->o = o;
    if (!o->crawl.by_host && p->head.rules.len &&
        !adit_str_eq(p->head.rules, ADIT_STR(ADIT_RULES_VERSION)))
        cli_say(p->dir,
                "made by rules %.*s, now " ADIT_RULES_VERSION
                ": every machine view has a new ETag; pages whose content is read otherwise now "
                "count as changed",
                (int)p->head.rules.len, p->head.rules.p);
    p->collection = path ? collection_open(path, NULL) : NULL;
    free(path);
    if (!p->collection || collection_failed(p->collection)) return false;
    read_part(p, ADIT_STR(ADIT_TCT_SITEMAP), true);
    pack_previous_advance(p);
    return true;
}

void pack_previous_close(struct pack_previous *p)
{
    if (!p) return;
    collection_close(p->collection);
    adit_buf_free(&p->text);
    adit_arena_free(&p->arena);
    adit_arena_free(&p->hashes.texts);
    free(p->hashes.v);
    free(p->hashes.parts);
    free(p->dir);
    free(p);
}

const char *pack_previous_dir(const struct pack_previous *p) { return p->dir; }
struct adit_str pack_previous_generated(const struct pack_previous *p) { return p->head.generated; }

bool pack_previous_has_section(const struct pack_previous *p, struct adit_str name)
{
    return snapshot_of(p, name).len > 0;
}

const struct adit_scp_page *pack_previous_page(const struct pack_previous *p)
{
    return p->more ? &p->page : NULL;
}

void pack_previous_advance(struct pack_previous *p)
{
    do p->more = collection_next(p->collection, &p->page);
    while (p->more && !p->o->parts && pack_partition(p->o, p->page.url) != p->o->partition);
}

bool pack_previous_failed(const struct pack_previous *p)
{
    return collection_failed(p->collection) || !collection_counts(p->collection)->sorted;
}
