/* sitemap.xml: SCP's elements, then the pages; further files and an index when it grows too long.
 */
#include "batch/pack/pack_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDEX_FILE "sitemap-index.xml"
enum { BYTES_MAX = 45000000 }; /* sitemaps.org: 50 MB; a file's head and tail need little */

void pack_sitemap_init(struct pack_sitemap *s, struct publish *to, const struct adit_config *config)
{
    *s = (struct pack_sitemap){.to = to, .config = config, .parts = 1};
    spool_init(&s->first, publish_temp(to));
}

void pack_sitemap_free(struct pack_sitemap *s)
{
    spool_free(&s->first);
    output_discard(s->current);
}

/* One of the functions that append to a buffer, to a file. */
static bool write_tag(struct output *out, void (*tag)(struct adit_buf *))
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 1024);
    tag(&b);
    bool ok = !b.err && output_write(out, adit_buf_str(&b));
    adit_buf_free(&b);
    return ok;
}

/* Ends the file under way. */
static bool end_part(struct pack_sitemap *s)
{
    if (!s->current) return true;
    struct output *out = s->current;
    s->current = NULL;
    bool ok = write_tag(out, adit_scp_sitemap_close);
    return publish_put(s->to, out) && ok;
}

static const char *part_name(uint64_t part, char name[40])
{
    snprintf(name, 40, "sitemap-%04llu.xml", (unsigned long long)part);
    return name;
}

static bool begin_part(struct pack_sitemap *s)
{
    char name[40];
    if (!end_part(s)) return false;
    part_name(++s->parts, name);
    s->current = publish_output(s->to, name, NULL);
    s->entries = s->bytes = 0;
    return s->current && write_tag(s->current, adit_scp_sitemap_open);
}

bool pack_sitemap_add(struct pack_sitemap *s, struct adit_str url, struct adit_str modified)
{
    struct adit_buf entry;
    adit_buf_init(&entry, cli_mem, 6 * (size_t)ADIT_LIMIT_url_bytes + 256);
    adit_scp_sitemap_page(&entry, url, modified);
    bool ok = !entry.err;
    if (s->entries == ADIT_LIMIT_sitemap_items || s->bytes + entry.len > BYTES_MAX)
        ok = ok && begin_part(s);
    if (ok && s->current) ok = output_write(s->current, adit_buf_str(&entry));
    if (ok && !s->current) ok = spool_add(&s->first, adit_buf_str(&entry));
    s->entries++;
    s->bytes += entry.len;
    adit_buf_free(&entry);
    return ok;
}

static bool write_index(struct pack_sitemap *s, struct file_set *to)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 64u << 20);
    adit_scp_sitemap_index(&b, s->config->origin, s->parts);
    bool ok = !b.err && publish_file(s->to, INDEX_FILE, adit_buf_str(&b), to);
    adit_buf_free(&b);
    return ok;
}

bool pack_sitemap_end(struct pack_sitemap *s, struct adit_str scp, struct file_set *to)
{
    bool ok = end_part(s);
    struct output *out = publish_output(s->to, "sitemap.xml", NULL);
    ok = ok && out && write_tag(out, adit_scp_sitemap_open) && output_write(out, scp) &&
         spool_copy(&s->first, out) && write_tag(out, adit_scp_sitemap_close);
    ok = files_add(to, out) && ok;
    return ok && (s->parts == 1 || write_index(s, to));
}

void pack_sitemap_tidy(const struct pack_sitemap *s)
{
    char name[40];
    bool more = s->parts > 1 || publish_remove(s->to, INDEX_FILE) == PUBLISH_REMOVED;
    for (uint64_t part = s->parts + 1; more; part++)
        more = publish_remove(s->to, part_name(part, name)) == PUBLISH_REMOVED;
}
