/* check: judging files by their specifications. A kind of document is a row: how to recognise it
 * and the function that reads it; what is wrong with a file is a finding, a row of a table of
 * rules.
 */
#ifndef ADIT_CHECK_H
#define ADIT_CHECK_H

#include "batch/cli/cli.h"
#include "batch/io/io.h"
#include "scp/scp.h"

/* The report on one file. */
struct check {
    const struct cli_args *args;
    const char *path;
    bool lenient, json;
    bool of_folder;           /* one of a folder's files: all that a manifest names must be there */
    const char *kind;         /* "SCP collection", "TCT payload", … */
    uint64_t counts[5];       /* by enum adit_severity */
    struct adit_buf facts;    /* text: "60000 pages, …"; JSON: members, each after a comma */
    struct adit_buf findings; /* JSON: elements, each after a comma; text is printed at once */
    struct check_seen {
        const struct adit_rule *rule;
        uint64_t n;
    } seen[64]; /* how often a rule was broken: only the first cases are shown */
    size_t n_seen;
};

/* The tables of rules; each ends with a NULL name. */
extern const struct adit_rule check_report_rules[], check_xml_rules[], check_folder_rules[],
    check_config_rules[], check_warc_rules[];

void check_report(struct check *c, const struct adit_finding *f);
/* Reports to c what shared/ finds. */
struct adit_judge check_judge(struct check *c);
/* A fact for the summary; in JSON a member with that key. */
void check_fact(struct check *c, const char *key, struct adit_str value);
void check_fact_u64(struct check *c, const char *key, uint64_t value);

/* Recognises the file by its bytes and judges it. False: it is nothing to be checked, which only a
 * file of a folder can be. */
bool check_file(struct check *c);
/* Calls file for every file below c->path that may be of a publication, and judges the whole. file
 * answers false if the file is nothing to be checked. */
void check_folder(struct check *c, bool (*file)(void *ctx, const char *path), void *ctx);
/* Whether nothing but warnings was found. */
bool check_valid(const struct check *c);

/* The documents. Each reports all findings and facts. text is the whole file, decompressed. */
void check_collection(struct check *c);
/* A JSON document of any kind below. False: none of them. */
bool check_json(struct check *c, struct adit_str text);
/* adit.json; every fault of it is a finding. */
void check_config(struct check *c, struct adit_str text);
/* llms.txt (llmstxt.org): a title, and links. */
void check_llms(struct check *c, struct adit_str text);
/* WARC, ARC and WACZ files, by path or URL. */
void check_warc(struct check *c);
void check_xml(struct check *c, struct adit_str text);

#endif
