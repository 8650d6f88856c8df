/* XML of strangers, by libxml2 behind limits: no entities, no network, bounded depth and bytes. */
#include "batch/xml/xml.h"

#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

#define XML_FAULT_TEXT(name, text) [XML_##name] = (text),
const char *const xml_fault_texts[] = {XML_FAULTS(XML_FAULT_TEXT)};

enum { CHUNK = 64 << 10 };

/* A scanner of its own in front of the parser, over bytes: it knows only where tags, comments,
 * instructions and CDATA sections begin and end. The parser looks for duplicates among the
 * attributes of a tag one by one, and reads an internal subset before it tells of it. */
struct guard {
    enum { TEXT, OPEN, BANG, TAG, QUOTE, DASH, COMMENT, INSTRUCTION, CDATA } state;
    char quote;
    unsigned run; /* of the character that the end consists of */
    unsigned attributes;
    size_t tag_len;
    uint64_t line; /* lines ended so far */
    unsigned mark; /* bytes of the byte order mark so far; 3: no more of it */
    bool begun;
};

struct xml_reader {
    const struct xml_handler *handler;
    void *ctx;
    xmlParserCtxt *parser;
    struct guard guard;
    uint64_t bytes_max, bytes;
    enum xml_fault fault;
    uint64_t fault_line;
    unsigned depth;
};

static struct adit_str str(const xmlChar *s) { return adit_str_z((const char *)s); }

struct adit_str xml_attribute(const struct xml_element *e, const char *name)
{
    for (size_t i = 0; i < e->n_attributes; i++)
        if (!e->attributes[i].ns.len && adit_str_eq(e->attributes[i].name, adit_str_z(name)))
            return e->attributes[i].value;
    return (struct adit_str){0};
}

uint64_t xml_line(const struct xml_reader *x)
{
    if (x->fault_line) return x->fault_line;
    return x->parser->input ? (uint64_t)x->parser->input->line : 0;
}

void xml_stop(struct xml_reader *x, enum xml_fault fault)
{
    if (!x->fault) x->fault_line = xml_line(x);
    if (!x->fault) x->fault = fault;
    xmlStopParser(x->parser);
}

/* --- the guard -------------------------------------------------------------------------------- */

/* Goes on while a run of `part` has not been followed by '>'. */
static void seek_end(struct guard *g, char c, char part, unsigned need)
{
    if (c == part)
        g->run++;
    else if (c == '>' && g->run >= need)
        g->state = TEXT;
    else
        g->run = 0;
}

static void enter(struct guard *g, int state)
{
    g->state = (unsigned)state;
    g->run = 0;
}

static enum xml_fault in_tag(struct guard *g, char c)
{
    if (g->state == QUOTE) {
        if (c == g->quote) g->state = TAG;
    } else if (c == '"' || c == '\'') {
        g->state = QUOTE, g->quote = c;
    } else if (c == '>') {
        g->state = TEXT;
    } else if (c == '=') {
        g->attributes++;
    }
    return ++g->tag_len > XML_TAG_MAX || g->attributes > XML_ATTRIBUTES_MAX ? XML_TAG : XML_NONE;
}

static enum xml_fault guard_byte(struct guard *g, char c)
{
    if (!c) return XML_MALFORMED;
    switch (g->state) {
    case TEXT:
        if (c == '<') g->state = OPEN;
        return XML_NONE;
    case OPEN:
        g->attributes = 0, g->tag_len = 0;
        enter(g, c == '!' ? BANG : c == '?' ? INSTRUCTION : TAG);
        return XML_NONE;
    case BANG:
        enter(g, c == '-' ? DASH : CDATA);
        return c == '-' || c == '[' ? XML_NONE : XML_DOCTYPE;
    case DASH: enter(g, COMMENT); return c == '-' ? XML_NONE : XML_MALFORMED;
    case TAG:
    case QUOTE: return in_tag(g, c);
    case COMMENT: seek_end(g, c, '-', 2); return XML_NONE;
    case INSTRUCTION: seek_end(g, c, '?', 1); return XML_NONE;
    case CDATA: seek_end(g, c, ']', 2); return XML_NONE;
    }
    return XML_NONE;
}

/* Bytes must be a superset of ASCII, else the guard would be blind: UTF-16 and EBCDIC are not
 * read. */
static enum xml_fault guard(struct guard *g, struct adit_str part)
{
    enum xml_fault fault = XML_NONE;
    for (; g->mark < 3 && part.len && part.p[0] == "\xef\xbb\xbf"[g->mark]; g->mark++)
        part = adit_str_sub(part, 1, part.len);
    if (!part.len) return XML_NONE;
    if (!g->begun && part.p[0] != '<' && !adit_is_space(part.p[0])) return XML_MALFORMED;
    g->begun = true, g->mark = 3;
    for (size_t i = 0; !fault && i < part.len; i++) {
        if (part.p[i] == '\n') g->line++;
        fault = guard_byte(g, part.p[i]);
    }
    return fault;
}

