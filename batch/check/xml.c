/* check: XML documents: sitemaps with SCP's extension (SCP, Discovery via Sitemap, Appendix A),
 * sitemap indexes, and ResourceSync's description, capability list and change list. What is SCP's or
 * ResourceSync's, shared/ judges. */
#include "batch/check/check.h"
#include "batch/xml/xml.h"
#include "rs/rs.h"
#include "text/text.h"

#define RULES(X)                                                                              \
    X(MALFORMED, "xml-malformed", FATAL, "the document is not well-formed XML",               \
      "mend it at this place")                                                                \
    X(DOCTYPE, "xml-doctype", FATAL, "the document has a document type",                      \
      "leave it out: entities are never read")                                                \
    X(ROOT, "xml-root", FATAL, "the root is neither urlset nor sitemapindex of sitemaps 0.9", \
      "write a sitemap")                                                                      \
    X(LARGE, "xml-large", FATAL, "a sitemap has more than 50 MB or 50000 entries",            \
      "split it and publish a sitemap index")                                                 \
    X(LOC, "xml-loc", FATAL, "an entry has no loc with an absolute http or https URL",        \
      "give every entry one loc")                                                             \
    X(LASTMOD, "xml-lastmod", WARN, "a lastmod is not a W3C date",                            \
      "write it like 2000-01-15 or 2000-01-15T10:30:00Z")

enum rule_id { RULES(ADIT_RULE_ID) };
const struct adit_rule check_xml_rules[] = {RULES(ADIT_RULE_ROW){0}};

enum { EXCERPT = 200 };

struct reading {
    struct check *check;
    struct sitemap_reading doc;
    struct adit_scp_elements scp;
    struct adit_rs_document rs;
};

/* Findings have the line that the reader stands at. */
static void report_here(void *ctx, const struct adit_finding *finding)
{
    struct reading *r = ctx;
    struct adit_finding f = *finding;
    f.line = r->doc.line;
    check_report(r->check, &f);
}

static void report_element(struct reading *r, enum rule_id rule, const char *member,
                           struct adit_str value)
{
    report_here(r, &(struct adit_finding){.rule = &check_xml_rules[rule],
                                          .member = member,
                                          .index = SIZE_MAX,
                                          .value = adit_str_sub(value, 0, EXCERPT)});
}

static bool on_scp(void *ctx, const struct adit_scp_element *e)
{
    adit_scp_elements_add(&((struct reading *)ctx)->scp, e);
    return true;
}

static bool on_md(void *ctx, const struct adit_rs_md *md)
{
    adit_rs_judge_md(&((struct reading *)ctx)->rs, md);
    return true;
}

static bool on_link(void *ctx, const struct adit_rs_link *link)
{
    adit_rs_judge_link(&((struct reading *)ctx)->rs, link);
    return true;
}

static bool on_entry(void *ctx, const struct sitemap_entry *e)
{
    struct reading *r = ctx;
    struct adit_time t;
    if (!adit_scp_is_url(e->loc)) report_element(r, R_LOC, "loc", e->loc);
    if (e->lastmod.p && !adit_date_w3c(e->lastmod, &t))
        report_element(r, R_LASTMOD, "lastmod", e->lastmod);
    r->rs.is_index = r->doc.is_index;
    adit_rs_judge_entry(&r->rs, &e->md, e->links, e->n_links);
    return true;
}

static void add_facts(struct reading *r)
{
    struct check *c = r->check;
    bool plain_index = r->doc.is_index && r->rs.capability == ADIT_RS_IS_NONE;
    c->kind = plain_index ? "sitemap index" : adit_rs_document_names[r->rs.capability];
    check_fact_u64(c, "entries", r->doc.entries);
    if (r->scp.n) check_fact_u64(c, "collections", r->scp.n_collections);
    if (r->scp.n) check_fact_u64(c, "deltas", r->scp.n_deltas);
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
    struct adit_judge judge = {report_here, &r};
    struct input *in = input_open_bytes(text, NULL);
    c->kind = "XML document";
    adit_scp_elements_init(&r.scp, cli_mem, judge);
    r.rs.judge = judge;
    r.doc.handler = (struct sitemap_handler){
        .ctx = &r, .md = on_md, .link = on_link, .entry = on_entry, .scp = on_scp};
    r.doc.fault = XML_MEMORY;
    if (in) sitemap_read(&r.doc, in);
    r.rs.is_index = r.doc.is_index;
    if (r.doc.fault) {
        report_element(&r, refusals[r.doc.fault], NULL, (struct adit_str){0});
    } else {
        adit_scp_elements_end(&r.scp);
        adit_rs_judge_end(&r.rs);
    }
    add_facts(&r);
    input_close(in);
    adit_scp_elements_free(&r.scp);
}
