/* Atom feeds, entry by entry (RFC 4287, RFC 5005). */
#include "atom/atom_impl.h"
#include "text/text.h"

static void element(struct adit_buf *out, const char *indent, const char *name,
                    struct adit_str text)
{
    if (!text.len) return;
    adit_buf_lit(out, indent);
    adit_xml_element(out, name, text);
    adit_buf_byte(out, '\n');
}

static void put_link(struct adit_buf *out, const char *indent, const char *rel,
                     struct adit_str href)
{
    if (!href.len) return;
    adit_buf_lit(out, indent);
    adit_xml_link(out, "link", rel, href);
    adit_buf_byte(out, '\n');
}

void adit_atom_head(struct adit_feed_writer *w, const struct adit_atom_feed *f)
{
    struct adit_buf *out = w->out;
    bool archive = f->current.len > 0;
    adit_buf_lit(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                      "<feed xmlns=\"http://www.w3.org/2005/Atom\"");
    if (archive) adit_buf_lit(out, " xmlns:fh=\"http://purl.org/syndication/history/1.0\"");
    adit_buf_lit(out, ">\n");
    element(out, "  ", "id", f->id);
    adit_buf_lit(out, "  "); /* a title is required, if it is empty */
    adit_xml_element(out, "title", f->title);
    adit_buf_byte(out, '\n');
    element(out, "  ", "updated", f->updated);
    adit_buf_lit(out, "  <author>\n");
    element(out, "    ", "name", f->author);
    element(out, "    ", "uri", f->author_uri);
    adit_buf_lit(out, "  </author>\n");
    put_link(out, "  ", "self", f->self);
    put_link(out, "  ", "alternate", f->alternate);
    put_link(out, "  ", "hub", f->hub);
    /* RFC 5005: readers know the links of section 3 or those of section 4. */
    put_link(out, "  ", "next", f->older);
    put_link(out, "  ", "prev-archive", f->older);
    put_link(out, "  ", "current", f->current);
    adit_buf_lit(out, "  <generator");
    if (f->generator_version.len) adit_xml_attribute(out, "version", f->generator_version);
    adit_buf_lit(out, ">adit</generator>\n");
    if (archive) adit_buf_lit(out, "  <fh:archive/>\n");
}

void adit_atom_entry(struct adit_feed_writer *w, const struct adit_atom_entry *e)
{
    struct adit_buf *out = w->out;
    adit_buf_lit(out, "  <entry>\n");
    element(out, "    ", "id", e->id);
    adit_buf_lit(out, "    ");
    adit_xml_element(out, "title", e->title);
    adit_buf_byte(out, '\n');
    element(out, "    ", "updated", e->updated);
    put_link(out, "    ", "alternate", e->link);
    adit_buf_lit(out, "    <content type=\"html\">");
    adit_xml(out, e->html);
    adit_buf_lit(out, "</content>\n  </entry>\n");
}

void adit_atom_tail(struct adit_feed_writer *w) { adit_buf_lit(w->out, "</feed>\n"); }
