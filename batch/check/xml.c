/* check: XML documents: sitemaps with SCP's extension (SCP, Discovery via Sitemap, Appendix A),
 * sitemap indexes, and ResourceSync's description, capability list and change list. */
#include "batch/check/check.h"
#include "batch/xml/xml.h"
#include "rs/rs.h"
#include "text/text.h"

#include <stdio.h>
#include <string.h>

#define RULES(X)                                                                                  \
    X(MALFORMED, "xml-malformed", FATAL, "the document is not well-formed XML",                   \
      "mend it at this place")                                                                    \
    X(DOCTYPE, "xml-doctype", FATAL, "the document has a document type",                          \
      "leave it out: entities are never read")                                                    \
    X(ROOT, "xml-root", FATAL, "the root is neither urlset nor sitemapindex of sitemaps 0.9",     \
      "write a sitemap")                                                                          \
    X(LARGE, "xml-large", FATAL, "a sitemap has more than 50 MB or 50000 entries",                \
      "split it and publish a sitemap index")                                                     \
    X(LOC, "xml-loc", FATAL, "an entry has no loc with an absolute http or https URL",            \
      "give every entry one loc")                                                                 \
    X(LASTMOD, "xml-lastmod", WARN, "a lastmod is not a W3C date",                                \
      "write it like 2000-01-15 or 2000-01-15T10:30:00Z")                                         \
    X(UNKNOWN, "scp-element", WARN, "an element of the SCP namespace is unknown",                 \
      "nothing: it is ignored")                                                                   \
    X(VERSION, "scp-version", FATAL, "scp:version is missing, repeated or not MAJOR.MINOR",       \
      "write <scp:version>0.1</scp:version>")                                                     \
    X(COMPRESSION, "scp-compression", FATAL, "scp:compression is not a list of names",            \
      "write it like zstd,gzip")                                                                  \
    X(ATTRIBUTE, "scp-attribute", FATAL, "a required attribute is missing",                       \
      "add it, as the specification's schema says")                                               \
    X(FORM, "scp-form", FATAL, "an attribute has the wrong form",                                 \
      "write it as the specification's schema says")                                              \
    X(SECTION, "scp-section", WARN, "a collection's section is not declared",                     \
      "add an scp:section for it")                                                                \
    X(EXPIRES, "scp-expires", WARN, "expires is not later than generated",                        \
      "a collection is valid for a while")                                                        \
    X(RS_CAPABILITY, "rs-capability", FATAL, "rs:md has no capability",                           \
      "say what the list is: description, capabilitylist, changelist")                            \
    X(RS_LINK, "rs-link", WARN, "a required rs:ln is missing",                                    \
      "add it: up in lists, describes in descriptions and capability lists")                      \
    X(RS_FROM, "rs-from", WARN, "a change list has no from", "add the time of its oldest change") \
    X(RS_CHANGE, "rs-change", FATAL, "a change is not created, updated or deleted",               \
      "say with rs:md what happened to the resource")                                             \
    X(RS_DATETIME, "rs-datetime", WARN, "a change has no datetime",                               \
      "add it: readers ignore changes without one")                                               \
    X(RS_LIST, "rs-list", WARN, "a capability list does not have exactly one change list",        \
      "list one")

enum rule_id { RULES(CHECK_RULE_ID) };
const struct adit_scp_rule check_xml_rules[] = {RULES(CHECK_RULE_ROW){0}};

enum { EXCERPT = 200 };

enum capability { NONE, OTHER, DESCRIPTION, CAPABILITYLIST, CHANGELIST };
static const struct {
    const char *name, *kind;
} capabilities[] = {
    [NONE] = {"", "sitemap"},
    [OTHER] = {"", "ResourceSync list"},
    [DESCRIPTION] = {"description", "ResourceSync description"},
    [CAPABILITYLIST] = {"capabilitylist", "ResourceSync capability list"},
    [CHANGELIST] = {"changelist", "ResourceSync change list"},
};

struct reading {
    struct check *check;
    struct sitemap_reading doc;
    bool has_scp;
    enum capability capability;
    unsigned versions;
    uint64_t n_collections, n_deltas, n_changelists;
    bool up, describes; /* rs:ln at the top */
    /* Names of declared sections, and of those that collections name: NUL-terminated each. */
    struct adit_buf declared, used;
};

static void report_element(struct reading *r, enum rule_id rule, const char *member,
                           struct adit_str value)
{
    check_report(r->check, &(struct check_finding){
                               .rule = &check_xml_rules[rule],
                               .line = r->doc.line,
                               .member = member,
                               .index = SIZE_MAX,
                               .value = adit_str_sub(value, 0, EXCERPT),
                           });
}

static bool is(struct adit_str s, const char *word) { return adit_str_eq(s, adit_str_z(word)); }

/* --- SCP elements: a table of attributes (Appendix A) ----------------------------------------- */

enum form { ANY, URL, TIME, INTEGER, APPROXIMATE, FREQUENCY, SNAPSHOT };

