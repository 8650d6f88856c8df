/* check: XML documents: sitemaps with SCP's extension (SCP, Discovery via Sitemap, Appendix A),
 * sitemap indexes, and ResourceSync's description, capability list and change list. */
#include "batch/check.h"
#include "text/date.h"

#include <libxml/xmlreader.h>

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

enum { BYTES_MAX = 52428800, SECTIONS_MAX = 256, EXCERPT = 200 };

static const char ns_sitemap[] = "http://www.sitemaps.org/schemas/sitemap/0.9";
static const char ns_scp[] = "https://scp-protocol.org/schemas/sitemap/1.0";
static const char ns_rs[] = "http://www.openarchives.org/rs/terms/";

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
    xmlTextReader *xml;
    bool is_index, has_scp;
    enum capability capability;
    unsigned versions;
    uint64_t n_entries, n_collections, n_deltas, n_changelists;
    bool up, describes; /* rs:ln at the top */
    /* The entry under way: */
    bool in_entry, loc_good, entry_md, entry_describes;
    struct adit_buf text;
    /* Names of declared sections, and of those that collections name: NUL-terminated each. */
    struct adit_buf declared, used;
};

static void fault(struct reading *r, enum rule_id rule, const char *member, struct adit_str value)
{
    /* The parser has read ahead; the node knows better, if there is one. */
    xmlNode *node = xmlTextReaderCurrentNode(r->xml);
    long line = node ? xmlGetLineNo(node) : xmlTextReaderGetParserLineNumber(r->xml);
    check_report(r->check, &(struct check_finding){
                               .rule = &check_xml_rules[rule],
                               .line = line > 0 ? (uint64_t)line : 0,
                               .member = member,
                               .index = SIZE_MAX,
                               .value = adit_str_sub(value, 0, EXCERPT),
                           });
}

static struct adit_str str(const xmlChar *s) { return adit_str_z((const char *)s); }
static bool is(const xmlChar *s, const char *word) { return adit_str_eq(str(s), adit_str_z(word)); }

/* --- SCP elements: a table of attributes (Appendix A)
 * ----------------------------------------------- */

enum form { ANY, URL, TIME, INTEGER, APPROXIMATE, FREQUENCY, SNAPSHOT };

struct attribute {
    const char *name;
    enum form form;
};
static const struct attribute section_attributes[] = {
    {"name", ANY}, {"updateFreq", FREQUENCY}, {"pages", APPROXIMATE}, {0}};
static const struct attribute collection_attributes[] = {
    {"section", ANY},  {"type", SNAPSHOT}, {"url", URL},      {"generated", TIME},
    {"expires", TIME}, {"pages", INTEGER}, {"size", INTEGER}, {0}};
static const struct attribute delta_attributes[] = {
    {"section", ANY},    {"period", ANY},   {"url", URL},
    {"generated", TIME}, {"expires", TIME}, {"pages", INTEGER},
    {"size", INTEGER},   {"since", TIME},   {0}};

static bool fits(struct adit_str s, enum form form)
{
    static const char *const freqs[] = {"hourly", "daily", "weekly", "monthly"};
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
    case FREQUENCY:
        for (size_t i = 0; i < ADIT_COUNT(freqs); i++)
            if (adit_str_eq(s, adit_str_z(freqs[i]))) return true;
        return false;
    }
    return false;
}

static void check_attributes(struct reading *r, const struct attribute *a)
{
    for (; a->name; a++) {
        xmlChar *v = xmlTextReaderGetAttribute(r->xml, (const xmlChar *)a->name);
        if (!v)
            fault(r, R_ATTRIBUTE, a->name, (struct adit_str){0});
        else if (!fits(str(v), a->form))
            fault(r, R_FORM, a->name, str(v));
        xmlFree(v);
    }
}

static void keep_name(struct reading *r, struct adit_buf *names, const char *attribute)
{
    xmlChar *v = xmlTextReaderGetAttribute(r->xml, (const xmlChar *)attribute);
    if (v) adit_buf_add(names, str(v)), adit_buf_byte(names, '\0');
    xmlFree(v);
}

static void check_expiry(struct reading *r)
{
    xmlChar *from = xmlTextReaderGetAttribute(r->xml, (const xmlChar *)"generated");
    xmlChar *to = xmlTextReaderGetAttribute(r->xml, (const xmlChar *)"expires");
    struct adit_time a, b;
    if (from && to && adit_date_w3c(str(from), &a) && adit_date_w3c(str(to), &b) &&
        adit_time_cmp(a, b) >= 0)
        fault(r, R_EXPIRES, "expires", str(to));
    xmlFree(from), xmlFree(to);
}

