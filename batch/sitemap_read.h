/* sitemap_read: sitemaps, sitemap indexes, ResourceSync's documents and SCP's elements in sitemaps,
 * as a stream of entries. One vocabulary for all who read them; xml.h keeps strangers' documents in
 * bounds. Elements are known by namespace, so prefixes are free.
 *
 *     static bool on_entry(void *ctx, const struct sitemap_entry *e) { … }
 *     struct sitemap_reading r = {.handler = {.entry = on_entry, .ctx = …}};
 *     if (sitemap_read(&r, in)) cli_say(path, "line %llu: %s", r.line, xml_fault_texts[r.fault]);
 */
#ifndef ADIT_SITEMAP_READ_H
#define ADIT_SITEMAP_READ_H

#include "batch/xml.h"

enum { SITEMAP_LINKS_MAX = 64 }; /* of one entry; more are dropped and counted */

/* In all structs: values as they stand, white space around texts taken off, not checked; p is NULL
 * where the attribute or element is absent. */

#define SITEMAP_MD_ATTRIBUTES(X) \
    X(capability)                \
    X(change) X(datetime) X(from) X(until) X(at) X(completed) X(hash) X(length) X(type)

struct sitemap_md { /* rs:md */
    bool present;
#define SITEMAP_MEMBER(name) struct adit_str name;
    SITEMAP_MD_ATTRIBUTES(SITEMAP_MEMBER)
};

#define SITEMAP_LINK_ATTRIBUTES(X) X(rel) X(href) X(type)

struct sitemap_link { /* rs:ln */
    SITEMAP_LINK_ATTRIBUTES(SITEMAP_MEMBER)
};

struct sitemap_entry { /* url or sitemap */
    struct adit_str loc, lastmod;
    struct sitemap_md md;
    const struct sitemap_link *links;
    size_t n_links;
    size_t n_dropped; /* links beyond SITEMAP_LINKS_MAX */
};

enum sitemap_scp_kind {
    SITEMAP_SCP_VERSION,
    SITEMAP_SCP_COMPRESSION,
    SITEMAP_SCP_SECTION,
    SITEMAP_SCP_COLLECTION,
    SITEMAP_SCP_DELTA,
    SITEMAP_SCP_OTHER
};

#define SITEMAP_SCP_ATTRIBUTES(X) \
    X(name)                       \
    X(updateFreq)                 \
    X(section) X(type) X(period) X(url) X(generated) X(expires) X(pages) X(size) X(since)

struct sitemap_scp { /* SCP, Discovery via Sitemap */
    enum sitemap_scp_kind kind;
    struct adit_str element; /* its local name */
    struct adit_str text;    /* of version and compression */
    SITEMAP_SCP_ATTRIBUTES(SITEMAP_MEMBER)
};

/* Functions that are NULL are not called; false stops the reading (XML_STOPPED). Slices live until
 * the function returns. md and link are those at the top of the document. */
struct sitemap_handler {
    void *ctx;
    bool (*root)(void *ctx, bool is_index);
    bool (*md)(void *ctx, const struct sitemap_md *md);
    bool (*link)(void *ctx, const struct sitemap_link *link);
    bool (*entry)(void *ctx, const struct sitemap_entry *entry);
    bool (*scp)(void *ctx, const struct sitemap_scp *scp);
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
