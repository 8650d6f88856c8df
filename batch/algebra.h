/* algebra: what delta, apply and merge have in common: inputs sorted by URL are joined, one output
 * is written, and a summary is printed. A command is a row of functions. */
#ifndef ADIT_ALGEBRA_H
#define ADIT_ALGEBRA_H

#include "batch/pages.h"

enum { ALGEBRA_COUNTERS = 5 };

struct algebra {
    const struct cli_args *args;
    const struct algebra_op *op;
    char **paths;
    struct pages **inputs; /* op->prepare may bring them into another order */
    size_t n;
    struct collection_writer *out;
    struct adit_scp_meta meta; /* of the output, set by op->prepare; strings live in text */
    struct adit_arena text;
    uint64_t counts[ALGEBRA_COUNTERS];
    uint64_t lost; /* pages of the inputs that were skipped */
    bool refused;  /* op->page found something that must not be written */
};

struct algebra_op {
    const char *counters[ALGEBRA_COUNTERS]; /* names, for the summary; NULL ends */
    /* Looks at the inputs' metadata and fills a->meta. False: said on stderr why not. */
    bool (*prepare)(struct algebra *a);
    /* One URL: pages[group[0…n)] have it. */
    bool (*page)(struct algebra *a, const struct adit_scp_page *pages, const size_t *group,
                 size_t n);
};

/* For the details of a command, before its example. */
#define ALGEBRA_CLI_FAULTS                                                                        \
    "A file with a line that is no JSON or lacks a required member is rejected, as is one that\n" \
    "is damaged: nothing is written. A page with a wrong url or modified, or with more than\n"    \
    "1000 blocks, is told, left out and counted. Both give exit code 1.\n\n"

#define ALGEBRA_CLI_OPTIONS                                                                      \
    {"o", "FILE", CLI_VALUE, "where the collection goes; - is standard output"},                 \
        OUTPUT_CLI_OPTIONS, {"no-checksum", NULL, CLI_FLAG, "leave the checksum out of line 1"}, \
        COLLECTION_CLI_LENIENT,                                                                  \
    {                                                                                            \
        "memory", "SIZE", CLI_VALUE, "for sorting inputs that are not sorted (default 256M)"     \
    }

int algebra_run(const struct cli_args *args, const struct algebra_op *op);

const struct adit_scp_meta *algebra_meta(const struct algebra *a, size_t input);
/* Writes a page as it stands, without robots. */
bool algebra_write(struct algebra *a, const struct adit_scp_page *page);
/* Sets id (SECTION-TYPE-STAMP), generated, since of a->meta from section, delta, generated_at,
 * since_at. */
bool algebra_name(struct algebra *a);

#endif
