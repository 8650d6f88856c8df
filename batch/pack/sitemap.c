/* sitemap.xml: SCP's elements, then the pages; further files and an index when it grows too long.
 */
#include "batch/pack/pack_impl.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 45000000 }; /* sitemaps.org: 50 MB; a file's head and tail need little */

static const char open_tag[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\""
                               " xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\">\n";
static const char close_tag[] = "</urlset>\n";

void pack_sitemap_init(struct pack_sitemap *s, struct publish *to, const struct adit_config *config)
{
    *s = (struct pack_sitemap){.to = to, .config = config, .parts = 1};
    adit_buf_init(&s->first, cli_mem, BYTES_MAX + (1u << 20));
}

void pack_sitemap_free(struct pack_sitemap *s)
{
    adit_buf_free(&s->first);
    output_discard(s->current);
    files_discard(&s->files);
}

/* Ends the file under way. */
static bool end_part(struct pack_sitemap *s)
{
    if (!s->current) return true;
    struct output *out = s->current;
    s->current = NULL;
    bool ok = output_write(out, adit_str_z(close_tag));
    return files_add(&s->files, out) && ok;
}

static bool begin_part(struct pack_sitemap *s)
{
    char name[40];
    if (!end_part(s)) return false;
    snprintf(name, sizeof name, "sitemap-%04llu.xml", (unsigned long long)++s->parts);
    s->current = publish_output(s->to, name, NULL);
    s->entries = s->bytes = 0;
    return s->current && output_write(s->current, adit_str_z(open_tag));
}

bool pack_sitemap_add(struct pack_sitemap *s, struct adit_str url, struct adit_str modified)
{
    struct adit_buf entry;
    adit_buf_init(&entry, cli_mem, 6 * (size_t)ADIT_LIMIT_url_bytes + 256);
    adit_buf_lit(&entry, "  <url><loc>");
    adit_xml(&entry, url);
    adit_buf_lit(&entry, "</loc><lastmod>");
    adit_buf_add(&entry, modified);
    adit_buf_lit(&entry, "</lastmod></url>\n");
    bool ok = !entry.err;
    if (s->entries == ADIT_LIMIT_sitemap_items || s->bytes + entry.len > BYTES_MAX)
        ok = ok && begin_part(s);
    if (ok && s->current) ok = output_write(s->current, adit_buf_str(&entry));
    if (ok && !s->current) adit_buf_add(&s->first, adit_buf_str(&entry));
    s->entries++;
    s->bytes += entry.len;
    adit_buf_free(&entry);
    return ok && !s->first.err;
}

static bool write_index(struct pack_sitemap *s, struct file_set *to)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 64u << 20);
    adit_buf_lit(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex "
                     "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    for (uint64_t part = 1; part <= s->parts; part++) {
        adit_buf_lit(&b, "  <sitemap><loc>");
        adit_xml(&b, s->config->origin);
        adit_buf_lit(&b, "/sitemap");
        if (part > 1) {
            adit_buf_byte(&b, '-');
            adit_buf_pad(&b, part, 4);
        }
        adit_buf_lit(&b, ".xml</loc></sitemap>\n");
    }
    adit_buf_lit(&b, "</sitemapindex>\n");
    bool ok = !b.err && publish_file(s->to, "sitemap-index.xml", adit_buf_str(&b), to);
    adit_buf_free(&b);
    return ok;
}

bool pack_sitemap_end(struct pack_sitemap *s, struct adit_str scp, struct file_set *to)
{
    bool ok = end_part(s);
    struct output *out = publish_output(s->to, "sitemap.xml", NULL);
    ok = ok && out && output_write(out, adit_str_z(open_tag)) && output_write(out, scp) &&
         output_write(out, adit_buf_str(&s->first)) && output_write(out, adit_str_z(close_tag));
    ok = files_move(&s->files, to) && ok;
    ok = files_add(to, out) && ok;
    return ok && (s->parts == 1 || write_index(s, to));
}