struct attribute {
    const char *name;
    size_t offset;
    enum form form;
};
#define ATTRIBUTE(name, form) {#name, offsetof(struct sitemap_scp, name), form}
static const struct attribute section_attributes[] = {
    ATTRIBUTE(name, ANY), ATTRIBUTE(updateFreq, FREQUENCY), ATTRIBUTE(pages, APPROXIMATE), {0}};
static const struct attribute collection_attributes[] = {
    ATTRIBUTE(section, ANY),  ATTRIBUTE(type, SNAPSHOT),
    ATTRIBUTE(url, URL),      ATTRIBUTE(generated, TIME),
    ATTRIBUTE(expires, TIME), ATTRIBUTE(pages, INTEGER),
    ATTRIBUTE(size, INTEGER), {0}};
static const struct attribute delta_attributes[] = {
    ATTRIBUTE(section, ANY),    ATTRIBUTE(period, ANY),   ATTRIBUTE(url, URL),
    ATTRIBUTE(generated, TIME), ATTRIBUTE(expires, TIME), ATTRIBUTE(pages, INTEGER),
    ATTRIBUTE(size, INTEGER),   ATTRIBUTE(since, TIME),   {0}};

static bool fits(struct adit_str s, enum form form)
{
    struct adit_time t;
    uint64_t n;
    switch (form) {
    case ANY: return s.len > 0;
    case URL: return adit_scp_is_url(s);
    case TIME: return adit_date_w3c(s, &t) && s.len > 16;
    case INTEGER: return adit_str_u64(s, &n);
    case APPROXIMATE:
        if (adit_str_starts(s, ADIT_STR("~"))) s = adit_str_sub(s, 1, s.len);
        return adit_str_u64(s, &n);
    case SNAPSHOT: return adit_str_eq(s, ADIT_STR("snapshot"));
    case FREQUENCY: return adit_scp_freq(s) != NULL;
    }
    return false;
}

static void check_attributes(struct reading *r, const struct sitemap_scp *e,
                             const struct attribute *a)
{
    for (; a->name; a++) {
        struct adit_str v;
        memcpy(&v, (const char *)e + a->offset, sizeof v);
        if (!v.p)
            report_element(r, R_ATTRIBUTE, a->name, v);
        else if (!fits(v, a->form))
            report_element(r, R_FORM, a->name, v);
    }
}

static void keep_name(struct adit_buf *names, struct adit_str name)
{
    if (name.p) adit_buf_add(names, name), adit_buf_byte(names, '\0');
}

static void check_expiry(struct reading *r, const struct sitemap_scp *e)
{
    struct adit_time a, b;
    if (adit_date_w3c(e->generated, &a) && adit_date_w3c(e->expires, &b) &&
        adit_time_cmp(a, b) >= 0)
        report_element(r, R_EXPIRES, "expires", e->expires);
}

static bool is_version(struct adit_str s)
{
    struct adit_str major;
    uint64_t n;
    return adit_str_split(&s, '.', &major) && adit_str_u64(major, &n) && adit_str_u64(s, &n);
}

static bool is_word_list(struct adit_str s)
{
    struct adit_str word;
    bool good = s.len > 0 && s.p[s.len - 1] != ',';
    while (good && adit_str_split(&s, ',', &word)) {
        good = word.len > 0;
        for (size_t i = 0; i < word.len; i++) good = good && word.p[i] >= 'a' && word.p[i] <= 'z';
    }
    return good;
}

static bool on_scp(void *ctx, const struct sitemap_scp *e)
{
    struct reading *r = ctx;
    r->has_scp = true;
    switch (e->kind) {
    case SITEMAP_SCP_VERSION:
        if (++r->versions > 1 || !is_version(e->text))
            report_element(r, R_VERSION, "scp:version", e->text);
        break;
    case SITEMAP_SCP_COMPRESSION:
        if (!is_word_list(e->text)) report_element(r, R_COMPRESSION, "scp:compression", e->text);
        break;
    case SITEMAP_SCP_SECTION:
        check_attributes(r, e, section_attributes);
        keep_name(&r->declared, e->name);
        break;
    case SITEMAP_SCP_COLLECTION:
    case SITEMAP_SCP_DELTA:
        check_attributes(r, e,
                         e->kind == SITEMAP_SCP_DELTA ? delta_attributes : collection_attributes);
        check_expiry(r, e);
        keep_name(&r->used, e->section);
        *(e->kind == SITEMAP_SCP_DELTA ? &r->n_deltas : &r->n_collections) += 1;
        break;
    case SITEMAP_SCP_OTHER: {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)e->element.len, e->element.p);
        report_element(r, R_UNKNOWN, name, (struct adit_str){0});
        break;
    }
    }
    return true;
}

/* --- ResourceSync ----------------------------------------------------------------------------- */

static enum capability capability_of(struct adit_str s)
{
    for (size_t i = DESCRIPTION; i < ADIT_COUNT(capabilities); i++)
        if (adit_str_eq(s, adit_str_z(capabilities[i].name))) return (enum capability)i;
    return OTHER;
}

static bool is_time(struct adit_str s)
{
    struct adit_time t;
    return adit_date_w3c(s, &t);
}

