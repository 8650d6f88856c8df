/* Writes ResourceSync lists: what has changed since the last run, and the lists before it. */
#include "batch/changes/changes_impl.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SORT_MEMORY = 16 << 20,
    ENTRY_MAX = 6 * ADIT_LIMIT_url_bytes + 1024,
    NAME_MAX_BYTES = 128 /* of a section: the rest of a file's name must fit into BELOW_NAME_MAX */
};

/* For functions that are told of earlier entries. */
struct changes_copy {
    struct changes *c;
    struct section *s;
    struct output *out;
};

/* --- records of the sort: change, URL, NUL, lastmod ------------------------------------------- */

struct adit_str changes_record_url(struct adit_str r)
{
    return adit_str_sub(r, 1, adit_str_chr(r, '\0', 1));
}

int changes_record_cmp(struct adit_str a, struct adit_str b)
{
    int order = adit_str_cmp(changes_record_url(a), changes_record_url(b));
    return order ? order : adit_str_cmp(a, b);
}

/* --- opening ---------------------------------------------------------------------------------- */

static struct adit_str keep_time(struct changes *c, struct adit_time t,
                                 void (*write)(struct adit_buf *, struct adit_time))
{
    adit_buf_clear(&c->b);
    write(&c->b, t);
    return adit_arena_dup(&c->arena, adit_buf_str(&c->b), NULL);
}

struct changes *changes_open(const struct changes_options *o)
{
    struct changes *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->o = *o;
    if (!o->to) c->o.to = c->own = publish_open(o->dir, &publication_names);
    if (!c->o.to) {
        free(c);
        return NULL;
    }
    adit_arena_init(&c->arena, cli_mem, 64u << 20);
    adit_buf_init(&c->b, cli_mem, ENTRY_MAX);
    adit_buf_init(&c->url, cli_mem, ENTRY_MAX);
    c->generated = keep_time(c, o->generated, adit_time_write);
    c->stamp = keep_time(c, o->generated, adit_time_stamp);
    c->v = calloc(o->n_sections, sizeof *c->v);
    c->sorter = sorter_new(publish_temp(c->o.to), SORT_MEMORY, changes_record_cmp);
    bool ok = c->v && c->sorter && c->generated.len && c->stamp.len;
    if (!ok) cli_say(NULL, "out of memory");
    for (size_t i = 0; ok && i < o->n_sections; i++) {
        c->v[i].is = &o->sections[i];
        resources_open(&c->v[i]);
        ok = !o->previous || changes_old_read(&c->v[i].old, o, c->v[i].is->name, &c->arena);
    }
    if (ok) return c;
    changes_free(c);
    return NULL;
}

void changes_free(struct changes *c)
{
    if (!c) return;
    for (size_t i = 0; c->v && i < c->o.n_sections; i++) {
        output_discard(c->v[i].out);
        resources_free(&c->v[i]);
    }
    sorter_free(c->sorter);
    adit_arena_free(&c->arena);
    adit_buf_free(&c->b), adit_buf_free(&c->url);
    publish_close(c->own);
    free(c->v);
    free(c);
}

struct adit_time changes_until(const struct changes *c)
{
    struct adit_time newest = {0};
    for (size_t i = 0; i < c->o.n_sections; i++)
        if (adit_time_cmp(c->v[i].old.until_at, newest) > 0) newest = c->v[i].old.until_at;
    return newest;
}

/* --- changes ---------------------------------------------------------------------------------- */

bool changes_page(struct changes *c, struct adit_str url, struct adit_str lastmod)
{
    struct adit_str path = adit_url_rest(url);
    bool ok = true;
    for (size_t i = 0; ok && i < c->o.n_sections; i++) {
        if (adit_str_eq(url, c->v[i].is->describes)) c->v[i].home = true;
        if (adit_str_starts(path, c->v[i].is->prefix))
            ok = resources_add(c, &c->v[i], url, lastmod);
    }
    return ok;
}

bool changes_add(struct changes *c, struct adit_str url, enum adit_rs_change change,
                 struct adit_str lastmod)
{
    struct adit_str path = adit_url_rest(url);
    char kind = (char)('0' + change);
    const struct adit_str parts[] = {{&kind, 1}, url, {"", 1}, lastmod};
    for (size_t i = 0; i < c->o.n_sections; i++)
        if (adit_str_starts(path, c->v[i].is->prefix)) c->v[i].n_new++;
    return sorter_add(c->sorter, parts, ADIT_COUNT(parts));
}