static void begin_scp(struct reading *r, const xmlChar *name)
{
    r->has_scp = true;
    if (is(name, "section")) {
        check_attributes(r, section_attributes);
        keep_name(r, &r->declared, "name");
    } else if (is(name, "collection") || is(name, "delta")) {
        bool delta = is(name, "delta");
        check_attributes(r, delta ? delta_attributes : collection_attributes);
        check_expiry(r);
        keep_name(r, &r->used, "section");
        if (delta)
            r->n_deltas++;
        else
            r->n_collections++;
    } else if (!is(name, "version") && !is(name, "compression")) {
        fault(r, R_UNKNOWN, (const char *)name, (struct adit_str){0});
    }
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

static void end_scp(struct reading *r, const xmlChar *name)
{
    struct adit_str text = adit_str_trim(adit_buf_str(&r->text));
    if (is(name, "version") && (++r->versions > 1 || !is_version(text)))
        fault(r, R_VERSION, "scp:version", text);
    if (is(name, "compression") && !is_word_list(text))
        fault(r, R_COMPRESSION, "scp:compression", text);
}

/* --- ResourceSync
 * ---------------------------------------------------------------------------------- */

static enum capability capability_of(struct adit_str s)
{
    for (size_t i = DESCRIPTION; i < ADIT_COUNT(capabilities); i++)
        if (adit_str_eq(s, adit_str_z(capabilities[i].name))) return (enum capability)i;
    return OTHER;
}

static bool has_time(struct reading *r, const char *attribute)
{
    struct adit_time t;
    xmlChar *v = xmlTextReaderGetAttribute(r->xml, (const xmlChar *)attribute);
    bool good = v && adit_date_w3c(str(v), &t);
    xmlFree(v);
    return good;
}

static void top_md(struct reading *r)
{
    xmlChar *v = xmlTextReaderGetAttribute(r->xml, (const xmlChar *)"capability");
    if (!v) fault(r, R_RS_CAPABILITY, "rs:md", (struct adit_str){0});
    r->capability = v ? capability_of(str(v)) : OTHER;
    if (r->capability == CHANGELIST && !has_time(r, "from"))
        fault(r, R_RS_FROM, "from", (struct adit_str){0});
    xmlFree(v);
}

static void entry_md(struct reading *r)
{
    xmlChar *change = xmlTextReaderGetAttribute(r->xml, (const xmlChar *)"change");
    xmlChar *capability = xmlTextReaderGetAttribute(r->xml, (const xmlChar *)"capability");
    r->entry_md = true;
    if (capability && is(capability, "changelist")) r->n_changelists++;
    if (r->capability == CHANGELIST && !r->is_index) {
        if (!change || !(is(change, "created") || is(change, "updated") || is(change, "deleted")))
            fault(r, R_RS_CHANGE, "change", str(change));
        if (!has_time(r, "datetime")) fault(r, R_RS_DATETIME, "datetime", (struct adit_str){0});
    }
    xmlFree(change), xmlFree(capability);
}

static void begin_rs(struct reading *r, const xmlChar *name)
{
    if (is(name, "md")) {
        if (r->in_entry)
            entry_md(r);
        else
            top_md(r);
    }
    if (!is(name, "ln")) return;
    xmlChar *rel = xmlTextReaderGetAttribute(r->xml, (const xmlChar *)"rel");
    if (rel && is(rel, "up")) r->up = true;
    if (rel && is(rel, "describes") && r->in_entry)
        r->entry_describes = true;
    else if (rel && is(rel, "describes"))
        r->describes = true;
    xmlFree(rel);
}

/* --- sitemaps
 * --------------------------------------------------------------------------------------- */

static void begin_entry(struct reading *r)
{
    r->in_entry = true;
    r->loc_good = r->entry_md = r->entry_describes = false;
    r->n_entries++;
}

static void end_entry(struct reading *r)
{
    r->in_entry = false;
    if (!r->loc_good) fault(r, R_LOC, "loc", (struct adit_str){0});
    if (r->capability == CHANGELIST && !r->is_index && !r->entry_md)
        fault(r, R_RS_CHANGE, "rs:md", (struct adit_str){0});
    if (r->capability == DESCRIPTION && !r->is_index && !r->entry_describes)
        fault(r, R_RS_LINK, "describes", (struct adit_str){0});
}

static void end_sitemap(struct reading *r, const xmlChar *name)
{
    struct adit_str text = adit_str_trim(adit_buf_str(&r->text));
    struct adit_time t;
    if (is(name, "loc") && adit_scp_is_url(text)) r->loc_good = true;
    if (is(name, "lastmod") && !adit_date_w3c(text, &t)) fault(r, R_LASTMOD, "lastmod", text);
}

static bool is_entry(const struct reading *r, int depth, const xmlChar *ns, const xmlChar *name)
{
    return depth == 1 && is(ns, ns_sitemap) && is(name, r->is_index ? "sitemap" : "url");
}

static void on_begin(struct reading *r, int depth, const xmlChar *ns, const xmlChar *name)
{
    adit_buf_clear(&r->text);
    if (depth == 0) {
        r->is_index = is(name, "sitemapindex");
        if (!is(ns, ns_sitemap) || !(r->is_index || is(name, "urlset")))
            fault(r, R_ROOT, (const char *)name, str(ns));
    } else if (is_entry(r, depth, ns, name)) {
        begin_entry(r);
    } else if (is(ns, ns_scp)) {
        begin_scp(r, name);
    } else if (is(ns, ns_rs)) {
        begin_rs(r, name);
    }
}

static void on_end(struct reading *r, int depth, const xmlChar *ns, const xmlChar *name)
{
    if (is_entry(r, depth, ns, name))
        end_entry(r);
    else if (is(ns, ns_scp))
        end_scp(r, name);
    else if (is(ns, ns_sitemap))
        end_sitemap(r, name);
}

static bool step(struct reading *r)
{
    int type = xmlTextReaderNodeType(r->xml), depth = xmlTextReaderDepth(r->xml);
    const xmlChar *ns = xmlTextReaderConstNamespaceUri(r->xml);
    const xmlChar *name = xmlTextReaderConstLocalName(r->xml);
    switch (type) {
    case XML_READER_TYPE_DOCUMENT_TYPE:
        fault(r, R_DOCTYPE, NULL, (struct adit_str){0});
        return false;
    case XML_READER_TYPE_ELEMENT:
        on_begin(r, depth, ns, name);
        if (xmlTextReaderIsEmptyElement(r->xml)) on_end(r, depth, ns, name);
        break;
    case XML_READER_TYPE_END_ELEMENT: on_end(r, depth, ns, name); break;
    case XML_READER_TYPE_TEXT:
    case XML_READER_TYPE_CDATA: adit_buf_add(&r->text, str(xmlTextReaderConstValue(r->xml))); break;
    default: break;
    }
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
static void judge_whole(struct reading *r, size_t len)
{
    struct adit_str rest = adit_buf_str(&r->used), name;
    while (adit_str_split(&rest, '\0', &name))
        if (name.len && !has_name(&r->declared, name)) fault(r, R_SECTION, "section", name);
    if (r->has_scp && r->versions == 0) fault(r, R_VERSION, "scp:version", (struct adit_str){0});
    if (len > BYTES_MAX || r->n_entries > ADIT_LIMIT_sitemap_items)
        fault(r, R_LARGE, NULL, (struct adit_str){0});
    bool list = r->capability == CAPABILITYLIST || r->capability == CHANGELIST;
    if (list && !r->up && !r->is_index) fault(r, R_RS_LINK, "up", (struct adit_str){0});
    if (r->capability == CAPABILITYLIST && !r->describes)
        fault(r, R_RS_LINK, "describes", (struct adit_str){0});
    if (r->capability == CAPABILITYLIST && r->n_changelists != 1)
        fault(r, R_RS_LIST, NULL, (struct adit_str){0});
}

static void add_facts(struct reading *r)
{
    struct check *c = r->check;
    c->kind =
        r->is_index && r->capability == NONE ? "sitemap index" : capabilities[r->capability].kind;
    check_fact_u64(c, "entries", r->n_entries);
    if (r->has_scp) check_fact_u64(c, "collections", r->n_collections);
    if (r->has_scp) check_fact_u64(c, "deltas", r->n_deltas);
}

static void ignore(void *ctx, xmlError *error) { (void)ctx, (void)error; }

void check_xml(struct check *c, struct adit_str text)
{
    struct reading r = {.check = c};
    c->kind = "XML document";
    adit_buf_init(&r.text, cli_mem, 1 << 20);
    adit_buf_init(&r.declared, cli_mem, 1 << 20);
    adit_buf_init(&r.used, cli_mem, 16 << 20);
    /* No network, no entities, no limits lifted. */
    r.xml = xmlReaderForMemory(text.p, (int)text.len, NULL, NULL,
                               XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    int more = -1;
    if (r.xml) {
        xmlTextReaderSetStructuredErrorHandler(r.xml, (xmlStructuredErrorFunc)ignore, NULL);
        while ((more = xmlTextReaderRead(r.xml)) == 1 && step(&r)) {}
        if (more < 0) fault(&r, R_MALFORMED, NULL, (struct adit_str){0});
        if (more == 0) judge_whole(&r, text.len);
        add_facts(&r);
    } else {
        check_report(
            c, &(struct check_finding){.rule = &check_xml_rules[R_MALFORMED], .index = SIZE_MAX});
    }
    xmlFreeTextReader(r.xml);
    adit_buf_free(&r.text), adit_buf_free(&r.declared), adit_buf_free(&r.used);
}
