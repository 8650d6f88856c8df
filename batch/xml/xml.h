/* xml: XML documents of strangers as a stream of elements, in constant memory.
 *
 * libxml2 parses; this puts a fence around it. Documents with a document type are refused before
 * the parser sees it, so there are no entities but the five predefined ones, nothing is ever
 * loaded, and nothing can grow. Tags, attributes and depth have caps; prefixes are resolved.
 */
#ifndef ADIT_XML_H
#define ADIT_XML_H

#include "batch/io/io.h"
#include "rs/rs.h"
#include "scp/scp.h"

#define XML_FAULTS(X)                                                            \
    X(NONE, "")                                                                  \
    X(INPUT, "cannot be read or decompressed")                                   \
    X(MALFORMED, "not well-formed XML")                                          \
    X(DOCTYPE, "has a document type; entities are never read")                   \
    X(LARGE, "larger than 50 MB, or an entry of it is too long")                 \
    X(DEEP, "elements are nested too deeply")                                    \
    X(TAG, "a tag is too long or has too many attributes")                       \
    X(ROOT, "the root is neither urlset nor sitemapindex of sitemaps 0.9")       \
    X(ENTRIES, "more entries than a sitemap may have; split it behind an index") \
    X(MEMORY, "out of memory")                                                   \
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

/* --- sitemap ---------------------------------------------------------------------------------- */

/* sitemap_read: sitemaps, sitemap indexes, ResourceSync's documents and SCP's elements in sitemaps,
 * as a stream of entries. One vocabulary for all who read them; xml.h keeps strangers' documents in
 * bounds. Elements are known by namespace, so prefixes are free.
 *
 *     static bool on_entry(void *ctx, const struct sitemap_entry *e) { … }
 *     struct sitemap_reading r = {.handler = {.entry = on_entry, .ctx = …}};
 *     if (sitemap_read(&r, in)) cli_say(path, "line %llu: %s", r.line, xml_fault_texts[r.fault]);
 */

enum { SITEMAP_LINKS_MAX = 64 }; /* of one entry; more are dropped and counted */

/* In all structs: values as they stand, white space around texts taken off, not checked; p is NULL
 * where the attribute or element is absent. */

struct sitemap_entry { /* url or sitemap */
    struct adit_str loc, lastmod;
    struct adit_str title; /* of a news sitemap */
    struct adit_rs_md md;
    const struct adit_rs_link *links;
    size_t n_links;
    size_t n_dropped; /* links beyond SITEMAP_LINKS_MAX */
};

/* Functions that are NULL are not called; false stops the reading (XML_STOPPED). Slices live until
 * the function returns. md and link are those at the top of the document. */
struct sitemap_handler {
    void *ctx;
    bool (*root)(void *ctx, bool is_index);
    bool (*md)(void *ctx, const struct adit_rs_md *md);
    bool (*link)(void *ctx, const struct adit_rs_link *link);
    bool (*entry)(void *ctx, const struct sitemap_entry *entry);
    bool (*scp)(void *ctx, const struct adit_scp_element *scp);
};

struct sitemap_reading {
    struct sitemap_handler handler;
    uint64_t bytes_max;   /* 0: XML_BYTES_MAX */
    uint64_t entries_max; /* 0: 50,000 */
    /* Results; line is up to date in the handlers too. */
    enum xml_fault fault;
    uint64_t line;
    uint64_t entries;
    bool is_index;
};

/* Reads in to its end; returns r->fault. Entries that came before a fault have been told. */
enum xml_fault sitemap_read(struct sitemap_reading *r, struct input *in);

/* The same for bytes that come by themselves (plain or gzip). The sink returns ADIT_ESTOP after a
 * fault. NULL: no memory. sitemap_close ends the document if `whole`, and returns r->fault. */
struct sitemap_stream;
struct sitemap_stream *sitemap_open(struct sitemap_reading *r);
struct adit_sink *sitemap_sink(struct sitemap_stream *s);
enum xml_fault sitemap_close(struct sitemap_stream *s, bool whole);

#endif