/* --- names ------------------------------------------------------------------------------------ */

bool changes_section_name(struct adit_str name)
{
    bool good = name.len <= NAME_MAX_BYTES && !below_name_fault(name, NULL);
    for (size_t i = 0; i < name.len; i++)
        good = good && (adit_is_alnum(name.p[i]) || strchr("-_.", name.p[i]));
    return good;
}

/* Of a section's file, with head in front; NUL-terminated, in c->url. */
static const char *name_file(struct changes *c, const struct section *s, const char *name)
{
    adit_buf_clear(&c->url);
    adit_buf_lit(&c->url, "resourcesync/");
    adit_buf_add(&c->url, s->is->name);
    adit_buf_byte(&c->url, '/');
    adit_buf_lit(&c->url, name);
    adit_buf_byte(&c->url, '\0');
    return c->url.err ? NULL : c->url.p;
}

struct output *changes_open_file(struct changes *c, const struct section *s, const char *name)
{
    const char *path = name_file(c, s, name);
    return path ? publish_output(c->o.to, path, NULL) : NULL;
}

bool changes_drop_file(struct changes *c, const struct section *s, const char *name)
{
    const char *path = name_file(c, s, name);
    return path && publish_remove(c->o.to, path) == PUBLISH_REMOVED;
}

struct adit_str changes_file_url(struct changes *c, const struct section *s, const char *name)
{
    const char *path = name_file(c, s, name);
    if (!path) return (struct adit_str){0};
    adit_buf_clear(&c->b);
    adit_buf_add(&c->b, c->o.base);
    adit_buf_byte(&c->b, '/');
    adit_buf_lit(&c->b, path);
    return adit_arena_dup(&c->arena, adit_buf_str(&c->b), NULL);
}

static struct adit_str description_url(struct changes *c)
{
    adit_buf_clear(&c->b);
    adit_buf_add(&c->b, c->o.base);
    adit_buf_lit(&c->b, "/.well-known/resourcesync");
    return adit_arena_dup(&c->arena, adit_buf_str(&c->b), NULL);
}

static struct adit_str describedby(const struct section *s)
{
    if (s->is->describedby.len) return s->is->describedby;
    return s->home ? s->is->describes : (struct adit_str){0};
}

/* --- change lists ----------------------------------------------------------------------------- */

bool changes_flush(struct changes *c, struct output *out)
{
    bool ok = out && !c->b.err && output_write(out, adit_buf_str(&c->b));
    adit_buf_clear(&c->b);
    return ok;
}

/* Whether the section's lists will be behind an index. */
static bool has_archives(const struct changes *c, const struct section *s)
{
    return s->old.n_archives || s->n_new > c->o.list_max ||
           (s->old.n && s->old.n + s->n_new > c->o.list_max);
}

static bool begin_list(struct changes *c, struct section *s, const char *name,
                       struct adit_str until)
{
    struct adit_rs_head head = {
        .kind = ADIT_RS_CHANGELIST,
        .up = changes_file_url(c, s, "capabilitylist.xml"),
        .from = s->from,
        .until = until,
    };
    if (has_archives(c, s)) head.index = changes_file_url(c, s, "changelist-index.xml");
    s->n = 0;
    s->out = changes_open_file(c, s, name);
    adit_buf_clear(&c->b);
    adit_rs_head(&c->b, &head);
    return changes_flush(c, s->out);
}

/* Completes it; it is the caller's then. */
static struct output *end_list(struct changes *c, struct section *s, bool *ok)
{
    struct output *out = s->out;
    s->out = NULL;
    adit_rs_tail(&c->b, ADIT_RS_CHANGELIST);
    *ok = changes_flush(c, out);
    return out;
}

/* Archived lists may be many. */
static bool end_archive(struct changes *c, struct section *s)
{
    bool ok;
    return publish_put(c->o.to, end_list(c, s, &ok)) && ok;
}

static bool add_entry(void *ctx, const struct adit_rs_entry *e)
{
    struct changes_copy *copy = ctx;
    adit_rs_entry(&copy->c->b, ADIT_RS_CHANGELIST, e);
    copy->s->n++;
    return changes_flush(copy->c, copy->s->out);
}

static bool copy_old(struct changes *c, struct section *s)
{
    struct changes_copy copy = {.c = c, .s = s};
    return changes_old_entries(&s->old, &c->o, add_entry, &copy);
}

