/* ResourceSync documents, entry by entry (ResourceSync 1.1, sections 8, 9, 10, 12). */
#include "rs/rs.h"
#include "text/text.h"

#define NAMESPACE "http://www.openarchives.org/rs/terms/"
const char adit_rs_namespace[] = NAMESPACE;

static const struct kind {
    const char *root, *entry, *capability;
} kinds[] = {
    [ADIT_RS_DESCRIPTION] = {"urlset", "url", "description"},
    [ADIT_RS_CAPABILITYLIST] = {"urlset", "url", "capabilitylist"},
    [ADIT_RS_CHANGELIST] = {"urlset", "url", "changelist"},
    [ADIT_RS_CHANGELIST_INDEX] = {"sitemapindex", "sitemap", "changelist"},
    [ADIT_RS_RESOURCELIST] = {"urlset", "url", "resourcelist"},
    [ADIT_RS_RESOURCELIST_INDEX] = {"sitemapindex", "sitemap", "resourcelist"},
};

const char *const adit_rs_change_names[] = {"created", "updated", "deleted"};

enum adit_rs_change adit_rs_change_of(struct adit_str name)
{
    for (size_t i = 0; i < ADIT_RS_CHANGES; i++)
        if (adit_str_eq(name, adit_str_z(adit_rs_change_names[i]))) return (enum adit_rs_change)i;
    return ADIT_RS_CHANGES;
}

static void attribute(struct adit_buf *out, const char *name, struct adit_str value)
{
    if (value.len) adit_xml_attribute(out, name, value);
}

static void put_link(struct adit_buf *out, const char *before, const char *rel,
                     struct adit_str href)
{
    if (!href.len) return;
    adit_buf_lit(out, before);
    adit_xml_link(out, "rs:ln", rel, href);
}

void adit_rs_head(struct adit_buf *out, const struct adit_rs_head *head)
{
    const struct kind *k = &kinds[head->kind];
    adit_buf_lit(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<");
    adit_buf_lit(out, k->root);
    adit_buf_lit(out, " xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\""
                      " xmlns:rs=\"" NAMESPACE "\">");
    put_link(out, "\n  ", "up", head->up);
    put_link(out, "\n  ", "index", head->index);
    put_link(out, "\n  ", "describes", head->describes);
    put_link(out, "\n  ", "describedby", head->describedby);
    adit_buf_lit(out, "\n  <rs:md");
    attribute(out, "capability", adit_str_z(k->capability));
    attribute(out, "at", head->at);
    attribute(out, "from", head->from);
    attribute(out, "until", head->until);
    adit_buf_lit(out, "/>\n");
}

static void put_md(struct adit_buf *out, enum adit_rs_kind kind, const struct adit_rs_entry *e)
{
    adit_buf_lit(out, "<rs:md");
    attribute(out, "capability", e->capability);
    if (kind == ADIT_RS_CHANGELIST)
        attribute(out, "change", adit_str_z(adit_rs_change_names[e->change]));
    attribute(out, "datetime", e->datetime);
    attribute(out, "at", e->at);
    attribute(out, "from", e->from);
    attribute(out, "until", e->until);
    adit_buf_lit(out, "/>");
}

void adit_rs_entry(struct adit_buf *out, enum adit_rs_kind kind, const struct adit_rs_entry *e)
{
    const struct kind *k = &kinds[kind];
    adit_buf_lit(out, "  <");
    adit_buf_lit(out, k->entry);
    adit_buf_byte(out, '>');
    adit_xml_element(out, "loc", e->loc);
    if (e->lastmod.len) adit_xml_element(out, "lastmod", e->lastmod);
    if (kind != ADIT_RS_RESOURCELIST) put_md(out, kind, e);
    put_link(out, "", "describes", e->describes);
    put_link(out, "", "describedby", e->describedby);
    adit_buf_lit(out, "</");
    adit_buf_lit(out, k->entry);
    adit_buf_lit(out, ">\n");
}

void adit_rs_tail(struct adit_buf *out, enum adit_rs_kind kind)
{
    adit_buf_lit(out, "</");
    adit_buf_lit(out, kinds[kind].root);
    adit_buf_lit(out, ">\n");
}
