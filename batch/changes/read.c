/* Reads the ResourceSync lists that an earlier run left. */
#include "batch/changes/read_impl.h"
#include "batch/io/io.h"
#include "batch/xml/xml.h"
#include "exchange/exchange.h"
#include "text/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct reading {
    struct changes_old *old;
    const struct changes_options *o;
    struct adit_arena *arena;
    changes_entry_fn *fn; /* NULL: only count */
    void *ctx;
    struct adit_time newest;
    struct adit_str md_until;
    bool ok, unread;
};

static char *list_path(const char *dir, struct adit_str section, const char *name)
{
    char *path;
    int n = asprintf(&path, "%s/resourcesync/%.*s/%s", dir, (int)section.len, section.p, name);
    return n < 0 ? NULL : path;
}

static bool is_set(struct adit_time t) { return t.s || t.ns; }

/* Of the state before, not of a run that was killed on its way. */
static bool committed(const struct reading *r, struct adit_time t)
{
    return !is_set(r->o->since) || adit_time_cmp(t, r->o->since) <= 0;
}

/* Reads path with the handler; a file that is not there is no fault. */
static bool read_list(struct reading *r, char *path, struct sitemap_handler handler)
{
    struct sitemap_reading reading = {.handler = handler};
    r->ok = path != NULL;
    r->unread = !path || access(path, F_OK) != 0;
    struct input *in = r->unread ? NULL : input_open(path, NULL);
    if (in && sitemap_read(&reading, in) && reading.fault != XML_STOPPED) {
        cli_say(path, "line %llu: %s; it is replaced, and the changes in it are lost",
                (unsigned long long)reading.line, xml_fault_texts[reading.fault]);
        r->unread = true;
    }
    input_close(in);
    free(path);
    return r->ok;
}

/* --- changelist.xml --------------------------------------------------------------------------- */

static bool on_md(void *ctx, const struct adit_rs_md *md)
{
    struct reading *r = ctx;
    r->old->from = adit_arena_dup(r->arena, md->from, &r->ok);
    r->md_until = adit_arena_dup(r->arena, md->until, &r->ok);
    return r->ok;
}

static bool on_change(void *ctx, const struct sitemap_entry *e)
{
    struct reading *r = ctx;
    struct adit_time at;
    struct adit_rs_entry entry = {.loc = e->loc,
                                  .lastmod = e->lastmod,
                                  .change = adit_rs_change_of(e->md.change),
                                  .datetime = e->md.datetime};
    if (!e->loc.len || entry.change == ADIT_RS_CHANGES || !adit_date_w3c(e->md.datetime, &at) ||
        !committed(r, at))
        return true;
    if (r->fn) return r->ok = r->fn(r->ctx, &entry);
    r->old->n++;
    if (adit_time_cmp(at, r->newest) > 0) r->newest = at;
    return true;
}

/* The time up to which the list goes: what it says, or its newest change. */
static bool set_until(struct reading *r)
{
    struct changes_old *old = r->old;
    struct adit_time from, until;
    struct adit_buf b;
    if (!adit_date_w3c(r->md_until, &until)) until = r->newest;
    if (!committed(r, until)) until = r->o->since;
    if (!adit_date_w3c(old->from, &from) || !committed(r, from)) old->from = (struct adit_str){0};
    old->until_at = until;
    adit_buf_init(&b, cli_mem, 64);
    adit_time_write(&b, until);
    old->until = adit_arena_dup(r->arena, adit_buf_str(&b), &r->ok);
    adit_buf_free(&b);
    if (!old->from.len) old->from = old->n ? old->until : (struct adit_str){0};
    return r->ok;
}

/* --- the index -------------------------------------------------------------------------------- */

bool changes_old_archive(struct changes_old *old, struct adit_arena *arena, const char *name,
                         struct adit_str from, struct adit_str until)
{
    size_t i = 0;
    while (i < old->n_archives && strcmp(old->archives[i].name, name) != 0) i++;
    struct changes_archive *v = adit_arena_grow(arena, old->archives, i, &old->cap, sizeof *v);
    if (!v) return false;
    old->archives = v;
    bool ok = true;
    old->archives[i] = (struct changes_archive){
        .name = adit_arena_dup(arena, adit_str_of(name, strlen(name) + 1), &ok).p,
        .from = adit_arena_dup(arena, from, &ok),
        .until = adit_arena_dup(arena, until, &ok),
    };
    if (i == old->n_archives) old->n_archives++;
    return ok;
}

/* A file, and no link on the way to it: what is there may be copied into a publication. */
static bool file_there(const char *dir, struct adit_str section, const char *name)
{
    struct stat st;
    char *path = list_path(".", section, name);
    int folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int fd = path && folder >= 0 ? below_open(folder, path + 2, O_PATH | O_NOFOLLOW, 0) : -1;
    bool there = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    if (fd >= 0) close(fd);
    if (folder >= 0) close(folder);
    free(path);
    return there;
}