/* The list of before is full: it stays as it is, under a name of its own. */
static bool archive_old(struct changes *c, struct section *s)
{
    char name[64];
    struct adit_str stamp = keep_time(c, s->old.until_at, adit_time_stamp);
    snprintf(name, sizeof name, "changelist-%.*s.xml", (int)stamp.len, stamp.p);
    s->from = s->old.from;
    bool ok = begin_list(c, s, name, s->old.until) && copy_old(c, s) && end_archive(c, s) &&
              changes_old_archive(&s->old, &c->arena, name, s->old.from, s->old.until);
    s->from = s->old.until;
    return ok;
}

/* The next list for this run's changes: all but the last one are archives at once. */
static bool begin_part(struct changes *c, struct section *s, uint64_t left)
{
    char name[64] = "changelist.xml";
    s->archiving = left > c->o.list_max;
    s->parts++;
    if (s->archiving && s->parts == 1)
        snprintf(name, sizeof name, "changelist-%.*s.xml", (int)c->stamp.len, c->stamp.p);
    else if (s->archiving)
        snprintf(name, sizeof name, "changelist-%.*s-%04llu.xml", (int)c->stamp.len, c->stamp.p,
                 (unsigned long long)s->parts);
    if (s->archiving && !changes_old_archive(&s->old, &c->arena, name, s->from, c->generated))
        return false;
    return begin_list(c, s, name, c->generated);
}

static bool begin_section(struct changes *c, struct section *s)
{
    struct adit_time never = {0};
    s->from = c->generated;
    if (adit_time_cmp(c->o.from, never) != 0) s->from = keep_time(c, c->o.from, adit_time_write);
    if (s->old.n && s->old.n + s->n_new > c->o.list_max) {
        if (!archive_old(c, s)) return false;
        s->old.n = 0;
    } else if (s->old.from.len) {
        s->from = s->old.from;
    }
    if (s->old.n_archives && !changes_old_bring(&s->old, &c->o, s->is->name)) return false;
    return begin_part(c, s, s->n_new) && (!s->old.n || copy_old(c, s));
}

static bool add_change(struct changes *c, struct section *s, const struct adit_rs_entry *e)
{
    if (s->n == c->o.list_max) {
        s->n_new -= s->n;
        s->from = c->generated;
        if (!end_archive(c, s) || !begin_part(c, s, s->n_new)) return false;
    }
    adit_rs_entry(&c->b, ADIT_RS_CHANGELIST, e);
    s->n++;
    return changes_flush(c, s->out);
}

static bool write_changes(struct changes *c)
{
    struct adit_str r;
    bool ok = sorter_start(c->sorter);
    while (ok && sorter_next(c->sorter, &r)) {
        struct adit_rs_entry e = {.loc = changes_record_url(r),
                                  .change = (enum adit_rs_change)(r.p[0] - '0'),
                                  .datetime = c->generated};
        e.lastmod = adit_str_sub(r, e.loc.len + 2, r.len);
        struct adit_str path = adit_url_rest(e.loc);
        for (size_t i = 0; ok && i < c->o.n_sections; i++)
            if (adit_str_starts(path, c->v[i].is->prefix)) ok = add_change(c, &c->v[i], &e);
    }
    return ok && !sorter_failed(c->sorter);
}

/* --- what leads to them ----------------------------------------------------------------------- */

static bool write_index(struct changes *c, struct section *s, struct file_set *to)
{
    struct output *out = changes_open_file(c, s, "changelist-index.xml");
    struct adit_rs_head head = {
        .kind = ADIT_RS_CHANGELIST_INDEX,
        .up = changes_file_url(c, s, "capabilitylist.xml"),
        .from = s->old.archives[0].from,
        .until = c->generated,
    };
    adit_buf_clear(&c->b);
    adit_rs_head(&c->b, &head);
    bool ok = changes_flush(c, out);
    for (size_t i = 0; i < s->old.n_archives; i++) {
        const struct changes_archive *a = &s->old.archives[i];
        struct adit_rs_entry e = {
            .loc = changes_file_url(c, s, a->name), .from = a->from, .until = a->until};
        adit_buf_clear(&c->b);
        adit_rs_entry(&c->b, ADIT_RS_CHANGELIST_INDEX, &e);
        ok = ok && changes_flush(c, out);
    }
    /* The newest list goes on: it has no end. */
    struct adit_rs_entry e = {.loc = changes_file_url(c, s, "changelist.xml"), .from = s->from};
    adit_buf_clear(&c->b);
    adit_rs_entry(&c->b, ADIT_RS_CHANGELIST_INDEX, &e);
    adit_rs_tail(&c->b, ADIT_RS_CHANGELIST_INDEX);
    ok = ok && changes_flush(c, out);
    return files_add(to, out) && ok;
}

