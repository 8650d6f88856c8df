/* check: judging files by their specifications. A kind of document is a row: how to recognise it
 * and the function that reads it; what is wrong with a file is a finding, a row of a table of
 * rules.
 */
#ifndef ADIT_CHECK_H
#define ADIT_CHECK_H

#include "batch/cli/cli.h"
#include "batch/io/io.h"
#include "scp/scp.h"

/* A table of rules is a list RULES(X) of rows X(ID, "stable-name", SEVERITY, "what is wrong",
 * "what to do"), of which these make the numbers R_ID and the array. */
#define CHECK_RULE_ID(id, name, severity, what, advice) R_##id,
#define CHECK_RULE_ROW(id, name, severity, what, advice) \
    [R_##id] = {name, ADIT_SCP_##severity, what, advice},

struct check_finding {
    const struct adit_scp_rule *rule;
    uint64_t line;         /* from 1; 0: the file as a whole */
    size_t column;         /* byte in the line from 1; 0: unknown */
    const char *member;    /* or element or attribute; NULL: none in particular */
    size_t index;          /* of the block or item; SIZE_MAX: none */
    struct adit_str value; /* an excerpt */
    const char *detail;    /* a constant that says more, or NULL */
};

/* The report on one file. */
struct check {
    const struct cli_args *args;
    const char *path;
    bool lenient, json;
    bool of_folder;           /* one of a folder's files: all that a manifest names must be there */
    const char *kind;         /* "SCP collection", "TCT payload", … */
    uint64_t counts[5];       /* by enum adit_scp_severity */
    struct adit_buf facts;    /* text: "60000 pages, …"; JSON: members, each after a comma */
    struct adit_buf findings; /* JSON: elements, each after a comma; text is printed at once */
    struct check_seen {
        const struct adit_scp_rule *rule;
        uint64_t n;
    } seen[64]; /* how often a rule was broken: only the first cases are shown */
    size_t n_seen;
};

/* The tables of rules; each ends with a NULL name. */
extern const struct adit_scp_rule check_json_rules[], check_xml_rules[], check_folder_rules[],
    check_config_rules[], check_warc_rules[];

void check_report(struct check *c, const struct check_finding *f);
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
void check_tct_payload(struct check *c, struct adit_str text, struct adit_json_value doc);
void check_tct_sitemap(struct check *c, struct adit_str text, struct adit_json_value doc);
void check_manifest(struct check *c, struct adit_str text, struct adit_json_value doc);
void check_run_report(struct check *c, struct adit_str text, struct adit_json_value doc);
/* adit.json; every fault of it is a finding. */
void check_config(struct check *c, struct adit_str text);
/* llms.txt (llmstxt.org): a title, and links. */
void check_llms(struct check *c, struct adit_str text);
/* WARC, ARC and WACZ files, by path or URL. */
void check_warc(struct check *c);
void check_xml(struct check *c, struct adit_str text);

#endif
