/* From a source description, or an index of some, to the collections of a site. */
#include "batch/feed/feed.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct reading {
    struct feed_run *f;
    struct feed_queue *queue;
    struct feed_item at;
    bool is_index, is_description, is_list; /* list: a capability list stands there itself */
    bool full;
};

static struct adit_str link_of(const struct sitemap_entry *e, const char *rel)
{
    for (size_t i = 0; i < e->n_links; i++)
        if (adit_str_eq(e->links[i].rel, adit_str_z(rel))) return e->links[i].href;
    return (struct adit_str){0};
}

static bool on_root(void *ctx, bool is_index)
{
    ((struct reading *)ctx)->is_index = is_index;
    return true;
}

static bool on_md(void *ctx, const struct adit_rs_md *md)
{
    struct reading *r = ctx;
    r->is_description = adit_str_eq(md->capability, ADIT_STR("description"));
    r->is_list = adit_str_eq(md->capability, ADIT_STR("capabilitylist"));
    return true;
}

static bool on_link(void *ctx, const struct adit_rs_link *link)
{
    struct reading *r = ctx;
    if (adit_str_eq(link->rel, ADIT_STR("describedby")) && !r->f->describedby.len)
        r->f->describedby = feed_resolve(r->f, link->href, r->at.url);
    return true;
}

static bool add_collection(struct reading *r, struct feed_collection c)
{
    struct feed_run *f = r->f;
    for (size_t i = 0; i < f->n_collections; i++)
        if (adit_str_eq(f->collections[i].list, c.list)) return true;
    if (f->n_collections == FEED_COLLECTIONS_MAX) {
        if (!r->full) feed_fault(f, r->at.url, "has more than 1000 collections");
        r->full = true;
        return false;
    }
    f->collections[f->n_collections++] = c;
    return true;
}

static bool on_entry(void *ctx, const struct sitemap_entry *e)
{
    struct reading *r = ctx;
    struct feed_run *f = r->f;
    struct adit_str loc = feed_resolve(f, e->loc, r->at.url);
    if (!loc.len) {
        feed_fault(f, r->at.url, "an entry has no usable loc; it is skipped");
        return true;
    }
    if (r->is_index) {
        if (r->at.depth + 1 < FEED_DEPTH_MAX)
            return feed_push(r->queue, (struct feed_item){.url = loc, .depth = r->at.depth + 1});
        feed_fault(f, loc, "an index in too many indexes; it is skipped");
        return true;
    }
    /* Other capabilities of a source are no business of ours. */
    if (!r->is_description || !adit_str_eq(e->md.capability, ADIT_STR("capabilitylist")))
        return true;
    return add_collection(r,
                          (struct feed_collection){
                              .list = loc,
                              .describes = adit_arena_dup(&f->arena, link_of(e, "describes"), NULL),
                              .describedby = feed_resolve(f, link_of(e, "describedby"), r->at.url),
                          });
}

static enum feed_outcome read_description(struct feed_run *f, struct feed_queue *queue)
{
    struct reading r = {.f = f, .queue = queue, .at = queue->v[queue->next++]};
    struct sitemap_reading reading = {
        .handler = {.ctx = &r, .root = on_root, .md = on_md, .link = on_link, .entry = on_entry}};
    enum feed_outcome outcome = feed_document(f, r.at.url, &reading);
    if (outcome) return outcome;
    if (r.is_list && !r.is_index)
        add_collection(&r, (struct feed_collection){.list = r.at.url});
    else if (!r.is_index && !r.is_description)
        feed_fault(f, r.at.url, "is no source description");
    return FEED_READ;
}

/* --- what a collection is called -------------------------------------------------------------- */

static struct adit_str name_of(struct feed_run *f, const struct feed_collection *c)
{
    struct adit_str url = feed_resolve(f, c->describes, c->list);
    bool absolute = adit_str_istarts(c->describes, ADIT_STR("http"));
    return url.len && absolute ? adit_arena_dup(&f->arena, c->describes, NULL) : url;
}

static bool identify_link(void *ctx, const struct adit_rs_link *link)
{
    struct reading *r = ctx;
    if (!adit_str_eq(link->rel, ADIT_STR("describes"))) return true;
    r->f->collections[r->at.depth].describes = adit_arena_dup(&r->f->arena, link->href, NULL);
    return false;
}

/* The URL that identifies a collection: the description has it, else the capability list itself. */
static void identify(struct feed_run *f, size_t i)
{
    struct feed_collection *c = &f->collections[i];
    struct reading r = {.f = f, .at = {.url = c->list, .depth = (unsigned)i}};
    struct sitemap_reading reading = {.handler = {.ctx = &r, .link = identify_link}};
    if (!c->describes.len) feed_document(f, c->list, &reading);
    c->describes = name_of(f, c);
    if (c->describes.len) return;
    feed_fault(f, c->list, "nothing says what it describes; its own URL stands for it");
    c->describes = c->list;
}

/* Those that are wanted; all if none is by that name. */
static void pick(struct feed_run *f, struct adit_str only)
{
    size_t n = 0;
    for (size_t i = 0; only.len && i < f->n_collections; i++)
        if (adit_str_eq(f->collections[i].describes, only)) f->collections[n++] = f->collections[i];
    if (n) f->n_collections = n;
}

enum feed_outcome feed_discover(struct feed_run *f, struct adit_str only)
{
    struct feed_queue queue = {.f = f};
    enum feed_outcome worst = FEED_READ;
    f->collections = adit_arena_zalloc(&f->arena, FEED_COLLECTIONS_MAX, sizeof *f->collections);
    if (!f->collections || !feed_push(&queue, (struct feed_item){.url = f->description}))
        return FEED_LATER;
    while (queue.next < queue.n) {
        enum feed_outcome outcome = read_description(f, &queue);
        if (outcome > worst) worst = outcome;
    }
    for (size_t i = 0; i < f->n_collections; i++) identify(f, i);
    pick(f, only);
    return f->n_collections ? FEED_READ : worst ? worst : FEED_BROKEN;
}

/* --- a folder --------------------------------------------------------------------------------- */

struct folder {
    struct feed_run *f;
    struct adit_str base;
};

/* https://example.com/a/b.xml is DIR/a/b.xml or, if the folder is published at /a, DIR/b.xml. */
static bool on_first(void *ctx, const struct sitemap_entry *e)
{
    struct folder *o = ctx;
    struct adit_str url = feed_resolve(o->f, e->loc, (struct adit_str){0});
    for (size_t at = adit_url_origin(url).len; at < url.len && !o->base.len;
         at = adit_str_chr(url, '/', at + 1)) {
        char *path;
        if (asprintf(&path, "%s%.*s", o->f->dir, (int)(url.len - at), url.p + at) < 0) break;
        if (access(path, R_OK) == 0) o->base = adit_str_sub(url, 0, at);
        free(path);
    }
    return !o->base.len;
}

struct adit_str feed_folder(struct feed_run *f)
{
    struct folder o = {.f = f, .base = f->base};
    struct sitemap_reading r = {.handler = {.ctx = &o, .entry = on_first}};
    char *path;
    if (asprintf(&path, "%s/.well-known/resourcesync", f->dir) < 0) return f->base;
    struct input *in = input_open(path, NULL);
    if (in && !o.base.len) sitemap_read(&r, in);
    if (in && !o.base.len)
        cli_say(path, "%s",
                r.fault && r.fault != XML_STOPPED
                    ? xml_fault_texts[r.fault]
                    : "names no file that is in this folder; see --base-url");
    input_close(in);
    free(path);
    f->base = o.base;
    return in && o.base.len ? o.base : (struct adit_str){0};
}
