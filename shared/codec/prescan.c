/* What a page says of its own encoding (HTML standard, 13.2.3.2, "prescan a byte stream to
 * determine its encoding", with its sub-algorithms by the same names). */
#include "codec/encodings_impl.h"

/* A position in the bytes; every step may find that they end. */
struct scan {
    struct adit_str s;
    size_t at;
};

static bool at_end(const struct scan *c) { return c->at >= c->s.len; }
static char here(const struct scan *c) { return c->s.p[c->at]; }

static bool looking_at(const struct scan *c, struct adit_str what)
{
    return adit_str_istarts(adit_str_sub(c->s, c->at, c->s.len), what);
}

static void skip_spaces(struct scan *c)
{
    while (!at_end(c) && adit_is_space(here(c))) c->at++;
}

/* Behind the next '>', or the end. */
static void skip_past_gt(struct scan *c) { c->at = adit_str_chr(c->s, '>', c->at) + 1; }

struct attribute {
    struct adit_str name, value;
};

/* The value of an attribute, c standing behind the '='. False: the bytes end. */
static bool get_value(struct scan *c, struct adit_str *value)
{
    skip_spaces(c);
    if (at_end(c)) return false;
    char quote = here(c);
    bool quoted = quote == '"' || quote == '\'';
    size_t start = c->at + quoted;
    c->at = start;
    if (quoted) {
        c->at = adit_str_chr(c->s, quote, start);
    } else {
        while (!at_end(c) && !adit_is_space(here(c)) && here(c) != '>') c->at++;
    }
    if (at_end(c)) return false;
    *value = adit_str_sub(c->s, start, c->at);
    c->at += quoted;
    return true;
}

static bool ends_name(char c) { return adit_is_space(c) || c == '=' || c == '/' || c == '>'; }

/* "Get an attribute". False: there is none, because the tag or the bytes end. */
static bool get_attribute(struct scan *c, struct attribute *a)
{
    while (!at_end(c) && (adit_is_space(here(c)) || here(c) == '/')) c->at++;
    if (at_end(c) || here(c) == '>') return false;
    size_t start = c->at++;
    while (!at_end(c) && !ends_name(here(c))) c->at++;
    *a = (struct attribute){.name = adit_str_sub(c->s, start, c->at)};
    skip_spaces(c);
    if (at_end(c)) return false;
    if (here(c) != '=') return true;
    c->at++;
    return get_value(c, &a->value);
}

/* "Extracting a character encoding from a meta element": of the value of its content attribute. */
static const struct adit_encoding *encoding_in_content(struct adit_str content)
{
    struct scan c = {content, 0};
    for (;;) {
        c.at = adit_str_ifind(content, ADIT_STR("charset"), c.at);
        if (at_end(&c)) return NULL;
        c.at += ADIT_STR("charset").len;
        skip_spaces(&c);
        if (!at_end(&c) && here(&c) == '=') break;
    }
    c.at++;
    skip_spaces(&c);
    if (at_end(&c)) return NULL;
    size_t start = c.at, end = start;
    if (here(&c) == '"' || here(&c) == '\'') {
        end = adit_str_chr(content, here(&c), ++start);
        if (end == content.len) return NULL;
    } else {
        while (end < content.len && !adit_is_space(content.p[end]) && content.p[end] != ';') end++;
    }
    return adit_encoding_find(adit_str_sub(content, start, end));
}

enum seen { SEEN_HTTP_EQUIV = 1, SEEN_CONTENT = 2, SEEN_CHARSET = 4 };

/* What the attributes of a meta tag have said so far. */
struct meta {
    unsigned seen;
    bool got_pragma, need_pragma;
    const struct adit_encoding *encoding;
};

/* True for the first attribute of this name. */
static bool is_first(struct meta *m, const struct attribute *a, struct adit_str name, enum seen bit)
{
    if (!adit_str_ieq(a->name, name) || m->seen & bit) return false;
    m->seen |= bit;
    return true;
}

static void read_meta_attribute(struct meta *m, const struct attribute *a)
{
    if (is_first(m, a, ADIT_STR("http-equiv"), SEEN_HTTP_EQUIV)) {
        m->got_pragma = adit_str_ieq(a->value, ADIT_STR("content-type"));
    } else if (is_first(m, a, ADIT_STR("content"), SEEN_CONTENT)) {
        const struct adit_encoding *e = encoding_in_content(a->value);
        if (!e || m->encoding || m->seen & SEEN_CHARSET) return;
        m->encoding = e;
        m->need_pragma = true;
    } else if (is_first(m, a, ADIT_STR("charset"), SEEN_CHARSET)) {
        m->encoding = adit_encoding_find(a->value);
        m->need_pragma = false;
    }
}

