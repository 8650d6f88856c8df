/* adit check: judges files and folders, and prints what was found. */
#include "batch/check/check.h"
#include "batch/fetch/fetch.h"
#include "batch/cli/cli.h"
#include "rs/rs.h"
#include "tct/tct.h"

#include <stdio.h>
#include <string.h>

static void print_more(const struct check *c)
{
    for (size_t i = 0; i < c->n_seen; i++)
        if (c->seen[i].n > 20)
            cli_print("%s: and %llu more [%s]\n", c->path, (unsigned long long)c->seen[i].n - 20,
                      c->seen[i].rule->name);
}

static void print_summary(const struct check *c, bool valid)
{
    print_more(c);
    cli_print("%s: %s: %s", c->path, c->kind, valid ? "valid" : "not valid");
    cli_print("%.*s", (int)c->facts.len, c->facts.p ? c->facts.p : "");
    if (c->counts[ADIT_RULE_WARN])
        cli_print(", %s", cli_count(c->counts[ADIT_RULE_WARN], "warning").p);
    cli_print("\n");
}

static void print_json(const struct check *c, bool valid)
{
    struct cli_json j;
    cli_json_begin(&j);
    adit_json_member(&j.w, "file", adit_str_z(c->path));
    adit_json_member(&j.w, "kind", adit_str_z(c->kind));
    adit_json_member_bool(&j.w, "valid", valid);
    adit_buf_add(&j.text, adit_buf_str(&c->facts));
    adit_json_member_open(&j.w, "rules", '{');
    for (size_t i = 0; i < c->n_seen; i++)
        adit_json_member_uint(&j.w, c->seen[i].rule->name, c->seen[i].n);
    adit_json_close(&j.w, '}');
    adit_json_member_open(&j.w, "findings", '[');
    adit_buf_add(&j.text, adit_buf_str(&c->findings));
    adit_json_close(&j.w, ']');
    cli_json_end(&j);
}

static void print_rules(const struct adit_rule *r)
{
    for (; r->name; r++)
        cli_print("%-18s %-6s %s; %s\n", r->name, adit_severity_names[r->severity], r->what,
                  r->advice);
}

/* The files of the command line, and of its folders. */
struct run {
    const struct cli_args *args;
    bool of_folder; /* the files are those of a folder */
    bool invalid, folder_invalid;
};

static struct check begin_check(const struct run *r, const char *path)
{
    struct check c = {.args = r->args,
                      .path = path,
                      .lenient = cli_has(r->args, "lenient"),
                      .json = cli_has(r->args, "json"),
                      .of_folder = r->of_folder};
    adit_buf_init(&c.facts, cli_mem, 1 << 20);
    adit_buf_init(&c.findings, cli_mem, 16 << 20);
    return c;
}

static void end_check(struct run *r, struct check *c, bool known, bool valid)
{
    if (known && c->json)
        print_json(c, valid);
    else if (known)
        print_summary(c, valid);
    if (known && !valid) r->invalid = r->folder_invalid = true;
    adit_buf_free(&c->facts);
    adit_buf_free(&c->findings);
}

/* False: it is a file of a folder that is nothing to be checked. */
static bool run_file(void *ctx, const char *path)
{
    struct run *r = ctx;
    struct check c = begin_check(r, path);
    bool known = check_file(&c);
    end_check(r, &c, known, check_valid(&c));
    return known;
}

static void run_folder(struct run *r, const char *path)
{
    struct check c = begin_check(r, path);
    r->of_folder = true;
    r->folder_invalid = false;
    check_folder(&c, run_file, r);
    r->of_folder = false;
    end_check(r, &c, true, check_valid(&c) && !r->folder_invalid);
}

static int run_check(const struct cli_args *args)
{
    struct run r = {.args = args};
    if (cli_has(args, "rules")) {
        static const struct adit_rule *const tables[] = {
            adit_scp_rules,         adit_json_rules,    adit_tct_rules,     adit_manifest_rules,
            adit_scp_sitemap_rules, adit_rs_rules,      check_report_rules, check_xml_rules,
            check_config_rules,     check_folder_rules, check_warc_rules,
        };
        for (size_t i = 0; i < ADIT_COUNT(tables); i++) print_rules(tables[i]);
        return CLI_OK;
    }
    if (args->n_files == 0) return cli_usage(args, "which files?");
    for (size_t i = 0; i < args->n_files; i++) {
        const char *path = args->files[i];
        if (cli_is_folder(path))
            run_folder(&r, path);
        else
            run_file(&r, path);
    }
    return r.invalid ? CLI_INVALID : CLI_OK;
}

static const struct cli_option options[] = {
    {"rules", NULL, CLI_FLAG, "list every rule instead, with its severity and what to do"},
    {"lenient", NULL, CLI_FLAG,
     "count lines that are wrong as skipped instead of rejecting the file"},
    FETCH_CLI_FILES,
    {0},
};

const struct cli_command cmd_check = {
    .name = "check",
    .usage = "FILE|DIR…",
    .summary = "say whether files keep to their specifications, and what is wrong where",
    .details =
        "Reads SCP collections (plain, gzip, zstd), TCT payloads and sitemaps, SCP sitemaps,\n"
        "ResourceSync lists, manifests, reports, adit.json, and WARC, ARC and WACZ files, also by\n"
        "URL; what a file is, its bytes tell. Of archives, the fields of each record are checked,\n"
        "the ends of records, digests of blocks and payloads, and that each record is a gzip\n"
        "member. Of DIR, all that pack has written there is checked, each file and that none is\n"
        "missing; other files in it are counted. Every finding names its rule and what to do:\n"
        "fatal (the file is rejected), skip (a page is left out), drop (a\n"
        "block is left out), warn. The exit code is 0 if there is nothing but warnings.\n\n"
        "  adit check public\n"
        "  adit check crawl.warc.gz\n"
        "  adit check collections/*.scp.zst sitemap.xml llm-sitemap.json",
    .options = options,
    .run = run_check,
};
