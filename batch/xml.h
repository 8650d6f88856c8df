/* xml: XML documents of strangers as a stream of elements, in constant memory.
 *
 * libxml2 parses; this puts a fence around it. Documents with a document type are refused before
 * the parser sees it, so there are no entities but the five predefined ones, nothing is ever
 * loaded, and nothing can grow. Tags, attributes and depth have caps; prefixes are resolved.
 */
#ifndef ADIT_XML_H
#define ADIT_XML_H

#include "batch/input.h"

#define XML_FAULTS(X)                                                            \
    X(NONE, "")                                                                  \
    X(INPUT, "cannot be read or decompressed")                                   \
    X(MALFORMED, "not well-formed XML")                                          \
    X(DOCTYPE, "has a document type; entities are never read")                   \
    X(LARGE, "larger than the limit")                                            \
    X(DEEP, "elements are nested too deep")                                      \
    X(TAG, "a tag is too long or has too many attributes")                       \
    X(ROOT, "the root is neither urlset nor sitemapindex of sitemaps 0.9")       \
    X(ENTRIES, "more entries than a sitemap may have; split it behind an index") \
    X(MEMORY, "no memory")                                                       \
    X(STOPPED, "the reader has seen enough")

enum xml_fault {
#define XML_FAULT_ENUM(name, text) XML_##name,
    XML_FAULTS(XML_FAULT_ENUM)
#undef XML_FAULT_ENUM
};
extern const char *const xml_fault_texts[];

enum {
    XML_BYTES_MAX = 52428800, /* what a sitemap may have (sitemaps.org, 50 MB) */
    XML_DEPTH_MAX = 32,
    XML_ATTRIBUTES_MAX = 64,
    XML_TAG_MAX = 128 << 10 /* a URL of the greatest length, every byte escaped */
};

struct xml_attribute {
    struct adit_str ns, name, value;
};

struct xml_element {
    struct adit_str ns, name;
    unsigned depth; /* the root is 0 */
    const struct xml_attribute *attributes;
    size_t n_attributes;
};

/* The value of the attribute without a namespace; p is NULL where there is none. */
struct adit_str xml_attribute(const struct xml_element *e, const char *name);

struct xml_reader;

/* False from begin or end stops the reading (xml_stop says why; else XML_STOPPED). All slices live
 * until the function returns. end is told name, ns and depth only. */
struct xml_handler {
    bool (*begin)(void *ctx, const struct xml_element *e);
    bool (*end)(void *ctx, const struct xml_element *e);
    void (*text)(void *ctx, struct adit_str part); /* also of CDATA sections; NULL: not wanted */
};

struct xml_reader *xml_open(const struct xml_handler *handler, void *ctx, uint64_t bytes_max);
/* Reads in to its end. What is wrong is the result; xml_line says where. */
enum xml_fault xml_read(struct xml_reader *x, struct input *in);
/* The same in pieces, as they come. After a fault the rest is passed over. */
enum xml_fault xml_write(struct xml_reader *x, struct adit_str part);
enum xml_fault xml_end(struct xml_reader *x);
/* In a handler, before it returns false: the fault that xml_read gives back. */
void xml_stop(struct xml_reader *x, enum xml_fault fault);
uint64_t xml_line(const struct xml_reader *x); /* from 1, where the reader stands */
void xml_close(struct xml_reader *x);          /* NULL is fine */

#endif
