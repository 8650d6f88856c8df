/* sitemap.xml with SCP's elements (SCP, Discovery via Sitemap, Appendix A). */
#include "scp/scp.h"

#include "text/text.h"

#define NAMESPACE "https://scp-protocol.org/schemas/sitemap/1.0"
const char adit_scp_namespace[] = NAMESPACE;
const char *const adit_scp_element_names[] = {
    [ADIT_SCP_ELEMENT_VERSION] = "version", [ADIT_SCP_ELEMENT_COMPRESSION] = "compression",
    [ADIT_SCP_ELEMENT_SECTION] = "section", [ADIT_SCP_ELEMENT_COLLECTION] = "collection",
    [ADIT_SCP_ELEMENT_DELTA] = "delta",
};

#define XML_HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
#define SITEMAPS " xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\""

void adit_scp_sitemap_open(struct adit_buf *out)
{
    adit_buf_lit(out, XML_HEAD "<urlset" SITEMAPS " xmlns:scp=\"" NAMESPACE "\">\n");
}

void adit_scp_sitemap_close(struct adit_buf *out) { adit_buf_lit(out, "</urlset>\n"); }

/* The compressions that there are among the collections. */
void adit_scp_sitemap_scp(struct adit_buf *out, const struct adit_manifest_entry *entries, size_t n)
{
    static const char *const names[] = {"zstd", "gzip"};
    bool any = false;
    adit_buf_lit(out, "  <scp:version>0.1</scp:version>\n");
    for (size_t k = 0; k < ADIT_COUNT(names); k++) {
        size_t i = 0;
        while (i < n && !adit_str_eq(entries[i].content_encoding, adit_str_z(names[k]))) i++;
        if (i == n) continue;
        adit_buf_lit(out, any ? "," : "  <scp:compression>");
        adit_buf_lit(out, names[k]);
        any = true;
    }
    if (any) adit_buf_lit(out, "</scp:compression>\n");
}

static void put_text(struct adit_buf *out, const char *name, struct adit_str value)
{
    adit_buf_byte(out, ' ');
    adit_buf_lit(out, name);
    adit_buf_lit(out, "=\"");
    adit_xml(out, value);
    adit_buf_byte(out, '"');
}

static void put_number(struct adit_buf *out, const char *name, uint64_t value)
{
    char digits[20];
    struct adit_buf b = {.p = digits, .cap = sizeof digits, .max = sizeof digits};
    adit_buf_u64(&b, value);
    put_text(out, name, adit_buf_str(&b));
}

void adit_scp_sitemap_section(struct adit_buf *out, struct adit_str name, struct adit_str freq,
                              uint64_t pages)
{
    adit_buf_lit(out, "  <scp:section");
    put_text(out, "name", name);
    put_text(out, "updateFreq", freq);
    put_number(out, "pages", pages);
    adit_buf_lit(out, "/>\n");
}

/* The period that a delta covers: the date it was generated at; of hourly ones with the hour. */
static struct adit_str period_of(const struct adit_manifest_entry *e)
{
    bool hourly = adit_str_eq(e->update_freq, ADIT_STR("hourly"));
    return adit_str_sub(e->generated, 0, hourly ? 13 : 10);
}

void adit_scp_sitemap_collection(struct adit_buf *out, struct adit_str folder,
                                 const struct adit_manifest_entry *e)
{
    bool is_delta = adit_manifest_is_delta(e);
    adit_buf_lit(out, is_delta ? "  <scp:delta" : "  <scp:collection");
    put_text(out, "section", e->section);
    if (is_delta)
        put_text(out, "period", period_of(e));
    else
        put_text(out, "type", e->type);
    adit_buf_lit(out, " url=\"");
    adit_xml(out, folder);
    adit_xml(out, e->file);
    adit_buf_byte(out, '"');
    put_text(out, "generated", e->generated);
    put_text(out, "expires", e->expires);
    put_number(out, "pages", e->pages);
    put_number(out, "size", e->size);
    if (is_delta) put_text(out, "since", e->since);
    adit_buf_lit(out, "/>\n");
}

void adit_scp_sitemap_page(struct adit_buf *out, struct adit_str url, struct adit_str modified)
{
    adit_buf_lit(out, "  <url><loc>");
    adit_xml(out, url);
    adit_buf_lit(out, "</loc><lastmod>");
    adit_buf_add(out, modified);
    adit_buf_lit(out, "</lastmod></url>\n");
}

void adit_scp_sitemap_index(struct adit_buf *out, struct adit_str origin, uint64_t n)
{
    adit_buf_lit(out, XML_HEAD "<sitemapindex" SITEMAPS ">\n");
    for (uint64_t part = 1; part <= n; part++) {
        adit_buf_lit(out, "  <sitemap><loc>");
        adit_xml(out, origin);
        adit_buf_lit(out, "/sitemap");
        if (part > 1) {
            adit_buf_byte(out, '-');
            adit_buf_pad(out, part, 4);
        }
        adit_buf_lit(out, ".xml</loc></sitemap>\n");
    }
    adit_buf_lit(out, "</sitemapindex>\n");
}
