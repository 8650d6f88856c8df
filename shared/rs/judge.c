/* Judging ResourceSync's documents (ResourceSync 1.1, sections 8, 9, 10, 12), element by element. */
#include "rs/rs.h"
#include "text/text.h"

#define RULES(X)                                                                                   \
    X(RS_CAPABILITY, "rs-capability", FATAL, "rs:md has no capability",                            \
      "say what the list is: description, capabilitylist, changelist, resourcelist")               \
    X(RS_LINK, "rs-link", WARN, "a required rs:ln is missing",                                     \
      "add it: up in lists, describes in descriptions and capability lists")                       \
    X(RS_FROM, "rs-from", WARN, "a change list has no from", "add the time of its oldest change")  \
    X(RS_CHANGE, "rs-change", FATAL, "a change is not created, updated or deleted",                \
      "say with rs:md what happened to the resource")                                              \
    X(RS_DATETIME, "rs-datetime", WARN, "a change has no datetime",                                \
      "add it: readers ignore changes without one")                                                \
    X(RS_LIST, "rs-list", WARN, "a capability list does not have exactly one change list",         \
      "list one")                                                                                  \
    X(RS_AT, "rs-at", WARN, "a resource list has no at", "add the time at which all of it was so") \
    X(RS_RESOURCE, "rs-resource", WARN, "an entry of a resource list is a change",                 \
      "list what is there; what happened belongs into a change list")                              \
    X(RS_TWICE, "rs-twice", WARN, "a capability list has several resource lists",                  \
      "list one, or an index of all")

enum rule_id { RULES(ADIT_RULE_ID) };
const struct adit_rule adit_rs_rules[] = {RULES(ADIT_RULE_ROW){0}};

const char *const adit_rs_document_names[] = {
    [ADIT_RS_IS_NONE] = "sitemap",
    [ADIT_RS_IS_OTHER] = "ResourceSync list",
    [ADIT_RS_IS_DESCRIPTION] = "ResourceSync description",
    [ADIT_RS_IS_CAPABILITYLIST] = "ResourceSync capability list",
    [ADIT_RS_IS_CHANGELIST] = "ResourceSync change list",
    [ADIT_RS_IS_RESOURCELIST] = "ResourceSync resource list",
};
static const char *const capabilities[] = {
    [ADIT_RS_IS_DESCRIPTION] = "description",
    [ADIT_RS_IS_CAPABILITYLIST] = "capabilitylist",
    [ADIT_RS_IS_CHANGELIST] = "changelist",
    [ADIT_RS_IS_RESOURCELIST] = "resourcelist",
};

enum { EXCERPT = 200 }; /* bytes of a value that a finding shows */

static void report_element(const struct adit_rs_document *d, enum rule_id rule, const char *member,
                           struct adit_str value)
{
    struct adit_finding f = {.rule = &adit_rs_rules[rule],
                             .member = member,
                             .index = SIZE_MAX,
                             .value = adit_str_sub(value, 0, EXCERPT)};
    d->judge.report(d->judge.ctx, &f);
}

static bool is(struct adit_str s, const char *word) { return adit_str_eq(s, adit_str_z(word)); }

static bool is_time(struct adit_str s)
{
    struct adit_time t;
    return adit_date_w3c(s, &t);
}

void adit_rs_judge_md(struct adit_rs_document *d, const struct adit_rs_md *md)
{
    if (!md->capability.p) report_element(d, R_RS_CAPABILITY, "rs:md", (struct adit_str){0});
    d->capability = ADIT_RS_IS_OTHER;
    for (unsigned i = ADIT_RS_IS_DESCRIPTION; i < ADIT_COUNT(capabilities); i++)
        if (is(md->capability, capabilities[i])) d->capability = (enum adit_rs_capability)i;
    if (d->capability == ADIT_RS_IS_CHANGELIST && !is_time(md->from))
        report_element(d, R_RS_FROM, "from", md->from);
    if (d->capability == ADIT_RS_IS_RESOURCELIST && !is_time(md->at))
        report_element(d, R_RS_AT, "at", md->at);
}

void adit_rs_judge_link(struct adit_rs_document *d, const struct adit_rs_link *link)
{
    if (is(link->rel, "up")) d->up = true;
    if (is(link->rel, "describes")) d->describes = true;
}

static void judge_change(const struct adit_rs_document *d, const struct adit_rs_md *md)
{
    if (!md->present) {
        report_element(d, R_RS_CHANGE, "rs:md", (struct adit_str){0});
        return;
    }
    if (adit_rs_change_of(md->change) == ADIT_RS_CHANGES)
        report_element(d, R_RS_CHANGE, "change", md->change);
    if (!is_time(md->datetime)) report_element(d, R_RS_DATETIME, "datetime", md->datetime);
}

void adit_rs_judge_entry(struct adit_rs_document *d, const struct adit_rs_md *md,
                         const struct adit_rs_link *links, size_t n_links)
{
    bool described = false;
    if (is(md->capability, "changelist")) d->n_changelists++;
    if (is(md->capability, "resourcelist")) d->n_resourcelists++;
    for (size_t i = 0; i < n_links; i++) described = described || is(links[i].rel, "describes");
    if (d->is_index) return;
    if (d->capability == ADIT_RS_IS_CHANGELIST) judge_change(d, md);
    if (d->capability == ADIT_RS_IS_RESOURCELIST && md->change.p)
        report_element(d, R_RS_RESOURCE, "change", md->change);
    if (d->capability == ADIT_RS_IS_DESCRIPTION && !described)
        report_element(d, R_RS_LINK, "describes", (struct adit_str){0});
}

void adit_rs_judge_end(const struct adit_rs_document *d)
{
    bool lists = d->capability == ADIT_RS_IS_CAPABILITYLIST;
    bool listed =
        d->capability == ADIT_RS_IS_CHANGELIST || d->capability == ADIT_RS_IS_RESOURCELIST;
    if ((lists || listed) && !d->up && !d->is_index)
        report_element(d, R_RS_LINK, "up", (struct adit_str){0});
    if (lists && !d->describes) report_element(d, R_RS_LINK, "describes", (struct adit_str){0});
    if (lists && d->n_resourcelists > 1) report_element(d, R_RS_TWICE, NULL, (struct adit_str){0});
    if (lists && d->n_changelists != 1) report_element(d, R_RS_LIST, NULL, (struct adit_str){0});
}