/* --- from the parser -------------------------------------------------------------------------- */

static void on_begin(void *ctx, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int n_namespaces, const xmlChar **namespaces, int n, int n_defaulted,
                     const xmlChar **attributes)
{
    struct xml_reader *x = ctx;
    struct xml_attribute list[XML_ATTRIBUTES_MAX];
    (void)prefix, (void)n_namespaces, (void)namespaces, (void)n_defaulted;
    if (x->fault) return;
    if (x->depth >= XML_DEPTH_MAX) {
        xml_stop(x, XML_DEEP);
        return;
    }
    for (int i = 0; i < n && i < XML_ATTRIBUTES_MAX; i++, attributes += 5)
        list[i] = (struct xml_attribute){
            .name = str(attributes[0]),
            .ns = str(attributes[2]),
            .value =
                adit_str_of((const char *)attributes[3], (size_t)(attributes[4] - attributes[3])),
        };
    struct xml_element e = {.ns = str(uri),
                            .name = str(name),
                            .depth = x->depth++,
                            .attributes = list,
                            .n_attributes = (size_t)n};
    if (!x->handler->begin(x->ctx, &e)) xml_stop(x, XML_STOPPED);
}

static void on_end(void *ctx, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    struct xml_reader *x = ctx;
    (void)prefix;
    if (x->fault || !x->depth) return;
    struct xml_element e = {.ns = str(uri), .name = str(name), .depth = --x->depth};
    if (!x->handler->end(x->ctx, &e)) xml_stop(x, XML_STOPPED);
}

static void on_text(void *ctx, const xmlChar *p, int len)
{
    struct xml_reader *x = ctx;
    if (!x->fault && x->handler->text && len > 0)
        x->handler->text(x->ctx, adit_str_of((const char *)p, (size_t)len));
}

static void on_doctype(void *ctx, const xmlChar *name, const xmlChar *external,
                       const xmlChar *system)
{
    (void)name, (void)external, (void)system;
    xml_stop(ctx, XML_DOCTYPE);
}

static void ignore(void *ctx, xmlError *error) { (void)ctx, (void)error; }

/* --- reading ---------------------------------------------------------------------------------- */

struct xml_reader *xml_open(const struct xml_handler *handler, void *ctx, uint64_t bytes_max)
{
    /* No getEntity, no resolveEntity: there is nothing to load or to expand. */
    xmlSAXHandler sax = {
        .initialized = XML_SAX2_MAGIC,
        .startElementNs = on_begin,
        .endElementNs = on_end,
        .characters = on_text,
        .ignorableWhitespace = on_text,
        .internalSubset = on_doctype,
        .serror = (xmlStructuredErrorFunc)ignore,
    };
    struct xml_reader *x = calloc(1, sizeof *x);
    if (!x) return NULL;
    x->handler = handler, x->ctx = ctx, x->bytes_max = bytes_max;
    x->parser = xmlCreatePushParserCtxt(&sax, x, NULL, 0, NULL);
    if (!x->parser) {
        free(x);
        return NULL;
    }
    /* NOENT: &amp; in attributes arrives as the character. */
    xmlCtxtUseOptions(x->parser,
                      XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    return x;
}

static void parse(struct xml_reader *x, struct adit_str part, bool last)
{
    xmlParseChunk(x->parser, part.p, (int)part.len, last);
    if (x->parser->errNo == XML_ERR_NO_MEMORY) xml_stop(x, XML_MEMORY);
    if (!x->parser->wellFormed) xml_stop(x, XML_MALFORMED);
}

static void read_part(struct xml_reader *x, struct adit_str part)
{
    x->bytes += part.len;
    enum xml_fault fault = x->bytes > x->bytes_max ? XML_LARGE : guard(&x->guard, part);
    if (fault) {
        x->fault_line = x->guard.line + 1;
        xml_stop(x, fault);
    } else {
        parse(x, part, false);
    }
}

enum xml_fault xml_write(struct xml_reader *x, struct adit_str part)
{
    for (size_t i = 0; !x->fault && i < part.len; i += CHUNK)
        read_part(x, adit_str_sub(part, i, i + CHUNK));
    return x->fault;
}

enum xml_fault xml_end(struct xml_reader *x)
{
    if (!x->fault) parse(x, ADIT_STR(""), true);
    return x->fault;
}

enum xml_fault xml_read(struct xml_reader *x, struct input *in)
{
    while (!x->fault) {
        struct adit_str part = adit_str_sub(input_peek(in, CHUNK), 0, CHUNK);
        if (!part.len) break;
        xml_write(x, part);
        input_skip(in, part.len);
    }
    if (!x->fault && input_code(in)) xml_stop(x, XML_INPUT);
    return xml_end(x);
}

void xml_close(struct xml_reader *x)
{
    if (x) xmlFreeParserCtxt(x->parser);
    free(x);
}