static bool write_capabilities(struct changes *c, struct section *s, struct file_set *to)
{
    const char *list = s->old.n_archives ? "changelist-index.xml" : "changelist.xml";
    struct adit_rs_head head = {
        .kind = ADIT_RS_CAPABILITYLIST,
        .up = description_url(c),
        .describes = s->is->describes,
        .describedby = describedby(s),
    };
    struct adit_rs_entry e = {.loc = changes_file_url(c, s, list),
                              .capability = ADIT_STR("changelist")};
    struct adit_rs_entry all = {.loc = changes_file_url(c, s, resources_name(s)),
                                .capability = ADIT_STR("resourcelist")};
    struct output *out = changes_open_file(c, s, "capabilitylist.xml");
    adit_buf_clear(&c->b);
    adit_rs_head(&c->b, &head);
    adit_rs_entry(&c->b, ADIT_RS_CAPABILITYLIST, &e);
    adit_rs_entry(&c->b, ADIT_RS_CAPABILITYLIST, &all);
    adit_rs_tail(&c->b, ADIT_RS_CAPABILITYLIST);
    bool ok = changes_flush(c, out);
    return files_add(to, out) && ok;
}

static bool add_capabilities(void *ctx, const struct adit_rs_entry *e)
{
    struct changes_copy *copy = ctx;
    for (size_t i = 0; i < copy->c->o.n_sections; i++)
        if (adit_str_eq(e->loc, changes_file_url(copy->c, &copy->c->v[i], "capabilitylist.xml")))
            return true;
    adit_buf_clear(&copy->c->b);
    adit_rs_entry(&copy->c->b, ADIT_RS_DESCRIPTION, e);
    return changes_flush(copy->c, copy->out);
}

static bool write_description(struct changes *c, struct file_set *to)
{
    struct adit_rs_head head = {.kind = ADIT_RS_DESCRIPTION, .describedby = describedby(&c->v[0])};
    struct changes_copy copy = {.c = c,
                                .out = publish_output(c->o.to, ".well-known/resourcesync", NULL)};
    adit_buf_clear(&c->b);
    adit_rs_head(&c->b, &head);
    bool ok = changes_flush(c, copy.out);
    for (size_t i = 0; ok && i < c->o.n_sections; i++) {
        struct adit_rs_entry e = {
            .loc = changes_file_url(c, &c->v[i], "capabilitylist.xml"),
            .capability = ADIT_STR("capabilitylist"),
            .describes = c->v[i].is->describes,
            .describedby = describedby(&c->v[i]),
        };
        adit_buf_clear(&c->b);
        adit_rs_entry(&c->b, ADIT_RS_DESCRIPTION, &e);
        ok = changes_flush(c, copy.out);
    }
    if (ok && c->o.extend && c->o.previous)
        ok = changes_old_description(&c->o, add_capabilities, &copy);
    adit_rs_tail(&c->b, ADIT_RS_DESCRIPTION);
    ok = changes_flush(c, copy.out) && ok;
    return files_add(to, copy.out) && ok;
}

bool changes_finish(struct changes *c, struct file_set *to)
{
    struct file_set lists = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < c->o.n_sections; i++) ok = begin_section(c, &c->v[i]);
    ok = ok && write_changes(c);
    for (size_t i = 0; ok && i < c->o.n_sections; i++)
        ok = files_add(&lists, end_list(c, &c->v[i], &ok)) && ok;
    for (size_t i = 0; ok && i < c->o.n_sections; i++) ok = resources_finish(c, &c->v[i], to);
    for (size_t i = 0; ok && i < c->o.n_sections; i++)
        ok = (!c->v[i].old.n_archives || write_index(c, &c->v[i], to)) &&
             write_capabilities(c, &c->v[i], to);
    /* Now that the index leads to the older changes, the list may be without them. */
    ok = ok && write_description(c, to) && files_move(&lists, to);
    files_discard(&lists);
    return ok;
}

bool changes_commit(struct changes *c)
{
    struct file_set files = {0};
    if (changes_finish(c, &files)) {
        bool ok = publish_commit(c->o.to, &files);
        if (ok) changes_tidy(c);
        return ok;
    }
    files_discard(&files);
    return false;
}

void changes_tidy(struct changes *c)
{
    for (size_t i = 0; i < c->o.n_sections; i++) resources_tidy(c, &c->v[i]);
}