static bool on_md(void *ctx, const struct sitemap_md *md)
{
    struct reading *r = ctx;
    if (!md->capability.p) report_element(r, R_RS_CAPABILITY, "rs:md", (struct adit_str){0});
    r->capability = capability_of(md->capability);
    if (r->capability == CHANGELIST && !is_time(md->from))
        report_element(r, R_RS_FROM, "from", md->from);
    return true;
}

static bool on_link(void *ctx, const struct sitemap_link *link)
{
    struct reading *r = ctx;
    if (is(link->rel, "up")) r->up = true;
    if (is(link->rel, "describes")) r->describes = true;
    return true;
}

static void check_change(struct reading *r, const struct sitemap_md *md)
{
    if (!md->present) {
        report_element(r, R_RS_CHANGE, "rs:md", (struct adit_str){0});
        return;
    }
    if (adit_rs_change_of(md->change) == ADIT_RS_CHANGES)
        report_element(r, R_RS_CHANGE, "change", md->change);
    if (!is_time(md->datetime)) report_element(r, R_RS_DATETIME, "datetime", md->datetime);
}

/* --- sitemaps --------------------------------------------------------------------------------- */

static bool on_entry(void *ctx, const struct sitemap_entry *e)
{
    struct reading *r = ctx;
    bool described = false;
    if (!adit_scp_is_url(e->loc)) report_element(r, R_LOC, "loc", e->loc);
    if (e->lastmod.p && !is_time(e->lastmod)) report_element(r, R_LASTMOD, "lastmod", e->lastmod);
    if (is(e->md.capability, "changelist")) r->n_changelists++;
    for (size_t i = 0; i < e->n_links; i++)
        described = described || is(e->links[i].rel, "describes");
    if (r->doc.is_index) return true;
    if (r->capability == CHANGELIST) check_change(r, &e->md);
    if (r->capability == DESCRIPTION && !described)
        report_element(r, R_RS_LINK, "describes", (struct adit_str){0});
    return true;
}

static bool has_name(const struct adit_buf *names, struct adit_str name)
{
    struct adit_str rest = adit_buf_str(names), s;
    while (adit_str_split(&rest, '\0', &s))
        if (adit_str_eq(s, name)) return true;
    return false;
}

/* What can be said only at the end. */
static void judge_whole(struct reading *r)
{
    struct adit_str rest = adit_buf_str(&r->used), name;
    while (adit_str_split(&rest, '\0', &name))
        if (name.len && !has_name(&r->declared, name))
            report_element(r, R_SECTION, "section", name);
    if (r->has_scp && r->versions == 0)
        report_element(r, R_VERSION, "scp:version", (struct adit_str){0});
    bool list = r->capability == CAPABILITYLIST || r->capability == CHANGELIST;
    if (list && !r->up && !r->doc.is_index)
        report_element(r, R_RS_LINK, "up", (struct adit_str){0});
    if (r->capability == CAPABILITYLIST && !r->describes)
        report_element(r, R_RS_LINK, "describes", (struct adit_str){0});
    if (r->capability == CAPABILITYLIST && r->n_changelists != 1)
        report_element(r, R_RS_LIST, NULL, (struct adit_str){0});
}

static void add_facts(struct reading *r)
{
    struct check *c = r->check;
    c->kind = r->doc.is_index && r->capability == NONE ? "sitemap index"
                                                       : capabilities[r->capability].kind;
    check_fact_u64(c, "entries", r->doc.entries);
    if (r->has_scp) check_fact_u64(c, "collections", r->n_collections);
    if (r->has_scp) check_fact_u64(c, "deltas", r->n_deltas);
}

/* What the reader refuses, as a rule. */
static const enum rule_id refusals[] = {
    [XML_INPUT] = R_MALFORMED,   [XML_MALFORMED] = R_MALFORMED, [XML_DOCTYPE] = R_DOCTYPE,
    [XML_LARGE] = R_LARGE,       [XML_DEEP] = R_LARGE,          [XML_TAG] = R_LARGE,
    [XML_ROOT] = R_ROOT,         [XML_ENTRIES] = R_LARGE,       [XML_MEMORY] = R_MALFORMED,
    [XML_STOPPED] = R_MALFORMED,
};

void check_xml(struct check *c, struct adit_str text)
{
    struct reading r = {.check = c};
    struct input *in = input_open_bytes(text, NULL);
    c->kind = "XML document";
    adit_buf_init(&r.declared, cli_mem, 1 << 20);
    adit_buf_init(&r.used, cli_mem, 16 << 20);
    r.doc.handler = (struct sitemap_handler){
        .ctx = &r, .md = on_md, .link = on_link, .entry = on_entry, .scp = on_scp};
    r.doc.fault = XML_MEMORY;
    if (in) sitemap_read(&r.doc, in);
    if (r.doc.fault)
        report_element(&r, refusals[r.doc.fault], NULL, (struct adit_str){0});
    else
        judge_whole(&r);
    add_facts(&r);
    input_close(in);
    adit_buf_free(&r.declared), adit_buf_free(&r.used);
}
