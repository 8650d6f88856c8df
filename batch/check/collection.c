/* check: SCP collections. The reader has all the rules; here its findings become a report. */
#include "batch/check/check.h"
#include "batch/collection/collection.h"

#include <stdio.h>

static void add_facts(struct check *c, const struct collection *file)
{
    const struct adit_scp_meta *m = collection_meta(file);
    const struct collection_counts *n = collection_counts(file);
    check_fact(c, "type", m->delta ? ADIT_STR("delta") : ADIT_STR("snapshot"));
    check_fact(c, "section", m->section);
    check_fact(c, "generated", m->generated);
    check_fact_u64(c, "pages", n->pages);
    check_fact_u64(c, "skipped", n->skipped);
    check_fact_u64(c, "bytes", n->bytes);
    check_fact(c, "compression", adit_str_z(n->coding));
    if (n->checksum_rule) check_fact(c, "checksum_rule", adit_str_z(n->checksum_rule));
    if (!n->sorted) check_fact(c, "order", ADIT_STR("not by URL"));
}

void check_collection(struct check *c)
{
    struct adit_judge judge = check_judge(c);
    struct collection_options how = {
        .lenient = c->lenient, .to_the_end = true, .report = judge.report, .ctx = judge.ctx};
    struct adit_scp_page page;
    c->kind = "SCP collection";
    struct collection *file = collection_open(c->path, &how);
    if (!file) {
        c->counts[ADIT_RULE_FATAL]++;
        return;
    }
    while (collection_next(file, &page)) {}
    if (collection_meta(file)->section.len) add_facts(c, file);
    collection_close(file);
}
