/* MathML and SVG within HTML: the rules for parsing tokens in foreign content (13.2.6.5), which
 * tokens they are for, and how attributes are renamed ("adjust foreign attributes"). */
#include "html/modes_impl.h"

/* "MathML text integration point". */
static bool is_math_text(const struct open_element *e)
{
    switch (e->tag) {
    case ADIT_TAG_MI:
    case ADIT_TAG_MO:
    case ADIT_TAG_MN:
    case ADIT_TAG_MS:
    case ADIT_TAG_MTEXT: return e->ns == ADIT_NS_MATH;
    default: return false;
    }
}

static uint32_t encoding_of(const struct adit_html *p, uint32_t node)
{
    for (uint32_t i = p->dom.nodes[node].attrs; i;
         i = p->dom.attrs[i].more & VALUE_MORE ? i + 1 : 0)
        if (p->dom.attrs[i].name == PARSE_ATTR_ENCODING) return i;
    return 0;
}

/* "HTML integration point". */
static bool is_html_point(struct adit_html *p, const struct open_element *e)
{
    if (e->ns == ADIT_NS_SVG)
        return e->tag == ADIT_TAG_FOREIGNOBJECT || e->tag == ADIT_TAG_DESC ||
               e->tag == ADIT_TAG_TITLE;
    if (e->ns != ADIT_NS_MATH || e->tag != ADIT_TAG_ANNOTATION_XML) return false;
    uint32_t encoding = encoding_of(p, e->node);
    return adit_parse_value_is(p, encoding, ADIT_STR("text/html")) ||
           adit_parse_value_is(p, encoding, ADIT_STR("application/xhtml+xml"));
}

bool adit_foreign_takes_start(struct adit_html *p, uint16_t tag)
{
    const struct open_element *e = current(p);
    if (is_math_text(e) && tag != ADIT_TAG_MGLYPH && tag != ADIT_TAG_MALIGNMARK) return false;
    if (e->ns == ADIT_NS_MATH && e->tag == ADIT_TAG_ANNOTATION_XML && tag == ADIT_TAG_SVG)
        return false;
    return !is_html_point(p, e);
}

bool adit_foreign_takes_text(struct adit_html *p)
{
    return !is_math_text(current(p)) && !is_html_point(p, current(p));
}

/* Ends foreign content up to where HTML may stand. */
static void break_out(struct adit_html *p)
{
    while (current(p)->ns != ADIT_NS_HTML && adit_foreign_takes_text(p)) open_pop(p);
}

static bool breaks_out(const struct adit_html *p, uint16_t tag)
{
    if (tag == ADIT_TAG_FONT)
        return adit_tag_attr(p, PARSE_ATTR_COLOR) || adit_tag_attr(p, PARSE_ATTR_FACE) ||
               adit_tag_attr(p, PARSE_ATTR_SIZE);
    return tag_flags(tag) & IS_BREAKOUT;
}

bool adit_foreign_start(struct adit_html *p, uint16_t tag)
{
    if (breaks_out(p, tag)) {
        break_out(p);
        return adit_modes[p->mode].start(p, tag);
    }
    uint8_t ns = current(p)->ns;
    if (p->tag.self_closing)
        adit_tree_insert_void(p, tag, ns);
    else
        adit_tree_insert(p, tag, ns);
    return true;
}

bool adit_foreign_end(struct adit_html *p, uint16_t tag)
{
    if (tag == ADIT_TAG_BR || tag == ADIT_TAG_P) {
        break_out(p);
        return adit_modes[p->mode].end(p, tag);
    }
    for (uint32_t i = p->n_open - 1; i > 0 && p->open[i].ns != ADIT_NS_HTML; i--, p->work++) {
        if (p->open[i].tag != tag) continue;
        adit_open_pop_to(p, i);
        return true;
    }
    return adit_modes[p->mode].end(p, tag);
}

void adit_foreign_adjust(struct adit_html *p)
{
    static const struct {
        uint16_t from, to;
    } names[] = {
        {ADIT_ATTR_XML_LANG, ADIT_ATTR_LANG},    {PARSE_ATTR_XLINK_HREF, ADIT_ATTR_HREF},
        {PARSE_ATTR_XLINK_ROLE, ADIT_ATTR_ROLE}, {PARSE_ATTR_XLINK_TITLE, ADIT_ATTR_TITLE},
        {PARSE_ATTR_XLINK_TYPE, ADIT_ATTR_TYPE},
    };
    for (uint32_t i = 0; i < p->tag.n_attrs; i++)
        for (size_t k = 0; k < ADIT_COUNT(names); k++)
            if (p->dom.attrs[p->tag.attrs + i].name == names[k].from)
                p->dom.attrs[p->tag.attrs + i].name = names[k].to;
}