/* A page that can say this in ASCII is not UTF-16, and nobody means x-user-defined. */
static const struct adit_encoding *sensible(const struct adit_encoding *e)
{
    if (e && e->kind == ADIT_ENCODING_UTF16) return adit_encoding_find(ADIT_STR("utf-8"));
    if (e && adit_str_eq(adit_str_z(e->name), ADIT_STR("x-user-defined")))
        return adit_encoding_find(ADIT_STR("windows-1252"));
    return e;
}

/* c stands behind "<meta". */
static const struct adit_encoding *read_meta(struct scan *c)
{
    struct meta m = {0};
    struct attribute a;
    while (get_attribute(c, &a)) read_meta_attribute(&m, &a);
    if (at_end(c) || (m.need_pragma && !m.got_pragma)) return NULL;
    return sensible(m.encoding);
}

const char *adit_charset_of_meta(struct adit_str attributes)
{
    struct scan c = {attributes, 0};
    const struct adit_encoding *e = read_meta(&c);
    return e ? e->name : NULL;
}

struct adit_str adit_tag_lang(struct adit_str tag)
{
    struct scan c = {tag, 0};
    struct attribute a;
    struct adit_str xml = {0};
    while (!at_end(&c) && !ends_name(here(&c))) c.at++;
    while (get_attribute(&c, &a)) {
        if (adit_str_ieq(a.name, ADIT_STR("lang"))) return adit_str_trim(a.value);
        if (adit_str_ieq(a.name, ADIT_STR("xml:lang"))) xml = adit_str_trim(a.value);
    }
    return xml;
}

/* c stands on '<'. Goes behind the tag, comment or whatever it is; the encoding if it declares one.
 */
static const struct adit_encoding *read_markup(struct scan *c)
{
    struct attribute a;
    if (looking_at(c, ADIT_STR("<!--"))) {
        /* "<!-->" is a whole comment. */
        c->at = adit_str_find(c->s, ADIT_STR("-->"), c->at + 2) + 3;
        return NULL;
    }
    char next = c->at + 1 < c->s.len ? c->s.p[c->at + 1] : 0;
    char after = c->at + 5 < c->s.len ? c->s.p[c->at + 5] : 0;
    if (looking_at(c, ADIT_STR("<meta")) && (adit_is_space(after) || after == '/')) {
        c->at += 5;
        return read_meta(c);
    }
    size_t letter = c->at + 1 + (next == '/');
    if (letter < c->s.len && adit_is_alpha(c->s.p[letter])) {
        while (!at_end(c) && !adit_is_space(here(c)) && here(c) != '>') c->at++;
        while (get_attribute(c, &a)) continue;
    } else if (next == '!' || next == '/' || next == '?') {
        skip_past_gt(c);
        return NULL;
    }
    c->at++;
    return NULL;
}

/* "Get an XML encoding". */
static const struct adit_encoding *xml_encoding(struct adit_str body)
{
    if (!adit_str_starts(body, ADIT_STR("<?xml"))) return NULL;
    struct scan c = {adit_str_sub(body, 0, adit_str_chr(body, '>', 0)), 0};
    if (c.s.len == body.len) return NULL;
    c.at = adit_str_find(c.s, ADIT_STR("encoding"), 0) + ADIT_STR("encoding").len;
    while (!at_end(&c) && (unsigned char)here(&c) <= 0x20) c.at++;
    if (at_end(&c) || here(&c) != '=') return NULL;
    c.at++;
    while (!at_end(&c) && (unsigned char)here(&c) <= 0x20) c.at++;
    if (at_end(&c) || (here(&c) != '"' && here(&c) != '\'')) return NULL;
    size_t start = c.at + 1, end = adit_str_chr(c.s, here(&c), start);
    if (end == c.s.len) return NULL;
    struct adit_str label = adit_str_sub(c.s, start, end);
    for (size_t i = 0; i < label.len; i++)
        if ((unsigned char)label.p[i] <= 0x20) return NULL;
    const struct adit_encoding *e = adit_encoding_find(label);
    return e && e->kind == ADIT_ENCODING_UTF16 ? sensible(e) : e;
}

const struct adit_encoding *adit_prescan(struct adit_str body)
{
    if (adit_str_starts(body, ADIT_STR("<\0?\0x\0")))
        return adit_encoding_find(ADIT_STR("utf-16le"));
    if (adit_str_starts(body, ADIT_STR("\0<\0?\0x")))
        return adit_encoding_find(ADIT_STR("utf-16be"));
    struct scan c = {body, 0};
    for (;;) {
        c.at = adit_str_chr(body, '<', c.at);
        if (at_end(&c)) return xml_encoding(body);
        const struct adit_encoding *e = read_markup(&c);
        if (e) return e;
    }
}
