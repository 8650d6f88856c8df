/* The resource list of a section: all pages that are listed now, so that whoever has nothing yet can
 * begin (ResourceSync 1.1, section 10); in parts with an index when it is long. */
#include "batch/changes/changes_impl.h"

#include <stdio.h>

/* About 200 bytes an entry; URLs may be much longer: then a part has fewer. */
enum { FIRST_MAX = 4 << 20 };
#define INDEX_FILE "resourcelist-index.xml"

void resources_open(struct section *s)
{
    adit_buf_init(&s->resources.first, cli_mem, 2 * (size_t)FIRST_MAX);
    s->resources.parts = 1;
}

void resources_free(struct section *s)
{
    adit_buf_free(&s->resources.first);
    output_discard(s->resources.out);
}

const char *resources_name(const struct section *s)
{
    return s->resources.parts > 1 ? INDEX_FILE : "resourcelist.xml";
}

static const char *part_name(uint64_t part, char name[64])
{
    if (part == 1)
        snprintf(name, 64, "resourcelist.xml");
    else
        snprintf(name, 64, "resourcelist-%04llu.xml", (unsigned long long)part);
    return name;
}

static bool begin(struct changes *c, struct section *s, uint64_t part, struct output **out)
{
    char name[64];
    struct adit_rs_head head = {
        .kind = ADIT_RS_RESOURCELIST,
        .up = changes_file_url(c, s, "capabilitylist.xml"),
        .at = c->generated,
    };
    if (s->resources.parts > 1) head.index = changes_file_url(c, s, INDEX_FILE);
    *out = changes_open_file(c, s, part_name(part, name));
    adit_buf_clear(&c->b);
    adit_rs_head(&c->b, &head);
    return changes_flush(c, *out);
}

static bool finish_part(struct changes *c, struct output *out)
{
    adit_buf_clear(&c->b);
    adit_rs_tail(&c->b, ADIT_RS_RESOURCELIST);
    bool ok = changes_flush(c, out);
    return publish_put(c->o.to, out) && ok;
}

static bool next_part(struct changes *c, struct section *s)
{
    struct resources *r = &s->resources;
    struct output *out = r->out;
    r->out = NULL;
    if (out && !finish_part(c, out)) return false;
    r->n = 0;
    r->parts++;
    return begin(c, s, r->parts, &r->out);
}

bool resources_add(struct changes *c, struct section *s, struct adit_str url,
                   struct adit_str lastmod)
{
    struct resources *r = &s->resources;
    struct adit_rs_entry e = {.loc = url, .lastmod = lastmod};
    bool full = r->n == c->o.list_max || (!r->out && r->first.len > FIRST_MAX);
    if (full && !next_part(c, s)) return false;
    r->n++;
    adit_buf_clear(&c->b);
    adit_rs_entry(&c->b, ADIT_RS_RESOURCELIST, &e);
    if (r->out) return changes_flush(c, r->out);
    adit_buf_add(&r->first, adit_buf_str(&c->b));
    return !r->first.err && !c->b.err;
}

static bool write_index(struct changes *c, struct section *s, struct file_set *to)
{
    struct output *out = changes_open_file(c, s, INDEX_FILE);
    struct adit_rs_head head = {
        .kind = ADIT_RS_RESOURCELIST_INDEX,
        .up = changes_file_url(c, s, "capabilitylist.xml"),
        .at = c->generated,
    };
    adit_buf_clear(&c->b);
    adit_rs_head(&c->b, &head);
    bool ok = changes_flush(c, out);
    for (uint64_t part = 1; ok && part <= s->resources.parts; part++) {
        char name[64];
        struct adit_rs_entry e = {.loc = changes_file_url(c, s, part_name(part, name)),
                                  .at = c->generated};
        adit_buf_clear(&c->b);
        adit_rs_entry(&c->b, ADIT_RS_RESOURCELIST_INDEX, &e);
        ok = changes_flush(c, out);
    }
    adit_rs_tail(&c->b, ADIT_RS_RESOURCELIST_INDEX);
    ok = changes_flush(c, out) && ok;
    return files_add(to, out) && ok;
}

void resources_tidy(struct changes *c, const struct section *s)
{
    char name[64];
    bool more = s->resources.parts > 1 || changes_drop_file(c, s, INDEX_FILE);
    for (uint64_t part = s->resources.parts + 1; more; part++)
        more = changes_drop_file(c, s, part_name(part, name));
}

bool resources_finish(struct changes *c, struct section *s, struct file_set *to)
{
    struct resources *r = &s->resources;
    struct output *last = r->out, *first;
    r->out = NULL;
    if (last && !finish_part(c, last)) return false;
    bool ok = begin(c, s, 1, &first) && output_write(first, adit_buf_str(&r->first));
    adit_buf_clear(&c->b);
    adit_rs_tail(&c->b, ADIT_RS_RESOURCELIST);
    ok = changes_flush(c, first) && ok;
    ok = files_add(to, first) && ok;
    return ok && (r->parts == 1 || write_index(c, s, to));
}
