/* Text as XML: what must be escaped, what cannot be said. */
#include "text/text.h"

static const char *reference(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

static bool plain(char c)
{
    unsigned char u = (unsigned char)c;
    return u >= 0x20 && u < 0x7F && c != '&' && c != '<' && c != '>' && c != '"' && c != '\'';
}

/* XML 1.0, 2.2 Characters; surrogates and ill-formed sequences have become U+FFFD already. */
static bool is_char(uint32_t cp)
{
    return cp == '\t' || cp == '\n' || cp == '\r' || (cp >= 0x20 && cp != 0xFFFE && cp != 0xFFFF);
}

void adit_xml(struct adit_buf *out, struct adit_str text)
{
    for (size_t i = 0; i < text.len;) {
        size_t from = i;
        while (i < text.len && plain(text.p[i])) i++;
        adit_buf_add(out, adit_str_sub(text, from, i));
        if (i == text.len) break;
        const char *r = reference(text.p[i]);
        if (r) {
            adit_buf_lit(out, r);
            i++;
        } else {
            uint32_t cp = adit_utf8_next(text, &i);
            adit_utf8_put(out, is_char(cp) ? cp : 0xFFFD);
        }
    }
}

void adit_xml_attribute(struct adit_buf *out, const char *name, struct adit_str value)
{
    adit_buf_byte(out, ' ');
    adit_buf_lit(out, name);
    adit_buf_lit(out, "=\"");
    adit_xml(out, value);
    adit_buf_byte(out, '"');
}

void adit_xml_element(struct adit_buf *out, const char *name, struct adit_str text)
{
    adit_buf_byte(out, '<');
    adit_buf_lit(out, name);
    adit_buf_byte(out, '>');
    adit_xml(out, text);
    adit_buf_lit(out, "</");
    adit_buf_lit(out, name);
    adit_buf_byte(out, '>');
}

void adit_xml_link(struct adit_buf *out, const char *name, const char *rel, struct adit_str href)
{
    adit_buf_byte(out, '<');
    adit_buf_lit(out, name);
    adit_xml_attribute(out, "rel", adit_str_z(rel));
    adit_xml_attribute(out, "href", href);
    adit_buf_lit(out, "/>");
}