/* changelist-STAMP.xml or changelist-STAMP-0002.xml, as changes.c makes them; nothing else becomes
 * a file name, whatever the index says. */
static bool is_archive_name(struct adit_str name)
{
    return adit_glob(ADIT_STR("changelist-????????T??????Z.xml"), name) ||
           adit_glob(ADIT_STR("changelist-????????T??????Z-[0-9][0-9][0-9][0-9]*.xml"), name);
}

static bool on_archive(void *ctx, const struct sitemap_entry *e)
{
    struct reading *r = ctx;
    struct adit_time until;
    char name[64];
    size_t slash = e->loc.len;
    while (slash > 0 && e->loc.p[slash - 1] != '/') slash--;
    struct adit_str file = adit_str_sub(e->loc, slash, e->loc.len);
    if (!is_archive_name(file) || below_name_fault(file, NULL) || file.len >= sizeof name ||
        !adit_date_w3c(e->md.until, &until) || !committed(r, until))
        return true;
    snprintf(name, sizeof name, "%.*s", (int)file.len, file.p);
    if (!file_there(r->o->previous, r->old->section, name) &&
        !file_there(r->o->dir, r->old->section, name))
        return true; /* no error: the operator may delete archived lists */
    return r->ok = changes_old_archive(r->old, r->arena, name, e->md.from, e->md.until);
}

bool changes_old_read(struct changes_old *old, const struct changes_options *o,
                      struct adit_str section, struct adit_arena *arena)
{
    struct reading r = {.old = old, .o = o, .arena = arena};
    *old = (struct changes_old){.section = section};
    if (!read_list(&r, list_path(o->previous, section, "changelist.xml"),
                   (struct sitemap_handler){.ctx = &r, .md = on_md, .entry = on_change}))
        return false;
    if (r.unread)
        *old = (struct changes_old){.section = section};
    else if (!set_until(&r))
        return false;
    return read_list(&r, list_path(o->previous, section, "changelist-index.xml"),
                     (struct sitemap_handler){.ctx = &r, .entry = on_archive});
}

bool changes_old_entries(const struct changes_old *old, const struct changes_options *o,
                         changes_entry_fn *fn, void *ctx)
{
    struct reading r = {.o = o, .fn = fn, .ctx = ctx};
    return read_list(&r, list_path(o->previous, old->section, "changelist.xml"),
                     (struct sitemap_handler){.ctx = &r, .entry = on_change});
}

static bool copy(const char *from, struct output *to)
{
    struct input *in = input_open(from, NULL);
    bool ok = in && to;
    for (struct adit_str part; ok && (part = input_peek(in, 1)).len; input_skip(in, part.len))
        ok = output_write(to, part);
    ok = ok && !input_code(in);
    input_close(in);
    return ok;
}

bool changes_old_bring(const struct changes_old *old, const struct changes_options *o,
                       struct adit_str section)
{
    bool ok = true;
    for (size_t i = 0; ok && i < old->n_archives; i++) {
        const char *name = old->archives[i].name;
        if (file_there(o->dir, section, name) || !file_there(o->previous, section, name)) continue;
        char *from = list_path(o->previous, section, name),
             *path = list_path(o->dir, section, name);
        struct output *out = path ? publish_output(o->to, path + strlen(o->dir) + 1, NULL) : NULL;
        ok = from && copy(from, out);
        ok = publish_put(o->to, out) && ok;
        free(from), free(path);
    }
    return ok;
}

/* --- the description -------------------------------------------------------------------------- */

static bool on_collection(void *ctx, const struct sitemap_entry *e)
{
    struct reading *r = ctx;
    struct adit_rs_entry entry = {.loc = e->loc, .capability = e->md.capability};
    for (size_t i = 0; i < e->n_links; i++) {
        if (adit_str_eq(e->links[i].rel, ADIT_STR("describes"))) entry.describes = e->links[i].href;
        if (adit_str_eq(e->links[i].rel, ADIT_STR("describedby")))
            entry.describedby = e->links[i].href;
    }
    return !e->loc.len || (r->ok = r->fn(r->ctx, &entry));
}

bool changes_old_description(const struct changes_options *o, changes_entry_fn *fn, void *ctx)
{
    struct reading r = {.o = o, .fn = fn, .ctx = ctx};
    char *path;
    if (asprintf(&path, "%s/.well-known/resourcesync", o->previous) < 0) path = NULL;
    return read_list(&r, path, (struct sitemap_handler){.ctx = &r, .entry = on_collection});
}
